//! An earlier report as the measure: only what is new or worse trips the gate.

use serde_json::{Value, json};

use crate::folder::{Folder, Savepoint, manifest};
use Savepoint::{Elsewhere, Fine, Missing, Restored};

fn json_of(folder: &Folder, more: &[&str]) -> (i32, Value) {
    let run = folder.run(&[&["check", "--offline", "--format", "json"], more].concat());
    (run.code, serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr)))
}

/// The report of this folder as it is now, kept in it.
fn keep(folder: &Folder) {
    folder.run(&["check", "--offline", "--quiet", "--output", "json=old.json"]);
}

/// A folder of which a report was kept when its jobs were `before`, and whose jobs are `now`.
fn changed(before: &[(&str, Savepoint)], now: &[(&str, Savepoint)]) -> Folder {
    let old = Folder::new(before);
    keep(&old);
    let folder = Folder::new(now);
    folder.write("old.json", &old.read("old.json"));
    folder
}

const BASELINE: [&str; 2] = ["--baseline", "old.json"];

#[test]
fn what_was_there_is_known_and_stays_in_the_report() {
    let folder = changed(&[("a", Missing)], &[("a", Missing)]);
    let (code, report) = json_of(&folder, &BASELINE);
    assert_eq!(code, 0);
    assert_eq!(report["findings"][0]["since_baseline"], "same");
    assert_eq!(report["jobs"][0]["verdict"], "fail", "the job still cannot come back");
    let baseline = &report["summary"]["baseline"];
    assert_eq!((&baseline["new"], &baseline["worse"], &baseline["known"]["error"]), (&json!(0), &json!(0), &json!(1)));
    assert_eq!((&baseline["audit"], &baseline["as_of"]), (&json!("acme"), &json!("2026-10-01T06:00:00Z")));
    let table = folder.run(&["check", "--offline", "--baseline", "old.json"]).stdout;
    assert!(table.contains("compared with the baseline: known"), "{table}");
    let last = table.replace("\n  ", " ");
    assert!(last.contains("baseline acme of 2026-10-01: 0 new, 0 worse, 1 known (1 error), 0 new unknown, 0 known unknown"), "{table}");
}

#[test]
fn what_is_new_or_worse_trips() {
    let new = changed(&[("a", Missing), ("b", Fine)], &[("a", Missing), ("b", Missing)]);
    let (code, report) = json_of(&new, &BASELINE);
    assert_eq!((code, &report["summary"]["baseline"]["new"]), (1, &json!(1)));
    // A job that was not there is new.
    assert_eq!(json_of(&changed(&[("a", Fine)], &[("a", Fine), ("b", Missing)]), &BASELINE).0, 1);

    let worse = changed(&[("a", Restored)], &[("a", Restored)]);
    assert_eq!(json_of(&worse, &["--baseline", "old.json", "--fail-on", "warning"]).0, 0);
    let audit = worse.read("audit.yaml");
    worse.write("audit.yaml", &format!("{audit}policy:\n  severity: {{ snapshot-restored-temporarily: error }}\n"));
    let (code, report) = json_of(&worse, &BASELINE);
    assert_eq!((code, &report["findings"][0]["since_baseline"]), (1, &json!("worse")));
    worse.write("audit.yaml", &format!("{audit}policy:\n  severity: {{ snapshot-restored-temporarily: note }}\n"));
    let (code, report) = json_of(&worse, &["--baseline", "old.json", "--fail-on", "note"]);
    assert_eq!((code, &report["findings"][0]["since_baseline"]), (0, &json!("better")));
}

#[test]
fn a_fact_that_went_missing_is_new_and_one_that_was_missing_is_known() {
    for (before, now, code) in [(Elsewhere, Elsewhere, 0), (Fine, Elsewhere, 3), (Missing, Elsewhere, 3), (Elsewhere, Fine, 0)] {
        let folder = changed(&[("a", before)], &[("a", now)]);
        let (exit, report) = json_of(&folder, &BASELINE);
        assert_eq!(exit, code, "{before:?} → {now:?}");
        assert_eq!(report["summary"]["incomplete"], code == 3);
    }
    let known = json_of(&changed(&[("a", Elsewhere)], &[("a", Elsewhere)]), &BASELINE).1;
    assert_eq!(known["unknown"][0]["since_baseline"], "same");
    assert_eq!(known["summary"]["baseline"]["known_unknown"], 1);
}

/// The same subject: seen, found, and then denied.
#[test]
fn a_finding_whose_fact_is_denied_now_is_a_new_unknown() {
    let folder = Folder::new(&[("a", Missing)]);
    keep(&folder);
    let mut evidence = ttl_audit::evidence::Evidence::from_json(&folder.read("evidence.json")).expect("evidence");
    for place in evidence.places.values_mut() {
        place.snapshots = ttl_audit::evidence::Fact::denied("denied: AccessDenied", "ListObjectsV2");
    }
    folder.write("evidence.json", &evidence.to_json().expect("writes"));
    let (code, report) = json_of(&folder, &BASELINE);
    assert_eq!((code, &report["unknown"][0]["since_baseline"]), (3, &json!("new")));
    // Known from the next report on.
    keep(&folder);
    assert_eq!(json_of(&folder, &BASELINE).0, 0);
    // An answer that turns out bad is new, though the rule was unknown before.
    let found = Folder::new(&[("a", Missing)]);
    found.write("old.json", &folder.read("old.json"));
    assert_eq!(json_of(&found, &BASELINE).0, 1);
}

#[test]
fn what_was_waived_then_is_new_when_the_waiver_ends() {
    let folder = Folder::new(&[("a", Missing)]);
    let audit = folder.read("audit.yaml");
    folder.write("audit.yaml", &format!("{audit}waivers:\n  - {{ rule: snapshot-missing, reason: r, owner: o, expires: 2026-10-31 }}\n"));
    keep(&folder);
    assert_eq!(json_of(&folder, &BASELINE).0, 0);
    let (code, report) = json_of(&folder, &["--baseline", "old.json", "--as-of", "2026-11-01", "--skip-rule", "evidence-stale"]);
    assert_eq!((code, &report["findings"][0]["since_baseline"]), (1, &json!("new")));
}

#[test]
fn a_longer_ttl_is_dated_against_the_earlier_report_and_carried_on() {
    let folder = Folder::new(&[("a", Fine)]);
    folder.write("jobs/a.yaml", &manifest("a", Fine).replace("ttl: 20d", "ttl: 7d"));
    keep(&folder);
    folder.write("jobs/a.yaml", &manifest("a", Fine));
    let lengthened =
        |report: &Value| report["findings"].as_array().expect("a list").iter().find(|f| f["rule"] == "ttl-lengthened").cloned();
    let as_of = ["--as-of", "2026-10-11", "--baseline", "old.json"];
    let (_, report) = json_of(&folder, &as_of);
    let finding = lengthened(&report).expect("it fires");
    assert!(finding["message"].as_str().expect("text").contains("from 2026-10-24, 13d after the change"), "{finding}");
    // The next quarter measures by a report that has the longer TTL already.
    folder.run(&["check", "--offline", "--quiet", "--output", "json=next.json", "--as-of", "2026-10-11", "--baseline", "old.json"]);
    let at = |as_of: &str| lengthened(&json_of(&folder, &["--as-of", as_of, "--baseline", "next.json"]).1);
    assert!(at("2026-10-12").expect("still")["message"].as_str().expect("text").contains("from 2026-10-24"));
    assert_eq!(at("2026-10-24"), None);
}

#[test]
fn one_report_fits_one_audit_by_a_job_and_several_by_name() {
    let folder = changed(&[("a", Missing)], &[("a", Missing)]);
    let audit = folder.read("audit.yaml").replace("audit: acme", "audit: acme-2026-q4");
    folder.write("audit.yaml", &audit);
    let (code, report) = json_of(&folder, &BASELINE);
    assert_eq!((code, &report["notices"][0]["message"]), (0, &json!("the baseline: it is a report of acme")));

    let stranger = changed(&[("z", Missing)], &[("a", Missing)]);
    stranger.write("audit.yaml", &audit);
    let run = stranger.run(&["check", "--offline", "--baseline", "old.json"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("is of acme, and has neither the name nor a job of acme-2026-q4"), "{}", run.stderr);

    let paths = [folder.path().to_str().expect("text"), stranger.path().to_str().expect("text")];
    let run = folder.run(&["check", "--offline", "--baseline", "old.json", paths[0], paths[1]]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("no report of acme-2026-q4 is among the earlier ones (acme)"), "{}", run.stderr);
}

#[test]
fn several_audits_are_measured_each_by_its_own() {
    let (one, two) = (Folder::new(&[("a", Missing)]), Folder::new(&[("a", Missing)]));
    two.write("audit.yaml", &two.read("audit.yaml").replace("audit: acme", "audit: beta"));
    let paths = [one.path().to_str().expect("text"), two.path().to_str().expect("text")];
    one.run(&["check", "--offline", "--quiet", "--output", "json=old.json", paths[0], paths[1]]);
    assert_eq!(one.run(&["check", "--offline", "--baseline", "old.json", paths[1], paths[0]]).code, 0);
    // Twice the same name: which one counts?
    two.write("audit.yaml", &two.read("audit.yaml").replace("audit: beta", "audit: acme"));
    one.run(&["check", "--offline", "--quiet", "--output", "json=old.json", paths[0], paths[1]]);
    let run = one.run(&["check", "--offline", "--baseline", "old.json"]);
    assert!(run.code == 2 && run.stderr.contains("which one counts is not known"), "{run:?}");
}

#[test]
fn what_is_no_report_is_a_usage_error_with_its_place() {
    let folder = Folder::new(&[("a", Fine)]);
    keep(&folder);
    let good = folder.read("old.json");
    for (text, part) in [
        ("{\n  \"schema_version\": 1,\n  oops", "bad.json:3:3: it is not a report of this version"),
        ("[]", "it holds no report"),
        ("{}", "missing field"),
        (&good.replace("\"schema_version\": 1", "\"schema_version\": 2"), "it has report version 2, this program reads version 1"),
        ("{\"schema_version\": 7, \"all\": \"new\"}", "it has report version 7"),
        ("[{\"schema_version\": 7}]", "it has report version 7"),
        (&good.replace("\"verdict\": \"pass\"", "\"verdict\": \"perhaps\""), "unknown variant `perhaps`"),
        (&format!("{{\"x\": {}", "[".repeat(100_000)), "EOF while parsing a list"),
    ] {
        folder.write("bad.json", text);
        let run = folder.run(&["check", "--offline", "--baseline", "bad.json"]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{part}");
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
    assert_eq!(folder.run(&["check", "--offline", "--baseline", "nowhere.json"]).code, 2);
    assert_eq!(folder.run(&["check", "--offline", "--baseline", "evidence.json"]).code, 2);
}

/// A report that an earlier version of this program wrote lacks what was added since.
#[test]
fn a_report_without_the_newer_fields_is_read() {
    let folder = changed(&[("a", Missing), ("b", Elsewhere)], &[("a", Missing), ("b", Elsewhere)]);
    let mut old: Value = serde_json::from_str(&folder.read("old.json")).expect("a report");
    for key in ["waived", "notices"] {
        old.as_object_mut().expect("an object").remove(key);
    }
    old["summary"].as_object_mut().expect("an object").remove("waived");
    for unknown in old["unknown"].as_array_mut().expect("a list") {
        unknown.as_object_mut().expect("an object").remove("waits");
    }
    for job in old["jobs"].as_array_mut().expect("a list") {
        job.as_object_mut().expect("an object").remove("flink");
    }
    folder.write("old.json", &old.to_string());
    assert_eq!(json_of(&folder, &BASELINE).0, 0);
}
