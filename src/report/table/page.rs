//! Lines of a page: wrapped to its width, cleaned of what a terminal would obey.

use comfy_table::{ContentArrangement, Table, presets::NOTHING};
use textwrap::{
    Options, WordSeparator, WordSplitter,
    core::{Word, break_words, display_width},
    wrap_algorithms::wrap_first_fit,
};

use crate::report::words::clean;

/// Text under construction.
pub(crate) struct Page {
    width: usize,
    text: String,
}

impl Page {
    pub(crate) fn new(width: usize) -> Self {
        Self { width, text: String::new() }
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// An empty line; never two.
    pub(crate) fn gap(&mut self) {
        if !self.text.ends_with("\n\n") && !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// `text` after `first`, wrapped; further lines begin with `rest`. What stands before may be painted.
    pub(crate) fn prose(&mut self, first: &str, rest: &str, text: &str) {
        let text = clean(text);
        let widths = [first, rest].map(|before| self.width.saturating_sub(display_width(before)).max(1));
        let mut before = first;
        for paragraph in text.lines() {
            let words: Vec<Word<'_>> = WordSeparator::AsciiSpace
                .find_words(paragraph)
                .flat_map(|word| parts(word, widths.into_iter().min().unwrap_or(1)))
                .collect();
            for line in wrap_first_fit(&words, &widths.map(as_fraction)) {
                let line: String = line.iter().flat_map(|word| [word.word, word.whitespace]).collect();
                self.line(&format!("{before}{line}"));
                before = rest;
            }
        }
    }

    /// Whether a line with this text is no wider than the page.
    pub(super) fn fits(&self, text: &str) -> bool {
        display_width(text) <= self.width
    }

    /// A line that is known to fit.
    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// What will be copied: at the left edge, as long as it is, between empty lines.
    pub(super) fn paste(&mut self, block: &str) {
        self.gap();
        for line in block.lines() {
            self.line(&clean(line));
        }
        self.gap();
    }

    /// Names and what they stand for, each in a column of its own; what does not fit is wrapped under itself.
    pub(super) fn terms(&mut self, indent: usize, terms: &[[String; 3]]) {
        const WIDEST: usize = 28;
        let column = |number: usize| {
            let widths = terms.iter().filter_map(|term| term.get(number)).map(|cell| display_width(&clean(cell)));
            widths.filter(|width| *width <= WIDEST).max().unwrap_or_default()
        };
        let (names, values) = (column(0), column(1));
        let rest = " ".repeat(indent + names + 2);
        for [name, value, origin] in terms {
            let name = clean(name);
            let first = format!("{}{name}{}", " ".repeat(indent), " ".repeat((names + 2).saturating_sub(display_width(&name))));
            // A name wider than its column gets a line of its own.
            let first = if display_width(&name) > names {
                self.prose(&" ".repeat(indent), &" ".repeat(indent + 2), &name);
                rest.clone()
            } else {
                first
            };
            let gap = " ".repeat(values.saturating_sub(display_width(&clean(value))));
            self.prose(&first, &rest, &format!("{value}{gap}  {origin}"));
        }
    }

    /// Rows under each other, `indent` columns from the left; `finish` may paint a line. Names in column `name` are wrapped at the signs
    /// that names are made with, into what the other columns leave.
    pub(super) fn rows(
        &mut self,
        indent: usize,
        name: Option<usize>,
        rows: impl IntoIterator<Item = Vec<String>>,
        finish: impl Fn(&str) -> String,
    ) {
        const SPACE: usize = 2;
        const LEAST: usize = 12;
        let rows: Vec<Vec<String>> = rows.into_iter().map(|row| row.iter().map(|cell| clean(cell)).collect()).collect();
        let width = self.width.saturating_sub(indent);
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        let widest =
            |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| display_width(cell)).max().unwrap_or_default();
        let others: usize = (0..columns).filter(|column| Some(*column) != name).map(|column| widest(column) + SPACE).sum();
        let left = width.saturating_sub(others + SPACE).max(LEAST);

        let mut table = Table::new();
        table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(u16::try_from(width).unwrap_or(u16::MAX));
        for row in rows {
            table.add_row(
                row.into_iter().enumerate().map(|(column, cell)| if Some(column) == name { wrap_name(&cell, left) } else { cell }),
            );
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        let indent = " ".repeat(indent);
        for line in table.lines() {
            self.line(&format!("{indent}{}", finish(&line)));
        }
    }
}

/// A name over several lines, each at most `width` wide; those after the first are set in.
fn wrap_name(name: &str, width: usize) -> String {
    let options = Options::new(width)
        .subsequent_indent("  ")
        .word_separator(WordSeparator::Custom(|line| Box::new(line.split_inclusive([' ', '/', '-', '_', '.', ':']).map(Word::from))))
        .word_splitter(WordSplitter::NoHyphenation);
    textwrap::wrap(name, options).join("\n")
}

/// A word that is longer than a line (a path, a list of settings) in parts: after `/`, `,` and `=`, and what is longer still where the line
/// ends.
fn parts(word: Word<'_>, width: usize) -> Vec<Word<'_>> {
    if display_width(word.word) <= width {
        return vec![word];
    }
    let mut parts: Vec<Word<'_>> =
        word.word.split_inclusive(['/', ',', '=']).flat_map(|part| break_words([Word::from(part)], width)).collect();
    if let Some(last) = parts.last_mut() {
        last.whitespace = word.whitespace;
    }
    parts
}

#[expect(clippy::cast_precision_loss, reason = "a page is not 2^52 columns wide")]
const fn as_fraction(width: usize) -> f64 {
    width as f64
}
