//! Whether `retention.bytes` cuts history before `retention.ms` does.

use super::{
    SizeLimit, Sourced,
    observed::{age, answer, looks_like_seconds, timestamp},
};
use crate::{
    evidence::{TopicEvidence, Unknown},
    units::{Bytes, Instant, Millis, Retention},
};

/// What one partition shows.
enum Partition {
    Empty,
    ReachesBack,
    Cut { history: Millis, lasts: Millis },
}

/// Judges a limit by what is left in each partition.
///
/// Kafka tells no sizes here, so nothing follows from the limit alone. A partition whose first record is R old or older was not cut. One that
/// begins above offset 0 with a younger first record *has lost* younger records only if there were any: an idle spell before its first
/// record looks the same. So the partition must have records in every sampled interval of its history; then a cut is the plain reading (others
/// are a retention raised lately, and `DeleteRecords`). How long what it holds lasts is estimated at the rate of its busiest sampled interval,
/// taking records to be of even size.
pub(super) fn size_limit(
    topic: &str,
    evidence: &TopicEvidence,
    captured_at: Instant,
    retention: &Result<Sourced<Retention>, Unknown>,
    limit: Result<Option<Sourced<Bytes>>, Unknown>,
) -> SizeLimit {
    let limit = match limit {
        Ok(Some(limit)) => limit,
        Ok(None) => return SizeLimit::None,
        Err(unknown) => return SizeLimit::Undecided(unknown),
    };
    let partitions = match evidence.partitions.known() {
        Ok(seen) => &seen.value,
        Err(unknown) => return SizeLimit::Undecided(unknown),
    };
    let length = match retention {
        Ok(Sourced { value: Retention::For(length), .. }) => Some(*length),
        Ok(_) => None,
        Err(unknown) => return SizeLimit::Undecided(unknown.clone()),
    };
    let mut cut: Option<(i32, Millis, Millis)> = None;
    let mut undecided = None;
    let mut reaching = 0_usize;
    for &partition in partitions {
        match judge(topic, evidence, captured_at, partition, length) {
            Ok(Partition::Empty) => {}
            Ok(Partition::ReachesBack) => reaching += 1,
            Ok(Partition::Cut { history, lasts }) => {
                if cut.is_none_or(|(_, _, known)| lasts < known) {
                    cut = Some((partition, history, lasts));
                }
            }
            Err(unknown) => undecided = undecided.or(Some(unknown)),
        }
    }
    if let Some((partition, history, lasts)) = cut {
        let origin = format!("first record of partition {partition} of topic {topic}");
        let shortest = Sourced::new(history, origin);
        let basis = format!(
            "what partition {partition} of topic {topic} holds, at the rate of its busiest sampled interval (records of even size)"
        );
        return SizeLimit::Cuts { limit, shortest, lasts: Sourced::new(lasts, basis) };
    }
    match undecided {
        Some(unknown) => SizeLimit::Undecided(unknown),
        None if reaching > 0 => SizeLimit::NotReached(limit),
        None => SizeLimit::Undecided(Unknown::new(
            format!("retention.bytes limits topic {topic}, which is empty: nothing shows whether it cuts before retention.ms"),
            "",
        )),
    }
}

fn judge(
    topic: &str,
    evidence: &TopicEvidence,
    captured_at: Instant,
    partition: i32,
    retention: Option<Millis>,
) -> Result<Partition, Unknown> {
    let Some(first) = answer(topic, &evidence.first_record, partition)? else { return Ok(Partition::Empty) };
    let stamped = timestamp(topic, &evidence.first_record, partition, first)?;
    if looks_like_seconds(stamped, captured_at) {
        return Err(undecided(topic, "timestamps look like seconds"));
    }
    let history = age(stamped, captured_at);
    if retention.is_some_and(|retention| history >= retention) {
        return Ok(Partition::ReachesBack);
    }
    let start = answer(topic, &evidence.log_start, partition)?.map_or(0, |offset| offset.offset);
    if start <= 0 {
        return Err(undecided(topic, "nothing was deleted yet in a partition that is younger than the retention"));
    }
    let Some(end) = answer(topic, &evidence.log_end, partition)? else {
        return Err(undecided(topic, "the log end is not known"));
    };
    let held = u64::try_from(end.offset.saturating_sub(start)).unwrap_or(0);
    let busiest = busiest(topic, evidence, partition, stamped, captured_at, end.offset)?;
    let lasts = busiest.time_for(held).min(history);
    Ok(Partition::Cut { history, lasts })
}

/// Records in a length of time.
#[derive(Clone, Copy)]
struct Rate {
    records: u64,
    during: Millis,
}

impl Rate {
    /// Whether this rate is higher, by cross-multiplication.
    fn above(self, other: Self) -> bool {
        u128::from(self.records) * u128::from(other.during.as_ms()) > u128::from(other.records) * u128::from(self.during.as_ms())
    }

    /// How long `records` take to be written at this rate.
    fn time_for(self, records: u64) -> Millis {
        let ms = u128::from(records) * u128::from(self.during.as_ms()) / u128::from(self.records.max(1));
        Millis::new(u64::try_from(ms).unwrap_or(u64::MAX))
    }
}

/// The busiest of the sampled intervals that lie wholly within the partition's history. At least two are needed, each with records.
fn busiest(topic: &str, evidence: &TopicEvidence, partition: i32, first: i64, captured_at: Instant, end: i64) -> Result<Rate, Unknown> {
    let samples = evidence.samples.known()?;
    let mut points: Vec<(Instant, i64)> = Vec::new();
    for sample in samples.value.iter().filter(|sample| sample.at.epoch_ms() >= first && sample.at < captured_at) {
        match sample.offsets.partitions.get(&partition) {
            Some(Some(offset)) => points.push((sample.at, offset.offset)),
            // No record that new: the position is the log end.
            Some(None) => points.push((sample.at, end)),
            None => {}
        }
    }
    points.push((captured_at, end));
    points.sort_unstable();
    points.dedup();
    let mut busiest: Option<Rate> = None;
    let mut intervals = 0_usize;
    for ((from, low), (to, high)) in points.iter().zip(points.iter().skip(1)) {
        let rate = Rate { records: u64::try_from(high.saturating_sub(*low)).unwrap_or(0), during: to.since(*from) };
        if rate.records == 0 {
            return Err(undecided(
                topic,
                "a partition has sampled intervals without records, so it may have been idle before its first record",
            ));
        }
        intervals += 1;
        if busiest.is_none_or(|known| rate.above(known)) {
            busiest = Some(rate);
        }
    }
    busiest.filter(|_| intervals >= 2).ok_or_else(|| undecided(topic, "fewer than two sampled intervals lie within a partition's history"))
}

fn undecided(topic: &str, why: &str) -> Unknown {
    let reason = format!("the offsets of topic {topic} do not show whether retention.bytes cuts before retention.ms: {why}");
    Unknown::new(reason, "ListOffsets of each day of the window")
}
