//! `run`: one request through the policy.

use super::Verdict;
use super::error::Error;
use super::options::{PolicyOptions, SettingsOptions, accepted_by};
use super::output::{complain, print};
use crate::answer::{AdmissionResponse, judge};
use crate::input;
use crate::request::Request;
use clap::{ArgAction, ValueEnum};
use serde::Serialize;
use std::path::PathBuf;

/// Run one admission request through the policy
///
/// Prints the response that Kubewarden would send, as one line of JSON, the bytes that "kwctl run" prints. As with
/// kwctl the exit status is 0 when the request is refused too.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  lws-placement run --request pod.json --settings examples/settings.yaml
  lws-placement run --request pod.json --settings-json '{\"replicaSpecificNodeSelector\": \"example.com/group\"}'
  kubectl get --raw /some/audited/review | lws-placement run --request - -o patch

Exit status:
  0  the policy answered, whatever it answered
  1  the policy gave no answer (it trapped, or ran past a limit); with -o patch or -o object: the request was refused
  2  the request, the settings, the module or the usage is wrong")]
pub(crate) struct Args {
    /// The request: an AdmissionReview or a bare admission request, YAML or JSON; - for standard input
    #[arg(long, value_name = "FILE")]
    request: PathBuf,

    #[command(flatten)]
    settings: SettingsOptions,

    #[command(flatten)]
    policy: PolicyOptions,

    /// What to print: the whole answer, the JSON patch alone, or the object as it becomes
    #[arg(short, long, value_enum, default_value_t = Output::Answer)]
    output: Output,

    /// Whether the policy may change the object. With false a change is refused, in the policy server's words; kwctl
    /// shows it all the same
    #[arg(long, value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    mutating: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// The AdmissionResponse
    Answer,
    /// The JSON patch; [] where nothing changes
    Patch,
    /// The object with the patch applied
    Object,
}

/// Runs the request and prints.
pub(super) fn execute(args: &Args) -> Result<Verdict, Error> {
    let settings = args.settings.read()?;
    let (source, bytes) = input::bytes(&args.request)?;
    let request = read_request(&source, &bytes)?;
    let module = args.policy.load()?;
    accepted_by(&module, &settings)?;
    let response = match judge(&module, settings.value(), &request) {
        Ok(response) => response,
        Err(fault) => {
            // The API server gets an answer even so; it is printed as kwctl prints it.
            if args.output == Output::Answer {
                print(&line(&AdmissionResponse::failure(
                    request.uid(),
                    &fault.to_string(),
                ))?)?;
            }
            return Err(fault.into());
        }
    };
    let response = if args.mutating {
        response
    } else {
        response.without_mutation(settings.policy())
    };
    if args.output != Output::Answer && !response.allowed {
        complain(&format!(
            "refused: {}",
            response.message().unwrap_or("no reason given")
        ));
        return Ok(Verdict::Bad);
    }
    match args.output {
        Output::Answer => print(&line(&response)?)?,
        Output::Patch => print(&line(&response.patch())?)?,
        Output::Object => print(&line(&object(&response, &request)?)?)?,
    }
    Ok(Verdict::Good)
}

/// Reads an AdmissionReview or a bare request.
///
/// JSON is read by the reader that Kubewarden uses, which keeps the last of duplicate keys (H2); the stricter manifest
/// reader serves YAML, and finds the place where something is wrong.
pub(super) fn read_request(source: &str, bytes: &[u8]) -> Result<Request, Error> {
    if let Ok(Ok(request)) = serde_json::from_slice(bytes).map(Request::from_value) {
        return Ok(request);
    }
    let document = input::only(
        source.to_owned(),
        input::parse(source, bytes)?,
        "one admission request",
    )?;
    Request::from_value(document.value().clone()).map_err(|problem| document.point(problem).into())
}

/// The object as the API server would go on with it.
fn object(response: &AdmissionResponse, request: &Request) -> Result<serde_json::Value, Error> {
    let Some(object) = request.object() else {
        return Err(Error::Usage(
            "the request has no object to print (it is a DELETE); use -o answer".to_owned(),
        ));
    };
    response
        .apply(object)
        .map_err(|error| Error::Usage(format!("the patch does not fit the object: {error}")))
}

/// JSON on one line.
fn line(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::Output(error.into()))
}
