//! `recovery:`.

use super::values as shared;
use crate::{
    manifest::{Checkpoints, OnCancel, Platform, Recovery, Restore, RestoreFrom, RestoreMode},
    units::Location,
    yaml::{Entry, Fields, Problems, nearest, quoted, values},
};

const ON_CANCEL: &[(&str, OnCancel)] = &[("retain", OnCancel::Retain), ("delete", OnCancel::Delete)];

const MODES: &[(&str, RestoreMode)] = &[("no-claim", RestoreMode::NoClaim), ("claim", RestoreMode::Claim), ("legacy", RestoreMode::Legacy)];

const FROM_WORDS: &[(&str, RestoreFrom)] = &[
    ("latest", RestoreFrom::Latest),
    ("savepoint", RestoreFrom::Savepoint),
    ("checkpoint", RestoreFrom::Checkpoint),
    ("last-state", RestoreFrom::LastState),
    ("none", RestoreFrom::None),
];

pub(super) fn read(entry: &Entry, platform: Platform, major: Option<u32>, problems: &mut Problems<'_>) -> Option<Recovery> {
    let mut fields = Fields::of(&entry.value, "`recovery`", problems)?;
    let checkpoints = match fields.get("checkpoints") {
        Some(entry) => Some(checkpoints(entry, platform, problems)?),
        None => None,
    };
    let savepoints = match fields.get("savepoints") {
        Some(entry) => values::items(entry, problems)
            .unwrap_or_default()
            .iter()
            .filter_map(|item| shared::location(item, "an item of `savepoints`", problems))
            .collect(),
        None => Vec::new(),
    };
    let high_availability = shared::optional_location(fields.get("high_availability"), problems);
    let changelog = shared::optional_location(fields.get("changelog"), problems);
    let restore = fields.get("restore").map_or_else(|| Some(Restore::default()), |entry| restore(entry, major, problems));
    fields.finish(problems);
    Some(Recovery { position: entry.place.position, checkpoints, savepoints, high_availability, changelog, restore: restore? })
}

fn checkpoints(entry: &Entry, platform: Platform, problems: &mut Problems<'_>) -> Option<Checkpoints> {
    let mut fields = Fields::of(&entry.value, "`checkpoints`", problems)?;
    let location = fields.get("location");
    if location.is_none() && platform != Platform::ManagedFlink {
        problems.advise(
            fields.place(),
            "`checkpoints` lacks `location`",
            "write the checkpoint directory, such as s3://bucket/checkpoints/, or jobmanager if none is configured",
        );
    }
    let location = location.and_then(|entry| match entry.value.text() {
        Some(text) if text.trim().eq_ignore_ascii_case("jobmanager") => Some(entry.value.at(Location::JobManager)),
        _ => shared::location(&entry.value, "`location`", problems),
    });
    let interval = shared::optional_positive(fields.get("interval"), problems);
    let incremental = fields.get("incremental").and_then(|entry| values::boolean(entry, problems));
    let on_cancel = fields.get("on_cancel").and_then(|entry| values::word(entry, ON_CANCEL, problems));
    fields.finish(problems);
    Some(Checkpoints { location, interval, incremental, on_cancel })
}

fn restore(entry: &Entry, major: Option<u32>, problems: &mut Problems<'_>) -> Option<Restore> {
    let mut fields = Fields::of(&entry.value, "`restore`", problems)?;
    let from_entry = fields.get("from");
    let from = from_entry.map_or_else(|| Some(RestoreFrom::default()), |entry| restore_from(entry, problems));
    let mode_entry = fields.get("mode");
    let mode = mode_entry.map_or_else(|| Some(RestoreMode::default()), |entry| values::word(entry, MODES, problems));
    if let (Some(entry), Some(RestoreMode::Legacy), Some(2..)) = (mode_entry, mode, major) {
        problems.advise(&entry.value.place, "Flink 2.x has no restore mode `legacy`", "write no-claim or claim");
    }
    let allow = fields.get("allow_non_restored_state").and_then(|entry| values::boolean(entry, problems)).unwrap_or_default();
    fields.finish(problems);
    Some(Restore {
        from: from?,
        mode: mode?,
        allow_non_restored_state: allow,
        position: from_entry.map(|entry| entry.value.place.position),
    })
}

fn restore_from(entry: &Entry, problems: &mut Problems<'_>) -> Option<RestoreFrom> {
    values::read(entry, problems, |text| {
        if let Some((_, from)) = FROM_WORDS.iter().find(|(word, _)| *word == text) {
            return Ok(from.clone());
        }
        match text.parse() {
            Ok(Location::JobManager) => {
                Err(("a job manager's memory cannot be restored from".to_owned(), "write a location, or checkpoint".to_owned()))
            }
            Ok(location) => Ok(RestoreFrom::Location(location)),
            Err(_) => {
                let words: Vec<&str> = FROM_WORDS.iter().map(|(word, _)| *word).collect();
                let near = nearest(text, &words).map_or_else(String::new, |near| format!("did you mean `{near}`? "));
                Err((
                    format!("{} is neither a word nor a location", quoted(text)),
                    format!("{near}One of {}, or a location such as s3://bucket/savepoint-x/", words.join(", ")),
                ))
            }
        }
    })
    .map(|at| at.value)
}
