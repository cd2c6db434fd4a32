//! A compiled policy module and the calls it answers.

use super::fault::LoadError;
use super::guest::Guest;
use super::instance::Instance;
use super::limits::Limits;
use super::ticker::Ticker;
use super::{wapc, wasi};
use crate::section;
use lws_review::evaluator::Fault;
use lws_review::input::{MOST, at_most};
use std::path::Path;
use std::sync::Arc;
use wasmtime::{
    Config, Engine, InstancePre, Linker, OptLevel, RegallocAlgorithm, UnknownImportError,
};

/// Who is told what the policy logs and asks its host for; one line a call.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// A policy module, compiled once, ready to serve requests from any thread.
pub struct Module {
    name: String,
    pub(super) engine: Engine,
    pub(super) template: InstancePre<Guest>,
    pub(super) limits: Limits,
    pub(super) ticker: Ticker,
    pub(super) log: Option<Log>,
}

/// What one call gave and cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The module's answer.
    pub answer: Vec<u8>,
    /// Fuel burnt, where [`Limits::count_fuel`] asks for it.
    pub fuel: Option<u64>,
    /// Linear memory at the end, in bytes. Memory never shrinks, so this is the most it had.
    pub memory: usize,
}

impl Module {
    /// Reads and compiles the module at `path` with the default [`Limits`].
    ///
    /// # Errors
    /// The file cannot be read, is no module, or is no policy.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        Self::load_with(path, Limits::default())
    }

    /// Reads and compiles the module at `path`.
    ///
    /// # Errors
    /// As [`Module::load`].
    pub fn load_with(path: &Path, limits: Limits) -> Result<Self, LoadError> {
        let name = path.display().to_string();
        let read = |source| LoadError::Read {
            path: name.clone(),
            source,
        };
        let bytes = std::fs::File::open(path).and_then(at_most).map_err(read)?;
        let bytes = bytes.ok_or_else(|| {
            read(std::io::Error::other(format!(
                "it holds more than {} MiB",
                MOST >> 20
            )))
        })?;
        Self::from_bytes(&name, &bytes, limits)
    }

    /// Compiles a module that is already in memory; `name` is for errors.
    ///
    /// # Errors
    /// The bytes are no module, or the module is no policy.
    pub fn from_bytes(name: &str, bytes: &[u8], limits: Limits) -> Result<Self, LoadError> {
        let unusable = |reason: String| LoadError::Compile {
            name: name.to_owned(),
            reason,
        };
        section::begins(bytes).map_err(|error| unusable(error.reason().to_owned()))?;
        let engine = engine(&limits).map_err(|error| LoadError::Host(format!("{error:#}")))?;
        let module = wasmtime::Module::from_binary(&engine, bytes)
            .map_err(|error| unusable(section::one_line(&format!("{error:#}"))))?;
        for export in ["memory", "__guest_call"] {
            if module.get_export(export).is_none() {
                let name = name.to_owned();
                return Err(LoadError::NoExport { name, export });
            }
        }
        let mut linker = Linker::new(&engine);
        wapc::add(&mut linker)
            .and_then(|()| wasi::add(&mut linker))
            .map_err(|error| LoadError::Host(format!("{error:#}")))?;
        let template = linker
            .instantiate_pre(&module)
            .map_err(|error| link_error(name, &error))?;
        Ok(Self {
            name: name.to_owned(),
            ticker: Ticker::new(&engine),
            engine,
            template,
            limits,
            log: None,
        })
    }

    /// Tells `log` what the policy logs, prints and asks its host for.
    #[must_use]
    pub fn with_log(mut self, log: Log) -> Self {
        self.log = Some(log);
        self
    }

    /// The name it was loaded by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Calls one waPC operation in a fresh instance.
    ///
    /// # Errors
    /// Whatever keeps the module from answering; later calls are not touched by it.
    pub fn call(&self, operation: &str, payload: &[u8]) -> Result<Outcome, Fault> {
        self.instance()?.answer(operation, payload)
    }

    /// An instance that is initialised and waits for its first call. Kubewarden gives each request one of its own, as
    /// [`Module::call`] does; an instance that answers more than one tells a benchmark what making it costs.
    ///
    /// # Errors
    /// Whatever ends the module before it is asked anything.
    pub fn instance(&self) -> Result<Instance<'_>, Fault> {
        Instance::start(self)
    }

    /// The version of Kubewarden's protocol that the module speaks.
    ///
    /// # Errors
    /// As [`Module::call`], and an answer that is no text.
    pub fn protocol_version(&self) -> Result<String, Fault> {
        let operation = "protocol_version";
        let outcome = self.call(operation, &[])?;
        let text = serde_json::from_slice(&outcome.answer);
        // The SDK answers a JSON string; bare text is what other languages' SDKs give.
        text.or_else(|_| String::from_utf8(outcome.answer))
            .map_err(|error| Fault::Malformed {
                operation: operation.to_owned(),
                reason: error.to_string(),
            })
    }
}

/// The compiler and runtime for modules under `limits`.
fn engine(limits: &Limits) -> wasmtime::Result<Engine> {
    let mut config = Config::new();
    config.epoch_interruption(true);
    config.consume_fuel(limits.count_fuel);
    if !limits.optimize {
        config.cranelift_opt_level(OptLevel::None);
        config.cranelift_regalloc_algorithm(RegallocAlgorithm::SinglePass);
    }
    Engine::new(&config)
}

/// Names the import that no Kubewarden host gives, where that is the reason.
fn link_error(name: &str, error: &wasmtime::Error) -> LoadError {
    let name = name.to_owned();
    match error.downcast_ref::<UnknownImportError>() {
        Some(unknown) => LoadError::UnknownImport {
            name,
            module: unknown.module().to_owned(),
            import: unknown.name().to_owned(),
        },
        None => LoadError::Link {
            name,
            reason: format!("{error:#}"),
        },
    }
}
