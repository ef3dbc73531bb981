//! Waivers and the baseline in every format: what is waived is shown, what came back is marked, what is known is told from what is new.

use quick_junit::TestCaseStatus::{NonSuccess, Skipped, Success};
use serde_json::Value;

use crate::harness::ttl_audit;

/// The shipped audit with waivers, measured by its earlier report.
fn rendered(more: &[&str]) -> String {
    let mut command = ttl_audit();
    command.args(["check", "--offline", "audits/waived", "--baseline", "audits/waived/baseline.json", "--format"]).args(more);
    let output = command.output().expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// On one line, for what is wrapped or indented.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn at<'a>(value: &'a Value, pointer: &str) -> &'a Value {
    value.pointer(pointer).unwrap_or_else(|| panic!("{pointer} is not there"))
}

#[test]
fn every_format_says_what_is_waived_and_what_came_back() {
    for format in ["table", "json", "sarif", "junit", "github", "markdown", "html"] {
        let text = one_line(&rendered(&[format]));
        for part in [
            // A waived finding, a waived unknown, and a finding whose waiver has ended: by reason and owner.
            "sessions are rebuilt from the warehouse after an incident",
            "library sets the TTL, and we have asked for it",
            "the longer TTL goes out with the release of November",
            "partner-integration",
        ] {
            assert!(text.contains(part), "{format}: {part}");
        }
        if format != "json" {
            for mark in ["waiver expired: ", "compared with the baseline: new", "compared with the baseline: known"] {
                assert!(text.contains(mark), "{format}: {mark}");
            }
        }
        if format != "junit" {
            assert!(text.contains("it covers nothing any more"), "{format} has the notices");
        }
    }
}

#[test]
fn sarif_suppresses_findings_and_says_of_unknowns_that_they_are_waived() {
    let log: Value = serde_json::from_str(&rendered(&["sarif"])).expect("JSON");
    let results = at(&log, "/runs/0/results").as_array().expect("results");
    // The standard wants both properties in all results of a run, or in none.
    assert!(results.iter().all(|result| result["suppressions"].is_array() && result["baselineState"].is_string()), "{results:#?}");
    let state = |rule: &str, job: &str| {
        let result = results.iter().find(|result| result["ruleId"] == rule && result["properties"]["job"] == job).expect(rule);
        (result["suppressions"].as_array().map(Vec::len), result["baselineState"].as_str(), result["properties"]["waiverExpired"].clone())
    };
    assert_eq!(state("ttl-below-retention", "clickstream-sessions"), (Some(1), Some("unchanged"), Value::Null));
    let (suppressions, baseline, expired) = state("ttl-below-retention", "orders-dedup");
    assert_eq!((suppressions, baseline, &expired["expires"]), (Some(0), Some("new"), &"2026-12-10".into()));
    let notifications = at(&log, "/runs/0/invocations/0/toolExecutionNotifications").as_array().expect("notifications");
    let kinds = |id: &str| notifications.iter().filter(|one| one["descriptor"]["id"] == id).collect::<Vec<_>>();
    assert_eq!((kinds("unknown").len(), kinds("waived-unknown").len()), (1, 5));
    assert!(kinds("waived-unknown").iter().all(|one| one["level"] == "none" && one["properties"]["waiver"]["owner"].is_string()));
    assert_eq!(kinds("unknown")[0]["properties"]["sinceBaseline"], "same");
    // Descriptors are where the indices say, and notices stand at the waiver's line.
    let descriptors = at(&log, "/runs/0/tool/driver/notifications");
    let notices = at(&log, "/runs/0/invocations/0/toolConfigurationNotifications").as_array().expect("notices");
    for one in notifications.iter().chain(notices) {
        let index = one["descriptor"]["index"].as_u64().and_then(|index| usize::try_from(index).ok()).expect("an index");
        assert_eq!(descriptors[index]["id"], one["descriptor"]["id"]);
    }
    let place = at(&notices[0], "/locations/0/physicalLocation");
    assert_eq!((at(place, "/artifactLocation/uri"), at(place, "/region/startLine")), (&"audits/waived/audit.yaml".into(), &17.into()));
}

#[test]
fn without_a_baseline_no_result_has_a_state() {
    let output = ttl_audit().args(["check", "--offline", "audits/waived", "--format", "sarif"]).output().expect("it runs");
    let log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let results = at(&log, "/runs/0/results").as_array().expect("results");
    assert!(results.iter().any(|result| result["suppressions"].as_array().is_some_and(|all| !all.is_empty())));
    assert!(results.iter().all(|result| result.get("baselineState").is_none() && result["suppressions"].is_array()));
}

#[test]
fn junit_fails_what_trips_the_gate_and_skips_what_is_waived() {
    let xml = rendered(&["junit"]);
    let document = quick_junit::Report::deserialize_from_str(&xml).expect("JUnit");
    let case = |job: &str, rule: &str| {
        let suite = document.test_suites.iter().find(|suite| suite.name.as_str().ends_with(job)).expect("a suite");
        suite.test_cases.iter().find(|case| case.name.as_str() == rule).expect("a case").clone()
    };
    assert!(matches!(case("orders-dedup", "ttl-below-retention").status, NonSuccess { .. }));
    assert!(matches!(case("clickstream-sessions", "ttl-below-retention").status, Skipped { .. }));
    assert!(matches!(case("partner-feed", "ttl-below-retention").status, Skipped { .. }));
    // A warning does not trip the gate at `error`: the case has passed, and says what was found.
    let warning = case("user-clicks", "ttl-lengthened");
    assert!(matches!(warning.status, Success { .. }));
    let said = warning.system_out.expect("what was found");
    assert!(said.as_str().contains("The TTL of dedup/seen-clicks was 7d"), "{}", said.as_str());
    let failures: usize = document.test_suites.iter().map(|suite| suite.failures).sum();
    assert_eq!(failures, 1, "as many as trip the gate");
}

#[test]
fn github_says_what_counts_first_and_what_is_waived_last() {
    let text = rendered(&["github"]);
    let commands: Vec<&str> = text.lines().filter(|line| line.starts_with("::")).collect();
    let kinds: Vec<&str> = commands.iter().filter_map(|line| line.strip_prefix("::")?.split(' ').next()).collect();
    // The error, the warning, the known unknown, six waived ones and three notices about waivers.
    assert_eq!(kinds, [["error", "warning"].as_slice(), &["notice"; 10]].concat());
    assert!(commands[3].contains("title=waived%3A ttl-below-retention%3A clickstream-sessions sessionize/open-sessions state::"), "{text}");
    assert!(commands[9].starts_with("::notice file=audits/waived/audit.yaml,line=17,col=5,title=waivers::the waiver of "), "{text}");
}

#[test]
fn no_name_of_a_waiver_is_left_when_names_are_redacted() {
    for format in ["table", "json", "sarif", "junit", "github", "markdown", "html"] {
        let text = rendered(&[format, "--redact-names"]);
        for name in ["data-platform", "partner-integration", "clickstream-sessions", "orders-dedup", "fraud-scores", "acme-2026-w48"] {
            // The pages of the rules, which SARIF holds, have examples of their own.
            let shown = text
                .lines()
                .filter(|line| !line.contains("\"markdown\": ") && !line.contains("\"text\": \"# "))
                .any(|line| line.contains(name));
            assert!(!shown, "{format}: {name}");
        }
    }
}
