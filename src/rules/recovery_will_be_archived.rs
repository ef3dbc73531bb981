//! `recovery-will-be-archived`: a rule or configuration of the bucket takes recovery files out of immediate reach within the horizon.

use super::{JobContext, Outcomes, Rule, RuleMeta};
use crate::{analysis::lifecycle::Kind, finding::Severity};

static META: RuleMeta = RuleMeta {
    id: "recovery-will-be-archived",
    summary: "a lifecycle rule or an Intelligent-Tiering configuration archives recovery files within the horizon",
    severity: Severity::Error,
};

/// See the module.
pub(super) struct RecoveryWillBeArchived;

impl Rule for RecoveryWillBeArchived {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        job.judge_future(out, Kind::Archived, |_, _| Ok(Some((META.severity, String::new()))));
    }
}
