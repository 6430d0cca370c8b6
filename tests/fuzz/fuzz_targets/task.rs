//! `tests/dev/fuzz.sh 600 FOLDER task`, or `cargo +nightly fuzz run --fuzz-dir tests/fuzz task`.
#![no_main]

#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::task(data));
