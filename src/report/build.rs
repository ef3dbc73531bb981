//! From manifests, evidence and an instant to a report.

use std::{cmp::Reverse, collections::BTreeSet};

use super::{
    AsOfInfo, EvidenceInfo, REPORT_VERSION, Report, ReportedFinding, ReportedUnknown, Summary, Totals, Verdict, VerdictCounts, Waived,
    WaivedCounts,
    job::{self, JudgedJob},
    since,
    waive::{self, Ledger},
};
use crate::{
    analysis::JobAnalysis,
    audit::Audit,
    compare,
    evidence::{Evidence, Tool},
    exit::ExitCode,
    finding::{Level, Scope, Severity},
    manifest::AsOf,
    policy::{self, Counts, Waiver},
    rules::{self, JobContext, Rule},
};

/// What of an audit is judged, and how its gate counts.
#[derive(Clone)]
pub struct Options<'a> {
    /// The rules that are run, in the registry's order.
    pub rules: &'a [&'static dyn Rule],
    /// Whether unknowns leave the exit code alone.
    pub allow_incomplete: bool,
    /// Whether what each way of coming back costs is also told by day.
    pub by_day: bool,
    /// What the caller left out, for the report's list: `rule ttl-never: --skip-rule`.
    pub left_out: Vec<String>,
    /// Whether jobs of the audit were left out: then nobody knows whether a waiver matches something of theirs.
    pub jobs_left_out: bool,
    /// An earlier report: the gate then looks at what is new or worse only.
    pub baseline: Option<&'a Report>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { rules: rules::all(), allow_incomplete: false, by_day: false, left_out: Vec::new(), jobs_left_out: false, baseline: None }
    }
}

/// Judges an audit by every rule. `source` says where the evidence came from: `live`, or the file.
#[must_use]
pub fn build(audit: &Audit, evidence: &Evidence, as_of: AsOf, source: &str) -> Report {
    build_with(audit, evidence, as_of, source, &Options::default())
}

/// Judges an audit.
#[must_use]
pub fn build_with(audit: &Audit, evidence: &Evidence, as_of: AsOf, source: &str, options: &Options<'_>) -> Report {
    let earlier = options.baseline.map(compare::earlier);
    let mut ledger = Ledger::of(audit, as_of.at);
    let mut used: Vec<&Waiver> = Vec::new();
    let mut judged: Vec<JudgedJob> = audit
        .jobs
        .iter()
        .map(|job| {
            let analysis = JobAnalysis::of(audit, job, evidence, as_of);
            let results =
                rules::run(options.rules, &JobContext { audit, job, evidence, as_of, analysis: &analysis, earlier: earlier.as_ref() });
            let sorted = ledger.sort(&job.job.value, results);
            used.extend(sorted.findings.iter().map(|(_, waiver)| *waiver).chain(sorted.unknown.iter().map(|(_, _, waiver)| *waiver)));
            let expired = |rule: &str, scope: &Scope| ledger.expired(rule, &job.job.value, scope);
            job::judged(job, &analysis, sorted, audit.policy.fail_on, options.by_day, &expired)
        })
        .collect();
    judged.sort_by(|a, b| Reverse(a.report.verdict).cmp(&Reverse(b.report.verdict)).then_with(|| a.report.job.cmp(&b.report.job)));

    let mut jobs = Vec::with_capacity(judged.len());
    let mut findings = Vec::new();
    let mut unknown = Vec::new();
    let mut waived = Vec::new();
    let mut assumptions = BTreeSet::new();
    for job in judged {
        jobs.push(job.report);
        findings.extend(job.findings);
        unknown.extend(job.unknown);
        waived.extend(job.waived);
        assumptions.extend(job.assumptions);
    }
    assumptions.extend(held_earlier(evidence, as_of));
    sort_findings(&mut findings);
    sort_unknown(&mut unknown);
    sort_waived(&mut waived);
    let measure = options.baseline.map(|earlier| (earlier, compare::Baseline::of(earlier)));
    let baseline = measure.as_ref().map(|(earlier, measure)| since::mark(earlier, measure, &mut findings, &mut unknown, &mut waived));
    let measure = measure.as_ref().map(|(_, measure)| measure);

    let fail_on = audit.policy.fail_on;
    let counts = Counts {
        tripping: findings.iter().filter(|finding| since::trips(fail_on, finding)).count(),
        incomplete: unknown.iter().filter(|unknown| since::leaves_incomplete(fail_on, measure, unknown)).count(),
    };
    let ran = |id: &str| options.rules.iter().any(|rule| rule.meta().id == id);
    let mut notices = ledger.notices(ran, !options.jobs_left_out);
    notices.extend(options.baseline.and_then(|earlier| since::notice(earlier, audit, as_of.at)));
    let summary = Summary {
        jobs: verdicts(jobs.iter().map(|job| job.verdict)),
        findings: totals(findings.iter().map(|finding| finding.severity)),
        unknown: unknown.len(),
        incomplete: counts.incomplete > 0,
        waived: WaivedCounts {
            findings: totals(waived.iter().filter_map(|waived| waived.finding.as_ref()).map(|finding| finding.severity)),
            unknown: waived.iter().filter(|waived| waived.unknown.is_some()).count(),
            oldest: waive::oldest(used.into_iter()),
        },
        baseline,
        fail_on,
        exit_code: policy::exit_code(counts, options.allow_incomplete).number(),
    };
    Report {
        schema_version: REPORT_VERSION,
        tool: Tool::this(),
        audit: audit.name.clone(),
        client: audit.client.clone(),
        as_of: AsOfInfo { at: as_of.at, pinned: as_of.pinned },
        evidence: EvidenceInfo { captured_at: evidence.captured_at, digest: evidence.digest.clone(), source: source.to_owned() },
        summary,
        jobs,
        findings,
        unknown,
        waived,
        notices,
        assumptions: assumptions.into_iter().collect(),
        not_needed: Vec::new(),
        left_out: left_out(audit, options),
    }
}

/// Evidence from after the instant that is judged says nothing of that instant, unless nothing moved in between.
fn held_earlier(evidence: &Evidence, as_of: AsOf) -> Option<String> {
    let captured_at = evidence.captured_at;
    (captured_at > as_of.at).then(|| {
        format!(
            "what was seen at {} held {} before that, at {}, the instant that is judged: snapshots that were taken in between count as if they had \
             been there, and what has gone in between was not seen",
            captured_at.minute(),
            captured_at.since(as_of.at),
            as_of.at.minute()
        )
    })
}

/// The exit code of a report.
#[must_use]
pub const fn exit_code(report: &Report) -> ExitCode {
    match report.summary.exit_code {
        0 => ExitCode::Clean,
        1 => ExitCode::Tripped,
        3 => ExitCode::Incomplete,
        _ => ExitCode::Usage,
    }
}

/// Loudest first, then by job, subject and rule. The subject begins with the job.
fn sort_findings(findings: &mut [ReportedFinding]) {
    findings.sort_by(|a, b| {
        Reverse(a.severity).cmp(&Reverse(b.severity)).then_with(|| (&a.job, &a.subject, &a.rule).cmp(&(&b.job, &b.subject, &b.rule)))
    });
}

fn sort_unknown(unknown: &mut [ReportedUnknown]) {
    unknown.sort_by(|a, b| {
        Reverse(a.severity)
            .cmp(&Reverse(b.severity))
            .then_with(|| (&a.job, &a.subject, &a.rule, &a.reason, &a.call).cmp(&(&b.job, &b.subject, &b.rule, &b.reason, &b.call)))
    });
}

fn sort_waived(waived: &mut [Waived]) {
    let key = |waived: &Waived| match (&waived.finding, &waived.unknown) {
        (Some(finding), _) => (finding.job.clone(), finding.subject.clone(), finding.rule.clone(), String::new()),
        (None, Some(unknown)) => (unknown.job.clone(), unknown.subject.clone(), unknown.rule.clone(), unknown.reason.clone()),
        (None, None) => Default::default(),
    };
    waived.sort_by(|a, b| b.severity().cmp(&a.severity()).then_with(|| key(a).cmp(&key(b))));
}

fn verdicts(verdicts: impl Iterator<Item = Verdict>) -> VerdictCounts {
    let mut counts = VerdictCounts::default();
    for verdict in verdicts {
        match verdict {
            Verdict::Pass => counts.pass += 1,
            Verdict::Unknown => counts.unknown += 1,
            Verdict::Fail => counts.fail += 1,
        }
    }
    counts
}

/// Findings by severity.
pub(super) fn totals(severities: impl Iterator<Item = Severity>) -> Totals {
    let mut totals = Totals::default();
    for severity in severities {
        match severity {
            Severity::Error => totals.error += 1,
            Severity::Warning => totals.warning += 1,
            Severity::Note => totals.note += 1,
        }
    }
    totals
}

/// What the policy and the caller left out.
fn left_out(audit: &Audit, options: &Options<'_>) -> Vec<String> {
    let off = options
        .rules
        .iter()
        .map(|rule| rule.meta().id)
        .filter(|id| audit.policy.severity.get(*id) == Some(&Level::Off))
        .map(|id| format!("rule {id}: off in the policy"));
    options.left_out.iter().cloned().chain(off).collect()
}
