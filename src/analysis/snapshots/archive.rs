//! The places of S3 that an object cannot be read from without a restore.

use std::fmt;

/// Where an archived object lies. A GET answers 403 `InvalidObjectState` there until a restore has finished.
///
/// Source: *Understanding and managing Amazon S3 storage classes*, *Archive retrieval options*, `RestoreObject`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Archive {
    /// Class `GLACIER` (Glacier Flexible Retrieval).
    Glacier,
    /// Class `DEEP_ARCHIVE`.
    DeepArchive,
    /// Class `INTELLIGENT_TIERING`, in the Archive Access tier.
    ArchiveAccess,
    /// Class `INTELLIGENT_TIERING`, in the Deep Archive Access tier.
    DeepArchiveAccess,
    /// A class or tier by the name that a store other than AWS, or a newer AWS, gives it.
    Other(String),
}

impl Archive {
    /// The archive that a storage class of AWS is; `None` for classes that can be read, and for those that this version does not know.
    #[must_use]
    pub fn of_class(class: &str) -> Option<Self> {
        match class {
            "GLACIER" => Some(Self::Glacier),
            "DEEP_ARCHIVE" => Some(Self::DeepArchive),
            _ => None,
        }
    }

    /// The tier that `x-amz-archive-status` names.
    #[must_use]
    pub fn of_status(status: &str) -> Self {
        match status {
            "ARCHIVE_ACCESS" => Self::ArchiveAccess,
            "DEEP_ARCHIVE_ACCESS" => Self::DeepArchiveAccess,
            other => Self::Other(other.to_owned()),
        }
    }

    /// The tier as `x-amz-archive-status` names it; `None` for what is a class of its own.
    #[must_use]
    pub const fn status(&self) -> Option<&'static str> {
        match self {
            Self::ArchiveAccess => Some("ARCHIVE_ACCESS"),
            Self::DeepArchiveAccess => Some("DEEP_ARCHIVE_ACCESS"),
            Self::Glacier | Self::DeepArchive | Self::Other(_) => None,
        }
    }

    /// How long a restore takes, by retrieval tier. `None`: not known.
    #[must_use]
    pub const fn waits(&self) -> Option<&'static str> {
        match self {
            Self::Glacier | Self::ArchiveAccess => {
                Some("Expedited 1 to 5 minutes (longer for objects of 250 MB and more), Standard 3 to 5 hours, Bulk 5 to 12 hours")
            }
            Self::DeepArchive | Self::DeepArchiveAccess => Some("Standard within 12 hours, Bulk within 48 hours, no Expedited"),
            Self::Other(_) => None,
        }
    }

    /// Whether a restore moves the object back for good (Intelligent-Tiering) rather than making a copy that ends.
    #[must_use]
    pub const fn restores_for_good(&self) -> bool {
        matches!(self, Self::ArchiveAccess | Self::DeepArchiveAccess)
    }

    /// The class that a listing shows for it, where AWS's names hold.
    #[must_use]
    pub fn listed_class(&self) -> &str {
        match self {
            Self::Glacier => "GLACIER",
            Self::DeepArchive => "DEEP_ARCHIVE",
            Self::ArchiveAccess | Self::DeepArchiveAccess => "INTELLIGENT_TIERING",
            Self::Other(name) => name,
        }
    }
}

impl fmt::Display for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::ArchiveAccess => "INTELLIGENT_TIERING (Archive Access tier)",
            Self::DeepArchiveAccess => "INTELLIGENT_TIERING (Deep Archive Access tier)",
            other => other.listed_class(),
        })
    }
}
