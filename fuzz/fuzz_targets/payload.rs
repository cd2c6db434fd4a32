#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| lws_fuzz::run("payload", data));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    lws_libfuzzer::mutate(data, size, max_size, seed)
});
