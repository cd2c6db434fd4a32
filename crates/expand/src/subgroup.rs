//! Subgroups: the policy of a set, and which subgroup a worker is in.

use std::fmt;

use crate::error::Error;
use crate::field::Field;

/// A set's `subGroupPolicy`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SubGroupPolicy {
    pub(crate) size: u64,
    pub(crate) kind: SubGroupPolicyType,
}

/// `subGroupPolicy.type`: whether the leader is in the first subgroup or in none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SubGroupPolicyType {
    LeaderWorker,
    LeaderExcluded,
}

impl fmt::Display for SubGroupPolicyType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::LeaderWorker => "LeaderWorker",
            Self::LeaderExcluded => "LeaderExcluded",
        })
    }
}

impl SubGroupPolicy {
    /// Reads the policy of a set whose groups have `group_size` pods. Fails where LWS refuses the set: then there are
    /// no pods to show.
    pub(crate) fn read(policy: &Field<'_>, group_size: u64) -> Result<Option<Self>, Error> {
        if policy.object()?.is_none() {
            return Ok(None);
        }
        let kind = policy.get("type")?;
        let kind = match kind.text()? {
            None | Some("LeaderWorker") => SubGroupPolicyType::LeaderWorker,
            Some("LeaderExcluded") => SubGroupPolicyType::LeaderExcluded,
            Some(_) => return Err(kind.refused("LeaderWorker or LeaderExcluded")),
        };
        let field = policy.get("subGroupSize")?;
        let size = field.required(Field::number, "the number of pods in a subgroup")?;
        let size = u64::try_from(size)
            .ok()
            .filter(|size| (1..=group_size).contains(size));
        let size =
            size.ok_or_else(|| field.refused(format!("from 1 to the set's size, {group_size}")))?;
        let workers_divide = (group_size - 1).is_multiple_of(size);
        if kind == SubGroupPolicyType::LeaderExcluded && !workers_divide {
            return Err(field.refused(format!(
                "a divisor of {}, the size less the leader",
                group_size - 1
            )));
        }
        if !workers_divide && !group_size.is_multiple_of(size) {
            return Err(field.refused(format!(
                "a divisor of the set's size, {group_size}, or of one less"
            )));
        }
        Ok(Some(Self { size, kind }))
    }
}

/// The subgroup of worker `worker` in a group of `group_size` pods, with subgroups of `size`: Go's signed, truncating
/// arithmetic, as in LWS v0.10.
pub(crate) fn index_of(worker: i64, group_size: i64, size: i64) -> Option<i64> {
    let leader_is_extra =
        (group_size.checked_sub(1)?).checked_rem(size)? == 0 && group_size.checked_rem(size)? != 0;
    let position = if leader_is_extra {
        worker.checked_sub(1)?
    } else {
        worker
    };
    position.checked_div(size)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn indexes(group_size: i64, size: i64) -> Vec<i64> {
        (1..group_size)
            .map(|worker| index_of(worker, group_size, size).unwrap())
            .collect()
    }

    #[test]
    fn an_even_split_counts_the_leader_in_the_first_subgroup() {
        assert_eq!(indexes(4, 2), [0, 1, 1]);
        assert_eq!(indexes(6, 3), [0, 0, 1, 1, 1]);
    }

    #[test]
    fn a_leader_that_is_extra_joins_the_first_subgroup_of_workers() {
        assert_eq!(indexes(5, 2), [0, 0, 1, 1]);
    }

    #[test]
    fn subgroups_of_one_pod_take_the_workers_own_index() {
        // 1 divides both the size and the size less one: the first rule does not apply.
        assert_eq!(indexes(4, 1), [1, 2, 3]);
    }

    #[test]
    fn a_worker_0_is_cut_towards_zero() {
        assert_eq!(index_of(0, 5, 4), Some(0), "(0 - 1) / 4 is 0 in Go");
    }

    #[test]
    fn no_subgroup_has_no_size() {
        assert_eq!(index_of(1, 4, 0), None);
    }
}
