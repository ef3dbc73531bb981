//! The four ways of coming back, counted.

use std::{collections::BTreeMap, ops::Range};

use super::{
    super::{Basis, Life, PartitionLog, Window},
    Ground, Guard, Path, Positions, Replay, TopicLogs, Way, logs, positions,
    readers::paths,
    split::Split,
    topics::source,
};
use crate::{
    analysis::snapshots::{SnapshotKind, SnapshotView},
    evidence::Unknown,
    manifest::{Clearing, Delivery, Reset, Role, Source, SourceKind, Start},
    units::Millis,
};

/// Every way; *snapshot* and *offset reset* once for each snapshot of the report.
pub(super) fn all(ground: &Ground<'_>) -> Vec<Replay> {
    let mut all = vec![failover(ground)];
    let snapshots = snapshots(ground);
    let newest = newest(ground);
    for (_, snapshot) in &snapshots {
        all.push(from_snapshot(ground, snapshot, newest));
    }
    for (_, snapshot) in &snapshots {
        all.push(reset(ground, Some(snapshot), Way::OffsetReset));
    }
    all.push(reset(ground, newest.map(|(_, snapshot)| snapshot), Way::StateLoss));
    all
}

/// The newest snapshot of each place, and the selected one; each once.
pub(super) fn snapshots<'a>(ground: &Ground<'a>) -> Vec<(SnapshotKind, &'a SnapshotView)> {
    let mut all: Vec<(SnapshotKind, &SnapshotView)> = Vec::new();
    for place in &ground.recovery.places {
        for (number, snapshot) in place.complete().iter().enumerate() {
            let wanted = number == 0 || ground.recovery.selects(&snapshot.location);
            if wanted && !all.iter().any(|(_, known)| known.location == snapshot.location) {
                all.push((place.kind, snapshot));
            }
        }
    }
    all
}

/// The newest snapshot of all.
pub(super) fn newest<'a>(ground: &Ground<'a>) -> Option<(SnapshotKind, &'a SnapshotView)> {
    snapshots(ground).into_iter().max_by_key(|(_, snapshot)| snapshot.taken_at)
}

/// Adds up a way.
struct Tally {
    replay: Replay,
}

impl Tally {
    fn new(way: Way, snapshot: Option<&SnapshotView>) -> Self {
        let snapshot = snapshot.map(|snapshot| snapshot.location.clone());
        let (twice, lost, suppressed) = (Ok(0), Ok(0), Ok(0));
        Self {
            replay: Replay {
                way,
                snapshot,
                twice,
                lost,
                suppressed,
                basis: Basis::Measured,
                upper_bound: false,
                notes: Vec::new(),
                parts: Vec::new(),
            },
        }
    }

    fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if !self.replay.notes.contains(&note) {
            self.replay.notes.push(note);
        }
    }

    fn add(&mut self, logs: &TopicLogs, splits: Vec<Split>) {
        if let Some(gaps) = &logs.gaps {
            self.replay.upper_bound = true;
            self.note(format!("offset differences are upper bounds: {gaps}"));
        }
        for (log, split) in logs.partitions.iter().zip(splits) {
            self.replay.basis = self.replay.basis.max(log.basis);
            for (sum, more) in [
                (&mut self.replay.twice, split.twice()),
                (&mut self.replay.lost, split.lost()),
                (&mut self.replay.suppressed, split.suppressed()),
            ] {
                if let Ok(sum) = sum {
                    *sum = sum.saturating_add(more);
                }
            }
            if let Some(note) = split.note {
                self.note(note);
            }
            self.replay.parts.push((log.clone(), split));
        }
    }

    fn no_number(&mut self, unknown: &Unknown) {
        for sum in [&mut self.replay.twice, &mut self.replay.lost, &mut self.replay.suppressed] {
            *sum = Err(unknown.clone());
        }
        self.note(unknown.reason.clone());
    }

    fn basis(&mut self, basis: Basis) {
        self.replay.basis = self.replay.basis.max(basis);
    }
}

/// Every window of the job. Of a topic that is known not to exist nothing can be counted.
fn windows<'a>(ground: &Ground<'a>) -> impl Iterator<Item = Result<&'a Window, &'a Unknown>> {
    ground.windows.values().flat_map(|windows| match windows {
        Ok(windows) => windows
            .iter()
            .map(|window| match (&window.exists, &window.retention) {
                (Ok(false), Err(missing)) => Err(missing),
                _ => Ok(window),
            })
            .collect::<Vec<_>>(),
        Err(unknown) => vec![Err(unknown)],
    })
}

/// The records between two checkpoints, of every source that reaches a sink without protection.
fn failover(ground: &Ground<'_>) -> Replay {
    let mut tally = Tally::new(Way::Failover, None);
    let interval =
        ground.job.recovery.as_ref().and_then(|recovery| recovery.checkpoints.as_ref()).and_then(|checkpoints| checkpoints.interval);
    let mut scaled = 0_u128;
    for window in windows(ground) {
        let answer = window.map_err(Clone::clone).and_then(|window| {
            if !exposed(&paths(ground, &window.source), Way::Failover, true)? {
                return Ok(None);
            }
            let between = interval.ok_or_else(|| Unknown::new("the manifest states no checkpoint interval", ""))?;
            let (rate, basis) = logs(ground, window)?
                .rate
                .ok_or_else(|| Unknown::new(format!("the rate of topic {} is neither measured nor declared", window.topic), ""))?;
            Ok(Some((u128::from(rate) * u128::from(between.as_ms()), basis)))
        });
        match answer {
            Ok(None) => {}
            Ok(Some((more, basis))) => {
                scaled = scaled.saturating_add(more);
                // A rate times a length is an estimate, however well the rate is known.
                tally.basis(basis.max(Basis::Interpolated));
            }
            Err(unknown) => {
                tally.replay.twice = Err(unknown.clone());
                tally.note(unknown.reason);
            }
        }
    }
    if let Ok(twice) = &mut tally.replay.twice {
        *twice = u64::try_from(scaled.div_ceil(u128::from(Millis::DAY.as_ms()))).unwrap_or(u64::MAX);
        if let (Some(interval), true) = (interval, *twice > 0) {
            tally.note(format!("about that many for each checkpoint interval ({interval}) since the last completed checkpoint, more when checkpoints take long or fail"));
        }
    }
    if let Some(sink) = ground.job.sinks.iter().find(|sink| sink.delivery == Some(Delivery::None)) {
        let unknown = Unknown::new(
            format!("sink {} has the delivery guarantee none: what it had not written is lost, and nobody counts it", sink.id.value),
            "",
        );
        tally.note(unknown.reason.clone());
        tally.replay.lost = Err(unknown);
    }
    tally.replay
}

/// Whether a record that is read again reaches a sink a second time on at least one of these paths.
fn exposed(paths: &[Path<'_>], way: Way, last_completed: bool) -> Result<bool, Unknown> {
    let mut unknown = None;
    for path in paths {
        match path.guard(way, last_completed) {
            Guard::Open => return Ok(true),
            Guard::Unknown(reason) => unknown = Some(reason),
            Guard::Holds => {}
        }
    }
    unknown.map_or(Ok(false), Err)
}

/// A planned restart from `snapshot`.
fn from_snapshot(ground: &Ground<'_>, snapshot: &SnapshotView, newest: Option<(SnapshotKind, &SnapshotView)>) -> Replay {
    let mut tally = Tally::new(Way::Snapshot, Some(snapshot));
    let last_completed = newest.is_some_and(|(kind, newest)| kind == SnapshotKind::Checkpoint && newest.location == snapshot.location);
    for window in windows(ground) {
        let answer = window.map_err(Clone::clone).and_then(|window| {
            let logs = logs(ground, window)?;
            let positions = positions(ground, snapshot, window, &logs)?;
            Ok((window, logs, positions))
        });
        let (window, logs, positions) = match answer {
            Ok(answer) => answer,
            Err(unknown) => {
                tally.no_number(&unknown);
                continue;
            }
        };
        told(&mut tally, &positions);
        let reset = reset_of(ground, window);
        let mut splits: Vec<Split> = logs
            .partitions
            .iter()
            .map(|log| {
                let position = positions.next.get(&log.partition).copied().unwrap_or(log.start);
                let before = (position < log.start).then_some((snapshot.taken_at, position));
                Split { before, ..Split::from_position(log, position, reset) }
            })
            .collect();
        match exposed(&paths(ground, &window.source), Way::Snapshot, last_completed) {
            Ok(true) => {}
            Ok(false) => splits = absorbed(&mut tally, splits),
            Err(unknown) => {
                tally.note(unknown.reason.clone());
                tally.replay.twice = Err(unknown);
            }
        }
        let beyond = |log: &PartitionLog| positions.next.get(&log.partition).is_some_and(|next| *next > log.end);
        let recreated = !positions.vanished.is_empty() || logs.partitions.iter().any(beyond);
        tally.add(&logs, splits);
        if recreated {
            tally.replay.lost =
                Err(Unknown::new("what the topic held before it was made again or cut off is gone, and cannot be counted", ""));
            tally.note("records that the topic held before it was made again or cut off are gone; how many cannot be counted");
        }
        if positions.lost_unknown {
            tally.replay.lost = Err(Unknown::new("how many records left the topic before was not measured", "ListOffsets"));
            tally.note("records between the snapshot and the beginning of the topic are gone; how many was not measured");
        }
    }
    if tally.replay.twice.as_ref().is_ok_and(|twice| *twice > 0) {
        tally.replay.upper_bound = true;
        tally.note("at most: what the job had not read when it stopped is written for the first time");
    }
    tally.replay
}

/// Why records that nothing recognises count as suppressed.
const ABSORBED: &str = "suppressed: read again without a second effect: a sink merges on a key, or the first writing was never committed";

/// The same, into sinks that take a second write without effect.
fn absorbed(tally: &mut Tally, splits: Vec<Split>) -> Vec<Split> {
    if splits.iter().any(|split| split.twice() > 0) {
        tally.note(ABSORBED);
    }
    splits.into_iter().map(Split::absorbed).collect()
}

fn told(tally: &mut Tally, positions: &Positions) {
    tally.basis(positions.basis);
    if positions.not_read.is_some() {
        tally.note("the snapshot's positions were not read, and the date of its _metadata stands for them, which a copy resets");
    }
}

/// Restarts whose sources begin as the manifest declares: with the state of `snapshot` (*offset reset*), or with none (*state loss*).
fn reset(ground: &Ground<'_>, snapshot: Option<&SnapshotView>, way: Way) -> Replay {
    let mut tally = Tally::new(way, snapshot.filter(|_| way == Way::OffsetReset));
    for window in windows(ground) {
        match window.map_err(Clone::clone).and_then(|window| reset_window(ground, snapshot, way, window, &mut tally)) {
            Ok(()) => {}
            Err(unknown) => tally.no_number(&unknown),
        }
    }
    if way == Way::StateLoss && !ground.job.operators.is_empty() {
        tally.note(
            "the state starts empty, so no TTL helps, however long, and what it knew of records that have left the topic cannot be rebuilt",
        );
    }
    tally.replay
}

fn reset_window(ground: &Ground<'_>, snapshot: Option<&SnapshotView>, way: Way, window: &Window, tally: &mut Tally) -> Result<(), Unknown> {
    let logs = logs(ground, window)?;
    let start = start_of(ground, window);
    let stored = match snapshot {
        Some(snapshot) => positions(ground, snapshot, window, &logs),
        None => Err(Unknown::new("there is no snapshot that tells how far the job had read", "")),
    };
    let base: Vec<Split> = match start {
        Start::Earliest => logs.partitions.iter().map(Split::from_start).collect(),
        Start::Latest => {
            let stored = stored.as_ref().map_err(Clone::clone)?;
            told(tally, stored);
            tally.note("what arrives until the start is skipped too");
            logs.partitions.iter().map(|log| Split::skipping(log, position(stored, log))).collect()
        }
        Start::Committed => committed(ground, window, &logs, tally)?,
        Start::Timestamp => {
            return Err(Unknown::new(format!("source {} starts from a timestamp that the manifest does not hold", window.source), ""));
        }
    };
    let mut worst: Option<(u64, Vec<Split>, String)> = None;
    let mut unknown = None;
    let all = paths(ground, &window.source);
    for path in &all {
        let splits = match path.guard(way, false) {
            Guard::Holds => Ok(base.iter().cloned().map(Split::absorbed).collect::<Vec<_>>()),
            Guard::Unknown(reason) => Err(reason),
            Guard::Open if way == Way::StateLoss => Ok(base.clone()),
            Guard::Open => recognised(ground, path, &logs, stored.as_ref(), tally)
                .map(|known| base.iter().cloned().zip(&known).map(|(split, known)| split.recognising(known)).collect()),
        };
        match splits {
            Ok(splits) => {
                let twice = splits.iter().map(Split::twice).fold(0, u64::saturating_add);
                if worst.as_ref().is_none_or(|(known, _, _)| twice > *known) {
                    worst = Some((twice, splits, path.words()));
                }
            }
            Err(reason) => unknown = Some(reason),
        }
    }
    let most = base.iter().map(Split::twice).fold(0, u64::saturating_add);
    match (worst, unknown) {
        // Nothing that is not known could be worse than everything.
        (Some((twice, splits, words)), unknown) if unknown.is_none() || twice == most => {
            if twice == 0 && all.iter().any(|path| path.guard(way, false) == Guard::Holds) {
                tally.note(ABSORBED);
            }
            if all.len() > 1 && twice > 0 {
                tally.note(format!("source {}: counted for the worst of {} paths, {words}", window.source, all.len()));
            }
            tally.add(&logs, splits);
            Ok(())
        }
        (_, Some(unknown)) => Err(unknown),
        // No sink gets records of this source.
        (_, None) => {
            tally.add(&logs, base.into_iter().map(Split::absorbed).collect());
            Ok(())
        }
    }
}

/// For each partition the records that the restored state of a path recognises.
fn recognised(
    ground: &Ground<'_>,
    path: &Path<'_>,
    logs: &TopicLogs,
    stored: Result<&Positions, &Unknown>,
    tally: &mut Tally,
) -> Result<Vec<Range<i64>>, Unknown> {
    let nothing = || logs.partitions.iter().map(|_| 0..0).collect();
    let deduplicates = !path.states.is_empty()
        && path.states.iter().all(|state| state.role == Role::Deduplication && state.cleared_by != Some(Clearing::Watermark));
    if !deduplicates {
        if !path.states.is_empty() && path.adds_up() {
            tally.note("an aggregation that survives counts what is read again a second time, at any TTL");
        }
        return Ok(nothing());
    }
    let mut shortest: Option<Millis> = None;
    for state in &path.states {
        match state.life.as_ref().map_err(Clone::clone)? {
            Life::Never => {}
            Life::Ttl(length) | Life::Cleared(_, length) => shortest = Some(shortest.map_or(*length, |known| known.min(*length))),
        }
    }
    let stored = stored.map_err(Clone::clone)?;
    told(tally, stored);
    logs.partitions
        .iter()
        .map(|log| {
            let from = match shortest {
                None => log.start,
                Some(ttl) => {
                    let oldest = ground.as_of.at.minus(ttl);
                    let (from, basis) = log.offset_at(oldest).ok_or_else(|| {
                        Unknown::new(format!("the offsets at {} were not measured", oldest.minute()), "ListOffsets by time")
                    })?;
                    tally.basis(basis);
                    from
                }
            };
            Ok(from..position(stored, log).max(from))
        })
        .collect()
}

fn position(stored: &Positions, log: &PartitionLog) -> i64 {
    stored.next.get(&log.partition).copied().unwrap_or(log.start)
}

/// From the committed offsets of the source's group.
fn committed(ground: &Ground<'_>, window: &Window, logs: &TopicLogs, tally: &mut Tally) -> Result<Vec<Split>, Unknown> {
    let by_partition = committed_offsets(ground, window)?;
    let reset = reset_of(ground, window);
    Ok(logs
        .partitions
        .iter()
        .map(|log| match (by_partition.get(&log.partition), reset) {
            (Some(next), reset) => Split::from_position(log, *next, reset),
            (None, Reset::Earliest) => Split::from_start(log),
            (None, Reset::Latest) => {
                tally.note("a partition without a commit starts at the end");
                Split::skipping(log, log.end)
            }
            (None, Reset::None) => {
                tally.note("the restart fails, since a partition has no committed offset and `reset: none` is declared");
                Split::default()
            }
        })
        .collect())
}

/// The offsets that the source's group has committed for a topic, by partition; empty where it has committed none.
///
/// # Errors
///
/// The manifest names no group, or the group was not asked or would not tell.
pub(super) fn committed_offsets(ground: &Ground<'_>, window: &Window) -> Result<BTreeMap<i32, i64>, Unknown> {
    let group = source(ground, &window.source).and_then(|source| match &source.kind {
        SourceKind::Kafka(kafka) => kafka.group_id.as_deref(),
        SourceKind::Declared(declared) => declared.group_id.as_deref(),
    });
    let group =
        group.ok_or_else(|| Unknown::new(format!("source {} starts from committed offsets and names no group", window.source), ""))?;
    let fact =
        window.cluster.as_deref().and_then(|cluster| ground.evidence.kafka.get(cluster)).and_then(|cluster| cluster.groups.get(group));
    let fact = fact.ok_or_else(|| {
        Unknown::new(format!("not asked: the committed offsets of group {group}"), format!("OffsetFetch of group {group}"))
    })?;
    let offsets = &fact.known()?.value;
    if let Some(reason) = offsets.failed.get(&window.topic) {
        return Err(Unknown::new(
            format!("failed: committed offsets of topic {}: {reason}", window.topic),
            format!("OffsetFetch of group {group}"),
        ));
    }
    Ok(offsets.topics.get(&window.topic).cloned().unwrap_or_default())
}

/// Where the source of a window starts without state.
pub(super) fn start_of(ground: &Ground<'_>, window: &Window) -> Start {
    source(ground, &window.source).map_or(Start::Earliest, start)
}

/// Where a source starts without state.
pub(super) fn start(source: &Source) -> Start {
    match &source.kind {
        SourceKind::Kafka(kafka) => kafka.start,
        SourceKind::Declared(declared) => declared.start.unwrap_or_default(),
    }
}

/// What the source of a window does with a position that is gone.
pub(super) fn reset_of(ground: &Ground<'_>, window: &Window) -> Reset {
    source(ground, &window.source).map_or(Reset::Earliest, |source| match &source.kind {
        SourceKind::Kafka(kafka) => kafka.reset,
        SourceKind::Declared(declared) => declared.reset.unwrap_or_default(),
    })
}
