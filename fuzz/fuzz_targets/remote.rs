#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabuleiro_fuzz::checks::remote::check(data));
