//! The taints that a replica's pods are asked to tolerate.

use crate::key::ReplicaKey;
use crate::message::{Listed, Quoted};

/// What a taint does to pods that do not tolerate it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Not scheduled there.
    NoSchedule,
    /// Scheduled there only if nothing else is free.
    PreferNoSchedule,
    /// Evicted from there too.
    NoExecute,
}

impl Effect {
    /// All effects.
    pub const ALL: [Self; 3] = [Self::NoSchedule, Self::PreferNoSchedule, Self::NoExecute];

    /// Their names.
    pub const NAMES: [&'static str; 3] = [
        Self::NoSchedule.name(),
        Self::PreferNoSchedule.name(),
        Self::NoExecute.name(),
    ];

    /// The effect with this name, spelt exactly.
    ///
    /// # Errors
    /// A sentence that tells the word and the effects.
    pub(crate) fn read(word: &str) -> Result<Self, String> {
        let mut all = Self::ALL.into_iter();
        all.find(|effect| effect.name() == word).ok_or_else(|| {
            format!(
                "effect {} is unknown; use one of {}, or leave it out for all",
                Quoted(word),
                Listed(Self::NAMES.iter())
            )
        })
    }

    /// How Kubernetes writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoSchedule => "NoSchedule",
            Self::PreferNoSchedule => "PreferNoSchedule",
            Self::NoExecute => "NoExecute",
        }
    }
}

/// A taint whose value is the replica's: key and effect. Without an effect, all effects (K2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicaTaint {
    /// The taint's key.
    pub key: ReplicaKey,
    /// The taint's effect; `None` stands for all.
    pub effect: Option<Effect>,
}
