//! The totals.

use super::place::Place;
use super::report::{Extent, Outcome, PodReview, Remark, Report, SetReview};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What one set adds to the totals and to the problems.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Replica values of accepted pods.
    pub(super) values: HashSet<String>,
    /// The same with their keys: labels of nodes and taints, as `key=value`.
    pub(super) labels: HashSet<String>,
    /// Requests that are refused: pods, or the set.
    pub(super) refused: u64,
    /// What went wrong on our side.
    pub(super) problems: Vec<Remark>,
    /// What to know of the set.
    pub(super) notes: Vec<Remark>,
}

impl Tally {
    /// Counts `count` pods that get the same.
    pub(super) fn add(&mut self, outcome: &Outcome, count: u64) {
        if !outcome.allowed {
            self.refused = self.refused.saturating_add(count);
            return;
        }
        if let Some(value) = &outcome.value
            && !self.values.contains(value)
        {
            self.values.insert(value.clone());
        }
        let placement = &outcome.placement;
        let selectors = placement.node_selector.iter();
        let selectors = selectors.map(|entry| (&entry.key, &entry.value));
        let taints = placement.tolerations.iter();
        let taints = taints.map(|entry| (&entry.key, &entry.value));
        let labels = selectors.chain(taints);
        self.labels
            .extend(labels.map(|(key, value)| format!("{key}={value}")));
    }
}

/// The totals so far.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// Every value.
    values: HashSet<String>,
    /// Each label, and which set had it first.
    labels: HashMap<String, usize>,
    owners: Vec<Owner>,
    refused: u64,
}

/// Whose values were counted.
#[derive(Debug)]
struct Owner {
    namespace: String,
    title: String,
    place: Option<Place>,
}

impl Groups {
    /// Adds a set's; tells where its nodes are those of another set: the same value under the same key.
    pub(super) fn add(&mut self, set: &SetReview, tally: &Tally) -> Vec<Remark> {
        self.refused = self.refused.saturating_add(tally.refused);
        let index = self.owners.len();
        let mut shared: BTreeMap<usize, &str> = BTreeMap::new();
        self.values.extend(tally.values.iter().cloned());
        for label in &tally.labels {
            let owner = *self.labels.entry(label.clone()).or_insert(index);
            if owner != index
                && let Some((_, value)) = label.split_once('=')
            {
                let least = shared.entry(owner).or_insert(value);
                *least = (*least).min(value);
            }
        }
        let owner = Owner {
            namespace: set.namespace.clone(),
            title: set.title(),
            place: set.place.clone(),
        };
        let remarks = shared
            .into_iter()
            .filter_map(|(other, value)| Some(shares(&owner, self.owners.get(other)?, value)))
            .collect();
        self.owners.push(owner);
        remarks
    }

    /// Adds a pod's. Pods of one replica share their value, so nothing is told.
    pub(super) fn add_pod(&mut self, pod: &PodReview) {
        let mut tally = Tally::default();
        tally.add(&pod.result, 1);
        self.refused = self.refused.saturating_add(tally.refused);
        self.values.extend(tally.values);
    }

    /// Writes the totals into the report.
    pub(super) fn sum(&self, report: &mut Report) {
        let count = |length: usize| u64::try_from(length).unwrap_or(u64::MAX);
        let pods = count(report.pods.len());
        let sum = &mut report.sum;
        sum.sets = count(report.sets.len());
        sum.node_groups = count(self.values.len());
        sum.refused = self.refused;
        sum.pods = Extent {
            total: pods,
            judged: pods,
        };
        // Of a refused set there are neither replicas nor pods.
        for set in report.sets.iter().filter(|set| set.admission.allowed) {
            sum.replicas = sum.replicas.and(set.replicas);
            sum.pods = sum.pods.and(set.pods);
        }
    }
}

/// Two sets with one value: the same set twice, or sets whose replicas would meet on the same nodes.
fn shares(set: &Owner, other: &Owner, value: &str) -> Remark {
    let title = &set.title;
    let at = other
        .place
        .as_ref()
        .map_or_else(String::new, |place| format!(" ({})", place.line()));
    let other_title = &other.title;
    let text = if title == other_title {
        format!("{title} is in the input before{at}; of two that are applied the later stands")
    } else if set.namespace == other.namespace {
        format!(
            "{title} and {other_title}{at} share the value \"{value}\", so their replicas would share nodes; rename one of them"
        )
    } else {
        format!(
            "{title} and {other_title}{at} share the value \"{value}\", so their replicas would share nodes, whose labels know no namespace; set replicaValue to NamespacedLeaderName or HashedLeaderName"
        )
    };
    Remark::warning(set.place.clone(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(namespace: &str, name: &str) -> Owner {
        Owner {
            namespace: namespace.to_owned(),
            title: format!("LeaderWorkerSet {namespace}/{name}"),
            place: None,
        }
    }

    #[test]
    fn who_shares_a_value_is_told_why_it_matters() {
        let text = |a: &Owner, b: &Owner| shares(a, b, "v-0").text;
        let (a, b) = (owner("a", "v"), owner("b", "v"));
        assert!(text(&a, &b).contains("NamespacedLeaderName"));
        assert!(text(&a, &a).contains("the later stands"));
        assert!(text(&a, &owner("a", "w")).contains("rename one of them"));
    }
}
