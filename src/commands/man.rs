//! `ttl-audit man`.

use std::fs;

use anyhow::{Context as _, Result};
use clap::CommandFactory as _;
use clap_mangen::Man;
use ttl_audit::exit::ExitCode;

use super::{hinted, output, talk};
use crate::cli::{Cli, ManArgs, TalkArgs};

/// Prints one manual page, or writes all of them.
pub(super) fn run(args: &ManArgs, talk: TalkArgs) -> Result<ExitCode> {
    // A page on `help` would only repeat the others.
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    if let Some(folder) = &args.dir {
        let cannot = || format!("{} cannot be written", folder.display());
        fs::create_dir_all(folder).with_context(cannot)?;
        clap_mangen::generate_to(program, folder).with_context(cannot)?;
        talk::say(talk, &format!("manual pages are in {}; MANPATH wants them in a folder named man1", folder.display()));
        return Ok(ExitCode::Clean);
    }
    let command = match &args.command {
        None => program,
        Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| {
            let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
            hinted(format!("there is no command `{name}`"), format!("write one of {}", names.join(", ")))
        })?,
    };
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    output::print(&String::from_utf8(page)?)?;
    Ok(ExitCode::Clean)
}
