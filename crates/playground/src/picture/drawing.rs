//! A set's replicas, pod by pod as long as there is room.

use super::group::{self, Card, Group, Role};
use crate::address::Address;
use crate::ask::{Ask, pod};
use lws_expand::LeaderWorkerSet;
use lws_review::review::report::{Members, Outcome, ReplicaReview, SetReview};
use serde::Serialize;
use serde_json::Value;

/// Most replicas of a set that are drawn where there is no room for their pods.
const SUMMED: usize = 16;

/// The label by which LWS numbers subgroups.
const SUBGROUP: &str = "/metadata/labels/leaderworkerset.sigs.k8s.io~1subgroup-index";

/// A set as it is drawn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Drawing {
    /// The set's address, to ask for its details.
    pub address: Option<Address>,
    /// Its replicas, the first ones where there are many.
    pub replicas: Vec<ReplicaDrawing>,
    /// Replicas that are not drawn.
    pub hidden: u64,
}

/// A replica as it is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplicaDrawing {
    /// Its index.
    pub index: u64,
    /// Its leader pod's name.
    pub leader: String,
    /// Its pods, those that share nodes together.
    pub groups: Vec<Group>,
}

impl Drawing {
    /// Draws a set that stands in `manifests`, up to `room` pods one by one; gives how many these were.
    pub(super) fn of(set: &SetReview, ask: &Ask<'_>, manifests: &str, room: u64) -> (Self, u64) {
        let address = Address::of_set(set);
        let expanded = address.as_ref().and_then(|address| {
            let stored = ask.creation(manifests, address).ok()?;
            Some((stored.set().ok()?, has_subgroups(&stored.after)))
        });
        let mut pen = Pen {
            size: set.size,
            expanded,
            address,
            room,
            drawn: 0,
            summed: 0,
        };
        let replicas: Vec<ReplicaDrawing> = set
            .shown
            .iter()
            .map_while(|replica| pen.draw(replica))
            .collect();
        let count = u64::try_from(replicas.len()).unwrap_or(u64::MAX);
        let drawing = Self {
            hidden: set.replicas.total.saturating_sub(count),
            address: pen.address,
            replicas,
        };
        (drawing, pen.drawn)
    }
}

fn has_subgroups(set: &Value) -> bool {
    set.pointer("/spec/leaderWorkerTemplate/subGroupPolicy")
        .is_some_and(Value::is_object)
}

struct Pen {
    size: u64,
    /// The set, and whether it has subgroups.
    expanded: Option<(LeaderWorkerSet, bool)>,
    address: Option<Address>,
    room: u64,
    drawn: u64,
    summed: usize,
}

impl Pen {
    /// Draws a replica; none where there is no more room.
    fn draw(&mut self, replica: &ReplicaReview) -> Option<ReplicaDrawing> {
        let named = replica
            .members
            .iter()
            .flat_map(|members| members.pods.first());
        // A leader that is named later has its name in the last of its entries.
        let written = named.take_while(|name| !name.is_empty()).next();
        let leader = self
            .expanded
            .as_ref()
            .map(|(set, _)| set.replica(replica.index).leader_name().to_owned())
            .or_else(|| written.cloned())
            .unwrap_or_default();
        let is_whole = created(replica).map(|members| members.count).sum::<u64>() == self.size;
        let cards = if is_whole && self.drawn.saturating_add(self.size) <= self.room {
            self.drawn = self.drawn.saturating_add(self.size);
            self.pods(replica, &leader)
        } else if self.drawn == 0 && self.summed < SUMMED {
            self.summed += 1;
            replica.members.iter().map(summed).collect()
        } else {
            return None;
        };
        Some(ReplicaDrawing {
            index: replica.index,
            leader,
            groups: group::grouped(cards),
        })
    }

    /// A card for each pod. A leader whose gate is lifted later is drawn as it is then.
    fn pods<'a>(&self, replica: &'a ReplicaReview, leader: &str) -> Vec<(&'a Outcome, Card)> {
        let lifted = replica
            .members
            .iter()
            .find(|members| members.when.is_some());
        let each = created(replica).flat_map(|members| {
            let count = usize::try_from(members.count).unwrap_or(usize::MAX);
            std::iter::repeat_n(members, count)
        });
        each.zip(0..)
            .map(|(members, member)| {
                let is_leader = member == 0;
                let members = lifted.filter(|_| is_leader).unwrap_or(members);
                let card = Card {
                    name: if is_leader {
                        leader.to_owned()
                    } else {
                        format!("{leader}-{member}")
                    },
                    role: if is_leader {
                        Role::Leader
                    } else {
                        Role::Worker
                    },
                    count: 1,
                    subgroup: self.subgroup(replica.index, member),
                    lifted: members.when.is_some(),
                    address: self
                        .address
                        .as_ref()
                        .map(|set| set.member(replica.index, member)),
                    ..Card::of(&members.result)
                };
                (&members.result, card)
            })
            .collect()
    }

    fn subgroup(&self, replica: u64, member: u64) -> Option<u64> {
        let (set, has_subgroups) = self.expanded.as_ref()?;
        if !has_subgroups {
            return None;
        }
        let pod = pod(&set.replica(replica), member);
        pod.pointer(SUBGROUP)?.as_str()?.parse().ok()
    }
}

/// What a replica's pods get when they are created.
fn created(replica: &ReplicaReview) -> impl Iterator<Item = &Members> {
    replica
        .members
        .iter()
        .filter(|members| members.when.is_none())
}

/// One card for pods that get the same.
fn summed(members: &Members) -> (&Outcome, Card) {
    let card = Card {
        name: members.pods.join(", "),
        role: Role::Several,
        count: members.count,
        lifted: members.when.is_some(),
        ..Card::of(&members.result)
    };
    (&members.result, card)
}
