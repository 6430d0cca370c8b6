//! `tests/dev/fuzz.sh 600 FOLDER frontend`, or `cargo +nightly fuzz run --fuzz-dir tests/fuzz frontend`.
#![no_main]

#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::frontend(data));
