//! The S3 half of a [`World`]: what the job declares about its recovery, and what was seen of its buckets.
#![allow(dead_code, reason = "a builder that many tests share; which parts are used depends on the features that are built")]

use ttl_audit::{
    analysis::snapshots::SnapshotKind,
    evidence::{
        BucketEvidence, Expiration, Fact, Lifecycle, LifecycleRule, ObjectHead, PlaceEvidence, RuleFilter, SnapshotEvidence, Transition,
        Versioning, VersioningStatus, When,
    },
    finding::Finding,
    manifest::{At, Checkpoints, Position, Recovery, Restore, RestoreFrom},
    units::{Instant, Location, S3Location},
};

use crate::{
    scene::{Snapshot, at, bucket, place},
    world::World,
};

pub(crate) fn now() -> Instant {
    at("2026-09-15T00:00:00Z")
}

/// A job that keeps savepoints below `s3://b/sp/`, in an AWS bucket in which nothing is configured, and what lies there.
pub(crate) fn vault(snapshots: Vec<Snapshot>) -> World {
    World::at("2026-09-15T00:00:00Z").savepoints("s3://b/sp/", snapshots)
}

/// A savepoint `savepoint-<name>` below `s3://b/sp/`, taken on this day: a small `_metadata` and six state files of this class.
pub(crate) fn savepoint(name: &str, day: &str, class: &str) -> Snapshot {
    savepoint_at(name, at(day), class)
}

/// The same, taken at this instant.
pub(crate) fn savepoint_at(name: &str, taken: Instant, class: &str) -> Snapshot {
    Snapshot::new("b", &format!("sp/savepoint-{name}"), taken, 24_576).files(6, 1 << 26, class)
}

/// The location in one spelling.
pub(crate) fn s3(folder: &str) -> S3Location {
    match folder.parse() {
        Ok(Location::S3(location)) => location,
        other => panic!("{folder}: {other:?}"),
    }
}

/// HEAD answers with this class and what `change` adds.
pub(crate) fn head(class: &str, change: impl FnOnce(&mut ObjectHead)) -> Fact<ObjectHead> {
    let mut head = ObjectHead { storage_class: (class != "STANDARD").then(|| class.to_owned()), ..ObjectHead::default() };
    change(&mut head);
    Fact::seen(head, "b", "HeadObject", now())
}

/// An enabled rule on keys that begin with `prefix`.
pub(crate) fn rule(id: &str, prefix: &str) -> LifecycleRule {
    let filter = RuleFilter { prefix: Some(prefix.to_owned()), ..RuleFilter::default() };
    LifecycleRule { id: Some(id.to_owned()), filter, ..LifecycleRule::default() }
}

/// A rule that deletes after so many days.
pub(crate) fn expires(id: &str, prefix: &str, days: u32) -> LifecycleRule {
    LifecycleRule { expiration: Some(Expiration::Objects(When::Days(days))), ..rule(id, prefix) }
}

/// A rule that moves to a class after so many days.
pub(crate) fn moves(id: &str, prefix: &str, days: u32, class: &str) -> LifecycleRule {
    LifecycleRule { transitions: vec![Transition { when: When::Days(days), storage_class: class.to_owned() }], ..rule(id, prefix) }
}

/// The texts to paste of all ways out, one after another.
pub(crate) fn pasted(finding: &Finding) -> String {
    finding.remedy.iter().filter_map(|remedy| remedy.paste.as_deref()).collect::<Vec<_>>().join("\n")
}

impl World {
    /// A savepoint location and what lies there.
    pub(crate) fn savepoints(mut self, folder: &str, snapshots: Vec<Snapshot>) -> Self {
        let declared = self.declare(folder);
        self.recovery().savepoints.push(declared);
        self.lies_at(folder, snapshots)
    }

    /// The location of checkpoints and what lies there.
    pub(crate) fn checkpoints(mut self, folder: &str, snapshots: Vec<Snapshot>) -> Self {
        let location = self.declare(folder);
        self.recovery().checkpoints = Some(Checkpoints { location: Some(location), interval: None, incremental: None, on_cancel: None });
        self.lies_at(folder, snapshots)
    }

    /// A location with this snapshot, of checkpoints or of savepoints by its name.
    pub(crate) fn holds(self, folder: &str, snapshot: SnapshotEvidence) -> Self {
        let world = match SnapshotKind::of_folder(&snapshot.location) {
            SnapshotKind::Checkpoint => self.checkpoints(folder, Vec::new()),
            SnapshotKind::Savepoint => self.savepoints(folder, Vec::new()),
        };
        let at = world.now();
        world.at_place(folder, |place| place.snapshots = Fact::seen(vec![snapshot], "acme-flink", "ListObjectsV2", at))
    }

    /// `restore.from`.
    pub(crate) fn restored_from(mut self, from: RestoreFrom) -> Self {
        self.recovery().restore.from = from;
        self
    }

    /// Changes what was seen of a bucket.
    pub(crate) fn in_bucket(mut self, name: &str, change: impl FnOnce(&mut BucketEvidence)) -> Self {
        change(self.evidence.buckets.get_mut(name).expect("the bucket was seen"));
        self
    }

    /// The bucket's lifecycle rules; objects below 128 KiB are not moved.
    pub(crate) fn ruled(self, name: &str, rules: Vec<LifecycleRule>) -> Self {
        let lifecycle = Lifecycle { rules, transition_default_minimum_object_size: Some("all_storage_classes_128K".to_owned()) };
        let call = format!("GetBucketLifecycleConfiguration of {name}");
        self.in_bucket(name, |bucket| bucket.lifecycle = Fact::seen(lifecycle, name, call, now()))
    }

    /// The bucket is versioned.
    pub(crate) fn versioned(self, name: &str) -> Self {
        let versioning = Versioning { status: VersioningStatus::Enabled, mfa_delete: false };
        self.in_bucket(name, |bucket| bucket.versioning = Fact::seen(versioning, name, "GetBucketVersioning", now()))
    }

    /// What the audit file says of how long a job may be down.
    pub(crate) fn down_for(mut self, days: u64) -> Self {
        self.job.max_downtime = Some(ttl_audit::units::Millis::days(days));
        self
    }

    /// Whether checkpoints share files.
    pub(crate) fn incremental(mut self, incremental: bool) -> Self {
        self.recovery().checkpoints.as_mut().expect("checkpoints").incremental = Some(incremental);
        self
    }

    /// The place of high-availability files; nothing was seen there.
    pub(crate) fn highly_available(mut self, folder: &str) -> Self {
        let declared = self.declare(folder);
        self.recovery().high_availability = Some(declared);
        self.lies_at(folder, Vec::new())
    }

    /// The place of the changelog; nothing was seen there.
    pub(crate) fn logs_changes(mut self, folder: &str) -> Self {
        let declared = self.declare(folder);
        self.recovery().changelog = Some(declared);
        self.lies_at(folder, Vec::new())
    }

    /// Changes what was seen at a declared location.
    pub(crate) fn at_place(mut self, folder: &str, change: impl FnOnce(&mut PlaceEvidence)) -> Self {
        change(self.evidence.places.get_mut(&s3(folder)).expect("the place was seen"));
        self
    }

    /// The `recovery` block, which is there from now on.
    pub(crate) fn recovery(&mut self) -> &mut Recovery {
        self.job.recovery.get_or_insert_with(|| Recovery {
            position: Position { line: 10, column: 1 },
            checkpoints: None,
            savepoints: Vec::new(),
            high_availability: None,
            changelog: None,
            restore: Restore::default(),
        })
    }

    fn declare(&mut self, location: &str) -> At<Location> {
        let line = 12 + u32::try_from(self.recovery().savepoints.len()).expect("few places");
        At { value: location.parse().expect("a location"), position: Position { line, column: 16 } }
    }

    fn lies_at(self, folder: &str, snapshots: Vec<Snapshot>) -> Self {
        let Ok(Location::S3(location)) = folder.parse() else { return self };
        let name = location.bucket();
        let seen = self.evidence.buckets.get(name).cloned().unwrap_or_else(|| bucket(self.now(), name, "us-east-1"));
        let found = place(self.now(), name, location.key(), snapshots);
        self.bucket(name, seen).place(found)
    }
}
