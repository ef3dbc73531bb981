//! The reach of a snapshot: every file that a restore needs, wherever it lies.

use std::collections::BTreeMap;

use super::{
    handles::{KeyedHandle, StreamHandle},
    metadata::Metadata,
};
use crate::units::{Location, S3Location};

/// One file that a snapshot needs, besides `_metadata` itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReachedFile {
    /// The whole path: a relative one is resolved against the folder of `_metadata`, an absolute one stands as written.
    pub path: String,
    /// Bucket and key, if it lies in S3.
    pub s3: Option<S3Location>,
    /// The path as written, if it is relative. Such a file moves with its folder; an absolute reference keeps pointing to the old place.
    pub relative: Option<String>,
    /// The size of the whole file as the handles state it; `None` for merged files, of which only parts are known.
    pub size: Option<u64>,
    /// The file must be at least this long.
    pub min_size: u64,
    /// Parts of it are named, not the whole (file merging).
    pub merged: bool,
    /// Flink lists it among the files that other checkpoints may share.
    pub shared: bool,
    /// How many handles name it.
    pub references: u64,
}

impl ReachedFile {
    /// One text for all spellings of its place.
    #[must_use]
    pub fn identity(&self) -> String {
        identity(&self.path, self.s3.as_ref())
    }
}

/// What lies in `_metadata` itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inlined {
    /// How many handles.
    pub handles: u64,
    /// How many bytes.
    pub bytes: u64,
}

/// The reach of a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The files, each once, by path.
    pub files: Vec<ReachedFile>,
    /// State of subtasks that needs no file.
    pub inlined: Inlined,
}

impl Metadata {
    /// The reach; `folder` is the folder that holds `_metadata`.
    #[must_use]
    pub fn reach(&self, folder: &str) -> Reach {
        let mut files = BTreeMap::new();
        let mut inlined = Inlined::default();
        self.each_stream(&mut |stream| {
            if let StreamHandle::Inline { bytes, .. } = stream.innermost() {
                inlined.handles += 1;
                inlined.bytes = inlined.bytes.saturating_add(bytes.len as u64);
            }
            add(&mut files, folder, stream.innermost());
        });
        for coordinator in self.operators.iter().filter_map(|operator| operator.coordinator.as_ref()) {
            add(&mut files, folder, coordinator.innermost());
        }
        for operator in &self.operators {
            operator.each_keyed(&mut |handle| {
                let KeyedHandle::Incremental(handle) = handle else { return };
                for file in &handle.shared {
                    if let Some(reached) = place(folder, file.stream.innermost()).and_then(|place| files.get_mut(&place.key)) {
                        reached.shared = true;
                    }
                }
            });
        }
        Reach { files: files.into_values().collect(), inlined }
    }
}

/// Where a stream's file lies.
struct Place {
    /// The same text for all spellings.
    key: String,
    path: String,
    s3: Option<S3Location>,
}

/// The place of a stream's file, if it has one.
fn place(folder: &str, stream: &StreamHandle) -> Option<Place> {
    let path = match stream {
        StreamHandle::File { path, .. } | StreamHandle::Segment { path, .. } => path.clone(),
        StreamHandle::Relative { path, .. } => format!("{}/{path}", folder.trim_end_matches('/')),
        StreamHandle::Inline { .. } | StreamHandle::EmptySegment | StreamHandle::KeyGroups(_) => return None,
    };
    let s3 = path.parse::<Location>().ok().and_then(|location| location.s3().cloned());
    Some(Place { key: identity(&path, s3.as_ref()), path, s3 })
}

/// Adds the file of a stream, if it has one.
fn add(files: &mut BTreeMap<String, ReachedFile>, folder: &str, stream: &StreamHandle) {
    let Some(Place { key, path, s3 }) = place(folder, stream) else { return };
    let (relative, size, min_size, merged) = match stream {
        StreamHandle::Relative { path, size } => (Some(path.clone()), *size, size.unwrap_or(0), false),
        StreamHandle::Segment { start, size, .. } => (None, None, start.saturating_add(*size), true),
        StreamHandle::File { size, .. } => (None, *size, size.unwrap_or(0), false),
        StreamHandle::Inline { .. } | StreamHandle::EmptySegment | StreamHandle::KeyGroups(_) => return,
    };
    let file = files.entry(key).or_insert_with(|| ReachedFile {
        path,
        s3,
        relative: relative.clone(),
        size,
        min_size,
        merged,
        shared: false,
        references: 0,
    });
    file.references += 1;
    file.min_size = file.min_size.max(min_size);
    file.size = file.size.max(size);
    file.merged |= merged;
    // Named both ways: it does not move with the folder.
    if relative.is_none() {
        file.relative = None;
    }
}

/// One text for all spellings of a place: `s3a://b/k` is `s3://b/k`, and `file:/k` is `file:///k`.
pub(super) fn identity(path: &str, s3: Option<&S3Location>) -> String {
    if let Some(location) = s3 {
        return format!("s3://{}/{}", location.bucket(), location.key());
    }
    match path.split_once(':') {
        Some((scheme, rest)) if rest.starts_with("///") => format!("{}:{}", scheme.to_ascii_lowercase(), rest.trim_start_matches("//")),
        _ => path.to_owned(),
    }
}
