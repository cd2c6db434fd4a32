//! Chosen members of an object.

use super::fault::{Fault, Problem};
use super::raw::{Kind, Raw, due, present};
use super::walk::Walk;

/// Chosen members of an object, in the order of the names that were asked for.
pub type Members<'a, const N: usize> = [Option<Raw<'a>>; N];

/// What a payload as a whole is called in messages. Paths within it begin without it.
pub const ROOT: &str = "payload";

/// The members of an object that have these names.
///
/// # Errors
/// Another type, or one of the names twice.
pub fn members<'a, const N: usize>(
    raw: Raw<'a>,
    names: &[&'static str; N],
) -> Result<Members<'a, N>, Box<Problem>> {
    let mut members = [None; N];
    fill(raw, names, &mut members)?;
    Ok(members)
}

/// [`members`] for any number of names, so that it is compiled once.
///
/// # Errors
/// As [`members`].
pub fn fill<'a>(
    raw: Raw<'a>,
    names: &[&'static str],
    members: &mut [Option<Raw<'a>>],
) -> Result<(), Box<Problem>> {
    due(raw, Kind::Object)?;
    take(Walk::into(raw), names, members, &mut None)?;
    Ok(())
}

/// Two levels of an object in one pass: puts the members `names` into their places, and those of a member that is an
/// object into theirs; whether that is there, and not null.
///
/// # Errors
/// As [`members`]; told from `place` on, the object's own path.
pub fn nested<'a>(
    raw: Raw<'a>,
    place: &str,
    names: &[&'static str],
    members: &mut [Option<Raw<'a>>],
    inside: Inside<'_, 'a>,
) -> Result<bool, Fault> {
    let name = inside.name;
    let mut inside = Some(inside);
    due(raw, Kind::Object)
        .and_then(|()| take(Walk::into(raw), names, members, &mut inside))
        .map_err(|problem| problem.at(place.to_owned()))?;
    match inside.and_then(|inside| inside.found) {
        None | Some(Kind::Null) => Ok(false),
        Some(Kind::Object) => Ok(true),
        Some(found) => {
            let expected = Kind::Object;
            let path = if place == ROOT {
                name.to_owned()
            } else {
                format!("{place}.{name}")
            };
            Err(Box::new(Problem::Type { expected, found }).at(path))
        }
    }
}

/// An object's spec; puts the members of its metadata that have these names into their places. Null and absent
/// metadata has none.
///
/// # Errors
/// As [`nested`].
pub fn spec_and_metadata<'a>(
    object: Raw<'a>,
    place: &str,
    names: &[&'static str],
    metadata: &mut [Option<Raw<'a>>],
) -> Result<Option<Raw<'a>>, Fault> {
    let mut spec = [None];
    let inside = Inside::of("metadata", names, metadata);
    nested(object, place, &["spec"], &mut spec, inside)?;
    let [spec] = spec;
    Ok(present(spec))
}

/// A member that is read one level deeper in the same pass.
pub struct Inside<'s, 'a> {
    name: &'static str,
    names: &'s [&'static str],
    members: &'s mut [Option<Raw<'a>>],
    found: Option<Kind>,
}

impl<'s, 'a> Inside<'s, 'a> {
    /// The members of `name` that have these names, with their places.
    #[must_use]
    pub fn of(
        name: &'static str,
        names: &'s [&'static str],
        members: &'s mut [Option<Raw<'a>>],
    ) -> Self {
        Self {
            name,
            names,
            members,
            found: None,
        }
    }
}

/// Takes the members with these names. The slices keep it from being compiled anew for every number of names.
fn take<'a>(
    mut walk: Walk<'a>,
    names: &[&'static str],
    members: &mut [Option<Raw<'a>>],
    inside: &mut Option<Inside<'_, 'a>>,
) -> Result<usize, Box<Problem>> {
    while let Some(name) = walk.name() {
        let unescaped;
        let name = if name.has_escapes {
            unescaped = name.meant()?;
            &*unescaped
        } else {
            name.written
        };
        let twice = || Err(Problem::Duplicate(name.to_owned()).into());
        if let Some(inside) = inside
            && inside.name == name
        {
            if inside.found.replace(walk.kind()).is_some() {
                return twice();
            }
            if walk.kind() == Kind::Object {
                walk.enter();
                walk.at = take(walk.clone(), inside.names, inside.members, &mut None)?;
                walk.leave();
            } else {
                walk.value();
            }
            continue;
        }
        let value = walk.value();
        let chosen = names.iter().position(|known| *known == name);
        match chosen.and_then(|index| members.get_mut(index)) {
            Some(slot @ None) => *slot = Some(value),
            Some(Some(_)) => return twice(),
            None => {}
        }
    }
    Ok(walk.at)
}
