//! `diff`: what a change of settings, policies or manifests does to sets that run.

use super::Verdict;
use super::config::ConfigOptions;
use super::error::Error;
use super::options::{NamespaceOption, PolicyOptions, SettingsOptions};
use super::output::print;
use super::policies::PolicyManifests;
use super::sides::Ruling;
use crate::diff::render::{markdown, table};
use crate::diff::{Diff, Options, Side, compare};
use crate::review::render::style::Look;
use clap::ValueEnum;
use std::path::{Path, PathBuf};

/// Show what a change of settings, policies or manifests does to each set and replica
///
/// Every LeaderWorkerSet is created under the first settings, then its second manifest is applied over it under the
/// second settings, then it is scaled and its template changed: the policy answers each request, and the pods of these
/// moments are compared. A set that was stored with a stamp keeps its placement when settings change, until its next
/// revision; the output says so. A set with a metadata.uid comes from a cluster and is taken as it is stored.
///
/// Where a side names policy manifests, it is judged as a cluster with these policies would judge: their rules, selectors,
/// namespaces, mode and order count, as with review --policy-manifest. A policy without rules is taken for its settings.
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
  lws-placement diff --from main/policies --to policies -f manifests/ --namespace-labels team-a=env=prod
  lws-placement diff --from-files main/manifests --to-files manifests --settings policy.yaml
  kubectl get leaderworkersets -A -o yaml | lws-placement diff --from old.yaml --to new.yaml -f -

In the output - stands before what was, + before what will be.

Exit status:
  0  nothing differs
  1  something differs
  2  something could not be compared, or the settings, the module or the usage is wrong")]
pub(crate) struct Args {
    /// The settings before, or the policies: a file with a map of settings, or files and folders with
    /// ClusterAdmissionPolicies and AdmissionPolicies, which are taken as a cluster's. May be given more than once
    #[arg(long, value_name = "FILE", requires = "to", conflicts_with_all = ["settings", "settings_json", "policy_manifest"])]
    from: Vec<PathBuf>,

    /// The settings or policies after
    #[arg(long, value_name = "FILE", requires = "from")]
    to: Vec<PathBuf>,

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
    policies: PolicyManifests,

    #[command(flatten)]
    namespace: NamespaceOption,

    #[command(flatten)]
    policy: PolicyOptions,

    #[command(flatten)]
    config: ConfigOptions,

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
    let config = args.config.load(args.policy.is_verbose())?;
    let both = config.manifests(&args.filename, &args.files);
    let (from_files, to_files) = match (args.from_files.as_slice(), args.to_files.as_slice()) {
        ([], []) => (both.as_slice(), both.as_slice()),
        sides => sides,
    };
    if from_files.is_empty() {
        return Err(
            config.without_paths("-f, or two states of them with --from-files and --to-files")
        );
    }
    check(args, from_files, to_files)?;
    let module = args.policy.load_or(&config)?;
    let (from, to) = if args.from.is_empty() {
        let both = Ruling::of_both(&module, &args.policies, &args.settings, &config)?;
        (both, None)
    } else {
        let from = Ruling::of_option(&module, &args.from, "--from")?;
        let to = Ruling::of_option(&module, &args.to, "--to")?;
        (from, Some(to))
    };
    let to = to.as_ref().unwrap_or(&from);
    if let (Ruling::Settings(_), Ruling::Settings(_)) = (&from, to) {
        let remedy = "give them with --from and --to, or with --policy-manifest";
        args.policies.without_policies(remedy)?;
    }
    let options = Options {
        replicas: args.replicas,
        namespace: args.namespace.namespace.as_deref(),
        namespaces: &args.policies.labels()?,
    };
    let from_side = Side {
        under: from.under(),
        files: from_files,
    };
    let to_side = Side {
        under: to.under(),
        files: to_files,
    };
    let mut diff = compare(&module, from_side, to_side, options);
    for note in to.notes().iter().rev().chain(from.notes().iter().rev()) {
        if !diff.notes.contains(note) {
            diff.notes.insert(0, note.clone());
        }
    }
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
    if args.from.is_empty() && from_files == to_files {
        return usage(
            "there is nothing to compare; give two settings or sets of policies with --from and --to, or two states of the manifests with --from-files and --to-files",
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

fn written(diff: &Diff, output: Output, look: Look) -> Result<String, Error> {
    match output {
        Output::Table => Ok(table::write(diff, look)),
        Output::Markdown => Ok(markdown::write(diff)),
        Output::Json => {
            serde_json::to_string_pretty(diff).map_err(|error| Error::Output(error.into()))
        }
    }
}
