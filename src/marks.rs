//! The labels and annotations of a pod that a decision depends on.

use std::borrow::Cow;

use crate::annotations::{self, Layer};
use crate::json::{Fault, Raw};
use crate::lws;
use crate::pod::fill;
use crate::stamp;

/// A label or annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Label `leaderworkerset.sigs.k8s.io/name`.
    Set,
    /// Label `…/worker-index`.
    WorkerIndex,
    /// Label `…/group-key`.
    GroupKey,
    /// Annotation `…/leader-name`.
    LeaderName,
    /// Annotation `…/size`.
    Size,
    /// Annotation `…/subgroup-size`.
    SubgroupSize,
    /// Annotation `…/subgroup-policy-type`.
    SubgroupPolicyType,
    /// Annotation `…/exclusive-topology`.
    ExclusiveTopology,
    /// Annotation `…/subgroup-exclusive-topology`.
    SubgroupExclusiveTopology,
    /// The workload's selector keys.
    NodeSelector,
    /// The workload's taints.
    Toleration,
    /// The stamp.
    Stamp,
    /// Annotation `kubernetes.io/config.mirror`, which a kubelet gives to the pods of its own.
    Mirror,
}

/// The names of the labels, and then of the annotations, in the order of [`Mark`].
const LABELS: [&str; 3] = [lws::NAME, lws::WORKER_INDEX, lws::GROUP_KEY];
const ANNOTATIONS: [&str; 10] = [
    lws::LEADER_NAME,
    lws::SIZE,
    lws::SUBGROUP_SIZE,
    lws::SUBGROUP_POLICY_TYPE,
    lws::EXCLUSIVE_TOPOLOGY,
    lws::SUBGROUP_EXCLUSIVE_TOPOLOGY,
    annotations::NODE_SELECTOR,
    annotations::TOLERATION,
    stamp::STAMP,
    "kubernetes.io/config.mirror",
];

/// What a pod has of them, unescaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks<'a>([Option<Cow<'a, str>>; LABELS.len() + ANNOTATIONS.len()]);

impl<'a> Marks<'a> {
    /// Reads `metadata.labels`; null and absent have none.
    ///
    /// # Errors
    /// No map of strings, or one of the names twice (I5).
    pub fn read_labels(&mut self, labels: Option<Raw<'a>>) -> Result<(), Fault> {
        let (places, _) = self.0.split_at_mut(LABELS.len());
        fill(labels, "metadata.labels", &LABELS, places)
    }

    /// Reads `metadata.annotations`; null and absent have none.
    ///
    /// # Errors
    /// No map of strings, or one of the names twice (I5).
    pub fn read_annotations(&mut self, annotations: Option<Raw<'a>>) -> Result<(), Fault> {
        let (_, places) = self.0.split_at_mut(LABELS.len());
        fill(annotations, "metadata.annotations", &ANNOTATIONS, places)
    }

    /// What it says, where it is there.
    #[must_use]
    pub fn get(&self, mark: Mark) -> Option<&str> {
        self.0.get(mark as usize)?.as_deref()
    }

    /// The pod's two annotations, which are those of its template (L5).
    #[must_use]
    pub fn layer(&self) -> Layer<'_> {
        Layer {
            path: "",
            node_selector: self.get(Mark::NodeSelector),
            toleration: self.get(Mark::Toleration),
        }
    }

    /// Marks of a test.
    #[cfg(test)]
    pub(crate) fn of(marks: &[(Mark, Option<&'a str>)]) -> Self {
        let mut made = Self::default();
        for (mark, text) in marks {
            if let Some(place) = made.0.get_mut(*mark as usize) {
                *place = text.map(Cow::Borrowed);
            }
        }
        made
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    use crate::json;

    #[test]
    fn each_is_read_from_its_name() {
        let marks = [
            (Mark::Set, lws::NAME),
            (Mark::WorkerIndex, lws::WORKER_INDEX),
            (Mark::GroupKey, lws::GROUP_KEY),
            (Mark::LeaderName, lws::LEADER_NAME),
            (Mark::Size, lws::SIZE),
            (Mark::SubgroupSize, lws::SUBGROUP_SIZE),
            (Mark::SubgroupPolicyType, lws::SUBGROUP_POLICY_TYPE),
            (Mark::ExclusiveTopology, lws::EXCLUSIVE_TOPOLOGY),
            (
                Mark::SubgroupExclusiveTopology,
                lws::SUBGROUP_EXCLUSIVE_TOPOLOGY,
            ),
            (Mark::NodeSelector, annotations::NODE_SELECTOR),
            (Mark::Toleration, annotations::TOLERATION),
            (Mark::Stamp, stamp::STAMP),
            (Mark::Mirror, "kubernetes.io/config.mirror"),
        ];
        for (mark, name) in marks {
            let map = format!(r#"{{"{name}":"it"}}"#);
            let map = Some(json::document(&map).unwrap());
            let mut read = Marks::default();
            if LABELS.contains(&name) {
                read.read_labels(map).unwrap();
            } else {
                read.read_annotations(map).unwrap();
            }
            assert_eq!(read, Marks::of(&[(mark, Some("it"))]), "{name}");
            assert_eq!(read.get(mark), Some("it"), "{name}");
        }
        assert_eq!(marks.len(), LABELS.len() + ANNOTATIONS.len());
    }
}
