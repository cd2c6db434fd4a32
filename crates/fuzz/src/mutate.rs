//! Mutations: of JSON that stays JSON, and of bytes.

use crate::generate::json::Json;
use crate::generate::mutate;
use crate::generate::random::Random;
use crate::payload::well_formed;
use crate::words::{TEXTS, WORDS};

/// JSON that differs from `data` in a few places, or `None` where `data` is no JSON. One seed makes one mutation.
#[must_use]
pub fn json(data: &[u8], seed: u64) -> Option<Vec<u8>> {
    let mut json = Json::read(well_formed(data)?)?;
    let mut random = Random::new(seed);
    for _ in 0..1 + random.below(3) {
        match random.below(3) {
            0 => mutate::anywhere(&mut random, &mut json),
            _ => knowing(&mut random, &mut json),
        }
    }
    Some(json.spelt(&mut random).into_bytes())
}

/// A mutation of any text: as JSON where it is some, in its bytes otherwise, and sometimes all the same.
#[must_use]
pub fn any_bytes(data: &[u8], seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    if !random.once_in(3)
        && let Some(json) = json(data, random.next())
    {
        return json;
    }
    let text = String::from_utf8_lossy(data);
    if text.is_empty() {
        return vec![u8::try_from(random.below(256)).unwrap_or_default()];
    }
    mutate::bytes(&mut random, &text)
}

/// Changes one place to something that the policy knows: a word for a word, a member that it reads.
fn knowing(random: &mut Random, json: &mut Json) {
    match json {
        Json::Map(entries) => {
            if entries.is_empty() || random.once_in(8) {
                let name = (*random.pick(&WORDS)).to_owned();
                let index = random.below(entries.len() + 1);
                entries.insert(index, (name, piece(random)));
                return;
            }
            let index = random.below(entries.len());
            match random.below(12) {
                0 => entries[index].0 = (*random.pick(&WORDS)).to_owned(),
                1 => {
                    let other = random.below(entries.len());
                    entries[index].1 = entries[other].1.clone();
                }
                2 => {
                    entries.remove(index);
                }
                _ => knowing(random, &mut entries[index].1),
            }
        }
        Json::List(list) => {
            if list.is_empty() || random.once_in(8) {
                let index = random.below(list.len() + 1);
                list.insert(index, piece(random));
                return;
            }
            let index = random.below(list.len());
            knowing(random, &mut list[index]);
        }
        other => *other = piece(random),
    }
}

fn piece(random: &mut Random) -> Json {
    match random.below(6) {
        0 => mutate::stranger(random),
        1 => Json::Text((*random.pick(&WORDS)).to_owned()),
        2 => Json::Map(vec![(
            (*random.pick(&WORDS)).to_owned(),
            Json::Text((*random.pick(&TEXTS)).to_owned()),
        )]),
        3 => Json::List(vec![Json::Text((*random.pick(&TEXTS)).to_owned())]),
        _ => Json::Text((*random.pick(&TEXTS)).to_owned()),
    }
}
