//! One snapshot looked into: its `_metadata` read, and everything that it names looked up.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicU64, Ordering},
};

use super::{
    body,
    buckets::{Buckets, Opened},
    caller::permit,
    client::OF_SNAPSHOT,
    listing::Entry,
    objects, reached,
    refusal::{Kind, Refusal},
    snapshots::Complete,
    state_files::{self, StateFiles},
};
use crate::{
    evidence::{Fact, ObjectEvidence, ReachedObject, Reference, SnapshotEvidence, SnapshotMetadata},
    savepoint::{Metadata, ReachedFile, summary::SnapshotSummary},
    units::{Bytes, S3Location},
};

/// What came of a look into a snapshot.
pub(super) struct Looked {
    pub(super) snapshot: SnapshotEvidence,
    /// The whole of what `_metadata` says; only where it was read.
    pub(super) summary: Option<SnapshotSummary>,
    /// It was deleted while it was looked at.
    pub(super) moving: bool,
    /// Its `_metadata` was read and cannot be understood.
    pub(super) damaged: bool,
}

/// A snapshot that is to be looked into.
pub(super) struct Wanted<'w> {
    pub(super) found: Complete,
    /// All snapshots of the place: what lies below another one is not this one's.
    pub(super) all: &'w BTreeSet<S3Location>,
    /// Everything below the place, where that was kept.
    pub(super) listing: Option<&'w BTreeMap<String, Entry>>,
    /// The call that showed it.
    pub(super) call: &'w str,
    /// Whether HeadObject is asked for its `_metadata` in any case.
    pub(super) newest: bool,
    /// Uids to be tried on ids that have none.
    pub(super) uids: &'w [&'w str],
}

/// Looks into one snapshot of the bucket `home`, and counts the requests that this takes.
pub(super) async fn look(buckets: &Buckets<'_>, home: &Opened<'_>, wanted: &Wanted<'_>) -> Looked {
    let counted = OF_SNAPSHOT.scope(AtomicU64::new(0), async {
        let _turn = permit(&home.caller.limits.looks).await;
        let looked = inside(buckets, home, wanted).await;
        (looked, OF_SNAPSHOT.with(|requests| requests.load(Ordering::Relaxed)))
    });
    let (mut looked, requests) = Box::pin(counted).await;
    looked.snapshot.requests = requests;
    looked
}

async fn inside(buckets: &Buckets<'_>, home: &Opened<'_>, wanted: &Wanted<'_>) -> Looked {
    let (caller, location) = (&home.caller, &wanted.found.location);
    let entry = &wanted.found.metadata;
    let (key, size) = (entry.key.clone(), entry.size);
    let listed = wanted.call.to_owned();
    let file = objects::examine(caller, &home.lens, vec![entry.clone()], wanted.newest.then_some(key.as_str())).await;
    let Some(file) = file.into_iter().next() else { return wanted.moving(&listed) };
    caller.progress(&format!("_metadata of {location}"));
    let call = caller.call("GetObject", &key);
    let body = match body::metadata(caller, &key, size).await {
        Ok(body) => body,
        Err(refusal) if refusal.kind == Kind::Missing => return wanted.moving(&call),
        Err(refusal) => return wanted.not_known(&unread(refusal, &file).fact(call), Some(caller.seen(file, listed))),
    };
    let metadata = match Metadata::read(&body.bytes) {
        Ok(metadata) => metadata,
        Err(error) => {
            let reason = format!("the _metadata of {location} is damaged, or of a kind that is not known: {error}");
            return Looked { damaged: true, ..wanted.not_known(&Fact::failed(reason, call), Some(caller.seen(file, listed))) };
        }
    };
    let reach = metadata.reach(&location.to_string()).files;
    caller.progress(&format!("{} objects that {location} needs", reach.len() + 1));
    let beside = reached::beside(home, wanted, &reach).await;
    let unreferenced = beside.unreferenced.clone();
    let Some(found) = reached::look_up(buckets, home, beside, &key, &reach).await else { return wanted.moving(&listed) };
    let mut needed = Vec::with_capacity(reach.len() + 1);
    needed.push(ReachedObject {
        bucket: Some(location.bucket().to_owned()),
        key,
        min_size: Bytes(0),
        reference: Reference::Metadata,
        references: 0,
        shared: false,
        found: caller.seen(file, listed),
    });
    needed.extend(reach.into_iter().zip(found).map(|(file, found)| reached(file, found)));
    let files = StateFiles { location, metadata: &metadata, bytes: &body.bytes, needed: &needed, uids: wanted.uids };
    let (mut summary, state_files) = state_files::summary(buckets, &files).await;
    drop((metadata, body));
    let mut snapshot = SnapshotEvidence::listed(location.clone(), entry.last_modified, Fact::not_asked("", ""));
    snapshot.objects = caller.seen(needed, &call);
    snapshot.unreferenced = unreferenced;
    snapshot.state_files = state_files;
    snapshot.metadata = caller.seen(
        SnapshotMetadata {
            format_version: summary.format_version,
            checkpoint_id: summary.checkpoint_id,
            kind: summary.kind,
            state_size: summary.state_size,
            operators: std::mem::take(&mut summary.operators),
        },
        call,
    );
    Looked { snapshot, summary: Some(summary), moving: false, damaged: false }
}

impl Wanted<'_> {
    /// What it needs is not known, for this reason.
    fn not_known(&self, reason: &Fact<()>, file: Option<Fact<ObjectEvidence>>) -> Looked {
        // A value would be the empty reach of a snapshot that was read; there is none here.
        let (objects, metadata) = match reason {
            Fact::Seen(_) => (Fact::failed("it was not read", ""), Fact::failed("it was not read", "")),
            Fact::Absent(gap) => (Fact::Absent(gap.clone()), Fact::Absent(gap.clone())),
            Fact::Denied(gap) => (Fact::Denied(gap.clone()), Fact::Denied(gap.clone())),
            Fact::Unsupported(gap) => (Fact::Unsupported(gap.clone()), Fact::Unsupported(gap.clone())),
            Fact::Failed(gap) => (Fact::Failed(gap.clone()), Fact::Failed(gap.clone())),
            Fact::NotAsked(gap) => (Fact::NotAsked(gap.clone()), Fact::NotAsked(gap.clone())),
        };
        let mut snapshot = SnapshotEvidence::listed(self.found.location.clone(), self.found.metadata.last_modified, objects);
        snapshot.metadata = metadata;
        if let Some(file) = file {
            snapshot.file = file;
        }
        Looked { snapshot, summary: None, moving: false, damaged: false }
    }

    fn moving(&self, call: &str) -> Looked {
        let reason = format!("moving: {} was deleted while it was looked at, and so were those that took its place", self.found.location);
        Looked { moving: true, ..self.not_known(&Fact::failed(reason, call), None) }
    }
}

/// Why `_metadata` was not read.
fn unread(refusal: Refusal, file: &ObjectEvidence) -> Refusal {
    if !refusal.has_code("InvalidObjectState") {
        return refusal;
    }
    let class = file.storage_class.as_deref().unwrap_or("an archive");
    Refusal::new(Kind::Failed, format!("its _metadata is archived ({class}), so what else the snapshot needs is not known"))
}

fn reached(file: ReachedFile, found: Fact<ObjectEvidence>) -> ReachedObject {
    let (bucket, key) = match file.s3 {
        Some(location) => (Some(location.bucket().to_owned()), location.key().to_owned()),
        None => (None, file.path),
    };
    ReachedObject {
        bucket,
        key,
        min_size: Bytes(file.min_size),
        reference: if file.relative.is_some() { Reference::Relative } else { Reference::Absolute },
        references: file.references,
        shared: file.shared,
        found,
    }
}
