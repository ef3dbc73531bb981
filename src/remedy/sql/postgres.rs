//! De-duplication on PostgreSQL 12 and later.
//!
//! One `DO` block behind a lock: it finds out itself what a copy of the table would leave behind, and stops where that is anything that it cannot
//! carry over. `ctid` tells the rows to keep apart, so the staging table gets no column that the original lacks; it is unique within one plain
//! table, which is why partitioned and inherited tables are refused.

use super::{
    Dialect, SinkTable,
    name::literal,
    script::{columns, has_key, no_key},
};

pub(super) fn deduplicate(table: &SinkTable) -> String {
    let name = &table.table;
    let staging = name.sibling(name.table.with("_ttl_audit_staging", Dialect::Postgres));
    let backup_name = name.table.with("_ttl_audit_backup", Dialect::Postgres);
    let backup = name.sibling(backup_name.clone());
    let by_time = table.ingested_at.as_ref().map(|column| format!("r.{column} NULLS LAST, ")).unwrap_or_default();
    let (columns, has_key, no_key) = (columns(&table.key), has_key(&table.key), no_key(&table.key));
    let kept = format!(
        " FROM ONLY {name} AS t WHERE t.ctid IN (SELECT w.id FROM (SELECT r.ctid AS id, {no_key} AS keyless, row_number() OVER (PARTITION BY {columns} \
         ORDER BY {by_time}(r.*)::text COLLATE \"C\") AS n FROM ONLY {name} AS r) AS w WHERE w.n = 1 OR w.keyless)"
    );
    let places = [
        ("@ORIGINAL_LITERAL@", literal(&name.to_string())),
        ("@STAGING_LITERAL@", literal(&staging.to_string())),
        ("@KEPT_LITERAL@", literal(&kept)),
        ("@ORIGINAL@", name.to_string()),
        ("@STAGING@", staging.to_string()),
        ("@TABLE_NAME@", name.table.to_string()),
        ("@BACKUP_NAME@", backup_name.to_string()),
        ("@COLUMNS@", columns),
        ("@HAS_KEY@", has_key),
        ("@NO_KEY@", no_key),
    ];
    let body = fill(BODY, &places);
    let tag = tag(&body);
    format!(
        "-- The lock holds back reads and writes until the end; what waits then goes on with the new table. It gives up after lock_timeout.\n\
         -- After an error nothing is changed: the whole is one transaction.\n\
         -- Carried over: columns, defaults, NOT NULL, checks, indexes and their constraints (under new names), identity and serial sequences, generated\n\
         -- columns, comments, extended statistics, the owner, grants on the table. Not carried over: storage parameters, tablespace, replica identity, default\n\
         -- privileges. It stops where there are views, foreign keys, triggers, rules, policies, publications, functions or grants on columns, which would\n\
         -- stay with the back-up: have them ready to be made again before you set leave_behind to true.\n\
         BEGIN ISOLATION LEVEL READ COMMITTED;\n\
         SET LOCAL lock_timeout = '60s';\n\
         LOCK TABLE {name} IN ACCESS EXCLUSIVE MODE;\n\
         DO {tag}\n{body}{tag};\n\
         COMMIT;\n\
         SELECT (SELECT count(*) FROM {backup}) AS rows_before, (SELECT count(*) FROM {name}) AS rows_after;\n\
         -- The original is kept under the name that ends in _ttl_audit_backup. Drop it when the new table has been checked.",
    )
}

/// A dollar quote that the body does not hold.
fn tag(body: &str) -> String {
    let mut tag = "$ttl_audit$".to_owned();
    let mut number = 0_u32;
    while body.contains(&tag) {
        number += 1;
        tag = format!("$ttl_audit_{number}$");
    }
    tag
}

/// Fills each place in one pass: a name that looks like a place is not filled.
fn fill(text: &str, places: &[(&str, String)]) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((at, place, value)) =
        places.iter().filter_map(|(place, value)| rest.find(place).map(|at| (at, *place, value))).min_by_key(|(at, ..)| *at)
    {
        filled.push_str(rest.get(..at).unwrap_or_default());
        filled.push_str(value);
        rest = rest.get(at + place.len()..).unwrap_or_default();
    }
    filled + rest
}

const BODY: &str = include_str!("postgres.sql");
