//! Values that sets come to share: their replicas would meet on the same nodes.

use super::life::Outcome;
use crate::review::report::Remark;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The values of the sets so far.
#[derive(Default)]
pub(super) struct Shared {
    before: Owners,
    after: Owners,
}

/// Who had each value first, and who has it too.
#[derive(Default)]
struct Owners {
    first: HashMap<String, String>,
    /// Two sets, and the least value that they share.
    pairs: BTreeMap<(String, String), String>,
}

impl Shared {
    /// Takes a set's values.
    pub(super) fn see(&mut self, outcome: &Outcome) {
        self.before.see(&outcome.title, &outcome.values_before);
        self.after.see(&outcome.title, &outcome.values_after);
    }

    /// A sentence for each two sets that share a value and did not.
    pub(super) fn notes(&self) -> Vec<Remark> {
        let new = self.after.pairs.iter();
        new.filter(|(sets, _)| !self.before.pairs.contains_key(*sets))
            .map(|((one, other), value)| {
                let text = format!(
                    "{other} and {one} come to share the value \"{value}\", so their replicas would share nodes; set replicaValue to NamespacedLeaderName or HashedLeaderName"
                );
                Remark::warning(None, text)
            })
            .collect()
    }
}

impl Owners {
    fn see(&mut self, title: &str, values: &BTreeSet<String>) {
        for value in values {
            let first = self
                .first
                .entry(value.clone())
                .or_insert_with(|| title.to_owned());
            if first != title {
                let pair = (first.clone(), title.to_owned());
                self.pairs.entry(pair).or_insert_with(|| value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(title: &str, before: &str, after: &str) -> Outcome {
        Outcome {
            title: title.to_owned(),
            values_before: BTreeSet::from([before.to_owned()]),
            values_after: BTreeSet::from([after.to_owned()]),
            ..Outcome::default()
        }
    }

    #[test]
    fn only_what_is_newly_shared_is_told() {
        let mut shared = Shared::default();
        shared.see(&outcome("LeaderWorkerSet a/v", "a.v-0", "v-0"));
        shared.see(&outcome("LeaderWorkerSet b/v", "b.v-0", "v-0"));
        let notes = shared.notes();
        assert_eq!(notes.len(), 1);
        assert_eq!(
            notes.first().map(|note| note.text.as_str()),
            Some(
                "LeaderWorkerSet b/v and LeaderWorkerSet a/v come to share the value \"v-0\", so their replicas would share nodes; set replicaValue to NamespacedLeaderName or HashedLeaderName"
            )
        );
        let mut shared = Shared::default();
        shared.see(&outcome("a", "v-0", "v-0"));
        shared.see(&outcome("b", "v-0", "v-0"));
        assert!(shared.notes().is_empty());
    }
}
