//! A floating point number as a mapping key.

/// The string that kubectl makes of a key that is a floating point number: the shortest digits
/// that tell a 32-bit float, with an exponent below 1e-4 and from 1e6 on (Go's `'g'`, which
/// sigs.k8s.io/yaml calls with 32 bits).
pub(crate) fn float_key(value: f64) -> String {
    #[allow(clippy::cast_possible_truncation)]
    let value = value as f32;
    if value.is_nan() {
        return ".nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..6).contains(&exponent) {
        return format!("{value}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
}
