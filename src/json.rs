//! JSON as it came: values are read as slices of the payload and never printed again.
//!
//! A pod of a megabyte is mostly what the policy must not touch. So an object is read one level at a
//! time, only the members that are asked for are looked at, and the rest keeps its bytes (I5).
//! serde_json's [`RawValue`] is the slice; skipping is iterative, so depth costs no stack.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::message::Quoted;

/// A JSON type, named as a user knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// Any number
    Number,
    /// A string
    String,
    /// A list
    Array,
    /// A map
    Object,
}

impl Kind {
    /// The type of a value, told by its first byte (a `RawValue` has no leading space).
    #[must_use]
    pub fn of(raw: &RawValue) -> Self {
        match raw.get().as_bytes().first() {
            Some(b'{') => Self::Object,
            Some(b'[') => Self::Array,
            Some(b'"') => Self::String,
            Some(b't' | b'f') => Self::Bool,
            Some(b'n') => Self::Null,
            _ => Self::Number,
        }
    }

    fn with_article(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "a list",
            Self::Object => "a map",
        }
    }
}

/// What is wrong with a piece of JSON, without its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Bytes that are no UTF-8; where they begin.
    NotUtf8(usize),
    /// No JSON: the parser's reason without the text, its line and column (from 1).
    Syntax(&'static str, usize, usize),
    /// Another type than the one that is due.
    Type {
        /// What is due.
        expected: Kind,
        /// What is there.
        found: Kind,
    },
    /// A member that the policy reads stands there twice, so its value is anyone's guess.
    Duplicate(String),
    /// A member that must be there is not.
    Missing,
    /// A string that is none of the legal words.
    Word(&'static str),
}

impl Problem {
    /// This problem at a place, a path such as `request.object.spec`.
    #[must_use]
    pub fn at(self, path: impl Into<String>) -> Fault {
        Fault {
            path: path.into(),
            problem: self,
        }
    }
}

/// Malformed input: a problem and the place where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The path from the document's root or, in a pod, from the object.
    pub path: String,
    /// What is wrong there.
    pub problem: Problem,
}

impl Fault {
    /// The same fault seen from further out: `prefix.path`.
    #[must_use]
    pub fn under(mut self, prefix: &str) -> Self {
        self.path = format!("{prefix}.{}", self.path);
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8(offset) => {
                write!(
                    f,
                    "not UTF-8 at byte {offset}; send the JSON encoded as UTF-8"
                )
            }
            Self::Syntax(reason, line, column) => {
                write!(
                    f,
                    "no JSON ({reason} at line {line} column {column}); send well-formed JSON"
                )
            }
            Self::Type { expected, found } => write!(
                f,
                "found {} where {} is due; make it {}",
                found.with_article(),
                expected.with_article(),
                expected.with_article()
            ),
            Self::Duplicate(name) => write!(f, "{} stands there twice; keep one", Quoted(name)),
            Self::Missing => write!(f, "is missing; add it"),
            Self::Word(legal) => write!(f, "has an unknown value; use {legal}"),
        }
    }
}

/// The problem of a text that is not UTF-8.
#[must_use]
pub fn not_utf8(error: &std::str::Utf8Error) -> Problem {
    Problem::NotUtf8(error.valid_up_to())
}

/// Chosen members of an object, in the order of the names that were asked for.
pub type Members<'a, const N: usize> = [Option<&'a RawValue>; N];

/// A whole text as one JSON value.
///
/// # Errors
/// [`Problem::Syntax`] where it is none.
pub fn document(text: &str) -> Result<&RawValue, Problem> {
    serde_json::from_str(text).map_err(|error| syntax(&error))
}

/// The value of a string, unescaped.
///
/// # Errors
/// Another type; an escape that is no character (a lone surrogate).
pub fn string(raw: &RawValue) -> Result<Cow<'_, str>, Problem> {
    due(raw, Kind::String)?;
    let text = raw.get();
    let inner = text.get(1..text.len().saturating_sub(1));
    match inner.filter(|inner| !inner.contains('\\')) {
        Some(inner) => Ok(Cow::Borrowed(inner)),
        None => serde_json::from_str::<String>(text)
            .map(Cow::Owned)
            .map_err(|error| syntax(&error)),
    }
}

/// The elements of a list.
///
/// # Errors
/// Another type.
pub fn elements(raw: &RawValue) -> Result<Vec<&RawValue>, Problem> {
    due(raw, Kind::Array)?;
    serde_json::from_str(raw.get()).map_err(|error| syntax(&error))
}

/// All members of an object, names unescaped, in their order, doubles included.
///
/// # Errors
/// Another type; a name with an escape that is no character.
pub fn entries(raw: &RawValue) -> Result<Vec<(Cow<'_, str>, &RawValue)>, Problem> {
    due(raw, Kind::Object)?;
    serde_json::Deserializer::from_str(raw.get())
        .deserialize_map(EntriesVisitor)
        .map_err(|error| syntax(&error))
}

/// The members of an object that have these names.
///
/// # Errors
/// Another type, or one of the names twice.
pub fn members<'a, const N: usize>(
    raw: &'a RawValue,
    names: &[&'static str; N],
) -> Result<Members<'a, N>, Problem> {
    // A number past every range or a lone surrogate is no map either, and serde cannot tell so.
    due(raw, Kind::Object)?;
    let mut members = [None; N];
    let twice = Cell::new(None);
    let select = Select {
        names,
        members: &mut members,
        inner: None,
        twice: &twice,
    };
    let mut deserializer = serde_json::Deserializer::from_str(raw.get());
    match select.deserialize(&mut deserializer) {
        Ok(Kind::Object) => Ok(members),
        Ok(found) => Err(wrong(Kind::Object, found)),
        Err(error) => Err(twice_or_syntax(&twice, &error)),
    }
}

/// Two levels of an object in one pass: the members `names`, and within the member `inner` those
/// with `inner_names`. The inner one is `None` where it is absent or null.
///
/// # Errors
/// As [`members`], with an empty path; a wrong type of the inner object has its name as the path.
pub fn nested<'a, const N: usize, const M: usize>(
    text: &'a str,
    names: &[&'static str; N],
    inner: &'static str,
    inner_names: &[&'static str; M],
) -> Result<(Members<'a, N>, Option<Members<'a, M>>), Fault> {
    let (mut members, mut within) = ([None; N], [None; M]);
    let mut found = None;
    let twice = Cell::new(None);
    let select = Select {
        names,
        members: &mut members,
        inner: Some(Inner {
            name: inner,
            names: inner_names,
            members: &mut within,
            found: &mut found,
        }),
        twice: &twice,
    };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let outer = select.deserialize(&mut deserializer);
    match outer.and_then(|outer| deserializer.end().map(|()| outer)) {
        Err(error) => Err(twice_or_syntax(&twice, &error).at("")),
        Ok(Kind::Object) => match found {
            None | Some(Kind::Null) => Ok((members, None)),
            Some(Kind::Object) => Ok((members, Some(within))),
            Some(other) => Err(wrong(Kind::Object, other).at(inner)),
        },
        Ok(other) => Err(wrong(Kind::Object, other).at("")),
    }
}

/// An object's spec, and the members of its metadata that have these names; null and absent
/// metadata has none.
///
/// # Errors
/// As [`nested`], told from `place` on, the object's own path.
pub fn object_and_metadata<'a, const N: usize>(
    object: &'a RawValue,
    place: &'static str,
    names: &[&'static str; N],
) -> Result<(Option<&'a RawValue>, Members<'a, N>), Fault> {
    due(object, Kind::Object).map_err(|problem| problem.at(place))?;
    let read = nested(object.get(), &["spec"], "metadata", names);
    let ([spec], metadata) = read.map_err(|mut fault| {
        if fault.path.is_empty() {
            fault.path = place.to_owned();
            fault
        } else {
            fault.under(place)
        }
    })?;
    Ok((present(spec), metadata.unwrap_or([None; N])))
}

/// A value that may be absent: null counts as absent, as it does for the API server.
#[must_use]
pub fn present(raw: Option<&RawValue>) -> Option<&RawValue> {
    raw.filter(|raw| Kind::of(raw) != Kind::Null)
}

/// A string field that may be absent or null.
///
/// # Errors
/// Another type, told with the field's path.
pub fn text<'a>(
    raw: Option<&'a RawValue>,
    path: &'static str,
) -> Result<Option<Cow<'a, str>>, Fault> {
    present(raw)
        .map(|raw| string(raw).map_err(|problem| problem.at(path)))
        .transpose()
}

/// Refuses a value of another type than the one that is due.
///
/// # Errors
/// [`Problem::Type`].
pub fn due(raw: &RawValue, expected: Kind) -> Result<(), Problem> {
    match Kind::of(raw) {
        found if found == expected => Ok(()),
        found => Err(wrong(expected, found)),
    }
}

fn wrong(expected: Kind, found: Kind) -> Problem {
    Problem::Type { expected, found }
}

fn twice_or_syntax(twice: &Cell<Option<&'static str>>, error: &serde_json::Error) -> Problem {
    match twice.get() {
        Some(name) => Problem::Duplicate(name.to_owned()),
        None => syntax(error),
    }
}

/// serde_json's message carries text of the input in a few of its errors, so the reason is told in
/// our words and the payload is not echoed (R5).
fn syntax(error: &serde_json::Error) -> Problem {
    use serde_json::error::Category;
    let reason = match error.classify() {
        Category::Eof => "it ends too early",
        Category::Data => "a value of an unexpected type",
        Category::Syntax | Category::Io => "a syntax error",
    };
    Problem::Syntax(reason, error.line(), error.column())
}

/// Fills `members` with those of an object that have these `names`, and gives the JSON type that
/// it found. The slices keep it from being compiled anew for every number of names.
struct Select<'s, 'de> {
    names: &'s [&'static str],
    members: &'s mut [Option<&'de RawValue>],
    inner: Option<Inner<'s, 'de>>,
    /// The name that stands there twice, for an error that a serde message cannot carry whole.
    twice: &'s Cell<Option<&'static str>>,
}

impl Select<'_, '_> {
    fn refuse_twice<E: serde::de::Error>(&self, name: Option<&'static str>) -> E {
        self.twice.set(name);
        E::custom("a member twice")
    }
}

/// A member that is read one level deeper in the same pass.
struct Inner<'s, 'de> {
    name: &'static str,
    names: &'s [&'static str],
    members: &'s mut [Option<&'de RawValue>],
    found: &'s mut Option<Kind>,
}

impl<'de> DeserializeSeed<'de> for Select<'_, 'de> {
    type Value = Kind;
    fn deserialize<D: serde::Deserializer<'de>>(self, d: D) -> Result<Self::Value, D::Error> {
        d.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Select<'_, 'de> {
    type Value = Kind;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }
    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Kind::Bool)
    }
    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Kind::Number)
    }
    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Kind::Number)
    }
    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Kind::Number)
    }
    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(Kind::String)
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Kind::Null)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Kind::Array)
    }
    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self::Value, A::Error> {
        loop {
            let name = NameSeed {
                names: self.names,
                inner: self.inner.as_ref().map(|inner| inner.name),
            };
            match (map.next_key_seed(name)?, &mut self.inner) {
                (None, _) => return Ok(Kind::Object),
                (Some(Name::Chosen(index)), _) => {
                    let value = map.next_value()?;
                    match self.members.get_mut(index) {
                        Some(slot @ None) => *slot = Some(value),
                        _ => return Err(self.refuse_twice(self.names.get(index).copied())),
                    }
                }
                (Some(Name::Inner), Some(inner)) => {
                    if inner.found.is_some() {
                        let name = inner.name;
                        return Err(self.refuse_twice(Some(name)));
                    }
                    *inner.found = Some(map.next_value_seed(Select {
                        names: inner.names,
                        members: inner.members,
                        inner: None,
                        twice: self.twice,
                    })?);
                }
                (Some(_), _) => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
    }
}

/// What a member's name means to a [`Select`].
enum Name {
    Chosen(usize),
    Inner,
    Other,
}

struct NameSeed<'n> {
    names: &'n [&'static str],
    inner: Option<&'static str>,
}

impl<'de> DeserializeSeed<'de> for NameSeed<'_> {
    type Value = Name;
    fn deserialize<D: serde::Deserializer<'de>>(self, d: D) -> Result<Self::Value, D::Error> {
        d.deserialize_str(self)
    }
}

impl Visitor<'_> for NameSeed<'_> {
    type Value = Name;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }
    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        if self.inner == Some(name) {
            return Ok(Name::Inner);
        }
        let chosen = self.names.iter().position(|known| *known == name);
        Ok(chosen.map_or(Name::Other, Name::Chosen))
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Vec<(Cow<'de, str>, &'de RawValue)>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(name) = map.next_key_seed(CowSeed)? {
            entries.push((name, map.next_value()?));
        }
        Ok(entries)
    }
}

struct CowSeed;

impl<'de> DeserializeSeed<'de> for CowSeed {
    type Value = Cow<'de, str>;
    fn deserialize<D: serde::Deserializer<'de>>(self, d: D) -> Result<Self::Value, D::Error> {
        d.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for CowSeed {
    type Value = Cow<'de, str>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }
    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(name))
    }
    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}
