use ttl_audit::{
    evidence::{Fact, Setting, SettingSource, Synonym},
    finding::{Amount, Severity},
    manifest::{ClearedBy, Clearing, DeclaredRetention, Role, Start, StateKind},
    savepoint::summary::OperatorSummary,
    units::{Bytes, Millis, Ttl},
};

use crate::{
    scene::{Snapshot, at, meridian_topic, operator, young_topic},
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
    let [longer, sql, smaller, less] = &answers.fires(RULE).remedy[..] else { panic!("{:#?}", answers.fires(RULE).remedy) };
    assert!(longer.say.starts_with("Extend the TTL to 38d."), "{}", longer.say);
    assert!(
        longer.say.contains("covers the window only 31d after the change (new − old; for a change on 2026-09-15: from 2026-10-16)"),
        "{}",
        longer.say
    );
    let code = longer.paste.as_deref().expect("code");
    assert!(code.contains("StateTtlConfig.newBuilder(Time.days(38))"), "Flink 1.18: {code}");
    assert!(code.contains("UpdateType.OnCreateAndWrite"), "{code}");
    assert!(smaller.say.contains("with segment.ms 1d the worst case is 31d 0:05, and a TTL of 32d is then enough"), "{}", smaller.say);
    assert!(smaller.say.contains("With that TTL, it covers the window only 25d after the change"), "{}", smaller.say);
    assert_eq!(
        smaller.paste.as_deref(),
        Some(
            "kafka-configs.sh --bootstrap-server \"${BOOTSTRAP_SERVERS:?set it to host:port of a broker first}\" --command-config client.properties \
             --alter --entity-type topics --entity-name user-engagement-events --add-config segment.ms=86400000"
        )
    );
    assert_eq!(sql.paste.as_deref(), Some("SET 'table.exec.state.ttl' = '38 d';"));
    assert!(less.say.starts_with("Or keep less: with retention.ms 5d (432000000 ms) and segment.ms 1d (86400000 ms)"), "{}", less.say);
    assert_eq!(less.paste, None, "what deletes records is never printed to be pasted");
}

/// What the two ways out say of growth, if the newest snapshot holds these operators in 80 MB of files.
fn growth(operators: Vec<OperatorSummary>) -> [String; 2] {
    let old = Snapshot::new("b", "sp/savepoint-old", at("2026-08-14"), 1_000).files(1, 1_000_000_000, "STANDARD");
    let new = Snapshot::new("b", "sp/savepoint-new", at("2026-09-14"), 1_000).files(1, 79_999_000, "STANDARD");
    let new = operators.into_iter().fold(new, Snapshot::operator);
    let answers = meridian(days(7)).savepoints("s3://b/sp/", vec![new, old]).judge();
    let said = |begin: &str| {
        let way = answers.fires(RULE).remedy.iter().find(|way| way.say.starts_with(begin)).expect("it is there");
        let (_, growth) = way.say.split_once("The state grows to ").expect("it says so");
        growth.split_once(").").expect("its end").0.to_owned()
    };
    [said("Extend the TTL to 38d"), said("Or roll segments sooner")]
}

#[test]
fn state_grows_from_the_measured_size_of_the_newest_snapshot() {
    let whole = "which is all of s3://b/sp/savepoint-new/: how much of it is this operator's was not measured (an estimate";
    let expected = [
        format!("about 5.4 times its size: 80 MB × 38d / 7d ≈ 434 MB, {whole}"),
        format!("about 4.6 times its size: 80 MB × 32d / 7d ≈ 366 MB, {whole}"),
    ];
    assert_eq!(growth(Vec::new()), expected);
    assert_eq!(growth(vec![OperatorSummary { state_size: Bytes(1), ..operator("another") }]), expected, "it is not in there");
    // With the size of the operator itself, out of `_metadata`.
    let own = OperatorSummary { state_size: Bytes(70_000_000), ..operator("dedup-events") };
    let [longer, shorter] = growth(vec![operator("source"), own]);
    assert_eq!(
        longer,
        "about 5.4 times its size: 70 MB × 38d / 7d ≈ 380 MB, which is what dedup-events keeps in s3://b/sp/savepoint-new/ (an estimate"
    );
    assert!(shorter.contains("≈ 320 MB"), "{shorter}");
}

#[test]
fn without_a_snapshot_only_the_factor_is_known() {
    let answers = meridian(days(7)).judge();
    assert!(answers.fires(RULE).remedy[0].say.contains("about 5.4 times its size (an estimate; no snapshot's size is known)"));
}

#[test]
fn less_history_is_no_way_out_for_a_job_that_may_be_down_for_longer() {
    let mut world = meridian(days(7));
    world.job.max_downtime = Some(Millis::days(5));
    assert_eq!(world.judge().fires(RULE).remedy.len(), 3);
}

#[test]
fn sql_has_a_hint_for_joins_and_aggregations_from_1_19_on() {
    let paste = |role: Role, version: Option<&str>| {
        let mut world = meridian(days(7)).role(Some(role));
        world.job.flink.version = version.map(str::to_owned);
        let answers = world.judge();
        let remedy = answers.fires(RULE).remedy[1].clone();
        (remedy.say, remedy.paste.expect("SQL"))
    };
    let (say, join) = paste(Role::Join, Some("1.20.1"));
    assert!(join.contains("SELECT /*+ STATE_TTL('LEFT_INPUT' = '38d', 'RIGHT_INPUT' = '38d') */"), "{join}");
    assert!(say.contains("A compiled plan wins over both"), "{say}");
    assert!(paste(Role::Aggregation, None).1.contains("STATE_TTL('INPUT' = '38d')"));
    let (say, old) = paste(Role::Join, Some("1.18.1"));
    assert!(!old.contains("/*+") && say.contains("known from Flink 1.19 on"), "{say} {old}");
    let (say, dedup) = paste(Role::Deduplication, Some("1.17.2"));
    assert!(!dedup.contains("/*+") && !say.contains("compiled plan"), "{say} {dedup}");
}

#[test]
fn a_state_that_only_sql_names_so_gets_no_java() {
    let world = World::at("2026-09-15").reads("events", &meridian_topic()).remembers("dedup/deduplicate-state", days(7));
    let answers = world.judge();
    let pastes: Vec<&str> = answers.fires(RULE).remedy.iter().filter_map(|way| way.paste.as_deref()).collect();
    assert!(
        pastes[0].starts_with("SET 'table.exec.state.ttl'") && !pastes.iter().any(|paste| paste.contains("StateTtlConfig")),
        "{pastes:?}"
    );
}

#[test]
fn an_unstated_version_gets_both_spellings() {
    let mut world = meridian(days(7));
    world.job.flink.version = None;
    let answers = world.judge();
    let code = answers.fires(RULE).remedy[0].paste.clone().expect("code");
    assert!(
        code.contains("newBuilder(Duration.ofDays(38))") && code.contains("// up to Flink 1.18: StateTtlConfig.newBuilder(Time.days(38))"),
        "{code}"
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
