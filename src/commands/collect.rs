//! `ttl-audit collect`.

use std::time::Instant as Clock;

use anyhow::{Result, anyhow};
use ttl_audit::{evidence::Evidence, exit::ExitCode, manifest::AsOf, report};

use super::{evidence, input, live, output::Target, talk};
use crate::cli::{CollectArgs, TalkArgs};

/// Asks, and keeps what was seen. What could not be had is in the evidence with its reason, so it is no error here.
pub(super) fn run(args: &CollectArgs, talk: TalkArgs) -> Result<ExitCode> {
    let deadline = Clock::now() + args.time.deadline;
    let audits = input::audits(&args.input, &args.connect, &args.jobs)?;
    if audits.len() > 1 && args.save_evidence.is_some() {
        return Err(anyhow!(
            "--save-evidence names the evidence of one audit, and the paths name {}\n   = without it, each is kept in its own folder",
            audits.len()
        ));
    }
    let mut targets = Vec::with_capacity(audits.len());
    for selected in &audits {
        let path = args.save_evidence.clone().unwrap_or_else(|| selected.folder.join("evidence.json"));
        targets.push(Target::open(&path)?);
    }
    let mut code = ExitCode::Clean;
    let progress = talk::Progress::new(talk);
    let collect = live::Collect {
        time: &args.time,
        deadline,
        all_snapshots: args.all_snapshots,
        read_state_headers: args.read.read_state_headers,
        as_of: args.as_of,
    };
    for (selected, target) in audits.iter().zip(targets) {
        let evidence = collect.run(&selected.audit, &selected.file(), &progress)?;
        input::patterns_match(&selected.audit, &evidence)?;
        let path = target.path().to_owned();
        target.write(&evidence::to_bytes(&evidence, &path)?)?;
        talk::say(talk, &format!("{}: evidence of {} in {}", selected.audit.name, evidence.captured_at.minute(), path.display()));
        let missing = missing(selected, &evidence, input::as_of(args.as_of, &selected.audit, evidence.captured_at));
        if !missing.is_empty() {
            code = ExitCode::Incomplete;
            talk::say(talk, &format!("could not be had, and the gate needs it:\n  {}", missing.join("\n  ")));
        }
    }
    Ok(code)
}

/// What the gate needs and the evidence does not hold although a call would tell: what only the manifest could say is not collect's fault.
fn missing(selected: &input::Selected, evidence: &Evidence, as_of: AsOf) -> Vec<String> {
    let fail_on = selected.audit.policy.fail_on;
    let report = report::build(&selected.audit, evidence, as_of, "live");
    let needed = report.unknown.into_iter().filter(|unknown| fail_on.trips(unknown.severity) && !unknown.call.is_empty());
    needed.map(|unknown| format!("{}: {}", unknown.job, unknown.reason)).collect()
}
