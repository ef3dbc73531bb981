//! A Java regular expression as Flink's `topic-pattern` takes it, matched here against whole topic names.
//!
//! Topic names are made of ASCII letters, digits, `.`, `_` and `-` only, so the classes `\w`, `\d`, `\s` and `.` mean the same in both
//! languages. What does not mean the same, or does not exist here, is refused with the reason, never guessed at.

use regex::Regex;

/// The pattern as it is matched here, or why it cannot be.
pub(super) fn translate(java: &str) -> Result<Regex, String> {
    let mut out = String::with_capacity(java.len() + 8);
    out.push_str(r"\A(?:");
    let mut reader = Reader { rest: java, in_class: false, after_quantifier: false };
    while let Some(c) = reader.next() {
        reader.one(c, &mut out)?;
    }
    out.push_str(r")\z");
    Regex::new(&out).map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
        // The last line says what is wrong; those before it draw the pattern.
        other => {
            let text = other.to_string();
            let last = text.lines().last().unwrap_or_default();
            last.trim_start_matches("error: ").to_owned()
        }
    })
}

struct Reader<'a> {
    rest: &'a str,
    in_class: bool,
    /// Whether what was read last repeats what stands before it.
    after_quantifier: bool,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = self.rest.get(c.len_utf8()..).unwrap_or_default();
        Some(c)
    }

    /// Translates what begins with `c`.
    fn one(&mut self, c: char, out: &mut String) -> Result<(), String> {
        let after_quantifier = std::mem::take(&mut self.after_quantifier);
        match c {
            '\\' => return self.escape(out),
            _ if self.in_class => self.class_member(c)?,
            '[' => {
                self.in_class = true;
                out.push('[');
                if self.rest.starts_with('^') {
                    self.next();
                    out.push('^');
                }
                if self.rest.starts_with(']') {
                    return Err("a class that begins with `]` is read in more than one way".to_owned());
                }
                return Ok(());
            }
            '(' if self.rest.starts_with('?') => return self.group(out),
            '+' if after_quantifier => return Err("possessive quantifiers (`*+`, `++`, `?+`, `{n}+`) do not exist here".to_owned()),
            '*' if after_quantifier => return Err("two quantifiers follow each other".to_owned()),
            // `*?` and the like are lazy: the same for a match of the whole name.
            '?' if after_quantifier => {}
            '*' | '+' | '?' | '}' => self.after_quantifier = true,
            _ => {}
        }
        out.push(c);
        Ok(())
    }

    fn class_member(&mut self, c: char) -> Result<(), String> {
        match c {
            ']' => self.in_class = false,
            '[' => return Err("classes within classes are read differently here".to_owned()),
            '&' if self.rest.starts_with('&') => return Err("intersections of classes (`&&`) are read differently here".to_owned()),
            '-' if self.rest.starts_with('-') => return Err("`--` in a class is read differently here".to_owned()),
            '~' if self.rest.starts_with('~') => return Err("`~~` in a class is read differently here".to_owned()),
            _ => {}
        }
        Ok(())
    }

    /// What follows `(?`.
    fn group(&mut self, out: &mut String) -> Result<(), String> {
        let rest = self.rest.strip_prefix('?').unwrap_or_default();
        for (start, what) in [("=", "lookahead"), ("!", "lookahead"), ("<=", "lookbehind"), ("<!", "lookbehind"), (">", "atomic groups")] {
            if rest.starts_with(start) {
                return Err(format!("{what} (`(?{start}…)`) does not exist here"));
            }
        }
        out.push_str("(?");
        self.rest = rest;
        if rest.starts_with('<') {
            return Ok(());
        }
        let end = rest.find([':', ')']).ok_or_else(|| "a group is not closed".to_owned())?;
        let flags = rest.get(..end).unwrap_or_default();
        if !flags.chars().all(|flag| matches!(flag, 'i' | 'm' | 's' | '-')) {
            return Err(format!("of the flags only i, m and s mean the same here, not `{flags}`"));
        }
        Ok(())
    }

    /// What follows a backslash.
    fn escape(&mut self, out: &mut String) -> Result<(), String> {
        let Some(c) = self.next() else { return Err("it ends with a backslash".to_owned()) };
        match c {
            'Q' => {
                let (literal, rest) = self.rest.split_once("\\E").unwrap_or((self.rest, ""));
                out.push_str(&regex::escape(literal));
                self.rest = rest;
            }
            'd' | 'D' | 'w' | 'W' | 's' | 'S' | 't' | 'n' | 'r' | 'f' | 'a' | 'x' | 'u' => {
                out.push('\\');
                out.push(c);
            }
            'b' | 'B' | 'A' | 'z' if !self.in_class => {
                // `\b{g}` is Java's grapheme boundary, and another thing here.
                if self.rest.starts_with('{') {
                    return Err(format!("`\\{c}{{…}}` is read differently here"));
                }
                out.push('\\');
                out.push(c);
            }
            // Before a final line break, too; topic names have none.
            'Z' if !self.in_class => out.push_str(r"\z"),
            'p' | 'P' => return self.property(c == 'P', out),
            '1'..='9' | 'k' => return Err(format!("back-references (`\\{c}`) do not exist here")),
            _ if c.is_ascii_alphanumeric() => return Err(format!("`\\{c}` is not known here")),
            _ => out.push_str(&regex::escape(&c.to_string())),
        }
        Ok(())
    }

    /// `\p{…}`: Java's POSIX classes, and Unicode's general categories.
    fn property(&mut self, negated: bool, out: &mut String) -> Result<(), String> {
        let name = match self.rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            Some((name, rest)) => {
                self.rest = rest;
                name.to_owned()
            }
            None => self.next().map(String::from).unwrap_or_default(),
        };
        let posix = match name.as_str() {
            "Lower" | "Upper" | "ASCII" | "Alpha" | "Digit" | "Alnum" | "Punct" | "Graph" | "Print" | "Blank" | "Cntrl" | "XDigit"
            | "Space" => Some(name.to_ascii_lowercase()),
            _ => None,
        };
        match posix {
            Some(posix) => {
                let class = format!("[:{}{posix}:]", if negated { "^" } else { "" });
                if self.in_class {
                    out.push_str(&class);
                } else {
                    out.push_str(&format!("[{class}]"));
                }
            }
            None if matches!(
                name.as_str(),
                "L" | "Lu" | "Ll" | "Lt" | "Lm" | "Lo" | "N" | "Nd" | "Nl" | "No" | "P" | "S" | "Z" | "M" | "C"
            ) =>
            {
                out.push_str(&format!("\\{}{{{name}}}", if negated { 'P' } else { 'p' }));
            }
            None => return Err(format!("`\\p{{{name}}}` is not known here")),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values are what `java.util.regex.Pattern.matches` says (Java 17).
    #[test]
    fn what_java_matches() {
        for (pattern, yes, no) in [
            ("user-.*", &["user-", "user-events"][..], &["a-user-events", "user"][..]),
            ("a|ab", &["a", "ab"], &["abc"]),
            (r"orders\.v[0-9]+", &["orders.v1", "orders.v22"], &["ordersxv1", "orders.v"]),
            (r"\Qa.b\E-\d{2}", &["a.b-12"], &["axb-12", "a.b-1"]),
            (r"\Qa.b", &["a.b"], &["axb"]),
            ("(?i)Orders", &["ORDERS", "orders"], &["order"]),
            ("(?<kind>a|b)-x", &["a-x", "b-x"], &["c-x"]),
            ("^a.*z$", &["az", "abcz"], &["a"]),
            (r"\p{Lower}+[\p{Digit}_-]*", &["ab", "ab1_-2"], &["Ab"]),
            (r"\P{Upper}+", &["ab1"], &["aB"]),
            (r"[^\p{Upper}]+", &["ab1"], &["aB"]),
            (r"\<a\>", &["<a>"], &["a"]),
            ("a+?b??", &["a", "ab", "aab"], &["b"]),
            (r"a\Z", &["a"], &["ab"]),
            (r"a-", &["a-"], &["a--"]),
            ("", &[""], &["a"]),
        ] {
            let regex = translate(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
            for name in yes {
                assert!(regex.is_match(name), "{pattern} matches {name}");
            }
            for name in no {
                assert!(!regex.is_match(name), "{pattern} does not match {name}");
            }
        }
    }

    #[test]
    fn what_cannot_be_matched_here_is_refused_with_the_reason() {
        for (pattern, reason) in [
            ("(?!test-).*", "lookahead"),
            ("(?=a)a", "lookahead"),
            ("a(?<!b)", "lookbehind"),
            ("(?<=a)b", "lookbehind"),
            ("(?>a)b", "atomic"),
            ("a*+", "possessive"),
            ("a{2}+", "possessive"),
            (r"(a)\1", "back-reference"),
            (r"(?<x>a)\k<x>", "back-reference"),
            ("[a-z&&[^b]]", "intersection"),
            ("[a[b]]", "classes within classes"),
            ("[+--]", "`--`"),
            ("(?U)a", "flags"),
            ("(?x)a b", "flags"),
            (r"\h", "not known"),
            (r"\p{javaLowerCase}", "not known"),
            ("(a", "unclosed"),
            ("[a", "unclosed"),
            ("a\\", "backslash"),
            ("a{1000000}", ""),
        ] {
            let error = translate(pattern).expect_err(pattern);
            assert!(error.contains(reason), "{pattern}: {error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }
}
