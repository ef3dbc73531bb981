//! Everything that goes to stderr, and who may have colours.

use std::{
    env,
    io::{self, IsTerminal as _, Write as _},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};
use tracing_subscriber::EnvFilter;

use crate::cli::{ColorChoice, TalkArgs};

/// Whether an environment variable is set to something.
fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Whether the report on stdout has colours.
pub(super) fn colours_on_stdout(talk: TalkArgs) -> bool {
    colours(talk.color, io::stdout().is_terminal())
}

fn colours(choice: ColorChoice, terminal: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => terminal && !is_set("NO_COLOR") && !is_set("CI") && env::var_os("TERM").is_none_or(|term| term != "dumb"),
    }
}

/// Sends the program's own trace to stderr. Never that of its libraries: they may print what is secret.
pub(super) fn init(talk: TalkArgs) {
    let level = match talk.verbose {
        0 => "warn",
        1 => "info",
        _ => "debug",
    };
    // It fails only if there is a subscriber already, which then does the same work.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(format!("off,ttl_audit={level}")))
        .with_writer(io::stderr)
        .with_ansi(colours(talk.color, io::stderr().is_terminal()))
        .with_target(false)
        .without_time()
        .try_init();
}

/// Says one line on stderr, unless nobody wants to hear it.
pub(super) fn say(talk: TalkArgs, line: &str) {
    if !talk.quiet {
        // A stderr that is gone does not change what was found.
        let _ = writeln!(io::stderr(), "{line}");
    }
}

/// Says what went wrong, whether anybody wants to hear it or not.
pub(super) fn error(message: &str) {
    // Nobody is left to tell if stderr is gone too.
    let _ = writeln!(io::stderr(), "error: {message}");
}

/// What is being asked, as one line on a terminal that comes and goes.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Shown only if stderr is a terminal, nobody wants quiet, and this is not CI.
    pub(super) fn new(talk: TalkArgs) -> Self {
        let shown = io::stderr().is_terminal() && !talk.quiet && talk.verbose == 0 && !is_set("CI");
        let bar = if shown { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if shown {
            let style =
                if colours(talk.color, true) { "{spinner:.cyan} {elapsed:>4} {wide_msg}" } else { "{spinner} {elapsed:>4} {wide_msg}" };
            bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Self { bar }
    }

    /// Says what is being asked.
    pub(super) fn say(&self, what: &str) {
        tracing::info!("{what}");
        self.bar.set_message(what.to_owned());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
