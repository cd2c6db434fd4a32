//! Sends the policy module very many requests over all cores, and says what that cost and whether anything was lost.
//!
//! `load MODULE [REQUESTS]` draws from a pool of generated requests (pods and sets, created and updated, placed, refused
//! and malformed) and holds every answer against the library's. It prints a table in Markdown and ends with 1 where a
//! request got another answer or none, or where memory grew with the number of requests.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "the generator of the tests is shared, and a failed set-up ends the program"
)]

#[path = "../../../../tests/generate/mod.rs"]
mod generate;
mod memory;
mod tally;

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use generate::random::Random;
use lws_placement::engine::{Limits, Module};
use memory::Memory;
use tally::Tally;

/// Requests without another number.
const REQUESTS: usize = 1_000_000;
/// Different requests; each is sent as often as it takes.
const POOL: u64 = 20_000;
/// Growth of the resident memory between the first tenth and the last that is no leak: an allocator's slack.
const SLACK: u64 = 16 << 20;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), count) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: load MODULE [REQUESTS], for example: load policy.wasm 1000000");
        return ExitCode::from(2);
    };
    let count = match count.map_or(Ok(REQUESTS), |text| text.parse()) {
        Ok(count) if count >= 10 => count,
        _ => {
            eprintln!("error: REQUESTS is no number of 10 or more");
            return ExitCode::from(2);
        }
    };
    let limits = Limits {
        // Other processes may take the cores away for a while; that is not the module's time.
        deadline: Duration::from_secs(60),
        optimize: true,
        ..Limits::default()
    };
    match Module::load_with(path.as_ref(), limits) {
        Ok(module) => run(&module, count),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// A request, and what the library says to it.
struct Known {
    payload: Vec<u8>,
    answer: Vec<u8>,
}

fn run(module: &Module, count: usize) -> ExitCode {
    let pool: Vec<Known> = (0..POOL.min(count as u64))
        .map(|seed| {
            let payload = generate::request::any(&mut Random::new(seed));
            let answer = lws_replica_placement::validate(&payload);
            Known { payload, answer }
        })
        .collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let memory = Memory::new(count);
    let started = Instant::now();
    let tallies: Vec<Tally> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| scope.spawn(|| work(module, &pool, count, &next, &memory)))
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .collect()
    });
    let elapsed = started.elapsed();
    let tally = Tally::joined(tallies);
    println!("{}", tally.table(threads, elapsed, &memory));
    let grown = memory.last().saturating_sub(memory.first());
    let is_flat = grown <= SLACK;
    if !is_flat {
        eprintln!("memory grew by {grown} bytes between the first tenth and the last");
    }
    for fault in &tally.faults {
        eprintln!("{fault}");
    }
    if tally.answered() == count && tally.faults.is_empty() && is_flat {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn work(
    module: &Module,
    pool: &[Known],
    count: usize,
    next: &AtomicUsize,
    memory: &Memory,
) -> Tally {
    let mut tally = Tally::default();
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        if index >= count {
            return tally;
        }
        memory.sample(index);
        let known = &pool[index % pool.len()];
        let started = Instant::now();
        let outcome = module.call("validate", &known.payload);
        let took = started.elapsed();
        match outcome {
            Ok(outcome) if outcome.answer == known.answer => {
                tally.answer(&outcome.answer, outcome.memory, took);
            }
            Ok(outcome) => tally.fault(format!(
                "request {index}: the module says {}, the library {}",
                String::from_utf8_lossy(&outcome.answer),
                String::from_utf8_lossy(&known.answer)
            )),
            Err(fault) => tally.fault(format!("request {index}: {fault}")),
        }
    }
}
