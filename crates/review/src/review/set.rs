//! A LeaderWorkerSet: admitted, expanded as patched, its pods judged in both forms.

use super::count::Tally;
use super::judge::{Judge, Judgement};
use super::place::Located;
use super::refusals::{self, Refusals};
use super::render::text::counted;
use super::report::{
    Admission, Extent, Members, Moment, Outcome, Remark, ReplicaReview, SetReview,
};
use super::sample::Sample;
use super::verdict::Verdict;
use super::{LONG, Options, field, lifted, pod, range, reason, request, workers};
use crate::parallel;
use crate::progress::Progress;
use lws_expand::{Form, LeaderWorkerSet, Replica};
use serde_json::Value;

/// What it takes to review a set.
pub(super) struct Ask<'a> {
    pub(super) judge: Judge<'a>,
    pub(super) options: Options,
    pub(super) progress: &'a Progress,
}

/// A pod of a set with what became of it.
pub(super) struct Judged {
    pub(super) replica: u64,
    pub(super) member: u64,
    pub(super) leader: String,
    /// The pod's name as it is shown.
    pub(super) name: String,
    pub(super) verdict: Verdict,
    /// The field of the pod that it is refused for, if it is and the field can be told.
    pub(super) field: Option<String>,
    /// How the verdict differs between the forms, if it does.
    difference: Option<String>,
    /// Why no policy, or none that injects, saw it.
    unreached: Option<String>,
    /// Of a leader that has no name at first: what it gets once its gate is lifted.
    pub(super) lifted: Option<Lifted>,
}

/// A leader whose gate is lifted, with what becomes of it.
pub(super) struct Lifted {
    pub(super) verdict: Verdict,
    /// As of the pod itself.
    pub(super) field: Option<String>,
    /// What the API server would not take of the answer, if there is anything.
    untakeable: Option<String>,
}

impl Ask<'_> {
    /// Reviews a set.
    ///
    /// # Errors
    /// LWS could not expand it: the field, and what is wrong with it.
    pub(super) fn review(&self, item: &Located<'_>) -> Result<(SetReview, Tally), Remark> {
        expandable(item)?;
        let namespace = request::namespace(item.value).to_owned();
        let Judgement {
            verdict, unreached, ..
        } = self.judge.ask(&request::set(&namespace, item.value));
        let set = LeaderWorkerSet::from_value(&verdict.object)
            .map_err(|error| unexpandable(item, &error))?;
        let mut tally = Tally::default();
        let mut review = SetReview {
            name: set.name().to_owned(),
            place: item.place(""),
            generated: None,
            replicas: Extent {
                total: set.replicas(),
                judged: 0,
            },
            size: set.size(),
            pods: Extent {
                total: set.replicas().saturating_mul(set.size()),
                judged: 0,
            },
            admission: admission(item, &verdict),
            shown: Vec::new(),
            hidden: 0,
            refusals: Vec::new(),
            warnings: Vec::new(),
            objects: Vec::new(),
            namespace,
        };
        let title = review.title();
        let tell = |what| item.note("", format!("{title} reaches {what}"));
        tally.notes.extend(unreached.map(tell));
        if !verdict.allowed {
            tally.refused = 1;
            return Ok((review, tally));
        }
        if self.options.objects {
            review.objects.push(verdict.object);
        }
        tally
            .notes
            .extend(workers::missing(item, &set, &review.title()));
        let sample = Sample::of(set.replicas(), set.size());
        let judged = self.judge(&set, &review.namespace, &sample);
        review.replicas.judged = count(sample.replicas.len());
        review.pods.judged = count(judged.len());
        tally.notes.extend(unreached_pods(item, &title, &judged));
        tally
            .problems
            .extend(faults(item, &review.title(), &judged));
        let mut refusals = Refusals::default();
        for replica in judged.chunk_by(|a, b| a.replica == b.replica) {
            self.replica(item, replica, &mut review, &mut refusals, &mut tally);
        }
        review.refusals = refusals.list();
        Ok((review, tally))
    }

    /// Judges every pod of the sample, on all cores.
    pub(super) fn judge(
        &self,
        set: &LeaderWorkerSet,
        namespace: &str,
        sample: &Sample,
    ) -> Vec<Judged> {
        let pods = sample.pods();
        if count(pods.len()) >= LONG {
            self.progress.start(count(pods.len()));
        }
        parallel::map(pods, |(replica, member)| {
            let judged = self.judge_pod(&set.replica(replica), namespace, member);
            self.progress.step();
            judged
        })
    }

    fn judge_pod(&self, replica: &Replica<'_>, namespace: &str, member: u64) -> Judged {
        let pod = |form| match member {
            0 => replica.leader(form),
            _ => replica.worker(member, form),
        };
        let bare = pod(Form::BeforeWebhook);
        let judgement = self
            .judge
            .member(namespace, &bare, &pod(Form::AfterWebhook));
        let created = judgement.verdict;
        let lifted = (member == 0 && created.allowed)
            .then(|| self.lift(namespace, &created.object, replica.leader_name()))
            .flatten();
        let last = lifted
            .as_ref()
            .map(|lifted| &lifted.verdict)
            .filter(|verdict| verdict.allowed)
            .unwrap_or(&created);
        Judged {
            replica: replica.index(),
            member,
            leader: replica.leader_name().to_owned(),
            name: pod::shown_name(&bare),
            field: refused_for(&bare, &created),
            difference: judgement.difference,
            unreached: judgement.unreached,
            // The pod after both webhooks, and after its last update, is the one that the scheduler sees.
            verdict: Verdict {
                object: if self.options.objects {
                    last.object.clone()
                } else {
                    Value::Null
                },
                ..created
            },
            lifted,
        }
    }

    /// Lifts the gate of a leader that was created without a name.
    fn lift(&self, namespace: &str, created: &Value, name: &str) -> Option<Lifted> {
        let update = lifted::update(namespace, created, name)?;
        let verdict = self.judge.ask(&update).verdict;
        Some(Lifted {
            field: update.object().and_then(|pod| refused_for(pod, &verdict)),
            untakeable: lifted::untakeable(&update, &verdict),
            verdict: Verdict {
                object: if self.options.objects {
                    verdict.object
                } else {
                    Value::Null
                },
                ..verdict
            },
        })
    }

    /// Takes one replica's pods into the review.
    fn replica(
        &self,
        item: &Located<'_>,
        pods: &[Judged],
        review: &mut SetReview,
        refusals: &mut Refusals,
        tally: &mut Tally,
    ) {
        let mut members: Vec<Same<'_>> = Vec::new();
        for pod in pods {
            let created = (None, &pod.verdict, &pod.field);
            let lifted = pod.lifted.as_ref();
            let lifted =
                lifted.map(|lifted| (Some(Moment::GateLifted), &lifted.verdict, &lifted.field));
            for (when, verdict, field) in std::iter::once(created).chain(lifted) {
                warn(review, &verdict.warnings);
                let outcome = Outcome {
                    allowed: verdict.allowed,
                    decision: verdict.decision.clone(),
                    value: verdict.value.clone(),
                    placement: verdict.placement.clone(),
                    refusal: (!verdict.allowed).then(|| {
                        let field = field.as_deref();
                        refusals.number(item, verdict, &pod.leader, pod.member == 0, field)
                    }),
                };
                tally.add(&outcome, 1);
                match members.last_mut() {
                    Some(last) if last.when == when && last.outcome == outcome => {
                        last.pods.push(pod);
                    }
                    _ => members.push(Same {
                        when,
                        outcome,
                        pods: vec![pod],
                    }),
                }
            }
        }
        for same in &members {
            if let Some(number) = same.outcome.refusal {
                refusals.hit(number, same.names(), count(same.pods.len()));
            }
        }
        let Some(first) = pods.first() else { return };
        if review.shown.len() >= self.options.replicas {
            review.hidden += 1;
            return;
        }
        let members = members.into_iter().map(|same| Members {
            pods: same.names(),
            count: count(same.pods.len()),
            when: same.when,
            result: same.outcome,
        });
        let members = members.collect();
        review.shown.push(ReplicaReview {
            index: first.replica,
            members,
        });
        if self.options.objects {
            let accepted = pods.iter().filter(|pod| pod.verdict.allowed);
            review
                .objects
                .extend(accepted.map(|pod| pod.verdict.object.clone()));
        }
    }
}

/// The field that a pod is refused for, as messages write it.
fn refused_for(pod: &Value, verdict: &Verdict) -> Option<String> {
    if verdict.allowed {
        return None;
    }
    let pointer = field::of_pod(pod, &refusals::message(verdict));
    (!pointer.is_empty()).then(|| field::dotted(&pointer))
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// Pods of one replica that get the same at the same moment.
struct Same<'a> {
    when: Option<Moment>,
    outcome: Outcome,
    pods: Vec<&'a Judged>,
}

impl Same<'_> {
    fn names(&self) -> Vec<String> {
        let members: Vec<u64> = self.pods.iter().map(|pod| pod.member).collect();
        self.pods.first().map_or_else(Vec::new, |first| {
            // By the time of an update the leader has its name.
            let leader = if self.when.is_some() {
                &first.leader
            } else {
                &first.name
            };
            range::names(&first.leader, leader, &members)
        })
    }
}

/// Refuses an object whose name or namespace is a template that is YAML nonetheless.
pub(super) fn rendered(item: &Located<'_>) -> Result<(), Remark> {
    for pointer in ["/metadata/name", "/metadata/namespace"] {
        let text = item.value.pointer(pointer).and_then(Value::as_str);
        if text.is_some_and(is_template) {
            return Err(unrendered(item, pointer));
        }
    }
    Ok(())
}

/// Whether LWS could expand a set as it stands. What cannot be expanded is told by its field, not by what the policy
/// makes of it.
pub(super) fn expandable(item: &Located<'_>) -> Result<(), Remark> {
    rendered(item)?;
    LeaderWorkerSet::from_value(item.value).map_err(|error| unexpandable(item, &error))?;
    Ok(())
}

/// A set that LWS would refuse, by the field at fault.
pub(super) fn unexpandable(item: &Located<'_>, error: &lws_expand::Error) -> Remark {
    let pointer = error.field().pointer();
    let found = item.value.pointer(&pointer).and_then(Value::as_str);
    if found.is_some_and(is_template) {
        return unrendered(item, &pointer);
    }
    item.error(
        &pointer,
        format!("{} cannot be expanded: {error}", item.title()),
    )
}

/// A template that is YAML nonetheless, since its braces stand in quotes.
fn unrendered(item: &Located<'_>, pointer: &str) -> Remark {
    let text = "a template that has not been rendered; render it first: helm template … | lws-placement review -f -";
    item.error(pointer, text)
}

fn is_template(text: &str) -> bool {
    text.contains("{{")
}

pub(super) fn admission(item: &Located<'_>, verdict: &Verdict) -> Admission {
    let refusal = (!verdict.allowed).then(|| {
        let of = |reason: &str| field::of_set(item.value, reason);
        let pointers = field::all(&refusals::message(verdict), of);
        refusals::refusal(verdict, item.points(&pointers))
    });
    Admission {
        allowed: verdict.allowed,
        refusal,
        warnings: verdict.warnings.clone(),
        stamped: stamped(item.value, &verdict.object),
        changed: verdict.changed.clone(),
    }
}

/// The templates whose stamp (A4) is another than before.
fn stamped(before: &Value, after: &Value) -> Vec<String> {
    let templates = ["leaderTemplate", "workerTemplate"];
    let is_new = |template: &&str| {
        let stamp = format!(
            "/spec/leaderWorkerTemplate/{template}/metadata/annotations/lws-replica-placement~1placement"
        );
        let stamp_after = after.pointer(&stamp);
        stamp_after.is_some() && stamp_after != before.pointer(&stamp)
    };
    templates
        .into_iter()
        .filter(is_new)
        .map(str::to_owned)
        .collect()
}

/// Keeps a warning unless the same was said of another pod.
fn warn(review: &mut SetReview, warnings: &[String]) {
    for warning in warnings {
        let known = |old: &String| reason::after_name(old) == reason::after_name(warning);
        if !review.warnings.iter().any(known) {
            review.warnings.push(warning.clone());
        }
    }
}

/// The faults of the policy that came up in a set.
pub(super) fn faults(
    item: &Located<'_>,
    title: &str,
    judged: &[Judged],
) -> impl Iterator<Item = Remark> {
    let difference = differences(item, title, judged);
    difference
        .into_iter()
        .chain(untakeable(item, title, judged))
}

/// An answer to the update of a pod that the API server would not take (K3) keeps the leader from ever running: a fault
/// of the policy, told once a set.
fn untakeable(item: &Located<'_>, title: &str, judged: &[Judged]) -> Option<Remark> {
    let (pod, why) = judged
        .iter()
        .find_map(|pod| Some((pod, pod.lifted.as_ref()?.untakeable.as_ref()?)))?;
    let text = format!(
        "{title}: the answer to the update that lifts the gate of pod \"{}\" would not be taken: {why}; this is a fault of the policy, please report it",
        pod.leader
    );
    Some(item.error("", text))
}

/// Pods that no policy saw, or none that injects: a sentence for each reason.
pub(super) fn unreached_pods(item: &Located<'_>, title: &str, judged: &[Judged]) -> Vec<Remark> {
    let mut reasons: Vec<(&str, &str, u64)> = Vec::new();
    for pod in judged {
        let Some(reason) = pod.unreached.as_deref() else {
            continue;
        };
        match reasons.iter_mut().find(|(known, ..)| *known == reason) {
            Some((_, _, count)) => *count += 1,
            None => reasons.push((reason, &pod.name, 1)),
        }
    }
    let all = count(judged.len());
    let tell = |(reason, name, count): (&str, &str, u64)| {
        let who = match count {
            1 => format!("pod \"{name}\" of {title} reaches"),
            _ => format!("{count} pods of {title} (\"{name}\" is the first) reach"),
        };
        let text = format!("{who} {reason}");
        // Where only some are seen, a replica's pods get different placements.
        if count == all {
            item.note("", text)
        } else {
            item.warning("", text)
        }
    };
    reasons.into_iter().map(tell).collect()
}

/// A verdict that depends on whether LWS's webhook has run breaks the policy's promise (L3): a fault of the policy,
/// told once a set.
fn differences(item: &Located<'_>, title: &str, judged: &[Judged]) -> Option<Remark> {
    let mut found = judged
        .iter()
        .filter_map(|pod| Some((pod, pod.difference.as_ref()?)));
    let (pod, difference) = found.next()?;
    let more = match found.count() {
        0 => String::new(),
        more => format!(" (and {})", counted(count(more), "more pod")),
    };
    let text = format!(
        "{title}: the answer for pod \"{}\"{more} depends on whether LeaderWorkerSet's own webhook has run: {difference}; this is a fault of the policy, please report it",
        pod.name
    );
    Some(item.error("", text))
}
