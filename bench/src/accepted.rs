//! The costs that were accepted, in a file that the tests hold the module to exactly.
//!
//! Fuel and memory of a fresh instance for each case, and the module's size. All of it depends on nothing but the
//! sources, the toolchain and the engine, so a difference is a change of the policy, of a dependency, or of the
//! toolchain, and whoever makes it says why it is good.

use crate::case;
use crate::contender::{self, Contender};
use crate::error::Error;
use std::fmt;

/// What the file begins with.
const HEAD: &str = "\
# What an answer costs in a fresh instance: fuel is about one unit an instruction, memory is linear memory in bytes.
# The tests hold policy.wasm to these figures exactly. `make bench-accept REASON=\"…\"` writes them anew.
";

/// What one case costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Name of the case.
    pub case: String,
    /// Bytes of its payload.
    pub payload: u64,
    /// Fuel that a fresh instance burns.
    pub fuel: u64,
    /// Linear memory, in bytes.
    pub memory: u64,
}

/// All costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Costs {
    /// Why they are good.
    pub reason: String,
    /// Bytes of the module, without metadata.
    pub module: u64,
    /// One for each case.
    pub cases: Vec<Cost>,
}

impl Costs {
    /// Measures a module.
    ///
    /// # Errors
    /// [`Error::NoReason`] for an empty reason; the bytes are no policy; an answer is not the right one.
    pub fn measure(module: &[u8], reason: &str) -> Result<Self, Error> {
        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        if reason.is_empty() {
            return Err(Error::NoReason);
        }
        let counting = contender::counting("policy", module)?;
        let mut cases = Vec::new();
        for case in case::all() {
            let outcome = contender::ask(Contender::Policy, &counting, &case)?;
            cases.push(Cost {
                case: case.name,
                payload: case.payload.len() as u64,
                fuel: outcome.fuel.unwrap_or_default(),
                memory: outcome.memory as u64,
            });
        }
        Ok(Self {
            reason,
            module: module.len() as u64,
            cases,
        })
    }

    /// Reads what [`Costs`] is shown as.
    ///
    /// # Errors
    /// A line that is none, and lines that lack.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let (mut reason, mut module, mut cases) = (None, None, Vec::new());
        for (index, line) in text.lines().enumerate() {
            let fault = || Error::Accepted {
                line: index + 1,
                text: line.to_owned(),
            };
            let number = |text: &str| text.parse::<u64>().map_err(|_| fault());
            if let Some(text) = line.strip_prefix("reason: ") {
                reason = Some(text.to_owned());
                continue;
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            match *words.as_slice() {
                [] | ["case", ..] => {}
                [first, ..] if first.starts_with('#') => {}
                ["module:", bytes, "bytes"] => module = Some(number(bytes)?),
                [case, payload, fuel, memory] => cases.push(Cost {
                    case: case.to_owned(),
                    payload: number(payload)?,
                    fuel: number(fuel)?,
                    memory: number(memory)?,
                }),
                _ => return Err(fault()),
            }
        }
        Ok(Self {
            reason: reason.ok_or(Error::Lacks("reason: …"))?,
            module: module.ok_or(Error::Lacks("module: … bytes"))?,
            cases,
        })
    }

    /// What differs in `new`, a line for each: old, new, and by how much. The reason is no cost.
    #[must_use]
    pub fn differences(&self, new: &Self) -> Vec<String> {
        let mut lines = Vec::new();
        lines.extend(differs("module", "bytes", self.module, new.module));
        for old in &self.cases {
            match new.cases.iter().find(|new| new.case == old.case) {
                None => lines.push(format!("{}: is no case any more", old.case)),
                Some(new) => {
                    lines.extend(differs(&old.case, "payload", old.payload, new.payload));
                    lines.extend(differs(&old.case, "fuel", old.fuel, new.fuel));
                    lines.extend(differs(&old.case, "memory", old.memory, new.memory));
                }
            }
        }
        for new in &new.cases {
            if self.cases.iter().all(|old| old.case != new.case) {
                lines.push(format!("{}: a new case, fuel {}", new.case, new.fuel));
            }
        }
        lines
    }
}

fn differs(case: &str, what: &str, old: u64, new: u64) -> Option<String> {
    let percent = (new as f64 - old as f64) * 100.0 / (old as f64).max(1.0);
    let more = i128::from(new) - i128::from(old);
    (old != new).then(|| format!("{case}: {what} {old} -> {new} ({more:+}, {percent:+.2} %)"))
}

impl fmt::Display for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}\nreason: {}", self.reason)?;
        writeln!(f, "module: {} bytes\n", self.module)?;
        let mut line = |case: &str, numbers: [&dyn fmt::Display; 3]| {
            let [payload, fuel, memory] = numbers;
            writeln!(f, "{case:<24}{payload:>12}{fuel:>14}{memory:>12}")
        };
        line("case", [&"payload", &"fuel", &"memory"])?;
        for cost in &self.cases {
            line(&cost.case, [&cost.payload, &cost.fuel, &cost.memory])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]
    use super::*;

    fn costs(fuel: u64, names: &[&str]) -> Costs {
        let cost = |name: &&str| Cost {
            case: (*name).to_owned(),
            payload: 10,
            fuel,
            memory: 65_536,
        };
        Costs {
            reason: "it is a test".to_owned(),
            module: 100_000,
            cases: names.iter().map(cost).collect(),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let costs = costs(1_000, &["pod-1KiB-unread", "set-3KiB-injected"]);
        assert_eq!(Costs::parse(&costs.to_string()).unwrap(), costs);
    }

    #[test]
    fn differences_are_told_with_their_share() {
        let old = costs(1_000, &["a", "b"]);
        let mut new = costs(1_000, &["b", "c"]);
        assert_eq!(old.differences(&old), [""; 0]);
        new.module = 90_000;
        new.cases[0].fuel = 1_234;
        assert_eq!(
            old.differences(&new),
            [
                "module: bytes 100000 -> 90000 (-10000, -10.00 %)",
                "a: is no case any more",
                "b: fuel 1000 -> 1234 (+234, +23.40 %)",
                "c: a new case, fuel 1000",
            ]
        );
    }

    #[test]
    fn what_is_no_file_of_costs_is_told() {
        let told = |text: &str| Costs::parse(text).unwrap_err().to_string();
        assert_eq!(
            told("pod-1KiB-unread 1 2 x"),
            "line 1 of the accepted costs is no case with its bytes, fuel and memory: pod-1KiB-unread 1 2 x; make bench-accept REASON=\"…\" writes them anew"
        );
        assert_eq!(
            told("module: 1 bytes"),
            "the accepted costs have no line \"reason: …\"; make bench-accept REASON=\"…\" writes them anew"
        );
    }

    #[test]
    fn a_reason_is_wanted_first() {
        let told = Costs::measure(b"", " \n").unwrap_err().to_string();
        assert_eq!(
            told,
            "why are the new costs good? Say it: make bench-accept REASON=\"…\""
        );
    }
}
