//! Recognises Go templates (`{{ … }}`) in a text that should be YAML or JSON.

use std::collections::VecDeque;

use crate::position::Position;

/// Whether braces open a template, by what stands before them: `${{ … }}` is an expression of GitHub's workflows.
pub(crate) fn may_follow(before: Option<char>) -> bool {
    before != Some('$')
}

/// Watches characters go by and notes every `{{` outside of comments and quotes. It looks at single
/// lines, so it may note braces inside a string of several lines; the parser, which knows strings,
/// takes those back with [`Templates::forget`].
#[derive(Debug, Default)]
pub(crate) struct Templates {
    found: VecDeque<Position>,
    brace: Option<Position>,
    quote: Option<char>,
    escaped: bool,
    comment: bool,
    before: Option<char>,
    /// Where `---` begins a line: what follows belongs to another document.
    separators: VecDeque<usize>,
    /// The dashes with which the line begins, as long as there is nothing else in it.
    dashes: Option<u8>,
}

impl Templates {
    /// Takes the next character and its place.
    pub(crate) fn see(&mut self, c: char, at: Position) {
        if c == '\n' || c == '\r' {
            self.brace = None;
            self.quote = None;
            self.escaped = false;
            self.comment = false;
            self.before = None;
            self.dashes = None;
            return;
        }
        self.see_separator(c, at);
        let before = self.before.replace(c);
        if self.comment {
            return;
        }
        if let Some(quote) = self.quote {
            if self.escaped {
                self.escaped = false;
            } else if quote == '"' && c == '\\' {
                self.escaped = true;
            } else if c == quote {
                self.quote = None;
            }
            return;
        }
        let starts = before.is_none_or(|b| matches!(b, ' ' | '\t' | '[' | '{' | ',' | ':'));
        match c {
            '#' if before.is_none_or(|b| matches!(b, ' ' | '\t')) => self.comment = true,
            '"' | '\'' if starts => self.quote = Some(c),
            '{' => {
                if let Some(first) = self.brace.take() {
                    self.found.push_back(first);
                } else if may_follow(before) {
                    self.brace = Some(at);
                }
                return;
            }
            _ => {}
        }
        self.brace = None;
    }

    fn see_separator(&mut self, c: char, at: Position) {
        let before = if at.column == 1 { Some(0) } else { self.dashes };
        self.dashes = before
            .filter(|_| c == '-')
            .map(|count| count.saturating_add(1));
        if self.dashes == Some(3) {
            self.separators.push_back(at.offset);
        }
    }

    /// Drops what was noted before an offset.
    pub(crate) fn forget(&mut self, before: usize) {
        while self.found.front().is_some_and(|at| at.offset < before) {
            self.found.pop_front();
        }
        while self.separators.front().is_some_and(|at| *at < before) {
            self.separators.pop_front();
        }
    }

    /// The first that is left and that stands in the document in which `from` does.
    pub(crate) fn first(&self, from: usize) -> Option<Position> {
        let next = self.separators.iter().find(|at| **at > from);
        self.found
            .front()
            .copied()
            .filter(|at| next.is_none_or(|next| at.offset < *next))
    }
}
