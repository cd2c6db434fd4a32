//! A set at a moment of its life: admitted, and the pods that would be made of it then. For commands that compare such
//! moments.

use super::objects::Object;
use super::place::Located;
use super::refusals::Refusals;
use super::report::{Outcome, Refusal, Remark};
use super::sample::Sample;
use super::set::{self, Ask, Judged};
use super::{Options, judge, pod, range, request};
use crate::evaluator::Evaluator;
use crate::policies::Chain;
use crate::progress::Progress;
use crate::request::Request;
use crate::settings::Settings;
use lws_expand::{Identity, LeaderWorkerSet};
use serde_json::Value;

/// Who judges at a moment: nothing else of a comparison asks the module.
pub(crate) struct Judge<'a> {
    judge: judge::Judge<'a>,
}

/// The answer to a set's own request.
#[derive(Debug)]
pub(crate) struct Admitted {
    pub(crate) allowed: bool,
    pub(crate) refusal: Option<Refusal>,
    pub(crate) warnings: Vec<String>,
    /// Why no policy, or none that injects, saw the set.
    pub(crate) unreached: Option<Remark>,
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
    /// Faults of the policy, if any came up.
    pub(crate) faults: Vec<Remark>,
    /// Why no policy, or none that injects, saw some of the pods.
    pub(crate) unreached: Vec<Remark>,
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
    pub(crate) fn new(module: &'a dyn Evaluator, settings: &'a Settings) -> Self {
        Self {
            judge: judge::Judge::Settings(module, settings),
        }
    }

    /// Asks as a cluster with these policies would, whose module is `module`.
    pub(crate) fn under(module: &'a dyn Evaluator, policies: &'a Chain) -> Self {
        Self {
            judge: judge::Judge::Policies(module, policies),
        }
    }

    /// The settings that say what is asked for.
    pub(crate) fn settings(&self) -> &'a Settings {
        self.judge.settings()
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
        Ok(self.admit(set, &request::set_update(&set.namespace, old, new)))
    }

    fn admit(&self, set: &Object<'_>, request: &Request) -> Admitted {
        let judge::Judgement {
            verdict, unreached, ..
        } = self.judge.ask(request);
        let admission = set::admission(&set.located(), &verdict);
        Admitted {
            unreached: unreached.map(|what| set.reaches(&what)),
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
        let progress = Progress::of_pods();
        let ask = Ask {
            judge: self.judge,
            options: Options {
                replicas: 0,
                objects: false,
            },
            progress: &progress,
        };
        let sample = Sample::of(expanded.replicas(), expanded.size());
        let mut judged = ask.judge(&expanded, &set.namespace, &sample);
        progress.end();
        let title = format!("LeaderWorkerSet {}/{}", set.namespace, set.name);
        let faults = set::faults(&located, &title, &judged).collect();
        let unreached = set::unreached_pods(&located, &title, &judged);
        // A leader that had no name when it was created (P7) gets its placement with the update that lifts its gate.
        for pod in &mut judged {
            if let Some(lifted) = pod.lifted.take() {
                pod.verdict = lifted.verdict;
                pod.field = lifted.field;
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
            faults,
            unreached,
        })
    }

    /// A pod of the input, created as it is: what it gets, why not, and why no policy saw it, if none did.
    pub(crate) fn pod(&self, object: &Object<'_>) -> (Outcome, Option<Refusal>, Option<Remark>) {
        let options = Options {
            replicas: 0,
            objects: false,
        };
        let (review, unreached) = pod::review(self.judge, options, &object.located());
        let unreached = unreached.map(|what| object.reaches(&what));
        (review.result, review.refused, unreached)
    }
}

/// Names of random parts are another at each revision, which is no difference in placement.
fn made(set: &LeaderWorkerSet, item: &Located<'_>, pod: &Judged, refusals: &mut Refusals) -> Made {
    let leader = match set.identity() {
        Identity::Ordinal => pod.leader.clone(),
        Identity::Hash => format!("{}-*", set.name()),
    };
    let known = |text: &str| text.replace(&pod.leader, &leader);
    let verdict = &pod.verdict;
    let refusal = (!verdict.allowed).then(|| {
        let field = pod.field.as_deref();
        refusals.number(item, verdict, &pod.leader, pod.member == 0, field)
    });
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
