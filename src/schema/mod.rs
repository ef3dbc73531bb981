//! JSON Schemas of what people write and programs read: manifest, audit file, evidence, report.
//!
//! Evidence and report are described by the types that write them. Manifests and audit files are validated by hand, for the sake of their
//! error messages; [`written`] has their form as it is written, and a test holds it against the keys and words that the parser knows.

mod scalars;
mod tidy;
pub mod written;

use std::{fmt, str::FromStr};

use schemars::{JsonSchema, Schema, generate::SchemaSettings};

use crate::{evidence::Evidence, report::Report};

/// A document that has a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// A job manifest.
    Manifest,
    /// An audit file.
    Audit,
    /// Evidence.
    Evidence,
    /// The JSON report of one audit.
    Report,
}

impl Document {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Manifest, Self::Audit, Self::Evidence, Self::Report];

    /// The word on the command line, and the name of the file in `schema/`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Manifest => "manifest",
            Self::Audit => "audit",
            Self::Evidence => "evidence",
            Self::Report => "report",
        }
    }
}

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Document {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|document| document.word() == text).ok_or_else(|| {
            let words = Self::ALL.map(Self::word).join(", ");
            format!("there is no schema `{text}`; write one of {words}")
        })
    }
}

/// The schema of a document, JSON Schema draft 7: the draft that editors know best.
#[must_use]
pub fn of(document: Document) -> Schema {
    match document {
        Document::Manifest => tidy::written(root::<written::Manifest>()),
        Document::Audit => tidy::written(root::<written::AuditFile>()),
        Document::Evidence => root::<Evidence>(),
        Document::Report => root::<Report>(),
    }
}

/// The schema as text; the same program gives the same text, byte for byte.
///
/// # Errors
///
/// If it cannot be written as JSON.
pub fn to_json(document: Document) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(&of(document))?;
    text.push('\n');
    Ok(text)
}

fn root<T: JsonSchema>() -> Schema {
    SchemaSettings::draft07().into_generator().into_root_schema_for::<T>()
}
