//! Everything that is wrong in one file.

use std::ops::Range;

use super::{
    Diagnostic, Node, Place, Value, excerpt,
    secrets::{is_secret_key, looks_like_a_lost_value, may_show_property},
};

/// Collects what is wrong in one file. Excerpts are drawn at the end, when all that must be masked is known.
#[derive(Debug)]
pub struct Problems<'t> {
    file: &'t str,
    text: &'t str,
    masks: Vec<Range<usize>>,
    comments: Vec<Range<usize>>,
    found: Vec<Problem>,
    complete: bool,
    more: bool,
}

/// The most problems that are named for one file.
const MOST: usize = 200;

#[derive(Debug)]
struct Problem {
    place: Place,
    message: String,
    hint: Option<String>,
}

impl<'t> Problems<'t> {
    /// Nothing wrong yet in `file`, whose text is `text`.
    #[must_use]
    pub const fn new(file: &'t str, text: &'t str) -> Self {
        Self { file, text, masks: Vec::new(), comments: Vec::new(), found: Vec::new(), complete: true, more: false }
    }

    /// The text of the file.
    #[must_use]
    pub const fn text(&self) -> &'t str {
        self.text
    }

    /// Whether something is wrong.
    #[must_use]
    pub const fn any(&self) -> bool {
        !self.found.is_empty()
    }

    /// Records a problem whose message says enough.
    pub fn add(&mut self, place: &Place, message: impl Into<String>) {
        self.push(Problem { place: place.clone(), message: message.into(), hint: None });
    }

    /// Records a problem with the next step.
    pub fn advise(&mut self, place: &Place, message: impl Into<String>, hint: impl Into<String>) {
        self.push(Problem { place: place.clone(), message: message.into(), hint: Some(hint.into()) });
    }

    fn push(&mut self, problem: Problem) {
        if self.is_full() {
            self.more = true;
        } else {
            self.found.push(problem);
        }
    }

    /// Whether as many problems are recorded as are named for one file; looking for more of a kind is of no use then.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.found.len() >= MOST
    }

    /// Keeps these bytes out of every excerpt.
    pub fn mask(&mut self, span: Range<usize>) {
        self.masks.push(span);
    }

    /// A comment: excerpts leave it out.
    pub(super) fn comment(&mut self, span: Range<usize>) {
        self.comments.push(span);
    }

    /// Reading ended before the end of the file: what is secret in it is not known, so excerpts are drawn with care.
    pub(super) fn stop(&mut self, place: Place, message: String, hint: Option<&'static str>) {
        self.complete = false;
        self.found.push(Problem { place, message, hint: hint.map(str::to_owned) });
    }

    /// Masks what is secret in the finished tree.
    pub(super) fn know(&mut self, root: &Node) {
        self.find_secrets(root, &mut Vec::new());
    }

    fn find_secrets<'n>(&mut self, node: &'n Node, path: &mut Vec<&'n str>) {
        match &node.value {
            Value::Map(entries) => {
                for entry in entries {
                    if looks_like_a_lost_value(&entry.key) {
                        self.masks.push(entry.place.span.clone());
                    }
                    let in_kafka = path.first() == Some(&"kafka");
                    if is_secret_key(&entry.key) || (in_kafka && path.len() >= 2 && !may_show_property(&entry.key)) {
                        self.mask_values(&entry.value);
                    } else {
                        path.push(&entry.key);
                        self.find_secrets(&entry.value, path);
                        path.pop();
                    }
                }
            }
            Value::List(items) => items.iter().for_each(|item| self.find_secrets(item, path)),
            Value::Scalar { .. } if path.first() == Some(&"kafka") && path.len() < 3 => self.mask_values(node),
            _ => {}
        }
    }

    /// Masks every scalar and key of `node`, but not a value that is only a reference to a variable.
    pub fn mask_values(&mut self, node: &Node) {
        match &node.value {
            Value::Scalar { text, .. } if is_reference(text) => {}
            Value::Scalar { .. } => self.masks.push(node.place.span.clone()),
            Value::List(items) => items.iter().for_each(|item| self.mask_values(item)),
            Value::Map(entries) => {
                for entry in entries {
                    self.masks.push(entry.place.span.clone());
                    self.mask_values(&entry.value);
                }
            }
            Value::Null => {}
        }
    }

    /// Masks everything that `node` holds.
    pub fn mask_all(&mut self, node: &Node) {
        if !node.is_null() {
            self.masks.push(node.place.span.clone());
        }
        if let Value::List(_) | Value::Map(_) = node.value {
            // An alias: what it names lies elsewhere.
            self.mask_values(node);
        }
    }

    /// All problems, in the order of the file.
    #[must_use]
    pub fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.found.sort_by_key(|problem| problem.place.position);
        if !self.complete {
            self.mask_unread();
        }
        let (file, text, masks, comments) = (self.file, self.text, self.masks, self.comments);
        let mut diagnostics: Vec<Diagnostic> = self
            .found
            .into_iter()
            .map(|Problem { place, message, hint }| Diagnostic {
                file: file.to_owned(),
                position: Some(place.position),
                message,
                excerpt: excerpt::draw(text, &place, &masks, &comments),
                hint,
            })
            .collect();
        diagnostics.dedup();
        if self.more {
            let hint = "mend these first; the others are named then".to_owned();
            diagnostics.push(Diagnostic::of_file(file, format!("more than {MOST} errors"), Some(hint)));
        }
        diagnostics
    }
}

impl Problems<'_> {
    /// Masks lines of a file that could not be read to its end. Which values are secret in it is not known: as soon as anything up to the
    /// line looks like a secret, no value of the line is shown.
    fn mask_unread(&mut self) {
        for problem in &self.found {
            let at = problem.place.span.start.min(self.text.len());
            let (Some(before), Some(after)) = (self.text.get(..at), self.text.get(at..)) else { continue };
            let start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
            let end = at + after.find(['\n', '\r']).unwrap_or(after.len());
            let Some(so_far) = self.text.get(..end) else { continue };
            if so_far.lines().any(|line| is_secret_key(line) || line.trim_start_matches(['"', '\'', ' ', '{']).starts_with("kafka")) {
                let key = so_far.get(start..).and_then(|line| line.find(':')).unwrap_or(0);
                let quotes = so_far.get(start..).is_some_and(|line| line.contains(['"', '\'']));
                self.masks.push(if quotes || key == 0 { start..end } else { start + key + 1..end });
            }
        }
    }
}

/// Whether the text is nothing but `${VAR}`.
fn is_reference(text: &str) -> bool {
    text.strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'))
        .is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

/// A text of the user in a message: in backticks, control characters replaced, cut to a readable length.
#[must_use]
pub fn quoted(text: &str) -> String {
    const LENGTH: usize = 80;
    let mut shown: String = text.chars().take(LENGTH).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(LENGTH).is_some() {
        shown.push('…');
    }
    format!("`{}`", excerpt::without_user_info(&shown))
}
