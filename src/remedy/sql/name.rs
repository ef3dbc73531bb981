//! Names of tables and columns, as a manifest spells them and as SQL has to quote them.

use std::fmt;

use super::Dialect;

/// A name, exactly as the database keeps it. Its display form is quoted, so that no name is read as anything else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

impl Name {
    /// Reads a name as SQL would: within double quotes it is taken exactly; a plain word is folded to lower case, which is what PostgreSQL
    /// and Redshift do; anything else could only have been written in quotes, so it is taken exactly.
    ///
    /// # Errors
    ///
    /// Why no such name can exist.
    pub fn read(text: &str, dialect: Dialect) -> Result<Self, String> {
        let text = text.trim();
        let name = match text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            Some(inner) => {
                let name = inner.replace("\"\"", "\u{0}");
                if name.contains('"') {
                    return Err(format!("{text:?} has a double quote within its quotes; write it twice"));
                }
                name.replace('\u{0}', "\"")
            }
            None if is_plain(text) => text.to_lowercase(),
            None => text.to_owned(),
        };
        Self::exact(name, dialect)
    }

    fn exact(name: String, dialect: Dialect) -> Result<Self, String> {
        let limit = dialect.longest_name();
        if name.is_empty() {
            return Err("a name is empty".to_owned());
        }
        if name.contains('\0') {
            return Err(format!("{name:?} holds a NUL, which no name can"));
        }
        if name.len() > limit {
            return Err(format!("{name:?} has {} bytes, and {dialect} keeps {limit} of a name", name.len()));
        }
        Ok(Self(name))
    }

    /// This name with something behind it, shortened where that would be too long.
    #[must_use]
    pub fn with(&self, suffix: &str, dialect: Dialect) -> Self {
        let room = dialect.longest_name().saturating_sub(suffix.len());
        let end = (0..=room.min(self.0.len())).rev().find(|end| self.0.is_char_boundary(*end)).unwrap_or_default();
        Self(format!("{}{suffix}", self.0.get(..end).unwrap_or_default()))
    }

    /// The name itself.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it has letters that a database which folds names would change.
    #[must_use]
    pub fn has_upper_case(&self) -> bool {
        self.0.chars().any(char::is_uppercase)
    }
}

/// A word that SQL reads without quotes.
fn is_plain(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.replace('"', "\"\""))
    }
}

/// A table's name: `schema.table`, or `table`, which the search path finds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableName {
    /// The database, where the manifest names it: one has to be connected to it.
    pub database: Option<Name>,
    /// The schema.
    pub schema: Option<Name>,
    /// The table.
    pub table: Name,
}

impl TableName {
    /// Reads `table`, `schema.table` or `database.schema.table`; dots within double quotes belong to a name.
    ///
    /// # Errors
    ///
    /// Why it is not such a name.
    pub fn read(text: &str, dialect: Dialect) -> Result<Self, String> {
        let mut parts = split(text).into_iter().rev().map(|part| Name::read(part, dialect));
        let table = parts.next().unwrap_or_else(|| Err("a name is empty".to_owned()))?;
        let schema = parts.next().transpose()?;
        let database = parts.next().transpose()?;
        if parts.next().is_some() {
            return Err(format!("{text:?} has more parts than database, schema and table"));
        }
        Ok(Self { database, schema, table })
    }

    /// The same schema, another table.
    #[must_use]
    pub fn sibling(&self, table: Name) -> Self {
        Self { database: None, schema: self.schema.clone(), table }
    }
}

/// Without the database: neither dialect changes tables of another one.
impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.schema {
            Some(schema) => write!(f, "{schema}.{}", self.table),
            None => self.table.fmt(f),
        }
    }
}

/// At the dots outside double quotes.
fn split(text: &str) -> Vec<&str> {
    let mut quoted = false;
    text.split(|c| {
        quoted ^= c == '"';
        c == '.' && !quoted
    })
    .collect()
}

/// A text as a literal.
#[must_use]
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> String {
        TableName::read(text, Dialect::Postgres).map_or_else(|error| error, |name| name.to_string())
    }

    #[test]
    fn a_name_is_read_as_sql_reads_it() {
        for (written, quoted) in [
            ("analytics.user_engagement", r#""analytics"."user_engagement""#),
            ("Analytics.Orders", r#""analytics"."orders""#),
            (r#""Analytics"."Ord.ers""#, r#""Analytics"."Ord.ers""#),
            ("order", r#""order""#),
            ("dev.public.order", r#""public"."order""#),
            ("a-B", r#""a-B""#),
            (r#"x"; DROP TABLE y; --"#, r#""x""; DROP TABLE y; --""#),
            (r#""a""b""#, r#""a""b""#),
        ] {
            assert_eq!(table(written), quoted, "{written}");
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for written in ["", "a..b", "a.b.c.d", "\"\"", "a\0b", &"x".repeat(64), r#""a"b""#] {
            assert!(TableName::read(written, Dialect::Postgres).is_err(), "{written:?}");
        }
        assert!(TableName::read(&"x".repeat(127), Dialect::Redshift).is_ok());
    }

    #[test]
    fn a_longer_name_stays_within_the_limit() {
        let long = Name::read(&"ä".repeat(31), Dialect::Postgres).expect("62 bytes");
        let name = long.with("_suffix", Dialect::Postgres);
        assert!(name.as_str().len() <= 63 && name.as_str().ends_with("ä_suffix"), "{name}");
    }
}
