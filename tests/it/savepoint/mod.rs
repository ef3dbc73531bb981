//! The reader of Flink's snapshots against snapshots that real Flink wrote.

mod damage;
mod dump;
pub(crate) mod fixtures;
mod source_only;
mod truth;
mod writer;
