//! Audits: `audit.yaml` and the manifests that it names.

mod assemble;
mod model;
mod parse;

pub use assemble::assemble;
pub use model::{Audit, ClusterConfig, S3Access, S3Config};
pub use parse::{AuditFile, DEFAULT_JOBS, parse};
