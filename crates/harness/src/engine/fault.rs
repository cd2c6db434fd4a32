//! What can go wrong with a module, when it is loaded and when it runs.

use std::fmt;
use std::time::Duration;

/// Why a file cannot serve as a policy module.
#[derive(Debug)]
pub enum LoadError {
    /// The file cannot be read.
    Read {
        /// The path as it was given.
        path: String,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The bytes are no WebAssembly module that this host compiles.
    Compile {
        /// Name of the module.
        name: String,
        /// The compiler's reason.
        reason: String,
    },
    /// The module asks for a function that a Kubewarden host does not give.
    UnknownImport {
        /// Name of the module.
        name: String,
        /// Where the import is wanted from.
        module: String,
        /// The function that is wanted.
        import: String,
    },
    /// An import is known, but with another type.
    Link {
        /// Name of the module.
        name: String,
        /// The linker's reason.
        reason: String,
    },
    /// The module lacks an export that waPC needs.
    NoExport {
        /// Name of the module.
        name: String,
        /// The export that lacks.
        export: &'static str,
    },
    /// The host's own compiler or thread cannot be set up.
    Host(String),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, source } => write!(
                f,
                "cannot read policy module \"{path}\": {source}; build it with \"make annotated-policy.wasm\" or name another with --policy"
            ),
            Self::Compile { name, reason } => {
                write!(
                    f,
                    "\"{name}\" is no usable WebAssembly module: {reason}; give a policy built for wasm32-wasip1"
                )
            }
            Self::UnknownImport {
                name,
                module,
                import,
            } => write!(
                f,
                "policy module \"{name}\" wants unknown import \"{import}\" of \"{module}\"; a policy may import from \"wapc\" and the few functions of \"wasi_snapshot_preview1\" that need no files, network or clock"
            ),
            Self::Link { name, reason } => {
                write!(
                    f,
                    "policy module \"{name}\" does not fit this host: {reason}"
                )
            }
            Self::NoExport { name, export } => write!(
                f,
                "policy module \"{name}\" has no export \"{export}\"; it is no waPC policy"
            ),
            Self::Host(reason) => write!(f, "cannot set up the WebAssembly host: {reason}"),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Why a request got no answer from the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The module trapped: a panic, an access out of bounds, a stack overflow.
    Trap {
        /// The trap in WebAssembly's words.
        reason: String,
        /// What the module wrote to standard error before, a panic's message for one.
        stderr: String,
    },
    /// The deadline passed.
    Deadline(Duration),
    /// The module wanted more memory than a request may have.
    Memory {
        /// Bytes it wanted in all.
        wanted: usize,
        /// Bytes it may have.
        limit: usize,
    },
    /// The fuel ran out.
    Fuel(u64),
    /// The module left through `proc_exit`.
    Exit(i32),
    /// The module gave a host function a place outside its memory.
    OutOfBounds {
        /// The host function.
        import: &'static str,
        /// Where the piece begins.
        start: u32,
        /// How long it is.
        length: u32,
    },
    /// The module reported an error instead of an answer.
    Guest {
        /// The operation that was called.
        operation: String,
        /// The error's text.
        message: String,
    },
    /// The module said that all went well, but gave no answer.
    NoAnswer {
        /// The operation that was called.
        operation: String,
    },
    /// The answer cannot be read.
    Malformed {
        /// The operation that was called.
        operation: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The host itself failed.
    Host(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trap { reason, stderr } => {
                write!(f, "policy trapped: {reason}")?;
                match stderr.trim() {
                    "" => Ok(()),
                    text => write!(f, " (it wrote: {})", text.replace('\n', " ")),
                }
            }
            Self::Deadline(limit) => write!(f, "policy interrupted: no answer within {limit:?}"),
            Self::Memory { wanted, limit } => write!(
                f,
                "policy wanted {wanted} bytes of memory, but a request may have {limit}"
            ),
            Self::Fuel(limit) => write!(
                f,
                "policy interrupted: it burnt all of its {limit} units of fuel"
            ),
            Self::Exit(code) => write!(f, "policy left with exit code {code} instead of answering"),
            Self::OutOfBounds {
                import,
                start,
                length,
            } => write!(
                f,
                "policy gave \"{import}\" {length} bytes at {start}, which is outside its memory"
            ),
            Self::Guest { operation, message } => {
                write!(
                    f,
                    "policy answered \"{operation}\" with an error: {message}"
                )
            }
            Self::NoAnswer { operation } => write!(f, "policy gave no answer to \"{operation}\""),
            Self::Malformed { operation, reason } => {
                write!(
                    f,
                    "policy gave an unreadable answer to \"{operation}\": {reason}"
                )
            }
            Self::Host(reason) => write!(f, "the WebAssembly host failed: {reason}"),
        }
    }
}

impl std::error::Error for Fault {}
