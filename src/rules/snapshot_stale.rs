//! `snapshot-stale`: the newest durable way back is older than half of what the topic keeps.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{
        Window,
        recovery::{Durable, Leaves, Stamp, TopicUnread},
        snapshots::{PlaceView, SnapshotKind, SnapshotView, remedy, words},
    },
    evidence::Unknown,
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject},
    manifest::{OnCancel, Recovery},
    units::Millis,
};

static META: RuleMeta = RuleMeta {
    id: "snapshot-stale",
    summary: "the newest durable way back is older than half of what the topic keeps",
    severity: Severity::Warning,
};

/// See the module.
pub(super) struct SnapshotStale;

impl Rule for SnapshotStale {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        if let Some(recovery) = &job.job.recovery {
            out.judge(Subject::new("snapshots", "declaration"), || judge(job, recovery));
        }
    }
}

/// How far a durable snapshot is from losing records, by the topic where that is worst.
enum Age<'a> {
    Fresh,
    /// Older than half of the floor.
    Stale(&'a TopicUnread, Leaves, Millis),
    /// A louder rule says that records are gone, or will be before the job is back.
    Worse,
}

fn judge(job: &JobContext<'_>, recovery: &Recovery) -> Judged {
    let outlook = &job.analysis.outlook;
    let mut worst = None;
    let mut open: Option<Unknown> = None;
    for durable in &outlook.durable {
        match (age(job, durable), durable.open.first()) {
            (Ok(Age::Fresh), None) => return Ok(Verdict::Pass),
            (Ok(Age::Fresh), Some(unknown)) => open = open.or_else(|| Some(unknown.clone())),
            (Err(unknown), _) => open = open.or(Some(unknown)),
            (Ok(answer), _) => worst = worst.or(Some((durable, answer))),
        }
    }
    // A place that could not be looked into might hold a newer one.
    let unseen = job.analysis.recovery.places.iter().find_map(|place| place.newest().err());
    match (worst, open.or(unseen)) {
        (_, Some(unknown)) => Err(unknown),
        (Some((durable, Age::Stale(topic, leaves, age))), None) => {
            let found = job
                .analysis
                .recovery
                .places
                .iter()
                .find_map(|place| Some((place, place.complete().iter().find(|snapshot| snapshot.location == durable.location)?)));
            Ok(found.map_or(Verdict::NotApplicable, |found| finding(job, recovery, found, topic, &leaves, age).into()))
        }
        // None at all: other rules say so.
        _ => Ok(Verdict::NotApplicable),
    }
}

fn age<'a>(job: &'a JobContext<'_>, durable: &Durable) -> Result<Age<'a>, Unknown> {
    let as_of = job.as_of.at;
    let mut answer = Age::Fresh;
    for topic in job.analysis.outlook.unread_of(&durable.location) {
        let Some(unread) = topic.answer.as_ref().map_err(Clone::clone)? else { continue };
        if unread.is_gone() || !unread.beyond.is_empty() {
            return Ok(Age::Worse);
        }
        if job.window(topic).is_some_and(Window::is_left_to_the_clock) {
            continue;
        }
        let Some(leaves) = *unread.leaves.as_ref().map_err(Clone::clone)? else { continue };
        let Some(stamp) = leaves.stamped else { continue };
        if job.analysis.downtime.as_ref().is_ok_and(|downtime| leaves.at < downtime.back_at(as_of))
            && job.analysis.recovery.selects(&durable.location)
        {
            return Ok(Age::Worse);
        }
        let age = as_of.since(stamp.at);
        let half = Millis::new(leaves.floor.as_ms() / 2);
        if age <= half {
            if let Some(unknown) = unread.not_settled() {
                return Err(unknown.clone());
            }
            continue;
        }
        let worse = match &answer {
            Age::Stale(_, known, _) => leaves.at < known.at,
            _ => true,
        };
        if worse {
            answer = Age::Stale(topic, leaves, age);
        }
    }
    Ok(answer)
}

fn finding(
    job: &JobContext<'_>,
    recovery: &Recovery,
    (place, snapshot): (&PlaceView, &SnapshotView),
    topic: &TopicUnread,
    leaves: &Leaves,
    age: Millis,
) -> Finding {
    let name = topic.topic.as_deref().unwrap_or(&topic.source);
    let half = Millis::new(leaves.floor.as_ms() / 2);
    let stamped = leaves.stamped.map_or_else(String::new, Stamp::words);
    let mut message = format!(
        "The newest durable way back is the {} {}, whose first unread record in {name}, {stamped}, is {age} old: more than half of the {} for which \
         it is sure to be kept. From {} on it may be gone.",
        place.kind.word(),
        snapshot.location,
        leaves.floor,
        leaves.at.minute()
    );
    let on_cancel = recovery.checkpoints.as_ref().and_then(|checkpoints| checkpoints.on_cancel);
    let deleted =
        on_cancel == Some(OnCancel::Delete) && !job.analysis.outlook.durable.iter().any(|durable| durable.kind == SnapshotKind::Checkpoint);
    if deleted {
        message.push_str(" The job's checkpoints are no durable way back: a cancellation deletes them (`on_cancel: delete`).");
    }
    let mut facts = words::facts(snapshot, place.origin());
    facts.push(ShownFact::new("age of the first unread record", Amount::Duration(age), stamped));
    facts.push(ShownFact::new("half of the floor", Amount::Duration(half), format!("floor {} of {name}", leaves.floor)));
    facts.push(ShownFact::new("may leave from", Amount::Instant(leaves.at), "stamped at + floor"));
    let mut remedy = vec![
        remedy::fresh_savepoint(&job.job.flink, &job.analysis.recovery),
        Remedy::say(format!("Take savepoints by schedule, more often than every {half}.")),
    ];
    if deleted {
        remedy.push(remedy::retain_checkpoints());
    }
    Finding { severity: META.severity, message, facts, bites_on: Some(leaves.at), remedy, position: recovery.position }
}
