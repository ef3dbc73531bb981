//! Everything that a snapshot's `_metadata` names, looked up, wherever it lies: by listing where that is fewer requests than one for each,
//! and each once, however many snapshots need it.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    buckets::{Buckets, Opened},
    contents::Wanted,
    files,
    listing::{self, Entry, Found},
    objects,
    refusal::{Kind, Refusal},
    unlisted,
};
use crate::{
    evidence::{Fact, FilesSummary, ObjectEvidence},
    savepoint::ReachedFile,
    units::S3Location,
};

/// Pages of 1,000 keys that are read of a snapshot's folder, or twice as many as the objects sought in it fill.
const PAGES: usize = 100;

/// So many other buckets are looked at for one snapshot: a `_metadata` that anybody may have written must not send the audit everywhere.
const BUCKETS: usize = 32;

/// What lies in a snapshot's own folder.
pub(super) struct Beside {
    /// What is named, by key.
    named: BTreeMap<String, Entry>,
    /// What is not.
    pub(super) unreferenced: Fact<FilesSummary>,
}

/// Lists a snapshot's folder, but not the folders of the other snapshots in it. Keeps only what `_metadata` names.
pub(super) async fn beside(home: &Opened<'_>, wanted: &Wanted<'_>, files: &[ReachedFile]) -> Beside {
    let (caller, snapshot) = (&home.caller, &wanted.found.location);
    let prefix = snapshot.prefix();
    let call = if wanted.listing.is_some() { wanted.call.to_owned() } else { caller.call("ListObjectsV2", &prefix) };
    let own = format!("{prefix}_metadata");
    let at_home = |location: &&S3Location| location.bucket() == snapshot.bucket() && location.key().starts_with(&prefix);
    let sought: BTreeSet<&str> = files.iter().filter_map(|file| file.s3.as_ref()).filter(at_home).map(S3Location::key).collect();
    let below = wanted.all.range(snapshot.clone()..).take_while(|other| other.bucket() == snapshot.bucket());
    let below = below.take_while(|other| other.key().starts_with(snapshot.key()));
    let inner: Vec<String> = below.filter(|other| *other != snapshot && snapshot.contains(other)).map(S3Location::prefix).collect();
    let mut named = BTreeMap::new();
    let mut unreferenced = files::none();
    let mut take = |entry: &Entry| {
        if sought.contains(entry.key.as_str()) {
            named.insert(entry.key.clone(), entry.clone());
        } else if entry.key != own && !objects::is_folder_marker(entry) && !inner.iter().any(|prefix| entry.key.starts_with(prefix)) {
            files::add(&mut unreferenced, entry);
        }
    };
    let complete = if let Some(listing) = wanted.listing {
        listing.range(prefix.clone()..).take_while(|(key, _)| key.starts_with(&prefix)).for_each(|(_, entry)| take(entry));
        Ok(true)
    } else {
        let pages = PAGES.max(sought.len() / 500);
        listing::list(caller, &prefix, false, pages, |found| {
            if let Found::Object(entry) = found {
                take(&entry);
            }
        })
        .await
    };
    let unreferenced = match complete {
        Ok(complete) => caller.seen(FilesSummary { complete, ..unreferenced }, call),
        Err(refusal) => refusal.fact_if_not_missing(call),
    };
    Beside { named, unreferenced }
}

/// What lies at each of `files`, in their order. `None`: the snapshot was deleted meanwhile.
pub(super) async fn look_up(
    buckets: &Buckets<'_>,
    home: &Opened<'_>,
    mut beside: Beside,
    metadata: &str,
    files: &[ReachedFile],
) -> Option<Vec<Fact<ObjectEvidence>>> {
    let mut by_bucket: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for location in files.iter().filter_map(|file| file.s3.as_ref()) {
        by_bucket.entry(location.bucket()).or_default().push(location.key());
    }
    let mut found: BTreeMap<(&str, &str), Fact<ObjectEvidence>> = BTreeMap::new();
    let mut foreign = 0;
    for (name, keys) in by_bucket {
        foreign += usize::from(name != home.caller.bucket);
        if foreign > BUCKETS && name != home.caller.bucket {
            let reason =
                format!("this _metadata names objects in more than {BUCKETS} other buckets, and the rest of them is not looked at");
            found.extend(keys.into_iter().map(|key| ((name, key), Fact::failed(&reason, "HeadBucket"))));
            continue;
        }
        let opened = buckets.open(name).await;
        let near = if name == home.caller.bucket { std::mem::take(&mut beside.named) } else { BTreeMap::new() };
        let facts = match &opened.blocked {
            // There is no such bucket, so the object is not there either.
            Some(refusal) => keys.iter().map(|key| (*key, refusal.clone().fact(opened.caller.call("HeadBucket", "")))).collect(),
            None => in_bucket(&opened, near, &keys).await,
        };
        found.extend(facts.into_iter().map(|(key, fact)| ((name, key), fact)));
    }
    // Flink deletes a checkpoint's `_metadata` with its files: where that is gone, nothing is missing from it.
    if found.values().any(Fact::is_absent) {
        match still_there(home, metadata).await {
            Ok(true) => {}
            Ok(false) => return None,
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

/// Whether there still is a `_metadata` at this key.
async fn still_there(home: &Opened<'_>, metadata: &str) -> Result<bool, Refusal> {
    match listing::exact(&home.caller, metadata).await {
        Err(refusal) if refusal.kind == Kind::Denied => match unlisted::object(&home.caller, &home.lens, metadata).await {
            Ok(_) => Ok(true),
            Err(refusal) if refusal.status == Some(404) => Ok(false),
            Err(refusal) => Err(refusal),
        },
        listed => Ok(listed?.is_some()),
    }
}

/// `a file of scheme hdfs:`.
fn scheme(path: &str) -> String {
    path.split_once(':').map_or_else(|| "a file without a scheme".to_owned(), |(scheme, _)| format!("a file of scheme {scheme}:"))
}

/// What lies at these keys of a bucket; `near` has been listed already.
async fn in_bucket<'k>(opened: &Opened<'_>, near: BTreeMap<String, Entry>, keys: &[&'k str]) -> Vec<(&'k str, Fact<ObjectEvidence>)> {
    let caller = &opened.caller;
    let (beside, far): (Vec<&'k str>, Vec<&'k str>) = keys.iter().partition(|key| near.contains_key(**key));
    let mut near = near;
    let entries = beside.iter().filter_map(|key| near.remove(*key)).collect();
    let examined = objects::examine(caller, &opened.lens, entries, None).await;
    let mut facts: Vec<_> = beside.into_iter().zip(examined).map(|(key, object)| (key, caller.seen(object, LISTED))).collect();
    if far.is_empty() {
        return facts;
    }
    if !caller.options.all_snapshots {
        facts.extend(elsewhere(opened, &far).await);
        return facts;
    }
    // What several snapshots need is looked up by the first of them; the others wait for that.
    let mut known = opened.known.lock().await;
    let unknown: Vec<&str> = far.iter().filter(|key| !known.contains_key(**key)).copied().collect();
    let mut looked: BTreeMap<&str, Fact<ObjectEvidence>> = elsewhere(opened, &unknown).await.into_iter().collect();
    for key in far {
        let fact = looked.remove(key).or_else(|| known.get(key).cloned());
        // Only what was found: what was not there for one snapshot is sought again for the next.
        if let Some(fact @ Fact::Seen(_)) = &fact
            && !known.contains_key(key)
        {
            known.insert(key.to_owned(), fact.clone());
        }
        facts.extend(fact.map(|fact| (key, fact)));
    }
    facts
}

/// The call that shows an object.
const LISTED: &str = "ListObjectsV2";

/// What lies at these keys, which no listing has shown yet. What is not there is looked for twice.
async fn elsewhere<'k>(opened: &Opened<'_>, keys: &[&'k str]) -> Vec<(&'k str, Fact<ObjectEvidence>)> {
    let caller = &opened.caller;
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    let mut refused = None;
    for _ in 0..2 {
        let missing: Vec<String> = keys.iter().filter(|key| !entries.contains_key(**key)).map(|key| (*key).to_owned()).collect();
        if missing.is_empty() {
            break;
        }
        match objects::find(caller, missing).await {
            Ok(found) => entries.extend(found),
            Err(refusal) => {
                refused = Some(refusal);
                break;
            }
        }
    }
    let (listed, missing): (Vec<&'k str>, Vec<&'k str>) = keys.iter().partition(|key| entries.contains_key(**key));
    let looked = listed.iter().filter_map(|key| entries.remove(*key)).collect();
    let examined = objects::examine(caller, &opened.lens, looked, None).await;
    let mut facts: Vec<_> = listed.into_iter().zip(examined).map(|(key, object)| (key, caller.seen(object, LISTED))).collect();
    match refused {
        Some(refusal) if refusal.kind == Kind::Denied => facts.extend(unlisted::look(caller, &opened.lens, &missing, &refusal).await),
        Some(refusal) => facts.extend(missing.into_iter().map(|key| (key, refusal.clone().fact_if_not_missing(LISTED)))),
        None => {
            let why = "it is not there, and was not there when it was looked for again";
            facts.extend(missing.into_iter().map(|key| (key, Fact::absent(why, caller.call(LISTED, key)))));
        }
    }
    facts
}
