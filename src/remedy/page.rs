//! The ways out of a report, by job and by what they are pasted into.

use serde::Serialize;
use textwrap::{Options, WordSeparator, WordSplitter};

use crate::{
    finding::{PasteInto, Severity},
    report::{FileLocation, Report, clean},
};

/// What there is to do for one job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JobRemedies {
    /// The audit.
    pub audit: String,
    /// The job.
    pub job: String,
    /// How many things could not be judged: what cannot be judged has no remedy here.
    pub unknown: usize,
    /// Settings first, then commands, then code, then what is only said; each once, in the order of the findings.
    pub remedies: Vec<NamedRemedy>,
}

/// One way out, and the findings that name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedRemedy {
    /// What it is pasted into; `null`: there is nothing to paste.
    pub into: Option<PasteInto>,
    /// What it does, and what to know about it.
    pub say: String,
    /// What to paste.
    pub paste: Option<String>,
    /// The findings that name it.
    pub findings: Vec<Reason>,
}

/// A finding that names a way out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The rule.
    pub rule: String,
    /// How loud.
    pub severity: Severity,
    /// What it is about, without the job.
    pub subject: String,
    /// Where in the manifest.
    pub location: FileLocation,
}

/// What to do for every job of these reports that something was found about, or that could not be judged in full.
#[must_use]
pub fn remedies<'a>(reports: impl IntoIterator<Item = &'a Report>) -> Vec<JobRemedies> {
    let jobs = reports.into_iter().flat_map(|report| report.jobs.iter().map(move |job| of_job(report, &job.job)));
    jobs.filter(|job| !job.remedies.is_empty() || job.unknown > 0).collect()
}

fn of_job(report: &Report, job: &str) -> JobRemedies {
    let mut remedies: Vec<NamedRemedy> = Vec::new();
    for finding in report.findings.iter().filter(|finding| finding.job == job) {
        let subject = finding.subject.strip_prefix(job).map_or(finding.subject.as_str(), str::trim_start);
        let reason = Reason {
            rule: finding.rule.clone(),
            severity: finding.severity,
            subject: subject.to_owned(),
            location: finding.location.clone(),
        };
        for remedy in &finding.remedy {
            match remedies.iter_mut().find(|known| known.say == remedy.say && known.paste == remedy.paste) {
                Some(known) if known.findings.contains(&reason) => {}
                Some(known) => known.findings.push(reason.clone()),
                None => remedies.push(NamedRemedy {
                    into: remedy.into,
                    say: remedy.say.clone(),
                    paste: remedy.paste.clone(),
                    findings: vec![reason.clone()],
                }),
            }
        }
    }
    remedies.sort_by_key(|remedy| (remedy.into.is_none(), remedy.into));
    let unknown = report.unknown.iter().filter(|unknown| unknown.job == job).count();
    JobRemedies { audit: report.audit.clone(), job: job.to_owned(), unknown, remedies }
}

/// How wide a line of text is, without the sign before it.
const PAGE: usize = 98;

/// As text: what is not to be pasted stands in lines that begin with `#`.
#[must_use]
pub fn to_text(jobs: &[JobRemedies]) -> String {
    let mut text = String::new();
    for job in jobs {
        comment(&mut text, &format!("==== {} ({})", job.job, job.audit));
        match job.unknown {
            0 => {}
            1 => comment(&mut text, "1 thing could not be judged and has no remedy here: see `ttl-audit check`."),
            n => comment(&mut text, &format!("{n} things could not be judged and have no remedy here: see `ttl-audit check`.")),
        }
        let mut heading = None;
        for remedy in &job.remedies {
            let this = match remedy.into {
                Some(PasteInto::Configuration) => "configuration",
                Some(PasteInto::Shell) => "commands",
                Some(PasteInto::Code) => "code",
                None => "to be done by hand",
            };
            text.push('\n');
            if heading.replace(this) != Some(this) {
                comment(&mut text, &format!("-- {this}"));
                text.push('\n');
            }
            write(&mut text, remedy);
        }
        text.push('\n');
    }
    if jobs.is_empty() {
        text.push_str("# Nothing was found: there is nothing to do.\n");
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn write(text: &mut String, remedy: &NamedRemedy) {
    for reason in &remedy.findings {
        let FileLocation { file, line, column } = &reason.location;
        comment(text, &format!("{} {} · {} · {file}:{line}:{column}", reason.severity.word(), reason.rule, reason.subject));
    }
    // Broken at spaces only, so that no name and no option is.
    let options =
        Options::new(PAGE).break_words(false).word_separator(WordSeparator::AsciiSpace).word_splitter(WordSplitter::NoHyphenation);
    for line in remedy.say.lines().map(held_together) {
        for line in textwrap::wrap(&line, &options) {
            comment(text, &line.replace(HELD, " "));
        }
    }
    for line in remedy.paste.iter().flat_map(|paste| paste.lines()) {
        text.push_str(clean(line).trim_end());
        text.push('\n');
    }
}

/// Stands for a space at which no line is broken.
const HELD: char = '\u{a0}';

/// No command between backticks is broken, and no amount apart from its unit.
fn held_together(line: &str) -> String {
    let mut quoted = false;
    let spaced = |c: char| {
        quoted ^= c == '`';
        if quoted && c == ' ' { HELD } else { c }
    };
    let mut held: String = line.chars().map(spaced).collect();
    for unit in ["B", "kB", "MB", "GB", "TB"] {
        held = held.replace(&format!(" {unit}"), &format!("{HELD}{unit}"));
    }
    held
}

/// A line that is not pasted; nothing that a name holds ends it.
fn comment(text: &mut String, line: &str) {
    text.push_str(&format!("# {}\n", clean(line).replace(['\n', '\r'], " ")));
}

/// As JSON.
///
/// # Errors
///
/// Never for what [`remedies`] makes.
pub fn to_json(jobs: &[JobRemedies]) -> Result<String, serde_json::Error> {
    #[derive(Serialize)]
    struct Page<'a> {
        schema_version: u32,
        jobs: &'a [JobRemedies],
    }
    serde_json::to_string_pretty(&Page { schema_version: 1, jobs }).map(|text| text + "\n")
}
