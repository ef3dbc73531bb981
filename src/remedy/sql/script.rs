//! The SQL of a table, and the page of all tables.

use serde::Serialize;

use super::{Dialect, LeftOut, Name, SinkTable, Tables, postgres, redshift};

/// Everything that is written for some jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Script {
    /// Whose SQL it is.
    pub dialect: &'static str,
    /// One entry for each table and key.
    pub tables: Vec<Statements>,
    /// Sinks for which no SQL can be written.
    pub left_out: Vec<LeftOut>,
}

/// The SQL of one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Statements {
    /// The table, quoted.
    pub table: String,
    /// The key columns, as the database keeps their names.
    pub key: Vec<String>,
    /// The column that says when a row was written.
    pub ingested_at: Option<String>,
    /// The sinks that write it, as `job / sink`.
    pub sinks: Vec<String>,
    /// What to know before any of it is run.
    pub notes: Vec<String>,
    /// Counts duplicates; only reads.
    pub count: String,
    /// Counts them by day; only reads. Absent without `ingested_at`.
    pub by_day: Option<String>,
    /// Takes them out: one transaction. Absent where it cannot be said which row is kept, unless any may be.
    pub deduplicate: Option<String>,
}

/// Writes the SQL. With `keep_any` the de-duplication is also written for tables whose manifest states no `ingested_at`.
#[must_use]
pub fn script(tables: Tables, dialect: Dialect, keep_any: bool) -> Script {
    Script {
        dialect: dialect.word(),
        tables: tables.tables.iter().map(|table| statements(table, dialect, keep_any)).collect(),
        left_out: tables.left_out,
    }
}

fn statements(table: &SinkTable, dialect: Dialect, keep_any: bool) -> Statements {
    let dated = table.ingested_at.is_some();
    Statements {
        table: table.table.to_string(),
        key: table.key.iter().map(|name| name.as_str().to_owned()).collect(),
        ingested_at: table.ingested_at.as_ref().map(|name| name.as_str().to_owned()),
        sinks: table.sinks.clone(),
        notes: notes(table, dialect, keep_any),
        count: count(table),
        by_day: table.ingested_at.as_ref().map(|ingested_at| by_day(table, ingested_at)),
        deduplicate: (dated || keep_any).then(|| match dialect {
            Dialect::Postgres => postgres::deduplicate(table),
            Dialect::Redshift => redshift::deduplicate(table),
        }),
    }
}

fn notes(table: &SinkTable, dialect: Dialect, keep_any: bool) -> Vec<String> {
    let mut notes = vec![
        "Rows are duplicates if every key column is equal. A row with a NULL in a key column has no identity: it is kept, and is no duplicate of any \
         other."
            .to_owned(),
    ];
    match (&table.ingested_at, dialect) {
        (Some(column), Dialect::Postgres) => notes.push(format!(
            "Of equal keys the row with the earliest {column} stays, NULL counting as the latest; of rows that are equal in that too, the one whose \
             text sorts first."
        )),
        (Some(column), Dialect::Redshift) => notes.push(format!(
            "Of equal keys the row with the earliest {column} stays, NULL counting as the latest. Of rows that are equal in that too Redshift keeps any \
             one; where they can differ in other columns, add those columns after {column} in each ORDER BY."
        )),
        (None, _) if keep_any => notes.push(
            "The manifest states no `ingested_at`: which of the rows with one key was written first is not known. Any may stay (--keep-any), and there \
             is no count by day."
                .to_owned(),
        ),
        (None, _) => notes.push(
            "The manifest states no `ingested_at` (the column that says when a row was written): there is no count by day, and which row to keep \
             cannot be told. State it, or ask for --keep-any if it does not matter."
                .to_owned(),
        ),
    }
    if table.idempotent {
        notes.push(
            "The manifest says that the target merges on its key; if so, there are no duplicates here, and the first count shows it."
                .to_owned(),
        );
    }
    if let Some(database) = &table.table.database {
        notes.push(format!("Connect to database {database} first."));
    }
    if table.table.schema.is_none() {
        notes.push("The manifest names no schema: the search path of the session decides which table this is.".to_owned());
    }
    notes
}

/// `a IS NOT NULL AND b IS NOT NULL` of the key columns of the row `r`.
pub(super) fn has_key(key: &[Name]) -> String {
    key.iter().map(|name| format!("r.{name} IS NOT NULL")).collect::<Vec<_>>().join(" AND ")
}

/// The opposite of [`has_key`].
pub(super) fn no_key(key: &[Name]) -> String {
    key.iter().map(|name| format!("r.{name} IS NULL")).collect::<Vec<_>>().join(" OR ")
}

/// The key columns of the row `r`.
pub(super) fn columns(key: &[Name]) -> String {
    key.iter().map(|name| format!("r.{name}")).collect::<Vec<_>>().join(", ")
}

/// How many rows a table without duplicates has, as two scalar queries that are added.
pub(super) fn expected(table: &SinkTable) -> String {
    let (name, key) = (&table.table, &table.key);
    format!(
        "(SELECT count(*) FROM (SELECT DISTINCT {columns} FROM {name} AS r WHERE {has}) AS k)\n        \
         + (SELECT count(*) FROM {name} AS r WHERE {without})",
        columns = columns(key),
        has = has_key(key),
        without = no_key(key)
    )
}

fn count(table: &SinkTable) -> String {
    let (name, key) = (&table.table, &table.key);
    format!(
        "SELECT\n    \
         (SELECT count(*) FROM {name}) AS rows_in_all,\n    \
         (SELECT count(*) FROM {name} AS r WHERE {without}) AS rows_without_key,\n    \
         count(*) AS keys_with_duplicates,\n    \
         coalesce(sum(d.n - 1), 0) AS surplus_rows\n\
         FROM (\n    \
         SELECT count(*) AS n\n    \
         FROM {name} AS r\n    \
         WHERE {has}\n    \
         GROUP BY {columns}\n    \
         HAVING count(*) > 1\n\
         ) AS d;",
        without = no_key(key),
        has = has_key(key),
        columns = columns(key)
    )
}

fn by_day(table: &SinkTable, ingested_at: &Name) -> String {
    format!(
        "SET timezone TO 'UTC';\n\
         SELECT CAST(w.ingested AS date) AS written_on, count(*) AS surplus_rows\n\
         FROM (\n    \
         SELECT r.{ingested_at} AS ingested,\n        \
         row_number() OVER (PARTITION BY {columns} ORDER BY r.{ingested_at} NULLS LAST) AS n\n    \
         FROM {name} AS r\n    \
         WHERE {has}\n\
         ) AS w\n\
         WHERE w.n > 1\n\
         GROUP BY 1\n\
         ORDER BY 1;\n\
         RESET timezone;",
        columns = columns(&table.key),
        name = table.table,
        has = has_key(&table.key)
    )
}

/// The whole as text for a SQL client. What is not SQL stands in comments.
#[must_use]
pub fn to_text(script: &Script) -> String {
    let mut text = String::new();
    for table in &script.tables {
        comment(&mut text, &format!("Table {}, key {}, written by {}", table.table, table.key.join(", "), table.sinks.join("; ")));
        for note in &table.notes {
            comment(&mut text, note);
        }
        text.push_str("\n-- 1. How many rows are there twice? Only reads.\n");
        text.push_str(&table.count);
        if let Some(by_day) = &table.by_day {
            text.push_str(
                "\n\n-- 2. On which days were they written again (UTC)? Only reads; the column has to be a date or a timestamp.\n",
            );
            text.push_str(by_day);
        }
        if let Some(deduplicate) = &table.deduplicate {
            text.push_str("\n\n-- 3. Take them out. This CHANGES the table.\n");
            text.push_str(deduplicate);
        }
        text.push_str("\n\n");
    }
    for left_out in &script.left_out {
        comment(&mut text, &format!("No SQL for sink {} of job {}: {}", left_out.sink, left_out.job, left_out.reason));
    }
    if script.tables.is_empty() && script.left_out.is_empty() {
        text.push_str("-- No job declares a sink.\n");
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// A line of comment. Nothing that a name holds ends it.
fn comment(text: &mut String, line: &str) {
    let line: String = line.chars().map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c }).collect();
    text.push_str(&format!("-- {line}\n"));
}

/// As JSON.
///
/// # Errors
///
/// Never for what [`script`] makes.
pub fn to_json(script: &Script) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(script).map(|text| text + "\n")
}
