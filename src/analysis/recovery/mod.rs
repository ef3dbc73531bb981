//! Until when a job can come back, and what each way of coming back costs.
//!
//! Four ways: *failover* (the last completed checkpoint), *snapshot* (a chosen one), *offset reset* (state is restored, the source's
//! positions are not), *state loss* (nothing is restored). Words for duplicates and words for loss never mix.

mod duplicates;
mod eligible;
mod loss;
mod positions;
mod readers;
mod replay;
mod split;
mod terms;
mod topics;
mod ways;

pub use duplicates::{Answer, WithoutDuplicates};
pub use loss::{Alternative, Dates, LossState, WithoutLoss};
pub use positions::{Positions, metadata, positions};
pub use readers::{Guard, Path, guard, not_stated};
pub use replay::{Day, Replay, Way};
pub use split::Split;
pub use terms::{About, LossTerm};
pub use topics::{TopicLogs, logs};

use std::collections::BTreeMap;

use super::{StateView, Window, snapshots::RecoveryView};
use crate::{
    audit::Audit,
    evidence::{Evidence, Unknown},
    manifest::{AsOf, Manifest},
};

/// What the ways of coming back rest on.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The whole audit.
    pub audit: &'a Audit,
    /// The job.
    pub job: &'a Manifest,
    /// What was seen.
    pub evidence: &'a Evidence,
    /// The instant that is judged.
    pub as_of: AsOf,
    /// The window of each topic, by source.
    pub windows: &'a BTreeMap<String, Result<Vec<Window>, Unknown>>,
    /// Every state.
    pub states: &'a [StateView],
    /// The snapshots.
    pub recovery: &'a RecoveryView,
}

/// The headline of a job, and the numbers behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outlook {
    /// Back without loss until when.
    pub without_loss: WithoutLoss,
    /// Back without duplicates, by way.
    pub without_duplicates: WithoutDuplicates,
    /// What each way costs; *snapshot* and *offset reset* once for each snapshot.
    pub replay: Vec<Replay>,
}

impl Outlook {
    /// Works everything out for one job.
    #[must_use]
    pub fn of(ground: &Ground<'_>) -> Self {
        let replay = ways::all(ground);
        Self { without_loss: loss::judge(ground), without_duplicates: duplicates::judge(ground, &replay), replay }
    }
}
