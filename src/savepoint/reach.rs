//! The reach of a snapshot: every file that a restore needs, wherever it lies.

use std::borrow::Cow;

use super::{handles::StreamHandle, metadata::Metadata};
use crate::units::S3Location;

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
        identity(&self.path).into_owned()
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
        let folder = folder.trim_end_matches('/');
        let mut inlined = Inlined::default();
        let mut mentions = Vec::new();
        self.each_stream(&mut |stream, shared| {
            if let StreamHandle::Inline { bytes, .. } = stream.innermost() {
                inlined.handles += 1;
                inlined.bytes = inlined.bytes.saturating_add(bytes.len as u64);
            }
            mentions.extend(Mention::of(stream, shared, folder));
        });
        let coordinators = self.operators.iter().filter_map(|operator| operator.coordinator.as_ref());
        mentions.extend(coordinators.filter_map(|stream| Mention::of(stream, false, folder)));
        Reach { files: files(mentions, folder), inlined }
    }
}

/// One handle that names a file.
struct Mention<'a> {
    /// The file, in one spelling: `s3a://b/k` is `s3://b/k`, and `file:/k` is `file:///k`.
    place: Cow<'a, str>,
    /// Sixteen bytes of the place from where places begin to differ: paths have long beginnings in common, names in Flink are random.
    head: u128,
    stream: &'a StreamHandle,
    shared: bool,
}

impl<'a> Mention<'a> {
    /// `None`: the stream has no file.
    fn of(stream: &'a StreamHandle, shared: bool, folder: &str) -> Option<Self> {
        let stream = stream.innermost();
        let place = match stream {
            StreamHandle::File { path, .. } | StreamHandle::Segment { path, .. } => identity(path),
            StreamHandle::Relative { path, .. } => Cow::Owned(identity(&format!("{folder}/{path}")).into_owned()),
            StreamHandle::Inline { .. } | StreamHandle::EmptySegment | StreamHandle::KeyGroups(_) => return None,
        };
        Some(Self { place, head: 0, stream, shared })
    }

    /// The file as this handle alone describes it.
    fn file(&self, folder: &str) -> ReachedFile {
        let (path, relative, size, min_size, merged) = match self.stream {
            StreamHandle::Relative { path, size } => (format!("{folder}/{path}"), Some(path.clone()), *size, size.unwrap_or(0), false),
            StreamHandle::File { path, size } => (path.clone(), None, *size, size.unwrap_or(0), false),
            StreamHandle::Segment { path, start, size, .. } => (path.clone(), None, None, start.saturating_add(*size), true),
            StreamHandle::Inline { .. } | StreamHandle::EmptySegment | StreamHandle::KeyGroups(_) => (String::new(), None, None, 0, false),
        };
        let s3 = S3Location::parts(&self.place).map(|(bucket, key)| S3Location::new(bucket, key));
        ReachedFile { path, s3, relative, size, min_size, merged, shared: self.shared, references: 1 }
    }
}

/// Every file once, by place. A sort takes no more memory than the handles do, and no copies of their paths.
fn files(mut mentions: Vec<Mention<'_>>, folder: &str) -> Vec<ReachedFile> {
    let common = common_beginning(&mentions);
    for mention in &mut mentions {
        let rest = mention.place.as_bytes().get(common..).unwrap_or_default();
        mention.head = rest.iter().copied().chain(std::iter::repeat(0)).take(16).fold(0, |head, byte| head << 8 | u128::from(byte));
    }
    // Stable: of several spellings the one that comes first in `_metadata` is shown.
    mentions.sort_by(|one, other| one.head.cmp(&other.head).then_with(|| one.place.cmp(&other.place)));
    let same = mentions.chunk_by(|one, other| one.head == other.head && one.place == other.place);
    same.filter_map(|mentions| {
        let (first, others) = mentions.split_first()?;
        Some(others.iter().fold(first.file(folder), |file, other| file.and(&other.file(folder))))
    })
    .collect()
}

fn common_beginning(mentions: &[Mention<'_>]) -> usize {
    let Some((first, rest)) = mentions.split_first() else { return 0 };
    let first = first.place.as_bytes();
    rest.iter().fold(first.len(), |common, mention| {
        let place = mention.place.as_bytes();
        if place.get(..common) == first.get(..common) {
            common
        } else {
            place.iter().zip(first).take_while(|(one, other)| one == other).count()
        }
    })
}

impl ReachedFile {
    /// The same file, which another handle names too.
    fn and(self, other: &Self) -> Self {
        Self {
            // Named both ways: it does not move with the folder.
            relative: self.relative.filter(|_| other.relative.is_some()),
            size: self.size.max(other.size),
            min_size: self.min_size.max(other.min_size),
            merged: self.merged || other.merged,
            shared: self.shared || other.shared,
            references: self.references + other.references,
            ..self
        }
    }
}

/// One text for all spellings of a place: `s3a://b/k` is `s3://b/k`, and `file:/k` is `file:///k`. Without a copy where the path is spelled so
/// already.
pub(super) fn identity(path: &str) -> Cow<'_, str> {
    if let Some((bucket, key)) = S3Location::parts(path) {
        let spelled = path.strip_prefix("s3://").and_then(|path| path.strip_prefix(bucket)).and_then(|path| path.strip_prefix('/'));
        return if spelled == Some(key) { Cow::Borrowed(path) } else { Cow::Owned(format!("s3://{bucket}/{key}")) };
    }
    match path.split_once(':') {
        Some((scheme, rest)) if rest.starts_with("///") => {
            Cow::Owned(format!("{}:{}", scheme.to_ascii_lowercase(), rest.trim_start_matches("//")))
        }
        _ => Cow::Borrowed(path),
    }
}
