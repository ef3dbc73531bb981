//! One snapshot looked into: its `_metadata` read, and everything that it names looked up, wherever that lies.

use std::collections::BTreeMap;

use super::{
    buckets::{Buckets, Opened},
    caller::Caller,
    files,
    listing::{self, Entry},
    objects,
    refusal::{Kind, Refusal},
};
use crate::{
    evidence::{Fact, ObjectEvidence, ReachedObject, Reference, SnapshotEvidence, SnapshotMetadata},
    savepoint::{Metadata, ReachedFile, summary::summarize},
    units::{Bytes, Instant, S3Location},
};

/// A larger `_metadata` is not read: it has to be held in memory. Real ones have some megabytes.
const MAX_METADATA: Bytes = Bytes(512 * 1024 * 1024);

/// What came of a look into a snapshot.
pub(super) struct Looked {
    pub(super) snapshot: SnapshotEvidence,
    /// It was deleted while it was looked at.
    pub(super) moving: bool,
}

/// A snapshot that is to be looked into.
pub(super) struct Wanted<'w> {
    pub(super) location: S3Location,
    pub(super) taken_at: Instant,
    /// All snapshots of the place: what lies below another one is not this one's.
    pub(super) all: &'w [S3Location],
    /// Whether HeadObject is asked for its `_metadata` in any case.
    pub(super) newest: bool,
}

/// Looks into one snapshot of the bucket `home`.
pub(super) async fn look(buckets: &Buckets<'_>, home: &Opened<'_>, wanted: &Wanted<'_>) -> Looked {
    let (caller, location) = (&home.caller, &wanted.location);
    let key = format!("{}_metadata", location.prefix());
    let listed = caller.call("ListObjectsV2", &location.prefix());
    let beside = match objects::below(caller, location, wanted.all).await {
        Ok(beside) => beside,
        Err(refusal) => return wanted.not_known(&refusal.fact_if_not_missing(listed), None),
    };
    let Some(entry) = beside.get(&key).cloned() else { return wanted.moving(&listed) };
    let size = entry.size;
    let file = objects::examine(caller, &home.lens, vec![entry], wanted.newest.then_some(key.as_str())).await;
    let Some(file) = file.into_iter().next() else { return wanted.moving(&listed) };
    caller.progress(&format!("_metadata of {location}"));
    let call = caller.call("GetObject", &key);
    let bytes = match read(caller, &key, size).await {
        Ok(bytes) => bytes,
        Err(refusal) if refusal.kind == Kind::Missing => return wanted.moving(&call),
        Err(refusal) => return wanted.not_known(&unread(refusal, &file).fact(call), Some(caller.seen(file, listed))),
    };
    let metadata = match Metadata::read(&bytes) {
        Ok(metadata) => metadata,
        Err(error) => {
            let reason = format!("the _metadata of {location} is damaged, or of a kind that is not known: {error}");
            return wanted.not_known(&Fact::failed(reason, call), Some(caller.seen(file, listed)));
        }
    };
    let folder = location.to_string();
    let summary = summarize(&metadata, &bytes, &folder, &[], &mut |_| {
        Err("it does not stand in _metadata itself, and state files were not read".to_owned())
    });
    drop(bytes);
    let reach = metadata.reach(&folder).files;
    drop(metadata);
    caller.progress(&format!("{} objects that {location} needs", reach.len() + 1));
    let Some(found) = look_up(buckets, home, &beside, &key, &reach).await else { return wanted.moving(&listed) };
    let mut needed = Vec::with_capacity(reach.len() + 1);
    needed.push(ReachedObject {
        bucket: Some(location.bucket().to_owned()),
        key: key.clone(),
        min_size: Bytes(0),
        reference: Reference::Metadata,
        references: 0,
        shared: false,
        found: caller.seen(file, listed.clone()),
    });
    needed.extend(reach.into_iter().zip(found).map(|(file, found)| reached(file, found)));
    let named: std::collections::BTreeSet<&str> =
        needed.iter().filter(|object| object.bucket.as_deref() == Some(location.bucket())).map(|object| object.key.as_str()).collect();
    let unreferenced = files::sum(beside.values().filter(|entry| !named.contains(entry.key.as_str())));
    let metadata = SnapshotMetadata {
        format_version: summary.format_version,
        checkpoint_id: summary.checkpoint_id,
        kind: summary.kind,
        state_size: summary.state_size,
        operators: summary.operators,
    };
    let mut snapshot = SnapshotEvidence::listed(location.clone(), wanted.taken_at, Fact::not_asked("", ""));
    snapshot.objects = caller.seen(needed, &call);
    snapshot.unreferenced = caller.seen(unreferenced, listed);
    snapshot.metadata = caller.seen(metadata, call);
    Looked { snapshot, moving: false }
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
        let mut snapshot = SnapshotEvidence::listed(self.location.clone(), self.taken_at, objects);
        snapshot.metadata = metadata;
        if let Some(file) = file {
            snapshot.file = file;
        }
        Looked { snapshot, moving: false }
    }

    fn moving(&self, call: &str) -> Looked {
        let reason = format!("moving: {} was deleted while it was looked at, and so were those that took its place", self.location);
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

/// The body of `_metadata`, whose listed size is `size`.
async fn read(caller: &Caller<'_>, key: &str, size: Bytes) -> Result<Vec<u8>, Refusal> {
    let too_large = || Refusal::new(Kind::Failed, format!("a _metadata of more than {MAX_METADATA} is not read"));
    if size > MAX_METADATA {
        return Err(too_large());
    }
    let request = caller.client.get_object().bucket(&caller.bucket).key(key).send();
    let mut body = caller.ask("s3:GetObject on the object", request).await?.body;
    let mut bytes = Vec::with_capacity(usize::try_from(size.0).unwrap_or_default());
    loop {
        let Some(left) = caller.options.remaining() else {
            return Err(Refusal::new(Kind::Failed, "the run's deadline passed while it was read"));
        };
        let next = tokio::time::timeout(left, body.try_next()).await;
        match next.map_err(|_| Refusal::new(Kind::Failed, "it stopped coming while it was read"))? {
            Ok(Some(part)) => bytes.extend_from_slice(&part),
            Ok(None) => return Ok(bytes),
            Err(_) => return Err(Refusal::new(Kind::Failed, "the connection was cut while it was read")),
        }
        if bytes.len() as u64 > MAX_METADATA.0 {
            return Err(too_large());
        }
    }
}

/// What lies at each of `files`, in their order. `None`: the snapshot was deleted meanwhile.
async fn look_up(
    buckets: &Buckets<'_>,
    home: &Opened<'_>,
    beside: &BTreeMap<String, Entry>,
    metadata: &str,
    files: &[ReachedFile],
) -> Option<Vec<Fact<ObjectEvidence>>> {
    let mut by_bucket: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for location in files.iter().filter_map(|file| file.s3.as_ref()) {
        by_bucket.entry(location.bucket()).or_default().push(location.key());
    }
    let mut found: BTreeMap<(&str, &str), Fact<ObjectEvidence>> = BTreeMap::new();
    for (name, keys) in by_bucket {
        let opened = buckets.open(name).await;
        let at_home = (name == home.caller.bucket).then_some(beside);
        let facts = match &opened.blocked {
            // There is no such bucket, so the object is not there either.
            Some(refusal) => keys.iter().map(|key| (*key, refusal.clone().fact(opened.caller.call("HeadBucket", "")))).collect(),
            None => in_bucket(&opened, at_home, &keys).await,
        };
        found.extend(facts.into_iter().map(|(key, fact)| ((name, key), fact)));
    }
    // Flink deletes a checkpoint's `_metadata` with its files: where that is gone, nothing is missing from it.
    if found.values().any(Fact::is_absent) {
        match listing::exact(&home.caller, metadata).await {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(refusal) => {
                let call = home.caller.call("ListObjectsV2", metadata);
                for fact in found.values_mut().filter(|fact| fact.is_absent()) {
                    *fact = refusal.clone().fact_if_not_missing(call.clone());
                }
            }
        }
    }
    let mut facts = Vec::with_capacity(files.len());
    for file in files {
        facts.push(match &file.s3 {
            Some(location) => {
                found.remove(&(location.bucket(), location.key())).unwrap_or_else(|| Fact::failed("it was not looked up", "ListObjectsV2"))
            }
            None => Fact::unsupported(format!("{} is not in S3 and cannot be looked at", scheme(&file.path)), ""),
        });
    }
    Some(facts)
}

/// `a file of scheme hdfs:`.
fn scheme(path: &str) -> String {
    path.split_once(':').map_or_else(|| "a file without a scheme".to_owned(), |(scheme, _)| format!("a file of scheme {scheme}:"))
}

/// What lies at these keys. What is not there is looked for twice.
async fn in_bucket<'k>(
    opened: &Opened<'_>,
    at_home: Option<&BTreeMap<String, Entry>>,
    keys: &[&'k str],
) -> Vec<(&'k str, Fact<ObjectEvidence>)> {
    let caller = &opened.caller;
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    let mut refused = None;
    for nth in 0..2 {
        let beside = at_home.filter(|_| nth == 0);
        let known = |key: &&&str| !entries.contains_key(**key);
        let (near, far): (Vec<&str>, Vec<&str>) =
            keys.iter().filter(known).copied().partition(|key| beside.is_some_and(|beside| beside.contains_key(*key)));
        entries.extend(near.iter().filter_map(|key| Some(((*key).to_owned(), beside?.get(*key)?.clone()))));
        if far.is_empty() {
            break;
        }
        match objects::find(caller, far.into_iter().map(str::to_owned)).await {
            Ok(found) => entries.extend(found),
            Err(refusal) => {
                refused = Some(refusal);
                break;
            }
        }
    }
    let call = "ListObjectsV2";
    let looked: Vec<Entry> = keys.iter().filter_map(|key| entries.remove(*key)).collect();
    let mut seen: BTreeMap<String, ObjectEvidence> = BTreeMap::new();
    for object in objects::examine(caller, &opened.lens, looked, None).await {
        seen.insert(object.key.clone(), object);
    }
    let fact = |key: &str| match (seen.remove(key), &refused) {
        (Some(object), _) => caller.seen(object, call),
        (None, Some(refusal)) => refusal.clone().fact_if_not_missing(call),
        (None, None) => Fact::absent("it is not there, and was not there when it was looked for again", caller.call(call, key)),
    };
    let mut fact = fact;
    keys.iter().map(|key| (*key, fact(key))).collect()
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
