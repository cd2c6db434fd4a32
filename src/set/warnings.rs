//! What a set's author should know though nothing is refused (S2, S4, S8).

use super::faults::{Judged, SetFault};
use super::names;
use super::template::Template;
use super::view::SetView;
use crate::message::{Piece, warning};
use crate::placement::Placement;
use crate::taint::Effect;
use crate::value::ValueError;

/// Node selector keys that ask GKE for a kind of machine (K5).
const GKE_MACHINES: [&str; 4] = [
    "cloud.google.com/gke-accelerator",
    "cloud.google.com/gke-tpu-accelerator",
    "cloud.google.com/compute-class",
    "cloud.google.com/machine-family",
];

/// What is told about one set, each thing once.
pub struct Warnings<'s> {
    called: &'s str,
    texts: Vec<String>,
}

impl<'s> Warnings<'s> {
    /// None yet. `called`: what messages call the set.
    #[must_use]
    pub fn about(called: &'s str) -> Self {
        Self {
            called,
            texts: Vec::new(),
        }
    }

    /// The warnings in the order in which they were found.
    #[must_use]
    pub fn into_texts(self) -> Vec<String> {
        self.texts
    }

    /// S7: a fault that was there before, without its remedy: where it is and what.
    pub fn of_fault(&mut self, fault: &SetFault) {
        let path = fault
            .path
            .strip_prefix("spec.leaderWorkerTemplate.")
            .unwrap_or(&fault.path);
        let mut bytes = fault.text.bytes();
        let end = bytes.position(|byte| matches!(byte, b',' | b';'));
        let text = end.and_then(|end| fault.text.get(..end));
        let text = text.unwrap_or(&fault.text);
        self.warn(&[Piece::Text(path), Piece::Words(": "), Piece::Text(text)]);
    }

    /// S2, S4, S8: what is amiss with a set that is not refused.
    pub fn of_set(&mut self, set: &SetView<'_>, judged: &Judged, namespace: Option<&str>) {
        if !judged.asks {
            return;
        }
        for template in set.templates() {
            if template.has_node {
                self.words("a template sets nodeName; its pods are left as they are");
            }
            if template.has_kueue {
                self.words("Kueue plans by the template, which does not show the selector");
            }
        }
        if set.is_hash {
            self.words("groupIdentity Hash: every recreated replica asks for new nodes");
        }
        for placement in judged.placements() {
            self.of_placement(set, judged, placement);
        }
        if let Some(name) = set.name.as_deref() {
            self.of_length(set, judged, name, namespace);
        }
    }

    fn words(&mut self, text: &str) {
        self.warn(&[Piece::Words(text)]);
    }

    fn warn(&mut self, pieces: &[Piece<'_>]) {
        let mut all = vec![
            Piece::Words("LeaderWorkerSet "),
            Piece::Name(self.called),
            Piece::Words(": "),
        ];
        all.extend_from_slice(pieces);
        let text = warning(&all);
        if !self.texts.contains(&text) {
            self.texts.push(text);
        }
    }

    fn of_placement(&mut self, set: &SetView<'_>, judged: &Judged, placement: &Placement) {
        let choice = &placement.choice;
        for taint in &choice.tolerations {
            if taint.effect == Some(Effect::PreferNoSchedule) {
                self.warn(&[
                    Piece::Words("PreferNoSchedule of "),
                    Piece::Text(taint.key.as_str()),
                    Piece::Words(": on GKE nothing is provisioned for it"),
                ]);
            }
        }
        for key in &choice.node_selector {
            let named = Piece::Text(key.as_str());
            // K5: GKE separates by this key of its own without a taint.
            let is_repeated = key.is_gke_placement_group()
                || choice.tolerations.iter().any(|taint| taint.key == *key);
            if !is_repeated {
                let words = " has no toleration of its own; on GKE nothing is provisioned for it";
                self.warn(&[named, Piece::Words(words)]);
            }
            let is_bare = |template: &Template<'_>| {
                judged.placement_of(template) == Some(placement)
                    && !(template.place.is_leaders && names::leaves_leader_out(set, placement))
                    && template
                        .selector
                        .iter()
                        .all(|(name, _)| !GKE_MACHINES.contains(&&**name))
            };
            if key.is_gke_placement_group() && set.templates().any(is_bare) {
                let words = " needs an accelerator or compute class beside it";
                self.warn(&[named, Piece::Words(words)]);
            }
        }
    }

    /// Leader names grow by a digit when the set is scaled, and `/scale` does not come by here.
    fn of_length(
        &mut self,
        set: &SetView<'_>,
        judged: &Judged,
        name: &str,
        namespace: Option<&str>,
    ) {
        let limit = names::LEADER_NAME_LIMIT;
        let now = names::leader(set, name, set.highest_index);
        let next = if set.is_hash {
            names::longest_generated(name)
        } else {
            format!("{now}0")
        };
        let when = if set.is_hash {
            "with some generated names"
        } else {
            "one digit more, and"
        };
        if now.len() > limit {
            let length = now.len();
            self.words(&format!(
                "leader names have {length} characters; over {limit} they get no workers"
            ));
        } else if next.len() > limit {
            self.words(&format!(
                "{when} leaders of over {limit} characters get no workers"
            ));
        }
        for placement in judged.placements() {
            for key in &placement.choice.keys() {
                let value = |leader: &str| names::value(set, placement, key, namespace, leader);
                if value(&now).is_ok()
                    && let Err(ValueError::TooLong { limit, .. }) = value(&next)
                {
                    self.words(&format!("{when} values are longer than {limit} characters"));
                }
            }
        }
    }
}
