//! One job of a report.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    ClearedReport, FileLocation, JobReport, Length, OperatorReport, ReportedFinding, ReportedFlink, ReportedUnknown, ReportedWait,
    SnapshotReport, TakenAt, TopicReport, UnreferencedFiles, Verdict, Waived, WaiverTerms, future, outlook,
    waive::{self, Sorted},
};
use crate::{
    analysis::{Bound, JobAnalysis, Observed, Sourced, Window},
    evidence::Unknown,
    finding::{Scope, Severity, fingerprint},
    manifest::{Manifest, Operator, Position, Role, State},
    policy::FailOn,
    rules::{JudgedFinding, JudgedUnknown, RuleResults},
    units::Ttl,
};

/// One job with everything that was said about it.
pub(super) struct JudgedJob {
    pub(super) report: JobReport,
    pub(super) findings: Vec<ReportedFinding>,
    pub(super) unknown: Vec<ReportedUnknown>,
    pub(super) waived: Vec<Waived>,
    pub(super) assumptions: Vec<String>,
}

/// Puts together what the analysis and the rules say about `job`.
///
/// What a waiver covers has no part in any verdict. `expired` finds the waiver that covered something until it ended.
pub(super) fn judged(
    job: &Manifest,
    analysis: &JobAnalysis,
    sorted: Sorted<'_>,
    fail_on: FailOn,
    by_day: bool,
    expired: &dyn Fn(&str, &Scope) -> Option<WaiverTerms>,
) -> JudgedJob {
    let results = sorted.counts;
    let verdicts = Verdicts { results: &results, fail_on };
    let report = JobReport {
        job: job.job.value.clone(),
        owner: job.owner.clone(),
        flink: ReportedFlink { version: job.flink.version.clone(), state_backend: job.flink.state_backend.clone() },
        verdict: verdicts.of(|_| true),
        back_without_loss: outlook::loss(&analysis.outlook.without_loss),
        back_without_duplicates: outlook::duplicates(&analysis.outlook.without_duplicates),
        replay: analysis.outlook.replay.iter().map(|replay| outlook::replay(replay, by_day)).collect(),
        operators: job
            .operators
            .iter()
            .flat_map(|operator| operator.state.iter().map(move |state| (operator, state)))
            .map(|(operator, state)| operator_report(operator, state, analysis, &verdicts))
            .collect(),
        snapshots: snapshot_reports(analysis, &verdicts),
        places: future::places(&analysis.future, |subject| verdicts.of(|about| about == subject)),
        judged: results.judged.iter().map(|meta| meta.id.to_owned()).collect(),
        passed: Some(passed(&results)),
    };
    let RuleResults { findings, unknown, .. } = results;
    let waived_findings = sorted.findings.into_iter().map(|(judged, waiver)| Waived {
        finding: Some(finding(job, judged)),
        unknown: None,
        not_waived: Vec::new(),
        waiver: waive::terms(waiver),
    });
    let waived_unknown = sorted.unknown.into_iter().map(|(judged, left, waiver)| Waived {
        finding: None,
        unknown: Some(unknown_report(job, judged)),
        not_waived: left.into_iter().map(str::to_owned).collect(),
        waiver: waive::terms(waiver),
    });
    JudgedJob {
        report,
        waived: waived_findings.chain(waived_unknown).collect(),
        findings: findings
            .into_iter()
            .map(|judged| {
                let waiver_expired = expired(judged.rule.id, &judged.subject.scope);
                ReportedFinding { waiver_expired, ..finding(job, judged) }
            })
            .collect(),
        unknown: unknown
            .into_iter()
            .map(|judged| {
                let waiver_expired = judged.waiting.iter().find_map(|one| expired(one.rule.id, &one.subject.scope));
                ReportedUnknown { waiver_expired, ..unknown_report(job, judged) }
            })
            .collect(),
        assumptions: analysis.assumptions.clone(),
    }
}

/// The subjects that each rule had nothing to say about; sorted, each once.
fn passed(results: &RuleResults) -> BTreeMap<String, Vec<String>> {
    let mut passed: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (rule, subject) in &results.passed {
        passed.entry(rule.id.to_owned()).or_default().insert(&subject.text);
    }
    passed.into_iter().map(|(rule, subjects)| (rule, subjects.into_iter().map(str::to_owned).collect())).collect()
}

/// What the answers about some subjects come to.
struct Verdicts<'a> {
    results: &'a RuleResults,
    fail_on: FailOn,
}

impl Verdicts<'_> {
    /// The verdict over the subjects that `about` picks.
    fn of(&self, about: impl Fn(&str) -> bool) -> Verdict {
        let trips = |severity: Severity| self.fail_on.trips(severity);
        if self.results.findings.iter().any(|judged| trips(judged.finding.severity) && about(&judged.subject.text)) {
            Verdict::Fail
        } else if self.results.unknown.iter().any(|judged| trips(judged.severity) && judged.subjects.iter().any(|s| about(&s.text))) {
            Verdict::Unknown
        } else {
            Verdict::Pass
        }
    }
}

fn operator_report(operator: &Operator, state: &State, analysis: &JobAnalysis, verdicts: &Verdicts<'_>) -> OperatorReport {
    let topics: Vec<TopicReport> = state.reads.iter().flat_map(|source| topic_reports(source, analysis)).collect();
    let own = format!("{}/{} ", operator.id.value.text(), state.name.value);
    let windows = state.reads.iter().filter_map(|source| analysis.windows.get(source)).flatten().flatten();
    let read: Vec<String> = windows.map(|window| format!("{} ", analysis.topic_name(window))).collect();
    let view = analysis.states.iter().find(|view| view.operator == operator.id.value.text() && view.state == state.name.value);
    OperatorReport {
        uid: operator.id.value.text().to_owned(),
        name: operator.name.clone(),
        state: state.name.value.clone(),
        role: operator.role.unwrap_or(Role::Deduplication).word().to_owned(),
        ttl: match state.ttl.value {
            Ttl::After(length) => Length::Duration(length),
            word => Length::Word(word.to_string()),
        },
        cleared: view
            .and_then(|view| view.cleared_by)
            .map(|by| ClearedReport { by: by.word().to_owned(), after: state.cleared_by.and_then(|cleared| cleared.after) }),
        verdict: verdicts.of(|subject| subject.starts_with(&own) || read.iter().any(|topic| subject.starts_with(topic))),
        topics,
        required_ttl: view.and_then(|view| view.required.as_ref().ok()).and_then(|required| required.length()),
    }
}

/// The newest snapshot of each declared location, which stands for it, and the one that a restart would take.
fn snapshot_reports(analysis: &JobAnalysis, verdicts: &Verdicts<'_>) -> Vec<SnapshotReport> {
    let mut reports = Vec::new();
    for place in &analysis.recovery.places {
        let subject = place.subject().text;
        for (number, snapshot) in place.complete().iter().enumerate() {
            let selected = analysis.recovery.selects(&snapshot.location);
            if number > 0 && !selected {
                continue;
            }
            let size = snapshot.size();
            let (first_change, open) = future::of_snapshot(&analysis.future, &snapshot.location);
            reports.push(SnapshotReport {
                location: snapshot.location.to_string(),
                kind: place.kind.word().to_owned(),
                taken_at: TakenAt { at: snapshot.taken_at, basis: "last modified of _metadata".to_owned() },
                objects: size.map(|(objects, _)| objects),
                bytes: size.map(|(_, bytes)| bytes),
                classes: snapshot.classes(),
                files_until: analysis.outlook.without_loss.dates.get(&snapshot.location).and_then(|dates| dates.files),
                records_until: analysis.outlook.without_loss.dates.get(&snapshot.location).and_then(|dates| dates.records),
                readable: snapshot.readable().word().to_owned(),
                first_change,
                open,
                unreferenced: snapshot
                    .unreferenced
                    .filter(|(objects, _)| *objects > 0)
                    .map(|(objects, bytes)| UnreferencedFiles { objects, bytes }),
                selected,
                seen_there: place.seen(),
                unfinished_there: crate::analysis::snapshots::count(place.unfinished()),
                verdict: verdicts.of(|about| about == subject),
            });
        }
    }
    reports
}

fn topic_reports(source: &str, analysis: &JobAnalysis) -> Vec<TopicReport> {
    match analysis.windows.get(source) {
        Some(Ok(windows)) => windows.iter().map(topic_report).collect(),
        // Which topics it reads is not known, or the source is not there: that is said, not left out.
        Some(Err(_)) | None => vec![TopicReport {
            source: source.to_owned(),
            topic: unknown_word(),
            floor: Length::Word(unknown_word()),
            worst_case: Length::Word(unknown_word()),
            observed: Length::Word(unknown_word()),
            origin: unknown_word(),
        }],
    }
}

fn topic_report(window: &Window) -> TopicReport {
    TopicReport {
        source: window.source.clone(),
        topic: window.topic.clone(),
        floor: bound(&window.floor),
        worst_case: bound(&window.worst_case),
        observed: match &window.observed {
            Ok(Observed::History(history)) => Length::Duration(history.value),
            Ok(Observed::Empty) => Length::Word("empty".to_owned()),
            Ok(Observed::NotMeasured) => Length::Word("not measured".to_owned()),
            Ok(Observed::InSeconds { .. }) | Err(_) => Length::Word(unknown_word()),
        },
        origin: window.retention.as_ref().map_or_else(|unknown| unknown.reason.clone(), |retention| retention.origin.clone()),
    }
}

fn bound(bound: &Result<Sourced<Bound>, Unknown>) -> Length {
    match bound {
        Ok(Sourced { value: Bound::For(length), .. }) => Length::Duration(*length),
        Ok(Sourced { value, .. }) => Length::Word(value.to_string()),
        Err(_) => Length::Word(unknown_word()),
    }
}

fn unknown_word() -> String {
    "unknown".to_owned()
}

fn finding(job: &Manifest, judged: JudgedFinding) -> ReportedFinding {
    let JudgedFinding { rule, subject, finding } = judged;
    let name = &job.job.value;
    ReportedFinding {
        rule: rule.id.to_owned(),
        severity: finding.severity,
        job: name.clone(),
        subject: format!("{name} {}", subject.text),
        message: finding.message,
        facts: finding.facts,
        bites_on: finding.bites_on,
        remedy: finding.remedy,
        location: location(job, finding.position),
        fingerprint: fingerprint(rule.id, name, &subject.text),
        since_baseline: None,
        waiver_expired: None,
    }
}

fn unknown_report(job: &Manifest, judged: JudgedUnknown) -> ReportedUnknown {
    let name = &job.job.value;
    let waits = judged.waiting.iter().map(|waiting| ReportedWait {
        rule: waiting.rule.id.to_owned(),
        severity: waiting.severity,
        subject: format!("{name} {}", waiting.subject.text),
        fingerprint: fingerprint(waiting.rule.id, name, &waiting.subject.text),
    });
    let waits: BTreeSet<ReportedWait> = waits.collect();
    let mut waits: Vec<ReportedWait> = waits.into_iter().collect();
    waits.sort_by_key(|wait| std::cmp::Reverse(wait.severity));
    ReportedUnknown {
        rule: judged.rule.id.to_owned(),
        also: judged.also.iter().map(|meta| meta.id.to_owned()).collect(),
        severity: judged.severity,
        job: name.clone(),
        subject: format!("{name} {}", judged.subject.text),
        reason: judged.unknown.reason,
        call: judged.unknown.call,
        location: location(job, job.job.position),
        waits,
        since_baseline: None,
        waiver_expired: None,
    }
}

fn location(job: &Manifest, position: Position) -> FileLocation {
    FileLocation { file: job.file.clone(), line: position.line.max(1), column: position.column.max(1) }
}
