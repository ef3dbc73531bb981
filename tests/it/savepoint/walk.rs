//! `ttl-audit snapshot --format json` on every snapshot of `tests/data/flink`: what Flink's own classes say of it, the program says too.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use ttl_audit::savepoint::Metadata;

use super::fixtures::{Fixture, all};
use crate::harness::ttl_audit;

/// What the program says, asked with every uid of the job's code.
fn said(fixture: &Fixture) -> Value {
    let uids = fixture.expected["job_truth"].as_array().into_iter().flatten().filter_map(|operator| operator["uid"].as_str());
    let uids: Vec<&str> = uids.flat_map(|uid| ["--uid", uid]).collect();
    let output = ttl_audit().arg("snapshot").arg(fixture.path()).args(["--format", "json"]).args(uids).output().expect("runs");
    assert!(output.status.success(), "{}: {}", fixture.name, String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

#[test]
fn the_whole_is_said() {
    for fixture in all() {
        let (ours, theirs, name) = (said(&fixture), &fixture.expected, &fixture.name);
        let dump = &theirs["flink_dump"];
        assert_eq!(ours["format_version"], theirs["metadata_version"], "{name}");
        assert_eq!(ours["checkpoint_id"], theirs["checkpoint_id"], "{name}");
        if dump.is_null() {
            continue;
        }
        assert_eq!(ours["state_size"], dump["total_state_size"], "{name}");
        assert_eq!(ours["metadata_size"], dump["metadata_file_size"], "{name}");
        assert_eq!(ours["reach"]["inline_handles"], dump["inline_handles"], "{name}");
        assert_eq!(ours["reach"]["inline_bytes"], dump["inline_bytes"], "{name}");
        assert_eq!(ours["master_states"], dump["master_states"], "{name}");
        let (ours, theirs) = (&ours["properties"], &dump["properties"]);
        assert_eq!(ours.is_null(), theirs.is_null(), "{name}");
        for key in
            ["discard_on_subsumed", "discard_on_finished", "discard_on_cancelled", "discard_on_failed", "discard_on_suspended", "forced"]
        {
            assert_eq!(ours[key], theirs[key], "{name}: {key}");
        }
        assert_eq!(ours["unclaimed"], theirs["is_unclaimed"], "{name}");
        for part in ["kind", "sharing", "format"].map(|key| text(ours, key)) {
            assert!(text(theirs, "type").to_lowercase().contains(&part.to_lowercase()), "{name}: {part} of {theirs}");
        }
    }
}

/// What `truth` compares with Flink handle by handle, `--handles` shows.
#[test]
fn every_handle_is_said_on_demand() {
    for fixture in all() {
        let output = ttl_audit().arg("snapshot").arg(fixture.path()).args(["--format", "json", "--handles"]).output().expect("runs");
        let ours: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let read = Metadata::read(&fixture.bytes).expect("reads");
        assert_eq!(ours["handles"], serde_json::to_value(&read.operators).expect("JSON"), "{}", fixture.name);
        assert_eq!(list(&ours, "handles").len(), read.operators.len());
    }
    let fixture = all().into_iter().find(|fixture| fixture.name == "1.18.1/rocksdb-incremental-checkpoint").expect("there");
    let refused = ttl_audit().arg("snapshot").arg(fixture.path()).arg("--handles").output().expect("runs");
    assert_eq!(refused.status.code(), Some(2));
    assert!(said(&fixture)["handles"].is_null(), "only on demand");
}

#[test]
fn every_operator_is_said() {
    let mut compared = 0;
    for fixture in all() {
        let (ours, dump, name) = (said(&fixture), &fixture.expected["flink_dump"], &fixture.name);
        let theirs = if dump.is_null() { list(&fixture.expected, "operators") } else { list(dump, "operators") };
        let truth: BTreeMap<&str, &Value> = list(&fixture.expected, "job_truth").iter().map(|it| (text(it, "operator_id"), it)).collect();
        let by_id = |operators: &[Value], key: &str| -> Vec<Value> {
            let sorted: BTreeMap<String, Value> = operators.iter().map(|it| (text(it, key).to_owned(), it.clone())).collect();
            sorted.into_values().collect()
        };
        let (ours, theirs) = (by_id(list(&ours, "operators"), "id"), by_id(theirs, "operator_id"));
        assert_eq!(ours.len(), theirs.len(), "{name}");
        for (ours, theirs) in ours.iter().zip(&theirs) {
            let id = text(ours, "id");
            for (key, other) in [
                ("id", "operator_id"),
                ("parallelism", "parallelism"),
                ("max_parallelism", "max_parallelism"),
                ("finished", "fully_finished"),
                ("state_size", "state_size"),
            ] {
                assert_eq!(ours[key], theirs[other], "{name}: {id}: {key}");
            }
            if fixture.expected["metadata_version"].as_u64() >= Some(5) {
                assert_eq!((&ours["name"], &ours["uid"]), (&theirs["name"], &theirs["uid"]), "{name}: {id}");
            } else if let Some(truth) = truth.get(id).filter(|truth| truth["uid"].is_string()) {
                assert_eq!(ours["uid"], truth["uid"], "{name}: {id}");
            }
            if !dump.is_null() {
                operator_states(name, ours, theirs);
                let finished = list(theirs, "subtasks").iter().filter(|subtask| subtask["finished"] == true).count();
                assert_eq!(ours["finished_subtasks"], json!(finished), "{name}: {id}");
            }
            compared += 1;
        }
    }
    assert!(compared >= 400, "{compared}");
}

/// Name, mode and number of elements, over all subtasks.
fn operator_states(name: &str, ours: &Value, theirs: &Value) {
    let mut expected: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for handle in list(theirs, "subtasks").iter().flat_map(|subtask| list(subtask, "managed_operator")) {
        for (state, info) in handle["states"].as_object().into_iter().flatten() {
            let (mode, elements) = expected.entry(state.clone()).or_default();
            text(info, "mode").clone_into(mode);
            *elements += list(info, "offsets").len();
        }
    }
    let said: BTreeMap<String, (String, usize)> = list(ours, "operator_states")
        .iter()
        .map(|state| {
            let elements = usize::try_from(state["elements"].as_u64().expect("a number")).expect("few");
            (text(state, "name").to_owned(), (text(state, "mode").to_owned(), elements))
        })
        .collect();
    assert_eq!(said, expected, "{name}: {}", ours["id"]);
}

/// Names, kinds, serializers and TTL, as the headers have them; all of them wherever all headers are kept.
#[test]
fn every_keyed_state_is_said() {
    let (mut states, mut whole) = (0, BTreeSet::new());
    for fixture in all() {
        let (ours, name) = (said(&fixture), &fixture.name);
        let details: BTreeMap<&str, &[Value]> = list(&fixture.expected["flink_dump"], "operators")
            .iter()
            .map(|operator| (text(operator, "operator_id"), list(operator, "state_details")))
            .collect();
        let in_changelog = &fixture.expected["ttl_in_changelog"];
        for operator in list(&ours, "operators") {
            let id = text(operator, "id");
            let details = details.get(id).copied().unwrap_or_default();
            for state in list(operator, "keyed_states") {
                let of_changes = in_changelog[id].get(text(state, "name"));
                let ttl = if let Some(detail) = details.iter().find(|detail| detail["name"] == state["name"]) {
                    assert_eq!(state["kind"], detail["options"]["KEYED_STATE_TYPE"], "{name}: {state}");
                    assert_eq!(state["backend_type"], detail["backend_state_type"], "{name}: {state}");
                    assert_eq!(state["serializers"], detail["serializers"], "{name}: {state}");
                    detail["ttl"] == true
                } else {
                    of_changes.unwrap_or_else(|| panic!("{name}: {id}: nobody else says {state}")).is_object()
                };
                assert_eq!(state["ttl"], if ttl { "on" } else { "off" }, "{name}: {state}");
                assert_eq!(state["best_effort"], false, "{name}: {state}");
                if state["ttl_settings"].is_object() {
                    let expected = of_changes.expect("the change stream has it");
                    assert_eq!(state["ttl_settings"]["ttl"]["ms"], expected["ttl_ms"], "{name}: {state}");
                    assert_eq!(state["ttl_settings"]["update"], expected["update_type"], "{name}: {state}");
                    assert_eq!(state["ttl_settings"]["visibility"], expected["visibility"], "{name}: {state}");
                }
                states += 1;
            }
            if operator["parts_not_read"] == 0 && in_changelog.is_null() {
                let names = |types: &[&str]| -> BTreeSet<&str> {
                    let of_type = details.iter().filter(|detail| types.contains(&text(detail, "backend_state_type")));
                    of_type.map(|detail| text(detail, "name")).collect()
                };
                let said: BTreeSet<&str> = list(operator, "keyed_states").iter().map(|state| text(state, "name")).collect();
                assert_eq!(said, names(&["KEY_VALUE", "KEY_VALUE_V2"]), "{name}: {id}");
                let timers: BTreeSet<&str> = list(operator, "timers").iter().filter_map(Value::as_str).collect();
                assert_eq!(timers, names(&["PRIORITY_QUEUE"]), "{name}: {id}");
                if !said.is_empty() {
                    whole.insert(name.clone());
                }
            }
        }
    }
    assert!(states >= 200 && whole.len() >= 20, "{states} states, all of them in {whole:?}");
}

#[test]
fn every_file_is_said() {
    let mut files = 0;
    for fixture in all() {
        let (ours, name) = (said(&fixture), &fixture.name);
        let location = text(&ours, "location");
        let entry = |path: String, relative: bool, references: &Value, size: &Value| (path, (relative, references.clone(), size.clone()));
        let said: BTreeMap<_, _> = list(&ours["reach"], "files")
            .iter()
            .map(|file| {
                let path = text(file, "path");
                // The folder is where it was copied to; the truth speaks of where it was written.
                let path = path.strip_prefix(location).map_or_else(|| path.to_owned(), |rest| format!("{}{rest}", fixture.pointer()));
                // Java writes no empty authority.
                let path = path.replace("file:///", "file:/");
                let size = if file["merged"] == true { &file["min_size"] } else { &file["size"] };
                entry(path, file["relative"] == true, &file["references"], size)
            })
            .collect();
        let expected: BTreeMap<_, _> = list(&fixture.expected, "referenced_files")
            .iter()
            .map(|file| {
                let size = if file["kind"] == "segment" { &file["min_file_size"] } else { &file["size"] };
                let path = file["path"].as_str().map_or_else(|| format!("{}/{}", fixture.pointer(), text(file, "relative")), str::to_owned);
                let once = json!(1);
                entry(path, file["relative"].is_string(), file.get("references").unwrap_or(&once), size)
            })
            .collect();
        if fixture.expected["flink_dump"].is_null() {
            assert_eq!(said.len(), expected.len(), "{name}");
        } else {
            assert_eq!(said, expected, "{name}");
        }
        files += said.len();
    }
    assert!(files >= 1_600, "{files}");
}
