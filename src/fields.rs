//! Reads the fields of settings and stamps, collecting every fault instead of the first (C4).

use std::borrow::Cow;
use std::fmt;

use crate::json::{self, Kind, Problem, Raw};
use crate::key::ReplicaKey;
use crate::message::{Listed, Quoted, holds};
use crate::named::Named;
use crate::placement::MOST_KEYS;
use crate::taint::{Effect, ReplicaTaint};

/// A fault in settings or in a stamp: its place and a sentence that ends with the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFault {
    /// The path: `settings.action`.
    pub path: String,
    /// What is wrong and what to do.
    pub text: String,
}

impl fmt::Display for FieldFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.text)
    }
}

/// A field, or an element of the list that it is. Written out for faults only: every request reads settings, and few have
/// any.
#[derive(Clone, Copy)]
pub struct Place<'n> {
    name: &'n str,
    index: Option<usize>,
}

impl<'n> Place<'n> {
    /// The object itself.
    pub const WHOLE: Self = Place::field("");

    /// A field of it.
    #[must_use]
    pub const fn field(name: &'n str) -> Self {
        Self { name, index: None }
    }

    const fn element(name: &'n str, index: usize) -> Self {
        Self {
            name,
            index: Some(index),
        }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.name.is_empty() {
            write!(f, ".{}", self.name)?;
        }
        match self.index {
            Some(index) => write!(f, "[{index}]"),
            None => Ok(()),
        }
    }
}

/// How many faults are told one by one. All faults come in one answer (C4), but an answer must not outgrow what it
/// answers; nobody makes this many by hand.
const MOST_FAULTS: usize = 64;

/// How many fields an object may know.
const MOST_FIELDS: usize = 16;

/// The fields of one JSON object.
pub struct Fields<'a> {
    base: &'static str,
    /// Where below the base.
    place: Place<'static>,
    entries: Vec<(Cow<'a, str>, Raw<'a>)>,
    faults: Vec<FieldFault>,
    /// Whether there are faults beyond [`MOST_FAULTS`].
    has_more: bool,
}

impl<'a> Fields<'a> {
    /// Reads an object; null and absent are an object without fields. Fields that are not `known`
    /// are faults, with the nearest known name (C2).
    #[must_use]
    pub fn read(raw: Option<Raw<'a>>, base: &'static str, known: &[&str]) -> Self {
        let mut fields = Self {
            base,
            place: Place::WHOLE,
            entries: Vec::new(),
            faults: Vec::new(),
            has_more: false,
        };
        if let Some(raw) = json::present(raw) {
            match json::all_entries(raw) {
                Ok(entries) => fields.entries = entries,
                Err(problem) => fields.problem(Place::WHOLE, &problem),
            }
        }
        fields.refuse_unknown(known);
        fields
    }

    fn refuse_unknown(&mut self, known: &[&str]) {
        let mut seen = [false; MOST_FIELDS];
        let entries = std::mem::take(&mut self.entries);
        for (name, _) in &entries {
            // A hundred thousand names are not each held against the known ones.
            if self.has_more {
                break;
            }
            let index = known.iter().position(|known| *known == name);
            match index.and_then(|index| seen.get_mut(index)) {
                None => {
                    if self.is_full() {
                        self.has_more = true;
                    } else {
                        self.fault(Place::WHOLE, unknown(name, known));
                    }
                }
                Some(true) => {
                    self.problem(
                        Place::WHOLE,
                        &Problem::Duplicate(name.clone().into_owned()),
                    );
                }
                Some(seen) => *seen = true,
            }
        }
        self.entries = entries;
    }

    /// A field's value; null counts as absent.
    fn get(&self, name: &str) -> Option<Raw<'a>> {
        let entry = self.entries.iter().find(|(known, _)| known == name);
        json::present(entry.map(|(_, raw)| *raw))
    }

    /// Notes a fault.
    pub fn fault(&mut self, at: Place<'_>, text: String) {
        if self.is_full() {
            self.has_more = true;
            return;
        }
        self.faults.push(FieldFault {
            path: format!("{}{}{at}", self.base, self.place),
            text,
        });
    }

    fn is_full(&self) -> bool {
        self.faults.len() >= MOST_FAULTS
    }

    /// Whether a list holds more keys than a placement may have, which is then a fault.
    fn are_too_many(&mut self, name: &str, count: usize) -> bool {
        let too_many = count > MOST_KEYS;
        if too_many {
            let text = format!("has {count} items; at most {MOST_KEYS} are legal");
            self.fault(Place::field(name), text);
        }
        too_many
    }

    fn problem(&mut self, at: Place<'_>, problem: &Problem) {
        self.fault(at, problem.to_string());
    }

    /// A field that is one of a few words; absent: the default.
    pub fn word<T: Named>(&mut self, name: &str) -> T {
        let Some(raw) = self.get(name) else {
            return T::default();
        };
        match json::string(raw) {
            Ok(word) => T::parse(&word).unwrap_or_else(|| {
                let legal = Listed(T::ALL.iter().map(|(name, _)| *name));
                let text = format!("is {}; use one of {legal}", Quoted(&word));
                self.fault(Place::field(name), text);
                T::default()
            }),
            Err(problem) => {
                self.problem(Place::field(name), &problem);
                T::default()
            }
        }
    }

    /// A field that is a list of keys, or one key.
    pub fn keys(&mut self, name: &str) -> Vec<ReplicaKey> {
        let Some(raw) = self.get(name) else {
            return Vec::new();
        };
        if Kind::of(raw) == Kind::String {
            return self.key(raw, Place::field(name)).into_iter().collect();
        }
        if !matches!(Kind::of(raw), Kind::Array) {
            let found = match json::due(raw, Kind::Array) {
                Err(problem) => problem,
                Ok(()) => return Vec::new(),
            };
            self.problem(Place::field(name), &found);
            return Vec::new();
        }
        let mut keys = Vec::new();
        for (i, raw) in json::elements(raw).unwrap_or_default().enumerate() {
            // Faults that are not told need not be found.
            if self.has_more {
                break;
            }
            keys.extend(self.key(raw, Place::element(name, i)));
        }
        keys
    }

    /// A field that is a list of keys in which none may stand twice (C6).
    pub fn distinct_keys(&mut self, name: &str) -> Vec<ReplicaKey> {
        let listed = self.get(name).map(json::elements);
        if let Some(Ok(listed)) = listed
            && self.are_too_many(name, listed.count())
        {
            return Vec::new();
        }
        let keys = self.keys(name);
        for (i, key) in keys.iter().enumerate() {
            if keys.iter().take(i).any(|earlier| earlier == key) {
                self.fault(
                    Place::field(name),
                    format!("names {key} twice; name it once"),
                );
            }
        }
        keys
    }

    fn key(&mut self, raw: Raw<'_>, at: Place<'_>) -> Option<ReplicaKey> {
        match json::string(raw) {
            Err(problem) => self.problem(at, &problem),
            Ok(text) => match ReplicaKey::parse(&text) {
                Ok(key) => return Some(key),
                Err(error) => self.fault(at, format!("{} {error}", Quoted(&text))),
            },
        }
        None
    }

    /// A field that is a list of `{key, effect?}` in which no pair may stand twice (C6).
    pub fn taints(&mut self, name: &'static str) -> Vec<ReplicaTaint> {
        let Some(raw) = self.get(name) else {
            return Vec::new();
        };
        let elements = match json::elements(raw) {
            Ok(elements) => elements,
            Err(problem) => {
                self.problem(Place::field(name), &problem);
                return Vec::new();
            }
        };
        if self.are_too_many(name, elements.clone().count()) {
            return Vec::new();
        }
        let mut taints: Vec<ReplicaTaint> = Vec::new();
        for (i, raw) in elements.enumerate() {
            let at = Place::element(name, i);
            let Some(taint) = self.taint(raw, at) else {
                continue;
            };
            if taints.contains(&taint) {
                let effect = taint.effect.map_or("all effects", Effect::name);
                let text = format!("asks for {} with {effect} twice; ask once", taint.key);
                self.fault(at, text);
            }
            taints.push(taint);
        }
        taints
    }

    fn taint(&mut self, raw: Raw<'_>, at: Place<'static>) -> Option<ReplicaTaint> {
        if let Err(problem) = json::due(raw, Kind::Object) {
            self.problem(at, &problem);
            return None;
        }
        let mut inner = Fields {
            base: self.base,
            place: at,
            entries: json::all_entries(raw).unwrap_or_default(),
            faults: Vec::new(),
            has_more: false,
        };
        inner.refuse_fields_of_the_policy();
        inner.refuse_unknown(&["key", "effect"]);
        let key = match inner.get("key") {
            Some(raw) => inner.key(raw, Place::field("key")),
            None => {
                inner.problem(Place::field("key"), &Problem::Missing);
                None
            }
        };
        let effect = inner.effect();
        let room = MOST_FAULTS.saturating_sub(self.faults.len());
        self.has_more |= inner.has_more || inner.faults.len() > room;
        self.faults.extend(inner.faults.into_iter().take(room));
        Some(ReplicaTaint {
            key: key?,
            effect: effect?,
        })
    }

    /// What a toleration has in a pod but not here, because the policy sets it (C6).
    fn refuse_fields_of_the_policy(&mut self) {
        for (name, reason) in [
            ("operator", "is always Equal"),
            ("value", "is the replica value"),
            ("tolerationSeconds", "would end the toleration"),
        ] {
            if self.entries.iter().any(|(known, _)| known == name) {
                self.entries.retain(|(known, _)| known != name);
                self.fault(Place::field(name), format!("{reason}; remove it"));
            }
        }
    }

    /// The effect of a taint: `Some(None)` is all effects, `None` a fault.
    fn effect(&mut self) -> Option<Option<Effect>> {
        let Some(raw) = self.get("effect") else {
            return Some(None);
        };
        match json::string(raw) {
            Ok(word) if word.is_empty() => return Some(None),
            Ok(word) => match Effect::parse(&word) {
                Some(effect) => return Some(Some(effect)),
                None => self.fault(Place::field("effect"), unknown_effect(&word)),
            },
            Err(problem) => self.problem(Place::field("effect"), &problem),
        }
        None
    }

    /// The faults found so far, in the order of the fields.
    #[must_use]
    pub fn into_faults(self) -> Vec<FieldFault> {
        let mut faults = self.faults;
        if self.has_more {
            faults.push(FieldFault {
                path: self.base.to_owned(),
                text: "has more faults; correct these first".to_owned(),
            });
        }
        faults
    }
}

/// The sentence for an effect that Kubernetes does not know.
#[must_use]
pub fn unknown_effect(word: &str) -> String {
    format!(
        "effect {} is unknown; use one of {}, or leave it out for all",
        Quoted(word),
        Listed(Effect::ALL.iter().map(|(name, _)| *name))
    )
}

fn unknown(name: &str, known: &[&str]) -> String {
    let nearest = if name == "mode" && known.contains(&"action") {
        // Kubewarden's own field of that name does something else, so people reach for it here.
        Some(&"action")
    } else {
        known.iter().min_by_key(|known| distance(name, known))
    };
    match nearest {
        Some(nearest) => format!(
            "unknown field {}; did you mean {}?",
            Quoted(name),
            Quoted(nearest)
        ),
        None => format!("unknown field {}; remove it", Quoted(name)),
    }
}

/// How unlike two names are: edits between them regardless of case, or 1 if one holds the other.
fn distance(typed: &str, known: &str) -> usize {
    let typed: Vec<char> = typed
        .chars()
        .take(64)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let known = known.to_ascii_lowercase();
    let text: String = typed.iter().collect();
    if text == known {
        return 0;
    }
    if text.len() > 3 && (holds(&known, &text) || holds(&text, &known)) {
        return 1;
    }
    let mut row: Vec<usize> = (0..=typed.len()).collect();
    for (i, k) in known.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = Vec::with_capacity(row.len());
        next.push(left);
        for (t, above) in typed.iter().zip(row.iter().skip(1)) {
            let edit = diagonal + usize::from(*t != k);
            left = edit.min(left + 1).min(above + 1);
            diagonal = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(usize::MAX)
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
        assert_eq!(unknown("x", &[]), "unknown field \"x\"; remove it");
    }
}
