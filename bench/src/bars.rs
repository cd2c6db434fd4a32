//! What the figures are held to. A bar that is not met is told and nothing else: times differ from run to run, so no
//! build may depend on them.

use crate::case::Verdict;
use crate::contender::{Build, Contender};
use crate::figures::{Growth, Measured, Weight};
use serde::Serialize;

/// A bound, and how the figures stand to it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bar {
    /// What is bounded.
    pub text: &'static str,
    /// The most that it may be.
    pub limit: f64,
    /// What it is where it is worst.
    pub figure: f64,
    /// Where that is; empty where there is one place only.
    pub worst: String,
    /// Whether the figure is within the limit.
    pub is_met: bool,
}

/// All bars, in the order in which they are shown.
#[must_use]
pub fn all(modules: &[Weight], cases: &[Measured], growth: &[Growth]) -> Vec<Bar> {
    let weight = modules
        .iter()
        .filter(|module| module.build == Build::Policy)
        .map(|module| {
            (
                String::new(),
                module.bytes_without_custom_sections as f64 / 1024.0,
            )
        });
    let pods = |verdict| cases.iter().filter(move |case| case.is_pod(verdict));
    let against = |other| {
        pods(Verdict::Injected)
            .filter(|case| case.kib == 4)
            .filter_map(move |case| Some((String::new(), case.fuel_to(other)?)))
    };
    let native = pods(Verdict::Injected)
        .filter(|case| case.kib >= 16)
        .filter_map(|case| Some((case.case.clone(), case.fresh_to_native()?)));
    let scan = pods(Verdict::Unread)
        .filter_map(|case| Some((case.case.clone(), case.fuel_to(Contender::Scan)?)));
    let policy = || {
        growth
            .iter()
            .filter(|growth| growth.contender == Contender::Policy)
    };
    let fuel = policy().map(|growth| (growth.verdict.name().to_owned(), growth.fuel));
    let memory = policy().map(|growth| (growth.verdict.name().to_owned(), growth.memory));
    let peak = cases.iter().filter_map(|case| {
        let memory = case.of(Contender::Policy)?.memory as f64;
        let allowed = 4.0 * case.payload as f64 + f64::from(1 << 20);
        Some((case.case.clone(), memory / allowed))
    });
    vec![
        bar(
            "the module without custom sections, in KiB",
            160.0,
            Box::new(weight),
        ),
        bar(
            "fuel of injecting into a pod of 4 KiB, as a share of the typed baseline's",
            0.2,
            Box::new(against(Contender::Typed)),
        ),
        bar(
            "fuel of injecting into a pod of 4 KiB, as a share of the value baseline's",
            0.5,
            Box::new(against(Contender::Value)),
        ),
        bar(
            "time of injecting in a fresh instance, from 16 KiB up, as a multiple of native",
            2.5,
            Box::new(native),
        ),
        bar("exponent of fuel over size", 1.05, Box::new(fuel)),
        bar("exponent of memory over size", 1.05, Box::new(memory)),
        bar(
            "fuel of a pod that belongs to no set, as a multiple of the no-op's and one scan's",
            1.3,
            Box::new(scan),
        ),
        bar(
            "memory, as a multiple of four payloads and 1 MiB",
            1.0,
            Box::new(peak),
        ),
    ]
}

/// The bar, with the worst of the figures. Without any figure it is not met.
fn bar(
    text: &'static str,
    limit: f64,
    figures: Box<dyn Iterator<Item = (String, f64)> + '_>,
) -> Bar {
    let (worst, figure) = figures
        .max_by(|(_, a), (_, b)| a.total_cmp(b))
        .unwrap_or_else(|| ("there is no figure".to_owned(), f64::INFINITY));
    Bar {
        text,
        limit,
        figure,
        worst,
        is_met: figure <= limit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_figure_counts() {
        let of = |figures: &[f64]| {
            let named = figures.iter().map(|figure| (figure.to_string(), *figure));
            bar("", 2.0, Box::new(named))
        };
        assert_eq!(of(&[1.0, 2.0, 0.5]).worst, "2");
        assert!(of(&[1.0, 2.0]).is_met);
        assert!(!of(&[2.1, 1.0]).is_met);
        assert!(!of(&[]).is_met);
        assert!(!of(&[f64::NAN]).is_met);
    }
}
