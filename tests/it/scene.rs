//! Evidence as a collector would write it, built in a few words: topics with a steady rate of records, buckets, snapshots.

use std::collections::BTreeMap;

use ttl_audit::{
    evidence::{
        BucketEvidence, ClusterEvidence, Fact, GroupOffsets, ObjectEvidence, ObjectHead, Offset, Offsets, PerPartition, PlaceEvidence,
        Sample, Setting, SettingSource, Settings, SnapshotEvidence, SnapshotMetadata, Store, StoreKind, Synonym, TopicEvidence, Versioning,
        VersioningStatus,
    },
    savepoint::{
        OperatorId, SnapshotKind,
        summary::{OperatorSummary, PositionSummary},
    },
    units::{Bytes, Instant, Millis, S3Location},
};

pub(crate) fn at(text: &str) -> Instant {
    text.parse().expect("an instant")
}

/// A topic whose records arrive at a steady rate, the same in every partition.
#[derive(Clone)]
pub(crate) struct Topic {
    pub(crate) settings: Settings,
    captured_at: Instant,
    partitions: i32,
    /// Records a day in one partition.
    rate: u64,
    /// The offset of the first readable record.
    start: i64,
    first_record: Instant,
    largest: Option<i64>,
    first_timestamp: Option<i64>,
    instants: Vec<Instant>,
    by: String,
}

pub(crate) fn setting(name: &str, value: &str, source: SettingSource, broker: Option<(&str, &str)>) -> (String, Setting) {
    let mut synonyms = vec![Synonym { name: name.to_owned(), value: Some(value.to_owned()), source }];
    if source == SettingSource::Topic {
        synonyms.extend(broker.map(|(name, value)| Synonym {
            name: name.to_owned(),
            value: Some(value.to_owned()),
            source: SettingSource::Default,
        }));
    } else if let (Some((name, value)), Some(first)) = (broker, synonyms.first_mut()) {
        name.clone_into(&mut first.name);
        first.value = Some(value.to_owned());
    }
    (name.to_owned(), Setting { value: Some(value.to_owned()), source, synonyms })
}

impl Topic {
    /// A topic with Apache Kafka 4's defaults whose first readable record is stamped `first_record`, with `rate` records a day in each
    /// of its partitions.
    pub(crate) fn new(captured_at: Instant, first_record: Instant, partitions: i32, rate: u64) -> Self {
        use SettingSource::Default;
        let settings = [
            setting("cleanup.policy", "delete", Default, Some(("log.cleanup.policy", "delete"))),
            setting("retention.ms", "604800000", Default, Some(("log.retention.hours", "168"))),
            setting("retention.bytes", "-1", Default, Some(("log.retention.bytes", "-1"))),
            setting("segment.ms", "604800000", Default, Some(("log.roll.hours", "168"))),
            setting("segment.jitter.ms", "0", Default, Some(("log.roll.jitter.hours", "0"))),
            setting("segment.bytes", "1073741824", Default, Some(("log.segment.bytes", "1073741824"))),
            setting(
                "max.compaction.lag.ms",
                "9223372036854775807",
                Default,
                Some(("log.cleaner.max.compaction.lag.ms", "9223372036854775807")),
            ),
            setting("message.timestamp.type", "CreateTime", Default, Some(("log.message.timestamp.type", "CreateTime"))),
            setting("message.timestamp.after.max.ms", "3600000", Default, Some(("log.message.timestamp.after.max.ms", "3600000"))),
            setting(
                "message.timestamp.before.max.ms",
                "9223372036854775807",
                Default,
                Some(("log.message.timestamp.before.max.ms", "9223372036854775807")),
            ),
            setting("remote.storage.enable", "false", Default, None),
        ];
        Self {
            settings: settings.into_iter().collect(),
            captured_at,
            partitions,
            rate,
            start: 0,
            first_record,
            largest: None,
            first_timestamp: None,
            instants: Vec::new(),
            by: "broker 1".to_owned(),
        }
    }

    /// Sets `name` on the topic itself.
    #[expect(clippy::needless_pass_by_value, reason = "numbers and words are written at the call as they are")]
    pub(crate) fn set(mut self, name: &str, value: impl ToString) -> Self {
        let default = self.settings.get(name).and_then(|s| s.synonyms.first().cloned());
        let broker = default.as_ref().and_then(|s| s.value.as_deref().map(|value| (s.name.as_str(), value)));
        let (name, setting) = setting(name, &value.to_string(), SettingSource::Topic, broker);
        self.settings.insert(name, setting);
        self
    }

    /// Sets a length on the topic itself.
    pub(crate) fn set_length(self, name: &str, length: Millis) -> Self {
        self.set(name, length.as_ms())
    }

    /// The offset of the first readable record.
    pub(crate) const fn starting_at(mut self, offset: i64) -> Self {
        self.start = offset;
        self
    }

    /// The first record's timestamp as it is stored, nonsense or not.
    pub(crate) const fn first_timestamp(mut self, ms: i64) -> Self {
        self.first_timestamp = Some(ms);
        self
    }

    /// The largest timestamp as it is stored.
    pub(crate) const fn largest_timestamp(mut self, ms: i64) -> Self {
        self.largest = Some(ms);
        self
    }

    /// Samples at as-of − TTL for this instant too.
    pub(crate) fn sampled_at(mut self, at: Instant) -> Self {
        self.instants.push(at);
        self
    }

    /// Where a job that has read everything up to `at` goes on, by partition.
    pub(crate) fn positions(&self, at: Instant) -> Vec<u64> {
        let offset = u64::try_from(self.offset_at(at)).expect("not negative");
        (0..self.partitions).map(|_| offset).collect()
    }

    fn offset_at(&self, at: Instant) -> i64 {
        let (since, day) = (u128::from(at.since(self.first_record).as_ms()), u128::from(Millis::DAY.as_ms()));
        let records = (since * u128::from(self.rate) + day / 2) / day;
        self.start + i64::try_from(records).expect("few records")
    }

    fn everywhere(&self, call: &str, offset: impl Fn(i32) -> Option<Offset>) -> PerPartition {
        let partitions = (0..self.partitions).map(|partition| (partition, offset(partition))).collect();
        Fact::seen(Offsets { partitions, failed: BTreeMap::new() }, &self.by, call, self.captured_at)
    }

    pub(crate) fn evidence(&self, name: &str) -> TopicEvidence {
        let position = |offset| Some(Offset { offset, timestamp: None });
        let end = self.offset_at(self.captured_at);
        let first = |partition: i32| {
            // One partition has the oldest record; the others follow a second apart.
            let at = self.first_record.plus(Millis::seconds(u64::try_from(partition).expect("not negative")));
            (end > self.start).then_some(Offset { offset: self.start, timestamp: Some(self.first_timestamp.unwrap_or(at.epoch_ms())) })
        };
        let largest = self.largest.unwrap_or(self.captured_at.minus(Millis::seconds(2)).epoch_ms());
        let mut instants: Vec<Instant> = (0..64)
            .map(|day| self.captured_at.start_of_day().minus(Millis::days(day)))
            .filter(|at| *at >= self.first_record.start_of_day())
            .collect();
        instants.extend(&self.instants);
        instants.sort();
        instants.dedup();
        let samples = instants
            .into_iter()
            .map(|at| Sample {
                at,
                offsets: Offsets {
                    partitions: (0..self.partitions)
                        .map(|partition| {
                            let offset = self.offset_at(at).max(self.start);
                            let timestamp =
                                if offset == self.start { first(partition).and_then(|o| o.timestamp) } else { Some(at.epoch_ms()) };
                            (partition, (offset < end).then_some(Offset { offset, timestamp }))
                        })
                        .collect(),
                    failed: BTreeMap::new(),
                },
            })
            .collect();
        TopicEvidence {
            partitions: Fact::seen((0..self.partitions).collect(), &self.by, format!("Metadata of topic {name}"), self.captured_at),
            settings: Fact::seen(self.settings.clone(), &self.by, format!("DescribeConfigs of topic {name}"), self.captured_at),
            log_start: self.everywhere(&format!("ListOffsets of topic {name}, earliest"), |_| position(self.start)),
            log_end: self.everywhere(&format!("ListOffsets of topic {name}, latest"), |_| position(end)),
            first_record: self.everywhere(&format!("ListOffsets of topic {name}, timestamp 0"), first),
            largest_timestamp: self.everywhere(&format!("ListOffsets of topic {name}, largest timestamp"), |_| {
                (end > self.start).then_some(Offset { offset: end - 1, timestamp: Some(largest) })
            }),
            samples: Fact::seen(samples, &self.by, format!("ListOffsets of topic {name}, by day"), self.captured_at),
        }
    }
}

/// A cluster of Apache Kafka with these topics.
pub(crate) fn cluster(captured_at: Instant, id: &str, topics: impl IntoIterator<Item = (&'static str, Topic)>) -> ClusterEvidence {
    let broker = [
        setting("log.retention.check.interval.ms", "300000", SettingSource::Default, None),
        setting("log.cleaner.backoff.ms", "15000", SettingSource::Default, None),
        setting("offsets.retention.minutes", "10080", SettingSource::Default, None),
        setting("transaction.max.timeout.ms", "900000", SettingSource::Default, None),
    ];
    let topics: BTreeMap<String, TopicEvidence> = topics.into_iter().map(|(name, topic)| (name.to_owned(), topic.evidence(name))).collect();
    ClusterEvidence {
        cluster_id: Fact::seen(id.to_owned(), "broker 1", "Metadata", captured_at),
        broker: Fact::seen(broker.into_iter().collect(), "broker 1", "DescribeConfigs of broker 1", captured_at),
        requests: 8 + u64::try_from(topics.len()).expect("few topics"),
        topics,
        patterns: BTreeMap::new(),
        groups: BTreeMap::new(),
    }
}

/// A bucket of Amazon S3 in which nothing is configured.
pub(crate) fn bucket(captured_at: Instant, name: &str, region: &str) -> BucketEvidence {
    let none = |what: &str, call: &str| (format!("{name} has no {what}"), format!("{call} of {name}"));
    let (no_rules, lifecycle) = none("lifecycle rules", "GetBucketLifecycleConfiguration");
    let (no_lock, lock) = none("Object Lock", "GetObjectLockConfiguration");
    let (no_tags, tags) = none("tags", "GetBucketTagging");
    BucketEvidence {
        store: Store { kind: StoreKind::Aws, because: "no endpoint_url".to_owned() },
        region: Fact::seen(region.to_owned(), name, format!("HeadBucket of {name}"), captured_at),
        lifecycle: Fact::absent(no_rules, lifecycle),
        intelligent_tiering: Fact::seen(Vec::new(), name, format!("ListBucketIntelligentTieringConfigurations of {name}"), captured_at),
        versioning: Fact::seen(
            Versioning { status: VersioningStatus::Never, mfa_delete: false },
            name,
            format!("GetBucketVersioning of {name}"),
            captured_at,
        ),
        object_lock: Fact::absent(no_lock, lock),
        tags: Fact::absent(no_tags, tags),
        prefixes: Fact::seen(Vec::new(), name, format!("ListObjectsV2 of {name}"), captured_at),
        requests: 8,
    }
}

/// A snapshot: `_metadata` and state files beside it, as a listing shows them.
pub(crate) struct Snapshot {
    location: S3Location,
    taken_at: Instant,
    objects: Vec<ObjectEvidence>,
    operators: Option<Vec<OperatorSummary>>,
}

impl Snapshot {
    /// A folder with a `_metadata` of `size` bytes.
    pub(crate) fn new(bucket: &str, folder: &str, taken_at: Instant, size: u64) -> Self {
        let mut snapshot = Self { location: S3Location::new(bucket, folder), taken_at, objects: Vec::new(), operators: None };
        snapshot.objects.push(snapshot.object("_metadata", size, taken_at, "STANDARD"));
        snapshot
    }

    fn object(&self, name: &str, size: u64, last_modified: Instant, class: &str) -> ObjectEvidence {
        let key = format!("{}{name}", self.location.prefix());
        ObjectEvidence {
            size: Bytes(size),
            last_modified,
            storage_class: Some(class.to_owned()),
            head: Fact::not_asked("no class needs it", format!("HeadObject of {key}")),
            tags: Fact::not_asked("no enabled rule filters by tag", format!("GetObjectTagging of {key}")),
            key,
        }
    }

    /// `count` state files of `size` bytes, written shortly before `_metadata`.
    pub(crate) fn files(mut self, count: u32, size: u64, class: &str) -> Self {
        let written = self.taken_at.minus(Millis::seconds(20));
        for _ in 0..count {
            // File names as Flink gives them: a UUID; here one that is the same in every run.
            let n = self.objects.len();
            let name = format!("{n:08x}-7c1e-4d2a-9b3f-{:012x}", 0x5f3a_91c2_d4e6_u64 + u64::try_from(n).expect("few"));
            self.objects.push(self.object(&name, size, written, class));
        }
        self
    }

    /// An object of another folder that it refers to, written then.
    pub(crate) fn refers_to(mut self, key: &str, size: u64, last_modified: Instant, class: &str) -> Self {
        let object = ObjectEvidence { key: key.to_owned(), ..self.object("", size, last_modified, class) };
        self.objects.push(object);
        self
    }

    /// Changes each object that is in `class`.
    pub(crate) fn each(mut self, class: &str, change: impl Fn(&mut ObjectEvidence)) -> Self {
        for object in self.objects.iter_mut().filter(|object| object.storage_class.as_deref() == Some(class)) {
            change(object);
        }
        self
    }

    fn evidence(self, captured_at: Instant) -> SnapshotEvidence {
        let (bucket, call) = (self.location.bucket().to_owned(), format!("ListObjectsV2 of {}", self.location));
        let state = self.objects.iter().skip(1).map(|object| object.size).sum();
        let kind = match ttl_audit::analysis::snapshots::SnapshotKind::of_folder(&self.location) {
            ttl_audit::analysis::snapshots::SnapshotKind::Savepoint => SnapshotKind::CanonicalSavepoint,
            ttl_audit::analysis::snapshots::SnapshotKind::Checkpoint => SnapshotKind::FullCheckpoint,
        };
        let metadata = self.operators.map(|operators| {
            let read = SnapshotMetadata { format_version: 4, checkpoint_id: 1, kind, state_size: state, operators };
            Fact::seen(read, &bucket, format!("GetObject of {}_metadata", self.location), captured_at)
        });
        let mut evidence = SnapshotEvidence::listed(self.location, self.taken_at, Fact::seen(self.objects, bucket, call, captured_at));
        if let Some(metadata) = metadata {
            evidence.metadata = metadata;
        }
        evidence
    }

    /// Its `_metadata` was read and holds this operator's state.
    pub(crate) fn operator(mut self, operator: OperatorSummary) -> Self {
        self.operators.get_or_insert_default().push(operator);
        self
    }

    /// Its `_metadata` was read: the source `uid` goes on at these offsets of the topic's partitions, from 0 on.
    pub(crate) fn reading(self, uid: &str, topic: &str, next: impl IntoIterator<Item = u64>) -> Self {
        let positions = (0..).zip(next).map(|(partition, next)| PositionSummary {
            topic: topic.to_owned(),
            partition,
            next_offset: Some(next),
            marker: None,
            stopping_offset: None,
        });
        self.operator(OperatorSummary { positions: positions.collect(), ..operator(uid) })
    }
}

/// What a group has committed for one topic, by partition from 0 on.
pub(crate) fn committed(captured_at: Instant, group: &str, topic: &str, next: &[u64]) -> (String, Fact<GroupOffsets>) {
    let offsets = (0..).zip(next).map(|(partition, next)| (partition, i64::try_from(*next).expect("an offset"))).collect();
    let topics = BTreeMap::from([(topic.to_owned(), offsets)]);
    let offsets = GroupOffsets { topics, failed: BTreeMap::new() };
    (group.to_owned(), Fact::seen(offsets, "group coordinator", format!("OffsetFetch of group {group}"), captured_at))
}

/// An operator of a snapshot, by its uid.
pub(crate) fn operator(uid: &str) -> OperatorSummary {
    OperatorSummary {
        id: OperatorId::from_uid(uid).to_string(),
        uid: Some(uid.to_owned()),
        uid_known: true,
        parallelism: 4,
        max_parallelism: 128,
        parts_read: 1,
        ..OperatorSummary::default()
    }
}

/// What HeadObject says of an object in this class that can be read.
pub(crate) fn head(bucket: &str, key: &str, class: &str, captured_at: Instant) -> Fact<ObjectHead> {
    let head = ObjectHead { storage_class: Some(class.to_owned()), ..ObjectHead::default() };
    Fact::seen(head, bucket, format!("HeadObject of {key}"), captured_at)
}

/// A declared location with these snapshots, newest first.
pub(crate) fn place(captured_at: Instant, bucket: &str, folder: &str, snapshots: Vec<Snapshot>) -> (S3Location, PlaceEvidence) {
    let location = S3Location::new(bucket, folder);
    let call = format!("ListObjectsV2 of {location}");
    let snapshots = snapshots.into_iter().map(|snapshot| snapshot.evidence(captured_at)).collect();
    let place = PlaceEvidence::of(Fact::seen(snapshots, bucket, call, captured_at));
    (location, place)
}

/// Meridian's topic, captured 2026-09-15: 30 d of retention, segments of 7 d, the broker's clock, 43,000 records a day.
pub(crate) fn meridian_topic() -> Topic {
    let now = at("2026-09-15");
    Topic::new(now, at("2026-08-15T00:00:03Z"), 4, 10_750)
        .set_length("retention.ms", Millis::days(30))
        .set("message.timestamp.type", "LogAppendTime")
        .starting_at(2_418_750)
        .sampled_at(now.minus(Millis::days(7)))
}

/// A topic with a day of records, captured 2026-09-15, that keeps them for `retention`; segments of `segment`, the broker's clock.
pub(crate) fn young_topic(retention: Millis, segment: Millis) -> Topic {
    let now = at("2026-09-15");
    Topic::new(now, now.minus(Millis::days(1)), 2, 1000)
        .set_length("retention.ms", retention)
        .set_length("segment.ms", segment)
        .set("message.timestamp.type", "LogAppendTime")
}
