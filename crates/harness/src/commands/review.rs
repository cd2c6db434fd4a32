//! `review`: what the policy would do with manifests.

use super::Verdict;
use super::config::{Config, ConfigOptions};
use super::error::Error;
use super::options::{FailOn, NamespaceOption, PolicyOptions, SettingsOptions, accepted_by};
use super::output::print;
use super::policies::{Policies, PolicyManifests};
use crate::review::render::{
    dot, github, junit, markdown, policy_report, style::Look, svg, table, yaml,
};
use crate::review::report::Remark;
use crate::review::source::{Source, files};
use crate::review::{Options, Report, Reviewer};
use clap::ValueEnum;
use std::path::{Path, PathBuf};

/// Show what the policy would do with manifests
///
/// Every LeaderWorkerSet is admitted, then expanded into the pods that its controllers would make, and each pod is run
/// through the policy, both as it is before LeaderWorkerSet's own webhook and after it. Pods in the input are judged as
/// they are. Objects of other kinds are counted.
///
/// Of a set with more than 10,000 pods, the first and the last replica and those at every change in the number of
/// digits (9 and 10, 99 and 100 ...) are judged, and if need be the pods of a replica likewise. The output says so.
///
/// Without arguments, what .lws-placement.yaml says is reviewed; see --config.
///
/// A cluster's dump is judged as what runs: pods as the audit scanner would see them, replicas against their nodes,
/// labels, taints and neighbours; its sets are not expanded. An input is a dump if it holds a Node, a Pod with a
/// status.phase, or a set's Pod with a spec.nodeName. It is read as a stream, so its size does not matter.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  lws-placement review examples/vllm.yaml --settings examples/settings.yaml
  lws-placement review -f manifests/ --settings policy.yaml -o markdown
  lws-placement review -f manifests/ --settings policy.yaml -o svg > replicas.svg
  lws-placement review --policy-manifest examples/install/*.yaml -f examples/vllm.yaml
  kubectl get leaderworkersets,pods,nodes,namespaces -A -o yaml | lws-placement review -f - --settings policy.yaml
  helm template my-release my-chart | lws-placement review -f - -n team-a --settings examples/settings.yaml
  lws-placement review --strict

In the table + stands before what the policy adds, = before what is in the pod already.

Exit status:
  0  all sets and pods are accepted
  1  a set or a pod is refused, or a running member lacks its placement or is on a foreign node;
     with --strict also where there is a warning, with --fail-on never not at all
  2  something could not be reviewed, the policies cannot work as they are, or the settings, the module or the usage is wrong")]
pub(crate) struct Args {
    /// Manifests: files, folders of .yaml, .yml and .json files, or - for standard input
    #[arg(short, long = "filename", visible_alias = "file", value_name = "FILE")]
    filename: Vec<PathBuf>,

    /// More of them
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

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

    /// What gives exit status 1. Bad input gives 2 whatever this says [default: error]
    #[arg(long, value_enum, value_name = "WHAT")]
    fail_on: Option<FailOn>,

    /// The same as --fail-on warning
    #[arg(long, conflicts_with = "fail_on")]
    strict: bool,

    /// How to show it
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    output: Output,

    /// Replicas to show of each set; more are judged all the same
    #[arg(long, value_name = "N", default_value_t = 10)]
    replicas: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// For people at a terminal
    Table,
    /// For programs
    Json,
    /// The sets and pods as they become
    Yaml,
    /// For a pull request's comment, never longer than GitHub takes
    Markdown,
    /// For a job of GitHub Actions: annotations beside the lines of a change
    Github,
    /// For build servers: a suite for each set, as JUnit's XML
    Junit,
    /// For policy dashboards: PolicyReports of wgpolicyk8s.io/v1alpha2, as Kubewarden's audit scanner fills them
    PolicyReport,
    /// For Graphviz: replicas, their nodes and the pods there
    Dot,
    /// The same as a picture that browsers show
    Svg,
}

/// Reviews and prints.
pub(super) fn execute(args: &Args, look: Look) -> Result<Verdict, Error> {
    let config = args.config.load(args.policy.is_verbose())?;
    let paths = config.manifests(&args.filename, &args.files);
    if paths.is_empty() {
        return Err(config.without_paths("-f"));
    }
    let report = reviewed(args, &config, files(&paths))?;
    let fail_on = if args.strict {
        FailOn::Warning
    } else {
        args.fail_on.or(config.fail_on).unwrap_or_default()
    };
    let report = match fail_on {
        FailOn::Warning => report.made_strict(),
        FailOn::Error | FailOn::Never => report,
    };
    print(&written(&report, args, look)?)?;
    match (report.problems.len(), report.faults()) {
        (0, faults) if faults == 0 || fail_on == FailOn::Never => Ok(Verdict::Good),
        (0, _) => Ok(Verdict::Bad),
        (1, _) => Err(Error::Usage(
            "1 error in the review; the output tells it".to_owned(),
        )),
        (count, _) => Err(Error::Usage(format!(
            "{count} errors in the review; the output tells them"
        ))),
    }
}

/// Reviews under policies where there are any, else under settings.
fn reviewed(
    args: &Args,
    config: &Config,
    files: Vec<Result<PathBuf, Remark>>,
) -> Result<Report, Error> {
    let options = Options {
        replicas: args.replicas,
        objects: args.output == Output::Yaml,
    };
    let namespace = args.namespace.namespace.clone();
    let Some((manifests, origin)) = args.policies.given(&args.settings, config) else {
        args.policies
            .without_policies("give them with --policy-manifest")?;
        let settings = args.settings.read_or(config)?;
        let module = args.policy.load_or(config)?;
        accepted_by(&module, &settings)?;
        let mut reviewer = Reviewer::new(&module, &settings, options).in_namespace(namespace);
        for file in files {
            match file {
                Ok(path) => reviewer.read(&path),
                Err(remark) => reviewer.fail(remark),
            }
        }
        return Ok(reviewer.finish());
    };
    let module = args.policy.load_or(config)?;
    // Namespaces may stand anywhere in the input, so all of it is read first.
    let sources = files
        .into_iter()
        .map(|file| file.and_then(|file| Source::read(&file)));
    let (sources, failed): (Vec<_>, Vec<_>) = sources.partition(Result::is_ok);
    let sources: Vec<Source> = sources.into_iter().flatten().collect();
    let labels = args.policies.labels()?;
    let policies = Policies::read(&module, manifests)?;
    let (chain, notes) = policies.chain(&sources, &labels, &origin)?;
    let mut reviewer = Reviewer::under(&module, &chain, options).in_namespace(namespace);
    notes.into_iter().for_each(|note| reviewer.note(note));
    failed
        .into_iter()
        .filter_map(Result::err)
        .for_each(|remark| reviewer.fail(remark));
    sources.iter().for_each(|source| reviewer.see(source));
    Ok(reviewer.finish())
}

fn written(report: &Report, args: &Args, look: Look) -> Result<String, Error> {
    match args.output {
        Output::Table => Ok(table::write(report, look)),
        Output::Markdown => Ok(markdown::write(report)),
        Output::Github => Ok(github::write(report, &in_repository())),
        Output::Junit => junit::write(report).map_err(unwritten),
        Output::PolicyReport => policy_report::write(report).map_err(unwritten),
        Output::Dot => Ok(dot::write(report, args.replicas)),
        Output::Svg => Ok(svg::write(report, args.replicas)),
        Output::Json => {
            serde_json::to_string_pretty(report).map_err(|error| Error::Output(error.into()))
        }
        Output::Yaml => yaml::write(report).map_err(unwritten),
    }
}

fn unwritten(error: impl std::fmt::Display) -> Error {
    Error::Output(std::io::Error::other(error.to_string()))
}

/// The current folder as seen from the root of the repository that it is in; empty where it is in none.
fn in_repository() -> PathBuf {
    let Ok(current) = std::env::current_dir() else {
        return PathBuf::new();
    };
    let root = current
        .ancestors()
        .find(|folder| folder.join(".git").exists());
    let below = root.and_then(|root| current.strip_prefix(root).ok());
    below.map(Path::to_owned).unwrap_or_default()
}
