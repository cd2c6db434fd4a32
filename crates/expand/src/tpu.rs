//! The environment variables that LWS gives to containers which ask for TPUs.

use k8s_openapi::api::core::v1::EnvVar;
use serde_json::{Map, Value};

use crate::draft::{Draft, edit_list, value};
use crate::environment::{containers, names_it, variable};
use crate::names;
use crate::webhook::parent_and_ordinal;

const RESOURCE: &str = "google.com/tpu";
const HOSTNAMES: &str = "TPU_WORKER_HOSTNAMES";
const WORKER_ID: &str = "TPU_WORKER_ID";
const NAME: &str = "TPU_NAME";
const ADDRESSES: &str = "TPU_PROCESS_ADDRESSES";
const PORT: &str = "TPU_PROCESS_PORT";
const DEFAULT_PORT: usize = 8476;

/// The most pods of a slice that are listed. The largest slices have some 2,300 hosts; a list much longer than this
/// fits into no pod, and building it would only cost memory.
const MOST_HOSTS: i64 = 4096;

/// Whether a pod of this spec asks for TPUs.
pub(crate) fn requested(spec: &Map<String, Value>) -> bool {
    let lists = ["containers", "initContainers"]
        .into_iter()
        .filter_map(|kind| spec.get(kind)?.as_array());
    lists.flatten().any(container_requests)
}

fn container_requests(container: &Value) -> bool {
    let resources = container.get("resources");
    let amount = |kind: &str| resources?.get(kind)?.get(RESOURCE);
    ["limits", "requests"]
        .into_iter()
        .filter_map(amount)
        .any(more_than_zero)
}

/// Whether a quantity is more than nothing: some digit before its suffix or exponent is not 0.
fn more_than_zero(quantity: &Value) -> bool {
    match quantity {
        Value::Number(number) => number.as_f64().is_some_and(|number| number > 0.0),
        Value::String(text) => {
            let digits = text.trim_start_matches('+');
            let digits = digits
                .split(|letter: char| !letter.is_ascii_digit() && letter != '.')
                .next();
            digits.is_some_and(|digits| digits.bytes().any(|digit| matches!(digit, b'1'..=b'9')))
        }
        _ => false,
    }
}

/// Adds the variables, unless the first container that asks for TPUs has some of them already.
pub(crate) fn add_variables(pod: &mut Draft) {
    let mut asking: Vec<Value> = containers(pod)
        .filter(|container| container_requests(container))
        .map(take)
        .collect();
    if let Some(first) = asking.first()
        && own(first, HOSTNAMES).is_none()
        && own(first, WORKER_ID).is_none()
    {
        let slice = if pod.annotation(names::SUBGROUP_SIZE).is_some() {
            // With subgroups LWS serves one container only.
            Slice::of_subgroup(pod, asking_ports(&asking, 1))
        } else {
            Slice::of_group(pod, asking_ports(&asking, asking.len()))
        };
        if let Some(slice) = slice {
            slice.write(&mut asking);
        }
    }
    let slots = containers(pod).filter(|container| container.is_null());
    slots
        .zip(asking)
        .for_each(|(slot, container)| *slot = container);
}

/// Takes a container out of the pod, to be put back where the null is.
fn take(container: &mut Value) -> Value {
    container.take()
}

/// The ports of the first containers: their own, or else the default and on.
fn asking_ports(asking: &[Value], count: usize) -> Vec<String> {
    let port = |(position, container): (usize, &Value)| {
        own(container, PORT).map_or_else(|| (DEFAULT_PORT + position).to_string(), str::to_owned)
    };
    asking.iter().take(count).enumerate().map(port).collect()
}

/// The value of a container's own variable.
fn own<'a>(container: &'a Value, name: &str) -> Option<&'a str> {
    let entry = container
        .get("env")?
        .as_array()?
        .iter()
        .find(|entry| names_it(entry, name))?;
    Some(
        entry
            .get("value")
            .and_then(Value::as_str)
            .unwrap_or_default(),
    )
}

/// The pods and processes that work on one slice of TPUs together.
struct Slice {
    leader: String,
    hosts: Vec<String>,
    /// Of the pod's first process; the others count on.
    worker_id: i64,
    ports: Vec<String>,
}

impl Slice {
    /// The whole group is one slice.
    fn of_group(pod: &Draft, ports: Vec<String>) -> Option<Self> {
        let size = number(pod.annotation(names::SIZE))?;
        let (leader, worker) = leader_and_index(pod)?;
        let leader_takes_part = leads(pod) || leader_requests_tpus(pod);
        // Where the leader does not ask for TPUs the workers count from 0.
        let position = if leader_takes_part {
            worker
        } else {
            worker - 1
        };
        let worker_id = position.checked_mul(i64::try_from(ports.len()).ok()?)?;
        let hosts = hosts(
            &leader,
            leader_takes_part,
            1,
            size - 1,
            pod.spec_text("subdomain"),
        )?;
        Some(Self {
            leader,
            hosts,
            worker_id,
            ports,
        })
    }

    /// The pod's subgroup is the slice. A pod in none gets nothing: LWS refuses it.
    fn of_subgroup(pod: &Draft, ports: Vec<String>) -> Option<Self> {
        let size = number(pod.annotation(names::SUBGROUP_SIZE))?;
        let subgroup = number(pod.label(names::SUBGROUP_INDEX))?;
        let (leader, worker) = leader_and_index(pod)?;
        let leader_asks = leader_requests_tpus(pod);
        // LWS annotates workers only, so a leader counts as one that does not ask and gets the remainder of -1.
        let worker_id = if leader_asks { worker } else { worker - 1 }.checked_rem(size)?;
        let takes_part = leads(pod) || (leader_asks && subgroup == 0);
        let (first, last) = (size * subgroup + 1, size * (subgroup + 1));
        let (first, last) = match (takes_part, leader_asks) {
            // The leader has the first worker's place, and all others move up.
            (true, _) => (first, last - 1),
            (false, true) => (first - 1, last - 1),
            (false, false) => (first, last),
        };
        let hosts = hosts(&leader, takes_part, first, last, pod.spec_text("subdomain"))?;
        Some(Self {
            leader,
            hosts,
            worker_id,
            ports,
        })
    }

    fn write(&self, asking: &mut [Value]) {
        let each = |form: &dyn Fn(&str, &str) -> String| -> String {
            let pairs = self
                .hosts
                .iter()
                .flat_map(|host| self.ports.iter().map(move |port| (host, port)));
            pairs
                .map(|(host, port)| form(host, port))
                .collect::<Vec<_>>()
                .join(",")
        };
        let hostnames = each(&|host, _| host.to_owned());
        let addresses = each(&|host, port| format!("{host}:{port}"));
        for (worker_id, (container, port)) in
            (self.worker_id..).zip(asking.iter_mut().zip(&self.ports))
        {
            let has_port = own(container, PORT).is_some();
            let mut variables: Vec<EnvVar> = vec![
                variable(HOSTNAMES, &*hostnames),
                variable(WORKER_ID, worker_id.to_string()),
                variable(NAME, &*self.leader),
                variable(ADDRESSES, &*addresses),
            ];
            if !has_port {
                variables.push(variable(PORT, port));
            }
            if let Value::Object(fields) = container {
                edit_list(fields, "env", |env| env.extend(variables.iter().map(value)));
            }
        }
    }
}

fn leads(pod: &Draft) -> bool {
    pod.label(names::WORKER_INDEX) == Some("0")
}

fn leader_requests_tpus(pod: &Draft) -> bool {
    pod.annotation(names::LEADER_REQUESTS_TPUS) == Some("true")
}

/// The leader's name and the pod's index in the group.
fn leader_and_index(pod: &Draft) -> Option<(String, i64)> {
    if leads(pod) {
        return Some((pod.name().to_owned(), 0));
    }
    parent_and_ordinal(pod.name()).map(|(leader, worker)| (leader.to_owned(), worker))
}

/// A number of a label or annotation, within Go's int32; products of two still fit.
fn number(text: Option<&str>) -> Option<i64> {
    text?.parse::<i32>().ok().map(i64::from)
}

/// The hosts of a slice: the leader's if it takes part, and the workers' from `first` to `last`.
fn hosts(
    leader: &str,
    with_leader: bool,
    first: i64,
    last: i64,
    subdomain: &str,
) -> Option<Vec<String>> {
    if last - first >= MOST_HOSTS {
        return None;
    }
    let leader_host = with_leader.then(|| format!("{leader}.{subdomain}"));
    let worker_hosts = (first..=last).map(|worker| format!("{leader}-{worker}.{subdomain}"));
    Some(leader_host.into_iter().chain(worker_hosts).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn asks(resources: Value) -> bool {
        container_requests(&json!({"name": "main", "resources": resources}))
    }

    #[test]
    fn a_limit_or_a_request_above_zero_asks_for_tpus() {
        for some in [
            json!(4),
            json!("4"),
            json!("0.5"),
            json!("1k"),
            json!("+2e0"),
            json!("100m"),
        ] {
            assert!(asks(json!({"limits": {RESOURCE: some}})), "{some}");
            assert!(
                asks(json!({"requests": {RESOURCE: some}, "limits": {RESOURCE: "0"}})),
                "{some}"
            );
        }
        for none in [
            json!(0),
            json!("0"),
            json!("0e9"),
            json!("0.00k"),
            json!(""),
            json!(null),
            json!([4]),
            json!("-"),
        ] {
            assert!(!asks(json!({"limits": {RESOURCE: none}})), "{none}");
        }
        assert!(!asks(json!(null)));
        assert!(!asks(json!({"limits": {"nvidia.com/gpu": 4}})));
    }

    #[test]
    fn a_list_longer_than_any_slice_is_not_built() {
        assert_eq!(
            hosts("a-0", true, 1, MOST_HOSTS, "a").map(|hosts| hosts.len()),
            Some(4097)
        );
        assert_eq!(hosts("a-0", true, 1, MOST_HOSTS + 1, "a"), None);
    }
}
