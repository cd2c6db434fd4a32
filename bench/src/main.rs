//! What the policy module weighs, and what its answers cost, in fuel: about one unit an instruction
//! of the module, the same on every machine and in every run.
//!
//! `lws-bench MODULE` prints a table in Markdown. The pod is of the usual size: two containers with
//! environment, mounts and probes, about 7 kB.

mod requests;

use std::io::Write as _;
use std::process::ExitCode;

use flate2::{Compression, write::GzEncoder};
use lws_placement::engine::{Limits, Module};

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: lws-bench MODULE, for example: lws-bench policy.wasm");
        return ExitCode::from(2);
    };
    match table(&path) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn table(path: &str) -> Result<String, Box<dyn std::error::Error>> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let limits = Limits {
        count_fuel: true,
        ..Limits::default()
    };
    let module = Module::from_bytes(path, &bytes, limits)?;
    let mut lines = vec![
        format!(
            "module: {} bytes, {} gzipped",
            bytes.len(),
            gzipped(&bytes)?
        ),
        String::new(),
        "| request | bytes | fuel | fuel a byte | memory |".to_owned(),
        "|---|---:|---:|---:|---:|".to_owned(),
    ];
    for (name, payload) in requests::all() {
        let outcome = module.call("validate", payload.as_bytes())?;
        let fuel = outcome.fuel.unwrap_or_default();
        let tenths = fuel * 10 / (payload.len() as u64).max(1);
        lines.push(format!(
            "| {name} | {} | {fuel} | {}.{} | {} KiB |",
            payload.len(),
            tenths / 10,
            tenths % 10,
            outcome.memory / 1024
        ));
    }
    Ok(lines.join("\n"))
}

fn gzipped(bytes: &[u8]) -> std::io::Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}
