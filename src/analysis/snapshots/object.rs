//! Whether one object can be read now. Where the list of objects came from does not matter here.

use std::collections::BTreeMap;

use super::Archive;
use crate::{
    analysis::lifecycle::{FLOOR, Lock, Object, Tags, Version},
    evidence::{Fact, HeadExpiration, ObjectEvidence, ObjectHead, Restore, StoreKind, Unknown},
    units::{Bytes, Instant},
};

/// Below this size Intelligent-Tiering does not monitor an object: it stays in Frequent Access and is never archived. The same floor
/// holds for transitions by default. (*How S3 Intelligent-Tiering works*.)
pub const TIERING_FLOOR: Bytes = Bytes(FLOOR);

/// One object that a snapshot needs, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectView {
    /// Its bucket; objects of one snapshot can lie in several.
    pub bucket: String,
    /// The whole key.
    pub key: String,
    /// Its size.
    pub size: Bytes,
    /// When it was last modified.
    pub last_modified: Instant,
    /// Its class: HEAD's word where it was asked, else the listing's. `None`: neither gave one.
    pub class: Option<String>,
    /// Its tags, none included. `None`: not known.
    pub tags: Option<BTreeMap<String, String>>,
    /// What holds back its deletion, as far as HEAD was asked.
    pub lock: Lock,
    /// Whether it can be read.
    pub state: ObjectState,
    /// When and by which rule S3 itself says that it expires (`x-amz-expiration`); `Ok(None)`: HEAD was asked and said nothing.
    pub expires: Result<Option<HeadExpiration>, Unknown>,
}

/// Whether an object can be read now, at as-of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectState {
    /// A GET answers at once.
    Readable,
    /// A temporary copy answers until then.
    RestoredUntil(Instant),
    /// A GET is refused until a restore has finished.
    Archived {
        /// Where it lies.
        archive: Archive,
        /// When an earlier restored copy ended, if evidence tells.
        ended: Option<Instant>,
    },
    /// A restore was asked for and has not finished.
    Restoring(Archive),
    /// It cannot be told.
    Unknown(Unknown),
}

impl ObjectView {
    /// Judges `object` in `bucket`, whose store is of this kind, at `as_of`.
    #[must_use]
    pub fn of(store: StoreKind, bucket: &str, object: &ObjectEvidence, as_of: Instant) -> Self {
        let class = class(store, object);
        let state = match store {
            StoreKind::Aws => on_aws(bucket, class.as_deref(), object, as_of),
            StoreKind::Other => elsewhere(bucket, class.as_deref(), object, as_of),
        };
        Self {
            bucket: bucket.to_owned(),
            key: object.key.clone(),
            size: object.size,
            last_modified: object.last_modified,
            class,
            tags: object.tags.known_or_absent().ok().map(|tags| tags.map(|seen| seen.value.clone()).unwrap_or_default()),
            lock: object.head.shown().map_or_else(Lock::default, Lock::shown),
            state,
            expires: object.head.known().map(|head| head.value.expiration.clone()),
        }
    }

    /// The object as the simulator of bucket rules looks at it.
    #[must_use]
    pub fn to_rules(&self) -> Object<'_> {
        Object {
            key: &self.key,
            size: self.size,
            class: self.class.as_deref(),
            last_modified: self.last_modified,
            tags: self.tags.as_ref().map_or(Tags::NotKnown, Tags::Known),
            version: Version::Current,
            archive_tier: match &self.state {
                ObjectState::Archived { archive, .. } | ObjectState::Restoring(archive) => archive.status(),
                _ => None,
            },
            lock: self.lock,
        }
    }

    /// `s3://bucket/key`.
    #[must_use]
    pub fn uri(&self) -> String {
        format!("s3://{}/{}", self.bucket, self.key)
    }
}

/// HEAD's class where HEAD answered, else the listing's. On AWS a HEAD without the header means `STANDARD`.
fn class(store: StoreKind, object: &ObjectEvidence) -> Option<String> {
    match (store, object.head.shown()) {
        (StoreKind::Aws, Some(head)) => Some(head.storage_class.clone().unwrap_or_else(|| "STANDARD".to_owned())),
        (_, Some(ObjectHead { storage_class: Some(class), .. })) => Some(class.clone()),
        _ => object.storage_class.clone(),
    }
}

fn on_aws(bucket: &str, class: Option<&str>, object: &ObjectEvidence, as_of: Instant) -> ObjectState {
    if let Some(moving) = moving(bucket, &object.head) {
        return ObjectState::Unknown(moving);
    }
    match class {
        Some("INTELLIGENT_TIERING") if object.size < TIERING_FLOOR => ObjectState::Readable,
        Some("INTELLIGENT_TIERING") => with_head(bucket, &object.head, |head| match &head.archive_status {
            Some(status) if head.restore == Some(Restore::Ongoing) => ObjectState::Restoring(Archive::of_status(status)),
            Some(status) => ObjectState::Archived { archive: Archive::of_status(status), ended: None },
            None => ObjectState::Readable,
        }),
        Some(
            "STANDARD" | "REDUCED_REDUNDANCY" | "STANDARD_IA" | "ONEZONE_IA" | "GLACIER_IR" | "EXPRESS_ONEZONE" | "OUTPOSTS" | "SNOW"
            | "FSX_OPENZFS" | "FSX_ONTAP",
        ) => ObjectState::Readable,
        Some(class) => match Archive::of_class(class) {
            Some(archive) => with_head(bucket, &object.head, |head| restorable(archive, head.restore.as_ref(), as_of)),
            None => ObjectState::Unknown(Unknown::new(
                format!("this version does not know the storage class {class}, so it cannot tell whether it reads at once"),
                "GetObject",
            )),
        },
        None => ObjectState::Unknown(Unknown::new(format!("the listing of bucket {bucket} gives no storage class"), "HeadObject")),
    }
}

/// An object of class `GLACIER` or `DEEP_ARCHIVE`: its class stays what it is while a restored copy can be read.
fn restorable(archive: Archive, restore: Option<&Restore>, as_of: Instant) -> ObjectState {
    match restore {
        None => ObjectState::Archived { archive, ended: None },
        Some(Restore::Ongoing) => ObjectState::Restoring(archive),
        Some(Restore::Until(until)) if *until > as_of => ObjectState::RestoredUntil(*until),
        Some(Restore::Until(until)) => ObjectState::Archived { archive, ended: Some(*until) },
        Some(Restore::ForGood) => ObjectState::Unknown(Unknown::new(
            format!("x-amz-restore of an object in {archive} says that a restore has finished, but not until when the copy lasts"),
            "HeadObject",
        )),
    }
}

/// On a store that is not AWS a class is only a name: what counts is that HEAD answers, and what it says about a restore. A HEAD that is
/// refused (403) can mean "archived" as well as "forbidden"; the collector says so, and it is never "missing".
fn elsewhere(bucket: &str, class: Option<&str>, object: &ObjectEvidence, as_of: Instant) -> ObjectState {
    match &object.head {
        Fact::Seen(head) => {
            let archive = || Archive::Other(class.unwrap_or("an archive").to_owned());
            match &head.value.restore {
                Some(Restore::Ongoing) => ObjectState::Restoring(archive()),
                Some(Restore::Until(until)) if *until > as_of => ObjectState::RestoredUntil(*until),
                Some(Restore::Until(until)) => ObjectState::Unknown(Unknown::new(
                    format!("x-amz-restore names a restored copy that ended at {}; what the store does then is not known", until.minute()),
                    "HeadObject",
                )),
                Some(Restore::ForGood) | None => match &head.value.archive_status {
                    Some(status) => ObjectState::Archived { archive: Archive::of_status(status), ended: None },
                    None => ObjectState::Readable,
                },
            }
        }
        // The plain class, or a store that knows no classes: a listed object is an object that can be read.
        Fact::NotAsked(_) if matches!(class, None | Some("STANDARD")) => ObjectState::Readable,
        head => moving(bucket, head).map_or_else(|| with_head(bucket, head, |_| ObjectState::Readable), ObjectState::Unknown),
    }
}

/// What HEAD says, or the reason why it says nothing. The call names no key: one cause is one entry in the report.
fn with_head(bucket: &str, head: &Fact<ObjectHead>, judge: impl FnOnce(&ObjectHead) -> ObjectState) -> ObjectState {
    match head.known() {
        Ok(seen) => judge(&seen.value),
        Err(unknown) => ObjectState::Unknown(Unknown::new(unknown.reason, head_call(bucket))),
    }
}

fn head_call(bucket: &str) -> String {
    format!("HeadObject in bucket {bucket}")
}

/// Listed, and then not there: somebody deletes while we look.
fn moving(bucket: &str, head: &Fact<ObjectHead>) -> Option<Unknown> {
    match head {
        Fact::Absent(gap) => Some(Unknown::new(format!("moving: {}", gap.reason), head_call(bucket))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Instant {
        text.parse().expect("an instant")
    }

    fn object(class: Option<&str>, size: u64, head: Fact<ObjectHead>) -> ObjectEvidence {
        ObjectEvidence {
            key: "sp/state".to_owned(),
            size: Bytes(size),
            last_modified: at("2026-08-14"),
            storage_class: class.map(str::to_owned),
            head,
            tags: Fact::<BTreeMap<String, String>>::not_asked("no rule filters by tag", "GetObjectTagging"),
        }
    }

    fn head(head: ObjectHead) -> Fact<ObjectHead> {
        Fact::seen(head, "b", "HeadObject", at("2026-09-15"))
    }

    fn state(store: StoreKind, object: &ObjectEvidence) -> ObjectState {
        ObjectView::of(store, "b", object, at("2026-09-15")).state
    }

    fn not_asked() -> Fact<ObjectHead> {
        Fact::not_asked("no need", "HeadObject")
    }

    #[test]
    fn classes_that_read_at_once_need_no_head() {
        for class in ["STANDARD", "STANDARD_IA", "ONEZONE_IA", "GLACIER_IR", "REDUCED_REDUNDANCY", "EXPRESS_ONEZONE", "SNOW"] {
            assert_eq!(state(StoreKind::Aws, &object(Some(class), 1 << 20, not_asked())), ObjectState::Readable, "{class}");
        }
        assert!(matches!(state(StoreKind::Aws, &object(None, 1, not_asked())), ObjectState::Unknown(_)));
        assert!(matches!(state(StoreKind::Aws, &object(Some("AWS_BACKUP_WARM"), 1, head(ObjectHead::default()))), ObjectState::Readable));
        let kept = ObjectHead { storage_class: Some("AWS_BACKUP_WARM".to_owned()), ..ObjectHead::default() };
        assert!(matches!(state(StoreKind::Aws, &object(Some("AWS_BACKUP_WARM"), 1, head(kept))), ObjectState::Unknown(_)));
    }

    #[test]
    fn only_head_tells_whether_an_archived_object_has_a_restored_copy() {
        let glacier = |restore| head(ObjectHead { storage_class: Some("GLACIER".to_owned()), restore, ..ObjectHead::default() });
        let judged = |restore| state(StoreKind::Aws, &object(Some("GLACIER"), 9, glacier(restore)));
        assert_eq!(judged(None), ObjectState::Archived { archive: Archive::Glacier, ended: None });
        assert_eq!(judged(Some(Restore::Ongoing)), ObjectState::Restoring(Archive::Glacier));
        let ahead = at("2026-09-20");
        assert_eq!(judged(Some(Restore::Until(ahead))), ObjectState::RestoredUntil(ahead));
        let past = at("2026-09-15");
        assert_eq!(judged(Some(Restore::Until(past))), ObjectState::Archived { archive: Archive::Glacier, ended: Some(past) });
        assert!(matches!(judged(Some(Restore::ForGood)), ObjectState::Unknown(_)));
        assert!(matches!(state(StoreKind::Aws, &object(Some("DEEP_ARCHIVE"), 9, not_asked())), ObjectState::Unknown(_)));
    }

    #[test]
    fn intelligent_tiering_is_told_by_head_and_by_size() {
        let tiered = |size, archive_status: Option<&str>, restore| {
            let head = head(ObjectHead {
                storage_class: Some("INTELLIGENT_TIERING".to_owned()),
                archive_status: archive_status.map(str::to_owned),
                restore,
                ..ObjectHead::default()
            });
            state(StoreKind::Aws, &object(Some("INTELLIGENT_TIERING"), size, head))
        };
        assert_eq!(tiered(131_072, None, None), ObjectState::Readable);
        assert_eq!(
            tiered(131_072, Some("DEEP_ARCHIVE_ACCESS"), None),
            ObjectState::Archived { archive: Archive::DeepArchiveAccess, ended: None }
        );
        assert_eq!(tiered(131_072, Some("ARCHIVE_ACCESS"), Some(Restore::Ongoing)), ObjectState::Restoring(Archive::ArchiveAccess));
        let listed = |size| state(StoreKind::Aws, &object(Some("INTELLIGENT_TIERING"), size, not_asked()));
        assert_eq!(listed(131_071), ObjectState::Readable);
        assert!(matches!(listed(131_072), ObjectState::Unknown(_)));
    }

    #[test]
    fn elsewhere_a_class_is_only_a_name() {
        let kept = || head(ObjectHead { storage_class: Some("GLACIER".to_owned()), ..ObjectHead::default() });
        assert_eq!(state(StoreKind::Other, &object(Some("GLACIER"), 9, kept())), ObjectState::Readable);
        assert_eq!(state(StoreKind::Other, &object(None, 9, not_asked())), ObjectState::Readable);
        assert!(matches!(state(StoreKind::Other, &object(Some("GLACIER"), 9, not_asked())), ObjectState::Unknown(_)));
        let ObjectState::Unknown(unknown) = state(StoreKind::Other, &object(None, 9, Fact::denied("archived or forbidden", "HeadObject")))
        else {
            panic!("a refused HEAD must be unknown")
        };
        assert_eq!(unknown, Unknown::new("denied: archived or forbidden", "HeadObject in bucket b"));
    }

    #[test]
    fn an_object_that_vanishes_meanwhile_is_unknown_not_missing() {
        let ObjectState::Unknown(unknown) =
            state(StoreKind::Aws, &object(Some("STANDARD"), 9, Fact::absent("gone since it was listed", "HeadObject")))
        else {
            panic!("must be unknown")
        };
        assert!(unknown.reason.starts_with("moving"), "{}", unknown.reason);
    }
}
