//! JUnit XML, for the test view of CI systems: one suite a job, one case for each rule that judged it.

use quick_junit::{NonSuccessKind, Property, SerializeError, TestCase, TestCaseStatus, TestSuite};

use super::{
    JobReport, Report, ReportedFinding, ReportedUnknown, since, waived_words,
    words::{self, clean, first_sentence},
};

/// The reports as one document.
///
/// A case fails if a finding of it trips the gate; what could not be judged, or is waived, is skipped with the reason; everything else has
/// passed, with what was found below the gate as its output. Rules that had nothing of the job to judge have no case.
///
/// # Errors
///
/// If the document cannot be written.
pub fn to_junit(reports: &[Report]) -> Result<String, SerializeError> {
    let mut document = quick_junit::Report::new("ttl-audit");
    for report in reports {
        document.add_test_suites(report.jobs.iter().map(|job| suite(report, job)));
    }
    document.to_string()
}

fn suite(report: &Report, job: &JobReport) -> TestSuite {
    let mut suite = TestSuite::new(format!("{}/{}", report.audit, job.job));
    for (name, value) in [
        ("as_of", report.as_of.at.to_string()),
        ("evidence", report.evidence.digest.clone()),
        ("fail_on", report.summary.fail_on.word().to_owned()),
        ("exit_code", report.summary.exit_code.to_string()),
    ] {
        suite.add_property(Property::new(name, value));
    }
    for rule in rules(report, job) {
        suite.add_test_case(case(report, job, rule));
    }
    suite
}

/// The rules that judged the job, and those of its findings and unknowns should an older report not list them.
fn rules<'a>(report: &'a Report, job: &'a JobReport) -> Vec<&'a str> {
    let mut rules: Vec<&str> = job.judged.iter().map(String::as_str).collect();
    let findings = words::findings(report, job).map(|finding| &finding.rule);
    let unknown = words::unknown(report, job).flat_map(|unknown| std::iter::once(&unknown.rule).chain(&unknown.also));
    for rule in findings.chain(unknown) {
        if !rules.contains(&rule.as_str()) {
            rules.push(rule);
        }
    }
    rules
}

fn case(report: &Report, job: &JobReport, rule: &str) -> TestCase {
    let findings: Vec<&ReportedFinding> = words::findings(report, job).filter(|finding| finding.rule == rule).collect();
    let waits = |unknown: &&ReportedUnknown| unknown.rule == rule || unknown.also.iter().any(|also| also == rule);
    let unknown: Vec<&ReportedUnknown> = words::unknown(report, job).filter(waits).collect();

    // What a waiver covers is skipped, never passed.
    let waived: Vec<String> = waived_words::waived(report, job)
        .filter(|waived| waived_words::names(waived, rule))
        .map(|waived| format!("waived: {}", waived_words::terms(&waived.waiver)))
        .collect();

    let trips: Vec<&&ReportedFinding> = findings.iter().filter(|finding| since::trips(report.summary.fail_on, finding)).collect();
    let mut status = if !trips.is_empty() {
        TestCaseStatus::non_success(NonSuccessKind::Failure)
    } else if unknown.is_empty() && waived.is_empty() {
        TestCaseStatus::success()
    } else {
        TestCaseStatus::skipped()
    };
    let reasons = unknown.iter().map(|unknown| unknown.reason.as_str()).chain(waived.iter().map(String::as_str));
    let said: Vec<&str> = match trips.as_slice() {
        [] => reasons.collect(),
        trips => trips.iter().map(|finding| first_sentence(&finding.message)).collect(),
    };
    // What is both says both: a failure hides nothing that could not be judged.
    let told: Vec<String> = findings
        .iter()
        .map(|finding| finding_text(report, finding))
        .chain(unknown.iter().map(|unknown| unknown_text(unknown)))
        .chain(waived.iter().cloned())
        .collect();
    let told = clean(&told.join("\n\n"));
    status.set_message(clean(&said.join("; ")));
    status.set_type(match trips.iter().map(|finding| finding.severity).max() {
        Some(severity) => severity.word(),
        None if unknown.is_empty() => "waived",
        None => "unknown",
    });
    // A case that has passed has no place for a description: its output says what was found below the gate.
    let below = matches!(status, TestCaseStatus::Success { .. }) && !told.is_empty();
    if !below {
        status.set_description(told.as_str());
    }

    let mut case = TestCase::new(rule, status);
    if below {
        case.set_system_out(told);
    }
    case.set_classname(format!("{}.{}", report.audit, job.job));
    case
}

fn finding_text(report: &Report, finding: &ReportedFinding) -> String {
    let mut lines =
        vec![format!("{}: {} ({})", finding.severity, finding.subject, words::place(&finding.location)), finding.message.clone()];
    lines.extend(waived_words::marks(finding.waiver_expired.as_ref(), finding.since_baseline));
    lines.extend(finding.facts.iter().map(|fact| format!("  {}: {} ({})", fact.name, fact.amount, fact.origin)));
    lines.extend(words::bites(report, finding));
    for remedy in &finding.remedy {
        lines.push(format!("→ {}", remedy.say));
        lines.extend(remedy.paste.clone());
    }
    lines.join("\n")
}

fn unknown_text(unknown: &ReportedUnknown) -> String {
    let mut lines = vec![format!("unknown ({}): {}", unknown.severity, unknown.subject), unknown.reason.clone()];
    lines.extend(waived_words::marks(unknown.waiver_expired.as_ref(), unknown.since_baseline));
    if !unknown.call.is_empty() {
        lines.push(format!("would be answered by: {}", unknown.call));
    }
    lines.join("\n")
}
