//! The rules: one file each, named like its id.
//!
//! A rule judges its subjects one by one through [`Outcomes::judge`]. Facts come as [`crate::evidence::Fact`]s, or as results of the
//! analysis, whose error is an [`Unknown`]; the `?` in the closure passes it on, so a rule cannot forget that something is not known.

mod checkpoint_deleted_on_cancel;
mod checkpoint_gap;
mod checkpoint_not_durable;
mod context;
mod engine;
mod evidence_stale;
mod group_offsets_expire;
mod ha_missing;
mod position_beyond_end;
mod recovery_not_declared;
mod recovery_place_shared;
mod recovery_unprotected;
mod recovery_will_be_archived;
mod recovery_will_be_tiered;
mod recovery_will_expire;
mod registry;
mod restore_drops_state;
mod restore_skips_state;
mod retention_below_downtime;
mod retention_clock;
mod retention_not_holding;
mod retention_size_bound;
mod sink_commit_skew;
mod sink_may_lose;
mod sink_transaction_timeout;
mod sink_uploads_at_risk;
mod snapshot_incomplete;
mod snapshot_missing;
mod snapshot_not_yours;
mod snapshot_older_than_retention;
mod snapshot_references_elsewhere;
mod snapshot_restored_temporarily;
mod snapshot_stale;
mod snapshot_tiering_exposed;
mod snapshot_unreadable;
mod source_reset_silent;
mod state_not_declared;
mod state_outlives_source;
mod topic_missing;
mod ttl_below_downtime;
mod ttl_below_observed_history;
mod ttl_below_retention;
mod ttl_contradicted;
mod ttl_lengthened;
mod ttl_margin_thin;
mod ttl_never;
mod ttl_not_stated;
mod uid_not_in_snapshot;

pub use context::{Hit, JobContext};
pub use engine::{JudgedFinding, JudgedUnknown, Outcomes, RuleResults, Waiting, run};
pub use registry::{all, by_id, ids, page};

use crate::{
    evidence::Unknown,
    finding::{Finding, Severity},
};

/// What every rule says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleMeta {
    /// `ttl-below-retention`; also the name of its file, its page in `docs/rules/` and its tests.
    pub id: &'static str,
    /// What it says, in one sentence.
    pub summary: &'static str,
    /// The highest severity that it can have by default: what an unknown of this rule counts as.
    pub severity: Severity,
}

/// One rule.
pub trait Rule: Sync {
    /// What it says of itself.
    fn meta(&self) -> &'static RuleMeta;

    /// Judges every subject of one job.
    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes);
}

/// The answer for one subject; the error is the third answer.
pub type Judged = Result<Verdict, Unknown>;

/// A judgement that could be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Looked at, and nothing to say.
    Pass,
    /// The rule has nothing to do here, or a finding of another rule already says that its object does not exist.
    NotApplicable,
    /// Something to say.
    Finding(Box<Finding>),
}

impl From<Finding> for Verdict {
    fn from(finding: Finding) -> Self {
        Self::Finding(Box::new(finding))
    }
}
