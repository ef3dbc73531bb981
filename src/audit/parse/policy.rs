//! `policy:`.

use std::collections::BTreeMap;

use crate::{
    finding::Level,
    manifest::parse_length,
    policy::{ClassPolicy, FailOn, Policy},
    rules,
    yaml::{Entry, Fields, Node, Problems, nearest, quoted, values},
};

const FAIL_ON: &[(&str, FailOn)] =
    &[("error", FailOn::Error), ("warning", FailOn::Warning), ("note", FailOn::Note), ("never", FailOn::Never)];

const LEVELS: &[(&str, Level)] = &[("error", Level::Error), ("warning", Level::Warning), ("note", Level::Note), ("off", Level::Off)];

pub(super) fn read(node: &Node, problems: &mut Problems<'_>) -> Option<Policy> {
    let mut fields = Fields::of(node, "the policy", problems)?;
    let default = Policy::default();
    let mut length = |key, fields: &mut Fields<'_>| fields.get(key).and_then(|entry| parse_length(entry, problems)).map(|at| at.value);
    let safety_margin = length("safety_margin", &mut fields).unwrap_or(default.safety_margin);
    let max_downtime = length("max_downtime", &mut fields);
    let horizon = length("horizon", &mut fields).unwrap_or(default.horizon);
    let evidence_max_age = length("evidence_max_age", &mut fields).unwrap_or(default.evidence_max_age);
    let fail_on = fields.get("fail_on").and_then(|entry| values::word(entry, FAIL_ON, problems)).unwrap_or_default();
    let severity = fields.get("severity").map(|entry| levels(entry, "the rule", &rules::ids(), problems)).unwrap_or_default();
    let stated = fields.get("recovery_classes").map(|entry| levels(entry, "the storage class", CLASSES, problems)).unwrap_or_default();
    fields.finish(problems);
    Some(Policy { safety_margin, max_downtime, horizon, evidence_max_age, fail_on, severity, classes: ClassPolicy { stated } })
}

/// Storage classes that can be read at once. `GLACIER` and `DEEP_ARCHIVE` cannot: that is never a matter of policy.
pub(crate) const CLASSES: &[&str] = &[
    "STANDARD",
    "INTELLIGENT_TIERING",
    "STANDARD_IA",
    "ONEZONE_IA",
    "REDUCED_REDUNDANCY",
    "GLACIER_IR",
    "EXPRESS_ONEZONE",
    "OUTPOSTS",
    "SNOW",
    "FSX_OPENZFS",
    "FSX_ONTAP",
];

/// A map from a known name to a level.
fn levels(entry: &Entry, what: &str, known: &[&str], problems: &mut Problems<'_>) -> BTreeMap<String, Level> {
    let mut levels = BTreeMap::new();
    let Some(entries) = entry.value.entries() else {
        problems.advise(
            &entry.value.place,
            format!("`{}` must be a map, here is {}", entry.key, entry.value.kind()),
            "write `name: error`, warning, note or off",
        );
        return levels;
    };
    for named in entries {
        let name = named.key.as_str();
        if matches!(name, "GLACIER" | "DEEP_ARCHIVE") && entry.key == "recovery_classes" {
            problems.advise(
                &named.place,
                format!("{name} cannot be read at once, which no policy can allow"),
                "remove the key; the rule snapshot-unreadable judges it",
            );
        } else if !known.contains(&name) {
            let hint =
                nearest(name, known).map_or_else(|| format!("known: {}", known.join(", ")), |near| format!("did you mean `{near}`?"));
            problems.advise(&named.place, format!("{what} {} is not known", quoted(name)), hint);
        } else if let Some(level) = values::word(named, LEVELS, problems) {
            levels.insert(name.to_owned(), level);
        }
    }
    levels
}
