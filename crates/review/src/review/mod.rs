//! Reviews manifests: what the policy would do with every set and pod in them, before anyone applies them.
//!
//! [`source`] finds and reads the files, [`document`] tells what a document is, and [`Reviewer`] takes one after
//! another: a LeaderWorkerSet is admitted first ([`verdict`]), then expanded as patched, and of its pods those of
//! [`sample`] are judged in both forms ([`set`]). Of a DisaggregatedSet the sets that it makes are reviewed
//! ([`disaggregated`]). What comes out is a [`Report`], which [`render`] writes.

mod count;
pub(crate) mod disaggregated;
pub(crate) mod document;
mod embedded;
pub(crate) mod field;
pub(crate) mod home;
mod intent;
mod judge;
pub mod lifted;
mod misplaced;
pub(crate) mod objects;
pub(crate) mod pod;
mod range;
pub(crate) mod reason;
mod refusals;
pub mod request;
mod sample;
mod set;
pub(crate) mod stage;
mod verdict;
mod workers;

pub mod place;
pub mod placement;
pub mod render;
pub mod report;
pub mod source;

pub use report::Report;

use crate::cluster::{Cluster, Reading};
use crate::evaluator::Evaluator;
use crate::policies::Chain;
use crate::progress::Progress;
use crate::settings::Settings;
use count::Groups;
use document::Subject;
use intent::Intent;
use judge::Judge;
use place::Located;
use report::{Origin, Remark};
use source::Source;
use std::path::Path;

/// Fewer requests than this are over before a progress bar could be read.
const LONG: u64 = 1_000;

/// Takes sources one by one and gathers what there is to say.
pub struct Reviewer<'a> {
    judge: Judge<'a>,
    options: Options,
    namespace: Option<String>,
    progress: Progress,
    report: Report,
    groups: Groups,
    intent: Intent,
    cluster: Cluster<'a>,
}

/// What a report keeps.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Replicas shown of each set. All are judged all the same, as far as [`sample`] goes.
    pub replicas: usize,
    /// Whether sets and pods as they become are kept.
    pub objects: bool,
}

impl<'a> Reviewer<'a> {
    /// A reviewer that asks `module` under `settings`.
    #[must_use]
    pub fn new(module: &'a dyn Evaluator, settings: &'a Settings, options: Options) -> Self {
        Self::by(Judge::Settings(module, settings), options)
    }

    /// A reviewer that does what a cluster with these policies would do. Their module is `module`.
    #[must_use]
    pub fn under(module: &'a dyn Evaluator, policies: &'a Chain, options: Options) -> Self {
        Self::by(Judge::Policies(module, policies), options)
    }

    fn by(judge: Judge<'a>, options: Options) -> Self {
        Self {
            judge,
            options,
            namespace: None,
            progress: Progress::of_pods(),
            report: Report::new(),
            groups: Groups::default(),
            intent: Intent::of(judge.settings().value()),
            cluster: Cluster::new(judge.module(), judge.settings().value()),
        }
    }

    /// The same reviewer, to which manifests that name no namespace are of this one; with none, of `default`.
    #[must_use]
    pub fn in_namespace(mut self, namespace: Option<String>) -> Self {
        self.namespace = namespace;
        self
    }

    /// Reads a file, or standard input for `-`, and reviews it: a cluster's dump as what runs ([`crate::cluster`]),
    /// anything else as manifests ([`Self::take`]).
    pub fn read(&mut self, path: &Path) {
        match self.cluster.read(path) {
            Ok(Reading::Plain(source)) => self.take(&source),
            Ok(Reading::Dump) => {}
            Err(remark) => self.fail(remark),
        }
    }

    /// As [`Self::read`], of what was read already.
    pub fn see(&mut self, source: &Source) {
        match self.cluster.see(source) {
            Ok(Reading::Plain(source)) => self.take(&source),
            Ok(Reading::Dump) => {}
            Err(remark) => self.fail(remark),
        }
    }

    /// Reviews every document of a source. A document that cannot be read becomes a problem of the report, and the
    /// next one follows.
    pub fn take(&mut self, source: &Source) {
        for document in home::documents(source, self.namespace.as_deref()) {
            match document {
                Err(error) => self.report.problems.push(source.unread(&error)),
                Ok(document) => {
                    self.report.notes.extend(source.notes(&document));
                    for item in document.items() {
                        self.item(&Located::new(source, &item));
                    }
                }
            }
        }
    }

    /// Takes what was found beside the input.
    pub fn note(&mut self, remark: Remark) {
        self.report.notes.push(remark);
    }

    /// Notes a source that could not be read at all.
    pub fn fail(&mut self, remark: Remark) {
        self.report.problems.push(remark);
    }

    /// What came out.
    #[must_use]
    pub fn finish(mut self) -> Report {
        self.progress.end();
        let settings = self.judge.settings();
        self.report.notes.extend(self.intent.verdict(settings));
        let cluster = self.cluster.finish(self.options.replicas);
        self.report.cluster = cluster.report;
        self.report.notes.extend(cluster.notes);
        self.report.problems.extend(cluster.problems);
        for (kind, count) in cluster.passed_over {
            *self.report.passed_over.entry(kind).or_default() += count;
        }
        if let Judge::Policies(_, chain) = self.judge {
            // What runs reaches no policy here, which would read as if nothing in the cluster did.
            if self.report.cluster.is_none() || !self.report.holds_no_manifests() {
                self.report.policies = chain.reviews();
            }
            if self.report.cluster.is_some() {
                let text = format!(
                    "what runs is judged by the settings of {} alone, whichever policy its pods would reach",
                    settings.policy()
                );
                self.report.notes.push(Remark::note(None, text));
            }
        }
        if self.report.holds_no_manifests()
            && self.report.cluster.is_none()
            && self.report.problems.is_empty()
        {
            let text = "no LeaderWorkerSet and no pod of one is in the input";
            self.report.notes.push(Remark::note(None, text));
        }
        self.groups.sum(&mut self.report);
        self.report
    }

    fn item(&mut self, item: &Located<'_>) {
        match document::subject(item) {
            Subject::Set => self.set(item, None),
            Subject::DisaggregatedSet => self.disaggregated_set(item),
            Subject::Pod => self.pod(item),
            Subject::Unserved(text) => self.report.problems.push(item.error("/apiVersion", text)),
            Subject::Other { kind, remarks } => {
                *self.report.passed_over.entry(kind).or_default() += 1;
                self.report.notes.extend(remarks);
            }
        }
    }

    fn disaggregated_set(&mut self, item: &Located<'_>) {
        match disaggregated::expand(item) {
            Ok(made) => {
                self.report.notes.extend(made.notes);
                for (set, origin) in made.sets {
                    let at = disaggregated::role_pointer(&set);
                    self.set(&item.made(&set.value, &at), Some(origin));
                }
            }
            Err(remark) => self.report.problems.push(remark),
        }
    }

    fn set(&mut self, item: &Located<'_>, generated: Option<Origin>) {
        // A set that is yet to be made has a name that no cluster knows.
        if generated.is_none() {
            self.cluster.see_set(item.value);
        }
        self.report.notes.extend(document::legacy_fields(item));
        self.report.notes.extend(misplaced::remarks(item));
        let ask = set::Ask {
            judge: self.judge,
            options: self.options,
            progress: &self.progress,
        };
        match ask.review(item) {
            Ok((mut review, outcome)) => {
                review.generated = generated;
                self.intent.see(item, &review.title());
                let shared = self.groups.add(&review, &outcome);
                self.report.notes.extend(shared);
                self.report.notes.extend(outcome.notes);
                self.report.problems.extend(outcome.problems);
                self.report.sets.push(review);
            }
            Err(remark) => self.report.problems.push(remark),
        }
    }

    fn pod(&mut self, item: &Located<'_>) {
        let (review, unreached) = pod::review(self.judge, self.options, item);
        if pod::is_of_a_set(item.value) {
            let tell = |what| item.note("", format!("{} reaches {what}", item.title()));
            self.report.notes.extend(unreached.map(tell));
            self.intent.see_pod(item);
            self.groups.add_pod(&review);
            self.report.pods.push(review);
        } else if review.result.allowed {
            let kind = "Pod of no LeaderWorkerSet".to_owned();
            *self.report.passed_over.entry(kind).or_default() += 1;
        } else {
            self.groups.add_pod(&review);
            self.report.pods.push(review);
        }
    }
}
