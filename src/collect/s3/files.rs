//! All files of a place taken together, for places that hold no snapshots.

use super::{
    caller::Caller,
    listing::{self, Entry, Found},
    objects::is_folder_marker,
};
use crate::{
    evidence::{Fact, FilesSummary},
    units::{Bytes, S3Location},
};

/// Pages of 1,000 keys that are read of one place.
const PAGES: usize = 100;

/// The files below `place`, at most 100,000 of them.
pub(super) async fn summary(caller: &Caller<'_>, place: &S3Location) -> Fact<FilesSummary> {
    let call = caller.call("ListObjectsV2", &place.prefix());
    let mut files = none();
    let prefix = place.prefix();
    let complete = listing::list(caller, &prefix, false, PAGES, |found| {
        let Found::Object(entry) = found else { return };
        if !is_folder_marker(&entry) {
            add(&mut files, &entry);
        }
    });
    match complete.await {
        Ok(complete) => caller.seen(FilesSummary { complete, ..files }, call),
        Err(refusal) => refusal.fact_if_not_missing(call),
    }
}

/// No files yet.
pub(super) fn none() -> FilesSummary {
    FilesSummary {
        objects: 0,
        bytes: Bytes(0),
        largest: Bytes(0),
        oldest: None,
        newest: None,
        classes: std::collections::BTreeMap::new(),
        complete: false,
    }
}

/// Adds one.
pub(super) fn add(files: &mut FilesSummary, entry: &Entry) {
    files.objects += 1;
    files.bytes = files.bytes.plus(entry.size);
    files.largest = files.largest.max(entry.size);
    files.oldest = Some(files.oldest.map_or(entry.last_modified, |oldest| oldest.min(entry.last_modified)));
    files.newest = files.newest.max(Some(entry.last_modified));
    *files.classes.entry(entry.class.clone().unwrap_or_default()).or_default() += 1;
}
