//! One run of everything that reads bytes of a snapshot. Shared by the fuzz target and the driver for stable Rust.

use ttl_audit::savepoint::{
    KeyedHandle, Metadata, ReadError, StreamHandle, SubtaskState, changelog_file, changelog_inline, enumerator, splits,
    state_header::{self, Extent},
};

/// Reads `bytes` as everything that they could be. Returns how `_metadata` was taken, for those who look for new ways through the code.
///
/// # Panics
///
/// Never; that is what is tested.
pub(crate) fn exercise(bytes: &[u8]) -> String {
    for extent in [Extent::Whole, Extent::Beginning] {
        header(bytes, extent);
    }
    let states = changelog_file(bytes, 0).map_or(0, |found| found.states.len());
    assert!(states <= bytes.len(), "no more states than bytes");
    let known = enumerator(bytes).map_or(0, |partitions| partitions.len());
    assert!(known <= bytes.len(), "no more partitions than bytes");
    let _ = splits(bytes, &[0, 4, i64::MAX, -1]);
    match Metadata::read(bytes) {
        Ok(metadata) => {
            whole(bytes, &metadata);
            format!("read {:?}", metadata.kind("chk-1"))
        }
        Err(error) => place(&error),
    }
}

/// What is wrong, without where.
fn place(error: &ReadError) -> String {
    let text = error.problem.to_string();
    text.chars().filter(|c| !c.is_ascii_digit()).take(60).collect()
}

fn header(bytes: &[u8], extent: Extent) {
    if let Ok(header) = state_header::keyed(bytes, extent) {
        assert!(header.states.len() <= bytes.len() && header.end <= bytes.len());
    }
    if let Ok(header) = state_header::operator(bytes, extent) {
        assert!(header.list_states.len() + header.broadcast_states.len() <= bytes.len() && header.end <= bytes.len());
    }
}

fn whole(bytes: &[u8], metadata: &Metadata) {
    let reach = metadata.reach("s3://bucket/job/chk-1");
    assert!(reach.files.len() <= bytes.len(), "no more files than bytes");
    let _ = (metadata.state_size(), metadata.kind("savepoint-1"));
    for operator in &metadata.operators {
        operator.each_keyed(&mut |handle| {
            if let KeyedHandle::InlineChanges(changes) = handle {
                let _ = changelog_inline(bytes, changes);
            }
        });
        for handle in operator.states().flat_map(SubtaskState::operator) {
            if let (Some(stream), Some(first)) = (inline(bytes, &handle.stream), handle.states.first()) {
                let _ = splits(stream, &first.offsets);
            }
        }
    }
    metadata.each_stream(&mut |stream| {
        if let Some(stream) = inline(bytes, stream) {
            header(stream, Extent::Whole);
        }
    });
}

fn inline<'a>(bytes: &'a [u8], stream: &StreamHandle) -> Option<&'a [u8]> {
    match stream.innermost() {
        StreamHandle::Inline { bytes: span, .. } => span.of(bytes),
        _ => None,
    }
}
