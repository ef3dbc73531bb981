//! What is wrong in a file, and where.

use std::fmt;

use super::Position;

/// What is wrong in a file: one sentence, its place, the line it is about, and what to do.
///
/// It never holds a secret: the excerpt is drawn with secrets masked, and messages quote no value that may be one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// The file, as it is named to people.
    pub file: String,
    /// Where in it. `None`: the file as a whole.
    pub position: Option<Position>,
    /// What is wrong, without a full stop.
    pub message: String,
    /// The line.
    pub excerpt: Option<Excerpt>,
    /// The next step, if there is one to name.
    pub hint: Option<String>,
}

/// A line of a file, secrets masked, cut to a readable width.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Excerpt {
    /// The line's number, 1-based.
    pub number: u32,
    /// The line as shown.
    pub line: String,
    /// How many characters stand before the caret in `line`.
    pub caret: usize,
}

impl Diagnostic {
    /// A diagnostic about a file as a whole.
    #[must_use]
    pub fn of_file(file: impl Into<String>, message: impl Into<String>, hint: Option<String>) -> Self {
        Self { file: file.into(), position: None, message: message.into(), excerpt: None, hint }
    }
}

/// As stderr shows it:
///
/// ```text
/// jobs/a.yaml:12:9: `ttl` is empty
///    |
/// 12 |         ttl:
///    |         ^
///    = write a duration such as 7d, or never, or unknown
/// ```
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(position) = self.position {
            write!(f, ":{}:{}", position.line, position.column)?;
        }
        write!(f, ": {}", self.message)?;
        let mut width = 2;
        if let Some(Excerpt { number, line, caret }) = &self.excerpt {
            let number = number.to_string();
            width = number.len();
            write!(f, "\n{:width$} |\n{number} | {line}\n{:width$} | {:caret$}^", "", "", "")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n{:width$} = {hint}", "")?;
        }
        Ok(())
    }
}
