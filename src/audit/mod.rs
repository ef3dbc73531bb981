//! Audits: `audit.yaml` and the manifests that it names.

mod model;

pub use model::{Audit, ClusterConfig, S3Access, S3Config};
