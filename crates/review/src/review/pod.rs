//! A pod that stands in the input itself, judged as it is.

use super::judge::{Judge, Judgement};
use super::place::Located;
use super::report::{Outcome, PodReview, Refusal};
use super::{Options, field, refusals, request};
use serde_json::Value;

/// The label by which the policy knows the pods of sets (P2).
const NAME: &str = "/metadata/labels/leaderworkerset.sigs.k8s.io~1name";

/// Whether a pod says that it belongs to a set.
pub(super) fn is_of_a_set(pod: &Value) -> bool {
    pod.pointer(NAME).is_some()
}

/// Judges a pod. Gives, too, why no policy saw it, if none did.
pub(super) fn review(
    judge: Judge<'_>,
    options: Options,
    pod: &Located<'_>,
) -> (PodReview, Option<String>) {
    let namespace = request::namespace(pod.value).to_owned();
    let Judgement {
        verdict, unreached, ..
    } = judge.ask(&request::pod(&namespace, pod.value));
    let name = shown_name(pod.value);
    let refused = (!verdict.allowed).then(|| {
        let of = |reason: &str| field::of_pod(pod.value, reason);
        let pointers = field::all(&refusals::message(&verdict), of);
        Refusal {
            pods: vec![name.clone()],
            count: 1,
            ..refusals::refusal(&verdict, pod.points(&pointers))
        }
    });
    let review = PodReview {
        namespace,
        name,
        place: pod.place(""),
        result: Outcome {
            allowed: verdict.allowed,
            decision: verdict.decision,
            value: verdict.value,
            placement: verdict.placement,
            refusal: None,
        },
        refused,
        warnings: verdict.warnings,
        object: (options.objects && verdict.allowed).then_some(verdict.object),
    };
    (review, unreached)
}

/// A pod's name; of one that is yet to be named, what its name will begin with and a star.
pub(crate) fn shown_name(pod: &Value) -> String {
    let text = |pointer| pod.pointer(pointer).and_then(Value::as_str);
    match (text("/metadata/name"), text("/metadata/generateName")) {
        (Some(name), _) => name.to_owned(),
        (None, Some(prefix)) => format!("{prefix}*"),
        (None, None) => "without a name".to_owned(),
    }
}
