//! A set at a moment of its life: admitted, and the pods that would be made of it then. For commands that compare such
//! moments.

use super::objects::Object;
use super::place::Located;
use super::refusals::Refusals;
use super::report::{Outcome, Refusal, Remark};
use super::sample::Sample;
use super::set::{self, Ask, Judged};
use super::verdict::Verdict;
use super::{Options, pod, range, request};
use crate::engine::Module;
use crate::request::Request;
use lws_expand::{Form, Identity, LeaderWorkerSet};
use serde_json::{Value, json};

/// The policy under some settings. Whoever wants to give objects different settings, or to leave some to no policy at
/// all, does it here: nothing else of a comparison asks the module.
pub(crate) struct Judge<'a> {
    pub(crate) module: &'a Module,
    pub(crate) settings: &'a Value,
}

/// The answer to a set's own request.
#[derive(Debug)]
pub(crate) struct Admitted {
    pub(crate) allowed: bool,
    pub(crate) refusal: Option<Refusal>,
    pub(crate) warnings: Vec<String>,
    /// The set as it is stored; as it was sent where it is refused.
    pub(crate) object: Value,
}

/// The pods of a set.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) replicas: u64,
    pub(crate) size: u64,
    /// Those that were judged, by replica and member.
    pub(crate) pods: Vec<Made>,
    /// Why pods are refused, by the numbers in `pods` less one. Whom they hit is for the comparison to say.
    pub(crate) refusals: Vec<Refusal>,
    /// A fault of the policy, if one came up.
    pub(crate) fault: Option<Remark>,
}

/// A pod.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) replica: u64,
    /// 0 is the leader.
    pub(crate) member: u64,
    /// The replica's leader; `<set>-*` where names are random.
    pub(crate) leader: String,
    pub(crate) result: Outcome,
}

impl<'a> Judge<'a> {
    /// Asks `module` under `settings`.
    pub(crate) fn new(module: &'a Module, settings: &'a Value) -> Self {
        Self { module, settings }
    }

    /// Creates a set.
    ///
    /// # Errors
    /// LWS could not expand it: the field, and what is wrong with it.
    pub(crate) fn create(&self, set: &Object<'_>) -> Result<Admitted, Remark> {
        set::expandable(&set.located())?;
        let request = request::set(&set.namespace, set.value());
        Ok(self.admit(set, &request))
    }

    /// Updates a set from `old` to `new`. Faults are pointed at in the manifest `set`.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub(crate) fn update(
        &self,
        set: &Object<'_>,
        old: &Value,
        new: &Value,
    ) -> Result<Admitted, Remark> {
        set::expandable(&set.located())?;
        Ok(self.admit(set, &update(&request::set(&set.namespace, new), old)))
    }

    fn admit(&self, set: &Object<'_>, request: &Request) -> Admitted {
        let verdict = Verdict::of(self.module, self.settings, request);
        let admission = set::admission(&set.located(), &verdict);
        Admitted {
            allowed: admission.allowed,
            refusal: admission.refusal,
            warnings: admission.warnings,
            object: verdict.object,
        }
    }

    /// The pods that are made of `stored`, which is what became of the manifest `set`.
    ///
    /// # Errors
    /// LWS could not expand it.
    pub(crate) fn pods(&self, set: &Object<'_>, stored: &Value) -> Result<Stage, Remark> {
        let located = set.located();
        let expanded = LeaderWorkerSet::from_value(stored)
            .map_err(|error| set::unexpandable(&located, &error))?;
        let progress = super::progress();
        let ask = Ask {
            module: self.module,
            settings: self.settings,
            options: Options {
                replicas: 0,
                objects: false,
            },
            progress: &progress,
        };
        let sample = Sample::of(expanded.replicas(), expanded.size());
        let mut judged = ask.judge(&expanded, &set.namespace, &sample);
        progress.finish_and_clear();
        let fault = set::differences(
            &located,
            &format!("LeaderWorkerSet {}/{}", set.namespace, set.name),
            &judged,
        );
        if expanded.identity() == Identity::Hash {
            for pod in judged.iter_mut().filter(|pod| pod.member == 0) {
                self.name(&expanded, &set.namespace, pod);
            }
        }
        let mut refusals = Refusals::default();
        let pods = judged
            .iter()
            .map(|pod| made(&expanded, &located, pod, &mut refusals))
            .collect();
        Ok(Stage {
            replicas: expanded.replicas(),
            size: expanded.size(),
            pods,
            refusals: refusals.list(),
            fault,
        })
    }

    /// A leader that had no name when it was created (P7) gets its placement with the update that lifts its gate.
    fn name(&self, set: &LeaderWorkerSet, namespace: &str, judged: &mut Judged) {
        if judged.verdict.decision.as_deref() != Some("defer") {
            return;
        }
        let replica = set.replica(judged.replica);
        let mut gated = replica.leader(Form::AfterWebhook);
        if let Some(Value::Object(metadata)) = gated.get_mut("metadata") {
            metadata.insert("name".to_owned(), json!(replica.leader_name()));
        }
        let mut free = gated.clone();
        if let Some(Value::Object(spec)) = free.get_mut("spec") {
            spec.remove("schedulingGates");
        }
        let request = update(&request::pod(namespace, &free), &gated);
        judged.verdict = Verdict {
            object: Value::Null,
            ..Verdict::of(self.module, self.settings, &request)
        };
    }

    /// A pod of the input, created as it is: what it gets, and why not.
    pub(crate) fn pod(&self, object: &Object<'_>) -> (Outcome, Option<Refusal>) {
        let options = Options {
            replicas: 0,
            objects: false,
        };
        let review = pod::review(self.module, self.settings, options, &object.located());
        (review.result, review.refused)
    }
}

/// The update to the object of `request` from `old`.
fn update(request: &Request, old: &Value) -> Request {
    let mut value = request.value().clone();
    if let Value::Object(map) = &mut value {
        map.insert("operation".to_owned(), json!("UPDATE"));
        map.insert("oldObject".to_owned(), old.clone());
    }
    Request::verbatim(value)
}

/// Names of random parts are another at each revision, which is no difference in placement.
fn made(set: &LeaderWorkerSet, item: &Located<'_>, pod: &Judged, refusals: &mut Refusals) -> Made {
    let leader = match set.identity() {
        Identity::Ordinal => pod.leader.clone(),
        Identity::Hash => format!("{}-*", set.name()),
    };
    let known = |text: &str| text.replace(&pod.leader, &leader);
    let verdict = &pod.verdict;
    let refusal =
        (!verdict.allowed).then(|| refusals.number(item, verdict, &pod.leader, pod.member == 0));
    let mut placement = verdict.placement.clone();
    for entry in &mut placement.node_selector {
        entry.value = known(&entry.value);
    }
    for entry in &mut placement.tolerations {
        entry.value = known(&entry.value);
    }
    let result = Outcome {
        allowed: verdict.allowed,
        decision: verdict.decision.clone(),
        value: verdict.value.as_deref().map(known),
        placement,
        refusal,
    };
    Made {
        replica: pod.replica,
        member: pod.member,
        leader,
        result,
    }
}

/// Names of some of a replica's pods, neighbours together.
pub(crate) fn names(leader: &str, members: &[u64]) -> Vec<String> {
    range::names(leader, leader, members)
}
