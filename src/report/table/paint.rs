//! Colours with a meaning, each beside a symbol or a word that says the same without colour.

use anstyle::{AnsiColor, Style};

use crate::{
    finding::Severity,
    report::{Verdict, words::symbol},
};

/// Whether there are colours, and which.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    pub(crate) colour: bool,
}

impl Paint {
    fn styled(self, style: Style, text: &str) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// What comes first on a screen.
    pub(crate) fn bold(self, text: &str) -> String {
        self.styled(Style::new().bold(), text)
    }

    /// What can be skipped.
    pub(super) fn dim(self, text: &str) -> String {
        self.styled(Style::new().dimmed(), text)
    }

    /// `✗`, `✓` or `?`.
    pub(super) fn verdict(self, verdict: Verdict) -> String {
        let colour = match verdict {
            Verdict::Pass => AnsiColor::Green,
            Verdict::Fail => AnsiColor::Red,
            Verdict::Unknown => AnsiColor::Yellow,
        };
        self.styled(colour.on_default().bold(), symbol(verdict))
    }

    /// A line of a table that may begin with a verdict's symbol.
    pub(super) fn row(self, line: &str) -> String {
        [Verdict::Pass, Verdict::Fail, Verdict::Unknown]
            .into_iter()
            .find_map(|verdict| line.strip_prefix(symbol(verdict)).map(|rest| format!("{}{rest}", self.verdict(verdict))))
            .unwrap_or_else(|| line.to_owned())
    }

    /// `error`, `warning` or `note`.
    pub(crate) fn severity(self, severity: Severity) -> String {
        let style = match severity {
            Severity::Error => AnsiColor::Red.on_default().bold(),
            Severity::Warning => AnsiColor::Yellow.on_default().bold(),
            Severity::Note => AnsiColor::Cyan.on_default(),
        };
        self.styled(style, severity.word())
    }
}
