//! Why a command could not do its work.

use crate::engine::{Fault, LoadError};
use crate::input::InputError;
use crate::review::render::style::Look;
use crate::review::report::Remark;
use std::fmt;
use std::path::PathBuf;

/// Why a command could not do its work.
#[derive(Debug)]
pub enum Error {
    /// A file or standard input is of no use.
    Input(InputError),
    /// The policy module is of no use.
    Load(LoadError),
    /// The policy module gave no answer.
    Fault(Fault),
    /// The policy refuses its settings.
    Settings {
        /// Where they come from.
        source: String,
        /// The policy's reasons, a sentence each, with their places.
        faults: Vec<Remark>,
    },
    /// The policies of a cluster cannot work as they are: why, a sentence each, with their places.
    Policies(Vec<Remark>),
    /// Something in a file.
    Pointed(Remark),
    /// An argument that clap cannot judge.
    Usage(String),
    /// Standard output cannot be written.
    Output(std::io::Error),
    /// A file cannot be written.
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        error: std::io::Error,
    },
}

impl Error {
    /// What is told on standard error: the error, and where it points into a file the line with carets.
    #[must_use]
    pub fn told(&self, look: Look) -> String {
        let word = look.bad("error");
        let list = match self {
            Self::Settings { source, faults } => Some((refused(source), faults)),
            Self::Policies(faults) => Some((UNWORKABLE.to_owned(), faults)),
            _ => None,
        };
        if let Some((head, faults)) = list {
            let mut lines = vec![format!("{word}: {head}")];
            for fault in faults {
                lines.push(format!("  {fault}"));
                let snippet = fault.place.iter().flat_map(|place| place.snippet(look));
                lines.extend(snippet);
            }
            return lines.join("\n");
        }
        let mut lines = vec![format!("{word}: {self}")];
        let place = match self {
            Self::Input(error) => error.place(),
            Self::Pointed(remark) => remark.place.as_ref(),
            _ => None,
        };
        lines.extend(place.iter().flat_map(|place| place.snippet(look)));
        lines.join("\n")
    }

    /// The exit status that goes with it.
    #[must_use]
    pub fn status(&self) -> u8 {
        match self {
            Self::Fault(_) => 1,
            _ => 2,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => error.fmt(f),
            Self::Load(error) => error.fmt(f),
            Self::Fault(fault) => fault.fmt(f),
            Self::Settings { source, faults } => {
                f.write_str(&refused(source))?;
                faults.iter().try_for_each(|fault| write!(f, "\n  {fault}"))
            }
            Self::Policies(faults) => {
                f.write_str(UNWORKABLE)?;
                faults.iter().try_for_each(|fault| write!(f, "\n  {fault}"))
            }
            Self::Pointed(remark) => remark.fmt(f),
            Self::Usage(text) => f.write_str(text),
            Self::Output(error) => write!(f, "cannot write to standard output: {error}"),
            Self::Write { path, error } => write!(
                f,
                "cannot write {}: {error}; check that its folder exists and may be written",
                path.display()
            ),
        }
    }
}

const UNWORKABLE: &str = "the policies cannot work as they are:";

fn refused(source: &str) -> String {
    format!("the policy refuses the settings in {source}:")
}

impl std::error::Error for Error {}

impl From<InputError> for Error {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Self {
        Self::Load(error)
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}
