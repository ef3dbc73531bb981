//! Who reads a source's records, and what stands between a record that is read again and a sink.

use super::{super::StateView, Ground, Way};
use crate::{
    evidence::Unknown,
    manifest::{Delivery, Role, Sink, SinkKind},
};

/// One way of records from a source into a sink.
#[derive(Clone, Debug)]
pub struct Path<'a> {
    /// The operator's states that see the records; empty where no stateful operator is declared between.
    pub states: Vec<&'a StateView>,
    /// The sink. `None`: the manifest declares none at all, so records are counted as for one that takes everything twice.
    pub sink: Option<&'a Sink>,
}

impl Path<'_> {
    /// `dedup-events → redshift`.
    #[must_use]
    pub fn words(&self) -> String {
        let sink = self.sink.map_or("no declared sink", |sink| sink.id.value.as_str());
        match self.states.first() {
            Some(state) => format!("{} → {sink}", state.operator),
            None => format!("→ {sink}"),
        }
    }

    /// What protects the sink in `way`.
    #[must_use]
    pub fn guard(&self, way: Way, last_completed: bool) -> Guard {
        match self.sink {
            // An upsert of a wrong sum overwrites the right one.
            Some(sink) if way != Way::OffsetReset || !self.adds_up() => guard(sink, way, last_completed),
            _ => Guard::Open,
        }
    }

    /// Whether replayed records are added on top of what survived in state.
    #[must_use]
    pub fn adds_up(&self) -> bool {
        self.states.iter().any(|state| matches!(state.role, Role::Aggregation | Role::Session))
    }
}

/// Every path from `source` into a sink.
pub(super) fn paths<'a>(ground: &Ground<'a>, source: &str) -> Vec<Path<'a>> {
    let reads = |state: &&StateView| state.reads.iter().any(|(id, _)| id == source);
    let mut paths = Vec::new();
    for sink in &ground.job.sinks {
        if sink.fed_by.is_empty() {
            paths.push(Path { states: Vec::new(), sink: Some(sink) });
            continue;
        }
        for operator in &sink.fed_by {
            let states: Vec<&StateView> = ground.states.iter().filter(|state| state.operator == *operator).filter(reads).collect();
            if !states.is_empty() {
                paths.push(Path { states, sink: Some(sink) });
            }
        }
    }
    if ground.job.sinks.is_empty() {
        for operator in &ground.job.operators {
            let of_it = |state: &&StateView| state.operator == operator.id.value.text();
            let states: Vec<&StateView> = ground.states.iter().filter(of_it).filter(reads).collect();
            if !states.is_empty() {
                paths.push(Path { states, sink: None });
            }
        }
        if ground.job.operators.is_empty() {
            paths.push(Path { states: Vec::new(), sink: None });
        }
    }
    paths
}

/// Whether a sink takes a second write of the same record without effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// It does.
    Holds,
    /// It does not.
    Open,
    /// The manifest does not say.
    Unknown(Unknown),
}

/// What protects `sink` in `way`. `last_completed`: the restart takes the last completed checkpoint, beyond which no transaction was committed.
#[must_use]
pub fn guard(sink: &Sink, way: Way, last_completed: bool) -> Guard {
    if sink.idempotent {
        return Guard::Holds;
    }
    // Transactions that were committed stay committed: they only protect what comes after the last completed checkpoint.
    let transactions_help = way == Way::Failover || (way == Way::Snapshot && last_completed);
    match sink.delivery {
        Some(Delivery::ExactlyOnce) if transactions_help => Guard::Holds,
        None if transactions_help && can_commit(sink.kind) => Guard::Unknown(not_stated(sink)),
        Some(_) | None => Guard::Open,
    }
}

/// Why it is not known what a sink guarantees.
#[must_use]
pub fn not_stated(sink: &Sink) -> Unknown {
    Unknown::new(format!("the manifest does not state the delivery guarantee of sink {}", sink.id.value), "")
}

/// Whether the connector can deliver exactly once at all.
const fn can_commit(kind: SinkKind) -> bool {
    !matches!(kind, SinkKind::Firehose | SinkKind::Redshift | SinkKind::Elasticsearch)
}
