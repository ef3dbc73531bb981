//! YAML in, with the place of every key and value; diagnostics out.
//!
//! A file becomes a tree of lenient values first ([`parse`]): the text of each scalar as written, its line and its column. What the values
//! mean is read from the tree by hand ([`Problems`], [`Fields`]), so that one run names every error of a file and not the first one only.
//!
//! Excerpts are drawn here, with secrets masked; nothing else quotes a line of a file.

mod decode;
mod diagnostic;
mod excerpt;
mod fields;
mod nearest;
mod node;
mod parse;
mod problems;
mod secrets;
pub mod values;

pub use decode::{MAX_BYTES, decode};
pub use diagnostic::{Diagnostic, Excerpt};
pub use excerpt::{excerpt, line_excerpt};
pub use fields::Fields;
pub use nearest::nearest;
pub use node::{At, Entry, Node, Place, Position, Value};
pub use parse::{MAX_DEPTH, MAX_NODES, parse};
pub use problems::{Problems, quoted};
pub use secrets::{is_secret_key, looks_like_a_lost_value};
