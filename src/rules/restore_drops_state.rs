//! `restore-drops-state`: non-restored state is allowed.

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject},
    manifest::RestoreFrom,
};

static META: RuleMeta = RuleMeta { id: "restore-drops-state", summary: "non-restored state is allowed", severity: Severity::Warning };

/// See the module.
pub(super) struct RestoreDropsState;

impl Rule for RestoreDropsState {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        out.judge(Subject::new("restore", "declaration"), || Ok(judge(job)));
    }
}

fn judge(job: &JobContext<'_>) -> Verdict {
    let Some(recovery) = &job.job.recovery else { return Verdict::NotApplicable };
    if recovery.restore.from == RestoreFrom::None {
        return Verdict::NotApplicable;
    }
    if !recovery.restore.allow_non_restored_state {
        return Verdict::Pass;
    }
    let position = recovery.restore.position.unwrap_or(recovery.position);
    Finding {
        severity: META.severity,
        message: "The job is restarted with non-restored state allowed. State in the snapshot that no operator of the job claims is then dropped \
                  without an error: an operator whose uid changed starts empty, where no TTL helps, and a source whose uid changed reads from its \
                  declared `start` instead of its stored positions. Without the option the restart fails and says which state has no operator."
            .to_owned(),
        facts: vec![ShownFact::new("restore.allow_non_restored_state", Amount::Text("true".to_owned()), job.origin(position))],
        bites_on: None,
        remedy: vec![Remedy::say(
            "Leave the option off (`-n`, `--allowNonRestoredState`, `allowNonRestoredState: true`), and switch it on only for the one restart \
             that removes an operator on purpose.",
        )],
        position,
    }
    .into()
}
