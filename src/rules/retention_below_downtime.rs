//! `retention-below-downtime`: what the topic is sure to keep is shorter than snapshot age plus downtime.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{
        Downtime, SizeLimit, Window,
        recovery::{Leaves, TopicUnread, Unread},
        snapshots::{PlaceView, SnapshotView, remedy},
    },
    evidence::Unknown,
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject},
    manifest::Reset,
    units::{Millis, Retention},
};

static META: RuleMeta = RuleMeta {
    id: "retention-below-downtime",
    summary: "what the topic is sure to keep is shorter than snapshot age plus downtime: loss",
    severity: Severity::Error,
};

/// See the module.
pub(super) struct RetentionBelowDowntime;

impl Rule for RetentionBelowDowntime {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        let recovery = &job.analysis.recovery;
        let (selected, unread) = match recovery.selected() {
            Ok(Some((place, snapshot))) => (Some((place, snapshot)), job.analysis.outlook.unread_of(&snapshot.location)),
            // Without state to lose, a job that starts from nothing has read everything until it stops.
            Ok(None) => (None, job.analysis.outlook.unread_from_nothing.as_slice()),
            Err(unknown) => {
                if let Some(place) = recovery.places.first() {
                    out.judge(place.subject(), || Err(unknown));
                }
                return;
            }
        };
        for topic in unread {
            out.judge(subject(job, topic), || judge(job, selected, topic));
        }
    }
}

/// The topic, with every source that reads it.
fn subject(job: &JobContext<'_>, topic: &TopicUnread) -> Subject {
    match job.window(topic) {
        Some(window) if topic.kafka => job.topic_subject(window, "topic"),
        _ => Subject::new(&topic.source, "source").about_sources([topic.source.as_str()]),
    }
}

/// The snapshot that a restart takes, with its place.
type Selected<'a> = Option<(&'a PlaceView, &'a SnapshotView)>;

fn judge(job: &JobContext<'_>, selected: Selected<'_>, topic: &TopicUnread) -> Judged {
    let unread = match topic.answer.as_ref().map_err(Clone::clone)? {
        Some(unread) if !unread.is_gone() && unread.beyond.is_empty() => unread,
        // Said by louder rules.
        _ => return Ok(Verdict::NotApplicable),
    };
    let Some(window) = job.window(topic).filter(|window| !window.is_left_to_the_clock()) else { return Ok(Verdict::NotApplicable) };
    let Some(leaves) = unread.leaves.as_ref().map_err(Clone::clone)? else { return Ok(Verdict::Pass) };
    let as_of = job.as_of.at;
    let downtime = match &job.analysis.downtime {
        Ok(downtime) if leaves.at < downtime.back_at(as_of) => Some(*downtime),
        Ok(_) => return settled(unread),
        Err(_) if leaves.at < as_of => None,
        Err(unknown) => return Err(unknown.clone()),
    };
    Ok(finding(job, selected, window, unread, leaves, downtime).into())
}

/// A pass by the date of a file is none where positions belong: a copy resets that date.
fn settled(unread: &Unread) -> Judged {
    unread.not_settled().map_or(Ok(Verdict::Pass), |unknown: &Unknown| Err(unknown.clone()))
}

fn finding(
    job: &JobContext<'_>,
    selected: Selected<'_>,
    window: &Window,
    unread: &Unread,
    leaves: &Leaves,
    downtime: Option<Downtime>,
) -> Finding {
    let as_of = job.as_of.at;
    let topic = &window.topic;
    let floor = leaves.floor;
    let age = leaves.stamped.map_or(Millis::ZERO, |stamp| as_of.since(stamp.at));
    let down = downtime.map_or(Millis::ZERO, |downtime| downtime.length);
    let needed = age.plus(down);
    let what = if window.cluster.is_some() { "topic" } else { "source" };
    let mut message = match downtime {
        Some(downtime) => format!(
            "If the job stops now, records of {what} {topic} may be lost from {} on: it is sure to keep a record for {floor}, and {needed} are \
             needed, since the job may be down for {} ({})",
            leaves.at.minute(),
            downtime.length,
            downtime.whose
        ),
        None => format!(
            "If the job stops now, records of {what} {topic} may be lost at any moment, since {}: it is sure to keep a record for {floor}",
            leaves.at.minute()
        ),
    };
    message.push_str(&match (leaves.stamped, selected) {
        (Some(stamp), Some((place, snapshot))) => format!(
            " and the {} that the declared way of restarting takes, {}, goes on with a record {}, {age} ago.",
            place.kind.word(),
            snapshot.location,
            stamp.words()
        ),
        _ => " and what is written from the stop on has to wait that long.".to_owned(),
    });
    message.push_str(match unread.reset {
        _ if window.cluster.is_none() => "",
        Reset::Earliest => " Under `reset: earliest` the source then goes on at the beginning of the topic, and nothing reports the gap.",
        Reset::Latest => " Under `reset: latest` the source then skips everything up to the end, and nothing reports that.",
        Reset::None => " Under `reset: none` the restart then fails.",
    });
    let floor_origin = window.floor.as_ref().map_or_else(|unknown| unknown.reason.clone(), |floor| floor.origin.clone());
    let mut facts = vec![ShownFact::new("floor", Amount::Duration(floor), floor_origin)];
    if let Some(stamp) = leaves.stamped {
        facts.push(ShownFact::new("age of the first unread record", Amount::Duration(age), stamp.words()));
    }
    if let Some(downtime) = downtime {
        facts.push(ShownFact::new("max_downtime", Amount::Duration(downtime.length), downtime.whose));
    }
    facts.push(ShownFact::new("needed", Amount::Duration(needed), "age of the first unread record + max_downtime"));
    facts.push(ShownFact::new("may leave from", Amount::Instant(leaves.at), "stamped at, or the stop, + floor"));
    Finding {
        severity: META.severity,
        message,
        facts,
        bites_on: Some(leaves.at),
        remedy: ways_out(job, window, floor, age, down),
        position: window.position,
    }
}

fn ways_out(job: &JobContext<'_>, window: &Window, floor: Millis, age: Millis, down: Millis) -> Vec<Remedy> {
    let margin = job.audit.policy.safety_margin;
    let needed = age.plus(down).plus(margin).round_up_to_days();
    let topic = &window.topic;
    // Late records shorten the floor by their lag, which a longer retention makes up for; what size cuts it does not.
    let cut_by_size = matches!(window.kafka.as_ref().map(|kafka| &kafka.size), Some(SizeLimit::Cuts { lasts, .. }) if lasts.value == floor);
    let by_time = window.retention.as_ref().ok().and_then(|retention| match retention.value {
        Retention::For(length) if !cut_by_size => Some(needed.plus(length.minus(floor))),
        _ => None,
    });
    let mut remedy = Vec::new();
    if window.cluster.is_none() {
        remedy.push(Remedy::say(format!(
            "Let source {topic} keep its records for at least {needed} (age + downtime + safety margin {margin})."
        )));
    } else if let Some(retention) = by_time {
        let lag = if retention > needed { " + how late records may be" } else { "" };
        let value = i64::try_from(retention.as_ms()).unwrap_or(i64::MAX);
        let say = format!(
            "Let the topic keep its records for {retention} (age + downtime + safety margin {margin}{lag}). It costs disk in proportion, and TTLs that \
             are judged against the retention have to follow: check again with the new value."
        );
        remedy.push(job.alter_topic(window, &[("retention.ms", value)], &say));
    } else {
        remedy.push(Remedy::say(format!(
            "Let the topic keep its records for at least {needed} (age + downtime + safety margin {margin}): by `retention.bytes`, which cuts \
             them sooner than `retention.ms` does (see `retention-size-bound`)."
        )));
    }
    if down < floor {
        if age > Millis::ZERO {
            remedy.push(remedy::fresh_savepoint(&job.job.flink, &job.analysis.recovery));
        }
        remedy.push(Remedy::say(format!(
            "Or restart from a snapshot that is younger than {} (floor − downtime), always: take them at least that often.",
            floor.minus(down)
        )));
    } else {
        remedy.push(Remedy::say(
            "No snapshot helps here, however young: the downtime alone is longer than what the topic is sure to keep. The other way out is to be \
             back sooner, and to declare so (`max_downtime`).",
        ));
    }
    remedy
}
