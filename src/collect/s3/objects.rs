//! The objects of a snapshot: listed once, and looked at one by one only where a listing cannot tell.

use std::collections::BTreeMap;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use tokio::sync::OnceCell;

use super::{
    caller::{CONCURRENCY, Caller},
    head::object_head,
    listing::{self, Entry},
    refusal::{Kind, Refusal},
    search::{Search, Step},
    settings::tag_map,
};
use crate::{
    evidence::{BucketEvidence, Fact, ObjectEvidence, ObjectHead, RuleStatus, StoreKind},
    units::Bytes,
};

/// Keys of one folder that are sought one page after the other; beyond that, several pages at a time.
const KEYS_AT_ONCE: usize = 5_000;

/// Below this an object of class `INTELLIGENT_TIERING` never leaves the tier that it arrived in.
const NEVER_ARCHIVED: Bytes = Bytes(128 * 1024);

/// Classes of AWS whose objects are read at once, whatever else may be said about them.
const READ_AT_ONCE: [&str; 10] = [
    "STANDARD",
    "STANDARD_IA",
    "ONEZONE_IA",
    "GLACIER_IR",
    "REDUCED_REDUNDANCY",
    "EXPRESS_ONEZONE",
    "OUTPOSTS",
    "SNOW",
    "FSX_OPENZFS",
    "FSX_ONTAP",
];

/// What decides how closely the objects of a bucket are looked at.
pub(super) struct Lens {
    store: StoreKind,
    /// Prefixes of the rules and configurations in force that filter by tag; why they are not known.
    tagged: Result<Vec<String>, String>,
    /// Why HEAD is refused in this bucket, asked once: `Some` if every call would be.
    refused: OnceCell<Option<Refusal>>,
}

impl Lens {
    /// For the objects of this bucket.
    pub(super) fn of(bucket: &BucketEvidence) -> Self {
        let configurations = bucket.intelligent_tiering.shown().into_iter().flatten();
        let configurations = configurations.map(|configuration| (&configuration.status, &configuration.prefix, &configuration.tags));
        let tagged = match bucket.lifecycle.known_or_absent() {
            Err(unknown) => Err(format!("it is not known whether a lifecycle rule filters by tag ({})", unknown.reason)),
            Ok(lifecycle) => Ok(lifecycle
                .into_iter()
                .flat_map(|lifecycle| &lifecycle.value.rules)
                .map(|rule| (&rule.status, &rule.filter.prefix, &rule.filter.tags))
                .chain(configurations)
                .filter(|(status, _, tags)| **status == RuleStatus::Enabled && !tags.is_empty())
                .map(|(_, prefix, _)| prefix.clone().unwrap_or_default())
                .collect()),
        };
        Self { store: bucket.store.kind, tagged, refused: OnceCell::new() }
    }

    /// Whose rules hold.
    pub(super) const fn store(&self) -> StoreKind {
        self.store
    }

    /// Whether the class in the listing leaves open how the object can be read.
    fn needs_head(&self, entry: &Entry) -> bool {
        match (self.store, entry.class.as_deref()) {
            (StoreKind::Other, class) => !matches!(class, None | Some("STANDARD")),
            (StoreKind::Aws, Some("INTELLIGENT_TIERING")) => entry.size >= NEVER_ARCHIVED,
            // AWS always names a class; one that is archived or that this version does not know leaves it open.
            (StoreKind::Aws, class) => !class.is_some_and(|class| READ_AT_ONCE.contains(&class)),
        }
    }
}

/// The objects with these keys, by key; those that are not there are left out.
pub(super) async fn find(caller: &Caller<'_>, keys: impl IntoIterator<Item = String>) -> Result<BTreeMap<String, Entry>, Refusal> {
    let mut folders: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for key in keys {
        let folder = key.rsplit_once('/').map_or_else(String::new, |(folder, _)| format!("{folder}/"));
        folders.entry(folder).or_default().push(key);
    }
    let parts: Vec<(&str, &[String])> = folders
        .iter_mut()
        .flat_map(|(folder, keys)| {
            keys.sort_unstable();
            keys.chunks(KEYS_AT_ONCE).map(move |part| (folder.as_str(), part))
        })
        .collect();
    let found = stream::iter(parts).map(|(folder, part)| in_folder(caller, folder, part)).buffer_unordered(CONCURRENCY);
    Ok(found.try_collect::<Vec<_>>().await?.into_iter().flatten().map(|entry| (entry.key.clone(), entry)).collect())
}

async fn in_folder(caller: &Caller<'_>, folder: &str, keys: &[String]) -> Result<Vec<Entry>, Refusal> {
    let (mut search, mut found) = (Search::new(keys.to_vec()), Vec::new());
    loop {
        match search.next() {
            Step::Done => return Ok(found),
            Step::Exact(key) => {
                found.extend(listing::exact(caller, &key).await?);
                search.took_one();
            }
            Step::Page { start_after } => {
                let (page, more) = listing::page(caller, folder, &start_after).await?;
                let ends = page.first().zip(page.last()).map(|(first, last)| (first.key.as_str(), last.key.as_str()));
                if listing::in_order(&page) {
                    search.took_page(ends, more);
                } else {
                    search.took_disorder();
                }
                found.extend(page.into_iter().filter(|entry| keys.binary_search(&entry.key).is_ok()));
            }
        }
    }
}

/// Looks at objects as closely as each needs it, in the order given. `always` is the key that HeadObject is asked for in any case.
pub(super) async fn examine(caller: &Caller<'_>, lens: &Lens, entries: Vec<Entry>, always: Option<&str>) -> Vec<ObjectEvidence> {
    stream::iter(entries).map(|entry| one(caller, lens, entry, always)).buffered(CONCURRENCY).collect().await
}

async fn one(caller: &Caller<'_>, lens: &Lens, entry: Entry, always: Option<&str>) -> ObjectEvidence {
    let head = if lens.needs_head(&entry) || always == Some(entry.key.as_str()) {
        head(caller, lens, &entry.key).await
    } else {
        Fact::not_asked("the class in the listing tells that it can be read", "HeadObject")
    };
    let tags = tags_of(caller, lens, &entry.key).await;
    ObjectEvidence { key: entry.key, size: entry.size, last_modified: entry.last_modified, storage_class: entry.class, head, tags }
}

async fn head(caller: &Caller<'_>, lens: &Lens, key: &str) -> Fact<ObjectHead> {
    let call = caller.call("HeadObject", key);
    let request = caller.client.head_object().bucket(&caller.bucket).key(key).send();
    let refusal = match caller.ask("s3:GetObject on the object", request).await {
        Ok(output) => {
            return match object_head(&output) {
                Ok(head) => caller.seen(head, call),
                Err(what) => Fact::failed(what, call),
            };
        }
        Err(refusal) => refusal,
    };
    match refusal.status {
        Some(404) => Fact::absent("the object is gone since it was listed (HTTP 404)", call),
        Some(status @ (400 | 403)) => {
            // A HEAD answer has no body and so no code; a listing names the cause if it is one that stops every call.
            let cause = lens.refused.get_or_init(|| async { listing::exact(caller, key).await.err().filter(Refusal::everywhere) });
            match (cause.await, lens.store) {
                (Some(cause), _) => cause.clone().fact(call),
                (None, StoreKind::Aws) => Fact::denied(format!("forbidden; it needs s3:GetObject on the object (HTTP {status})"), call),
                (None, StoreKind::Other) => {
                    let reason = format!(
                        "archived or forbidden, this store does not tell which; it may need s3:GetObject on the object (HTTP {status})"
                    );
                    Fact::denied(reason, call)
                }
            }
        }
        _ => refusal.fact_if_not_missing(call),
    }
}

/// The tags of an object, if a rule in force asks for them.
pub(super) async fn tags_of(caller: &Caller<'_>, lens: &Lens, key: &str) -> Fact<BTreeMap<String, String>> {
    match &lens.tagged {
        Err(reason) => Fact::not_asked(reason, "GetObjectTagging"),
        Ok(prefixes) if prefixes.iter().any(|prefix| key.starts_with(prefix)) => tags(caller, key).await,
        Ok(_) => Fact::not_asked("no rule in force filters this object by tag", "GetObjectTagging"),
    }
}

async fn tags(caller: &Caller<'_>, key: &str) -> Fact<BTreeMap<String, String>> {
    let call = caller.call("GetObjectTagging", key);
    let request = caller.client.get_object_tagging().bucket(&caller.bucket).key(key).send();
    match caller.ask("s3:GetObjectTagging on the object", request).await {
        Ok(output) => caller.seen(tag_map(output.tag_set()), call),
        Err(refusal) if refusal.kind == Kind::Missing => Fact::absent("the object is gone since it was listed", call),
        Err(refusal) => refusal.fact(call),
    }
}

/// Consoles and Hadoop's file systems write empty objects to stand for folders.
pub(super) fn is_folder_marker(entry: &Entry) -> bool {
    entry.size == Bytes(0) && entry.key.ends_with('/')
}
