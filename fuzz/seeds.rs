//! What fuzzing starts from: small inputs of every kind that the reader takes, cut out of the snapshots in `tests/data/flink`, and written
//! by hand where none of them has a layout.

use std::{fs, path::Path};

use ttl_audit::savepoint::{KeyedHandle, Metadata, READER_STATE, StreamHandle, SubtaskState};

// Whoever includes this file brings the tests' own writer.
use super::writer::Writer;

/// So much of a state file: what a header takes and some bytes behind it.
const BEGINNING: usize = 4096;
/// A larger `_metadata` is cut: the rest of it is inline state, which seeds of their own hold.
const LARGE: usize = 20_000;

/// One input.
pub(crate) struct Seed {
    /// Where it comes from.
    pub(crate) name: String,
    /// The input.
    pub(crate) bytes: Vec<u8>,
}

/// All of them, in an order that does not change. `root` is the folder of the repository.
pub(crate) fn all(root: &Path) -> Vec<Seed> {
    let mut files = Vec::new();
    files_below(&root.join("tests/data/flink"), &mut files);
    files.sort();
    let mut seeds = Seeds(Vec::new());
    for (name, bytes) in files {
        if let Ok(metadata) = Metadata::read(&bytes) {
            seeds.of_metadata(&name, &bytes, &metadata);
        } else {
            seeds.of_state_file(&name, &bytes);
        }
    }
    seeds.by_hand();
    seeds.0
}

fn files_below(folder: &Path, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).expect("the snapshots").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            files_below(&entry, files);
        } else if entry.extension().is_none() {
            files.push((entry.display().to_string(), fs::read(&entry).expect("a file")));
        }
    }
}

struct Seeds(Vec<Seed>);

impl Seeds {
    fn push(&mut self, name: String, bytes: &[u8]) {
        if !self.0.iter().any(|seed| seed.bytes == bytes) {
            self.0.push(Seed { name, bytes: bytes.to_vec() });
        }
    }

    fn of_metadata(&mut self, name: &str, bytes: &[u8], metadata: &Metadata) {
        self.push(name.to_owned(), bytes.get(..LARGE).unwrap_or(bytes));
        for operator in &metadata.operators {
            if let Some(StreamHandle::Inline { bytes: span, .. }) = &operator.coordinator {
                self.push(format!("{name}: a coordinator"), span.of(bytes).unwrap_or_default());
            }
            for handle in operator.states().flat_map(SubtaskState::operator) {
                let Some(stream) = inline(bytes, &handle.stream) else { continue };
                self.push(format!("{name}: operator state"), beginning(stream));
                for state in handle.states.iter().filter(|state| state.name == READER_STATE) {
                    let first = state.offsets.first().and_then(|offset| usize::try_from(*offset).ok());
                    self.push(format!("{name}: a split"), first.and_then(|first| stream.get(first..)).unwrap_or_default());
                    self.push(format!("{name}: a snapshot of the source alone"), &source(stream, &state.offsets, false));
                    self.push(format!("{name}: a snapshot of the source alone, inline"), &source(stream, &state.offsets, true));
                }
            }
            operator.each_keyed(&mut |handle| match handle {
                KeyedHandle::InlineChanges(changes) => {
                    let about_states = changes.changes.iter().filter(|change| change.key_group < 0);
                    for bytes in about_states.filter_map(|change| change.bytes.of(bytes)) {
                        self.push(format!("{name}: a change"), &one_change(bytes));
                    }
                }
                handle => {
                    if let Some(stream) = handle.header_stream().and_then(|stream| inline(bytes, stream)) {
                        let stream = beginning(stream);
                        self.push(format!("{name}: keyed state"), stream);
                        let state = Writer::up_to_keyed_state().i8(12).i32(0).i32(0);
                        let state = within(state, stream).utf("id").after_keyed_state();
                        self.push(format!("{name}: a snapshot of keyed state alone, inline"), &state);
                    }
                }
            });
        }
    }

    fn of_state_file(&mut self, name: &str, bytes: &[u8]) {
        let bytes = beginning(bytes);
        self.push(name.to_owned(), bytes);
        let mut metadata = if name.contains("/dstl/") {
            let state = Writer::up_to_keyed_state().i8(13).i32(0).i32(128).i32(1).i64(0);
            file(state, bytes).i64(1).i64(1).utf("id").utf("filesystem").after_keyed_state()
        } else {
            let state = Writer::up_to_keyed_state().i8(5).i64(1).utf("backend").i32(0).i32(128);
            file(state, bytes).i32(0).i32(0).after_keyed_state()
        };
        metadata.extend(bytes);
        self.push(format!("{name}: a snapshot of it alone"), &metadata);
    }

    fn by_hand(&mut self) {
        for text in ["dedup", "größe 😀", "", "5a872f3a73b9dad53994e3e6e14f16e6"] {
            self.push(format!("the text {text}"), text.as_bytes());
        }
        let shared = |writer: Writer, path: &str| writer.i32(1).utf("000001.sst").i8(2).i64(-1).utf(path).i32(0);
        let incremental = Writer::up_to_keyed_state().i8(5).i64(6).utf("backend").i32(0).i32(128).i8(6).utf("meta").i64(10);
        for path in ["s3://b/job/shared/1", "s3a://b/a b/../_entropy_/1", "file:/tmp/1", "gs://b/1", "/tmp/1", "s3://b"] {
            self.push(format!("a shared file {path}"), &shared(incremental.clone(), path).after_keyed_state());
        }
        let segment = |writer: Writer, start: i64, path: &str| writer.i8(15).i64(start).i64(9).i32(1).utf(path).utf("logical");
        let merged = Writer::up_to_keyed_state().i8(11).i64(6).utf("backend").i32(0).i32(128).i64(0);
        let merged = segment(merged, 0, "s3://b/job/shared/merged").i32(1).utf("1.sst");
        let merged = segment(merged, 500, "s3a://b/job/shared/merged").i32(1).utf("2.sst").i8(16).utf("id");
        self.push("merged files".to_owned(), &merged.after_keyed_state());
        let old =
            Writer::up_to_keyed_state().i8(3).i32(10).i32(2).i64(100).i64(200).i8(3).i32(0).i32(0).i8(2).i64(300).utf("hdfs://nn/x/1");
        self.push("key groups of the first layout".to_owned(), &old.after_keyed_state());
        let changelog = Writer::up_to_keyed_state().i8(8).i32(0).i32(128).i64(11).i32(1).i8(0).i32(1).i8(10).i32(0).i32(128).i32(1).i64(5);
        let changelog = changelog.i8(2).i64(400).utf("s3://b/dstl/1").i64(40).i64(40).utf("id-10").i64(3).utf("id-8");
        self.push("a changelog of the first layout".to_owned(), &changelog.after_keyed_state());
        let master = Writer::default().i32(1).utf("hook").i32(2).bytes(&[1, 2]).0;
        let master =
            Writer::default().i32(0x4960_672d).i32(2).i64(1).i32(1).i32(0xc96b_1696_u32.cast_signed()).i32(14).bytes(&master).i32(0);
        self.push("a master state".to_owned(), &master.0);
    }
}

fn beginning(bytes: &[u8]) -> &[u8] {
    bytes.get(..BEGINNING).unwrap_or(bytes)
}

fn inline<'a>(bytes: &'a [u8], stream: &StreamHandle) -> Option<&'a [u8]> {
    match stream.innermost() {
        StreamHandle::Inline { bytes: span, .. } => span.of(bytes),
        _ => None,
    }
}

/// A handle of a relative file as long as `bytes`.
fn file(writer: Writer, bytes: &[u8]) -> Writer {
    writer.i8(6).utf("file").i64(i64::try_from(bytes.len()).expect("small"))
}

/// A handle of `bytes` as inline state.
fn within(writer: Writer, bytes: &[u8]) -> Writer {
    writer.i8(1).utf("name").i32(i32::try_from(bytes.len()).expect("small")).bytes(bytes)
}

/// A snapshot with the operator state of a source and nothing else; the state is inline, or stands behind it.
fn source(stream: &[u8], offsets: &[i64], inline: bool) -> Vec<u8> {
    let head = Writer::default().i32(0x4960_672d).i32(3).i64(7).i32(0).i32(1).bytes(&[0xab; 16]).i32(1).i32(128).i8(0).i32(1).i32(0);
    let state = head.i32(1).i8(4).i32(1).utf(READER_STATE).i8(0).i32(i32::try_from(offsets.len()).expect("few"));
    let state = offsets.iter().fold(state, |state, offset| state.i64(*offset));
    if inline {
        return within(state, stream).i32(0).i8(0).after_keyed_state();
    }
    let mut bytes = file(state, stream).i32(0).i8(0).after_keyed_state();
    bytes.extend(stream);
    bytes
}

/// A snapshot with one change that describes a state.
fn one_change(change: &[u8]) -> Vec<u8> {
    let len = i32::try_from(change.len()).expect("small");
    let state = Writer::up_to_keyed_state().i8(9).i32(0).i32(128).i64(0).i64(1).i32(1).i32(-1).i32(len).bytes(change);
    state.utf("id").after_keyed_state()
}
