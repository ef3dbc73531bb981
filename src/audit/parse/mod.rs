//! From the text of an audit file to an [`AuditFile`], with every error of the file.

mod kafka;
mod policy;
mod s3;
mod waivers;

pub use kafka::RUNS_CODE;
pub(crate) use policy::CLASSES;

use std::collections::BTreeMap;

use super::{ClusterConfig, S3Config};
use crate::{
    manifest::parse_version,
    policy::{Policy, Waiver},
    units::Instant,
    yaml::{self, At, Diagnostic, Fields, Node, Position, Problems, values},
};

/// An audit file, read and validated: an [`super::Audit`] before its manifests are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditFile {
    /// `audit:`.
    pub name: Option<String>,
    /// `client:`.
    pub client: Option<String>,
    /// `as_of:`.
    pub as_of: Option<Instant>,
    /// `jobs:`: patterns of manifests, relative to the audit's folder. Default `jobs/*.yaml`.
    pub jobs: Vec<At<String>>,
    /// `kafka:`.
    pub kafka: BTreeMap<String, ClusterConfig>,
    /// `s3:`.
    pub s3: S3Config,
    /// `policy:`.
    pub policy: Policy,
    /// `waivers:`, in the order of the file.
    pub waivers: Vec<Waiver>,
}

/// The default of `jobs:`.
pub const DEFAULT_JOBS: &str = "jobs/*.yaml";

/// Reads an audit file. `file` names it in diagnostics.
///
/// # Errors
///
/// Everything that is wrong in it, in the order of the file.
pub fn parse(file: &str, text: &str) -> Result<AuditFile, Vec<Diagnostic>> {
    let mut problems = Problems::new(file, text);
    let root = yaml::parse(&mut problems);
    let audit = match &root {
        Some(root) if root.is_null() => None,
        Some(root) => read(root, &mut problems),
        None => None,
    };
    match audit {
        Some(audit) if !problems.any() => Ok(audit),
        _ if problems.any() => Err(problems.into_diagnostics()),
        _ => Err(vec![Diagnostic::of_file(file, "the file is empty", Some("write at least `version: 1`".to_owned()))]),
    }
}

fn read(root: &Node, problems: &mut Problems<'_>) -> Option<AuditFile> {
    let mut fields = Fields::of(root, "an audit file", problems)?;
    parse_version(&mut fields, problems);
    let name = fields.get("audit").and_then(|entry| values::text(entry, problems)).map(|at| at.value);
    let client = fields.get("client").and_then(|entry| values::text(entry, problems)).map(|at| at.value);
    let as_of = fields.get("as_of").and_then(|entry| {
        values::read(entry, problems, |text| {
            text.parse::<Instant>()
                .map_err(|_| (format!("{} is not an instant", yaml::quoted(text)), "write 2026-09-15T00:00:00Z or 2026-09-15".to_owned()))
        })
    });
    let jobs = match fields.get("jobs") {
        Some(entry) => values::texts(entry, problems),
        None => Some(vec![At { value: DEFAULT_JOBS.to_owned(), position: Position::default() }]),
    };
    let kafka = fields.get("kafka").map_or_else(|| Some(BTreeMap::new()), |entry| kafka::read(&entry.value, problems));
    let s3 = fields.get("s3").map_or_else(|| Some(S3Config::default()), |entry| s3::read(&entry.value, problems));
    let policy = fields.get("policy").map_or_else(|| Some(Policy::default()), |entry| policy::read(&entry.value, problems));
    let waivers = fields.get("waivers").map_or_else(|| Some(Vec::new()), |entry| waivers::read(entry, problems));
    fields.finish(problems);
    Some(AuditFile {
        name,
        client,
        as_of: as_of.map(|at| at.value),
        jobs: jobs?,
        kafka: kafka?,
        s3: s3?,
        policy: policy?,
        waivers: waivers?,
    })
}
