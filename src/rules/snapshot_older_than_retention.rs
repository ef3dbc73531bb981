//! `snapshot-older-than-retention`: the first unread record of the selected snapshot has left the topic.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{
        recovery::{Behind, GoneByDate, LossState, TopicUnread, Unread},
        snapshots::{PlaceView, SnapshotView, remedy, words},
    },
    finding::{Amount, Finding, Remedy, Severity, ShownFact},
    manifest::Reset,
};

static META: RuleMeta = RuleMeta {
    id: "snapshot-older-than-retention",
    summary: "the first unread record of the selected snapshot has left the topic",
    severity: Severity::Error,
};

/// See the module.
pub(super) struct SnapshotOlderThanRetention;

impl Rule for SnapshotOlderThanRetention {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        job.judge_selected(out, |place, snapshot| judge(job, place, snapshot));
    }
}

/// A topic from which records are gone.
type Gone<'a> = (&'a str, &'a TopicUnread, &'a Unread);

fn judge(job: &JobContext<'_>, place: &PlaceView, snapshot: &SnapshotView) -> Judged {
    let mut gone: Vec<Gone<'_>> = Vec::new();
    let mut open = None;
    for topic in job.analysis.outlook.unread_of(&snapshot.location) {
        match (&topic.topic, &topic.answer) {
            (Some(name), Ok(Some(unread))) if unread.is_gone() => gone.push((name, topic, unread)),
            (_, Ok(Some(unread))) => open = open.or_else(|| unread.not_settled().cloned()),
            (_, Ok(None)) => {}
            (_, Err(unknown)) => open = open.or_else(|| Some(unknown.clone())),
        }
    }
    // What is gone from one topic is gone, whatever is not known of another.
    match (gone.is_empty(), open) {
        (false, _) => Ok(finding(job, place, snapshot, &gone).into()),
        (true, Some(unknown)) => Err(unknown),
        (true, None) => Ok(Verdict::Pass),
    }
}

fn finding(job: &JobContext<'_>, place: &PlaceView, snapshot: &SnapshotView, gone: &[Gone<'_>]) -> Finding {
    let kind = place.kind.word();
    let each: Vec<String> = gone.iter().filter_map(|(name, _, unread)| unread.gone_words(kind, name, snapshot.taken_at)).collect();
    let mut message =
        format!("A restart from {}, which the declared way of restarting takes, loses records: {}.", snapshot.location, each.join("; "));
    if gone.iter().any(|(_, topic, unread)| topic.kafka && unread.reset == Reset::Earliest) {
        message.push_str(" Under `reset: earliest` the source goes on at the beginning of the topic, and nothing reports the gap.");
    }
    let mut facts = words::facts(snapshot, place.origin());
    for (name, _, unread) in gone {
        facts.extend(numbers(job, name, unread, snapshot));
    }
    Finding { severity: META.severity, message, facts, bites_on: None, remedy: ways_out(job), position: place.declared.position }
}

/// Both sides of the comparison, and what lies between.
fn numbers(job: &JobContext<'_>, topic: &str, unread: &Unread, snapshot: &SnapshotView) -> Vec<ShownFact> {
    match unread.gone_by_date {
        Some(GoneByDate::FirstRecord(first)) => {
            return vec![ShownFact::new(
                format!("first record of {topic}"),
                Amount::Instant(first),
                "the youngest first record of a partition, when the evidence was captured; the snapshot's positions were not read",
            )];
        }
        Some(GoneByDate::Declared(length)) => {
            let age = job.as_of.at.since(snapshot.taken_at);
            return vec![
                ShownFact::new(format!("retention of {topic}"), Amount::Duration(length), "the manifest"),
                ShownFact::new("snapshot age", Amount::Duration(age), "last modified of _metadata"),
            ];
        }
        None => {}
    }
    let Some(worst) = unread.behind.iter().rev().max_by_key(|one| one.start.saturating_sub(one.next)) else { return Vec::new() };
    let Behind { partition, next, start, .. } = *worst;
    let whole = |offset: i64| Amount::Count(u64::try_from(offset).unwrap_or(0));
    let counted = words::counted(unread.behind.len(), "partition");
    let bound = unread.gaps.as_ref().map_or_else(String::new, |gaps| format!("at most ({gaps}): "));
    vec![
        ShownFact::new(format!("position in {topic}, partition {partition}"), whole(next), "source positions in _metadata"),
        ShownFact::new(format!("log start of {topic}, partition {partition}"), whole(start), "ListOffsets, earliest"),
        ShownFact::new(
            format!("records of {topic} not read any more"),
            Amount::Records(unread.lost()),
            format!(
                "{bound}positions in _metadata against the log {}, {counted}",
                if unread.reset == Reset::Latest { "end" } else { "start" }
            ),
        ),
    ]
}

fn ways_out(job: &JobContext<'_>) -> Vec<Remedy> {
    let mut remedy = Vec::new();
    if let Some(best) = job.analysis.outlook.without_loss.best_alternative.as_ref().filter(|best| best.state >= LossState::AtMost) {
        let until = best.at.map_or_else(String::new, |at| format!(" until {}", at.day()));
        let known = if best.state == LossState::Date { "" } else { ", as far as it is known" };
        remedy.push(Remedy::say(format!(
            "Restore from the {} {} instead: it comes back without loss{until}{known} ({}).",
            best.kind.word(),
            best.snapshot,
            best.because
        )));
    }
    remedy.push(remedy::fresh_savepoint(&job.job.flink, &job.analysis.recovery));
    remedy.push(Remedy::say(
        "Take savepoints more often than the topic forgets, or let the topic keep records longer than the oldest snapshot that a runbook may \
         name. Neither brings back what has left the topic.",
    ));
    remedy
}
