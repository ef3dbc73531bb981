//! One test binary: one link step, one harness.

mod harness;
mod purity;
mod rules;
mod scene;
mod shipped;
