//! Who judges: the policy under one map of settings, or the policies of a cluster.

use super::request;
use super::verdict::Verdict;
use crate::evaluator::Evaluator;
use crate::policies::{Chain, Overlay};
use crate::request::Request;
use crate::settings::Settings;
use serde_json::Value;

/// Who judges.
#[derive(Clone, Copy)]
pub(super) enum Judge<'a> {
    /// The policy sees every set and pod, and what it says counts.
    Settings(&'a dyn Evaluator, &'a Settings),
    /// Policies see what reaches them, in a cluster's order.
    Policies(&'a dyn Evaluator, &'a Chain),
}

/// A verdict, and what there is to say of how it came about.
pub(super) struct Judgement {
    pub(super) verdict: Verdict,
    /// How it depends on whether LeaderWorkerSet's own webhook has run, if it does.
    pub(super) difference: Option<String>,
    /// Why no policy, or none that injects, saw the object.
    pub(super) unreached: Option<String>,
}

impl<'a> Judge<'a> {
    /// The settings that say what is asked for.
    pub(super) fn settings(&self) -> &'a Settings {
        match self {
            Self::Settings(_, settings) => settings,
            Self::Policies(_, chain) => chain.settings(),
        }
    }

    /// The module that answers.
    pub(super) fn module(&self) -> &'a dyn Evaluator {
        match self {
            Self::Settings(module, _) | Self::Policies(module, _) => *module,
        }
    }

    /// Judges a request.
    pub(super) fn ask(&self, request: &Request) -> Judgement {
        match self {
            Self::Settings(module, settings) => Judgement {
                verdict: Verdict::of(*module, settings.value(), request),
                difference: None,
                unreached: None,
            },
            Self::Policies(module, chain) => by_policies(*module, chain, request, &Overlay::none()),
        }
    }

    /// Judges the creation of a set's pod, which is `before` until LeaderWorkerSet's own webhook makes `after` of it. The
    /// verdict's object is the pod after both.
    ///
    /// Policies are asked in their order, that webhook among them. Settings alone have no place in it, so the pod is
    /// judged in both forms.
    pub(super) fn member(&self, namespace: &str, before: &Value, after: &Value) -> Judgement {
        let request = request::pod(namespace, before);
        match self {
            Self::Settings(..) => {
                let first = self.ask(&request).verdict;
                let second = self.ask(&request::pod(namespace, after)).verdict;
                Judgement {
                    difference: first.differs(&second),
                    verdict: Verdict {
                        object: second.object,
                        ..first
                    },
                    unreached: None,
                }
            }
            Self::Policies(module, chain) => {
                by_policies(*module, chain, &request, &Overlay::between(before, after))
            }
        }
    }
}

fn by_policies(
    module: &dyn Evaluator,
    chain: &Chain,
    request: &Request,
    lws: &Overlay<'_>,
) -> Judgement {
    let admitted = chain.admit(module, request, lws);
    let unreached = admitted.unreached.clone();
    // What LeaderWorkerSet's webhook adds is none of the policies' doing.
    let mut before = request.object().cloned().unwrap_or_default();
    lws.apply(&mut before);
    Judgement {
        verdict: Verdict::of_chain(&before, admitted),
        difference: None,
        unreached,
    }
}
