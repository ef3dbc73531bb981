//! TTL removes nothing.

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{Life, StateView},
    finding::{
        Amount, Finding, Remedy, Severity, ShownFact,
        state_ttl::{first_ttl, ttl_switched},
    },
};

/// See the module.
pub(super) struct TtlNever;

static META: RuleMeta = RuleMeta {
    id: "ttl-never",
    summary: "TTL removes nothing: state grows with the distinct keys unless the code clears it.",
    severity: Severity::Note,
};

impl Rule for TtlNever {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        for state in &job.analysis.states {
            out.judge(state.subject(), || {
                // A TTL that is not stated is what ttl-not-stated says; a bound that is not stated means that something does clear it.
                if state.life != Ok(Life::Never) {
                    return Ok(Verdict::Pass);
                }
                Ok(Finding {
                    severity: Severity::Note,
                    message: format!(
                        "{}/{} has no TTL (`never`, which is also what Flink SQL means by 0): it is never shorter than a retention, and it grows with \
                         the distinct keys unless the code clears it.",
                        state.operator, state.state
                    ),
                    facts: vec![ShownFact::new("TTL", Amount::Text("never".to_owned()), state.origin.clone())],
                    bites_on: None,
                    remedy: ways_out(job, state),
                    position: state.position,
                }
                .into())
            });
        }
    }
}

fn ways_out(job: &JobContext<'_>, state: &StateView) -> Vec<Remedy> {
    let mut ways_out =
        vec![Remedy::say("If something else clears it, say so in the manifest (`cleared_by: watermark | timer | code`, `after`).")];
    let ttl = first_ttl(state, &job.restart());
    if ttl.is_empty() {
        ways_out.push(Remedy::say(format!(
            "If nothing clears it and the keys are without number, plan a TTL. It is then switched on for state that had none: {}.",
            ttl_switched(&job.job.flink)
        )));
    }
    ways_out.extend(ttl);
    ways_out
}
