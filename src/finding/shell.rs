//! Words of a shell, for commands that are printed to be pasted.
//!
//! What a reader has to fill in is a variable that must be set: `"${JOB_ID:?…}"` ends the command with that message before anything is run,
//! whereas `<job id>` would be read as a redirection.

/// `text` as one word of bash, on one line whatever it holds.
#[must_use]
pub fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | ':' | '.' | '_' | '-' | '=' | '@' | '%' | '+' | ',');
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    let obeyed = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if !text.chars().any(obeyed) {
        return format!("'{}'", text.replace('\'', r"'\''"));
    }
    let mut quoted = String::from("$'");
    for c in text.chars() {
        match c {
            '\'' => quoted.push_str(r"\'"),
            '\\' => quoted.push_str(r"\\"),
            c if obeyed(c) => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    quoted.push_str(&format!(r"\x{byte:02x}"));
                }
            }
            c => quoted.push(c),
        }
    }
    quoted.push('\'');
    quoted
}

/// A variable that the reader has to set first, as one word. `hint`: what to set it to, in letters, digits, spaces, `-`, `/`, `:`, `.` and `,`.
#[must_use]
pub fn variable(name: &str, hint: &str) -> String {
    format!("\"${{{name}:?{hint}}}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_can_hold_anything_and_stays_one_word() {
        assert_eq!(word("s3://b/sp/x/"), "s3://b/sp/x/");
        assert_eq!(word("save points/$(x)"), "'save points/$(x)'");
        assert_eq!(word("it's"), r"'it'\''s'");
        assert_eq!(word("a\nb'c\\d"), r"$'a\x0ab\'c\\d'");
        assert_eq!(word("a\u{202e}b"), r"$'a\xe2\x80\xaeb'");
        assert_eq!(word(""), "''");
    }

    #[test]
    fn what_is_not_set_ends_the_command() {
        assert_eq!(variable("JOB_ID", "set it first"), "\"${JOB_ID:?set it first}\"");
    }
}
