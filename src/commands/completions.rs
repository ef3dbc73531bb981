//! `ttl-audit completions`.

use anyhow::Result;
use clap::CommandFactory as _;
use ttl_audit::exit::ExitCode;

use super::output;
use crate::cli::{Cli, CompletionsArgs};

/// Prints a completion script.
pub(super) fn run(args: &CompletionsArgs) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ttl-audit", &mut script);
    output::print(&String::from_utf8(script)?)?;
    Ok(ExitCode::Clean)
}
