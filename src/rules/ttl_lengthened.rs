//! The TTL grew since an earlier report, and the new window is not covered yet.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{Earlier, StateView, growth},
    evidence::Unknown,
    finding::Severity,
    units::Ttl,
};

/// See the module.
pub(super) struct TtlLengthened;

static META: RuleMeta = RuleMeta {
    id: "ttl-lengthened",
    summary: "With an earlier report: the TTL grew since then and the new window is not covered yet.",
    severity: Severity::Warning,
};

impl Rule for TtlLengthened {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        let Some(earlier) = job.earlier else { return };
        for state in &job.analysis.states {
            let highest = state.severity(META.severity);
            out.judge_as(state.subject(), highest, || judge(job, earlier, state, highest));
        }
    }
}

fn judge(job: &JobContext<'_>, earlier: &Earlier, state: &StateView, severity: Severity) -> Judged {
    // A state that the earlier report does not have cannot have grown.
    let words = earlier.words();
    let id = format!("{}/{}", state.operator, state.state);
    let Some((then, change)) = job.changed(earlier, state, &words, &id) else { return Ok(Verdict::NotApplicable) };
    if then.ttl == Ttl::Unknown {
        return Err(Unknown::new(format!("{words} does not know the TTL of {id}, so whether it grew since is not known"), ""));
    }
    let required = state.required.as_ref().ok().copied();
    let said = change.lengthened(severity, growth(then, change.now, required, earlier.as_of, job.as_of.at))?;
    Ok(said.map_or(Verdict::Pass, Verdict::from))
}
