//! Which subgroup of its replica a pod is in (L8).

use std::fmt;

use crate::lws;
use crate::marks::{Mark, Marks};
use crate::message::Quoted;
use crate::number::int32;

/// An annotation or label by which the subgroup cannot be told (S5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubgroupError {
    /// A number that is none, or too small.
    Number {
        /// The annotation or label.
        mark: &'static str,
        /// Its value; `None` where it is absent.
        value: Option<String>,
    },
}

impl fmt::Display for SubgroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Number { mark, value } = self;
        match value {
            Some(value) => write!(
                f,
                "\"{mark}\" is {}, but placementUnit SubGroup needs a whole number \
                 there (sizes: 1 or more); correct the LeaderWorkerSet",
                Quoted(value)
            ),
            None => write!(
                f,
                "\"{mark}\" is missing, but placementUnit SubGroup needs it; create the pod through \
                 a LeaderWorkerSet"
            ),
        }
    }
}

/// The index of a worker's subgroup, as LWS v0.10 computes it: `size` pods a replica, `subgroup`
/// pods a subgroup, both at least 1. Where the subgroups share the workers out evenly the leader is
/// one pod more in subgroup 0.
#[must_use]
pub fn index_of_worker(size: i64, subgroup: i64, worker: i64) -> i64 {
    let leader_is_extra = (size - 1) % subgroup == 0 && size % subgroup != 0;
    if leader_is_extra {
        (worker - 1) / subgroup
    } else {
        worker / subgroup
    }
}

/// The subgroup of a pod: `None` where the set has no subgroups or this pod belongs to none.
///
/// `worker` is what its name tells (see [`worker_in_name`]); the label decides where it tells
/// nothing.
///
/// # Errors
/// A size or an index that is no number, or below 1 where that makes no sense.
pub fn of_pod(
    marks: &Marks<'_>,
    is_leader: bool,
    worker: Option<i64>,
) -> Result<Option<i64>, SubgroupError> {
    let Some(subgroup) = marks.get(Mark::SubgroupSize) else {
        return Ok(None);
    };
    let subgroup = at_least(lws::SUBGROUP_SIZE, Some(subgroup), 1)?;
    if is_leader {
        let excluded = marks.get(Mark::SubgroupPolicyType) == Some(lws::LEADER_EXCLUDED);
        return Ok((!excluded).then_some(0));
    }
    let size = at_least(lws::SIZE, marks.get(Mark::Size), 1)?;
    let worker = match worker {
        Some(worker) => worker,
        None => at_least(lws::WORKER_INDEX, marks.get(Mark::WorkerIndex), 0)?,
    };
    Ok(Some(index_of_worker(size, subgroup, worker)))
}

/// The worker's index as its name tells it: what follows `<leader>-` (L2).
#[must_use]
pub fn worker_in_name(name: &str, leader: &str) -> Option<i64> {
    let digits = name.strip_prefix(leader)?.strip_prefix("-")?;
    number(digits).filter(|index| *index >= 0)
}

fn at_least(mark: &'static str, value: Option<&str>, least: i64) -> Result<i64, SubgroupError> {
    value
        .and_then(number)
        .filter(|number| *number >= least)
        .ok_or_else(|| SubgroupError::Number {
            mark,
            value: value.map(str::to_owned),
        })
}

/// A whole number that fits Kubernetes' int32, so that no sum of two overflows.
fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix("-").unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    int32(text).map(i64::from)
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )]
    use super::*;

    /// Size, subgroup size, worker, its subgroup (L8).
    #[test]
    fn l8_index_of_worker() {
        for (size, subgroup, worker, index) in [
            (4, 2, 1, 0),
            (4, 2, 2, 1),
            (5, 2, 2, 0),
            (5, 2, 3, 1),
            (9, 4, 4, 0),
            (9, 4, 5, 1),
            (4, 1, 3, 3),
            (5, 4, 0, 0),
            (
                i64::from(i32::MAX),
                1,
                i64::from(i32::MAX),
                i64::from(i32::MAX),
            ),
        ] {
            let found = index_of_worker(size, subgroup, worker);
            assert_eq!(found, index, "{size} {subgroup} {worker}");
        }
    }

    #[test]
    fn l2_worker_in_name() {
        for (name, index) in [
            ("fruit-0-1", Some(1)),
            ("fruit-0-0", Some(0)),
            ("fruit-0-007", Some(7)),
            ("fruit-0", None),
            ("fruit-0-", None),
            ("fruit-0--1", None),
            ("fruit-0-1-2", None),
            ("fruit-0-x", None),
            ("fruit-0-+1", None),
            ("fruit-0-99999999999", None),
            ("fruit-01", None),
            ("fruit-1-1", None),
        ] {
            assert_eq!(worker_in_name(name, "fruit-0"), index, "{name}");
        }
    }

    fn marks<'a>(
        size: Option<&'a str>,
        subgroup: Option<&'a str>,
        kind: Option<&'a str>,
        worker: Option<&'a str>,
    ) -> Marks<'a> {
        Marks::of(&[
            (Mark::Size, size),
            (Mark::SubgroupSize, subgroup),
            (Mark::SubgroupPolicyType, kind),
            (Mark::WorkerIndex, worker),
        ])
    }

    #[test]
    fn of_pods_that_have_one() {
        let excluded = Some(lws::LEADER_EXCLUDED);
        for (marks, is_leader, worker, index) in [
            (
                marks(Some("4"), None, None, Some("3")),
                false,
                Some(3),
                None,
            ),
            (
                marks(Some("4"), Some("2"), None, None),
                false,
                Some(3),
                Some(1),
            ),
            (
                marks(Some("4"), Some("2"), None, Some("3")),
                false,
                None,
                Some(1),
            ),
            (
                marks(Some("4"), Some("2"), None, Some("1")),
                false,
                Some(3),
                Some(1),
            ),
            (marks(None, Some("2"), None, None), true, None, Some(0)),
            (
                marks(None, Some("2"), Some("LeaderWorker"), None),
                true,
                None,
                Some(0),
            ),
            (marks(None, Some("2"), excluded, None), true, None, None),
            (
                marks(Some("5"), Some("2"), excluded, None),
                false,
                Some(1),
                Some(0),
            ),
        ] {
            assert_eq!(of_pod(&marks, is_leader, worker), Ok(index), "{marks:?}");
        }
    }

    #[test]
    fn of_pods_that_have_none() {
        for (marks, is_leader, worker, mark, value) in [
            (
                marks(Some("4"), Some("0"), None, None),
                true,
                None,
                lws::SUBGROUP_SIZE,
                Some("0"),
            ),
            (
                marks(Some("4"), Some("-1"), None, None),
                false,
                Some(1),
                lws::SUBGROUP_SIZE,
                Some("-1"),
            ),
            (
                marks(Some("4"), Some("x"), None, None),
                false,
                Some(1),
                lws::SUBGROUP_SIZE,
                Some("x"),
            ),
            (
                marks(None, Some("2"), None, None),
                false,
                Some(1),
                lws::SIZE,
                None,
            ),
            (
                marks(Some("0"), Some("2"), None, None),
                false,
                Some(1),
                lws::SIZE,
                Some("0"),
            ),
            (
                marks(Some("4"), Some("2"), None, None),
                false,
                None,
                lws::WORKER_INDEX,
                None,
            ),
            (
                marks(Some("4"), Some("2"), None, Some("-1")),
                false,
                None,
                lws::WORKER_INDEX,
                Some("-1"),
            ),
        ] {
            let value = value.map(str::to_owned);
            let error = SubgroupError::Number { mark, value };
            assert_eq!(of_pod(&marks, is_leader, worker), Err(error), "{marks:?}");
        }
    }

    #[test]
    fn every_error_says_what_to_do() {
        let text = |value: Option<&str>| {
            let mark = lws::SIZE;
            let value = value.map(str::to_owned);
            SubgroupError::Number { mark, value }.to_string()
        };
        assert_eq!(
            text(Some("x")),
            "\"leaderworkerset.sigs.k8s.io/size\" is \"x\", but placementUnit SubGroup needs a whole \
             number there (sizes: 1 or more); correct the LeaderWorkerSet"
        );
        assert_eq!(
            text(None),
            "\"leaderworkerset.sigs.k8s.io/size\" is missing, but placementUnit SubGroup needs it; \
             create the pod through a LeaderWorkerSet"
        );
    }
}
