//! `ttl-audit check`.

use std::{path::PathBuf, time::Instant as Clock};

use anyhow::{Context as _, Result, anyhow};
use ttl_audit::{
    compare,
    evidence::Evidence,
    exit::ExitCode,
    load, report,
    rules::{self, Rule},
};

use super::{
    evidence, explain,
    input::{self, Selected},
    live,
    output::Target,
    outputs::{Judged, Outputs},
    several, talk,
};
use crate::cli::{CheckArgs, JudgeArgs, TalkArgs};

/// Audits, prints, and says how it went.
pub(super) fn run(args: &CheckArgs, talk: TalkArgs) -> Result<ExitCode> {
    let outputs = Outputs::open(args)?;
    let reports = judge(&args.judge, Shown { redact_names: args.output.redact_names, by_day: args.output.by_day }, talk)?;
    outputs.write(args, talk, &reports)?;
    Ok(exit_code(&reports))
}

/// What these reports come to.
pub(super) fn exit_code(reports: &[Judged]) -> ExitCode {
    reports.iter().map(|judged| report::exit_code(&judged.report)).fold(ExitCode::Clean, ExitCode::worse)
}

/// What of a report is shown, and how.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shown {
    /// Names become aliases.
    pub(super) redact_names: bool,
    /// What each way of coming back costs is told by day too.
    pub(super) by_day: bool,
}

/// The report of every audit that was asked for.
pub(super) fn judge(args: &JudgeArgs, shown: Shown, talk: TalkArgs) -> Result<Vec<Judged>> {
    let deadline = Clock::now() + args.time.deadline;
    if args.read.read_state_headers && (args.evidence.offline || args.evidence.evidence.is_some()) {
        return Err(anyhow!("--read-state-headers reads from S3, and --offline and --evidence connect to nothing"));
    }
    let (chosen, not_chosen) = chosen_rules(&args.select.rules, &args.select.skip_rules)?;
    let mut save = args.evidence.save_evidence.as_deref().map(Target::open).transpose()?;

    let earlier = args.gate.baseline.as_deref().map(load::reports).transpose()?;

    let mut audits = input::audits(&args.input, &args.connect, &args.select.jobs)?;
    one_file_for_one_audit(args, audits.len())?;
    let baselines = baselines(earlier.as_deref(), &audits)?;
    for selected in &mut audits {
        if let Some(fail_on) = args.gate.fail_on {
            selected.audit.policy.fail_on = fail_on;
        }
    }

    let now = live::now();
    let progress = talk::Progress::new(talk);
    let collect = live::Collect {
        time: &args.time,
        deadline,
        all_snapshots: args.select.all_snapshots,
        read_state_headers: args.read.read_state_headers,
        as_of: args.select.as_of,
    };
    let mut reports = Vec::with_capacity(audits.len());
    let mut wrong = Vec::new();
    for (selected, baseline) in audits.into_iter().zip(baselines) {
        let judged = evidence_for(args, &selected, &collect, &progress).and_then(|(evidence, source)| {
            if let Some(target) = save.take() {
                let bytes = evidence::to_bytes(&evidence, target.path())?;
                target.write(&bytes)?;
            }
            input::patterns_match(&selected.audit, &evidence)?;
            // A run against the world judges the instant of its capture.
            let now = if source == LIVE { evidence.captured_at } else { now };
            let as_of = input::as_of(args.select.as_of, &selected.audit, now);
            let left_out = selected.left_out.iter().chain(&not_chosen).cloned().collect();
            let options = report::Options {
                rules: &chosen,
                allow_incomplete: args.gate.allow_incomplete,
                by_day: shown.by_day,
                left_out,
                jobs_left_out: selected.jobs_left_out,
                baseline,
            };
            let report = report::build_with(&selected.audit, &evidence, as_of, &source, &options);
            if !shown.redact_names {
                return Ok(Judged { report, folder: selected.names_files_from() });
            }
            let names = report::Names::of(&selected.audit, &evidence);
            let report = report::redact(&report, &names)
                .context("the names of this report cannot be replaced, since one is a word of the report itself")?;
            // Folders are named by people too.
            Ok(Judged { report, folder: PathBuf::new() })
        });
        match judged {
            Ok(report) => reports.push(report),
            Err(error) => wrong.push(format!("{error:#}")),
        }
    }
    drop(progress);
    if !wrong.is_empty() {
        return Err(several(wrong));
    }
    Ok(reports)
}

/// What a report says of evidence that was collected just now.
const LIVE: &str = "live";

/// The evidence of one audit, and where it came from.
fn evidence_for(
    args: &JudgeArgs,
    selected: &Selected,
    collect: &live::Collect<'_>,
    progress: &talk::Progress,
) -> Result<(Evidence, String)> {
    let loaded = match &args.evidence.evidence {
        Some(file) => load::evidence(file)?,
        None if args.evidence.offline => load::evidence_in(&selected.folder)?,
        None => return Ok((collect.run(&selected.audit, &selected.file(), progress)?, LIVE.to_owned())),
    };
    Ok((loaded.evidence, loaded.source))
}

/// One evidence file is the evidence of one audit.
fn one_file_for_one_audit(args: &JudgeArgs, audits: usize) -> Result<()> {
    let option = match (&args.evidence.evidence, &args.evidence.save_evidence) {
        _ if audits <= 1 => return Ok(()),
        (Some(_), _) => "--evidence",
        (_, Some(_)) => "--save-evidence",
        (None, None) => return Ok(()),
    };
    Err(anyhow!("{option} names the evidence of one audit, and the paths name {audits}\n  hint: give one audit at a time"))
}

/// For each audit the earlier report that belongs to it, if earlier ones were given.
fn baselines<'r>(earlier: Option<&'r [report::Report]>, audits: &[Selected]) -> Result<Vec<Option<&'r report::Report>>> {
    let Some(earlier) = earlier else { return Ok(vec![None; audits.len()]) };
    let mut wrong = Vec::new();
    let mut baselines = Vec::with_capacity(audits.len());
    for Selected { audit, .. } in audits {
        let jobs: Vec<&str> = audit.jobs.iter().map(|job| job.job.value.as_str()).collect();
        match compare::pair(earlier, &audit.name, &jobs, audits.len() == 1) {
            Ok(report) => baselines.push(Some(report)),
            Err(error) => wrong.push(format!("--baseline: {error}")),
        }
    }
    if wrong.is_empty() { Ok(baselines) } else { Err(several(wrong)) }
}

/// The rules that are run, and what the report says of the others.
fn chosen_rules(only: &[String], skip: &[String]) -> Result<(Vec<&'static dyn Rule>, Vec<String>)> {
    for id in only.iter().chain(skip) {
        rules::by_id(id).ok_or_else(|| explain::unknown_rule(id))?;
    }
    let mut chosen = Vec::new();
    let mut left_out = Vec::new();
    for rule in rules::all() {
        let id = rule.meta().id;
        if skip.iter().any(|skipped| skipped == id) {
            left_out.push(format!("rule {id}: --skip-rule"));
        } else if !only.is_empty() && !only.iter().any(|wanted| wanted == id) {
            left_out.push(format!("rule {id}: not selected by --rule"));
        } else {
            chosen.push(*rule);
        }
    }
    Ok((chosen, left_out))
}
