#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabuleiro_fuzz::checks::wire::check(data));
