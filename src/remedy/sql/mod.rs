//! SQL for the damage that is done: how many rows were written twice, on which days, and how to take them out again.
//!
//! Every statement is made for one table of one sink. The first two only read. The de-duplication is one transaction: it locks the table,
//! copies the rows to keep into a staging table of the same columns, compares counts, and swaps the two by name, so that the original stays as a
//! back-up. Where the counts do not fit it ends in an error, and nothing is changed.

mod name;
mod postgres;
mod redshift;
mod script;
mod tables;

use std::{fmt, str::FromStr};

pub use name::{Name, TableName, literal};
pub use script::{Script, Statements, script, to_json, to_text};
pub use tables::{LeftOut, SinkTable, Tables, tables};

/// Whose SQL is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// Amazon Redshift.
    Redshift,
    /// PostgreSQL 12 and later.
    Postgres,
}

impl Dialect {
    /// How many bytes of a name it keeps. PostgreSQL: NAMEDATALEN − 1; Redshift: "Names and identifiers" of its manual.
    const fn longest_name(self) -> usize {
        match self {
            Self::Redshift => 127,
            Self::Postgres => 63,
        }
    }

    /// `redshift` or `postgres`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Redshift => "redshift",
            Self::Postgres => "postgres",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Redshift => "Redshift",
            Self::Postgres => "PostgreSQL",
        })
    }
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::Redshift, Self::Postgres]
            .into_iter()
            .find(|dialect| dialect.word() == text)
            .ok_or_else(|| format!("`{text}` is not a dialect; write redshift or postgres"))
    }
}
