//! What to deal with first: what is in the way of coming back today, before what will be, before what only a policy objects to.

use std::cmp::Reverse;

use super::{JobReport, Report, ReportedFinding, Verdict, words};
use crate::{finding::Severity, units::Instant};

/// Rules about what a restart needs and does not find, in the order in which the first screen names them.
const IN_THE_WAY: [&str; 11] = [
    "topic-missing",
    "snapshot-missing",
    "snapshot-incomplete",
    "snapshot-unreadable",
    "position-beyond-end",
    "snapshot-older-than-retention",
    "restore-skips-state",
    "ha-missing",
    "checkpoint-not-durable",
    "ttl-contradicted",
    "uid-not-in-snapshot",
];

/// How urgent a finding is; the smallest comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    /// A restart today runs into it; by the place in [`IN_THE_WAY`].
    InTheWay(usize),
    /// It holds today.
    Today,
    /// It holds from then on.
    From(Instant),
    /// Only the policy objects.
    Policy,
}

fn of_finding(report: &Report, finding: &ReportedFinding) -> Urgency {
    if !words::says_not_clean(finding) {
        return Urgency::Policy;
    }
    match (finding.bites_on, IN_THE_WAY.iter().position(|rule| *rule == finding.rule)) {
        (Some(on), _) if on > report.as_of.at => Urgency::From(on),
        (_, Some(place)) => Urgency::InTheWay(place),
        (_, None) => Urgency::Today,
    }
}

/// The findings of a job that trip the gate, what is most urgent first.
pub(super) fn tripping<'a>(report: &'a Report, job: &'a JobReport) -> Vec<&'a ReportedFinding> {
    let mut findings: Vec<_> = words::findings(report, job).filter(|finding| report.summary.fail_on.trips(finding.severity)).collect();
    findings.sort_by_key(|finding| (Reverse(finding.severity), of_finding(report, finding)));
    findings
}

/// Every job of a report, the most urgent first: those that cannot come back today, those that cannot from a day on, those that only miss the
/// policy, those that cannot be judged in full, those that pass.
pub(super) fn jobs(report: &Report) -> Vec<&JobReport> {
    let mut jobs: Vec<&JobReport> = report.jobs.iter().collect();
    jobs.sort_by_cached_key(|job| {
        let hard = words::findings(report, job).filter(|finding| finding.severity == Severity::Error);
        let urgency = hard.map(|finding| of_finding(report, finding)).min();
        let failed = (job.verdict == Verdict::Fail).then_some(urgency.unwrap_or(Urgency::Policy));
        (Reverse(job.verdict), failed)
    });
    jobs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_that_are_named_are_rules() {
        let known = crate::rules::ids();
        assert_eq!(IN_THE_WAY.iter().find(|id| !known.contains(*id)), None);
    }

    #[test]
    fn what_is_in_the_way_comes_before_what_holds_and_that_before_what_will() {
        let day = |text: &str| text.parse().expect("a day");
        let mut sorted = [
            Urgency::Policy,
            Urgency::From(day("2026-10-15")),
            Urgency::Today,
            Urgency::From(day("2026-09-20")),
            Urgency::InTheWay(2),
            Urgency::InTheWay(0),
        ];
        sorted.sort();
        assert_eq!(sorted[..3], [Urgency::InTheWay(0), Urgency::InTheWay(2), Urgency::Today]);
        assert_eq!(sorted[3..], [Urgency::From(day("2026-09-20")), Urgency::From(day("2026-10-15")), Urgency::Policy]);
    }
}
