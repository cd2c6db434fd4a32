//! The links between the repository's Markdown files lead somewhere. Addresses of other sites are not fetched.
#![allow(clippy::unwrap_used, reason = "a failed set-up fails the test")]

mod markdown;

use std::path::Path;

/// What is wrong with a link of this file, if anything.
fn fault(file: &Path, text: &str, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() {
        file.to_owned()
    } else {
        file.parent().unwrap().join(path)
    };
    if !target.exists() {
        return Some(format!("{link}: there is no such file"));
    }
    if fragment.is_empty() {
        return None;
    }
    let text = if path.is_empty() {
        text.to_owned()
    } else if target.is_file() {
        std::fs::read_to_string(&target).unwrap()
    } else {
        return Some(format!("{link}: a folder has no headings"));
    };
    let anchors = markdown::anchors(&text);
    (!anchors.contains(fragment)).then(|| format!("{link}: the page has only {anchors:?}"))
}

#[test]
fn links_lead_somewhere() {
    let root = markdown::root();
    let mut followed = 0;
    let mut faults = Vec::new();
    for file in markdown::all() {
        let text = std::fs::read_to_string(&file).unwrap();
        let shown = file.strip_prefix(&root).unwrap().display().to_string();
        for (line, link) in markdown::links(&text) {
            followed += 1;
            faults
                .extend(fault(&file, &text, &link).map(|fault| format!("{shown}:{line}: {fault}")));
        }
    }
    assert!(followed > 100, "only {followed} links were found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_index_leads_to_every_page() {
    let folder = markdown::root().join("docs");
    let index = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let listed: Vec<_> = markdown::links(&index)
        .into_iter()
        .filter_map(|(_, link)| folder.join(link).canonicalize().ok())
        .collect();
    let missing: Vec<_> = markdown::pages()
        .into_iter()
        .filter(|page| !listed.contains(page) && *page != folder.join("README.md"))
        .collect();
    assert!(missing.is_empty(), "docs/README.md leaves out {missing:?}");
}
