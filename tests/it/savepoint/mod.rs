//! The reader of Flink's snapshots against snapshots that real Flink wrote.
#![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]

mod command;
mod damage;
mod dump;
pub(crate) mod fixtures;
mod fuzz;
mod hostile;
mod source_only;
mod truth;
mod walk;
mod writer;
