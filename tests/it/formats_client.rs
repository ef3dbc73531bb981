//! What clients read: Markdown and HTML.

use std::collections::BTreeSet;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use regex::Regex;
use ttl_audit::report::{
    BestAlternative, DayReport, FileLocation, FirstChange, Notice, NoticeKind, PlaceReport, ReplayReport, Report, Since, Waived,
    WaiverTerms, to_html, to_markdown,
};

use crate::formats::{at, report};

/// Names that would be obeyed if they were not escaped.
const NAME: &str = "</h1><script>owned()</script><img src=x onerror=owned()> \"'`|&amp; [a](https://x.example)\u{202e}\u{1b}[31m";

fn name_again() -> String {
    NAME.to_owned()
}

/// A report in which every text is hostile.
pub(crate) fn hostile() -> Report {
    let mut report = report(2);
    report.audit = name_again();
    report.client = Some(name_again());
    report.evidence.source = name_again();
    report.assumptions.push(name_again());
    report.left_out.push(name_again());
    for job in &mut report.jobs {
        let name = format!("{NAME}{}", job.job);
        for finding in report.findings.iter_mut().filter(|finding| finding.job == job.job) {
            finding.job.clone_from(&name);
            finding.subject = format!("{name} {NAME}");
            finding.message = format!("{NAME}. {NAME}");
            finding.location.file = name_again();
            for fact in &mut finding.facts {
                (fact.name, fact.origin) = (name_again(), name_again());
            }
            for remedy in &mut finding.remedy {
                (remedy.say, remedy.paste) = (name_again(), Some(format!("{NAME}\n```\n</pre>{NAME}")));
            }
        }
        for unknown in report.unknown.iter_mut().filter(|unknown| unknown.job == job.job) {
            unknown.job.clone_from(&name);
            (unknown.reason, unknown.call, unknown.subject) = (name_again(), name_again(), name_again());
        }
        job.job = name;
        job.owner = Some(name_again());
        for operator in &mut job.operators {
            (operator.uid, operator.state, operator.role) = (name_again(), name_again(), name_again());
            for topic in &mut operator.topics {
                (topic.topic, topic.origin) = (name_again(), name_again());
            }
        }
        let change = || FirstChange { on: at("2026-10-15"), what: name_again(), rule: name_again(), certain: false };
        for snapshot in &mut job.snapshots {
            (snapshot.location, snapshot.kind) = (name_again(), name_again());
            (snapshot.first_change, snapshot.open) = (Some(change()), Some(name_again()));
            (snapshot.files_until, snapshot.records_until) = (Some(at("2026-10-20")), Some(at("2026-09-20")));
        }
        job.places.push(PlaceReport {
            location: name_again(),
            kind: name_again(),
            first_change: Some(change()),
            open: None,
            verdict: job.verdict,
        });
        let loss = &mut job.back_without_loss;
        (loss.state, loss.at, loss.because) = ("date".to_owned(), Some(at("2026-09-20")), name_again());
        loss.best_alternative =
            Some(BestAlternative { snapshot: name_again(), kind: name_again(), state: "no".to_owned(), at: None, because: name_again() });
        job.replay.push(ReplayReport {
            way: "snapshot".to_owned(),
            snapshot: Some(name_again()),
            records_twice: Some(1_333_000),
            records_lost: Some(43_000),
            records_suppressed: None,
            basis: name_again(),
            upper_bound: true,
            note: name_again(),
            by_day: vec![DayReport { day: name_again(), twice: 43_000, suppressed: 0, lost: 4 }],
        });
    }
    with_waivers(&mut report);
    report
}

/// A waiver that has ended, one that holds, and what there is to know: of hostile names too.
fn with_waivers(report: &mut Report) {
    let terms = WaiverTerms { reason: name_again(), owner: name_again(), created: None, expires: "2026-12-31".to_owned() };
    let location = FileLocation { file: name_again(), line: 17, column: 5 };
    for finding in &mut report.findings {
        (finding.waiver_expired, finding.since_baseline) = (Some(terms.clone()), Some(Since::New));
    }
    let waived = report.findings.first().cloned();
    report.waived.push(Waived { finding: waived, unknown: None, not_waived: Vec::new(), waiver: terms.clone() });
    report.waived.push(Waived { finding: None, unknown: report.unknown.first().cloned(), not_waived: Vec::new(), waiver: terms });
    report.notices.push(Notice { kind: NoticeKind::WaiverUnmatched, message: name_again(), location: Some(location) });
}

#[test]
fn markdown_has_every_part_of_a_clients_report() {
    let text = to_markdown(&[report(2)], false);
    let mut rest = text.as_str();
    for part in [
        "# Recovery audit meridian-2026-q3\n",
        "for Meridian Stream Intelligence LLC · as of 2026-09-15 00:00Z (pinned) · evidence of 2026-09-15 00:00Z, live",
        "## Summary\n",
        "**4 jobs: 1 does not pass, 1 cannot be judged in full, 2 pass.**",
        "| ✗ | `user-engagement` | cannot come back clean: 1 error, 1 warning | unknown | failover unknown ·",
        "| ? | `partner-feed` | cannot be judged in full: 1 unknown | unknown |",
        "denied: needs DESCRIBE_CONFIGS",
        "| ✓ | `healthy-000` | passes | unknown |",
        "## Jobs\n",
        "### ✗ user-engagement cannot come back clean\n",
        "| 7d | `正在-user-engagement-events.with.a.very-long_name` | 30d | 30d 23:59:57 | 37d 0:05 |",
        "#### error · ttl-below-retention · dedup-events/seen-event-ids state\n",
        "**bites on 2026-09-10, overdue: at any moment**",
        "| TTL | 7d | jobs/a.yaml:22 |",
        "→ Put the objects back. It takes a while.\n\n```\naws s3api copy-object",
        "`jobs/user-engagement.yaml:22:14` · `ttl-audit explain ttl-below-retention`",
        "## What could not be checked\n",
        "| ? counts for the gate | `partner-feed` |",
        "`retention-size-bound`, `retention-not-holding`, `ttl-below-retention` |",
        "## Assumptions\n",
        "- log.retention.check.interval.ms is 5m",
        "## Left out\n",
        "- rule ttl-never: off in the policy",
        "## Method\n",
        "| evidence digest | `sha256:0` |",
        "## For the log\n",
        "2026-09-15 · Meridian Stream Intelligence LLC · meridian-2026-q3 · 4 jobs · 1 fail, 1 unknown, 2 pass · 1 error, 1 warning, 1 unknown, 0 waived, exit 3",
    ] {
        let (_, after) = rest.split_once(part).unwrap_or_else(|| panic!("{part} is not there, or not here:\n{text}"));
        rest = after;
    }
    // A job that passes has its line, and its part only where everything is asked for.
    assert!(!text.contains("### ✓ healthy-000") && to_markdown(&[report(2)], true).contains("### ✓ healthy-000"));
}

#[test]
fn markdown_says_so_if_nothing_is_unknown() {
    let mut whole = report(0);
    whole.unknown.clear();
    assert!(to_markdown(&[whole], false).contains("Nothing: every check that applies had its facts."));
}

#[test]
fn markdown_obeys_no_name() {
    let text = to_markdown(&[hostile()], true);
    assert!(!text.contains(['\u{202e}', '\u{1b}']));
    let (mut blocks, mut headings, mut cells, mut words) = (0, 0, 0, String::new());
    let mut columns = 0;
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => blocks += 1,
            Event::Start(Tag::Heading { .. }) => headings += 1,
            Event::Start(Tag::Table(alignments)) => columns = alignments.len(),
            Event::Start(Tag::TableHead | Tag::TableRow) => cells = 0,
            Event::Start(Tag::TableCell) => cells += 1,
            Event::End(TagEnd::TableHead | TagEnd::TableRow) => assert_eq!(cells, columns),
            Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::HtmlBlock | Tag::Strikethrough | Tag::Emphasis)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_) => panic!("{event:?} in:\n{text}"),
            Event::Text(part) | Event::Code(part) => words.push_str(&part),
            _ => {}
        }
    }
    // Two findings with two remedies each, and the line for the log.
    assert_eq!(blocks, 5, "{text}");
    // The title, nine parts, four jobs and two findings.
    assert_eq!(headings, 1 + 9 + 4 + 2, "{text}");
    // What was escaped is shown as it is: in prose, as code and in what will be copied.
    let shown = NAME.replace(['\u{202e}', '\u{1b}'], "\u{fffd}");
    assert!(words.matches(&shown).count() > 40, "{words}");
}

/// What the group of `pattern` matches, in order.
fn found(page: &str, pattern: &str) -> Vec<String> {
    let pattern = Regex::new(pattern).expect("a pattern");
    pattern.captures_iter(page).filter_map(|found| Some(found.get(1)?.as_str().to_owned())).collect()
}

#[test]
fn html_is_one_file_that_fetches_and_runs_nothing() {
    for page in [to_html(&[report(3)], false), to_html(&[report(3), report(0)], true), to_html(&[hostile()], true)] {
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
        assert!(page.contains("default-src 'none'; style-src 'unsafe-inline'"));
        // Text of any name is escaped, so a tag is one of ours, and none of ours fetches or runs.
        let known = "a article b body br circle code dd div dl dt h1 h2 h3 h4 head header html li line main meta ol p pre rect section small \
                     span style svg table tbody td text th thead time title tr ul";
        let mut foreign = found(&page, "<([a-z0-9]+)");
        foreign.retain(|tag| !known.split_whitespace().any(|known| known == tag));
        assert!(foreign.is_empty(), "{foreign:?}");
        let fetched = found(&page, r"(<[^>]*\b(?:src|on[a-z]+|xlink:href)=|@import|url\()");
        assert!(fetched.is_empty(), "{fetched:?}");
        // Links lead to parts of the page that are there, each once.
        let (links, ids) = (found(&page, "href=\"([^\"]*)\""), found(&page, " id=\"([^\"]*)\""));
        assert!(!links.is_empty());
        let lost: Vec<&String> =
            links.iter().filter(|link| !link.strip_prefix('#').is_some_and(|id| ids.iter().any(|known| known == id))).collect();
        assert!(lost.is_empty(), "{lost:?} {ids:?}");
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    }
}

#[test]
fn html_escapes_every_name() {
    let page = to_html(&[hostile()], true);
    for obeyed in ["<script", "<img", "onerror=owned()>", "\u{202e}", "\u{1b}"] {
        assert!(!page.contains(obeyed), "{obeyed}");
    }
    assert!(page.contains("&lt;script&gt;owned()&lt;/script&gt;"));
}

#[test]
fn html_says_verdict_and_what_to_do_before_anything_else() {
    let page = to_html(&[report(200)], false);
    let mut rest = page.as_str();
    for part in [
        "<h1>meridian-2026-q3</h1>",
        "<b>1</b> does not pass",
        "<b>1</b> cannot be judged in full",
        "<b>200</b> pass",
        "cannot come back clean",
        "→ Put the objects back.",
        "healthy-117",
        // The first job in full.
        "<section class=\"job\"",
        "<rect class=\"ttl\"",
        "<rect class=\"beyond\"",
        "37d 0:05",
        "What could not be checked",
        "Assumptions",
        "Method",
    ] {
        let (_, after) = rest.split_once(part).unwrap_or_else(|| panic!("{part} is not there, or not here"));
        rest = after;
    }
    assert_eq!(page.matches("<section class=\"job\"").count(), 2, "jobs that pass take one line");
    assert_eq!(page.matches("healthy-117").count(), 1);
}

#[test]
fn html_draws_lengths_in_proportion() {
    let page = to_html(&[report(0)], false);
    // 7d of 37d 0:05, and the rest of the worst case beyond it.
    assert!(page.contains(r#"<rect class="ttl" x="0" y="3" width="18.91%""#));
    assert!(page.contains(r#"<rect class="beyond" x="18.91%" y="3" width="81.08%""#));
    // What has no end is drawn longer than anything that has one.
    let mut endless = report(0);
    for operator in endless.jobs.iter_mut().flat_map(|job| &mut job.operators) {
        for topic in &mut operator.topics {
            topic.worst_case = ttl_audit::report::Length::Word("unlimited".to_owned());
            topic.observed = ttl_audit::report::Length::Word("unknown".to_owned());
        }
    }
    let page = to_html(&[endless], false);
    assert!(page.contains(r#"aria-label="worst case: unlimited""#) && page.contains(r#"<rect class="nothing""#));
    assert!(page.contains(r#"<rect class="beyond" x="18.66%" y="3" width="61.33%""#), "the floor of 30d ends at four fifths");
}

/// A job with a snapshot, its dates and what each way of coming back costs.
fn with_dates() -> Report {
    let mut report = report(0);
    let job = report.jobs.first_mut().expect("a job");
    for snapshot in &mut job.snapshots {
        snapshot.location = String::from("s3://b/sp/savepoint-1/");
        snapshot.first_change =
            Some(FirstChange { on: at("2026-10-01"), what: "moved to GLACIER".to_owned(), rule: "rule old".to_owned(), certain: true });
        (snapshot.files_until, snapshot.records_until) = (Some(at("2026-10-10")), Some(at("2026-09-13")));
    }
    let replay = |way: &str, snapshot: Option<&str>, twice: Option<u64>, upper_bound: bool| ReplayReport {
        way: way.to_owned(),
        snapshot: snapshot.map(str::to_owned),
        records_twice: twice,
        records_lost: Some(43_000),
        records_suppressed: Some(0),
        basis: "measured".to_owned(),
        upper_bound,
        note: "at most".to_owned(),
        by_day: vec![DayReport { day: "2026-09-14".to_owned(), twice: 43_000, suppressed: 7, lost: 4 }],
    };
    job.replay.push(replay("offset-reset", Some("s3://b/sp/savepoint-1/"), Some(1_333_000), true));
    job.replay.push(replay("state-loss", None, None, false));
    report
}

#[test]
fn markdown_tells_what_each_way_costs_by_day_and_what_happens_when() {
    let text = to_markdown(&[with_dates()], false);
    let mut rest = text.as_str();
    for part in [
        "| coming back by | written twice | lost | suppressed | basis |\n",
        "| offset reset, savepoint-1 | ≤1,333,000 | 43,000 | 0 | measured |\n",
        "| state loss | ? | 43,000 | 0 | measured |\n",
        "- offset reset, state loss: at most\n",
        "**offset reset, savepoint-1, by day** (UTC, record timestamps)\n",
        "| 2026-09-14 | 43,000 | 7 | 4 |\n",
        "**What happens when**\n\n",
        "- 2026-08-14 00:00Z savepoint savepoint-1 taken, the one that a restart takes\n",
        "- 2026-09-10 00:00Z error: ttl-below-retention: dedup-events/seen-event-ids state\n",
        "- 2026-09-13 00:00Z savepoint savepoint-1: its first unread record may leave the topic\n",
        "- **2026-09-15 00:00Z the instant that is judged**\n",
        "- 2026-10-01 00:00Z savepoint savepoint-1: moved to GLACIER, rule old\n",
        "- 2026-10-10 00:00Z savepoint savepoint-1: its files may go\n",
    ] {
        let (_, after) = rest.split_once(part).unwrap_or_else(|| panic!("{part} is not there, or not here:\n{text}"));
        rest = after;
    }
}

#[test]
fn html_draws_a_line_of_time_for_each_snapshot() {
    let page = to_html(&[with_dates()], false);
    let line = "T taken 2026-08-14 · N now 2026-09-15 · C first change by a rule 2026-10-01 · R its files may go 2026-10-10 · O its first unread \
                record may leave the topic 2026-09-13";
    assert!(page.contains(&format!("<p class=\"owner\">{line}</p>")), "{page}");
    let drawing = page.split_once(&format!("aria-label=\"{line}\"")).and_then(|(_, rest)| rest.split_once("</p>")).expect("the line").0;
    // 57 days with a margin of a tenth on both sides: the band ends where the first of files and record goes, after 30 days.
    assert!(drawing.contains(r#"<rect class="usable" x="8.33%" y="12" width="43.85%""#), "{drawing}");
    let letters = found(drawing, r#"y="4">([A-Z])</text>"#);
    assert_eq!(letters, ["T", "O", "N", "C", "R"], "in the order of their days");
    assert!(page.contains(r#"<td data-head="written twice">≤1,333,000</td>"#), "{page}");
}
