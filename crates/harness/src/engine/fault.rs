//! What can go wrong when a module is loaded; when it runs, see [`lws_review::evaluator::Fault`].

use std::fmt;

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
