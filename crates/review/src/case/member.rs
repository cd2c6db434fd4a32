//! The shorthand for a request about a pod of a replica.

use super::pointer::{merge, null_all, remove_all};
use crate::problem::Problem;
use crate::request::Request;
use lws_expand::{Form, LeaderWorkerSet};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A pod of a replica, and how it differs from the one that LWS would make.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Member {
    /// The set's name.
    set: String,
    /// Its namespace.
    namespace: String,
    /// Its replicas.
    replicas: u64,
    /// Pods a replica.
    size: u64,
    /// The replica's index; one at or over `replicas` is there during a surge.
    replica: u64,
    /// The worker's index, from 1; absent: the leader.
    worker: Option<u64>,
    /// Whether LWS's own mutating webhook has run.
    webhook: Webhook,
    /// What is done to the pod.
    operation: Operation,
    /// Whether it is a dry run.
    dry_run: bool,
    /// Merged into the pod, and into the old pod.
    pod: Option<Map<String, Value>>,
    /// Removed after that.
    pod_remove: Vec<String>,
    /// Set to null after that.
    pod_nulls: Vec<String>,
    /// Merged into the old pod after that.
    old_pod: Option<Map<String, Value>>,
    /// Removed from the old pod after that.
    old_pod_remove: Vec<String>,
    /// Merged into the new pod after that.
    new_pod: Option<Map<String, Value>>,
    /// Removed from the new pod after that.
    new_pod_remove: Vec<String>,
}

/// When the policy runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Webhook {
    #[default]
    Before,
    After,
}

/// What is done to the pod.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Operation {
    #[default]
    Create,
    Update,
}

impl Default for Member {
    fn default() -> Self {
        Self {
            set: "fruit".to_owned(),
            namespace: "red".to_owned(),
            replicas: 2,
            size: 4,
            replica: 0,
            worker: None,
            webhook: Webhook::Before,
            operation: Operation::Create,
            dry_run: false,
            pod: None,
            pod_remove: Vec::new(),
            pod_nulls: Vec::new(),
            old_pod: None,
            old_pod_remove: Vec::new(),
            new_pod: None,
            new_pod_remove: Vec::new(),
        }
    }
}

impl Member {
    /// The request that the API server would send.
    ///
    /// # Errors
    /// LWS would not make such a pod, or a pointer points at nothing.
    pub fn request(&self) -> Result<Request, Problem> {
        let update = self.operation == Operation::Update;
        self.only_on_update(update)?;
        let mut object = self.expand()?;
        merge(&mut object, self.pod.as_ref());
        remove_all(&mut object, &self.pod_remove, "/member/podRemove")?;
        null_all(&mut object, &self.pod_nulls, "/member/podNulls")?;
        let mut old = object.clone();
        merge(&mut old, self.old_pod.as_ref());
        remove_all(&mut old, &self.old_pod_remove, "/member/oldPodRemove")?;
        merge(&mut object, self.new_pod.as_ref());
        remove_all(&mut object, &self.new_pod_remove, "/member/newPodRemove")?;

        let kind = json!({"group": "", "version": "v1", "kind": "Pod"});
        let resource = json!({"group": "", "version": "v1", "resource": "pods"});
        let mut request = json!({
            "uid": "00000000-0000-4000-8000-000000000000",
            "kind": kind,
            "resource": resource,
            "requestKind": kind,
            "requestResource": resource,
            "namespace": self.namespace,
            "operation": if update { "UPDATE" } else { "CREATE" },
            "userInfo": {"username": "system:serviceaccount:kube-system:statefulset-controller"},
            "object": object,
            "dryRun": self.dry_run,
        });
        // A pod that is yet to be named has no name in its request either.
        let name = object
            .pointer("/metadata/name")
            .filter(|name| name.is_string());
        if let (Value::Object(map), Some(name)) = (&mut request, name) {
            map.insert("name".to_owned(), name.clone());
        }
        if let (Value::Object(map), true) = (&mut request, update) {
            map.insert("oldObject".to_owned(), old);
        }
        Ok(Request::verbatim(request))
    }

    /// Refuses what would silently do nothing.
    fn only_on_update(&self, update: bool) -> Result<(), Problem> {
        let given = [
            ("oldPod", self.old_pod.is_some()),
            ("oldPodRemove", !self.old_pod_remove.is_empty()),
            ("newPod", self.new_pod.is_some()),
            ("newPodRemove", !self.new_pod_remove.is_empty()),
        ];
        match given.into_iter().find(|(_, given)| *given && !update) {
            Some((field, _)) => Err(Problem::new(
                &format!("/member/{field}"),
                "is for an UPDATE".to_owned(),
                "give \"operation: UPDATE\", or use \"pod\"",
            )),
            None => Ok(()),
        }
    }

    /// The pod as LWS makes it.
    fn expand(&self) -> Result<Value, Problem> {
        let set = json!({
            "apiVersion": "leaderworkerset.x-k8s.io/v1",
            "kind": "LeaderWorkerSet",
            "metadata": {"name": self.set, "namespace": self.namespace},
            "spec": {
                "replicas": self.replicas,
                "leaderWorkerTemplate": {
                    "size": self.size,
                    "workerTemplate": {"spec": {
                        "containers": [{"name": "main", "image": "registry.example/serve:1"}],
                    }},
                },
            },
        });
        let set = LeaderWorkerSet::from_value(&set).map_err(|error| {
            Problem::new(
                "/member",
                format!("is no LeaderWorkerSet: {error}"),
                "correct it",
            )
        })?;
        let form = match self.webhook {
            Webhook::Before => Form::BeforeWebhook,
            Webhook::After => Form::AfterWebhook,
        };
        let replica = set.replica(self.replica);
        match self.worker {
            None => Ok(replica.leader(form)),
            Some(worker) if (1..self.size).contains(&worker) => Ok(replica.worker(worker, form)),
            Some(worker) => Err(Problem::new(
                "/member/worker",
                format!(
                    "is {worker}, but a replica of {} has workers 1 to {}",
                    self.size,
                    self.size.saturating_sub(1)
                ),
                "give one of them, or a larger \"size\"",
            )),
        }
    }
}
