//! Snapshots behind a delete marker: a restore finds nothing, the bytes are still there.

use std::collections::BTreeMap;

use super::{caller::Caller, refusal::Refusal, rules::instant, snapshots::metadata_folder};
use crate::{
    evidence::{Fact, HiddenSnapshot},
    units::{Instant, S3Location},
};

/// Pages of 1,000 versions that are read of one place.
const PAGES: usize = 10;

/// Looks for a `_metadata` whose current version is a delete marker, at most two levels below `place`.
pub(super) async fn find(caller: &Caller<'_>, place: &S3Location) -> Fact<Vec<HiddenSnapshot>> {
    let call = caller.call("ListObjectVersions", &place.prefix());
    let mut seen = Seen::default();
    match versions(caller, place, &mut seen).await {
        Ok(complete) => {
            let hidden: Vec<_> = seen.markers.into_iter().map(|(folder, marker)| hidden(place, &folder, marker, &seen.versions)).collect();
            if hidden.is_empty() && !complete {
                return Fact::failed("no hidden snapshot among the first 10,000 versions, and there are more of them", call);
            }
            caller.seen(hidden, call)
        }
        Err(refusal) => refusal.fact_if_not_missing(call),
    }
}

#[derive(Default)]
struct Seen {
    /// By folder, relative to the place: version id and date of the delete marker that is the current version.
    markers: BTreeMap<String, (String, Instant)>,
    /// By folder: date of the newest version.
    versions: BTreeMap<String, Instant>,
}

async fn versions(caller: &Caller<'_>, place: &S3Location, seen: &mut Seen) -> Result<bool, Refusal> {
    let prefix = place.prefix();
    let (mut key, mut version) = (None, None);
    for _ in 0..PAGES {
        let request = caller.client.list_object_versions().bucket(&caller.bucket).set_prefix((!prefix.is_empty()).then(|| prefix.clone()));
        let request = request.set_key_marker(key).set_version_id_marker(version).send();
        let page = caller.ask("s3:ListBucketVersions on the bucket", request).await?;
        let folder = |key: Option<&str>| key?.strip_prefix(prefix.as_str()).and_then(metadata_folder).map(str::to_owned);
        for marker in page.delete_markers().iter().filter(|marker| marker.is_latest() == Some(true)) {
            if let (Some(folder), Some(id), Some(at)) =
                (folder(marker.key()), marker.version_id(), marker.last_modified().and_then(instant))
            {
                seen.markers.insert(folder, (id.to_owned(), at));
            }
        }
        for object in page.versions() {
            if let (Some(folder), Some(at)) = (folder(object.key()), object.last_modified().and_then(instant)) {
                let newest = seen.versions.entry(folder).or_insert(at);
                *newest = at.max(*newest);
            }
        }
        if !page.is_truncated().unwrap_or_default() || page.next_key_marker.is_none() {
            return Ok(!page.is_truncated().unwrap_or_default());
        }
        (key, version) = (page.next_key_marker, page.next_version_id_marker);
    }
    Ok(false)
}

fn hidden(place: &S3Location, folder: &str, (marker, at): (String, Instant), versions: &BTreeMap<String, Instant>) -> HiddenSnapshot {
    let location = if folder.is_empty() { place.clone() } else { place.join(folder) };
    HiddenSnapshot { location, hidden_at: at, marker, taken_at: versions.get(folder).copied() }
}
