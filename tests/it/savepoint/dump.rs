//! What the reader says, in the shape in which the truth is stored.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use ttl_audit::savepoint::{
    ChannelHandle, KeyGroupsForm, KeyedHandle, Metadata, OperatorHandle, OperatorState, Properties, SavepointFormat, SegmentScope,
    SnapshotType, StreamHandle, Subtask,
    state_header::{self, Extent, StateInfo, TtlFlag},
};

use super::fixtures::Fixture;

/// The counterpart of `flink_dump`.
pub(crate) fn dump(fixture: &Fixture, metadata: &Metadata) -> Value {
    let reach = metadata.reach(fixture.pointer());
    let mut operators: Vec<&OperatorState> = metadata.operators.iter().collect();
    operators.sort_by_key(|operator| operator.id);
    json!({
        "metadata_file_size": fixture.bytes.len(),
        "magic": "4960672d",
        "version": metadata.version,
        "checkpoint_id": metadata.checkpoint_id,
        "properties": metadata.properties.as_ref().map(properties),
        "master_states": metadata.master_states.iter().map(|state| &state.name).collect::<Vec<_>>(),
        "operators": operators.iter().map(|state| operator(fixture, metadata.version, state)).collect::<Vec<_>>(),
        "total_state_size": metadata.state_size(),
        "inline_bytes": reach.inlined.bytes,
        "inline_handles": reach.inlined.handles,
    })
}

fn properties(properties: &Properties) -> Value {
    let (kind, savepoint, then) = match &properties.snapshot_type {
        SnapshotType::Savepoint { format, then } => {
            let format = match format {
                Some(SavepointFormat::Canonical) => "CANONICAL",
                Some(SavepointFormat::Native) => "NATIVE",
                None => "?",
            };
            let kind = format!("SavepointType{{name='Savepoint', postCheckpointAction={then}, formatType={format}}}");
            (kind, true, then.as_str())
        }
        SnapshotType::Checkpoint { sharing } => {
            (format!("CheckpointType{{name='Checkpoint', sharingFilesStrategy={sharing}}}"), false, "NONE")
        }
        SnapshotType::Other(class) => (class.clone(), false, "?"),
    };
    json!({
        "type": kind,
        "is_savepoint": savepoint,
        "is_synchronous": then != "NONE",
        "is_unclaimed": properties.unclaimed,
        "discard_on_subsumed": properties.discard_on_subsumed,
        "discard_on_finished": properties.discard_on_finished,
        "discard_on_cancelled": properties.discard_on_cancelled,
        "discard_on_failed": properties.discard_on_failed,
        "discard_on_suspended": properties.discard_on_suspended,
        "forced": properties.forced,
    })
}

fn operator(fixture: &Fixture, version: u32, operator: &OperatorState) -> Value {
    let mut subtasks: Vec<&Subtask> = operator.subtasks.iter().collect();
    subtasks.sort_by_key(|subtask| subtask.index);
    let mut details = BTreeMap::new();
    let subtasks: Vec<Value> = subtasks.iter().map(|state| subtask(fixture, state, &mut details)).collect();
    let coordinator = operator.coordinator.as_ref().map(|stream| {
        let StreamHandle::Inline { name, bytes } = stream else { panic!("a coordinator's state is inline: {stream:?}") };
        let hex: String = bytes.of(&fixture.bytes).expect("in range").iter().map(|byte| format!("{byte:02x}")).collect();
        json!({"handle_name": name, "size": bytes.len, "hex": hex})
    });
    let mut dumped = json!({
        "operator_id": operator.id.to_string(),
        "parallelism": operator.parallelism,
        "max_parallelism": operator.max_parallelism,
        "fully_finished": operator.finished,
        "state_size": operator.size(),
        "coordinator_state": coordinator,
        "subtasks": subtasks,
        "state_details": details.into_values().collect::<Vec<_>>(),
    });
    if version >= 5 {
        dumped["name"] = json!(operator.name);
        dumped["uid"] = json!(operator.uid);
    }
    dumped
}

fn subtask(fixture: &Fixture, subtask: &Subtask, details: &mut BTreeMap<String, Value>) -> Value {
    let Some(state) = &subtask.state else {
        return json!({"index": subtask.index, "finished": true});
    };
    let mut keyed_handles = |handle: &Option<KeyedHandle>, raw: bool| -> Vec<Value> {
        handle.iter().map(|handle| keyed(fixture, handle, raw, details)).collect()
    };
    let managed_keyed = keyed_handles(&state.managed_keyed, false);
    let raw_keyed = keyed_handles(&state.raw_keyed, true);
    let mut operators =
        |handle: &Option<OperatorHandle>| -> Vec<Value> { handle.iter().map(|handle| operator_handle(fixture, handle, details)).collect() };
    json!({
        "index": subtask.index,
        "finished": false,
        "state_size": state.size(),
        "managed_operator": operators(&state.managed_operator),
        "raw_operator": operators(&state.raw_operator),
        "managed_keyed": managed_keyed,
        "raw_keyed": raw_keyed,
        "input_channel": state.input_channels.iter().map(|handle| channel(handle, true)).collect::<Vec<_>>(),
        "result_subpartition": state.result_subpartitions.iter().map(|handle| channel(handle, false)).collect::<Vec<_>>(),
    })
}

fn operator_handle(fixture: &Fixture, handle: &OperatorHandle, details: &mut BTreeMap<String, Value>) -> Value {
    let class = match &handle.merged {
        None => "OperatorStreamStateHandle",
        Some(merged) if merged.empty => "EmptyFileMergingOperatorStreamStateHandle",
        Some(_) => "FileMergingOperatorStreamStateHandle",
    };
    let states: Map<String, Value> =
        handle.states.iter().map(|state| (state.name.clone(), json!({"mode": state.mode.word(), "offsets": state.offsets}))).collect();
    let mut dumped = json!({"class": class, "state_size": handle.stream.size(), "states": states, "stream": stream(&handle.stream)});
    if let Some(bytes) = fixture.stream(&handle.stream) {
        let header = state_header::operator(&bytes, Extent::Whole).expect("a header");
        assert_eq!(header.gap, None, "{}", fixture.name);
        for info in header.list_states.iter().chain(&header.broadcast_states) {
            details.insert(info.name.clone(), detail(info, None));
        }
        dumped["header_read_version"] = json!(header.version);
        dumped["operator_states"] = json!(names(&header.list_states));
        dumped["broadcast_states"] = json!(names(&header.broadcast_states));
        dumped["header_end_offset"] = json!(header.end);
    }
    dumped
}

fn keyed(fixture: &Fixture, handle: &KeyedHandle, raw: bool, details: &mut BTreeMap<String, Value>) -> Value {
    let mut dumped = match handle {
        KeyedHandle::KeyGroups(handle) => {
            let class = if handle.form == KeyGroupsForm::Savepoint { "KeyGroupsSavepointStateHandle" } else { "KeyGroupsStateHandle" };
            json!({
                "class": class,
                "key_groups": range(handle.range),
                "stream": stream(&handle.stream),
                "offsets_count": handle.offsets.len(),
                "offsets_sum": handle.offsets.iter().sum::<i64>(),
            })
        }
        KeyedHandle::Incremental(handle) => {
            let files = |files: &[ttl_audit::savepoint::NamedStream]| -> Vec<Value> {
                files.iter().map(|file| with(stream(&file.stream), "local_path", json!(file.name))).collect()
            };
            json!({
                "class": "IncrementalRemoteKeyedStateHandle",
                "key_groups": range(handle.range),
                "backend_id": handle.backend,
                "checkpoint_id": handle.checkpoint_id,
                "checkpointed_size": handle.checkpointed_size,
                "meta": stream(&handle.meta),
                "shared": files(&handle.shared),
                "private": files(&handle.private),
            })
        }
        KeyedHandle::Changelog(handle) => {
            let mut inner =
                |handles: &[KeyedHandle]| -> Vec<Value> { handles.iter().map(|handle| keyed(fixture, handle, raw, details)).collect() };
            json!({
                "class": "ChangelogStateBackendHandleImpl",
                "key_groups": range(handle.range),
                "materialization_id": handle.materialization_id,
                "checkpoint_id": handle.checkpoint_id,
                "materialized": inner(&handle.materialized),
                "non_materialized": inner(&handle.non_materialized),
            })
        }
        KeyedHandle::InlineChanges(handle) => {
            json!({"class": "InMemoryChangelogStateHandle", "key_groups": range(handle.range)})
        }
        KeyedHandle::ChangeFiles(handle) => json!({
            "class": "ChangelogStateHandleStreamImpl",
            "key_groups": range(handle.range),
            "storage_identifier": handle.storage,
            "handles": handle.files.iter().map(|file| with(stream(&file.stream), "offset", json!(file.offset))).collect::<Vec<_>>(),
        }),
    };
    if raw {
        // The truth says no more about raw state; that key groups and offsets are read right shows in what follows them.
        dumped = json!({"class": dumped["class"], "stream": dumped["stream"]});
    }
    dumped["state_size"] = json!(handle.size());
    // Raw keyed state has no such header.
    if !raw && let Some(bytes) = handle.header_stream().and_then(|stream| fixture.stream(stream)) {
        let header = state_header::keyed(&bytes, Extent::Whole).expect("a header");
        assert_eq!(header.gap, None, "{}", fixture.name);
        let key = header.key_serializer.as_ref().map(ToString::to_string);
        for info in &header.states {
            details.insert(info.name.clone(), detail(info, key.as_deref()));
        }
        dumped["header_read_version"] = json!(header.version);
        dumped["compression"] = json!(header.compressed);
        dumped["states"] = json!(names(&header.states));
        dumped["header_end_offset"] = json!(header.end);
    }
    dumped
}

fn channel(handle: &ChannelHandle, input: bool) -> Value {
    let class = match (input, handle.channel.is_some()) {
        (true, true) => "InputChannelStateHandle",
        (true, false) => "MergedInputChannelStateHandle",
        (false, true) => "ResultSubpartitionStateHandle",
        (false, false) => "MergedResultSubpartitionStateHandle",
    };
    let info = handle.channel.as_ref().map_or("null".to_owned(), |channel| {
        let (first, second) = (channel.first, channel.second);
        if input {
            format!("InputChannelInfo{{gateIdx={first}, inputChannelIdx={second}}}")
        } else {
            format!("ResultSubpartitionInfo{{partitionIdx={first}, subPartitionIdx={second}}}")
        }
    });
    json!({
        "class": class,
        "subtask_index": handle.subtask,
        "info": info,
        "state_size": handle.size,
        "offsets": handle.channel.as_ref().map(|channel| &channel.offsets),
        "stream": stream(&handle.stream),
    })
}

fn stream(handle: &StreamHandle) -> Value {
    match handle {
        StreamHandle::Inline { name, bytes } => json!({"type": "byte_stream", "handle_name": name, "size": bytes.len}),
        StreamHandle::File { path, size } => json!({"type": "file", "path": path, "size": size}),
        StreamHandle::Relative { path, size } => json!({"type": "relative_file", "relative_path": path, "size": size}),
        StreamHandle::Segment { path, start, size, scope, logical_file } => json!({
            "type": "segment_file",
            "path": path,
            "start": start,
            "size": size,
            "scope": match scope {
                SegmentScope::Exclusive => "EXCLUSIVE",
                SegmentScope::Shared => "SHARED",
            },
            "logical_file_id": logical_file,
        }),
        StreamHandle::EmptySegment => json!({"type": "empty_segment_file"}),
        StreamHandle::KeyGroups(handle) => panic!("only before Flink 1.3: {handle:?}"),
    }
}

fn detail(info: &StateInfo, key: Option<&str>) -> Value {
    assert!(!info.best_effort, "{}", info.name);
    let serializers: Map<String, Value> = info.serializers.iter().map(|(role, s)| (role.clone(), json!(s.to_string()))).collect();
    let options: Map<String, Value> = info.options.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    json!({
        "name": info.name,
        "backend_state_type": info.backend_type.word(),
        "options": options,
        "ttl": info.ttl == TtlFlag::On,
        "serializers": serializers,
        "key_serializer": key,
    })
}

fn names(infos: &[StateInfo]) -> Vec<&str> {
    let mut names: Vec<&str> = infos.iter().map(|info| info.name.as_str()).collect();
    names.sort_unstable();
    names
}

/// First and last key group.
fn range(range: ttl_audit::savepoint::KeyGroupRange) -> Value {
    json!([range.start, range.start + i32::try_from(range.count).expect("small") - 1])
}

fn with(mut value: Value, key: &str, field: Value) -> Value {
    value[key] = field;
    value
}
