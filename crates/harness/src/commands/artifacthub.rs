//! `artifacthub`: the policy's package file for Artifact Hub.

use super::error::Error;
use super::output::print;
use super::{Verdict, files};
use crate::input;
use crate::metadata::Metadata;
use crate::metadata::artifacthub::{Package, Released};
use crate::problem::{self, Problem};
use jiff::Timestamp;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Write artifacthub-pkg.yml from policy-metadata.yml, as "kwctl scaffold artifacthub" does
///
/// Artifact Hub lists policies by such a file. The date of a release is not in the metadata: it is given, or taken from
/// the file that --output names, as long as that is of the same version.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  lws-placement artifacthub --metadata policy-metadata.yml --questions questions-ui.yml --output artifacthub-pkg.yml
  lws-placement artifacthub --metadata policy-metadata.yml --created-at 2026-12-24T12:00:00Z

Exit status:
  0  written
  2  the metadata, the questions or the date is wrong")]
pub(crate) struct Args {
    /// The metadata, YAML or JSON
    #[arg(long, value_name = "FILE")]
    metadata: PathBuf,

    /// The form for the policy's settings, as Rancher shows it; YAML
    #[arg(long, value_name = "FILE")]
    questions: Option<PathBuf>,

    /// When this version was released, as RFC 3339 writes it
    #[arg(long, value_name = "TIME", value_parser = time)]
    created_at: Option<Timestamp>,

    /// Where to write the package file; without it, to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Reads a time for clap, which wants an error that says what to write.
fn time(text: &str) -> Result<Timestamp, String> {
    text.parse()
        .map_err(|error| format!("{error}; write it as 2026-12-24T12:00:00Z"))
}

/// Reads, checks and writes.
pub(super) fn execute(args: &Args) -> Result<Verdict, Error> {
    let (document, metadata) = files::metadata(&args.metadata)?;
    let questions = args.questions.as_deref().map(questions).transpose()?;
    let created_at = match args.created_at {
        Some(time) => time,
        None => kept(args.output.as_deref(), &metadata)?,
    };
    let package = Package::new(&metadata, created_at, questions.as_deref())
        .map_err(|problems| files::all(&document, problems))?;
    let text = package
        .to_yaml()
        .map_err(|error| Error::Output(std::io::Error::other(error)))?;
    match &args.output {
        Some(path) => files::write(path, text.as_bytes())?,
        None => print(text.trim_end())?,
    }
    Ok(Verdict::Good)
}

/// The text of a form. It is passed on as it is; that it is one is all that is checked.
fn questions(path: &Path) -> Result<String, Error> {
    let (source, text) = files::text(path)?;
    let documents = input::parse(&source, text.as_bytes())?;
    let document = input::only(source, documents, "the questions")?;
    let list = document.value().get("questions").and_then(Value::as_array);
    if list.is_none_or(Vec::is_empty) {
        return Err(document
            .point(Problem::new(
                "/questions",
                "is no list of questions".to_owned(),
                "give the form's questions as a list",
            ))
            .into());
    }
    Ok(text)
}

/// The date in the package file that is there already, if it is of the same version.
fn kept(output: Option<&Path>, metadata: &Metadata) -> Result<Timestamp, Error> {
    let Some(path) = output.filter(|path| path.exists()) else {
        return Err(Error::Usage(
            "no date of the release; give it with --created-at".to_owned(),
        ));
    };
    let document = input::single(path, "the package")?;
    let released: Released =
        problem::read(document.value()).map_err(|problem| document.point(problem))?;
    released.of(metadata).ok_or_else(|| {
        Error::Usage(format!(
            "{} is of another version than the metadata; give the date of the release with --created-at",
            path.display()
        ))
    })
}
