//! `ttl-audit doctor`.

use std::time::Instant as Clock;

use anyhow::Result;
use ttl_audit::{
    collect::CollectError,
    doctor::{self, Checkup, State},
    exit::ExitCode,
    report,
};

use super::{input, live, output, several, talk, width};
use crate::cli::{DoctorArgs, PlainFormat, TalkArgs};

/// Asks everything that a run would ask, and says how each question went.
pub(super) fn run(args: &DoctorArgs, talk: TalkArgs) -> Result<ExitCode> {
    let deadline = Clock::now() + args.time.deadline;
    let audits = input::audits(&args.input, &args.connect, &[])?;
    let progress = talk::Progress::new(talk);
    let collect = live::Collect { time: &args.time, deadline, all_snapshots: false, read_state_headers: false, as_of: None };
    let (mut checkups, mut wrong) = (Vec::with_capacity(audits.len()), Vec::new());
    for selected in &audits {
        let (evidence, errors) = collect.run_usable(&selected.audit, &progress)?;
        let as_of = input::as_of(None, &selected.audit, evidence.captured_at);
        let report = report::build(&selected.audit, &evidence, as_of, "live");
        let mut checkup = doctor::checkup(&selected.audit, &evidence, &report);
        for error in errors {
            match error {
                // Not set here and now, which is for this command to find out; whatever else is wrong stands in the audit file.
                CollectError::UnsetVariable { place, variable } => checkup.add(doctor::unset(&place, &variable)),
                error => wrong.push(format!("{}: {error}", selected.file())),
            }
        }
        checkups.push(checkup);
    }
    drop(progress);
    if !wrong.is_empty() {
        return Err(several(wrong));
    }
    match args.format {
        PlainFormat::Json => output::print(&format!("{}\n", serde_json::to_string_pretty(&checkups)?))?,
        PlainFormat::Table => {
            let tables: Vec<String> = checkups.iter().map(|checkup| table(checkup, width::of_stdout())).collect();
            output::print(&tables.join("\n"))?;
        }
    }
    let incomplete = checkups.iter().any(Checkup::is_incomplete);
    Ok(if incomplete { ExitCode::Incomplete } else { ExitCode::Clean })
}

/// One line for each question; below one that failed, what to do.
fn table(checkup: &Checkup, width: usize) -> String {
    let mut out = format!("{}\n", checkup.audit);
    let mut last = "";
    for check in &checkup.checks {
        if check.of != last {
            out += &format!("\n{}\n", check.of);
            last = &check.of;
        }
        let symbol = match check.state {
            State::Ok => "✓",
            State::Unsupported => "–",
            State::Failed => "✗",
        };
        let mut lines = vec![(format!("  {symbol} "), format!("{}: {} ({})", check.what, check.state.word(), check.detail))];
        lines.extend(check.advice.as_ref().map(|advice| ("    → ".to_owned(), advice.clone())));
        if !check.waiting.is_empty() {
            let rules: Vec<&str> = check.waiting.iter().map(String::as_str).collect();
            lines.push(("    ".to_owned(), format!("as long as this is so, unknown: {}", rules.join(", "))));
        }
        for (head, text) in lines {
            let hang = " ".repeat(head.chars().count());
            let options = textwrap::Options::new(width).initial_indent(&head).subsequent_indent(&hang).break_words(false);
            out += &format!("{}\n", textwrap::fill(&text, options));
        }
    }
    let count = |state| checkup.checks.iter().filter(|check| check.state == state).count();
    out += &format!("\n{} ok · {} unsupported · {} failed\n", count(State::Ok), count(State::Unsupported), count(State::Failed));
    out
}
