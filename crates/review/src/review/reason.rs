//! Messages, cut to what their reader does not know yet.

/// A message without the object that it names first: `pod "a/b": too long` becomes `too long`.
pub(crate) fn after_name(message: &str) -> &str {
    let named = message.split_once(" \"").and_then(|(kind, rest)| {
        let is_kind = !kind.is_empty() && kind.chars().all(char::is_alphanumeric);
        let (_, rest) = rest.split_once('"')?;
        is_kind.then_some(rest)
    });
    let rest = named.unwrap_or(message);
    rest.strip_prefix(':').unwrap_or(rest).trim_start()
}

/// A reader's message without the line and column that it begins with: the place is told beside it.
pub(crate) fn without_position(error: &impl ToString) -> String {
    let text = error.to_string();
    match text.split_once(": ") {
        Some((position, rest)) if position.starts_with("line ") => rest.to_owned(),
        _ => text,
    }
}

/// A message with everything masked that differs from one replica to the next, so that equal faults are equal texts.
pub(super) fn masked(message: &str, leader: &str, value: Option<&str>) -> String {
    let message = after_name(message).replace(leader, "\u{1}");
    match value.filter(|value| !value.is_empty() && *value != leader) {
        Some(value) => message.replace(value, "\u{2}"),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_cut_and_nothing_else() {
        assert_eq!(after_name("pod \"a/b-0\": it is so"), "it is so");
        assert_eq!(after_name("pod \"a/b-0\" has a node"), "has a node");
        assert_eq!(
            after_name("request.object: no map"),
            "request.object: no map"
        );
        assert_eq!(
            after_name("internal server error: policy \"x\""),
            "internal server error: policy \"x\""
        );
    }

    #[test]
    fn a_place_is_cut_where_there_is_one() {
        assert_eq!(
            without_position(&"line 3, column 1: bad: worse"),
            "bad: worse"
        );
        assert_eq!(without_position(&"bad: worse"), "bad: worse");
    }

    #[test]
    fn neighbours_have_the_same_fault() {
        let of = |pod: &str, leader: &str| {
            masked(
                &format!(
                    "pod \"d/{pod}\": key is \"x\", but replica \"{leader}\" needs \"{leader}\""
                ),
                leader,
                None,
            )
        };
        assert_eq!(of("v-0-1", "v-0"), of("v-1", "v-1"));
    }
}
