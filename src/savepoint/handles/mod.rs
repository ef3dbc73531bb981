//! The state handles of `_metadata`. One space of type ids serves all kinds: 0 is none, 17 the highest in Flink 2.3.

pub(super) mod keyed;
pub(super) mod operator;
pub(super) mod stream;

pub use keyed::{
    Change, ChangeFile, ChangeFiles, ChangelogHandle, IncrementalHandle, InlineChanges, KeyGroupRange, KeyGroupsForm, KeyGroupsHandle,
    KeyedHandle, NamedStream,
};
pub use operator::{DistributionMode, MergedFolders, OperatorHandle, OperatorStateInfo};
pub use stream::{SegmentScope, StreamHandle};

use super::{
    cursor::Cursor,
    error::{Problem, ReadError},
};

/// How deep handles may be nested. Flink itself writes two levels (a changelog handle around an incremental one).
pub(super) const MAX_DEPTH: usize = 16;

/// One level deeper, unless that is too deep.
fn deeper(cursor: &Cursor<'_>, depth: usize) -> Result<usize, ReadError> {
    if depth >= MAX_DEPTH {
        return Err(cursor.fail(Problem::TooDeep { what: "state handles", limit: MAX_DEPTH }));
    }
    Ok(depth + 1)
}
