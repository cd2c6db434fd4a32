//! Reviews manifests: what the policy would do with every set and pod in them, before anyone applies them.
//!
//! [`source`] finds and reads the files, [`document`] tells what a document is, and [`Reviewer`] takes one after
//! another: a LeaderWorkerSet is admitted first ([`verdict`]), then expanded as patched, and of its pods those of
//! [`sample`] are judged in both forms ([`set`]). What comes out is a [`Report`], which [`render`] writes.

mod count;
mod document;
mod embedded;
mod field;
mod intent;
mod pod;
mod range;
pub(crate) mod reason;
mod refusals;
mod request;
mod sample;
mod set;
mod verdict;

pub mod place;
pub mod placement;
pub mod render;
pub mod report;
pub mod source;

pub use report::Report;

use crate::cluster::{Cluster, Reading};
use crate::engine::Module;
use crate::settings::Settings;
use count::Groups;
use document::Subject;
use indicatif::{ProgressBar, ProgressStyle};
use intent::Intent;
use place::Located;
use report::Remark;
use source::Source;
use std::path::Path;

/// Fewer requests than this are over before a progress bar could be read.
const LONG: u64 = 1_000;

/// Takes sources one by one and gathers what there is to say.
pub struct Reviewer<'a> {
    module: &'a Module,
    settings: &'a Settings,
    options: Options,
    progress: ProgressBar,
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
    pub fn new(module: &'a Module, settings: &'a Settings, options: Options) -> Self {
        Self {
            module,
            settings,
            options,
            progress: progress(),
            report: Report::new(),
            groups: Groups::default(),
            intent: Intent::of(settings.value()),
            cluster: Cluster::new(module, settings.value()),
        }
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

    /// Reviews every document of a source. A document that cannot be read becomes a problem of the report, and the
    /// next one follows.
    pub fn take(&mut self, source: &Source) {
        for document in lws_manifest::read(&source.text) {
            match document {
                Err(error) => {
                    let text = reason::without_position(&error);
                    let place = source.place(error.position());
                    self.report.problems.push(Remark { place, text });
                }
                Ok(document) => {
                    for note in document.notes() {
                        let text = reason::without_position(note);
                        let place = source.place(note.position());
                        self.report.notes.push(Remark { place, text });
                    }
                    for item in document.items() {
                        self.item(&Located::new(source, &item));
                    }
                }
            }
        }
    }

    /// Notes a source that could not be read at all.
    pub fn fail(&mut self, remark: Remark) {
        self.report.problems.push(remark);
    }

    /// What came out.
    #[must_use]
    pub fn finish(mut self) -> Report {
        self.progress.finish_and_clear();
        self.report.notes.extend(self.intent.verdict(self.settings));
        let cluster = self.cluster.finish(self.options.replicas);
        self.report.cluster = cluster.report;
        self.report.notes.extend(cluster.notes);
        self.report.problems.extend(cluster.problems);
        for (kind, count) in cluster.passed_over {
            *self.report.passed_over.entry(kind).or_default() += count;
        }
        if self.report.holds_no_manifests()
            && self.report.cluster.is_none()
            && self.report.problems.is_empty()
        {
            let text = "no LeaderWorkerSet and no pod of one is in the input".to_owned();
            self.report.notes.push(Remark { place: None, text });
        }
        self.groups.sum(&mut self.report);
        self.report
    }

    fn item(&mut self, item: &Located<'_>) {
        match document::subject(item) {
            Subject::Set => self.set(item),
            Subject::Pod => self.pod(item),
            Subject::Unserved(text) => self.report.problems.push(item.remark("/apiVersion", text)),
            Subject::Other { kind, remarks } => {
                *self.report.passed_over.entry(kind).or_default() += 1;
                self.report.notes.extend(remarks);
            }
        }
    }

    fn set(&mut self, item: &Located<'_>) {
        self.cluster.see_set(item.value);
        self.report.notes.extend(document::legacy_fields(item));
        let ask = set::Ask {
            module: self.module,
            settings: self.settings.value(),
            options: self.options,
            progress: &self.progress,
        };
        match ask.review(item) {
            Ok((review, outcome)) => {
                self.intent.see(item, &review.title());
                let shared = self.groups.add(&review, &outcome);
                self.report.notes.extend(shared);
                self.report.problems.extend(outcome.problems);
                self.report.sets.push(review);
            }
            Err(remark) => self.report.problems.push(remark),
        }
    }

    fn pod(&mut self, item: &Located<'_>) {
        let review = pod::review(self.module, self.settings.value(), self.options, item);
        if pod::is_of_a_set(item.value) {
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

/// A bar on standard error, drawn on terminals only.
fn progress() -> ProgressBar {
    let style = ProgressStyle::with_template("judging pods {bar:40} {pos}/{len} {eta}");
    match style {
        Ok(style) => ProgressBar::no_length().with_style(style),
        Err(_) => ProgressBar::hidden(),
    }
}
