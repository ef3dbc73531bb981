//! The retention window of a topic, as types.

use super::{Bound, Sourced};
use crate::{
    evidence::Unknown,
    manifest::Position,
    units::{Bytes, Millis, Retention},
};

/// How old a record can be that a restarting consumer still receives, for one topic of one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The source's id in the manifest.
    pub source: String,
    /// The cluster's name in the audit file; `None` for a source that is not Kafka.
    pub cluster: Option<String>,
    /// The topic, or the source's id for a source that is not Kafka.
    pub topic: String,
    /// Where the manifest names it.
    pub position: Position,
    /// Whether the topic exists. `Ok(false)`: it does not, and that is known; nothing else about it can be.
    pub exists: Result<bool, Unknown>,
    /// R, with its origin.
    pub retention: Result<Sourced<Retention>, Unknown>,
    /// What a consumer may rely on finding.
    pub floor: Result<Sourced<Bound>, Unknown>,
    /// R + S + C (+ F, if at most a day): the oldest record that a restart from earliest can receive.
    pub worst_case: Result<Sourced<Bound>, Unknown>,
    /// How old the first readable record was at captured-at.
    pub observed: Result<Observed, Unknown>,
    /// What stands beside the worst case: conditions under which it does not hold.
    pub caveats: Vec<String>,
    /// Why there may be offsets without a record that the job reads, so that a difference of offsets is an upper bound.
    pub gaps: Option<String>,
    /// What only Kafka has; `None` for a source that is not Kafka.
    pub kafka: Option<KafkaTerms>,
}

impl Window {
    /// Whether the observed history is longer than the worst case: retention is not doing its work, or records are back-dated.
    ///
    /// # Errors
    ///
    /// The worst case or the observed history is not known.
    pub fn overrun(&self) -> Result<bool, Unknown> {
        match (&self.observed, &self.worst_case) {
            (Ok(Observed::Empty | Observed::NotMeasured), _) => Ok(false),
            (Ok(Observed::InSeconds { .. }), _) => self.left_to_the_clock(),
            (Ok(Observed::History(history)), Ok(worst)) => Ok(Bound::For(history.value) > worst.value),
            (Err(unknown), _) | (_, Err(unknown)) => Err(unknown.clone()),
        }
    }

    /// Timestamps in seconds say nothing about an age. Under CreateTime a finding of `retention-clock` says so, and what needs the age has nothing
    /// to add; under another clock, or an unknown one, it is simply not known.
    pub(super) fn left_to_the_clock(&self) -> Result<bool, Unknown> {
        match self.timestamps() {
            Some(TimestampType::CreateTime) => Ok(false),
            _ => Err(self.no_age()),
        }
    }

    /// Whether a finding of `retention-clock` says that the age of the first record is not known, so that what needs it has nothing to add.
    #[must_use]
    pub fn is_left_to_the_clock(&self) -> bool {
        matches!(self.observed, Ok(Observed::InSeconds { .. })) && self.timestamps() == Some(TimestampType::CreateTime)
    }

    /// Why the age of the first record is not known if its timestamp looks like seconds.
    pub(super) fn no_age(&self) -> Unknown {
        Unknown::new(format!("timestamps of topic {} look like seconds, so the age of its records is not known", self.topic), "")
    }

    /// The length of the observed history, if there is one.
    #[must_use]
    pub fn history(&self) -> Option<&Sourced<Millis>> {
        match &self.observed {
            Ok(Observed::History(history)) => Some(history),
            _ => None,
        }
    }

    /// `message.timestamp.type`, if it is known.
    #[must_use]
    pub fn timestamps(&self) -> Option<TimestampType> {
        self.kafka.as_ref().and_then(|kafka| kafka.timestamps.as_ref().ok()).map(|sourced| sourced.value)
    }
}

/// What the first readable records say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observed {
    /// Captured-at minus the timestamp of the first readable record, the largest over the partitions.
    History(Sourced<Millis>),
    /// No partition holds a record.
    Empty,
    /// The first record's timestamp looks like seconds where milliseconds belong, so it says nothing about its age.
    InSeconds {
        /// The partition.
        partition: i32,
        /// The raw timestamp.
        timestamp: i64,
    },
    /// A source that cannot be asked.
    NotMeasured,
}

/// The terms of a Kafka topic's window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KafkaTerms {
    /// `cleanup.policy`.
    pub cleanup: Result<Sourced<CleanupPolicy>, Unknown>,
    /// S, the roll period: `segment.ms`, or the smaller `max.compaction.lag.ms` on a compacting topic.
    pub roll: Result<Sourced<Millis>, Unknown>,
    /// C, the broker's retention check interval; 5 min where it cannot be read, as an assumption.
    pub check: Sourced<Millis>,
    /// `message.timestamp.type`.
    pub timestamps: Result<Sourced<TimestampType>, Unknown>,
    /// F: how far in the future a producer's timestamp may lie. Zero under LogAppendTime.
    pub skew: Result<Sourced<Millis>, Unknown>,
    /// Whether size cuts history before time does.
    pub size: SizeLimit,
    /// How late a record may be when it is written; zero under LogAppendTime.
    pub event_lag: Sourced<Millis>,
}

impl KafkaTerms {
    /// F as far as it is part of the worst case: it is added if it is at most a day.
    #[must_use]
    pub fn added_skew(&self) -> Millis {
        match &self.skew {
            Ok(skew) if skew.value <= Millis::DAY => skew.value,
            _ => Millis::ZERO,
        }
    }
}

/// Whether `retention.bytes` cuts history before `retention.ms` does.
///
/// Offsets and timestamps hold no sizes, so this is not computed from the limit but from what is left in each partition. See
/// `size_limit` for what that proves and what it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SizeLimit {
    /// `retention.bytes` is −1, or the policy lacks `delete`.
    None,
    /// There is a limit, and at captured-at every partition with records reached back R or further.
    NotReached(Sourced<Bytes>),
    /// There is a limit, and at least one partition with records on every sampled day has lost its beginning although its first record is
    /// younger than R, or R is −1.
    Cuts {
        /// `retention.bytes`, per partition.
        limit: Sourced<Bytes>,
        /// The shortest history of such a partition.
        shortest: Sourced<Millis>,
        /// How long what such a partition holds lasts at the rate of its busiest sampled interval; the shortest.
        lasts: Sourced<Millis>,
    },
    /// There may be a limit, and it is not known whether it cuts.
    Undecided(Unknown),
}

/// `cleanup.policy`, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CleanupPolicy {
    /// Old segments are deleted.
    pub delete: bool,
    /// Superseded values are removed.
    pub compact: bool,
}

/// `message.timestamp.type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimestampType {
    /// The producer's clock.
    CreateTime,
    /// The broker's clock.
    LogAppendTime,
}

impl TimestampType {
    /// The word in Kafka's configuration.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::CreateTime => "CreateTime",
            Self::LogAppendTime => "LogAppendTime",
        }
    }
}
