//! `position-beyond-end`: a snapshot's position lies beyond the log end, or in a partition that is gone.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{
        recovery::{Beyond, Unread},
        snapshots::{PlaceView, SnapshotView, remedy, words},
    },
    finding::{Amount, Finding, Remedy, Severity, ShownFact, thousands},
    manifest::Reset,
};

static META: RuleMeta = RuleMeta {
    id: "position-beyond-end",
    summary: "a snapshot's position lies beyond the log end or in a partition that is gone: the topic was re-created",
    severity: Severity::Error,
};

/// See the module.
pub(super) struct PositionBeyondEnd;

impl Rule for PositionBeyondEnd {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        job.judge_newest(out, |place, snapshot| judge(job, place, snapshot));
    }
}

fn judge(job: &JobContext<'_>, place: &PlaceView, snapshot: &SnapshotView) -> Judged {
    let mut hits: Vec<(&str, &Unread)> = Vec::new();
    let mut open = None;
    for topic in job.analysis.outlook.unread_of(&snapshot.location).iter().filter(|topic| topic.kafka) {
        match (&topic.topic, &topic.answer) {
            (Some(name), Ok(Some(unread))) if !unread.beyond.is_empty() => hits.push((name, unread)),
            (_, Ok(Some(unread))) => open = open.or_else(|| unread.by_date.clone()),
            (_, Ok(None)) => {}
            (_, Err(unknown)) => open = open.or_else(|| Some(unknown.clone())),
        }
    }
    match (hits.is_empty(), open) {
        (false, _) => Ok(finding(job, place, snapshot, &hits).into()),
        (true, Some(unknown)) => Err(unknown),
        (true, None) => Ok(Verdict::Pass),
    }
}

fn finding(job: &JobContext<'_>, place: &PlaceView, snapshot: &SnapshotView, hits: &[(&str, &Unread)]) -> Finding {
    let topics = words::listed(hits.iter().map(|(name, _)| format!("topic {name}")));
    let mut message = format!("{} goes on at positions that {topics} does not have.", words::the(snapshot, place));
    let mut facts = words::facts(snapshot, place.origin());
    for (name, unread) in hits {
        message.push_str(&sentence(name, unread));
        facts.extend(numbers(name, &unread.beyond));
    }
    if job.analysis.recovery.selects(&snapshot.location) {
        message.push_str(" It is the snapshot that the declared way of restarting takes.");
    }
    let mut remedy = vec![Remedy::say(
        "Do not restore these positions. Give the source a new uid and allow non-restored state (`flink run --allowNonRestoredState`), so that \
         every other operator keeps its state and the source begins where `start` says; or rewrite the snapshot without the source's state \
         (State Processor API). What that writes twice or skips is the report's way *offset reset*.",
    )];
    remedy.push(remedy::fresh_savepoint(&job.job.flink, &job.analysis.recovery));
    remedy.push(Remedy::say(
        "If the topic was not re-created on purpose, find out who did it before the job is \
         stopped: what the old topic held is gone with it.",
    ));
    Finding { severity: META.severity, message, facts, bites_on: None, remedy, position: place.declared.position }
}

/// What lies beyond in one topic, and what the reset makes of it.
fn sentence(topic: &str, unread: &Unread) -> String {
    let (gone, past): (Vec<&Beyond>, Vec<&Beyond>) = unread.beyond.iter().partition(|one| one.log.is_none());
    let mut text = String::new();
    if let Some(first) = past.first() {
        let end = first.log.map_or(0, |(_, end)| end);
        text.push_str(&format!(
            " Its position in {} of topic {topic} lies beyond the log end (partition {}: {} against {}): the topic was re-created, or its end \
             was cut off.",
            words::counted(past.len(), "partition"),
            first.partition,
            count(first.next),
            count(end)
        ));
        let readable = past.iter().filter_map(|one| one.log).map(|(start, end)| end.saturating_sub(start)).fold(0, i64::saturating_add);
        text.push_str(&match unread.reset {
            Reset::Earliest => format!(
                " Under `reset: earliest` the source reads all that is there, {} records today; once the log has grown past the position, it \
                 skips what lies before it instead, and nothing reports that.",
                count(readable)
            ),
            Reset::Latest => format!(
                " Under `reset: latest` the source skips to the end, past {} records that are there today, and nothing reports that.",
                count(readable)
            ),
            Reset::None => " Under `reset: none` the restart fails, until the log has grown past the position: then the source skips what \
                            lies before it, and nothing reports that."
                .to_owned(),
        });
    }
    if let Some(first) = gone.first() {
        text.push_str(&format!(
            " The snapshot holds positions of {} that topic {topic} no longer has (partition {}): partitions cannot be removed, so the topic was \
             re-created with fewer. No reset covers that: nothing can be read of a partition that is not there.",
            words::counted(gone.len(), "partition"),
            first.partition
        ));
    }
    text
}

fn numbers(topic: &str, beyond: &[Beyond]) -> Vec<ShownFact> {
    let mut facts = Vec::new();
    let Some(worst) = beyond.iter().max_by_key(|one| one.next.saturating_sub(one.log.map_or(0, |(_, end)| end))) else { return facts };
    let partition = worst.partition;
    facts.push(ShownFact::new(
        format!("position in {topic}, partition {partition}"),
        Amount::Count(u64::try_from(worst.next).unwrap_or(0)),
        "source positions in _metadata",
    ));
    facts.push(match worst.log {
        Some((_, end)) => ShownFact::new(
            format!("log end of {topic}, partition {partition}"),
            Amount::Count(u64::try_from(end).unwrap_or(0)),
            "ListOffsets, latest",
        ),
        None => ShownFact::new(format!("partition {partition} of {topic}"), Amount::Text("not there".to_owned()), "Metadata of the topic"),
    });
    facts
}

fn count(offset: i64) -> String {
    thousands(u64::try_from(offset).unwrap_or(0))
}
