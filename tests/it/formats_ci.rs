//! What CI systems read: SARIF, JUnit XML, GitHub's workflow commands and its summary.

use std::fs;

use quick_junit::TestCaseStatus::{NonSuccess, Skipped, Success};
use serde_json::Value;
use ttl_audit::{
    finding::Severity,
    policy::FailOn,
    report::{Placed, Report, Since, Verdict, to_github, to_github_summary, to_junit, to_sarif},
};

use crate::{
    folder::{Folder, Savepoint},
    formats::{job, report, unknown},
    harness::{in_root, root, ttl_audit},
};

fn placed(reports: &[Report]) -> Vec<Placed<'_>> {
    reports.iter().map(|report| Placed { report, folder: "audits/acme".to_owned() }).collect()
}

/// A report in which every text is what its reader would obey.
fn hostile() -> Report {
    let mut report = report(0);
    let text = || "a::error file=x,line=1::b%0A\r\n::warning::c <b>|`#[link](https://x.example) ]]> \u{1b}[31m\u{0}".to_owned();
    report.audit = text();
    for finding in &mut report.findings {
        finding.subject = format!("{} {}", finding.job, text());
        finding.message = text();
        finding.location.file = String::from("jobs/ä b#%,:?.yaml");
    }
    for unknown in &mut report.unknown {
        unknown.reason = text();
        unknown.subject = text();
    }
    report
}

fn sarif(reports: &[Report]) -> Value {
    serde_json::from_str(&to_sarif(&placed(reports)).expect("writes")).expect("JSON")
}

fn at<'a>(value: &'a Value, pointer: &str) -> &'a Value {
    value.pointer(pointer).unwrap_or_else(|| panic!("{pointer} is not there"))
}

/// The schema of the standard, as the crate serde-sarif 0.8.0 ships it.
fn schema() -> jsonschema::Validator {
    let schema = fs::read_to_string(in_root("tests/data/sarif/sarif-schema-2.1.0.json")).expect("the schema");
    // The pattern of a language, which is not written here, has a bracket too many for a strict reader.
    let schema = schema.replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}$");
    jsonschema::draft7::options().should_validate_formats(true).build(&serde_json::from_str(&schema).expect("JSON")).expect("a schema")
}

#[test]
fn sarif_is_what_the_standard_says() {
    let schema = schema();
    let mut clean = report(1);
    clean.findings.clear();
    clean.unknown.clear();
    for reports in [vec![report(3)], vec![hostile()], vec![clean], vec![report(0), report(1)], vec![]] {
        let log = sarif(&reports);
        let wrong: Vec<String> = schema.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
    // The schema is one: it refuses what is wrong.
    let mut log = sarif(&[report(0)]);
    *log.pointer_mut("/runs/0/results/0/level").expect("a level") = "fatal".into();
    assert!(!schema.is_valid(&log));
}

#[test]
fn sarif_of_the_shipped_audits_is_too() {
    let schema = schema();
    for audit in ["meridian", "fleet", "waived"] {
        let log = fs::read_to_string(in_root(&format!("audits/{audit}/expected/report.sarif"))).expect("a golden report");
        let log: Value = serde_json::from_str(&log).expect("JSON");
        assert!(schema.is_valid(&log), "{audit}");
        // Every result lies in a file that is there, in a line that is there.
        let results = at(&log, "/runs/0/results").as_array().expect("results");
        assert!(!results.is_empty());
        for result in results {
            let file = at(result, "/locations/0/physicalLocation/artifactLocation/uri").as_str().expect("a path");
            let line = at(result, "/locations/0/physicalLocation/region/startLine").as_u64().expect("a line");
            let text = fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(line >= 1 && text.lines().count() as u64 >= line, "{file}:{line}");
        }
    }
}

#[test]
fn sarif_results_have_rule_help_line_and_fingerprint() {
    let report = report(0);
    let log = sarif(std::slice::from_ref(&report));
    let (result, finding) = (at(&log, "/runs/0/results/0"), report.findings.first().expect("a finding"));
    let index = at(result, "/ruleIndex").as_u64().expect("an index");
    let rule = at(&log, &format!("/runs/0/tool/driver/rules/{index}"));
    assert_eq!(at(rule, "/id"), at(result, "/ruleId"));
    assert_eq!(at(rule, "/id"), "ttl-below-retention");
    assert!(at(rule, "/help/markdown").as_str().expect("help").starts_with("# ttl-below-retention\n"));
    assert_eq!(at(rule, "/defaultConfiguration/level"), "error");
    assert_eq!(at(result, "/level"), "error");
    let place = at(result, "/locations/0/physicalLocation");
    assert_eq!(at(place, "/artifactLocation/uri"), "audits/acme/jobs/user-engagement.yaml");
    assert_eq!((at(place, "/region/startLine"), at(place, "/region/startColumn")), (&22.into(), &14.into()));
    assert_eq!(at(result, "/partialFingerprints/ttlAudit~1v1"), finding.fingerprint.as_str());
    let message = at(result, "/message/text").as_str().expect("text");
    for part in ["7d", "(jobs/a.yaml:22)", "30d", "DescribeConfigs", "→ Put the objects back.", "aws s3api copy-object"] {
        assert!(message.contains(part), "{part}: {message}");
    }
}

#[test]
fn sarif_says_what_is_unknown_as_notifications_and_that_the_run_is_not_whole() {
    let log = sarif(&[report(0)]);
    let invocation = at(&log, "/runs/0/invocations/0");
    assert_eq!((at(invocation, "/exitCode"), at(invocation, "/executionSuccessful")), (&3.into(), &false.into()));
    let notification = at(invocation, "/toolExecutionNotifications/0");
    assert_eq!(at(notification, "/level"), "error");
    assert_eq!(at(notification, "/associatedRule/id"), "retention-size-bound");
    assert!(at(notification, "/message/text").as_str().expect("text").contains("denied: needs DESCRIBE_CONFIGS"));
    let mut tripped = report(0);
    (tripped.summary.incomplete, tripped.summary.exit_code) = (false, 1);
    tripped.unknown.clear();
    let log = sarif(&[tripped]);
    assert_eq!(at(&log, "/runs/0/invocations/0/executionSuccessful"), true);
    assert_eq!(at(&log, "/runs/0/invocations/0/toolExecutionNotifications"), &Value::Array(Vec::new()));
}

#[test]
fn sarif_paths_are_references_and_texts_hold_no_links() {
    let log = sarif(&[hostile()]);
    let uri = at(&log, "/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri");
    assert_eq!(uri, "audits/acme/jobs/%C3%A4%20b%23%25%2C%3A%3F.yaml");
    assert!(!at(&log, "/runs/0/results/0/message/text").as_str().expect("text").contains("]("));
    let report = report(0);
    let elsewhere = to_sarif(&[Placed { report: &report, folder: "/tmp/x".to_owned() }]).expect("writes");
    assert!(elsewhere.contains("\"uri\": \"file:///tmp/x/jobs/user-engagement.yaml\"") && !elsewhere.contains("%SRCROOT%"));
}

#[test]
fn junit_has_one_case_for_each_rule_that_judged_a_job() {
    let mut report = report(1);
    // One rule both found something and could not judge something else.
    let mut both = unknown("user-engagement");
    both.rule = "ttl-below-retention".to_owned();
    both.also.clear();
    report.unknown.push(both);
    let xml = to_junit(&[report]).expect("writes");
    let document = quick_junit::Report::deserialize_from_str(&xml).expect("JUnit");
    let suites: Vec<(&str, usize)> = document.test_suites.iter().map(|suite| (suite.name.as_str(), suite.test_cases.len())).collect();
    assert_eq!(
        suites,
        [("meridian-2026-q3/user-engagement", 4), ("meridian-2026-q3/partner-feed", 5), ("meridian-2026-q3/healthy-000", 4)]
    );
    let status = |job: &str, rule: &str| {
        let suite = document.test_suites.iter().find(|suite| suite.name.as_str().ends_with(job)).expect("a suite");
        &suite.test_cases.iter().find(|case| case.name.as_str() == rule).expect("a case").status
    };
    for (job, rule, expected) in [
        ("user-engagement", "ttl-below-retention", "error"),
        // A warning does not trip the gate at `error`.
        ("user-engagement", "ttl-margin-thin", "passed"),
        ("user-engagement", "snapshot-missing", "passed"),
        ("partner-feed", "retention-size-bound", "skipped"),
        // A rule that waits for the same fact is not passed either.
        ("partner-feed", "ttl-below-retention", "skipped"),
        ("partner-feed", "retention-not-holding", "skipped"),
        ("healthy-000", "ttl-below-retention", "passed"),
    ] {
        match status(job, rule) {
            Success { .. } => assert_eq!("passed", expected, "{job} {rule}"),
            Skipped { message, .. } => {
                assert_eq!("skipped", expected, "{job} {rule}");
                assert!(message.as_ref().is_some_and(|message| message.as_str().starts_with("denied: needs DESCRIBE_CONFIGS")));
            }
            NonSuccess { ty, description, .. } => {
                assert_eq!(ty.as_ref().map(quick_junit::XmlString::as_str), Some(expected), "{job} {rule}");
                let told = description.as_ref().expect("a description").as_str();
                assert!(told.contains("aws s3api copy-object"), "{told}");
                assert_eq!(told.contains("denied: needs DESCRIBE_CONFIGS"), rule == "ttl-below-retention", "{told}");
            }
        }
    }
}

#[test]
fn junit_fails_as_often_as_the_gate_says() {
    let failed = |fail_on: FailOn, since: Option<Since>| {
        let mut report = report(0);
        report.summary.fail_on = fail_on;
        for finding in &mut report.findings {
            finding.since_baseline = since;
        }
        let xml = to_junit(&[report]).expect("writes");
        let document = quick_junit::Report::deserialize_from_str(&xml).expect("JUnit");
        let cases = document.test_suites.iter().flat_map(|suite| &suite.test_cases);
        let (failed, told): (Vec<_>, Vec<_>) = cases
            .filter(|case| matches!(case.status, NonSuccess { .. }) || case.system_out.is_some())
            .partition(|case| matches!(case.status, NonSuccess { .. }));
        (failed.len(), told.len())
    };
    assert_eq!(failed(FailOn::Note, None), (2, 0));
    assert_eq!(failed(FailOn::Error, None), (1, 1));
    assert_eq!(failed(FailOn::Never, None), (0, 2));
    assert_eq!(failed(FailOn::Error, Some(Since::Worse)), (1, 1));
    assert_eq!(failed(FailOn::Error, Some(Since::Same)), (0, 2), "what the baseline knows trips nothing");
}

#[test]
fn junit_of_hostile_names_is_read_back() {
    let xml = to_junit(&[hostile()]).expect("writes");
    let document = quick_junit::Report::deserialize_from_str(&xml).expect("JUnit");
    assert_eq!(document.test_suites.len(), 2);
    assert!(!xml.contains('\u{1b}') && !xml.contains("<b>"), "{xml}");
}

#[test]
fn github_annotates_by_severity_and_unknowns_that_count_are_warnings() {
    let mut report = report(0);
    let mut note = report.findings.last().expect("a finding").clone();
    note.severity = Severity::Note;
    report.findings.push(note);
    let mut harmless = unknown("partner-feed");
    harmless.severity = Severity::Note;
    report.unknown.push(harmless);
    let text = to_github(&placed(&[report]));
    let kinds: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("::")?.split(' ').next()).collect();
    assert_eq!(kinds, ["error", "warning", "notice", "warning", "notice"]);
    assert!(text.contains(
        "::error file=audits/acme/jobs/user-engagement.yaml,line=22,col=14,title=ttl-below-retention%3A user-engagement \
         dedup-events/seen-event-ids state::The TTL of 7d"
    ));
    assert!(text.contains("%0A→ Put the objects back. It takes a while."));
    assert!(text.ends_with("\n1 error · 1 warning · 1 unknown · 0 waived · exit 3\n"), "{text}");
}

#[test]
fn github_takes_no_command_from_what_a_name_holds() {
    let report = hostile();
    let text = to_github(&placed(std::slice::from_ref(&report)));
    let commands: Vec<&str> = text.lines().filter(|line| line.trim_start().starts_with("::")).collect();
    assert_eq!(commands.len(), report.findings.len() + report.unknown.len(), "{text}");
    for command in commands {
        let (properties, message) = command.strip_prefix("::").and_then(|rest| rest.split_once("::")).expect("a command");
        // Of the properties only ours are left: everything else in them is escaped.
        let names: Vec<&str> =
            properties.split_once(' ').expect("properties").1.split(',').map(|one| one.split('=').next().expect("a name")).collect();
        assert_eq!(names, ["file", "line", "col", "title"], "{properties}");
        assert!(message.contains("%250A%0D%0A"), "{message}");
    }
    assert!(text.lines().filter(|line| !line.starts_with("::")).all(|line| !line.contains("::")), "{text}");
}

#[test]
fn github_appends_a_summary_to_the_file_that_the_runner_names() {
    let folder = Folder::new(&[("a", Savepoint::Missing), ("b", Savepoint::Elsewhere), ("c", Savepoint::Fine)]);
    folder.write("summary.md", "of another step\n");
    let run = |arguments: &[&str], summary: &str| {
        let mut command = ttl_audit();
        command.current_dir(folder.path()).env("GITHUB_STEP_SUMMARY", summary).args(["check", "--offline"]).args(arguments);
        command.output().expect("it runs")
    };
    assert_eq!(run(&["--format", "json"], "summary.md").status.code(), Some(3));
    assert_eq!(folder.read("summary.md"), "of another step\n", "only the format github writes it");
    for arguments in [&["--format", "github"][..], &["--output", "github=r.txt"]] {
        assert_eq!(run(arguments, "summary.md").status.code(), Some(3));
    }
    let text = folder.read("summary.md");
    assert!(text.starts_with("of another step\n## acme\n"), "{text}");
    assert_eq!(text.matches("| ✗ | a | cannot come back clean | No complete savepoint lies at").count(), 2, "{text}");
    assert_eq!(text.matches("| ? | b | cannot be judged in full | unsupported").count(), 2, "{text}");
    assert_eq!(text.matches("- ✓ c\n").count(), 2, "{text}");
    // A summary that cannot be written is known before the work.
    let output = run(&["--format", "github"], "no/such/folder/summary.md");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("GITHUB_STEP_SUMMARY"));
}

#[test]
fn github_names_files_from_the_repository() {
    let folder = Folder::new(&[("a", Savepoint::Missing)]);
    let (parent, name) = (folder.path().parent().expect("a parent"), folder.path().file_name().expect("a name").to_string_lossy());
    let mut command = ttl_audit();
    command.current_dir(folder.path()).env("GITHUB_WORKSPACE", parent).args(["check", "--offline", "--format", "github"]);
    let text = String::from_utf8(command.output().expect("it runs").stdout).expect("text");
    assert!(text.contains(&format!("::error file={name}/jobs/a.yaml,line=")), "{text}");
}

#[test]
fn the_summary_stays_below_what_github_takes() {
    let mut large = report(0);
    large.jobs = (0..9000).map(|n| job(&format!("job-{n}"), Verdict::Fail)).collect();
    large.findings = large.jobs.iter().map(|job| crate::formats::finding(&job.job, Severity::Error)).collect();
    let text = to_github_summary(&placed(&[large]));
    assert!(text.len() < 1024 * 1024, "{}", text.len());
    assert!(text.contains(" more jobs are in the report."), "{}", text.len());
    assert!(text.contains("1 error · 1 warning"));
}
