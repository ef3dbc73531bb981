//! A report measured by an earlier one.

use super::{BaselineSummary, Notice, NoticeKind, Report, ReportedFinding, ReportedUnknown, Since, Waived, build::totals};
use crate::{
    audit::Audit,
    compare::{Baseline, waits},
    policy::FailOn,
    units::Instant,
};

/// Marks every finding and unknown with how it compares, and counts.
pub(super) fn mark(
    earlier: &Report,
    baseline: &Baseline,
    findings: &mut [ReportedFinding],
    unknown: &mut [ReportedUnknown],
    waived: &mut [Waived],
) -> BaselineSummary {
    for finding in findings.iter_mut() {
        finding.since_baseline = Some(baseline.finding(finding));
    }
    for unknown in unknown.iter_mut() {
        unknown.since_baseline = Some(baseline.unknown(unknown));
    }
    // Waived ones have no part in the counts.
    for finding in waived.iter_mut().filter_map(|waived| waived.finding.as_mut()) {
        finding.since_baseline = Some(baseline.waived(finding));
    }
    let count = |since: Since| findings.iter().filter(|finding| finding.since_baseline == Some(since)).count();
    let counts = |since: Option<Since>| since.is_none_or(Since::counts);
    let new_unknown = unknown.iter().filter(|unknown| counts(unknown.since_baseline)).count();
    BaselineSummary {
        audit: earlier.audit.clone(),
        as_of: earlier.as_of.at,
        new: count(Since::New),
        worse: count(Since::Worse),
        known: totals(findings.iter().filter(|finding| !counts(finding.since_baseline)).map(|finding| finding.severity)),
        new_unknown,
        known_unknown: unknown.len() - new_unknown,
    }
}

/// Whether a finding trips the gate.
pub(super) fn trips(fail_on: FailOn, finding: &ReportedFinding) -> bool {
    fail_on.trips(finding.severity) && finding.since_baseline.is_none_or(Since::counts)
}

/// Whether an unknown makes the audit incomplete: by something that waits for it and, with a baseline, did not wait then.
pub(super) fn leaves_incomplete(fail_on: FailOn, baseline: Option<&Baseline>, unknown: &ReportedUnknown) -> bool {
    let Some(baseline) = baseline else { return fail_on.trips(unknown.severity) };
    waits(unknown).iter().any(|wait| fail_on.trips(wait.severity) && baseline.wait(wait).counts())
}

/// What is odd about a baseline.
pub(super) fn notice(earlier: &Report, audit: &Audit, as_of: Instant) -> Option<Notice> {
    let mut odd = Vec::new();
    if earlier.audit != audit.name {
        odd.push(format!("it is a report of {}", earlier.audit));
    }
    if earlier.as_of.at > as_of {
        odd.push(format!("it judges {}, which is later than this one", earlier.as_of.at.minute()));
    }
    if !earlier.left_out.is_empty() {
        odd.push("it left out rules or jobs, so what they would have said then is new now".to_owned());
    }
    (!odd.is_empty()).then(|| Notice { kind: NoticeKind::Baseline, message: format!("the baseline: {}", odd.join("; ")), location: None })
}
