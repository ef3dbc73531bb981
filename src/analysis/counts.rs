//! How many records a restart from earliest reads that are older than an instant.

use super::Window;
use crate::{
    evidence::{Evidence, TopicEvidence},
    units::{Instant, Millis},
};

/// A number of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The records.
    pub records: u64,
    /// How it is known.
    pub basis: Basis,
    /// Compacted topics have holes between offsets, so an offset difference is an upper bound.
    pub upper_bound: bool,
}

/// How a number of records is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Offsets at that very instant.
    Measured,
    /// Offsets before and after it, at an even rate between.
    Interpolated,
}

impl Basis {
    /// The word in reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Interpolated => "interpolated",
        }
    }
}

/// How many records of a window's topic lie before the first one that is stamped at or after `at`. `None`: that was not measured.
#[must_use]
pub fn records_before(window: &Window, evidence: &Evidence, at: Instant) -> Option<Count> {
    let topic = evidence.kafka.get(window.cluster.as_deref()?)?.topics.get(&window.topic)?;
    let partitions = topic.partitions.shown()?;
    let mut count = Count { records: 0, basis: Basis::Measured, upper_bound: false };
    for &partition in partitions {
        let start = topic.log_start.shown()?.partitions.get(&partition).copied()??.offset;
        let (position, basis) = position(topic, topic.captured_at(evidence.captured_at), partition, at)?;
        count.records = count.records.saturating_add(u64::try_from(position.saturating_sub(start)).unwrap_or(0));
        if basis == Basis::Interpolated {
            count.basis = basis;
        }
    }
    count.upper_bound = window.kafka.as_ref().is_none_or(|kafka| kafka.cleanup.as_ref().is_ok_and(|cleanup| cleanup.value.compact));
    Some(count)
}

/// p(t): the first offset whose record is stamped at or after `at`.
fn position(topic: &TopicEvidence, captured_at: Instant, partition: i32, at: Instant) -> Option<(i64, Basis)> {
    let end = topic.log_end.shown()?.partitions.get(&partition).copied()??.offset;
    if at >= captured_at {
        return Some((end, Basis::Measured));
    }
    let Some(first) = topic.first_record.shown()?.partitions.get(&partition).copied()? else {
        return Some((end, Basis::Measured));
    };
    let first_at = Instant::from_epoch_ms(first.timestamp?)?;
    if at <= first_at {
        return Some((first.offset, Basis::Measured));
    }
    let mut before = (first_at, first.offset);
    let mut after = (captured_at, end);
    for sample in topic.samples.shown()? {
        let Some(answer) = sample.offsets.partitions.get(&partition) else { continue };
        let offset = answer.map_or(end, |offset| offset.offset);
        if sample.at == at {
            return Some((offset, Basis::Measured));
        }
        if sample.at < at && sample.at > before.0 {
            before = (sample.at, offset);
        } else if sample.at > at && sample.at < after.0 {
            after = (sample.at, offset);
        }
    }
    Some((between(before, after, at), Basis::Interpolated))
}

/// The offset at `at` if records arrive at an even rate between two points.
fn between((from, low): (Instant, i64), (to, high): (Instant, i64), at: Instant) -> i64 {
    let ms = |length: Millis| i128::from(length.as_ms());
    let part = i128::from(high.saturating_sub(low)) * ms(at.since(from)) / ms(to.since(from)).max(1);
    low.saturating_add(i64::try_from(part).unwrap_or(i64::MAX))
}
