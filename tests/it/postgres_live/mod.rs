//! What `remedy --sql` prints, run by psql against a real PostgreSQL.

mod server;

use std::{fs, io::Write as _};

use server::{Database, server};

use crate::harness::ttl_audit;

/// What is printed for a sink with these keys.
fn printed(dialect: &str, sink: &str, options: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = format!("version: 1\njob: j\nsources: [{{ id: s, topic: t }}]\nsinks:\n  - {{ id: out, kind: jdbc, {sink} }}\n");
    fs::write(folder.path().join("job.yaml"), manifest).expect("written");
    let output =
        ttl_audit().args(["remedy", "--sql", dialect]).args(options).arg(folder.path().join("job.yaml")).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

const SINK: &str = "table: analytics.engagement, key: [event_id], ingested_at: ingested";

/// 1,000 keys of 40 days; many of them written again 40 days later, and 5 rows once more as exact twins. 7 rows without a key, two of them
/// alike; one key whose only row has no time; one whose second row has none.
const SEED: &str = "
CREATE SCHEMA analytics;
CREATE TABLE analytics.engagement (event_id text, payload text, ingested timestamptz);
INSERT INTO analytics.engagement SELECT 'e' || n, 'first', timestamptz '2026-08-01 12:00Z' + n * interval '1 day' / 25 FROM generate_series(0, 999) AS n;
INSERT INTO analytics.engagement SELECT event_id, 'again', ingested + interval '40 days' FROM analytics.engagement WHERE event_id >= 'e75';
INSERT INTO analytics.engagement SELECT * FROM analytics.engagement WHERE event_id IN ('e1', 'e2', 'e3', 'e4', 'e5');
INSERT INTO analytics.engagement SELECT NULL, 'no key', timestamptz '2026-08-01' FROM generate_series(1, 2);
INSERT INTO analytics.engagement SELECT NULL, 'no key ' || n, NULL FROM generate_series(1, 5) AS n;
INSERT INTO analytics.engagement VALUES ('timeless', 'only', NULL), ('half', 'late', NULL), ('half', 'timed', '2026-08-02 00:00Z');
";

/// Name, type, default, NOT NULL and generation of every column.
const COLUMNS: &str = "SELECT a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated \
     FROM pg_attribute a WHERE a.attrelid = '@'::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";

fn columns(database: &Database, table: &str) -> Vec<String> {
    database.ask(&COLUMNS.replace('@', table))
}

#[test]
fn n_rows_with_m_duplicates_come_out_as_n_rows() {
    let database = server().database("plain");
    database.ask(SEED);
    let before = columns(&database, "analytics.engagement");
    let original = database.ask("SELECT e.* FROM analytics.engagement e ORDER BY e::text");
    let twice = database.ask("SELECT count(*) FROM analytics.engagement WHERE payload = 'again'")[0].parse::<usize>().expect("a number");
    assert!(twice > 200, "{twice}");
    let said = database.run(&printed("postgres", SINK, &[])).expect("it runs");
    let lines: Vec<&str> = said.lines().collect();

    // All, without key, keys with duplicates, surplus.
    assert_eq!(lines[0], format!("{}|7|{}|{}", 1000 + twice + 5 + 7 + 3, twice + 5 + 1, twice + 5 + 1));
    let days: usize =
        lines[1..lines.len() - 1].iter().map(|line| line.rsplit('|').next().expect("a count").parse::<usize>().expect("a number")).sum();
    assert_eq!(days, twice + 5 + 1, "the days add up to the surplus: {said}");
    assert_eq!(lines[1], "2026-08-01|5", "the twins lie on the day on which they were written: {said}");
    assert_eq!(*lines.last().expect("counts"), format!("{}|{}", 1000 + twice + 5 + 7 + 3, 1000 + 7 + 2));

    assert_eq!(columns(&database, "analytics.engagement"), before, "no column more and none less");
    assert_eq!(columns(&database, "analytics.engagement_ttl_audit_backup"), before);
    assert_eq!(
        database.ask("SELECT e.* FROM analytics.engagement_ttl_audit_backup e ORDER BY e::text"),
        original,
        "the back-up is the original"
    );
    assert_eq!(database.ask("SELECT count(*) FROM analytics.engagement WHERE payload = 'first'"), ["1000"], "the earliest row stays");
    assert_eq!(
        database.ask("SELECT payload FROM analytics.engagement WHERE event_id IN ('half', 'timeless') ORDER BY 1"),
        ["only", "timed"]
    );
    assert_eq!(database.ask("SELECT count(*) FROM analytics.engagement WHERE event_id IS NULL"), ["7"], "rows without key stay");
    assert!(database.ask("SELECT to_regclass('analytics.engagement_ttl_audit_staging') WHERE to_regclass('analytics.engagement_ttl_audit_staging') IS NOT NULL").is_empty());

    let again = database.run(&printed("postgres", SINK, &[])).expect_err("there is nothing left to do");
    assert!(again.contains("has no duplicates among its 1009 rows; nothing was changed"), "{again}");
}

#[test]
fn names_are_only_names() {
    let database = server().database("hostile");
    let table = r#""odd ""schema"".x"."t'; DROP TABLE victim; -- $ttl_audit$ @ORIGINAL@ :v""#;
    database.ask(&format!(
        r#"CREATE SCHEMA "odd ""schema"".x"; CREATE TABLE victim (); CREATE TABLE {table} ("order" int, "Select" text, "rows_before" int, r timestamp, "a""b" int);
           INSERT INTO {table} SELECT n % 50, 'x', n % 2, timestamp '2026-01-01' + n * interval '1 hour', n FROM generate_series(0, 199) AS n;"#
    ));
    let before = columns(&database, &table.replace('\'', "''"));
    let quoted = table.replace('\'', "''");
    let sink = format!("table: '{quoted}', key: [order, '\"Select\"', rows_before], ingested_at: r");
    let said = database.run(&printed("postgres", &sink, &[])).expect("it runs");
    assert!(said.ends_with("200|50\n"), "{said}");
    assert_eq!(database.ask(&format!("SELECT count(*), max(\"a\"\"b\") FROM {table}")), ["50|49"], "the earliest of each");
    assert_eq!(columns(&database, &quoted), before);
    assert_eq!(database.ask("SELECT to_regclass('victim')"), ["victim"]);
}

#[test]
fn what_a_table_has_besides_rows_is_carried_over() {
    let database = server().database("furnished");
    database.ask(
        "CREATE ROLE writer; CREATE ROLE owner_of_it; GRANT CREATE ON SCHEMA public TO owner_of_it;
         CREATE TABLE orders (
             always bigint GENERATED ALWAYS AS IDENTITY, serial serial, key int NOT NULL, at timestamptz DEFAULT now(), gone int,
             twice int GENERATED ALWAYS AS (key * 2) STORED, CHECK (key >= 0), UNIQUE (always));
         ALTER TABLE orders DROP COLUMN gone;
         COMMENT ON COLUMN orders.key IS 'the key';
         INSERT INTO orders (key, at) SELECT n % 10, timestamptz '2026-01-01Z' + n * interval '1 day' FROM generate_series(0, 29) AS n;
         ALTER TABLE orders OWNER TO owner_of_it; GRANT INSERT, SELECT ON orders TO writer WITH GRANT OPTION; GRANT SELECT ON orders TO PUBLIC;",
    );
    let before = columns(&database, "orders");
    let rights = "SELECT relowner::regrole, relacl FROM pg_class WHERE oid = 'orders'::regclass";
    let granted = database.ask(rights);
    let said = database.run(&printed("postgres", "table: orders, key: [key], ingested_at: at", &[])).expect("it runs");
    assert!(said.ends_with("30|10\n"), "{said}");
    assert_eq!(columns(&database, "orders"), before);
    assert_eq!(database.ask(rights), granted);
    assert_eq!(database.ask("SELECT always, serial, key, twice FROM orders ORDER BY key LIMIT 2"), ["1|1|0|0", "2|2|1|2"], "values stay");
    assert_eq!(database.ask("INSERT INTO orders (key) VALUES (77) RETURNING always, serial, twice"), ["31|31|154"], "sequences go on");
    assert_eq!(database.ask("SELECT col_description('orders'::regclass, 3)"), ["the key"]);
    assert!(database.run("INSERT INTO orders (key) VALUES (-1)").is_err(), "the check is there");
    database.ask("DROP TABLE orders_ttl_audit_backup");
    assert_eq!(database.ask("INSERT INTO orders (key) VALUES (78) RETURNING serial"), ["33"], "nothing hangs on the back-up");
}

#[test]
fn what_cannot_be_carried_over_stops_it() {
    let database = server().database("attached");
    database.ask(SEED);
    let sql = printed("postgres", SINK, &[]);
    for (make, take_away, named) in [
        ("CREATE VIEW seen AS SELECT event_id FROM analytics.engagement", "DROP VIEW seen", "view seen"),
        (
            "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; \
             CREATE TRIGGER tr BEFORE INSERT ON analytics.engagement FOR EACH ROW EXECUTE FUNCTION f()",
            "DROP TRIGGER tr ON analytics.engagement",
            "trigger tr",
        ),
        (
            "GRANT SELECT (event_id) ON analytics.engagement TO PUBLIC",
            "REVOKE SELECT (event_id) ON analytics.engagement FROM PUBLIC",
            "column event_id",
        ),
        ("CREATE PUBLICATION p FOR TABLE analytics.engagement", "DROP PUBLICATION p", "publication p"),
        (
            "ALTER TABLE analytics.engagement ENABLE ROW LEVEL SECURITY",
            "ALTER TABLE analytics.engagement DISABLE ROW LEVEL SECURITY",
            "row-level security",
        ),
        ("CREATE TABLE child () INHERITS (analytics.engagement)", "DROP TABLE child", "not a plain table"),
    ] {
        database.ask(make);
        let error = database.run(&sql).expect_err(named);
        assert!(error.contains(named) && error.contains("nothing was changed"), "{error}");
        database.ask(take_away);
    }
    database.ask("CREATE VIEW seen AS SELECT event_id FROM analytics.engagement");
    assert!(sql.contains("leave_behind constant boolean := false;"));
    database
        .run(&sql.replace("leave_behind constant boolean := false;", "leave_behind constant boolean := true;"))
        .expect("said to be known");
}

#[test]
fn counts_that_do_not_fit_change_nothing() {
    let database = server().database("guarded");
    database.ask(SEED);
    let original = database.ask("SELECT e.* FROM analytics.engagement e ORDER BY e::text");
    // Something that swallows a row on its way into the staging table.
    database.ask(
        "CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF NEW.event_id = ''e7'' THEN RETURN NULL; END IF; RETURN NEW; END';
         CREATE FUNCTION attach() RETURNS event_trigger LANGUAGE plpgsql AS
             'BEGIN CREATE TRIGGER s BEFORE INSERT ON analytics.engagement_ttl_audit_staging FOR EACH ROW EXECUTE FUNCTION swallow(); END';
         CREATE EVENT TRIGGER attach ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION attach();",
    );
    let error = database.run(&printed("postgres", SINK, &[])).expect_err("a row is missing");
    assert!(error.contains("counts do not fit: 1002 keys and 7 rows without key were to stay, 1008 rows with 1001 keys would"), "{error}");
    assert_eq!(database.ask("SELECT e.* FROM analytics.engagement e ORDER BY e::text"), original);
    assert_eq!(database.ask("SELECT count(*) FROM pg_class WHERE relname LIKE '%ttl_audit%'"), ["0"]);
}

#[test]
fn rows_that_are_written_meanwhile_are_not_lost() {
    let database = server().database("busy");
    database.ask(SEED);
    let mut writer = database.session();
    let input = writer.stdin.as_mut().expect("an input");
    writeln!(input, "BEGIN; INSERT INTO analytics.engagement VALUES ('meanwhile', 'first', now());").expect("psql reads");
    database.until("SELECT 1 FROM pg_locks WHERE relation = 'analytics.engagement'::regclass AND mode = 'RowExclusiveLock' AND granted");

    let mut script = database.session();
    script.stdin.take().expect("an input").write_all(printed("postgres", SINK, &[]).as_bytes()).expect("psql reads");
    let waits = "SELECT 1 FROM pg_locks WHERE relation = 'analytics.engagement'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted";
    database.until(waits);
    // A second writer comes while the script waits for the first: it is behind the script in the queue.
    let mut late = database.session();
    late.stdin
        .take()
        .expect("an input")
        .write_all(b"INSERT INTO analytics.engagement VALUES ('late', 'first', now());")
        .expect("psql reads");
    database
        .until("SELECT 1 FROM pg_locks WHERE relation = 'analytics.engagement'::regclass AND mode = 'RowExclusiveLock' AND NOT granted");
    writeln!(writer.stdin.take().expect("an input"), "COMMIT;").expect("psql reads");

    for child in [writer, script, late] {
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(
        database.ask("SELECT event_id FROM analytics.engagement WHERE event_id IN ('late', 'meanwhile') ORDER BY 1"),
        ["late", "meanwhile"]
    );
    assert_eq!(
        database.ask("SELECT event_id FROM analytics.engagement_ttl_audit_backup WHERE event_id IN ('late', 'meanwhile')"),
        ["meanwhile"]
    );
}

#[test]
fn without_an_ingest_column_any_row_stays_if_that_is_asked_for() {
    let database = server().database("undated");
    database.ask(SEED);
    let sink = "table: analytics.engagement, key: [event_id]";
    assert!(!printed("postgres", sink, &[]).contains("BEGIN"), "which row to keep is not known");
    let said = database.run(&printed("postgres", sink, &["--keep-any"])).expect("it runs");
    assert!(said.ends_with("|1009\n"), "{said}");
}

/// What Redshift shares with PostgreSQL, run for real; the one clause that only Redshift has is written out.
#[test]
fn the_redshift_script_holds_where_postgres_reads_it() {
    let database = server().database("redshift");
    database.ask(SEED);
    let script = printed("redshift", SINK, &[]);
    let only_there = "SELECT r.*\nFROM \"analytics\".\"engagement\" AS r\nWHERE r.\"event_id\" IS NOT NULL\nQUALIFY row_number() OVER (PARTITION BY \
                      r.\"event_id\" ORDER BY r.\"ingested\" NULLS LAST) = 1;";
    assert_eq!(script.matches(only_there).count(), 1, "{script}");
    let shared = script.replace(only_there, "SELECT DISTINCT ON (r.event_id) r.* FROM analytics.engagement AS r WHERE r.event_id IS NOT NULL ORDER BY r.event_id, r.ingested NULLS LAST;");
    let wrong = shared.replace("WHERE r.\"event_id\" IS NULL;", "WHERE r.\"event_id\" IS NULL LIMIT 6;");
    assert_ne!(wrong, shared);
    let error = database.run(&wrong).expect_err("the guard");
    assert!(error.contains("division by zero"), "{error}");
    assert_eq!(database.ask("SELECT count(*) FROM pg_class WHERE relname LIKE '%ttl_audit%'"), ["0"], "nothing was changed");
    let before = columns(&database, "analytics.engagement");
    let said = database.run(&shared).expect("it runs");
    assert!(said.ends_with("|1009\n"), "{said}");
    assert_eq!(columns(&database, "analytics.engagement"), before);
    assert_eq!(database.ask("SELECT count(*) FROM analytics.engagement WHERE payload = 'first'"), ["1000"]);
}
