//! `explain`: why the policy answers as it does, rule by rule.

use super::Verdict;
use super::config::ConfigOptions;
use super::error::Error;
use super::options::{NamespaceOption, PolicyOptions, SettingsOptions, accepted_by};
use super::output::print;
use super::run::read_request;
use crate::explain::subject::{self, Failure, Wanted};
use crate::explain::{Explanation, contract, render};
use crate::review::render::style::Look;
use crate::review::source::{Source, files};
use clap::ValueEnum;
use serde::Serialize;
use std::path::PathBuf;

/// Explain the answer to one pod or set, rule by rule, or a rule itself
///
/// With -f or --request the policy is asked about one object, and every rule that was weighed for it is told in a
/// sentence, with its id, in the order of the contract. The last line is the verdict of the policy module. Objects of
/// manifests are taken as they would be created.
///
/// With ids, such as P11 or K3, the rules themselves are printed as docs/design.md words them, with the sources of
/// the facts that they rest on.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  lws-placement explain -f examples/vllm.yaml --settings examples/settings.yaml
  lws-placement explain -f examples/vllm.yaml --pod vllm-0-1 --settings examples/settings.yaml
  lws-placement explain -f manifests/ --name team-a/vllm --settings policy.yaml
  lws-placement explain --request review.json --settings examples/settings.yaml -o json
  lws-placement explain P11 K3

Exit status:
  0  the object is accepted, or all rules are known
  1  the object is refused
  2  the input, the settings, the module or the usage is wrong, a rule is unknown, or the explanation does not come to
     the module's verdict, which is an error of this program")]
pub(crate) struct Args {
    /// Rules to print, such as P11
    #[arg(
        value_name = "RULE",
        conflicts_with_all = ["filename", "request", "settings", "settings_json"]
    )]
    rules: Vec<String>,

    /// Manifests: files, folders of .yaml, .yml and .json files, or - for standard input
    #[arg(short, long = "filename", visible_alias = "file", value_name = "FILE")]
    filename: Vec<PathBuf>,

    /// Which set or pod of the manifests: its name, namespace/name, or its place in a list such as /items/3
    #[arg(long, value_name = "NAME", requires = "filename")]
    name: Option<String>,

    /// Explain this pod of the set, such as vllm-0 (a leader) or vllm-0-1 (a worker)
    #[arg(long, value_name = "POD", requires = "filename")]
    pod: Option<String>,

    /// An admission request: an AdmissionReview or a bare request, YAML or JSON; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "filename")]
    request: Option<PathBuf>,

    #[command(flatten)]
    settings: SettingsOptions,

    #[command(flatten)]
    namespace: NamespaceOption,

    #[command(flatten)]
    policy: PolicyOptions,

    #[command(flatten)]
    config: ConfigOptions,

    /// How to show it
    #[arg(short, long, value_enum, default_value_t = Output::Text)]
    output: Output,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// For people
    Text,
    /// For programs
    Json,
}

/// Explains and prints.
pub(super) fn execute(args: &Args, look: Look) -> Result<Verdict, Error> {
    if args.filename.is_empty() && args.request.is_none() && args.rules.is_empty() {
        return Err(Error::Usage(
            "there is nothing to explain; give manifests with -f, a request with --request, or a rule such as P11".to_owned(),
        ));
    }
    if args.filename.is_empty() && args.request.is_none() {
        return rules(args, look);
    }
    let explained = explained(args)?;
    print(&match args.output {
        Output::Text => render::explanation(&explained, look),
        Output::Json => json(&explained)?,
    })?;
    if let Some(ours) = &explained.disagreement {
        return Err(Error::Usage(format!(
            "the sentences come to another verdict than the module: {}; this is an error of lws-placement, or --policy is of another version; please report it with this input",
            ours.words()
        )));
    }
    Ok(if explained.verdict.accepted {
        Verdict::Good
    } else {
        Verdict::Bad
    })
}

fn rules(args: &Args, look: Look) -> Result<Verdict, Error> {
    let found = args.rules.iter().map(|id| contract::rule(id));
    let found: Result<Vec<_>, _> = found.collect();
    let found = found.map_err(|error| Error::Usage(error.to_string()))?;
    print(&match args.output {
        Output::Text => render::rules(&found, look),
        Output::Json => json(&found)?,
    })?;
    Ok(Verdict::Good)
}

fn explained(args: &Args) -> Result<Explanation, Error> {
    let config = args.config.load(args.policy.is_verbose())?;
    let settings = args.settings.read_or(&config)?;
    if let Some(path) = &args.request {
        let source = Source::read(path).map_err(Error::Pointed)?;
        let request = read_request(&source.name, &source.text)?;
        let module = args.policy.load_or(&config)?;
        accepted_by(&module, &settings)?;
        return Ok(subject::of_request(
            &module,
            settings.value(),
            &source,
            &request,
        )?);
    }
    let sources = files(&args.filename)
        .into_iter()
        .map(|file| file.and_then(|file| Source::read(&file)))
        .collect::<Result<Vec<_>, _>>()
        .map_err(Error::Pointed)?;
    let module = args.policy.load_or(&config)?;
    accepted_by(&module, &settings)?;
    let wanted = Wanted {
        object: args.name.as_deref(),
        pod: args.pod.as_deref(),
        namespace: args.namespace.namespace.as_deref(),
    };
    subject::of_manifests(&module, settings.value(), &sources, wanted).map_err(|failure| {
        match failure {
            Failure::Input(remark) => Error::Pointed(remark),
            Failure::Fault(fault) => fault.into(),
        }
    })
}

fn json(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string_pretty(value).map_err(|error| Error::Output(error.into()))
}
