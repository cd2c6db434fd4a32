//! Changes to JSON that break it in the ways that input is broken.

use super::json::Json;
use super::random::Random;

/// A value of each JSON type, and worse.
pub const STRANGERS: [&str; 19] = [
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1.5",
    "1e999",
    "99999999999999999999999999",
    "-0",
    r#""""#,
    r#""x""#,
    r#""a,b:c=d""#,
    r#""\u0000\n\u2028\"\\""#,
    r#""\ud800""#,
    "[]",
    "[null]",
    r#"["x"]"#,
    "{}",
    r#"{"x":null}"#,
];

/// Changes one place of a value, whichever.
pub fn anywhere(random: &mut Random, json: &mut Json) {
    match json {
        Json::Map(entries) if !entries.is_empty() && !random.once_in(4) => {
            let index = random.below(entries.len());
            match random.below(12) {
                0 => {
                    let double = entries[index].clone();
                    entries.push(double);
                }
                1 => {
                    entries.remove(index);
                }
                2 => entries[index].0.push('x'),
                3 => entries.push(("unknown\u{7f}\n".to_owned(), stranger(random))),
                _ => anywhere(random, &mut entries[index].1),
            }
        }
        Json::List(list) if !list.is_empty() && !random.once_in(4) => {
            let index = random.below(list.len());
            match random.below(8) {
                0 => {
                    let double = list[index].clone();
                    list.push(double);
                }
                1 => {
                    list.remove(index);
                }
                2 => list.push(stranger(random)),
                _ => anywhere(random, &mut list[index]),
            }
        }
        Json::Text(text) if random.once_in(2) => {
            text.push_str(random.pick::<&str>(&["", "-", ",", "x", "\n", "é", " "]))
        }
        other => *other = stranger(random),
    }
}

pub fn stranger(random: &mut Random) -> Json {
    Json::Raw((*random.pick(&STRANGERS)).to_owned())
}

/// Changes a few bytes of a text.
pub fn bytes(random: &mut Random, text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(3) {
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes.truncate(at),
            1 => {
                bytes.remove(at);
            }
            2 => bytes[at] = u8::try_from(random.below(256)).unwrap(),
            _ => bytes.insert(at, *random.pick(b"{}[]\",:\\0nt \xff")),
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}
