//! How long an offline check of a large fleet takes, and how much memory, against merely reading and parsing the same files.
//!
//! `cargo bench --no-default-features --bench fleet` prints both and their ratio. Each measurement is a process of its own, so that its peak
//! of memory is its own; peaks are known on Linux only.
#![expect(clippy::print_stdout, clippy::expect_used, reason = "a benchmark prints, and stops at what it did not expect")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use ttl_audit::{evidence::Evidence, load, manifest::AsOf, report, units::Millis};

#[path = "../tests/it/scene.rs"]
#[expect(dead_code, reason = "shared with the tests, which use all of it")]
mod scene;

const JOBS: usize = 1_000;
const OPERATORS: usize = 10;
const TOPICS: usize = 5;
/// Daily samples of each topic.
const SAMPLES: u64 = 32;
const ROUNDS: usize = 5;

/// Time, and peak memory in KiB.
type Cost = (Duration, u64);

fn main() {
    let arguments: Vec<String> = env::args().collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [_, "parse", folder] => measured(|| parse(Path::new(folder))),
        [_, "check", folder] => measured(|| check(Path::new(folder))),
        _ => compare(),
    }
}

/// Prints how long it took and the most memory that this process has held.
fn measured(work: impl FnOnce() -> usize) {
    let begin = Instant::now();
    let size = work();
    println!("{} {} {size}", begin.elapsed().as_micros(), peak_kib().unwrap_or_default());
}

fn peak_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().trim_end_matches(" kB").trim().parse().ok()
}

/// What cannot be avoided: each file is read, and becomes values.
fn parse(folder: &Path) -> usize {
    let audit = fs::read_to_string(folder.join("audit.yaml")).expect("an audit file");
    let mut values: Vec<serde_json::Value> = vec![serde_yaml::from_str(&audit).expect("YAML")];
    for manifest in manifests(folder) {
        values.push(serde_yaml::from_str(&fs::read_to_string(manifest).expect("a manifest")).expect("YAML"));
    }
    let text = fs::read_to_string(folder.join("evidence.json")).expect("evidence");
    let evidence: Evidence = serde_json::from_str(&text).expect("evidence");
    values.len() + evidence.places.len()
}

fn manifests(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder.join("jobs")).expect("jobs").map(|entry| entry.expect("an entry").path()).collect()
}

/// What `check --offline --format json` does.
fn check(folder: &Path) -> usize {
    let audits = load::audits(&[folder.to_owned()]).expect("an audit");
    let loaded = load::evidence_in(folder).expect("evidence");
    let reports: Vec<report::Report> = audits
        .iter()
        .map(|one| {
            let as_of = AsOf { at: one.audit.as_of.expect("it is pinned"), pinned: true };
            report::build(&one.audit, &loaded.evidence, as_of, &loaded.source)
        })
        .collect();
    let first = reports.first().expect("a report");
    assert_eq!(first.jobs.len(), JOBS, "every job was judged");
    assert!(first.summary.findings.error > 0, "something was found");
    report::to_json(&reports).expect("JSON").len()
}

fn compare() {
    let folder = env::temp_dir().join(format!("ttl-audit-fleet-{}", std::process::id()));
    generate(&folder);
    let this = env::current_exe().expect("this program");
    let run = |what: &str| {
        let output = Command::new(&this).arg(what).arg(&folder).output().expect("it runs");
        let text = String::from_utf8(output.stdout).expect("text");
        let numbers: Vec<u64> = text.split_whitespace().map(|number| number.parse().expect("a number")).collect();
        let [micros, kib, _] = numbers.as_slice() else { panic!("{what}: {}", String::from_utf8_lossy(&output.stderr)) };
        (Duration::from_micros(*micros), *kib)
    };
    // Alternating, and the best of each: what else the machine does disturbs both alike.
    let rounds: Vec<_> = (0..ROUNDS).map(|_| (run("parse"), run("check"))).collect();
    let best = |time: &dyn Fn(&(Cost, Cost)) -> Cost| {
        let (times, peaks): (Vec<Duration>, Vec<u64>) = rounds.iter().map(time).unzip();
        (times.into_iter().min().unwrap_or_default(), peaks.into_iter().min().unwrap_or_default())
    };
    let (parsed, checked) = (best(&|round| round.0), best(&|round| round.1));
    let bytes: u64 =
        manifests(&folder).iter().chain([&folder.join("evidence.json")]).map(|file| fs::metadata(file).expect("a file").len()).sum();
    println!("{JOBS} jobs, {} operators, {} topics, {:.1} MB of files", JOBS * OPERATORS, JOBS * TOPICS, as_f64(bytes) / 1e6);
    println!("read and parse  {:>7.0} ms  {:>7.1} MiB", parsed.0.as_secs_f64() * 1e3, as_f64(parsed.1) / 1024.0);
    println!("check --offline {:>7.0} ms  {:>7.1} MiB", checked.0.as_secs_f64() * 1e3, as_f64(checked.1) / 1024.0);
    println!("ratio           {:>7.2}     {:>7.2}", checked.0.as_secs_f64() / parsed.0.as_secs_f64(), as_f64(checked.1) / as_f64(parsed.1));
    fs::remove_dir_all(&folder).expect("the folder can be removed");
}

#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
const fn as_f64(number: u64) -> f64 {
    number as f64
}

fn generate(folder: &Path) {
    fs::create_dir_all(folder.join("jobs")).expect("a folder");
    let now = scene::at("2026-10-01");
    fs::write(
        folder.join("audit.yaml"),
        "version: 1\naudit: fleet\nas_of: 2026-10-01T00:00:00Z\nkafka:\n  prod:\n    bootstrap.servers: broker.example:9092\n",
    )
    .expect("a file");
    let mut evidence = Evidence::empty(now);
    let mut cluster = scene::cluster(now, "fleet-1", []);
    let mut topic = scene::Topic::new(now, now.minus(Millis::days(8)), 6, 10_000);
    for day in 1..SAMPLES {
        topic = topic.sampled_at(now.minus(Millis::days(day)));
    }
    evidence.buckets.insert("fleet".to_owned(), scene::bucket(now, "fleet", "eu-west-1"));
    for job in 0..JOBS {
        let topics: Vec<String> = (0..TOPICS).map(|topic| format!("events-{job}-{topic}")).collect();
        for name in &topics {
            cluster.topics.insert(name.clone(), topic.evidence(name));
        }
        let place = format!("savepoints/job-{job:04}");
        let snapshot = scene::Snapshot::new("fleet", &format!("{place}/savepoint-1a2b3c-4d5e6f708192"), now.minus(Millis::days(1)), 20_000)
            // One job in fifty has a savepoint that cannot be read.
            .files(8, 10_000_000, if job % 50 == 0 { "GLACIER" } else { "STANDARD" })
            .each("GLACIER", |object| {
                let head = ttl_audit::evidence::ObjectHead { storage_class: Some("GLACIER".to_owned()), ..Default::default() };
                object.head = ttl_audit::evidence::Fact::seen(head, "fleet", "HeadObject", now);
            });
        evidence.places.extend([scene::place(now, "fleet", &place, vec![snapshot])]);
        fs::write(folder.join(format!("jobs/job-{job:04}.yaml")), manifest(job, &topics)).expect("a file");
    }
    evidence.kafka.insert("prod".to_owned(), cluster);
    fs::write(folder.join("evidence.json"), evidence.to_json().expect("evidence")).expect("a file");
}

fn manifest(job: usize, topics: &[String]) -> String {
    let mut text = format!("version: 1\njob: job-{job:04}\nowner: team-{}\nmax_downtime: 3d\nsources:\n", job % 20);
    for (number, topic) in topics.iter().enumerate() {
        text.push_str(&format!("  - id: source-{number}\n    cluster: prod\n    topic: {topic}\n    group_id: job-{job:04}\n"));
    }
    text.push_str("operators:\n");
    for operator in 0..OPERATORS {
        text.push_str(&format!(
            "  - uid: operator-{operator}\n    role: deduplication\n    reads: [source-{}]\n    state:\n      - name: seen\n        kind: value\n        ttl: 30d\n",
            operator % topics.len()
        ));
    }
    text.push_str(&format!("recovery:\n  savepoints: [s3://fleet/savepoints/job-{job:04}/]\n  restore: {{ from: savepoint }}\n"));
    text
}
