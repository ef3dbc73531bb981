//! How wide a table may be.

use std::env;

/// Without a terminal: fits a page, a log and a diff.
pub(super) const PAGE: usize = 100;

/// Narrower tables cannot be read, and longer lines neither.
const READABLE: std::ops::RangeInclusive<usize> = 72..=160;

/// `COLUMNS` if it is exported, else the terminal's width, else [`PAGE`].
pub(super) fn of_stdout() -> usize {
    let stated = env::var("COLUMNS").ok().and_then(|text| text.parse::<usize>().ok()).filter(|width| *width > 0);
    let width = stated
        .or_else(|| terminal_size::terminal_size_of(std::io::stdout()).map(|(terminal_size::Width(width), _)| usize::from(width)))
        .unwrap_or(PAGE);
    width.clamp(*READABLE.start(), *READABLE.end())
}
