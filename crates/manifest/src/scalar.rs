//! What an unquoted word is: a boolean, a number, null or a string.

/// What a scalar is. Words without quotes are resolved as kubectl resolves them, whose YAML
/// (sigs.k8s.io/yaml over go-yaml v2) is YAML 1.1 with parts of 1.2:
///
/// - `true`, `yes`, `on`, `y` and `false`, `no`, `off`, `n` are booleans, written small, with a
///   capital, or in capitals.
/// - Nothing, `~`, `null`, `Null`, `NULL` are null.
/// - Integers are decimal, octal (`0777`, `0o777`), hexadecimal (`0x1F`) or binary (`0b101`), with
///   a sign, underscores passed over. What begins with 0 and is not octal (`089`) is decimal.
/// - Other decimals are floating point numbers. A whole one (`1.0`, `1e3`) becomes an integer
///   where 64 bits hold it, as it does on its way through kubectl.
/// - A decimal integer beyond 64 bits becomes the nearest floating point number, as it does in
///   kubectl, and the document says so in its notes.
/// - `.inf`, `.nan` are numbers that JSON does not have; a value is refused.
/// - Everything else, dates and `12:30` too, is a string, and so is all in quotes.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer above what [`Scalar::Int`] holds.
    Uint(u64),
    /// A floating point number, infinity and not-a-number included.
    Float(f64),
    /// An integer beyond 64 bits, as it is written.
    BigInt(String),
    /// A number that a 64-bit floating point number cannot hold, as it is written.
    TooBig(String),
    /// A string.
    Text(String),
    /// The merge key `<<`.
    Merge,
}

impl Scalar {
    /// Resolves a word that stands without quotes and without a tag.
    #[must_use]
    pub fn plain(word: &str) -> Self {
        match word {
            "" | "~" | "null" | "Null" | "NULL" => return Self::Null,
            "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
                return Self::Bool(true);
            }
            "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off"
            | "OFF" => return Self::Bool(false),
            ".nan" | ".NaN" | ".NAN" => return Self::Float(f64::NAN),
            ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => {
                return Self::Float(f64::INFINITY);
            }
            "-.inf" | "-.Inf" | "-.INF" => return Self::Float(f64::NEG_INFINITY),
            "<<" => return Self::Merge,
            _ => {}
        }
        match word.bytes().next() {
            // go-yaml passes over underscores after a digit or a sign, not after a point.
            Some(b'.') => float(word),
            Some(b'+' | b'-' | b'0'..=b'9') => number(&word.replace('_', "")),
            _ => None,
        }
        .unwrap_or_else(|| Self::Text(word.to_owned()))
    }
}

fn number(word: &str) -> Option<Scalar> {
    integer(word).or_else(|| float(word))
}

/// An integer as Go's `ParseInt` and `ParseUint` read it with base 0.
fn integer(word: &str) -> Option<Scalar> {
    let (negative, digits) = match word.as_bytes().first() {
        Some(b'-') => (true, word.get(1..)?),
        Some(b'+') => (false, word.get(1..)?),
        _ => (false, word),
    };
    let prefix = digits.get(..2).unwrap_or_default();
    let (radix, rest) = match prefix {
        "0x" | "0X" => (16, digits.get(2..)?),
        "0o" | "0O" => (8, digits.get(2..)?),
        "0b" | "0B" => (2, digits.get(2..)?),
        _ if digits.len() > 1 && digits.starts_with('0') => (8, digits.get(1..)?),
        _ => (10, digits),
    };
    // `from_str_radix` would take a second sign.
    if rest.is_empty() || !rest.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    // ParseUint takes no sign at all, not even a plus.
    let signed = word.len() != digits.len();
    match u64::from_str_radix(rest, radix) {
        Ok(value) if negative => {
            if let Some(value) = 0i64.checked_sub_unsigned(value) {
                return Some(Scalar::Int(value));
            }
        }
        Ok(value) => match i64::try_from(value) {
            Ok(value) => return Some(Scalar::Int(value)),
            Err(_) if !signed => return Some(Scalar::Uint(value)),
            Err(_) => {}
        },
        Err(_) => {}
    }
    // Too long for 64 bits. What is decimal becomes a floating point number in every kubectl; of
    // the others some versions make a string, some an integer of any length.
    let decimal = radix == 10 || (radix == 8 && !prefix.ends_with(['o', 'O']));
    let finite = word.parse::<f64>().is_ok_and(f64::is_finite);
    Some(if decimal && finite {
        Scalar::BigInt(word.to_owned())
    } else {
        Scalar::TooBig(word.to_owned())
    })
}

/// A decimal with a point or an exponent. Out of range it is no number to go-yaml: a string.
fn float(word: &str) -> Option<Scalar> {
    let rest = word.strip_prefix(['+', '-']).unwrap_or(word);
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (rest, None),
    };
    if let Some(exponent) = exponent {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
    }
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(part) || (whole.is_empty() && part.is_empty()) {
        return None;
    }
    let value = word.parse::<f64>().ok().filter(|value| value.is_finite())?;
    Some(Scalar::Float(value))
}
