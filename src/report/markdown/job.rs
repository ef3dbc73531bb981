//! One job of the client's report.

use super::escape::{block, code, inline, row};
use crate::{
    finding::thousands,
    report::{
        JobReport, OperatorReport, Report, ReportedFinding,
        dates::{self, Kind},
        outlook_words, replay_words, waived_words, words,
    },
};

/// Verdict, what it rests on, and what to do.
pub(super) fn section(text: &mut String, report: &Report, job: &JobReport) {
    text.push_str(&format!("### {} {} {}\n\n", words::symbol(job.verdict), inline(&job.job), inline(&words::sentence(report, job))));
    headline(text, report, job);
    states(text, job);
    replay(text, job);
    snapshots(text, job);
    calendar(text, report, job);
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
    if let Some(note) = words::life_note(job) {
        text.push_str(&format!("{}\n\n", inline(note)));
    }
}

/// What each way of coming back costs, for each snapshot that could be taken.
fn replay(text: &mut String, job: &JobReport) {
    if job.replay.is_empty() {
        return;
    }
    text.push_str(&row(&replay_words::HEAD));
    text.push_str("| --- | ---: | ---: | ---: | --- |\n");
    for replay in &job.replay {
        text.push_str(&row(&replay_words::cells(replay).each_ref().map(|cell| inline(cell)).each_ref().map(String::as_str)));
    }
    text.push_str(
        "\nRecords. Suppressed: read again and recognised, by state or by a sink that merges on a key. ≤: at most. ?: not known.\n\n",
    );
    let notes = replay_words::notes(job);
    text.extend(notes.iter().map(|note| format!("- {}\n", inline(note))));
    if !notes.is_empty() {
        text.push('\n');
    }
    for replay in job.replay.iter().filter(|replay| !replay.by_day.is_empty()) {
        text.push_str(&format!("**{}, by day** (UTC, record timestamps)\n\n", inline(&replay_words::name(replay))));
        text.push_str("| day | written twice | suppressed | lost |\n| --- | ---: | ---: | ---: |\n");
        for day in &replay.by_day {
            text.push_str(&row(&[&inline(&day.day), &thousands(day.twice), &thousands(day.suppressed), &thousands(day.lost)]));
        }
        text.push('\n');
    }
}

/// What happens when, one date a line.
fn calendar(text: &mut String, report: &Report, job: &JobReport) {
    let dates = dates::of_job(report, job);
    if dates.is_empty() {
        return;
    }
    text.push_str("**What happens when**\n\n");
    for date in dates {
        let (at, what) = (date.at.minute(), inline(&date.what));
        text.push_str(&match date.kind {
            Kind::Now => format!("- **{at} {what}**\n"),
            Kind::Bites(severity) => format!("- {at} {severity}: {what}\n"),
            Kind::Taken(_) | Kind::Change | Kind::WithoutLoss => format!("- {at} {what}\n"),
        });
    }
    text.push('\n');
}

fn state(text: &mut String, operator: &OperatorReport) {
    let name = code(&format!("{}/{}", operator.uid, operator.state));
    let required = operator.required_ttl.map_or_else(|| "–".to_owned(), |required| required.to_string());
    let symbol = words::symbol(operator.verdict);
    let ttl = inline(&words::life(operator));
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
    let places: Vec<_> = dates::places(job).collect();
    for (verdict, name, what) in &places {
        text.push_str(&format!("- {} {}: {}\n", words::symbol(*verdict), inline(name), inline(what)));
    }
    if !job.snapshots.is_empty() || !places.is_empty() {
        text.push('\n');
    }
}

fn finding(text: &mut String, report: &Report, finding: &ReportedFinding) {
    let subject = words::subject(&finding.job, &finding.subject);
    text.push_str(&format!("#### {} · {} · {}\n\n", finding.severity, inline(&finding.rule), inline(subject)));
    for mark in waived_words::marks(finding.waiver_expired.as_ref(), finding.since_baseline) {
        text.push_str(&format!("**{}**\n\n", inline(&mark)));
    }
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
