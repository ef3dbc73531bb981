//! An audit's folder on disk, of jobs whose savepoints are as a test wants them.

use std::{fs, path::Path};

use tempfile::TempDir;
use ttl_audit::{
    evidence::{Evidence, Fact, ObjectHead, Restore, Versioning, VersioningStatus},
    manifest,
    units::{Instant, Millis},
};

use crate::{
    fixture,
    harness::ttl_audit,
    scene::{Snapshot, Topic, at, bucket, cluster, place},
};

const BUCKET: &str = "acme-flink";
const CLUSTER: &str = "prod";
const TOPIC: &str = "orders";

/// What is the matter with a job's savepoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Savepoint {
    /// In `STANDARD`, in a versioned bucket.
    Fine,
    /// There is none: an error.
    Missing,
    /// A restored copy of an archived one, which ends in three days: a warning.
    Restored,
    /// On Google Cloud Storage, which cannot be asked: unknown, and it could be an error.
    Elsewhere,
}

/// The instant at which the evidence was captured.
pub(crate) fn captured_at() -> Instant {
    at("2026-10-01T06:00:00Z")
}

/// An audit's folder; it is gone when this is dropped.
pub(crate) struct Folder {
    dir: TempDir,
}

impl Folder {
    /// An audit pinned to the instant of its evidence, of jobs with these names.
    pub(crate) fn new(jobs: &[(&str, Savepoint)]) -> Self {
        let folder = Self { dir: tempfile::tempdir().expect("a folder") };
        fs::create_dir(folder.path().join("jobs")).expect("a folder");
        folder.write("audit.yaml", &format!("version: 1\naudit: acme\nas_of: {}\nkafka:\n  {CLUSTER}:\n    bootstrap.servers: broker.acme.example:9092\n    sasl.password: ${{ACME_SECRET}}\n", captured_at()));
        for (job, savepoint) in jobs {
            folder.write(&format!("jobs/{job}.yaml"), &manifest(job, *savepoint));
        }
        let mut seen = evidence(jobs);
        let manifests: Vec<_> = jobs
            .iter()
            .map(|(job, savepoint)| manifest::parse("jobs/job.yaml", &self::manifest(job, *savepoint)).expect("a manifest"))
            .collect();
        fixture::read_metadata(&manifests, &mut seen);
        folder.write("evidence.json", &seen.to_json().expect("evidence"));
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        fs::write(self.path().join(file), text).expect("a file");
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path().join(file)).expect("a file")
    }

    /// `ttl-audit` in this folder.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, &[])
    }

    /// The same with these environment variables.
    pub(crate) fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
        let mut command = ttl_audit();
        let output = command.current_dir(self.path()).args(arguments).envs(variables.iter().copied()).output().expect("it runs");
        Run {
            code: output.status.code().expect("it was not killed"),
            stdout: String::from_utf8(output.stdout).expect("text"),
            stderr: String::from_utf8(output.stderr).expect("text"),
        }
    }
}

/// How a run ended, and what it said.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A manifest whose TTL half is fine.
pub(crate) fn manifest(job: &str, savepoint: Savepoint) -> String {
    let scheme = if savepoint == Savepoint::Elsewhere { "gs" } else { "s3" };
    format!(
        "version: 1\njob: {job}\nsources:\n  - id: orders\n    cluster: {CLUSTER}\n    topic: {TOPIC}\n\
         operators:\n  - uid: dedup\n    role: deduplication\n    state:\n      - name: seen\n        ttl: 20d\n\
         recovery:\n  savepoints: [\"{scheme}://{BUCKET}/savepoints/{job}/\"]\n  restore: {{ from: savepoint }}\nmax_downtime: 1d\n"
    )
}

fn evidence(jobs: &[(&str, Savepoint)]) -> Evidence {
    let now = captured_at();
    let topic = Topic::new(now, now.minus(Millis::days(8)), 2, 1_000);
    let mut evidence = Evidence::empty(now);
    evidence.kafka.insert(CLUSTER.to_owned(), cluster(now, "acme-1", [(TOPIC, topic)]));
    let mut versioned = bucket(now, BUCKET, "eu-west-1");
    let versioning = Versioning { status: VersioningStatus::Enabled, mfa_delete: false };
    versioned.versioning = Fact::seen(versioning, BUCKET, "GetBucketVersioning", now);
    evidence.buckets.insert(BUCKET.to_owned(), versioned);
    evidence.places = jobs
        .iter()
        .filter(|(_, savepoint)| *savepoint != Savepoint::Elsewhere)
        .map(|(job, savepoint)| place(now, BUCKET, &format!("savepoints/{job}"), snapshots(job, *savepoint, now)))
        .collect();
    evidence
}

fn snapshots(job: &str, savepoint: Savepoint, now: Instant) -> Vec<Snapshot> {
    let taken = now.minus(Millis::days(1));
    let snapshot = Snapshot::new(BUCKET, &format!("savepoints/{job}/savepoint-1a2b3c-4d5e6f708192"), taken, 12_000);
    match savepoint {
        Savepoint::Fine => vec![snapshot.files(3, 1_000_000, "STANDARD")],
        Savepoint::Restored => vec![snapshot.files(3, 1_000_000, "GLACIER").each("GLACIER", |object| {
            let head = ObjectHead {
                storage_class: Some("GLACIER".to_owned()),
                restore: Some(Restore::Until(now.plus(Millis::days(3)))),
                ..ObjectHead::default()
            };
            object.head = Fact::seen(head, BUCKET, "HeadObject", now);
        })],
        Savepoint::Missing | Savepoint::Elsewhere => Vec::new(),
    }
}
