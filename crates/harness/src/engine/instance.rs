//! One instance of a module, and the calls that it answers.

use super::bounds::Raised;
use super::guest::Guest;
use super::module::{Module, Outcome};
use super::ticker::{Ticker, Watch};
use lws_review::evaluator::Fault;
use wasmtime::{Store, Trap};

/// What instances run before their first call, in this order, where they export it. waPC's two, as Kubewarden's host
/// does.
const STARTS: [&str; 2] = ["_start", "wapc_init"];

/// An instance of a [`Module`], initialised. It answers one call after another; whatever the module keeps between
/// calls, it keeps.
pub struct Instance<'a> {
    module: &'a Module,
    store: Store<Guest>,
    instance: wasmtime::Instance,
    /// Why it cannot be called any more.
    ended: Option<Fault>,
    /// Deadlines count while it lives.
    _watch: Watch<'a>,
}

impl<'a> Instance<'a> {
    /// Instantiates and initialises, under one deadline and one tank of fuel.
    pub(super) fn start(module: &'a Module) -> Result<Self, Fault> {
        let watch = module
            .ticker
            .watch()
            .map_err(|error| Fault::Host(format!("no thread for deadlines: {error}")))?;
        let guest = Guest::new(&module.limits, module.log.clone());
        let mut store = Store::new(&module.engine, guest);
        store.limiter(|guest| &mut guest.memory);
        fill(&mut store, module)?;
        let started = initialise(&mut store, module);
        let instance = match started {
            Ok(instance) => instance,
            Err(error) => {
                let printed = printed(&mut store);
                return Err(fault(&error, &store, &printed, module));
            }
        };
        Ok(Self {
            module,
            store,
            instance,
            ended: None,
            _watch: watch,
        })
    }

    /// Calls one waPC operation, under a deadline and with a tank of fuel of its own.
    ///
    /// # Errors
    /// Whatever keeps the module from answering. Where that ended the instance (a trap, a limit), every later call gives
    /// the same fault.
    pub fn call(&mut self, operation: &str, payload: &[u8]) -> Result<Outcome, Fault> {
        if let Some(fault) = &self.ended {
            return Err(fault.clone());
        }
        fill(&mut self.store, self.module)?;
        self.answer(operation, payload)
    }

    /// Calls one operation with what is left of the deadline and the fuel; the fuel that it tells is what was burnt since
    /// the tank was full.
    pub(super) fn answer(&mut self, operation: &str, payload: &[u8]) -> Result<Outcome, Fault> {
        self.store.data_mut().ask(operation, payload);
        let done = self.drive(operation, payload.len());
        let printed = printed(&mut self.store);
        let memory = done.map_err(|error| {
            let fault = fault(&error, &self.store, &printed, self.module);
            self.ended = Some(fault.clone());
            fault
        })?;
        let limits = &self.module.limits;
        let left = limits.count_fuel.then(|| self.store.get_fuel().ok());
        let guest = self.store.data_mut();
        let operation = operation.to_owned();
        match (guest.error.take(), guest.answer.take()) {
            (Some(message), _) => Err(Fault::Guest { operation, message }),
            (None, None) => Err(Fault::NoAnswer { operation }),
            (None, Some(answer)) => Ok(Outcome {
                answer,
                fuel: left.flatten().map(|left| tank(self.module) - left),
                memory,
            }),
        }
    }

    /// Calls; gives the memory's size.
    fn drive(&mut self, operation: &str, payload: usize) -> wasmtime::Result<usize> {
        let store = &mut self.store;
        let call = self
            .instance
            .get_typed_func::<(i32, i32), i32>(&mut *store, "__guest_call")?;
        let lengths = (i32::try_from(operation.len())?, i32::try_from(payload)?);
        let good = call.call(&mut *store, lengths)?;
        if good == 0 && store.data().error.is_none() {
            store.data_mut().error = Some("no reason given".to_owned());
        }
        let memory = self.instance.get_memory(&mut *store, "memory");
        Ok(memory.map_or(0, |memory| memory.data_size(&*store)))
    }
}

/// Gives a store the deadline, counted from now, and the fuel that the limits allow.
fn fill(store: &mut Store<Guest>, module: &Module) -> Result<(), Fault> {
    store.set_epoch_deadline(Ticker::ticks(module.limits.deadline));
    if module.limits.count_fuel {
        store
            .set_fuel(tank(module))
            .map_err(|error| Fault::Host(format!("{error:#}")))?;
    }
    Ok(())
}

/// Fuel for a request.
fn tank(module: &Module) -> u64 {
    module.limits.fuel.unwrap_or(u64::MAX)
}

fn initialise(store: &mut Store<Guest>, module: &Module) -> wasmtime::Result<wasmtime::Instance> {
    let instance = module.template.instantiate(&mut *store)?;
    for start in STARTS {
        if instance.get_func(&mut *store, start).is_some() {
            instance
                .get_typed_func::<(), ()>(&mut *store, start)?
                .call(&mut *store, ())?;
        }
    }
    Ok(instance)
}

/// Takes what the guest printed, and tells it to whoever listens.
fn printed(store: &mut Store<Guest>) -> Vec<u8> {
    let printed = std::mem::take(&mut store.data_mut().stderr);
    if !printed.is_empty() {
        let text = String::from_utf8_lossy(&printed);
        store
            .data()
            .say(&format!("policy printed: {}", text.trim_end()));
    }
    printed
}

/// What ended the guest.
fn fault(error: &wasmtime::Error, store: &Store<Guest>, printed: &[u8], module: &Module) -> Fault {
    let guest = store.data();
    if let Some(wanted) = guest.memory.refused {
        let limit = guest.memory.limit;
        return Fault::Memory { wanted, limit };
    }
    if let Some(Raised(fault)) = error.downcast_ref::<Raised>() {
        return fault.clone();
    }
    match error.downcast_ref::<Trap>() {
        Some(Trap::Interrupt) => Fault::Deadline(module.limits.deadline),
        Some(Trap::OutOfFuel) => Fault::Fuel(tank(module)),
        Some(trap) => Fault::Trap {
            reason: trap.to_string(),
            stderr: String::from_utf8_lossy(printed).into_owned(),
        },
        None => Fault::Host(format!("{error:#}")),
    }
}
