//! Where a string's plain text ends. Most of a pod is in its strings, so this is where most instructions go: many bytes
//! are looked at together.

#[cfg(target_family = "wasm")]
use super::simd::{WIDTH, first_special};

/// Where the plain text ends that begins at `at`: at a quote, a backslash or a control character, or where `bytes` end.
///
/// In WebAssembly a caller must have the feature `simd128` itself, or each of the few instructions becomes a call.
#[inline(always)]
pub(super) fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..at + WIDTH).and_then(<[u8]>::first_chunk) {
        if let Some(found) = first_special(chunk) {
            return at + found;
        }
        at += WIDTH;
    }
    while bytes.get(at).is_some_and(|byte| !is_special(*byte)) {
        at += 1;
    }
    at
}

fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..b' ')
}

#[cfg(not(target_family = "wasm"))]
const WIDTH: usize = 8;

/// The index of the first special byte.
#[cfg(not(target_family = "wasm"))]
fn first_special(chunk: &[u8; WIDTH]) -> Option<usize> {
    const fn each(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }
    let word = u64::from_le_bytes(*chunk);
    // The highest bit of each special byte; of the first for certain, behind it a byte may be marked by a borrow. Flipped
    // in its second bit, a quote is 0x20, and beside it only control characters are below 0x21.
    let quotes_and_controls = (word ^ each(0x02)).wrapping_sub(each(0x21));
    let backslashes = (word ^ each(b'\\')).wrapping_sub(each(0x01));
    let found = (quotes_and_controls | backslashes) & !word & each(0x80);
    (found != 0).then(|| (found.trailing_zeros() / 8) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_special_byte_at_every_place() {
        for byte in 0..=u8::MAX {
            for length in 0..40 {
                let mut bytes = vec![b'x'; length];
                bytes.push(byte);
                bytes.extend(b"x\"\\\n\x7f\xc3\xbf!#[]y".repeat(2));
                let expected = if is_special(byte) { length } else { length + 2 };
                assert_eq!(plain_end(&bytes, 0), expected, "{byte} {length}");
                assert_eq!(plain_end(&bytes, length), expected, "{byte} {length}");
            }
        }
        for length in 0..40 {
            assert_eq!(plain_end(&b"\xff".repeat(length), 0), length);
        }
    }
}
