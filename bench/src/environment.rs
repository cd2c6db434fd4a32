//! Where the figures are from.

use serde::Serialize;

/// The machine and what built and ran the modules.
#[derive(Clone, Debug, Serialize)]
pub struct Environment {
    /// Processor, as the kernel names it; empty where it does not.
    pub processor: String,
    /// Processors that this process may use.
    pub processors: usize,
    /// Operating system and architecture.
    pub system: String,
    /// The toolchain of `rust-toolchain.toml`.
    pub rust: String,
    /// The version of wasmtime in `Cargo.lock`.
    pub wasmtime: String,
}

impl Environment {
    /// Here and now.
    #[must_use]
    pub fn new() -> Self {
        let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        Self {
            processor: after(&cpu, "model name", '\n')
                .trim_matches([' ', '\t', ':'])
                .to_owned(),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            rust: toolchain().to_owned(),
            wasmtime: after(
                include_str!("../../Cargo.lock"),
                "name = \"wasmtime\"\nversion = \"",
                '"',
            )
            .to_owned(),
        }
    }
}

impl Default for Environment {
    fn default() -> Self {
        Self::new()
    }
}

/// The toolchain that the sources are pinned to.
#[must_use]
pub fn toolchain() -> &'static str {
    after(
        include_str!("../../rust-toolchain.toml"),
        "channel = \"",
        '"',
    )
}

/// The text between the first `start` and the next `end`; empty where there is no start.
fn after<'a>(text: &'a str, start: &str, end: char) -> &'a str {
    let rest = text.split_once(start).map_or("", |(_, rest)| rest);
    rest.split(end).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found() {
        let here = Environment::new();
        for version in [&here.rust, &here.wasmtime] {
            assert_eq!(version.split('.').count(), 3, "{version}");
        }
    }
}
