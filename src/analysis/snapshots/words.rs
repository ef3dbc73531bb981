//! Objects and snapshots as findings name them.

use std::collections::BTreeMap;

use super::{Archive, ObjectView, PlaceView, SnapshotView};
use crate::{
    finding::{Amount, Level, ShownFact},
    units::S3Location,
};

/// How many objects a finding names before it only counts.
const NAMED: usize = 3;

/// `7 objects`, `1 object`.
#[must_use]
pub fn counted(n: usize, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

/// `_metadata, state-1, state-2 and 4 more`: names below `folder` as they are there, others in full.
#[must_use]
pub fn named(objects: &[&ObjectView], folder: &S3Location) -> String {
    listed(objects.iter().map(|object| {
        let below = (object.bucket == folder.bucket()).then(|| object.key.strip_prefix(&folder.prefix())).flatten();
        below.map_or_else(|| object.uri(), str::to_owned)
    }))
}

/// The first few of some things, and how many more there are.
#[must_use]
pub fn listed(things: impl ExactSizeIterator<Item = String>) -> String {
    let more = things.len().saturating_sub(NAMED);
    let first: Vec<String> = things.take(NAMED).collect();
    let first = first.join(", ");
    if more > 0 { format!("{first} and {more} more") } else { first }
}

/// Objects by the archive that they lie in.
#[must_use]
pub fn by_archive<'a>(objects: &[(&'a ObjectView, &'a Archive)]) -> BTreeMap<&'a Archive, Vec<&'a ObjectView>> {
    let mut groups: BTreeMap<&Archive, Vec<&ObjectView>> = BTreeMap::new();
    for (object, archive) in objects {
        groups.entry(*archive).or_default().push(object);
    }
    groups
}

/// `The newest savepoint, s3://b/sp/x/,`, or `The savepoint s3://b/sp/x/` where that very one is declared.
#[must_use]
pub fn the(snapshot: &SnapshotView, place: &PlaceView) -> String {
    let kind = place.kind.word();
    if place.declared.value.s3() == Some(&snapshot.location) {
        format!("The {kind} {}", snapshot.location)
    } else {
        format!("The newest {kind}, {},", snapshot.location)
    }
}

/// What every finding about a snapshot shows: where it is, when it was taken, what it needs.
#[must_use]
pub fn facts(snapshot: &SnapshotView, origin: &str) -> Vec<ShownFact> {
    let mut facts = vec![
        ShownFact::new("snapshot", Amount::Text(snapshot.location.to_string()), origin),
        ShownFact::new("taken at", Amount::Instant(snapshot.taken_at), "last modified of _metadata"),
    ];
    if let Some((objects, bytes)) = snapshot.size() {
        facts.push(ShownFact::new("objects", Amount::Count(objects), origin));
        facts.push(ShownFact::new("bytes", Amount::Bytes(bytes), origin));
    }
    facts
}

/// What the policy says about recovery files in a class.
#[must_use]
pub fn policy(level: Level, class: &str) -> String {
    match level {
        Level::Error => format!("Policy: recovery files must not be in or move to {class}."),
        Level::Warning => format!("Policy: recovery files should not be in or move to {class}."),
        Level::Note | Level::Off => format!("Policy: recovery files are wanted in STANDARD; {class} is tolerated."),
    }
}
