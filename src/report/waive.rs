//! Applies the waivers of an audit: what they cover is taken out of the gate, never out of the report.

use super::{FileLocation, Notice, NoticeKind, OldestWaiver, WaiverTerms};
use crate::{
    audit::Audit,
    finding::{Level, Scope},
    policy::Waiver,
    rules::{JudgedFinding, JudgedUnknown, RuleResults, Waiting},
    units::Instant,
    yaml::nearest,
};

/// The waivers of one audit, and what each was good for.
pub(super) struct Ledger<'a> {
    audit: &'a Audit,
    as_of: Instant,
    /// How many answers each waiver met.
    met: Vec<usize>,
}

/// An unknown for the rules that a waiver names, the rules that still wait for the same, and the waiver.
pub(super) type WaivedUnknown<'a> = (JudgedUnknown, Vec<&'static str>, &'a Waiver);

/// The answers about one job, by whether a waiver covers them.
pub(super) struct Sorted<'a> {
    /// What counts.
    pub(super) counts: RuleResults,
    /// What does not.
    pub(super) findings: Vec<(JudgedFinding, &'a Waiver)>,
    /// What does not, and which rules still wait for the same.
    pub(super) unknown: Vec<WaivedUnknown<'a>>,
}

impl<'a> Ledger<'a> {
    pub(super) fn of(audit: &'a Audit, as_of: Instant) -> Self {
        Self { audit, as_of, met: vec![0; audit.waivers.len()] }
    }

    /// Sorts the answers about one job.
    pub(super) fn sort(&mut self, job: &str, mut results: RuleResults) -> Sorted<'a> {
        let mut findings = Vec::new();
        let mut unknown = Vec::new();
        let mut kept = Vec::new();
        for judged in std::mem::take(&mut results.findings) {
            match self.covers(judged.rule.id, job, &judged.subject.scope) {
                Some((_, waiver)) => findings.push((judged, waiver)),
                None => kept.push(judged),
            }
        }
        results.findings = kept;
        let mut waiting = Vec::new();
        for judged in std::mem::take(&mut results.unknown) {
            let (rest, waived) = self.split(job, judged);
            unknown.extend(waived);
            waiting.extend(rest);
        }
        results.unknown = waiting;
        results.sort();
        Sorted { counts: results, findings, unknown }
    }

    /// An unknown stands for several rules and subjects: each is waived by itself, and what nobody waives goes on waiting.
    fn split(&mut self, job: &str, judged: JudgedUnknown) -> (Option<JudgedUnknown>, Vec<WaivedUnknown<'a>>) {
        let JudgedUnknown { unknown, waiting, .. } = judged;
        let mut by_waiver: Vec<(usize, &'a Waiver, Vec<Waiting>)> = Vec::new();
        let mut rest = Vec::new();
        for one in waiting {
            match self.covers(one.rule.id, job, &one.subject.scope) {
                None => rest.push(one),
                Some((number, waiver)) => match by_waiver.iter_mut().find(|(known, ..)| *known == number) {
                    Some((_, _, under)) => under.push(one),
                    None => by_waiver.push((number, waiver, vec![one])),
                },
            }
        }
        let mut left: Vec<&'static str> = rest.iter().map(|waiting| waiting.rule.id).collect();
        left.sort_unstable();
        left.dedup();
        let waived = by_waiver
            .into_iter()
            .filter_map(|(_, waiver, waiting)| JudgedUnknown::of(unknown.clone(), waiting).map(|judged| (judged, left.clone(), waiver)));
        (JudgedUnknown::of(unknown.clone(), rest), waived.collect())
    }

    /// Of the waivers that hold, the one that ends last. Every waiver that is meant for it has matched something.
    fn covers(&mut self, rule: &str, job: &str, scope: &Scope) -> Option<(usize, &'a Waiver)> {
        let audit = self.audit;
        let mut best: Option<(usize, &'a Waiver)> = None;
        for (number, (waiver, met)) in audit.waivers.iter().zip(&mut self.met).enumerate() {
            if !waiver.meets(rule, job, scope) {
                continue;
            }
            *met += 1;
            if waiver.holds(self.as_of) && best.is_none_or(|(_, best)| waiver.expires > best.expires) {
                best = Some((number, waiver));
            }
        }
        best
    }

    /// The waiver that covered this until it ended; the one that ended last. Only asked about what no waiver covers.
    pub(super) fn expired(&self, rule: &str, job: &str, scope: &Scope) -> Option<WaiverTerms> {
        let ended = self.audit.waivers.iter().filter(|waiver| waiver.meets(rule, job, scope) && !waiver.holds(self.as_of));
        ended.max_by_key(|waiver| waiver.expires).map(terms)
    }

    /// What there is to know about the waivers themselves. `ran` says whether a rule was run, `whole` whether every job was judged: where it
    /// was not, nobody knows whether a waiver would have matched.
    pub(super) fn notices(&self, ran: impl Fn(&str) -> bool, whole: bool) -> Vec<Notice> {
        let mut notices: Vec<Notice> = Vec::new();
        for (waiver, met) in self.audit.waivers.iter().zip(&self.met) {
            let notice = if *met == 0 {
                let off = self.audit.policy.severity.get(&waiver.rule) == Some(&Level::Off);
                let job_judged = waiver.job.as_ref().is_some_and(|job| self.has_job(job));
                let judged = whole || job_judged;
                (off || (ran(&waiver.rule) && judged)).then(|| (NoticeKind::WaiverUnmatched, self.unmatched(waiver, off)))
            } else if !waiver.holds(self.as_of) {
                Some((
                    NoticeKind::WaiverExpired,
                    format!("{} expired on {}: it covers nothing any more", words(waiver), waiver.expires.day()),
                ))
            } else if waiver.ends_soon(self.as_of) {
                Some((
                    NoticeKind::WaiverEndsSoon,
                    format!("{} ends on {}; on the day after, what it covers counts again", words(waiver), waiver.expires.day()),
                ))
            } else {
                None
            };
            if let Some((kind, message)) = notice {
                notices.push(Notice { kind, message, location: Some(self.location(waiver)) });
            }
        }
        notices.sort();
        notices
    }

    fn has_job(&self, job: &str) -> bool {
        self.audit.jobs.iter().any(|known| known.job.value == job)
    }

    fn unmatched(&self, waiver: &Waiver, off: bool) -> String {
        let jobs: Vec<&str> = self.audit.jobs.iter().map(|job| job.job.value.as_str()).collect();
        let why = match &waiver.job {
            _ if off => format!(": the policy switches {} off", waiver.rule),
            Some(job) if !self.has_job(job) => {
                let near = nearest(job, &jobs).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                format!(": no job is named `{job}`{near}")
            }
            _ => String::new(),
        };
        let ended = if waiver.holds(self.as_of) { String::new() } else { format!(", and expired on {}", waiver.expires.day()) };
        format!("{} matches nothing{ended}{why}", words(waiver))
    }

    fn location(&self, waiver: &Waiver) -> FileLocation {
        FileLocation { file: self.audit.file.clone(), line: waiver.position.line.max(1), column: waiver.position.column.max(1) }
    }
}

/// `the waiver of ttl-never for job a (owner team)`.
fn words(waiver: &Waiver) -> String {
    let location = waiver.location.as_ref().map(ToString::to_string);
    let narrowed = [
        ("job", &waiver.job),
        ("operator", &waiver.operator),
        ("state", &waiver.state),
        ("source", &waiver.source),
        ("location", &location),
    ];
    let narrowed: Vec<String> =
        narrowed.into_iter().filter_map(|(key, value)| value.as_ref().map(|value| format!("{key} {value}"))).collect();
    let narrowed = if narrowed.is_empty() { String::new() } else { format!(" for {}", narrowed.join(", ")) };
    format!("the waiver of {}{narrowed} (owner {})", waiver.rule, waiver.owner)
}

/// What a report says of a waiver.
pub(super) fn terms(waiver: &Waiver) -> WaiverTerms {
    WaiverTerms {
        reason: waiver.reason.clone(),
        owner: waiver.owner.clone(),
        created: waiver.created.map(Instant::day),
        expires: waiver.expires.day(),
    }
}

/// The one that was created first; where none says when, the one that ends first.
pub(super) fn oldest<'w>(used: impl Iterator<Item = &'w Waiver>) -> Option<OldestWaiver> {
    let oldest = used.min_by_key(|waiver| (waiver.created.is_none(), waiver.created, waiver.expires, &waiver.rule))?;
    Some(OldestWaiver { rule: oldest.rule.clone(), waiver: terms(oldest) })
}
