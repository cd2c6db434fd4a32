//! `diff`: what a change of settings or manifests does to sets that run.

use super::Verdict;
use super::error::Error;
use super::options::{PolicyOptions, SettingsOptions, accepted_by, from_file};
use super::output::print;
use crate::diff::render::{markdown, table};
use crate::diff::{Diff, Side, compare};
use crate::review::render::style::Look;
use crate::settings::Settings;
use clap::ValueEnum;
use std::path::{Path, PathBuf};

/// Show what a change of settings or manifests does to each set and replica
///
/// Every LeaderWorkerSet is created under the first settings, then its second manifest is applied over it under the
/// second settings, then it is scaled and its template changed: the policy answers each request, and the pods of these
/// moments are compared. A set that was stored with a stamp keeps its placement when settings change, until its next
/// revision; the output says so. A set with a metadata.uid comes from a cluster and is taken as it is stored.
///
/// The order is: what is newly refused, what is placed otherwise, what is placed otherwise from its next update on,
/// replicas that would split if one worker were made again, and the rest as a count.
///
/// Of a set with more than 10,000 pods only some are judged, as in review. The output says so.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  lws-placement diff --from old-settings.yaml --to new-settings.yaml -f manifests/
  lws-placement diff --from main/policy.yaml --to policy.yaml -f manifests/ -o markdown
  lws-placement diff --from-files main/manifests --to-files manifests --settings policy.yaml
  kubectl get leaderworkersets -A -o yaml | lws-placement diff --from old.yaml --to new.yaml -f -

In the output - stands before what was, + before what will be.

Exit status:
  0  nothing differs
  1  something differs
  2  something could not be compared, or the settings, the module or the usage is wrong")]
pub(crate) struct Args {
    /// The settings before: a map, or a ClusterAdmissionPolicy or AdmissionPolicy whose spec.settings are taken
    #[arg(long, value_name = "FILE", requires = "to", conflicts_with_all = ["settings", "settings_json"])]
    from: Option<PathBuf>,

    /// The settings after
    #[arg(long, value_name = "FILE", requires = "from")]
    to: Option<PathBuf>,

    /// Manifests on both sides: files, folders of .yaml, .yml and .json files, or - for standard input
    #[arg(short, long = "filename", visible_alias = "file", value_name = "FILE", conflicts_with_all = ["from_files", "to_files"])]
    filename: Vec<PathBuf>,

    /// More of them
    #[arg(value_name = "FILE", conflicts_with_all = ["from_files", "to_files"])]
    files: Vec<PathBuf>,

    /// Manifests before; may be given more than once
    #[arg(long, value_name = "FILE", requires = "to_files")]
    from_files: Vec<PathBuf>,

    /// Manifests after; may be given more than once
    #[arg(long, value_name = "FILE", requires = "from_files")]
    to_files: Vec<PathBuf>,

    #[command(flatten)]
    settings: SettingsOptions,

    #[command(flatten)]
    policy: PolicyOptions,

    /// How to show it
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    output: Output,

    /// Replicas to show of each difference; more are compared all the same
    #[arg(long, value_name = "N", default_value_t = 10)]
    replicas: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// For people at a terminal
    Table,
    /// For a pull request's comment
    Markdown,
    /// For programs
    Json,
}

/// Compares and prints.
pub(super) fn execute(args: &Args, look: Look) -> Result<Verdict, Error> {
    let both: Vec<PathBuf> = args.filename.iter().chain(&args.files).cloned().collect();
    let (from_files, to_files) = if both.is_empty() {
        (&args.from_files, &args.to_files)
    } else {
        (&both, &both)
    };
    check(args, from_files, to_files)?;
    let (from, to) = settings(args)?;
    let module = args.policy.load()?;
    accepted_by(&module, &from)?;
    accepted_by(&module, &to)?;
    let side = |settings, files| Side { settings, files };
    let diff = compare(
        &module,
        side(&from, from_files),
        side(&to, to_files),
        args.replicas,
    );
    print(&written(&diff, args.output, look)?)?;
    match (diff.problems.len(), diff.differs()) {
        (0, false) => Ok(Verdict::Good),
        (0, true) => Ok(Verdict::Bad),
        (1, _) => Err(Error::Usage(
            "1 error in the comparison; the output tells it".to_owned(),
        )),
        (count, _) => Err(Error::Usage(format!(
            "{count} errors in the comparison; the output tells them"
        ))),
    }
}

/// What clap cannot judge.
fn check(args: &Args, from_files: &[PathBuf], to_files: &[PathBuf]) -> Result<(), Error> {
    let usage = |text: &str| Err(Error::Usage(text.to_owned()));
    if from_files.is_empty() {
        return usage(
            "there are no manifests; give them with -f, or two states of them with --from-files and --to-files",
        );
    }
    if args.from.is_none() && from_files == to_files {
        return usage(
            "there is nothing to compare; give two settings with --from and --to, or two states of the manifests with --from-files and --to-files",
        );
    }
    let other = if from_files == to_files {
        &[][..]
    } else {
        to_files
    };
    let inputs = from_files
        .iter()
        .chain(other)
        .chain(&args.from)
        .chain(&args.to);
    let inputs = inputs.chain(args.settings.path());
    if inputs
        .filter(|path| path.as_path() == Path::new("-"))
        .count()
        > 1
    {
        return usage("standard input can be read but once; give only one file as -");
    }
    Ok(())
}

fn settings(args: &Args) -> Result<(Settings, Settings), Error> {
    match (&args.from, &args.to) {
        (Some(from), Some(to)) => Ok((from_file(from)?, from_file(to)?)),
        _ => {
            let both = args.settings.read()?;
            Ok((both.clone(), both))
        }
    }
}

fn written(diff: &Diff, output: Output, look: Look) -> Result<String, Error> {
    match output {
        Output::Table => Ok(table::write(diff, look)),
        Output::Markdown => Ok(markdown::write(diff)),
        Output::Json => {
            serde_json::to_string_pretty(diff).map_err(|error| Error::Output(error.into()))
        }
    }
}
