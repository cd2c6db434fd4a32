//! Judges what runs: a cluster's dump, `kubectl get leaderworkersets,pods,nodes,namespaces -A -o yaml`.
//!
//! [`dump`] reads it object by object and tells it from manifests ([`object`]); [`judge`] holds each pod against the
//! policy as the audit scanner would; what [`records`] keeps of an object is a few numbers ([`names`]), so that a dump
//! of any size fits. When all is read, [`survey`] holds replicas, nodes and neighbours against one another, and what
//! comes out is a [`ClusterReport`].

#[cfg(feature = "host")]
mod dump;
#[cfg(not(feature = "host"))]
#[path = "whole_dump.rs"]
mod dump;
mod finding;
mod judge;
mod labels;
mod listed;
mod names;
mod node_check;
mod object;
mod pod;
mod reading;
mod records;
mod replica_check;
mod request;
mod survey;

pub mod report;

pub use reading::Reading;
pub use report::ClusterReport;

use crate::evaluator::Evaluator;
use crate::parallel;
use crate::review::render::text::counted;
use crate::review::report::Remark;
use crate::review::source::Source;
use judge::Judge;
use object::Object;
use records::Records;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// What is known of a cluster so far.
pub struct Cluster<'a> {
    judge: Result<Judge<'a>, String>,
    records: Records,
    is_dumped: bool,
    passed_over: BTreeMap<String, u64>,
    problems: Vec<Remark>,
    /// Objects that do not say what they are.
    kindless: u64,
}

/// What a cluster's dumps gave.
pub struct Outcome {
    /// What there is to say; none where no input was a dump.
    pub report: Option<ClusterReport>,
    /// Objects of other kinds, by kind.
    pub passed_over: BTreeMap<String, u64>,
    /// What readers should know.
    pub notes: Vec<Remark>,
    /// What could not be read or judged.
    pub problems: Vec<Remark>,
}

impl<'a> Cluster<'a> {
    /// Nothing yet. Pods will be judged by `module` under `settings`, their action taken for `Validate`.
    #[must_use]
    pub fn new(module: &'a dyn Evaluator, settings: &Value) -> Self {
        Self {
            judge: Judge::new(module, settings),
            records: Records::default(),
            is_dumped: false,
            passed_over: BTreeMap::new(),
            problems: Vec::new(),
            kindless: 0,
        }
    }

    /// Reads an input, `-` for standard input. A dump is judged while it is read; anything else is given back as it
    /// is, for others to review.
    ///
    /// # Errors
    /// It cannot be read at all.
    pub fn read(&mut self, path: &Path) -> Result<Reading, Remark> {
        dump::read(path, |batch| self.take(batch))
    }

    /// As [`Self::read`], of an input that was read already.
    ///
    /// # Errors
    /// None is known.
    pub fn see(&mut self, source: &Source) -> Result<Reading, Remark> {
        dump::read_again(source, |batch| self.take(batch))
    }

    /// Notes a LeaderWorkerSet that stands in manifests beside the dump.
    pub fn see_set(&mut self, set: &Value) {
        self.records.add_set(set);
    }

    /// Holds all of it together; of each set `replicas` replicas are shown.
    #[must_use]
    pub fn finish(mut self, replicas: usize) -> Outcome {
        if self.kindless > 0 {
            let objects = counted(self.kindless, "object");
            let text = format!(
                "{objects} of the dump without a kind, not judged; kubectl get -o yaml writes kind and apiVersion into each"
            );
            self.problems.push(Remark::error(None, text));
        }
        let mut notes = Vec::new();
        let mut report = None;
        if self.is_dumped {
            match &self.judge {
                Ok(_) => {
                    let found = survey::report(&mut self.records, replicas);
                    notes.extend(survey::notes(&self.records, &found));
                    report = Some(found);
                }
                Err(text) => self.problems.push(Remark::error(None, text.as_str())),
            }
        }
        Outcome {
            report,
            passed_over: self.passed_over,
            notes,
            problems: self.problems,
        }
    }

    fn take(&mut self, batch: reading::Batch) {
        // Only a dump is given in batches; of one that breaks off, what came counts.
        self.is_dumped = true;
        self.problems.extend(batch.problems);
        let Ok(judge) = &self.judge else { return };
        // Judging takes the time, so it is shared out; keeping takes none, and its order makes the output stable.
        let judged = parallel::map(batch.objects, |object| match object {
            Object::Pod(pod) => Judged::Pod(judge.pod(&pod).map(Box::new)),
            other => Judged::Other(other),
        });
        for object in judged {
            match object {
                Judged::Pod(pod) => self.records.add_pod(pod.map(|pod| *pod)),
                Judged::Other(Object::Set(set)) => self.records.add_set(&set),
                Judged::Other(Object::Node(node)) => self.records.add_node(&node),
                Judged::Other(Object::Namespace) => self.records.namespaces += 1,
                Judged::Other(Object::Kindless) => self.kindless += 1,
                Judged::Other(Object::Other(kind)) => {
                    *self.passed_over.entry(kind).or_default() += 1;
                }
                Judged::Other(Object::Pod(_)) => {}
            }
        }
    }
}

enum Judged {
    Pod(Option<Box<pod::Pod>>),
    Other(Object),
}
