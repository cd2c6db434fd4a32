//! Label keys and values.

/// Whether the API server takes a text as a label key, and so as a taint's.
pub fn is_key(text: &str) -> bool {
    let parts: Vec<&str> = text.split('/').collect();
    match parts.as_slice() {
        [name] => is_name(name),
        [prefix, name] => is_subdomain(prefix) && is_name(name),
        _ => false,
    }
}

/// Whether the API server takes a text as a label value.
pub fn is_value(text: &str) -> bool {
    text.is_empty() || is_name(text)
}

/// Whether GKE makes a node pool of this name.
pub fn is_node_pool(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    text.len() <= 40
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && !text.ends_with('-')
        && text.chars().all(inner)
}

fn is_name(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    (1..=63).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.ends_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(inner)
}

fn is_subdomain(text: &str) -> bool {
    let edge = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    (1..=253).contains(&text.len())
        && text.split('.').all(|label| {
            label.starts_with(edge)
                && label.ends_with(edge)
                && label.chars().all(|c| edge(c) || c == '-')
        })
}
