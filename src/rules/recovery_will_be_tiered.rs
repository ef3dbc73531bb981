//! `recovery-will-be-tiered`: a rule of the bucket moves recovery files within the horizon to a class where they can still be read.

use super::{JobContext, Outcomes, Rule, RuleMeta};
use crate::{
    analysis::{
        lifecycle::{Kind, What},
        snapshots::words,
    },
    evidence::{StoreKind, Unknown},
    finding::Severity,
};

static META: RuleMeta = RuleMeta {
    id: "recovery-will-be-tiered",
    summary: "a lifecycle rule moves recovery files within the horizon to a storage class that the policy does not want",
    severity: Severity::Error,
};

/// See the module.
pub(super) struct RecoveryWillBeTiered;

impl Rule for RecoveryWillBeTiered {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        job.judge_future(out, Kind::Tiered, |change, bucket| {
            let What::Moved { class, .. } = &change.what else { return Ok(None) };
            let policy = &job.audit.policy.classes;
            let other = job.evidence.buckets.get(bucket).is_some_and(|seen| seen.store.kind == StoreKind::Other);
            // On another store a class is only a name, unless the audit file says what it means.
            let level = if other { policy.stated.get(&**class).copied() } else { policy.level(class) };
            match level {
                Some(level) => Ok(level.severity().map(|severity| (severity, words::policy(level, class)))),
                None if other => Err(Unknown::new(
                    format!(
                        "unsupported: {} moves files to {class}; whether they can be read there without a restore is not known for a store \
                         that is not AWS (`recovery_classes` of the policy can say so)",
                        change.by
                    ),
                    "",
                )),
                None => {
                    Err(Unknown::new(format!("{} moves files to {class}, a storage class that this version does not know", change.by), ""))
                }
            }
        });
    }
}
