//! Replicas whose workers LWS can never make (L10).

use super::place::Located;
use super::report::Remark;
use lws_expand::{Identity, LeaderWorkerSet};

/// The longest leader name whose workers' revision label, the name and 11 characters more, is a legal value.
const LONGEST: usize = 52;

/// Tells of a set some of whose leaders will never get workers; none where all will.
pub(super) fn missing(item: &Located<'_>, set: &LeaderWorkerSet, title: &str) -> Option<Remark> {
    if set.size() < 2 || set.replicas() == 0 {
        return None;
    }
    let (whose, remedy) = match set.identity() {
        Identity::Hash => {
            let length = set.replica(0).leader_name().len();
            let over = length.checked_sub(LONGEST).filter(|over| *over > 0)?;
            let room = set.name().len().saturating_sub(over);
            ("its leaders".to_owned(), room)
        }
        Identity::Ordinal => {
            let last = set.replicas() - 1;
            let prefix = set.name().len() + 1;
            let whose = match first_too_long(prefix)? {
                0 => "its leaders".to_owned(),
                index if index <= last => format!("its leaders from {}-{index} on", set.name()),
                _ => return None,
            };
            (whose, LONGEST.saturating_sub(1 + last.to_string().len()))
        }
    };
    let text = format!(
        "{title}: {whose} have names of over {LONGEST} characters and will never get workers, whose revision label would be too long; shorten the set's name to {remedy} characters"
    );
    Some(item.warning("/metadata/name", text))
}

/// The first index that makes a name too long behind a prefix; none where no number could.
fn first_too_long(prefix: usize) -> Option<u64> {
    match LONGEST.checked_sub(prefix) {
        None | Some(0) => Some(0),
        Some(digits) => 10_u64.checked_pow(u32::try_from(digits).ok()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digit_of_the_index_counts() {
        assert_eq!(first_too_long(52), Some(0));
        assert_eq!(first_too_long(60), Some(0));
        assert_eq!(first_too_long(51), Some(10));
        assert_eq!(first_too_long(50), Some(100));
        assert_eq!(first_too_long(6), None);
    }
}
