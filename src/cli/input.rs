//! What to audit.

use std::path::PathBuf;

use clap::Args;

/// What to audit.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct InputArgs {
    /// Audit folders (with an audit.yaml), audit files, or single job manifests
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
}
