//! What came of the requests.

use std::time::Duration;

use crate::memory::Memory;

/// As many faults are kept to be shown.
const SHOWN: usize = 20;

/// Counts of one thread, or of all.
#[derive(Default)]
pub struct Tally {
    /// Microseconds that each answered request took.
    took: Vec<u32>,
    patched: usize,
    accepted: usize,
    refused: usize,
    malformed: usize,
    /// The most memory that an instance had.
    instance: usize,
    /// What went wrong, the first of it.
    pub faults: Vec<String>,
}

impl Tally {
    /// Counts an answer that is the right one.
    pub fn answer(&mut self, answer: &[u8], instance: usize, took: Duration) {
        self.took
            .push(u32::try_from(took.as_micros()).unwrap_or(u32::MAX));
        self.instance = self.instance.max(instance);
        let has = |text: &[u8]| answer.windows(text.len()).any(|window| window == text);
        if has(b"\"mutated_object\":") {
            self.patched += 1;
        } else if answer.starts_with(b"{\"accepted\":true") {
            self.accepted += 1;
        } else if has(b"\"code\":400") {
            self.malformed += 1;
        } else {
            self.refused += 1;
        }
    }

    /// Keeps what went wrong.
    pub fn fault(&mut self, text: String) {
        if self.faults.len() < SHOWN {
            self.faults.push(text);
        }
    }

    /// The sum of all threads'.
    pub fn joined(all: Vec<Self>) -> Self {
        let mut sum = Self::default();
        for one in all {
            sum.took.extend(one.took);
            sum.patched += one.patched;
            sum.accepted += one.accepted;
            sum.refused += one.refused;
            sum.malformed += one.malformed;
            sum.instance = sum.instance.max(one.instance);
            sum.faults.extend(one.faults);
        }
        sum.took.sort_unstable();
        sum
    }

    /// How many requests got the right answer.
    pub fn answered(&self) -> usize {
        self.took.len()
    }

    /// The figures in Markdown.
    pub fn table(&self, threads: usize, elapsed: Duration, memory: &Memory) -> String {
        let mib = |bytes: u64| format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20));
        let at = |share: f64| {
            let index = (share * self.took.len() as f64) as usize;
            let took = self.took.get(index.min(self.took.len().saturating_sub(1)));
            format!("{} µs", took.copied().unwrap_or_default())
        };
        let rate = self.took.len() as f64 / elapsed.as_secs_f64();
        let rows = [
            (
                "answered as the library answers",
                self.took.len().to_string(),
            ),
            ("accepted with a patch", self.patched.to_string()),
            ("accepted without", self.accepted.to_string()),
            ("refused as a conflict", self.refused.to_string()),
            ("refused as malformed", self.malformed.to_string()),
            ("threads", threads.to_string()),
            ("seconds", format!("{:.1}", elapsed.as_secs_f64())),
            ("requests a second", format!("{rate:.0}")),
            ("half took at most", at(0.5)),
            ("90 % took at most", at(0.9)),
            ("99 % took at most", at(0.99)),
            ("99.9 % took at most", at(0.999)),
            ("the longest took", at(1.0)),
            ("an instance's memory, at most", mib(self.instance as u64)),
            ("resident, first tenth", mib(memory.first())),
            ("resident, last tenth", mib(memory.last())),
            ("resident, peak", mib(Memory::peak())),
        ];
        let mut lines = vec!["| | |".to_owned(), "|---|---:|".to_owned()];
        lines.extend(rows.map(|(name, value)| format!("| {name} | {value} |")));
        lines.join("\n")
    }
}
