//! What an answer changed, byte for byte: I5 for pods, S9 for sets.

use super::raw;

const STAMP: &str = "lws-replica-placement/placement";

/// Checks that `new` is `old` with entries added to node selector and tolerations, and gives these.
pub fn additions(old: &str, new: &str) -> [Vec<String>; 2] {
    let mut added = [Vec::new(), Vec::new()];
    let (old_pieces, new_pieces) = (raw::pieces(old), raw::pieces(new));
    assert_eq!(old_pieces.len(), new_pieces.len());
    for (old, new) in old_pieces.iter().zip(&new_pieces) {
        assert_eq!(old.name, new.name);
        if old.meant() != "spec" {
            assert_eq!(old.value, new.value, "outside the spec");
            continue;
        }
        let mut olds = raw::pieces(old.value).into_iter().peekable();
        for piece in raw::pieces(new.value) {
            let meant = piece.meant();
            let before = olds.peek().filter(|old| old.name == piece.name).cloned();
            if before.is_some() {
                olds.next();
            }
            let index = match &*meant {
                "nodeSelector" => 0,
                "tolerations" => 1,
                _ => {
                    assert_eq!(
                        before.as_ref().map(|old| old.value),
                        Some(piece.value),
                        "{meant}"
                    );
                    continue;
                }
            };
            let kept = before.map_or("", |old| old.value);
            let mut entries = raw::pieces(piece.value);
            let more = entries.split_off(raw::pieces(kept).len());
            assert_eq!(
                raw::pieces(kept),
                entries,
                "what is there keeps bytes and order"
            );
            added[index].extend(
                more.iter()
                    .map(|more| format!("{}{}", more.name, more.value)),
            );
        }
        assert_eq!(olds.next(), None, "a field of the spec is lost");
    }
    added
}

/// Checks that `new` is `old` but for the stamps of its templates, and the maps that they need to stand in.
pub fn stamps_alone(old: &str, new: &str) {
    compare("", old, new);
}

fn compare(path: &str, old: &str, new: &str) {
    if old == new {
        return;
    }
    let leads = |path: &str| {
        ["leaderTemplate", "workerTemplate"].iter().any(|template| {
            let full =
                format!("/spec/leaderWorkerTemplate/{template}/metadata/annotations/{STAMP}");
            full.starts_with(&format!("{path}/"))
        })
    };
    assert!(leads(path) || path.is_empty(), "{path}: {old} became {new}");
    let mut olds = raw::pieces(old).into_iter().peekable();
    for piece in raw::pieces(new) {
        let below = format!("{path}/{}", piece.meant());
        let is_stamp = piece.meant() == STAMP;
        while !is_stamp && olds.next_if(|old| old.meant() == STAMP).is_some() {}
        match olds.next_if(|old| old.name == piece.name) {
            Some(_) if is_stamp => {}
            Some(old) => compare(&below, old.value, piece.value),
            None => assert!(is_stamp || leads(&below), "{below} is new: {}", piece.value),
        }
    }
    let left: Vec<_> = olds.filter(|old| old.meant() != STAMP).collect();
    assert!(left.is_empty(), "{path}: {left:?} lost or moved");
}
