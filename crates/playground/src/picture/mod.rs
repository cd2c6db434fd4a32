//! The replicas as they are drawn: which pods share which nodes.

mod drawing;
mod group;

pub use drawing::{Drawing, ReplicaDrawing};
pub use group::{Card, Group, Role};

use crate::address::Address;
use crate::answer::Faults;
use crate::ask::Ask;
use crate::{reviewed, texts};
use lws_review::review::Options;
use lws_review::review::render::{cluster, text};
use lws_review::review::report::{Remark, Report};
use serde::Serialize;

/// Most pods of a picture that are drawn one by one; beyond that, pods that get the same are drawn as one.
const PODS: u64 = 1_024;

/// Most pods of one set that are drawn one by one.
const PODS_OF_SET: u64 = 256;

/// A report, and what is drawn of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// The totals and what was passed over, as `lws-placement review` words them.
    pub sum: String,
    /// What is wrong in a cluster of which a dump was given, worded likewise; absent where none was.
    pub findings: Option<Vec<Remark>>,
    /// The report of [`crate::review`], with more replicas in it.
    pub report: Report,
    /// A drawing for each of its sets.
    pub sets: Vec<Drawing>,
    /// An address for each of its pods.
    pub pods: Vec<Option<Address>>,
}

/// Reviews manifests under settings and draws what comes out.
///
/// # Errors
/// The settings cannot be read, or the policy refuses them.
pub fn picture(manifests: &str, settings: &str) -> Result<Picture, Faults> {
    let options = Options {
        replicas: usize::try_from(PODS_OF_SET).unwrap_or(usize::MAX),
        objects: false,
    };
    let settings = texts::settings(settings, "settings")?;
    let report = reviewed(manifests, &settings, options);
    let ask = Ask(&settings);
    let mut room = PODS;
    let sets = report
        .sets
        .iter()
        .map(|set| {
            let (drawing, drawn) = Drawing::of(set, &ask, manifests, room.min(PODS_OF_SET));
            room = room.saturating_sub(drawn);
            drawing
        })
        .collect();
    Ok(Picture {
        sum: text::sums(&report)
            .chain(text::passed_over(&report))
            .collect::<Vec<_>>()
            .join("; "),
        findings: report.cluster.as_ref().map(cluster::remarks),
        sets,
        pods: report.pods.iter().map(Address::of_pod).collect(),
        report,
    })
}
