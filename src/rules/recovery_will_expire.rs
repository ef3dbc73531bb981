//! `recovery-will-expire`: a lifecycle rule deletes recovery files within the horizon.

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::lifecycle::{Kind, Removal, What},
    finding::{Severity, Subject, future},
};

static META: RuleMeta = RuleMeta {
    id: "recovery-will-expire",
    summary: "a lifecycle rule deletes savepoints, checkpoints, shared, high-availability or changelog files within the horizon",
    severity: Severity::Error,
};

/// See the module.
pub(super) struct RecoveryWillExpire;

impl Rule for RecoveryWillExpire {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        job.judge_future(out, Kind::Gone, |change, _| {
            // What a delete marker hides can be brought back: one step less.
            let severity = match change.what {
                What::Removed(Removal::Hidden { .. }) => META.severity.one_less(),
                _ => META.severity,
            };
            Ok(Some((severity, String::new())))
        });
        for place in &job.analysis.recovery.places {
            let Ok(Some(snapshot)) = place.newest() else { continue };
            let location = &place.declared.value;
            let subject = Subject::of_location(location, &format!("{} x-amz-expiration", place.kind.word()));
            let seen = job.evidence.buckets.get(snapshot.location.bucket());
            if let Some(finding) = seen.and_then(|seen| future::disagreement(seen, place, snapshot)) {
                out.judge(subject, || Ok(Verdict::from(finding)));
            }
        }
    }
}
