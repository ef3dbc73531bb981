//! From two reports to their comparison.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Change, ChangeCounts, ComparedFinding, ComparedJob, ComparedUnknown, Comparison, Side, facts,
    state::{Status, Statuses},
    ttl,
};
use crate::{
    finding::{Severity, ShownFact},
    report::{JobReport, Report, ReportedFinding, Since, own_subject},
};

/// Compares an earlier report with a later one.
///
/// What is the same is found by fingerprint, so order, wording and line numbers do not matter.
#[must_use]
pub fn compare(old: &Report, new: &Report) -> Comparison {
    let (before, after) = (Statuses::of(old), Statuses::of(new));
    let mut findings: Vec<ComparedFinding> = new.findings.iter().map(|finding| still_there(old, new, &before, finding)).collect();
    for finding in &old.findings {
        if !matches!(after.says(&finding.fingerprint), Some(Status::Finding(_))) {
            findings.push(gone(old, new, &after, finding));
        }
    }
    let mut unknown = unknowns(new, &before, &after);
    let ttls = ttl::changes(old, new, &after);
    findings.extend(ttls.findings);
    unknown.extend(ttls.unknown);
    findings.sort_by(|a, b| {
        let severity = |finding: &ComparedFinding| finding.new_severity.or(finding.old_severity);
        a.change
            .cmp(&b.change)
            .then_with(|| severity(b).cmp(&severity(a)))
            .then_with(|| (&a.job, &a.subject, &a.rule).cmp(&(&b.job, &b.subject, &b.rule)))
    });
    unknown.sort_by(|a, b| {
        a.change
            .cmp(&b.change)
            .then_with(|| b.severity.cmp(&a.severity))
            .then_with(|| (&a.job, &a.subject, &a.rules, &a.reason).cmp(&(&b.job, &b.subject, &b.rules, &b.reason)))
    });
    let summary = count(&findings, &unknown);
    let counts = findings.iter().any(|finding| finding.change.counts()) || unknown.iter().any(|unknown| unknown.change.counts());
    Comparison {
        old: side(old),
        new: side(new),
        summary,
        findings,
        unknown,
        jobs: jobs(old, new),
        notes: notes(old, new),
        exit_code: u8::from(counts),
    }
}

fn side(report: &Report) -> Side {
    Side {
        audit: report.audit.clone(),
        as_of: report.as_of.at,
        captured_at: report.evidence.captured_at,
        tool_version: report.tool.version.clone(),
        exit_code: report.summary.exit_code,
    }
}

fn entry(change: Change, finding: &ReportedFinding, severities: (Option<Severity>, Option<Severity>)) -> ComparedFinding {
    ComparedFinding {
        change,
        rule: finding.rule.clone(),
        job: finding.job.clone(),
        subject: finding.subject.clone(),
        fingerprint: finding.fingerprint.clone(),
        old_severity: severities.0,
        new_severity: severities.1,
        moved: Vec::new(),
        message: finding.message.clone(),
        note: None,
    }
}

/// A finding of the later report.
fn still_there(old: &Report, new: &Report, before: &Statuses<'_>, finding: &ReportedFinding) -> ComparedFinding {
    let was = before.says(&finding.fingerprint);
    let then = match was {
        Some(Status::Finding(was)) => Some(was),
        _ => None,
    };
    let change = match Since::between(then.map(|was| was.severity), finding.severity) {
        Since::New => Change::New,
        Since::Worse => Change::Worse,
        Since::Same => Change::Same,
        Since::Better => Change::Better,
    };
    let moved = match then {
        Some(was) => facts::moved(&was.facts, &finding.facts),
        None => around(old, new, finding),
    };
    let note = match was {
        Some(Status::Waived(waiver)) => Some(format!("it was waived until {} (owner {})", waiver.expires, waiver.owner)),
        Some(Status::Unknown(_, reason)) => Some(format!("it was unknown: {reason}")),
        _ => None,
    };
    ComparedFinding { moved, note, ..entry(change, finding, (then.map(|was| was.severity), Some(finding.severity))) }
}

/// A finding of the earlier report that the later one does not have.
fn gone(old: &Report, new: &Report, after: &Statuses<'_>, finding: &ReportedFinding) -> ComparedFinding {
    let (change, note) = match after.says(&finding.fingerprint) {
        Some(Status::Unknown(_, reason)) => (Change::NoLongerKnown, Some(format!("unknown now: {reason}"))),
        Some(Status::Waived(waiver)) => {
            (Change::Waived, Some(format!("waived until {} (owner {}): {}", waiver.expires, waiver.owner, waiver.reason)))
        }
        Some(Status::Finding(_)) | None => match not_judged(new, finding) {
            Some(why) => (Change::NotJudged, Some(why)),
            None => (Change::Fixed, None),
        },
    };
    let moved = around(old, new, finding);
    ComparedFinding { moved, note, ..entry(change, finding, (Some(finding.severity), None)) }
}

/// Why a finding that is gone was not judged in the later report; `None`: it was, and nothing was found.
fn not_judged(new: &Report, finding: &ReportedFinding) -> Option<String> {
    let Some(job) = new.jobs.iter().find(|job| job.job == finding.job) else {
        return Some("the later report does not have the job".to_owned());
    };
    if let Some(left_out) = new.left_out.iter().find(|text| text.starts_with(&format!("rule {}:", finding.rule))) {
        return Some(left_out.clone());
    }
    // A rule whose object does not exist by a finding of the same run is silent.
    let silencer = match finding.rule.split('-').next() {
        Some("ttl" | "retention") => "topic-missing",
        Some("snapshot" | "recovery") => "snapshot-missing",
        _ => "",
    };
    let speaks = new.findings.iter().any(|other| other.job == finding.job && other.rule == silencer && other.rule != finding.rule);
    if speaks {
        return Some(format!("{silencer} speaks in its place"));
    }
    let own = own_subject(&finding.job, &finding.subject);
    if passes(job, &finding.rule, own) == Some(true) {
        return None;
    }
    let is_state = own.ends_with(" state");
    if is_state && !job.operators.iter().any(|state| own == format!("{}/{} state", state.uid, state.state)) {
        return Some("the manifest does not declare the state any more".to_owned());
    }
    if !job.judged.is_empty() && !job.judged.contains(&finding.rule) {
        return Some("the rule had nothing of this job to judge".to_owned());
    }
    passes(job, &finding.rule, own).map(|_| format!("{} had nothing to judge of {own}", finding.rule))
}

/// Whether a rule looked at a subject (without the job) and had nothing to say; `None`: the report does not tell.
fn passes(job: &JobReport, rule: &str, subject: &str) -> Option<bool> {
    let passed = job.passed.as_ref()?;
    Some(passed.get(rule).is_some_and(|subjects| subjects.iter().any(|known| known == subject)))
}

/// The facts around a finding that only one of the reports has.
fn around(old: &Report, new: &Report, finding: &ReportedFinding) -> Vec<super::Moved> {
    let own = own_subject(&finding.job, &finding.subject);
    let of = |report: &Report| -> Option<Vec<ShownFact>> {
        report.jobs.iter().find(|job| job.job == finding.job).map(|job| facts::about(job, own, report.as_of.at))
    };
    match (of(old), of(new)) {
        (Some(old), Some(new)) => facts::moved(&old, &new),
        _ => Vec::new(),
    }
}

/// Unknowns of both reports. One that was a finding is told there, one that is a finding now as well.
fn unknowns(new: &Report, before: &Statuses<'_>, after: &Statuses<'_>) -> Vec<ComparedUnknown> {
    let mut grouped: BTreeMap<(String, String, Change), ComparedUnknown> = BTreeMap::new();
    let mut add = |change: Change, wait: &super::state::Wait<'_>| {
        let key = (wait.unknown.job.clone(), wait.unknown.reason.clone(), change);
        let entry = grouped.entry(key).or_insert_with(|| ComparedUnknown {
            change,
            rules: Vec::new(),
            severity: wait.severity,
            job: wait.unknown.job.clone(),
            subject: wait.subject.clone(),
            reason: wait.unknown.reason.clone(),
        });
        entry.severity = entry.severity.max(wait.severity);
        if !entry.rules.contains(&wait.rule) {
            entry.rules.push(wait.rule.clone());
            entry.rules.sort();
        }
    };
    for wait in after.waits() {
        match before.says(&wait.fingerprint) {
            Some(Status::Finding(_)) => {}
            Some(Status::Unknown(then, _)) => add(
                match Since::between(Some(then), wait.severity) {
                    Since::Worse => Change::Worse,
                    Since::Better => Change::Better,
                    Since::New | Since::Same => Change::Same,
                },
                wait,
            ),
            Some(Status::Waived(_)) | None => add(Change::New, wait),
        }
    }
    for wait in before.waits() {
        match after.says(&wait.fingerprint) {
            Some(Status::Finding(_) | Status::Unknown(..)) => {}
            Some(Status::Waived(_)) => add(Change::Waived, wait),
            None if is_answered(new, after, wait) => add(Change::Fixed, wait),
            None => add(Change::NotJudged, wait),
        }
    }
    grouped.into_values().collect()
}

/// Whether what was unknown was judged in the later report, and nothing was found.
fn is_answered(new: &Report, after: &Statuses<'_>, wait: &super::state::Wait<'_>) -> bool {
    let Some(job) = new.jobs.iter().find(|job| job.job == wait.unknown.job) else { return false };
    let own = own_subject(&job.job, &wait.subject);
    passes(job, &wait.rule, own).unwrap_or_else(|| !after.leaves_out(&wait.rule))
}

fn count(findings: &[ComparedFinding], unknown: &[ComparedUnknown]) -> ChangeCounts {
    let of = |change: Change| findings.iter().filter(|finding| finding.change == change).count();
    ChangeCounts {
        new: of(Change::New),
        worse: of(Change::Worse),
        no_longer_known: of(Change::NoLongerKnown),
        not_judged: of(Change::NotJudged),
        same: of(Change::Same),
        better: of(Change::Better),
        waived: of(Change::Waived),
        fixed: of(Change::Fixed),
        new_unknown: unknown.iter().filter(|unknown| unknown.change.counts()).count(),
        answered: unknown.iter().filter(|unknown| unknown.change == Change::Fixed).count(),
    }
}

fn jobs(old: &Report, new: &Report) -> Vec<ComparedJob> {
    let mut jobs: Vec<ComparedJob> = Vec::new();
    for job in &new.jobs {
        let Some(before) = old.jobs.iter().find(|before| before.job == job.job) else { continue };
        let moved = facts::moved(&facts::of_job(before, old.as_of.at), &facts::of_job(job, new.as_of.at));
        if !moved.is_empty() {
            jobs.push(ComparedJob { job: job.job.clone(), moved });
        }
    }
    jobs.sort_by(|a, b| a.job.cmp(&b.job));
    jobs
}

fn notes(old: &Report, new: &Report) -> Vec<String> {
    let mut notes = Vec::new();
    if old.audit != new.audit {
        notes.push(format!("the audits have different names: {} and {}", old.audit, new.audit));
    }
    if old.as_of.at > new.as_of.at {
        notes.push(format!("the old report judges {}, the new one {}: later comes first", old.as_of.at.minute(), new.as_of.at.minute()));
    }
    if old.summary.fail_on != new.summary.fail_on {
        notes.push(format!("fail_on was {} and is {}", old.summary.fail_on.word(), new.summary.fail_on.word()));
    }
    let names = |report: &Report| report.jobs.iter().map(|job| job.job.clone()).collect::<BTreeSet<String>>();
    let (before, after) = (names(old), names(new));
    let list = |jobs: BTreeSet<&String>| jobs.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    let (added, removed) = (after.difference(&before).collect::<BTreeSet<_>>(), before.difference(&after).collect::<BTreeSet<_>>());
    if !added.is_empty() {
        notes.push(format!("only in the new report: {}", list(added)));
    }
    if !removed.is_empty() {
        notes.push(format!("only in the old report: {}", list(removed)));
    }
    let text = |report: &Report| report.left_out.iter().cloned().collect::<BTreeSet<String>>();
    let (before, after) = (text(old), text(new));
    notes.extend(before.difference(&after).map(|left_out| format!("left out of the old report only: {left_out}")));
    notes.extend(after.difference(&before).map(|left_out| format!("left out of the new report only: {left_out}")));
    notes
}
