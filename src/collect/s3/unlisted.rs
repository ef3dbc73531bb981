//! Objects of a bucket that may not be listed: HeadObject, one by one, is all that is left.

use futures_util::{StreamExt as _, stream};

use super::{
    caller::{CONCURRENCY, Caller},
    head::object_head,
    listing::Entry,
    objects::{self, Lens},
    refusal::Refusal,
    rules::instant,
};
use crate::{
    evidence::{Fact, ObjectEvidence, Seen, StoreKind},
    units::Bytes,
};

/// After so many refusals and nothing else the rest is not asked: it would end alike.
const GIVE_UP: usize = 64;

/// What lies at these keys, in their order. `listing` is why they could not be listed.
pub(super) async fn look<'k>(
    caller: &Caller<'_>,
    lens: &Lens,
    keys: &[&'k str],
    listing: &Refusal,
) -> Vec<(&'k str, Fact<ObjectEvidence>)> {
    let mut found = Vec::with_capacity(keys.len());
    let (first, rest) = keys.split_at(keys.len().min(GIVE_UP));
    found.extend(some(caller, lens, first, listing).await);
    let all_refused = found.iter().all(|(_, fact)| matches!(fact, Fact::Denied(_)));
    if rest.is_empty() || !all_refused {
        found.extend(some(caller, lens, rest, listing).await);
        return found;
    }
    // One cause for all of them, and one that says how many were asked.
    for (_, fact) in &mut found {
        if let Fact::Denied(gap) = fact {
            gap.reason = format!("{}; the first {GIVE_UP} objects were all refused so, and the others were not asked", gap.reason);
        }
    }
    let like_the_others = found.last().map(|(_, fact)| fact.clone());
    found.extend(rest.iter().filter_map(|key| Some((*key, like_the_others.clone()?))));
    found
}

async fn some<'k>(caller: &Caller<'_>, lens: &Lens, keys: &[&'k str], listing: &Refusal) -> Vec<(&'k str, Fact<ObjectEvidence>)> {
    stream::iter(keys.to_vec()).map(|key| async move { (key, one(caller, lens, key, listing).await) }).buffered(CONCURRENCY).collect().await
}

async fn one(caller: &Caller<'_>, lens: &Lens, key: &str, listing: &Refusal) -> Fact<ObjectEvidence> {
    let call = || format!("HeadObject in bucket {}", caller.bucket);
    let mut refusal = match object(caller, lens, key).await {
        Ok(found) => return found,
        Err(refusal) => refusal,
    };
    // What is not there is looked for twice, as in a listing.
    if refusal.status == Some(404) {
        refusal = match object(caller, lens, key).await {
            Ok(found) => return found,
            Err(refusal) => refusal,
        };
    }
    match (refusal.status, lens.store()) {
        (Some(404), _) => Fact::absent("it is not there, and was not there when it was looked for again", caller.call("HeadObject", key)),
        (Some(403), StoreKind::Aws) => Fact::denied(
            format!("missing or forbidden, which S3 does not tell without s3:ListBucket on the bucket (HTTP 403); {}", listing.reason),
            call(),
        ),
        (Some(403), StoreKind::Other) => {
            Fact::denied(format!("missing, archived or forbidden, this store does not tell which (HTTP 403); {}", listing.reason), call())
        }
        _ => refusal.fact_if_not_missing(call()),
    }
}

/// The object at this key as a listing would show it.
pub(super) async fn entry(caller: &Caller<'_>, lens: &Lens, key: &str) -> Result<Option<Entry>, Refusal> {
    Ok(match object(caller, lens, key).await? {
        Fact::Seen(Seen { value: ObjectEvidence { key, size, last_modified, storage_class, .. }, .. }) => {
            Some(Entry { key, size, last_modified, class: storage_class })
        }
        _ => None,
    })
}

/// The object at this key, as HeadObject shows it.
pub(super) async fn object(caller: &Caller<'_>, lens: &Lens, key: &str) -> Result<Fact<ObjectEvidence>, Refusal> {
    let call = caller.call("HeadObject", key);
    let request = caller.client.head_object().bucket(&caller.bucket).key(key).send();
    let output = caller.ask("s3:GetObject on the object", request).await?;
    let size = output.content_length().and_then(|length| u64::try_from(length).ok());
    let (Some(size), Some(last_modified)) = (size, output.last_modified().and_then(instant)) else {
        return Ok(Fact::failed("the answer has no size or no date", call));
    };
    let class = output.storage_class().map(|class| class.as_str().to_owned());
    // AWS leaves the header out for the plain class.
    let class = class.or_else(|| (lens.store() == StoreKind::Aws).then(|| "STANDARD".to_owned()));
    let head = match object_head(&output) {
        Ok(head) => caller.seen(head, call.clone()),
        Err(what) => Fact::failed(what, call.clone()),
    };
    let tags = objects::tags_of(caller, lens, key).await;
    let object = ObjectEvidence { key: key.to_owned(), size: Bytes(size), last_modified, storage_class: class, head, tags };
    Ok(caller.seen(object, call))
}
