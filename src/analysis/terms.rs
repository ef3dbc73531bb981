//! The terms of the retention window, each out of the settings that bound it.

use super::{CleanupPolicy, Sourced, TimestampType, settings::Reader};
use crate::{
    evidence::Unknown,
    units::{Bytes, Millis, Retention},
};

/// Kafka's `log.retention.check.interval.ms` where it cannot be read: the one interval that may be assumed.
pub(super) const ASSUMED_CHECK: Millis = Millis::minutes(5);
/// Kafka's `remote.log.manager.task.interval.ms`: how often expired remote segments are looked for.
const REMOTE_CHECK: Millis = Millis::seconds(30);

/// `cleanup.policy`: a set, in any order, with blanks; empty (from Kafka 4.2) keeps everything.
pub(super) fn cleanup(topic: &Reader<'_>) -> Result<Sourced<CleanupPolicy>, Unknown> {
    let text = topic.text("cleanup.policy")?;
    let mut policy = CleanupPolicy::default();
    for word in text.value.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        match word {
            "delete" => policy.delete = true,
            "compact" => policy.compact = true,
            _ => return Err(topic.unknown("cleanup.policy", "holds a word that is neither delete nor compact")),
        }
    }
    Ok(Sourced::new(policy, text.origin))
}

/// R. The policy is read first: without `delete`, `retention.ms` is reported and has no effect.
pub(super) fn retention(topic: &Reader<'_>, cleanup: &Result<Sourced<CleanupPolicy>, Unknown>) -> Result<Sourced<Retention>, Unknown> {
    let cleanup = cleanup.as_ref().map_err(Clone::clone)?;
    if !cleanup.value.delete {
        let why = if cleanup.value.compact { "compact only: retention.ms has no effect" } else { "empty: nothing is deleted" };
        return Ok(Sourced::new(Retention::Unlimited, format!("{}, {why}", cleanup.origin)));
    }
    let time = topic.number("retention.ms")?;
    match time.value {
        i64::MAX => Ok(Sourced::new(Retention::Unlimited, format!("{} (the largest value there is)", time.origin))),
        0.. => Ok(Sourced::new(Retention::For(Millis::new(time.value.unsigned_abs())), time.origin)),
        _ => {
            let size = topic.number("retention.bytes")?;
            let retention = if size.value < 0 { Retention::Unlimited } else { Retention::SizeBound };
            Ok(Sourced::new(retention, format!("{} = -1 and {} = {}", time.origin, size.origin, size.value)))
        }
    }
}

/// `retention.bytes`, per partition, where the policy contains `delete`; `None` without a limit.
pub(super) fn size(topic: &Reader<'_>, cleanup: &Result<Sourced<CleanupPolicy>, Unknown>) -> Result<Option<Sourced<Bytes>>, Unknown> {
    if !cleanup.as_ref().map_err(Clone::clone)?.value.delete {
        return Ok(None);
    }
    let limit = topic.number("retention.bytes")?;
    // The largest value there is limits nothing.
    Ok(u64::try_from(limit.value).ok().filter(|_| limit.value < i64::MAX).map(|bytes| Sourced::new(Bytes(bytes), limit.origin)))
}

/// S. `segment.bytes`, `segment.index.bytes` and `segment.jitter.ms` can only make it shorter, so they are not needed for an upper bound;
/// nor is a `max.compaction.lag.ms` that cannot be read.
pub(super) fn roll(topic: &Reader<'_>, cleanup: &Result<Sourced<CleanupPolicy>, Unknown>) -> Result<Sourced<Millis>, Unknown> {
    let segment = positive(topic, "segment.ms");
    let compacts = cleanup.as_ref().is_ok_and(|cleanup| cleanup.value.compact);
    if !compacts {
        return segment;
    }
    // Kafka's default lag is "for ever", which bounds nothing.
    let lag = positive(topic, "max.compaction.lag.ms").ok().filter(|lag| lag.value < Millis::new(i64::MAX.unsigned_abs()));
    match (segment, lag) {
        (Ok(segment), Some(lag)) if lag.value >= segment.value => Ok(segment),
        (_, Some(lag)) => Ok(lag),
        (segment, None) => segment,
    }
}

fn positive(topic: &Reader<'_>, key: &str) -> Result<Sourced<Millis>, Unknown> {
    let number = topic.number(key)?;
    match Millis::from_signed(number.value) {
        Some(length) => Ok(Sourced::new(length, number.origin)),
        None => Err(topic.unknown(key, "is negative: segments are not rolled by time")),
    }
}

/// C. Topics whose policy contains `compact` are deleted from by the log cleaner's threads, every `log.cleaner.backoff.ms` plus one cleaning
/// pass, whose length no setting bounds.
pub(super) fn check(
    cluster: &str,
    broker: &Reader<'_>,
    cleanup: &Result<Sourced<CleanupPolicy>, Unknown>,
    remote: bool,
) -> Sourced<Millis> {
    if cleanup.as_ref().is_ok_and(|cleanup| cleanup.value.compact) {
        let backoff = positive(broker, "log.cleaner.backoff.ms").map_or(Millis::ZERO, |backoff| backoff.value);
        let length = backoff.max(ASSUMED_CHECK);
        let origin = format!("assumed for cluster {cluster}: log.cleaner.backoff.ms and one cleaning pass take no longer than {length}");
        return Sourced::assumed(length, origin);
    }
    let mut check = positive(broker, "log.retention.check.interval.ms").unwrap_or_else(|unknown| {
        let origin = format!("assumed for cluster {cluster}: retention check interval {ASSUMED_CHECK} ({})", unknown.reason);
        Sourced::assumed(ASSUMED_CHECK, origin)
    });
    if remote && check.value < REMOTE_CHECK {
        let origin = format!("assumed for cluster {cluster}: expired remote segments are looked for every {REMOTE_CHECK}");
        check = Sourced::assumed(REMOTE_CHECK, origin);
    }
    check
}

/// `message.timestamp.type`.
pub(super) fn timestamps(topic: &Reader<'_>) -> Result<Sourced<TimestampType>, Unknown> {
    let text = topic.text("message.timestamp.type")?;
    let value = match text.value.trim() {
        "CreateTime" => TimestampType::CreateTime,
        "LogAppendTime" => TimestampType::LogAppendTime,
        _ => return Err(topic.unknown("message.timestamp.type", "is neither CreateTime nor LogAppendTime")),
    };
    Ok(Sourced::new(value, text.origin))
}

/// F. On Kafka 3.6 to 3.9 `message.timestamp.difference.max.ms` applies where `message.timestamp.after.max.ms` is left at its largest value;
/// before 3.6 there is only the former, from 4.0 on only the latter. With neither, F is not known: nothing says that it is small.
pub(super) fn skew(topic: &Reader<'_>, timestamps: &Result<Sourced<TimestampType>, Unknown>) -> Result<Sourced<Millis>, Unknown> {
    const AFTER: &str = "message.timestamp.after.max.ms";
    const DIFFERENCE: &str = "message.timestamp.difference.max.ms";
    let timestamps = timestamps.as_ref().map_err(Clone::clone)?;
    if timestamps.value == TimestampType::LogAppendTime {
        return Ok(Sourced::new(Millis::ZERO, format!("LogAppendTime ({})", timestamps.origin)));
    }
    if topic.has(AFTER) {
        let after = positive(topic, AFTER)?;
        let left_alone = after.value >= Millis::new(i64::MAX.unsigned_abs());
        return Ok(if left_alone { positive(topic, DIFFERENCE).unwrap_or(after) } else { after });
    }
    if topic.has(DIFFERENCE) { positive(topic, DIFFERENCE) } else { positive(topic, AFTER) }
}

/// Whether tiered storage is on; a key that is not there leaves the window's arithmetic as it is.
pub(super) fn remote(topic: &Reader<'_>) -> bool {
    topic.text("remote.storage.enable").is_ok_and(|text| text.value.trim() == "true")
}

/// Whether the log cleaner is known to be switched off.
pub(super) fn cleaner_off(broker: &Reader<'_>) -> Option<Sourced<()>> {
    broker.text("log.cleaner.enable").ok().filter(|text| text.value.trim() == "false").map(|text| Sourced::new((), text.origin))
}
