//! LeaderWorkerSets.

use serde_json::{Value, json};

use super::random::Random;
use super::settings;

/// A set that LWS itself accepts. Its name may be long, its leaders' names overlong.
pub fn valid(random: &mut Random, dots: bool) -> Value {
    let name = match random.below(6) {
        0 => "f".repeat(36 + random.below(4)),
        1 => "f".repeat(45 + random.below(18)),
        _ => (*random.pick(&["fruit", "f", "vllm-0"])).to_owned(),
    };
    let size = 1 + random.below(6);
    let mut template = json!({"size": size, "workerTemplate": pod_template(random, dots)});
    if random.once_in(2) {
        template["leaderTemplate"] = pod_template(random, dots);
    }
    let sizes: Vec<usize> = (1..=size)
        .filter(|sub| size.is_multiple_of(*sub) || (size - 1).is_multiple_of(*sub))
        .collect();
    if random.once_in(3) {
        let sub = *random.pick(&sizes);
        let mut policy = json!({"subGroupSize": sub});
        if (size - 1).is_multiple_of(sub) && size > 1 && random.once_in(2) {
            policy["type"] = json!("LeaderExcluded");
        }
        template["subGroupPolicy"] = policy;
    }
    if random.once_in(3) {
        template["restartPolicy"] =
            json!(random.pick(&["None", "Default", "RecreateGroupOnPodRestart"]));
    }
    let mut set = json!({
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": name, "namespace": random.pick(&["red", "blue"])},
        "spec": {"replicas": 2 + random.below(3), "leaderWorkerTemplate": template},
    });
    if random.once_in(3) {
        set["metadata"]["annotations"] = settings::annotations(random, dots);
    }
    if random.once_in(8) {
        set["metadata"]["annotations"]["leaderworkerset.sigs.k8s.io/exclusive-topology"] =
            json!(random.pick(&["rack", "pool.test/group"]));
    }
    if random.once_in(6) {
        set["spec"]["rolloutStrategy"] = json!({"type": "RollingUpdate", "rollingUpdateConfiguration":
            {"maxUnavailable": 1, "maxSurge": random.pick(&[json!(1), json!("25%"), json!("100%")])}});
    }
    set
}

fn pod_template(random: &mut Random, dots: bool) -> Value {
    let mut template =
        json!({"spec": {"containers": [{"name": "main", "image": "registry.example/serve:1"}]}});
    match random.below(4) {
        0 => template["metadata"] = json!({"annotations": settings::annotations(random, dots)}),
        1 => template["metadata"] = json!({"labels": {"app": "serve"}}),
        _ => {}
    }
    template
}
