//! `completions`: what a shell needs to complete our arguments.

use super::error::Error;
use super::{Cli, Verdict};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;

/// Print a shell's completion script
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  lws-placement completions bash > /etc/bash_completion.d/lws-placement
  source <(lws-placement completions zsh)")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub(super) fn execute(args: &Args) -> Result<Verdict, Error> {
    let mut script = Vec::new();
    clap_complete::generate(
        args.shell,
        &mut Cli::command(),
        "lws-placement",
        &mut script,
    );
    std::io::stdout()
        .lock()
        .write_all(&script)
        .map_err(Error::Output)?;
    Ok(Verdict::Good)
}
