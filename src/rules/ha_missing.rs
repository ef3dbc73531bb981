//! `ha-missing`: `last-state` without high availability.

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject},
    manifest::RestoreFrom,
};

static META: RuleMeta = RuleMeta { id: "ha-missing", summary: "`last-state` without high availability", severity: Severity::Error };

/// See the module.
pub(super) struct HaMissing;

impl Rule for HaMissing {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        out.judge(Subject::new("high-availability", "declaration"), || Ok(judge(job)));
    }
}

fn judge(job: &JobContext<'_>) -> Verdict {
    let Some(recovery) = &job.job.recovery else { return Verdict::NotApplicable };
    if recovery.restore.from != RestoreFrom::LastState || recovery.high_availability.is_some() {
        return Verdict::Pass;
    }
    let position = recovery.restore.position.unwrap_or(recovery.position);
    Finding {
        severity: META.severity,
        message: "The job is restarted from its last state (`restore.from: last-state`), and no high availability is declared. After a failure only the \
                  high-availability metadata say which checkpoint was the last one: without them a restart fails, or begins with empty state, where no \
                  TTL helps."
            .to_owned(),
        facts: vec![
            ShownFact::new("restore.from", Amount::Text("last-state".to_owned()), job.origin(position)),
            ShownFact::new("high_availability", Amount::Text("not declared".to_owned()), job.origin(recovery.position)),
        ],
        bites_on: None,
        remedy: vec![
            Remedy::configuration(
                "Switch on high availability, with a place of its own for each job, and declare it as `recovery.high_availability`. Outside Kubernetes \
                 the type is `zookeeper`, with `high-availability.zookeeper.quorum`. Older releases spell the first key `high-availability`, and up to Flink \
                 1.15 they take the class name `org.apache.flink.kubernetes.highavailability.KubernetesHaServicesFactory` for `kubernetes`.",
                "high-availability.type: kubernetes\nhigh-availability.storageDir: s3://<bucket>/ha/<job>/",
            ),
            Remedy::say("Or restart from a savepoint or a retained checkpoint by its path, and say so in `restore.from`."),
        ],
        position,
    }
    .into()
}
