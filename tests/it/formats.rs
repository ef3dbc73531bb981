//! The report as people see it: width, colour, folding, what can be pasted. And as machines see it.

use std::collections::BTreeMap;

use textwrap::core::display_width;
use ttl_audit::{
    evidence::Tool,
    finding::{Amount, Remedy, Severity, ShownFact, fingerprint},
    policy::FailOn,
    report::{
        AsOfInfo, BackWithoutDuplicates, BackWithoutLoss, ClearedReport, EvidenceInfo, FileLocation, JobReport, Length, OperatorReport,
        REPORT_VERSION, Report, ReportedFinding, ReportedFlink, ReportedUnknown, SnapshotReport, Summary, TableOptions, TakenAt,
        TopicReport, Totals, Verdict, VerdictCounts, WaivedCounts, to_html, to_json, to_markdown, to_table,
    },
    units::{Bytes, Instant, Millis},
};

const WIDTHS: [usize; 3] = [80, 100, 160];

/// A line that is longer than any page: it must stay whole.
const PASTE: &str = "aws s3api copy-object --bucket msi-flink-savepoints --copy-source \
    msi-flink-savepoints/user-engagement/savepoint-7b1f0c-4c0f9a2b3c4d/_metadata --key user-engagement/savepoint-7b1f0c-4c0f9a2b3c4d/_metadata \
    --storage-class STANDARD\n    # indented, and\ttabbed";

pub(crate) fn at(text: &str) -> Instant {
    text.parse().expect("an instant")
}

fn table(reports: &[Report], width: usize) -> String {
    to_table(reports, TableOptions { width, colour: false, everything: false })
}

pub(crate) fn finding(job: &str, severity: Severity) -> ReportedFinding {
    let rule = if severity == Severity::Error { "ttl-below-retention" } else { "ttl-margin-thin" };
    let subject = format!("{job} dedup-events/seen-event-ids state");
    ReportedFinding {
        rule: rule.to_owned(),
        severity,
        job: job.to_owned(),
        fingerprint: fingerprint(rule, job, &subject),
        subject,
        message: "The TTL of 7d is shorter than the 30d that the topic keeps its records. After an offset reset 23d of records pass again."
            .to_owned(),
        facts: vec![
            ShownFact::new("TTL", Amount::Duration(Millis::days(7)), "jobs/a.yaml:22"),
            ShownFact::new(
                "retention of a-topic-with-a-rather-long-name-as-they-are-in-real-life",
                Amount::Duration(Millis::days(30)),
                "retention.ms, topic override, DescribeConfigs of topic a-topic-with-a-rather-long-name-as-they-are-in-real-life",
            ),
        ],
        bites_on: Some(at("2026-09-10")),
        remedy: vec![
            Remedy::paste("Put the objects back. It takes a while.", PASTE),
            Remedy::say("Or shorten the retention to less than the TTL, if nobody else reads the topic."),
        ],
        location: FileLocation { file: format!("jobs/{job}.yaml"), line: 22, column: 14 },
        since_baseline: None,
        waiver_expired: None,
    }
}

pub(crate) fn unknown(job: &str) -> ReportedUnknown {
    ReportedUnknown {
        rule: "retention-size-bound".to_owned(),
        also: vec!["retention-not-holding".to_owned(), "ttl-below-retention".to_owned()],
        severity: Severity::Error,
        job: job.to_owned(),
        subject: format!("{job} user-engagement-events topic"),
        reason: "denied: needs DESCRIBE_CONFIGS on topic user-engagement-events".to_owned(),
        call: "DescribeConfigs".to_owned(),
        waits: Vec::new(),
        since_baseline: None,
        waiver_expired: None,
        location: FileLocation { file: format!("jobs/{job}.yaml"), line: 2, column: 6 },
    }
}

pub(crate) fn job(name: &str, verdict: Verdict) -> JobReport {
    JobReport {
        job: name.to_owned(),
        owner: Some("product-analytics".to_owned()),
        flink: ReportedFlink::default(),
        verdict,
        back_without_loss: BackWithoutLoss::default(),
        back_without_duplicates: BackWithoutDuplicates::default(),
        replay: Vec::new(),
        operators: vec![OperatorReport {
            uid: "dedup-events-of-all-regions-and-tenants".to_owned(),
            name: None,
            state: "seen-event-ids".to_owned(),
            role: "deduplication".to_owned(),
            ttl: Length::Duration(Millis::days(7)),
            cleared: None,
            topics: vec![TopicReport {
                source: "engagement".to_owned(),
                topic: "正在-user-engagement-events.with.a.very-long_name".to_owned(),
                floor: Length::Duration(Millis::days(30)),
                worst_case: Length::Duration(Millis::days(37).plus(Millis::minutes(5))),
                observed: Length::Duration(Millis::days(31).minus(Millis::seconds(3))),
                origin: "retention.ms, topic override".to_owned(),
            }],
            required_ttl: None,
            verdict,
        }],
        snapshots: vec![SnapshotReport {
            unreferenced: None,
            location: format!("s3://msi-flink-savepoints/{}/savepoint-7b1f0c-4c0f9a2b3c4d/", "user-engagement/".repeat(9)),
            kind: "savepoint".to_owned(),
            taken_at: TakenAt { at: at("2026-08-14"), basis: "last modified of _metadata".to_owned() },
            objects: Some(9),
            bytes: Some(Bytes(80_000_000)),
            classes: BTreeMap::from([("GLACIER_IR".to_owned(), 8), ("STANDARD".to_owned(), 1)]),
            readable: "yes".to_owned(),
            files_until: None,
            records_until: None,
            first_change: None,
            open: None,
            selected: true,
            seen_there: 1,
            unfinished_there: 0,
            verdict,
        }],
        places: Vec::new(),
        judged: ["ttl-below-retention", "ttl-margin-thin", "retention-size-bound", "snapshot-missing"].map(str::to_owned).to_vec(),
        passed: None,
    }
}

/// An audit of `healthy` jobs, and one each that fails and cannot be judged.
pub(crate) fn report(healthy: usize) -> Report {
    let mut jobs = vec![job("user-engagement", Verdict::Fail), job("partner-feed", Verdict::Unknown)];
    jobs.extend((0..healthy).map(|n| job(&format!("healthy-{n:03}"), Verdict::Pass)));
    Report {
        schema_version: REPORT_VERSION,
        tool: Tool::this(),
        audit: "meridian-2026-q3".to_owned(),
        client: Some("Meridian Stream Intelligence LLC".to_owned()),
        as_of: AsOfInfo { at: at("2026-09-15"), pinned: true },
        evidence: EvidenceInfo { captured_at: at("2026-09-15"), digest: "sha256:0".to_owned(), source: "live".to_owned() },
        summary: Summary {
            jobs: VerdictCounts { pass: healthy, fail: 1, unknown: 1 },
            findings: Totals { error: 1, warning: 1, note: 0 },
            unknown: 1,
            incomplete: true,
            waived: WaivedCounts::default(),
            baseline: None,
            fail_on: FailOn::Error,
            exit_code: 3,
        },
        jobs,
        findings: vec![finding("user-engagement", Severity::Error), finding("user-engagement", Severity::Warning)],
        unknown: vec![unknown("partner-feed")],
        waived: Vec::new(),
        notices: Vec::new(),
        assumptions: vec!["log.retention.check.interval.ms is 5m: the broker settings of confluent-prod could not be read".to_owned()],
        not_needed: Vec::new(),
        left_out: vec!["rule ttl-never: off in the policy".to_owned()],
    }
}

#[test]
fn no_line_is_wider_than_the_page_but_what_is_to_be_pasted() {
    for width in WIDTHS {
        let text = table(&[report(200), report(0)], width);
        let wide: Vec<&str> = text.lines().filter(|line| display_width(line) > width && !PASTE.starts_with(line)).collect();
        assert!(wide.is_empty(), "wider than {width}:\n{}", wide.join("\n"));
        assert!(text.lines().any(|line| display_width(line) > width / 2), "the page is used");
    }
}

#[test]
fn what_is_to_be_pasted_stands_at_the_left_edge_as_it_is() {
    for width in WIDTHS {
        let expected = format!("\n\n{}\n\n", PASTE.replace('\t', " "));
        assert!(table(&[report(0)], width).contains(&expected), "at {width}");
    }
}

#[test]
fn colour_adds_nothing_and_takes_nothing_away() {
    let codes = regex::Regex::new("\u{1b}\\[[0-9;]*m").expect("a pattern");
    let reports = [report(3)];
    let plain = table(&reports, 100);
    let coloured = to_table(&reports, TableOptions { width: 100, colour: true, everything: false });
    assert!(codes.is_match(&coloured));
    assert!(!plain.contains('\u{1b}'));
    assert_eq!(codes.replace_all(&coloured, ""), plain);
    // What the colours say is said without them too.
    for word in ["✗ user-engagement cannot come back clean", "? partner-feed cannot be judged in full", "✓ healthy-000 passes", "  error "]
    {
        assert!(plain.contains(word), "{word}:\n{plain}");
    }
}

#[test]
fn the_verdict_and_what_to_do_come_first_and_healthy_jobs_take_one_line() {
    let text = table(&[report(200)], 100);
    let first: Vec<&str> = text.lines().take(9).collect();
    assert!(first[0].starts_with("meridian-2026-q3 · Meridian Stream Intelligence LLC · as of 2026-09-15 00:00Z (pinned)"), "{first:?}");
    let screen = first.join("\n");
    assert!(screen.contains("202 jobs: 1 does not pass, 1 cannot be judged in full, 200 pass"), "{screen}");
    assert!(screen.contains("→ Put the objects back."), "{screen}");
    assert_eq!(text.lines().filter(|line| line.contains("healthy-117")).count(), 1);
    assert!(text.ends_with("\n1 error · 1 warning · 1 unknown · 0 waived · exit 3\n"));
    let everything = to_table(&[report(200)], TableOptions { width: 100, colour: false, everything: true });
    assert_eq!(everything.lines().filter(|line| line.contains("healthy-117")).count(), 2);
}

#[test]
fn unknowns_name_reason_call_and_every_rule_that_waits() {
    let text = table(&[report(0)], 100);
    for part in [
        "? unknown (error) retention-size-bound · user-engagement-events topic",
        "denied: needs DESCRIBE_CONFIGS on topic user-engagement-events",
        "would be answered by: DescribeConfigs",
        "also wait for it: retention-not-holding, ttl-below-retention",
    ] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
}

#[test]
fn several_audits_end_in_one_line_worst_first() {
    let mut clean = report(1);
    clean.audit = "a-clean-one".to_owned();
    clean.summary.exit_code = 0;
    let text = table(&[clean, report(0)], 100);
    assert!(text.ends_with("\n2 audits · meridian-2026-q3 exit 3 · a-clean-one exit 0 · exit 3\n"), "{text}");
}

#[test]
fn what_a_terminal_would_obey_does_not_reach_it() {
    let mut hostile = report(0);
    hostile.unknown[0].reason = "failed: \u{1b}]0;owned\u{7}\u{1b}[2J \u{202e}gnp".to_owned();
    hostile.findings[0].remedy[0].paste = Some("echo \u{1b}[31mred".to_owned());
    hostile.audit = "\u{9b}31mred".to_owned();
    let text = table(&[hostile], 100);
    let obeyed = text.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
    assert_eq!(obeyed, None, "{text:?}");
}

#[test]
fn an_error_by_policy_is_not_called_a_job_that_cannot_come_back() {
    let mut policy = report(0);
    policy.findings.truncate(1);
    policy.findings[0].message = "Policy: recovery files must not be in or move to GLACIER_IR. Readable now.".to_owned();
    assert!(table(&[policy], 100).contains("✗ user-engagement does not meet the policy"));
    let mut ahead = report(0);
    ahead.findings.truncate(1);
    ahead.findings[0].bites_on = Some(at("2026-10-14"));
    let text = table(&[ahead], 100);
    assert!(text.contains("✗ user-engagement cannot come back clean from 2026-10-14"), "{text}");
    assert!(!text.contains("overdue"));
}

#[test]
fn json_is_read_back_as_it_was_written() {
    let one = report(2);
    let text = to_json(std::slice::from_ref(&one)).expect("writes");
    assert_eq!(serde_json::from_str::<Report>(&text).expect("reads"), one);
    let several = to_json(&[one.clone(), one]).expect("writes");
    assert_eq!(serde_json::from_str::<Vec<Report>>(&several).expect("reads").len(), 2);
}

/// Three errors of one job: one that holds, one by policy, and a missing object, which is in the way of a restart.
fn three_errors() -> Report {
    let mut three = report(3);
    let mut policy = finding("user-engagement", Severity::Error);
    policy.rule = String::from("snapshot-tiering-exposed");
    policy.message = String::from("Policy: recovery files must not be in or move to GLACIER_IR. Readable now.");
    let mut gone = finding("user-engagement", Severity::Error);
    gone.rule = String::from("snapshot-incomplete");
    gone.message = String::from("An object of the newest savepoint is missing. It was deleted.");
    gone.remedy = vec![Remedy::say("Take a fresh savepoint (the first command). Then look again.")];
    three.findings.extend([policy, gone]);
    three
}

#[test]
fn what_is_in_the_way_of_a_restart_is_named_first() {
    let three = three_errors();
    let text = table(std::slice::from_ref(&three), 100);
    let first: Vec<&str> = text.lines().skip_while(|line| !line.starts_with('✗')).skip(1).take(3).collect();
    assert_eq!(first, ["    An object of the newest savepoint is missing.", "    → Take a fresh savepoint.", "    and 2 more, below"]);
    for text in [to_markdown(std::slice::from_ref(&three), false), to_html(std::slice::from_ref(&three), false)] {
        let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
        assert!(place("An object of the newest savepoint is missing.") < place("The TTL of 7d is shorter than"), "{text}");
    }
    // Alone it has room for three: what only a policy objects to comes last.
    let mut alone = three;
    alone.jobs.truncate(1);
    let text = table(&[alone], 100);
    let place = |part: &str| text.find(part).expect(part);
    assert!(place("An object of the newest savepoint") < place("The TTL of 7d is shorter"), "{text}");
    assert!(place("The TTL of 7d is shorter") < place("Policy: recovery files"), "{text}");
}

#[test]
fn jobs_that_cannot_come_back_today_stand_before_those_that_cannot_later() {
    let mut several = report(1);
    for (name, bites, policy) in [("a-policy", None, true), ("b-later", Some("2026-11-01"), false), ("c-sooner", Some("2026-10-01"), false)]
    {
        several.jobs.push(job(name, Verdict::Fail));
        let mut one = finding(name, Severity::Error);
        one.bites_on = bites.map(at);
        if policy {
            one.message = String::from("Policy: recovery files must not be in GLACIER_IR.");
        }
        several.findings.push(one);
    }
    several.summary.jobs.fail = 4;
    let text = table(&[several], 100);
    let heads: Vec<&str> =
        text.lines().filter(|line| line.starts_with(['✗', '?', '✓'])).filter_map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(heads[..6], ["user-engagement", "c-sooner", "b-later", "a-policy", "partner-feed", "healthy-000"]);
    // On a terminal one sees the end first: it names them again.
    let end: Vec<&str> = text.lines().rev().take(3).collect();
    assert_eq!(end[2], "✗ do not pass: user-engagement, c-sooner, b-later, a-policy");
    assert_eq!(end[1], "? cannot be judged in full: partner-feed");
}

#[test]
fn a_state_that_something_else_clears_is_not_called_endless() {
    let mut cleared = report(0);
    for operator in cleared.jobs.iter_mut().flat_map(|job| &mut job.operators) {
        operator.ttl = Length::Word("never".to_owned());
        operator.cleared = Some(ClearedReport { by: "watermark".to_owned(), after: Some(Millis::hours(1)) });
    }
    let one = std::slice::from_ref(&cleared);
    for text in [table(one, 100), to_markdown(one, false), to_html(one, false)] {
        assert!(text.contains("1h (watermark)") && text.contains("no TTL governs the state"), "{text}");
        assert!(!text.contains('▶') && !text.contains("TTL: never"), "{text}");
    }
    let table = table(one, 100);
    assert!(table.contains("\n    cleared    █") && !table.contains("\n    TTL  "), "{table}");
}

/// Evidence from after the instant that is judged: what follows from it is an assumption, and stands among them.
#[test]
fn evidence_from_after_the_instant_that_is_judged_is_an_assumption() {
    let said = |as_of: &str| {
        let output = crate::harness::ttl_audit()
            .args(["check", "--offline", "audits/meridian", "--as-of", as_of, "--format", "json"])
            .output()
            .expect("it runs");
        let report: Report = serde_json::from_slice(&output.stdout).expect("a report");
        report.assumptions.into_iter().find(|assumption| assumption.starts_with("what was seen at "))
    };
    assert_eq!(said("2026-09-15T00:00:00Z"), None);
    assert_eq!(said("2026-09-16T00:00:00Z"), None);
    let earlier = said("2026-09-01T00:00:00Z").expect("it is told");
    assert!(earlier.starts_with("what was seen at 2026-09-15 00:00Z held 14d before that, at 2026-09-01 00:00Z"), "{earlier}");
}
