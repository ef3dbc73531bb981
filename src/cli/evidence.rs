//! Where evidence comes from and goes to, and how long to wait for it.

use std::{path::PathBuf, time::Duration};

use clap::Args;

/// Where evidence comes from and goes to.
#[derive(Debug, Args)]
#[command(next_help_heading = "Evidence")]
pub(crate) struct EvidenceArgs {
    /// Connect to nothing; judge the evidence in the audit's folder (evidence.json or evidence.json.gz)
    #[arg(long)]
    pub(crate) offline: bool,
    /// Connect to nothing; judge the evidence in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) evidence: Option<PathBuf>,
    /// Keep what was collected in this file; `.gz` compresses
    #[arg(long, value_name = "FILE", conflicts_with_all = ["offline", "evidence"])]
    pub(crate) save_evidence: Option<PathBuf>,
}

/// How long to wait for answers.
#[derive(Debug, Args)]
#[command(next_help_heading = "Connection")]
pub(crate) struct TimeArgs {
    /// How long one call may take
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = duration)]
    pub(crate) timeout: Duration,
    /// How long collecting may take in all; what was not asked by then is unknown
    #[arg(long, value_name = "DURATION", default_value = "15m", value_parser = duration)]
    pub(crate) deadline: Duration,
}

fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a duration; write 30s or 15m");
    let read: jiff::SignedDuration = text.parse().map_err(|_| wrong())?;
    Duration::try_from(read).ok().filter(|length| !length.is_zero()).ok_or_else(wrong)
}
