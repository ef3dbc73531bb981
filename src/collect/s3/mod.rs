//! What S3, or a store that speaks its language, is asked.
//!
//! Only calls that describe, list or head, and a get of `_metadata`; on demand also a get of the first bytes of state files. Bounds are the
//! time-out of a call, the deadline of the run, a fixed number of calls at once, and a fixed size of what is held of bodies.

mod access;
mod body;
mod buckets;
mod caller;
mod client;
mod contents;
mod files;
mod head;
mod hidden;
mod listing;
mod objects;
pub mod plan;
mod reach;
mod reached;
mod refusal;
mod rules;
mod search;
mod settings;
mod show;
mod snapshots;
mod state_files;
mod survey;
mod unlisted;

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use futures_util::{
    StreamExt as _,
    future::{join, join_all},
    stream,
};

pub use self::show::{ShowError, show};
use self::{
    buckets::{Buckets, Opened, blocked},
    caller::{CONCURRENCY, Limits, permit},
    contents::{Looked, Wanted as ToLookInto},
    plan::{Plan, Wanted},
    refusal::{Kind, Refusal},
    snapshots::{Complete, Snapshots},
};
use super::{CollectError, Options};
use crate::{
    analysis::snapshots::SnapshotKind,
    audit::Audit,
    evidence::{BucketEvidence, Fact, FilesSummary, HiddenSnapshot, PlaceEvidence, SnapshotEvidence, VersioningStatus},
    units::S3Location,
};

/// How often a place is looked at anew because a running job deleted the snapshot that was being looked into.
const TRIES: usize = 3;

/// What S3 said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct S3Evidence {
    /// By bucket.
    pub buckets: BTreeMap<String, BucketEvidence>,
    /// By declared location.
    pub places: BTreeMap<S3Location, PlaceEvidence>,
}

/// Asks every bucket that the audit's manifests name. Blocks until everything is answered or the deadline has passed; whatever goes wrong
/// on the way is in the evidence. Must not be called from asynchronous code.
///
/// # Errors
///
/// [`CollectError`] if the audit file's `s3` block cannot be used: a variable that is not set, an endpoint that is none.
pub fn collect(audit: &Audit, options: &Options<'_>) -> Result<S3Evidence, CollectError> {
    let plan = Plan::of(audit);
    if plan.buckets.is_empty() {
        return Ok(S3Evidence::default());
    }
    let access = plan.buckets.keys().map(|bucket| access::access(&audit.s3, bucket, options.env).map(|access| (bucket.as_str(), access)));
    let access = access.collect::<Result<BTreeMap<_, _>, _>>()?;
    match run(all(&plan, audit, options)) {
        Ok(evidence) => Ok(evidence),
        Err(refusal) => {
            let buckets = access.into_iter().map(|(bucket, access)| {
                let store = access::store(access.store, access.endpoint_url.as_deref());
                (bucket.to_owned(), blocked(store, &refusal))
            });
            let places = plan.buckets.values().flatten().map(|(place, wanted)| (place.clone(), not_looked_at(&refusal, *wanted)));
            Ok(S3Evidence { buckets: buckets.collect(), places: places.collect() })
        }
    }
}

/// Runs to the end, or says why this machine cannot.
fn run<T>(work: impl Future<Output = T>) -> Result<T, Refusal> {
    match tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build() {
        Ok(runtime) => {
            let result = runtime.block_on(work);
            // A name look-up that hangs must not hold up the end of the run.
            runtime.shutdown_background();
            Ok(result)
        }
        Err(error) => Err(Refusal::new(Kind::Unreachable, format!("no request could be made on this machine: {}", error.kind()))),
    }
}

async fn all(plan: &Plan, audit: &Audit, options: &Options<'_>) -> S3Evidence {
    let limits = Limits::new();
    let buckets = &Buckets::new(&audit.s3, plan, options, &limits);
    let places = plan.buckets.iter().map(|(name, declared)| async move {
        let home = buckets.open(name).await;
        let places = declared.iter().map(|(location, wanted)| {
            let home = Rc::clone(&home);
            async move { (location.clone(), place(buckets, &home, location, *wanted).await) }
        });
        join_all(places).await
    });
    let places = join_all(places).await.into_iter().flatten().collect();
    S3Evidence { buckets: buckets.evidence(), places }
}

async fn place(buckets: &Buckets<'_>, home: &Opened<'_>, place: &S3Location, wanted: Wanted) -> PlaceEvidence {
    if let Some(refusal) = &home.blocked {
        return not_looked_at(refusal, wanted);
    }
    let caller = &home.caller;
    let _turn = permit(&caller.limits.places).await;
    let (mut found, files) = join(
        async { if wanted.snapshots { snapshots_of(buckets, home, place).await } else { PlaceEvidence::of(not_declared()) } },
        async {
            if wanted.files {
                caller.progress(&format!("files of {place}"));
                files::summary(caller, place).await
            } else {
                no_files()
            }
        },
    )
    .await;
    found.files = files;
    found
}

async fn snapshots_of(buckets: &Buckets<'_>, home: &Opened<'_>, place: &S3Location) -> PlaceEvidence {
    let caller = &home.caller;
    let call = caller.call("ListObjectsV2", &place.prefix());
    let mut tries = 0;
    loop {
        tries += 1;
        caller.progress(&format!("snapshots below {place}"));
        let found = match find(home, place).await {
            Ok(found) => found,
            Err(refusal) => return PlaceEvidence::of(refusal.fact_if_not_missing(call)),
        };
        let listed = caller.seen((), call.clone());
        let looked = look_into(buckets, home, &found, &call).await;
        // A running job deletes checkpoints while they are looked at: then the newer one is looked into.
        if tries < TRIES && looked.iter().any(|looked| looked.moving) {
            continue;
        }
        let not_looked_into = u64::try_from(found.complete.len().saturating_sub(looked.len())).unwrap_or(u64::MAX);
        let snapshots: Vec<SnapshotEvidence> = looked.into_iter().map(|looked| looked.snapshot).collect();
        let versions = home.evidence().versioning.shown().is_some_and(|versioning| versioning.status != VersioningStatus::Never);
        let hidden = if versions && snapshots.is_empty() { hidden::find(caller, place).await } else { nothing_hidden(versions) };
        return PlaceEvidence { unfinished: found.unfinished, not_looked_into, hidden, ..PlaceEvidence::of(listed.map(|()| snapshots)) };
    }
}

/// The snapshots below a place. Where the bucket may not be listed, a place that is named like a snapshot may be one all the same.
async fn find(home: &Opened<'_>, place: &S3Location) -> Result<Snapshots, Refusal> {
    let refusal = match snapshots::find(&home.caller, place).await {
        Err(refusal) if refusal.kind == Kind::Denied && snapshots::is_snapshot_name(snapshots::name(place.key())) => refusal,
        found => return found,
    };
    match unlisted::entry(&home.caller, &home.lens, &format!("{}_metadata", place.prefix())).await {
        Ok(Some(metadata)) => Ok(Snapshots { complete: vec![Complete { location: place.clone(), metadata }], ..Snapshots::default() }),
        Ok(None) | Err(_) => Err(refusal),
    }
}

/// Looks into the newest snapshot of each kind, or into all of them.
async fn look_into(buckets: &Buckets<'_>, home: &Opened<'_>, found: &Snapshots, call: &str) -> Vec<Looked> {
    let all: BTreeSet<S3Location> = found.complete.iter().map(|found| found.location.clone()).collect();
    let mut kinds = BTreeSet::new();
    let wanted: Vec<ToLookInto<'_>> = found
        .complete
        .iter()
        .filter_map(|snapshot| {
            let newest = kinds.insert(SnapshotKind::of_folder(&snapshot.location));
            let wanted = ToLookInto { found: snapshot.clone(), all: &all, listing: found.listing.as_ref(), call, newest, uids: &[] };
            (newest || home.caller.options.all_snapshots).then_some(wanted)
        })
        .collect();
    stream::iter(&wanted).map(|wanted| contents::look(buckets, home, wanted)).buffered(CONCURRENCY).collect().await
}

/// A place of a bucket that could not be asked.
fn not_looked_at(refusal: &Refusal, wanted: Wanted) -> PlaceEvidence {
    let mut found = PlaceEvidence::of(if wanted.snapshots { refusal.clone().fact("ListObjectsV2") } else { not_declared() });
    found.files = if wanted.files { refusal.clone().fact("ListObjectsV2") } else { no_files() };
    found.hidden = nothing_hidden(false);
    found
}

fn not_declared() -> Fact<Vec<SnapshotEvidence>> {
    Fact::not_asked("no savepoints or checkpoints are declared here", "ListObjectsV2")
}

fn no_files() -> Fact<FilesSummary> {
    Fact::not_asked("no high-availability, changelog or sink files are declared here", "ListObjectsV2")
}

fn nothing_hidden(versions: bool) -> Fact<Vec<HiddenSnapshot>> {
    let reason = if versions { "there are snapshots, so none is missed" } else { "the bucket is not known to have versions" };
    Fact::not_asked(reason, "ListObjectVersions")
}
