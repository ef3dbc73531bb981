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
    FileLocation, Placed, Report, ReportedFinding, ReportedUnknown, WaiverTerms, exit_code, waived_words,
    words::{self, clean},
};
use crate::exit::ExitCode;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The one kind of notification that a run gives.
const UNKNOWN: &str = "unknown";

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
            tool_execution_notifications: report.unknown.iter().map(|unknown| notification(placed, &rules, unknown)).collect(),
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
        notifications: vec![Descriptor {
            id: UNKNOWN.to_owned(),
            short_description: Text::plain("Something could not be judged: the reason is given, and what would answer."),
            full_description: None,
            help: None,
            default_configuration: None,
            properties: None,
        }],
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

/// What a waiver covers is shown as suppressed. SARIF cannot suppress a notification: a waived unknown is told by the other formats.
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
        properties: json!({
            "job": finding.job,
            "subject": finding.subject,
            "facts": finding.facts,
            "bitesOn": finding.bites_on,
            "remedy": finding.remedy,
        }),
    }
}

/// What was found, both numbers with their origin, when it bites and what to do: viewers show nothing else.
fn message(report: &Report, finding: &ReportedFinding) -> String {
    let mut text = finding.message.clone();
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

fn notification(placed: &Placed<'_>, rules: &Rules, unknown: &ReportedUnknown) -> Notification {
    let mut text = format!("{}: {}", unknown.subject, unknown.reason);
    if !unknown.call.is_empty() {
        text.push_str(&format!("\nwould be answered by: {}", unknown.call));
    }
    if !unknown.also.is_empty() {
        text.push_str(&format!("\nalso wait for it: {}", unknown.also.join(", ")));
    }
    Notification {
        descriptor: RuleReference { id: UNKNOWN.to_owned(), index: 0 },
        associated_rule: rules.reference(&unknown.rule),
        level: unknown.severity,
        message: Text::plain(prose(&text)),
        locations: vec![location(placed, &unknown.location, &unknown.job, &unknown.subject)],
        properties: json!({ "job": unknown.job, "subject": unknown.subject, "also": unknown.also, "call": unknown.call }),
    }
}

/// A message is plain text to which the standard adds links, `[words](target)`: what a key or a job's name holds must not become one.
fn prose(text: &str) -> String {
    clean(text).replace("](", "]\\(")
}

fn location(placed: &Placed<'_>, location: &FileLocation, job: &str, subject: &str) -> Location {
    let path = placed.path(location);
    let absolute = path.starts_with('/');
    let uri = utf8_percent_encode(&path, IN_A_PATH).to_string();
    Location {
        physical_location: PhysicalLocation {
            artifact_location: ArtifactLocation {
                uri: if absolute { format!("file://{uri}") } else { uri },
                uri_base_id: (!absolute).then_some("%SRCROOT%"),
            },
            region: Region { start_line: location.line, start_column: location.column },
        },
        logical_locations: vec![LogicalLocation { name: clean(words::subject(job, subject)), fully_qualified_name: clean(subject) }],
    }
}

/// What may stand in a path of RFC 3986 as it is: the unreserved signs, and the slash.
const IN_A_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');
