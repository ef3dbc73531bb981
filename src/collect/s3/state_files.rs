//! The summary of a snapshot, and what the first bytes of its state files add to it, if they may be read.
//!
//! Off by default: a read is the one thing here that counts as access (Intelligent-Tiering starts its clock anew) and can cost a retrieval
//! fee. An object in an archive class is never read.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{StreamExt as _, stream};

use super::{body, buckets::Buckets, caller::CONCURRENCY};
use crate::{
    analysis::snapshots::{Archive, ObjectState, ObjectView},
    evidence::{Fact, ReachedObject, StateFilesRead, StoreKind},
    savepoint::{
        Metadata, OperatorId,
        summary::{SnapshotSummary, Wanted, summarize},
    },
    units::{Bytes, Instant, Location, S3Location},
};

/// So much is read of one file at most. Headers take some kilobytes; positions of sources and changes of states seldom more.
const MOST: u64 = 1024 * 1024;

/// So many parts are read for one operator: its subtasks hold the same states.
const OF_OPERATOR: usize = 64;

/// So many parts are read for one snapshot.
const PARTS: usize = 4_096;

/// How often the summary is made anew with what was read meanwhile. A header is read in three steps at most.
const ROUNDS: usize = 8;

const OFF: &str = "not asked: it does not stand in _metadata itself, and state files are read only with --read-state-headers";

/// A snapshot whose objects have been looked up.
pub(super) struct StateFiles<'s> {
    pub(super) location: &'s S3Location,
    pub(super) metadata: &'s Metadata,
    pub(super) bytes: &'s [u8],
    pub(super) needed: &'s [ReachedObject],
    pub(super) uids: &'s [&'s str],
}

impl StateFiles<'_> {
    fn summarize(&self, read: &mut dyn FnMut(&Wanted<'_>) -> Result<Vec<u8>, String>) -> SnapshotSummary {
        summarize(self.metadata, self.bytes, &self.location.to_string(), self.uids, read)
    }

    /// The object that holds a part.
    fn place(&self, wanted: &Wanted<'_>) -> Result<Place, String> {
        if wanted.relative {
            return Ok((self.location.bucket().to_owned(), format!("{}{}", self.location.prefix(), wanted.path)));
        }
        match wanted.path.parse::<Location>() {
            Ok(Location::S3(location)) => Ok((location.bucket().to_owned(), location.key().to_owned())),
            _ => Err("a state file is not in S3".to_owned()),
        }
    }
}

/// Bucket and key.
type Place = (String, String);

/// What was asked for of an object from some byte on, and what came.
struct Part {
    len: u64,
    came: Result<Vec<u8>, String>,
}

/// What the snapshot holds, and what was read for that.
pub(super) async fn summary(buckets: &Buckets<'_>, files: &StateFiles<'_>) -> (SnapshotSummary, Fact<StateFilesRead>) {
    if !buckets.options.read_state_headers {
        return (
            files.summarize(&mut |_| Err(OFF.to_owned())),
            Fact::not_asked("state files are read only with --read-state-headers", "GetObject"),
        );
    }
    let mut reading = Reading { readable: readable(buckets, files.needed).await, parts: BTreeMap::new(), of: BTreeMap::new() };
    let mut read = StateFilesRead::default();
    let mut objects = BTreeSet::new();
    for _ in 0..ROUNDS {
        let mut pending = BTreeMap::new();
        let summary = files.summarize(&mut |wanted| reading.part(files.place(wanted)?, wanted, &mut pending));
        if pending.is_empty() {
            read.objects = objects.len() as u64;
            let call = format!("GetObject of the first bytes of state files of {}", files.location);
            return (summary, Fact::seen(read, files.location.bucket(), call, super::super::now()));
        }
        let fetched: Vec<_> = stream::iter(pending)
            .map(|(from, len)| async move {
                let opened = buckets.open(&from.0.0).await;
                let came = body::part(&opened.caller, &from.0.1, from.1, len).await;
                (from, len, came.map_err(|refusal| format!("state files: {}", refusal.reason)))
            })
            .buffer_unordered(CONCURRENCY)
            .collect()
            .await;
        for (from, len, came) in fetched {
            if let Ok(bytes) = &came {
                read.bytes = read.bytes.plus(Bytes(bytes.len() as u64));
                objects.insert(from.0.clone());
            }
            reading.parts.insert(from, Part { len, came });
        }
    }
    let summary = files.summarize(&mut |_| Err("state files: their headers lead on and on".to_owned()));
    (summary, Fact::failed("the headers of state files lead on and on", "GetObject"))
}

struct Reading {
    /// Which objects may be read; why the others may not.
    readable: BTreeMap<Place, Result<(), String>>,
    /// What was read, by object and first byte.
    parts: BTreeMap<(Place, u64), Part>,
    /// How many parts are read for each operator.
    of: BTreeMap<OperatorId, usize>,
}

impl Reading {
    /// A part that was read; one that was not becomes pending, if it may be read.
    fn part(&mut self, place: Place, wanted: &Wanted<'_>, pending: &mut BTreeMap<(Place, u64), u64>) -> Result<Vec<u8>, String> {
        if wanted.len > MOST {
            return Err(format!("state files: a part of more than {} is not read from S3", Bytes(MOST)));
        }
        let from = (place, wanted.start);
        match self.parts.get(&from) {
            Some(Part { came: Err(reason), .. }) => return Err(reason.clone()),
            Some(Part { len, came: Ok(bytes) }) if *len >= wanted.len || (bytes.len() as u64) < *len => {
                let len = usize::try_from(wanted.len).unwrap_or(usize::MAX).min(bytes.len());
                return Ok(bytes.get(..len).unwrap_or_default().to_vec());
            }
            None if !pending.contains_key(&from) => {
                self.readable.get(&from.0).cloned().unwrap_or_else(|| Err("a state file was not looked up".to_owned()))?;
                let of = self.of.entry(wanted.operator).or_default();
                if *of >= OF_OPERATOR {
                    return Err(format!("state files: only the first {OF_OPERATOR} parts of an operator are read from S3"));
                }
                if self.parts.len() + pending.len() >= PARTS {
                    return Err(format!("state files: only the first {PARTS} parts of a snapshot are read from S3"));
                }
                *of += 1;
            }
            // More of a part than came, or than was asked for just now.
            Some(_) | None => {}
        }
        let len = pending.entry(from).or_default();
        *len = wanted.len.max(*len);
        Err("state files: it is being read".to_owned())
    }
}

/// Which objects may be read.
async fn readable(buckets: &Buckets<'_>, needed: &[ReachedObject]) -> BTreeMap<Place, Result<(), String>> {
    let mut readable = BTreeMap::new();
    for object in needed {
        let Some(bucket) = &object.bucket else { continue };
        let store = buckets.open(bucket).await.lens.store();
        readable.insert((bucket.clone(), object.key.clone()), may_be_read(object, bucket, store, buckets.options.captured_at));
    }
    readable
}

/// Only what is known to be no archive.
fn may_be_read(object: &ReachedObject, bucket: &str, store: StoreKind, now: Instant) -> Result<(), String> {
    let found = match &object.found {
        Fact::Seen(found) => &found.value,
        Fact::Absent(_) => return Err("a state file is missing".to_owned()),
        _ => return Err("it is not known whether a state file is there".to_owned()),
    };
    let view = ObjectView::of(store, bucket, found, now);
    let class = view.class.as_deref().unwrap_or("no class");
    match view.state {
        // On a store that is not AWS a class is only a name, and this one may mean what it says.
        ObjectState::Readable if Archive::of_class(class).is_none() => Ok(()),
        ObjectState::Unknown(_) => Err(format!("it is not known whether a state file is archived ({class}), so it is not read")),
        _ => Err(format!("a state file is in an archive ({class}), and nothing is read there")),
    }
}
