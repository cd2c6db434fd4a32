//! One pod held against the policy, as the audit scanner would.

use super::pod::{self, Member, Pod, Verdict};
use super::request::Payload;
use crate::answer::PolicyAnswer;
use crate::evaluator::Evaluator;
use crate::review::reason;
use lws_replica_placement::findings::{Findings, Spec};
use lws_replica_placement::json::Raw;
use lws_replica_placement::member::{self, Membership};
use lws_replica_placement::pod::Parts;
use lws_replica_placement::settings::Settings;
use lws_replica_placement::standing::{self, Demand, Standing};
use serde_json::Value;
use serde_json::value::RawValue;

/// Judges pods. The module decides, as it does in a cluster; the library, which is the module's source, tells what the
/// pod must carry.
pub(super) struct Judge<'a> {
    module: &'a dyn Evaluator,
    value: Value,
    settings: Settings,
}

impl<'a> Judge<'a> {
    /// A judge under these settings. Their action is taken for `Validate`: what runs cannot be changed any more.
    ///
    /// # Errors
    /// The library does not know these settings, so the module must be of another version.
    pub(super) fn new(module: &'a dyn Evaluator, settings: &Value) -> Result<Self, String> {
        let mut value = settings.clone();
        if let Value::Object(map) = &mut value {
            map.insert("action".to_owned(), "Validate".into());
        }
        let settings = RawValue::from_string(value.to_string())
            .map_err(|error| vec![error.to_string()])
            .and_then(|raw| {
                Settings::read(Some(Raw::from(&*raw)))
                    .map_err(|faults| faults.iter().map(ToString::to_string).collect())
            })
            .map_err(|faults| {
                format!(
                    "a dump cannot be judged under these settings: {}; use the policy module of this version",
                    faults.join("; ")
                )
            })?;
        Ok(Self {
            module,
            value,
            settings,
        })
    }

    /// Judges a pod; none for one that is of no account.
    pub(super) fn pod(&self, value: &Value) -> Option<Pod> {
        if pod::passed_over(value).is_some() {
            return None;
        }
        let mut facts = pod::ordinary(value);
        if let Some(set) = pod::set(value) {
            facts.member = self.member(value, set, &facts);
        }
        Some(facts)
    }

    /// What the policy makes of a pod with a set's label; none for one that the policy takes for nobody's member.
    fn member(&self, value: &Value, set: &str, facts: &Pod) -> Option<Member> {
        let mut found = Member {
            set: set.to_owned(),
            leader: None,
            demand: None,
            verdict: Verdict::Passes,
            message: None,
        };
        let raw = match RawValue::from_string(value.to_string()) {
            Ok(raw) => raw,
            Err(error) => return Some(unclear(found, format!("cannot be written: {error}"))),
        };
        let library = Library::judge(&raw, &self.settings, &facts.namespace);
        if library.is_bystander {
            return None;
        }
        found.leader = library.leader;
        found.demand = library.demand;
        match self.ask(&raw, facts) {
            Err(message) => Some(unclear(found, message)),
            Ok(answer) if answer.accepted => Some(found),
            Ok(answer) => {
                found.verdict = library.fault;
                found.message = answer
                    .message
                    .map(|message| reason::after_name(&message).to_owned());
                Some(found)
            }
        }
    }

    fn ask(&self, raw: &RawValue, facts: &Pod) -> Result<PolicyAnswer, String> {
        let payload = Payload::new(&self.value, &facts.namespace, &facts.name, raw);
        let payload = serde_json::to_vec(&payload).map_err(|error| error.to_string())?;
        let outcome = self
            .module
            .call("validate", &payload)
            .map_err(|fault| format!("internal server error: {fault}"))?;
        PolicyAnswer::parse(&outcome)
            .map_err(|error| format!("invalid response from policy: {error}"))
    }
}

fn unclear(member: Member, message: String) -> Member {
    Member {
        verdict: Verdict::Unclear,
        message: Some(message),
        ..member
    }
}

/// What the library tells of a pod.
struct Library {
    leader: Option<String>,
    demand: Option<Demand>,
    /// What it would be refused for, if it is.
    fault: Verdict,
    is_bystander: bool,
}

impl Library {
    fn judge(raw: &RawValue, settings: &Settings, namespace: &str) -> Self {
        let mut found = Self {
            leader: None,
            demand: None,
            fault: Verdict::Unclear,
            is_bystander: false,
        };
        let Ok(parts) = Parts::read(Raw::from(raw), "request.object") else {
            return found;
        };
        let Ok(Some(pod)) = parts.pod() else {
            return found;
        };
        if let Ok(membership) = member::of_pod(&pod) {
            match membership {
                Membership::Member(member) => found.leader = member.leader.map(Into::into),
                Membership::Loose | Membership::Copy => found.is_bystander = true,
            }
        }
        if let Ok(Standing::Placed(demand)) = standing::of_pod(&pod, settings, Some(namespace)) {
            let spec = Spec::read(parts.spec);
            if let Ok(findings) = spec.and_then(|spec| Findings::of(&spec, &demand)) {
                found.fault = if findings.contradictions().next().is_some() {
                    Verdict::Contradicts
                } else {
                    Verdict::Lacks
                };
            }
            found.demand = Some(demand);
        }
        found
    }
}
