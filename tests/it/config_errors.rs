//! Manifests and audit files: what is refused, where, and with which next step.

use ttl_audit::{audit, manifest, yaml::Diagnostic};

/// As `line:column message = next step`.
fn shown(diagnostics: Vec<Diagnostic>) -> Vec<String> {
    diagnostics
        .into_iter()
        .map(|diagnostic| {
            let position = diagnostic.position.map_or_else(String::new, |at| format!("{}:{} ", at.line, at.column));
            format!("{position}{}{}", diagnostic.message, diagnostic.hint.map_or_else(String::new, |hint| format!(" = {hint}")))
        })
        .collect()
}

fn manifest_errors(text: &str) -> Vec<String> {
    shown(manifest::parse("a.yaml", text).expect_err(text))
}

fn audit_errors(text: &str) -> Vec<String> {
    shown(audit::parse("audit.yaml", text).expect_err(text))
}

#[test]
fn dump() {
    let head = "version: 1\njob: a\nsources: [{id: s, topic: t}]\n";
    for body in [
        "",
        "# nothing\n",
        "- a\n",
        "version: 2\njob: a\nsources: [{id: s, topic: t}]\n",
        "job: a\n",
        "version: 1\njob:\nsources: []\n",
        "version: 1\njob: a\nsources: [{id: s, topic: t, retention: 7d}]\n",
        "version: 1\njob: a\nsources: [{id: s}]\n",
        "version: 1\njob: a\nsources: [{id: s, topic: t, topics: [a]}]\n",
        "version: 1\njob: a\nsources: [{id: s, kind: kinesis}]\n",
        "version: 1\njob: a\nsources: [{id: s, kind: kinesis, retention: 7d, start: latest, topic: x}]\n",
        "version: 1\njob: a\nsources: [{id: s, kind: kafak, topic: t}]\n",
        "version: 1\njob: a\nsources: [{id: s, topic: 'a b'}, {id: s, topic: t}]\n",
        "version: 1\njob: a\nsources: [{id: s, topics: [a, a]}, {id: s2, kind: cdc, retention: 0}]\n",
        "version: 1\njob: a\nsources: [{id: s, topic: t, records_per_day: -3, start: begin, reset: never}]\n",
    ] {
        println!("-----\n{body}=> {:#?}", manifest_errors(body));
    }
    for body in [
        "operator: []\n",
        "operators:\n  - uid: a\n",
        "operators:\n  - state: [{name: s, ttl: 7d}]\n",
        "operators:\n  - {uid: a, uid_hash: b, state: [{name: s, ttl: 7d}]}\n  - {uid_hash: abc, state: [{name: s, ttl: 7d}]}\n",
        "operators:\n  - {uid: a, state: [{name: s, ttl: 7d}]}\n  - {uid: a, state: [{name: s, ttl: 7d}, {name: s, ttl: 8d}]}\n",
        "operators:\n  - {uid: a, reads: [t], state: [{name: s, ttl: 7d, reads: [x]}]}\n",
        "operators:\n  - uid: a\n    state:\n      - name: s\n        ttl:\n",
        "operators:\n  - uid: a\n    state:\n      - {name: s}\n      - {name: t, ttl: 7}\n      - {name: u, ttl: 1 month}\n      - {name: v, ttl: -1}\n      - {name: w, ttl: nevr}\n",
        "operators:\n  - {uid: a, ttl: 7d, state: [{name: s, kind: window}, {name: t, kind: interval-join, ttl: 1d}, {name: u, cleared_by: timer}, {name: v, ttl: never, after: 1h}]}\n",
        "operators:\n  - {uid: a, role: dedup, state: [{name: s, ttl: 7d, updte: x, update: on-write}]}\n",
        "sinks:\n  - {id: x, kind: firehose, delivery: exactly-once}\n  - {id: x, kind: jdbc, topic: t, location: s3://b/}\n  - {kind: files, location: out}\n",
        "sinks:\n  - {id: x, kind: kafka, transaction_timeout: 0, fed_by: [q]}\n",
        "recovery:\n  checkpoints: {interval: 60s}\n  savepoints: s3://b/x\n  high_availability: jobmanager\n  restore: {from: savpoint, mode: legacy}\n",
        "flink: {version: 2.1.0}\nrecovery: {restore: {mode: legacy}}\n",
        "flink: {version: 2}\n",
        "flink: {version: v1.18, platform: eks}\n",
        "job: b\n",
        "<<: {a: 1}\n",
        "owner: !secret x\n",
        "owner: *x\n",
        "owner: [a\n",
        "owner: \"a\n",
        "owner:\n\t- a\n",
        "owner: a: b\n",
        "? {a: 1}\n: b\n",
        "owner: {{ name }}\n",
        "---\nversion: 1\n",
        "max_downtime: 99999999999999999d\n",
        "owner: \"a\\eb\"\n",
        "\u{feff}owner: x\n",
    ] {
        println!("-----\n{body}=> {:#?}", manifest_errors(&format!("{head}{body}")));
    }
    for body in [
        "",
        "version: 1\nwaivers: []\n",
        "version: 1\naudt: x\nas_of: yesterday\njobs: jobs/*.yaml\n",
        "version: 1\nkafka:\n  prod:\n    bootstrap.servers: a:9092\n    sasl.password: hunter2\n    sasl.username: me\n    ssl.key.pem: |\n      hunter2\n",
        "version: 1\nkafka:\n  prod:\n    bootstrap.servers: [a, b]\n    sasl.password: ${X:-hunter2}\n    sasl.jaas.config: hunter2\n    ssl:\n      key.password: hunter2\n",
        "version: 1\nkafka: {prod: hunter2, b: {sasl.password:hunter2, sasl.password hunter2}}\n",
        "version: 1\nkafka:\n  prod:\n    bootstrap.servers: a\n    sasl.password: \"hunter2\n",
        "version: 1\nkafka:\n  prod:\n    bootstrap.servers: a\n    sasl.password: hunter2: x\n",
        "version: 1\ns3: {endpoint_url: 'https://u:hunter2@h', secret_access_key: hunter2, store: minio, buckets: {b: {regoin: x}}}\n",
        "version: 1\npolicy: {fail_on: errors, severity: {ttl-margin-thn: error, ttl-never: loud}, recovery_classes: {GLACIER: note, STANDRD_IA: note}, horizon: 1y, safety_margin: 2}\n",
    ] {
        println!("-----\n{body}=> {:#?}", audit_errors(body));
        for d in audit::parse("audit.yaml", body).unwrap_err() {
            println!("{d}");
        }
    }
}
