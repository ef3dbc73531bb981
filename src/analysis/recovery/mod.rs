//! Until when a job can come back, and what each way of coming back costs.
//!
//! Four ways: *failover* (the last completed checkpoint), *snapshot* (a chosen one), *offset reset* (state is restored, the source's
//! positions are not), *state loss* (nothing is restored). Words for duplicates and words for loss never mix.

mod duplicates;
mod durable;
mod eligible;
mod loss;
mod positions;
mod readers;
mod replay;
mod split;
mod terms;
mod topics;
mod unread;
mod ways;

pub use duplicates::{Answer, WithoutDuplicates};
pub use durable::Durable;
pub use loss::{Alternative, Dates, LossState, WithoutLoss};
pub use positions::{Positions, metadata, positions};
pub use readers::{Guard, Path, guard, not_stated};
pub use replay::{Day, Replay, Way};
pub use split::Split;
pub use terms::{About, LossTerm};
pub use topics::{TopicLogs, logs};
pub use unread::{Behind, Beyond, GoneByDate, Leaves, Stamp, StampBasis, TopicUnread, Unread};

use std::collections::BTreeMap;

use super::{StateView, Window, snapshots::RecoveryView};
use crate::{
    audit::Audit,
    evidence::{Evidence, Unknown},
    manifest::{AsOf, Manifest},
    units::S3Location,
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
    /// What each snapshot of the report has not read of the topics.
    pub unread: BTreeMap<S3Location, Vec<TopicUnread>>,
    /// The same for a job without state that is declared to be restarted from nothing: only what is written after the stop can leave.
    pub unread_from_nothing: Vec<TopicUnread>,
    /// The snapshots that are there however the job is stopped, newest first.
    pub durable: Vec<Durable>,
    /// What each way costs; *snapshot* and *offset reset* once for each snapshot.
    pub replay: Vec<Replay>,
}

impl Outlook {
    /// Works everything out for one job.
    #[must_use]
    pub fn of(ground: &Ground<'_>) -> Self {
        let replay = ways::all(ground);
        let unread = ways::snapshots(ground)
            .into_iter()
            .map(|(_, snapshot)| (snapshot.location.clone(), unread::of_snapshot(ground, snapshot)))
            .collect();
        let unread_from_nothing = unread::from_nothing(ground);
        Self {
            without_loss: loss::judge(ground, &unread, &unread_from_nothing),
            without_duplicates: duplicates::judge(ground, &replay),
            unread,
            unread_from_nothing,
            durable: durable::all(ground),
            replay,
        }
    }

    /// What the snapshot in this folder has not read; empty for one that the report does not show.
    #[must_use]
    pub fn unread_of(&self, folder: &S3Location) -> &[TopicUnread] {
        self.unread.get(folder).map_or(&[], Vec::as_slice)
    }
}
