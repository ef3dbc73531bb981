//! What is readable in each topic: measured, or worked out from a declared rate.

use super::{
    super::{Basis, Observed, PartitionLog, Window},
    Ground,
};
use crate::{
    evidence::Unknown,
    manifest::{Source, SourceKind},
    units::{Millis, Retention},
};

/// The partitions of one topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicLogs {
    /// One for each partition; a single one where the numbers follow from a declared rate.
    pub partitions: Vec<PartitionLog>,
    /// Why offsets may have no record behind them, so that numbers are upper bounds.
    pub gaps: Option<String>,
    /// Why the topic's own offsets are not known, where Kafka was to be asked: the numbers then follow from a declared rate, and no position
    /// can be held against them.
    pub unmeasured: Option<Unknown>,
    /// Records a day, and how that is known: those of the day before the capture, or as declared.
    pub rate: Option<(u64, Basis)>,
}

impl TopicLogs {
    /// E − L over all partitions.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.partitions.iter().map(|log| u64::try_from(log.end.saturating_sub(log.start)).unwrap_or(0)).fold(0, u64::saturating_add)
    }

    /// Whether nothing was written to it in the day before the capture.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        matches!(self.rate, Some((0, Basis::Measured)))
    }
}

/// The source with this id.
pub(super) fn source<'a>(ground: &Ground<'a>, id: &str) -> Option<&'a Source> {
    ground.job.sources.iter().find(|source| source.id.value == id)
}

/// What a source's manifest says about its rate.
pub(super) fn declared_rate(source: &Source) -> Option<u64> {
    match &source.kind {
        SourceKind::Kafka(kafka) => kafka.records_per_day,
        SourceKind::Declared(declared) => declared.records_per_day,
    }
}

/// The partitions of a window's topic.
///
/// # Errors
///
/// Neither offsets nor a declared rate are there.
pub fn logs(ground: &Ground<'_>, window: &Window) -> Result<TopicLogs, Unknown> {
    let source = source(ground, &window.source).ok_or_else(|| Unknown::new(format!("source {} is not declared", window.source), ""))?;
    match measured(ground, window) {
        Ok(partitions) => {
            let last_day = partitions.iter().map(PartitionLog::last_day).sum::<Option<u64>>();
            let rate = last_day.map(|records| (records, Basis::Measured));
            Ok(TopicLogs { partitions, gaps: window.gaps.clone(), unmeasured: None, rate: rate.or_else(|| only_topic(source, window)) })
        }
        Err(unknown) => {
            let logs = declared(ground, source, window).ok_or_else(|| unknown.clone())?;
            Ok(TopicLogs { unmeasured: window.cluster.is_some().then_some(unknown), ..logs })
        }
    }
}

fn measured(ground: &Ground<'_>, window: &Window) -> Result<Vec<PartitionLog>, Unknown> {
    let nothing = || Unknown::new(format!("records of source {} cannot be counted: it is not Kafka", window.source), "");
    let cluster = window.cluster.as_deref().ok_or_else(nothing)?;
    let topic = ground.evidence.kafka.get(cluster).and_then(|cluster| cluster.topics.get(&window.topic));
    let topic = topic.ok_or_else(|| Unknown::new(format!("not captured: topic {}", window.topic), "ttl-audit collect"))?;
    let partitions = &topic.partitions.known()?.value;
    let captured_at = topic.captured_at(ground.evidence.captured_at);
    partitions.iter().map(|partition| PartitionLog::of(&window.topic, topic, captured_at, *partition)).collect()
}

/// A rate is that of the whole source: it says nothing about one topic of several.
fn only_topic(source: &Source, window: &Window) -> Option<(u64, Basis)> {
    let single = match &source.kind {
        SourceKind::Kafka(kafka) => matches!(&kafka.topics, crate::manifest::Topics::Named(topics) if topics.len() == 1),
        SourceKind::Declared(_) => true,
    };
    declared_rate(source).filter(|_| single && window.source == source.id.value).map(|rate| (rate, Basis::Declared))
}

fn declared(ground: &Ground<'_>, source: &Source, window: &Window) -> Option<TopicLogs> {
    let (rate, basis) = only_topic(source, window)?;
    let history = history(window)?;
    let log = PartitionLog::declared(rate, history, ground.evidence.captured_at);
    Some(TopicLogs { partitions: vec![log], gaps: None, unmeasured: None, rate: Some((rate, basis)) })
}

/// How far back a topic reaches: as observed, else at worst, else as declared.
fn history(window: &Window) -> Option<Millis> {
    if let Ok(Observed::History(history)) = &window.observed {
        return Some(history.value);
    }
    let worst = window.worst_case.as_ref().ok().and_then(|worst| worst.value.length());
    worst.or_else(|| match window.retention.as_ref().map(|retention| retention.value) {
        Ok(Retention::For(length)) => Some(length),
        _ => None,
    })
}
