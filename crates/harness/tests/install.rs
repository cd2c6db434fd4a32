//! The manifests that put the policy on a cluster: Kubewarden takes them, the policy takes their settings, and they ask
//! for the requests that the policy's metadata name.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed set-up fails the test"
)]

use k8s_openapi::api::admissionregistration::v1::RuleWithOperations;
use k8s_openapi::api::core::v1::EnvVar;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kubewarden_policy_sdk::crd::policies::admission_policy::{
    AdmissionPolicy, AdmissionPolicySpec,
};
use kubewarden_policy_sdk::crd::policies::cluster_admission_policy::{
    ClusterAdmissionPolicy, ClusterAdmissionPolicySpec,
};
use kubewarden_policy_sdk::crd::policies::common::{BackgroundAudit, FailurePolicy, PolicyMode};
use lws_placement::engine::Module;
use lws_placement::evaluator::Evaluator;
use lws_placement::metadata::Metadata;
use lws_placement::policies::{Action, Chain, Files, Namespaces, setup};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn folder() -> PathBuf {
    root().join("examples/install")
}

/// The policy; `LWS_PLACEMENT_POLICY` names another than `make annotated-policy.wasm` builds.
fn module() -> Module {
    let path = std::env::var_os("LWS_PLACEMENT_POLICY")
        .map_or_else(|| root().join("annotated-policy.wasm"), PathBuf::from);
    Module::load(&path).expect("make annotated-policy.wasm builds the policy")
}

fn documents(name: &str) -> Vec<Value> {
    let text = std::fs::read(folder().join(name)).unwrap();
    let documents = lws_manifest::read(text).into_iter();
    documents
        .map(|document| document.expect(name).value)
        .collect()
}

/// Reads a manifest as a type. That no field is lost on the way is checked by writing it again.
fn typed<T: DeserializeOwned + serde::Serialize>(name: &str, value: &Value) -> T {
    let typed: T =
        serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let written = serde_json::to_value(&typed).unwrap();
    kept(name, value, &written);
    typed
}

/// Every field of `value` is in `written` as it was.
fn kept(at: &str, value: &Value, written: &Value) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                kept(
                    &format!("{at}.{key}"),
                    value,
                    written.get(key).unwrap_or(&Value::Null),
                );
            }
        }
        value => assert_eq!(value, written, "{at}"),
    }
}

/// The policies of a file in Kubewarden's own types; an AdmissionPolicy's spec in the fields that both have.
struct Installed {
    name: String,
    kind: &'static str,
    mutating: bool,
    mode: PolicyMode,
    failure: FailurePolicy,
    timeout: i32,
    audit: BackgroundAudit,
    server: String,
    module: String,
    rules: Vec<RuleWithOperations>,
    selector: Value,
    settings: Value,
}

impl Installed {
    fn read(file: &str, value: &Value) -> Self {
        match value.get("kind").and_then(Value::as_str) {
            Some("ClusterAdmissionPolicy") => {
                let policy: ClusterAdmissionPolicy = typed(file, value);
                Self::cluster(policy.metadata.name.unwrap(), policy.spec.unwrap())
            }
            Some("AdmissionPolicy") => {
                let policy: AdmissionPolicy = typed(file, value);
                assert_eq!(policy.metadata.namespace.as_deref(), Some("team-a"));
                Self::namespaced(policy.metadata.name.unwrap(), policy.spec.unwrap())
            }
            kind => panic!("{file} holds {kind:?}"),
        }
    }

    fn cluster(name: String, spec: ClusterAdmissionPolicySpec) -> Self {
        assert_eq!(spec.namespace_selector, None);
        assert!(spec.context_aware_resources.is_empty());
        Self {
            name,
            kind: "ClusterAdmissionPolicy",
            mutating: spec.mutating,
            mode: spec.mode.unwrap(),
            failure: spec.failure_policy.unwrap(),
            timeout: spec.timeout_seconds.unwrap().into(),
            audit: spec.background_audit.unwrap(),
            server: spec.policy_server,
            module: spec.module,
            rules: spec.rules.unwrap(),
            selector: json!(spec.object_selector),
            settings: spec.settings.0,
        }
    }

    fn namespaced(name: String, spec: AdmissionPolicySpec) -> Self {
        Self {
            name,
            kind: "AdmissionPolicy",
            mutating: spec.mutating,
            mode: spec.mode.unwrap(),
            failure: spec.failure_policy.unwrap(),
            timeout: spec.timeout_seconds.unwrap().into(),
            audit: spec.background_audit.unwrap(),
            server: spec.policy_server,
            module: spec.module,
            rules: spec.rules.unwrap(),
            selector: json!(spec.object_selector),
            settings: spec.settings.0,
        }
    }

    fn validates(&self) -> bool {
        self.settings.get("action") == Some(&json!("Validate"))
    }

    fn is_for_pods(&self) -> bool {
        self.rules
            .iter()
            .any(|rule| rule.resources == Some(vec!["pods".to_owned()]))
    }
}

const CLUSTER: [&str; 4] = [
    "pods.yaml",
    "leaderworkersets.yaml",
    "pods-validate.yaml",
    "leaderworkersets-validate.yaml",
];

fn installed() -> Vec<Installed> {
    let files = CLUSTER.into_iter().chain(["one-namespace.yaml"]);
    files
        .flat_map(|file| {
            documents(file)
                .into_iter()
                .map(move |value| Installed::read(file, &value))
        })
        .collect()
}

#[test]
fn kubewarden_takes_every_policy() {
    let found: Vec<_> = installed()
        .iter()
        .map(|policy| (policy.kind, policy.name.clone()))
        .collect();
    let expected = [
        ("ClusterAdmissionPolicy", "lws-replica-placement-pods"),
        ("ClusterAdmissionPolicy", "lws-replica-placement-sets"),
        (
            "ClusterAdmissionPolicy",
            "lws-replica-placement-pods-validate",
        ),
        (
            "ClusterAdmissionPolicy",
            "lws-replica-placement-sets-validate",
        ),
        ("AdmissionPolicy", "lws-replica-placement-pods"),
        ("AdmissionPolicy", "lws-replica-placement-sets"),
    ];
    assert_eq!(found, expected.map(|(kind, name)| (kind, name.to_owned())));
}

#[test]
fn the_policy_takes_their_settings_and_they_are_the_same_but_for_the_action() {
    let module = module();
    let mut without_action = Vec::new();
    for policy in installed() {
        let answer = module.validate_settings(&policy.settings).unwrap();
        assert!(answer.valid, "{}: {:?}", policy.name, answer.message);
        let mut settings = policy.settings.clone();
        let action = settings.as_object_mut().unwrap().remove("action");
        assert!(
            action.is_some(),
            "{}: the action is written out",
            policy.name
        );
        without_action.push(settings);
    }
    assert!(
        without_action
            .windows(2)
            .all(|pair| pair.first() == pair.last())
    );
    // The settings of the examples.
    let text = std::fs::read(root().join("examples/settings.yaml")).unwrap();
    let example = lws_manifest::read(text).remove(0).unwrap().value;
    assert_eq!(without_action.first(), Some(&example));
}

#[test]
fn their_rules_are_those_of_the_metadata() {
    let text = std::fs::read(root().join("policy-metadata.yml")).unwrap();
    let metadata =
        Metadata::from_value(&lws_manifest::read(text).remove(0).unwrap().value).unwrap();
    let wanted: Vec<Value> = metadata.rules.iter().map(|rule| json!(rule)).collect();
    for policy in installed() {
        // A policy for each rule: only then can pods be chosen by their label.
        let [rule] = policy.rules.as_slice() else {
            panic!("{} has {} rules", policy.name, policy.rules.len())
        };
        let index = wanted.iter().position(|wanted| *wanted == json!(rule));
        let index =
            index.unwrap_or_else(|| panic!("{}: {rule:?} is not in the metadata", policy.name));
        assert_eq!(policy.is_for_pods(), index == 0, "{}", policy.name);
    }
    assert!(metadata.mutating);
}

#[test]
fn what_injects_may_mutate_and_must_be_there_and_its_twin_may_be_away() {
    for policy in installed() {
        let name = &policy.name;
        assert_eq!(policy.mutating, !policy.validates(), "{name}");
        assert_eq!(policy.mode, PolicyMode::Protect, "{name}");
        let (failure, audit) = if policy.validates() {
            (FailurePolicy::Ignore, json!(true))
        } else {
            (FailurePolicy::Fail, json!(false))
        };
        assert_eq!(policy.failure, failure, "{name}");
        assert_eq!(json!(policy.audit), audit, "{name}");
        // The policy server gives up an evaluation after two seconds; the API server waits for at most thirty.
        assert!(
            (3..=10).contains(&policy.timeout),
            "{name}: {}",
            policy.timeout
        );
        assert_eq!(policy.server, "lws-replica-placement", "{name}");
        assert!(policy.module.starts_with("registry://"), "{name}");
        let label = json!({"matchExpressions": [{"key": "leaderworkerset.sigs.k8s.io/name", "operator": "Exists"}]});
        let selector = if policy.is_for_pods() {
            label
        } else {
            Value::Null
        };
        assert_eq!(policy.selector, selector, "{name}");
    }
}

/// The fields of a PolicyServer that an installation uses (kubewarden-controller, `api/policies/v1`). The SDK has no type
/// for it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PolicyServerSpec {
    image: String,
    replicas: i32,
    min_available: Option<IntOrString>,
    #[serde(default)]
    env: Vec<EnvVar>,
    #[serde(default)]
    affinity: Option<k8s_openapi::api::core::v1::Affinity>,
}

#[test]
fn the_policy_server_is_their_own_and_stays_up_while_a_node_is_drained() {
    let [server] = documents("policy-server.yaml").try_into().unwrap();
    let text = |pointer| server.pointer(pointer).and_then(Value::as_str);
    assert_eq!(text("/apiVersion"), Some("policies.kubewarden.io/v1"));
    assert_eq!(text("/kind"), Some("PolicyServer"));
    let name = text("/metadata/name").unwrap();
    assert!(installed().iter().all(|policy| policy.server == name));
    let spec: PolicyServerSpec =
        serde_json::from_value(server.pointer("/spec").unwrap().clone()).unwrap();
    // Image and replicas are required; a tag is a version, so that nothing changes by itself.
    let tag = spec.image.rsplit_once(':').unwrap().1;
    assert!(tag.starts_with('v') && tag.split('.').count() == 3, "{tag}");
    let Some(IntOrString::Int(available)) = spec.min_available else {
        panic!("minAvailable is a number")
    };
    assert!((1..spec.replicas).contains(&available));
    assert!(spec.env.iter().all(|variable| variable.value.is_some()));
    // Replicas on one node would go away together.
    let affinity = spec
        .affinity
        .and_then(|affinity| affinity.pod_anti_affinity)
        .unwrap();
    let terms = affinity
        .preferred_during_scheduling_ignored_during_execution
        .unwrap();
    let selects: Vec<BTreeMap<String, String>> = terms
        .into_iter()
        .filter_map(|term| term.pod_affinity_term.label_selector?.match_labels)
        .collect();
    let app = format!("kubewarden-policy-server-{name}");
    let own = BTreeMap::from([("app".to_owned(), app)]);
    assert_eq!(selects, [own]);
}

#[test]
fn the_kustomization_names_the_files_that_are_there() {
    let [kustomization] = documents("kustomization.yaml").try_into().unwrap();
    let Value::Object(map) = &kustomization else {
        panic!("no map")
    };
    let fields: Vec<&str> = map.keys().map(String::as_str).collect();
    assert_eq!(fields, ["apiVersion", "kind", "resources"]);
    assert_eq!(
        map.get("apiVersion"),
        Some(&json!("kustomize.config.k8s.io/v1beta1"))
    );
    assert_eq!(map.get("kind"), Some(&json!("Kustomization")));
    let resources: Vec<String> =
        serde_json::from_value(map.get("resources").unwrap().clone()).unwrap();
    for resource in &resources {
        assert!(folder().join(resource).is_file(), "{resource}");
    }
    let mut all: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "kustomization.yaml" && name != "one-namespace.yaml")
        .collect();
    let mut listed = resources;
    all.sort();
    listed.sort();
    assert_eq!(listed, all, "all but the manifest for one namespace");
    // kustomize refuses two objects of one kind and name.
    let mut ids: Vec<String> = listed
        .iter()
        .flat_map(|file| documents(file))
        .map(|value| {
            format!(
                "{} {}",
                value.get("kind").unwrap(),
                value.pointer("/metadata/name").unwrap()
            )
        })
        .collect();
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!((ids.len(), count), (5, 5));
}

#[test]
fn they_can_work_together_and_are_called_in_this_order() {
    let mut files = Files::default();
    for file in CLUSTER.into_iter().chain([
        "one-namespace.yaml",
        "policy-server.yaml",
        "kustomization.yaml",
    ]) {
        files.take(&folder().join(file)).unwrap();
    }
    assert_eq!((files.faults, files.notes), (vec![], vec![]));
    assert_eq!(setup::faults(&files.policies), []);
    assert_eq!(setup::notes(&files.policies), []);
    let chain = Chain::new(files.policies, Namespaces::default()).unwrap();
    let order: Vec<_> = chain
        .policies()
        .map(|policy| {
            (
                policy.webhook(),
                policy.action() == Action::Inject,
                policy.is_before_lws(),
            )
        })
        .collect();
    assert_eq!(
        order,
        [
            ("clusterwide-lws-replica-placement-pods", true, true),
            ("clusterwide-lws-replica-placement-sets", true, true),
            ("namespaced-team-a-lws-replica-placement-pods", true, false),
            ("namespaced-team-a-lws-replica-placement-sets", true, false),
            (
                "clusterwide-lws-replica-placement-pods-validate",
                false,
                false
            ),
            (
                "clusterwide-lws-replica-placement-sets-validate",
                false,
                false
            ),
        ]
    );
}
