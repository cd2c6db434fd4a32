//! What the pages under `docs/` show of the command line is what it prints.
//!
//! A block of a page that is marked `console` holds commands behind `$ `, each with its output and, where that
//! is not 0, its exit status behind `? `. Each is run in the repository's folder. After a change that is meant,
//! `UPDATE_TRANSCRIPTS=1 cargo test --package lws-placement --test transcripts` writes the new output into the pages.
#![allow(clippy::unwrap_used, clippy::panic)]

mod markdown;

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

#[test]
fn pages_show_what_the_command_line_prints() {
    let root = markdown::root();
    let mut commands = 0;
    let mut stale = Vec::new();
    for page in markdown::pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let (now, ran) = replayed(&text, &root);
        commands += ran;
        if now == text {
            continue;
        }
        if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
            std::fs::write(&page, now).unwrap();
        } else {
            let diff = similar::TextDiff::from_lines(&text, &now);
            stale.push(format!(
                "{}\n{}",
                page.display(),
                diff.unified_diff().header("page", "command line")
            ));
        }
    }
    assert!(commands > 5, "only {commands} commands were found");
    assert!(stale.is_empty(), "\n{}", stale.join("\n"));
}

/// The page with the output that its commands have now, and how many there are.
fn replayed(page: &str, root: &Path) -> (String, usize) {
    let mut now = String::new();
    let mut commands = 0;
    // What closes the block that the line is in: output may hold shorter fences.
    let mut fence = None;
    for line in page.lines() {
        let opening = line.strip_suffix("console");
        match opening.filter(|ticks| ticks.len() >= 3 && ticks.chars().all(|tick| tick == '`')) {
            Some(ticks) if fence.is_none() => {
                fence = Some(ticks);
                writeln!(now, "{line}").unwrap();
                continue;
            }
            _ if fence == Some(line) => fence = None,
            _ => {}
        }
        let command = line.strip_prefix("$ ").filter(|_| fence.is_some());
        if fence.is_none() || command.is_some() {
            writeln!(now, "{line}").unwrap();
        }
        if let Some(command) = command {
            commands += 1;
            now.push_str(&output(command, root));
        }
    }
    (now, commands)
}

fn output(command: &str, root: &Path) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_lws-placement"));
    let path = std::env::join_paths(
        [binary.parent().unwrap().to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let output = Command::new("bash")
        .args(["-c", &format!("{{ {command}; }} 2>&1")])
        .current_dir(root)
        .env("PATH", path.unwrap())
        .output()
        .unwrap();
    let mut text = String::from_utf8(output.stdout).unwrap();
    let status = output.status.code().unwrap();
    if status != 0 {
        writeln!(text, "? {status}").unwrap();
    }
    text
}
