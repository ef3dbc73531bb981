//! `ttl-audit remedy`: what is printed, and what a sink that says too little is told.

use std::{fs, path::Path, process};

use serde_json::Value;

use crate::harness::{in_root, ttl_audit};

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

/// One remedy of a shipped audit that is pasted somewhere.
struct Paste {
    audit: String,
    into: String,
    text: String,
}

/// Everything that the shipped audits propose to paste.
fn shipped() -> Vec<Paste> {
    let mut pastes = Vec::new();
    for folder in fs::read_dir(in_root("audits")).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if !folder.join("audit.yaml").exists() {
            continue;
        }
        let (code, text, error) = run(&folder, &["--offline", "--allow-incomplete", "--format", "json"]);
        assert_eq!(code, 0, "{}: {error}", folder.display());
        let json: Value = serde_json::from_str(&text).expect("JSON");
        let list = |value: &Value, name: &str| value.get(name).and_then(Value::as_array).expect(name).clone();
        for remedy in list(&json, "jobs").iter().flat_map(|job| list(job, "remedies")) {
            let text = |name: &str| remedy.get(name).and_then(Value::as_str);
            if let (Some(into), Some(text)) = (text("into"), text("paste")) {
                let audit = folder.file_name().expect("a name").to_string_lossy().into_owned();
                pastes.push(Paste { audit, into: into.to_owned(), text: text.to_owned() });
            }
        }
    }
    pastes
}

/// Runs a block in bash, in a folder of its own, where every command that it may name only writes down how it was called. `set`: whether the
/// variables that it asks for are set. Exit code, the calls, and the configuration that it wrote.
fn in_bash(text: &str, set: bool) -> (i32, Vec<Vec<String>>, Option<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let calls = folder.path().join("calls");
    for command in ["aws", "flink", "kafka-configs.sh"] {
        let script = "#!/bin/sh\nprintf '%s\\n' \"${0##*/}\" \"$@\" '' >> \"$CALLS\"\n";
        let file = folder.path().join(command);
        fs::write(&file, script).expect("written");
        #[cfg(unix)]
        fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it can be run");
    }
    let mut bash = process::Command::new("bash");
    bash.args(["--norc", "-c", text]).env_clear().current_dir(folder.path()).env("CALLS", &calls);
    bash.env("PATH", format!("{}:/usr/bin:/bin", folder.path().display()));
    for variable in text.split("${").skip(1).filter_map(|rest| rest.split_once(":?").map(|(name, _)| name)).filter(|_| set) {
        bash.env(variable, "filled-in");
    }
    let output = bash.output().expect("bash runs");
    let calls = fs::read_to_string(calls).unwrap_or_default();
    let calls = calls.split("\n\n").filter(|call| !call.is_empty()).map(|call| call.lines().map(str::to_owned).collect()).collect();
    (output.status.code().unwrap_or(-1), calls, fs::read_to_string(folder.path().join("lifecycle.json")).ok())
}

#[test]
fn every_shell_block_that_is_shipped_runs_in_bash_as_it_stands() {
    let (mut commands, mut configurations) = (0, 0);
    for Paste { audit, text, .. } in shipped().iter().filter(|paste| paste.into == "shell") {
        let check = process::Command::new("bash").args(["-n", "-c", text]).output().expect("bash runs");
        assert!(check.status.success() && check.stderr.is_empty(), "{audit}: {text}\n{}", String::from_utf8_lossy(&check.stderr));
        let (code, calls, configuration) = in_bash(text, true);
        assert_eq!(code, 0, "{audit}: {text}");
        assert!(!calls.is_empty(), "{audit} calls something else than aws, flink and kafka-configs.sh: {text}");
        for call in &calls {
            commands += 1;
            let json = call.iter().filter(|word| word.starts_with('{'));
            assert!(json.map(|word| serde_json::from_str::<Value>(word)).all(|read| read.is_ok()), "{audit}: {call:?}");
            assert!(call.iter().all(|word| !word.contains(['<', '>'])), "{audit}: nothing is left to be filled in: {call:?}");
        }
        if text.contains("lifecycle.json") {
            configurations += 1;
            let json: Value = serde_json::from_str(&configuration.expect("it is written")).expect("JSON");
            assert!(json["Rules"].as_array().is_some_and(|rules| !rules.is_empty()), "{json}");
        }
    }
    assert!(commands > 20 && configurations > 4, "{commands} {configurations}");
}

#[test]
fn what_is_not_filled_in_ends_a_command_before_it_does_anything() {
    let mut asked = 0;
    for Paste { audit, text, .. } in shipped().iter().filter(|paste| paste.into == "shell" && paste.text.contains(":?")) {
        let (code, calls, _) = in_bash(text, false);
        assert!(code != 0 && calls.is_empty(), "{audit}: {text}: {code} {calls:?}");
        asked += 1;
    }
    assert!(asked > 0);
}

#[test]
fn every_configuration_that_is_shipped_can_be_read() {
    let mut seen = 0;
    for Paste { audit, text, .. } in shipped().iter().filter(|paste| paste.into == "configuration") {
        let read: Result<Value, _> = serde_yaml::from_str(text);
        let properties = text.lines().all(|line| line.split_once('=').is_some_and(|(key, _)| !key.contains([' ', ':'])));
        assert!(properties || read.is_ok_and(|read| read.is_object() || read.is_array()), "{audit}: {text}");
        seen += 1;
    }
    assert!(seen > 0);
}

#[test]
fn names_can_be_left_out_of_what_is_printed() {
    for format in ["table", "json"] {
        let (code, text, error) = run(Path::new("audits/meridian"), &["--offline", "--redact-names", "--format", format]);
        assert_eq!(code, 0, "{error}");
        for name in ["user-engagement", "msi-flink", "broker.meridian.example", "meridian-2026", "confluent-prod"] {
            assert!(!text.contains(name), "{name} stands in {text}");
        }
        assert!(text.contains("topic-1") && text.contains("bucket-") && text.contains("host-1"), "{text}");
        assert!(format == "json" || text.starts_with("# Names are aliases (--redact-names)"), "{text}");
    }
    let (code, _, error) = run(Path::new("audits/meridian"), &["--redact-names", "--sql", "postgres"]);
    assert!(code == 2 && error.contains("cannot be used with"), "{error}");
}

#[test]
fn lines_are_as_wide_as_a_page_and_no_command_or_amount_is_broken() {
    let (_, text, _) = run(Path::new("audits/meridian"), &["--offline"]);
    let said = text.lines().filter(|line| line.starts_with("# ") && !line.contains(['`', '/', '·']));
    assert!(said.clone().count() > 20 && said.clone().all(|line| line.chars().count() <= 100), "{text}");
    for whole in ["≈ 434 MB", "≈ 366 MB", "`flink stop --savepointPath s3://msi-flink-savepoints/user-engagement/ \"$JOB_ID\"`"] {
        assert!(text.contains(whole.trim_start_matches("≈ ")), "{whole}: {text}");
    }
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
