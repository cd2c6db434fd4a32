//! `inspect`: what a module says of itself, and what it is made of.

use super::Verdict;
use super::error::Error;
use super::output::print;
use crate::input;
use crate::metadata::SECTION;
use crate::metadata::USAGE;
use crate::section::{self, NotAModule};
use clap::ValueEnum;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use wasmparser::{ExternalKind, Parser, Payload};

/// Show a module's metadata, usage, imports, exports and sizes
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  lws-placement inspect annotated-policy.wasm
  lws-placement inspect annotated-policy.wasm -o json | jq -r '.imports[] | \"\\(.module) \\(.name)\"'

Exit status:
  0  shown
  2  the file is no module")]
pub(crate) struct Args {
    /// The module
    #[arg(value_name = "MODULE")]
    module: PathBuf,

    /// Text for people or JSON for programs
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

/// All that is shown.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    size: usize,
    gzip_size: usize,
    sections: Vec<Part>,
    imports: Vec<Import>,
    exports: Vec<Export>,
    /// As the section holds them, whatever wrote it.
    metadata: Option<Value>,
}

#[derive(Debug, Serialize)]
struct Part {
    name: String,
    size: usize,
}

#[derive(Debug, Serialize)]
struct Import {
    module: String,
    name: String,
}

#[derive(Debug, Serialize)]
struct Export {
    kind: &'static str,
    name: String,
}

/// Reads and shows.
pub(super) fn execute(args: &Args) -> Result<Verdict, Error> {
    let (source, bytes) = input::bytes(&args.module)?;
    let report = report(&bytes).map_err(|error| Error::Usage(format!("{source} {error}")))?;
    print(&match args.output {
        Output::Text => text(&report),
        Output::Json => {
            serde_json::to_string_pretty(&report).map_err(|error| Error::Output(error.into()))?
        }
    })?;
    Ok(Verdict::Good)
}

fn report(module: &[u8]) -> Result<Report, NotAModule> {
    let metadata = section::custom(module, SECTION)?.map(|data| {
        serde_json::from_slice(data).unwrap_or_else(|_| String::from_utf8_lossy(data).into())
    });
    let mut report = Report {
        size: module.len(),
        gzip_size: gzip_size(module),
        sections: section::sections(module)?
            .into_iter()
            .map(|section| Part {
                name: section.title,
                size: section.range.len(),
            })
            .collect(),
        imports: Vec::new(),
        exports: Vec::new(),
        metadata,
    };
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    let import = import?;
                    report.imports.push(Import {
                        module: import.module.to_owned(),
                        name: import.name.to_owned(),
                    });
                }
            }
            Payload::ExportSection(exports) => {
                for export in exports {
                    let export = export?;
                    report.exports.push(Export {
                        kind: kind(export.kind),
                        name: export.name.to_owned(),
                    });
                }
            }
            _ => {}
        }
    }
    Ok(report)
}

fn kind(kind: ExternalKind) -> &'static str {
    match kind {
        ExternalKind::Func | ExternalKind::FuncExact => "function",
        ExternalKind::Table => "table",
        ExternalKind::Memory => "memory",
        ExternalKind::Global => "global",
        ExternalKind::Tag => "tag",
    }
}

/// Size as a registry stores and sends it.
fn gzip_size(module: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let written = encoder.write_all(module).and_then(|()| encoder.finish());
    written.map_or(0, |compressed| compressed.len())
}

fn text(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a String does not fail.
    let _ = writeln!(
        out,
        "Size       {:>9} bytes, {} gzipped",
        report.size, report.gzip_size
    );
    out.push_str("\nSections\n");
    for part in &report.sections {
        let _ = writeln!(out, "  {:>9}  {}", part.size, part.name);
    }
    out.push_str("\nImports\n");
    for import in &report.imports {
        let _ = writeln!(out, "  {}  {}", import.module, import.name);
    }
    out.push_str("\nExports\n");
    for export in &report.exports {
        let _ = writeln!(out, "  {:<8}  {}", export.kind, export.name);
    }
    let Some(metadata) = &report.metadata else {
        out.push_str("\nNo metadata: annotate the module first.");
        return out;
    };
    out.push_str("\nMetadata\n");
    let mut usage = None;
    for (field, value) in metadata.as_object().into_iter().flatten() {
        if let ("annotations", Value::Object(annotations)) = (field.as_str(), value) {
            for (key, value) in annotations {
                let value = value.as_str().unwrap_or_default();
                if key == USAGE {
                    usage = Some(value);
                } else {
                    let _ = writeln!(out, "  {key}: {}", value.trim_end());
                }
            }
        } else if let Value::String(value) = value {
            let _ = writeln!(out, "  {field}: {value}");
        } else {
            let _ = writeln!(out, "  {field}: {value}");
        }
    }
    if let Some(usage) = usage {
        let _ = write!(out, "\nUsage\n\n{}", usage.trim_end());
    }
    out.trim_end().to_owned()
}
