//! Where the parts of a value stand.

use crate::position::Position;

/// Where a value and the values in it stand: a tree of the value's own shape.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) at: Position,
    pub(crate) parts: Parts,
}

/// Exact-sized slices: a manifest has very many small mappings, for which a map would be mostly
/// empty room.
#[derive(Debug, Clone)]
pub(crate) enum Parts {
    None,
    Items(Box<[Place]>),
    /// Sorted by key.
    Fields(Box<[(Box<str>, Field)]>),
}

/// An entry of a mapping.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) key: Position,
    pub(crate) place: Place,
}

impl Place {
    /// A value without parts.
    pub(crate) fn leaf(at: Position) -> Self {
        Self {
            at,
            parts: Parts::None,
        }
    }

    /// Follows a JSON pointer (RFC 6901) as far as it leads: the last place on the way, the key
    /// that led there, and whether the whole pointer was followed.
    pub(crate) fn follow(&self, pointer: &str) -> (&Self, Option<Position>, bool) {
        let mut place = self;
        let mut key = None;
        for token in pointer.split('/').skip(1) {
            let token = token.replace("~1", "/").replace("~0", "~");
            let next = match &place.parts {
                Parts::None => None,
                Parts::Items(items) => token
                    .parse::<usize>()
                    .ok()
                    .and_then(|index| items.get(index))
                    .map(|item| (item, None)),
                Parts::Fields(fields) => {
                    field(fields, &token).map(|field| (&field.place, Some(field.key)))
                }
            };
            let Some((found, found_key)) = next else {
                return (place, key, false);
            };
            place = found;
            key = found_key;
        }
        (place, key, true)
    }
}

/// An entry of sorted fields.
pub(crate) fn field<'a>(fields: &'a [(Box<str>, Field)], key: &str) -> Option<&'a Field> {
    let index = fields
        .binary_search_by(|(name, _)| name.as_ref().cmp(key))
        .ok()?;
    fields.get(index).map(|(_, field)| field)
}
