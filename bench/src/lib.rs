//! What the policy module weighs and what its answers cost.
//!
//! Two measures stand side by side. *Fuel* is about one unit an instruction of the module, the same on every machine
//! and in every run, so a checked-in file can hold it ([`accepted`]). *Time* is what people wait for and differs from
//! run to run, so it is compared within one run only ([`timing`]).
//!
//! [`case`] are the requests, [`contender`] the modules that answer them, [`figures`] what comes of it, [`bars`] what
//! the figures are held to, [`markdown`] how they are shown.

pub mod accepted;
pub mod bars;
pub mod case;
pub mod contender;
pub mod environment;
pub mod error;
pub mod figures;
pub mod markdown;
pub mod object;
pub mod page;
pub mod timing;
