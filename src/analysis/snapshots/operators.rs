//! Operators of a manifest, found in a snapshot by the id that Flink gives them.

use crate::{
    evidence::SnapshotMetadata,
    manifest::{Manifest, OperatorId},
    savepoint,
    savepoint::summary::OperatorSummary,
};

/// The id that stands in a snapshot: the hash of the uid, or the hash that was set.
#[must_use]
pub fn id_in_snapshots(id: &OperatorId) -> String {
    match id {
        OperatorId::Uid(uid) => savepoint::OperatorId::from_uid(uid).to_string(),
        OperatorId::Hash(hash) => hash.clone(),
    }
}

/// The operator with this id in a snapshot.
#[must_use]
pub fn operator_in<'m>(metadata: &'m SnapshotMetadata, id: &OperatorId) -> Option<&'m OperatorSummary> {
    let id = id_in_snapshots(id);
    metadata.operators.iter().find(|operator| operator.id == id)
}

/// The ids of every operator and source that a manifest mentions and that can be found in a snapshot.
pub fn declared_ids(job: &Manifest) -> impl Iterator<Item = String> {
    let operators = job.operators.iter().map(|operator| id_in_snapshots(&operator.id.value));
    let sources = job.sources.iter().filter_map(|source| source.uid.clone()).map(|uid| id_in_snapshots(&OperatorId::Uid(uid)));
    operators.chain(sources)
}

/// How a report names an operator of a snapshot: by uid, by name, or by its id.
#[must_use]
pub fn named(operator: &OperatorSummary) -> String {
    match (&operator.uid, &operator.name) {
        (Some(uid), _) => format!("uid {uid}"),
        (None, Some(name)) => format!("{name} (id {})", operator.id),
        (None, None) => format!("id {}", operator.id),
    }
}
