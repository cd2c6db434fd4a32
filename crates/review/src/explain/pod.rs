//! A pod: the rules of section 4, and those of sections 5 and 6 that they call, in their order.
//!
//! What a pod is and lacks is told by the policy's own functions; only the course between them is taken here again, and
//! its end is held against the module's answer by whoever asks.

use super::placement;
use super::sentence::{Conclusion, Sentences};
use super::weighing::{self, refuse};
use lws_replica_placement::answer::Decision;
use lws_replica_placement::decide::View;
use lws_replica_placement::findings::Conflict;
use lws_replica_placement::json::Fault as Malformed;
use lws_replica_placement::lws;
use lws_replica_placement::marks::Mark;
use lws_replica_placement::member::{self, Member, MemberError, Membership, Role};
use lws_replica_placement::placement::Members;
use lws_replica_placement::pod::{Parts, Pod};
use lws_replica_placement::request::{Operation, Request};
use lws_replica_placement::settings::{Action, Settings};
use lws_replica_placement::standing::{self, Demand, Fault, Standing};
use lws_replica_placement::subgroup;
use lws_replica_placement::value::{PlacementUnit, Unit};
use serde_json::Value;

/// Weighs the rules for a request about a pod; `value` is the request.
///
/// # Errors
/// Pod or stored pod cannot be split into their parts (R5).
pub(super) fn weigh(
    request: &Request<'_>,
    value: &Value,
    said: &mut Sentences,
) -> Result<Conclusion, Malformed> {
    let parts = Parts::read(request.object, "request.object")?;
    let pod = parts.pod();
    if parts.is_deleted() || matches!(pod, Ok(None)) {
        let (rule, text) = passed_over(value.get("object").unwrap_or(&Value::Null));
        said.say(rule, text);
        return Ok(Conclusion::accepted());
    }
    let settings = match Settings::read(request.settings) {
        Ok(settings) => settings,
        Err(faults) => {
            said.say("C4", super::in_a_row(&faults));
            return Ok(Conclusion::refused(400));
        }
    };
    let namespace = request.namespace.as_deref();
    let view = View::of(parts.spec, pod.clone(), &settings, namespace);
    let mut case = Case {
        settings: &settings,
        request,
        said,
    };
    case.metadata(&pod, &view);
    match (request.operation, request.old_object) {
        (Operation::Update, Some(old)) => {
            let old = Parts::read(old, "request.oldObject")?;
            let old = View::of(old.spec, old.pod(), &settings, namespace);
            Ok(case.update(&view, &old))
        }
        _ => Ok(case.create(&view)),
    }
}

/// P2, P3: why a pod is nobody's member, once the policy has said that it is none.
fn passed_over(pod: &Value) -> (&'static str, String) {
    let has = |pointer| pod.pointer(pointer).is_some_and(|value| !value.is_null());
    if has("/metadata/deletionTimestamp") {
        return ("P3", "it is being deleted: accepted".to_owned());
    }
    if !has("/metadata/labels/leaderworkerset.sigs.k8s.io~1name") {
        let text = format!(
            "it has no label \"{}\", so it is no pod of a set: accepted",
            lws::NAME
        );
        return ("P2", text);
    }
    if has("/metadata/annotations/kubernetes.io~1config.mirror") {
        return ("P3", "it is a mirror pod: accepted".to_owned());
    }
    let text = "a DaemonSet or a Node controls it: accepted";
    ("P3", text.to_owned())
}

struct Case<'a, 's> {
    settings: &'a Settings,
    request: &'a Request<'a>,
    said: &'s mut Sentences,
}

impl Case<'_, '_> {
    /// P2 to P7: whose pod it is and what it must carry, as far as metadata tells.
    fn metadata(&mut self, pod: &Result<Option<Pod<'_>>, Malformed>, view: &View<'_>) {
        let pod = match pod {
            Ok(Some(pod)) => pod,
            Ok(None) => return,
            Err(fault) => return self.said.say("I5", fault.to_string()),
        };
        let set = pod.marks.get(Mark::Set).unwrap_or_default();
        self.said.say(
            "P2",
            format!(
                "label \"{}\" is \"{set}\", so it may be a pod of that set",
                lws::NAME
            ),
        );
        self.said.say(
            "P3",
            "it is not being deleted, and neither a mirror pod nor a DaemonSet's or a Node's",
        );
        let placement = match standing::placement(&pod.marks, self.settings) {
            Ok(placement) => placement,
            Err(fault) => return self.fault(&fault),
        };
        placement::of_pod(&pod.marks, self.settings, &placement, self.said);
        if placement.choice.is_empty() {
            return;
        }
        let member = match member::of_pod(pod) {
            Ok(Membership::Member(member)) => member,
            Ok(Membership::Loose | Membership::Copy) => {
                let text = view.standing.as_ref().ok().and_then(standing::bystander);
                return self
                    .said
                    .say("P5", format!("it {}", text.unwrap_or_default()));
            }
            Err(error) => return self.fault(&Fault::Member(error)),
        };
        self.role(pod, &member);
        if member.role == Role::Leader && placement.members == Members::Workers {
            return self.said.say(
                "P5",
                "members Workers leaves leaders alone: accepted as it is",
            );
        }
        let Some(leader) = member.leader.as_deref() else {
            return;
        };
        let unit = Unit {
            namespace: self
                .request
                .namespace
                .as_deref()
                .or(pod.namespace.as_deref()),
            leader,
            subgroup: if placement.value_rules.placement_unit == PlacementUnit::SubGroup {
                self.subgroup(pod, &member, leader)
            } else {
                None
            },
        };
        match &view.standing {
            Ok(Standing::Placed(demand)) => {
                placement::values(demand, placement.value_rules, unit, self.said);
            }
            Err(Fault::Spec(..)) | Ok(_) => {}
            Err(fault) => self.fault(fault),
        }
    }

    /// P5 and P6 of a pod that passes both.
    fn role(&mut self, pod: &Pod<'_>, member: &Member<'_>) {
        let leader = member.leader.as_deref();
        self.said.say(
            "P5",
            match (member.role, leader) {
                (Role::Worker, leader) => format!(
                    "annotation \"{}\" makes it a worker of \"{}\"",
                    lws::LEADER_NAME,
                    leader.unwrap_or_default()
                ),
                (Role::Leader, Some(name)) => format!(
                    "label \"{}\" is \"0\" and there is no leader-name, so it is the leader \"{name}\"",
                    lws::WORKER_INDEX
                ),
                (Role::Leader, None) => format!(
                    "label \"{}\" is \"0\" and there is no leader-name, so it is a leader, yet without a name",
                    lws::WORKER_INDEX
                ),
            },
        );
        let mark = match member.role {
            Role::Leader => "set",
            Role::Worker => "leader",
        };
        self.said.say(
            "P6",
            match &pod.controller {
                None => "nothing controls it, so there is no owner to disagree".to_owned(),
                Some(owner) if owner.kind == "StatefulSet" => format!(
                    "StatefulSet \"{}\" controls it and is named like the {mark}",
                    owner.name
                ),
                Some(owner) => format!(
                    "{} \"{}\" controls it, whose name tells nothing",
                    owner.kind, owner.name
                ),
            },
        );
    }

    /// L8: the subgroup's index where the pod is in one. What cannot be told is the standing's fault.
    fn subgroup(&mut self, pod: &Pod<'_>, member: &Member<'_>, leader: &str) -> Option<i64> {
        let name = pod.name.as_deref();
        let worker = name.and_then(|name| subgroup::worker_in_name(name, leader));
        let found = subgroup::of_pod(&pod.marks, member.role == Role::Leader, worker).ok()?;
        self.said.say(
            "L8",
            match (found, pod.marks.get(Mark::SubgroupSize)) {
                (Some(index), _) => format!("it is in subgroup {index} of its replica"),
                (None, Some(_)) => {
                    "LeaderExcluded puts it into no subgroup, so it has no value: accepted as it is"
                        .to_owned()
                }
                (None, None) => {
                    "its set has no subgroups, so the value is the whole replica's".to_owned()
                }
            },
        );
        found
    }

    fn fault(&mut self, fault: &Fault) {
        self.said.say(rule_of(fault), fault.to_string());
    }

    /// P7 to P9.
    fn create(&mut self, view: &View<'_>) -> Conclusion {
        let demand = match &view.standing {
            Err(fault) => {
                if matches!(fault, Fault::Spec(..)) {
                    self.fault(fault);
                }
                return refuse(fault);
            }
            Ok(Standing::Unconcerned | Standing::Loose | Standing::Copy) => {
                return Conclusion::accepted();
            }
            Ok(Standing::Nameless) => {
                self.said.say("P7", "a leader without a name has no value yet: accepted, and the update that lifts its gate brings it");
                return Conclusion::accepted().with(Decision::Defer, None);
            }
            Ok(Standing::Placed(demand)) => demand,
        };
        if self.settings.action == Action::Validate {
            self.said.say(
                "P9",
                "action Validate judges what is there and changes nothing",
            );
            return weighing::judge(view, demand, view.is_gated(), self.said);
        }
        if view.has_node() {
            self.said.say("P8", "spec.nodeName is set, so the scheduler looks at no selector any more: accepted without a change, with a warning");
            return Conclusion::accepted().with(Decision::None, Some(demand.joined_values()));
        }
        self.said.say(
            "P8",
            "spec.nodeName is not set, so the scheduler is yet to look",
        );
        self.said.say(
            "P9",
            "action Inject adds what is missing, unless something conflicts",
        );
        weighing::injection(view, demand, self.said);
        if view.findings.conflicts.is_empty() {
            weighing::inject(self.request.object, view, demand)
        } else {
            refused(demand)
        }
    }

    /// P10 to P12.
    fn update(&mut self, new: &View<'_>, old: &View<'_>) -> Conclusion {
        if let Err(fault) = &new.standing {
            if matches!(fault, Fault::Spec(..)) {
                self.fault(fault);
            }
            self.said.say(
                "P12",
                "on an update this counts as a placement that is not satisfied",
            );
        }
        if old.is_gated() {
            self.update_gated(new, old)
        } else {
            self.update_ungated(new, old)
        }
    }

    fn update_gated(&mut self, new: &View<'_>, old: &View<'_>) -> Conclusion {
        let lifted = !new.is_gated();
        let gates = if lifted {
            "the stored pod is gated and this update lifts its last gate"
        } else {
            "the stored pod is gated and stays so"
        };
        let demand = match &new.standing {
            Err(fault) => {
                let is_known = old.standing.as_ref().err() == Some(fault);
                let (text, conclusion) = match (lifted, is_known) {
                    (true, _) => (
                        "with that fault it would be scheduled: refused",
                        refuse(fault),
                    ),
                    (false, false) => ("the fault is this update's: refused", refuse(fault)),
                    (false, true) => (
                        "the fault was there before: accepted",
                        Conclusion::accepted().with(Decision::Defer, None),
                    ),
                };
                self.said.say("P10", format!("{gates}; {text}"));
                return conclusion;
            }
            Ok(Standing::Unconcerned | Standing::Loose | Standing::Copy) => {
                return Conclusion::accepted();
            }
            Ok(Standing::Nameless) => {
                self.said
                    .say("P7", "a leader without a name has no value yet: accepted");
                return Conclusion::accepted().with(Decision::Defer, None);
            }
            Ok(Standing::Placed(demand)) => demand,
        };
        let injecting = self.settings.action == Action::Inject;
        let counts = |conflict: &&Conflict| injecting || conflict.is_of_the_spec();
        let conflicts: Vec<&Conflict> = new.findings.conflicts.iter().filter(counts).collect();
        let is_known = |conflict: &&&Conflict| old.findings.conflicts.contains(conflict);
        let introduced = conflicts.iter().filter(|c| !is_known(c)).count();
        let verdict = match (conflicts.len(), lifted, introduced) {
            (0, ..) if injecting => "nothing conflicts, so what is missing is injected",
            (0, true, _) => "nothing may be lacking any more (V3)",
            (0, false, _) => "it may still lack its placement (V3)",
            (_, true, _) => "over a conflict that is refused",
            (_, false, 0) if injecting => {
                "the conflict was there before, so what does not conflict is injected and the rest deferred"
            }
            (_, false, 0) => "the contradiction was there before, so it is deferred",
            (_, false, _) => "the conflict is this update's: refused",
        };
        self.said.say("P10", format!("{gates}; {verdict}"));
        if injecting {
            weighing::injection(new, demand, self.said);
        } else {
            weighing::validation(new, demand, self.said);
        }
        if !conflicts.is_empty() && (lifted || introduced > 0) {
            return refused(demand);
        }
        if !injecting {
            return weighing::judge_kept(new, demand, lifted);
        }
        let conclusion = weighing::inject(self.request.object, new, demand);
        if conflicts.is_empty() {
            conclusion
        } else {
            conclusion.with(Decision::Defer, Some(demand.joined_values()))
        }
    }

    fn update_ungated(&mut self, new: &View<'_>, old: &View<'_>) -> Conclusion {
        let (satisfied, value) = match &new.standing {
            Ok(Standing::Placed(demand)) => (new.is_satisfied(), Some(demand.joined_values())),
            Err(fault) => (false, fault.replica_value()),
            Ok(Standing::Nameless) => {
                self.said.say("P11", "the stored pod is not gated, so it is never patched, and without a name there is nothing to judge: accepted");
                return Conclusion::accepted();
            }
            Ok(_) => return Conclusion::accepted(),
        };
        let is_broken = !satisfied && old.is_satisfied() && !new.has_node();
        let yes = |is_so: bool, yes: &'static str, no: &'static str| if is_so { yes } else { no };
        self.said.say(
            "P11",
            format!(
                "the stored pod is not gated, so it is never patched (K3); it {} its placement before this update, {} it afterwards and {}: {}",
                yes(old.is_satisfied(), "met", "did not meet"),
                yes(satisfied, "meets", "does not meet"),
                yes(new.has_node(), "has a node", "waits for a node"),
                yes(is_broken, "a broken promise, refused", "accepted"),
            ),
        );
        if is_broken {
            return match &new.standing {
                Err(fault) => refuse(fault),
                Ok(Standing::Placed(demand)) => weighing::judge(new, demand, false, self.said),
                Ok(_) => Conclusion::accepted(),
            };
        }
        if !satisfied && new.differs_from(old) {
            self.said.say(
                "P11",
                "the update changed a field that placements depend on, so there is a warning",
            );
        }
        let applies = !matches!(&new.standing, Err(fault) if !fault.is_of_a_placement());
        if applies {
            Conclusion::accepted().with(Decision::None, value)
        } else {
            Conclusion::accepted()
        }
    }
}

/// I6: refused for conflicts.
fn refused(demand: &Demand) -> Conclusion {
    Conclusion::refused(422).with(Decision::Reject, Some(demand.joined_values()))
}

/// The rule that a fault breaks.
fn rule_of(fault: &Fault) -> &'static str {
    match fault {
        Fault::Malformed(_) | Fault::Spec(..) => "I5",
        Fault::Member(MemberError::Foreign { .. } | MemberError::NoWorker { .. }) => "P6",
        Fault::Member(_) => "P5",
        Fault::Annotation(_) => "A2",
        Fault::Stamp(_) => "A4",
        Fault::Subgroup(_) => "L8",
        Fault::Value(_) => "C7",
    }
}
