//! What is audited: audits as loaded, narrowed to what was selected.

use std::{collections::BTreeSet, path::PathBuf};

use anyhow::Result;
use ttl_audit::{
    audit::Audit,
    evidence::Evidence,
    load::{self, LoadedAudit},
    manifest::{AsOf, SourceKind, Topics},
    units::Instant,
};

use super::{hinted, quick};
use crate::cli::{ConnectArgs, InputArgs};

/// Loads every audit that the paths name, narrowed to `jobs` (all if it is empty). An audit without any of them is left out.
pub(super) fn audits(input: &InputArgs, connect: &ConnectArgs, jobs: &[String]) -> Result<Vec<Selected>> {
    let loaded = load::audits_with(&input.paths, &quick::connection(connect)?)?;
    let known: BTreeSet<&str> = loaded.iter().flat_map(|one| &one.audit.jobs).map(|job| job.job.value.as_str()).collect();
    if let Some(wrong) = jobs.iter().find(|job| !known.contains(job.as_str())) {
        let near = known.iter().max_by(|a, b| strsim::jaro_winkler(a, wrong).total_cmp(&strsim::jaro_winkler(b, wrong)));
        let hint = near.map_or_else(String::new, |near| format!("the nearest is `{near}`"));
        return Err(hinted(format!("no manifest names a job `{wrong}`"), hint));
    }
    Ok(loaded.into_iter().filter_map(|one| select(one, jobs)).collect())
}

/// An audit with the jobs that were selected.
pub(super) struct Selected {
    /// The audit.
    pub(super) audit: Audit,
    /// Its folder.
    pub(super) folder: PathBuf,
    /// Whether it is a single manifest without an audit file.
    single: bool,
    /// What was left out, for the report's list.
    pub(super) left_out: Vec<String>,
    /// Whether some of its jobs were left out.
    pub(super) jobs_left_out: bool,
}

impl Selected {
    /// The path of the audit file, or of the single manifest.
    pub(super) fn file(&self) -> String {
        if self.single { self.audit.file.clone() } else { self.folder.join(&self.audit.file).display().to_string() }
    }

    /// The folder from which its report names files: its own, but for a single manifest, which is named as it was typed.
    pub(super) fn names_files_from(&self) -> PathBuf {
        if self.single { PathBuf::new() } else { self.folder.clone() }
    }
}

fn select(loaded: LoadedAudit, jobs: &[String]) -> Option<Selected> {
    let LoadedAudit { mut audit, folder, single } = loaded;
    let before = audit.jobs.len();
    if !jobs.is_empty() {
        audit.jobs.retain(|job| jobs.contains(&job.job.value));
    }
    let jobs_left_out = before > audit.jobs.len();
    let left_out = match before - audit.jobs.len() {
        0 => Vec::new(),
        1 => vec!["1 job: not selected by --job".to_owned()],
        n => vec![format!("{n} jobs: not selected by --job")],
    };
    (!audit.jobs.is_empty()).then_some(Selected { audit, folder, single, left_out, jobs_left_out })
}

/// The instant that is judged: stated on the command line, else in the audit file, else `now`.
pub(super) fn as_of(stated: Option<Instant>, audit: &Audit, now: Instant) -> AsOf {
    match stated.or(audit.as_of) {
        Some(at) => AsOf { at, pinned: true },
        None => AsOf { at: now, pinned: false },
    }
}

/// A pattern that matches no topic is a mistake in the manifest or a right that is missing, never a clean run.
pub(super) fn patterns_match(audit: &Audit, evidence: &Evidence) -> Result<()> {
    let mut wrong = Vec::new();
    for job in &audit.jobs {
        for source in &job.sources {
            let SourceKind::Kafka(kafka) = &source.kind else { continue };
            let Topics::Pattern(pattern) = &kafka.topics else { continue };
            let cluster = audit.cluster_name(kafka.cluster.as_ref().map(|cluster| cluster.value.as_str()));
            let matched = evidence.kafka.get(cluster).and_then(|seen| seen.patterns.get(&pattern.value)).and_then(|fact| fact.shown());
            if matched.is_some_and(Vec::is_empty) {
                wrong.push(format!(
                    "{}:{}:{}: topic_pattern `{}` matches no topic of {cluster}",
                    job.file, pattern.position.line, pattern.position.column, pattern.value
                ));
            }
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(hinted(wrong.join("\n"), "topics without the DESCRIBE right are invisible; the pattern must match the whole name"))
}
