//! The fuzz targets on stable Rust: over the kept corpus, and over mutations of it that a seed determines.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed set-up fails the test"
)]

use lws_fuzz::{TARGETS, any_bytes};
use std::path::Path;

/// How many mutations each target gets, times `PROPERTY_FACTOR`.
const MUTATIONS: usize = 3_000;

/// What all of the corpus may weigh, in files and in bytes: it is cloned with the sources.
const MOST: (usize, usize) = (330, 1_300_000);

fn kept(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder.join(target))
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            (path.display().to_string(), std::fs::read(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// Tells which bytes a target stopped at.
struct Told<'a>(&'a str, &'a [u8]);

impl Drop for Told<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}: {:?}", self.0, String::from_utf8_lossy(self.1));
        }
    }
}

#[test]
fn the_kept_corpus() {
    for target in TARGETS {
        let files = kept(target.name);
        assert!(files.len() > 20, "{}: {} files", target.name, files.len());
        for (path, bytes) in files {
            let _told = Told(&path, &bytes);
            (target.run)(&bytes);
        }
    }
}

#[test]
fn mutations_of_the_kept_corpus() {
    let factor = std::env::var("PROPERTY_FACTOR")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    for target in TARGETS {
        let files = kept(target.name);
        for index in 0..MUTATIONS * factor {
            let (path, bytes) = &files[index % files.len()];
            let mut bytes = bytes.clone();
            for step in 0..1 + index % 4 {
                bytes = any_bytes(&bytes, u64::try_from(index * 4 + step).unwrap());
            }
            let _told = Told(path, &bytes);
            (target.run)(&bytes);
        }
    }
}

#[test]
fn the_corpus_is_small() {
    let sizes: Vec<usize> = TARGETS
        .iter()
        .flat_map(|target| kept(target.name))
        .map(|(_, bytes)| bytes.len())
        .collect();
    assert!(sizes.len() < MOST.0, "{} files", sizes.len());
    let bytes: usize = sizes.iter().sum();
    assert!(bytes < MOST.1, "{bytes} bytes");
}
