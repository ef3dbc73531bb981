//! How many records a restart from earliest reads that are older than an instant.

use super::{PartitionLog, Window};
use crate::{evidence::Evidence, units::Instant};

/// A number of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The records.
    pub records: u64,
    /// How it is known.
    pub basis: Basis,
    /// Offsets may have no record behind them ([`Window::gaps`]).
    pub upper_bound: bool,
}

/// How a number of records is known; later is less sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// Offsets at that very instant.
    Measured,
    /// Offsets before and after it, at an even rate between.
    Interpolated,
    /// A rate that the manifest declares.
    Declared,
}

impl Basis {
    /// The word in reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Interpolated => "interpolated",
            Self::Declared => "declared",
        }
    }
}

/// How many records of a window's topic lie before the first one that is stamped at or after `at`. `None`: that was not measured.
#[must_use]
pub fn records_before(window: &Window, evidence: &Evidence, at: Instant) -> Option<Count> {
    let topic = evidence.kafka.get(window.cluster.as_deref()?)?.topics.get(&window.topic)?;
    // Between points that are weeks apart nothing is interpolated.
    topic.samples.shown()?;
    let mut count = Count { records: 0, basis: Basis::Measured, upper_bound: window.gaps.is_some() };
    for &partition in topic.partitions.shown()? {
        let log = PartitionLog::of(&window.topic, topic, topic.captured_at(evidence.captured_at), partition).ok()?;
        let (position, basis) = log.offset_at(at)?;
        count.records = count.records.saturating_add(u64::try_from(position.saturating_sub(log.start)).unwrap_or(0));
        count.basis = count.basis.max(basis);
    }
    Some(count)
}
