//! The command line from outside: what goes where, and what stays the same.

use std::process::Stdio;

use crate::{
    folder::{Folder, Savepoint::*, manifest},
    harness::ttl_audit,
};

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let folder = Folder::new(&[("a", Missing), ("b", Elsewhere), ("c", Fine), ("d", Restored)]);
    for format in ["table", "json"] {
        let run = || folder.run(&["check", "--offline", "--format", format]).stdout;
        assert_eq!(run(), run(), "{format}");
    }
}

#[test]
fn files_hold_what_stdout_shows() {
    let folder = Folder::new(&[("a", Missing)]);
    let run = folder.run(&["check", "--offline", "--output", "json=r.json", "--output", "table=r.txt"]);
    assert_eq!(folder.read("r.txt"), run.stdout);
    assert_eq!(folder.read("r.json"), folder.run(&["check", "--offline", "--format", "json"]).stdout);
}

#[test]
fn a_failed_run_leaves_files_as_they_were() {
    let folder = Folder::new(&[("a", Fine)]);
    folder.write("old.json", "what was there");
    let run = folder.run(&["check", "--offline", "nowhere", "--output", "json=old.json", "--output", "table=new.txt"]);
    assert_eq!(run.code, 2);
    assert_eq!(folder.read("old.json"), "what was there");
    assert!(!folder.path().join("new.txt").exists());
    // A good run replaces all of it, even if it was longer.
    folder.write("old.json", &"x".repeat(1 << 20));
    assert_eq!(folder.run(&["check", "--offline", "--output", "json=old.json"]).code, 0);
    assert_eq!(json(&folder.read("old.json"))["audit"], "acme");
}

#[test]
fn colours_only_where_they_are_wanted() {
    let folder = Folder::new(&[("a", Missing)]);
    let coloured = |arguments: &[&str], variables: &[(&str, &str)]| {
        let run = folder.run_with(&[&["check", "--offline"], arguments].concat(), variables);
        run.stdout.contains('\u{1b}') || run.stderr.contains('\u{1b}')
    };
    assert!(!coloured(&[], &[]), "not a terminal");
    assert!(!coloured(&[], &[("NO_COLOR", "1"), ("TERM", "xterm-256color")]));
    assert!(!coloured(&["--color", "never"], &[]));
    assert!(coloured(&["--color", "always"], &[("NO_COLOR", "1"), ("CI", "true")]));
    assert!(!coloured(&["--color", "always", "--format", "json"], &[]), "JSON has none");
    folder.run(&["check", "--offline", "--color", "always", "--output", "table=r.txt"]);
    assert!(!folder.read("r.txt").contains('\u{1b}'), "files have none");
}

#[test]
fn the_page_is_as_wide_as_columns_says() {
    let folder = Folder::new(&[("a", Missing), ("b", Restored)]);
    for width in ["80", "100", "160"] {
        let text = folder.run_with(&["check", "--offline"], &[("COLUMNS", width)]).stdout;
        let limit: usize = width.parse().expect("a number");
        let wide = |line: &&str| textwrap::core::display_width(line) > limit && !line.starts_with("aws ") && !line.starts_with("flink ");
        assert_eq!(text.lines().find(wide), None, "at {width}");
    }
}

#[test]
fn as_of_moves_what_counts_from_it_and_is_pinned() {
    let folder = Folder::new(&[("a", Restored)]);
    let report = |more: &[&str]| json(&folder.run(&[&["check", "--offline", "--format", "json"], more].concat()).stdout);
    assert_eq!(report(&[])["as_of"], serde_json::json!({"at": "2026-10-01T06:00:00Z", "pinned": true}));
    let later = report(&["--as-of", "2026-10-05"]);
    assert_eq!(later["as_of"]["at"], "2026-10-05T00:00:00Z");
    // The restored copy has ended by then.
    assert_eq!(later["findings"][0]["rule"], "snapshot-unreadable");
    let audit = folder.read("audit.yaml").replace("as_of: 2026-10-01T06:00:00Z\n", "");
    folder.write("audit.yaml", &audit);
    assert_eq!(report(&[])["as_of"]["pinned"], false);
}

#[test]
fn jobs_and_rules_can_be_selected_and_the_report_says_so() {
    let folder = Folder::new(&[("a", Missing), ("b", Fine), ("c", Restored)]);
    let report = |more: &[&str]| json(&folder.run(&[&["check", "--offline", "--format", "json"], more].concat()).stdout);
    let one = report(&["--job", "b", "--job", "c"]);
    assert_eq!(one["jobs"].as_array().expect("jobs").len(), 2);
    assert_eq!(one["left_out"][0], "1 job: not selected by --job");
    let without = report(&["--skip-rule", "snapshot-missing"]);
    assert_eq!(without["summary"]["exit_code"], 0);
    assert!(without["left_out"].as_array().expect("a list").contains(&"rule snapshot-missing: --skip-rule".into()));
    let only = report(&["--rule", "snapshot-restored-temporarily"]);
    assert_eq!(only["findings"].as_array().expect("findings").len(), 1);
    assert!(only["left_out"].as_array().expect("a list").contains(&"rule snapshot-missing: not selected by --rule".into()));
}

#[test]
fn other_evidence_and_compressed_evidence_give_the_same_report() {
    let folder = Folder::new(&[("a", Missing)]);
    let text = |run: crate::folder::Run| run.stdout;
    let expected = text(folder.run(&["check", "--offline", "--format", "json"]));
    let zipped = {
        use std::io::Write as _;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(folder.read("evidence.json").as_bytes()).expect("writes");
        encoder.finish().expect("writes")
    };
    std::fs::write(folder.path().join("evidence.json.gz"), zipped).expect("writes");
    assert_eq!(folder.run(&["check", "--offline"]).code, 2, "which of the two counts?");
    std::fs::rename(folder.path().join("evidence.json"), folder.path().join("other.json")).expect("moves");
    let same = |text: &str| text.replace("evidence.json.gz", "evidence.json").replace("other.json", "evidence.json");
    assert_eq!(same(&text(folder.run(&["check", "--offline", "--format", "json"]))), expected);
    assert_eq!(same(&text(folder.run(&["check", "--evidence", "other.json", "--format", "json"]))), expected);
}

#[test]
fn several_audits_in_json_are_an_array_and_the_summary_goes_to_stderr() {
    let (one, two) = (Folder::new(&[("a", Missing)]), Folder::new(&[("a", Fine)]));
    let paths = [one.path().to_str().expect("text"), two.path().to_str().expect("text")];
    let run = one.run(&["check", "--offline", "--format", "json", paths[0], paths[1]]);
    assert_eq!(json(&run.stdout).as_array().expect("an array").len(), 2);
    assert_eq!(run.stderr, "2 audits · acme exit 1 · acme exit 0 · exit 1\n");
    let quiet = one.run(&["check", "--offline", "--format", "json", "--quiet", paths[0], paths[1]]);
    assert_eq!(quiet.stderr, "");
    let two_for_one = one.run(&["check", "--evidence", "evidence.json", paths[0], paths[1]]);
    assert_eq!(two_for_one.code, 2);
}

#[test]
fn every_wrong_audit_of_a_call_is_named() {
    let (one, two) = (Folder::new(&[("a", Fine)]), Folder::new(&[("a", Fine)]));
    for folder in [&one, &two] {
        std::fs::remove_file(folder.path().join("evidence.json")).expect("it was there");
    }
    let run = one.run(&["check", "--offline", one.path().to_str().expect("text"), two.path().to_str().expect("text")]);
    assert_eq!(run.stderr.matches("error: ").count(), 2, "{}", run.stderr);
}

#[test]
fn a_pattern_that_matches_no_topic_is_never_a_clean_run() {
    let folder = Folder::new(&[("a", Fine)]);
    folder.write("jobs/a.yaml", &manifest("a", Fine).replace("topic: orders", "topic_pattern: 'order\\..*'"));
    let mut evidence = ttl_audit::evidence::Evidence::from_json(&folder.read("evidence.json")).expect("evidence");
    let seen = ttl_audit::evidence::Fact::seen(Vec::new(), "prod", "Metadata", crate::folder::captured_at());
    evidence.kafka.get_mut("prod").expect("the cluster").patterns.insert("order\\..*".to_owned(), seen);
    folder.write("evidence.json", &evidence.to_json().expect("writes"));
    let run = folder.run(&["check", "--offline"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("jobs/a.yaml:6:") && run.stderr.contains("DESCRIBE"), "{}", run.stderr);
}

#[test]
fn explain_prints_the_page_and_rules_lists_them_all() {
    let folder = Folder::new(&[]);
    let list = folder.run(&["rules"]);
    assert_eq!((list.code, folder.run(&["explain"]).stdout), (0, list.stdout.clone()));
    for rule in ttl_audit::rules::all() {
        let id = rule.meta().id;
        assert!(list.stdout.lines().any(|line| line.starts_with(id)), "{id}");
        let page = std::fs::read_to_string(crate::harness::in_root(&format!("docs/rules/{id}.md"))).expect("a page");
        assert_eq!(folder.run(&["explain", id]).stdout, page);
    }
    let near = folder.run(&["explain", "snapshot-mising"]);
    assert!(near.stderr.contains("did you mean `snapshot-missing`"), "{}", near.stderr);
}

#[test]
fn offline_needs_no_variable_and_shows_no_secret() {
    let folder = Folder::new(&[("a", Missing)]);
    let run = folder.run_with(&["check", "--offline", "-vv"], &[("ACME_SECRET", "hunter2")]);
    assert_eq!(run.code, 1);
    assert!(!run.stdout.contains("hunter2") && !run.stderr.contains("hunter2"));
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly_with_the_code_of_what_was_found() {
    let folder = Folder::new(&[("a", Missing)]);
    let mut command = std::process::Command::new(ttl_audit().get_program());
    let mut child = command
        .args(["check", "--offline", "--format", "json"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn version_and_help() {
    let folder = Folder::new(&[]);
    assert_eq!(folder.run(&["--version"]).stdout, format!("ttl-audit {}\n", env!("CARGO_PKG_VERSION")));
    let help = folder.run(&["check", "--help"]).stdout;
    for heading in ["Input:", "Selection:", "Evidence:", "Connection:", "Gate:", "Output:"] {
        assert!(help.contains(&format!("\n{heading}\n")), "{heading}");
    }
}
