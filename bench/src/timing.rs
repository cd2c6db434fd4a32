//! Wall time, side by side.

use crate::error::Error;
use std::time::{Duration, Instant};

/// Rounds that there are in any case.
const LEAST: usize = 11;
/// Rounds that are enough.
const MOST: usize = 1_000;

/// Something whose time is taken: answers one request.
pub type Run<'a> = Box<dyn FnMut() -> Result<Vec<u8>, Error> + 'a>;

/// The median time of each run, and the number of rounds.
///
/// A round runs every one once, each round beginning with another, so that whatever else the machine does hits all
/// alike. There are rounds until `budget` is used up, at least 11 and at most 1,000; one more goes before them uncounted.
///
/// # Errors
/// What a run fails with.
pub fn medians(runs: &mut [Run<'_>], budget: Duration) -> Result<(Vec<Duration>, usize), Error> {
    for run in &mut *runs {
        run()?;
    }
    let mut took = vec![Vec::new(); runs.len()];
    let started = Instant::now();
    let mut rounds = 0;
    while rounds < LEAST || (rounds < MOST && started.elapsed() < budget) {
        let (before, after) = (0..runs.len()).partition::<Vec<_>, _>(|i| *i < rounds % runs.len());
        for index in after.into_iter().chain(before) {
            if let (Some(run), Some(took)) = (runs.get_mut(index), took.get_mut(index)) {
                let start = Instant::now();
                let answer = run()?;
                took.push(start.elapsed());
                // Whoever asked frees the answer, and not on the module's time.
                drop(answer);
            }
        }
        rounds += 1;
    }
    Ok((took.into_iter().map(median).collect(), rounds))
}

/// The middle one, of an even number the later of two; zero of none.
#[must_use]
pub fn median(mut took: Vec<Duration>) -> Duration {
    took.sort_unstable();
    took.get(took.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn rounds_take_turns_in_beginning() {
        let seen = RefCell::new(String::new());
        let run = |name| -> Run<'_> {
            let seen = &seen;
            Box::new(move || {
                seen.borrow_mut().push(name);
                Ok(Vec::new())
            })
        };
        let mut runs = [run('a'), run('b'), run('c')];
        let (medians, rounds) = medians(&mut runs, Duration::ZERO).unwrap();
        assert_eq!((medians.len(), rounds), (3, LEAST));
        assert!(seen.borrow().starts_with("abcabcbcacababc"));
    }

    #[test]
    fn the_median_is_the_middle_one() {
        let of = |millis: &[u64]| {
            median(millis.iter().copied().map(Duration::from_millis).collect()).as_millis()
        };
        assert_eq!((of(&[9, 1, 2]), of(&[4, 1]), of(&[])), (2, 4, 0));
    }
}
