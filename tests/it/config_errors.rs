//! Manifests and audit files: what is refused, where, and with which next step.

use ttl_audit::{audit, manifest, yaml::Diagnostic};

/// A file, and its errors as `line:column message = next step`.
type Case = (&'static str, &'static [&'static str]);

const HEAD: &str = "version: 1\njob: a\nsources: [{id: s, topic: t}]\n";

fn shown(diagnostics: &[Diagnostic]) -> Vec<String> {
    let one = |diagnostic: &Diagnostic| {
        let position = diagnostic.position.map_or_else(String::new, |at| format!("{}:{} ", at.line, at.column));
        let hint = diagnostic.hint.as_ref().map_or_else(String::new, |hint| format!(" = {hint}"));
        format!("{position}{}{hint}", diagnostic.message)
    };
    diagnostics.iter().map(one).collect()
}

#[test]
fn whole_manifests() {
    for (text, errors) in WHOLE {
        assert_eq!(shown(&manifest::parse("a.yaml", text).expect_err(text)), *errors, "{text}");
    }
}

#[test]
fn what_follows_a_valid_head() {
    assert!(manifest::parse("a.yaml", HEAD).is_ok(), "the head itself is fine");
    for (text, errors) in AFTER_HEAD {
        let text = format!("{HEAD}{text}");
        assert_eq!(shown(&manifest::parse("a.yaml", &text).expect_err(&text)), *errors, "{text}");
    }
}

/// The secret in these files is `hunter2`; it shows up nowhere.
#[test]
fn audit_files() {
    for (text, errors) in AUDITS {
        let found = audit::parse("audit.yaml", text).expect_err(text);
        assert_eq!(shown(&found), *errors, "{text}");
        for diagnostic in found {
            assert!(!format!("{diagnostic} {diagnostic:?}").contains("hunter2"), "{diagnostic}");
        }
    }
}

/// An audit file may come from somebody else: it names no program that is run and no library that is loaded.
#[test]
fn properties_that_run_code_are_refused() {
    for key in ["plugin.library.paths", "sasl.kerberos.kinit.cmd", "ssl.engine.location", "ssl.engine.id", "ssl.providers"] {
        let text = format!("version: 1\nkafka:\n  prod:\n    bootstrap.servers: a:9092\n    {key}: touch /tmp/x\n");
        let expected = format!(
            "5:5 `{key}` makes the client run or load a program, which an audit file may not = remove it; TLS, SASL PLAIN and SCRAM need none"
        );
        assert_eq!(shown(&audit::parse("audit.yaml", &text).expect_err(key)), [expected]);
    }
}

const WHOLE: &[Case] = &[
    ("", &["the file is empty = write at least version, job and sources"]),
    ("# nothing\n", &["the file is empty = write at least version, job and sources"]),
    ("- a\n", &["1:1 a manifest must be a map of keys, here is a list = write `key: value` lines below it"]),
    (
        "version: 2\njob: a\nsources: [{id: s, topic: t}]\n",
        &["1:10 `version`: `2` is not known, this program reads version 1 = write `version: 1`, or use a newer ttl-audit"],
    ),
    (
        "job: a\n",
        &[
            "1:1 a manifest lacks `version` = write `version: 1`",
            "1:1 a manifest lacks `sources` = declare what the job reads, such as `sources: [{id: orders, topic: orders}]`",
        ],
    ),
    (
        "version: 1\njob:\nsources: []\n",
        &["2:1 `job` is empty = write a value, or remove the key", "3:10 `sources` is empty = write at least one, or remove the key"],
    ),
    (
        "version: 1\njob: a\nsources: [{id: s, topic: t, retention: 7d}]\n",
        &[
            "3:29 `retention` does not belong here = the cluster is asked for the retention of a Kafka topic; `retention` is for other kinds",
        ],
    ),
    (
        "version: 1\njob: a\nsources: [{id: s}]\n",
        &[
            "3:11 a source of kind kafka lacks its topic = write one of `topic: name`, `topics: [a, b]`, `topic_pattern: 'user-.*'`; or another `kind`",
        ],
    ),
    (
        "version: 1\njob: a\nsources: [{id: s, topic: t, topics: [a]}]\n",
        &["3:29 `topic` and `topics` exclude each other = keep one of them"],
    ),
    (
        "version: 1\njob: a\nsources: [{id: s, kind: kinesis}]\n",
        &["3:11 a source lacks `retention` = write how long the source keeps its records: a duration, unlimited or unknown"],
    ),
    (
        "version: 1\njob: a\nsources: [{id: s, kind: kinesis, retention: 7d, start: latest, topic: x}]\n",
        &[
            "3:49 `start` does not belong here = `start` goes with the kinds kafka and pulsar, here is kinesis",
            "3:64 `topic` does not belong here = `topic` goes with the kind kafka, here is kinesis",
        ],
    ),
    (
        "version: 1\njob: a\nsources: [{id: s, kind: kafak, topic: t}]\n",
        &["3:25 `kind`: `kafak` is not known = did you mean `kafka`? One of kafka, kinesis, pulsar, files, cdc, other"],
    ),
    (
        "version: 1\njob: a\nsources: [{id: s, topic: 'a b'}, {id: s, topic: t}]\n",
        &[
            "3:26 `topic`: `a b` cannot be a Kafka topic = a name has up to 249 letters, digits, `.`, `_` and `-`; for several topics write `topics: [a, b]` or `topic_pattern`",
            "3:39 the source `s` stands twice, first on line 3 = give each one a name of its own",
        ],
    ),
    (
        "version: 1\njob: a\nsources: [{id: s, topics: [a, a]}, {id: s2, kind: cdc, retention: 0}]\n",
        &[
            "3:31 the topic `a` stands twice, first on line 3 = give each one a name of its own",
            "3:67 `retention`: a source that keeps nothing cannot be read again = write a duration, unlimited or unknown",
        ],
    ),
    (
        "version: 1\njob: a\nsources: [{id: s, topic: t, records_per_day: -3, start: begin, reset: never}]\n",
        &[
            "3:46 `records_per_day`: `-3` is not a whole number from 0 to 18446744073709551615 = write digits only, such as 43000",
            "3:57 `start`: `begin` is not known = write one of earliest, latest, committed, timestamp",
            "3:71 `reset`: `never` is not known = write one of earliest, latest, none",
        ],
    ),
];

const AFTER_HEAD: &[Case] = &[
    ("operator: []\n", &["4:1 unknown key `operator` in a manifest = did you mean `operators`?"]),
    (
        "operators:\n  - uid: a\n",
        &[
            "5:5 an operator lacks `state` = write the states that it keeps, such as `state: [{name: seen, ttl: 7d}]`; an operator without state is not listed",
        ],
    ),
    (
        "operators:\n  - state: [{name: s, ttl: 7d}]\n",
        &["5:5 an operator lacks `uid` = write the text of `uid(\"…\")` in the code, or `uid_hash` with the operator's 32 hex digits"],
    ),
    (
        "operators:\n  - {uid: a, uid_hash: b, state: [{name: s, ttl: 7d}]}\n  - {uid_hash: abc, state: [{name: s, ttl: 7d}]}\n",
        &[
            "5:14 `uid` and `uid_hash` exclude each other = keep the one that the code sets",
            "6:16 `uid_hash`: `abc` is not a uid hash = a uid hash has 32 hex digits; a name belongs to `uid`",
        ],
    ),
    (
        "operators:\n  - {uid: a, state: [{name: s, ttl: 7d}]}\n  - {uid: a, state: [{name: s, ttl: 7d}, {name: s, ttl: 8d}]}\n",
        &[
            "6:11 `a` is the uid of an operator on line 5 already = Flink refuses a job in which two operators share a uid",
            "6:49 the state `s` stands twice, first on line 6 = give each one a name of its own",
        ],
    ),
    (
        "operators:\n  - {uid: a, reads: [t], state: [{name: s, ttl: 7d, reads: [x]}]}\n",
        &["5:22 `reads` names `t`, which is not declared = declared: `s`", "5:61 `reads` names `x`, which is not declared = declared: `s`"],
    ),
    (
        "operators:\n  - uid: a\n    state:\n      - name: s\n        ttl:\n",
        &["8:9 `ttl` is empty = write a duration such as 7d, or never, or unknown"],
    ),
    (
        "operators:\n  - uid: a\n    state:\n      - {name: s}\n      - {name: t, ttl: 7}\n      - {name: u, ttl: 1 month}\n      - {name: v, ttl: -1}\n      - {name: w, ttl: nevr}\n",
        &[
            "7:9 a state lacks `ttl` = write a duration such as 7d, or never, or unknown; on the operator it holds for all its states",
            "8:24 `ttl`: `7` cannot be read: a bare number is milliseconds, as in Flink, and 7 ms is hardly meant = write 7d or 7 ms",
            "9:24 `ttl`: `1 month` cannot be read: months and years have no fixed length = write days, such as 30d or 365d",
            "10:24 `ttl`: `-1` cannot be read: it is negative = for state that never expires write `ttl: never`",
            "11:24 `ttl`: `nevr` cannot be read: it is not a duration = write a duration such as 7d, 36h, 1d 12h, 90 min, 604800000 ms or P7D; or never, or unknown",
        ],
    ),
    (
        "operators:\n  - {uid: a, ttl: 7d, state: [{name: s, kind: window}, {name: t, kind: interval-join, ttl: 1d}, {name: u, cleared_by: timer}, {name: v, ttl: never, after: 1h}]}\n",
        &[
            "5:31 the operator's `ttl` does not govern state of kind window = write `ttl: never` here, and `cleared_by` with `after` for what removes it",
            "5:92 a TTL does not govern state of kind interval-join = write `ttl: never` here, and `cleared_by` with `after` for what removes it",
            "5:107 `cleared_by` is for state that no TTL governs = write `ttl: never`, or remove `cleared_by`",
            "5:149 `after` goes with `cleared_by` = write `cleared_by: watermark`, timer or code beside it",
        ],
    ),
    (
        "operators:\n  - {uid: a, role: dedup, state: [{name: s, ttl: 7d, updte: x, update: on-write}]}\n",
        &[
            "5:20 `role`: `dedup` is not known = write one of deduplication, join, aggregation, session, cache, other",
            "5:54 unknown key `updte` in a state = did you mean `update`?",
            "5:72 `update`: `on-write` is not known = write one of on-create-and-write, on-read-and-write",
        ],
    ),
    (
        "sinks:\n  - {id: x, kind: firehose, delivery: exactly-once}\n  - {id: x, kind: jdbc, topic: t, location: s3://b/}\n  - {kind: files, location: out}\n",
        &[
            "5:39 a sink of kind firehose cannot deliver exactly once = write at-least-once; `idempotent: true` says that the target merges on a key",
            "6:10 the sink `x` stands twice, first on line 5 = give each one a name of its own",
            "6:25 `topic` does not belong here = `topic` goes with the kind kafka",
            "6:35 `location` does not belong here = `location` goes with the kinds files and iceberg",
            "7:5 a sink lacks `id` = write `id: <name>`, unique in the job",
            "7:29 `location` is not a location = `out` has no scheme; write s3://bucket/prefix/",
        ],
    ),
    (
        "sinks:\n  - {id: x, kind: kafka, transaction_timeout: 0, fed_by: [q]}\n",
        &[
            "5:47 `transaction_timeout` is zero = write a length, or remove the key",
            "5:59 `fed_by` names `q`, which is not declared = declare the operator first",
        ],
    ),
    (
        "recovery:\n  checkpoints: {interval: 60s}\n  savepoints: s3://b/x\n  high_availability: jobmanager\n  restore: {from: savpoint, mode: legacy}\n",
        &[
            "5:16 `checkpoints` lacks `location` = write the checkpoint directory, such as s3://bucket/checkpoints/, or jobmanager if none is configured",
            "6:15 `savepoints` must be a list, here is a single value = write [a, b], or `- a` lines below it",
            "7:22 `high_availability` cannot be `jobmanager`, which only checkpoints can = write s3://bucket/prefix/",
            "8:19 `from`: `savpoint` is neither a word nor a location = did you mean `savepoint`? One of latest, savepoint, checkpoint, last-state, none, or a location such as s3://bucket/savepoint-x/",
        ],
    ),
    (
        "flink: {version: 2.1.0}\nrecovery: {restore: {mode: legacy}}\n",
        &["5:28 Flink 2.x has no restore mode `legacy` = write no-claim or claim"],
    ),
    ("flink: {version: 2}\n", &["4:18 `version`: `2` is not a version of Flink = write it in full, such as 1.20.1 or 2.1.0"]),
    (
        "flink: {version: v1.18, platform: eks}\n",
        &[
            "4:18 `version`: `v1.18` is not a version of Flink = write it in full, such as 1.20.1 or 2.1.0",
            "4:35 `platform`: `eks` is not known = write one of self-managed, kubernetes-operator, managed-flink, ververica, other",
        ],
    ),
    ("job: b\n", &["4:1 the key `job` stands twice, first on line 2 = remove one of them"]),
    ("<<: {a: 1}\n", &["4:1 merge keys (`<<`) are not read = write the keys out"]),
    ("owner: !secret x\n", &["4:16 the tag `!secret` is not read = remove it; a text that begins with `!` must be quoted"]),
    ("owner: *x\n", &["4:8 no anchor of this name stands above = a text that begins with `*` must be quoted"]),
    ("owner: [a\n", &["4:8 not YAML: unclosed bracket '[' = close the bracket"]),
    ("owner: \"a\n", &["4:8 not YAML: unclosed quote = close the quote"]),
    (
        "owner:\n\t- a\n",
        &["5:2 not YAML: tabs disallowed within this context (block indentation) = indent with spaces: YAML does not allow tabs there"],
    ),
    (
        "owner: a: b\n",
        &[
            "4:9 not YAML: mapping values are not allowed in this context = a value that holds `: ` must be quoted; check the indentation of this line and the one above",
        ],
    ),
    (
        "? {a: 1}\n: b\n",
        &["4:3 a key must be text = templates such as `{{ name }}` are not expanded; a value that begins with `{` or `[` must be quoted"],
    ),
    (
        "owner: {{ name }}\n",
        &[
            "4:8 `owner` must be a single value, here is a map",
            "4:9 a key must be text = templates such as `{{ name }}` are not expanded; a value that begins with `{` or `[` must be quoted",
        ],
    ),
    ("---\nversion: 1\n", &["4:1 a second document begins here = keep one document in a file"]),
    (
        "max_downtime: 99999999999999999d\n",
        &["4:15 `max_downtime`: `99999999999999999d` cannot be read: it is longer than 10,000 years = write a shorter one"],
    ),
    ("owner: \"a\\eb\"\n", &["4:8 `owner` holds a control character = write it on one line, without escapes"]),
    ("\u{feff}owner: x\n", &["4:1 a byte order mark stands inside the file = remove it"]),
];

const AUDITS: &[Case] = &[
    ("", &["the file is empty = write at least `version: 1`"]),
    ("version: 1\nwaivers: []\n", &["2:10 `waivers` is empty = write at least one, or remove the key"]),
    (
        "version: 1\naudt: x\nas_of: yesterday\njobs: jobs/*.yaml\n",
        &[
            "2:1 unknown key `audt` in an audit file = did you mean `audit`?",
            "3:8 `as_of`: `yesterday` is not an instant = write 2026-09-15T00:00:00Z or 2026-09-15",
            "4:7 `jobs` must be a list, here is a single value = write [a, b], or `- a` lines below it",
        ],
    ),
    (
        "version: 1\nkafka:\n  prod:\n    bootstrap.servers: a:9092\n    sasl.password: hunter2\n    sasl.username: me\n    ssl.key.pem: |\n      hunter2\n",
        &[
            "5:5 `sasl.password` holds a secret in clear text = write `sasl.password: ${SASL_PASSWORD}` and set that environment variable when connecting",
            "7:5 `ssl.key.pem` holds a secret in clear text = write `ssl.key.pem: ${SSL_KEY_PEM}` and set that environment variable when connecting",
        ],
    ),
    (
        "version: 1\nkafka:\n  prod:\n    bootstrap.servers: [a, b]\n    sasl.password: ${X:-hunter2}\n    sasl.jaas.config: hunter2\n    ssl:\n      key.password: hunter2\n",
        &[
            "4:5 the property `bootstrap.servers` must be a single value, here is a list = write the items with commas between them: a:9092,b:9092",
            "5:5 `sasl.password` holds a secret in clear text = write `sasl.password: ${SASL_PASSWORD}` and set that environment variable when connecting",
            "6:5 `sasl.jaas.config` is a property of Java clients, librdkafka has none such = write `sasl.username` and `sasl.password: ${VAR}`",
            "7:5 the property `ssl` must be a single value, here is a map = write the whole name with dots: `bootstrap.servers: host:9092`",
        ],
    ),
    (
        "version: 1\nkafka: {prod: hunter2, b: {sasl.password:hunter2, sasl.password hunter2}}\n",
        &[
            "2:9 the cluster `prod` must be a map of librdkafka properties, here is a single value = write `bootstrap.servers: host:9092` below a name for the cluster",
            "2:24 the cluster `b` lacks `bootstrap.servers` = write `bootstrap.servers: host:9092`",
            "2:28 this is not the name of a property = write `name: value`, with a colon and a space",
            "2:51 this is not the name of a property = write `name: value`, with a colon and a space",
        ],
    ),
    (
        "version: 1\nkafka:\n  prod:\n    bootstrap.servers: a\n    sasl.password: \"hunter2\n",
        &["5:20 not YAML: unclosed quote = close the quote"],
    ),
    (
        "version: 1\nkafka:\n  prod:\n    bootstrap.servers: a\n    sasl.password: hunter2: x\n",
        &[
            "5:27 not YAML: mapping values are not allowed in this context = a value that holds `: ` must be quoted; check the indentation of this line and the one above",
        ],
    ),
    (
        "version: 1\ns3: {endpoint_url: 'https://u:hunter2@h', secret_access_key: hunter2, store: minio, buckets: {b: {regoin: x}}}\n",
        &[
            "2:20 `endpoint_url`: it holds a user name = credentials come from the AWS default chain, never from the address",
            "2:43 `secret_access_key` does not belong here = credentials come from the AWS default chain: environment, profile or role",
            "2:78 `store`: `minio` is not known = write one of aws, other",
            "2:99 unknown key `regoin` in a bucket = did you mean `region`?",
        ],
    ),
    (
        "version: 1\npolicy: {fail_on: errors, severity: {ttl-margin-thn: error, ttl-never: loud}, recovery_classes: {GLACIER: note, STANDRD_IA: note}, horizon: 1y, safety_margin: 2}\n",
        &[
            "2:19 `fail_on`: `errors` is not known = did you mean `error`? One of error, warning, note, never",
            "2:38 the rule `ttl-margin-thn` is not known = did you mean `ttl-margin-thin`?",
            "2:72 `ttl-never`: `loud` is not known = write one of error, warning, note, off",
            "2:98 GLACIER cannot be read at once, which no policy can allow = remove the key; the rule snapshot-unreadable judges it",
            "2:113 the storage class `STANDRD_IA` is not known = did you mean `STANDARD_IA`?",
            "2:141 `horizon`: `1y` cannot be read: months and years have no fixed length = write days, such as 30d or 365d",
            "2:160 `safety_margin`: `2` cannot be read: a bare number is milliseconds, as in Flink, and 2 ms is hardly meant = write 2d or 2 ms",
        ],
    ),
];
