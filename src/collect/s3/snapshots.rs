//! Finds the snapshots below a place: folders that hold `_metadata`, which Flink writes last.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{StreamExt as _, TryStreamExt as _, future::try_join, stream};

use super::{
    caller::{CONCURRENCY, Caller},
    listing::{self, Entry, Found},
    objects::is_folder_marker,
    refusal::{Kind, Refusal},
    survey::{Surveyed, survey},
};
use crate::units::S3Location;

/// Pages of 1,000 keys that are read of a place in one go. Most places are listed to their end by that, in far fewer calls than folder by
/// folder.
const FLAT_PAGES: usize = 10;

/// Pages of 1,000 entries that are read of one folder to find the folders in it.
const FOLDER_PAGES: usize = 100;

/// Unfinished folders that are kept.
const UNFINISHED: usize = 1_000;

/// What was found below one place.
#[derive(Debug, Default)]
pub(super) struct Snapshots {
    /// Newest first.
    pub(super) complete: Vec<Complete>,
    /// Folders that are named like a snapshot and hold no `_metadata`.
    pub(super) unfinished: Vec<S3Location>,
    /// Every object below the place, by key. `None`: there are too many to keep.
    pub(super) listing: Option<BTreeMap<String, Entry>>,
}

/// A folder that holds `_metadata`.
#[derive(Clone, Debug)]
pub(super) struct Complete {
    /// The folder.
    pub(super) location: S3Location,
    /// Its `_metadata`, whose date is the snapshot's.
    pub(super) metadata: Entry,
}

/// Looks at the place itself and at most two levels below: `<place>/[<job id>/]<snapshot>/_metadata`.
pub(super) async fn find(caller: &Caller<'_>, place: &S3Location) -> Result<Snapshots, Refusal> {
    if let Some((seen, listing)) = flat(caller, place).await? {
        return Ok(Snapshots { listing: Some(listing), ..sorted(place, &seen) });
    }
    Ok(sorted(place, &by_folder(caller, place).await?))
}

/// What a walk saw: paths relative to the place, without a slash at the end; the empty path is the place itself.
#[derive(Default)]
struct Seen {
    metadata: BTreeMap<String, Entry>,
    unfinished: BTreeSet<String>,
}

/// Everything in one listing. `None`: it is too long.
async fn flat(caller: &Caller<'_>, place: &S3Location) -> Result<Option<(Seen, BTreeMap<String, Entry>)>, Refusal> {
    let prefix = place.prefix();
    let mut seen = Seen::default();
    let mut all = BTreeMap::new();
    let complete = listing::list(caller, &prefix, false, FLAT_PAGES, |found| {
        if let Found::Object(entry) = found {
            let Some(path) = entry.key.strip_prefix(&prefix) else { return };
            if let Some(folder) = metadata_folder(path) {
                seen.metadata.insert(folder.to_owned(), entry.clone());
            }
            seen.unfinished.extend(snapshot_folder(path).map(str::to_owned));
            if !is_folder_marker(&entry) {
                all.insert(entry.key.clone(), entry);
            }
        }
    });
    Ok(complete.await?.then_some((seen, all)))
}

/// Folder by folder, for places with very many files: `shared/` of a large job, years of savepoints.
async fn by_folder(caller: &Caller<'_>, place: &S3Location) -> Result<Seen, Refusal> {
    let prefix = place.prefix();
    let own = format!("{prefix}_metadata");
    let (itself, first) = try_join(listing::exact(caller, &own), folders(caller, &prefix)).await?;
    let mut seen = Seen::default();
    seen.metadata.extend(itself.map(|entry| (String::new(), entry)));
    let others = seen.take(&prefix, survey(caller, &prefix, first).await?);
    let mut below = stream::iter(others)
        .map(|folder| async move { survey(caller, &folder, folders(caller, &folder).await?).await })
        .buffer_unordered(CONCURRENCY);
    while let Some(found) = below.try_next().await? {
        seen.take(&prefix, found);
    }
    Ok(seen)
}

impl Seen {
    /// Takes over what was found; gives back the folders that are no snapshots.
    fn take(&mut self, place: &str, found: Surveyed) -> Vec<String> {
        let mut others = Vec::new();
        for (folder, metadata) in found {
            let path = folder.strip_prefix(place).unwrap_or(&folder).trim_end_matches('/').to_owned();
            match metadata {
                Some(entry) => {
                    self.metadata.insert(path, entry);
                }
                None if is_snapshot_name(name(&path)) => {
                    self.unfinished.insert(path);
                }
                None => others.push(folder),
            }
        }
        others
    }
}

/// Folders directly below `prefix` that can be or hold snapshots.
async fn folders(caller: &Caller<'_>, prefix: &str) -> Result<Vec<String>, Refusal> {
    let mut folders = Vec::new();
    let complete = listing::list(caller, prefix, true, FOLDER_PAGES, |found| {
        if let Found::Folder(folder) = found {
            folders.extend(Some(folder).filter(|folder| folder.strip_prefix(prefix).is_some_and(may_hold_snapshots)));
        }
    });
    if complete.await? {
        return Ok(folders);
    }
    Err(Refusal::new(Kind::Failed, "more than 100,000 entries lie directly in one folder; declare a narrower location"))
}

/// Not the files that checkpoints share, and not a folder without a name, which comes from `//` in a key.
fn may_hold_snapshots(folder: &str) -> bool {
    !matches!(folder, "shared/" | "taskowned/" | "/" | "")
}

pub(super) fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// `chk-<number>`, or `savepoint-…` as Flink names what it writes.
pub(super) fn is_snapshot_name(name: &str) -> bool {
    name.starts_with("savepoint-") || checkpoint_number(name).is_some()
}

/// The number of a checkpoint's folder.
pub(super) fn checkpoint_number(name: &str) -> Option<u64> {
    name.strip_prefix("chk-").and_then(|number| number.parse().ok())
}

/// The folder of a `_metadata` at most two levels below the place.
pub(super) fn metadata_folder(path: &str) -> Option<&str> {
    if path == "_metadata" {
        return Some("");
    }
    path.strip_suffix("/_metadata").filter(|folder| folder.matches('/').count() < 2 && !folder.split('/').any(str::is_empty))
}

/// The folder at most two levels below the place that this file lies in and that is named like a snapshot.
fn snapshot_folder(path: &str) -> Option<&str> {
    let (first, rest) = path.split_once('/')?;
    if is_snapshot_name(first) {
        return Some(first);
    }
    let (second, _) = rest.split_once('/')?;
    is_snapshot_name(second).then(|| path.get(..first.len() + 1 + second.len())).flatten()
}

/// Newest first. What lies in a snapshot's folder belongs to it and is no snapshot of its own.
fn sorted(place: &S3Location, seen: &Seen) -> Snapshots {
    let location = |path: &str| if path.is_empty() { place.clone() } else { place.join(path) };
    let inside = |path: &str| path.split_once('/').is_some_and(|(first, _)| seen.metadata.contains_key(first));
    let unfinished = seen
        .unfinished
        .iter()
        .filter(|path| !seen.metadata.contains_key(*path) && !inside(path))
        .take(UNFINISHED)
        .map(|path| location(path))
        .collect();
    let mut complete: Vec<_> = seen.metadata.iter().filter(|(path, _)| !inside(path)).collect();
    complete.sort_by(|(a_path, a), (b_path, b)| {
        let numbers = checkpoint_number(name(b_path)).cmp(&checkpoint_number(name(a_path)));
        b.last_modified.cmp(&a.last_modified).then(numbers).then_with(|| b_path.cmp(a_path))
    });
    let complete = complete.into_iter().map(|(path, entry)| Complete { location: location(path), metadata: entry.clone() }).collect();
    Snapshots { complete, unfinished, listing: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshots_lie_at_most_two_levels_below_a_place() {
        for (path, folder) in [
            ("_metadata", Some("")),
            ("savepoint-a/_metadata", Some("savepoint-a")),
            ("0123/chk-7/_metadata", Some("0123/chk-7")),
            ("a/b/c/_metadata", None),
            ("a//_metadata", None),
            ("a/x_metadata", None),
            ("a/_metadata/b", None),
        ] {
            assert_eq!(metadata_folder(path), folder, "{path}");
        }
    }

    #[test]
    fn folders_named_like_snapshots() {
        for (path, folder) in [
            ("chk-7/file", Some("chk-7")),
            ("0123/chk-7/file", Some("0123/chk-7")),
            ("savepoint-a/b/c", Some("savepoint-a")),
            ("0123/shared/file", None),
            ("chk-seven/file", None),
            ("chk-7", None),
        ] {
            assert_eq!(snapshot_folder(path), folder, "{path}");
        }
    }

    #[test]
    fn the_newest_is_first_and_checkpoints_of_one_second_go_by_number() {
        let at = |path: &str, day: &str| Entry {
            key: format!("ckp/{path}/_metadata"),
            size: crate::units::Bytes(1),
            last_modified: day.parse().expect("an instant"),
            class: None,
        };
        let place = S3Location::new("b", "ckp");
        let mut seen = Seen::default();
        for (path, day) in [("j/chk-9", "2026-09-02"), ("j/chk-10", "2026-09-02"), ("old", "2026-09-01"), ("old/copy", "2026-09-09")] {
            seen.metadata.insert(path.to_owned(), at(path, day));
        }
        seen.unfinished.extend(["j/chk-9".to_owned(), "j/chk-11".to_owned()]);
        let found = sorted(&place, &seen);
        let keys: Vec<_> = found.complete.iter().map(|found| found.location.key()).collect();
        assert_eq!(keys, ["ckp/j/chk-10", "ckp/j/chk-9", "ckp/old"]);
        assert_eq!(found.unfinished, [place.join("j/chk-11")]);
    }
}
