//! `ttl-audit explain`.

mod page;

use std::io::{self, IsTerminal as _};

use anyhow::Result;
use ttl_audit::{exit::ExitCode, rules};

use super::{hinted, output, talk, width};
use crate::cli::{ExplainArgs, TalkArgs};

/// Prints the page of a rule, or lists all rules. What is not a terminal gets the Markdown.
pub(super) fn run(args: &ExplainArgs, talk: TalkArgs) -> Result<ExitCode> {
    let Some(id) = &args.rule else { return super::rules::run() };
    let page = rules::page(id).ok_or_else(|| unknown_rule(id))?;
    if io::stdout().is_terminal() {
        output::print(&page::render(page, width::of_stdout(), talk::colours_on_stdout(talk)))?;
    } else {
        output::print(page)?;
    }
    Ok(ExitCode::Clean)
}

/// There is no such rule; the nearest one is named.
pub(super) fn unknown_rule(id: &str) -> anyhow::Error {
    let near = rules::all()
        .iter()
        .map(|rule| rule.meta().id)
        .map(|known| (strsim::jaro_winkler(known, id), known))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let hint = match near {
        Some((_, known)) => format!("did you mean `{known}`?"),
        None => "`ttl-audit rules` lists them".to_owned(),
    };
    hinted(format!("there is no rule `{id}`"), hint)
}
