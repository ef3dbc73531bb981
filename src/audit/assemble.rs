//! From an audit file and its manifests to an audit: what only shows when both are seen.

use std::collections::BTreeMap;

use super::{Audit, AuditFile};
use crate::{
    manifest::{Manifest, SourceKind},
    yaml::{At, Diagnostic, nearest, quoted},
};

/// Puts an audit together. `file` and `name` are those of the audit where the file states no name.
///
/// # Errors
///
/// Two jobs of one name; a cluster that the audit file does not have; a source that names no cluster where there are several. Diagnostics
/// name the manifest's file as [`Manifest::file`] does, and have no excerpt.
pub fn assemble(file: &str, name: &str, audit: AuditFile, mut jobs: Vec<Manifest>) -> Result<Audit, Vec<Diagnostic>> {
    jobs.sort_by(|a, b| (&a.job.value, &a.file).cmp(&(&b.job.value, &b.file)));
    let mut found = Vec::new();
    let mut first: BTreeMap<&str, &Manifest> = BTreeMap::new();
    for job in &jobs {
        if let Some(earlier) = first.get(job.job.value.as_str()) {
            found.push(at(
                job,
                &job.job,
                format!("the job {} is declared in {}:{} already", quoted(&job.job.value), earlier.file, earlier.job.position.line),
                "give each job of an audit a name of its own".to_owned(),
            ));
        } else {
            first.insert(&job.job.value, job);
        }
    }
    let clusters: Vec<&str> = audit.kafka.keys().map(String::as_str).collect();
    for job in &jobs {
        check_clusters(job, &clusters, &mut found);
    }
    if !found.is_empty() {
        found.sort();
        return Err(found);
    }
    let AuditFile { name: stated, client, as_of, jobs: _, kafka, s3, policy, waivers } = audit;
    Ok(Audit { file: file.to_owned(), name: stated.unwrap_or_else(|| name.to_owned()), client, as_of, kafka, s3, policy, waivers, jobs })
}

fn at<T>(job: &Manifest, place: &At<T>, message: String, hint: String) -> Diagnostic {
    Diagnostic { file: job.file.clone(), position: Some(place.position), message, excerpt: None, hint: Some(hint) }
}

/// Without `kafka:` nothing can be asked, and whatever evidence there is must know the names.
fn check_clusters(job: &Manifest, clusters: &[&str], found: &mut Vec<Diagnostic>) {
    if clusters.is_empty() {
        return;
    }
    let sources = job.sources.iter().filter_map(|source| match &source.kind {
        SourceKind::Kafka(kafka) => Some((&source.id, kafka.cluster.as_ref(), "source")),
        SourceKind::Declared(_) => None,
    });
    let sinks =
        job.sinks.iter().filter(|sink| sink.kind == crate::manifest::SinkKind::Kafka).map(|sink| (&sink.id, sink.cluster.as_ref(), "sink"));
    for (id, cluster, what) in sources.chain(sinks) {
        match cluster {
            Some(named) if !clusters.contains(&named.value.as_str()) => {
                let hint = nearest(&named.value, clusters)
                    .map_or_else(|| format!("the audit file has {}", clusters.join(", ")), |near| format!("did you mean `{near}`?"));
                found.push(at(job, named, format!("the audit file has no cluster {} under `kafka`", quoted(&named.value)), hint));
            }
            None if clusters.len() > 1 => found.push(at(
                job,
                id,
                format!("the {what} {} names no cluster, and the audit file has {}", quoted(&id.value), clusters.len()),
                format!("write `cluster:` with one of {}", clusters.join(", ")),
            )),
            _ => {}
        }
    }
}
