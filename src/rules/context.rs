//! What a rule may look at.

use crate::{
    analysis::JobAnalysis,
    audit::Audit,
    evidence::Evidence,
    manifest::{AsOf, Manifest, Position},
};

/// One job of one audit, with everything that is known about it.
#[derive(Clone, Copy, Debug)]
pub struct JobContext<'a> {
    /// The whole audit: its policy, and the other jobs.
    pub audit: &'a Audit,
    /// The job.
    pub job: &'a Manifest,
    /// What was seen.
    pub evidence: &'a Evidence,
    /// The instant that is judged.
    pub as_of: AsOf,
    /// What follows from manifest and evidence, computed once.
    pub analysis: &'a JobAnalysis,
}

impl JobContext<'_> {
    /// `jobs/a.yaml:12`, as the origin of a fact.
    #[must_use]
    pub fn origin(&self, position: Position) -> String {
        format!("{}:{}", self.job.file, position.line)
    }
}
