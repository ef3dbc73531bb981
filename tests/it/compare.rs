//! Two reports side by side.

use serde_json::{Value, json};
use ttl_audit::{
    compare::{self, Change, Comparison},
    evidence::{Evidence, Fact},
    report::{Report, TableOptions, from_json},
};

use crate::folder::{Folder, Savepoint, manifest};
use Savepoint::{Elsewhere, Fine, Missing, Restored};

fn report(folder: &Folder, more: &[&str]) -> Report {
    let text = folder.run(&[&["check", "--offline", "--format", "json"], more].concat()).stdout;
    from_json(&text).expect("a report").remove(0)
}

fn of(jobs: &[(&str, Savepoint)]) -> Report {
    report(&Folder::new(jobs), &[])
}

fn changes(comparison: &Comparison) -> Vec<(Change, &str, &str)> {
    comparison.findings.iter().map(|finding| (finding.change, finding.job.as_str(), finding.rule.as_str())).collect()
}

#[test]
fn new_same_and_fixed_are_told_by_fingerprint() {
    let old = of(&[("a", Missing), ("b", Missing), ("c", Fine)]);
    let new = of(&[("a", Missing), ("b", Fine), ("c", Missing)]);
    let comparison = compare::compare(&old, &new);
    let rule = "snapshot-missing";
    assert_eq!(changes(&comparison), [(Change::New, "c", rule), (Change::Same, "a", rule), (Change::Fixed, "b", rule)]);
    assert_eq!((comparison.exit_code, comparison.summary.new, comparison.summary.fixed), (1, 1, 1));
    // The other way round the new one is fixed.
    assert_eq!(compare::compare(&new, &old).summary.fixed, 1);
    assert_eq!(compare::compare(&of(&[("a", Missing)]), &of(&[("a", Fine)])).exit_code, 0);
}

#[test]
fn louder_is_worse_and_less_loud_is_better() {
    let folder = Folder::new(&[("a", Restored)]);
    let audit = folder.read("audit.yaml");
    let at = |severity: &str| {
        folder.write("audit.yaml", &format!("{audit}policy:\n  severity: {{ snapshot-restored-temporarily: {severity} }}\n"));
        report(&folder, &[])
    };
    let (note, error) = (at("note"), at("error"));
    let worse = compare::compare(&note, &error);
    assert_eq!((worse.findings[0].change, worse.exit_code), (Change::Worse, 1));
    let better = compare::compare(&error, &note);
    assert_eq!((better.findings[0].change, better.exit_code), (Change::Better, 0));
    let off = compare::compare(&error, &at("off"));
    assert_eq!(off.findings[0].change, Change::NotJudged);
    assert_eq!(off.findings[0].note.as_deref(), Some("rule snapshot-restored-temporarily: off in the policy"));
}

#[test]
fn order_wording_and_lines_do_not_matter() {
    let folder = Folder::new(&[("a", Missing), ("b", Restored), ("c", Elsewhere)]);
    let old = report(&folder, &[]);
    // Every line moves, and so does the place of every job.
    for (job, savepoint) in [("a", Missing), ("b", Restored), ("c", Elsewhere)] {
        folder.write(&format!("jobs/{job}.yaml"), &format!("# a comment\n\n{}", manifest(job, savepoint)));
    }
    let mut new = report(&folder, &[]);
    assert_ne!(old, new, "lines moved");
    new.findings.reverse();
    new.unknown.reverse();
    new.jobs.reverse();
    for finding in &mut new.findings {
        finding.message = "said in other words".to_owned();
        finding.facts.reverse();
        for fact in &mut finding.facts {
            fact.origin.push_str(", asked again");
        }
    }
    let comparison = compare::compare(&old, &new);
    assert!(comparison.findings.iter().all(|finding| finding.change == Change::Same && finding.moved.is_empty()), "{comparison:#?}");
    assert!(comparison.unknown.iter().all(|unknown| unknown.change == Change::Same), "{comparison:#?}");
    assert_eq!((comparison.jobs.as_slice(), comparison.notes.as_slice(), comparison.exit_code), (&[][..], &[][..], 0));
    let text = compare::to_table(&comparison, TableOptions { width: 100, colour: false, everything: false });
    assert!(!text.contains("said in other words"), "what stayed is only counted: {text}");
}

#[test]
fn the_fact_that_moved_is_named_with_both_origins() {
    let folder = Folder::new(&[("a", Fine)]);
    folder.write("jobs/a.yaml", &manifest("a", Fine).replace("ttl: 20d", "ttl: 10d"));
    let old = report(&folder, &[]);
    let mut evidence = Evidence::from_json(&folder.read("evidence.json")).expect("evidence");
    let topic = evidence.kafka.get_mut("prod").and_then(|cluster| cluster.topics.get_mut("orders")).expect("the topic");
    let Fact::Seen(seen) = &mut topic.settings else { panic!("settings were seen") };
    let retention = seen.value.get_mut("retention.ms").expect("the setting");
    retention.value = Some("1209600000".to_owned());
    for synonym in &mut retention.synonyms {
        synonym.value = Some("336".to_owned());
    }
    folder.write("evidence.json", &evidence.to_json().expect("writes"));
    let comparison = compare::compare(&old, &report(&folder, &[]));
    let new = comparison.findings.iter().find(|finding| finding.rule == "ttl-below-retention").expect("new");
    assert_eq!(new.change, Change::New);
    let floor = new.moved.iter().find(|moved| moved.fact == "floor of orders").expect("the floor moved");
    let shown =
        |fact: &Option<compare::MovedFact>| fact.as_ref().map(|fact| (fact.amount.to_string(), fact.origin.clone())).expect("a fact");
    assert_eq!(shown(&floor.old).0, "7d");
    let (value, origin) = shown(&floor.new);
    assert!(value == "14d" && origin.contains("broker default"), "{value} {origin}");
    let thin = comparison.findings.iter().find(|finding| finding.rule == "ttl-margin-thin").expect("gone");
    assert_eq!(thin.change, Change::Fixed);
    let text = compare::to_table(&comparison, TableOptions { width: 160, colour: false, everything: false });
    assert!(text.contains("floor of orders: 7d ("), "{text}");
}

/// The evidence of a folder, without the right to list.
fn deny(folder: &Folder) -> Evidence {
    let mut evidence = Evidence::from_json(&folder.read("evidence.json")).expect("evidence");
    for place in evidence.places.values_mut() {
        place.snapshots = Fact::denied("denied: needs s3:ListBucket", "ListObjectsV2");
    }
    evidence
}

#[test]
fn a_finding_that_turns_unknown_is_not_fixed() {
    let folder = Folder::new(&[("a", Missing)]);
    let old = report(&folder, &[]);
    folder.write("evidence.json", &deny(&folder).to_json().expect("writes"));
    let new = report(&folder, &[]);
    let comparison = compare::compare(&old, &new);
    let gone = comparison.findings.iter().find(|finding| finding.rule == "snapshot-missing").expect("it is told");
    assert_eq!((gone.change, gone.new_severity, comparison.exit_code), (Change::NoLongerKnown, None, 1));
    assert!(gone.note.as_deref().is_some_and(|note| note.contains("needs s3:ListBucket")), "{gone:?}");
    // Back again: a finding that was unknown is new, and says so; what else waited has no snapshot to judge, and is not answered.
    let back = compare::compare(&new, &old);
    let found = back.findings.iter().find(|finding| finding.rule == "snapshot-missing").expect("it is told");
    assert_eq!(found.change, Change::New);
    assert!(found.note.as_deref().is_some_and(|note| note.starts_with("it was unknown: ")), "{found:?}");
    assert!(back.unknown.iter().any(|unknown| unknown.change == Change::NotJudged), "{back:#?}");
    assert_eq!(back.unknown.iter().find(|unknown| unknown.change == Change::Fixed), None);
    let fine = Folder::new(&[("a", Fine)]);
    let seen = report(&fine, &[]);
    fine.write("evidence.json", &deny(&fine).to_json().expect("writes"));
    let answered = compare::compare(&report(&fine, &[]), &seen);
    assert!(answered.unknown.iter().any(|unknown| unknown.change == Change::Fixed), "{answered:#?}");
    // A pass that turns unknown is new too.
    let unknown = compare::compare(&of(&[("a", Fine)]), &of(&[("a", Elsewhere)]));
    assert_eq!((unknown.summary.new_unknown > 0, unknown.exit_code), (true, 1));
    assert_eq!(compare::compare(&of(&[("a", Elsewhere)]), &of(&[("a", Elsewhere)])).exit_code, 0);
}

#[test]
fn what_is_gone_without_being_judged_is_not_fixed() {
    let both = Folder::new(&[("a", Missing), ("b", Missing)]);
    let old = report(&both, &[]);
    let comparison = compare::compare(&old, &report(&both, &["--job", "a", "--skip-rule", "ttl-never"]));
    let gone = comparison.findings.iter().find(|finding| finding.job == "b").expect("it is told");
    assert_eq!((gone.change, gone.note.as_deref()), (Change::NotJudged, Some("the later report does not have the job")));
    assert_eq!(comparison.exit_code, 0);
    assert!(comparison.notes.contains(&"only in the old report: b".to_owned()), "{:?}", comparison.notes);
    assert!(
        comparison.notes.contains(&"left out of the new report only: rule ttl-never: --skip-rule".to_owned()),
        "{:?}",
        comparison.notes
    );
    let skipped = compare::compare(&old, &report(&both, &["--skip-rule", "snapshot-missing"]));
    assert!(skipped.findings.iter().all(|finding| finding.change == Change::NotJudged), "{skipped:#?}");
}

#[test]
fn a_waiver_is_no_repair_and_its_end_is_new() {
    let folder = Folder::new(&[("a", Missing)]);
    let bare = report(&folder, &[]);
    let audit = folder.read("audit.yaml");
    folder.write("audit.yaml", &format!("{audit}waivers:\n  - {{ rule: snapshot-missing, reason: r, owner: o, expires: 2026-12-31 }}\n"));
    let waived = report(&folder, &[]);
    let there = compare::compare(&bare, &waived);
    assert_eq!((there.findings[0].change, there.exit_code), (Change::Waived, 0));
    let back = compare::compare(&waived, &bare);
    assert_eq!((back.findings[0].change, back.exit_code), (Change::New, 1));
    assert_eq!(back.findings[0].note.as_deref(), Some("it was waived until 2026-12-31 (owner o)"));
}

#[test]
fn a_ttl_that_grew_is_dated() {
    let folder = Folder::new(&[("a", Fine)]);
    let with = |ttl: &str, as_of: &str| {
        folder.write("jobs/a.yaml", &manifest("a", Fine).replace("ttl: 20d", ttl));
        report(&folder, &["--as-of", as_of, "--skip-rule", "evidence-stale"])
    };
    let old = with("ttl: 7d", "2026-10-01");
    let comparison = compare::compare(&old, &with("ttl: 20d", "2026-10-11"));
    let grew = comparison.findings.iter().find(|finding| finding.rule == "ttl-lengthened").expect("it is said");
    assert_eq!((grew.change, comparison.exit_code), (Change::New, 1));
    assert!(grew.message.contains("from 2026-10-24, 13d after the change"), "{}", grew.message);
    let later = compare::compare(&old, &with("ttl: 20d", "2026-12-11"));
    assert!(later.unknown.iter().any(|unknown| unknown.rules == ["ttl-lengthened"]), "{later:#?}");
    let shorter = compare::compare(&with("ttl: 20d", "2026-10-01"), &with("ttl: 16d", "2026-10-11"));
    assert!(shorter.findings.iter().all(|finding| finding.rule != "ttl-lengthened"), "{shorter:#?}");
}

/// Field case F47: TTL switched on between quarters, before and after the release of Flink that can restore it.
#[test]
fn a_ttl_that_was_switched_on_fails_the_restore_before_its_release() {
    let folder = Folder::new(&[("a", Fine)]);
    let with = |ttl: &str, version: &str| {
        let flink = format!("flink: {{ version: {version}, state_backend: rocksdb }}\nsources:");
        folder.write("jobs/a.yaml", &manifest("a", Fine).replace("ttl: 20d", ttl).replacen("sources:", &flink, 1));
        report(&folder, &[])
    };
    let fires = |version: &str| {
        let comparison = compare::compare(&with("ttl: never", version), &with("ttl: 20d", version));
        comparison.findings.into_iter().find(|finding| finding.rule == "ttl-contradicted")
    };
    let old = fires("1.20.1").expect("it fails");
    assert!(old.message.contains("StateMigrationException") && old.message.contains("TTL was switched on"), "{}", old.message);
    assert_eq!(fires("2.2.0"), None);
}

#[test]
fn the_command_prints_every_format_with_one_code() {
    let folder = Folder::new(&[("a", Missing), ("b", Fine)]);
    folder.run(&["check", "--offline", "--quiet", "--output", "json=old.json"]);
    let worse = Folder::new(&[("a", Fine), ("b", Missing)]);
    worse.write("audit.yaml", &worse.read("audit.yaml").replace("audit: acme", "audit: acme_q4"));
    worse.run(&["check", "--offline", "--quiet", "--output", "json=new.json"]);
    folder.write("new.json", &worse.read("new.json"));
    let table = folder.run(&["compare", "old.json", "new.json"]);
    assert!(table.stdout.contains("1 new · 0 worse · 0 same · 0 better · 1 fixed"), "{}", table.stdout);
    assert!(table.stdout.contains("the audits have different names: acme and acme_q4"), "{}", table.stdout);
    let json = folder.run(&["compare", "old.json", "new.json", "--format", "json"]);
    let value: Value = serde_json::from_str(&json.stdout).expect("JSON");
    let first = &value["findings"][0];
    assert_eq!(
        (&first["change"], &first["job"], &first["old_severity"], &first["new_severity"]),
        (&json!("new"), &json!("b"), &Value::Null, &json!("error"))
    );
    assert_eq!((&value["old"]["audit"], &value["exit_code"]), (&json!("acme"), &json!(1)));
    let markdown = folder.run(&["compare", "old.json", "new.json", "--format", "markdown"]);
    assert!(markdown.stdout.starts_with("# acme → acme_q4\n") && markdown.stdout.contains("\n## Fixed\n"), "{}", markdown.stdout);
    assert_eq!([table.code, json.code, markdown.code], [1, 1, 1]);
    assert_eq!(folder.run(&["compare", "old.json", "old.json"]).code, 0);
    for width in ["80", "100", "160"] {
        let text = folder.run_with(&["compare", "old.json", "new.json"], &[("COLUMNS", width)]).stdout;
        let limit: usize = width.parse().expect("a number");
        assert_eq!(text.lines().find(|line| textwrap::core::display_width(line) > limit), None);
    }
}

#[test]
fn files_that_are_no_reports_are_all_named_with_their_place() {
    let folder = Folder::new(&[("a", Fine)]);
    folder.run(&["check", "--offline", "--quiet", "--output", "json=good.json"]);
    folder.write("bad.json", "{\n  \"audit\": 1\n}\n");
    folder.write("newer.json", &folder.read("good.json").replace("\"schema_version\": 1", "\"schema_version\": 9"));
    let run = folder.run(&["compare", "bad.json", "newer.json"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("bad.json:2:12: it is not a report of this version"), "{}", run.stderr);
    assert!(run.stderr.contains("newer.json: it has report version 9"), "{}", run.stderr);
    for arguments in
        [&["compare", "good.json"][..], &["compare"], &["compare", "good.json", "nowhere.json"], &["compare", "good.json", "audit.yaml"]]
    {
        assert_eq!(folder.run(arguments).code, 2, "{arguments:?}");
    }
}

#[test]
fn several_audits_are_compared_each_with_its_own() {
    let (one, two) = (Folder::new(&[("a", Missing)]), Folder::new(&[("a", Fine)]));
    two.write("audit.yaml", &two.read("audit.yaml").replace("audit: acme", "audit: beta"));
    let paths = [one.path().to_str().expect("text"), two.path().to_str().expect("text")];
    one.run(&["check", "--offline", "--quiet", "--output", "json=both.json", paths[0], paths[1]]);
    one.run(&["check", "--offline", "--quiet", "--output", "json=turned.json", paths[1], paths[0]]);
    one.run(&["check", "--offline", "--quiet", "--output", "json=one.json", paths[0]]);
    let run = one.run(&["compare", "both.json", "turned.json", "--format", "json"]);
    let value: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((run.code, value.as_array().expect("an array").len()), (0, 2));
    let run = one.run(&["compare", "both.json", "one.json"]);
    assert!(run.code == 2 && run.stderr.contains("no report of beta is among the later ones"), "{run:?}");
    let run = one.run(&["compare", "one.json", "both.json"]);
    assert!(run.code == 2 && run.stderr.contains("no report of beta is among the earlier ones (acme)"), "{run:?}");
}

#[test]
fn what_its_rule_does_not_look_at_any_more_is_not_fixed() {
    let old = of(&[("a", Missing)]);
    // The savepoints of another place are judged now, and those of the old one are not.
    let moved = Folder::new(&[("a", Fine)]);
    let elsewhere = moved.read("jobs/a.yaml").replace("/savepoints/a/", "/savepoints/b/");
    moved.write("jobs/a.yaml", &elsewhere);
    let comparison = compare::compare(&old, &report(&moved, &[]));
    let gone = comparison.findings.iter().find(|finding| finding.old_severity.is_some()).expect("it is told");
    assert_eq!((gone.rule.as_str(), gone.change), ("snapshot-missing", Change::NotJudged));
    assert!(gone.note.as_deref().is_some_and(|note| note.starts_with("snapshot-missing had nothing to judge of s3://")), "{gone:?}");
    // A report that does not list what passed is judged by its rules.
    let mut older = of(&[("a", Fine)]);
    older.jobs[0].passed = None;
    assert_eq!(compare::compare(&old, &older).findings[0].change, Change::Fixed);
}
