//! A snapshot that is hit: some of its objects go.

use std::collections::BTreeSet;

use super::{Ground, capital};
use crate::{
    analysis::{
        lifecycle::{Source, What},
        places::Hits,
        snapshots::{PlaceView, SnapshotKind, SnapshotView, remedy, words},
    },
    finding::{Amount, Finding, Severity, ShownFact},
    units::S3Location,
};

/// The finding about a snapshot. `hits`: what is due for which of its objects, earliest first, and how loud each is. `None` without any.
#[must_use]
pub fn of_snapshot(
    ground: &Ground<'_>,
    place: &PlaceView,
    snapshot: &SnapshotView,
    policy: &str,
    fresh: crate::finding::Remedy,
    hits: &[(&Hits, Severity)],
) -> Option<Finding> {
    let (first, _) = hits.first()?;
    let total = snapshot.size().map_or_else(|| "the".to_owned(), |(objects, _)| format!("the {objects}"));
    let mut message = String::new();
    for (hit, _) in hits {
        message.push_str(&sentence(ground, snapshot, &total, hit));
    }
    if !policy.is_empty() {
        message.push_str(&format!(" {policy}"));
    }
    if place.kind == SnapshotKind::Checkpoint && hits.iter().any(|(hit, _)| hit.named.iter().any(|key| key.contains("/shared/"))) {
        message.push_str(
            " Files in `shared/` keep the day of their upload: they can be far older than the checkpoint that refers to them, and each later \
             checkpoint that refers to them loses them too.",
        );
    }
    let removed = hits.iter().find(|(hit, _)| matches!(hit.change.what, What::Removed(_)));
    if let Some((hit, _)) = removed {
        message.push_str(ground.against_deletion(&hit.bucket));
    }
    let mut facts = words::facts(snapshot, place.origin());
    facts.extend(ground.facts(&first.bucket, &first.change, &first.limit, "last modified of the oldest of these objects, and the rule"));
    let affected: usize = first.objects;
    facts.push(ShownFact::new("objects affected", Amount::Count(u64::try_from(affected).unwrap_or(u64::MAX)), place.origin()));
    let mut ways_out = Vec::new();
    let buckets: BTreeSet<&str> = hits.iter().map(|(hit, _)| hit.bucket.as_str()).collect();
    for bucket in buckets {
        let within: Vec<&&Hits> = hits.iter().map(|(hit, _)| hit).filter(|hit| hit.bucket == bucket).collect();
        let sources: BTreeSet<&Source> = within.iter().map(|hit| &hit.change.by).collect();
        let folders = within.iter().flat_map(|hit| &hit.named).filter_map(|key| key.rsplit_once('/'));
        ways_out.extend(ground.stop(bucket, &sources, folders.map(|(folder, _)| format!("{folder}/")).collect()));
    }
    ways_out.push(fresh);
    // Files in `shared/` lie elsewhere, and a younger checkpoint would not take up their copies.
    if removed.is_some() && place.kind == SnapshotKind::Savepoint {
        ways_out.push(remedy::copy_to_standard(snapshot, false));
    }
    Some(Finding {
        severity: hits.iter().map(|(_, severity)| *severity).max()?,
        message: message.trim_start().to_owned(),
        facts,
        bites_on: Some(first.change.on),
        remedy: ways_out,
        position: place.declared.position,
    })
}

/// `On 2026-10-15, by rule x (every key), 8 of the 9 objects of s3://… (a, b, c and 5 more) are moved to …`.
fn sentence(ground: &Ground<'_>, snapshot: &SnapshotView, total: &str, hit: &Hits) -> String {
    let named = named(&hit.named, &hit.bucket, &snapshot.location);
    let more = hit.objects.saturating_sub(hit.named.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let last = if hit.last > hit.change.on { format!(" (the last of them on {})", hit.last.day()) } else { String::new() };
    let mut sentence = format!(
        " {}{last}, by {}, {} of {total} objects of {} ({named}{more}) {} {}.",
        capital(&hit.change.when(ground.as_of)),
        ground.source(&hit.bucket, &hit.change.by),
        hit.objects,
        snapshot.location,
        if hit.objects == 1 { "is" } else { "are" },
        hit.change.what
    );
    if hit.locked > 0 {
        sentence.push_str(&format!(" {} of these versions {} locked.", hit.locked, if hit.locked == 1 { "is" } else { "are" }));
    }
    sentence
}

fn named(keys: &[String], bucket: &str, folder: &S3Location) -> String {
    let prefix = folder.prefix();
    let names = keys.iter().map(|key| match key.strip_prefix(&prefix) {
        Some(below) if bucket == folder.bucket() => below.to_owned(),
        _ => format!("s3://{bucket}/{key}"),
    });
    names.collect::<Vec<_>>().join(", ")
}
