//! Reads the fields of settings and stamps, collecting every fault instead of the first (C4).

use std::borrow::Cow;
use std::fmt;

use crate::json::{self, Elements, Kind, Problem, Raw};
use crate::key::ReplicaKey;
use crate::message::{Listed, Quoted, beginning};
use crate::named::Named;
use crate::placement::MOST_KEYS;
use crate::taint::{Effect, ReplicaTaint};

/// What is wrong with a field: its place, and a sentence that ends with the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFault(String);

impl FieldFault {
    /// A fault at a place in the object that is called `base`.
    #[must_use]
    pub fn at(base: &str, place: &Place, text: &dyn fmt::Display) -> Self {
        Self(format!("{base}{place}: {text}"))
    }
}

impl fmt::Display for FieldFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A field, an element of the list that it is, or a field of such an element. Written out for faults only: every request
/// reads settings, and few have any.
#[derive(Clone, Copy)]
pub struct Place {
    name: &'static str,
    index: Option<usize>,
    inner: &'static str,
}

impl Place {
    /// The object itself.
    pub const WHOLE: Self = Place::field("");

    /// A field of it.
    #[must_use]
    pub const fn field(name: &'static str) -> Self {
        Self {
            name,
            index: None,
            inner: "",
        }
    }

    const fn element(name: &'static str, index: usize) -> Self {
        Self {
            index: Some(index),
            ..Self::field(name)
        }
    }

    const fn inner(&self, inner: &'static str) -> Self {
        Self { inner, ..*self }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.name.is_empty() {
            write!(f, ".{}", self.name)?;
        }
        if let Some(index) = self.index {
            write!(f, "[{index}]")?;
        }
        if !self.inner.is_empty() {
            write!(f, ".{}", self.inner)?;
        }
        Ok(())
    }
}

/// How many faults are told one by one. All faults come in one answer (C4), but an answer must not outgrow what it
/// answers; nobody makes this many by hand.
const MOST_FAULTS: usize = 64;

/// What a toleration has in a pod but not in settings, because the policy sets it (C6), and what is wrong with it.
const SET_BY_POLICY: [(&str, &str); 3] = [
    ("operator", "is always Equal"),
    ("value", "is the replica value"),
    ("tolerationSeconds", "would end the toleration"),
];

/// The values of the known fields that an object has.
type Values<'a> = Vec<(&'static str, Raw<'a>)>;

/// A field's value; null counts as absent.
fn get<'a>(values: &Values<'a>, name: &str) -> Option<Raw<'a>> {
    let value = values.iter().find(|(known, _)| *known == name);
    json::present(value.map(|(_, raw)| *raw))
}

/// The fields of one JSON object, and the faults in them.
pub struct Fields<'a> {
    base: &'static str,
    values: Values<'a>,
    faults: Vec<FieldFault>,
}

impl<'a> Fields<'a> {
    /// Reads an object; null and absent are an object without fields. Fields that are not `known`
    /// are faults, with the nearest known name (C2).
    #[must_use]
    pub fn read(raw: Option<Raw<'a>>, base: &'static str, known: &[&'static str]) -> Self {
        let mut fields = Self {
            base,
            values: Vec::new(),
            faults: Vec::new(),
        };
        if let Some(raw) = json::present(raw) {
            match json::all_entries(raw) {
                Ok(entries) => {
                    fields.values = fields.known(&entries, &Place::WHOLE, known, &[]);
                }
                Err(problem) => fields.fault(&Place::WHOLE, &problem),
            }
        }
        fields
    }

    /// The entries that are known. The others are faults; those that are `refused` are told first, with the reason.
    fn known(
        &mut self,
        entries: &[(Cow<'a, str>, Raw<'a>)],
        at: &Place,
        known: &[&'static str],
        refused: &[(&'static str, &str)],
    ) -> Values<'a> {
        for (refused, reason) in refused {
            if entries.iter().any(|(name, _)| name == refused) {
                self.fault(&at.inner(refused), &format_args!("{reason}; remove it"));
            }
        }
        let mut values = Values::new();
        for (name, raw) in entries {
            // A hundred thousand names are not each held against the known ones.
            if self.has_more() {
                break;
            }
            match known.iter().find(|known| *known == name) {
                Some(known) if values.iter().any(|(earlier, _)| earlier == known) => {
                    self.fault(at, &Problem::Duplicate(name.clone().into_owned()));
                }
                Some(known) => values.push((known, *raw)),
                None if refused.iter().any(|(refused, _)| refused == name) => {}
                None => self.fault(at, &unknown(name, known)),
            }
        }
        values
    }

    /// Notes a fault.
    pub fn fault(&mut self, at: &Place, text: &dyn fmt::Display) {
        match self.faults.len() {
            ..MOST_FAULTS => self.faults.push(FieldFault::at(self.base, at, text)),
            MOST_FAULTS => {
                let text = &"has more faults; correct these first";
                let fault = FieldFault::at(self.base, &Place::WHOLE, text);
                self.faults.push(fault);
            }
            _ => {}
        }
    }

    /// Whether there are faults beyond [`MOST_FAULTS`].
    fn has_more(&self) -> bool {
        self.faults.len() > MOST_FAULTS
    }

    /// The elements of a list; another type, or more than `most` of them, is a fault.
    fn elements(&mut self, raw: Raw<'a>, name: &'static str, most: usize) -> Elements<'a> {
        let at = Place::field(name);
        match json::elements(raw) {
            Err(problem) => self.fault(&at, &problem),
            Ok(elements) => {
                // Each takes two bytes at least, so those of a short list need not be counted.
                if raw.get().len() / 2 <= most {
                    return elements;
                }
                let count = elements.clone().count();
                if count <= most {
                    return elements;
                }
                self.fault(
                    &at,
                    &format_args!("has {count} items; at most {most} are legal"),
                );
            }
        }
        Elements::default()
    }

    /// The text of a string; another type is a fault.
    fn text<'r>(&mut self, raw: Raw<'r>, at: &Place) -> Option<Cow<'r, str>> {
        json::string(raw)
            .map_err(|problem| self.fault(at, &problem))
            .ok()
    }

    /// A field that is one of a few words; absent: the default.
    pub fn word<T: Named>(&mut self, name: &'static str) -> T {
        T::at(self.index(name, T::NAMES))
    }

    /// Which of these names a field is; the first where it is none.
    fn index(&mut self, name: &'static str, legal: &[&str]) -> usize {
        let Some(raw) = get(&self.values, name) else {
            return 0;
        };
        let at = Place::field(name);
        let Some(word) = self.text(raw, &at) else {
            return 0;
        };
        let index = legal.iter().position(|legal| *legal == word);
        index.unwrap_or_else(|| {
            let legal = Listed(legal.iter());
            self.fault(
                &at,
                &format_args!("is {}; use one of {legal}", Quoted(&word)),
            );
            0
        })
    }

    /// A field that is a list of keys, or one key.
    pub fn keys(&mut self, name: &'static str) -> Vec<ReplicaKey> {
        self.at_most_keys(name, usize::MAX)
    }

    fn at_most_keys(&mut self, name: &'static str, most: usize) -> Vec<ReplicaKey> {
        let Some(raw) = get(&self.values, name) else {
            return Vec::new();
        };
        if Kind::of(raw) == Kind::String {
            let key = self.key(raw, &Place::field(name));
            return key.map_or_else(Vec::new, |key| vec![key]);
        }
        let mut keys = Vec::new();
        for (i, raw) in self.elements(raw, name, most).enumerate() {
            // Faults that are not told need not be found.
            if self.has_more() {
                break;
            }
            if let Some(key) = self.key(raw, &Place::element(name, i)) {
                keys.push(key);
            }
        }
        keys
    }

    /// A field that is a list of keys in which none may stand twice (C6).
    pub fn distinct_keys(&mut self, name: &'static str) -> Vec<ReplicaKey> {
        let keys = self.at_most_keys(name, MOST_KEYS);
        for (i, key) in keys.iter().enumerate() {
            if keys.get(..i).is_some_and(|earlier| earlier.contains(key)) {
                self.fault(
                    &Place::field(name),
                    &format_args!("names {key} twice; name it once"),
                );
            }
        }
        keys
    }

    fn key(&mut self, raw: Raw<'_>, at: &Place) -> Option<ReplicaKey> {
        let text = self.text(raw, at)?;
        ReplicaKey::read(&text)
            .map_err(|fault| self.fault(at, &fault))
            .ok()
    }

    /// A field that is a list of `{key, effect?}` in which no pair may stand twice (C6).
    pub fn taints(&mut self, name: &'static str) -> Vec<ReplicaTaint> {
        let Some(raw) = get(&self.values, name) else {
            return Vec::new();
        };
        let mut taints = Vec::new();
        for (i, raw) in self.elements(raw, name, MOST_KEYS).enumerate() {
            let at = Place::element(name, i);
            let Some(taint) = self.taint(raw, &at) else {
                continue;
            };
            if taints.contains(&taint) {
                let effect = taint.effect.map_or("all effects", Effect::name);
                self.fault(
                    &at,
                    &format_args!("asks for {} with {effect} twice; ask once", taint.key),
                );
            }
            taints.push(taint);
        }
        taints
    }

    fn taint(&mut self, raw: Raw<'a>, at: &Place) -> Option<ReplicaTaint> {
        if let Err(problem) = json::due(raw, Kind::Object) {
            self.fault(at, &problem);
            return None;
        }
        let entries = json::all_entries(raw).unwrap_or_default();
        let values = self.known(&entries, at, &["key", "effect"], &SET_BY_POLICY);
        let at_key = at.inner("key");
        let key = match get(&values, "key") {
            Some(raw) => self.key(raw, &at_key),
            None => {
                self.fault(&at_key, &Problem::Missing);
                None
            }
        };
        let effect = self.effect(get(&values, "effect"), &at.inner("effect"));
        Some(ReplicaTaint {
            key: key?,
            effect: effect?,
        })
    }

    /// The effect of a taint: `Some(None)` is all effects, `None` a fault.
    fn effect(&mut self, raw: Option<Raw<'_>>, at: &Place) -> Option<Option<Effect>> {
        let Some(raw) = raw else {
            return Some(None);
        };
        let word = self.text(raw, at)?;
        if word.is_empty() {
            return Some(None);
        }
        match Effect::read(&word) {
            Ok(effect) => Some(Some(effect)),
            Err(fault) => {
                self.fault(at, &fault);
                None
            }
        }
    }

    /// The faults found so far, in the order of the fields.
    #[must_use]
    pub fn into_faults(self) -> Vec<FieldFault> {
        self.faults
    }
}

fn unknown(name: &str, known: &[&str]) -> String {
    let nearest = if name == "mode" && known.contains(&"action") {
        // Kubewarden's own field of that name does something else, so people reach for it here.
        "action"
    } else {
        nearest(name, known)
    };
    format!(
        "unknown field {}; did you mean {}?",
        Quoted(name),
        Quoted(nearest)
    )
}

/// The first of the names that are least unlike the typed one.
fn nearest<'k>(typed: &str, known: &[&'k str]) -> &'k str {
    let mut least = usize::MAX;
    let mut nearest = "";
    for name in known {
        let distance = distance(typed, name);
        if distance < least {
            (least, nearest) = (distance, name);
        }
    }
    nearest
}

/// How much of a typed name is looked at, in characters.
const MOST_TYPED: usize = 64;

/// Whether a text has a part, regardless of case.
fn holds(text: &str, part: &str) -> bool {
    let mut pieces = text.as_bytes().windows(part.len().max(1));
    pieces.any(|piece| piece.eq_ignore_ascii_case(part.as_bytes()))
}

/// How unlike two names are: edits between them regardless of case, or 1 if one holds the other.
fn distance(typed: &str, known: &str) -> usize {
    let typed = beginning(typed, MOST_TYPED);
    if typed.eq_ignore_ascii_case(known) {
        return 0;
    }
    if typed.len() > 3 && (holds(known, typed) || holds(typed, known)) {
        return 1;
    }
    // The edits from what is gone through of the known name to each beginning of the typed one.
    let mut row: [usize; MOST_TYPED] = std::array::from_fn(|typed| typed + 1);
    let mut edits = typed.chars().count();
    for (i, known) in known.bytes().map(char::from).enumerate() {
        let mut diagonal = i;
        edits = i + 1;
        for (above, typed) in row.iter_mut().zip(typed.chars()) {
            let replaced = diagonal + usize::from(!typed.eq_ignore_ascii_case(&known));
            diagonal = *above;
            edits = replaced.min(edits + 1).min(diagonal + 1);
            *above = edits;
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_levenshteins() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("ACTION", "action"), 0);
        assert_eq!(distance("flaw", "lawn"), 2);
        assert_eq!(distance("ab", "cd"), 2);
        assert_eq!(distance("ab", "a"), 1);
        assert_eq!(distance("a", "ab"), 1);
        assert_eq!(distance("toleration", "replicaSpecificToleration"), 1);
    }

    #[test]
    fn c2_suggests_the_nearest_name() {
        let known = ["action", "members", "replicaValue", "overlongValue"];
        assert_eq!(
            unknown("replicaVlaue", &known),
            "unknown field \"replicaVlaue\"; did you mean \"replicaValue\"?"
        );
        assert_eq!(
            unknown("mode", &known),
            "unknown field \"mode\"; did you mean \"action\"?"
        );
    }
}
