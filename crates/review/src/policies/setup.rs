//! Set-ups that cannot work, and those that work otherwise than they look.

use super::fault::Fault;
use super::member_labels::can_match;
use super::policy::{Action, Mode, Policy};
use super::target::Target;
use super::twins;
use crate::review::report::Remark;
use lws_expand::Form;
use std::collections::BTreeSet;

/// What is wrong with the policies as a whole; a sentence each.
#[must_use]
pub fn faults(policies: &[Policy]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (index, policy) in policies.iter().enumerate() {
        let before = policies.iter().take(index);
        faults.extend(before.clone().filter_map(|other| doubled(policy, other)));
        faults.extend(may_not_mutate(policy));
        faults.extend(misses_members(policy));
        if policy.action() == Action::Validate {
            let injectors: Vec<&Policy> = policies
                .iter()
                .filter(|other| other.action() == Action::Inject)
                .collect();
            faults.extend(judges_what_is_not_placed(policy, &injectors));
            faults.extend(
                injectors
                    .iter()
                    .filter_map(|injector| differs(policy, injector)),
            );
        }
    }
    faults
}

/// What readers of the policies should know of them; a sentence each.
#[must_use]
pub fn notes(policies: &[Policy]) -> Vec<Remark> {
    let mut notes = Vec::new();
    for policy in policies {
        let title = format!("{}: {}", policy.line(), policy.title());
        for field in policy.unknown() {
            let text = format!(
                "{title} has the field spec.{field}, which Kubewarden's policies are not known to have; kubectl may refuse it"
            );
            notes.push(Remark::warning(None, text));
        }
        if policy.has_conditions() {
            let text = format!(
                "{title} has matchConditions, which are not evaluated here: in a cluster fewer requests may reach it"
            );
            notes.push(Remark::note(None, text));
        }
        if policy.action() == Action::Validate && policy.mutating() {
            let text = format!(
                "{title} judges, but mutating is true, so it is called before policies and webhooks whose names come after its own; set mutating: false"
            );
            notes.push(Remark::warning(None, text));
        }
    }
    let modules: BTreeSet<&str> = policies.iter().map(Policy::module).collect();
    if modules.len() > 1 {
        let modules: Vec<&str> = modules.into_iter().collect();
        let text = format!(
            "the policies name several modules ({}); all are run with the one of --policy",
            modules.join(", ")
        );
        notes.push(Remark::note(None, text));
    }
    notes
}

/// What policies that are to stand for a whole cluster leave out; a sentence each.
#[must_use]
pub fn gaps(policies: &[Policy]) -> Vec<Remark> {
    let targets = [
        (
            Target::set_created("default"),
            "no policy here has a rule for LeaderWorkerSets, so they get no stamp, and their pods follow the settings of the moment; give the policy for sets too, if there is one",
        ),
        (
            Target::pod_created("default"),
            "no policy here has a rule for pods, so none is placed; give the policy for pods too, if there is one",
        ),
    ];
    let is_left_out =
        |target: &Target<'_>| !policies.iter().any(|policy| policy.has_rule_for(target));
    let at = policies.first().map(Policy::line).unwrap_or_default();
    let missing = targets.iter().filter(|(target, _)| is_left_out(target));
    missing
        .map(|(_, text)| Remark::warning(None, format!("{at}: {text}")))
        .collect()
}

fn doubled(policy: &Policy, other: &Policy) -> Option<Fault> {
    (policy.title() == other.title()).then(|| {
        let text = format!(
            "{} is in {} too; remove one of the two, since the later would replace the earlier",
            policy.title(),
            other.line()
        );
        policy.fault("/metadata/name", text)
    })
}

fn may_not_mutate(policy: &Policy) -> Option<Fault> {
    (policy.action() == Action::Inject && !policy.mutating()).then(|| {
        let text = format!(
            "{} injects, but mutating is not true, so the policy server refuses whatever it would place; set mutating: true, or action: Validate",
            policy.title()
        );
        policy.fault("/spec/mutating", text)
    })
}

fn misses_members(policy: &Policy) -> Option<Fault> {
    if !policy.has_rule_for(&Target::pod_created("default")) {
        return None;
    }
    let form = if policy.is_before_lws() {
        Form::BeforeWebhook
    } else {
        Form::AfterWebhook
    };
    let [leaders, workers] = can_match(policy.objects(), form);
    let members = policy
        .settings()
        .value()
        .get("members")
        .and_then(|value| value.as_str());
    // Leaders that are left out need not come by.
    let leaders = leaders || members == Some("Workers");
    let missed = match (leaders, workers) {
        (true, true) => return None,
        (false, true) => "the leaders",
        (true, false) => "the workers",
        (false, false) => "the pods",
    };
    let when = if policy.is_before_lws() {
        ", since it is called before LeaderWorkerSet's own webhook writes its labels"
    } else {
        ""
    };
    let text = format!(
        "{} never sees {missed} of a LeaderWorkerSet: its objectSelector ({}) matches none of them{when}; select by \"leaderworkerset.sigs.k8s.io/name\" with the operator Exists",
        policy.title(),
        policy.objects()
    );
    Some(policy.fault("/spec/objectSelector", text))
}

/// A policy that refuses pods because the one that should place them only monitors. Sets need no stamp to be accepted.
fn judges_what_is_not_placed(judge: &Policy, injectors: &[&Policy]) -> Option<Fault> {
    let pods = Target::pod_created("default");
    let mut met = injectors
        .iter()
        .filter(|injector| judge.meets(injector, &pods));
    if judge.mode() == Mode::Monitor || met.clone().any(|injector| injector.mode() == Mode::Protect)
    {
        return None;
    }
    let monitor = met.next()?;
    let text = format!(
        "{} refuses pods without their placement, but {} ({}), which should place them, only monitors, so it refuses them all; set mode: monitor here, or mode: protect there",
        judge.title(),
        monitor.title(),
        monitor.line()
    );
    Some(judge.fault("/spec/mode", text))
}

fn differs(judge: &Policy, injector: &Policy) -> Option<Fault> {
    let targets = [
        Target::pod_created("default"),
        Target::set_created("default"),
    ];
    if !targets.iter().any(|target| judge.meets(injector, target)) {
        return None;
    }
    let (one, other) = (judge.settings().value(), injector.settings().value());
    let (field, here, there) = twins::difference(one, other)?;
    let text = format!(
        "{} judges by other settings than {} ({}) injects by: {field} is {here} here and {there} there; give both the same",
        judge.title(),
        injector.title(),
        injector.line()
    );
    Some(judge.fault(&format!("/spec/settings/{field}"), text))
}
