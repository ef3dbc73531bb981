//! Audits: `audit.yaml` and the manifests that it names.

mod assemble;
mod model;
mod parse;

pub use assemble::assemble;
pub use model::{Audit, ClusterConfig, S3Access, S3Config};
pub(crate) use parse::CLASSES;
pub use parse::{AuditFile, DEFAULT_JOBS, RUNS_CODE, parse};
