//! `ttl-contradicted`: something that was looked at says otherwise about a TTL than the manifest.
//!
//! Here: an earlier report says that a state had no TTL, and the manifest gives it one (or the other way round), which Flink may refuse to restore.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{Earlier, StateView, migration},
    finding::{Severity, Subject},
};

/// See the module.
pub(super) struct TtlContradicted;

static META: RuleMeta = RuleMeta {
    id: "ttl-contradicted",
    summary: "An earlier report says otherwise about a TTL than the manifest, in a way that fails the restore.",
    severity: Severity::Error,
};

impl Rule for TtlContradicted {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        let Some(earlier) = job.earlier else { return };
        for state in &job.analysis.states {
            out.judge(subject(state), || switched(job, earlier, state));
        }
    }
}

/// The switch is a subject of its own, apart from what a snapshot says of the same state.
fn subject(state: &StateView) -> Subject {
    let scope = state.subject().scope;
    Subject { scope, ..Subject::new(format!("{}/{}", state.operator, state.state), "TTL switch") }
}

fn switched(job: &JobContext<'_>, earlier: &Earlier, state: &StateView) -> Judged {
    let words = earlier.words();
    let id = format!("{}/{}", state.operator, state.state);
    let Some((_, change)) = job.changed(earlier, state, &words, &id) else { return Ok(Verdict::NotApplicable) };
    // A report that does not know a TTL contradicts nothing.
    if !change.is_switch() {
        return Ok(Verdict::Pass);
    }
    let flink = &job.job.flink;
    let (version, backend) = (flink.version.as_deref(), flink.state_backend.as_deref());
    let said = change.switched(META.severity, migration(flink.release(), backend), version, backend)?;
    Ok(said.map_or(Verdict::Pass, Verdict::from))
}
