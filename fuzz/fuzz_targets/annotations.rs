#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| lws_fuzz::run("annotations", data));
