//! Whole numbers in text.

/// A number of the type that Kubernetes calls `int32`.
///
/// It is read as a wider one, as the numbers of node affinity are: a second parser takes 700 bytes.
#[must_use]
pub fn int32(text: &str) -> Option<i32> {
    i32::try_from(text.parse::<i64>().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_32_bits() {
        for text in [
            "0",
            "-0",
            "+1",
            "007",
            "2147483647",
            "2147483648",
            "-2147483648",
            "-2147483649",
            "99999999999999999999",
            "",
            "-",
            "1.0",
            "1e3",
            " 1",
            "x",
        ] {
            assert_eq!(int32(text), text.parse().ok(), "{text}");
        }
    }
}
