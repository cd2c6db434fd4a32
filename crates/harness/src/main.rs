//! The command line `lws-placement`; all of it is in the library.

use clap::Parser;
use lws_placement::commands::Cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    Cli::parse().execute()
}
