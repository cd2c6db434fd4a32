//! Names, each kept once: a dump repeats its sets, nodes and values a hundred thousand times.

use std::collections::HashMap;
use std::sync::Arc;

/// A name that is kept in [`Names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Name(u32);

/// All names so far.
#[derive(Debug, Default)]
pub(super) struct Names {
    known: HashMap<Arc<str>, Name>,
    texts: Vec<Arc<str>>,
}

impl Names {
    /// The name for a text, the same one for the same text. Control characters, which no name has and a terminal would
    /// obey, are replaced.
    pub(super) fn keep(&mut self, text: &str) -> Name {
        if text.contains(char::is_control) {
            return self.keep(&text.replace(char::is_control, "\u{fffd}"));
        }
        if let Some(name) = self.known.get(text) {
            return *name;
        }
        // Four thousand million names would not fit into memory.
        let name = Name(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.known.insert(text, name);
        name
    }

    /// A name's text.
    pub(super) fn text(&self, name: Name) -> &str {
        usize::try_from(name.0)
            .ok()
            .and_then(|index| self.texts.get(index))
            .map_or("", |text| text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_one_name() {
        let mut names = Names::default();
        let (a, b) = (names.keep("a"), names.keep("b"));
        assert_eq!(names.keep("a"), a);
        assert_ne!(a, b);
        assert_eq!((names.text(a), names.text(b)), ("a", "b"));
        let name = names.keep("n\n::error::\u{1b}[2J");
        assert_eq!(names.text(name), "n\u{fffd}::error::\u{fffd}[2J");
    }
}
