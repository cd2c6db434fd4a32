//! JSON values and keys of scalars.

use serde_json::{Number, Value};

use crate::{
    document::Note, error::ReadError, float_key::float_key, position::Position, scalar::Scalar,
};

/// A scalar as a value. `to_integers`: whole floating point numbers become integers, as kubectl
/// makes them of YAML. What was altered is noted.
pub(crate) fn value_of(
    scalar: Scalar,
    at: Position,
    to_integers: bool,
    notes: &mut Vec<Note>,
) -> Result<Value, ReadError> {
    Ok(match scalar {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => Value::Bool(value),
        Scalar::Int(value) => value.into(),
        Scalar::Uint(value) => value.into(),
        Scalar::Text(text) => Value::String(text),
        Scalar::Merge => Value::String("<<".to_owned()),
        Scalar::Float(value) => {
            match whole(value).filter(|_| to_integers) {
                Some(number) => Value::Number(number),
                None => Number::from_f64(value).map(Value::Number).ok_or_else(|| {
                    ReadError::NotFinite {
                        at,
                        text: float_key(value),
                    }
                })?,
            }
        }
        Scalar::BigInt(text) => {
            let kept = text.parse::<f64>().ok().and_then(Number::from_f64);
            let Some(kept) = kept else {
                return Err(too_big(&text, at));
            };
            notes.push(Note::Rounded {
                at,
                written: text,
                kept: kept.clone(),
            });
            Value::Number(kept)
        }
        Scalar::TooBig(text) => return Err(too_big(&text, at)),
    })
}

/// A key as kubectl makes a string of it.
pub(crate) fn key_of(scalar: Scalar, at: Position) -> Result<String, ReadError> {
    Ok(match scalar {
        Scalar::Null => return Err(ReadError::NullKey { at }),
        Scalar::Bool(value) => value.to_string(),
        Scalar::Int(value) => value.to_string(),
        Scalar::Float(value) => float_key(value),
        Scalar::Text(text) => text,
        Scalar::Merge => "<<".to_owned(),
        Scalar::Uint(value) => {
            return Err(ReadError::NumberKey {
                at,
                text: value.to_string(),
            });
        }
        Scalar::BigInt(text) | Scalar::TooBig(text) => {
            return Err(ReadError::NumberKey {
                at,
                text: shortened(&text),
            });
        }
    })
}

/// The integer that a floating point number is, if 64 bits hold it.
fn whole(value: f64) -> Option<Number> {
    #[allow(clippy::cast_possible_truncation)]
    let integer = value as i64;
    #[allow(clippy::cast_precision_loss)]
    let same = integer as f64 == value && integer != i64::MAX;
    (same && (integer != 0 || value.is_sign_positive())).then(|| integer.into())
}

fn too_big(text: &str, at: Position) -> ReadError {
    ReadError::NumberTooBig {
        at,
        text: shortened(text),
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
