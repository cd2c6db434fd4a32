//! The request itself: whether the policy reads its object at all (P1, R5).

use super::sentence::{Conclusion, Sentences};
use super::{pod, set};
use lws_replica_placement::json::{Document, ROOT};
use lws_replica_placement::request::{Operation, Request, Subject};
use serde_json::Value;

/// Weighs the rules for a payload in the order of the contract. `request` is the request in it.
pub(super) fn weigh(payload: &str, request: &Value, said: &mut Sentences) -> Conclusion {
    let document = Document::read(payload).map_err(|problem| problem.at(ROOT));
    match document
        .as_ref()
        .map_err(Clone::clone)
        .and_then(Request::read)
    {
        Err(fault) => {
            said.say(
                "R5",
                format!("the request cannot be read, so it is refused: {fault}"),
            );
            Conclusion::refused(400)
        }
        Ok(None) => {
            said.say("P1", format!("accepted unread: {}", unread(request)));
            Conclusion::accepted()
        }
        Ok(Some(read)) => {
            let operation = match read.operation {
                Operation::Create => "CREATE",
                Operation::Update => "UPDATE",
            };
            let (kind, weigh): (_, fn(&Request<'_>, &Value, &mut Sentences) -> _) =
                match read.subject {
                    Subject::Pod => ("v1 Pod", pod::weigh),
                    Subject::LeaderWorkerSet => ("LeaderWorkerSet", set::weigh),
                };
            said.say("P1", format!("the {operation} of a {kind} is read"));
            weigh(&read, request, said).unwrap_or_else(|fault| {
                said.say(
                    "R5",
                    format!("the object cannot be read, so it is refused: {fault}"),
                );
                Conclusion::refused(400)
            })
        }
    }
}

/// Why the policy has no business with a request.
fn unread(request: &Value) -> String {
    let text = |pointer| {
        let found = request.pointer(pointer).and_then(Value::as_str);
        found.unwrap_or_default()
    };
    let [group, version, kind] = ["/kind/group", "/kind/version", "/kind/kind"].map(text);
    let sub_resource = text("/subResource");
    let is_pod = (group, version, kind) == ("", "v1", "Pod");
    let is_set = (group, version, kind) == ("leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet");
    if !is_pod && !is_set {
        let slash = if group.is_empty() { "" } else { "/" };
        return format!(
            "{group}{slash}{version} {kind} is neither a v1 Pod nor a leaderworkerset.x-k8s.io/v1 LeaderWorkerSet"
        );
    }
    if !sub_resource.is_empty() {
        return format!("it is about the subresource {sub_resource}");
    }
    format!("a {} changes no placement", text("/operation"))
}
