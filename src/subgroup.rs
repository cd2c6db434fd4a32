//! Which subgroup of its replica a pod is in (L8).

use std::fmt;

use crate::lws;
use crate::message::Quoted;
use crate::pod::Marks;

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
    let Some(subgroup) = marks.subgroup_size.as_deref() else {
        return Ok(None);
    };
    let subgroup = at_least(lws::SUBGROUP_SIZE, Some(subgroup), 1)?;
    if is_leader {
        let excluded = marks.subgroup_policy_type.as_deref() == Some(lws::LEADER_EXCLUDED);
        return Ok((!excluded).then_some(0));
    }
    let size = at_least(lws::SIZE, marks.size.as_deref(), 1)?;
    let worker = match worker {
        Some(worker) => worker,
        None => at_least(lws::WORKER_INDEX, marks.worker_index.as_deref(), 0)?,
    };
    Ok(Some(index_of_worker(size, subgroup, worker)))
}

/// The worker's index as its name tells it: what follows `<leader>-` (L2).
#[must_use]
pub fn worker_in_name(name: &str, leader: &str) -> Option<i64> {
    let digits = name.strip_prefix(leader)?.strip_prefix('-')?;
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
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse::<i32>().ok().map(i64::from)
}
