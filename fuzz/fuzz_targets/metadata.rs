//! Any bytes give a result or an error. Seed it with the `_metadata` files below `tests/data/flink`.

#![no_main]

#[path = "../exercise.rs"]
mod exercise;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    exercise::exercise(bytes);
});
