#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabuleiro_fuzz::checks::checkers_capture::check(data));
