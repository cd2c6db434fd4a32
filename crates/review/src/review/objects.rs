//! The sets and pods of an input, kept in memory, for commands that look at one more than once.

use super::document::{self, Subject};
use super::place::Located;
use super::report::Remark;
use super::source::{Source, files};
use super::{home, pod, request};
use crate::policies::Namespaces;
use lws_manifest::{Document, Item};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Files with their documents.
#[derive(Debug, Default)]
pub(crate) struct Input {
    read: Vec<(Source, Vec<Document>)>,
    notes: Vec<Remark>,
    problems: Vec<Remark>,
}

/// An object of the input.
pub(crate) struct Object<'a> {
    source: &'a Source,
    item: Item<'a>,
    /// Its namespace, `default` where it names none.
    pub(crate) namespace: String,
    /// Its name.
    pub(crate) name: String,
}

/// What there is in an input.
#[derive(Default)]
pub(crate) struct Objects<'a> {
    pub(crate) sets: Vec<Object<'a>>,
    /// Pods of sets; others are none of the policy's business.
    pub(crate) pods: Vec<Object<'a>>,
    pub(crate) passed_over: BTreeMap<String, u64>,
    pub(crate) notes: Vec<Remark>,
    pub(crate) problems: Vec<Remark>,
}

impl Input {
    /// Reads files, folders and standard input; objects that name no namespace are of `namespace`, if one is given. What cannot be read is a problem, and the next follows.
    pub(crate) fn read(paths: &[PathBuf], namespace: Option<&str>) -> Self {
        let mut input = Self::default();
        for file in files(paths) {
            match file.and_then(|file| Source::read(&file)) {
                Ok(source) => input.take(source, namespace),
                Err(problem) => input.problems.push(problem),
            }
        }
        input
    }

    /// Takes a text that was read already.
    pub(crate) fn of(source: Source, namespace: Option<&str>) -> Self {
        let mut input = Self::default();
        input.take(source, namespace);
        input
    }

    fn take(&mut self, source: Source, namespace: Option<&str>) {
        let mut documents = Vec::new();
        for document in home::documents(&source, namespace) {
            match document {
                Ok(document) => {
                    self.notes.extend(source.notes(&document));
                    documents.push(document);
                }
                Err(error) => self.problems.push(source.unread(&error)),
            }
        }
        self.read.push((source, documents));
    }

    /// The namespaces that are among the objects.
    pub(crate) fn namespaces(&self) -> Namespaces {
        let mut namespaces = Namespaces::default();
        for (_, documents) in &self.read {
            for item in documents.iter().flat_map(Document::items) {
                namespaces.see(item.value);
            }
        }
        namespaces
    }

    /// The objects, in the order of the input.
    pub(crate) fn objects(&self) -> Objects<'_> {
        let mut objects = Objects {
            notes: self.notes.clone(),
            problems: self.problems.clone(),
            ..Objects::default()
        };
        for (source, documents) in &self.read {
            for item in documents.iter().flat_map(Document::items) {
                objects.take(source, item);
            }
        }
        objects
    }
}

impl<'a> Objects<'a> {
    fn take(&mut self, source: &'a Source, item: Item<'a>) {
        let located = Located::new(source, &item);
        match document::subject(&located) {
            Subject::Set => {
                self.notes.extend(document::legacy_fields(&located));
                self.sets.push(Object::new(source, item));
            }
            Subject::DisaggregatedSet => {
                self.notes.push(located.note(
                    "",
                    format!(
                        "{} is not compared: the sets that its roles make have other names at each of its revisions; review tells their placement",
                        located.title()
                    ),
                ));
                self.pass_over("DisaggregatedSet".to_owned());
            }
            Subject::Pod if pod::is_of_a_set(item.value) => {
                self.pods.push(Object::new(source, item));
            }
            Subject::Pod => self.pass_over("Pod of no LeaderWorkerSet".to_owned()),
            Subject::Unserved(text) => self.problems.push(located.error("/apiVersion", text)),
            Subject::Other { kind, remarks } => {
                self.pass_over(kind);
                self.notes.extend(remarks);
            }
        }
    }

    fn pass_over(&mut self, kind: String) {
        *self.passed_over.entry(kind).or_default() += 1;
    }
}

impl<'a> Object<'a> {
    fn new(source: &'a Source, item: Item<'a>) -> Self {
        Self {
            source,
            namespace: request::namespace(item.value).to_owned(),
            name: pod::shown_name(item.value),
            item,
        }
    }

    /// The object.
    pub(crate) fn value(&self) -> &'a Value {
        self.item.value
    }

    /// The object with what it takes to point into it.
    pub(in crate::review) fn located(&self) -> Located<'_> {
        Located::new(self.source, &self.item)
    }

    /// Where it stands.
    pub(crate) fn place(&self) -> Option<super::place::Place> {
        self.located().place("")
    }

    /// Which policies it reaches.
    pub(crate) fn reaches(&self, what: &str) -> Remark {
        let kind = self.value().get("kind").and_then(Value::as_str);
        let kind = kind.unwrap_or_default();
        self.note(format!(
            "{kind} {}/{} reaches {what}",
            self.namespace, self.name
        ))
    }

    /// What there is to know of it.
    pub(crate) fn note(&self, text: String) -> Remark {
        self.located().note("", text)
    }
}
