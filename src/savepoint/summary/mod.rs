//! What a snapshot contains and needs, for people and machines.

mod build;
mod model;
mod others;
mod stored;
mod table;

pub use build::{ReadPart, Wanted, summarize};
pub use model::{
    FileSummary, KeyedStateSummary, OperatorStateSummary, OperatorSummary, OtherSnapshot, PositionSummary, PropertiesSummary, ReachSummary,
    SUMMARY_VERSION, SnapshotSummary, TtlPresence, TtlSettingsSummary, UnreferencedSummary,
};
pub use others::Sharing;
pub use stored::{StoredFile, StoredSnapshot, StoredState};
pub use table::to_table;
