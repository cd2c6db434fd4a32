//! Amounts as Kubernetes writes them (`apimachinery/pkg/api/resource`, `Quantity`): `1`, `1000m`, `1Gi`, `12e6`.
//!
//! Clients that read a set into Go's types write amounts back in another form than people do, so two are compared by
//! what they amount to.

use crate::json::{self, Kind, Raw};
use crate::number::int32;

/// Whether two values, strings or numbers, are the same amount. What is no amount is the same as its own text only.
#[must_use]
pub fn same(a: Raw<'_>, b: Raw<'_>) -> bool {
    a.get() == b.get()
        || matches!((Amount::read(a), Amount::read(b)), (Some(a), Some(b)) if a.equals(b))
}

/// Whether a value is no amount at all: 0.
#[must_use]
pub fn is_zero(raw: Raw<'_>) -> bool {
    Amount::read(raw).is_some_and(|amount| amount.units == 0)
}

/// The longest number that is read, its sign counted in.
const MOST_DIGITS: usize = 30;

/// `units * 10^tens`
#[derive(Clone, Copy)]
struct Amount {
    units: i128,
    tens: i32,
}

impl Amount {
    fn read(raw: Raw<'_>) -> Option<Self> {
        if Kind::of(raw) == Kind::Number {
            return Self::parse(raw.get());
        }
        Self::parse(&json::string(raw).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let is_signed = matches!(text.as_bytes(), [b'+' | b'-', ..]);
        let unsigned = text.get(usize::from(is_signed)..)?;
        let mut amount = Self { units: 0, tens: 0 };
        let mut digits = 0;
        let mut has_point = false;
        let mut suffix = "";
        for (index, byte) in unsigned.bytes().enumerate() {
            match byte {
                b'0'..=b'9' => {
                    digits += 1;
                    if digits + usize::from(is_signed) > MOST_DIGITS {
                        return None;
                    }
                    amount.units = amount.units * 10 + i128::from(byte - b'0');
                    amount.tens -= i32::from(has_point);
                }
                b'.' if !has_point => has_point = true,
                _ => {
                    suffix = unsigned.get(index..)?;
                    break;
                }
            }
        }
        if digits == 0 {
            return None;
        }
        if text.starts_with('-') {
            amount.units = -amount.units;
        }
        amount.scaled(suffix)
    }

    /// This amount of what a suffix stands for: a power of two or of ten.
    fn scaled(self, suffix: &str) -> Option<Self> {
        let (twos, tens) = match suffix.as_bytes() {
            b"n" => (0, -9),
            b"u" => (0, -6),
            b"m" => (0, -3),
            b"" => (0, 0),
            b"k" => (0, 3),
            b"M" => (0, 6),
            b"G" => (0, 9),
            b"T" => (0, 12),
            b"P" => (0, 15),
            b"E" => (0, 18),
            b"Ki" => (10, 0),
            b"Mi" => (20, 0),
            b"Gi" => (30, 0),
            b"Ti" => (40, 0),
            b"Pi" => (50, 0),
            b"Ei" => (60, 0),
            [b'e' | b'E', ..] => (0, int32(suffix.get(1..)?)?),
            _ => return None,
        };
        Some(Self {
            units: times(Factor::Two, twos, self.units)?,
            tens: self.tens.checked_add(tens)?,
        })
    }

    fn equals(self, other: Self) -> bool {
        if self.units == 0 || other.units == 0 {
            return self.units == other.units;
        }
        let lowest = self.tens.min(other.tens);
        self.at(lowest)
            .is_some_and(|units| Some(units) == other.at(lowest))
    }

    /// The units as of a lower power of ten.
    fn at(self, tens: i32) -> Option<i128> {
        times(
            Factor::Ten,
            i64::from(self.tens) - i64::from(tens),
            self.units,
        )
    }
}

#[derive(Clone, Copy)]
enum Factor {
    Two,
    Ten,
}

/// Units so many times doubled, or made tenfold, in sums: `checked_mul` of such long numbers is 0.4 KB.
fn times(factor: Factor, times: i64, mut units: i128) -> Option<i128> {
    for _ in 0..times {
        let twice = units.checked_add(units)?;
        units = match factor {
            Factor::Two => twice,
            Factor::Ten => {
                let fourfold = twice.checked_add(twice)?;
                fourfold.checked_add(fourfold)?.checked_add(twice)?
            }
        };
    }
    Some(units)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn raw(text: &str) -> Raw<'_> {
        json::document(text).unwrap()
    }

    #[test]
    fn amounts_that_are_the_same() {
        for (a, b) in [
            ("8", r#""8""#),
            (r#""1000m""#, r#""1""#),
            (r#""0.5""#, r#""500m""#),
            ("0.5", r#""500m""#),
            (r#""1024Mi""#, r#""1Gi""#),
            (r#""1.5Gi""#, r#""1536Mi""#),
            (r#""1e3""#, r#""1k""#),
            (r#""1E""#, r#""1e18""#),
            (r#""1000000n""#, r#""1m""#),
            (r#""+1""#, "1"),
            (r#""-1""#, r#""-1000m""#),
            (r#""0""#, r#""0Gi""#),
            (r#"".5""#, r#""500m""#),
            (r#""1u""#, r#""1000n""#),
            (r#""1m""#, r#""1000u""#),
            (r#""1M""#, r#""1000k""#),
            (r#""1G""#, r#""1000M""#),
            (r#""1T""#, r#""1000G""#),
            (r#""1P""#, r#""1000T""#),
            (r#""1E""#, r#""1000P""#),
            (r#""1Ki""#, "1024"),
            (r#""1Mi""#, r#""1024Ki""#),
            (r#""1Gi""#, r#""1024Mi""#),
            (r#""1Ti""#, r#""1024Gi""#),
            (r#""1Pi""#, r#""1024Ti""#),
            (r#""1Ei""#, r#""1024Pi""#),
            (r#""0e99""#, "0"),
            (r#""100000000000000000000000000000""#, r#""1e29""#),
            (r#""no amount""#, r#""no amount""#),
        ] {
            assert!(same(raw(a), raw(b)), "{a} {b}");
            assert!(same(raw(b), raw(a)), "{b} {a}");
        }
    }

    #[test]
    fn amounts_that_differ() {
        for (a, b) in [
            ("8", "4"),
            (r#""1""#, r#""1m""#),
            (r#""1M""#, r#""1Mi""#),
            (r#""1""#, r#""-1""#),
            ("0", "1"),
            (r#"".+5""#, r#""0.05""#),
            (r#""1000000000000000000000000000000""#, r#""1e30""#),
            (r#""8""#, r#""8x""#),
            (r#""""#, "0"),
            (r#""1.2.3""#, r#""1.23""#),
            (r#""1e99999999999""#, r#""1e99999999998""#),
            (r#""1E2147483647""#, r#""1n""#),
            (r#""99999999999999999999999999999999""#, "1"),
            ("null", "0"),
            ("{}", "0"),
        ] {
            assert!(!same(raw(a), raw(b)), "{a} {b}");
        }
    }

    #[test]
    fn zero() {
        for zero in ["0", r#""0""#, r#""0m""#, r#""0.00Gi""#] {
            assert!(is_zero(raw(zero)), "{zero}");
        }
        for other in ["1", r#""""#, r#""x""#, "null", "false"] {
            assert!(!is_zero(raw(other)), "{other}");
        }
    }
}
