//! A snapshot on this machine.

use std::{
    fs::{self, File},
    io::{ErrorKind, Read as _, Seek as _, SeekFrom},
    path::{Component, Path, PathBuf},
    time::SystemTime,
};

use anyhow::{Context as _, Result};
use ttl_audit::savepoint::{
    Metadata,
    summary::{Sharing, SnapshotSummary, Wanted, summarize},
};
use walkdir::{DirEntry, WalkDir};

use super::super::{hinted, unreferenced};

/// So many snapshots beside it are looked at for what they need too.
const BESIDE: usize = 10;

/// A larger `_metadata` is refused: it would have to be held in memory.
const MAX_METADATA: u64 = 1 << 30;
/// So many entries of a folder are looked at to find snapshots below it.
const ENTRIES: usize = 100_000;
/// So many bytes tell whether it is one.
const BEGINNING: u64 = 16;

/// What the snapshot holds.
pub(super) fn summary(path: &str, uids: &[&str], handles: bool) -> Result<SnapshotSummary> {
    let file = metadata_file(Path::new(path))?;
    let bytes = read_metadata(&file)?;
    let metadata = Metadata::read(&bytes).with_context(|| format!("{} cannot be read", file.display()))?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let folder = fs::canonicalize(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut summary = summarize(&metadata, &bytes, &folder.to_string_lossy(), uids, &mut |wanted| read_part(&folder, wanted));
    if file.ends_with("_metadata") {
        summary.unreferenced = unreferenced::files(&folder, &summary.reach.files);
    }
    if handles {
        summary.handles = Some(serde_json::to_value(&metadata.operators)?);
    }
    drop((metadata, bytes));
    let mut sharing = Sharing::of(&mut summary);
    for other in snapshots_beside(&folder) {
        // One that cannot be read is compared with nothing.
        let Some(metadata) = read_metadata(&other.join("_metadata")).ok().and_then(|bytes| Metadata::read(&bytes).ok()) else { continue };
        let location = other.to_string_lossy();
        sharing.with(&location, &metadata.reach(&location));
    }
    Ok(summary)
}

/// Folders beside this one that hold `_metadata`, newest first, ten at most.
fn snapshots_beside(folder: &Path) -> Vec<PathBuf> {
    let beside = folder.parent().into_iter().flat_map(folders).filter(|other| other != folder);
    let mut found: Vec<_> = beside.filter_map(|other| Some((taken(&other)?, other))).collect();
    found.sort_by(|a, b| b.cmp(a));
    found.into_iter().take(BESIDE).map(|(_, other)| other).collect()
}

/// When the snapshot in a folder was taken; `None`: there is none.
fn taken(folder: &Path) -> Option<SystemTime> {
    fs::metadata(folder.join("_metadata")).ok()?.modified().ok()
}

fn folders(path: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).take(ENTRIES)
}

/// The file itself, or the one in the folder.
fn metadata_file(path: &Path) -> Result<PathBuf> {
    let metadata = fs::metadata(path).with_context(|| format!("{} cannot be read", path.display()))?;
    if !metadata.is_dir() {
        return Ok(path.to_owned());
    }
    let file = path.join("_metadata");
    // Not `exists`: a link that leads in a circle is there, and says so when it is opened.
    if file.symlink_metadata().is_ok() {
        return Ok(file);
    }
    let hint = match snapshots_below(path) {
        (0, _) => "it is written last: the snapshot is not finished, was given up, or lies elsewhere".to_owned(),
        (1, newest) => format!("a snapshot lies below it: give {}", newest.display()),
        (count, newest) => format!("{count} snapshots lie below it; the newest is {}", newest.display()),
    };
    Err(hinted(format!("{} holds no `_metadata`", path.display()), hint))
}

/// How many folders with `_metadata` lie at most two levels below, and which of them is the newest.
fn snapshots_below(path: &Path) -> (usize, PathBuf) {
    // Linked folders count, and the walk sees circles.
    let entries = WalkDir::new(path).min_depth(1).max_depth(2).follow_links(true).into_iter().flatten().take(ENTRIES);
    let below = entries.filter(|entry| entry.file_type().is_dir()).map(DirEntry::into_path);
    let found = below.filter_map(|folder| Some((taken(&folder)?, folder)));
    let (count, newest) = found.fold((0, None), |(count, newest), found| (count + 1, newest.max(Some(found))));
    (count, newest.map(|(_, folder)| folder).unwrap_or_default())
}

fn read_metadata(file: &Path) -> Result<Vec<u8>> {
    let cannot = || format!("{} cannot be read", file.display());
    let metadata = fs::metadata(file).with_context(cannot)?;
    if !metadata.is_file() {
        return Err(hinted(format!("{} is not a file", file.display()), "give the folder of a snapshot, or its `_metadata` file"));
    }
    let mut bytes = Vec::new();
    let mut open = File::open(file).with_context(cannot)?;
    open.by_ref().take(BEGINNING).read_to_end(&mut bytes).with_context(cannot)?;
    // Whatever else it is, it need not be read to its end to know.
    if let Err(error) = Metadata::read(&bytes)
        && matches!(error.offset, 0..8)
    {
        return Err(error).with_context(cannot);
    }
    if metadata.len() > MAX_METADATA {
        return Err(hinted(format!("{} has {} bytes", file.display(), metadata.len()), "a `_metadata` of more than 1 GiB is not read"));
    }
    open.take(MAX_METADATA).read_to_end(&mut bytes).with_context(cannot)?;
    Ok(bytes)
}

/// A part of a state file. Only regular files are opened: a path in a snapshot may name anything.
fn read_part(folder: &Path, wanted: &Wanted<'_>) -> Result<Vec<u8>, String> {
    let path = local(folder, wanted)?;
    let metadata = fs::metadata(&path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => "state files that it names are not there".to_owned(),
        kind => format!("state files next to `_metadata`: {kind}"),
    })?;
    if !metadata.is_file() {
        return Err("state files next to `_metadata`: one is not a regular file".to_owned());
    }
    let mut bytes = Vec::new();
    File::open(&path)
        .and_then(|mut file| {
            file.seek(SeekFrom::Start(wanted.start))?;
            file.take(wanted.len).read_to_end(&mut bytes)
        })
        .map_err(|error| format!("state files next to `_metadata`: {}", error.kind()))?;
    Ok(bytes)
}

fn local(folder: &Path, wanted: &Wanted<'_>) -> Result<PathBuf, String> {
    if wanted.relative {
        let path = Path::new(wanted.path);
        if !path.components().all(|component| matches!(component, Component::Normal(_))) {
            return Err("a relative path leads out of the folder".to_owned());
        }
        return Ok(folder.join(path));
    }
    match wanted.path.split_once(':') {
        Some(("file", rest)) => Ok(Path::new("/").join(rest.trim_start_matches('/'))),
        Some((scheme, _)) => Err(format!("state files with absolute paths ({scheme}:) are not on this machine")),
        None => Err("a state file has an absolute path without a scheme".to_owned()),
    }
}
