//! `tests/dev/fuzz.sh 600 FOLDER witness`, or `cargo +nightly fuzz run --fuzz-dir tests/fuzz witness`.
#![no_main]

#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::witness(data));
