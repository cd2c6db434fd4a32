//! A LeaderWorkerSet: admitted, expanded as patched, its pods judged in both forms.

use super::count::Tally;
use super::place::Located;
use super::refusals::{self, Refusals};
use super::report::{Admission, Extent, Members, Outcome, Remark, ReplicaReview, SetReview};
use super::sample::Sample;
use super::verdict::Verdict;
use super::{LONG, Options, field, pod, range, reason, request};
use crate::engine::Module;
use indicatif::ProgressBar;
use lws_expand::{Form, LeaderWorkerSet, Replica};
use rayon::prelude::*;
use serde_json::Value;

/// What it takes to review a set.
pub(super) struct Ask<'a> {
    pub(super) module: &'a Module,
    pub(super) settings: &'a Value,
    pub(super) options: Options,
    pub(super) progress: &'a ProgressBar,
}

/// A pod of a set with what became of it.
struct Judged {
    replica: u64,
    member: u64,
    leader: String,
    /// The pod's name as it is shown.
    name: String,
    verdict: Verdict,
    /// The field of the pod that it is refused for, if it is and the field can be told.
    field: Option<String>,
    /// How the verdict differs between the forms, if it does.
    difference: Option<String>,
}

impl Ask<'_> {
    /// Reviews a set.
    ///
    /// # Errors
    /// LWS could not expand it: the field, and what is wrong with it.
    pub(super) fn review(&self, item: &Located<'_>) -> Result<(SetReview, Tally), Remark> {
        let refused = |error: &lws_expand::Error| unexpandable(item, error);
        for pointer in ["/metadata/name", "/metadata/namespace"] {
            let text = item.value.pointer(pointer).and_then(Value::as_str);
            if text.is_some_and(is_template) {
                return Err(unrendered(item, pointer));
            }
        }
        // What cannot be expanded is told by its field, not by what the policy makes of it.
        LeaderWorkerSet::from_value(item.value).map_err(|error| refused(&error))?;
        let namespace = request::namespace(item.value).to_owned();
        let verdict = Verdict::of(
            self.module,
            self.settings,
            &request::set(&namespace, item.value),
        );
        let set = LeaderWorkerSet::from_value(&verdict.object).map_err(|error| refused(&error))?;
        let mut tally = Tally::default();
        let mut review = SetReview {
            name: set.name().to_owned(),
            place: item.place(""),
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
        if !verdict.allowed {
            tally.refused = 1;
            return Ok((review, tally));
        }
        if self.options.objects {
            review.objects.push(verdict.object);
        }
        let sample = Sample::of(set.replicas(), set.size());
        let judged = self.judge(&set, &review.namespace, &sample);
        review.replicas.judged = count(sample.replicas.len());
        review.pods.judged = count(judged.len());
        tally.problems.extend(differences(item, &review, &judged));
        let mut refusals = Refusals::default();
        for replica in judged.chunk_by(|a, b| a.replica == b.replica) {
            self.replica(item, replica, &mut review, &mut refusals, &mut tally);
        }
        review.refusals = refusals.list();
        Ok((review, tally))
    }

    /// Judges every pod of the sample, on all cores.
    fn judge(&self, set: &LeaderWorkerSet, namespace: &str, sample: &Sample) -> Vec<Judged> {
        let pods = sample.pods();
        if count(pods.len()) >= LONG {
            self.progress.set_length(count(pods.len()));
            self.progress.set_position(0);
        }
        pods.into_par_iter()
            .map(|(replica, member)| {
                let judged = self.judge_pod(&set.replica(replica), namespace, member);
                if self.progress.length().is_some() {
                    self.progress.inc(1);
                }
                judged
            })
            .collect()
    }

    fn judge_pod(&self, replica: &Replica<'_>, namespace: &str, member: u64) -> Judged {
        let pod = |form| match member {
            0 => replica.leader(form),
            _ => replica.worker(member, form),
        };
        let verdict =
            |pod: &Value| Verdict::of(self.module, self.settings, &request::pod(namespace, pod));
        let bare = pod(Form::BeforeWebhook);
        let before = verdict(&bare);
        let after = verdict(&pod(Form::AfterWebhook));
        Judged {
            replica: replica.index(),
            member,
            leader: replica.leader_name().to_owned(),
            name: pod::shown_name(&bare),
            field: refused_for(&bare, &before),
            difference: before.differs(&after),
            // The pod after both webhooks is the one that the scheduler sees.
            verdict: Verdict {
                object: if self.options.objects {
                    after.object
                } else {
                    Value::Null
                },
                ..before
            },
        }
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
        let mut members: Vec<(Outcome, Vec<&Judged>)> = Vec::new();
        for pod in pods {
            warn(review, &pod.verdict.warnings);
            let outcome = Outcome {
                allowed: pod.verdict.allowed,
                decision: pod.verdict.decision.clone(),
                value: pod.verdict.value.clone(),
                placement: pod.verdict.placement.clone(),
                refusal: (!pod.verdict.allowed).then(|| {
                    let field = pod.field.as_deref();
                    refusals.number(item, &pod.verdict, &pod.leader, pod.member == 0, field)
                }),
            };
            tally.add(&outcome, 1);
            match members.last_mut() {
                Some((last, with)) if *last == outcome => with.push(pod),
                _ => members.push((outcome, vec![pod])),
            }
        }
        for (outcome, with) in &members {
            if let Some(number) = outcome.refusal {
                refusals.hit(number, names(with), count(with.len()));
            }
        }
        let Some(first) = pods.first() else { return };
        if review.shown.len() >= self.options.replicas {
            review.hidden += 1;
            return;
        }
        let members = members.into_iter().map(|(result, with)| Members {
            pods: names(&with),
            count: count(with.len()),
            result,
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

/// The names of some pods of one replica.
fn names(pods: &[&Judged]) -> Vec<String> {
    let members: Vec<u64> = pods.iter().map(|pod| pod.member).collect();
    pods.first().map_or_else(Vec::new, |first| {
        range::names(&first.leader, &first.name, &members)
    })
}

/// A set that LWS would refuse, by the field at fault.
fn unexpandable(item: &Located<'_>, error: &lws_expand::Error) -> Remark {
    let pointer = error.field().pointer();
    let found = item.value.pointer(&pointer).and_then(Value::as_str);
    if found.is_some_and(is_template) {
        return unrendered(item, &pointer);
    }
    item.remark(
        &pointer,
        format!("{} cannot be expanded: {error}", item.title()),
    )
}

/// A template that is YAML nonetheless, since its braces stand in quotes.
fn unrendered(item: &Located<'_>, pointer: &str) -> Remark {
    let text = "a template that has not been rendered; render it first: helm template … | lws-placement review -f -";
    item.remark(pointer, text.to_owned())
}

fn is_template(text: &str) -> bool {
    text.contains("{{")
}

fn admission(item: &Located<'_>, verdict: &Verdict) -> Admission {
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

/// A verdict that depends on whether LWS's webhook has run breaks the policy's promise (L3): a fault of the policy,
/// told once a set.
fn differences(item: &Located<'_>, review: &SetReview, judged: &[Judged]) -> Option<Remark> {
    let mut found = judged
        .iter()
        .filter_map(|pod| Some((pod, pod.difference.as_ref()?)));
    let (pod, difference) = found.next()?;
    let more = match found.count() {
        0 => String::new(),
        more => format!(" (and {more} more pods)"),
    };
    let text = format!(
        "{}: the answer for pod \"{}\"{more} depends on whether LeaderWorkerSet's own webhook has run: {difference}; this is a fault of the policy, please report it",
        review.title(),
        pod.name
    );
    Some(item.remark("", text))
}
