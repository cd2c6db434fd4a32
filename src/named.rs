//! Enumerations that are written by name in settings and stamps.

/// A setting that is one of a few names.
pub trait Named: Copy + Default + PartialEq + 'static {
    /// All values with their names, the default first.
    const ALL: &'static [(&'static str, Self)];

    /// The value with this name, spelt exactly.
    fn parse(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| *value)
    }

    /// How settings and stamps write it.
    fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(_, value)| *value == self)
            .map_or("", |(name, _)| name)
    }
}

/// Declares an enumeration and its [`Named`] table; the first variant is the default.
#[macro_export]
macro_rules! named {
    ($(#[$meta:meta])* $name:ident { $(#[$first_meta:meta])* $first:ident, $($(#[$other_meta:meta])* $other:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name {
            $(#[$first_meta])* #[default] $first,
            $($(#[$other_meta])* $other),+
        }
        impl $crate::named::Named for $name {
            const ALL: &'static [(&'static str, Self)] = &[
                (stringify!($first), Self::$first),
                $((stringify!($other), Self::$other)),+
            ];
        }
    };
}
