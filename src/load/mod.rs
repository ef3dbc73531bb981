//! From paths to audits and evidence: the only place that reads manifests, audit files and evidence from disk.

mod discover;
mod evidence;
mod files;
mod report;

use std::{
    fmt,
    path::{Path, PathBuf},
};

pub use evidence::{LoadedEvidence, evidence, evidence_in};
pub use report::reports;

use crate::{
    audit::{self, Audit, AuditFile, ClusterConfig, S3Config},
    manifest::{self, Manifest, Position},
    policy::Policy,
    yaml::{self, Diagnostic, Problems},
};

/// The name of an audit file in its folder.
pub const AUDIT_FILE: &str = "audit.yaml";

/// An audit, and where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedAudit {
    /// The audit.
    pub audit: Audit,
    /// Its folder, in which `evidence.json` lies; for a single manifest the manifest's folder.
    pub folder: PathBuf,
    /// Whether it is a single manifest without an audit file.
    pub single: bool,
}

/// Everything that is wrong in all files of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// Never empty; by file, then by place.
    pub diagnostics: Vec<Diagnostic>,
}

impl From<Diagnostic> for LoadError {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostics: vec![diagnostic] }
    }
}

impl std::error::Error for LoadError {}

/// Every diagnostic as stderr shows it, with an empty line between them, and their number if there are several.
impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, diagnostic) in self.diagnostics.iter().enumerate() {
            if number > 0 {
                f.write_str("\n\n")?;
            }
            diagnostic.fmt(f)?;
        }
        if self.diagnostics.len() > 1 {
            write!(f, "\n\n{} errors", self.diagnostics.len())?;
        }
        Ok(())
    }
}

/// How to reach the world for a single manifest, without an audit file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuickConnection {
    /// librdkafka properties (`--bootstrap-servers`, `--kafka-config`); empty if none were given.
    pub kafka: std::collections::BTreeMap<String, String>,
    /// `--s3-endpoint`.
    pub s3_endpoint: Option<String>,
}

/// Reads audits: each path is an audit's folder, an audit file or a single manifest; without paths, the current folder.
///
/// # Errors
///
/// Every error of every file.
pub fn audits(paths: &[PathBuf]) -> Result<Vec<LoadedAudit>, LoadError> {
    audits_with(paths, &QuickConnection::default())
}

/// [`audits`], where single manifests are reached by `quick`.
///
/// # Errors
///
/// Every error of every file; besides, if `quick` says something, a path that is no single manifest, or a manifest that names two clusters.
pub fn audits_with(paths: &[PathBuf], quick: &QuickConnection) -> Result<Vec<LoadedAudit>, LoadError> {
    let here = [PathBuf::from(".")];
    let paths = if paths.is_empty() { &here } else { paths };
    let mut audits = Vec::new();
    let mut diagnostics = Vec::new();
    for path in paths {
        match one(path, quick) {
            Ok(audit) => audits.push(audit),
            Err(mut found) => diagnostics.append(&mut found),
        }
    }
    // One manifest may be reached by two paths; its errors are named once.
    diagnostics.sort();
    diagnostics.dedup();
    if diagnostics.is_empty() { Ok(audits) } else { Err(LoadError { diagnostics }) }
}

fn one(path: &Path, quick: &QuickConnection) -> Result<LoadedAudit, Vec<Diagnostic>> {
    let is_folder = path.is_dir();
    let file = if is_folder { path.join(AUDIT_FILE) } else { path.to_owned() };
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    if is_folder && !file.exists() {
        let hint = "name a folder that holds audit.yaml, an audit file, or a single manifest; `ttl-audit init` writes a first one";
        return Err(vec![Diagnostic::of_file(
            files::name(path),
            format!("there is no {AUDIT_FILE} in this folder"),
            Some(hint.to_owned()),
        )]);
    }
    let shown = files::name(&file);
    let text = files::read(&file, &shown)?;
    if is_manifest(&file, &text) {
        return single(&shown, &text, folder, quick);
    }
    if *quick != QuickConnection::default() {
        let hint =
            "--bootstrap-servers, --kafka-config and --s3-endpoint go with a single manifest; write the connection into the audit file";
        return Err(vec![Diagnostic::of_file(shown, "it is an audit, which names its own connections", Some(hint.to_owned()))]);
    }
    let audit = audit::parse(&shown, &text)?;
    let (manifests, mut diagnostics) = manifests(&audit, &folder, &shown);
    if !diagnostics.is_empty() {
        diagnostics.sort();
        return Err(diagnostics);
    }
    let file_name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let audit = audit::assemble(&file_name, &folder_name(&folder), audit, manifests).map_err(|found| with_excerpts(found, &folder))?;
    Ok(LoadedAudit { audit, folder, single: false })
}

/// A manifest has `job` or `sources`; a file in which neither can be seen is judged by its name.
fn is_manifest(file: &Path, text: &str) -> bool {
    let named_audit = file.file_stem().is_some_and(|stem| stem == "audit");
    match yaml::parse(&mut Problems::new("", text)) {
        Some(root) => {
            let manifest = ["job", "sources", "operators"].iter().any(|key| root.get(key).is_some());
            let audit = ["audit", "jobs", "kafka", "policy", "s3", "client", "waivers"].iter().any(|key| root.get(key).is_some());
            if manifest == audit { !named_audit } else { manifest }
        }
        None => !named_audit,
    }
}

/// Reads the manifests of an audit; those that are fine, and every error of the others.
fn manifests(audit: &AuditFile, folder: &Path, shown: &str) -> (Vec<Manifest>, Vec<Diagnostic>) {
    let mut manifests = Vec::new();
    let (found, mut diagnostics) = discover::manifests(folder, &audit.jobs, shown);
    for relative in found {
        let path = folder.join(&relative);
        let name = files::name(&path);
        let parsed = files::read(&path, &name).and_then(|text| manifest::parse(&name, &text));
        match parsed {
            Ok(manifest) => manifests.push(Manifest { file: files::name(&relative), ..manifest }),
            Err(mut errors) => diagnostics.append(&mut errors),
        }
    }
    (manifests, diagnostics)
}

fn single(shown: &str, text: &str, folder: PathBuf, quick: &QuickConnection) -> Result<LoadedAudit, Vec<Diagnostic>> {
    let manifest = manifest::parse(shown, text)?;
    let clusters = clusters(&manifest);
    if let [(first, _), (second, position), ..] = clusters.as_slice()
        && !quick.kafka.is_empty()
    {
        return Err(vec![Diagnostic {
            file: shown.to_owned(),
            position: Some(*position),
            message: format!(
                "the manifest names the clusters {} and {}, and one connection is given",
                yaml::quoted(first),
                yaml::quoted(second)
            ),
            excerpt: yaml::excerpt(text, *position),
            hint: Some("write an audit file with both under `kafka`".to_owned()),
        }]);
    }
    let mut s3 = S3Config::default();
    s3.default.endpoint_url.clone_from(&quick.s3_endpoint);
    let mut kafka = std::collections::BTreeMap::new();
    if !quick.kafka.is_empty() {
        let name = clusters.first().map_or_else(|| "default".to_owned(), |(name, _)| name.clone());
        kafka.insert(name, ClusterConfig { position: Position::default(), properties: quick.kafka.clone() });
    }
    let name = manifest.job.value.clone();
    let file =
        AuditFile { name: None, client: None, as_of: None, jobs: Vec::new(), kafka, s3, policy: Policy::default(), waivers: Vec::new() };
    let audit = audit::assemble(shown, &name, file, vec![manifest])?;
    Ok(LoadedAudit { audit, folder, single: true })
}

/// The clusters that a manifest names, each once, with the place of the first.
fn clusters(manifest: &Manifest) -> Vec<(String, Position)> {
    let sources = manifest.sources.iter().filter_map(|source| match &source.kind {
        manifest::SourceKind::Kafka(kafka) => kafka.cluster.as_ref(),
        manifest::SourceKind::Declared(_) => None,
    });
    let mut clusters: Vec<(String, Position)> = Vec::new();
    for cluster in sources.chain(manifest.sinks.iter().filter_map(|sink| sink.cluster.as_ref())) {
        if !clusters.iter().any(|(name, _)| *name == cluster.value) {
            clusters.push((cluster.value.clone(), cluster.position));
        }
    }
    clusters
}

/// Diagnostics across files name them by the audit's folder and have no excerpt yet.
fn with_excerpts(found: Vec<Diagnostic>, folder: &Path) -> Vec<Diagnostic> {
    let draw = |mut diagnostic: Diagnostic| {
        let path = folder.join(&diagnostic.file);
        diagnostic.file = files::name(&path);
        if let (Some(position), Ok(text)) = (diagnostic.position, files::read(&path, &diagnostic.file)) {
            diagnostic.excerpt = yaml::excerpt(&text, position);
        }
        diagnostic
    };
    found.into_iter().map(draw).collect()
}

fn folder_name(folder: &Path) -> String {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    std::path::absolute(folder)
        .ok()
        .and_then(|path| path.canonicalize().ok())
        .and_then(|path| name(&path))
        .unwrap_or_else(|| "audit".to_owned())
}
