//! What every format for people says of waivers, notices and the baseline.

use super::{BaselineSummary, JobReport, Notice, Report, Since, Totals, Waived, WaivedCounts, WaiverTerms, words};

/// What waivers cover of a job, loudest first.
pub(super) fn waived<'a>(report: &'a Report, job: &'a JobReport) -> impl Iterator<Item = &'a Waived> {
    report.waived.iter().filter(|waived| waived.job() == job.job)
}

/// What kind of thing is waived (empty for a finding), its rules, its subject without the job, and what it says.
pub(super) fn parts(waived: &Waived) -> Option<(&'static str, String, &str, &str)> {
    let (kind, rules, subject, text) = match (&waived.finding, &waived.unknown) {
        (Some(finding), _) => ("", finding.rule.clone(), &finding.subject, &finding.message),
        (None, Some(unknown)) => {
            let rules: Vec<&str> = std::iter::once(&unknown.rule).chain(&unknown.also).map(String::as_str).collect();
            (" unknown", rules.join(", "), &unknown.subject, &unknown.reason)
        }
        (None, None) => return None,
    };
    Some((kind, rules, words::subject(waived.job(), subject), text))
}

/// `sessions are rebuilt · owner data-platform · since 2026-07-01 · until 2026-12-31`.
pub(super) fn terms(waiver: &WaiverTerms) -> String {
    let since = waiver.created.as_ref().map_or_else(String::new, |created| format!(" · since {created}"));
    format!("{} · owner {}{since} · until {}", waiver.reason, waiver.owner, waiver.expires)
}

/// What stands beside a finding or an unknown: the waiver that has ended, and how it compares with the baseline.
pub(super) fn marks(expired: Option<&WaiverTerms>, since: Option<Since>) -> Vec<String> {
    let expired = expired.map(|waiver| format!("waiver expired: {}", terms(waiver)));
    let since = since.map(|since| format!("compared with the baseline: {}", since.word()));
    expired.into_iter().chain(since).collect()
}

/// `3 waived (1 error, 1 warning, 1 unknown; oldest: ttl-never, owner data-platform, since 2026-07-01, until 2026-12-31)`.
pub(super) fn summary(waived: &WaivedCounts) -> String {
    let mut parts = by_severity(waived.findings);
    if waived.unknown > 0 {
        parts.push(format!("{} unknown", waived.unknown));
    }
    let all = sum(waived.findings) + waived.unknown;
    let oldest = waived.oldest.as_ref().map_or_else(String::new, |oldest| {
        let since = oldest.waiver.created.as_ref().map_or_else(String::new, |created| format!(", since {created}"));
        format!("; oldest: {}, owner {}{since}, until {}", oldest.rule, oldest.waiver.owner, oldest.waiver.expires)
    });
    if parts.is_empty() { format!("{all} waived") } else { format!("{all} waived ({}{oldest})", parts.join(", ")) }
}

/// `baseline meridian-2026-q3 of 2026-09-15: 1 new, 0 worse, 3 known (2 errors, 1 note), 0 new unknown, 1 known unknown`.
pub(super) fn baseline(baseline: &BaselineSummary) -> String {
    let each = by_severity(baseline.known);
    let each = if each.is_empty() { String::new() } else { format!(" ({})", each.join(", ")) };
    format!(
        "baseline {} of {}: {} new, {} worse, {} known{each}, {} new unknown, {} known unknown",
        baseline.audit,
        baseline.as_of.day(),
        baseline.new,
        baseline.worse,
        sum(baseline.known),
        baseline.new_unknown,
        baseline.known_unknown
    )
}

/// Whether it is something that this rule says.
pub(super) fn names(waived: &Waived, rule: &str) -> bool {
    let finding = waived.finding.as_ref().is_some_and(|finding| finding.rule == rule);
    finding || waived.unknown.as_ref().is_some_and(|unknown| unknown.rule == rule || unknown.also.iter().any(|also| also == rule))
}

/// Everything that is waived, each on a line of its own.
pub(super) fn lines(report: &Report) -> Vec<String> {
    let line = |waived: &Waived| {
        let (kind, rules, subject, text) = parts(waived)?;
        let (job, severity, terms) = (waived.job(), waived.severity(), terms(&waived.waiver));
        Some(format!("{severity}{kind} · {rules} · {job} · {subject}: {text} Waived: {terms}"))
    };
    report.waived.iter().filter_map(line).collect()
}

/// Every notice in a sentence, with its place in the audit file.
pub(super) fn notices(report: &Report) -> Vec<String> {
    let place = |notice: &Notice| notice.location.as_ref().map_or_else(String::new, |at| format!(" ({})", words::place(at)));
    report.notices.iter().map(|notice| format!("{}{}", notice.message, place(notice))).collect()
}

const fn sum(totals: Totals) -> usize {
    totals.error + totals.warning + totals.note
}

fn by_severity(totals: Totals) -> Vec<String> {
    let counts = [(totals.error, "error"), (totals.warning, "warning"), (totals.note, "note")];
    counts.into_iter().filter(|(n, _)| *n > 0).map(|(n, word)| words::counted(n, word)).collect()
}
