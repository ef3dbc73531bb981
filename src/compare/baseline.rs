//! An earlier report as the measure of a new one.

use std::collections::BTreeMap;

use crate::{
    analysis::{Covers, Earlier, EarlierState},
    finding::{Amount, Severity, ShownFact, fingerprint},
    report::{JobReport, Length, Report, ReportedFinding, ReportedUnknown, ReportedWait, Since},
    units::Ttl,
};

/// The fact of `ttl-lengthened` that says from when an extended TTL covers its window, if it was changed as early as it can have been.
pub const COVERS_EARLIEST: &str = "covers the window from, at the earliest";
/// The same, if it was changed as late as it can have been.
pub const COVERS_LATEST: &str = "covers the window from, at the latest";

/// What an earlier report found, by fingerprint.
///
/// What a waiver covered then is not in it: when the waiver ends, it is new. What was unknown then is only known as an unknown: a finding
/// in its place is new, and so is an unknown where there was a finding or a pass.
#[derive(Clone, Debug)]
pub struct Baseline {
    findings: BTreeMap<String, Severity>,
    waived: BTreeMap<String, Severity>,
    unknown: BTreeMap<String, Severity>,
}

impl Baseline {
    /// What `report` found.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        let by_fingerprint = |finding: &ReportedFinding| (finding.fingerprint.clone(), finding.severity);
        let findings = report.findings.iter().map(by_fingerprint).collect();
        let waived = report.waived.iter().filter_map(|waived| waived.finding.as_ref()).map(by_fingerprint).collect();
        let mut unknown: BTreeMap<String, Severity> = BTreeMap::new();
        for wait in report.unknown.iter().flat_map(waits) {
            let loudest = unknown.entry(wait.fingerprint).or_insert(wait.severity);
            *loudest = (*loudest).max(wait.severity);
        }
        Self { findings, waived, unknown }
    }

    /// How a finding compares.
    #[must_use]
    pub fn finding(&self, finding: &ReportedFinding) -> Since {
        Since::between(self.findings.get(&finding.fingerprint).copied(), finding.severity)
    }

    /// How a finding that a waiver covers compares with what was there then, waived or not.
    #[must_use]
    pub fn waived(&self, finding: &ReportedFinding) -> Since {
        let then = self.findings.get(&finding.fingerprint).or_else(|| self.waived.get(&finding.fingerprint));
        Since::between(then.copied(), finding.severity)
    }

    /// How one thing that a rule waits for compares.
    #[must_use]
    pub fn wait(&self, wait: &ReportedWait) -> Since {
        Since::between(self.unknown.get(&wait.fingerprint).copied(), wait.severity)
    }

    /// How an unknown compares: the worst of what waits for it.
    #[must_use]
    pub fn unknown(&self, unknown: &ReportedUnknown) -> Since {
        waits(unknown).iter().map(|wait| self.wait(wait)).min().unwrap_or(Since::New)
    }
}

/// Everything that waits for an unknown. A report that does not list it knows at least the rules and one subject.
#[must_use]
pub fn waits(unknown: &ReportedUnknown) -> Vec<ReportedWait> {
    if !unknown.waits.is_empty() {
        return unknown.waits.clone();
    }
    let own = unknown.subject.strip_prefix(&format!("{} ", unknown.job)).unwrap_or(&unknown.subject);
    std::iter::once(&unknown.rule)
        .chain(&unknown.also)
        .map(|rule| ReportedWait {
            rule: rule.clone(),
            severity: unknown.severity,
            subject: unknown.subject.clone(),
            fingerprint: fingerprint(rule, &unknown.job, own),
        })
        .collect()
}

/// What rules look at in an earlier report.
#[must_use]
pub fn earlier(report: &Report) -> Earlier {
    let jobs = report.jobs.iter().map(|job| {
        let states = job.operators.iter().map(|state| {
            let key = (state.uid.clone(), state.state.clone());
            (key, EarlierState { ttl: ttl_of(&state.ttl), covers: covers(report, job, &state.uid, &state.state) })
        });
        (job.job.clone(), states.collect())
    });
    Earlier { audit: report.audit.clone(), as_of: report.as_of.at, jobs: jobs.collect() }
}

/// A TTL as a report writes it. A word that this version does not know is not known.
#[must_use]
pub fn ttl_of(length: &Length) -> Ttl {
    match length {
        Length::Duration(length) => Ttl::After(*length),
        Length::Word(word) if word == "never" => Ttl::Never,
        Length::Word(_) => Ttl::Unknown,
    }
}

/// What that report says of an extension, waived or not.
fn covers(report: &Report, job: &JobReport, operator: &str, state: &str) -> Option<Covers> {
    let wanted = fingerprint("ttl-lengthened", &job.job, &format!("{operator}/{state} state"));
    let waived = report.waived.iter().filter_map(|waived| waived.finding.as_ref());
    let said = report.findings.iter().chain(waived).find(|finding| finding.fingerprint == wanted)?;
    let instant = |name: &str| {
        said.facts.iter().find(|fact| fact.name == name).and_then(|ShownFact { amount, .. }| match amount {
            Amount::Instant(at) => Some(*at),
            _ => None,
        })
    };
    Some(Covers { earliest: instant(COVERS_EARLIEST)?, latest: instant(COVERS_LATEST)? })
}
