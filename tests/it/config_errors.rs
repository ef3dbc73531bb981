//! Manifests and audit files: what is read, and what is refused, where and with which next step.

use ttl_audit::{audit, manifest, units::Ttl};

const COMPLETE: &str = "\
version: 1
job: user-engagement
owner: product-analytics
flink: { version: 1.18.1, platform: self-managed, state_backend: rocksdb }
max_downtime: 3d
sources:
  - id: engagement
    uid: engagement-source
    kind: kafka
    cluster: confluent-prod
    topic: user-engagement-events
    group_id: user-engagement
    start: earliest
    reset: earliest
    records_per_day: 43000
    max_event_lag: 0s
operators:
  - uid: dedup-events
    name: EventDeduplicationFunction
    role: deduplication
    reads: [engagement]
    state:
      - name: seen-event-ids
        kind: value
        ttl: 7d
        update: on-create-and-write
        visibility: never-return-expired
sinks:
  - id: redshift
    kind: firehose
    delivery: at-least-once
    idempotent: false
    fed_by: [dedup-events]
    table: analytics.user_engagement
    key: [event_id]
    ingested_at: ingest_timestamp
recovery:
  checkpoints: { location: s3://bucket/checkpoints/user-engagement/, interval: 60s, incremental: true, on_cancel: retain }
  savepoints: [ s3://msi-flink-savepoints/user-engagement/ ]
  high_availability: s3://bucket/ha/user-engagement/
  changelog: s3://bucket/dstl/user-engagement/
  restore: { from: savepoint, mode: no-claim, allow_non_restored_state: false }
";

#[test]
fn a_complete_manifest_is_read() {
    let manifest = manifest::parse("jobs/a.yaml", COMPLETE).unwrap_or_else(|errors| panic!("{errors:#?}"));
    assert_eq!(manifest.job.value, "user-engagement");
    let state = &manifest.operators[0].state[0];
    assert_eq!(state.ttl.value, Ttl::After(ttl_audit::units::Millis::days(7)));
    assert_eq!((state.ttl.position.line, state.ttl.position.column), (25, 14));
    assert_eq!(state.reads, ["engagement"]);
}

#[test]
fn a_smallest_manifest_is_read() {
    let text = "version: 1\njob: a\nsources: [{id: s, topic: t}]\n";
    let manifest = manifest::parse("a.yaml", text).expect("a manifest");
    assert!(manifest.operators.is_empty() && manifest.recovery.is_none());
    assert!(audit::parse("audit.yaml", "version: 1\n").is_ok());
}
