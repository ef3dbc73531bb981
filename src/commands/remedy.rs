//! `ttl-audit remedy`.

use anyhow::Result;
use ttl_audit::{
    exit::ExitCode,
    remedy::{self, sql},
};

use super::{check, input, output};
use crate::cli::{PlainFormat, RemedyArgs, TalkArgs};

/// What stands above remedies whose names were replaced.
const ALIASES: &str =
    "# Names are aliases (--redact-names): what follows is to be read, and can be pasted only with the real names in place of them.\n";

/// Prints what there is to do.
pub(super) fn run(args: &RemedyArgs, talk: TalkArgs) -> Result<ExitCode> {
    if let Some(dialect) = args.sql {
        return run_sql(args, dialect);
    }
    let reports = check::judge(&args.judge, check::Shown { redact_names: args.redact_names, by_day: false }, talk)?;
    let jobs = remedy::remedies(reports.iter().map(|judged| &judged.report));
    output::print(&match args.format {
        PlainFormat::Json => remedy::to_json(&jobs)?,
        PlainFormat::Table if args.redact_names && !jobs.is_empty() => format!("{ALIASES}\n{}", remedy::to_text(&jobs)),
        PlainFormat::Table => remedy::to_text(&jobs),
    })?;
    Ok(match check::exit_code(&reports) {
        ExitCode::Incomplete => ExitCode::Incomplete,
        _ => ExitCode::Clean,
    })
}

/// SQL follows from the manifests alone.
fn run_sql(args: &RemedyArgs, dialect: sql::Dialect) -> Result<ExitCode> {
    let audits = input::audits(&args.judge.input, &args.judge.connect, &args.judge.select.jobs)?;
    let tables = sql::tables(audits.iter().flat_map(|selected| &selected.audit.jobs), dialect);
    let incomplete = tables.left_out.iter().any(|sink| sink.missing);
    let script = sql::script(tables, dialect, args.keep_any);
    output::print(&match args.format {
        PlainFormat::Json => sql::to_json(&script)?,
        PlainFormat::Table => sql::to_text(&script),
    })?;
    Ok(if incomplete && !args.judge.gate.allow_incomplete { ExitCode::Incomplete } else { ExitCode::Clean })
}
