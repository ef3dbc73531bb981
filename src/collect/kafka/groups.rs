//! What consumer groups have committed. Asking joins no group, creates none, and commits nothing.

use std::collections::BTreeSet;

use super::{codes, ffi, handle::Handle};
use crate::{
    collect::now,
    evidence::{Fact, GroupOffsets},
};

/// The call, as evidence names it.
pub(super) fn call(group: &str) -> String {
    format!("OffsetFetch of group {group}")
}

/// The committed offsets of `group`. Only those of `topics` are kept. All partitions are asked for in one request, since asking for a
/// topic by name without DESCRIBE would fail where the group itself may be seen.
pub(super) fn committed(handle: &Handle<'_>, group: &str, topics: &BTreeSet<&str>) -> Fact<GroupOffsets> {
    let called = call(group);
    // One request for the group's coordinator, one to it.
    handle.count(2);
    let answer = match handle.call(None, |client, call| ffi::list_group_offsets(client, group, call)) {
        Ok(Ok(answer)) => answer,
        Ok(Err(failure)) => {
            let failure = ffi::Failure { text: handle.scrub(&failure.text), code: failure.code };
            return failure.fact(&format!("DESCRIBE on group {group}"), &called);
        }
        Err(no_answer) if no_answer.denied => return Fact::denied(format!("needs DESCRIBE on group {group}"), called),
        Err(no_answer) => return no_answer.fact(&called),
    };
    let mut offsets = GroupOffsets::default();
    for place in answer {
        if !topics.contains(place.topic.as_str()) {
            continue;
        }
        if place.error != 0 {
            offsets.failed.insert(place.topic, codes::describe(place.error, ""));
        } else if place.offset >= 0 {
            offsets.topics.entry(place.topic).or_default().insert(place.partition, place.offset);
        }
    }
    Fact::seen(offsets, "group coordinator", called, now())
}
