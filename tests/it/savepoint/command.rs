//! `ttl-audit snapshot` on folders that real Flink wrote.

use std::{fs, path::Path};

use serde_json::Value;

use super::fixtures::{Fixture, one};
use crate::harness::ttl_audit;

fn json(fixture: &Fixture, more: &[&str]) -> Value {
    let output = ttl_audit().arg("snapshot").arg(fixture.path()).args(["--format", "json"]).args(more).output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn operator<'a>(summary: &'a Value, id: &str) -> &'a Value {
    let operators = summary["operators"].as_array().expect("operators");
    operators.iter().find(|operator| operator["id"] == id || operator["uid"] == id).expect("the operator")
}

fn states(operator: &Value) -> Vec<(&str, &str, &str)> {
    fn text<'a>(state: &'a Value, key: &str) -> &'a str {
        state[key].as_str().unwrap_or("-")
    }
    let states = operator["keyed_states"].as_array().expect("states");
    states.iter().map(|state| (text(state, "name"), text(state, "kind"), text(state, "ttl"))).collect()
}

#[test]
fn a_savepoint_is_shown_with_states_ttl_and_positions() {
    let summary = json(&one("1.18.1/rocksdb-canonical-savepoint"), &["--uid", "sessionize", "--uid", "orders-source"]);
    assert_eq!((&summary["schema_version"], &summary["kind"]), (&1.into(), &"canonical-savepoint".into()));
    assert_eq!((&summary["format_version"], &summary["state_size"]), (&4.into(), &65_870.into()));
    assert_eq!(
        states(operator(&summary, "sessionize")),
        [("profile", "VALUE", "off"), ("session-events", "LIST", "off"), ("session-pages", "MAP", "on")]
    );
    let positions = operator(&summary, "orders-source")["positions"].as_array().expect("positions").clone();
    assert_eq!(positions.len(), 3);
    assert!(positions.iter().all(|position| position["topic"] == "orders" && position["next_offset"].as_u64() > Some(0)));
    // Not asked for, and not in the file: no uid is made up.
    let reminders = operator(&summary, "ee4fdc277c9b67a56c0dd24fc93ea85b");
    assert_eq!((&reminders["uid"], &reminders["uid_known"]), (&Value::Null, &false.into()));
    assert_eq!((&summary["reach"]["objects"], &summary["reach"]["relative"]), (&15.into(), &15.into()));
    assert!(summary["operators"].as_array().expect("operators").iter().all(|operator| operator["parts_not_read"] == 0));
}

#[test]
fn an_incremental_checkpoint_shows_what_lies_elsewhere() {
    let fixture = one("2.3.0/rocksdb-incremental-checkpoint");
    let summary = json(&fixture, &[]);
    assert_eq!(summary["kind"], "incremental-checkpoint");
    assert_eq!(operator(&summary, "dedup")["name"], "EventDeduplicationFunction");
    assert_eq!((&summary["reach"]["relative"], &summary["reach"]["absolute"]), (&15.into(), &91.into()));
    let files = summary["reach"]["files"].as_array().expect("files");
    assert!(files.iter().any(|file| file["shared"] == true && file["path"].as_str().is_some_and(|path| path.contains("/shared/"))));
}

#[test]
fn inline_changes_show_the_length_of_a_ttl() {
    let summary = json(&one("1.18.1/changelog-inmemory-checkpoint"), &["--uid", "dedup"]);
    let state = &operator(&summary, "dedup")["keyed_states"][0];
    assert_eq!((&state["name"], &state["kind"], &state["ttl"]), (&"seen-event-ids".into(), &"VALUE".into(), &"on".into()));
    assert!(state["serializers"]["VALUE_SERIALIZER"].as_str().is_some_and(|class| class.contains("TtlSerializerSnapshot")), "{state}");
    assert!(summary["reach"]["inline_changes"].as_u64() > Some(100_000), "{}", summary["reach"]["inline_changes"]);
    assert_eq!(state["ttl_settings"]["ttl"]["ms"], 604_800_000);
    assert_eq!(state["ttl_settings"]["update"], "OnCreateAndWrite");
}

/// Materialised state of this one lies in `s3://`: that it was not read is said, with the reason.
#[test]
fn what_cannot_be_read_is_said() {
    let summary = json(&one("1.18.1/changelog-checkpoint"), &["--uid", "dedup"]);
    let dedup = operator(&summary, "dedup");
    assert!(dedup["parts_not_read"].as_u64() > Some(0), "{dedup}");
    assert_eq!(dedup["not_read"][0], "state files with absolute paths (s3:) are not on this machine");
}

#[test]
fn the_table_says_the_same() {
    let fixture = one("2.3.0/rocksdb-canonical-savepoint");
    let output = ttl_audit().arg("snapshot").arg(fixture.path().join("_metadata")).output().expect("runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    for part in [
        "canonical savepoint, checkpoint id 1, format 6 (Flink 2.1 to 2.3)",
        "dedup (EventDeduplicationFunction)",
        "seen-event-ids",
        "needs 15 files",
        "15 relative, which move with the folder, 0 absolute",
        "orders",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn what_is_no_snapshot_is_an_error_with_a_next_step() {
    let folder = tempfile::tempdir().expect("a folder");
    let fails = |path: &Path, part: &str| {
        let output = ttl_audit().arg("snapshot").arg(path).output().expect("runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(part), "{part}: {text}");
    };
    fails(folder.path(), "holds no `_metadata`");
    fails(Path::new("gs://bucket/savepoint-1"), "neither on this machine nor in S3");
    fails(Path::new("/dev/null"), "is not a file");
    fails(&folder.path().join("missing"), "cannot be read");
    fs::write(folder.path().join("_metadata"), b"PAR1").expect("writes");
    fails(folder.path(), "expected the magic number 0x4960672D");
}

/// A path in a hostile file leads nowhere.
#[test]
fn paths_out_of_the_folder_are_not_followed() {
    use super::writer::Writer;
    let folder = tempfile::tempdir().expect("a folder");
    let snapshot = folder.path().join("chk-1");
    fs::create_dir(&snapshot).expect("a folder");
    fs::write(folder.path().join("outside"), b"secret").expect("writes");
    let state = Writer::up_to_keyed_state().i8(12).i32(0).i32(0).i8(6).utf("../outside").i64(6).utf("id");
    fs::write(snapshot.join("_metadata"), state.after_keyed_state()).expect("writes");
    let output = ttl_audit().arg("snapshot").arg(&snapshot).output().expect("runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("a relative path leads out of the folder"), "{text}");
}
