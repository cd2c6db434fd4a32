//! Which replicas and workers are judged.
//!
//! All of them, as long as a set has no more than 10,000 pods. Beyond that, those where something can change: the first,
//! the last, and both sides of every step to another number of digits, since names, and with them values, get longer
//! there.

/// Most pods of a set that are judged one by one.
pub(super) const WHOLE: u64 = 10_000;

/// The replicas and the pods of each that are judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sample {
    /// Indexes of replicas, ascending.
    pub(super) replicas: Vec<u64>,
    /// Indexes of pods in a replica, ascending; 0 is the leader.
    pub(super) members: Vec<u64>,
}

impl Sample {
    /// The sample of a set.
    pub(super) fn of(replicas: u64, size: u64) -> Self {
        if replicas.saturating_mul(size) <= WHOLE {
            return Self {
                replicas: (0..replicas).collect(),
                members: (0..size).collect(),
            };
        }
        let replicas = marks(replicas);
        let judged = u64::try_from(replicas.len()).unwrap_or(u64::MAX);
        let members = if judged.saturating_mul(size) <= WHOLE {
            (0..size).collect()
        } else {
            marks(size)
        };
        Self { replicas, members }
    }

    /// Every pod of the sample, replica by replica.
    pub(super) fn pods(&self) -> Vec<(u64, u64)> {
        let pods = self
            .replicas
            .iter()
            .flat_map(|replica| self.members.iter().map(|member| (*replica, *member)));
        pods.collect()
    }
}

/// The first, the second (which in a replica is the first worker), the last, and the numbers around powers of ten.
pub(super) fn marks(count: u64) -> Vec<u64> {
    let powers = std::iter::successors(Some(10_u64), |power| power.checked_mul(10));
    let boundaries = powers
        .take_while(|power| *power < count)
        .flat_map(|power| [power - 1, power]);
    let mut marks: Vec<u64> = [0, 1]
        .into_iter()
        .chain(boundaries)
        .chain([count.saturating_sub(1)])
        .collect();
    marks.retain(|mark| *mark < count);
    marks.sort_unstable();
    marks.dedup();
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_thousand_pods_are_judged_one_by_one() {
        let sample = Sample::of(2_500, 4);
        assert_eq!(sample.pods().len(), 10_000);
    }

    #[test]
    fn one_more_and_the_boundaries_stand_for_all() {
        let sample = Sample::of(10_001, 1);
        assert_eq!(
            sample.replicas,
            [0, 1, 9, 10, 99, 100, 999, 1_000, 9_999, 10_000]
        );
        assert_eq!(sample.members, [0]);
    }

    #[test]
    fn a_million_replicas_and_a_million_workers_are_bounded() {
        assert_eq!(Sample::of(1_000_000, 8).pods().len(), 13 * 8);
        let big = Sample::of(2, 1_000_000);
        assert_eq!(big.replicas, [0, 1]);
        assert_eq!(big.members.last(), Some(&999_999));
        assert!(Sample::of(u64::MAX, u64::MAX).pods().len() < 2_000);
    }

    #[test]
    fn no_replicas_are_no_pods() {
        assert!(Sample::of(0, 4).pods().is_empty());
        assert!(marks(0).is_empty());
        assert_eq!(marks(1), [0]);
    }
}
