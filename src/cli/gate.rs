//! What trips the gate.

use std::path::PathBuf;

use clap::{Args, builder::PossibleValuesParser, builder::TypedValueParser as _};
use ttl_audit::policy::FailOn;

/// What trips the gate.
#[derive(Debug, Args)]
#[command(next_help_heading = "Gate")]
pub(crate) struct GateArgs {
    /// From which severity on the exit code is 1 [default: `policy.fail_on` of the audit file, or error]
    #[arg(long, value_name = "SEVERITY", value_parser = PossibleValuesParser::new(["error", "warning", "note", "never"])
        .try_map(|word| word.parse::<FailOn>()))]
    pub(crate) fail_on: Option<FailOn>,
    /// Let unknowns pass: 0 or 1 instead of 3
    #[arg(long)]
    pub(crate) allow_incomplete: bool,
    /// An earlier JSON report: only what is new or worse since then trips the gate; the rest is shown as known
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
}
