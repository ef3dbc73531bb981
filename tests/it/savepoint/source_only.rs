//! Layouts that no kept snapshot has: they follow the source of Flink's serializers.

use ttl_audit::savepoint::{KeyGroupsForm, KeyedHandle, Metadata, SegmentScope, SnapshotKind, StreamHandle};

use super::writer::Writer;

fn keyed(state: Writer) -> KeyedHandle {
    let metadata = Metadata::read(&state.after_keyed_state()).expect("reads");
    assert_eq!(metadata.trailing_bytes, 0);
    let state = metadata.operators[0].subtasks[0].state.clone().expect("a state");
    state.managed_keyed.expect("keyed state")
}

/// Type 3: key groups, as checkpoints of Flink before 1.15 have them.
#[test]
fn key_groups_of_the_first_layout() {
    let state = Writer::up_to_keyed_state().i8(3).i32(10).i32(2).i64(100).i64(200).i8(2).i64(300).utf("hdfs://nn/x/1");
    let KeyedHandle::KeyGroups(handle) = keyed(state) else { panic!("key groups") };
    assert_eq!((handle.form, handle.offsets.as_slice(), handle.id), (KeyGroupsForm::V1, &[100, 200][..], None));
    assert_eq!(handle.stream, StreamHandle::File { path: "hdfs://nn/x/1".into(), size: Some(300) });
}

/// Type 5: RocksDB before Flink 1.15, without a size and an id.
#[test]
fn incremental_key_groups_of_the_first_layout() {
    let state = Writer::up_to_keyed_state()
        .i8(5)
        .i64(6)
        .utf("backend")
        .i32(0)
        .i32(128)
        .i8(6)
        .utf("meta")
        .i64(10)
        .i32(1)
        .utf("000001.sst")
        .i8(2)
        .i64(-1)
        .utf("s3://b/job/shared/1")
        .i32(0);
    let KeyedHandle::Incremental(handle) = keyed(state) else { panic!("incremental") };
    assert_eq!((handle.checkpoint_id, handle.checkpointed_size, handle.id), (6, None, None));
    assert_eq!(handle.shared[0].stream, StreamHandle::File { path: "s3://b/job/shared/1".into(), size: None }, "a size that is not known");
}

/// Types 8 and 10: the changelog backend before Flink 1.16.
#[test]
fn changelog_of_the_first_layout() {
    let state = Writer::up_to_keyed_state()
        .i8(8)
        .i32(0)
        .i32(128)
        .i64(11)
        .i32(1)
        .i8(0) // a handle that is not there
        .i32(1)
        .i8(10)
        .i32(0)
        .i32(128)
        .i32(1)
        .i64(5)
        .i8(2)
        .i64(400)
        .utf("s3://b/dstl/1")
        .i64(40)
        .i64(40)
        .utf("id-10")
        .i64(3)
        .utf("id-8");
    let bytes = state.clone().after_keyed_state();
    let KeyedHandle::Changelog(handle) = keyed(state) else { panic!("changelog") };
    assert_eq!((handle.materialized.len(), handle.materialization_id, handle.checkpoint_id), (0, 3, None));
    let [KeyedHandle::ChangeFiles(files)] = handle.non_materialized.as_slice() else { panic!("change files") };
    assert_eq!((files.files[0].offset, files.size, files.storage.as_deref()), (5, 40, None));
    let metadata = Metadata::read(&bytes).expect("reads");
    assert_eq!(metadata.kind("chk-7"), SnapshotKind::ChangelogCheckpoint);
    assert_eq!(metadata.reach("s3://b/job/chk-7").files[0].min_size, 400, "the whole file is needed, not this handle's share");
}

#[test]
fn master_states_are_named() {
    let state = Writer::default().i32(1).utf("hook").i32(2).bytes(&[1, 2]).0;
    let bytes = Writer::default()
        .i32(0x4960_672d)
        .i32(2)
        .i64(1)
        .i32(1)
        .i32(0xc96b_1696_u32.cast_signed())
        .i32(i32::try_from(state.len()).expect("short"))
        .bytes(&state)
        .i32(0)
        .0;
    let metadata = Metadata::read(&bytes).expect("reads");
    assert_eq!((metadata.master_states[0].name.as_str(), metadata.master_states[0].size), ("hook", 2));
    assert_eq!(metadata.kind("chk-1"), SnapshotKind::FullCheckpoint);
}

/// Several segments of one file, one of them spelled with another scheme, are one object that must reach to the end of the last.
#[test]
fn segments_of_one_file_are_one_object() {
    let segment = |writer: Writer, scheme: &str, start: i64, size: i64| {
        writer.i8(15).i64(start).i64(size).i32(1).utf(&format!("{scheme}://b/job/shared/merged")).utf("logical")
    };
    let state = Writer::up_to_keyed_state().i8(11).i64(6).utf("backend").i32(0).i32(128).i64(0);
    let state = segment(state, "s3", 0, 10).i32(2).utf("1.sst");
    let state = segment(state, "s3a", 500, 20).utf("2.sst");
    let state = segment(state, "s3p", 100, 20).i32(0).utf("id");
    let metadata = Metadata::read(&state.after_keyed_state()).expect("reads");
    assert_eq!(metadata.kind("chk-1"), SnapshotKind::FileMergingCheckpoint);
    let reach = metadata.reach("s3://b/job/chk-1");
    assert_eq!(reach.files.len(), 1);
    let file = &reach.files[0];
    assert_eq!((file.min_size, file.size, file.references, file.merged), (520, None, 3, true));
    let KeyedHandle::Incremental(handle) = metadata.operators[0].subtasks[0].state.clone().expect("a state").managed_keyed.expect("keyed")
    else {
        panic!("incremental")
    };
    assert!(matches!(handle.meta, StreamHandle::Segment { scope: SegmentScope::Shared, .. }));
}
