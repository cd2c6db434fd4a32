//! Numbers from a seed (SplitMix64), and choices made with them.

/// A stream of numbers that its seed determines.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        // Seeds that follow one another must not give streams that do.
        let mut random = Self(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        random.next();
        random
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end.max(1)).unwrap()).unwrap()
    }

    /// Whether something happens that happens once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// Some of the items, in any order, none twice.
    pub fn some<T: Clone>(&mut self, from: &[T]) -> Vec<T> {
        let mut kept: Vec<T> = from.iter().filter(|_| self.once_in(2)).cloned().collect();
        for i in (1..kept.len()).rev() {
            kept.swap(i, self.below(i + 1));
        }
        kept
    }
}
