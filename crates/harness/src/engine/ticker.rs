//! The clock behind deadlines: a thread that advances the engine's epoch while requests run.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use wasmtime::Engine;

/// How far apart ticks are; a deadline is kept to within one of them.
const TICK: Duration = Duration::from_millis(10);

/// One ticking thread for an engine. It starts with the first request, sleeps while none runs, and ends with the
/// ticker.
pub(super) struct Ticker {
    engine: Engine,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    requests: usize,
    thread: Thread,
    stopped: bool,
}

#[derive(Default, PartialEq)]
enum Thread {
    #[default]
    None,
    Asleep,
    Ticking,
}

impl Shared {
    /// Nothing that holds the lock can fail half-way, so a poisoned lock is as good as another.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ticks while there are requests.
    fn run(&self, engine: &Engine) {
        let mut state = self.lock();
        while !state.stopped {
            if state.requests == 0 {
                state.thread = Thread::Asleep;
                state = self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                state.thread = Thread::Ticking;
                continue;
            }
            state = self
                .changed
                .wait_timeout(state, TICK)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
            engine.increment_epoch();
        }
    }
}

impl Ticker {
    /// A ticker for `engine`; no thread yet.
    pub(super) fn new(engine: &Engine) -> Self {
        Self {
            engine: engine.clone(),
            shared: Arc::default(),
        }
    }

    /// Ticks for as long as the returned guard lives.
    ///
    /// # Errors
    /// The operating system gives no thread.
    pub(super) fn watch(&self) -> std::io::Result<Watch<'_>> {
        let mut state = self.shared.lock();
        match state.thread {
            Thread::None => {
                let (shared, engine) = (Arc::clone(&self.shared), self.engine.clone());
                std::thread::Builder::new()
                    .name("deadline".to_owned())
                    .spawn(move || shared.run(&engine))?;
                state.thread = Thread::Ticking;
            }
            Thread::Asleep => self.shared.changed.notify_one(),
            Thread::Ticking => {}
        }
        state.requests += 1;
        drop(state);
        Ok(Watch(&self.shared))
    }

    /// Ticks that make up `deadline`. One more, since the first may come at once.
    pub(super) fn ticks(deadline: Duration) -> u64 {
        let ticks = deadline.as_nanos().div_ceil(TICK.as_nanos()) + 1;
        u64::try_from(ticks).unwrap_or(u64::MAX >> 1)
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.lock().stopped = true;
        self.shared.changed.notify_all();
    }
}

/// A request under way.
pub(super) struct Watch<'a>(&'a Shared);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.0.lock().requests -= 1;
    }
}
