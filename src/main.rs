//! The command line of `ttl-audit`: parse, run, exit code.

mod cli;
mod commands;

use clap::Parser as _;

fn main() -> std::process::ExitCode {
    // A usage error ends here, with exit code 2.
    let cli = cli::Cli::parse();
    commands::run(&cli).into()
}
