//! A page of the documentation as a terminal shows it: the little Markdown that the pages use.

use anstyle::Style;
use comfy_table::{ContentArrangement, Table, presets::NOTHING};
use textwrap::Options;

/// The page, wrapped to `width`, headings and emphasis in bold if `colour`.
pub(super) fn render(page: &str, width: usize, colour: bool) -> String {
    let mut out = String::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            for code in lines.by_ref().take_while(|line| !line.starts_with("```")) {
                out += &format!("    {code}\n");
            }
        } else if line.starts_with('|') {
            let mut rows = vec![line];
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(row);
            }
            out += &table(&rows, width, colour);
        } else if line.starts_with('#') {
            out += &format!("{}\n", bold(line.trim_start_matches(['#', ' ']), colour));
        } else if line.trim().is_empty() || line.starts_with("    ") {
            out += &format!("{line}\n");
        } else {
            let mut text = line.to_owned();
            while let Some(more) = lines.next_if(|line| continues(line)) {
                text += &format!(" {}", more.trim());
            }
            let hang = " ".repeat(marker(&text));
            let text = inline(&text, colour);
            for line in textwrap::wrap(&text, Options::new(width).subsequent_indent(&hang).break_words(false)) {
                out += &format!("{line}\n");
            }
        }
    }
    out
}

/// Whether a line belongs to the paragraph or list item above it.
fn continues(line: &str) -> bool {
    let text = line.trim_start();
    !text.is_empty() && marker(text) == 0 && !text.starts_with(['|', '#']) && !text.starts_with("```")
}

/// How wide the mark of a list item is: `- `, `1. `.
fn marker(line: &str) -> usize {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    match line.get(digits..) {
        Some(rest) if digits > 0 && rest.starts_with(". ") => digits + 2,
        _ if line.starts_with("- ") => 2,
        _ => 0,
    }
}

/// Without the heading's underline; cells keep their code marks.
fn table(rows: &[&str], width: usize, colour: bool) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(u16::try_from(width).unwrap_or(u16::MAX));
    let rule = |row: &str| row.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    for row in rows.iter().filter(|row| !rule(row)) {
        // Colours would count as width; a table does without.
        table.add_row(row.trim_matches('|').split('|').map(|cell| inline(cell.trim(), false)));
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let heading = |(number, line): (usize, String)| {
        let line = line.trim_end().to_owned();
        format!("{}\n", if number == 0 { bold(&line, colour) } else { line })
    };
    table.lines().enumerate().map(heading).collect()
}

fn bold(text: &str, colour: bool) -> String {
    let style = Style::new().bold();
    if colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

/// `**strong**` in bold, `[text](target)` as its text, with the target where that is an address.
fn inline(text: &str, colour: bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let link = after.split_once("](").and_then(|(label, after)| after.split_once(')').map(|(target, after)| (label, target, after)));
        if let Some((label, target, after)) = link.filter(|(label, ..)| !label.contains('[')) {
            out += before;
            out += label;
            if target.contains("://") {
                out += &format!(" ({target})");
            }
            rest = after;
        } else {
            out += &format!("{before}[");
            rest = after;
        }
    }
    out += rest;
    let pieces = out.split("**").enumerate();
    pieces.map(|(number, piece)| if number % 2 == 1 { bold(piece, colour) } else { piece.to_owned() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_shown_without_marks() {
        let page = "# a-rule\n\nOne line\nand its end, **strong**, see [the page](x.md) and [Kafka](https://kafka.example).\n\n\
                    1. first,\n   going on\n2. second `code` [a, b]\n\n| what | number |\n| --- | --- |\n| TTL | 7 d |\n\n```yaml\nkey: |\n  value\n```\n";
        assert_eq!(
            render(page, 72, false),
            "a-rule\n\nOne line and its end, strong, see the page and Kafka\n(https://kafka.example).\n\n\
             1. first, going on\n2. second `code` [a, b]\n\nwhat  number\nTTL   7 d\n\n    key: |\n      value\n"
        );
        assert!(render(page, 72, true).starts_with("\u{1b}[1ma-rule\u{1b}[0m\n"));
    }

    #[test]
    fn no_word_of_a_page_is_lost_and_lines_fit() {
        for rule in ttl_audit::rules::all() {
            let page = ttl_audit::rules::page(rule.meta().id).unwrap_or_default();
            let shown = render(page, 80, false);
            let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
            // Targets of links within the documentation and languages of blocks are left out, nothing else.
            let left_out: usize =
                page.split("](").skip(1).filter_map(|rest| rest.split(')').next()).filter(|to| !to.contains("://")).map(letters).sum();
            let languages: usize = page.lines().filter_map(|line| line.strip_prefix("```")).map(letters).sum();
            assert_eq!(letters(&shown), letters(page) - left_out - languages, "{}", rule.meta().id);
            for line in shown.lines().filter(|line| !line.starts_with("    ")) {
                assert!(line.chars().count() <= 80 || !line.contains(' '), "{}: {line}", rule.meta().id);
            }
        }
    }
}
