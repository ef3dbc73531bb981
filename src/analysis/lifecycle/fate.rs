//! What a bucket's rules will do to an object.

use std::{fmt, sync::Arc};

use crate::{evidence::Unknown, units::Instant};

/// Everything that a bucket's rules will do to an object, in the order in which it falls due. What was due before as-of is in it too:
/// S3 acts some time after an action falls due.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fate {
    /// The changes, earliest first.
    pub changes: Vec<Change>,
    /// Rules that cover the object and cannot be evaluated, because their status is neither `Enabled` nor `Disabled`. What they would do
    /// is among the changes, as [`Certainty::May`].
    pub not_understood: Vec<Source>,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// The day on which it falls due, or the earliest one; see [`Timing`].
    pub on: Instant,
    /// What `on` means.
    pub timing: Timing,
    /// What happens.
    pub what: What,
    /// Which rule or configuration does it. Where several do the same on the same day, the first in the bucket's order.
    pub by: Source,
    /// Whether it will happen.
    pub certainty: Certainty,
    /// Whether it happens to a version that is no longer current, so that Flink cannot see it any more.
    pub noncurrent: bool,
}

/// What the day of a change means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Timing {
    /// It falls due on that midnight UTC; S3 acts some time after.
    Due,
    /// The object's age ends exactly at midnight: it falls due then or a day later, which S3 does not state.
    DueOrDayLater,
    /// Not before; later if the object is read (Intelligent-Tiering), or if what starts the clock happens later.
    Earliest,
}

/// What happens to an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// It is moved to another storage class.
    Moved {
        /// The class.
        class: Arc<str>,
        /// Whether it can be read there.
        reads: Reads,
    },
    /// Intelligent-Tiering moves it to an archive tier: readable only after a restore; its class stays the same.
    ArchiveTier {
        /// `ARCHIVE_ACCESS` or `DEEP_ARCHIVE_ACCESS`.
        tier: Arc<str>,
    },
    /// It is deleted.
    Removed(Removal),
}

/// How an object is read in a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reads {
    /// Without a restore.
    AtOnce,
    /// Only after a restore.
    AfterRestore,
    /// A class that this version does not know, or one of a store that is not AWS, where a class is only a name.
    NotKnown,
}

/// How an object is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Removal {
    /// For good.
    ForGood,
    /// It is hidden behind a delete marker: to Flink the file is missing. Removing the marker brings it back.
    Hidden {
        /// When a noncurrent rule deletes the hidden version for good, at the earliest; `None`: no rule does.
        recoverable_until: Option<Instant>,
    },
    /// Either: versioning is suspended, so it hangs on whether this is the null version, or the bucket's versioning is not known.
    ForGoodOrHidden,
}

/// What does a change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// A lifecycle rule.
    Rule {
        /// Its place in the bucket's configuration, from 0.
        index: usize,
        /// Its ID, or `number N` for one without.
        id: Arc<str>,
    },
    /// An Intelligent-Tiering configuration.
    Tiering {
        /// Its place in the bucket's list, from 0.
        index: usize,
        /// Its id.
        id: Arc<str>,
    },
}

/// Whether a change will happen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// It will, unless the configuration changes or the object goes first.
    Certain,
    /// It may; whether it does hangs on these (the first few of them).
    May(Vec<Doubt>),
}

/// What is not known about a change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// The rule or configuration filters by tag, and the object's tags are not known.
    Tags(Source),
    /// The rule's or configuration's status is neither `Enabled` nor `Disabled`.
    Status(Source),
    /// The object is smaller than 128 KiB, and the bucket did not say whether small objects move.
    Floor,
    /// It is not known whether rules move objects from the one class to the other.
    Move {
        /// From.
        from: Arc<str>,
        /// To.
        to: Arc<str>,
    },
    /// Several actions fall due on one day, and which one is taken is not known.
    SameDay,
    /// The access tier is none that this version knows.
    Tier(Arc<str>),
}

/// The kinds of change, as the rules of the audit tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Deleted or hidden.
    Gone,
    /// Readable only after a restore.
    Archived,
    /// In another class, in which it can be read, or of which nothing is known.
    Tiered,
}

impl Fate {
    /// The first change that Flink can notice, certain or not.
    #[must_use]
    pub fn first_change(&self) -> Option<&Change> {
        self.visible().next()
    }

    /// The first change of a kind that Flink can notice, certain or not.
    #[must_use]
    pub fn first(&self, kind: Kind) -> Option<&Change> {
        self.visible().find(|change| change.what.kind() == kind)
    }

    /// The changes of the version that Flink reads.
    pub fn visible(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| !change.noncurrent)
    }
}

impl Change {
    /// Whether it will happen for sure.
    #[must_use]
    pub const fn is_certain(&self) -> bool {
        matches!(self.certainty, Certainty::Certain)
    }

    /// The last day on which it can fall due, where that is known: a day after [`Change::on`] where S3 leaves the day open.
    #[must_use]
    pub fn on_at_the_latest(&self) -> Option<Instant> {
        match self.timing {
            Timing::Due => Some(self.on),
            Timing::DueOrDayLater => Some(self.on.plus(crate::units::Millis::DAY)),
            Timing::Earliest => None,
        }
    }

    /// `on 2026-10-15`, `at any moment (due since 2026-09-14)`: when it happens, as seen at `as_of`.
    #[must_use]
    pub fn when(&self, as_of: Instant) -> String {
        let day = self.on.day();
        match self.timing {
            _ if self.on <= as_of => format!("at any moment (due since {day})"),
            Timing::Due => format!("on {day}"),
            Timing::DueOrDayLater => format!("on {day} or a day later"),
            Timing::Earliest => format!("on {day} at the earliest"),
        }
    }

    /// Why it is not certain; empty if it is.
    #[must_use]
    pub fn doubts(&self) -> &[Doubt] {
        match &self.certainty {
            Certainty::Certain => &[],
            Certainty::May(doubts) => doubts,
        }
    }
}

impl What {
    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Removed(_) => Kind::Gone,
            Self::ArchiveTier { .. } | Self::Moved { reads: Reads::AfterRestore, .. } => Kind::Archived,
            Self::Moved { .. } => Kind::Tiered,
        }
    }
}

impl Source {
    /// The rule's or configuration's place in the bucket's list, from 0.
    #[must_use]
    pub const fn index(&self) -> usize {
        match self {
            Self::Rule { index, .. } | Self::Tiering { index, .. } => *index,
        }
    }

    /// Its name.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Rule { id, .. } | Self::Tiering { id, .. } => id,
        }
    }
}

impl Doubt {
    /// The question that stays open, and the call that would answer it.
    #[must_use]
    pub fn unknown(&self) -> Unknown {
        match self {
            Self::Tags(source) => Unknown::new(format!("{source} filters by tag, and the object's tags are not known"), "GetObjectTagging"),
            Self::Status(source) => Unknown::new(format!("{source} is not understood: its status is neither Enabled nor Disabled"), ""),
            Self::Floor => {
                Unknown::new("the bucket did not say whether objects smaller than 128 KiB are moved", "GetBucketLifecycleConfiguration")
            }
            Self::Move { from, to } => Unknown::new(format!("it is not known whether a rule moves objects from class {from} to {to}"), ""),
            Self::SameDay => Unknown::new("several actions fall due on one day, and which one is taken is not known", ""),
            Self::Tier(tier) => Unknown::new(format!("the access tier {tier} is not known to this version"), ""),
        }
    }
}

/// `rule expire-old`, `Intelligent-Tiering configuration archive`.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule { id, .. } => write!(f, "rule {id}"),
            Self::Tiering { id, .. } => write!(f, "Intelligent-Tiering configuration {id}"),
        }
    }
}

/// What happens, without day and rule: `moved to GLACIER (readable only after a restore)`.
impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moved { class, reads: Reads::AtOnce } => write!(f, "moved to {class} (still readable at once)"),
            Self::Moved { class, reads: Reads::AfterRestore } => write!(f, "moved to {class} (readable only after a restore)"),
            Self::Moved { class, reads: Reads::NotKnown } => {
                write!(f, "moved to {class} (whether that class is readable without a restore is not known)")
            }
            Self::ArchiveTier { tier } => write!(f, "moved to the {tier} tier of Intelligent-Tiering (readable only after a restore)"),
            Self::Removed(Removal::ForGood) => f.write_str("deleted for good"),
            Self::Removed(Removal::Hidden { recoverable_until: None }) => {
                f.write_str("hidden behind a delete marker: missing to Flink, and back once the marker is removed")
            }
            Self::Removed(Removal::Hidden { recoverable_until: Some(until) }) => write!(
                f,
                "hidden behind a delete marker: missing to Flink, and back once the marker is removed, until a rule for noncurrent \
                 versions deletes it for good, from {} on",
                until.day()
            ),
            Self::Removed(Removal::ForGoodOrHidden) => {
                f.write_str("deleted for good, or hidden behind a delete marker; the bucket's versioning does not tell which")
            }
        }
    }
}
