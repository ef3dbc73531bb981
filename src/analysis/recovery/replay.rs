//! What one way of coming back costs.

use std::collections::BTreeMap;

use super::{
    super::{Basis, PartitionLog},
    split::Split,
};
use crate::{
    evidence::Unknown,
    units::{Instant, S3Location},
};

/// How a job comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// A task or the job manager dies: the last completed checkpoint.
    Failover,
    /// A planned restart from a chosen snapshot.
    Snapshot,
    /// State is restored, the source's positions are not.
    OffsetReset,
    /// No snapshot is used at all.
    StateLoss,
}

impl Way {
    /// The word in reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Failover => "failover",
            Self::Snapshot => "snapshot",
            Self::OffsetReset => "offset-reset",
            Self::StateLoss => "state-loss",
        }
    }
}

/// What one way of coming back costs, over all sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The way.
    pub way: Way,
    /// The snapshot that is restored, where one is.
    pub snapshot: Option<S3Location>,
    /// Records that reach a sink a second time.
    pub twice: Result<u64, Unknown>,
    /// Records that nobody reads any more.
    pub lost: Result<u64, Unknown>,
    /// Records that are read again and recognised.
    pub suppressed: Result<u64, Unknown>,
    /// How the numbers are known.
    pub basis: Basis,
    /// Whether they are upper bounds.
    pub upper_bound: bool,
    /// What to know about them.
    pub notes: Vec<String>,
    pub(super) parts: Vec<(PartitionLog, Split)>,
}

/// What happens to the records of one UTC day, by their timestamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// Its midnight.
    pub day: Instant,
    /// Written twice.
    pub twice: u64,
    /// Recognised.
    pub suppressed: u64,
    /// Lost.
    pub lost: u64,
}

impl Replay {
    /// The first partition that was counted, if there is one.
    #[must_use]
    pub fn first_log(&self) -> Option<&PartitionLog> {
        self.parts.first().map(|(log, _)| log)
    }

    /// The numbers by day, from the first to the last day that has any.
    #[must_use]
    pub fn by_day(&self) -> Vec<Day> {
        let mut days = BTreeMap::new();
        for (log, split) in &self.parts {
            split.by_day(log, &mut days);
        }
        days.into_values().filter(|day| day.twice > 0 || day.suppressed > 0 || day.lost > 0).collect()
    }
}
