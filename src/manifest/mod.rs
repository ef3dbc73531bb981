//! Job manifests: what the owners of a job say about it.

mod model;
mod parse;

pub use model::{
    AsOf, At, Checkpoints, ClearedBy, Clearing, DeclaredRetention, DeclaredSource, Delivery, Flink, KafkaSource, Manifest, OnCancel,
    Operator, OperatorId, Platform, Position, Recovery, Reset, Restore, RestoreFrom, RestoreMode, Role, Sink, SinkKind, Source, SourceKind,
    Start, State, StateKind, Topics, TtlUpdate, TtlVisibility, release,
};
pub use parse::parse;
pub(crate) use parse::{length as parse_length, version as parse_version};
