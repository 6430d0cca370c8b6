//! `tests/dev/fuzz.sh 600 FOLDER manifest`, or `cargo +nightly fuzz run --fuzz-dir tests/fuzz manifest`.
#![no_main]

#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::manifest(data));
