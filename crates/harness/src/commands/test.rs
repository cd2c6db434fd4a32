//! `test`: holds the policy to case files.

use super::Verdict;
use super::error::Error;
use super::junit;
use super::options::PolicyOptions;
use super::output::print;
use crate::answer::judge;
use crate::case::check::check;
use crate::case::{CaseFile, Subject, find};
use crate::engine::Module;
use crate::evaluator::Evaluator;
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Hold the policy to case files
///
/// A line each, what differs where one fails, and a sum. Of every request that is allowed two things are checked
/// beyond the case: the patched object, sent again, is allowed without another patch; and the patch touches nothing but
/// nodeSelector and tolerations of a pod, or the placement annotation of a set's templates.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  lws-placement test e2e-tests/cases
  lws-placement test e2e-tests/cases --filter P10
  lws-placement test e2e-tests/cases -o junit > report.xml

Exit status:
  0  every case passed
  1  a case failed
  2  a file is no case, there is none, or the module is of no use")]
pub(crate) struct Args {
    /// Case files, or folders of them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Only cases with this in their file name or sentence, or with this rule
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,

    /// Text for people or JUnit's XML for programs
    #[arg(short, long, value_enum, default_value_t = Output::Text)]
    output: Output,

    /// Also write each case's request, settings, answer and what the module itself answers as JSON into this folder, to
    /// be tried on other hosts
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,

    #[command(flatten)]
    policy: PolicyOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// For people
    Text,
    /// For programs
    Junit,
}

/// A case that was run.
pub(super) struct Run {
    pub(super) file: CaseFile,
    /// What was wrong; nothing where it passed.
    pub(super) wrong: Vec<String>,
    pub(super) took: Duration,
}

/// Finds, runs and prints.
pub(super) fn execute(args: &Args) -> Result<Verdict, Error> {
    let mut files = Vec::new();
    for path in &args.paths {
        for file in find(path)? {
            files.push(CaseFile::read(&file)?);
        }
    }
    if let Some(filter) = &args.filter {
        files.retain(|file| file.matches(filter));
    }
    if files.is_empty() {
        return Err(Error::Usage(match &args.filter {
            Some(filter) => format!("no case matches \"{filter}\"; leave out --filter to run all"),
            None => "no case found; give .yaml files, or folders that hold some".to_owned(),
        }));
    }
    let module = args.policy.load()?;
    if let Some(folder) = &args.export {
        for file in &files {
            export(&module, file, folder)?;
        }
    }
    let runs = run_all(&module, files);
    let failed = runs.iter().filter(|run| !run.wrong.is_empty()).count();
    print(&match args.output {
        Output::Text => text(&runs, failed),
        Output::Junit => junit::report(&runs)?,
    })?;
    Ok(if failed == 0 {
        Verdict::Good
    } else {
        Verdict::Bad
    })
}

/// Runs the cases on every core; the order stays.
fn run_all(module: &Module, files: Vec<CaseFile>) -> Vec<Run> {
    let next = AtomicUsize::new(0);
    let runs = Mutex::new(Vec::with_capacity(files.len()));
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores.min(files.len()) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(file) = files.get(index) else {
                        return;
                    };
                    let start = Instant::now();
                    let wrong = check(module, &file.case);
                    let run = (index, wrong, start.elapsed());
                    runs.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push(run);
                }
            });
        }
    });
    let mut runs = runs.into_inner().unwrap_or_else(PoisonError::into_inner);
    runs.sort_by_key(|(index, ..)| *index);
    files
        .into_iter()
        .zip(runs)
        .map(|(file, (_, wrong, took))| Run { file, wrong, took })
        .collect()
}

fn text(runs: &[Run], failed: usize) -> String {
    let mut lines = Vec::new();
    for run in runs {
        let word = if run.wrong.is_empty() {
            "ok    "
        } else {
            "FAILED"
        };
        lines.push(format!(
            "{word} {}: {}",
            run.file.title(),
            run.file.case.name
        ));
        for wrong in &run.wrong {
            lines.push(format!("         {}", wrong.replace('\n', "\n           ")));
        }
    }
    lines.push(format!("{} passed, {failed} failed", runs.len() - failed));
    lines.join("\n")
}

/// Writes what another host needs to try the case, and what the module answers there, to the byte.
fn export(module: &Module, file: &CaseFile, folder: &Path) -> Result<(), Error> {
    let write = |what: &str, bytes: Vec<u8>| {
        let path = folder.join(format!("{}.{what}.json", file.title()));
        std::fs::write(&path, bytes).map_err(|error| Error::Write { path, error })
    };
    let line = |text: String| (text + "\n").into_bytes();
    std::fs::create_dir_all(folder).map_err(|error| Error::Write {
        path: folder.to_owned(),
        error,
    })?;
    let settings = &file.case.settings;
    write("settings", line(settings.to_string()))?;
    // Without an answer there is none to write; the run itself tells why.
    let Ok(Subject::Request(request)) = file.case.subject() else {
        let asked = settings.to_string();
        return match Evaluator::call(module, "validate_settings", asked.as_bytes()) {
            Ok(answer) => write("module-answer", answer),
            Err(_) => Ok(()),
        };
    };
    write("request", line(request.value().to_string()))?;
    let Ok(answer) = module.validate(settings, request.value()) else {
        return Ok(());
    };
    write("module-answer", answer)?;
    let Ok(response) = judge(module, settings, &request) else {
        return Ok(());
    };
    let response = response
        .to_line()
        .map_err(|error| Error::Output(error.into()))?;
    write("answer", line(response))
}
