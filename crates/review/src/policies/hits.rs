//! What each policy has seen of the input.

use super::policy::{Action, Mode, Policy};
use super::target::Target;
use serde::Serialize;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Counters of a policy that many threads ask.
#[derive(Debug, Default)]
pub(super) struct Hits {
    sets: AtomicU64,
    pods: AtomicU64,
    refused: AtomicU64,
    patches: AtomicU64,
    refusals: AtomicU64,
    first: Mutex<Option<String>>,
}

impl Hits {
    /// A request reached it. Of an object that is updated later its creation counts.
    pub(super) fn took(&self, target: &Target<'_>) {
        if target.operation != "CREATE" {
            return;
        }
        let counter = if target.resource == "pods" {
            &self.pods
        } else {
            &self.sets
        };
        counter.fetch_add(1, Relaxed);
    }

    /// It refused a request.
    pub(super) fn refused(&self) {
        self.refused.fetch_add(1, Relaxed);
    }

    /// Its answer was dropped, since it only monitors.
    pub(super) fn dropped(&self, is_patch: bool, allowed: bool, message: Option<&str>) {
        if !allowed {
            self.refusals.fetch_add(1, Relaxed);
            let message = message.unwrap_or("no reason given");
            let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
            // The least, so that it does not depend on which thread comes first.
            if first.as_deref().is_none_or(|first| message < first) {
                *first = Some(message.to_owned());
            }
        } else if is_patch {
            self.patches.fetch_add(1, Relaxed);
        }
    }
}

/// A policy, and what it has seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PolicyReview {
    /// Its webhook's name.
    pub name: String,
    /// File and line.
    pub place: String,
    /// Whether it injects; else it judges only.
    pub injects: bool,
    /// Whether it only monitors.
    pub monitors: bool,
    /// Sets that reached it.
    pub sets: u64,
    /// Pods that reached it, among those that were judged.
    pub pods: u64,
    /// Sets and pods that it refuses.
    pub refused: u64,
    /// Patches that are dropped since it only monitors.
    pub dropped_patches: u64,
    /// Refusals that are dropped likewise.
    pub dropped_refusals: u64,
    /// One of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped_refusal: Option<String>,
}

impl PolicyReview {
    pub(super) fn new(policy: &Policy, hits: &Hits) -> Self {
        Self {
            name: policy.webhook().to_owned(),
            place: policy.line(),
            injects: policy.action() == Action::Inject,
            monitors: policy.mode() == Mode::Monitor,
            sets: hits.sets.load(Relaxed),
            pods: hits.pods.load(Relaxed),
            refused: hits.refused.load(Relaxed),
            dropped_patches: hits.patches.load(Relaxed),
            dropped_refusals: hits.refusals.load(Relaxed),
            dropped_refusal: hits
                .first
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone(),
        }
    }
}

impl fmt::Display for PolicyReview {
    /// `policy clusterwide-pods (pods.yaml:2) injects: 8 pods`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let does = match (self.injects, self.monitors) {
            (true, false) => "injects",
            (false, false) => "judges",
            (true, true) => "only monitors what it would inject",
            (false, true) => "only monitors what it would refuse",
        };
        let counted = |count, one, more| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            count => Some(format!("{count} {more}")),
        };
        let seen: Vec<String> = [
            counted(self.sets, "LeaderWorkerSet", "LeaderWorkerSets"),
            counted(self.pods, "pod", "pods"),
        ]
        .into_iter()
        .flatten()
        .collect();
        let seen = match seen.as_slice() {
            [] => "nothing of the input reaches it".to_owned(),
            seen => seen.join(" and "),
        };
        write!(f, "policy {} ({}) {does}: {seen}", self.name, self.place)?;
        if self.refused > 0 {
            write!(f, ", {} refused", self.refused)?;
        }
        let dropped: Vec<String> = [
            counted(self.dropped_patches, "patch", "patches"),
            counted(self.dropped_refusals, "refusal", "refusals"),
        ]
        .into_iter()
        .flatten()
        .collect();
        if !dropped.is_empty() {
            write!(f, "; dropped: {}", dropped.join(" and "))?;
        }
        match &self.dropped_refusal {
            Some(message) => write!(f, " ({message})"),
            None => Ok(()),
        }
    }
}
