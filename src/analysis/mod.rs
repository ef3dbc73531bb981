//! What follows from manifests and evidence, without a word of judgement: pure arithmetic that rules and reports share.

mod bound;
mod retention;
pub mod snapshots;

use std::collections::BTreeMap;

pub use bound::{Bound, Sourced};
pub use retention::{CleanupPolicy, TimestampType, Window, windows};
use snapshots::RecoveryView;

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
    /// Its snapshots. Empty where the manifest has no `recovery` block.
    pub recovery: RecoveryView,
    /// What was assumed, for the report's list; sorted, each once.
    pub assumptions: Vec<String>,
}

impl JobAnalysis {
    /// Computes everything for one job.
    #[must_use]
    pub fn of(audit: &Audit, job: &Manifest, evidence: &Evidence, as_of: AsOf) -> Self {
        let windows = windows(audit, job, evidence);
        let recovery = RecoveryView::of(job, evidence, as_of.at);
        Self { windows, recovery, assumptions: Vec::new() }
    }
}
