//! Which tables there are to look at, and which sinks say too little.

use std::collections::BTreeMap;

use super::{Dialect, Name, TableName};
use crate::manifest::{Manifest, Sink, SinkKind};

/// A table that one or several sinks write, with what tells its rows apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinkTable {
    /// The table.
    pub table: TableName,
    /// The key columns; never empty.
    pub key: Vec<Name>,
    /// The column that says when a row was written.
    pub ingested_at: Option<Name>,
    /// The sinks that write it, as `job / sink`.
    pub sinks: Vec<String>,
    /// Whether every one of them merges on its key.
    pub idempotent: bool,
}

/// A sink for which no SQL can be written.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct LeftOut {
    /// The job.
    pub job: String,
    /// The sink's id.
    pub sink: String,
    /// Why, and what to state.
    pub reason: String,
    /// Whether stating something in the manifest would help.
    pub missing: bool,
}

/// What the sinks of some jobs come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// Each table once for each key, in the order of their names.
    pub tables: Vec<SinkTable>,
    /// The other sinks, in the manifests' order.
    pub left_out: Vec<LeftOut>,
}

/// The tables that `jobs` write.
#[must_use]
pub fn tables<'a>(jobs: impl IntoIterator<Item = &'a Manifest>, dialect: Dialect) -> Tables {
    let mut found: BTreeMap<(TableName, Vec<Name>, Option<Name>), SinkTable> = BTreeMap::new();
    let mut left_out = Vec::new();
    for job in jobs {
        for sink in &job.sinks {
            match table(job, sink, dialect) {
                Ok(table) => {
                    let key = (table.table.clone(), table.key.clone(), table.ingested_at.clone());
                    match found.get_mut(&key) {
                        Some(known) => {
                            known.idempotent &= table.idempotent;
                            known.sinks.extend(table.sinks);
                        }
                        None => {
                            found.insert(key, table);
                        }
                    }
                }
                Err((reason, missing)) => {
                    left_out.push(LeftOut { job: job.job.value.clone(), sink: sink.id.value.clone(), reason, missing });
                }
            }
        }
    }
    Tables { tables: found.into_values().collect(), left_out }
}

fn table(job: &Manifest, sink: &Sink, dialect: Dialect) -> Result<SinkTable, (String, bool)> {
    let place = format!("{}:{}", job.file, sink.id.position.line);
    let no_table = match sink.kind {
        SinkKind::Kafka => Some("a Kafka topic"),
        SinkKind::Files => Some("files"),
        SinkKind::Iceberg => Some("an Iceberg table"),
        SinkKind::Elasticsearch => Some("an Elasticsearch index"),
        SinkKind::Jdbc | SinkKind::Firehose | SinkKind::Redshift | SinkKind::Other => None,
    };
    if let Some(what) = no_table {
        return Err((format!("it writes {what}, which is no table of {dialect} ({place})"), false));
    }
    let missing: Vec<&str> = [("table", sink.table.is_none()), ("key", sink.key.is_empty())]
        .into_iter()
        .filter_map(|(key, missing)| missing.then_some(key))
        .collect();
    let Some(text) = sink.table.as_deref().filter(|_| missing.is_empty()) else {
        let keys = missing.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" and ");
        return Err((format!("the manifest states no {keys} ({place})"), true));
    };
    let wrong = |what: &str, error: String| (format!("its `{what}` cannot be used: {error} ({place})"), true);
    let mut key = Vec::new();
    for column in &sink.key {
        let column = Name::read(column, dialect).map_err(|error| wrong("key", error))?;
        if !key.contains(&column) {
            key.push(column);
        }
    }
    Ok(SinkTable {
        table: TableName::read(text, dialect).map_err(|error| wrong("table", error))?,
        key,
        ingested_at: sink
            .ingested_at
            .as_deref()
            .map(|name| Name::read(name, dialect))
            .transpose()
            .map_err(|error| wrong("ingested_at", error))?,
        sinks: vec![format!("{} / {}", job.job.value, sink.id.value)],
        idempotent: sink.idempotent,
    })
}
