//! What S3, or a store that speaks its language, is asked.
//!
//! Only calls that describe, list or head: nothing here reads an object's content, so no Intelligent-Tiering clock is reset and no retrieval
//! is paid for. The caller's other bounds are the time-out of a call, the deadline of the run, and a fixed number of calls at once.

mod access;
mod caller;
mod client;
mod files;
mod head;
mod hidden;
mod listing;
mod objects;
pub mod plan;
mod reach;
mod refusal;
mod rules;
mod settings;
mod snapshots;

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::AtomicU64},
};

use futures_util::{
    StreamExt as _,
    future::{join, join_all, join5},
    stream,
};
use tokio::sync::Semaphore;

use self::{
    caller::{CONCURRENCY, Caller},
    client::Connection,
    objects::Lens,
    plan::{Plan, Wanted},
    refusal::{Kind, Refusal},
};
use super::{CollectError, Options};
use crate::{
    audit::{Audit, S3Access},
    evidence::{BucketEvidence, Fact, FilesSummary, HiddenSnapshot, PlaceEvidence, SnapshotEvidence, Store, VersioningStatus},
    units::S3Location,
};

/// Snapshots of one place that are looked into at the same time.
const SNAPSHOTS_AT_ONCE: usize = 4;

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
    match tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build() {
        Ok(runtime) => {
            let evidence = runtime.block_on(all(&plan, &access, options));
            // A name look-up that hangs must not hold up the end of the run.
            runtime.shutdown_background();
            Ok(evidence)
        }
        Err(error) => {
            let refusal = Refusal::new(Kind::Unreachable, format!("no request could be made on this machine: {}", error.kind()));
            let stores = access.iter().map(|(bucket, access)| (*bucket, access::store(access.store, access.endpoint_url.as_deref())));
            Ok(gathered(stores.map(|(bucket, store)| (bucket, blocked(store, &refusal, bucket, &plan, 0)))))
        }
    }
}

/// A bucket's evidence, and that of its places.
type Answers = (BucketEvidence, BTreeMap<S3Location, PlaceEvidence>);

async fn all(plan: &Plan, access: &BTreeMap<&str, S3Access>, options: &Options<'_>) -> S3Evidence {
    let http = client::http_client();
    let mut connections = BTreeMap::new();
    for access in access.values() {
        if !connections.contains_key(access) {
            connections.insert(access, Connection::new(access, &http, options).await);
        }
    }
    let permits = Semaphore::new(CONCURRENCY);
    let buckets = access.iter().filter_map(|(bucket, access)| Some((*bucket, connections.get(access)?)));
    let permits = &permits;
    let buckets =
        buckets.map(|(bucket, connection)| async move { (bucket, self::bucket(bucket, plan, connection, options, permits).await) });
    gathered(join_all(buckets).await)
}

fn gathered<'a>(answers: impl IntoIterator<Item = (&'a str, Answers)>) -> S3Evidence {
    let mut evidence = S3Evidence::default();
    for (bucket, (settings, places)) in answers {
        evidence.buckets.insert(bucket.to_owned(), settings);
        evidence.places.extend(places);
    }
    evidence
}

async fn bucket(name: &str, plan: &Plan, connection: &Connection, options: &Options<'_>, permits: &Semaphore) -> Answers {
    let requests = Arc::new(AtomicU64::new(0));
    let region = connection.region();
    let client = connection.client(region, &requests);
    let mut caller = Caller { client, bucket: name, options, permits, requests };
    caller.progress("region");
    let reached = reach::reach(&mut caller, connection, region).await;
    if let Some(refusal) = reached.blocked {
        let (evidence, places) = blocked(connection.store.clone(), &refusal, name, plan, caller.requests());
        return (BucketEvidence { region: reached.region, ..evidence }, places);
    }
    caller.progress("settings");
    let declared = plan.buckets.get(name).into_iter().flatten();
    let above = plan::folders_above(declared.clone().map(|(place, _)| place));
    let settings = join5(
        settings::lifecycle(&caller),
        settings::intelligent_tiering(&caller),
        settings::versioning(&caller),
        settings::object_lock(&caller),
        settings::tags(&caller),
    );
    let (settings, prefixes) = join(settings, settings::prefixes(&caller, &above)).await;
    let (lifecycle, intelligent_tiering, versioning, object_lock, tags) = settings;
    let store = connection.store.clone();
    let evidence = BucketEvidence {
        store,
        region: reached.region,
        lifecycle,
        intelligent_tiering,
        versioning,
        object_lock,
        tags,
        prefixes,
        requests: 0,
    };
    let lens = Lens::of(&evidence);
    let versions = evidence.versioning.shown().is_some_and(|versioning| versioning.status != VersioningStatus::Never);
    let places = declared.map(|(place, wanted)| async {
        let found = self::place(&caller, &lens, place, *wanted, versions).await;
        (place.clone(), found)
    });
    let places = join_all(places).await.into_iter().collect();
    (BucketEvidence { requests: caller.requests(), ..evidence }, places)
}

async fn place(caller: &Caller<'_>, lens: &Lens, place: &S3Location, wanted: Wanted, versions: bool) -> PlaceEvidence {
    let (mut found, files) = join(
        async { if wanted.snapshots { snapshots_of(caller, lens, place, versions).await } else { PlaceEvidence::of(not_declared()) } },
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

async fn snapshots_of(caller: &Caller<'_>, lens: &Lens, place: &S3Location, versions: bool) -> PlaceEvidence {
    caller.progress(&format!("snapshots below {place}"));
    let call = caller.call("ListObjectsV2", &place.prefix());
    let found = match snapshots::find(caller, place).await {
        Ok(found) => found,
        Err(refusal) => return PlaceEvidence::of(refusal.fact_if_not_missing(call)),
    };
    let listed = caller.seen((), call);
    let locations: Vec<S3Location> = found.complete.iter().map(|(location, _)| location.clone()).collect();
    let wanted = if caller.options.all_snapshots { locations.len() } else { 1 };
    let not_looked_into = u64::try_from(locations.len().saturating_sub(wanted)).unwrap_or(u64::MAX);
    let looked = stream::iter(found.complete.into_iter().take(wanted).enumerate()).map(|(nth, (location, taken_at))| {
        let locations = &locations;
        async move {
            let objects = objects::of_snapshot(caller, lens, &location, locations, nth == 0).await;
            SnapshotEvidence::listed(location, taken_at, objects)
        }
    });
    let looked: Vec<_> = looked.buffered(SNAPSHOTS_AT_ONCE).collect().await;
    let hidden = if versions && looked.is_empty() { hidden::find(caller, place).await } else { nothing_hidden(versions) };
    PlaceEvidence { unfinished: found.unfinished, not_looked_into, hidden, ..PlaceEvidence::of(listed.map(|()| looked)) }
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

/// Evidence of a bucket that no further call was made to.
fn blocked(store: Store, refusal: &Refusal, bucket: &str, plan: &Plan, requests: u64) -> Answers {
    fn setting<T>(refusal: &Refusal, operation: &str) -> Fact<T> {
        // "No such bucket" must not read as "nothing configured".
        if refusal.kind == Kind::Missing { Fact::not_asked(&refusal.reason, operation) } else { refusal.clone().fact(operation) }
    }
    let evidence = BucketEvidence {
        store,
        region: refusal.clone().fact("HeadBucket"),
        lifecycle: setting(refusal, "GetBucketLifecycleConfiguration"),
        intelligent_tiering: setting(refusal, "ListBucketIntelligentTieringConfigurations"),
        versioning: setting(refusal, "GetBucketVersioning"),
        object_lock: setting(refusal, "GetObjectLockConfiguration"),
        tags: setting(refusal, "GetBucketTagging"),
        prefixes: setting(refusal, "ListObjectsV2"),
        requests,
    };
    let places = plan.buckets.get(bucket).into_iter().flatten().map(|(place, wanted)| {
        let mut found = PlaceEvidence::of(if wanted.snapshots { refusal.clone().fact("ListObjectsV2") } else { not_declared() });
        found.files = if wanted.files { refusal.clone().fact("ListObjectsV2") } else { no_files() };
        found.hidden = nothing_hidden(false);
        (place.clone(), found)
    });
    (evidence, places.collect())
}
