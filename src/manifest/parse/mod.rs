//! From the text of a manifest to a [`Manifest`], with every error of the file.

mod operator;
mod recovery;
mod sink;
mod source;
mod values;

pub(crate) use values::{length, version};

use std::collections::BTreeMap;

use super::{Flink, Manifest, Platform};
use crate::yaml::{self, Diagnostic, Fields, Node, Problems, quoted};

/// Reads a manifest. `file` names it in diagnostics and reports.
///
/// # Errors
///
/// Everything that is wrong in it, in the order of the file.
pub fn parse(file: &str, text: &str) -> Result<Manifest, Vec<Diagnostic>> {
    let mut problems = Problems::new(file, text);
    let root = yaml::parse(&mut problems);
    let manifest = match &root {
        Some(root) if root.is_null() => None,
        Some(root) => read(file, root, &mut problems),
        None => None,
    };
    match manifest {
        Some(manifest) if !problems.any() => Ok(manifest),
        _ if problems.any() => Err(problems.into_diagnostics()),
        _ => Err(vec![Diagnostic::of_file(file, "the file is empty", Some("write at least version, job and sources".to_owned()))]),
    }
}

fn read(file: &str, root: &Node, problems: &mut Problems<'_>) -> Option<Manifest> {
    let mut fields = Fields::of(root, "a manifest", problems)?;
    if let Some((pairs, what)) = too_many_pairs(root) {
        problems.advise(fields.place(), format!("{pairs} pairs of {what}: no job has that many"), "split the manifest: one for each job");
        return None;
    }
    values::version(&mut fields, problems);
    let job = fields.require("job", "write `job: <name>`", problems).and_then(|entry| yaml::values::text(entry, problems));
    let owner = values::optional_text(fields.get("owner"), problems);
    let flink = fields.get("flink").map_or_else(|| Some(Flink::default()), |entry| read_flink(&entry.value, problems));
    let platform = flink.as_ref().map_or(Platform::default(), |flink| flink.platform);
    let major = flink.as_ref().and_then(|flink| flink.version.as_deref()).and_then(major_version);
    let max_downtime = values::optional_length(fields.get("max_downtime"), problems);
    let sources = source::read_all(&mut fields, problems);
    let operators = operator::read_all(root, &mut fields, &source::ids(root), problems);
    let sinks = sink::read_all(&mut fields, &operator::ids(root), problems);
    let recovery = match fields.get("recovery") {
        Some(entry) => recovery::read(entry, platform, major, problems).map(Some),
        None => Some(None),
    };
    fields.finish(problems);
    Some(Manifest {
        file: file.to_owned(),
        job: job?,
        owner,
        flink: flink?,
        max_downtime,
        sources: sources?,
        operators: operators?,
        sinks: sinks?,
        recovery: recovery?,
    })
}

fn read_flink(node: &Node, problems: &mut Problems<'_>) -> Option<Flink> {
    let mut fields = Fields::of(node, "`flink`", problems)?;
    let platform = fields.get("platform").map_or(Some(Platform::default()), |entry| yaml::values::word(entry, PLATFORMS, problems));
    let version = fields.get("version");
    // The services number their own engines (`vvr-8.0.11-flink-1.17`).
    let own_numbers = matches!(platform, Some(Platform::Ververica | Platform::Other));
    let version = version.and_then(|entry| {
        yaml::values::read(entry, problems, |text| {
            if own_numbers || (text.contains('.') && major_version(text).is_some()) {
                Ok(text.to_owned())
            } else {
                Err((format!("{} is not a version of Flink", quoted(text)), "write it in full, such as 1.20.1 or 2.1.0".to_owned()))
            }
        })
    });
    let state_backend = values::optional_text(fields.get("state_backend"), problems);
    fields.finish(problems);
    Some(Flink { version: version.map(|at| at.value), platform: platform?, state_backend })
}

/// Every state reads every source and every operator feeds every sink unless stated otherwise; a small file must not grow without bounds.
fn too_many_pairs(root: &Node) -> Option<(usize, &'static str)> {
    const MOST: usize = 1_000_000;
    let list = |key| root.get(key).and_then(Node::items).unwrap_or_default();
    let states: usize =
        list("operators").iter().map(|operator| 1 + operator.get("state").and_then(Node::items).map_or(0, <[Node]>::len)).sum();
    let reads = list("sources").len().saturating_mul(states);
    let feeds = list("sinks").len().saturating_mul(list("operators").len());
    if reads > MOST { Some((reads, "sources and states")) } else { (feeds > MOST).then_some((feeds, "operators and sinks")) }
}

const PLATFORMS: &[(&str, Platform)] = &[
    ("self-managed", Platform::SelfManaged),
    ("kubernetes-operator", Platform::KubernetesOperator),
    ("managed-flink", Platform::ManagedFlink),
    ("ververica", Platform::Ververica),
    ("other", Platform::Other),
];

/// `1` of `1.18.1`.
fn major_version(text: &str) -> Option<u32> {
    text.split('.').next()?.parse().ok()
}

/// Records every text among `nodes` that stands above already; of invalid items, too.
fn refuse_twins<'n>(nodes: impl IntoIterator<Item = &'n Node>, what: &str, problems: &mut Problems<'_>) {
    let mut first = BTreeMap::new();
    for node in nodes {
        let Some(text) = node.text() else { continue };
        if let Some(line) = first.get(text) {
            let hint = "give each one a name of its own";
            problems.advise(&node.place, format!("{what} {} stands twice, first on line {line}", quoted(text)), hint);
        } else {
            first.insert(text, node.place.position.line);
        }
    }
}

/// The values of `key` in each item of a list.
fn each<'n>(items: &'n [Node], key: &'static str) -> impl Iterator<Item = &'n Node> {
    items.iter().filter_map(move |item| item.get(key))
}
