//! One snapshot in S3, to be shown: what it holds, and how it is stored. No bucket is asked what it is set to do.

use std::collections::BTreeSet;

use futures_util::{StreamExt as _, stream};

use super::{
    body,
    buckets::{Buckets, Opened},
    caller::Limits,
    contents::{self, Wanted},
    listing::{self, Found},
    plan::Plan,
    refusal::{Kind, Refusal},
    run,
    snapshots::{self, Complete},
    unlisted,
};
use crate::{
    analysis::snapshots::stored,
    audit::S3Config,
    collect::{CollectError, Options},
    evidence::{Fact, Gap, SnapshotEvidence},
    savepoint::{
        Metadata,
        summary::{Sharing, SnapshotSummary},
    },
    units::{Bytes, S3Location},
};

/// How often it is looked at anew because it was deleted and written again meanwhile.
const TRIES: usize = 3;

/// So many snapshots beside it are read for what they need too.
const BESIDE: usize = 10;

/// Pages of 1,000 folders that are read to find them.
const BESIDE_PAGES: usize = 10;

/// Why a snapshot cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShowError {
    /// The way of access cannot be used.
    #[error(transparent)]
    Access(#[from] CollectError),
    /// There is no `_metadata` in the folder.
    #[error("{location} holds no `_metadata`")]
    NoSnapshot {
        /// The folder.
        location: S3Location,
        /// Whether anything lies in it.
        empty: bool,
        /// The newest snapshot below it.
        newest: Option<S3Location>,
        /// How many there are below it.
        below: usize,
    },
    /// There is no such bucket.
    #[error("{0}")]
    NoBucket(String),
    /// What is there is no `_metadata` that can be understood.
    #[error("{0}")]
    Damaged(String),
    /// It could not be had: a right, a connection, a restore from an archive is missing.
    #[error("{call}: {reason}")]
    NotHad {
        /// The call.
        call: String,
        /// What it said.
        reason: String,
    },
}

impl From<Gap> for ShowError {
    fn from(Gap { reason, call }: Gap) -> Self {
        Self::NotHad { call, reason }
    }
}

/// Looks into the snapshot in the folder `location`. Blocks; must not be called from asynchronous code.
///
/// # Errors
///
/// [`ShowError`] says why there is nothing to show. What of its objects could not be looked up is in the summary.
pub fn show(location: &S3Location, config: &S3Config, uids: &[&str], options: &Options<'_>) -> Result<SnapshotSummary, ShowError> {
    super::access::access(config, location.bucket(), options.env)?;
    run(look(location, config, uids, options)).unwrap_or_else(|refusal| Err(not_had(refusal, String::new())))
}

async fn look(location: &S3Location, config: &S3Config, uids: &[&str], options: &Options<'_>) -> Result<SnapshotSummary, ShowError> {
    let (limits, plan) = (Limits::new(), Plan::default());
    let buckets = Buckets::new(config, &plan, options, &limits).without_settings();
    let home = buckets.open(location.bucket()).await;
    if let Some(refusal) = &home.blocked {
        let call = home.caller.call("HeadBucket", "");
        return Err(if refusal.kind == Kind::Missing {
            ShowError::NoBucket(format!("{call}: {}", refusal.reason))
        } else {
            not_had(refusal.clone(), call)
        });
    }
    let mut tries = 0;
    loop {
        tries += 1;
        let Some(found) = metadata(&home, location).await? else { return Err(none(&home, location).await) };
        let all = BTreeSet::new();
        let call = home.caller.call("ListObjectsV2", &found.metadata.key);
        let looked = contents::look(&buckets, &home, &Wanted { found, all: &all, listing: None, call: &call, newest: true, uids }).await;
        if looked.moving && tries < TRIES {
            continue;
        }
        let Some(mut summary) = looked.summary else { return Err(unread(looked.snapshot, looked.damaged)) };
        if summary.reach.absolute > 0 {
            compare(&home, location, &mut summary).await;
        }
        let evidence = buckets.evidence();
        let store = |bucket: &str| evidence.get(bucket).map(|bucket| bucket.store.kind);
        let requests = evidence.values().map(|bucket| bucket.requests).sum();
        stored::add(&mut summary, &looked.snapshot, &store, requests, options.captured_at);
        summary.operators = looked.snapshot.metadata.shown().map(|metadata| metadata.operators.clone()).unwrap_or_default();
        return Ok(summary);
    }
}

/// The `_metadata` of the folder; by HeadObject where the bucket may not be listed.
async fn metadata(home: &Opened<'_>, location: &S3Location) -> Result<Option<Complete>, ShowError> {
    let key = format!("{}_metadata", location.prefix());
    let listed = listing::exact(&home.caller, &key).await;
    let (entry, call) = match listed {
        Err(refusal) if refusal.kind == Kind::Denied => {
            let call = home.caller.call("HeadObject", &key);
            match unlisted::entry(&home.caller, &home.lens, &key).await {
                Err(head) if head.status == Some(404) => (Ok(None), call),
                Err(_) => (Err(refusal), home.caller.call("ListObjectsV2", &key)),
                found => (found, call),
            }
        }
        listed => (listed, home.caller.call("ListObjectsV2", &key)),
    };
    let entry = entry.map_err(|refusal| not_had(refusal, call))?;
    Ok(entry.map(|metadata| Complete { location: location.clone(), metadata }))
}

/// Reads the `_metadata` of the newest snapshots beside this one, to see what they need too. What cannot be read is compared with nothing.
async fn compare(home: &Opened<'_>, location: &S3Location, summary: &mut SnapshotSummary) {
    let caller = &home.caller;
    let parent = location.key().rsplit_once('/').map_or_else(String::new, |(parent, _)| format!("{parent}/"));
    caller.progress(&format!("snapshots beside {location}"));
    let mut beside = Vec::new();
    let listed = listing::list(caller, &parent, true, BESIDE_PAGES, |found| {
        if let Found::Folder(folder) = found {
            let name = snapshots::name(folder.trim_end_matches('/'));
            let other = snapshots::is_snapshot_name(name).then(|| S3Location::new(location.bucket(), &folder));
            beside.extend(other.filter(|other| other != location));
        }
    });
    if listed.await.is_err() {
        return;
    }
    beside.sort_by_cached_key(|other| {
        let name = snapshots::name(other.key()).to_owned();
        std::cmp::Reverse((snapshots::checkpoint_number(&name), name))
    });
    let mut sharing = Sharing::of(summary);
    let mut read = stream::iter(beside.into_iter().take(BESIDE))
        .map(|other| async move {
            let body = body::metadata(caller, &format!("{}_metadata", other.prefix()), Bytes(0)).await.ok()?;
            let reach = Metadata::read(&body.bytes).ok()?.reach(&other.to_string());
            Some((other, reach))
        })
        .buffer_unordered(2);
    while let Some(other) = read.next().await {
        if let Some((other, reach)) = other {
            sharing.with(&other.to_string(), &reach);
        }
    }
}

/// What there is instead of a snapshot.
async fn none(home: &Opened<'_>, location: &S3Location) -> ShowError {
    let found = snapshots::find(&home.caller, location).await.unwrap_or_default();
    let empty = found.listing.as_ref().is_some_and(std::collections::BTreeMap::is_empty);
    let newest = found.complete.first().map(|newest| newest.location.clone());
    ShowError::NoSnapshot { location: location.clone(), empty, newest, below: found.complete.len() }
}

/// Why its `_metadata` tells nothing.
fn unread(snapshot: SnapshotEvidence, damaged: bool) -> ShowError {
    match snapshot.metadata {
        Fact::Failed(gap) if damaged => ShowError::Damaged(gap.reason),
        Fact::Absent(gap) | Fact::Denied(gap) | Fact::Unsupported(gap) | Fact::Failed(gap) | Fact::NotAsked(gap) => gap.into(),
        Fact::Seen(_) => ShowError::Damaged("its _metadata was read and not understood".to_owned()),
    }
}

fn not_had(refusal: Refusal, call: String) -> ShowError {
    ShowError::NotHad { call, reason: refusal.reason }
}
