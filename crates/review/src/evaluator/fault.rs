//! Why a request got no answer.

use std::fmt;
use std::time::Duration;

/// Why a request got no answer from the policy.
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
