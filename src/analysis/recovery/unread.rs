//! What a restart from a snapshot has not read yet, topic by topic: what of it is gone, and when the rest may go.
//!
//! The headline and the rules draw on this one answer, so that they cannot contradict each other.

use super::{
    Ground, Positions, logs, positions,
    positions::captured_at,
    topics::{TopicLogs, source},
    ways,
};
use crate::{
    analysis::{
        Bound, Observed, PartitionLog, Window,
        snapshots::{SnapshotKind, SnapshotView},
    },
    evidence::Unknown,
    finding::thousands,
    manifest::{Reset, RestoreFrom, Start},
    units::{Instant, Millis},
};

/// One topic of one source, seen from a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicUnread {
    /// The source's id.
    pub source: String,
    /// The topic, or the source's id for a source that is not Kafka. `None`: it is not known which topics the source reads.
    pub topic: Option<String>,
    /// Whether it is a topic of Kafka.
    pub kafka: bool,
    /// The answer. `Ok(None)`: it is known that the topic does not exist, which a finding says.
    pub answer: Result<Option<Unread>, Unknown>,
}

/// What a snapshot has not read of a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Why the positions were not taken from the snapshot: the date of its file stands for them, which a copy resets.
    pub by_date: Option<Unknown>,
    /// Partitions whose position lies before the log start, by partition.
    pub behind: Vec<Behind>,
    /// Partitions whose position the topic does not have, by partition.
    pub beyond: Vec<Beyond>,
    /// By the date of the file, records that it had not read are gone: when the oldest that is left was stamped, or what else tells so.
    pub gone_by_date: Option<GoneByDate>,
    /// When the first of what is unread may leave. `Ok(None)`: nothing that is known ends it.
    pub leaves: Result<Option<Leaves>, Unknown>,
    /// Where its source goes on when a position is gone.
    pub reset: Reset,
    /// When the first record that is left was stamped, over the partitions that are behind.
    pub first_at: Option<Instant>,
    /// Why offsets may have no record behind them, so that numbers are upper bounds.
    pub gaps: Option<String>,
    /// The source has no positions that could be compared, and the manifest declares how long it keeps its records.
    pub declared: bool,
}

/// A position that retention has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behind {
    /// The partition.
    pub partition: i32,
    /// s: where the snapshot goes on.
    pub next: i64,
    /// L: the log start.
    pub start: i64,
    /// E: the log end.
    pub end: i64,
}

/// A position that the topic does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// The partition.
    pub partition: i32,
    /// s: where the snapshot goes on.
    pub next: i64,
    /// L and E; `None`: the topic has no such partition.
    pub log: Option<(i64, i64)>,
}

/// How the date of a snapshot's file tells that records are gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoneByDate {
    /// The first readable record was stamped later than that, at this instant, and records had been deleted before it.
    FirstRecord(Instant),
    /// What was written then had to be kept for this long only, as the manifest declares.
    Declared(Millis),
}

/// When the first unread record may leave a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaves {
    /// The date.
    pub at: Instant,
    /// When it was stamped. `None`: everything is read, and what is written after the stop is the first that can leave.
    pub stamped: Option<Stamp>,
    /// How long the topic is sure to keep a record.
    pub floor: Millis,
}

/// When a record was stamped, and how that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The instant.
    pub at: Instant,
    /// How it is known.
    pub basis: StampBasis,
}

/// See [`Stamp`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StampBasis {
    /// The record's own timestamp.
    Record,
    /// Between two samples of offsets by time, at an even rate; not before this instant.
    Between(Instant),
    /// The date of the snapshot's file.
    FileDate,
    /// It was not there yet when the topic was looked at.
    Capture,
}

impl Stamp {
    /// `stamped 2026-09-14 00:00Z`, with how that is known.
    #[must_use]
    pub fn words(self) -> String {
        match self.basis {
            StampBasis::Record => format!("stamped {}", self.at.minute()),
            StampBasis::Between(from) => format!("stamped about {} (not before {})", self.at.minute(), from.minute()),
            StampBasis::Capture => format!("written after {} (when the topic was looked at)", self.at.minute()),
            StampBasis::FileDate => format!("stamped about {} (the date of its _metadata)", self.at.minute()),
        }
    }
}

impl Unread {
    /// Records that nobody reads any more, over the partitions whose positions are behind: up to the log start, or to the end where the
    /// reset skips to it.
    #[must_use]
    pub fn lost(&self) -> u64 {
        let until = |one: &Behind| if self.reset == Reset::Latest { one.end } else { one.start };
        self.behind.iter().map(|one| u64::try_from(until(one).saturating_sub(one.next)).unwrap_or(0)).fold(0, u64::saturating_add)
    }

    /// Why it is not settled that nothing is gone, where nothing is known to be: positions belong here, and a copy resets the date of a file; or
    /// nobody says how long the source keeps its records. `None`: it is settled.
    #[must_use]
    pub fn not_settled(&self) -> Option<&Unknown> {
        if self.declared { self.leaves.as_ref().err() } else { self.by_date.as_ref() }
    }

    /// Whether records are gone that the snapshot had not read.
    #[must_use]
    pub const fn is_gone(&self) -> bool {
        !self.behind.is_empty() || self.gone_by_date.is_some()
    }

    /// What a restart would not read any more, in words; `kind` is that of the snapshot.
    #[must_use]
    pub fn gone_words(&self, kind: &str, topic: &str, taken_at: Instant) -> Option<String> {
        if let Some(gone) = self.gone_by_date {
            return Some(match gone {
                GoneByDate::FirstRecord(first) => format!(
                    "by the date of its _metadata the {kind} is {} older than the first record that topic {topic} still has, so what was \
                     written between is gone, unread",
                    first.since(taken_at)
                ),
                GoneByDate::Declared(length) => format!(
                    "by the date of its _metadata the {kind} is older than the {length} for which source {topic} keeps its records, so what \
                     was written first after it is gone, unread"
                ),
            });
        }
        if self.behind.is_empty() {
            return None;
        }
        let apart = self.first_at.filter(|first| *first > taken_at).map(|first| first.since(taken_at));
        let begins = apart.map_or_else(
            || format!("the {kind} goes on before the beginning of topic {topic}"),
            |apart| format!("the {kind} begins {apart} before topic {topic} does"),
        );
        let records = thousands(self.lost());
        Some(match self.reset {
            Reset::Earliest => format!("{begins}, {records} records are gone"),
            Reset::Latest => format!("{begins}, and `reset: latest` skips to the end, past {records} records"),
            Reset::None => format!("{begins}, {records} records are gone, and with `reset: none` the restart fails"),
        })
    }
}

/// Everything that a job reads, seen from `snapshot`.
pub(super) fn of_snapshot(ground: &Ground<'_>, snapshot: &SnapshotView) -> Vec<TopicUnread> {
    of_sources(ground, |window| of_topic(ground, snapshot, window))
}

/// The same for a job without state that is restarted from nothing, of the topics that it begins at their beginning: by the stop it has read
/// everything, and what is written later is the first that can leave. Empty for every other job.
pub(super) fn from_nothing(ground: &Ground<'_>) -> Vec<TopicUnread> {
    let declared = ground.job.recovery.as_ref().is_some_and(|recovery| recovery.restore.from == RestoreFrom::None);
    if !declared || !ground.job.operators.is_empty() {
        return Vec::new();
    }
    let mut all = of_sources(ground, |window| {
        let reset = ways::reset_of(ground, window);
        match ways::start_of(ground, window) {
            Start::Earliest | Start::Latest => {
                let logs = logs(ground, window).ok();
                Ok(Unread { leaves: from_now_on(ground, window, logs.as_ref()), ..Unread::nothing(reset) })
            }
            Start::Committed => ways::committed_offsets(ground, window).map(|_| Unread::nothing(reset)),
            Start::Timestamp => {
                Err(Unknown::new(format!("source {} starts from a timestamp that the manifest does not hold", window.source), ""))
            }
        }
    });
    // Where a source goes on that does not begin at the beginning is another question; that it is not known has to be told.
    let from_earliest = |id: &str| source(ground, id).is_some_and(|source| ways::start(source) == Start::Earliest);
    let begins_elsewhere = |id: &str| source(ground, id).is_some_and(|source| ways::start(source) != Start::Latest);
    all.retain(|topic| from_earliest(&topic.source) || (topic.answer.is_err() && begins_elsewhere(&topic.source)));
    all
}

fn of_sources(ground: &Ground<'_>, answer: impl Fn(&Window) -> Result<Unread, Unknown>) -> Vec<TopicUnread> {
    let mut all = Vec::new();
    for (source, windows) in ground.windows {
        match windows {
            Err(unknown) => {
                all.push(TopicUnread { source: source.clone(), topic: None, kafka: true, answer: Err(unknown.clone()) });
            }
            Ok(windows) => all.extend(windows.iter().map(|window| TopicUnread {
                source: source.clone(),
                topic: Some(window.topic.clone()),
                kafka: window.cluster.is_some(),
                answer: if window.exists == Ok(false) { Ok(None) } else { answer(window).map(Some) },
            })),
        }
    }
    all
}

impl Unread {
    const fn nothing(reset: Reset) -> Self {
        Self {
            by_date: None,
            behind: Vec::new(),
            beyond: Vec::new(),
            gone_by_date: None,
            leaves: Ok(None),
            reset,
            first_at: None,
            gaps: None,
            declared: false,
        }
    }
}

fn of_topic(ground: &Ground<'_>, snapshot: &SnapshotView, window: &Window) -> Result<Unread, Unknown> {
    let reset = ways::reset_of(ground, window);
    if window.cluster.is_none() {
        return Ok(of_declared(ground, snapshot, window, reset));
    }
    let logs = logs(ground, window)?;
    let positions = positions(ground, snapshot, window, &logs)?;
    let by_date = logs.unmeasured.clone().or_else(|| positions.not_read.clone());
    let mut unread = Unread { by_date, gaps: logs.gaps.clone(), ..Unread::nothing(reset) };
    let next = |log: &PartitionLog| positions.next.get(&log.partition).copied().unwrap_or(log.start);
    if unread.by_date.is_none() {
        let behind = logs.partitions.iter().filter(|log| next(log) < log.start);
        unread.behind =
            behind.clone().map(|log| Behind { partition: log.partition, next: next(log), start: log.start, end: log.end }).collect();
        unread.first_at = behind.filter_map(PartitionLog::first_at).min();
        let beyond = logs.partitions.iter().filter(|log| next(log) > log.end);
        unread.beyond = beyond.map(|log| Beyond { partition: log.partition, next: next(log), log: Some((log.start, log.end)) }).collect();
        unread.beyond.extend(positions.vanished.iter().map(|(partition, next)| Beyond { partition: *partition, next: *next, log: None }));
    } else if logs.unmeasured.is_none() && positions.lost_unknown && !logs.is_idle() {
        let first = logs.partitions.iter().filter_map(PartitionLog::first_at).filter(|first| *first > snapshot.taken_at).max();
        unread.gone_by_date = first.map(GoneByDate::FirstRecord);
    }
    unread.leaves = leaves(ground, snapshot, window, &logs, &positions);
    Ok(unread)
}

/// A source that cannot be asked for positions: its snapshot's date, against what the manifest declares.
fn of_declared(ground: &Ground<'_>, snapshot: &SnapshotView, window: &Window, reset: Reset) -> Unread {
    let why = Unknown::new(format!("positions of source {} cannot be compared: it is not Kafka", window.source), "");
    let mut unread = Unread { by_date: Some(why), declared: true, ..Unread::nothing(reset) };
    let stamp = Stamp { at: snapshot.taken_at, basis: StampBasis::FileDate };
    unread.leaves = match window.floor.as_ref().map(|floor| floor.value) {
        Ok(Bound::For(floor)) => Ok(Some(Leaves { at: stamp.at.plus(floor), stamped: Some(stamp), floor })),
        Ok(Bound::Unlimited | Bound::BySize) => Ok(None),
        Err(unknown) => Err(unknown.clone()),
    };
    if let Ok(Some(leaves)) = &unread.leaves
        && leaves.at <= ground.as_of.at
    {
        unread.gone_by_date = Some(GoneByDate::Declared(leaves.floor));
    }
    unread
}

/// When the first unread record of a topic may leave it.
fn leaves(
    ground: &Ground<'_>,
    snapshot: &SnapshotView,
    window: &Window,
    logs: &TopicLogs,
    positions: &Positions,
) -> Result<Option<Leaves>, Unknown> {
    let mut oldest: Option<Stamp> = None;
    for log in &logs.partitions {
        let next = positions.next.get(&log.partition).copied().unwrap_or(log.start);
        if next >= log.end {
            continue;
        }
        // What is gone already was stamped when the snapshot was taken, or later.
        let by_date = positions.not_read.is_some() || next < log.start;
        let stamp = if by_date {
            Stamp { at: snapshot.taken_at, basis: StampBasis::FileDate }
        } else if matches!(window.observed, Ok(Observed::InSeconds { .. })) {
            return Err(window.no_age());
        } else {
            let (at, after) = log.stamp_of(next).ok_or_else(|| {
                Unknown::new(format!("the age of the first unread record of topic {}", window.topic), "ListOffsets by time")
            })?;
            Stamp { at, basis: after.map_or(StampBasis::Record, StampBasis::Between) }
        };
        if oldest.is_none_or(|known| stamp.at < known.at) {
            oldest = Some(stamp);
        }
    }
    let Some(stamp) = oldest else { return all_read(ground, snapshot, window, logs) };
    let Bound::For(floor) = window.floor.as_ref().map_err(Clone::clone)?.value else { return Ok(None) };
    Ok(Some(Leaves { at: stamp.at.plus(floor), stamped: Some(stamp), floor }))
}

/// Everything that there was at the capture is read. Checkpoints of a running job go on with it; what any other snapshot has not read begins to
/// be written right after the capture.
fn all_read(ground: &Ground<'_>, snapshot: &SnapshotView, window: &Window, logs: &TopicLogs) -> Result<Option<Leaves>, Unknown> {
    let from = ground.job.recovery.as_ref().map(|recovery| &recovery.restore.from);
    let goes_on = SnapshotKind::of_folder(&snapshot.location) == SnapshotKind::Checkpoint
        && matches!(from, Some(RestoreFrom::Latest | RestoreFrom::Checkpoint | RestoreFrom::LastState));
    let captured_at = captured_at(ground, window);
    let leaves = from_now_on(ground, window, Some(logs))?;
    if goes_on || captured_at >= ground.as_of.at {
        return Ok(leaves);
    }
    let stamp = Stamp { at: captured_at, basis: StampBasis::Capture };
    Ok(leaves.map(|leaves| Leaves { at: captured_at.plus(leaves.floor), stamped: Some(stamp), ..leaves }))
}

/// Everything is read: what is written from the stop on is the first that can leave.
fn from_now_on(ground: &Ground<'_>, window: &Window, logs: Option<&TopicLogs>) -> Result<Option<Leaves>, Unknown> {
    if logs.is_some_and(TopicLogs::is_idle) {
        return Ok(None);
    }
    let Bound::For(floor) = window.floor.as_ref().map_err(Clone::clone)?.value else { return Ok(None) };
    Ok(Some(Leaves { at: ground.as_of.at.plus(floor), stamped: None, floor }))
}
