//! The figures as tables in Markdown, which are as good to read in a terminal.

use crate::case::Verdict;
use crate::contender::Contender;
use crate::figures::{Figures, Measured};
use lws_review::review::render::text::grouped;

/// Everything, each table under its heading.
#[must_use]
pub fn all(figures: &Figures) -> String {
    [
        &*environment(figures),
        "### Bars",
        &bars(figures),
        "### Modules",
        &modules(figures),
        "### Time of injecting into a pod",
        &times(figures),
        "### Fuel of injecting into a pod",
        &fuel(figures),
        "### Fuel of a pod that belongs to no set",
        &unread(figures),
        "### Growth",
        &growth(figures),
        "### Every case",
        &cases(figures),
    ]
    .join("\n\n")
}

fn environment(figures: &Figures) -> String {
    let here = &figures.environment;
    let processor = match here.processor.as_str() {
        "" => String::new(),
        name => format!(" of the kind {name}"),
    };
    format!(
        "Measured on {} with {} processors{processor}; Rust {}, wasmtime {}. Times are medians, in microseconds.",
        here.system, here.processors, here.rust, here.wasmtime
    )
}

fn bars(figures: &Figures) -> String {
    let rows = figures.bars.iter().map(|bar| {
        let met = if bar.is_met { "met" } else { "not met" };
        let figure = format!("{:.2}", bar.figure);
        vec![
            bar.text.to_owned(),
            bar.limit.to_string(),
            figure,
            met.to_owned(),
            bar.worst.clone(),
        ]
    });
    table(&["bar", ">at most", ">figure", "", "worst"], rows.collect())
}

fn modules(figures: &Figures) -> String {
    let rows = figures.modules.iter().map(|module| {
        vec![
            module.build.name().to_owned(),
            grouped(module.bytes as u64),
            grouped(module.bytes_without_custom_sections as u64),
            grouped(module.gzipped as u64),
            format!("{:.0} ms", module.compile_milliseconds),
        ]
    });
    let heads = [
        "module",
        ">bytes",
        ">without custom sections",
        ">gzipped",
        ">compiled in",
    ];
    table(&heads, rows.collect())
}

fn pods(figures: &Figures, verdict: Verdict) -> impl Iterator<Item = &Measured> {
    figures
        .cases
        .iter()
        .filter(move |case| case.is_pod(verdict))
}

fn times(figures: &Figures) -> String {
    let rows = pods(figures, Verdict::Injected).map(|case| {
        let fresh = |contender| case.of(contender).and_then(|cost| cost.fresh_microseconds);
        let warm = |contender| case.of(contender).and_then(|cost| cost.warm_microseconds);
        let policy = fresh(Contender::Policy);
        let to_policy = |other| policy.and_then(|policy| Some(fresh(other)? / policy));
        vec![
            format!("{} KiB", case.kib),
            micros(policy),
            micros(warm(Contender::Policy)),
            micros(Some(case.native_microseconds)),
            ratio(case.fresh_to_native()),
            micros(fresh(Contender::Typed)),
            micros(warm(Contender::Typed)),
            ratio(to_policy(Contender::Typed)),
            micros(fresh(Contender::Value)),
            micros(warm(Contender::Value)),
            ratio(to_policy(Contender::Value)),
            micros(fresh(Contender::Noop)),
        ]
    });
    let heads = [
        "pod",
        ">fresh",
        ">warm",
        ">native",
        ">fresh / native",
        ">typed, fresh",
        ">warm",
        ">typed / policy",
        ">value, fresh",
        ">warm",
        ">value / policy",
        ">no-op, fresh",
    ];
    table(&heads, rows.collect())
}

fn fuel(figures: &Figures) -> String {
    let rows = pods(figures, Verdict::Injected).map(|case| {
        let of = |contender| case.of(contender).map(|cost| cost.fuel);
        let a_byte = of(Contender::Policy).map(|fuel| fuel as f64 / case.payload as f64);
        vec![
            format!("{} KiB", case.kib),
            number(of(Contender::Policy)),
            ratio(a_byte),
            number(of(Contender::Typed)),
            ratio(case.fuel_to(Contender::Typed)),
            number(of(Contender::Value)),
            ratio(case.fuel_to(Contender::Value)),
        ]
    });
    let heads = [
        "pod",
        ">policy",
        ">a byte",
        ">typed",
        ">policy / typed",
        ">value",
        ">policy / value",
    ];
    table(&heads, rows.collect())
}

fn unread(figures: &Figures) -> String {
    let rows = pods(figures, Verdict::Unread).map(|case| {
        let of = |contender| case.of(contender).map(|cost| cost.fuel);
        vec![
            format!("{} KiB", case.kib),
            number(of(Contender::Policy)),
            number(of(Contender::Noop)),
            number(of(Contender::Scan)),
            ratio(case.fuel_to(Contender::Scan)),
            number(of(Contender::Bytes)),
            number(of(Contender::Typed)),
            number(of(Contender::Value)),
        ]
    });
    let heads = [
        "pod",
        ">policy",
        ">no-op",
        ">no-op and scan",
        ">policy / that",
        ">no-op and a loop over the bytes",
        ">typed",
        ">value",
    ];
    table(&heads, rows.collect())
}

fn growth(figures: &Figures) -> String {
    let rows = figures.growth.iter().map(|growth| {
        vec![
            format!(
                "{}, {}",
                growth.contender.build().name(),
                growth.verdict.name()
            ),
            format!("{:.3}", growth.fuel),
            format!("{:.3}", growth.memory),
        ]
    });
    table(
        &["pods from 4 KiB to 1 MiB", ">fuel ^", ">memory ^"],
        rows.collect(),
    )
}

fn cases(figures: &Figures) -> String {
    let rows = figures.cases.iter().map(|case| {
        let policy = case.of(Contender::Policy);
        vec![
            case.case.clone(),
            grouped(case.payload as u64),
            number(policy.map(|cost| cost.fuel)),
            number(policy.map(|cost| cost.memory as u64 / 1024)),
            micros(policy.and_then(|cost| cost.fresh_microseconds)),
            micros(policy.and_then(|cost| cost.warm_microseconds)),
            micros(Some(case.native_microseconds)),
            ratio(case.fresh_to_native()),
            case.rounds.to_string(),
        ]
    });
    let heads = [
        "case",
        ">payload, bytes",
        ">fuel",
        ">memory, KiB",
        ">fresh",
        ">warm",
        ">native",
        ">fresh / native",
        ">rounds",
    ];
    table(&heads, rows.collect())
}

/// A table; columns whose heading begins with `>` stand to the right.
fn table(heads: &[&str], rows: Vec<Vec<String>>) -> String {
    let is_right: Vec<bool> = heads.iter().map(|head| head.starts_with('>')).collect();
    let names = heads
        .iter()
        .map(|head| head.trim_start_matches('>').to_owned());
    let mut rows = rows;
    rows.insert(0, names.collect());
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heads.len())
        .map(|column| width(column).max(3))
        .collect();
    let columns = || is_right.iter().zip(&widths);
    let mut lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let cells = row.iter().zip(columns()).map(|(cell, (is_right, width))| {
                if *is_right {
                    format!("{cell:>width$}")
                } else {
                    format!("{cell:<width$}")
                }
            });
            format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
        })
        .collect();
    let rules = columns().map(|(is_right, width)| {
        let colon = if *is_right { ":" } else { "-" };
        format!("{}{colon}", "-".repeat(width + 1))
    });
    lines.insert(1, format!("|{}|", rules.collect::<Vec<_>>().join("|")));
    lines.join("\n")
}

fn number(number: Option<u64>) -> String {
    number.map_or_else(String::new, grouped)
}

/// Microseconds with three digits that count, or all before the point.
fn micros(micros: Option<f64>) -> String {
    match micros {
        None => String::new(),
        Some(micros) if micros < 10.0 => format!("{micros:.2}"),
        Some(micros) if micros < 100.0 => format!("{micros:.1}"),
        Some(micros) => grouped(micros.round() as u64),
    }
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = vec![
            vec!["a".to_owned(), grouped(1_234_567)],
            vec!["longer".to_owned(), grouped(12)],
        ];
        assert_eq!(
            table(&["name", ">figure"], rows),
            "| name   |    figure |\n\
             |--------|----------:|\n\
             | a      | 1,234,567 |\n\
             | longer |        12 |"
        );
    }

    #[test]
    fn times_have_three_digits() {
        let of = |number| micros(Some(number));
        assert_eq!(
            [of(1.234), of(12.34), of(123.4), of(12_345.6)],
            ["1.23", "12.3", "123", "12,346"]
        );
        assert_eq!([grouped(999), grouped(1_000)], ["999", "1,000"]);
    }
}
