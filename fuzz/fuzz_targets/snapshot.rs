//! Any bytes give a result or an error. `cargo run --example fuzz-snapshot -- --write-seeds FOLDER` writes what to start from.

#![no_main]

#[path = "../exercise.rs"]
mod exercise;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    exercise::exercise(bytes);
});
