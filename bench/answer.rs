//! Answers a payload from standard input again and again, without WebAssembly, for a profiler to look at: `make profile`.

use std::hint::black_box;
use std::io::Read as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let times = std::env::args().nth(1).map(|text| text.parse::<usize>());
    let Some(Ok(times)) = times else {
        eprintln!("usage: answer TIMES <PAYLOAD");
        return ExitCode::from(2);
    };
    let mut payload = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut payload) {
        eprintln!("error: standard input: {error}");
        return ExitCode::from(2);
    }
    for _ in 0..times {
        black_box(lws_replica_placement::validate(black_box(&payload)));
    }
    ExitCode::SUCCESS
}
