//! What is read of objects beside `_metadata`.

use clap::Args;

/// What is read of objects beside `_metadata`.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Evidence")]
pub(crate) struct ReadArgs {
    /// In S3, also read the first bytes of state files, which name keyed states and tell whether they have a TTL
    ///
    /// A read is access: it starts the clock of Intelligent-Tiering anew for that object, brings it back to the frequent-access tier, and
    /// may cost a retrieval fee (STANDARD_IA, ONEZONE_IA, GLACIER_IR). Objects in an archive are not read. Without this flag only `_metadata`
    /// is read, and what state files hold is not asked.
    #[arg(long)]
    pub(crate) read_state_headers: bool,
}
