use ttl_audit::{
    evidence::{Fact, Setting, SettingSource, Synonym},
    finding::{Amount, Severity},
    manifest::{ClearedBy, Clearing, DeclaredRetention, Role, Start, StateKind},
    units::{Millis, Ttl},
};

use crate::{
    scene::{meridian_topic, young_topic},
    world::{World, days},
};

const RULE: &str = "ttl-below-retention";

fn meridian(ttl: Ttl) -> World {
    World::at("2026-09-15")
        .reads("user-engagement-events", &meridian_topic())
        .remembers("dedup-events/seen-event-ids", ttl)
        .writes("redshift")
}

fn amount(world: &World, fact: &str) -> String {
    let answers = world.judge();
    let facts = &answers.fires(RULE).facts;
    facts.iter().find(|shown| shown.name == fact).unwrap_or_else(|| panic!("{fact} is among {facts:?}")).amount.to_string()
}

#[test]
fn meridians_seven_days_against_thirty() {
    let world = meridian(days(7));
    let answers = world.judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Error);
    assert_eq!(
        finding.message,
        "dedup-events/seen-event-ids keeps an entry for 7d after its last access (TTL, processing time), but topic user-engagement-events keeps \
         records for 30d and can still hold one that is 37d 0:05 old; the oldest readable record was 30d 23:59:57 old when the evidence was \
         captured. In an offset reset (this state is restored, the positions of the source are not, and the source starts over from the earliest \
         record) records that are older than 7d (1,032,000 records, measured) pass the deduplication again. After a loss of this state no TTL \
         helps, however long."
    );
    for (fact, expected) in [
        ("TTL", "7d"),
        ("retention", "30d"),
        ("worst case", "37d 0:05"),
        ("observed", "30d 23:59:57"),
        ("required TTL", "37d 0:05"),
        ("records older than the TTL", "1,032,000"),
    ] {
        assert_eq!(amount(&world, fact), expected, "{fact}");
    }
    assert!(finding.facts.iter().all(|fact| !fact.origin.is_empty()));
    answers.quiet("ttl-below-observed-history");
    answers.quiet("ttl-margin-thin");
}

#[test]
fn both_ways_out_can_be_pasted() {
    let answers = meridian(days(7)).judge();
    let [longer, smaller] = &answers.fires(RULE).remedy[..] else { panic!("two ways out") };
    assert!(longer.say.starts_with("Extend the TTL to 38d."), "{}", longer.say);
    assert!(
        longer.say.contains("covers the window only 31d after the change (for a change on 2026-09-15: from 2026-10-16)"),
        "{}",
        longer.say
    );
    let code = longer.paste.as_deref().expect("code");
    assert!(code.contains("StateTtlConfig.newBuilder(Time.days(38))"), "Flink 1.18: {code}");
    assert!(code.contains("UpdateType.OnCreateAndWrite"), "{code}");
    assert!(smaller.say.contains("with segment.ms 1d the worst case is 31d 0:05, and a TTL of 32d is then enough"), "{}", smaller.say);
    assert_eq!(
        smaller.paste.as_deref(),
        Some(
            "kafka-configs.sh --bootstrap-server BROKER:9092 --command-config client.properties --alter --entity-type topics --entity-name \
             user-engagement-events --add-config segment.ms=86400000"
        )
    );
}

#[test]
fn the_code_is_spelled_as_the_jobs_flink_wants_it() {
    let mut world = meridian(days(7));
    world.job.flink.version = Some("1.20.1".to_owned());
    let answers = world.judge();
    let code = answers.fires(RULE).remedy[0].paste.clone().expect("code");
    assert!(code.contains("StateTtlConfig.newBuilder(Duration.ofDays(38))") && code.contains("java.time.Duration"), "{code}");
}

#[test]
fn the_repaired_job_is_quiet() {
    let topic = meridian_topic().set_length("segment.ms", Millis::days(1));
    World::at("2026-09-15").reads("events", &topic).remembers("dedup/seen", days(32)).judge().quiet(RULE);
}

#[test]
fn the_border_belongs_to_the_quiet_side() {
    let world = |ttl| World::at("2026-09-15").reads("events", &young_topic(Millis::days(7), Millis::days(1))).remembers("dedup/seen", ttl);
    world(days(7)).judge().quiet(RULE);
    world(Ttl::After(Millis::days(7).minus(Millis::new(1)))).judge().fires(RULE);
    world(Ttl::After(Millis::new(1))).judge().fires(RULE);
    world(Ttl::Never).judge().quiet(RULE);
}

#[test]
fn the_role_and_idempotent_sinks_decide_how_loud_it_is() {
    let world = |role: Option<Role>| meridian(days(7)).role(role);
    for (role, severity, alone) in [
        (None, Severity::Error, "pass the deduplication again"),
        (Some(Role::Deduplication), Severity::Error, "pass the deduplication again"),
        (Some(Role::Join), Severity::Error, "their partners on the other side have expired"),
        (Some(Role::Aggregation), Severity::Error, "are added on top of what survived"),
        (Some(Role::Session), Severity::Error, "are added on top of what survived"),
        (Some(Role::Other), Severity::Warning, "has forgotten what it knew"),
        (Some(Role::Cache), Severity::Note, "is then filled from elsewhere"),
    ] {
        let answers = world(role).judge();
        let finding = answers.fires(RULE);
        assert_eq!(finding.severity, severity, "{role:?}");
        assert!(finding.message.contains(alone), "{role:?}: {}", finding.message);
        let softer = world(role).idempotently().judge();
        let expected = if matches!(role, None | Some(Role::Deduplication)) { Severity::Warning } else { severity };
        assert_eq!(softer.severity(RULE), expected, "{role:?}, idempotent: an upsert of a wrong sum overwrites the right one");
    }
    let softer = world(None).idempotently().judge();
    assert!(softer.fires(RULE).message.contains("(redshift) merges on a key taken from the record"));
    assert_eq!(world(None).idempotently().writes("audit-log").judge().severity(RULE), Severity::Error, "every sink has to be");
    assert!(world(None).judge().fires(RULE).facts.iter().any(|fact| fact.name == "role" && fact.origin.starts_with("assumed")));
    assert!(world(None).analyse().assumptions.iter().any(|assumed| assumed.contains("role deduplication")));
}

#[test]
fn a_history_without_end_is_above_every_ttl_but_never() {
    let compacted = young_topic(Millis::days(7), Millis::days(1)).set("cleanup.policy", "compact");
    let world = |ttl| World::at("2026-09-15").reads("customers", &compacted).remembers("enrich/customer", ttl);
    let answers = world(days(3650)).judge();
    let finding = answers.fires(RULE);
    assert!(finding.message.contains("topic customers keeps records without end"), "{}", finding.message);
    assert!(finding.remedy[0].say.starts_with("No finite TTL covers a history without end."));
    world(Ttl::Never).judge().quiet(RULE);
}

#[test]
fn a_default_of_the_broker_is_named_as_such() {
    let mut topic = young_topic(Millis::days(7), Millis::days(1));
    topic.settings.insert(
        "retention.ms".to_owned(),
        Setting {
            value: Some("604800000".to_owned()),
            source: SettingSource::Default,
            synonyms: vec![Synonym {
                name: "log.retention.hours".to_owned(),
                value: Some("168".to_owned()),
                source: SettingSource::Default,
            }],
        },
    );
    // F39: nothing is set on the topic, and it keeps a week.
    let answers = World::at("2026-09-15").reads("schema-history", &topic).remembers("history/entries", days(3)).judge();
    let retention = answers.fires(RULE).facts.iter().find(|fact| fact.name == "retention").expect("shown");
    assert_eq!(retention.amount, Amount::Duration(Millis::days(7)));
    assert_eq!(retention.origin, "retention.ms, broker default (log.retention.hours=168)");

    // Its twin: the topic keeps everything, and so does the state.
    let topic = topic.set("retention.ms", -1).set("retention.bytes", -1);
    World::at("2026-09-15").reads("schema-history", &topic).remembers("history/entries", Ttl::Never).judge().quiet(RULE);
    let finite = World::at("2026-09-15").reads("schema-history", &topic).remembers("history/entries", days(3)).judge();
    let retention = finite.fires(RULE).facts.iter().find(|fact| fact.name == "retention").expect("shown");
    assert_eq!(retention.amount, Amount::Text("unlimited".to_owned()));
}

#[test]
fn state_that_no_ttl_governs_is_judged_by_its_declared_bound() {
    let bound = |by, after| {
        World::at("2026-09-15")
            .reads("events", &young_topic(Millis::days(7), Millis::days(1)))
            .remembers_until("window/contents", ClearedBy { by, after })
    };
    let timer = bound(Clearing::Timer, Some(Millis::hours(1))).judge();
    assert_eq!(timer.severity(RULE), Severity::Error);
    assert!(timer.fires(RULE).remedy[0].say.starts_with("Clear it after 9d at the earliest"));
    let watermark = bound(Clearing::Watermark, Some(Millis::hours(1))).judge();
    assert_eq!(watermark.severity(RULE), Severity::Warning, "nobody makes a window as long as a retention");
    assert!(watermark.fires(RULE).message.contains("is built again from records that are older than 1h"));
    assert!(watermark.fires(RULE).remedy[0].say.starts_with("No TTL governs this state, so none helps."));
    bound(Clearing::Timer, Some(Millis::days(10))).judge().quiet(RULE);
    bound(Clearing::Code, None).judge().unknown(RULE);
    let by_kind = World::at("2026-09-15")
        .reads("events", &young_topic(Millis::days(7), Millis::days(1)))
        .remembers("join/left", Ttl::Never)
        .last_state(|state| state.kind = Some(StateKind::IntervalJoin))
        .judge();
    assert!(by_kind.unknown(RULE).unknown.reason.contains("is cleared by watermark, and the manifest does not say after how long"));
}

#[test]
fn another_start_is_said() {
    let start = |start| {
        let world = World::at("2026-09-15")
            .reads("events", &meridian_topic())
            .source(|source| source.start = start)
            .remembers("dedup/seen", days(7));
        world.judge().fires(RULE).message.clone()
    };
    assert!(start(Start::Latest).contains("not from `latest` as declared"));
    assert!(start(Start::Committed).contains("from committed offsets that are older than that"));
    assert!(!start(Start::Committed).contains("1,032,000"), "the number is that of a start from earliest");
}

#[test]
fn several_topics_are_one_finding_about_the_worst() {
    let week = young_topic(Millis::days(7), Millis::days(1));
    let world = World::at("2026-09-15").reads("clicks", &week).reads("orders", &meridian_topic()).remembers("join/left", days(3));
    let answers = world.clone().judge();
    let finding = answers.fires(RULE);
    assert!(finding.message.contains("topic orders keeps records for 30d"), "{}", finding.message);
    assert!(finding.message.ends_with("The same holds for one more topic that it reads."), "{}", finding.message);

    let half = world.topic("clicks", |topic| topic.settings = Fact::denied("needs DESCRIBE_CONFIGS on topic clicks", "DescribeConfigs"));
    let answers = half.judge();
    assert!(answers.fires(RULE).message.contains("topic orders"));
    assert!(answers.results.unknown.iter().any(|judged| judged.rule.id == RULE), "what is not known of the other topic is not hidden");
}

#[test]
fn a_source_that_cannot_be_asked_counts_with_what_it_declares() {
    let world = |retention| World::at("2026-09-15").reads_declared("stream", retention).remembers("dedup/seen", days(1));
    assert!(world(DeclaredRetention::For(Millis::days(7))).judge().fires(RULE).message.contains("source stream keeps records for 7d"));
    world(DeclaredRetention::For(Millis::hours(24))).judge().quiet(RULE);
    world(DeclaredRetention::Unknown).judge().unknown(RULE);
}

#[test]
fn denied_absent_and_not_captured_settings_are_unknown() {
    let denied = meridian(days(7)).topic("user-engagement-events", |topic| {
        topic.settings = Fact::denied("needs DESCRIBE_CONFIGS on topic user-engagement-events", "DescribeConfigs");
    });
    let answers = denied.judge();
    let unknown = answers.unknown(RULE);
    assert_eq!(unknown.severity, Severity::Error);
    assert_eq!(unknown.unknown.reason, "denied: needs DESCRIBE_CONFIGS on topic user-engagement-events");
    assert_eq!(answers.causes().len(), 1, "one entry for one cause: {:#?}", answers.causes());

    let mut nothing = meridian(days(7));
    nothing.evidence.kafka.clear();
    let answers = nothing.judge();
    assert_eq!(answers.unknown(RULE).unknown.reason, "not captured: Kafka cluster prod");
    assert_eq!(answers.causes().len(), 1, "{:#?}", answers.causes());
}
