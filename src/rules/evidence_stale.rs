//! The evidence is older than the policy's `evidence_max_age`.

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    evidence::Unknown,
    finding::{Severity, Subject},
};

/// See the module.
pub(super) struct EvidenceStale;

static META: RuleMeta = RuleMeta {
    id: "evidence-stale",
    summary: "The evidence is older than evidence_max_age; only ever unknown.",
    severity: Severity::Error,
};

impl Rule for EvidenceStale {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        out.judge(Subject::new("evidence", "age"), || {
            let captured_at = job.evidence.captured_at;
            let age = job.as_of.at.since(captured_at);
            let most = job.audit.policy.evidence_max_age;
            if age <= most {
                return Ok(Verdict::Pass);
            }
            Err(Unknown::new(
                format!(
                    "stale: the evidence of {} is {age} old at {}, and evidence_max_age is {most}; what it shows may have changed",
                    captured_at.minute(),
                    job.as_of.at.minute()
                ),
                "ttl-audit collect",
            ))
        });
    }
}
