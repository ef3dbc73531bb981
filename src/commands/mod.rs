//! What the subcommands do: the one place that reads files, the clock and the environment, and that prints.

mod check;
mod collect;
mod compare;
mod completions;
mod doctor;
mod evidence;
mod explain;
mod init;
mod input;
mod live;
mod man;
mod output;
mod outputs;
mod quick;
mod remedy;
mod rules;
mod schema;
mod snapshot;
mod talk;
mod unreferenced;
mod width;

use ttl_audit::exit::ExitCode;

use crate::cli::{Cli, Command};

/// Runs what was typed; says what went wrong.
pub(crate) fn run(cli: &Cli) -> ExitCode {
    talk::init(cli.talk);
    let result = match &cli.command {
        Command::Check(args) => check::run(args, cli.talk),
        Command::Collect(args) => collect::run(args, cli.talk),
        Command::Remedy(args) => remedy::run(args, cli.talk),
        Command::Snapshot(args) => snapshot::run(args, cli.talk),
        Command::Compare(args) => compare::run(args, cli.talk),
        Command::Rules => rules::run(),
        Command::Explain(args) => explain::run(args, cli.talk),
        Command::Doctor(args) => doctor::run(args, cli.talk),
        Command::Init(args) => init::run(args, cli.talk),
        Command::Schema(args) => schema::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args, cli.talk),
    };
    result.unwrap_or_else(|error| {
        talk::error(&format!("{error:#}"));
        ExitCode::Usage
    })
}

/// An error and what to do about it, on a line of its own.
fn hinted(message: impl std::fmt::Display, hint: impl std::fmt::Display) -> anyhow::Error {
    anyhow::anyhow!("{message}\n   = {hint}")
}

/// Several errors as one, each with its own head.
fn several(errors: impl IntoIterator<Item = String>) -> anyhow::Error {
    anyhow::anyhow!("{}", errors.into_iter().collect::<Vec<_>>().join("\nerror: "))
}
