//! Enumerations that are written by name in settings and stamps.

/// A setting that is one of a few names.
pub trait Named: Copy + Default + PartialEq + 'static {
    /// The names of all values, the default's first.
    const NAMES: &'static [&'static str];

    /// The value whose name stands there; the default where none does.
    fn at(index: usize) -> Self;

    /// Where its name stands.
    fn index(self) -> usize;

    /// How settings and stamps write it.
    fn name(self) -> &'static str {
        Self::NAMES.get(self.index()).copied().unwrap_or_default()
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
            const NAMES: &'static [&'static str] = &[stringify!($first), $(stringify!($other)),+];

            fn at(index: usize) -> Self {
                match index {
                    $(other if other == Self::$other as usize => Self::$other,)+
                    _ => Self::$first,
                }
            }

            fn index(self) -> usize {
                self as usize
            }
        }
    };
}
