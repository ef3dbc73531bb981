//! Everything that Flink's own classes say about a snapshot, this reader says too.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use ttl_audit::savepoint::{
    KafkaSplit, KeyedHandle, Metadata, NextOffset, OperatorId, OperatorState, READER_STATE, SnapshotKind, changelog_file, changelog_inline,
    enumerator, split, splits,
};

use super::{
    dump::dump,
    fixtures::{Fixture, all, one},
    writer::Writer,
};

fn read(fixture: &Fixture) -> Metadata {
    Metadata::read(&fixture.bytes).unwrap_or_else(|error| panic!("{}: {error}", fixture.name))
}

/// The snapshots whose truth is Flink's own dump; the two written again in older formats have a shorter one.
fn dumped() -> impl Iterator<Item = Fixture> {
    all().into_iter().filter(|fixture| !fixture.expected["flink_dump"].is_null())
}

#[test]
fn every_snapshot_is_read_as_flink_reads_it() {
    let (mut headers, mut details) = (0, 0);
    for fixture in dumped() {
        let metadata = read(&fixture);
        assert_eq!(metadata.trailing_bytes, 0, "{}", fixture.name);
        let mut ours = dump(&fixture, &metadata);
        let mut theirs = fixture.expected["flink_dump"].clone();
        headers += align(&mut ours, &mut theirs);
        for (ours, theirs) in operators(&ours).iter().zip(operators(&theirs)) {
            details += ours["state_details"].as_array().map_or(0, Vec::len);
            assert_same(&fixture.name, "operator", ours, theirs);
        }
        assert_same(&fixture.name, "flink_dump", &ours, &theirs);
    }
    assert!(headers >= 250, "headers were compared: {headers}");
    assert!(details >= 500, "states were compared: {details}");
}

fn operators(dump: &Value) -> &Vec<Value> {
    dump["operators"].as_array().expect("operators")
}

/// Takes from the truth what lies in state files that are not kept here. Returns how many headers are left to compare.
fn align(ours: &mut Value, theirs: &mut Value) -> usize {
    const FROM_FILES: [&str; 6] =
        ["header_read_version", "header_end_offset", "compression", "states", "operator_states", "broadcast_states"];
    let mut compared = 0;
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let unread = theirs.contains_key("header_read_version") && !ours.contains_key("header_read_version");
            if unread {
                for key in FROM_FILES.iter().filter(|key| !ours.contains_key(**key)) {
                    theirs.remove(*key);
                }
            }
            compared += usize::from(ours.contains_key("header_read_version"));
            let mut below = 0;
            for (key, value) in ours.iter_mut() {
                if let Some(other) = theirs.get_mut(key) {
                    below += align(value, other);
                }
            }
            // State details are complete only if every header of the operator could be read.
            if let Some(subtasks) = ours.get("subtasks")
                && !all_headers_read(subtasks)
            {
                ours.remove("state_details");
                theirs.remove("state_details");
            }
            compared += below;
        }
        (Value::Array(ours), Value::Array(theirs)) => {
            compared += ours.iter_mut().zip(theirs).map(|(ours, theirs)| align(ours, theirs)).sum::<usize>();
        }
        _ => {}
    }
    compared
}

/// Whether no header had to be left out: a managed handle with a stream has one, unless it is empty.
fn all_headers_read(ours: &Value) -> bool {
    fn read(handle: &Value) -> bool {
        match handle["class"].as_str() {
            Some("EmptyFileMergingOperatorStreamStateHandle" | "InMemoryChangelogStateHandle" | "ChangelogStateHandleStreamImpl") => true,
            Some("ChangelogStateBackendHandleImpl") => handle["materialized"].as_array().is_some_and(|inner| inner.iter().all(read)),
            _ => handle.get("header_read_version").is_some(),
        }
    }
    let lists = ["managed_operator", "managed_keyed"];
    let subtasks = ours.as_array().into_iter().flatten();
    subtasks.flat_map(|subtask| lists.iter().filter_map(|list| subtask[list].as_array())).flatten().all(read)
}

/// As `assert_eq`, but it names the first place that differs.
fn assert_same(name: &str, path: &str, ours: &Value, theirs: &Value) {
    match (ours, theirs) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: Vec<&String> = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key))).collect();
            for key in keys {
                assert_same(
                    name,
                    &format!("{path}.{key}"),
                    &a.get(key).cloned().unwrap_or_default(),
                    &b.get(key).cloned().unwrap_or_default(),
                );
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{name}: {path}");
            a.iter().zip(b).enumerate().for_each(|(index, (a, b))| assert_same(name, &format!("{path}[{index}]"), a, b));
        }
        _ => assert_eq!(ours, theirs, "{name}: {path}"),
    }
}

#[test]
fn the_reach_is_every_file_that_a_restore_needs() {
    for fixture in dumped() {
        let reach = read(&fixture).reach(fixture.pointer());
        let mut ours = Vec::new();
        for file in &reach.files {
            // Java writes no empty authority.
            let mut entry =
                json!({"path": file.path.replace("file:///", "file:/"), "relative": file.relative, "references": file.references});
            if file.merged {
                entry["kind"] = json!("segment");
                entry["min_file_size"] = json!(file.min_size);
            } else {
                assert_eq!(Some(file.min_size), file.size, "{}", file.path);
                entry["size"] = json!(file.size);
            }
            assert_eq!(file.s3.is_some(), file.path.starts_with("s3://"), "{}", file.path);
            ours.push(entry);
        }
        ours.sort_by_key(|entry| entry["path"].as_str().expect("a path").to_owned());
        let mut theirs = fixture.expected["referenced_files"].as_array().expect("files").clone();
        for file in &mut theirs {
            let actual = file.as_object_mut().expect("a file").remove("actual_size");
            if let Some(min) = file["min_file_size"].as_u64() {
                assert!(actual.and_then(|size| size.as_u64()).is_some_and(|size| size >= min), "{}: {file}", fixture.name);
            }
        }
        theirs.sort_by_key(|entry| entry["path"].as_str().expect("a path").to_owned());
        assert_same(&fixture.name, "referenced_files", &json!(ours), &json!(theirs));

        let summary = &fixture.expected["summary"];
        let relative = reach.files.iter().filter(|file| file.relative.is_some()).count();
        assert_eq!(summary["referenced_files"], json!(reach.files.len()), "{}", fixture.name);
        assert_eq!(summary["relative"], json!(relative), "{}", fixture.name);
        assert_eq!(summary["absolute"], json!(reach.files.len() - relative), "{}", fixture.name);
        assert_eq!(summary["inline_handles"], json!(reach.inlined.handles), "{}", fixture.name);
        assert_eq!(summary["inline_bytes"], json!(reach.inlined.bytes), "{}", fixture.name);
    }
}

#[test]
fn older_formats_are_read_too() {
    for (name, version) in [("reserialized/v2", 2), ("reserialized/v3", 3)] {
        let fixture = one(name);
        let metadata = read(&fixture);
        assert_eq!(metadata.version, version);
        assert_eq!(json!(metadata.checkpoint_id), fixture.expected["checkpoint_id"]);
        let mut operators: Vec<Value> = metadata
            .operators
            .iter()
            .map(|operator| {
                json!({
                    "operator_id": operator.id.to_string(),
                    "parallelism": operator.parallelism,
                    "max_parallelism": operator.max_parallelism,
                    "fully_finished": operator.finished,
                    "state_size": operator.size(),
                    "subtasks": operator.subtasks.len(),
                })
            })
            .collect();
        operators.sort_by_key(|operator| operator["operator_id"].as_str().expect("an id").to_owned());
        assert_same(name, "operators", &json!(operators), &fixture.expected["operators"]);
        let reach = metadata.reach(fixture.pointer());
        let files: Vec<Value> = reach.files.iter().map(|file| json!({"relative": file.relative, "size": file.size})).collect();
        assert_same(name, "referenced_files", &json!(files), &fixture.expected["referenced_files"]);
    }
}

#[test]
fn the_kind_is_told() {
    for fixture in dumped() {
        let metadata = read(&fixture);
        let expected = match fixture.name.split('/').nth(1).expect("a variant") {
            variant if variant.contains("native") => SnapshotKind::NativeSavepoint,
            variant if variant.ends_with("savepoint") => SnapshotKind::CanonicalSavepoint,
            variant if variant.starts_with("changelog") => SnapshotKind::ChangelogCheckpoint,
            variant if variant.starts_with("file-merging") => SnapshotKind::FileMergingCheckpoint,
            "rocksdb-full-checkpoint" | "hashmap-checkpoint" | "unaligned-checkpoint" | "entropy-checkpoint" | "localfile-checkpoint" => {
                SnapshotKind::FullCheckpoint
            }
            _ => SnapshotKind::IncrementalCheckpoint,
        };
        assert_eq!(metadata.kind(fixture.pointer()), expected, "{}", fixture.name);
        // With incremental checkpoints off RocksDB writes the handle that it writes with nothing to share.
        assert_eq!(metadata.traits().may_be_incremental, fixture.name.ends_with("rocksdb-full-checkpoint"), "{}", fixture.name);
        assert_eq!(metadata.traits().in_flight_data, fixture.name.ends_with("unaligned-checkpoint"), "{}", fixture.name);
    }
    // Format 3 does not say whether it is a savepoint: the folder's name does.
    let old = one("1.14.6/rocksdb-canonical-savepoint");
    assert_eq!(read(&old).kind("s3://b/anything"), SnapshotKind::Unknown);
    assert_eq!(read(&old).kind("s3://b/savepoint-967561-0e2d59931453/"), SnapshotKind::CanonicalSavepoint);
    assert_eq!(read(&old).kind("s3://b/job/chk-17"), SnapshotKind::FullCheckpoint);
}

#[test]
fn uids_of_the_code_are_found_in_every_snapshot() {
    for fixture in dumped() {
        let metadata = read(&fixture);
        let Some(operators) = fixture.expected["job_truth"].as_array() else { continue };
        for truth in operators.iter().filter(|truth| truth["uid"].is_string()) {
            let id = OperatorId::from_uid(truth["uid"].as_str().expect("a uid"));
            assert_eq!(json!(id.to_string()), truth["operator_id"], "{}", fixture.name);
            let operator = metadata.operators.iter().find(|operator| operator.id == id);
            assert_eq!(operator.map(|operator| json!(operator.parallelism)), Some(truth["parallelism"].clone()), "{}", fixture.name);
        }
    }
}

#[test]
fn ttl_settings_are_read_back_from_changelog_checkpoints() {
    let mut compared = 0;
    for fixture in dumped().filter(|fixture| fixture.expected["ttl_in_changelog"].is_object()) {
        let metadata = read(&fixture);
        let mut ours: BTreeMap<String, BTreeMap<String, Value>> = BTreeMap::new();
        for operator in &metadata.operators {
            operator.each_keyed(&mut |handle| {
                let mut found = Vec::new();
                match handle {
                    KeyedHandle::InlineChanges(changes) => found.push(changelog_inline(&fixture.bytes, changes)),
                    KeyedHandle::ChangeFiles(files) => {
                        for file in &files.files {
                            let bytes = fixture.stream(&file.stream).expect("changes are kept");
                            found.push(changelog_file(&bytes, file.offset).expect("a change set"));
                        }
                    }
                    _ => {}
                }
                for found in found {
                    assert_eq!(found.unread, [], "{}", fixture.name);
                    for state in found.states {
                        assert!(!state.best_effort);
                        let ttl = state
                            .ttl
                            .map(|ttl| json!({"ttl_ms": ttl.ttl.as_ms(), "update_type": ttl.update, "visibility": ttl.visibility}));
                        ours.entry(operator.id.to_string()).or_default().insert(state.name, json!(ttl));
                        compared += 1;
                    }
                }
            });
        }
        assert_same(&fixture.name, "ttl_in_changelog", &json!(ours), &fixture.expected["ttl_in_changelog"]);
    }
    assert!(compared >= 20, "{compared}");
}

#[test]
fn cleanup_strategies_come_with_the_settings() {
    let fixture = one("1.18.1/changelog-inmemory-checkpoint");
    let mut found = BTreeMap::new();
    for operator in &read(&fixture).operators {
        operator.each_keyed(&mut |handle| {
            if let KeyedHandle::InlineChanges(changes) = handle {
                let states = changelog_inline(&fixture.bytes, changes).states;
                found.extend(states.into_iter().filter_map(|state| Some((state.name, state.ttl?.cleanup))));
            }
        });
    }
    assert_eq!(found["session-pages"], ["FULL_STATE_SCAN_SNAPSHOT"], "{found:?}");
}

#[test]
fn source_positions_are_read() {
    let (mut seen, mut compressed) = (0, 0);
    for fixture in dumped() {
        let metadata = read(&fixture);
        let id = OperatorId::from_uid("orders-source");
        let Some(source) = metadata.operators.iter().find(|operator| operator.id == id) else { continue };
        let mut found: Vec<KafkaSplit> = Vec::new();
        for handle in source.states().filter_map(|state| state.managed_operator.as_ref()) {
            let Some(bytes) = fixture.stream(&handle.stream) else { continue };
            for state in handle.states.iter().filter(|state| state.name == READER_STATE) {
                found.extend(splits(&bytes, &state.offsets).unwrap_or_else(|error| panic!("{}: {error}", fixture.name)));
                compressed += u32::from(fixture.name == "1.18.1/compressed-savepoint");
            }
        }
        if found.is_empty() {
            continue;
        }
        found.sort_by_key(|split| split.partition);
        assert_eq!(found.iter().map(|split| split.partition).collect::<Vec<_>>(), [0, 1, 2], "{}", fixture.name);
        for split in &found {
            assert_eq!(split.topic, "orders");
            assert!(matches!(split.next, NextOffset::At(offset) if offset > 0), "{}: {split:?}", fixture.name);
            assert_eq!(split.stop, None);
        }
        let coordinator = fixture.stream(source.coordinator.as_ref().expect("a coordinator")).expect("inline");
        let partitions = enumerator(&coordinator).expect("KafkaSource's layout");
        assert_eq!(partitions.iter().map(|known| known.partition).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(partitions.iter().all(|known| known.topic == "orders" && known.assigned));
        seen += 1;
    }
    assert!(seen >= 15 && compressed == 2, "{seen}, {compressed}");
}

/// What Flink wrote with compression, and what somebody made of it: never more is unpacked than splits have.
#[test]
fn compressed_splits_are_read_within_bounds() {
    let fixture = one("1.18.1/compressed-savepoint");
    let metadata = read(&fixture);
    let handles = metadata.operators.iter().flat_map(OperatorState::states).filter_map(|state| state.managed_operator.as_ref());
    let handle = handles.into_iter().find(|handle| handle.states.iter().any(|state| state.offsets == [244, 244])).expect("the source");
    let stream = fixture.stream(&handle.stream).expect("kept");
    assert_eq!(splits(&stream, &[244, 244]).expect("two splits, one offset").len(), 2);
    let says = |bytes: &[u8], offsets: &[i64]| splits(bytes, offsets).expect_err("damaged").to_string();
    assert!(says(&stream, &[244, 244, 244]).contains("at byte 244: expected a split in Snappy's framing format"));
    assert!(says(&stream, &[i64::MAX]).contains("0 bytes are left") && says(&stream, &[-1]).contains("0 bytes are left"));
    assert!(says(&stream, &vec![0; 100_001]).contains("more than 100000 elements"));
    let mut damaged = stream.clone();
    *damaged.last_mut().expect("bytes") ^= 1;
    assert!(says(&damaged, &[244]).contains("Snappy"), "{}", says(&damaged, &[244]));
    // 64 KiB of an element that says it has 2 GiB, in a chunk of a few bytes.
    let header = &stream[..234];
    let mut packed = Vec::new();
    let mut writer = snap::write::FrameEncoder::new(&mut packed);
    std::io::Write::write_all(&mut writer, &vec![0x7f; 65_536]).expect("packs");
    drop(writer);
    let bomb = [header, &packed].concat();
    assert!(says(&bomb, &[234]).contains("an element of 2139062143 bytes"), "{}", says(&bomb, &[234]));
}

/// Nothing in the list of shared files, and yet incremental: only there the backend's own files are written to `shared/`.
#[test]
fn an_incremental_checkpoint_without_shared_files_is_told_where_it_can_be() {
    let checkpoint = |private: &str| {
        let state = Writer::up_to_keyed_state().i8(11).i64(6).utf("backend").i32(0).i32(128).i64(0).i8(6).utf("meta").i64(10);
        let state = state.i32(0).i32(1).utf("CURRENT").i8(2).i64(16).utf(private).utf("id");
        Metadata::read(&state.after_keyed_state()).expect("reads")
    };
    let told = checkpoint("s3://b/job/shared/1");
    assert_eq!((told.kind("chk-7"), told.traits().may_be_incremental), (SnapshotKind::IncrementalCheckpoint, false));
    let open = checkpoint("s3://b/job/chk-7/1");
    assert_eq!((open.kind("chk-7"), open.traits().may_be_incremental), (SnapshotKind::FullCheckpoint, true));
}

/// A coordinator of another source, whose empty state could be read as a KafkaSource's without partitions.
#[test]
fn what_may_be_another_source_is_not_taken_for_kafka() {
    let state = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 0];
    let error = enumerator(&state).expect_err("not Kafka's for sure");
    assert!(error.to_string().contains("may be another source's"), "{error}");
    let newer = [0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0];
    assert!(enumerator(&newer).expect_err("newer").to_string().contains("enumerator version 3 is not supported"));
    let mut element = vec![0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0, 4];
    element.extend([1, 2, 3, 4]);
    assert!(split(&element, 0).expect_err("newer").to_string().contains("split version 1 is not supported"));
    assert!(split(&element, -1).is_err());
    assert!(split(&element, i64::MAX).is_err());
}
