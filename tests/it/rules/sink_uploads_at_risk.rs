//! Field case F13 with its twin.

use ttl_audit::{
    evidence::{Fact, LifecycleRule, RuleStatus},
    finding::Severity,
    manifest::{RestoreFrom, SinkKind},
    units::Location,
};

use crate::{
    scene::{at, bucket},
    vault::{expires, now, rule, savepoint, vault},
    world::{World, stated},
};

const RULE: &str = "sink-uploads-at-risk";

/// A job that writes files to `s3://lake/out/` and would be restored from a savepoint that is three days old; it may be down for three.
fn sinks(kind: SinkKind, rules: Vec<LifecycleRule>) -> World {
    let world = vault(vec![savepoint("a", "2026-09-12", "STANDARD")]).down_for(3).writes("lake");
    let mut world = world.bucket("lake", bucket(now(), "lake", "us-east-1")).ruled("lake", rules);
    let sink = world.job.sinks.last_mut().expect("a sink");
    sink.kind = kind;
    sink.location = Some(stated("s3://lake/out/".parse::<Location>().expect("a location")));
    world
}

fn aborts(days: u32) -> LifecycleRule {
    LifecycleRule { abort_incomplete_multipart_upload_days: Some(days), ..rule("abort-uploads", "") }
}

#[test]
fn fires_where_uploads_are_aborted_or_files_expire_before_the_job_is_back() {
    let answers = sinks(SinkKind::Files, vec![aborts(5)]).judge();
    let finding = answers.fires(RULE);
    assert_eq!((finding.severity, finding.bites_on), (Severity::Error, Some(at("2026-09-17"))));
    assert!(finding.message.contains("rule abort-uploads aborts uploads there"), "{}", finding.message);
    assert!(finding.message.contains("sooner than snapshot age plus downtime"), "{}", finding.message);
    let overdue = sinks(SinkKind::Files, vec![expires("tidy", "out/", 1)]).judge();
    assert!(overdue.fires(RULE).message.contains("At any moment (due since 2026-09-13)"), "{}", overdue.fires(RULE).message);
    sinks(SinkKind::Iceberg, vec![expires("tidy", "out/", 1)]).judge().fires(RULE);
}

#[test]
fn twins_are_quiet() {
    sinks(SinkKind::Files, vec![aborts(7), expires("tidy", "out/", 90)]).judge().quiet(RULE);
    sinks(SinkKind::Files, vec![LifecycleRule { status: RuleStatus::Disabled, ..aborts(1) }]).judge().quiet(RULE);
    sinks(SinkKind::Files, vec![LifecycleRule { filter: rule("", "other/").filter, ..aborts(1) }]).judge().quiet(RULE);
    // Iceberg's writers have finished their files by the checkpoint.
    sinks(SinkKind::Iceberg, vec![aborts(1)]).judge().quiet(RULE);
    sinks(SinkKind::Files, vec![aborts(1)]).restored_from(RestoreFrom::None).judge().quiet(RULE);
    sinks(SinkKind::Other, vec![aborts(1)]).judge().quiet(RULE);
}

#[test]
fn unknown_stays_unknown() {
    let denied = sinks(SinkKind::Files, Vec::new())
        .in_bucket("lake", |bucket| bucket.lifecycle = Fact::denied("needs s3:GetLifecycleConfiguration on lake", "call"));
    assert_eq!(denied.judge().unknown(RULE).unknown.reason, "denied: needs s3:GetLifecycleConfiguration on lake");
    let mut undeclared = sinks(SinkKind::Files, vec![aborts(5)]);
    undeclared.job.max_downtime = None;
    assert!(undeclared.judge().unknown(RULE).unknown.reason.contains("`max_downtime`"));
    let mut nothing = sinks(SinkKind::Files, vec![aborts(5)]);
    nothing.job.recovery = None;
    nothing.job.sinks.truncate(1);
    assert!(nothing.judge().unknown(RULE).unknown.reason.contains("no `recovery` block"));
    let odd = LifecycleRule { status: RuleStatus::Other("On".to_owned()), ..aborts(5) };
    assert!(sinks(SinkKind::Files, vec![odd]).judge().unknown(RULE).unknown.reason.contains("not understood"));
}
