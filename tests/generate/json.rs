//! JSON that keeps what `serde_json::Value` loses: order, doubles, and how numbers and strings are spelt.

use std::fmt::Write as _;

use serde_json::Value;

use super::random::Random;
use super::raw;

/// A JSON value as somebody may write it.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// Written as it is: a number, a literal, a string in a certain spelling.
    Raw(String),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

impl From<&Value> for Json {
    fn from(value: &Value) -> Self {
        match value {
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(list) => Self::List(list.iter().map(Self::from).collect()),
            Value::Object(map) => {
                let entries = map.iter();
                Self::Map(
                    entries
                        .map(|(name, value)| (name.clone(), Self::from(value)))
                        .collect(),
                )
            }
            other => Self::Raw(other.to_string()),
        }
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        Self::from(&value)
    }
}

impl Json {
    pub fn map(entries: impl IntoIterator<Item = (String, Json)>) -> Self {
        Self::Map(entries.into_iter().collect())
    }

    /// Reads well-formed JSON; `None` where it is nested too deep to be worked on.
    pub fn read(text: &str) -> Option<Self> {
        Self::read_within(text.trim_matches([' ', '\n', '\t', '\r']), 128)
    }

    fn read_within(text: &str, depth: usize) -> Option<Self> {
        let depth = depth.checked_sub(1)?;
        let pieces = || raw::pieces(text).into_iter();
        match text.as_bytes().first() {
            Some(b'{') => pieces()
                .map(|piece| Some((piece.meant(), Self::read_within(piece.value, depth)?)))
                .collect::<Option<_>>()
                .map(Self::Map),
            Some(b'[') => pieces()
                .map(|piece| Self::read_within(piece.value, depth))
                .collect::<Option<_>>()
                .map(Self::List),
            Some(b'"') => Some(match serde_json::from_str(text) {
                Ok(meant) => Self::Text(meant),
                Err(_) => Self::Raw(text.to_owned()),
            }),
            _ => Some(Self::Raw(text.to_owned())),
        }
    }

    /// What serde makes of it; the last of doubles counts.
    pub fn value(&self) -> Value {
        serde_json::from_str(&self.compact()).unwrap()
    }

    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => Some(&entries.iter().find(|(known, _)| known == name)?.1),
            _ => None,
        }
    }

    /// A member, made a map where there is none.
    pub fn at(&mut self, name: &str) -> &mut Self {
        if !matches!(self, Self::Map(_)) {
            *self = Self::Map(Vec::new());
        }
        let Self::Map(entries) = self else {
            unreachable!()
        };
        let index = entries.iter().position(|(known, _)| known == name);
        let index = index.unwrap_or_else(|| {
            entries.push((name.to_owned(), Self::Map(Vec::new())));
            entries.len() - 1
        });
        &mut entries[index].1
    }

    pub fn set(&mut self, name: &str, value: impl Into<Json>) {
        *self.at(name) = value.into();
    }

    pub fn remove(&mut self, name: &str) {
        if let Self::Map(entries) = self {
            entries.retain(|(known, _)| known != name);
        }
    }

    /// Puts a member anywhere among those that are there.
    pub fn scatter(&mut self, random: &mut Random, name: &str, value: impl Into<Json>) {
        self.remove(name);
        if let Self::Map(entries) = self {
            let index = random.below(entries.len() + 1);
            entries.insert(index, (name.to_owned(), value.into()));
        }
    }

    /// Without a space.
    pub fn compact(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, &mut |_| {}, &mut quote);
        out
    }

    /// In one of the many ways in which the same may be written: spaces between tokens, escapes in strings.
    pub fn spelt(&self, random: &mut Random) -> String {
        if random.once_in(3) {
            return self.compact();
        }
        let mut spaces = Random::new(random.next());
        let mut escapes = Random::new(random.next());
        let often = 2 + random.below(30);
        let mut out = String::new();
        self.write(
            &mut out,
            &mut |out| {
                if spaces.once_in(often) {
                    out.push_str(spaces.pick::<&str>(&[" ", "\n", "\t", "\r\n", "  \n\t "]));
                }
            },
            &mut |out, text| {
                if escapes.once_in(often) {
                    escaped(out, text, &mut escapes);
                } else {
                    quote(out, text);
                }
            },
        );
        out
    }

    fn write(
        &self,
        out: &mut String,
        space: &mut impl FnMut(&mut String),
        string: &mut impl FnMut(&mut String, &str),
    ) {
        space(out);
        match self {
            Self::Raw(text) => out.push_str(text),
            Self::Text(text) => string(out, text),
            Self::List(list) => {
                out.push('[');
                for (i, item) in list.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    item.write(out, space, string);
                }
                space(out);
                out.push(']');
            }
            Self::Map(entries) => {
                out.push('{');
                for (i, (name, value)) in entries.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    space(out);
                    string(out, name);
                    space(out);
                    out.push(':');
                    value.write(out, space, string);
                }
                space(out);
                out.push('}');
            }
        }
        space(out);
    }
}

fn quote(out: &mut String, text: &str) {
    out.push_str(&Value::String(text.to_owned()).to_string());
}

/// The same text with some of its characters as escapes.
fn escaped(out: &mut String, text: &str, random: &mut Random) {
    out.push('"');
    for c in text.chars() {
        if c == '/' && random.once_in(2) {
            out.push_str("\\/");
        } else if c < ' ' || matches!(c, '"' | '\\') || random.once_in(4) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                write!(out, "\\u{unit:04x}").unwrap();
            }
        } else {
            out.push(c);
        }
    }
    out.push('"');
}
