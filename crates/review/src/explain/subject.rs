//! The pod or the set that is meant, among all that the input holds, and the request that is explained.

use super::Explanation;
use crate::answer::judge;
use crate::evaluator::{Evaluator, Fault};
use crate::request::Request;
use crate::review::document::{self, Subject};
use crate::review::place::Located;
use crate::review::render::text::counted;
use crate::review::report::Remark;
use crate::review::source::Source;
use crate::review::{disaggregated, field, home, pod, request};
use lws_expand::{Form, Identity, LeaderWorkerSet};
use lws_manifest::Document;
use serde_json::Value;

/// Replicas whose made-up names are compared, for sets whose leaders have generated ones.
const COMPARED: u64 = 1_000;

/// Which object of the input is meant, and which pod of it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// A name, `namespace/name`, or a JSON pointer into the document (`/items/3`); none: the only object there is.
    pub object: Option<&'a str>,
    /// A pod that the set would make; none: the set itself.
    pub pod: Option<&'a str>,
    /// The namespace of objects that name none; none: `default`.
    pub namespace: Option<&'a str>,
}

/// Why nothing can be explained.
#[derive(Debug)]
pub enum Failure {
    /// The input does not say what is meant, or cannot be read.
    Input(Remark),
    /// The module gave no answer.
    Fault(Fault),
}

impl Failure {
    fn of(text: String) -> Self {
        Self::Input(Remark::error(None, text))
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// What a request is about: `Pod team-a/vllm-0-1`.
#[must_use]
pub fn called(request: &Request) -> String {
    let value = request.value();
    let text = |pointer| value.pointer(pointer).and_then(Value::as_str);
    let object = request.object().or_else(|| value.get("oldObject"));
    let object = object.unwrap_or(&Value::Null);
    let namespace = text("/namespace").or_else(|| object.pointer("/metadata/namespace")?.as_str());
    let namespace = namespace.map_or_else(String::new, |namespace| format!("{namespace}/"));
    let name = match text("/name").filter(|_| object.pointer("/metadata/name").is_none()) {
        Some(name) => name.to_owned(),
        None => pod::shown_name(object),
    };
    format!(
        "{} {namespace}{name}",
        text("/kind/kind").unwrap_or("object")
    )
}

/// Explains an admission request; `source` is its text.
///
/// # Errors
/// The module gives no answer.
pub fn of_request(
    module: &dyn Evaluator,
    settings: &Value,
    source: &Source,
    request: &Request,
) -> Result<Explanation, Fault> {
    let mut explained = Explanation::of(module, settings, request)?;
    let document = lws_manifest::read(&source.text).into_iter().next();
    let Some(Ok(document)) = document else {
        return Ok(explained);
    };
    let items = document.items();
    let Some(item) = items.first() else {
        return Ok(explained);
    };
    let located = Located::new(source, item);
    explained.place = located.place("");
    let object = if located.has("/request") {
        "/request/object"
    } else {
        "/object"
    };
    if let (Some(message), Some(value)) = (&explained.message, located.value.pointer(object)) {
        let is_set = explained.subject.starts_with("LeaderWorkerSet ");
        let of = |reason: &str| {
            if is_set {
                field::of_set(value, reason)
            } else {
                field::of_pod(value, reason)
            }
        };
        let pointers: Vec<String> = field::all(message, of)
            .into_iter()
            .filter(|pointer| !pointer.is_empty())
            .map(|pointer| format!("{object}{pointer}"))
            .collect();
        (explained.at, explained.also) = located.points(&pointers);
    }
    Ok(explained)
}

/// Explains a pod or a set of some manifests, as it would be created.
///
/// # Errors
/// [`Failure`].
pub fn of_manifests(
    module: &dyn Evaluator,
    settings: &Value,
    sources: &[Source],
    wanted: Wanted<'_>,
) -> Result<Explanation, Failure> {
    let documents = documents(sources, wanted.namespace)?;
    let items: Vec<_> = documents
        .iter()
        .flat_map(|(source, document)| {
            document
                .items()
                .into_iter()
                .map(move |item| (*source, item))
        })
        .collect();
    let objects: Vec<_> = items
        .iter()
        .map(|(source, item)| (Located::new(source, item), item.pointer.as_str()))
        .collect();
    // The sets that DisaggregatedSets make, each with the object that makes it.
    let mut made = Vec::new();
    let mut found = Vec::new();
    for (located, pointer) in &objects {
        let is_set = match document::subject(located) {
            Subject::Set => true,
            Subject::Pod => false,
            Subject::DisaggregatedSet => {
                let sets = disaggregated::expand(located).map_err(Failure::Input)?;
                let sets = sets.sets.into_iter();
                made.extend(sets.map(|(set, _)| (located, *pointer, set)));
                continue;
            }
            Subject::Unserved(text) => {
                return Err(Failure::Input(located.error("/apiVersion", text)));
            }
            Subject::Other { .. } => continue,
        };
        if is_wanted(located, pointer, wanted.object) && (is_set || wanted.pod.is_none()) {
            found.push((located.made(located.value, ""), is_set));
        }
    }
    for (maker, pointer, set) in &made {
        let located = maker.made(&set.value, &disaggregated::role_pointer(set));
        if is_wanted(&located, pointer, wanted.object) {
            found.push((located, true));
        }
    }
    let (item, is_set) = only(found, wanted)?;
    let namespace = request::namespace(item.value);
    match (wanted.pod, is_set) {
        (Some(name), _) => of_generated(module, settings, &item, namespace, name),
        (None, true) => {
            let request = request::set(namespace, item.value);
            let explained = Explanation::of(module, settings, &request)?;
            Ok(pointed(explained, &item, |message| {
                field::of_set(item.value, message)
            }))
        }
        (None, false) => {
            let request = request::pod(namespace, item.value);
            let explained = Explanation::of(module, settings, &request)?;
            Ok(pointed(explained, &item, |message| {
                field::of_pod(item.value, message)
            }))
        }
    }
}

fn documents<'a>(
    sources: &'a [Source],
    namespace: Option<&str>,
) -> Result<Vec<(&'a Source, Document)>, Failure> {
    let mut documents = Vec::new();
    for source in sources {
        for document in home::documents(source, namespace) {
            match document {
                Ok(document) => documents.push((source, document)),
                Err(error) => return Err(Failure::Input(source.unread(&error))),
            }
        }
    }
    Ok(documents)
}

/// Whether an object is the one that is asked for.
fn is_wanted(item: &Located<'_>, pointer: &str, wanted: Option<&str>) -> bool {
    let Some(wanted) = wanted else { return true };
    if wanted.starts_with('/') {
        return pointer == wanted;
    }
    let name = pod::shown_name(item.value);
    match wanted.split_once('/') {
        Some((namespace, wanted)) => request::namespace(item.value) == namespace && name == wanted,
        None => name == wanted,
    }
}

/// The one object that is left, if it is one.
fn only<'a>(
    mut found: Vec<(Located<'a>, bool)>,
    wanted: Wanted<'_>,
) -> Result<(Located<'a>, bool), Failure> {
    let kind = if wanted.pod.is_some() {
        "LeaderWorkerSet"
    } else {
        "LeaderWorkerSet or Pod"
    };
    if found.len() > 1 {
        let names: Vec<String> = found
            .iter()
            .map(|(item, is_set)| {
                let kind = if *is_set { "LeaderWorkerSet" } else { "Pod" };
                let place = item.place("").map(|place| format!(" ({})", place.line()));
                format!(
                    "{kind} {}/{}{}",
                    request::namespace(item.value),
                    pod::shown_name(item.value),
                    place.unwrap_or_default()
                )
            })
            .collect();
        return Err(Failure::of(format!(
            "the input holds {} objects that could be meant; name one with --name: {}",
            names.len(),
            names.join(", ")
        )));
    }
    found.pop().ok_or_else(|| {
        Failure::of(match wanted.object {
            Some(name) => format!(
                "the input holds no {kind} \"{name}\"; give its name, namespace/name, or its place in a list such as /items/3"
            ),
            None => format!("the input holds no {kind}; give a manifest that does"),
        })
    })
}

/// Explains a pod that a set would make: the set is admitted first and expanded as it becomes.
fn of_generated(
    module: &dyn Evaluator,
    settings: &Value,
    item: &Located<'_>,
    namespace: &str,
    name: &str,
) -> Result<Explanation, Failure> {
    let request = request::set(namespace, item.value);
    let response = judge(module, settings, &request)?;
    let admitted = response
        .apply(item.value)
        .ok()
        .filter(|_| response.allowed)
        .unwrap_or_else(|| item.value.clone());
    let set = LeaderWorkerSet::from_value(&admitted).map_err(|error| {
        let text = format!("{} cannot be expanded: {error}", item.title());
        Failure::Input(item.error(&error.field().pointer(), text))
    })?;
    let (replica, worker) = member(&set, name).map_err(Failure::of)?;
    let replica = set.replica(replica);
    let pod = match worker {
        0 => replica.leader(Form::BeforeWebhook),
        worker => replica.worker(worker, Form::BeforeWebhook),
    };
    let explained = Explanation::of(module, settings, &request::pod(namespace, &pod))?;
    let mut explained = pointed(explained, item, |message| {
        field::of_pod_in_set(item.value, worker == 0, message)
    });
    if let Some(message) = &explained.message {
        let pointer = field::of_pod(&pod, message);
        let is_in_file = explained.at.as_ref().is_some_and(|at| at.excerpt.is_some());
        explained.field = (!is_in_file && !pointer.is_empty()).then(|| field::dotted(&pointer));
    }
    let role = match worker {
        0 => "leader".to_owned(),
        worker => format!("worker {worker}"),
    };
    let index = replica.index();
    let mut note = format!(
        "{role} of replica {index} of LeaderWorkerSet {namespace}/{}, as its controller would create it",
        set.name()
    );
    if index >= set.replicas() {
        note.push_str(&format!(
            "; the set asks for {}, so it is there in a surge only",
            counted(set.replicas(), "replica")
        ));
    }
    if !response.allowed {
        note.push_str("; the set itself is refused, so it is never made");
    }
    explained.note = Some(note);
    Ok(explained)
}

/// Replica and worker (0: the leader) of a pod by its name.
fn member(set: &LeaderWorkerSet, name: &str) -> Result<(u64, u64), String> {
    let size = set.size();
    let in_replica = |worker: u64| {
        if worker < size {
            Ok(worker)
        } else {
            Err(format!(
                "the replicas of LeaderWorkerSet \"{}\" have {}, so there is no worker {worker}; {}",
                set.name(),
                counted(size, "pod"),
                match size.saturating_sub(1) {
                    0 => "there is none at all".to_owned(),
                    last => format!("the last is {last}"),
                }
            ))
        }
    };
    if set.identity() == Identity::Hash {
        for index in 0..set.replicas().min(COMPARED) {
            let replica = set.replica(index);
            let leader = replica.leader_name();
            if name == leader || name == pod::shown_name(&replica.leader(Form::BeforeWebhook)) {
                return Ok((index, 0));
            }
            let worker = name
                .strip_prefix(leader)
                .and_then(|rest| rest.strip_prefix('-'));
            if let Some(worker) = worker.and_then(ordinal) {
                return in_replica(worker).map(|worker| (index, worker));
            }
        }
        let first = set.replica(0);
        return Err(format!(
            "LeaderWorkerSet \"{}\" has groupIdentity Hash, so its leaders have generated names; name its leader \"{}\", or a worker by the stand-in \"{}-1\"",
            set.name(),
            pod::shown_name(&first.leader(Form::BeforeWebhook)),
            first.leader_name()
        ));
    }
    let numbers = name
        .strip_prefix(set.name())
        .and_then(|rest| rest.strip_prefix('-'));
    let numbers: Option<Vec<u64>> = numbers.and_then(|rest| rest.split('-').map(ordinal).collect());
    match numbers.as_deref() {
        Some([replica]) => Ok((*replica, 0)),
        Some([replica, worker]) if *worker > 0 => {
            in_replica(*worker).map(|worker| (*replica, worker))
        }
        _ => Err(format!(
            "LeaderWorkerSet \"{set}\" makes no pod \"{name}\"; its pods are called like \"{set}-0\" (a leader) and \"{set}-0-1\" (a worker)",
            set = set.name()
        )),
    }
}

/// A number as names hold it: digits without a sign or leading zeros.
fn ordinal(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// The explanation with its places in a manifest.
fn pointed(
    explained: Explanation,
    item: &Located<'_>,
    pointer: impl Fn(&str) -> String + Copy,
) -> Explanation {
    let (at, also) = match &explained.message {
        Some(message) => item.points(&field::all(message, pointer)),
        None => (None, Vec::new()),
    };
    Explanation {
        place: item.place(""),
        at,
        also,
        ..explained
    }
}
