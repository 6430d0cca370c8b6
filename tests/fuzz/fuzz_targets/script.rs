//! `tests/dev/fuzz.sh 600 FOLDER script`, or `cargo +nightly fuzz run --fuzz-dir tests/fuzz script`.
#![no_main]

#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::script(data));
