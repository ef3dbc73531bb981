//! What `check` writes: the report on stdout and in files, in whatever formats were asked for.

use std::{
    collections::BTreeSet,
    env, fs,
    fs::{File, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, anyhow};
use ttl_audit::report::{self, Placed, Report, TableOptions};

use super::{
    output::{self, Target},
    talk, width,
};
use crate::cli::{CheckArgs, Format, TalkArgs};

/// A report, and where its audit lies.
pub(super) struct Judged {
    /// The report.
    pub(super) report: Report,
    /// The folder from which its files are named; empty for the current one.
    pub(super) folder: PathBuf,
}

/// Everything that will be written, tried before the work.
pub(super) struct Outputs {
    targets: Vec<(Format, Target)>,
    step_summary: Option<StepSummary>,
}

impl Outputs {
    /// Opens every file.
    pub(super) fn open(args: &CheckArgs) -> Result<Self> {
        let mut seen = BTreeSet::new();
        for file in args.output.outputs.iter().map(|target| &target.file).chain(&args.judge.evidence.save_evidence) {
            if !seen.insert(file) {
                return Err(anyhow!("{} would be written twice", file.display()));
            }
        }
        let targets =
            args.output.outputs.iter().map(|target| Ok((target.format, Target::open(&target.file)?))).collect::<Result<Vec<_>>>()?;
        let github = args.output.format == Format::Github || targets.iter().any(|(format, _)| *format == Format::Github);
        let step_summary = if github { StepSummary::open()? } else { None };
        Ok(Self { targets, step_summary })
    }

    /// Files first, so that a reader of stdout who goes away does not cost them.
    pub(super) fn write(self, args: &CheckArgs, talk: TalkArgs, judged: &[Judged]) -> Result<()> {
        let reports: Vec<Report> = judged.iter().map(|judged| judged.report.clone()).collect();
        let placed: Vec<Placed<'_>> =
            judged.iter().map(|judged| Placed { report: &judged.report, folder: as_readers_name(&judged.folder) }).collect();
        let everything = talk.verbose > 0;
        for (format, target) in self.targets {
            let text = render(format, &reports, &placed, TableOptions { width: width::PAGE, colour: false, everything })?;
            target.write(text.as_bytes())?;
        }
        if let Some(summary) = self.step_summary {
            summary.append(&report::to_github_summary(&placed))?;
        }
        let on_stdout = TableOptions { width: width::of_stdout(), colour: talk::colours_on_stdout(talk), everything };
        output::print(&render(args.output.format, &reports, &placed, on_stdout)?)?;
        if args.output.format != Format::Table
            && let Some(line) = report::summary_of_several(&reports)
        {
            talk::say(talk, &line);
        }
        Ok(())
    }
}

fn render(format: Format, reports: &[Report], placed: &[Placed<'_>], options: TableOptions) -> Result<String> {
    Ok(match format {
        Format::Table => report::to_table(reports, options),
        Format::Json => report::to_json(reports)?,
        Format::Sarif => report::to_sarif(placed)?,
        Format::Junit => report::to_junit(reports)?,
        Format::Github => report::to_github(placed),
        Format::Markdown => report::to_markdown(reports, options.everything),
        Format::Html => report::to_html(reports, options.everything),
    })
}

/// The folder as those name it who read the report elsewhere: from the repository on GitHub, from the working directory otherwise, in full
/// if it lies outside.
fn as_readers_name(folder: &Path) -> String {
    let root = env::var_os("GITHUB_WORKSPACE").filter(|root| !root.is_empty()).map_or_else(|| PathBuf::from("."), PathBuf::from);
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (Ok(root), Ok(full)) = (fs::canonicalize(root), fs::canonicalize(folder)) else { return slashes(folder) };
    slashes(full.strip_prefix(&root).unwrap_or(&full))
}

fn slashes(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}

/// The file that GitHub shows as the job's summary. Other steps write to it too, so it is only ever appended to.
struct StepSummary {
    path: PathBuf,
    file: File,
}

impl StepSummary {
    /// Opens the file that the runner names, if it names one.
    fn open() -> Result<Option<Self>> {
        let Some(path) = env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()).map(PathBuf::from) else { return Ok(None) };
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&path)
            .with_context(|| format!("{}, which GITHUB_STEP_SUMMARY names, cannot be written", path.display()))?;
        Ok(Some(Self { path, file }))
    }

    fn append(mut self, text: &str) -> Result<()> {
        self.file.write_all(text.as_bytes()).with_context(|| format!("{} cannot be written", self.path.display()))
    }
}
