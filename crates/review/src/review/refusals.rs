//! Why pods of a set are refused: each reason at each place once, with all whom it hits.

use super::field;
use super::place::{Located, Place};
use super::reason;
use super::report::Refusal;
use super::verdict::Verdict;

/// Most names that a refusal lists.
const NAMES: usize = 6;

/// The refusals of a set so far.
#[derive(Default)]
pub(super) struct Refusals {
    found: Vec<(String, Refusal)>,
}

impl Refusals {
    /// The number, from 1, of the refusal with the reason and the place of this one. Replicas that fail in the same way
    /// share it. `field` is the pod's, for what no template says.
    pub(super) fn number(
        &mut self,
        set: &Located<'_>,
        verdict: &Verdict,
        leader: &str,
        is_leader: bool,
        field: Option<&str>,
    ) -> usize {
        let message = message(verdict);
        let of = |reason: &str| field::of_pod_in_set(set.value, is_leader, reason);
        let pointers = field::all(&message, of);
        let (place, also) = set.points(&pointers);
        let is_in_set = pointers.iter().any(|pointer| !pointer.is_empty());
        let masked = reason::masked(&message, leader, verdict.value.as_deref());
        let known = |(text, refusal): &(String, Refusal)| *text == masked && refusal.place == place;
        if let Some(index) = self.found.iter().position(known) {
            return index + 1;
        }
        let found = Refusal {
            field: field.filter(|_| !is_in_set).map(str::to_owned),
            ..refusal(verdict, (place, also))
        };
        self.found.push((masked, found));
        self.found.len()
    }

    /// Notes whom a refusal hits.
    pub(super) fn hit(&mut self, number: usize, names: Vec<String>, count: u64) {
        if let Some((_, refusal)) = self.found.get_mut(number.saturating_sub(1)) {
            let room = NAMES.saturating_sub(refusal.pods.len());
            refusal.more |= names.len() > room;
            refusal.pods.extend(names.into_iter().take(room));
            refusal.count = refusal.count.saturating_add(count);
        }
    }

    /// The refusals in the order of their numbers.
    pub(super) fn list(self) -> Vec<Refusal> {
        self.found.into_iter().map(|(_, refusal)| refusal).collect()
    }
}

/// A refusal that hits nobody yet.
pub(super) fn refusal(verdict: &Verdict, (place, also): (Option<Place>, Vec<Place>)) -> Refusal {
    Refusal {
        message: message(verdict),
        code: verdict.code,
        place,
        also,
        field: None,
        pods: Vec::new(),
        more: false,
        count: 0,
    }
}

/// Why something is refused.
pub(super) fn message(verdict: &Verdict) -> String {
    verdict
        .message
        .clone()
        .unwrap_or_else(|| "the policy gives no reason".to_owned())
}
