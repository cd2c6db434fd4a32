//! What the fuzz targets share: half of all mutations are libFuzzer's, of bytes; the other half keep JSON what it is.

/// A mutation in place; gives the new length.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    if seed % 2 == 0
        && let Some(json) = lws_fuzz::json(&data[..size], u64::from(seed))
        && (1..=max_size).contains(&json.len())
    {
        data[..json.len()].copy_from_slice(&json);
        return json.len();
    }
    libfuzzer_sys::fuzzer_mutate(data, size, max_size)
}
