//! A pod's spec held against its placement: sections 5 and 6.

use super::placement;
use super::sentence::{Conclusion, Sentences};
use lws_replica_placement::answer::Decision;
use lws_replica_placement::decide::View;
use lws_replica_placement::findings::{Conflict, Lack, Told};
use lws_replica_placement::json::Raw;
use lws_replica_placement::key::ReplicaKey;
use lws_replica_placement::splice;
use lws_replica_placement::standing::{Demand, Fault};

/// A pod whose placement cannot be told, refused.
pub(super) fn refuse(fault: &Fault) -> Conclusion {
    let conclusion = Conclusion::refused(fault.code());
    if fault.is_of_a_placement() {
        conclusion.with(Decision::Reject, fault.replica_value())
    } else {
        conclusion
    }
}

/// I1 to I4, a sentence for each key and taint.
pub(super) fn injection(view: &View<'_>, demand: &Demand, said: &mut Sentences) {
    let findings = &view.findings;
    for (index, (key, value)) in demand.node_selector.iter().enumerate() {
        let text = if let Some(conflict) = selector_conflict(view, key) {
            conflict.to_string()
        } else if findings.missing.contains(&Lack::Selector(index)) {
            format!(
                "the node selector lacks \"{}\", which is to be \"{value}\"",
                key.as_str()
            )
        } else {
            has_selector(key, value)
        };
        said.say("I1", text);
    }
    affinity("I2", view, demand, said);
    let mut exclusive = findings.conflicts.iter();
    let exclusive = exclusive.find(|conflict| matches!(conflict, Conflict::Exclusive { .. }));
    said.say(
        "I3",
        match (exclusive, demand.exclusive.as_slice()) {
            (Some(conflict), _) => conflict.to_string(),
            (None, []) => "no exclusive topology: LeaderWorkerSet pins it by no key".to_owned(),
            (None, keys) => {
                let keys: Vec<String> = keys.iter().map(|(_, key)| format!("\"{key}\"")).collect();
                format!(
                    "LeaderWorkerSet places it by {} itself, which is none of our keys",
                    keys.join(" and ")
                )
            }
        },
    );
    for (index, (taint, value)) in demand.tolerations.iter().enumerate() {
        let name = placement::taint(taint);
        said.say(
            "I4",
            if findings.missing.contains(&Lack::Toleration(index)) {
                format!("no entry tolerates \"{name}\" with \"{value}\", so one is due")
            } else {
                format!("it tolerates \"{name}\" with \"{value}\" already")
            },
        );
    }
}

/// V1 and V2, a sentence for each key and taint.
pub(super) fn validation(view: &View<'_>, demand: &Demand, said: &mut Sentences) {
    let lacks = &view.findings.lacks;
    for (index, (key, value)) in demand.node_selector.iter().enumerate() {
        let lack = Lack::Selector(index);
        let text = match selector_conflict(view, key) {
            Some(conflict) => conflict.to_string(),
            None if lacks.contains(&lack) => Told(lack, demand).to_string(),
            None => has_selector(key, value),
        };
        said.say("V1", text);
    }
    affinity("V1", view, demand, said);
    for (index, (taint, value)) in demand.tolerations.iter().enumerate() {
        let lack = Lack::Toleration(index);
        let text = if lacks.contains(&lack) {
            Told(lack, demand).to_string()
        } else {
            format!(
                "an entry covers \"{}\" with \"{value}\" for good",
                placement::taint(taint)
            )
        };
        said.say("V2", text);
    }
}

fn selector_conflict<'v>(view: &'v View<'_>, key: &ReplicaKey) -> Option<&'v Conflict> {
    let mut conflicts = view.findings.conflicts.iter();
    conflicts.find(|conflict| matches!(conflict, Conflict::Selector { key: in_conflict, .. } if in_conflict == key))
}

fn has_selector(key: &ReplicaKey, value: &str) -> String {
    format!(
        "the node selector has \"{}\": \"{value}\" already",
        key.as_str()
    )
}

/// I2 or V1 on node affinity.
fn affinity(rule: &'static str, view: &View<'_>, demand: &Demand, said: &mut Sentences) {
    if demand.node_selector.is_empty() {
        return;
    }
    let mut conflicts = view.findings.conflicts.iter();
    let conflict = conflicts.find(|conflict| matches!(conflict, Conflict::Affinity { .. }));
    let has_affinity = view
        .spec
        .as_ref()
        .is_some_and(|spec| spec.affinity.is_some());
    let free = if has_affinity {
        "its affinity leaves room for the replica's nodes"
    } else {
        "no node affinity stands against the replica's nodes"
    };
    said.say(
        rule,
        conflict.map_or_else(|| free.to_owned(), ToString::to_string),
    );
}

/// What injecting comes to: the library's own patch decides whether anything changes.
pub(super) fn inject(object: Raw<'_>, view: &View<'_>, demand: &Demand) -> Conclusion {
    let spec = view.spec.as_ref();
    let placed = spec.and_then(|spec| splice::place(object, spec, &view.findings, demand));
    let decision = if placed.is_some() {
        Decision::Inject
    } else {
        Decision::None
    };
    Conclusion::accepted()
        .with(decision, Some(demand.joined_values()))
        .patched(placed.is_some())
}

/// V1 to V3 on a pod that is created, or that somebody turned away from its placement.
pub(super) fn judge(
    view: &View<'_>,
    demand: &Demand,
    may_lack: bool,
    said: &mut Sentences,
) -> Conclusion {
    validation(view, demand, said);
    let contradicts = view.findings.contradictions().next().is_some();
    let lacks = !view.findings.lacks.is_empty();
    if may_lack {
        said.say(
            "V3",
            if contradicts {
                "it is gated, but may not contradict its placement"
            } else if lacks {
                "it is gated, so what it lacks may follow"
            } else {
                "it is gated and has its placement all the same"
            },
        );
    }
    let value = Some(demand.joined_values());
    if contradicts || (lacks && !may_lack) {
        return Conclusion::refused(422).with(Decision::Reject, value);
    }
    let decision = if lacks {
        Decision::Defer
    } else {
        Decision::None
    };
    Conclusion::accepted().with(decision, value)
}

/// V3 on a gated pod that is changed: contradictions that were there before are passed over.
pub(super) fn judge_kept(view: &View<'_>, demand: &Demand, lifted: bool) -> Conclusion {
    let value = Some(demand.joined_values());
    if lifted && !view.findings.lacks.is_empty() {
        return Conclusion::refused(422).with(Decision::Reject, value);
    }
    let decision = if view.findings.is_satisfied() {
        Decision::None
    } else {
        Decision::Defer
    };
    Conclusion::accepted().with(decision, value)
}
