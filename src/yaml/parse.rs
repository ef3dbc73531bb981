//! From text to the tree, within bounds.

use std::collections::BTreeMap;

use serde_yaml::granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, Span, options};

use super::{Entry, Node, Place, Position, Problems, Value, quoted};

/// The deepest nesting that is read.
pub const MAX_DEPTH: usize = 32;
/// The largest tree that is read, in values; what aliases repeat counts each time, and so does every 32nd byte of text.
pub const MAX_NODES: usize = 100_000;

/// The tree of a file. `None`: it is not YAML, or goes beyond the bounds; the problem is recorded.
///
/// Anchors and aliases are read; merge keys (`<<`), tags (`!x`), directives, keys that are no text, and further documents are refused, each
/// with its place. A key that stands twice is refused, too; the first one counts until then.
#[must_use]
pub fn parse(problems: &mut Problems<'_>) -> Option<Node> {
    let text = problems.text();
    let options = options! {
        disallow_directives: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
        max_buffered_comment_events: usize::MAX,
    };
    let mut tree = Tree::default();
    for next in Parser::new_from_str_with_options(text, options) {
        let step = match next {
            Ok((event, span)) => tree.take(event, &span, problems),
            Err(error) => Err(unreadable(&error)),
        };
        if let Err(Stop { place, message, hint }) = step {
            problems.stop(place, message, hint);
            return None;
        }
    }
    let root = tree.root?;
    problems.know(&root);
    Some(root)
}

/// Why reading ends early.
struct Stop {
    place: Place,
    message: String,
    hint: Option<&'static str>,
}

/// The tree so far.
#[derive(Default)]
struct Tree {
    root: Option<Node>,
    open: Vec<Open>,
    anchors: BTreeMap<usize, Node>,
    size: usize,
    documents: usize,
}

/// A list or map whose end has not come yet.
struct Open {
    place: Place,
    anchor: usize,
    size: usize,
    depth: usize,
    content: Content,
}

enum Content {
    List(Vec<Node>),
    Map { entries: Vec<Entry>, lines: BTreeMap<String, u32>, key: Option<Key> },
}

/// A key whose value has not come yet; `None` in it: the key was refused, and its value is dropped.
struct Key {
    text: Option<String>,
    place: Place,
}

impl Tree {
    fn take(&mut self, event: Event<'_>, span: &Span, problems: &mut Problems<'_>) -> Result<(), Stop> {
        let place = place(span);
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(stop(place, "a second document begins here", Some("keep one document in a file")));
                }
                Ok(())
            }
            Event::Comment(..) => {
                problems.comment(place.span);
                Ok(())
            }
            Event::Scalar(text, style, anchor, tag) => {
                if let Some(tag) = tag {
                    refuse_tag(&tag.original(), &place, problems);
                }
                let plain = style == ScalarStyle::Plain;
                let value = if plain && matches!(text.as_ref(), "" | "~" | "null" | "Null" | "NULL") {
                    Value::Null
                } else {
                    Value::Scalar { text: text.into_owned(), quoted: !plain }
                };
                let size = 1 + value_bytes(&value) / 32;
                self.add(Node { value, place, size, depth: 1 }, anchor, problems)
            }
            Event::SequenceStart(_, anchor, tag) => {
                if let Some(tag) = tag {
                    refuse_tag(&tag.original(), &place, problems);
                }
                self.open(place, anchor, Content::List(Vec::new()))
            }
            Event::MappingStart(_, anchor, tag) => {
                if let Some(tag) = tag {
                    refuse_tag(&tag.original(), &place, problems);
                }
                self.open(place, anchor, Content::Map { entries: Vec::new(), lines: BTreeMap::new(), key: None })
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(Open { mut place, anchor, size, depth, content }) = self.open.pop() else { return Ok(()) };
                let value = match content {
                    Content::List(items) => Value::List(items),
                    Content::Map { entries, .. } => Value::Map(entries),
                };
                place.span.end = place.span.end.max(span.byte_range().map_or(0, |range| range.end));
                // What it holds was counted when it was added to it.
                self.size = self.size.saturating_sub(size);
                self.add(Node { value, place, size: size + 1, depth: depth + 1 }, anchor, problems)
            }
            Event::Alias(id) => match self.anchors.get(&id) {
                Some(node) if self.size.saturating_add(node.size) > MAX_NODES || self.open.len() + node.depth > MAX_DEPTH => {
                    Err(stop(place, "this alias makes the file too large", Some("write the values out")))
                }
                Some(node) => {
                    let node = node.clone();
                    self.add(node, 0, problems)
                }
                None => Err(stop(place, "this alias stands inside the value that it names", Some("write the values out"))),
            },
            _ => Ok(()),
        }
    }

    fn open(&mut self, place: Place, anchor: usize, content: Content) -> Result<(), Stop> {
        if self.open.len() >= MAX_DEPTH {
            return Err(too_deep(place));
        }
        self.open.push(Open { place, anchor, size: 0, depth: 0, content });
        Ok(())
    }

    /// Puts a finished node where it belongs.
    fn add(&mut self, node: Node, anchor: usize, problems: &mut Problems<'_>) -> Result<(), Stop> {
        self.size = self.size.saturating_add(node.size);
        if self.size > MAX_NODES {
            return Err(stop(node.place, "the file holds too many values up to here", Some("split it: one manifest for each job")));
        }
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        open.size += node.size;
        open.depth = open.depth.max(node.depth);
        match &mut open.content {
            Content::List(items) => items.push(node),
            Content::Map { entries, lines, key } => match key.take() {
                None => *key = Some(read_key(node, lines, problems)),
                Some(Key { text: Some(text), place }) => entries.push(Entry { key: text, place, value: node }),
                // The value of a refused key may be anything, a secret included.
                Some(Key { text: None, .. }) => problems.mask(node.place.span),
            },
        }
        Ok(())
    }
}

fn value_bytes(value: &Value) -> usize {
    match value {
        Value::Scalar { text, .. } => text.len(),
        _ => 0,
    }
}

/// The key that a node is. One that cannot be used keeps its value, which may be a secret, out of sight.
fn read_key(node: Node, lines: &mut BTreeMap<String, u32>, problems: &mut Problems<'_>) -> Key {
    let place = node.place;
    let refused = match node.value {
        Value::Scalar { text, quoted: false } if text == "<<" => ("merge keys (`<<`) are not read".to_owned(), "write the keys out"),
        Value::Scalar { text, .. } if text.chars().any(char::is_control) => {
            problems.mask(place.span.clone());
            ("a key holds a control character".to_owned(), "write it on one line, without escapes")
        }
        Value::Scalar { text, .. } => {
            let Some(line) = lines.get(&text) else {
                lines.insert(text.clone(), place.position.line);
                return Key { text: Some(text), place };
            };
            (format!("the key {} stands twice, first on line {line}", quoted(&text)), "remove one of them")
        }
        Value::Null => ("a key is missing here".to_owned(), "write `key: value`"),
        Value::List(_) | Value::Map(_) => {
            problems.mask(place.span.clone());
            let hint = "templates such as `{{ name }}` are not expanded; a value that begins with `{` or `[` must be quoted";
            ("a key must be text".to_owned(), hint)
        }
    };
    problems.advise(&place, refused.0, refused.1);
    Key { text: None, place }
}

fn refuse_tag(tag: &str, place: &Place, problems: &mut Problems<'_>) {
    problems.advise(place, format!("the tag {} is not read", quoted(tag)), "remove it; a text that begins with `!` must be quoted");
}

fn place(span: &Span) -> Place {
    Place { position: position(span.start.line(), span.start.col()), span: span.byte_range().unwrap_or_default() }
}

fn position(line: usize, column: usize) -> Position {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Position { line: number(line.max(1)), column: number(column.saturating_add(1)) }
}

fn stop(place: Place, message: impl Into<String>, hint: Option<&'static str>) -> Stop {
    Stop { place, message: message.into(), hint }
}

fn too_deep(place: Place) -> Stop {
    stop(place, format!("nested deeper than {MAX_DEPTH} levels"), Some("no key of a manifest or audit file lies that deep"))
}

/// What the parser cannot read, in words that name the next step.
fn unreadable(error: &ScanError) -> Stop {
    let mark = error.marker();
    let at = mark.byte_offset().unwrap_or_default();
    let place = Place { position: position(mark.line(), mark.col()), span: at..at };
    let hint = match error.kind() {
        ErrorKind::RecursionLimitExceeded => return too_deep(place),
        ErrorKind::BomInsideDocument => return stop(place, "a byte order mark stands inside the file", Some("remove it")),
        ErrorKind::DirectiveDisallowed => return stop(place, "directives (`%`) are not read", Some("remove the line")),
        ErrorKind::UnknownAnchor => {
            return stop(place, "no anchor of this name stands above", Some("a text that begins with `*` must be quoted"));
        }
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabInPlainScalar
        | ErrorKind::TabAtBlockScalarStart => Some("indent with spaces: YAML does not allow tabs there"),
        ErrorKind::UnclosedQuotedScalar => Some("close the quote"),
        ErrorKind::UnclosedFlowCollection { .. }
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofImplicitFlowMapping => Some("close the bracket"),
        ErrorKind::MappingValueNotAllowed | ErrorKind::InvalidColonPlacement | ErrorKind::InvalidMappingValueWhitespace => {
            Some("a value that holds `: ` must be quoted; check the indentation of this line and the one above")
        }
        ErrorKind::UnexpectedCharacter { .. } => Some("a value that begins with `@`, a backtick or `%` must be quoted"),
        _ => Some("check the indentation and the quotes of this line and the one above"),
    };
    stop(place, format!("not YAML: {}", error.info()), hint)
}
