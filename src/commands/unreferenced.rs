//! The files in a local snapshot's folder that its `_metadata` does not name.

use std::{collections::BTreeSet, path::Path};

use ttl_audit::{
    savepoint::summary::{FileSummary, UnreferencedSummary},
    units::Bytes,
};
use walkdir::WalkDir;

/// So many entries of the folder are looked at. Flink's own have some thousands.
const ENTRIES: usize = 100_000;
/// So many levels. Flink writes one; ForSt two more.
const LEVELS: usize = 8;
/// So many are named.
const EXAMPLES: usize = 8;

/// What lies in `folder` and is not among `named`. `None`: the folder is not the snapshot's own, so that what lies there says nothing. Links
/// are not followed, and folders of other snapshots not entered.
pub(super) fn files(folder: &Path, named: &[FileSummary]) -> Option<UnreferencedSummary> {
    let relative: BTreeSet<&str> = named.iter().filter(|file| file.relative).map(|file| file.path.as_str()).collect();
    if !is_snapshot_folder(folder) && !relative.iter().any(|path| Path::new(path).exists()) {
        return None;
    }
    // An absolute name may stand for a file of this very folder, where it was written first: its last part decides.
    let absolute: BTreeSet<&str> = named.iter().filter(|file| !file.relative).filter_map(|file| file.path.rsplit('/').next()).collect();
    let mut found = UnreferencedSummary { complete: true, ..UnreferencedSummary::default() };
    let other_snapshot = |path: &Path| path.join("_metadata").exists();
    let mut examples = BTreeSet::new();
    // Not sorted: a folder of millions of files would be held in memory.
    let walk = WalkDir::new(folder).min_depth(1).max_depth(LEVELS).into_iter();
    let entries = walk.filter_entry(|entry| !(entry.file_type().is_dir() && entry.depth() > 0 && other_snapshot(entry.path())));
    for (nth, entry) in entries.enumerate().take(ENTRIES + 1) {
        let Some(entry) = entry.ok().filter(|_| nth < ENTRIES) else {
            found.complete = false;
            continue;
        };
        let name = entry.file_name().to_string_lossy();
        let metadata = entry.depth() == 1 && name == "_metadata";
        if entry.file_type().is_dir() {
            // What lies deeper is not looked at.
            found.complete &= entry.depth() < LEVELS;
            continue;
        }
        if metadata || relative.contains(&*entry.path().to_string_lossy()) || absolute.contains(&*name) {
            continue;
        }
        found.objects += 1;
        found.bytes = found.bytes.plus(Bytes(entry.metadata().map_or(0, |metadata| metadata.len())));
        let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        examples.insert(below.to_string_lossy().into_owned());
        if examples.len() > EXAMPLES {
            examples.pop_last();
        }
    }
    found.examples = examples.into_iter().collect();
    Some(found)
}

/// Whether the folder is called as Flink calls those of snapshots.
fn is_snapshot_folder(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let checkpoint = name.strip_prefix("chk-").is_some_and(|number| number.parse::<u64>().is_ok());
    checkpoint || name.starts_with("savepoint-")
}
