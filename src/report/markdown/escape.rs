//! Text that stays text in Markdown, whatever it holds.

use crate::report::words::clean;

/// `text` on one line, with every sign that GitHub's Markdown or HTML would obey made harmless.
pub(crate) fn inline(text: &str) -> String {
    let text = clean(text).replace('\n', " ");
    let text = text.trim();
    let mut out = String::with_capacity(text.len() + 16);
    let mut before = ' ';
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        let after = signs.peek().copied().unwrap_or(' ');
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Inside a word an underscore is only an underscore.
            '_' if before.is_alphanumeric() && after.is_alphanumeric() => out.push('_'),
            // At the beginning these would begin a list, a heading or a rule.
            '#' | '-' | '+' | '=' if out.is_empty() => out.extend(['\\', sign]),
            '.' | ')' if after == ' ' && !out.is_empty() && out.chars().all(|c| c.is_ascii_digit()) => out.extend(['\\', sign]),
            // GitHub makes a link of every address.
            ':' if after == '/' && ends_with_any(&out, &["http", "https", "ftp"]) => out.push_str("\\:"),
            '.' if ends_with_any(&out, &["www"]) => out.push_str("\\."),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => out.extend(['\\', sign]),
            sign => out.push(sign),
        }
        before = sign;
    }
    out
}

fn ends_with_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| {
        let start = text.len().checked_sub(word.len());
        start.and_then(|start| text.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case(word))
    })
}

/// `text` as code on one line, for names; in a table too.
pub(crate) fn code(text: &str) -> String {
    let text = clean(text).replace('\n', " ");
    if text.trim().is_empty() {
        return String::new();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    // A space keeps a backtick at the edge apart from the fence; it is not shown.
    let space = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{space}{}{space}{fence}", text.replace('|', "\\|"))
}

/// What will be copied, as it is.
pub(super) fn block(text: &str) -> String {
    let text = clean(text);
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    format!("{fence}\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// A row of a table, of cells that are escaped already.
pub(in crate::report) fn row(cells: &[&str]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// How many backticks stand in a row at most.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_markdown_would_obey_is_text() {
        assert_eq!(inline("<img src=x onerror=alert(1)>"), "&lt;img src=x onerror=alert(1)&gt;");
        assert_eq!(inline("a|b `c` *d* [e](f) &amp; _g_ h_i"), "a\\|b \\`c\\` \\*d\\* \\[e\\](f) &amp;amp; \\_g\\_ h_i");
        assert_eq!(inline("# no heading\n- no list"), "\\# no heading - no list");
        assert_eq!(inline("1. no list"), "1\\. no list");
        assert_eq!(inline("- a"), "\\- a");
        assert_eq!(inline("\u{1b}[31m"), "\u{fffd}\\[31m");
        assert_eq!(inline("    no block "), "no block");
        assert_eq!(inline("see https://x.example or WWW.x.example, s3://a/b"), "see https\\://x.example or WWW\\.x.example, s3://a/b");
    }

    #[test]
    fn code_and_blocks_cannot_be_left() {
        assert_eq!(code("a`b|c"), "``a`b\\|c``");
        assert_eq!(code("`a"), "`` `a ``");
        assert_eq!(code(" "), "");
        assert_eq!(block("a\n````\nb\n"), "`````\na\n````\nb\n`````\n");
    }
}
