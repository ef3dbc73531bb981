//! `ttl: unknown` on a stateful operator, or state that something else clears after a time that nobody states.

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::finding::Severity;

/// See the module.
pub(super) struct TtlNotStated;

static META: RuleMeta =
    RuleMeta { id: "ttl-not-stated", summary: "Nobody says how long a state lives; only ever unknown.", severity: Severity::Error };

impl Rule for TtlNotStated {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        for state in &job.analysis.states {
            out.judge_as(state.subject(), state.severity(Severity::Error), || {
                state.life.as_ref().map(|_| Verdict::Pass).map_err(Clone::clone)
            });
        }
    }
}
