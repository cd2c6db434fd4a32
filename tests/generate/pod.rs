//! Pods of sets, as LWS makes them, with specs that people and other webhooks have written to.

use lws_expand::{Form, LeaderWorkerSet};
use serde_json::{Value, json};

use super::affinity;
use super::json::Json;
use super::random::Random;

/// A member of a replica.
#[derive(Clone, Debug)]
pub struct Member {
    pub namespace: String,
    pub leader: String,
    pub is_leader: bool,
    pub pod: Value,
}

/// Any member of one of the first replicas, in a form.
pub fn member(random: &mut Random, set: &Value, form: Form) -> Member {
    let replica = random.below(8);
    let expanded = LeaderWorkerSet::from_value(set).unwrap();
    let worker = random.below(usize::try_from(expanded.size()).unwrap());
    member_of(set, replica, worker, form)
}

/// The member of a replica with this index; 0 is the leader.
pub fn member_of(set: &Value, replica: usize, worker: usize, form: Form) -> Member {
    let set = LeaderWorkerSet::from_value(set).unwrap();
    let replica = set.replica(u64::try_from(replica).unwrap());
    let pod = match worker {
        0 => replica.leader(form),
        _ => replica.worker(u64::try_from(worker).unwrap(), form),
    };
    Member {
        namespace: set.namespace().unwrap_or_default().to_owned(),
        leader: replica.leader_name().to_owned(),
        is_leader: worker == 0,
        pod,
    }
}

/// What people and webhooks have written into the spec. `keys` are the policy's, `labels` those of them that nodes are
/// selected by, `values` the replica's and others.
pub fn decorate(
    random: &mut Random,
    pod: &mut Json,
    keys: &[String],
    labels: &[String],
    values: &[String],
) {
    let spec = pod.at("spec");
    if random.once_in(2) {
        let selector = selector(random, labels, values);
        spec.scatter(random, "nodeSelector", selector);
    }
    if random.once_in(2) {
        let tolerations = tolerations(random, keys, values);
        spec.scatter(random, "tolerations", tolerations);
    }
    if random.once_in(4) {
        let required = affinity::required(random, labels, values);
        spec.scatter(random, "affinity", required);
    }
    if random.once_in(3) {
        let odd = odd(random);
        spec.scatter(random, "futureKnob", odd);
    }
}

fn selector(random: &mut Random, keys: &[String], values: &[String]) -> Json {
    let mut selector = json!({});
    match random.below(5) {
        0 => return Json::Raw("null".to_owned()),
        1 => {}
        2 => selector["disk"] = json!("ssd"),
        _ => {
            selector["disk"] = json!("ssd");
            if !keys.is_empty() {
                selector[random.pick(keys)] = json!(random.pick(values));
            }
        }
    }
    Json::from(selector)
}

fn tolerations(random: &mut Random, keys: &[String], values: &[String]) -> Json {
    if random.once_in(6) {
        return Json::Raw("null".to_owned());
    }
    let list = (0..random.below(4)).map(|_| toleration(random, keys, values));
    Json::List(list.map(Json::from).collect())
}

/// A toleration that the API server accepts.
pub fn toleration(random: &mut Random, keys: &[String], values: &[String]) -> Value {
    let key = match keys.is_empty() || random.once_in(3) {
        true => "nvidia.com/gpu",
        false => random.pick(keys).as_str(),
    };
    let mut toleration = match random.below(6) {
        0 if random.once_in(4) => json!({"operator": "Exists"}),
        0 => json!({"key": key, "operator": "Exists"}),
        1 => json!({"key": key, "value": random.pick(values)}),
        2 => json!({"key": key, "operator": "Gt", "value": "3"}),
        _ => json!({"key": key, "operator": "Equal", "value": random.pick(values)}),
    };
    match random.below(5) {
        0 => toleration["effect"] = json!("NoSchedule"),
        1 => toleration["effect"] = json!("PreferNoSchedule"),
        2 => {
            toleration["effect"] = json!("NoExecute");
            if random.once_in(2) {
                toleration["tolerationSeconds"] = json!(300);
            }
        }
        3 => toleration["effect"] = json!(""),
        _ => {}
    }
    toleration
}

/// Things that no type knows, spelt as nobody would.
pub fn odd(random: &mut Random) -> Json {
    let odd = [
        r#"1e400"#,
        r#"-0"#,
        r#"9007199254740993"#,
        r#"18446744073709551616"#,
        r#"1.0"#,
        r#""\u0000""#,
        r#""\ud83c\udf49""#,
        r#""🍉""#,
        r#"{"a":1,"a":2}"#,
        r#"{"z":[],"a":{}}"#,
        r#""\/\b\f""#,
        r#"[[[[[[null]]]]]]"#,
    ];
    Json::Raw((*random.pick(&odd)).to_owned())
}
