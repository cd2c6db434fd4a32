//! `annotate`: embeds the policy's metadata in the module.

use super::Verdict;
use super::error::Error;
use crate::engine::{Limits, Module};
use crate::input::{self, InputError};
use crate::metadata::{Metadata, SECTION, USAGE};
use crate::problem::Problem;
use crate::section;
use std::io::Write;
use std::path::{Path, PathBuf};

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
    let mut metadata = read_metadata(&args.metadata)?;
    if let Some(path) = &args.usage {
        let (source, bytes) = input::bytes(path)?;
        let text = String::from_utf8(bytes).map_err(|error| {
            Error::Usage(format!(
                "{source} is no UTF-8 text: {error}; save it as UTF-8"
            ))
        })?;
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
    write(&args.output, &annotated)?;
    Ok(Verdict::Good)
}

/// Reads the metadata; all that is wrong with their contents is told at once.
fn read_metadata(path: &Path) -> Result<Metadata, Error> {
    let document = input::single(path, "the policy's metadata")?;
    let metadata =
        Metadata::from_value(document.value()).map_err(|problem| document.point(problem))?;
    let mut faults = metadata.faults().into_iter();
    let Some(first) = faults.next() else {
        return Ok(metadata);
    };
    let point = |problem: Problem| -> InputError { document.point(problem) };
    let texts: Vec<String> = std::iter::once(first)
        .chain(faults)
        .map(|problem| point(problem).to_string())
        .collect();
    Err(Error::Usage(texts.join("\n       ")))
}

/// Writes `bytes` beside `path` and renames.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |error: std::io::Error| Error::Write {
        path: path.to_owned(),
        error,
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new();
    // Temporary files are for their owner alone by default; a module is for everybody the umask lets.
    #[cfg(unix)]
    let file = file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = file.tempfile_in(folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}
