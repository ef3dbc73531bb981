//! One job of the client's report.

use super::escape::{block, code, inline, row};
use crate::report::{JobReport, OperatorReport, Report, ReportedFinding, outlook_words, words};

/// Verdict, what it rests on, and what to do.
pub(super) fn section(text: &mut String, report: &Report, job: &JobReport) {
    text.push_str(&format!("### {} {} {}\n\n", words::symbol(job.verdict), inline(&job.job), inline(&words::sentence(report, job))));
    headline(text, report, job);
    states(text, job);
    snapshots(text, job);
    for finding in words::findings(report, job) {
        self::finding(text, report, finding);
    }
}

/// Until when the job can come back without loss, and what each way of coming back writes twice.
fn headline(text: &mut String, report: &Report, job: &JobReport) {
    text.push_str(&format!("- **without loss:** {}\n", inline(&outlook_words::loss(report, job))));
    if let Some(alternative) = outlook_words::alternative(report, job) {
        text.push_str(&format!("- **best alternative:** {}\n", inline(&alternative)));
    }
    text.push_str(&format!("- **without duplicates:** {}\n\n", inline(&outlook_words::duplicates(job))));
}

fn states(text: &mut String, job: &JobReport) {
    if job.operators.is_empty() {
        text.push_str("It declares no state: it was judged for the rest only.\n\n");
        return;
    }
    text.push_str("| | state | TTL | reads | floor | observed | worst case | required TTL |\n");
    text.push_str("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for operator in &job.operators {
        state(text, operator);
    }
    text.push_str(
        "\nFloor: what a consumer may rely on finding. Worst case: the oldest record that a restart from earliest can receive. Observed: \
         the age of the first readable record at the capture.\n\n",
    );
}

fn state(text: &mut String, operator: &OperatorReport) {
    let name = code(&format!("{}/{}", operator.uid, operator.state));
    let required = operator.required_ttl.map_or_else(|| "–".to_owned(), |required| required.to_string());
    let symbol = words::symbol(operator.verdict);
    let ttl = inline(&operator.ttl.to_string());
    if operator.topics.is_empty() {
        text.push_str(&row(&[symbol, &name, &ttl, "nothing", "–", "–", "–", &required]));
    }
    for (number, topic) in operator.topics.iter().enumerate() {
        let lengths = [&topic.floor, &topic.observed, &topic.worst_case].map(|length| inline(&length.to_string()));
        let [floor, observed, worst] = &lengths;
        let reads = code(&topic.topic);
        // Only the first row of a state names it.
        let [symbol, name, ttl, required] = if number == 0 { [symbol, &name, &ttl, &required] } else { ["", "", "", ""] };
        text.push_str(&row(&[symbol, name, ttl, &reads, floor, observed, worst, required]));
    }
}

fn snapshots(text: &mut String, job: &JobReport) {
    for snapshot in &job.snapshots {
        text.push_str(&format!(
            "- {} {} {}: {}\n",
            words::symbol(snapshot.verdict),
            inline(&snapshot.kind),
            code(&snapshot.location),
            inline(&words::snapshot(snapshot).join(" · "))
        ));
    }
    if !job.snapshots.is_empty() {
        text.push('\n');
    }
}

fn finding(text: &mut String, report: &Report, finding: &ReportedFinding) {
    let subject = words::subject(&finding.job, &finding.subject);
    text.push_str(&format!("#### {} · {} · {}\n\n", finding.severity, inline(&finding.rule), inline(subject)));
    text.push_str(&format!("{}\n\n", inline(&finding.message)));
    if let Some(bites) = words::bites(report, finding) {
        text.push_str(&format!("**{}**\n\n", inline(&bites)));
    }
    if !finding.facts.is_empty() {
        text.push_str("| fact | value | origin |\n| --- | --- | --- |\n");
        for fact in &finding.facts {
            text.push_str(&row(&[&inline(&fact.name), &inline(&fact.amount.to_string()), &inline(&fact.origin)]));
        }
        text.push('\n');
    }
    if !finding.remedy.is_empty() {
        text.push_str("**What to do**\n\n");
    }
    for remedy in &finding.remedy {
        text.push_str(&format!("→ {}\n\n", inline(&remedy.say)));
        if let Some(paste) = &remedy.paste {
            text.push_str(&format!("{}\n", block(paste)));
        }
    }
    text.push_str(&format!("{} · `ttl-audit explain {}`\n\n", code(&words::place(&finding.location)), finding.rule));
}
