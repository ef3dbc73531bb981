//! SARIF 2.1.0, for code scanning: findings as results, unknowns as notifications of the run.

mod model;
mod rules;

use std::collections::BTreeMap;

use model::{
    ArtifactLocation, AutomationDetails, Descriptor, Driver, Finding, Invocation, Location, Log, LogicalLocation, Notification,
    PhysicalLocation, Region, RuleReference, Run, Suppression, Text, Tool,
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rules::Rules;
use serde_json::json;

use super::{
    FileLocation, Notice, Placed, Report, ReportedFinding, ReportedUnknown, Since, WaiverTerms, exit_code, waived_words,
    words::{self, clean},
};
use crate::{exit::ExitCode, finding::Severity};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The kinds of notifications that a run gives, and what each says.
const KINDS: [(&str, &str); 3] = [
    ("unknown", "Something could not be judged: the reason is given, and what would answer."),
    ("waived-unknown", "Something could not be judged, and a waiver covers that: its reason, owner and end are given."),
    ("notice", "Something to know about the waivers, or about the report that this one is compared with."),
];

/// The reports as one SARIF log with a run for each.
///
/// # Errors
///
/// If a value cannot be written as JSON.
pub fn to_sarif(reports: &[Placed<'_>]) -> Result<String, serde_json::Error> {
    let log = Log { schema: SCHEMA, version: "2.1.0", runs: reports.iter().map(run).collect() };
    let mut text = serde_json::to_string_pretty(&log)?;
    text.push('\n');
    Ok(text)
}

fn run(placed: &Placed<'_>) -> Run {
    let report = placed.report;
    let rules = Rules::of(report);
    Run {
        tool: Tool { driver: driver(report, &rules) },
        automation_details: AutomationDetails {
            // What stands before the last slash is the category: alerts of one are closed by the next run of the same one, so it must not
            // change from quarter to quarter, as the audit's name may.
            id: format!(
                "ttl-audit/{}",
                if placed.folder.is_empty() { String::new() } else { format!("{}/", placed.folder.trim_matches('/')) }
            ),
            description: Text::plain(clean(&report.audit)),
        },
        invocations: vec![Invocation {
            execution_successful: !report.summary.incomplete,
            exit_code: report.summary.exit_code,
            exit_code_description: description(exit_code(report)),
            tool_execution_notifications: notifications(placed, &rules),
            tool_configuration_notifications: report.notices.iter().map(|notice| self::notice(placed, notice)).collect(),
        }],
        column_kind: "unicodeCodePoints",
        results: report.findings.iter().map(|finding| result(placed, &rules, finding, None)).chain(waived(placed, &rules)).collect(),
        properties: json!({
            "audit": report.audit,
            "asOf": report.as_of.at,
            "evidenceCapturedAt": report.evidence.captured_at,
            "evidenceDigest": report.evidence.digest,
            "summary": report.summary,
            "assumptions": report.assumptions,
        }),
    }
}

fn driver(report: &Report, rules: &Rules) -> Driver {
    Driver {
        name: report.tool.name.clone(),
        version: report.tool.version.clone(),
        semantic_version: report.tool.version.clone(),
        short_description: Text::plain(env!("CARGO_PKG_DESCRIPTION")),
        rules: rules.descriptors(),
        notifications: KINDS.map(|(id, says)| Descriptor::plain(id, says)).into(),
    }
}

const fn description(code: ExitCode) -> &'static str {
    match code {
        ExitCode::Clean => "clean: everything that the gate needs was checked, nothing at or above fail_on",
        ExitCode::Tripped => "the gate tripped: at least one finding at or above fail_on",
        ExitCode::Usage => "usage: nothing was judged",
        ExitCode::Incomplete => "incomplete: a check that could have tripped the gate is unknown",
    }
}

/// What a waiver covers is shown as suppressed.
fn waived<'a>(placed: &'a Placed<'_>, rules: &'a Rules) -> impl Iterator<Item = Finding> + 'a {
    let waived = placed.report.waived.iter();
    waived.filter_map(|waived| Some(result(placed, rules, waived.finding.as_ref()?, Some(&waived.waiver))))
}

fn result(placed: &Placed<'_>, rules: &Rules, finding: &ReportedFinding, waiver: Option<&WaiverTerms>) -> Finding {
    let RuleReference { id, index } = rules.reference(&finding.rule);
    Finding {
        rule_id: id,
        rule_index: index,
        level: finding.severity,
        message: Text::plain(message(placed.report, finding)),
        locations: vec![location(placed, &finding.location, &finding.job, &finding.subject)],
        // The second one is what GitHub tells alerts apart by; made from rule, job and subject it survives moved lines.
        partial_fingerprints: BTreeMap::from([
            ("ttlAudit/v1", finding.fingerprint.clone()),
            ("primaryLocationLineHash", finding.fingerprint.clone()),
        ]),
        suppressions: waiver
            .map(|waiver| Suppression { kind: "external", justification: prose(&waived_words::terms(waiver)) })
            .into_iter()
            .collect(),
        baseline_state: finding.since_baseline.map(baseline_state),
        properties: json!({
            "job": finding.job,
            "subject": finding.subject,
            "facts": finding.facts,
            "bitesOn": finding.bites_on,
            "remedy": finding.remedy,
            "sinceBaseline": finding.since_baseline,
            "waiverExpired": finding.waiver_expired,
        }),
    }
}

/// The standard's word: a severity that moved is an update.
const fn baseline_state(since: Since) -> &'static str {
    match since {
        Since::New => "new",
        Since::Same => "unchanged",
        Since::Worse | Since::Better => "updated",
    }
}

/// What was found, both numbers with their origin, when it bites and what to do: viewers show nothing else.
fn message(report: &Report, finding: &ReportedFinding) -> String {
    let mut text = finding.message.clone();
    for mark in waived_words::marks(finding.waiver_expired.as_ref(), finding.since_baseline) {
        text.push_str(&format!("\n{mark}"));
    }
    for fact in &finding.facts {
        text.push_str(&format!("\n- {}: {} ({})", fact.name, fact.amount, fact.origin));
    }
    if let Some(bites) = words::bites(report, finding) {
        text.push_str(&format!("\n{bites}"));
    }
    for remedy in &finding.remedy {
        text.push_str(&format!("\n→ {}", remedy.say));
        if let Some(paste) = &remedy.paste {
            text.push_str(&format!("\n{paste}"));
        }
    }
    prose(&text)
}

/// What could not be judged. SARIF cannot suppress a notification: one that a waiver covers has the level `none`, and says so.
fn notifications(placed: &Placed<'_>, rules: &Rules) -> Vec<Notification> {
    let counts = placed.report.unknown.iter().map(|unknown| notification(placed, rules, unknown, None));
    let waived = placed.report.waived.iter();
    let waived = waived.filter_map(|waived| Some(notification(placed, rules, waived.unknown.as_ref()?, Some(&waived.waiver))));
    counts.chain(waived).collect()
}

fn notice(placed: &Placed<'_>, notice: &Notice) -> Notification {
    Notification {
        descriptor: kind("notice"),
        associated_rule: None,
        level: Severity::Note.word(),
        message: Text::plain(prose(&notice.message)),
        locations: notice
            .location
            .iter()
            .map(|at| Location { physical_location: physical(placed, at), logical_locations: Vec::new() })
            .collect(),
        properties: json!({ "kind": notice.kind }),
    }
}

fn kind(id: &str) -> RuleReference {
    RuleReference { id: id.to_owned(), index: KINDS.iter().position(|(known, _)| *known == id).unwrap_or_default() }
}

fn notification(placed: &Placed<'_>, rules: &Rules, unknown: &ReportedUnknown, waiver: Option<&WaiverTerms>) -> Notification {
    let mut text = format!("{}: {}", unknown.subject, unknown.reason);
    for mark in waived_words::marks(unknown.waiver_expired.as_ref(), unknown.since_baseline) {
        text.push_str(&format!("\n{mark}"));
    }
    if let Some(waiver) = waiver {
        text.push_str(&format!("\nwaived: {}", waived_words::terms(waiver)));
    }
    if !unknown.call.is_empty() {
        text.push_str(&format!("\nwould be answered by: {}", unknown.call));
    }
    if !unknown.also.is_empty() {
        text.push_str(&format!("\nalso wait for it: {}", unknown.also.join(", ")));
    }
    Notification {
        descriptor: kind(if waiver.is_some() { "waived-unknown" } else { "unknown" }),
        associated_rule: Some(rules.reference(&unknown.rule)),
        level: if waiver.is_some() { "none" } else { unknown.severity.word() },
        message: Text::plain(prose(&text)),
        locations: vec![location(placed, &unknown.location, &unknown.job, &unknown.subject)],
        properties: json!({
            "job": unknown.job,
            "subject": unknown.subject,
            "severity": unknown.severity,
            "also": unknown.also,
            "call": unknown.call,
            "sinceBaseline": unknown.since_baseline,
            "waiverExpired": unknown.waiver_expired,
            "waiver": waiver,
        }),
    }
}

/// A message is plain text to which the standard adds links, `[words](target)`: what a key or a job's name holds must not become one.
fn prose(text: &str) -> String {
    clean(text).replace("](", "]\\(")
}

fn location(placed: &Placed<'_>, location: &FileLocation, job: &str, subject: &str) -> Location {
    Location {
        physical_location: physical(placed, location),
        logical_locations: vec![LogicalLocation { name: clean(words::subject(job, subject)), fully_qualified_name: clean(subject) }],
    }
}

fn physical(placed: &Placed<'_>, location: &FileLocation) -> PhysicalLocation {
    let path = placed.path(location);
    let absolute = path.starts_with('/');
    let uri = utf8_percent_encode(&path, IN_A_PATH).to_string();
    PhysicalLocation {
        artifact_location: ArtifactLocation {
            uri: if absolute { format!("file://{uri}") } else { uri },
            uri_base_id: (!absolute).then_some("%SRCROOT%"),
        },
        region: Region { start_line: location.line, start_column: location.column },
    }
}

/// What may stand in a path of RFC 3986 as it is: the unreserved signs, and the slash.
const IN_A_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');
