//! `compare`: what can be typed.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// `compare`.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes (the same in every format):
  0  nothing is new or worse
  1  a finding or an unknown is new or worse, or a finding is no longer known
  2  usage error; a file that is no JSON report, or a newer one

Lines and columns in messages count from 1.")]
pub(crate) struct CompareArgs {
    /// The earlier report, as `check --format json` wrote it
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// The later report
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
    /// The format of the comparison
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = CompareFormat::Table, help_heading = "Output")]
    pub(crate) format: CompareFormat,
}

/// The format of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompareFormat {
    /// For people
    Table,
    /// For machines
    Json,
    /// For a pull request or a client
    Markdown,
}
