//! The tree that a file becomes.

use std::ops::Range;

/// A value and where it stands in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub position: Position,
}

/// A place in a file, both 1-based.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line.
    pub line: u32,
    /// Column, in characters.
    pub column: u32,
}

/// A place in a file, for people and for cutting an excerpt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Line and column.
    pub position: Position,
    /// The bytes of the text.
    pub span: Range<usize>,
}

/// One value of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// Where it stands; for an alias, where the value is defined.
    pub place: Place,
    /// How many values it holds, itself included.
    pub size: usize,
    /// How many levels it has, itself included.
    pub depth: usize,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`, `~` or nothing at all.
    Null,
    /// A text, number or boolean: the text as written, escapes of quoted text resolved.
    Scalar {
        /// The text.
        text: String,
        /// Whether it was quoted, or a block of text.
        quoted: bool,
    },
    /// A list.
    List(Vec<Node>),
    /// A map, in the order of the file.
    Map(Vec<Entry>),
}

/// One key of a map with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub place: Place,
    /// The value.
    pub value: Node,
}

impl Node {
    /// The entries, if it is a map.
    #[must_use]
    pub fn entries(&self) -> Option<&[Entry]> {
        match &self.value {
            Value::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The value of `key`, if it is a map that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries()?.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    /// The items, if it is a list.
    #[must_use]
    pub fn items(&self) -> Option<&[Self]> {
        match &self.value {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// The text, if it is a scalar.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Whether nothing stands there.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.value == Value::Null
    }

    /// What it is, in a sentence: `a list`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "nothing",
            Value::Scalar { .. } => "a single value",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }
}
