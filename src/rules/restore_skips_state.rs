//! `restore-skips-state`: the declared way of restarting ignores state.

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject},
    manifest::{RestoreFrom, Role},
};

static META: RuleMeta =
    RuleMeta { id: "restore-skips-state", summary: "the declared way of restarting ignores state", severity: Severity::Error };

/// See the module.
pub(super) struct RestoreSkipsState;

impl Rule for RestoreSkipsState {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        out.judge(Subject::new("restore", "declaration"), || Ok(judge(job)));
    }
}

fn judge(job: &JobContext<'_>) -> Verdict {
    let Some(recovery) = &job.job.recovery else { return Verdict::NotApplicable };
    if recovery.restore.from != RestoreFrom::None || job.job.operators.is_empty() {
        return Verdict::Pass;
    }
    let position = recovery.restore.position.unwrap_or(recovery.position);
    let operators: Vec<&str> = job.job.operators.iter().map(|operator| operator.id.value.text()).collect();
    let all_caches = job.job.operators.iter().all(|operator| operator.role == Some(Role::Cache));
    Finding {
        severity: if all_caches { Severity::Note } else { META.severity },
        message: format!(
            "The job is restarted from nothing (`restore.from: none`, `upgradeMode: stateless` of the Kubernetes operator), although it declares \
             state in {}. Every restart begins with empty state; no TTL helps there, however long, and no snapshot is used, however many there are.",
            operators.join(", ")
        ),
        facts: vec![
            ShownFact::new("restore.from", Amount::Text("none".to_owned()), job.origin(position)),
            ShownFact::new("operators with state", Amount::Count(crate::analysis::snapshots::count(&operators)), job.job.file.clone()),
        ],
        bites_on: None,
        remedy: vec![Remedy::say(
            "Restart from a snapshot: `upgradeMode: savepoint` or `last-state` (with high availability) of the operator, `-s` of the command \
             line, `execution.state-recovery.path` (`execution.savepoint.path` up to Flink 1.19), `RESTORE_FROM_LATEST_SNAPSHOT` \
             of the managed service; and say so in `restore.from`.",
        )],
        position,
    }
    .into()
}
