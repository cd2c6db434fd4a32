//! Labels and taints as `kubectl label` and `kubectl taint` write them.

use super::names::Name;
use super::records::{Records, Taint};

/// `key=value`.
pub(super) fn label(records: &Records, (key, value): (Name, Name)) -> String {
    format!("{}={}", records.text(key), records.text(value))
}

/// `key=value:effect`; without an effect where any will do.
pub(super) fn taint(records: &Records, taint: Taint) -> String {
    let label = label(records, (taint.key, taint.value));
    match taint.effect {
        Some(effect) => format!("{label}:{}", records.text(effect)),
        None => label,
    }
}
