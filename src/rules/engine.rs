//! Runs rules over a job and keeps every answer.

use std::collections::BTreeMap;

use super::{JobContext, Judged, Rule, RuleMeta, Verdict};
use crate::{
    evidence::Unknown,
    finding::{Finding, Level, Severity, Subject},
    policy::Policy,
};

/// Collects the answers of one rule for one job.
#[derive(Debug)]
pub struct Outcomes {
    answers: Vec<(Subject, Severity, Judged)>,
    highest: Severity,
}

impl Outcomes {
    /// Judges one subject. An error in `judge` is recorded as unknown, with the rule's highest severity.
    pub fn judge(&mut self, subject: Subject, judge: impl FnOnce() -> Judged) {
        self.judge_as(subject, self.highest, judge);
    }

    /// Judges one subject whose unknown could be at most of this severity: a cache's TTL is never more than a note.
    pub fn judge_as(&mut self, subject: Subject, highest: Severity, judge: impl FnOnce() -> Judged) {
        let judged = judge();
        self.answers.push((subject, highest, judged));
    }
}

/// A finding with its rule and subject, after the policy's word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedFinding {
    /// The rule.
    pub rule: &'static RuleMeta,
    /// What it is about.
    pub subject: Subject,
    /// What it says; the severity is the policy's if that names the rule.
    pub finding: Finding,
}

/// A rule that waits for a fact about one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The loudest severity that could apply.
    pub severity: Severity,
    /// The rule.
    pub rule: &'static RuleMeta,
    /// What it would judge.
    pub subject: Subject,
}

/// An unknown with every rule that waits for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedUnknown {
    /// The rule whose unknown is the loudest.
    pub rule: &'static RuleMeta,
    /// The other rules that wait for the same.
    pub also: Vec<&'static RuleMeta>,
    /// The loudest severity that could apply.
    pub severity: Severity,
    /// The first subject of that rule.
    pub subject: Subject,
    /// Every subject that waits, of whichever rule; sorted, each once.
    pub subjects: Vec<Subject>,
    /// Every rule with every subject for which it waits, loudest first.
    pub waiting: Vec<Waiting>,
    /// Why, and what would answer.
    pub unknown: Unknown,
}

impl JudgedUnknown {
    /// One entry for one cause. It speaks for the loudest rule; where several are as loud, for the first of `waiting`. `None`: nobody waits.
    #[must_use]
    pub fn of(unknown: Unknown, mut waiting: Vec<Waiting>) -> Option<Self> {
        waiting.sort_by_key(|waiting| std::cmp::Reverse(waiting.severity));
        let first = waiting.first()?.clone();
        let mut subjects: Vec<Subject> = waiting.iter().map(|waiting| waiting.subject.clone()).collect();
        subjects.sort();
        subjects.dedup();
        let mut also: Vec<&'static RuleMeta> = Vec::new();
        for other in waiting.iter().map(|waiting| waiting.rule) {
            if other.id != first.rule.id && !also.iter().any(|known| known.id == other.id) {
                also.push(other);
            }
        }
        also.sort_by_key(|meta| meta.id);
        Some(Self { rule: first.rule, also, severity: first.severity, subject: first.subject, subjects, waiting, unknown })
    }
}

/// All answers for one job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleResults {
    /// Loudest first, then by subject and rule.
    pub findings: Vec<JudgedFinding>,
    /// One for each cause, loudest first.
    pub unknown: Vec<JudgedUnknown>,
    /// Rules with the subjects that they looked at and had nothing to say about.
    pub passed: Vec<(&'static RuleMeta, Subject)>,
    /// The rules that had at least one subject to judge, whatever the answer; in the order in which they were run.
    pub judged: Vec<&'static RuleMeta>,
}

impl RuleResults {
    /// Puts findings and unknowns in their order.
    pub(crate) fn sort(&mut self) {
        self.findings.sort_by(|a, b| {
            b.finding.severity.cmp(&a.finding.severity).then_with(|| a.subject.cmp(&b.subject)).then_with(|| a.rule.id.cmp(b.rule.id))
        });
        self.unknown
            .sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.subject.cmp(&b.subject)).then_with(|| a.unknown.cmp(&b.unknown)));
    }
}

/// Runs `rules` over one job. A rule that the policy switches off is not run.
#[must_use]
pub fn run(rules: &[&'static dyn Rule], job: &JobContext<'_>) -> RuleResults {
    let mut results = RuleResults::default();
    let mut causes: BTreeMap<Unknown, Vec<Waiting>> = BTreeMap::new();
    for rule in rules {
        let meta = rule.meta();
        let stated = stated_level(&job.audit.policy, meta);
        if stated == Some(Level::Off) {
            continue;
        }
        let stated = stated.and_then(Level::severity);
        let mut outcomes = Outcomes { answers: Vec::new(), highest: meta.severity };
        rule.check(job, &mut outcomes);
        if outcomes.answers.iter().any(|(_, _, judged)| !matches!(judged, Ok(Verdict::NotApplicable))) {
            results.judged.push(meta);
        }
        for (subject, highest, judged) in outcomes.answers {
            match judged {
                Ok(Verdict::Pass) => results.passed.push((meta, subject)),
                Ok(Verdict::NotApplicable) => {}
                Ok(Verdict::Finding(mut finding)) => {
                    finding.severity = stated.unwrap_or(finding.severity);
                    results.findings.push(JudgedFinding { rule: meta, subject, finding: *finding });
                }
                Err(unknown) => {
                    causes.entry(unknown).or_default().push(Waiting { severity: stated.unwrap_or(highest), rule: meta, subject });
                }
            }
        }
    }
    results.unknown = causes.into_iter().filter_map(|(unknown, waiting)| JudgedUnknown::of(unknown, waiting)).collect();
    results.sort();
    results
}

/// What the policy says of this rule, if it says anything.
fn stated_level(policy: &Policy, meta: &RuleMeta) -> Option<Level> {
    policy.severity.get(meta.id).copied()
}
