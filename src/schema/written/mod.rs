//! Manifests and audit files as they are written. Nothing is read into these types: they say what an editor is told.

mod audit;
mod job;
mod recovery;

pub use super::scalars::{Address, Count, From, Hash, Length, Moment, Place, Property, Retention, Text, Topic, TtlLength, Version};
pub use audit::{AuditFile, Bucket, ByClass, ByRule, Clusters, Policy, S3, Waiver};
pub use job::{Flink, Manifest, Operator, Sink, Source, SourceKind, State};
pub use recovery::{Checkpoints, Recovery, Restore};
