//! How old the first readable records are.

use super::{Observed, Sourced};
use crate::{
    evidence::{Offset, PerPartition, TopicEvidence, Unknown},
    units::{Instant, Millis},
};

/// Captured-at minus the timestamp of the first readable record, the largest over the partitions.
pub(super) fn observed(topic: &str, evidence: &TopicEvidence, captured_at: Instant) -> Result<Observed, Unknown> {
    let partitions = &evidence.partitions.known()?.value;
    let mut oldest: Option<(Millis, i32)> = None;
    for &partition in partitions {
        let Some(first) = answer(topic, &evidence.first_record, partition)? else {
            no_records(topic, evidence, partition)?;
            continue;
        };
        let timestamp = timestamp(topic, &evidence.first_record, partition, first)?;
        if looks_like_seconds(timestamp, captured_at) {
            return Ok(Observed::InSeconds { partition, timestamp });
        }
        let age = age(timestamp, captured_at);
        if oldest.is_none_or(|(known, _)| age > known) {
            oldest = Some((age, partition));
        }
    }
    Ok(oldest.map_or(Observed::Empty, |(age, partition)| {
        let origin =
            format!("first record of partition {partition} of topic {topic} when the evidence was captured ({})", captured_at.minute());
        Observed::History(Sourced::new(age, origin))
    }))
}

/// How long before `captured_at` a record was stamped; zero for a timestamp in the future.
pub(super) fn age(timestamp: i64, captured_at: Instant) -> Millis {
    let ms = i128::from(captured_at.epoch_ms()) - i128::from(timestamp);
    Millis::new(u64::try_from(ms.max(0)).unwrap_or(u64::MAX))
}

/// The answer for one partition; `None` if the answer was that there is no such record.
pub(super) fn answer(topic: &str, fact: &PerPartition, partition: i32) -> Result<Option<Offset>, Unknown> {
    let seen = fact.known()?;
    if let Some(offset) = seen.value.partitions.get(&partition) {
        return Ok(*offset);
    }
    // The reason without the partition, so that one cause that hits many partitions is one unknown.
    let reason = match seen.value.failed.get(&partition) {
        Some(reason) => format!("failed: partitions of topic {topic} without an answer: {reason}"),
        None => format!("not asked: partitions of topic {topic} without an answer"),
    };
    Err(Unknown::new(reason, seen.call.clone()))
}

/// The record's timestamp. Records of very old formats have none (−1).
pub(super) fn timestamp(topic: &str, fact: &PerPartition, partition: i32, offset: Offset) -> Result<i64, Unknown> {
    offset.timestamp.filter(|timestamp| *timestamp >= 0).ok_or_else(|| {
        let call = fact.known().map_or_else(|unknown| unknown.call, |seen| seen.call.clone());
        Unknown::new(format!("a record in partition {partition} of topic {topic} has no timestamp"), call)
    })
}

/// No record was found by timestamp: that means *empty* only if the partition holds no offsets.
fn no_records(topic: &str, evidence: &TopicEvidence, partition: i32) -> Result<(), Unknown> {
    let start = answer(topic, &evidence.log_start, partition)?;
    let end = answer(topic, &evidence.log_end, partition)?;
    match (start, end) {
        (Some(start), Some(end)) if start.offset < end.offset => {
            let call = evidence.first_record.known().map_or_else(|unknown| unknown.call, |seen| seen.call.clone());
            Err(Unknown::new(format!("partitions of topic {topic} hold offsets, but no record with a timestamp was found"), call))
        }
        _ => Ok(()),
    }
}

/// Whether a raw timestamp looks like seconds since the epoch where milliseconds belong.
///
/// Read as seconds it lies between September 2001 (10 digits) and a year after the capture; read as milliseconds it lies in January 1970, before
/// Kafka or anything that writes to it was there. Smaller values (0, counters) are left alone: they are no dates in seconds either.
pub(super) fn looks_like_seconds(timestamp: i64, captured_at: Instant) -> bool {
    const TEN_DIGITS: i64 = 1_000_000_000;
    let latest = captured_at.plus(Millis::days(366)).epoch_ms() / 1000;
    (TEN_DIGITS..=latest).contains(&timestamp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_milliseconds_are_told_apart() {
        let captured_at: Instant = "2026-09-15".parse().expect("an instant");
        for (timestamp, seconds) in [
            (1_665_000_000, true),
            (1_665_000_000_000, false),
            (999_999_999, false),
            (0, false),
            (-1, false),
            (i64::MAX, false),
            (i64::MIN, false),
        ] {
            assert_eq!(looks_like_seconds(timestamp, captured_at), seconds, "{timestamp}");
        }
    }

    #[test]
    fn no_age_overflows() {
        let captured_at: Instant = "2026-09-15".parse().expect("an instant");
        assert_eq!(age(i64::MAX, captured_at), Millis::ZERO);
        assert!(age(i64::MIN, captured_at) > Millis::days(100_000_000));
    }
}
