//! `tests/dev/fuzz.sh 600 FOLDER property`, or `cargo +nightly fuzz run --fuzz-dir tests/fuzz property`.
#![no_main]

#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::property(data));
