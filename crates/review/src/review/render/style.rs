//! Colour and width of the output.

use anstyle::{AnsiColor, Style};
use std::fmt::Display;
use std::io::IsTerminal;

/// When there is colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Colour {
    /// On a terminal that is not a dumb one, unless `NO_COLOR` is set to anything (<https://no-color.org>).
    #[default]
    Auto,
    /// In any case.
    Always,
    /// In no case.
    Never,
}

impl Colour {
    fn is_wanted(self, is_terminal: bool) -> bool {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        match self {
            Self::Auto => is_terminal && !set("NO_COLOR") && !is_dumb(),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// How a table may look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Look {
    /// Whether colour is wanted.
    pub colour: bool,
    /// Columns that there are; none: as many as it takes.
    pub width: Option<u16>,
}

impl Look {
    /// As standard output likes it: a width on a terminal only, and colour as `colour` has it.
    #[must_use]
    pub fn of_stdout(colour: Colour) -> Self {
        Self::of(std::io::stdout().is_terminal(), colour)
    }

    /// As standard error likes it.
    #[must_use]
    pub fn of_stderr(colour: Colour) -> Self {
        Self::of(std::io::stderr().is_terminal(), colour)
    }

    fn of(is_terminal: bool, colour: Colour) -> Self {
        Self {
            colour: colour.is_wanted(is_terminal),
            width: is_terminal.then(width).flatten(),
        }
    }

    /// A table without lines, as wide as there is room.
    #[cfg(feature = "host")]
    pub(crate) fn bare_table(self) -> comfy_table::Table {
        use comfy_table::{ContentArrangement, Table, presets};
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        if self.colour {
            table.enforce_styling();
        } else {
            table.force_no_tty();
        }
        if let Some(width) = self.width {
            table.set_content_arrangement(ContentArrangement::Dynamic);
            table.set_width(width);
        }
        table
    }

    fn paint(self, style: Style, text: impl Display) -> String {
        if self.colour {
            format!("{style}{text}{style:#}")
        } else {
            text.to_string()
        }
    }

    /// What should be seen first, bold.
    #[must_use]
    pub fn strong(self, text: impl Display) -> String {
        self.paint(Style::new().bold(), text)
    }

    /// What may be passed over, dim.
    #[must_use]
    pub fn faint(self, text: impl Display) -> String {
        self.paint(Style::new().dimmed(), text)
    }

    /// What is wrong, red.
    #[must_use]
    pub fn bad(self, text: impl Display) -> String {
        self.paint(AnsiColor::Red.on_default().bold(), text)
    }

    /// What asks for care, yellow.
    #[must_use]
    pub fn careful(self, text: impl Display) -> String {
        self.paint(AnsiColor::Yellow.on_default(), text)
    }
}

/// The columns of the terminal.
#[cfg(feature = "host")]
fn width() -> Option<u16> {
    terminal_size::terminal_size().map(|(width, _)| width.0)
}

/// Without an operating system there is no terminal.
#[cfg(not(feature = "host"))]
fn width() -> Option<u16> {
    None
}
