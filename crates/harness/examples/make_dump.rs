//! Writes a made-up cluster's dump to standard output, for measuring: sets with replicas on nodes of their own,
//! DaemonSet pods on every node, and now and then something wrong. The same arguments give the same bytes.
//!
//! ```sh
//! cargo run --release -p lws-placement --example make_dump -- --sets 200 > dump.yaml
//! ```

use clap::{Parser, ValueEnum};
use lws_expand::{Form, LeaderWorkerSet};
use serde_json::{Value, json};
use std::io::{self, BufWriter, Write};

/// The key that the made-up cluster places by.
const KEY: &str = "compact-placement-group";

/// Every this many replicas something is wrong, each time something else.
const FAULTY: u64 = 101;

/// Write a made-up cluster's dump
#[derive(Debug, Parser)]
struct Args {
    /// LeaderWorkerSets
    #[arg(long, default_value_t = 200)]
    sets: u64,

    /// Replicas of each
    #[arg(long, default_value_t = 25)]
    replicas: u64,

    /// Pods of each replica
    #[arg(long, default_value_t = 16)]
    size: u64,

    /// Pods of a replica on one node
    #[arg(long, default_value_t = 8)]
    pods_per_node: u64,

    /// DaemonSet pods on each node
    #[arg(long, default_value_t = 2)]
    daemons: u64,

    /// Bytes by which each container's environment is filled up, as real ones are
    #[arg(long, default_value_t = 4_000)]
    filling: usize,

    /// How the dump is written
    #[arg(long, value_enum, default_value_t = Format::Yaml)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// As `kubectl get -o yaml` does
    Yaml,
    /// As `kubectl get -o json` does
    Json,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = Args::parse();
    let out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut list = List::begin(out, args.format)?;
    let sets: Vec<Value> = (0..args.sets).map(|number| set(&args, number)).collect();
    for set in &sets {
        list.item(set)?;
    }
    // Where one is wrong it is so for nodes too, so both are made from the same numbers.
    for (number, set) in (0..).zip(&sets) {
        let set = LeaderWorkerSet::from_value(set)?;
        for replica in 0..args.replicas {
            let place = Place::new(&args, number, replica);
            for member in set.replica(replica).pods(Form::AfterWebhook) {
                list.item(&place.member(member.pod, member.worker_index))?;
            }
            for node in place.nodes() {
                for daemon in 0..args.daemons {
                    list.item(&place.daemon(node, daemon))?;
                }
            }
            if place.fault == Some(Fault::Stranger) {
                list.item(&place.stranger())?;
            }
        }
    }
    for number in 0..args.sets {
        for replica in 0..args.replicas {
            let place = Place::new(&args, number, replica);
            for node in place.nodes() {
                list.item(&place.node(node))?;
            }
        }
    }
    for namespace in 0..=args.sets / 10 {
        list.item(&json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": format!("team-{namespace}")}}))?;
    }
    list.end()?;
    Ok(())
}

/// Ten sets share a namespace; their names differ, so their values do.
fn set(args: &Args, number: u64) -> Value {
    let filling = "x".repeat(80);
    let env: Vec<Value> = (0..args.filling / 120)
        .map(|n| json!({"name": format!("SETTING_{n}"), "value": filling}))
        .collect();
    let template = json!({"spec": {
        "containers": [{
            "name": "vllm",
            "image": "vllm/vllm-openai:latest",
            "command": ["sh", "-c"],
            "args": ["vllm serve /models/large --distributed-executor-backend ray --tensor-parallel-size 8"],
            "env": env,
            "ports": [{"containerPort": 8000, "name": "http", "protocol": "TCP"}],
            "resources": {"limits": {"nvidia.com/gpu": "8"}, "requests": {"nvidia.com/gpu": "8"}},
            "volumeMounts": [{"mountPath": "/dev/shm", "name": "shm"}],
        }],
        "volumes": [{"emptyDir": {"medium": "Memory"}, "name": "shm"}],
    }});
    json!({
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": format!("model-{number}"), "namespace": format!("team-{}", number / 10)},
        "spec": {
            "replicas": args.replicas,
            "leaderWorkerTemplate": {"size": args.size, "workerTemplate": template},
        },
        "status": {"readyReplicas": args.replicas, "replicas": args.replicas},
    })
}

/// What may be wrong with a replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Stranger,
    Untainted,
    Foreign,
    WithoutPlacement,
    Pending,
}

/// A replica and where it runs.
struct Place {
    namespace: String,
    leader: String,
    serial: u64,
    node_count: u64,
    pods_per_node: u64,
    fault: Option<Fault>,
}

impl Place {
    fn new(args: &Args, set: u64, replica: u64) -> Self {
        let serial = set * args.replicas + replica;
        let faults = [
            Fault::Stranger,
            Fault::Untainted,
            Fault::Foreign,
            Fault::WithoutPlacement,
            Fault::Pending,
        ];
        let fault = usize::try_from(serial / FAULTY).ok();
        let fault = fault.and_then(|number| faults.get(number % faults.len()).copied());
        Self {
            namespace: format!("team-{}", set / 10),
            leader: format!("model-{set}-{replica}"),
            serial,
            node_count: args.size.div_ceil(args.pods_per_node),
            pods_per_node: args.pods_per_node,
            fault: fault.filter(|_| serial % FAULTY == FAULTY - 1),
        }
    }

    fn nodes(&self) -> std::ops::Range<u64> {
        0..self.node_count
    }

    fn node_name(&self, node: u64) -> String {
        format!("node-{:06}", self.serial * self.node_count + node)
    }

    fn member(&self, mut pod: Value, worker: u64) -> Value {
        let is_last = worker + 1 == self.node_count * self.pods_per_node;
        let fault = self.fault.filter(|_| is_last);
        let mut node = self.node_name(worker / self.pods_per_node);
        if fault == Some(Fault::Foreign) {
            // The replica before has its node next door.
            node = format!("node-{:06}", self.serial * self.node_count - 1);
        }
        let pending = fault == Some(Fault::Pending);
        if let Some(spec) = pod.get_mut("spec").and_then(Value::as_object_mut) {
            if fault != Some(Fault::WithoutPlacement) {
                spec.insert("nodeSelector".into(), json!({KEY: self.leader}));
                spec.insert("tolerations".into(), json!([
                    {"effect": "NoSchedule", "key": KEY, "operator": "Equal", "value": self.leader},
                    {"effect": "NoExecute", "key": "node.kubernetes.io/not-ready", "operator": "Exists", "tolerationSeconds": 300},
                ]));
            }
            if !pending {
                spec.insert("nodeName".into(), node.into());
            }
        }
        if let Some(pod) = pod.as_object_mut() {
            pod.insert("apiVersion".into(), "v1".into());
            pod.insert("kind".into(), "Pod".into());
            pod.insert("status".into(), status(!pending));
        }
        if let Some(metadata) = pod.get_mut("metadata").and_then(Value::as_object_mut) {
            metadata.insert("namespace".into(), self.namespace.clone().into());
        }
        pod
    }

    fn daemon(&self, node: u64, number: u64) -> Value {
        let name = self.node_name(node);
        json!({
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": format!("agent-{number}-{name}"),
                "namespace": "kube-system",
                "ownerReferences": [{"apiVersion": "apps/v1", "controller": true, "kind": "DaemonSet", "name": format!("agent-{number}"), "uid": "0"}],
            },
            "spec": {
                "nodeName": name,
                "containers": [{"image": "agent:1", "name": "agent"}],
                "volumes": [{"hostPath": {"path": "/var/log", "type": "Directory"}, "name": "logs"}],
            },
            "status": status(true),
        })
    }

    fn stranger(&self) -> Value {
        json!({
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": format!("notebook-{}", self.serial), "namespace": "research"},
            "spec": {"nodeName": self.node_name(0), "containers": [{"image": "notebook:1", "name": "notebook"}]},
            "status": status(true),
        })
    }

    fn node(&self, node: u64) -> Value {
        let name = self.node_name(node);
        let taints = match self.fault {
            Some(Fault::Untainted) => json!([]),
            _ => json!([{"effect": "NoSchedule", "key": KEY, "value": self.leader}]),
        };
        let images: Vec<Value> = (0..20)
            .map(|n| json!({"names": [format!("registry.test/images/image-{n}@sha256:{n:064}")], "sizeBytes": 1_000_000 + n}))
            .collect();
        json!({
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": {
                KEY: self.leader,
                "kubernetes.io/arch": "amd64",
                "kubernetes.io/hostname": name,
                "kubernetes.io/os": "linux",
                "node.kubernetes.io/instance-type": "gpu-8",
                "topology.kubernetes.io/zone": "zone-a",
            }},
            "spec": {"providerID": format!("made-up://{name}"), "taints": taints},
            "status": {"images": images, "capacity": {"nvidia.com/gpu": "8"}},
        })
    }
}

fn status(is_running: bool) -> Value {
    if !is_running {
        return json!({"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}]});
    }
    let conditions: Vec<Value> = ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"]
        .iter()
        .map(|kind| json!({"lastProbeTime": null, "lastTransitionTime": "2026-01-01T00:00:00Z", "status": "True", "type": kind}))
        .collect();
    json!({
        "phase": "Running",
        "conditions": conditions,
        "hostIP": "10.0.0.1",
        "podIP": "10.1.0.1",
        "containerStatuses": [{"name": "vllm", "ready": true, "restartCount": 0, "started": true, "state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}}}],
        "startTime": "2026-01-01T00:00:00Z",
    })
}

/// A `kind: List`, written item by item.
struct List<W: Write> {
    out: W,
    format: Format,
    is_empty: bool,
}

impl<W: Write> List<W> {
    fn begin(mut out: W, format: Format) -> io::Result<Self> {
        match format {
            Format::Yaml => out.write_all(b"apiVersion: v1\nitems:\n")?,
            Format::Json => out.write_all(b"{\n\"apiVersion\": \"v1\",\n\"items\": [\n")?,
        }
        Ok(Self {
            out,
            format,
            is_empty: true,
        })
    }

    fn item(&mut self, value: &Value) -> Result<(), Box<dyn std::error::Error>> {
        match self.format {
            Format::Yaml => {
                let text = serde_saphyr::to_string(value)?;
                for (number, line) in text.lines().enumerate() {
                    let start: &[u8] = if number == 0 { b"- " } else { b"  " };
                    self.out.write_all(start)?;
                    self.out.write_all(line.as_bytes())?;
                    self.out.write_all(b"\n")?;
                }
            }
            Format::Json => {
                if !self.is_empty {
                    self.out.write_all(b",\n")?;
                }
                serde_json::to_writer_pretty(&mut self.out, value)?;
            }
        }
        self.is_empty = false;
        Ok(())
    }

    fn end(mut self) -> io::Result<()> {
        match self.format {
            Format::Yaml => self
                .out
                .write_all(b"kind: List\nmetadata:\n  resourceVersion: \"\"\n")?,
            Format::Json => self.out.write_all(
                b"\n],\n\"kind\": \"List\",\n\"metadata\": {\"resourceVersion\": \"\"}\n}\n",
            )?,
        }
        self.out.flush()
    }
}
