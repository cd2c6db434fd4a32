//! Names in a sentence, the first ones where there are many.

/// Names that a finding keeps.
const KEPT: usize = 4;

/// The first of `count` names.
pub(super) fn first(names: impl IntoIterator<Item = String>) -> Vec<String> {
    names.into_iter().take(KEPT).collect()
}

/// `a, b and 3 more`, where `names` are the first of `count`.
pub(super) fn listed(names: &[String], count: u64) -> String {
    let told = number(names.len());
    match count.saturating_sub(told) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// A length as a number.
pub(super) fn number(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_names_are_cut() {
        let names = first(["a", "b", "c", "d", "e", "f"].map(str::to_owned));
        assert_eq!(listed(&names, 6), "a, b, c, d and 2 more");
        assert_eq!(listed(&names, 4), "a, b, c, d");
    }
}
