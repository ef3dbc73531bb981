//! What follows from manifests and evidence, without a word of judgement: pure arithmetic that rules and reports share.

mod bound;
mod retention;

use std::collections::BTreeMap;

pub use bound::{Bound, Sourced};
pub use retention::{CleanupPolicy, TimestampType, Window, windows};

use crate::{
    audit::Audit,
    evidence::{Evidence, Unknown},
    manifest::{AsOf, Manifest},
};

/// What follows for one job, computed once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobAnalysis {
    /// For each source id, the window of each topic that it reads (one entry without a topic for a source that is not Kafka). An error:
    /// it is not known which topics it reads.
    pub windows: BTreeMap<String, Result<Vec<Window>, Unknown>>,
    /// What was assumed, for the report's list; sorted, each once.
    pub assumptions: Vec<String>,
}

impl JobAnalysis {
    /// Computes everything for one job.
    #[must_use]
    pub fn of(audit: &Audit, job: &Manifest, evidence: &Evidence, as_of: AsOf) -> Self {
        let _ = as_of;
        let windows = windows(audit, job, evidence);
        Self { windows, assumptions: Vec::new() }
    }
}
