//! Reading a set's fields: each read knows its place, so that an error can name it.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::error::{Error, Fault, FieldPath};

/// A field of the set. Null counts as absent, as it does to the API server, and an absent field's fields are absent.
#[derive(Debug, Clone)]
pub(crate) struct Field<'a> {
    path: FieldPath,
    value: Option<&'a Value>,
}

impl<'a> Field<'a> {
    /// The set itself.
    pub(crate) fn root(value: &'a Value) -> Self {
        Self::new(FieldPath::default(), Some(value))
    }

    /// An object of another kind, which messages call `top`.
    pub(crate) fn top(value: &'a Value, top: &'static str) -> Self {
        Self::new(FieldPath::of(top), Some(value))
    }

    /// Where the field stands.
    pub(crate) fn path(&self) -> &FieldPath {
        &self.path
    }

    fn new(path: FieldPath, value: Option<&'a Value>) -> Self {
        Self {
            path,
            value: value.filter(|value| !value.is_null()),
        }
    }

    /// The value as it is written; none when absent or null.
    pub(crate) fn value(&self) -> Option<&'a Value> {
        self.value
    }

    /// The field named `key` of this object.
    ///
    /// Fails when this field is there and is no object.
    pub(crate) fn get(&self, key: &str) -> Result<Self, Error> {
        let value = self.object()?.and_then(|object| object.get(key));
        Ok(Self::new(self.path.key(key), value))
    }

    /// As [`Field::get`], along several keys.
    pub(crate) fn at(&self, keys: &[&str]) -> Result<Self, Error> {
        keys.iter()
            .try_fold(self.clone(), |field, key| field.get(key))
    }

    pub(crate) fn object(&self) -> Result<Option<&'a Map<String, Value>>, Error> {
        self.typed("an object", Value::as_object)
    }

    pub(crate) fn text(&self) -> Result<Option<&'a str>, Error> {
        self.typed("a string", Value::as_str)
    }

    pub(crate) fn number(&self) -> Result<Option<i64>, Error> {
        self.typed("a whole number", Value::as_i64)
    }

    /// The entries of a list; none when absent.
    pub(crate) fn list(&self) -> Result<Vec<Self>, Error> {
        let entries = self.typed("a list", Value::as_array)?;
        let entry = |(index, value)| Self {
            path: self.path.index(index),
            value: Some(value),
        };
        Ok(entries
            .into_iter()
            .flatten()
            .enumerate()
            .map(entry)
            .collect())
    }

    /// A list of strings; empty when absent.
    pub(crate) fn texts(&self) -> Result<Vec<String>, Error> {
        self.list()?
            .iter()
            .map(|entry| entry.required(Field::text, "a string").map(str::to_owned))
            .collect()
    }

    /// A map from strings to strings, as labels and annotations are; empty when absent.
    pub(crate) fn text_map(&self) -> Result<BTreeMap<String, String>, Error> {
        let keys = self.object()?.into_iter().flat_map(Map::keys);
        keys.map(|key| {
            let text = Self {
                path: self.path.key(key),
                value: self.value.and_then(|map| map.get(key)),
            };
            Ok((
                key.clone(),
                text.required(Field::text, "a string")?.to_owned(),
            ))
        })
        .collect()
    }

    /// What `read` gives, or an error that asks for `wanted` when the field is absent or null.
    pub(crate) fn required<T>(
        &self,
        read: impl Fn(&Self) -> Result<Option<T>, Error>,
        wanted: &'static str,
    ) -> Result<T, Error> {
        read(self)?.ok_or_else(|| Error::new(self.path.clone(), Fault::Missing { wanted }))
    }

    /// A text that is not empty.
    pub(crate) fn nonempty(&self, wanted: &'static str) -> Result<String, Error> {
        match self.required(Field::text, wanted)? {
            "" => Err(self.refused(wanted)),
            text => Ok(text.to_owned()),
        }
    }

    /// Refuses an object that says that it is of another kind or version. What does not say is taken at the caller's
    /// word.
    pub(crate) fn is_of(&self, api_version: &str, kind: &str) -> Result<(), Error> {
        for (key, wanted) in [("apiVersion", api_version), ("kind", kind)] {
            let field = self.get(key)?;
            if field.text()?.is_some_and(|found| found != wanted) {
                return Err(field.refused(wanted));
            }
        }
        Ok(())
    }

    /// An error that tells that this field's value is refused.
    pub(crate) fn refused(&self, wanted: impl Into<String>) -> Error {
        let found = self.value.map_or_else(|| "absent".to_owned(), short);
        self.refused_as(found, wanted)
    }

    /// As [`Field::refused`], with words for what was found.
    pub(crate) fn refused_as(&self, found: String, wanted: impl Into<String>) -> Error {
        Error::new(
            self.path.clone(),
            Fault::Value {
                found,
                wanted: wanted.into(),
            },
        )
    }

    fn typed<T>(
        &self,
        wanted: &'static str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let Some(value) = self.value else {
            return Ok(None);
        };
        let found = type_of(value);
        read(value)
            .map(Some)
            .ok_or_else(|| Error::new(self.path.clone(), Fault::Type { wanted, found }))
    }
}

/// A value for a message: short, whatever was written.
fn short(value: &Value) -> String {
    const LIMIT: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= LIMIT {
        return text;
    }
    text.chars().take(LIMIT).chain("...".chars()).collect()
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a fraction",
        Value::Number(number) if number.as_i64().is_none() => "a number out of range",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
