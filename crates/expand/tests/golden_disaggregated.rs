//! Each folder under `tests/golden-disaggregated` is a DisaggregatedSet and the LeaderWorkerSets that it becomes, derived
//! by hand from LWS's rules; `why.md` beside them has the reasoning. Never write these files from this crate's output.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::fs;
use std::path::{Path, PathBuf};

use lws_expand::{DisaggregatedSet, LeaderWorkerSet};
use serde_json::{Value, json};
use similar::TextDiff;

/// The shapes that must be there: a folder that goes missing must not make the test pass.
const SHAPES: [&str; 2] = ["slices-apart", "two-roles"];

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden-disaggregated")
}

fn read(path: &Path) -> Value {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn pretty(mut value: Value) -> String {
    value.sort_all_objects();
    serde_json::to_string_pretty(&value).unwrap()
}

#[test]
fn every_shape_becomes_the_sets_that_were_derived_by_hand() {
    let mut found = Vec::new();
    for entry in fs::read_dir(golden()).unwrap() {
        let folder = entry.unwrap().path();
        let shape = folder.file_name().unwrap().to_string_lossy().into_owned();
        assert!(
            folder.join("why.md").is_file(),
            "{shape}: the reasoning is missing"
        );
        let set = DisaggregatedSet::from_value(&read(&folder.join("disaggregated-set.json")));
        let made: Value = set
            .unwrap()
            .sets()
            .map(|made| {
                let (role, index) = (&made.role, made.role_index);
                json!({"role": role, "roleIndex": index, "slice": made.slice, "value": made.value})
            })
            .collect();
        let (expected, made) = (pretty(read(&folder.join("sets.json"))), pretty(made));
        let difference = TextDiff::from_lines(&expected, &made)
            .unified_diff()
            .header("expected", "made")
            .to_string();
        assert!(difference.is_empty(), "{shape}:\n{difference}");
        found.push(shape);
    }
    found.sort();
    assert_eq!(found, SHAPES);
}

#[test]
fn what_is_made_can_be_expanded_further() {
    for shape in SHAPES {
        let set = DisaggregatedSet::from_value(&read(
            &golden().join(shape).join("disaggregated-set.json"),
        ));
        for made in set.unwrap().sets() {
            let set = LeaderWorkerSet::from_value(&made.value).unwrap();
            assert_eq!(made.value["metadata"]["name"], set.name());
            assert_eq!(made.value["spec"]["replicas"], set.replicas());
        }
    }
}
