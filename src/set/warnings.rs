//! What a set's author should know though nothing is refused (S2, S4, S8).

use super::faults::Judged;
use super::names;
use super::view::SetView;
use crate::placement::{Members, Placement};
use crate::taint::Effect;
use crate::value::ValueError;

/// Node selector keys that ask GKE for a kind of machine.
const GKE_MACHINES: [&str; 3] = [
    "cloud.google.com/gke-accelerator",
    "cloud.google.com/gke-tpu-accelerator",
    "cloud.google.com/compute-class",
];

/// The warnings about a set, in a fixed order, each once.
#[must_use]
pub fn of(set: &SetView<'_>, judged: &Judged, namespace: Option<&str>) -> Vec<String> {
    let mut warnings = Vec::new();
    if !judged.asks() {
        return warnings;
    }
    let mut warn = |text: &str| {
        if warnings.iter().all(|known| known != text) {
            warnings.push(text.to_owned());
        }
    };
    for template in set.templates() {
        if template.has_node {
            warn("a template sets nodeName; its pods are left as they are");
        }
        if template.has_kueue {
            warn("Kueue plans by the template, which does not show the replica's selector");
        }
    }
    if set.is_hash {
        warn("groupIdentity Hash: every recreated replica asks for new nodes");
    }
    for placement in judged.placements() {
        of_placement(set, judged, placement, &mut warn);
    }
    if let Some(name) = set.name.as_deref() {
        of_length(set, judged, name, namespace, &mut warn);
    }
    warnings
}

fn of_placement(
    set: &SetView<'_>,
    judged: &Judged,
    placement: &Placement,
    warn: &mut impl FnMut(&str),
) {
    let choice = &placement.choice;
    for taint in &choice.tolerations {
        if taint.effect == Some(Effect::PreferNoSchedule) {
            let key = taint.key.as_str();
            warn(&format!(
                "PreferNoSchedule of {key}: GKE provisions nothing for it"
            ));
        }
    }
    for key in &choice.node_selector {
        if choice.tolerations.iter().all(|taint| taint.key != *key) {
            let key = key.as_str();
            warn(&format!(
                "{key} has no toleration of its own; GKE provisions nothing for it"
            ));
        }
        let bare = key.is_gke_placement_group()
            && set.templates().any(|template| {
                judged.placement_of(template) == Some(placement)
                    && !(placement.members == Members::Workers && template.is_leaders())
                    && !template
                        .selector
                        .iter()
                        .any(|(name, _)| GKE_MACHINES.contains(&&**name))
            });
        if bare {
            let key = key.as_str();
            warn(&format!(
                "{key} needs an accelerator or compute class selector beside it"
            ));
        }
    }
}

/// Leader names grow by a digit when the set is scaled, and `/scale` does not come by here.
fn of_length(
    set: &SetView<'_>,
    judged: &Judged,
    name: &str,
    namespace: Option<&str>,
    warn: &mut impl FnMut(&str),
) {
    let limit = names::LEADER_NAME_LIMIT;
    let (now, next) = if set.is_hash {
        let [shortest, longest] = names::generated(name);
        (shortest, longest)
    } else {
        let now = names::leader(name, set.highest_index());
        let next = format!("{now}0");
        (now, next)
    };
    let text = |reason: &str| {
        if set.is_hash {
            format!("some generated leader names will be {reason}")
        } else {
            format!("with one digit more in the replicas, leader names will be {reason}")
        }
    };
    if now.len() > limit {
        warn(&format!(
            "leader names have {} characters; over {limit} they get no workers",
            now.len()
        ));
    } else if next.len() > limit {
        warn(&text(&format!(
            "over {limit} characters and get no workers"
        )));
    }
    for placement in judged.placements() {
        for key in placement.choice.keys() {
            let value = |leader: &str| names::value(set, placement, key, namespace, leader);
            if let (Ok(_), Err(ValueError::TooLong { limit, .. })) = (value(&now), value(&next)) {
                warn(&text(&format!("too long for values of {limit} characters")));
            }
        }
    }
}
