//! Work that is shared out to all cores, where there are threads.

/// `work` on each of `items`, on all cores; the order stays.
#[cfg(feature = "host")]
pub(crate) fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    use rayon::prelude::*;
    items.into_par_iter().map(work).collect()
}

/// `work` on each of `items`, one after another.
#[cfg(not(feature = "host"))]
pub(crate) fn map<T, R>(items: Vec<T>, work: impl Fn(T) -> R) -> Vec<R> {
    items.into_iter().map(work).collect()
}
