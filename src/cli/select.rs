//! Which part of an audit is judged.

use clap::Args;

/// Which part of an audit is judged.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(crate) struct SelectArgs {
    /// Only these jobs; may be given several times
    #[arg(long = "job", value_name = "JOB")]
    pub(crate) jobs: Vec<String>,
    /// Only these rules; may be given several times
    #[arg(long = "rule", value_name = "RULE")]
    pub(crate) rules: Vec<String>,
    /// Not these rules; may be given several times
    #[arg(long = "skip-rule", value_name = "RULE")]
    pub(crate) skip_rules: Vec<String>,
    /// Look into every snapshot, not only into the newest complete one of each location
    #[arg(long)]
    pub(crate) all_snapshots: bool,
    /// The instant that is judged, RFC 3339 or a day [default: `as_of` of the audit file, or now]
    #[arg(long, value_name = "INSTANT")]
    pub(crate) as_of: Option<ttl_audit::units::Instant>,
}
