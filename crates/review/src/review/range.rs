//! Pods' names, neighbours together: `vllm-0`, `vllm-0-1..3`.

/// The names of a replica's pods with these indexes, ascending; index 0 is the leader.
pub(super) fn names(leader: &str, leader_shown: &str, members: &[u64]) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = members.iter().copied().peekable();
    while let Some(first) = rest.next() {
        if first == 0 {
            names.push(leader_shown.to_owned());
            continue;
        }
        let mut last = first;
        while let Some(next) = rest.next_if(|next| *next == last + 1) {
            last = next;
        }
        names.push(if first == last {
            format!("{leader}-{first}")
        } else {
            format!("{leader}-{first}..{last}")
        });
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_stand_together() {
        assert_eq!(names("v-0", "v-0", &[0, 1, 2, 3]), ["v-0", "v-0-1..3"]);
        assert_eq!(
            names("v-0", "v-0", &[1, 3, 4, 9]),
            ["v-0-1", "v-0-3..4", "v-0-9"]
        );
        assert_eq!(names("v-abc", "v-*", &[0, 1]), ["v-*", "v-abc-1"]);
        assert!(names("v-0", "v-0", &[]).is_empty());
    }
}
