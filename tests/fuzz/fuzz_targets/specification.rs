//! `tests/dev/fuzz.sh 600 FOLDER specification`, or `cargo +nightly fuzz run --fuzz-dir tests/fuzz specification`.
#![no_main]

#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::specification(data));
