//! All that is measured in one run.

use crate::bars::{self, Bar};
use crate::case::{self, Case, Subject, Verdict};
use crate::contender::{self, Build, Contender};
use crate::environment::Environment;
use crate::error::Error;
use crate::timing::{self, Run};
use flate2::{Compression, write::GzEncoder};
use lws_placement::engine::Module;
use lws_placement::section;
use serde::Serialize;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// How often a module is compiled for its time.
const COMPILED: usize = 5;

/// Everything that one run gives.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    /// Where they are from.
    pub environment: Environment,
    /// What each module weighs.
    pub modules: Vec<Weight>,
    /// What each case costs.
    pub cases: Vec<Measured>,
    /// How costs grow with the size of a pod.
    pub growth: Vec<Growth>,
    /// What the figures are held to.
    pub bars: Vec<Bar>,
}

/// What a module weighs.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Weight {
    /// The module.
    pub build: Build,
    /// The whole file.
    pub bytes: usize,
    /// Without its custom sections.
    pub bytes_without_custom_sections: usize,
    /// The whole file as a registry keeps it.
    pub gzipped: usize,
    /// The median time that compiling it takes, optimised and on one processor.
    pub compile_milliseconds: f64,
}

/// One case.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Measured {
    /// Its name.
    pub case: String,
    /// Pod or set.
    pub subject: Subject,
    /// Size of the object.
    pub kib: usize,
    /// What is decided.
    pub verdict: Verdict,
    /// Bytes of the payload.
    pub payload: usize,
    /// Over so many rounds the times are medians.
    pub rounds: usize,
    /// The policy's own code, without WebAssembly.
    pub native_microseconds: f64,
    /// Each contender whose case it is, the policy first.
    pub costs: Vec<Cost>,
}

/// What one contender needs for one case.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// Whose cost it is.
    pub contender: Contender,
    /// Fuel that a fresh instance burns, its initialisation included.
    pub fuel: u64,
    /// The most linear memory that a fresh instance has.
    pub memory: usize,
    /// Median time of making an instance, asking it and dropping it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fresh_microseconds: Option<f64>,
    /// Median time of asking an instance that answered the same before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warm_microseconds: Option<f64>,
}

/// The exponents of power laws: cost over the bytes of the payload, for pods of 4 KiB and more. 1 is proportional.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Growth {
    /// Whose cost it is.
    pub contender: Contender,
    /// In which cases.
    pub verdict: Verdict,
    /// Of the fuel.
    pub fuel: f64,
    /// Of the memory.
    pub memory: f64,
}

impl Figures {
    /// Measures. `budget` is the time that a case may take, where it has rounds enough.
    ///
    /// # Errors
    /// A module cannot be read, is no policy, or does not answer as it should.
    pub fn measure(policy: &Path, baselines: &Path, budget: Duration) -> Result<Self, Error> {
        let files: Vec<(Build, String, Vec<u8>)> = Build::ALL
            .into_iter()
            .map(|build| {
                let path = build.path(policy, baselines);
                Ok((build, path.display().to_string(), contender::read(&path)?))
            })
            .collect::<Result<_, Error>>()?;
        let modules = weigh(&files)?;
        let counting = compiled(&files, contender::counting)?;
        let optimized = compiled(&files, contender::optimized)?;
        let cases = case::all()
            .iter()
            .map(|case| measured(case, &counting, &optimized, budget))
            .collect::<Result<Vec<_>, Error>>()?;
        let growth = growth(&cases);
        let bars = bars::all(&modules, &cases, &growth);
        Ok(Self {
            environment: Environment::new(),
            modules,
            cases,
            growth,
            bars,
        })
    }
}

impl Measured {
    /// Whether it is a pod about which this is decided.
    #[must_use]
    pub fn is_pod(&self, verdict: Verdict) -> bool {
        self.subject == Subject::Pod && self.verdict == verdict
    }

    /// What a contender needs, if the case is its.
    #[must_use]
    pub fn of(&self, contender: Contender) -> Option<&Cost> {
        self.costs.iter().find(|cost| cost.contender == contender)
    }

    /// How much longer a fresh instance takes than the same code without WebAssembly.
    #[must_use]
    pub fn fresh_to_native(&self) -> Option<f64> {
        let fresh = self.of(Contender::Policy)?.fresh_microseconds?;
        Some(fresh / self.native_microseconds)
    }

    /// The policy's fuel, as a multiple of another's.
    #[must_use]
    pub fn fuel_to(&self, other: Contender) -> Option<f64> {
        let policy = self.of(Contender::Policy)?.fuel;
        Some(policy as f64 / self.of(other)?.fuel as f64)
    }
}

type Compiled = Vec<(Build, Module)>;

fn compiled(
    files: &[(Build, String, Vec<u8>)],
    how: fn(&str, &[u8]) -> Result<Module, Error>,
) -> Result<Compiled, Error> {
    files
        .iter()
        .map(|(build, path, bytes)| Ok((*build, how(path, bytes)?)))
        .collect()
}

fn weigh(files: &[(Build, String, Vec<u8>)]) -> Result<Vec<Weight>, Error> {
    let mut took = vec![Vec::new(); files.len()];
    for _ in 0..COMPILED {
        for ((_, path, bytes), took) in files.iter().zip(&mut took) {
            let start = Instant::now();
            let module = contender::optimized(path, bytes)?;
            took.push(start.elapsed());
            drop(module);
        }
    }
    files
        .iter()
        .zip(took)
        .map(|((build, path, bytes), took)| {
            let sections = section::sections(bytes).map_err(|source| Error::Module {
                path: path.clone(),
                source,
            })?;
            let custom = sections.iter().filter(|section| section.custom.is_some());
            Ok(Weight {
                build: *build,
                bytes: bytes.len(),
                bytes_without_custom_sections: bytes.len()
                    - custom.map(|section| section.range.len()).sum::<usize>(),
                gzipped: gzipped(bytes).map_err(|source| Error::File {
                    path: path.clone(),
                    source,
                })?,
                compile_milliseconds: timing::median(took).as_secs_f64() * 1e3,
            })
        })
        .collect()
}

fn gzipped(bytes: &[u8]) -> std::io::Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}

fn module(compiled: &Compiled, contender: Contender) -> Option<&Module> {
    let found = compiled
        .iter()
        .find(|(build, _)| *build == contender.build());
    found.map(|(_, module)| module)
}

fn measured(
    case: &Case,
    counting: &Compiled,
    optimized: &Compiled,
    budget: Duration,
) -> Result<Measured, Error> {
    let mut costs = Vec::new();
    let mut runs: Vec<Run<'_>> = vec![Box::new(|| {
        Ok(lws_replica_placement::validate(&case.payload))
    })];
    for contender in Contender::ALL {
        let (Some(counting), Some(optimized)) =
            (module(counting, contender), module(optimized, contender))
        else {
            continue;
        };
        if !contender.answers(case) {
            continue;
        }
        let outcome = contender::ask(contender, counting, case)?;
        costs.push(Cost {
            contender,
            fuel: outcome.fuel.unwrap_or_default(),
            memory: outcome.memory,
            fresh_microseconds: None,
            warm_microseconds: None,
        });
        if contender.is_timed() {
            // The same answer from the module that is timed as from the one that counts.
            contender::ask(contender, optimized, case)?;
            runs.push(fresh(contender, optimized, case));
            runs.push(warm(contender, optimized, case)?);
        }
    }
    let (medians, rounds) = timing::medians(&mut runs, budget)?;
    let mut medians = medians.into_iter().map(|took| took.as_secs_f64() * 1e6);
    let native_microseconds = medians.next().unwrap_or_default();
    for cost in costs.iter_mut().filter(|cost| cost.contender.is_timed()) {
        cost.fresh_microseconds = medians.next();
        cost.warm_microseconds = medians.next();
    }
    Ok(Measured {
        case: case.name.clone(),
        subject: case.subject,
        kib: case.kib,
        verdict: case.verdict,
        payload: case.payload.len(),
        rounds,
        native_microseconds,
        costs,
    })
}

fn fresh<'a>(contender: Contender, module: &'a Module, case: &'a Case) -> Run<'a> {
    Box::new(move || {
        let outcome = module.call(contender.operation(), &case.payload);
        outcome
            .map(|outcome| outcome.answer)
            .map_err(|source| contender.fault(case, source))
    })
}

fn warm<'a>(contender: Contender, module: &'a Module, case: &'a Case) -> Result<Run<'a>, Error> {
    let mut instance = module
        .instance()
        .map_err(|source| contender.fault(case, source))?;
    Ok(Box::new(move || {
        let outcome = instance.call(contender.operation(), &case.payload);
        outcome
            .map(|outcome| outcome.answer)
            .map_err(|source| contender.fault(case, source))
    }))
}

/// The policy in all its verdicts, and what it is compared with.
fn growth(cases: &[Measured]) -> Vec<Growth> {
    let policy = Verdict::ALL.map(|verdict| (Contender::Policy, verdict));
    let others = [Contender::Typed, Contender::Value].map(|other| (other, Verdict::Injected));
    policy
        .into_iter()
        .chain(others)
        .map(|(contender, verdict)| {
            let costs = || {
                cases
                    .iter()
                    .filter(|case| case.is_pod(verdict) && case.kib >= 4)
                    .filter_map(|case| Some((case.payload as f64, case.of(contender)?)))
            };
            Growth {
                contender,
                verdict,
                fuel: exponent(costs().map(|(bytes, cost)| (bytes, cost.fuel as f64))),
                memory: exponent(costs().map(|(bytes, cost)| (bytes, cost.memory as f64))),
            }
        })
        .collect()
}

/// The slope of the straight line that fits the logarithms best, by least squares.
fn exponent(points: impl Iterator<Item = (f64, f64)>) -> f64 {
    let points: Vec<(f64, f64)> = points.map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let joint: f64 = points.iter().map(|(a, b)| (a - x) * (b - y)).sum();
    let square: f64 = points.iter().map(|(a, _)| (a - x).powi(2)).sum();
    joint / square
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_of_power_laws_are_found() {
        for wanted in [0.5, 1.0, 2.0] {
            let points = [4.0_f64, 16.0, 64.0, 256.0].map(|x| (x, 7.0 * x.powf(wanted)));
            assert!((exponent(points.into_iter()) - wanted).abs() < 1e-9);
        }
    }
}
