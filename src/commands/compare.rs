//! `ttl-audit compare`.

use anyhow::Result;
use ttl_audit::{
    compare::{self, Comparison},
    exit::ExitCode,
    load,
    report::{Report, TableOptions},
};

use super::{output, several, talk, width};
use crate::cli::{CompareArgs, CompareFormat, TalkArgs};

/// Compares two files of reports, audit by audit.
pub(super) fn run(args: &CompareArgs, talk: TalkArgs) -> Result<ExitCode> {
    let (old, new) = match (load::reports(&args.old), load::reports(&args.new)) {
        (Ok(old), Ok(new)) => (old, new),
        (old, new) => return Err(several([old.err(), new.err()].into_iter().flatten().map(|error| error.to_string()))),
    };
    let comparisons: Vec<Comparison> = pairs(&old, &new)?.into_iter().map(|(old, new)| compare::compare(old, new)).collect();
    output::print(&render(args.format, &comparisons, talk)?)?;
    let worst = comparisons.iter().any(|comparison| comparison.exit_code != 0);
    Ok(if worst { ExitCode::Tripped } else { ExitCode::Clean })
}

/// One report each is compared whatever its name; several are told apart by it.
fn pairs<'r>(old: &'r [Report], new: &'r [Report]) -> Result<Vec<(&'r Report, &'r Report)>> {
    if let ([old], [new]) = (old, new) {
        return Ok(vec![(old, new)]);
    }
    let mut wrong = Vec::new();
    let mut pairs = Vec::new();
    for report in new {
        match compare::pair(old, &report.audit, &[], false) {
            Ok(earlier) => pairs.push((earlier, report)),
            Err(error) => wrong.push(error.to_string()),
        }
    }
    for report in old.iter().filter(|report| new.iter().all(|later| later.audit != report.audit)) {
        wrong.push(format!("no report of {} is among the later ones", report.audit));
    }
    if wrong.is_empty() { Ok(pairs) } else { Err(several(wrong)) }
}

fn render(format: CompareFormat, comparisons: &[Comparison], talk: TalkArgs) -> Result<String> {
    let options = TableOptions { width: width::of_stdout(), colour: talk::colours_on_stdout(talk), everything: talk.verbose > 0 };
    Ok(match (format, comparisons) {
        (CompareFormat::Table, all) => all.iter().map(|one| compare::to_table(one, options)).collect::<Vec<_>>().join("\n"),
        (CompareFormat::Markdown, all) => all.iter().map(compare::to_markdown).collect::<Vec<_>>().join("\n"),
        (CompareFormat::Json, [one]) => format!("{}\n", serde_json::to_string_pretty(one)?),
        (CompareFormat::Json, all) => format!("{}\n", serde_json::to_string_pretty(all)?),
    })
}
