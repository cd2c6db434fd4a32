//! Writes what fuzzing begins with, `seeds <folder>`: the cases' requests and settings, the annotations in them, and
//! every manifest of this repository. `make fuzz` runs it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed set-up ends it"
)]

use lws_review::case::{CaseFile, Subject, find};
use lws_review::evaluator::payload;
use serde_json::Value;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn main() {
    let folder = std::env::args_os().nth(1).expect("a folder to write to");
    let folder = Path::new(&folder);
    let write = |target: &str, name: &str, bytes: &[u8]| {
        let folder = folder.join(target);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), bytes).unwrap();
    };
    let root = Path::new(ROOT);
    for path in find(&root.join("e2e-tests/cases")).unwrap() {
        let file = CaseFile::read(&path).unwrap_or_else(|error| panic!("{error}"));
        let title = file.title();
        write("manifest", &title, &std::fs::read(&path).unwrap());
        let settings = &file.case.settings;
        write("settings", &title, settings.to_string().as_bytes());
        let Subject::Request(request) = file.case.subject().unwrap() else {
            continue;
        };
        write("payload", &title, &payload(settings, request.value()));
        if let Some(text) = annotations(request.value()) {
            write("annotations", &title, text.as_bytes());
        }
    }
    for (index, path) in manifests(root).iter().enumerate() {
        let bytes = std::fs::read(path).unwrap();
        write("manifest", &format!("manifest-{index}"), &bytes);
    }
}

fn manifests(root: &Path) -> Vec<PathBuf> {
    ["examples", "crates/harness/tests/fixtures"]
        .iter()
        .flat_map(|folder| find(&root.join(folder)).unwrap())
        .collect()
}

/// The three texts that the target takes, wherever in a request they stand.
fn annotations(request: &Value) -> Option<String> {
    let texts = ["node-selector", "toleration", "placement"].map(|name| {
        let text = text_of(request, &format!("lws-replica-placement/{name}"))?;
        (!text.contains('\n')).then_some(text)
    });
    let any = texts.iter().any(Option::is_some);
    any.then(|| texts.map(Option::unwrap_or_default).join("\n"))
}

fn text_of<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    match value {
        Value::Object(map) => map
            .get(name)
            .and_then(Value::as_str)
            .or_else(|| map.values().find_map(|value| text_of(value, name))),
        Value::Array(list) => list.iter().find_map(|value| text_of(value, name)),
        _ => None,
    }
}
