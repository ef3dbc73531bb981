//! `ttl-audit remedy`: what is printed, and what a sink that says too little is told.

use std::{fs, path::Path};

use crate::harness::ttl_audit;

/// Exit code, stdout and stderr of `remedy` on a manifest with these sinks.
fn remedy(sinks: &str, options: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("job.yaml");
    fs::write(&file, format!("version: 1\njob: j\nsources: [{{ id: s, topic: t }}]\nsinks: [{sinks}]\n")).expect("written");
    run(&file, options)
}

fn run(path: &Path, options: &[&str]) -> (i32, String, String) {
    let output = ttl_audit().arg("remedy").arg(path).args(options).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("it was not killed"), text(output.stdout), text(output.stderr))
}

#[test]
fn a_sink_without_table_or_key_is_told_which_is_missing() {
    for (sink, missing) in [
        ("{ id: o, kind: jdbc, table: t }", "the manifest states no `key` ("),
        ("{ id: o, kind: jdbc, key: [k] }", "the manifest states no `table` ("),
        ("{ id: o, kind: redshift }", "the manifest states no `table` and `key` ("),
        ("{ id: o, kind: jdbc, table: a.b.c.d, key: [k] }", "more parts than database, schema and table"),
    ] {
        let (code, text, _) = remedy(sink, &["--sql", "postgres"]);
        assert_eq!(code, 3, "{text}");
        assert!(text.starts_with("-- No SQL for sink o of job j: ") && text.contains(missing), "{text}");
        let (code, ..) = remedy(sink, &["--sql", "postgres", "--allow-incomplete"]);
        assert_eq!(code, 0);
    }
}

#[test]
fn a_sink_that_is_no_table_is_no_gap() {
    let (code, text, _) = remedy("{ id: o, kind: kafka, topic: x, table: t, key: [k] }", &["--sql", "redshift"]);
    assert_eq!(code, 0);
    let begin = "-- No SQL for sink o of job j: it writes a Kafka topic, which is no table of Redshift (";
    assert!(text.starts_with(begin) && text.ends_with("job.yaml:4)\n") && text.lines().count() == 1, "{text}");
}

#[test]
fn without_an_ingest_column_nothing_is_taken_out_unless_any_row_may_stay() {
    let sink = "{ id: o, kind: jdbc, table: s.t, key: [k] }";
    for dialect in ["postgres", "redshift"] {
        let (code, text, _) = remedy(sink, &["--sql", dialect]);
        assert_eq!(code, 0);
        assert!(text.contains("surplus_rows") && text.contains("State it, or ask for --keep-any"), "{text}");
        assert!(!text.contains("BEGIN") && !text.contains("written_on"), "{text}");
        let (_, text, _) = remedy(sink, &["--sql", dialect, "--keep-any"]);
        assert!(text.contains("BEGIN") && text.contains("RENAME TO \"t\"") && !text.contains("written_on"), "{text}");
    }
}

#[test]
fn sinks_that_write_one_table_are_asked_for_once() {
    let sink = |id: &str, table: &str| format!("{{ id: {id}, kind: jdbc, table: {table}, key: [k], ingested_at: at }}");
    let (_, text, _) = remedy(&format!("{}, {}, {}", sink("a", "s.t"), sink("b", "S.T"), sink("c", "s.u")), &["--sql", "postgres"]);
    assert_eq!(text.matches("-- Table ").count(), 2, "{text}");
    assert!(text.contains("written by j / a; j / b\n"), "{text}");
}

#[test]
fn no_name_leaves_a_comment() {
    let (_, text, _) = remedy(
        "{ id: \"o\\n; DROP TABLE x;\", kind: jdbc, table: \"a\\nb\", key: [k], ingested_at: at }",
        &["--sql", "redshift", "--keep-any"],
    );
    assert!(!text.lines().any(|line| line.starts_with("; DROP")), "{text}");
    assert!(text.lines().filter(|line| line.starts_with("b\"") || line.starts_with("b_")).all(|line| !line.contains("kept")), "{text}");
}

#[test]
fn names_that_redshift_would_fold_are_kept_as_they_are() {
    let (_, text, _) = remedy("{ id: o, kind: redshift, table: '\"S\".t', key: [k], ingested_at: at }", &["--sql", "redshift"]);
    assert!(text.contains("SET enable_case_sensitive_identifier TO true;"), "{text}");
}

#[test]
fn sql_as_json_has_each_statement_by_itself() {
    let (code, text, _) =
        remedy("{ id: o, kind: jdbc, table: s.t, key: [k], ingested_at: at }", &["--sql", "postgres", "--format", "json"]);
    assert_eq!(code, 0);
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["dialect"], "postgres");
    let table = &json["tables"][0];
    assert_eq!((&table["table"], &table["key"][0], &table["sinks"][0]), (&"\"s\".\"t\"".into(), &"k".into(), &"j / o".into()));
    assert!(["count", "by_day", "deduplicate"].iter().all(|part| table[*part].as_str().is_some_and(|sql| sql.contains("\"s\".\"t\""))));
}

#[test]
fn what_is_not_pasted_begins_with_a_number_sign() {
    let (code, text, _) = run(Path::new("audits/meridian"), &["--offline"]);
    assert_eq!(code, 0, "findings are no failure of remedy");
    let pasted: Vec<&str> = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    let known = ["kafka-configs", "aws s3", "flink ", "// ", "StateTtlConfig", "    .", "descriptor.", "SET '", "table.exec"];
    // The lifecycle configuration, which the first of its lines writes to a file.
    let configuration = ["cat > lifecycle.json <<'END_OF_CONFIGURATION'", "{", "}", "  ", "END_OF_CONFIGURATION"];
    let known = [&known[..], &configuration[..]].concat();
    assert!(pasted.iter().all(|line| known.iter().any(|begin| line.starts_with(begin))), "{pasted:#?}");
    let order: Vec<usize> =
        ["# -- commands", "# -- code", "# -- to be done by hand"].iter().filter_map(|heading| text.find(heading)).collect();
    assert!(order.len() == 3 && order.is_sorted(), "{text}");
}

#[test]
fn what_is_chosen_is_chosen_as_for_check() {
    let options = ["--offline", "--rule", "ttl-below-retention", "--format", "json"];
    let (code, text, _) = run(Path::new("audits/meridian"), &options);
    assert_eq!(code, 0);
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let remedies = json["jobs"][0]["remedies"].as_array().expect("remedies");
    assert!(!remedies.is_empty() && remedies.iter().all(|remedy| remedy["findings"][0]["rule"] == "ttl-below-retention"), "{text}");
    let (code, text, _) = run(Path::new("audits/meridian-fixed"), &["--offline", "--rule", "ttl-below-retention"]);
    assert_eq!((code, text.as_str()), (0, "# Nothing was found: there is nothing to do.\n"));
}

#[test]
fn what_cannot_be_judged_is_said_to_have_no_remedy() {
    let (code, text, _) = run(Path::new("audits/fleet"), &["--offline"]);
    assert_eq!(code, 3);
    assert!(
        text.contains("could not be judged and have no remedy here") || text.contains("could not be judged and has no remedy here"),
        "{text}"
    );
    let (code, ..) = run(Path::new("audits/fleet"), &["--offline", "--allow-incomplete"]);
    assert_eq!(code, 0);
}
