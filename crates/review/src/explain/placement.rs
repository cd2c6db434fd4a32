//! What is asked for, and the values that it gets, in words.

use super::sentence::Sentences;
use lws_replica_placement::annotations::{NODE_SELECTOR, TOLERATION};
use lws_replica_placement::key::ReplicaKey;
use lws_replica_placement::marks::{Mark, Marks};
use lws_replica_placement::named::Named;
use lws_replica_placement::placement::{Choice, Placement};
use lws_replica_placement::settings::{Settings, UnstampedPods, WorkloadAnnotations};
use lws_replica_placement::standing::Demand;
use lws_replica_placement::taint::ReplicaTaint;
use lws_replica_placement::value::{OverlongValue, ReplicaValue, Unit, ValueError, ValueRules};

/// A taint as annotations write it: `key:effect`.
pub(super) fn taint(taint: &ReplicaTaint) -> String {
    match taint.effect {
        Some(effect) => format!("{}:{}", taint.key.as_str(), effect.name()),
        None => taint.key.as_str().to_owned(),
    }
}

/// The keys and taints of a choice; `nothing` where it is empty.
pub(super) fn choice(choice: &Choice) -> String {
    let keys = choice
        .node_selector
        .iter()
        .map(|key| key.as_str().to_owned());
    let taints = choice.tolerations.iter().map(taint);
    let lists = [
        listed("node selector key", keys.collect()),
        listed("toleration", taints.collect()),
    ];
    let lists: Vec<String> = lists.into_iter().flatten().collect();
    if lists.is_empty() {
        "nothing".to_owned()
    } else {
        lists.join(" and ")
    }
}

fn listed(noun: &str, items: Vec<String>) -> Option<String> {
    let plural = match items.len() {
        0 => return None,
        1 => "",
        _ => "s",
    };
    let items: Vec<String> = items.iter().map(|item| format!("\"{item}\"")).collect();
    Some(format!("{noun}{plural} {}", items.join(", ")))
}

/// A1, A4, P4: from where a pod's placement comes, and what it is.
pub(super) fn of_pod(
    marks: &Marks<'_>,
    settings: &Settings,
    placement: &Placement,
    said: &mut Sentences,
) {
    let asked = choice(&placement.choice);
    if marks.get(Mark::Stamp).is_some() {
        said.say(
            "A4",
            format!("its template's stamp is the whole placement, so settings are not looked at: {asked}"),
        );
        if placement.choice.is_empty() {
            said.say("P4", "the stamp asks for nothing: accepted as it is");
        } else {
            said.say("P4", "the stamp makes the placement");
        }
        return;
    }
    if settings.unstamped_pods == UnstampedPods::Leave {
        said.say(
            "P4",
            "it has no stamp, and unstampedPods Leave places no such pod: accepted as it is",
        );
        return;
    }
    said.say("A1", annotations(marks, settings));
    said.say(
        "P4",
        if placement.choice.is_empty() {
            "there is no stamp, and settings and annotations ask for nothing: accepted as it is"
                .to_owned()
        } else {
            format!("there is no stamp, so settings and annotations make the placement: {asked}")
        },
    );
}

/// What the two annotations do.
fn annotations(marks: &Marks<'_>, settings: &Settings) -> String {
    let present: Vec<String> = [
        (NODE_SELECTOR, Mark::NodeSelector),
        (TOLERATION, Mark::Toleration),
    ]
    .into_iter()
    .filter_map(|(name, mark)| Some(format!("\"{name}\": \"{}\"", marks.get(mark)?)))
    .collect();
    if present.is_empty() {
        return "it has no annotation of ours, so the settings' lists stand".to_owned();
    }
    let present = present.join(" and ");
    match settings.workload_annotations {
        WorkloadAnnotations::Extend => format!("{present} extends the settings' lists"),
        WorkloadAnnotations::Replace => format!("{present} replaces the settings' list"),
        WorkloadAnnotations::Ignore => {
            format!("{present} is not read, since workloadAnnotations is Ignore")
        }
    }
}

/// C7: the values of a demand and how each was made.
pub(super) fn values(demand: &Demand, rules: ValueRules, unit: Unit<'_>, said: &mut Sentences) {
    let mut told: Vec<&str> = Vec::new();
    let is_shared = {
        let mut values = demand.values().into_iter().map(|(_, value)| value);
        let first = values.next();
        values.all(|value| Some(value) == first)
    };
    for (key, value) in demand.values() {
        if is_shared && told.contains(&value) {
            continue;
        }
        told.push(value);
        let under = if is_shared {
            String::new()
        } else {
            format!(" of \"{}\"", key.as_str())
        };
        said.say(
            "C7",
            format!(
                "the replica value{under} is \"{value}\": {}, {} of at most {} characters",
                made(rules, key, unit),
                value.chars().count(),
                key.value_limit()
            ),
        );
    }
}

/// Of what a value is made.
fn made(rules: ValueRules, key: &ReplicaKey, unit: Unit<'_>) -> String {
    let mut text = match rules.replica_value {
        ReplicaValue::LeaderName => "the leader's name".to_owned(),
        ReplicaValue::NamespacedLeaderName => "namespace and leader's name".to_owned(),
        ReplicaValue::HashedLeaderName => {
            "the leader's name with a hash of namespace and name".to_owned()
        }
    };
    if let Some(index) = unit.subgroup {
        text.push_str(&format!(" and subgroup {index}"));
    }
    let strict = ValueRules {
        overlong_value: OverlongValue::Reject,
        ..rules
    };
    if let Err(ValueError::TooLong { value, .. }) = strict.value(key, unit) {
        text.push_str(&format!(
            ", whose {} characters were shortened with a hash (overlongValue {})",
            value.chars().count(),
            rules.overlong_value.name()
        ));
    }
    text
}
