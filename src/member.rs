//! Whose pod it is: a leader, a worker, or neither (P5, P6).

use std::borrow::Cow;
use std::fmt;

use crate::key;
use crate::lws;
use crate::marks::Mark;
use crate::message::Quoted;
use crate::pod::Pod;

/// A pod's part in its replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The replica's first pod.
    Leader,
    /// Any other.
    Worker,
}

/// A pod of a replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// Its part.
    pub role: Role,
    /// The leader pod's name; `None` for a leader that has yet to get one (L4).
    pub leader: Option<Cow<'a, str>>,
}

/// What a pod with the set's name label turns out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Membership<'a> {
    /// A pod of a replica.
    Member(Member<'a>),
    /// Nobody controls it and it is neither leader nor worker.
    Loose,
    /// A leader's copy that nobody controls, such as `kubectl debug --copy-to` makes.
    Copy,
}

/// Why a pod cannot be told to a replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberError {
    /// The leader-name annotation is empty.
    EmptyLeaderName,
    /// The leader's name is no pod name.
    NoPodName {
        /// Where the name stands.
        place: &'static str,
        /// The name.
        name: String,
    },
    /// A StatefulSet or ReplicaSet made a pod that is neither leader nor worker.
    NoRole {
        /// The controller's kind.
        kind: String,
        /// The controller's name.
        name: String,
    },
    /// A ReplicaSet controls a pod that says it is a worker; only leaders come from one (L4).
    NoWorker {
        /// The ReplicaSet's name.
        controller: String,
    },
    /// The controlling StatefulSet does not make the pods of this replica.
    Foreign {
        /// The StatefulSet's name.
        controller: String,
        /// The name that it would have.
        expected: String,
        /// The label or annotation that says so.
        mark: &'static str,
    },
}

impl MemberError {
    /// 400 for what is malformed in itself, 422 for what contradicts something else (R2).
    #[must_use]
    pub fn code(&self) -> u16 {
        match self {
            Self::EmptyLeaderName | Self::NoPodName { .. } => 400,
            Self::NoRole { .. } | Self::NoWorker { .. } | Self::Foreign { .. } => 422,
        }
    }
}

impl fmt::Display for MemberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyLeaderName => write!(
                f,
                "annotation \"{}\" is empty; set it to the leader pod's name, or remove it from \
                 the pod template",
                lws::LEADER_NAME
            ),
            Self::NoPodName { place, name } => write!(
                f,
                "{place} {} is no pod name; use lower-case letters, digits, \"-\" and \".\"",
                Quoted(name)
            ),
            Self::NoRole { kind, name } => write!(
                f,
                "{kind} {} controls it, but it is neither a leader (label \"{}\": \"0\") nor a \
                 worker (annotation \"{}\"); remove label \"{}\" from its template",
                Quoted(name),
                lws::WORKER_INDEX,
                lws::LEADER_NAME,
                lws::NAME
            ),
            Self::NoWorker { controller } => write!(
                f,
                "ReplicaSet {} controls it, but annotation \"{}\" says that it is a worker, which only \
                 StatefulSets make; remove the annotation from the pod template",
                Quoted(controller),
                lws::LEADER_NAME
            ),
            Self::Foreign {
                controller,
                expected,
                mark,
            } => write!(
                f,
                "StatefulSet {} controls it, but \"{mark}\" says {}; remove that from the pod \
                 template, LeaderWorkerSet sets it",
                Quoted(controller),
                Quoted(expected)
            ),
        }
    }
}

/// Tells a pod's part (P5) and holds it against its controller (P6).
///
/// # Errors
/// [`MemberError`]: a pod that claims to belong to a replica and cannot.
pub fn of_pod<'a>(pod: &'a Pod<'_>) -> Result<Membership<'a>, MemberError> {
    let marks = &pod.marks;
    let (role, leader) = match marks.get(Mark::LeaderName) {
        Some("") => return Err(MemberError::EmptyLeaderName),
        Some(leader) => (Role::Worker, Some(leader)),
        None if marks.get(Mark::WorkerIndex) == Some("0") => (Role::Leader, pod.name.as_deref()),
        None => {
            return match &pod.controller {
                Some(owner) if matches!(&*owner.kind, "StatefulSet" | "ReplicaSet") => {
                    Err(MemberError::NoRole {
                        kind: owner.kind.clone().into_owned(),
                        name: owner.name.clone().into_owned(),
                    })
                }
                _ => Ok(Membership::Loose),
            };
        }
    };
    if role == Role::Leader && pod.controller.is_none() && marks.get(Mark::GroupKey).is_some() {
        return Ok(Membership::Copy);
    }
    if let Some(name) = leader.filter(|name| name.len() > 253 || !key::is_dns_subdomain(name)) {
        let place = match role {
            Role::Leader => "metadata.name",
            Role::Worker => "annotation \"leaderworkerset.sigs.k8s.io/leader-name\"",
        };
        return Err(MemberError::NoPodName {
            place,
            name: name.to_owned(),
        });
    }
    let set = marks.get(Mark::Set).unwrap_or_default();
    let (expected, mark) = match (role, leader) {
        (Role::Worker, Some(leader)) => (leader, lws::LEADER_NAME),
        _ => (set, lws::NAME),
    };
    match &pod.controller {
        Some(owner) if owner.kind == "ReplicaSet" && role == Role::Worker => {
            Err(MemberError::NoWorker {
                controller: owner.name.clone().into_owned(),
            })
        }
        Some(owner) if owner.kind == "StatefulSet" && owner.name != expected => {
            Err(MemberError::Foreign {
                controller: owner.name.clone().into_owned(),
                expected: expected.to_owned(),
                mark,
            })
        }
        _ => Ok(Membership::Member(Member {
            role,
            leader: leader.map(Cow::Borrowed),
        })),
    }
}
