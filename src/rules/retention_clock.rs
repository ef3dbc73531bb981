//! Retention goes by the producers' clocks, and they make it act too early or never.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{KafkaTerms, TimestampType, Window, partition_clocks},
    evidence::Unknown,
    finding::{Amount, Finding, Remedy, Severity, ShownFact},
    units::{Instant, Millis, Retention},
};

/// See the module.
pub(super) struct RetentionClock;

static META: RuleMeta = RuleMeta {
    id: "retention-clock",
    summary: "Timestamps make retention delete too early or never: late records, seconds for milliseconds, or the future.",
    severity: Severity::Error,
};

impl Rule for RetentionClock {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        job.judge_topics(out, "event lag", Severity::Warning, event_lag);
        job.judge_topics(out, "timestamps in seconds", Severity::Error, |window, kafka| seconds(job, window, kafka));
        job.judge_topics(out, "timestamps in the future", Severity::Error, |window, kafka| future(job, window, kafka));
    }
}

/// Whether the producers' clocks count; under LogAppendTime they do not.
fn producers_clock(kafka: &KafkaTerms) -> Result<bool, Unknown> {
    kafka.timestamps.as_ref().map(|timestamps| timestamps.value == TimestampType::CreateTime).map_err(Clone::clone)
}

/// Whether time deletes from the topic at all, and after how long.
fn by_time(window: &Window) -> Result<Option<Millis>, Unknown> {
    match window.retention.as_ref().map_err(Clone::clone)?.value {
        Retention::For(length) => Ok(Some(length)),
        Retention::Unlimited | Retention::SizeBound => Ok(None),
    }
}

fn event_lag(window: &Window, kafka: &KafkaTerms) -> Judged {
    let lag = &kafka.event_lag;
    // A lag that nobody states is taken as 0, which is listed as an assumption; 0 is below every retention.
    if lag.value == Millis::ZERO || !producers_clock(kafka)? {
        return Ok(Verdict::Pass);
    }
    let Some(retention) = by_time(window)? else { return Ok(Verdict::Pass) };
    if lag.value < retention {
        return Ok(Verdict::Pass);
    }
    let origin = window.retention.as_ref().map_or_else(|unknown| unknown.reason.clone(), |retention| retention.origin.clone());
    Ok(Finding {
        severity: Severity::Warning,
        message: format!(
            "Records of topic {} may be {} late when they are written, and retention deletes by their own timestamp after {retention} (CreateTime): a \
             record that late can go at the next check, before anybody has read it. The floor is 0.",
            window.topic, lag.value
        ),
        facts: vec![
            ShownFact::new("max_event_lag", Amount::Duration(lag.value), lag.origin.clone()),
            ShownFact::new("retention", Amount::Duration(retention), origin),
        ],
        bites_on: None,
        remedy: vec![
            Remedy::say("Let the broker stamp the records, if nothing downstream needs the producers' timestamps: message.timestamp.type=LogAppendTime."),
            Remedy::say(format!("Or keep records for longer than {} plus the longest downtime.", lag.value)),
        ],
        position: window.position,
    }
    .into())
}

fn seconds(job: &JobContext<'_>, window: &Window, kafka: &KafkaTerms) -> Judged {
    if !producers_clock(kafka)? {
        return Ok(Verdict::Pass);
    }
    let clocks = partition_clocks(window, job.evidence)?;
    let Some((partition, timestamp, origin)) = clocks.in_seconds else { return clocks.gap.map_or(Ok(Verdict::Pass), Err) };
    let read_as = |at: Option<Instant>| at.map_or_else(|| "out of range".to_owned(), Instant::minute);
    let effect = match by_time(window) {
        Ok(Some(retention)) => {
            format!("Retention takes them for more than {retention} old and deletes them at the next check after they are written.")
        }
        Ok(None) => "Time does not delete from this topic, but every other use of the timestamp is wrong.".to_owned(),
        Err(_) => "A retention by time takes them for decades old and deletes them at the next check after they are written.".to_owned(),
    };
    Ok(Finding {
        severity: Severity::Error,
        message: format!(
            "Timestamps of topic {} look like seconds where milliseconds belong: {timestamp} in partition {partition} is {} in milliseconds and {} in \
             seconds. {effect}",
            window.topic,
            read_as(Instant::from_epoch_ms(timestamp)),
            read_as(Instant::from_epoch_seconds(timestamp)),
        ),
        facts: vec![ShownFact::new("timestamp", Amount::Text(timestamp.to_string()), format!("partition {partition}, {origin}"))],
        bites_on: None,
        remedy: vec![
            Remedy::say("Correct the producer: record timestamps are milliseconds since 1970-01-01T00:00Z."),
            Remedy::say("Until then message.timestamp.type=LogAppendTime on the topic makes the broker stamp what is written from then on."),
        ],
        position: window.position,
    }
    .into())
}

fn future(job: &JobContext<'_>, window: &Window, kafka: &KafkaTerms) -> Judged {
    // Where time deletes nothing, no timestamp holds a deletion back.
    if !producers_clock(kafka)? || by_time(window)?.is_none() {
        return Ok(Verdict::Pass);
    }
    let clocks = partition_clocks(window, job.evidence)?;
    // What the broker permits is in the worst case up to a day; above that, or where it is not known, a day.
    let (permitted, basis) = match &kafka.skew {
        Ok(skew) if skew.value <= Millis::DAY => (skew.value, format!("permitted by {}", skew.origin)),
        Ok(skew) => (Millis::DAY, format!("the most that the worst case allows for; {} permits more", skew.origin)),
        Err(unknown) => (Millis::DAY, format!("the most that the worst case allows for; {}", unknown.reason)),
    };
    let topic = window.cluster.as_ref().and_then(|cluster| job.evidence.kafka.get(cluster)?.topics.get(&window.topic));
    let captured_at = topic.map_or(job.evidence.captured_at, |topic| topic.captured_at(job.evidence.captured_at));
    let latest = captured_at.plus(permitted).epoch_ms();
    let Some((partition, timestamp)) = clocks.largest.filter(|(_, timestamp)| *timestamp > latest) else {
        return clocks.gap.map_or(Ok(Verdict::Pass), Err);
    };
    let retention = by_time(window)?.unwrap_or(Millis::ZERO);
    let stamped = Instant::from_epoch_ms(timestamp);
    let until = stamped.map(|at| at.plus(retention));
    let at = stamped.map_or_else(|| format!("{timestamp} ms, beyond the year 9999"), Instant::minute);
    let until = until.map_or_else(|| "for ever".to_owned(), |until| format!("until {}", until.minute()));
    Ok(Finding {
        severity: Severity::Error,
        message: format!(
            "Partition {partition} of topic {} holds a record that is stamped in the future ({at}, captured at {}). Retention goes by the largest timestamp \
             of a segment and stops at the first segment that it may not delete, so nothing from that segment on is deleted by time {until}: the history \
             grows beyond every TTL that was chosen for it.",
            window.topic,
            captured_at.minute()
        ),
        facts: vec![
            ShownFact::new(
                "largest timestamp",
                stamped.map_or_else(|| Amount::Text(timestamp.to_string()), Amount::Instant),
                format!("partition {partition}, record with the largest timestamp"),
            ),
            ShownFact::new("captured at", Amount::Instant(captured_at), "evidence"),
            ShownFact::new("skew", Amount::Duration(permitted), basis),
        ],
        bites_on: None,
        remedy: vec![
            Remedy::say("Correct the producer's clock or unit (microseconds and nanoseconds look like this)."),
            job.alter_topic(
                window,
                &[("message.timestamp.after.max.ms", 3_600_000)],
                "Refuse such records from now on (Kafka 3.6 and later).",
            ),
            Remedy::say("What is already there goes only when its time comes, or by kafka-delete-records.sh below an offset that every consumer has passed."),
        ],
        position: window.position,
    }
    .into())
}
