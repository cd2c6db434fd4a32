//! Chosen members of an object.

use super::fault::{Fault, Problem};
use super::raw::{Kind, Raw, due, present};
use super::walk::Walk;

/// Chosen members of an object, in the order of the names that were asked for.
pub type Members<'a, const N: usize> = [Option<Raw<'a>>; N];

/// The members of an object that have these names.
///
/// # Errors
/// Another type, or one of the names twice.
pub fn members<'a, const N: usize>(
    raw: Raw<'a>,
    names: &[&'static str; N],
) -> Result<Members<'a, N>, Problem> {
    due(raw, Kind::Object)?;
    let mut members = [None; N];
    take(&mut Walk::into(raw), names, &mut members, &mut None)?;
    Ok(members)
}

/// Two levels of an object in one pass: the members `names`, and within the member `inner` those
/// with `inner_names`. The inner one is `None` where it is absent or null.
///
/// # Errors
/// As [`members`], with an empty path; a wrong type of the inner object has its name as the path.
pub fn nested<'a, const N: usize, const M: usize>(
    raw: Raw<'a>,
    names: &[&'static str; N],
    inner: &'static str,
    inner_names: &[&'static str; M],
) -> Result<(Members<'a, N>, Option<Members<'a, M>>), Fault> {
    due(raw, Kind::Object).map_err(|problem| problem.at(""))?;
    let (mut members, mut within) = ([None; N], [None; M]);
    let mut inside = Some(Inside {
        name: inner,
        names: inner_names,
        members: &mut within,
        found: None,
    });
    take(&mut Walk::into(raw), names, &mut members, &mut inside)
        .map_err(|problem| problem.at(""))?;
    match inside.and_then(|inside| inside.found) {
        None | Some(Kind::Null) => Ok((members, None)),
        Some(Kind::Object) => Ok((members, Some(within))),
        Some(found) => Err(Problem::Type {
            expected: Kind::Object,
            found,
        }
        .at(inner)),
    }
}

/// An object's spec, and the members of its metadata that have these names; null and absent
/// metadata has none.
///
/// # Errors
/// As [`nested`], told from `place` on, the object's own path.
pub fn object_and_metadata<'a, const N: usize>(
    object: Raw<'a>,
    place: &'static str,
    names: &[&'static str; N],
) -> Result<(Option<Raw<'a>>, Members<'a, N>), Fault> {
    let read = nested(object, &["spec"], "metadata", names);
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
) -> Result<(), Problem> {
    while let Some(name) = walk.name() {
        let name = name.meant()?;
        let twice = || Problem::Duplicate(name.as_ref().to_owned());
        if let Some(inside) = inside
            && inside.name == name
        {
            if inside.found.replace(walk.kind()).is_some() {
                return Err(twice());
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
            Some(Some(_)) => return Err(twice()),
            None => {}
        }
    }
    Ok(())
}
