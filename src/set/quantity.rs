//! Amounts as Kubernetes writes them (`apimachinery/pkg/api/resource`, `Quantity`): `1`, `1000m`, `1Gi`, `12e6`.
//!
//! Clients that read a set into Go's types write amounts back in another form than people do, so two are compared by
//! what they amount to.

use crate::json::{self, Kind, Raw};

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

/// `units * 10^tens`
#[derive(Clone, Copy)]
struct Amount {
    units: i128,
    tens: i32,
}

impl Amount {
    fn read(raw: Raw<'_>) -> Option<Self> {
        match Kind::of(raw) {
            Kind::Number => Self::parse(raw.get()),
            Kind::String => Self::parse(&json::string(raw).ok()?),
            _ => None,
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let end = text
            .find(|c: char| !matches!(c, '0'..='9' | '.' | '+' | '-'))
            .unwrap_or(text.len());
        let (number, suffix) = text.split_at_checked(end)?;
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if !fraction.bytes().all(|b| b.is_ascii_digit()) || fraction.len() + whole.len() > 30 {
            return None;
        }
        let units: i128 = format!("{whole}{fraction}").parse().ok()?;
        let (factor, tens) = scale(suffix)?;
        Some(Self {
            units: units.checked_mul(factor)?,
            tens: tens.checked_sub(i32::try_from(fraction.len()).ok()?)?,
        })
    }

    fn equals(self, other: Self) -> bool {
        let lowest = self.tens.min(other.tens);
        let at_lowest = |amount: Self| {
            let tens = u32::try_from(amount.tens.checked_sub(lowest)?).ok()?;
            amount.units.checked_mul(10_i128.checked_pow(tens)?)
        };
        (self.units == 0 && other.units == 0)
            || at_lowest(self).is_some_and(|units| Some(units) == at_lowest(other))
    }
}

/// What a suffix stands for: a factor, and a power of ten.
fn scale(suffix: &str) -> Option<(i128, i32)> {
    Some(match suffix {
        "n" => (1, -9),
        "u" => (1, -6),
        "m" => (1, -3),
        "" => (1, 0),
        "k" => (1, 3),
        "M" => (1, 6),
        "G" => (1, 9),
        "T" => (1, 12),
        "P" => (1, 15),
        "E" => (1, 18),
        "Ki" => (1 << 10, 0),
        "Mi" => (1 << 20, 0),
        "Gi" => (1 << 30, 0),
        "Ti" => (1 << 40, 0),
        "Pi" => (1 << 50, 0),
        "Ei" => (1 << 60, 0),
        _ => (1, suffix.strip_prefix(['e', 'E'])?.parse().ok()?),
    })
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
