//! How far a long judgement is, for whoever waits at a terminal.

#[cfg(feature = "host")]
mod bar;
#[cfg(feature = "host")]
pub(crate) use bar::Progress;

#[cfg(not(feature = "host"))]
mod silent;
#[cfg(not(feature = "host"))]
pub(crate) use silent::Progress;
