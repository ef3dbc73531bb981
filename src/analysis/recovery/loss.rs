//! Back without loss: until when, for the snapshot that `restore.from` selects, and the best alternative.

use std::collections::BTreeMap;

use super::{About, Ground, LossTerm, TopicUnread, Unread, eligible, terms, ways};
use crate::{
    analysis::snapshots::{SnapshotKind, SnapshotView},
    evidence::Unknown,
    manifest::{Delivery, Recovery, RestoreFrom, SinkKind, Start},
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
    /// Of the term that sets the date.
    moves: bool,
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

impl Dates {
    fn of(terms: &[LossTerm]) -> Self {
        let first = |about| terms.iter().filter(|term| term.about == about).map(|term| term.at).min();
        Self { files: first(About::Files), records: first(About::Records) }
    }
}

impl Assessment {
    fn no(because: impl Into<String>) -> Self {
        Self { state: LossState::No, at: None, because: because.into(), moves: false, dates: Dates::default() }
    }

    fn unknown(unknown: &Unknown) -> Self {
        Self { state: LossState::Unknown, at: None, because: unknown.reason.clone(), moves: false, dates: Dates::default() }
    }

    /// The earliest term; with open questions it is an upper bound.
    fn of(terms: Vec<LossTerm>, open: Vec<Unknown>) -> Self {
        let dates = Dates::of(&terms);
        let first = terms.into_iter().min_by(|a, b| a.at.cmp(&b.at));
        match (first, open.into_iter().next()) {
            (Some(term), None) => Self { state: LossState::Date, at: Some(term.at), because: term.because, moves: term.moves, dates },
            (Some(term), Some(open)) => Self {
                state: LossState::AtMost,
                at: Some(term.at),
                because: format!("{}; not known: {}", term.because, open.reason),
                moves: term.moves,
                dates,
            },
            (None, None) => {
                Self { state: LossState::Date, at: None, because: "nothing that is known ends it".to_owned(), moves: false, dates }
            }
            (None, Some(open)) => Self::unknown(&open),
        }
    }

    /// Better is later, by the day, and an upper bound is worth less than a date.
    fn rank(&self) -> (LossState, bool, Option<Instant>) {
        (self.state, self.at.is_none() && self.state == LossState::Date, self.at.map(Instant::start_of_day))
    }
}

pub(super) fn judge(ground: &Ground<'_>, unread: &BTreeMap<S3Location, Vec<TopicUnread>>, from_nothing: &[TopicUnread]) -> WithoutLoss {
    let Some(recovery) = &ground.job.recovery else {
        return WithoutLoss { because: "the manifest says nothing about snapshots (`recovery`)".to_owned(), ..WithoutLoss::default() };
    };
    let snapshots = ways::snapshots(ground);
    let assess =
        |kind, snapshot: &SnapshotView| assess(ground, recovery, kind, snapshot, unread.get(&snapshot.location).map_or(&[], Vec::as_slice));
    let selected = match &ground.recovery.selected {
        Some(Ok(Some(folder))) => snapshots.iter().copied().find(|(_, snapshot)| snapshot.location == *folder),
        _ => None,
    };
    let assessment = match (&ground.recovery.selected, selected) {
        _ if recovery.restore.from == RestoreFrom::None => without_snapshot(ground, from_nothing),
        (_, Some((kind, snapshot))) => assess(kind, snapshot),
        (Some(Err(unknown)), None) => Assessment::unknown(unknown),
        (Some(Ok(None)), None) if ground.job.operators.is_empty() => Assessment::no("there is no snapshot to come back from"),
        (Some(Ok(None)), None) => Assessment::no("there is no snapshot to come back from; a restart starts empty, and no TTL helps there"),
        _ => Assessment::unknown(&Unknown::new("the evidence does not hold the snapshot that `restore.from` names", "")),
    };
    let assessed: Vec<_> = snapshots.iter().map(|(kind, snapshot)| (*kind, *snapshot, assess(*kind, snapshot))).collect();
    let dates = assessed.iter().map(|(_, snapshot, one)| (snapshot.location.clone(), one.dates)).collect();
    let best = assessed
        .into_iter()
        .filter(|(_, snapshot, _)| selected.is_none_or(|(_, selected)| selected.location != snapshot.location))
        .max_by(|(_, _, a), (_, _, b)| a.rank().cmp(&b.rank()).then(a.at.cmp(&b.at)))
        .filter(|(_, _, other)| other.state > LossState::Unknown && other.rank() > assessment.rank());
    WithoutLoss {
        state: assessment.state,
        at: assessment.at,
        because: assessment.because,
        snapshot: selected.map(|(_, snapshot)| snapshot.location.clone()),
        moves_on: assessment.moves
            && selected.is_some_and(|(kind, _)| kind == SnapshotKind::Checkpoint)
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
fn without_snapshot(ground: &Ground<'_>, unread: &[TopicUnread]) -> Assessment {
    if !ground.job.operators.is_empty() {
        return Assessment::no("`restore.from: none` restores no state: it starts empty, and no TTL helps there");
    }
    let (mut terms, mut open) = (Vec::new(), Vec::new());
    for topic in unread {
        match (&topic.answer, topic.topic.as_deref().unwrap_or(&topic.source)) {
            (Err(unknown), _) => open.push(unknown.clone()),
            (Ok(None), name) => return Assessment::no(not_there(name)),
            (Ok(Some(unread)), name) => leaving(name, unread, &mut terms, &mut open),
        }
    }
    // Sources that do not begin at the beginning are not among those.
    for source in &ground.job.sources {
        let id = &source.id.value;
        match ways::start(source) {
            Start::Earliest => {}
            Start::Latest => {
                return Assessment::no(format!("source {id} starts at the end of its topics: what arrives in between is never read"));
            }
            start @ (Start::Committed | Start::Timestamp) => {
                open.push(Unknown::new(format!("where source {id} starts ({start:?}) is not looked up for this line").to_lowercase(), ""));
            }
        }
    }
    Assessment::of(terms, open)
}

/// A topic that is not there, in words.
fn not_there(topic: &str) -> String {
    format!("topic {topic} does not exist, so nothing of it can be read")
}

/// What `snapshot` allows.
fn assess(ground: &Ground<'_>, recovery: &Recovery, kind: SnapshotKind, snapshot: &SnapshotView, unread: &[TopicUnread]) -> Assessment {
    let (mut terms, mut open) = (Vec::new(), Vec::new());
    // Its dates are told, whether a restart can take it or not.
    let mut no = match eligible::check(ground, recovery, kind, snapshot) {
        eligible::Eligible::No(why) => Some(why),
        eligible::Eligible::Yes(questions) => {
            open.extend(questions);
            None
        }
    };
    terms::of_files(ground, snapshot, &mut terms, &mut open);
    if recovery.restore.from == RestoreFrom::LastState {
        no = no.or(terms::of_high_availability(ground, recovery, &mut terms, &mut open).err());
    }
    let mut gone = Vec::new();
    for topic in unread {
        match (&topic.answer, topic.topic.as_deref().unwrap_or(&topic.source)) {
            (Err(unknown), _) => open.push(unknown.clone()),
            (Ok(None), name) => gone.push(not_there(name)),
            (Ok(Some(unread)), name) => {
                of_topic(kind, snapshot, name, unread, &mut Sums { terms: &mut terms, open: &mut open, gone: &mut gone });
            }
        }
    }
    if let Some(why) = no.or_else(|| (!gone.is_empty()).then(|| gone.join("; "))) {
        return Assessment { dates: Dates::of(&terms), ..Assessment::no(why) };
    }
    for sink in &ground.job.sinks {
        match (sink.delivery, sink.kind, sink.transaction_timeout) {
            (Some(Delivery::None), _, _) => {
                open.push(Unknown::new(format!("what sink {} loses at any restart (delivery guarantee none)", sink.id.value), ""));
            }
            // A job that went on has committed what an older snapshot left open, with its next checkpoint.
            (Some(Delivery::ExactlyOnce), SinkKind::Kafka, _)
                if ways::newest(ground).is_some_and(|(_, newest)| newest.taken_at > snapshot.taken_at) => {}
            (Some(Delivery::ExactlyOnce), SinkKind::Kafka, Some(timeout)) => terms.push(LossTerm {
                about: About::Transactions,
                at: snapshot.taken_at.plus(timeout),
                because: format!("Kafka aborts the open transactions of sink {} (transaction time-out {timeout})", sink.id.value),
                moves: true,
            }),
            (Some(Delivery::ExactlyOnce), SinkKind::Kafka, None) => {
                open.push(Unknown::new(format!("the transaction time-out of sink {} (the manifest states none)", sink.id.value), ""));
            }
            _ => {}
        }
    }
    Assessment::of(terms, open)
}

/// What the topics add to an assessment.
struct Sums<'a> {
    terms: &'a mut Vec<LossTerm>,
    open: &'a mut Vec<Unknown>,
    gone: &'a mut Vec<String>,
}

/// What one topic adds.
fn of_topic(kind: SnapshotKind, snapshot: &SnapshotView, topic: &str, unread: &Unread, sums: &mut Sums<'_>) {
    if unread.beyond.iter().any(|one| one.log.is_some()) {
        sums.gone.push(format!(
            "a position of the {} lies beyond the end of topic {topic}: the topic was re-created, or its end was cut off",
            kind.word()
        ));
    }
    if unread.beyond.iter().any(|one| one.log.is_none()) {
        sums.gone.push(format!("the {} goes on in a partition that topic {topic} does not have: the topic was re-created", kind.word()));
    }
    sums.gone.extend(unread.gone_words(kind.word(), topic, snapshot.taken_at));
    sums.open.extend(unread.not_settled().cloned());
    leaving(topic, unread, sums.terms, sums.open);
}

/// When the first unread record may leave the topic.
fn leaving(topic: &str, unread: &Unread, terms: &mut Vec<LossTerm>, open: &mut Vec<Unknown>) {
    let leaves = match &unread.leaves {
        Ok(Some(leaves)) => leaves,
        Ok(None) => return,
        Err(unknown) => return open.push(unknown.clone()),
    };
    let floor = leaves.floor;
    let what = if unread.declared { "source" } else { "topic" };
    let because = match leaves.stamped {
        Some(stamp) => format!("its first unread record, {}, may leave {what} {topic} then (floor {floor})", stamp.words()),
        None => format!("records that are written after the stop may leave {what} {topic} then (floor {floor})"),
    };
    terms.push(LossTerm { about: About::Records, at: leaves.at, because, moves: true });
}
