//! The figures in a page of the documentation.

use crate::error::Error;
use std::path::Path;

/// Stands before the figures.
pub const BEGIN: &str = "<!-- figures: begin, written by make bench-page -->";
/// Stands behind them.
pub const END: &str = "<!-- figures: end -->";

/// Puts `figures` between the markers of the page at `path`.
///
/// # Errors
/// The page cannot be read or written, or has no markers.
pub fn rewrite(path: &Path, figures: &str) -> Result<(), Error> {
    let name = || path.display().to_string();
    let fault = |source| Error::File {
        path: name(),
        source,
    };
    let page = std::fs::read_to_string(path).map_err(fault)?;
    let new = replaced(&page, figures).ok_or_else(|| Error::NoMarkers { path: name() })?;
    std::fs::write(path, new).map_err(fault)
}

/// The page with other figures; `None` where it has no markers.
fn replaced(page: &str, figures: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!(
        "{before}{BEGIN}\n\n{}\n\n{END}{after}",
        figures.trim()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_replaced_and_nothing_else() {
        let page = format!("# Page\n\n{BEGIN}\nold\n{END}\n\nmore\n");
        let wanted = format!("# Page\n\n{BEGIN}\n\nnew\n\n{END}\n\nmore\n");
        assert_eq!(replaced(&page, "new\n").as_deref(), Some(wanted.as_str()));
        assert_eq!(replaced(&wanted, "new"), Some(wanted.clone()));
        assert_eq!(replaced("# Page", "new"), None);
    }
}
