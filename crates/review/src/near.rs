//! Names that somebody may have meant.

/// Letters that may differ: one left out, one too many, one for another, or two in each other's place count one each.
const FAR: usize = 2;

/// Shorter names than this are near to too many others.
const SHORT: usize = 3;

/// The name among `known` that `name` is nearest to, if it is nearly that; of several the first.
#[must_use]
pub fn near<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let distance = |known: &str| strsim::damerau_levenshtein(known, name);
    let nearest = known.iter().min_by_key(|known| distance(known))?;
    (name.len() > SHORT && distance(nearest) <= FAR).then_some(*nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nearly_a_name_is_meant() {
        let known = ["policy", "policies", "paths"];
        assert_eq!(near("polices", &known), Some("policies"));
        assert_eq!(near("Paths", &known), Some("paths"));
        assert_eq!(near("path", &known), Some("paths"));
        assert_eq!(near("settings", &known), None);
        assert_eq!(near("pat", &known), None);
    }
}
