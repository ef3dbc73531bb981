//! `group-offsets-expire`: a source starts from committed offsets, and Kafka forgets them before the job is back.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{
        Downtime, Sourced, offsets_retention,
        snapshots::{Readable, SnapshotView},
    },
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject},
    manifest::{KafkaSource, Reset, RestoreFrom, Source, SourceKind, Start},
    units::Millis,
};

static META: RuleMeta = RuleMeta {
    id: "group-offsets-expire",
    summary: "a source starts from committed offsets, and these expire within the downtime",
    severity: Severity::Warning,
};

/// See the module.
pub(super) struct GroupOffsetsExpire;

impl Rule for GroupOffsetsExpire {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        let selected = readable(job);
        let highest = if selected.is_some() { Severity::Note } else { META.severity };
        for source in &job.job.sources {
            let SourceKind::Kafka(kafka) = &source.kind else { continue };
            if kafka.start == Start::Committed {
                let id = source.id.value.as_str();
                out.judge_as(Subject::new(id, "source").about_sources([id]), highest, || judge(job, source, kafka, selected));
            }
        }
    }
}

/// The selected snapshot, if it is known that all of it can be read: a restart from it does not look at committed offsets.
fn readable<'a>(job: &JobContext<'a>) -> Option<&'a SnapshotView> {
    let selected = job.analysis.recovery.selected().ok()??.1;
    (selected.readable() == Readable::Yes).then_some(selected)
}

fn judge(job: &JobContext<'_>, source: &Source, kafka: &KafkaSource, selected: Option<&SnapshotView>) -> Judged {
    let kept = offsets_retention(job.audit, job.evidence, kafka.cluster.as_ref().map(|cluster| cluster.value.as_str()))?;
    let downtime = job.analysis.downtime.clone()?;
    let interval =
        job.job.recovery.as_ref().and_then(|recovery| recovery.checkpoints.as_ref()).and_then(|checkpoints| checkpoints.interval);
    // The last commit is that of the last completed checkpoint.
    let needed = downtime.length.plus(interval.unwrap_or(Millis::ZERO));
    if kept.value > needed {
        return Ok(Verdict::Pass);
    }
    Ok(finding(job, source, kafka, selected, &kept, downtime).into())
}

fn finding(
    job: &JobContext<'_>,
    source: &Source,
    kafka: &KafkaSource,
    selected: Option<&SnapshotView>,
    kept: &Sourced<Millis>,
    downtime: Downtime,
) -> Finding {
    let id = &source.id.value;
    let cluster = job.audit.cluster_name(kafka.cluster.as_ref().map(|cluster| cluster.value.as_str()));
    let then = match kafka.reset {
        Reset::Earliest => {
            "a start without state begins at the beginning of the topic (`reset: earliest`), without an error, and what is still there is read a second time"
        }
        Reset::Latest => {
            "a start without state begins at the end of the topic (`reset: latest`), without an error, and what was not read before is skipped: it is lost"
        }
        Reset::None => "a start without state fails (`reset: none`), until somebody says where to begin",
    };
    let restart = match (selected, job.job.recovery.as_ref().map(|recovery| &recovery.restore.from)) {
        (Some(snapshot), _) => {
            format!("A restart from {}, which is selected and can be read, does not need them. Without it, ", snapshot.location)
        }
        (None, Some(RestoreFrom::None)) => "Every restart is one without state (`restore.from: none`): ".to_owned(),
        (None, Some(_)) => "No selected snapshot is known to be readable: ".to_owned(),
        (None, None) => "Nothing is said about snapshots: ".to_owned(),
    };
    let back = needed_days(downtime);
    Finding {
        severity: if selected.is_some() { Severity::Note } else { META.severity },
        message: format!(
            "Source {id} starts from committed offsets (`start: committed`), and the brokers of cluster {cluster} keep those for {} after the last commit \
             (`offsets.retention.minutes`; Flink assigns the partitions itself, so its group has no members and the clock runs from each commit). The job \
             may be down for {}. {restart}{then}.",
            kept.value, downtime.length
        ),
        facts: vec![
            ShownFact::new("offsets.retention.minutes", Amount::Duration(kept.value), kept.origin.clone()),
            ShownFact::new("downtime", Amount::Duration(downtime.length), downtime.words()),
            ShownFact::new(
                "expire, if the job stops now",
                Amount::Instant(job.as_of.at.plus(kept.value)),
                "as of + offsets.retention.minutes",
            ),
            ShownFact::new("reset", Amount::Text(kafka.reset.word().to_owned()), job.origin(source.id.position)),
        ],
        bites_on: None,
        remedy: vec![
            Remedy::say("Restart from a snapshot that can be read: its positions do not expire with the group's offsets."),
            Remedy::configuration(
                format!(
                    "Let the brokers keep committed offsets for longer than the job may be down, {back} here. It is a static setting: it goes into the \
                     file of every broker, which is then restarted."
                ),
                format!("offsets.retention.minutes={}", back.as_ms() / Millis::minutes(1).as_ms()),
            ),
        ],
        position: source.id.position,
    }
}

/// The downtime and a day, in whole days.
const fn needed_days(downtime: Downtime) -> Millis {
    downtime.length.plus(Millis::DAY).round_up_to_days()
}
