//! What the buckets' rules will do to the objects of a snapshot that is there.

use std::collections::BTreeMap;

use super::{
    Rules,
    limit::{Limit, Times},
    outlook::Answer,
};
use crate::{
    analysis::{
        lifecycle::{Change, Doubt, Kind, Source, What},
        snapshots::{ObjectState, ObjectView, PlaceView, SnapshotKind, SnapshotView},
    },
    evidence::Unknown,
    units::{Instant, S3Location},
};

/// How many objects of a kind of change are named.
const NAMED: usize = 3;

/// What will happen to the objects of one snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotOutlook {
    /// Savepoint or checkpoint, as its place is declared.
    pub kind: SnapshotKind,
    /// Its folder.
    pub location: S3Location,
    /// The first change of any of its objects, whenever it is, certain or not.
    pub first: Option<Change>,
    /// Changes within the time that counts, by what happens and what does it.
    hits: Vec<Hits>,
    /// What is not known; without a kind it concerns all kinds.
    unknown: Vec<(Option<Kind>, Unknown)>,
}

/// Objects of a snapshot to which the same happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hits {
    /// What happens, on the earliest day.
    pub change: Change,
    /// The bucket that they lie in.
    pub bucket: String,
    /// The latest day on which it falls due for one of them.
    pub last: Instant,
    /// How many objects.
    pub objects: usize,
    /// The keys of the first few.
    pub named: Vec<String>,
    /// Until when a change of them counts.
    pub limit: Limit,
    /// How many of them a lock holds.
    pub locked: usize,
}

/// Changes that are told as one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    kind: Kind,
    source: Source,
    bucket: String,
    what: String,
    until: Instant,
}

impl SnapshotOutlook {
    pub(super) fn of(place: &PlaceView, snapshot: &SnapshotView, rules: &mut Rules<'_>, times: &Times) -> Self {
        let mut outlook =
            Self { kind: place.kind, location: snapshot.location.clone(), first: None, hits: Vec::new(), unknown: Vec::new() };
        let objects = match &snapshot.objects {
            Ok(objects) => objects,
            Err(unknown) => {
                outlook.unknown.push((None, unknown.clone()));
                return outlook;
            }
        };
        for unknown in snapshot.untold.keys() {
            outlook.note(None, unknown.clone());
        }
        let (own, all) = limits(place, snapshot, times);
        let folder = snapshot.location.prefix();
        let mut groups: BTreeMap<Group, Hits> = BTreeMap::new();
        for object in objects {
            let answer = match rules.fate(object) {
                Ok(answer) => answer,
                Err(unknown) => {
                    outlook.note(None, unknown);
                    continue;
                }
            };
            let is_own = object.bucket == snapshot.location.bucket() && object.key.starts_with(&folder);
            let limit = if is_own { &own } else { &all };
            for source in answer.fate.not_understood.iter().cloned() {
                outlook.note(None, Doubt::Status(source).unknown());
            }
            for unknown in answer.open {
                outlook.note(Some(Kind::Archived), unknown);
            }
            if let Some(first) = answer.fate.first_change()
                && outlook.first.as_ref().is_none_or(|known| first < known)
            {
                outlook.first = Some(first.clone());
            }
            outlook.judge(object, answer.fate.visible(), limit, times.as_of, &mut groups);
        }
        outlook.hits = groups.into_values().collect();
        outlook.hits.sort_by(|a, b| a.change.cmp(&b.change));
        outlook
    }

    fn note(&mut self, kind: Option<Kind>, unknown: Unknown) {
        if !self.unknown.iter().any(|(of, known)| *of == kind && *known == unknown) {
            self.unknown.push((kind, unknown));
        }
    }

    fn judge<'a>(
        &mut self,
        object: &ObjectView,
        changes: impl Iterator<Item = &'a Change>,
        limit: &Limit,
        as_of: Instant,
        groups: &mut BTreeMap<Group, Hits>,
    ) {
        // What cannot be read now is another rule's finding; how much deeper it sinks is no news.
        let sunk = !matches!(object.state, ObjectState::Readable | ObjectState::Unknown(_));
        for change in changes.filter(|change| !(sunk && change.what.kind() != Kind::Gone)) {
            let kind = change.what.kind();
            match limit.reaches(change.on) {
                Ok(false) => continue,
                Ok(true) if change.is_certain() => {}
                Ok(true) => {
                    for doubt in change.doubts() {
                        self.note(Some(kind), doubt.unknown());
                    }
                    continue;
                }
                Err(unknown) => {
                    self.note(Some(kind), unknown);
                    continue;
                }
            }
            let group =
                Group { kind, source: change.by.clone(), bucket: object.bucket.clone(), what: told(&change.what), until: limit.until };
            let hits = groups.entry(group).or_insert_with(|| Hits {
                change: change.clone(),
                bucket: object.bucket.clone(),
                last: change.on,
                objects: 0,
                named: Vec::new(),
                limit: limit.clone(),
                locked: 0,
            });
            if *change < hits.change {
                hits.change = change.clone();
            }
            hits.last = hits.last.max(change.on);
            hits.objects += 1;
            hits.locked += usize::from(object.lock.holds(as_of));
            if hits.named.len() < NAMED {
                hits.named.push(object.key.clone());
            }
        }
    }

    /// What will happen of one kind.
    #[must_use]
    pub fn of_kind(&self, kind: Kind) -> Answer<&Hits> {
        let hits = self.hits.iter().filter(|hits| hits.change.what.kind() == kind).collect();
        let mut unknown: Vec<Unknown> =
            self.unknown.iter().filter(|(of, _)| of.is_none_or(|of| of == kind)).map(|(_, unknown)| unknown.clone()).collect();
        unknown.sort();
        unknown.dedup();
        Answer { hits, unknown }
    }

    /// Why the first change is not known, or why another one may come sooner.
    #[must_use]
    pub fn open(&self) -> Option<&Unknown> {
        self.unknown.first().map(|(_, unknown)| unknown)
    }
}

/// Until when changes of the snapshot's own folder count, and of everything else that it needs.
fn limits(place: &PlaceView, snapshot: &SnapshotView, times: &Times) -> (Limit, Limit) {
    let all = times.horizon();
    match place.kind {
        SnapshotKind::Checkpoint if times.replaced(snapshot) && !place.pinned => (times.renewed(), all),
        SnapshotKind::Checkpoint | SnapshotKind::Savepoint => (all.clone(), all),
    }
}

/// What happens, without the day until which it can be undone.
fn told(what: &What) -> String {
    match what {
        What::Removed(_) => "removed".to_owned(),
        other => other.to_string(),
    }
}
