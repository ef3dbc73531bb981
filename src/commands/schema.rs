//! `ttl-audit schema`.

use anyhow::Result;
use ttl_audit::{exit::ExitCode, schema};

use super::output;
use crate::cli::SchemaArgs;

/// Prints a JSON Schema.
pub(super) fn run(args: &SchemaArgs) -> Result<ExitCode> {
    output::print(&schema::to_json(args.document)?)?;
    Ok(ExitCode::Clean)
}
