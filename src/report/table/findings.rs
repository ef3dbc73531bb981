//! Findings: both numbers, where they come from, when it bites, what to do.

use super::{Page, Paint};
use crate::report::{JobReport, Report, ReportedFinding, waived_words, words};

/// Every finding of a job, loudest first.
pub(super) fn section(page: &mut Page, paint: Paint, report: &Report, job: &JobReport) {
    for finding in words::findings(report, job) {
        page.gap();
        one(page, paint, report, finding);
    }
}

fn one(page: &mut Page, paint: Paint, report: &Report, finding: &ReportedFinding) {
    let subject = words::subject(&finding.job, &finding.subject);
    let place = words::place(&finding.location);
    page.prose(&format!("  {} ", paint.severity(finding.severity)), "    ", &format!("{} · {subject} · {place}", finding.rule));
    for mark in waived_words::marks(finding.waiver_expired.as_ref(), finding.since_baseline) {
        page.prose("    ", "    ", &mark);
    }
    page.prose("    ", "    ", &finding.message);
    let facts: Vec<[String; 3]> = finding
        .facts
        .iter()
        .enumerate()
        .map(|(number, fact)| {
            let above = number.checked_sub(1).and_then(|above| finding.facts.get(above));
            let same = above.is_some_and(|above| above.origin == fact.origin && fact.origin.len() > "as above".len());
            let origin = if same { "as above" } else { &fact.origin };
            [fact.name.clone(), fact.amount.to_string(), format!("({origin})")]
        })
        .collect();
    page.terms(6, &facts);
    if let Some(bites) = words::bites(report, finding) {
        page.prose("    ", "    ", &bites);
    }
    for remedy in &finding.remedy {
        page.prose(&format!("    {} ", paint.bold("→")), "      ", &remedy.say);
        if let Some(paste) = &remedy.paste {
            page.paste(paste);
        }
    }
}
