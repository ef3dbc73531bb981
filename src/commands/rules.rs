//! `ttl-audit rules`.

use anyhow::Result;
use comfy_table::{ContentArrangement, Table, presets::NOTHING};
use ttl_audit::{exit::ExitCode, rules};

use super::{output, width};

/// Lists every rule with its severity and what it says.
pub(super) fn run() -> Result<ExitCode> {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(u16::try_from(width::of_stdout())?);
    for rule in rules::all() {
        let meta = rule.meta();
        table.add_row([meta.id, meta.severity.word(), meta.summary]);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    output::print(&format!("{}\n", lines.join("\n")))?;
    Ok(ExitCode::Clean)
}
