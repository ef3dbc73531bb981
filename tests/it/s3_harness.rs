//! Audits for the tests of the S3 collector, and how it is called.

use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

use ttl_audit::{
    audit::{self, Audit},
    collect::{
        self, Options,
        s3::{self, S3Evidence},
    },
    evidence::{Fact, Gap, PlaceEvidence},
    manifest,
    units::S3Location,
};

/// An audit with these lines in its `s3:` block and one job with these lines in its `recovery:` block.
pub(crate) fn audit(s3: &str, recovery: &str) -> Audit {
    let job = format!("version: 1\njob: user-engagement\nsources:\n  - id: in\n    topic: events\nrecovery:\n{}", indented(recovery));
    with_job(s3, &job)
}

/// An audit with these lines in its `s3:` block and this job.
pub(crate) fn with_job(s3: &str, job: &str) -> Audit {
    let file = format!("version: 1\naudit: test\ns3:\n{}", indented(s3));
    let file = audit::parse("audit.yaml", &file).expect("an audit file");
    let job = manifest::parse("jobs/job.yaml", job).expect("a manifest");
    audit::assemble("audit.yaml", "test", file, vec![job]).expect("an audit")
}

fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("  {line}\n")).collect()
}

/// How a test collects.
pub(crate) struct Run {
    pub(crate) timeout: Duration,
    pub(crate) deadline: Duration,
    pub(crate) all_snapshots: bool,
    pub(crate) read_state_headers: bool,
    /// Variables beside the keys.
    pub(crate) env: Vec<(&'static str, String)>,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
            deadline: Duration::from_mins(5),
            all_snapshots: false,
            read_state_headers: false,
            env: Vec::new(),
        }
    }
}

impl Run {
    /// Collects; whatever was told about the progress comes with it.
    pub(crate) fn collect(&self, audit: &Audit) -> (S3Evidence, Vec<String>) {
        let told = Mutex::new(Vec::new());
        let evidence = s3::collect(
            audit,
            &Options {
                captured_at: collect::now(),
                timeout: self.timeout,
                deadline: Instant::now() + self.deadline,
                all_snapshots: self.all_snapshots,
                read_state_headers: self.read_state_headers,
                env: &|name| match name {
                    "AWS_ACCESS_KEY_ID" => Some("AKIASECRETKEYID".to_owned()),
                    "AWS_SECRET_ACCESS_KEY" => Some("SECRET-KEY".to_owned()),
                    "AWS_SESSION_TOKEN" => Some("SECRET-TOKEN".to_owned()),
                    _ => self.env.iter().find(|(key, _)| *key == name).map(|(_, value)| value.clone()),
                },
                progress: &|text| told.lock().expect("not poisoned").push(text.to_owned()),
            },
        );
        let evidence = evidence.expect("the audit file can be used");
        let text = format!("{evidence:?} {told:?}");
        assert!(!text.contains("SECRET") && !text.contains("X-Amz-Signature"), "a secret is shown: {text}");
        (evidence, told.into_inner().expect("not poisoned"))
    }
}

/// Collects with nothing special.
pub(crate) fn collected(audit: &Audit) -> S3Evidence {
    Run::default().collect(audit).0
}

/// What was found at `s3://b/<key>/`.
pub(crate) fn place<'a>(evidence: &'a S3Evidence, bucket: &str, key: &str) -> &'a PlaceEvidence {
    evidence.places.get(&S3Location::new(bucket, key)).expect("the place was asked about")
}

/// The value.
pub(crate) fn value<T: std::fmt::Debug>(fact: &Fact<T>) -> &T {
    match fact {
        Fact::Seen(seen) => &seen.value,
        other => panic!("not seen: {other:?}"),
    }
}

/// `denied`, `unsupported` and so on, with the reason.
pub(crate) fn gap<T: std::fmt::Debug>(fact: &Fact<T>) -> (&'static str, &str) {
    let (kind, Gap { reason, .. }) = match fact {
        Fact::Seen(seen) => panic!("seen: {seen:?}"),
        Fact::Absent(gap) => ("absent", gap),
        Fact::Denied(gap) => ("denied", gap),
        Fact::Unsupported(gap) => ("unsupported", gap),
        Fact::Failed(gap) => ("failed", gap),
        Fact::NotAsked(gap) => ("not asked", gap),
    };
    (kind, reason)
}

/// Asserts kind and a part of the reason.
#[track_caller]
pub(crate) fn assert_gap<T: std::fmt::Debug>(fact: &Fact<T>, kind: &str, part: &str) {
    let (is, reason) = gap(fact);
    assert!(is == kind && reason.contains(part), "expected {kind} with {part:?}, got {is}: {reason}");
}
