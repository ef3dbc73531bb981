//! `source-reset-silent`: a position that the topic no longer has is replaced, and nothing fails.

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{
        Window,
        recovery::{Leaves, TopicUnread, Unread},
        snapshots::{PlaceView, SnapshotView},
    },
    evidence::Unknown,
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject},
    manifest::{KafkaSource, Reset, Source, SourceKind},
    units::Instant,
};

static META: RuleMeta = RuleMeta {
    id: "source-reset-silent",
    summary: "a lost position is replaced silently: what is gone, or everything up to the end, is skipped and nothing fails",
    severity: Severity::Warning,
};

/// See the module.
pub(super) struct SourceResetSilent;

impl Rule for SourceResetSilent {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        let selected = job.analysis.recovery.selected();
        // Without a snapshot there is no position that could be lost.
        if matches!(selected, Ok(None)) {
            return;
        }
        for source in &job.job.sources {
            let SourceKind::Kafka(kafka) = &source.kind else { continue };
            let id = source.id.value.as_str();
            let subject = || Subject::new(id, "source").about_sources([id]);
            match &selected {
                // A restart that fails is heard.
                _ if kafka.reset == Reset::None => out.judge(subject(), || Ok(Verdict::Pass)),
                Ok(None) => {}
                Err(unknown) => out.judge(subject(), || Err(unknown.clone())),
                Ok(Some((place, snapshot))) => {
                    let topics = job.analysis.outlook.unread_of(&snapshot.location).iter().filter(|topic| topic.source == id);
                    let answers = Answers::of(job, topics);
                    for unknown in &answers.unknown {
                        out.judge(subject(), || Err(unknown.clone()));
                    }
                    match answers.finding(job, source, kafka, (place, snapshot)) {
                        Some(finding) => out.judge(subject(), || Ok(finding.into())),
                        None if answers.unknown.is_empty() && answers.judged => out.judge(subject(), || Ok(Verdict::Pass)),
                        None => {}
                    }
                }
            }
        }
    }
}

/// How a position is lost; the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Lost {
    /// It lies beyond the end of the log.
    Beyond,
    /// Records that the snapshot had not read have left the topic.
    Gone,
    /// They may leave it before the job is back, first at this instant.
    Within(Instant),
}

/// What is known of the topics of one source.
struct Answers<'a> {
    hits: Vec<(Lost, &'a str, &'a Unread)>,
    unknown: Vec<Unknown>,
    judged: bool,
}

impl<'a> Answers<'a> {
    /// Topics that are known not to exist are left to another rule.
    fn of(job: &JobContext<'_>, topics: impl Iterator<Item = &'a TopicUnread>) -> Self {
        let mut answers = Self { hits: Vec::new(), unknown: Vec::new(), judged: false };
        for topic in topics {
            let name = topic.topic.as_deref().unwrap_or(&topic.source);
            // Timestamps in seconds: another rule says that its records have no age.
            if job.window(topic).is_some_and(Window::is_left_to_the_clock) {
                continue;
            }
            match topic.answer.as_ref().map_err(Clone::clone).and_then(|unread| match unread {
                Some(unread) => Ok(Some((unread, lost(job, unread)?))),
                None => Ok(None),
            }) {
                Ok(Some((unread, lost))) => {
                    answers.judged = true;
                    answers.hits.extend(lost.map(|lost| (lost, name, unread)));
                }
                Ok(None) => {}
                Err(unknown) if answers.unknown.contains(&unknown) => {}
                Err(unknown) => answers.unknown.push(unknown),
            }
        }
        answers.hits.sort_by_key(|(lost, _, _)| *lost);
        answers
    }

    fn finding(
        &self,
        job: &JobContext<'_>,
        source: &Source,
        kafka: &KafkaSource,
        (place, snapshot): (&PlaceView, &SnapshotView),
    ) -> Option<Finding> {
        let (lost, topic, unread) = *self.hits.first()?;
        let id = &source.id.value;
        let kind = place.kind.word();
        let leaves = unread.leaves.as_ref().ok().and_then(Option::as_ref);
        let what = match lost {
            Lost::Beyond => {
                format!(
                    "Source {id} would go on beyond the end of topic {topic}: positions of the {kind} {} are not in it.",
                    snapshot.location
                )
            }
            Lost::Gone => {
                let gone =
                    unread.gone_words(kind, topic, snapshot.taken_at).unwrap_or_else(|| format!("positions of topic {topic} are gone"));
                format!("Source {id} would go on where topic {topic} does not reach any more: {gone} (from {}).", snapshot.location)
            }
            Lost::Within(_) => format!("Source {id} may lose its position in topic {topic} while the job is down: {}.", leaving(leaves)),
        };
        let then = match (lost, kafka.reset) {
            (Lost::Beyond, Reset::Latest) => "skips everything that the partition holds and goes on at its end: a gap",
            (Lost::Beyond, _) => "reads everything that the partition holds from its beginning: what was read before is written twice",
            (Lost::Gone | Lost::Within(_), Reset::Latest) => {
                "skips to the end of the partition: a gap of everything between, also of what the topic still has"
            }
            (Lost::Gone | Lost::Within(_), _) => "goes on at the beginning of the partition: a gap of what has left the topic",
        };
        let others = match self.hits.len() - 1 {
            0 => String::new(),
            1 => " The same source may lose its position in one more topic.".to_owned(),
            n => format!(" The same source may lose its position in {n} more topics."),
        };
        let derived = if kafka.reset == kafka.start.derived_reset() { ", as Flink derives it from `start`" } else { "" };
        let mut facts = vec![
            ShownFact::new("reset", Amount::Text(kafka.reset.word().to_owned()), format!("{}{derived}", job.origin(source.id.position))),
            ShownFact::new("snapshot", Amount::Instant(snapshot.taken_at), format!("last modified of _metadata of {}", snapshot.location)),
        ];
        if !unread.behind.is_empty() {
            let origin = format!("positions of the {kind} against log {}", if kafka.reset == Reset::Latest { "end" } else { "start" });
            let name = if unread.gaps.is_some() { "skipped, at most" } else { "skipped" };
            facts.push(ShownFact::new(name, Amount::Records(unread.lost()), origin));
        }
        if let Some(leaves) = leaves.filter(|_| matches!(lost, Lost::Within(_))) {
            facts.push(ShownFact::new("floor", Amount::Duration(leaves.floor), format!("what topic {topic} is sure to keep")));
        }
        if let (Lost::Within(_), Ok(downtime)) = (lost, &job.analysis.downtime) {
            facts.push(ShownFact::new("downtime", Amount::Duration(downtime.length), downtime.words()));
        }
        Some(Finding {
            severity: META.severity,
            message: format!(
                "{what} With `reset: {}` a restart then {then}, and nothing fails: no error, no restart, only a line in the log of a task \
                 manager.{others}",
                kafka.reset.word()
            ),
            facts,
            bites_on: match lost {
                Lost::Within(at) => Some(at),
                Lost::Beyond | Lost::Gone => None,
            },
            remedy: remedy(),
            position: source.id.position,
        })
    }
}

/// `what is unread of it, stamped …, may leave it from 2026-11-04 08:00Z on`.
fn leaving(leaves: Option<&Leaves>) -> String {
    leaves.map_or_else(String::new, |leaves| match leaves.stamped {
        Some(stamp) => format!("the first record that it has not read, {}, may leave the topic on {}", stamp.words(), leaves.at.minute()),
        None => format!("the first record that is written after the stop may leave the topic on {}", leaves.at.minute()),
    })
}

/// Whether, and how, a restart from the selected snapshot finds a position that is gone.
fn lost(job: &JobContext<'_>, unread: &Unread) -> Result<Option<Lost>, Unknown> {
    // A partition that is not there at all has no end to go beyond: the restart does not get as far as a reset.
    if unread.beyond.iter().any(|beyond| beyond.log.is_some()) {
        return Ok(Some(Lost::Beyond));
    }
    if unread.is_gone() {
        return Ok(Some(Lost::Gone));
    }
    let leaves = unread.leaves.as_ref().map_err(Clone::clone)?;
    let as_of = job.as_of.at;
    let within = match (leaves, &job.analysis.downtime) {
        (None, _) => None,
        (Some(leaves), Ok(downtime)) => (leaves.at < downtime.back_at(as_of)).then_some(leaves.at),
        (Some(leaves), Err(_)) if leaves.at < as_of => Some(leaves.at),
        (Some(_), Err(unknown)) => return Err(unknown.clone()),
    };
    match (within, unread.not_settled()) {
        (Some(at), _) => Ok(Some(Lost::Within(at))),
        // A copy resets the date of a file: a position that was not read may be older.
        (None, Some(unknown)) => Err(unknown.clone()),
        (None, None) => Ok(None),
    }
}

fn remedy() -> Vec<Remedy> {
    vec![
        Remedy::code(
            "Let a restart fail where its position is gone, and declare `reset: none`: somebody then decides. Flink's KafkaSource overwrites \
             `auto.offset.reset` with what its starting offsets bring; `committedOffsets()` brings none, and lets a start without state begin \
             at the group's offsets; `offsets(map, OffsetResetStrategy.NONE)` brings none, too. (Connectors with FLINK-39888 let a stated \
             `auto.offset.reset` win.)",
            "// in the builder of this KafkaSource\n    .setStartingOffsets(OffsetsInitializer.committedOffsets())",
        ),
        Remedy::say(
            "Or make sure that no position is lost: a longer retention, younger snapshots, a shorter downtime. And before a restart compare: the positions of \
             the snapshot (`ttl-audit snapshot`) with the beginning of the topic.",
        ),
    ]
}
