//! Waivers: shown, not counted, with an end.

use serde_json::{Value, json};

use crate::folder::{Folder, Run, Savepoint::*};

const MISSING: &str = "  - rule: snapshot-missing\n    reason: rebuilt from the warehouse\n    owner: data-platform\n";

/// The audit with these waivers, judged on 2026-10-01.
fn waive(folder: &Folder, waivers: &str) {
    let audit = folder.read("audit.yaml");
    let audit = audit.split("waivers:").next().expect("a part").to_owned();
    folder.write("audit.yaml", &format!("{audit}waivers:\n{waivers}"));
}

fn report(folder: &Folder, more: &[&str]) -> (i32, Value) {
    let run = folder.run(&[&["check", "--offline", "--format", "json"], more].concat());
    (run.code, serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr)))
}

fn notices(report: &Value) -> Vec<(String, String)> {
    let text = |notice: &Value, key: &str| notice[key].as_str().expect("text").to_owned();
    report["notices"].as_array().into_iter().flatten().map(|notice| (text(notice, "kind"), text(notice, "message"))).collect()
}

#[test]
fn a_waived_finding_is_shown_and_does_not_trip_the_gate() {
    let folder = Folder::new(&[("a", Missing), ("b", Fine)]);
    waive(&folder, &format!("{MISSING}    job: a\n    created: 2026-08-01\n    expires: 2027-06-30\n"));
    let (code, report) = report(&folder, &[]);
    assert_eq!(code, 0);
    assert_eq!(report["findings"], json!([]));
    assert_eq!(report["jobs"][0]["verdict"], "pass");
    let waived = &report["waived"][0];
    assert_eq!(waived["finding"]["rule"], "snapshot-missing");
    assert!(
        !waived["finding"]["message"].as_str().expect("text").is_empty()
            && !waived["finding"]["facts"].as_array().expect("facts").is_empty()
    );
    assert_eq!(waived["reason"], "rebuilt from the warehouse");
    assert_eq!((&waived["owner"], &waived["expires"]), (&json!("data-platform"), &json!("2027-06-30")));
    assert_eq!(report["summary"]["waived"]["error"], 1);
    assert_eq!(report["summary"]["findings"]["error"], 0);
    assert!(report.get("notices").is_none(), "{report}");
    let table = folder.run(&["check", "--offline"]).stdout;
    assert!(table.contains("waived (error) snapshot-missing"), "{table}");
    assert!(table.contains("rebuilt from the warehouse · owner data-platform · since 2026-08-01 · until 2027-06-30"), "{table}");
    assert!(table.contains("1 waived (1 error; oldest: snapshot-missing"), "{table}");
}

/// Field case F57: a list of exceptions that never ages.
#[test]
fn it_is_announced_and_it_ends() {
    let folder = Folder::new(&[("a", Missing)]);
    waive(&folder, &format!("{MISSING}    expires: 2026-11-01\n"));
    for (as_of, code, kind) in [
        ("2026-10-01T23:00:00Z", 0, None),
        ("2026-10-02", 0, Some("waiver-ends-soon")),
        ("2026-11-01T23:59:59Z", 0, Some("waiver-ends-soon")),
        ("2026-11-02", 1, Some("waiver-expired")),
    ] {
        // The evidence ages too, which is not what this is about.
        let (exit, report) = report(&folder, &["--as-of", as_of, "--skip-rule", "evidence-stale"]);
        let kinds: Vec<String> = notices(&report).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, kind.into_iter().map(str::to_owned).collect::<Vec<_>>(), "{as_of}");
        assert_eq!(exit, code, "{as_of}");
        if code == 1 {
            assert_eq!(report["findings"][0]["waiver_expired"]["owner"], "data-platform");
            assert_eq!(report["summary"]["waived"]["error"], 0);
            let table = folder.run(&["check", "--offline", "--as-of", as_of]).stdout;
            assert!(table.contains("waiver expired: rebuilt from the warehouse · owner data-platform · until 2026-11-01"), "{table}");
        }
    }
}

#[test]
fn unknowns_are_waived_by_name_and_what_is_left_counts_on() {
    let folder = Folder::new(&[("a", Elsewhere)]);
    let (code, before) = report(&folder, &[]);
    assert_eq!(code, 3);
    let unknown = &before["unknown"][0];
    let mut rules: Vec<String> = vec![unknown["rule"].as_str().expect("text").to_owned()];
    rules.extend(unknown["also"].as_array().expect("rules").iter().map(|rule| rule.as_str().expect("text").to_owned()));
    assert!(rules.len() >= 3, "one cause, several rules: {rules:?}");
    let one = |rule: &str| format!("  - rule: {rule}\n    reason: kept on Google Cloud Storage\n    owner: sre\n    expires: 2027-01-31\n");

    // One of several: the rest goes on waiting, and counts.
    waive(&folder, &one(&rules[0]));
    let (code, some) = report(&folder, &[]);
    assert_eq!(code, 3);
    assert_eq!(some["waived"][0]["unknown"]["rule"], rules[0].as_str());
    assert_eq!(some["waived"][0]["unknown"]["reason"], unknown["reason"]);
    let left = some["waived"][0]["not_waived"].as_array().expect("rules").len();
    assert_eq!(left, rules.len() - 1);
    assert!(!serde_json::to_string(&some["unknown"]).expect("text").contains(&format!("\"rule\":\"{}\"", rules[0])));

    // All that could trip the gate: green by name, and what cannot trip it is still there.
    waive(&folder, &rules.iter().map(|rule| one(rule)).collect::<String>());
    let (code, all) = report(&folder, &[]);
    assert_eq!((code, &all["unknown"]), (0, &json!([])));
    assert_eq!(all["summary"]["incomplete"], false);
    assert_eq!(all["summary"]["waived"]["unknown"].as_u64().expect("a number"), rules.len() as u64);
    // With a gate on notes it is as quiet.
    assert_eq!(report(&folder, &["--fail-on", "note"]).0, 0);
}

#[test]
fn narrowing_covers_no_more_than_it_says() {
    let folder = Folder::new(&[("a", Missing), ("b", Missing)]);
    let waived = |more: &str| {
        waive(&folder, &format!("{MISSING}    expires: 2027-01-31\n{more}"));
        let (_, report) = report(&folder, &[]);
        report["waived"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|waived| waived["finding"]["job"].as_str().expect("text").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(waived(""), ["a", "b"]);
    assert_eq!(waived("    job: b\n"), ["b"]);
    assert_eq!(waived("    location: s3a://acme-flink/savepoints/a/_metadata\n"), ["a"]);
    assert_eq!(waived("    location: s3://acme-flink/savepoints/\n"), [""; 0]);
    assert_eq!(waived("    source: orders\n"), [""; 0], "the finding is about no source");
    assert_eq!(waived("    operator: dedup\n"), [""; 0]);
}

#[test]
fn one_that_matches_nothing_is_reported_unless_nobody_can_know() {
    let folder = Folder::new(&[("a", Missing), ("bee", Fine)]);
    let other = "  - rule: ttl-never\n    reason: r\n    owner: o\n    expires: 2027-01-31\n";
    let said = |waivers: &str, more: &[&str]| {
        waive(&folder, waivers);
        notices(&report(&folder, more).1)
    };
    let [(kind, message)] = &said(other, &[])[..] else { panic!("one notice") };
    assert_eq!((kind.as_str(), message.as_str()), ("waiver-unmatched", "the waiver of ttl-never (owner o) matches nothing"));
    let misspelt = said(&format!("{other}    job: be\n"), &[]);
    assert!(misspelt[0].1.ends_with("matches nothing: no job is named `be`; did you mean `bee`?"), "{misspelt:?}");
    // Not run, or not judged: it may well match.
    assert_eq!(said(other, &["--rule", "snapshot-missing"]), []);
    assert_eq!(said(other, &["--job", "a"]), []);
    assert_eq!(said(&format!("{other}    job: bee\n"), &["--job", "a"]), []);
    assert_eq!(said(&format!("{other}    job: a\n"), &["--job", "a"]).len(), 1);
    let table = folder.run(&["check", "--offline"]).stdout;
    assert!(table.contains("matches nothing (audit.yaml:"), "{table}");
}

#[test]
fn of_several_the_longest_holds() {
    let folder = Folder::new(&[("a", Missing)]);
    let ended = format!("{MISSING}    expires: 2026-09-30\n");
    waive(&folder, &format!("{ended}  - rule: snapshot-missing\n    reason: again\n    owner: sre\n    expires: 2027-01-31\n"));
    let (code, report) = report(&folder, &[]);
    assert_eq!((code, &report["waived"][0]["reason"]), (0, &json!("again")));
    let said = notices(&report);
    assert_eq!(said[0].0, "waiver-expired");
    assert!(said[0].1.ends_with("expired on 2026-09-30: it covers nothing any more"), "{said:?}");
}

#[test]
fn the_oldest_is_the_first_that_was_created_else_the_first_to_end() {
    let folder = Folder::new(&[("a", Missing), ("b", Missing)]);
    let oldest = |a: &str, b: &str| {
        waive(&folder, &format!("{MISSING}    job: a\n{a}{}    job: b\n{b}", MISSING.replace("data-platform", "sre")));
        let report = report(&folder, &[]).1;
        report["summary"]["waived"]["oldest"]["owner"].as_str().expect("text").to_owned()
    };
    assert_eq!(oldest("    expires: 2027-03-31\n", "    expires: 2027-01-31\n"), "sre");
    assert_eq!(oldest("    created: 2026-01-01\n    expires: 2027-03-31\n", "    expires: 2027-01-31\n"), "data-platform");
    assert_eq!(oldest("    created: 2026-02-01\n    expires: 2027-03-31\n", "    created: 2026-01-01\n    expires: 2027-05-31\n"), "sre");
}

fn refused(waivers: &str) -> Run {
    let folder = Folder::new(&[("a", Fine)]);
    waive(&folder, waivers);
    let run = folder.run(&["check", "--offline"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{waivers}");
    run
}

#[test]
fn every_error_of_a_waiver_is_located() {
    let run = refused(
        "  - rule: ttl-nevr\n    reason: ''\n    expires: 2026-13-01\n    created: soon\n    locatoin: s3://b/\n    location: b/x\n",
    );
    for part in [
        "audit.yaml:9:11: `rule`: the rule `ttl-nevr` is not known",
        "did you mean `ttl-never`?",
        "audit.yaml:10:13: `reason` is empty",
        "a waiver lacks `owner`",
        "audit.yaml:11:14: `expires`: `2026-13-01` is not a day",
        "audit.yaml:12:14: `created`: `soon` is not a day",
        "did you mean `location`?",
        "audit.yaml:14:15: `location`: `b/x` is not a location",
    ] {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
    let late = refused(&format!("{MISSING}    created: 2027-02-01\n    expires: 2027-01-31\n"));
    assert!(late.stderr.contains("`created` 2027-02-01 is after `expires` 2027-01-31"), "{}", late.stderr);
    assert!(refused("  rule: ttl-never\n").stderr.contains("`waivers` must be a list"));
    assert!(refused(&format!("{MISSING}    expires: 2026-12-31T00:00:00Z\n")).stderr.contains("is not a day"));
}
