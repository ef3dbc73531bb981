//! The arguments of `snapshot`.

use clap::{Args, ValueEnum};
use ttl_audit::evidence::StoreKind;

use super::{PlainFormat, ReadArgs, TimeArgs};

const EXIT_CODES: &str = "\
Exit codes:
  0  it was shown, and everything that was asked about it was answered
  1  never
  2  usage error; there is no snapshot, or its `_metadata` is damaged or of a kind that is not known
  3  incomplete: `_metadata`, or what became of an object that it names, could not be had: a right, a connection, a restore is missing";

/// `snapshot`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct SnapshotArgs {
    /// The folder of a savepoint or checkpoint, or its `_metadata` file; on this machine, or `s3://bucket/folder` (also s3a, s3p, s3n)
    pub(crate) path: String,
    /// The format on stdout
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = PlainFormat::Table)]
    pub(crate) format: PlainFormat,
    /// With --format json, of a folder on this machine: every subtask's state handles too, as `_metadata` has them
    #[arg(long)]
    pub(crate) handles: bool,
    /// A uid of the job, to be found by its hash in snapshots that hold no uids (Flink 1.x); may be given several times
    #[arg(long = "uid", value_name = "UID")]
    pub(crate) uids: Vec<String>,
    /// Whether state files are read.
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// How to reach S3.
    #[command(flatten)]
    pub(crate) s3: S3Args,
    /// How long to wait.
    #[command(flatten)]
    pub(crate) time: TimeArgs,
}

/// How to reach S3, beside what the environment and the AWS configuration files say.
#[derive(Debug, Args)]
#[command(next_help_heading = "Connection")]
pub(crate) struct S3Args {
    /// Another S3 endpoint than AWS's; the bucket is then named in the path
    #[arg(long = "s3-endpoint", value_name = "URL")]
    pub(crate) endpoint: Option<String>,
    /// The region to ask first; the bucket's own is then found out
    #[arg(long = "s3-region", value_name = "REGION")]
    pub(crate) region: Option<String>,
    /// Whose rules hold for storage classes [default: aws without an endpoint or at amazonaws.com, else other]
    #[arg(long = "s3-store", value_name = "STORE", value_enum)]
    pub(crate) store: Option<StoreChoice>,
}

/// Whose rules hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StoreChoice {
    /// Amazon S3
    Aws,
    /// Another store: a class is only a name
    Other,
}

impl From<StoreChoice> for StoreKind {
    fn from(choice: StoreChoice) -> Self {
        match choice {
            StoreChoice::Aws => Self::Aws,
            StoreChoice::Other => Self::Other,
        }
    }
}
