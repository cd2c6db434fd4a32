//! The command line `lws-bench`; all of it is in the library.

use clap::{Parser, Subcommand, ValueEnum};
use lws_bench::accepted::Costs;
use lws_bench::error::Error;
use lws_bench::figures::Figures;
use lws_bench::{case, contender, markdown, page};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// What the policy module weighs and what its answers cost
#[derive(Debug, Parser)]
#[command(name = "lws-bench")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measure the module beside the baselines, and print what comes of it
    ///
    /// A bar that is not met is told and does not change the exit status.
    Measure {
        /// The policy module
        #[arg(long, default_value = "policy.wasm")]
        policy: PathBuf,

        /// Folder of the baseline modules
        #[arg(long, default_value = "target/wasm32-wasip1/release")]
        baselines: PathBuf,

        /// Seconds that the rounds of a case may take
        #[arg(long, default_value_t = 5.0)]
        seconds: f64,

        /// Tables for people or JSON for programs
        #[arg(short, long, value_enum, default_value_t = Output::Markdown)]
        output: Output,

        /// A page whose figures are written anew
        #[arg(long, value_name = "FILE")]
        page: Option<PathBuf>,
    },
    /// Print the payload of a case, as Kubewarden hands it over
    Payload {
        /// Its name, as the tables have it
        case: String,
    },
    /// Write the file of accepted costs anew
    Accept {
        /// The policy module
        #[arg(long, default_value = "policy.wasm")]
        policy: PathBuf,

        /// The file
        #[arg(long, default_value = "bench/accepted.txt")]
        file: PathBuf,

        /// Why the new costs are good; it stands in the file
        #[arg(long)]
        reason: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// For people
    Markdown,
    /// For programs
    Json,
}

fn main() -> ExitCode {
    match execute(&Cli::parse().command) {
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

/// Does it, and gives what is to be printed.
fn execute(command: &Command) -> Result<String, Error> {
    match command {
        Command::Measure {
            policy,
            baselines,
            seconds,
            output,
            page,
        } => {
            let budget = Duration::try_from_secs_f64(*seconds).unwrap_or(Duration::ZERO);
            let figures = Figures::measure(policy, baselines, budget)?;
            let tables = markdown::all(&figures);
            if let Some(page) = page {
                page::rewrite(page, &tables)?;
            }
            match output {
                Output::Markdown => Ok(tables),
                Output::Json => serde_json::to_string_pretty(&figures).map_err(Error::Json),
            }
        }
        Command::Payload { case } => {
            let cases = case::all();
            match cases.iter().find(|known| known.name == *case) {
                Some(known) => Ok(String::from_utf8_lossy(&known.payload).into_owned()),
                None => Err(Error::NoCase {
                    name: case.clone(),
                    known: cases.into_iter().map(|case| case.name).collect(),
                }),
            }
        }
        Command::Accept {
            policy,
            file,
            reason,
        } => {
            let costs = Costs::measure(&contender::read(policy)?, reason)?;
            let name = file.display().to_string();
            let old = std::fs::read_to_string(file)
                .ok()
                .and_then(|text| Costs::parse(&text).ok());
            std::fs::write(file, costs.to_string()).map_err(|source| Error::File {
                path: name.clone(),
                source,
            })?;
            let mut lines = old.map_or_else(Vec::new, |old| old.differences(&costs));
            lines.push(format!("{name} is written"));
            Ok(lines.join("\n"))
        }
    }
}
