//! The command line. One file a command; each takes its arguments and gives an exit status.
//!
//! Results go to standard output, everything else to standard error. The exit status is 0 where all is well, 1 where
//! something was refused or failed, 2 for input or usage that cannot be worked with.

mod annotate;
mod artifacthub;
mod completions;
mod config;
mod diff;
mod error;
mod explain;
mod files;
mod inspect;
mod junit;
mod options;
mod output;
mod policies;
mod review;
mod run;
mod sides;
mod test;

pub use error::Error;

use crate::review::render::style::{Colour, Look};
use clap::{ColorChoice, Parser, Subcommand};
use std::process::ExitCode;

/// Run and try the lws-replica-placement policy without a cluster.
#[derive(Debug, Parser)]
#[command(name = "lws-placement", version, arg_required_else_help = true)]
pub struct Cli {
    /// When to colour: auto (on a terminal, unless NO_COLOR is set), always, never
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t = ColorChoice::Auto,
        hide_possible_values = true
    )]
    color: ColorChoice,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Review(review::Args),
    Diff(diff::Args),
    Explain(explain::Args),
    Run(run::Args),
    Test(test::Args),
    Annotate(annotate::Args),
    Artifacthub(artifacthub::Args),
    Inspect(inspect::Args),
    Completions(completions::Args),
}

/// How a command that could do its work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// All is well: exit status 0.
    Good,
    /// Something was refused or failed: exit status 1.
    Bad,
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Good => Self::SUCCESS,
            Verdict::Bad => Self::from(1),
        }
    }
}

impl Cli {
    /// Does what the command line asks and gives the exit status. Errors are told on standard error.
    #[must_use]
    pub fn execute(self) -> ExitCode {
        let colour = colour(self.color);
        let look = Look::of_stdout(colour);
        let done = match self.command {
            Command::Review(args) => review::execute(&args, look),
            Command::Diff(args) => diff::execute(&args, look),
            Command::Explain(args) => explain::execute(&args, look),
            Command::Run(args) => run::execute(&args),
            Command::Test(args) => test::execute(&args),
            Command::Annotate(args) => annotate::execute(&args),
            Command::Artifacthub(args) => artifacthub::execute(&args),
            Command::Inspect(args) => inspect::execute(&args),
            Command::Completions(args) => completions::execute(&args),
        };
        match done {
            Ok(verdict) => verdict.into(),
            // Whoever reads our output has enough; `lws-placement … | head` is no error.
            Err(Error::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                ExitCode::SUCCESS
            }
            Err(error) => {
                output::complain(&error.told(Look::of_stderr(colour)));
                ExitCode::from(error.status())
            }
        }
    }
}

fn colour(choice: ColorChoice) -> Colour {
    match choice {
        ColorChoice::Auto => Colour::Auto,
        ColorChoice::Always => {
            // Tables are painted by crossterm, which obeys NO_COLOR unless it is told not to.
            crossterm::style::force_color_output(true);
            Colour::Always
        }
        ColorChoice::Never => Colour::Never,
    }
}
