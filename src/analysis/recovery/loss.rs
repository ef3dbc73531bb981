//! Back without loss: until when, for the snapshot that `restore.from` selects, and the best alternative.

use std::collections::BTreeMap;

use super::{About, Ground, LossTerm, Positions, eligible, logs, positions, terms, topics::TopicLogs, ways};
use crate::{
    analysis::{
        Bound, Window,
        snapshots::{SnapshotKind, SnapshotView},
    },
    evidence::Unknown,
    finding::thousands,
    manifest::{Delivery, Recovery, Reset, RestoreFrom, SinkKind, Start},
    units::{Instant, S3Location},
};

/// What the headline says; later is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum LossState {
    /// It could not come back without loss even now.
    No,
    /// It is not known.
    #[default]
    Unknown,
    /// A needed term is not known: the date is the earliest of those that are.
    AtMost,
    /// Until that date; without one, nothing that is known ends it.
    Date,
}

impl LossState {
    /// The word in reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Unknown => "unknown",
            Self::AtMost => "at-most",
            Self::Date => "date",
        }
    }
}

/// The headline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WithoutLoss {
    /// Its kind.
    pub state: LossState,
    /// The date, where there is one.
    pub at: Option<Instant>,
    /// What limits it.
    pub because: String,
    /// The snapshot that is judged.
    pub snapshot: Option<S3Location>,
    /// Whether each new checkpoint moves the date on while the job runs.
    pub moves_on: bool,
    /// By snapshot, when what it needs may go.
    pub dates: BTreeMap<S3Location, Dates>,
    /// The snapshot that would allow the latest return, if that is better than the selected one.
    pub best_alternative: Option<Alternative>,
}

/// Another snapshot, and until when it allows a return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The snapshot.
    pub snapshot: S3Location,
    /// Its kind.
    pub kind: SnapshotKind,
    /// As of [`WithoutLoss::state`].
    pub state: LossState,
    /// The date, where there is one.
    pub at: Option<Instant>,
    /// What limits it.
    pub because: String,
}

/// What one snapshot allows.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Assessment {
    state: LossState,
    at: Option<Instant>,
    because: String,
    dates: Dates,
}

/// When what a restart from a snapshot needs may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dates {
    /// Its files, by the bucket's rules or with a restored copy.
    pub files: Option<Instant>,
    /// Its first unread record.
    pub records: Option<Instant>,
}

impl Assessment {
    fn no(because: impl Into<String>) -> Self {
        Self { state: LossState::No, at: None, because: because.into(), dates: Dates::default() }
    }

    fn unknown(unknown: &Unknown) -> Self {
        Self { state: LossState::Unknown, at: None, because: unknown.reason.clone(), dates: Dates::default() }
    }

    /// The earliest term; with open questions it is an upper bound.
    fn of(terms: Vec<LossTerm>, open: Vec<Unknown>) -> Self {
        let dates = Dates {
            files: terms.iter().filter(|term| term.about == About::Files).map(|term| term.at).min(),
            records: terms.iter().filter(|term| term.about == About::Records).map(|term| term.at).min(),
        };
        let first = terms.into_iter().min_by(|a, b| a.at.cmp(&b.at));
        match (first, open.into_iter().next()) {
            (Some(term), None) => Self { state: LossState::Date, at: Some(term.at), because: term.because, dates },
            (Some(term), Some(open)) => Self {
                state: LossState::AtMost,
                at: Some(term.at),
                because: format!("{}; not known: {}", term.because, open.reason),
                dates,
            },
            (None, None) => Self { state: LossState::Date, at: None, because: "nothing that is known ends it".to_owned(), dates },
            (None, Some(open)) => Self::unknown(&open),
        }
    }

    /// Better is later, and an upper bound is worth less than a date.
    fn rank(&self) -> (LossState, bool, Option<Instant>) {
        (self.state, self.at.is_none() && self.state == LossState::Date, self.at)
    }
}

pub(super) fn judge(ground: &Ground<'_>) -> WithoutLoss {
    let Some(recovery) = &ground.job.recovery else {
        return WithoutLoss { because: "the manifest says nothing about snapshots (`recovery`)".to_owned(), ..WithoutLoss::default() };
    };
    let snapshots = ways::snapshots(ground);
    let selected = match &ground.recovery.selected {
        Some(Ok(Some(folder))) => snapshots.iter().copied().find(|(_, snapshot)| snapshot.location == *folder),
        _ => None,
    };
    let assessment = match (&ground.recovery.selected, selected) {
        _ if recovery.restore.from == RestoreFrom::None => from_nothing(ground),
        (_, Some((kind, snapshot))) => assess(ground, recovery, kind, snapshot),
        (Some(Err(unknown)), None) => Assessment::unknown(unknown),
        (Some(Ok(None)), None) => Assessment::no("there is no snapshot to come back from"),
        _ => Assessment::unknown(&Unknown::new("the evidence does not hold the snapshot that `restore.from` names", "")),
    };
    let assessed: Vec<_> = snapshots.iter().map(|(kind, snapshot)| (*kind, *snapshot, assess(ground, recovery, *kind, snapshot))).collect();
    let dates = assessed.iter().map(|(_, snapshot, one)| (snapshot.location.clone(), one.dates)).collect();
    let best = assessed
        .into_iter()
        .filter(|(_, snapshot, _)| selected.is_none_or(|(_, selected)| selected.location != snapshot.location))
        .max_by(|(_, _, a), (_, _, b)| a.rank().cmp(&b.rank()))
        .filter(|(_, _, other)| other.state > LossState::Unknown && other.rank() > assessment.rank());
    WithoutLoss {
        state: assessment.state,
        at: assessment.at,
        because: assessment.because,
        snapshot: selected.map(|(_, snapshot)| snapshot.location.clone()),
        moves_on: selected.is_some_and(|(kind, _)| kind == SnapshotKind::Checkpoint)
            && matches!(recovery.restore.from, RestoreFrom::Latest | RestoreFrom::Checkpoint | RestoreFrom::LastState),
        dates,
        best_alternative: best.map(|(kind, snapshot, other)| Alternative {
            snapshot: snapshot.location.clone(),
            kind,
            state: other.state,
            at: other.at,
            because: other.because,
        }),
    }
}

/// A restart that takes no snapshot.
fn from_nothing(ground: &Ground<'_>) -> Assessment {
    if !ground.job.operators.is_empty() {
        return Assessment::no("`restore.from: none` restores no state: it starts empty, and no TTL helps there");
    }
    let (mut terms, mut open) = (Vec::new(), Vec::new());
    for windows in ground.windows.values() {
        match windows {
            Err(unknown) => open.push(unknown.clone()),
            Ok(windows) => {
                for window in windows {
                    if window.exists == Ok(false) {
                        return Assessment::no(not_there(window));
                    }
                    match ways::start_of(ground, window) {
                        Start::Earliest => from_now_on(ground, window, None, &mut terms, &mut open),
                        Start::Latest => {
                            let (source, topic) = (&window.source, &window.topic);
                            return Assessment::no(format!(
                                "source {source} starts at the end of topic {topic}: what arrives in between is never read"
                            ));
                        }
                        start @ (Start::Committed | Start::Timestamp) => open.push(Unknown::new(
                            format!("where source {} starts ({start:?}) is not looked up for this line", window.source).to_lowercase(),
                            "",
                        )),
                    }
                }
            }
        }
    }
    Assessment::of(terms, open)
}

/// A topic that is not there, in words.
fn not_there(window: &Window) -> String {
    format!("topic {} does not exist, so nothing of it can be read", window.topic)
}

/// What `snapshot` allows.
fn assess(ground: &Ground<'_>, recovery: &Recovery, kind: SnapshotKind, snapshot: &SnapshotView) -> Assessment {
    let (mut terms, mut open) = (Vec::new(), Vec::new());
    match eligible::check(ground, recovery, kind, snapshot) {
        eligible::Eligible::No(why) => return Assessment::no(why),
        eligible::Eligible::Yes(questions) => open.extend(questions),
    }
    terms::of_files(ground, snapshot, &mut terms, &mut open);
    if recovery.restore.from == RestoreFrom::LastState {
        match terms::of_high_availability(ground, recovery, &mut terms, &mut open) {
            Ok(()) => {}
            Err(why) => return Assessment::no(why),
        }
    }
    let mut gone = Vec::new();
    for windows in ground.windows.values() {
        match windows {
            Err(unknown) => open.push(unknown.clone()),
            Ok(windows) => {
                for window in windows {
                    if window.exists == Ok(false) {
                        gone.push(not_there(window));
                    } else if let Err(unknown) = of_topic(ground, kind, snapshot, window, &mut terms, &mut open, &mut gone) {
                        open.push(unknown);
                    }
                }
            }
        }
    }
    if !gone.is_empty() {
        let records = terms.iter().filter(|term| term.about == About::Records).map(|term| term.at).min();
        let files = terms.iter().filter(|term| term.about == About::Files).map(|term| term.at).min();
        return Assessment { dates: Dates { files, records }, ..Assessment::no(gone.join("; ")) };
    }
    for sink in &ground.job.sinks {
        match (sink.delivery, sink.kind, sink.transaction_timeout) {
            (Some(Delivery::None), _, _) => {
                open.push(Unknown::new(format!("what sink {} loses at any restart (delivery guarantee none)", sink.id.value), ""));
            }
            (Some(Delivery::ExactlyOnce), SinkKind::Kafka, Some(timeout)) => terms.push(LossTerm {
                about: About::Transactions,
                at: snapshot.taken_at.plus(timeout),
                because: format!("Kafka aborts the open transactions of sink {} (transaction time-out {timeout})", sink.id.value),
            }),
            (Some(Delivery::ExactlyOnce), SinkKind::Kafka, None) => {
                open.push(Unknown::new(format!("the transaction time-out of sink {} (the manifest states none)", sink.id.value), ""));
            }
            _ => {}
        }
    }
    Assessment::of(terms, open)
}

/// When the first unread record of each partition leaves the topic, and what is gone already.
fn of_topic(
    ground: &Ground<'_>,
    kind: SnapshotKind,
    snapshot: &SnapshotView,
    window: &Window,
    terms: &mut Vec<LossTerm>,
    open: &mut Vec<Unknown>,
    gone: &mut Vec<String>,
) -> Result<(), Unknown> {
    let logs = logs(ground, window)?;
    let positions = positions(ground, snapshot, window, &logs)?;
    if let Some(unmeasured) = &logs.unmeasured {
        open.push(unmeasured.clone());
    } else if positions.read {
        gone.extend(lost(ground, kind, snapshot, window, &logs, &positions));
    } else {
        open.push(Unknown::new(
            "the positions of the snapshot were not read, so the date of its _metadata stands for them",
            "GetObject of _metadata",
        ));
    }
    let mut oldest: Option<(Instant, bool)> = None;
    for log in &logs.partitions {
        let next = positions.next.get(&log.partition).copied().unwrap_or(log.start);
        if next >= log.end {
            continue;
        }
        // What is gone already was stamped when the snapshot was taken, or later.
        let by_date = !positions.read || next < log.start;
        let stamped = if by_date { Some((snapshot.taken_at, false)) } else { log.stamped_from(next) };
        match stamped {
            Some(stamped) => oldest = Some(oldest.map_or(stamped, |known| if stamped.0 < known.0 { stamped } else { known })),
            None => open.push(Unknown::new(format!("the age of the first unread record of topic {}", window.topic), "ListOffsets by time")),
        }
    }
    let Some((stamped, exact)) = oldest else {
        if !logs.is_idle() {
            from_now_on(ground, window, Some(&logs), terms, open);
        }
        return Ok(());
    };
    let floor = window.floor.as_ref().map_err(Clone::clone)?;
    if let Bound::For(length) = floor.value {
        let at_or_after = if exact { "" } else { "at or after " };
        terms.push(LossTerm {
            about: About::Records,
            at: stamped.plus(length),
            because: format!(
                "its first unread record, stamped {at_or_after}{}, may leave topic {} then (floor {length})",
                stamped.minute(),
                window.topic
            ),
        });
    }
    Ok(())
}

/// Everything is read: what is written from the stop on is the first that can leave.
fn from_now_on(ground: &Ground<'_>, window: &Window, logs: Option<&TopicLogs>, terms: &mut Vec<LossTerm>, open: &mut Vec<Unknown>) {
    if logs.is_some_and(TopicLogs::is_idle) {
        return;
    }
    match &window.floor {
        Ok(floor) => {
            if let Bound::For(length) = floor.value {
                let because = format!("records that are written after the stop may leave topic {} then (floor {length})", window.topic);
                terms.push(LossTerm { about: About::Records, at: ground.as_of.at.plus(length), because });
            }
        }
        Err(unknown) => open.push(unknown.clone()),
    }
}

/// What a restart from `snapshot` would not read any more, in words.
fn lost(
    ground: &Ground<'_>,
    kind: SnapshotKind,
    snapshot: &SnapshotView,
    window: &Window,
    logs: &TopicLogs,
    positions: &Positions,
) -> Option<String> {
    let next = |log: &crate::analysis::PartitionLog| positions.next.get(&log.partition).copied().unwrap_or(log.start);
    if logs.partitions.iter().any(|log| next(log) > log.end) {
        return Some(format!("a position of the {} lies beyond the end of topic {}: the topic was re-created", kind.word(), window.topic));
    }
    let behind: Vec<_> = logs.partitions.iter().filter(|log| next(log) < log.start).collect();
    if behind.is_empty() {
        return None;
    }
    let reset = ways::reset_of(ground, window);
    let until = |log: &crate::analysis::PartitionLog| if reset == Reset::Latest { log.end } else { log.start };
    let records = behind.iter().map(|log| u64::try_from(until(log).saturating_sub(next(log))).unwrap_or(0)).fold(0, u64::saturating_add);
    let first = behind.iter().filter_map(|log| log.first_at()).min();
    let apart = first.filter(|first| *first > snapshot.taken_at).map(|first| first.since(snapshot.taken_at));
    let begins = apart.map_or_else(
        || format!("the {} goes on before the beginning of topic {}", kind.word(), window.topic),
        |apart| format!("the {} begins {apart} before topic {} does", kind.word(), window.topic),
    );
    let records = thousands(records);
    Some(match reset {
        Reset::Earliest => format!("{begins}, {records} records are gone"),
        Reset::Latest => format!("{begins}, and `reset: latest` skips to the end, past {records} records"),
        Reset::None => format!("{begins}, {records} records are gone, and with `reset: none` the restart fails"),
    })
}
