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
    take(&mut Walk::into(raw), names, members, &mut None)
}

/// Two levels of an object in one pass: the members `names`, and within the member `inner` those
/// with `inner_names`. The inner one is `None` where it is absent or null.
///
/// # Errors
/// As [`members`]; told from `place` on, the object's own path.
pub fn nested<'a, const N: usize, const M: usize>(
    raw: Raw<'a>,
    place: &str,
    names: &[&'static str; N],
    inner: &'static str,
    inner_names: &[&'static str; M],
) -> Result<(Members<'a, N>, Option<Members<'a, M>>), Fault> {
    let (mut members, mut within) = ([None; N], [None; M]);
    let mut inside = Some(Inside {
        name: inner,
        names: inner_names,
        members: &mut within,
        found: None,
    });
    let is_there = take_nested(raw, place, names, &mut members, &mut inside)?;
    Ok((members, is_there.then_some(within)))
}

/// An object's spec, and the members of its metadata that have these names; null and absent
/// metadata has none.
///
/// # Errors
/// As [`nested`].
pub fn object_and_metadata<'a, const N: usize>(
    object: Raw<'a>,
    place: &str,
    names: &[&'static str; N],
) -> Result<(Option<Raw<'a>>, Members<'a, N>), Fault> {
    let ([spec], metadata) = nested(object, place, &["spec"], "metadata", names)?;
    Ok((present(spec), metadata.unwrap_or([None; N])))
}

/// [`nested`] for any number of names; whether the inner object is there.
fn take_nested<'a>(
    raw: Raw<'a>,
    place: &str,
    names: &[&'static str],
    members: &mut [Option<Raw<'a>>],
    inside: &mut Option<Inside<'_, 'a>>,
) -> Result<bool, Fault> {
    due(raw, Kind::Object)
        .and_then(|()| take(&mut Walk::into(raw), names, members, inside))
        .map_err(|problem| problem.at(place.to_owned()))?;
    match inside
        .as_ref()
        .and_then(|inside| Some((inside.name, inside.found?)))
    {
        None | Some((_, Kind::Null)) => Ok(false),
        Some((_, Kind::Object)) => Ok(true),
        Some((name, found)) => {
            let expected = Kind::Object;
            let path = if place == ROOT {
                name.to_owned()
            } else {
                [place, ".", name].concat()
            };
            Err(Problem::Type { expected, found }.at(path))
        }
    }
}

/// A member that is read one level deeper in the same pass.
struct Inside<'s, 'a> {
    name: &'static str,
    names: &'s [&'static str],
    members: &'s mut [Option<Raw<'a>>],
    found: Option<Kind>,
}

/// Takes the members with these names. The slices keep it from being compiled anew for every number of names.
fn take<'a>(
    walk: &mut Walk<'a>,
    names: &[&'static str],
    members: &mut [Option<Raw<'a>>],
    inside: &mut Option<Inside<'_, 'a>>,
) -> Result<(), Box<Problem>> {
    while let Some(name) = walk.name() {
        let name = name.meant()?;
        let twice = || Err(Problem::Duplicate(name.as_ref().to_owned()).into());
        if let Some(inside) = inside
            && inside.name == name
        {
            if inside.found.replace(walk.kind()).is_some() {
                return twice();
            }
            if walk.kind() == Kind::Object {
                walk.enter();
                take(walk, inside.names, inside.members, &mut None)?;
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
    Ok(())
}
