//! What a bucket's rules will do to files that Flink writes to a place at as-of.

use super::{
    Rules,
    declared::{Declared, Part},
    limit::Limit,
};
use crate::{
    analysis::{
        lifecycle::{Doubt, Kind, PlaceChange, PlaceFate},
        snapshots::unsupported,
    },
    evidence::Unknown,
    finding::Subject,
    manifest::At,
    units::{Instant, Location},
};

/// What is declared to lie at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlaceKind {
    /// Savepoints.
    Savepoint,
    /// Checkpoints, with `shared/` and `taskowned/`.
    Checkpoint,
    /// Job graphs, jars and pointers to checkpoints.
    HighAvailability,
    /// The changelog backend's files.
    Changelog,
}

impl PlaceKind {
    /// `savepoint`, `checkpoint`, `high-availability` or `changelog`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Savepoint => "savepoint",
            Self::Checkpoint => "checkpoint",
            Self::HighAvailability => "high-availability",
            Self::Changelog => "changelog",
        }
    }
}

/// Files that are needed for the same reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Files {
    /// Everything of a savepoint.
    Savepoints,
    /// A checkpoint's own folder `chk-<n>`, which the next checkpoint replaces.
    Exclusive,
    /// `shared/`: needed for as long as any checkpoint refers to a file.
    Shared,
    /// `taskowned/`: likewise.
    TaskOwned,
    /// High availability.
    HighAvailability,
    /// The changelog.
    Changelog,
}

/// A declared place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceOutlook {
    /// What is declared to lie there.
    pub kind: PlaceKind,
    /// The location, and where the manifest declares it.
    pub declared: At<Location>,
    /// What happens to which files. An error: it is not known what the bucket's rules do.
    pub parts: Result<Vec<PartOutlook>, Unknown>,
}

/// Files of a place, and what happens to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartOutlook {
    /// Which.
    pub files: Files,
    /// How their keys begin.
    pub prefix: String,
    /// When the oldest of those that were seen there was last modified. `None`: it is about files that are written there now.
    pub seen: Option<Instant>,
    /// Until when a change matters.
    pub limit: Limit,
    /// What happens.
    pub fate: PlaceFate,
    /// What else could matter and is not known: Intelligent-Tiering configurations, where a rule leads into that class.
    pub open: Vec<Unknown>,
}

/// What there is to say about one kind of change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer<T> {
    /// What will happen within the time that counts, earliest first.
    pub hits: Vec<T>,
    /// What is not known; each once.
    pub unknown: Vec<Unknown>,
}

/// A change of files that Flink writes to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceHit<'a> {
    /// Of which files.
    pub part: &'a PartOutlook,
    /// The change, and the sizes that it concerns.
    pub change: &'a PlaceChange,
}

impl Declared {
    pub(super) fn outlook(self, rules: &mut Rules<'_>, as_of: Instant) -> PlaceOutlook {
        let Self { kind, at, parts } = self;
        let oldest = at.value.s3().and_then(|location| rules.evidence.places.get(location)?.files.shown()?.oldest);
        let judged = match &at.value {
            Location::S3(location) => rules.of(location.bucket()).map(|(rules, _)| {
                let judge = |Part { files, prefix, limit }, seen: Option<Instant>| {
                    let answer = rules.place(&prefix, seen.unwrap_or(as_of));
                    PartOutlook { files, prefix, seen, limit, fate: answer.fate, open: answer.open }
                };
                // The job graph is written once, at submission: what lies there is what a failover needs.
                let seen = oldest.filter(|oldest| kind == PlaceKind::HighAvailability && *oldest < as_of);
                let old = seen.map(|seen| parts.iter().map(|part| judge(part.clone(), Some(seen))).collect::<Vec<_>>());
                parts.into_iter().map(|part| judge(part, None)).chain(old.into_iter().flatten()).collect()
            }),
            // Nothing is written to a bucket: `checkpoint-not-durable` speaks of it.
            Location::JobManager => Ok(Vec::new()),
            Location::Unsupported { scheme, .. } => {
                let what = match kind {
                    PlaceKind::Savepoint | PlaceKind::Checkpoint => "snapshots",
                    PlaceKind::HighAvailability | PlaceKind::Changelog => "files",
                };
                Err(unsupported(what, scheme))
            }
        };
        PlaceOutlook { kind, declared: at, parts: judged }
    }
}

impl PlaceOutlook {
    /// The place as the subject of a finding, beside the snapshots that lie there.
    #[must_use]
    pub fn subject(&self) -> Subject {
        Subject::of_location(&self.declared.value, &format!("{} place", self.kind.word()))
    }

    /// What will happen of one kind.
    ///
    /// # Errors
    ///
    /// Why nothing is known about the place.
    pub fn of_kind(&self, kind: Kind) -> Result<Answer<PlaceHit<'_>>, Unknown> {
        let mut answer = Answer { hits: Vec::new(), unknown: Vec::new() };
        for part in self.parts.as_ref().map_err(Unknown::clone)? {
            part.of_kind(kind, &mut answer);
        }
        answer.hits.sort_by_key(|hit| (hit.change.change.on, hit.part.files));
        answer.unknown.sort();
        answer.unknown.dedup();
        Ok(answer)
    }

    /// Why the first change is not known, or why another one may come sooner.
    #[must_use]
    pub fn open(&self) -> Option<&Unknown> {
        match &self.parts {
            Ok(parts) => parts.iter().flat_map(|part| &part.open).next(),
            Err(unknown) => Some(unknown),
        }
    }

    /// The first change of files that are written there now, of each part, whenever it is.
    pub fn first_changes(&self) -> impl Iterator<Item = PlaceHit<'_>> {
        self.parts.iter().flatten().filter(|part| part.seen.is_none()).filter_map(|part| {
            let change = part.fate.changes.iter().find(|one| !one.change.noncurrent)?;
            Some(PlaceHit { part, change })
        })
    }
}

impl PartOutlook {
    fn of_kind<'a>(&'a self, kind: Kind, answer: &mut Answer<PlaceHit<'a>>) {
        let visible = |one: &&'a PlaceChange| !one.change.noncurrent && one.change.what.kind() == kind;
        for one in self.fate.changes.iter().filter(visible) {
            match self.limit.reaches(one.change.on) {
                Ok(true) if one.change.is_certain() => answer.hits.push(PlaceHit { part: self, change: one }),
                Ok(true) => answer.unknown.extend(one.change.doubts().iter().map(Doubt::unknown)),
                Ok(false) => {}
                Err(unknown) => answer.unknown.push(unknown),
            }
        }
        for part in self.fate.parts.iter().filter(|part| self.may_hold(&part.prefix)) {
            let new = part.changes.iter().filter(visible).filter(|one| !self.fate.changes.contains(one));
            for one in new.filter(|one| self.limit.reaches(one.change.on) != Ok(false)) {
                answer.unknown.push(Unknown::new(
                    format!(
                        "{} acts on keys that begin with {}, a part of what this job may write there; whether it does is not known",
                        one.change.by, part.prefix
                    ),
                    "",
                ));
            }
        }
        answer.unknown.extend(self.fate.not_understood.iter().cloned().map(|source| Doubt::Status(source).unknown()));
        if let Some(prefix) = self.fate.not_looked_into.first() {
            answer.unknown.push(Unknown::new(
                format!("the bucket has too many rules for parts of one place to look into all of them; {prefix} is the first left out"),
                "",
            ));
        }
        if kind == Kind::Archived {
            answer.unknown.extend(self.open.iter().cloned());
        }
    }

    /// Whether files to come can have this longer prefix. A savepoint's name ends in random digits: a prefix that goes on after
    /// `savepoint-<6 digits>-` is about one that is there already.
    fn may_hold(&self, prefix: &str) -> bool {
        let rest = prefix.strip_prefix(&self.prefix).unwrap_or(prefix);
        self.files != Files::Savepoints || !self.prefix.ends_with("savepoint-") || rest.len() <= "1a2b3c-".len()
    }
}
