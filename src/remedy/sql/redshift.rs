//! De-duplication on Amazon Redshift.
//!
//! From the Redshift Database Developer Guide: tables made with `LIKE` copy column names, types and NOT NULL, with INCLUDING DEFAULTS the default
//! expressions, and inherit distribution style, sort keys and BACKUP, but neither primary nor foreign keys (*CREATE TABLE*); `QUALIFY` filters by a
//! window function without a subquery, so without a column more, and wants an alias on the relation (*QUALIFY clause*); `LOCK` takes an
//! access-exclusive lock until the transaction ends, and whoever meets a lock conflict is aborted (*LOCK*); quoted names keep their case only with
//! `enable_case_sensitive_identifier`; `SHOW GRANTS ON TABLE` lists grants. What that guide does not say of a copy (encodings, IDENTITY) is left to
//! the reader to compare. There is no `DO` block, and a stored procedure would be left behind, so the guard is a division: by zero, and so an error
//! that ends the transaction, where the counts do not fit.

use super::{
    Dialect, SinkTable,
    script::{columns, expected, has_key, no_key},
};

pub(super) fn deduplicate(table: &SinkTable) -> String {
    let name = &table.table;
    let staging = name.sibling(name.table.with("_ttl_audit_staging", Dialect::Redshift));
    let backup_name = name.table.with("_ttl_audit_backup", Dialect::Redshift);
    let backup = name.sibling(backup_name.clone());
    let order = table.ingested_at.as_ref().map(|column| format!(" ORDER BY r.{column} NULLS LAST")).unwrap_or_default();
    let mut names = table.key.iter().chain(&table.ingested_at).chain(&name.schema).chain([&name.table]);
    let mixed_case = names.any(super::Name::has_upper_case);
    let case = if mixed_case {
        "-- Redshift folds quoted names to lower case too, unless:\nSET enable_case_sensitive_identifier TO true;\n"
    } else {
        ""
    };
    format!(
        "-- Stop what writes here first: the lock holds back reads and writes until the end, and what waits for it can be aborted.\n\
         -- Run it in one session that obeys BEGIN and COMMIT. After an error nothing is changed: end with ROLLBACK. `division by zero` is the guard: the\n\
         -- counts do not fit, or there are no duplicates.\n\
         -- LIKE copies columns, NOT NULL and defaults, and inherits distribution style, sort keys and BACKUP. It does not inherit primary and foreign\n\
         -- keys, and nothing carries over grants, owner and comments; what refers to the table (views with schema binding, foreign keys of other\n\
         -- tables) stays with the back-up. Make all of these again before COMMIT: what writes here (such as the user of a Firehose stream) needs its\n\
         -- grants. Compare encodings and IDENTITY columns of the two tables before COMMIT too. List the grants with:\n\
         --   SHOW GRANTS ON TABLE {shown};\n\
         -- An IDENTITY(seed, step) column takes no values from an INSERT: with one, name the other columns in both INSERT statements; its values are then new.\n\
         {case}\
         BEGIN;\n\
         LOCK TABLE {name};\n\
         CREATE TABLE {staging} (LIKE {name} INCLUDING DEFAULTS);\n\
         INSERT INTO {staging}\n\
         SELECT r.*\n\
         FROM {name} AS r\n\
         WHERE {has}\n\
         QUALIFY row_number() OVER (PARTITION BY {columns}{order}) = 1;\n\
         INSERT INTO {staging}\n\
         SELECT r.*\n\
         FROM {name} AS r\n\
         WHERE {without};\n\
         -- The guard, before the swap: as many rows as there are keys, and rows without key; and fewer than there were.\n\
         SELECT 1 / CASE\n    \
         WHEN (SELECT count(*) FROM {staging}) =\n        {expected}\n    \
         AND (SELECT count(*) FROM {staging}) < (SELECT count(*) FROM {name})\n    \
         THEN 1 ELSE 0 END AS counts_fit;\n\
         ALTER TABLE {name} RENAME TO {backup_name};\n\
         ALTER TABLE {staging} RENAME TO {table_name};\n\
         -- The guard, after the swap: the new table still has one row for each key of the back-up, and the rows without key.\n\
         SELECT 1 / CASE\n    \
         WHEN (SELECT count(*) FROM {name}) =\n        {expected_after}\n    \
         THEN 1 ELSE 0 END AS counts_fit_after;\n\
         COMMIT;\n\
         SELECT (SELECT count(*) FROM {backup}) AS rows_before, (SELECT count(*) FROM {name}) AS rows_after;\n\
         -- The original is kept as {shown_backup}. Drop it when the new table has been checked.",
        has = has_key(&table.key),
        without = no_key(&table.key),
        columns = columns(&table.key),
        expected = expected(table),
        expected_after = expected(&SinkTable { table: backup.clone(), ..table.clone() }),
        table_name = name.table,
        shown = one_line(&name.to_string()),
        shown_backup = one_line(&backup.to_string()),
    )
}

/// A name within a comment must not end its line.
fn one_line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
