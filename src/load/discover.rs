//! Finding the manifests that an audit file's patterns name.

use std::{
    collections::BTreeSet,
    path::{Component, Path, PathBuf},
};

use globset::{GlobBuilder, GlobMatcher};
use walkdir::WalkDir;

use super::files;
use crate::yaml::{self, At, Diagnostic, Position, quoted};

/// The deepest folder that `**` looks into.
const MAX_DEPTH: usize = 16;
/// The most files and folders that are looked at for one pattern.
const MAX_ENTRIES: usize = 100_000;
/// The most manifests of one audit.
const MAX_MANIFESTS: usize = 20_000;

/// The manifests of an audit, relative to its folder, sorted, each once; and what is wrong with the patterns.
pub(super) fn manifests(folder: &Path, patterns: &[At<String>], audit_file: &str) -> (BTreeSet<PathBuf>, Vec<Diagnostic>) {
    let mut found = BTreeSet::new();
    let mut diagnostics = Vec::new();
    for pattern in patterns {
        match matching(folder, &pattern.value) {
            Ok(paths) => found.extend(paths),
            Err((message, hint)) => diagnostics.push(about(pattern, folder, audit_file, message, hint)),
        }
    }
    if found.len() > MAX_MANIFESTS {
        let message = format!("{} manifests match, more than {MAX_MANIFESTS}", found.len());
        diagnostics.push(Diagnostic::of_file(audit_file, message, Some("split the audit".to_owned())));
        found.clear();
    }
    (found, diagnostics)
}

fn about(pattern: &At<String>, folder: &Path, audit_file: &str, message: String, hint: String) -> Diagnostic {
    // The default pattern stands nowhere in the file.
    let position = (pattern.position != Position::default()).then_some(pattern.position);
    let text = position.and_then(|_| files::read(&folder.join(Path::new(audit_file).file_name().unwrap_or_default()), audit_file).ok());
    let excerpt = position.zip(text).and_then(|(position, text)| yaml::excerpt(&text, position));
    Diagnostic { file: audit_file.to_owned(), position, message, excerpt, hint: Some(hint) }
}

type Refusal = (String, String);

fn matching(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, Refusal> {
    let inside = Path::new(pattern).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !inside {
        return Err((
            format!("the pattern {} leads out of the audit's folder", quoted(pattern)),
            "write it relative to the audit file, without `..`".to_owned(),
        ));
    }
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let glob = GlobBuilder::new(pattern)
        .literal_separator(true)
        .empty_alternates(true)
        .build()
        .map_err(|error| {
            (format!("{} is not a pattern: {}", quoted(pattern), error.kind()), "write jobs/*.yaml or jobs/**/*.yaml".to_owned())
        })?
        .compile_matcher();
    let found = walk(folder, pattern, &glob)?;
    if found.is_empty() {
        return Err((
            format!("no manifest matched {}", quoted(pattern)),
            "write `jobs:` with a pattern relative to the audit file, such as [jobs/*.yaml]".to_owned(),
        ));
    }
    Ok(found)
}

/// Walks no further than the pattern can reach: from its literal folders on, and as deep as it has parts.
fn walk(folder: &Path, pattern: &str, glob: &GlobMatcher) -> Result<Vec<PathBuf>, Refusal> {
    let parts: Vec<&str> = pattern.split('/').collect();
    let literal: PathBuf = parts.iter().take(parts.len() - 1).take_while(|part| !part.contains(['*', '?', '[', '{', '\\'])).collect();
    let depth = if pattern.contains("**") || pattern.contains('{') { MAX_DEPTH } else { parts.len() - literal.components().count() };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let home = folder
        .canonicalize()
        .map_err(|error| (format!("the audit's folder cannot be read: {error}"), "check its permissions".to_owned()))?;
    let start = folder.join(&literal);
    let mut found = Vec::new();
    if !start.is_dir() {
        return Ok(found);
    }
    for (count, entry) in WalkDir::new(&start).follow_links(true).max_depth(depth).into_iter().enumerate() {
        if count > MAX_ENTRIES {
            return Err((
                format!("more than {MAX_ENTRIES} files lie where {} looks", quoted(pattern)),
                "write a narrower pattern".to_owned(),
            ));
        }
        let entry = match entry {
            Ok(entry) => entry,
            // A link that leads back to where it came from adds no file.
            Err(error) if error.loop_ancestor().is_some() => continue,
            Err(error) => {
                let place = error.path().map(files::name).unwrap_or_default();
                let reason = error.io_error().map_or_else(|| "it cannot be walked".to_owned(), ToString::to_string);
                return Err((format!("{}: {reason}", quoted(&place)), "check its permissions, or write a narrower pattern".to_owned()));
            }
        };
        let Ok(relative) = entry.path().strip_prefix(folder) else { continue };
        if !glob.is_match(relative) || entry.file_type().is_dir() {
            continue;
        }
        // A link may lead out of the folder; what lies there is not the audit's. Leaving it out in silence would be worse: what nobody
        // reads, nobody judges.
        let lies_inside = entry.path().canonicalize().is_ok_and(|path| path.starts_with(&home));
        if !lies_inside || !entry.file_type().is_file() {
            let place = relative.display().to_string();
            let what = if lies_inside { "is no file" } else { "is a link that leads out of the audit's folder" };
            return Err((
                format!("{} matches {} and {what}", quoted(&place), quoted(pattern)),
                "copy the manifest into the folder, or write a pattern that does not match it".to_owned(),
            ));
        }
        found.push(relative.to_owned());
    }
    Ok(found)
}
