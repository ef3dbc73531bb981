//! Whether a restart can take a snapshot at all.

use super::{Ground, metadata};
use crate::{
    analysis::snapshots::{Readable, SnapshotKind, SnapshotView},
    evidence::Unknown,
    manifest::{OnCancel, Recovery, RestoreFrom},
};

/// The answer.
pub(super) enum Eligible {
    /// It can, as far as these questions do not stand against it.
    Yes(Vec<Unknown>),
    /// It cannot, and why.
    No(String),
}

pub(super) fn check(ground: &Ground<'_>, recovery: &Recovery, kind: SnapshotKind, snapshot: &SnapshotView) -> Eligible {
    let mut open = Vec::new();
    match snapshot.readable() {
        Readable::Yes => {}
        Readable::No { key, why } => return Eligible::No(format!("the {} cannot be read: {key} is {why}", kind.word())),
        Readable::Unknown(unknown) => open.push(unknown),
    }
    // What high availability points to survives, since no job is cancelled for it.
    if kind == SnapshotKind::Checkpoint && recovery.restore.from != RestoreFrom::LastState {
        match recovery.checkpoints.as_ref().and_then(|checkpoints| checkpoints.on_cancel) {
            Some(OnCancel::Retain) => {}
            Some(OnCancel::Delete) => return Eligible::No("cancelling the job deletes its checkpoints (`on_cancel: delete`)".to_owned()),
            None => open.push(Unknown::new("whether cancelling deletes the checkpoints (the manifest states no `on_cancel`)", "")),
        }
    }
    let written = metadata(ground.evidence, &snapshot.location).ok().map(|metadata| metadata.format_version);
    if let (Some(format), Some(version)) = (written, ground.job.flink.version.as_deref())
        && let (Some(needed), Some(declared)) = (first_reader(format), release(version))
        && declared < needed
    {
        return Eligible::No(format!(
            "Flink {version} cannot read the {} (format {format} of _metadata came with Flink {}.{})",
            kind.word(),
            needed.0,
            needed.1
        ));
    }
    Eligible::Yes(open)
}

/// The first Flink release that knows a format of `_metadata`.
const fn first_reader(format: u32) -> Option<(u32, u32)> {
    match format {
        3 => Some((1, 11)),
        4 => Some((1, 16)),
        5 => Some((2, 0)),
        6 => Some((2, 1)),
        _ => None,
    }
}

/// Major and minor number.
fn release(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split('.').map(|part| part.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok());
    Some((numbers.next()??, numbers.next()??))
}
