//! The policies in the order in which a cluster calls them.

use super::hits::{Hits, PolicyReview};
use super::miss::Miss;
use super::namespaces::Namespaces;
use super::overlay::Overlay;
use super::policy::{Action, Mode, Policy};
use super::target::Target;
use crate::answer::{AdmissionResponse, judge};
use crate::evaluator::Evaluator;
use crate::request::Request;
use crate::settings::Settings;
use serde_json::Value;
use std::collections::BTreeMap;

/// Policies, as a cluster that has them and LeaderWorkerSet would call them: those that mutate one after another in the
/// order of their webhooks' names, LeaderWorkerSet's own webhook in its place among them (L3), then the others.
#[derive(Debug)]
pub struct Chain {
    links: Vec<(Policy, Hits)>,
    namespaces: Namespaces,
    settings: Settings,
}

/// What becomes of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Admitted {
    /// Whether it may pass.
    pub allowed: bool,
    /// Why not, and by whose word.
    pub message: Option<String>,
    /// The code that goes with it.
    pub code: Option<u16>,
    /// Lines for the user, each once.
    pub warnings: Vec<String>,
    /// Audit annotations of the policies whose word counts, the first one's where several have the same.
    pub audit: BTreeMap<String, String>,
    /// The object after all of them; after the last that was asked where it is refused.
    pub object: Value,
    /// Why no policy, or none that injects, saw it.
    pub unreached: Option<String>,
}

impl Chain {
    /// A chain of policies, given in any order; none where there are none.
    #[must_use]
    pub fn new(mut policies: Vec<Policy>, namespaces: Namespaces) -> Option<Self> {
        policies.sort_by_cached_key(|policy| (!policy.mutating(), policy.webhook().to_owned()));
        let injects = |policy: &&Policy| policy.action() == Action::Inject;
        let first = policies.iter().find(injects).or(policies.first())?;
        Some(Self {
            settings: first.settings().clone(),
            links: policies
                .into_iter()
                .map(|policy| (policy, Hits::default()))
                .collect(),
            namespaces,
        })
    }

    /// The policies, in the order in which they are called.
    pub fn policies(&self) -> impl Iterator<Item = &Policy> {
        self.links.iter().map(|(policy, _)| policy)
    }

    /// The settings that stand for all where one has to: an injector's, if there is one.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What each policy has seen so far.
    #[must_use]
    pub fn reviews(&self) -> Vec<PolicyReview> {
        self.links
            .iter()
            .map(|(policy, hits)| PolicyReview::new(policy, hits))
            .collect()
    }

    /// Has every policy that a request reaches judge it. `lws` is what LeaderWorkerSet's own webhook would do to it.
    ///
    /// A module that gives no answer refuses, whatever failurePolicy says: a cluster is not without its policy for long.
    #[must_use]
    pub fn admit(&self, module: &dyn Evaluator, request: &Request, lws: &Overlay<'_>) -> Admitted {
        let mut admitted = Admitted {
            allowed: true,
            message: None,
            code: None,
            warnings: Vec::new(),
            audit: BTreeMap::new(),
            object: request.object().cloned().unwrap_or_default(),
            unreached: None,
        };
        let mut misses = Vec::new();
        let mut reached = Vec::new();
        let mut lws_is_due = true;
        for (policy, hits) in &self.links {
            if lws_is_due && !policy.is_before_lws() {
                lws.apply(&mut admitted.object);
                lws_is_due = false;
            }
            let request = request.with_object(admitted.object.clone());
            let target = Target::of(&request);
            match policy.takes(&target, &self.namespaces) {
                Err(miss) => misses.push((policy, miss)),
                Ok(()) => {
                    reached.push(policy.action());
                    hits.took(&target);
                    admitted.ask(module, policy, hits, &request);
                }
            }
            // The first refusal ends a mutating phase. The others are asked side by side, and the first answer stands.
            if !admitted.allowed && policy.mutating() {
                return admitted;
            }
        }
        if lws_is_due {
            lws.apply(&mut admitted.object);
        }
        admitted.unreached = self.unreached(&reached, &misses);
        admitted
    }

    /// Why an object that should have been seen was not.
    fn unreached(&self, reached: &[Action], misses: &[(&Policy, Miss)]) -> Option<String> {
        let injects = self
            .policies()
            .any(|policy| policy.action() == Action::Inject);
        let what = if reached.is_empty() {
            "no policy"
        } else if injects && !reached.contains(&Action::Inject) {
            "no policy that injects"
        } else {
            return None;
        };
        let near: Vec<String> = misses
            .iter()
            .filter(|(policy, miss)| {
                *miss != Miss::Rules && (reached.is_empty() || policy.action() == Action::Inject)
            })
            .map(|(policy, miss)| format!("{} {miss}", policy.webhook()))
            .collect();
        Some(if near.is_empty() {
            format!("{what}: none has a rule for it")
        } else {
            format!("{what}: {}", near.join("; "))
        })
    }
}

impl Admitted {
    /// Asks one policy.
    fn ask(&mut self, module: &dyn Evaluator, policy: &Policy, hits: &Hits, request: &Request) {
        let response = judge(module, policy.settings().value(), request)
            .unwrap_or_else(|fault| AdmissionResponse::failure(request.uid(), &fault.to_string()));
        for warning in response.warnings.iter().flatten() {
            if !self.warnings.contains(warning) {
                self.warnings.push(warning.clone());
            }
        }
        if policy.mode() == Mode::Monitor {
            // Its audit annotations go to the audit log all the same (H3), but nothing of what they say has happened.
            hits.dropped(
                !response.patch().is_empty(),
                response.allowed,
                response.message(),
            );
            return;
        }
        let response = if policy.mutating() {
            response
        } else {
            response.without_mutation(policy.webhook())
        };
        let response = match response.apply(&self.object) {
            Ok(object) if response.allowed => {
                self.object = object;
                response
            }
            Ok(_) => response,
            Err(error) => {
                let text = format!("the patch does not fit the object: {error}");
                AdmissionResponse::failure(request.uid(), &text)
            }
        };
        let audit = response.audit_annotations.clone().unwrap_or_default();
        if !response.allowed {
            hits.refused();
        }
        if !self.allowed {
            return;
        }
        if response.allowed {
            for (key, value) in audit {
                self.audit.entry(key).or_insert(value);
            }
        } else {
            let reason = response.message().unwrap_or("no reason given");
            self.allowed = false;
            self.message = Some(format!("{reason} (policy {})", policy.webhook()));
            self.code = response.code();
            self.audit = audit;
        }
    }
}
