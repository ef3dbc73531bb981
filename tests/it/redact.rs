//! `--redact-names`: no name anywhere, in any format, and one alias for each.

use std::{fs, path::PathBuf};

use ttl_audit::{
    load,
    manifest::AsOf,
    report::{self, Names, Placed, Report, TableOptions},
};

use crate::harness::{in_root, ttl_audit};

/// The shipped audit, its names and its report.
fn shipped(name: &str) -> (Report, Names) {
    let folder = in_root("audits").join(name);
    let audit = load::audits(std::slice::from_ref(&folder)).expect("an audit").remove(0).audit;
    let evidence = load::evidence_in(&folder).expect("evidence").evidence;
    let as_of = AsOf { at: audit.as_of.expect("it is pinned"), pinned: true };
    (report::build(&audit, &evidence, as_of, "evidence.json"), Names::of(&audit, &evidence))
}

/// Whether `name` stands in `text` as a word of its own.
fn holds(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default().chars().next_back();
        let after = text.get(at + name.len()..).unwrap_or_default().chars().next();
        !before.into_iter().chain(after).any(char::is_alphanumeric)
    })
}

#[test]
fn no_name_is_left_in_any_format() {
    for audit in ["meridian", "meridian-fixed", "fleet", "waived"] {
        let (report, names) = shipped(audit);
        let redacted = report::redact(&report, &names).expect("it can be redacted");
        let wide = TableOptions { width: 100, colour: false, everything: true };
        // One line a text: a name that is wrapped would not be found.
        let json = report::to_json(std::slice::from_ref(&redacted)).expect("JSON");
        for text in [&json, &report::to_table(std::slice::from_ref(&redacted), wide)] {
            // The ids of rules are the program's own words, whatever names stand in them.
            let text = ttl_audit::rules::ids().iter().fold(text.clone(), |text, id| text.replace(id, ""));
            let found: Vec<&str> = names.iter().filter(|name| holds(&text, name)).collect();
            assert!(found.is_empty(), "{audit}: {found:?}");
        }
        // Their fixed texts hold plain words that may also be names; a name with a mark in it stands in none of them.
        let placed = [Placed { report: &redacted, folder: String::new() }];
        let one = std::slice::from_ref(&redacted);
        let sarif = report::to_sarif(&placed).expect("SARIF");
        let mut sarif: serde_json::Value = serde_json::from_str(&sarif).expect("JSON");
        // The pages of the rules have examples of their own.
        *sarif.pointer_mut("/runs/0/tool/driver/rules").expect("the rules") = serde_json::Value::Null;
        let sarif = sarif.to_string();
        let junit = report::to_junit(one).expect("JUnit XML");
        for text in [sarif, junit, report::to_github(&placed), report::to_markdown(one, true), report::to_html(one, true)] {
            let marked = names.iter().filter(|name| name.contains(['-', '.', '_']));
            let found: Vec<&str> = marked.filter(|name| holds(&text, name)).collect();
            assert!(found.is_empty(), "{audit}: {found:?}");
        }
        let before = report::to_json(std::slice::from_ref(&report)).expect("JSON");
        assert!(names.iter().filter(|name| holds(&before, name)).count() >= 4, "{audit}: there was something to redact");
    }
}

#[test]
fn nothing_else_changes() {
    let (report, names) = shipped("fleet");
    let redacted = report::redact(&report, &names).expect("it can be redacted");
    assert_eq!(redacted.summary, report.summary);
    assert_eq!(redacted.jobs.len(), report.jobs.len());
    for (before, after) in report.findings.iter().zip(&redacted.findings) {
        assert_eq!((&after.rule, after.severity, after.bites_on), (&before.rule, before.severity, before.bites_on));
        assert_eq!(after.facts.len(), before.facts.len());
    }
    let same = report::redact(&report, &Names::default()).expect("it can be");
    assert!(same.findings == report.findings, "without names nothing is replaced, and fingerprints are made as before");
}

#[test]
fn one_name_has_one_alias() {
    let (report, names) = shipped("fleet");
    let redacted = report::redact(&report, &names).expect("it can be redacted");
    let mut aliases = std::collections::BTreeMap::new();
    let jobs = report.jobs.iter().zip(&redacted.jobs);
    let findings = report.findings.iter().zip(&redacted.findings);
    let pairs = jobs.map(|(a, b)| (&a.job, &b.job)).chain(findings.map(|(a, b)| (&a.job, &b.job)));
    for (name, alias) in pairs {
        assert_eq!(aliases.entry(name).or_insert(alias), &alias, "{name}");
        assert!(alias.starts_with("job-"), "{alias}");
    }
    let distinct: std::collections::BTreeSet<_> = aliases.values().collect();
    assert_eq!(distinct.len(), aliases.len(), "and no two share one");
    // The subject begins with the same alias, and so does the manifest's file.
    for finding in &redacted.findings {
        assert!(finding.subject.starts_with(&finding.job), "{}", finding.subject);
        assert_eq!(finding.location.file, format!("jobs/{}.yaml", finding.job));
    }
}

#[test]
fn the_command_line_does_it_on_stdout_and_in_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let file: PathBuf = folder.path().join("report.json");
    let output = ttl_audit()
        .args(["check", "--offline", "audits/meridian", "--redact-names", "--output"])
        .arg(format!("json={}", file.display()))
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let stdout = String::from_utf8(output.stdout).expect("text");
    let written = fs::read_to_string(file).expect("a report");
    for text in [&stdout, &written] {
        for name in ["meridian", "Meridian", "user-engagement", "msi-flink-savepoints", "confluent-prod", "product-analytics"] {
            assert!(!text.contains(name), "{name}");
        }
        assert!(text.contains("job-1") && text.contains("topic-1") && text.contains("bucket-"), "{text}");
    }
}
