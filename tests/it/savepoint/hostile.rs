//! `ttl-audit snapshot` on folders that somebody prepared: an answer or an error, within bounds, and never a wait.
#![cfg(unix)]

use std::{
    fs::{self, File},
    os::unix::fs::symlink,
    path::Path,
    process,
    time::Duration,
};

use serde_json::Value;

use super::{fixtures::one, writer::Writer};
use crate::harness::ttl_audit;

/// Runs it. Whoever waits for a pipe or walks in circles is stopped, and has failed.
fn snapshot(path: &Path, format: &str) -> (Option<i32>, String, String) {
    let run = ttl_audit().arg("snapshot").arg(path).args(["--format", format]).timeout(Duration::from_mins(5)).output().expect("runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (run.status.code(), text(run.stdout), text(run.stderr))
}

fn fails(path: &Path, part: &str) {
    let (code, _, text) = snapshot(path, "table");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains(part), "{part}: {text}");
}

fn json(path: &Path) -> Value {
    let (code, stdout, stderr) = snapshot(path, "json");
    assert_eq!(code, Some(0), "{stderr}");
    serde_json::from_str(&stdout).expect("JSON")
}

fn pipe(path: &Path) {
    assert!(process::Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

/// A file of this many zeros that takes no room.
fn sparse(path: &Path, len: u64) {
    File::create(path).and_then(|file| file.set_len(len)).expect("a sparse file");
}

/// A checkpoint with one keyed handle for each of these relative files, each of which says that it has so many bytes.
fn naming(files: &[(&str, i64)]) -> Vec<u8> {
    let subtasks = i32::try_from(files.len()).expect("few");
    let head = Writer::default().i32(0x4960_672d).i32(3).i64(7).i32(0).i32(1).bytes(&[0xab; 16]).i32(subtasks).i32(128).i8(0).i32(subtasks);
    let each = files.iter().zip(0..).fold(head, |file, ((path, len), index)| {
        let file = file.i32(index).i32(0).i32(0);
        file.i8(12).i32(0).i32(0).i8(6).utf(path).i64(*len).utf("id").i8(0).i32(0).i32(0)
    });
    each.0
}

#[test]
fn what_stands_in_the_place_of_metadata_is_no_trap() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| {
        let place = folder.path().join(name);
        fs::create_dir(&place).expect("a folder");
        place
    };
    let directory = place("chk-1");
    fs::create_dir(directory.join("_metadata")).expect("a folder");
    fails(&directory, "_metadata is not a file");
    let piped = place("chk-2");
    pipe(&piped.join("_metadata"));
    fails(&piped, "_metadata is not a file");
    let circle = place("chk-3");
    symlink("_metadata", circle.join("_metadata")).expect("a link");
    fails(&circle, "_metadata cannot be read");
    symlink(folder.path().join("b"), folder.path().join("a")).expect("a link");
    symlink(folder.path().join("a"), folder.path().join("b")).expect("a link");
    fails(&folder.path().join("a"), "cannot be read");
    let device = place("chk-4");
    symlink("/dev/zero", device.join("_metadata")).expect("a link");
    fails(&device, "_metadata is not a file");
    let zeros = place("chk-5");
    sparse(&zeros.join("_metadata"), 1 << 40);
    fails(&zeros, "expected the magic number 0x4960672D");
    let long = place("chk-6");
    fs::write(long.join("_metadata"), [0x49, 0x60, 0x67, 0x2d, 0, 0, 0, 3]).expect("writes");
    File::options().write(true).open(long.join("_metadata")).and_then(|file| file.set_len(1 << 40)).expect("a sparse file");
    fails(&long, "has 1099511627776 bytes");
    fails(&place("chk-7"), "holds no `_metadata`");
}

#[test]
fn what_stands_in_the_place_of_state_files_is_no_trap() {
    let folder = tempfile::tempdir().expect("a folder");
    let chk = folder.path().join("chk-7");
    fs::create_dir_all(chk.join("directory")).expect("a folder");
    pipe(&chk.join("pipe"));
    symlink("circle", chk.join("circle")).expect("a link");
    symlink("/dev/zero", chk.join("zeros")).expect("a link");
    sparse(&chk.join("sparse"), 1 << 40);
    let files = ["directory", "pipe", "circle", "zeros", "sparse", "missing", "/etc/passwd", "./../x", ""].map(|path| (path, i64::MAX));
    fs::write(chk.join("_metadata"), naming(&files)).expect("writes");
    let summary = json(&chk);
    let operator = &summary["operators"][0];
    assert_eq!((&operator["parts_read"], &operator["parts_not_read"]), (&0.into(), &9.into()), "{operator}");
    assert_eq!(operator["keyed_state"], true);
    assert_eq!(operator["keyed_states"], Value::Array(Vec::new()));
}

/// A million handles of one large file: what is read of it is bounded, and that something was left out is said.
#[test]
fn reading_the_same_file_again_and_again_comes_to_an_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let chk = folder.path().join("chk-7");
    fs::create_dir(&chk).expect("a folder");
    let mut file = File::create(chk.join("changes")).expect("a file");
    std::io::Write::write_all(&mut file, &[0, 0, 0, 0, 0]).expect("writes");
    file.set_len(64 << 20).expect("a sparse file");
    // One handle whose list names the file a thousand times: 64 GiB if each were read.
    let list = Writer::up_to_keyed_state().i8(13).i32(0).i32(128).i32(1000);
    let list = (0..1000).fold(list, |list, _| list.i64(0).i8(6).utf("changes").i64(64 << 20));
    let metadata = list.i64(1).i64(1).utf("id").utf("filesystem").after_keyed_state();
    fs::write(chk.join("_metadata"), metadata).expect("writes");
    let operator = json(&chk)["operators"][0].clone();
    assert_eq!((&operator["parts_read"], &operator["parts_not_read"]), (&64.into(), &936.into()), "{operator}");
    assert_eq!(operator["not_read"][0], "4.0 GiB of state were read before it, and more is not read");
}

/// Field case F08: ten files lie there and six are named. The other four are told, and nobody is told that they may go.
#[test]
fn files_that_the_snapshot_does_not_name_are_told_and_not_judged() {
    let folder = tempfile::tempdir().expect("a folder");
    let chk = folder.path().join("chk-7");
    fs::create_dir(&chk).expect("a folder");
    let names = ["a", "b", "c", "d", "e"].map(|name| (name, 3));
    fs::write(chk.join("_metadata"), naming(&names)).expect("writes");
    for name in ["a", "b", "c", "d", "e", "old-1", "old-2", "old-3", "old\u{1b}[2J"] {
        fs::write(chk.join(name), "abc").expect("writes");
    }
    let summary = json(&chk);
    assert_eq!(summary["reach"]["objects"], 5);
    let expected =
        serde_json::json!({"objects": 4, "bytes": 12, "examples": ["old\u{1b}[2J", "old-1", "old-2", "old-3"], "complete": true});
    assert_eq!(summary["unreferenced"], expected);
    let (_, text, _) = snapshot(&chk, "table");
    assert!(text.contains("in its folder and not named by this _metadata: 4 files (12 B)"), "{text}");
    assert!(text.contains("never safe to delete"), "{text}");
    assert!(!text.contains('\u{1b}'), "a name steers the terminal: {text:?}");
    // The twins: nothing more than is named, and a folder that is not the snapshot's own.
    for name in ["old-1", "old-2", "old-3", "old\u{1b}[2J"] {
        fs::remove_file(chk.join(name)).expect("removes");
    }
    assert_eq!(json(&chk)["unreferenced"]["objects"], 0);
    assert!(!snapshot(&chk, "table").1.contains("not named by this"));
    let other = folder.path().join("downloads");
    fs::create_dir(&other).expect("a folder");
    fs::write(other.join("holiday.jpg"), "abc").expect("writes");
    fs::write(other.join("_metadata"), naming(&names)).expect("writes");
    assert_eq!(json(&other)["unreferenced"], Value::Null, "that folder says nothing");
    // The twin of F08: nothing can be told of any file.
    fs::write(chk.join("_metadata"), &naming(&names)[..40]).expect("writes");
    fails(&chk, "cannot be read");
}

#[test]
fn thousands_of_folders_and_links_that_lead_in_circles_are_walked_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let chk = folder.path().join("chk-7");
    for number in 0..3_000 {
        fs::create_dir_all(chk.join(format!("folder-{number}"))).expect("a folder");
    }
    fs::write(chk.join("folder-2999/file"), "abc").expect("writes");
    symlink(&chk, chk.join("folder-0/up")).expect("a link");
    symlink("/", chk.join("root")).expect("a link");
    let deep = (0..40).fold(chk.clone(), |path, _| path.join("deep"));
    fs::create_dir_all(&deep).expect("folders");
    // Another snapshot's files are that one's affair.
    fs::create_dir(chk.join("savepoint-1")).expect("a folder");
    fs::write(chk.join("savepoint-1/_metadata"), "").expect("writes");
    fs::write(chk.join("savepoint-1/file"), "abc").expect("writes");
    fs::write(chk.join("_metadata"), naming(&[])).expect("writes");
    let found = json(&chk)["unreferenced"].clone();
    assert_eq!(found["examples"], serde_json::json!(["folder-0/up", "folder-2999/file", "root"]));
    assert_eq!((&found["objects"], &found["complete"]), (&3.into(), &false.into()), "what lies deeper than eight levels was not looked at");
}

/// The real ones have nothing beside what they name, and the files of other snapshots are not taken for theirs.
#[test]
fn real_snapshots_name_all_their_files() {
    for name in ["1.18.1/rocksdb-canonical-savepoint", "1.18.1/rocksdb-incremental-checkpoint", "2.3.0/file-merging-checkpoint"] {
        assert_eq!(json(&one(name).path())["unreferenced"]["objects"], 0, "{name}");
    }
}
