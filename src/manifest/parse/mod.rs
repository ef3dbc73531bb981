//! From the text of a manifest to a [`Manifest`], with every error of the file.

mod operator;
mod recovery;
mod sink;
mod source;
mod values;

pub(crate) use values::{length, version};

use super::{At, Flink, Manifest, Platform};
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
    values::version(&mut fields, problems);
    let job = fields.require("job", "write `job: <name>`", problems).and_then(|entry| yaml::values::text(entry, problems));
    let owner = values::optional_text(fields.get("owner"), problems);
    let flink = fields.get("flink").map_or_else(|| Some(Flink::default()), |entry| read_flink(&entry.value, problems));
    let platform = flink.as_ref().map_or(Platform::default(), |flink| flink.platform);
    let major = flink.as_ref().and_then(|flink| flink.version.as_deref()).and_then(major_version);
    let max_downtime = values::optional_length(fields.get("max_downtime"), problems);
    let sources = source::read_all(&mut fields, problems);
    let known = operator::Known { sources: source::ids(root), uids: source::uids(root) };
    let operators = operator::read_all(&mut fields, &known, problems);
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

/// Records every item of `items` whose text stands above already.
fn refuse_twins<'a>(items: impl IntoIterator<Item = (&'a At<String>, &'a yaml::Place)>, what: &str, problems: &mut Problems<'_>) {
    let mut first = std::collections::BTreeMap::new();
    for (item, place) in items {
        if let Some(line) = first.get(item.value.as_str()) {
            problems.advise(
                place,
                format!("{what} {} stands twice, first on line {line}", quoted(&item.value)),
                "give each one a name of its own",
            );
        } else {
            first.insert(item.value.as_str(), item.position.line);
        }
    }
}
