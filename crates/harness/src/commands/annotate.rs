//! `annotate`: embeds the policy's metadata in the module.

use super::Verdict;
use super::error::Error;
use super::files;
use crate::engine::{Limits, Module};
use crate::input;
use crate::metadata::{SECTION, USAGE};
use crate::section;
use std::path::PathBuf;

/// Embed policy-metadata.yml and a usage text in the policy module, as "kwctl annotate" does
///
/// What the module says already is replaced. The output is written beside its place and renamed, so that a reader never
/// finds half of it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  lws-placement annotate --metadata policy-metadata.yml --usage README.md --output annotated-policy.wasm policy.wasm

Exit status:
  0  written
  1  the module does not answer
  2  the metadata, the module or the usage is wrong")]
pub(crate) struct Args {
    /// The metadata, YAML or JSON
    #[arg(long, value_name = "FILE")]
    metadata: PathBuf,

    /// A text that tells how the policy is used; Markdown
    #[arg(long, value_name = "FILE")]
    usage: Option<PathBuf>,

    /// Where to write the annotated module
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// The policy module
    #[arg(value_name = "MODULE")]
    module: PathBuf,
}

/// Checks, embeds and writes.
pub(super) fn execute(args: &Args) -> Result<Verdict, Error> {
    let (_, mut metadata) = files::metadata(&args.metadata)?;
    if let Some(path) = &args.usage {
        let (_, text) = files::text(path)?;
        if metadata
            .annotations
            .insert(USAGE.to_owned(), text)
            .is_some()
        {
            return Err(Error::Usage(format!(
                "both --usage and the metadata give \"{USAGE}\"; leave one of them out"
            )));
        }
    }
    let (source, bytes) = input::bytes(&args.module)?;
    let module = Module::from_bytes(&source, &bytes, Limits::default())?;
    metadata.protocol_version = Some(module.protocol_version()?);
    let section = metadata
        .to_section()
        .map_err(|error| Error::Output(error.into()))?;
    let annotated = section::with_custom(&bytes, SECTION, &section)
        .map_err(|error| Error::Usage(format!("{source} {error}")))?;
    files::write(&args.output, &annotated)?;
    Ok(Verdict::Good)
}
