//! The arguments of `snapshot`.

use clap::Args;

use super::PlainFormat;

/// `snapshot`.
#[derive(Debug, Args)]
pub(crate) struct SnapshotArgs {
    /// The folder of a savepoint or checkpoint, or its `_metadata` file
    pub(crate) path: String,
    /// The format on stdout
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = PlainFormat::Table)]
    pub(crate) format: PlainFormat,
    /// A uid of the job, to be found by its hash in snapshots that hold no uids (Flink 1.x); may be given several times
    #[arg(long = "uid", value_name = "UID")]
    pub(crate) uids: Vec<String>,
}
