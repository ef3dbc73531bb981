//! `recovery-not-declared`: nothing is said about snapshots, so nothing about them was judged.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    evidence::Unknown,
    finding::{Severity, Subject},
    manifest::Platform,
};

static META: RuleMeta = RuleMeta {
    id: "recovery-not-declared",
    summary: "nothing is said about snapshots, so nothing about them was judged",
    severity: Severity::Note,
};

/// See the module.
pub(super) struct RecoveryNotDeclared;

impl Rule for RecoveryNotDeclared {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        out.judge(Subject::new("snapshots", "declaration"), || judge(job));
    }
}

fn judge(job: &JobContext<'_>) -> Judged {
    if !job.analysis.recovery.places.is_empty() {
        return Ok(Verdict::Pass);
    }
    let reason = if job.job.flink.platform == Platform::ManagedFlink {
        "no snapshot location is declared. Amazon Managed Service for Apache Flink keeps snapshots and checkpoints in storage of its own, \
         where storage classes, lifecycle rules and locks of this account do not apply, so nothing in S3 was judged; a snapshot that is \
         exported to a bucket can be declared under `recovery.savepoints`"
    } else if job.job.recovery.is_none() {
        "the manifest has no `recovery` block, so nothing about snapshots was judged"
    } else {
        "the `recovery` block names neither checkpoints nor savepoints, so nothing about snapshots was judged"
    };
    Err(Unknown::new(reason, ""))
}
