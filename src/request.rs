//! The envelope: Kubewarden's payload and the admission request in it.

use std::borrow::Cow;

use crate::json::{self, Document, Fault, Inside, ROOT, Raw, text};

/// What happens to the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// It is created.
    Create,
    /// It is changed.
    Update,
}

/// The objects that the policy decides about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// `v1 Pod`
    Pod,
    /// `leaderworkerset.x-k8s.io/v1 LeaderWorkerSet`
    LeaderWorkerSet,
}

/// A request that the policy has to decide.
pub struct Request<'a> {
    /// The settings as they came; read when a decision needs them.
    pub settings: Option<Raw<'a>>,
    /// Pod or set.
    pub subject: Subject,
    /// CREATE or UPDATE.
    pub operation: Operation,
    /// The namespace of the request, for objects that do not name theirs.
    pub namespace: Option<Cow<'a, str>>,
    /// The object as it would be stored.
    pub object: Raw<'a>,
    /// The stored object, on UPDATE.
    pub old_object: Option<Raw<'a>>,
}

impl<'a> Request<'a> {
    /// Reads a payload. `None`: nothing of the policy's concern (P1), accept it unread.
    ///
    /// # Errors
    /// A payload that lacks what a decision needs (R5).
    pub fn read(payload: &'a Document<'_>) -> Result<Option<Self>, Fault> {
        const REQUEST: [&str; 6] = [
            "kind",
            "operation",
            "subResource",
            "namespace",
            "object",
            "oldObject",
        ];
        let (mut settings, mut request) = ([None], [None; 6]);
        let inside = Inside::of("request", &REQUEST, &mut request);
        if !json::nested(payload.root(), ROOT, &["settings"], &mut settings, inside)? {
            return Err(json::missing("request"));
        }
        let [settings] = settings;
        let [kind, operation, sub_resource, namespace, object, old_object] = request;
        let Some(subject) = subject(kind)? else {
            return Ok(None);
        };
        if !text(sub_resource, "request.subResource")?
            .unwrap_or_default()
            .is_empty()
        {
            return Ok(None);
        }
        let operation = match text(operation, "request.operation")?.as_deref() {
            Some("CREATE") => Operation::Create,
            Some("UPDATE") => Operation::Update,
            Some("DELETE" | "CONNECT") => return Ok(None),
            Some(_) => {
                return Err(json::word(
                    "CREATE, UPDATE, DELETE or CONNECT",
                    "request.operation",
                ));
            }
            None => return Err(json::missing("request.operation")),
        };
        let object = json::present(object).ok_or_else(|| json::missing("request.object"))?;
        let old_object = json::present(old_object);
        if operation == Operation::Update && old_object.is_none() {
            return Err(json::missing("request.oldObject"));
        }
        Ok(Some(Self {
            settings,
            subject,
            operation,
            namespace: text(namespace, "request.namespace")?.filter(|name| !name.is_empty()),
            object,
            old_object,
        }))
    }
}

/// Decides by kind, never by resource: the audit scanner writes `Pod` there (H2).
fn subject(kind: Option<Raw<'_>>) -> Result<Option<Subject>, Fault> {
    const PATH: &str = "request.kind";
    let kind = json::present(kind).ok_or_else(|| json::missing(PATH))?;
    let [group, version, kind] =
        json::members(kind, &["group", "version", "kind"]).map_err(|problem| problem.at(PATH))?;
    let group = text(group, "request.kind.group")?.unwrap_or_default();
    let version = text(version, "request.kind.version")?.unwrap_or_default();
    let kind =
        text(kind, "request.kind.kind")?.ok_or_else(|| json::missing("request.kind.kind"))?;
    Ok(match (&*group, &*version, &*kind) {
        ("", "v1", "Pod") => Some(Subject::Pod),
        ("leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet") => Some(Subject::LeaderWorkerSet),
        _ => None,
    })
}
