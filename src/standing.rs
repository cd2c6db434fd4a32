//! What the policy makes of a pod, before it looks at its spec (P2 to P7).

use std::fmt;

use crate::annotations::{self, AnnotationError};
use crate::json;
use crate::key::ReplicaKey;
use crate::lws;
use crate::marks::{Mark, Marks};
use crate::member::{self, Member, MemberError, Membership, Role};
use crate::message::{Quoted, Row};
use crate::placement::{Members, Placement};
use crate::pod::Pod;
use crate::settings::{Settings, UnstampedPods};
use crate::stamp::{self, StampError};
use crate::subgroup::{self, SubgroupError};
use crate::taint::ReplicaTaint;
use crate::value::{PlacementUnit, Unit, ValueError};

/// A pod as far as its metadata tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// No placement applies: no pod of a replica (P2, P3), nothing asked (P4), a leader that is
    /// left out, or a member of no subgroup.
    Unconcerned,
    /// Neither leader nor worker, and nobody controls it (P5).
    Loose,
    /// A leader's copy that nobody controls (P5).
    Copy,
    /// A leader without a name: its value follows (P7).
    Nameless,
    /// A pod of a replica with all the values that it needs.
    Placed(Demand),
}

/// What a pod must carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demand {
    /// The leader pod's name, by which messages call the replica.
    pub replica: String,
    /// Selector keys with their values.
    pub node_selector: Vec<(ReplicaKey, String)>,
    /// Taints with their values.
    pub tolerations: Vec<(ReplicaTaint, String)>,
    /// The exclusive-topology keys of the pod (I3), with their annotation.
    pub exclusive: Vec<(&'static str, String)>,
}

impl Demand {
    /// The replica value as audit annotations tell it: `key=value,key=value` where keys limit it
    /// differently (R3, C7). Audit annotation names cannot hold a key's slash, so it is one text.
    #[must_use]
    pub fn joined_values(&self) -> String {
        let values = self.values();
        match values.as_slice() {
            [] => String::new(),
            [(_, first), rest @ ..] if rest.iter().all(|(_, value)| value == first) => {
                (*first).to_owned()
            }
            all => {
                let mut pairs = Row::of(",");
                for (key, value) in all {
                    pairs.add(&format_args!("{}={value}", key.as_str()));
                }
                pairs.text()
            }
        }
    }

    /// Every key once with its value, selector keys first.
    #[must_use]
    pub fn values(&self) -> Vec<(&ReplicaKey, &str)> {
        let mut values = Vec::new();
        for (key, value) in &self.node_selector {
            values.push((key, value.as_str()));
        }
        for (taint, value) in &self.tolerations {
            if values.iter().all(|(key, _)| **key != taint.key) {
                values.push((&taint.key, value.as_str()));
            }
        }
        values
    }
}

/// Why a pod's placement cannot be told: these refuse at CREATE, and on UPDATE count as a placement
/// that is not satisfied (P12).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A wrong JSON type where the policy reads (I5).
    Malformed(json::Fault),
    /// The pod cannot be told to a replica (P5, P6).
    Member(MemberError),
    /// An annotation that cannot be used (A2).
    Annotation(AnnotationError),
    /// A stamp that the policy did not write (A4).
    Stamp(StampError),
    /// The subgroup cannot be told (L8).
    Subgroup(SubgroupError),
    /// The value cannot be made (C7).
    Value(ValueError),
    /// A wrong JSON type in the spec of a pod whose replica value is known (I5).
    Spec(json::Fault, String),
}

impl Fault {
    /// 400 for malformed input, 422 for a conflict (R2).
    #[must_use]
    pub fn code(&self) -> u16 {
        match self {
            Self::Malformed(_)
            | Self::Annotation(_)
            | Self::Stamp(_)
            | Self::Subgroup(_)
            | Self::Spec(..) => 400,
            Self::Member(error) => error.code(),
            Self::Value(ValueError::NoNamespace) => 400,
            Self::Value(_) => 422,
        }
    }

    /// The replica value, where it was known when the fault was met.
    #[must_use]
    pub fn replica_value(&self) -> Option<String> {
        match self {
            Self::Spec(_, value) => Some(value.clone()),
            _ => None,
        }
    }

    /// Whether a placement was known to apply when the fault was met (R3).
    #[must_use]
    pub fn is_of_a_placement(&self) -> bool {
        !matches!(
            self,
            Self::Malformed(_) | Self::Annotation(_) | Self::Stamp(_)
        )
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(fault) | Self::Spec(fault, _) => fault.fmt(f),
            Self::Member(error) => error.fmt(f),
            Self::Annotation(error) => error.fmt(f),
            Self::Stamp(error) => error.fmt(f),
            Self::Subgroup(error) => error.fmt(f),
            Self::Value(error) => error.fmt(f),
        }
    }
}

/// Tells a pod's standing. `namespace` is the request's, for objects that do not name theirs.
///
/// # Errors
/// [`Fault`]: the pod claims a placement that cannot be told.
pub fn of_pod(
    pod: &Pod<'_>,
    settings: &Settings,
    namespace: Option<&str>,
) -> Result<Standing, Fault> {
    let placement = placement(&pod.marks, settings)?;
    if placement.choice.is_empty() {
        return Ok(Standing::Unconcerned);
    }
    let member = match member::of_pod(pod).map_err(Fault::Member)? {
        Membership::Loose => return Ok(Standing::Loose),
        Membership::Copy => return Ok(Standing::Copy),
        Membership::Member(member) => member,
    };
    if member.role == Role::Leader && placement.members == Members::Workers {
        return Ok(Standing::Unconcerned);
    }
    let Some(leader) = member.leader.as_deref() else {
        return Ok(Standing::Nameless);
    };
    let subgroup = match placement.value_rules.placement_unit {
        PlacementUnit::Replica => None,
        PlacementUnit::SubGroup => match subgroup_of(pod, &member, leader)? {
            Subgroup::Whole => None,
            Subgroup::Index(index) => Some(index),
            Subgroup::NoneOfThem => return Ok(Standing::Unconcerned),
        },
    };
    let unit = Unit {
        namespace: namespace.or(pod.namespace.as_deref()),
        leader,
        subgroup,
    };
    demand(&placement, unit, &pod.marks)
        .map(Standing::Placed)
        .map_err(Fault::Value)
}

/// The stamp if there is one, else settings and the pod's own annotations (P4).
///
/// # Errors
/// [`Fault::Stamp`] and [`Fault::Annotation`]: neither can be read.
pub fn placement(marks: &Marks<'_>, settings: &Settings) -> Result<Placement, Fault> {
    if let Some(text) = marks.get(Mark::Stamp) {
        return stamp::read(text).map_err(Fault::Stamp);
    }
    if settings.unstamped_pods == UnstampedPods::Leave {
        return Ok(Placement::default());
    }
    let choice = annotations::resolve(settings, &[marks.layer()]).map_err(Fault::Annotation)?;
    Ok(settings.placement(choice))
}

enum Subgroup {
    /// The set has no subgroups.
    Whole,
    Index(i64),
    NoneOfThem,
}

fn subgroup_of(pod: &Pod<'_>, member: &Member<'_>, leader: &str) -> Result<Subgroup, Fault> {
    let named = pod.name.as_deref();
    let worker = named.and_then(|name| subgroup::worker_in_name(name, leader));
    let is_leader = member.role == Role::Leader;
    let index = subgroup::of_pod(&pod.marks, is_leader, worker).map_err(Fault::Subgroup)?;
    Ok(match (index, pod.marks.get(Mark::SubgroupSize)) {
        (Some(index), _) => Subgroup::Index(index),
        (None, Some(_)) => Subgroup::NoneOfThem,
        (None, None) => Subgroup::Whole,
    })
}

fn demand(placement: &Placement, unit: Unit<'_>, marks: &Marks<'_>) -> Result<Demand, ValueError> {
    let rules = placement.value_rules;
    let mut demand = Demand {
        replica: unit.leader.to_owned(),
        node_selector: Vec::new(),
        tolerations: Vec::new(),
        exclusive: Vec::new(),
    };
    for key in &placement.choice.node_selector {
        let value = rules.value(key, unit)?;
        demand.node_selector.push((key.clone(), value));
    }
    for taint in &placement.choice.tolerations {
        let value = rules.value(&taint.key, unit)?;
        demand.tolerations.push((taint.clone(), value));
    }
    for (annotation, mark) in [
        (lws::EXCLUSIVE_TOPOLOGY, Mark::ExclusiveTopology),
        (
            lws::SUBGROUP_EXCLUSIVE_TOPOLOGY,
            Mark::SubgroupExclusiveTopology,
        ),
    ] {
        if let Some(key) = marks.get(mark) {
            demand.exclusive.push((annotation, key.to_owned()));
        }
    }
    Ok(demand)
}

/// The warning about a pod that is nobody's member (P5), if this standing is one.
#[must_use]
pub fn bystander(standing: &Standing) -> Option<&'static str> {
    match standing {
        Standing::Loose => Some("is neither leader nor worker; left as it is"),
        Standing::Copy => Some("is a leader's copy that nothing controls; left as it is"),
        _ => None,
    }
}

/// A replica as messages call it.
pub struct ReplicaName<'a>(pub &'a str);

impl fmt::Display for ReplicaName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "replica {}", Quoted(self.0))
    }
}
