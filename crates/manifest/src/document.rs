//! A document that was read.

use std::fmt;

use serde_json::{Number, Value};

use crate::{
    place::{Parts, Place},
    position::Position,
};

/// One document of a text, or one item of a list that was read item by item.
#[derive(Debug, Clone)]
pub struct Document {
    /// What it says.
    pub value: Value,
    /// Which of the text's documents it is, from 1; empty documents do not count.
    pub number: usize,
    /// Which item of the document it is, from 0, if the list was split while it was read.
    pub item: Option<usize>,
    pub(crate) place: Place,
    pub(crate) notes: Vec<Note>,
}

/// A part of a document that stands for itself: the document, or an item of a list.
#[derive(Debug, Clone)]
pub struct Item<'a> {
    /// What it says.
    pub value: &'a Value,
    /// Which item of its list it is, from 0; `None` for a document that is no list.
    pub index: Option<usize>,
    /// The JSON pointer that leads to it from its document, such as `/items/3`.
    pub pointer: String,
    place: &'a Place,
}

/// Something about a value that its writer should know.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    /// An integer that 64 bits do not hold.
    Rounded {
        /// The value.
        at: Position,
        /// As it is written.
        written: String,
        /// The floating point number that it became, as it does on its way through kubectl.
        kept: Number,
    },
}

impl Note {
    /// The place of the value.
    #[must_use]
    pub fn position(&self) -> Position {
        match self {
            Self::Rounded { at, .. } => *at,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rounded { at, written, kept } => write!(
                out,
                "{at}: the integer {written} does not fit into 64 bits and is read as {kept}, as \
                 kubectl does; if it is a string, put it in quotes"
            ),
        }
    }
}

impl Document {
    /// The line where the document's first value stands, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.place.at.line
    }

    /// Where the value stands that a JSON pointer (RFC 6901) names; if there is none, where its
    /// nearest existing parent stands. A value that an alias repeats stands at the alias, what is
    /// in it at the anchor. A null that is not written stands at its key's colon.
    #[must_use]
    pub fn locate(&self, pointer: &str) -> Position {
        self.place.follow(pointer).0.at
    }

    /// Where the key of the mapping entry stands that a JSON pointer names; for an element of a
    /// list, the element. If the pointer leads nowhere, the nearest existing parent's key.
    #[must_use]
    pub fn locate_key(&self, pointer: &str) -> Position {
        let (place, key, _) = self.place.follow(pointer);
        key.unwrap_or(place.at)
    }

    /// Whether the whole of a JSON pointer leads to a value.
    #[must_use]
    pub fn has(&self, pointer: &str) -> bool {
        self.place.follow(pointer).2
    }

    /// What there is to say about the document's values.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The parts that stand for themselves: a list's items in their order, lists in lists taken
    /// apart too; of any other document, the document.
    #[must_use]
    pub fn items(&self) -> Vec<Item<'_>> {
        let mut found = Vec::new();
        let mut open = vec![Item {
            value: &self.value,
            index: None,
            pointer: String::new(),
            place: &self.place,
        }];
        while let Some(item) = open.pop() {
            match item.list() {
                Some(items) => open.extend(items.into_iter().rev()),
                None => found.push(item),
            }
        }
        found
    }
}

impl<'a> Item<'a> {
    /// The line where the item stands, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.place.at.line
    }

    /// As [`Document::locate`], with a pointer from the item.
    #[must_use]
    pub fn locate(&self, pointer: &str) -> Position {
        self.place.follow(pointer).0.at
    }

    /// As [`Document::locate_key`], with a pointer from the item.
    #[must_use]
    pub fn locate_key(&self, pointer: &str) -> Position {
        let (place, key, _) = self.place.follow(pointer);
        key.unwrap_or(place.at)
    }

    /// As [`Document::has`], with a pointer from the item.
    #[must_use]
    pub fn has(&self, pointer: &str) -> bool {
        self.place.follow(pointer).2
    }

    /// The items of a `List` or of a kind such as `PodList`.
    fn list(&self) -> Option<Vec<Item<'a>>> {
        let kind = self.value.get("kind")?.as_str()?;
        let values = self.value.get("items")?.as_array()?;
        if !kind.ends_with("List") {
            return None;
        }
        let Parts::Items(places) = &self.place.follow("/items").0.parts else {
            return None;
        };
        let items = values.iter().zip(places).enumerate();
        Some(
            items
                .map(|(index, (value, place))| Item {
                    value,
                    index: Some(index),
                    pointer: format!("{}/items/{index}", self.pointer),
                    place,
                })
                .collect(),
        )
    }
}
