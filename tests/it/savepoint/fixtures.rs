//! The snapshots in `tests/data/flink`, and the files that their references name.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use flate2::read::GzDecoder;
use serde_json::Value;
use ttl_audit::savepoint::StreamHandle;

use crate::harness::in_root;

/// One snapshot that real Flink wrote.
pub(crate) struct Fixture {
    /// `1.18.1/rocksdb-canonical-savepoint`.
    pub(crate) name: String,
    /// What Flink's own classes say.
    pub(crate) expected: Value,
    /// The bytes of `_metadata`.
    pub(crate) bytes: Vec<u8>,
    folder: PathBuf,
}

/// All of them.
pub(crate) fn all() -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for release in folders(&in_root("tests/data/flink")) {
        fixtures.extend(folders(&release).iter().map(|folder| Fixture::load(folder)));
    }
    assert!(fixtures.len() >= 42, "the fixtures are there: {}", fixtures.len());
    fixtures
}

/// One of them.
pub(crate) fn one(name: &str) -> Fixture {
    Fixture::load(&in_root("tests/data/flink").join(name))
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

impl Fixture {
    fn load(folder: &Path) -> Self {
        let mut text = String::new();
        let file = fs::File::open(folder.join("expected.json.gz")).expect("the truth");
        GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
        let expected: Value = serde_json::from_str(&text).expect("JSON");
        let metadata = folder.join(expected["metadata_file"].as_str().unwrap_or("_metadata"));
        let name = folder.strip_prefix(in_root("tests/data/flink")).expect("below").to_string_lossy().into_owned();
        Self { name, expected, bytes: fs::read(&metadata).expect("_metadata"), folder: folder.to_owned() }
    }

    /// The folder that `_metadata` named as its own when it was written.
    pub(crate) fn pointer(&self) -> &str {
        self.expected["pointer"].as_str().expect("a pointer")
    }

    /// The folder on disk that holds `_metadata`.
    pub(crate) fn path(&self) -> PathBuf {
        let file = self.expected["metadata_file"].as_str().unwrap_or("_metadata");
        self.folder.join(file).parent().expect("a folder").to_owned()
    }

    /// The bytes of a stream, if they are kept.
    pub(crate) fn stream(&self, stream: &StreamHandle) -> Option<Vec<u8>> {
        match stream {
            StreamHandle::Inline { bytes, .. } => bytes.of(&self.bytes).map(<[u8]>::to_vec),
            StreamHandle::Relative { path, .. } => self.file(&format!("{}/{path}", self.pointer())),
            StreamHandle::File { path, .. } => self.file(path),
            StreamHandle::Segment { path, start, size, .. } => {
                let start = usize::try_from(*start).expect("small");
                let bytes = self.file(path)?;
                bytes.get(start..start + usize::try_from(*size).expect("small")).map(<[u8]>::to_vec)
            }
            StreamHandle::EmptySegment => None,
            StreamHandle::KeyGroups(handle) => self.stream(&handle.stream),
        }
    }

    /// The bytes of a file, if it is kept.
    pub(crate) fn file(&self, path: &str) -> Option<Vec<u8>> {
        let local = match path.strip_prefix("s3://") {
            Some(rest) => format!("s3/{rest}"),
            None => format!("file/{}", path.strip_prefix("file:///tmp/")?),
        };
        fs::read(self.folder.join(local)).ok()
    }
}
