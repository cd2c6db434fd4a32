//! A replica: one leader and its workers, made when asked for.

use serde_json::Value;

use crate::draft::Draft;
use crate::hash_identity;
use crate::leader;
use crate::set::{Identity, LeaderWorkerSet};
use crate::stand_in;
use crate::webhook;
use crate::worker;

/// Which admission a pod is about to pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// As its controller sends it: LWS's mutating webhook has not run.
    BeforeWebhook,
    /// After LWS's mutating webhook.
    AfterWebhook,
}

/// What a pod is in its replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The first pod, from which the replica has its name.
    Leader,
    /// Any other pod.
    Worker,
}

/// A pod of a replica.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// What it is in the replica.
    pub role: Role,
    /// Its number in the replica: 0 for the leader, workers from 1.
    pub worker_index: u64,
    /// The pod, as it stands as `object` in an admission request.
    pub pod: Value,
}

/// One replica of a set.
#[derive(Debug, Clone)]
pub struct Replica<'a> {
    set: &'a LeaderWorkerSet,
    index: u64,
    leader_name: String,
}

impl<'a> Replica<'a> {
    pub(crate) fn new(set: &'a LeaderWorkerSet, index: u64) -> Self {
        let leader_name = match set.identity() {
            Identity::Ordinal => format!("{}-{index}", set.name()),
            Identity::Hash => hash_identity::leader_name(set, index),
        };
        Self {
            set,
            index,
            leader_name,
        }
    }

    /// The replica's number. With [`Identity::Hash`] LWS knows no such number; it only tells replicas apart here.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// The leader pod's name. With [`Identity::Hash`] a stand-in for the name that the API server generates: the
    /// leader has none at mutating admission, its workers carry it as leader-name.
    pub fn leader_name(&self) -> &str {
        &self.leader_name
    }

    /// The leader pod.
    pub fn leader(&self, form: Form) -> Value {
        let mut pod = match self.set.identity() {
            Identity::Ordinal => leader::pod(self),
            Identity::Hash => hash_identity::leader(self),
        };
        if form == Form::AfterWebhook {
            match self.set.identity() {
                Identity::Ordinal => webhook::mutate(&mut pod),
                Identity::Hash => hash_identity::mutate_leader(&mut pod, self),
            }
        }
        pod.into_value()
    }

    /// The worker pod of an index, which counts from 1; of any index, also past the set's size.
    pub fn worker(&self, worker_index: u64, form: Form) -> Value {
        let mut pod: Draft = worker::pod(self, worker_index);
        if form == Form::AfterWebhook {
            webhook::mutate(&mut pod);
        }
        pod.into_value()
    }

    /// All pods of the replica, the leader first, each made when the iterator reaches it.
    pub fn pods(&self, form: Form) -> impl Iterator<Item = Member> + use<'a> {
        let replica = self.clone();
        (0..self.set.size()).map(move |worker_index| match worker_index {
            0 => Member {
                role: Role::Leader,
                worker_index,
                pod: replica.leader(form),
            },
            _ => Member {
                role: Role::Worker,
                worker_index,
                pod: replica.worker(worker_index, form),
            },
        })
    }

    pub(crate) fn set(&self) -> &'a LeaderWorkerSet {
        self.set
    }

    /// The group-key label.
    pub(crate) fn group_key(&self) -> String {
        match self.set.identity() {
            Identity::Ordinal => stand_in::sha1(&format!(
                "{}/{}",
                self.set.pod_namespace(),
                self.leader_name
            )),
            Identity::Hash => hash_identity::group_key(self.set, self.index),
        }
    }

    /// The group-index label: the replica's number, or with hash identity its key.
    pub(crate) fn group_index(&self) -> String {
        match self.set.identity() {
            Identity::Ordinal => self.index.to_string(),
            Identity::Hash => self.group_key(),
        }
    }
}
