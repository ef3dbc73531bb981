//! How long the simulator takes for a large bucket: 1,000 rules, 1,000,000 objects, one core.
//!
//! `cargo bench --no-default-features --bench lifecycle`
#![allow(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use ttl_audit::{
    analysis::lifecycle::{Fates, Object, Simulator},
    evidence::{Expiration, Lifecycle, LifecycleRule, RuleFilter, Store, StoreKind, Transition, Versioning, VersioningStatus, When},
    units::{Bytes, Millis},
};

const RULES: usize = 1_000;
const OBJECTS: usize = 1_000_000;

fn rule(number: usize, prefix: String) -> LifecycleRule {
    let days = u32::try_from(number % 365).unwrap_or(0);
    LifecycleRule {
        id: Some(format!("rule-{number}")),
        filter: RuleFilter { prefix: Some(prefix), ..RuleFilter::default() },
        transitions: vec![
            Transition { when: When::Days(30 + days), storage_class: "STANDARD_IA".to_owned() },
            Transition { when: When::Days(90 + days), storage_class: "GLACIER".to_owned() },
        ],
        expiration: Some(Expiration::Objects(When::Days(400 + days))),
        ..LifecycleRule::default()
    }
}

fn simulator(rules: Vec<LifecycleRule>) -> Simulator {
    let lifecycle = Lifecycle { rules, transition_default_minimum_object_size: Some("all_storage_classes_128K".to_owned()) };
    let versioning = Versioning { status: VersioningStatus::Never, mfa_delete: false };
    Simulator::new(&lifecycle, &[], Some(&versioning), None, &Store { kind: StoreKind::Aws, because: "a benchmark".to_owned() })
}

/// How long the fates of all objects take, and how many changes they hold.
fn run(name: &str, rules: Vec<LifecycleRule>, keys: &[String]) -> Duration {
    let simulator = simulator(rules);
    let Some(start) = ttl_audit::units::Instant::from_epoch_seconds(1_760_000_000) else { return Duration::ZERO };
    let began = Instant::now();
    let mut fates = Fates::default();
    let mut changes = 0;
    for (number, key) in keys.iter().enumerate() {
        let age = Millis::seconds(u64::try_from(number).unwrap_or(0));
        let object = Object::written(key, Bytes(1 << 20), start.plus(age));
        changes += black_box(fates.of(&simulator, &object)).changes.len();
    }
    let took = began.elapsed();
    let each = took.as_nanos() / u128::try_from(keys.len().max(1)).unwrap_or(1);
    println!("{name:<40} {:>8.2} s  {each:>7} ns an object  {changes} changes", took.as_secs_f64());
    took
}

fn main() {
    let keys: Vec<String> = (0..OBJECTS).map(|n| format!("team-{:04}/checkpoints/job-{}/shared/{n:012x}", n % RULES, n % 97)).collect();
    let one = run("one rule for the whole bucket", vec![rule(0, String::new())], &keys);
    let own = (0..RULES).map(|n| rule(n, format!("team-{n:04}/"))).collect();
    let own = run("1,000 rules, each with a prefix", own, &keys);
    let all = (0..RULES).map(|n| rule(n, String::new())).collect();
    // The worst case: every rule acts on every object.
    let all = run("1,000 rules, each for the whole bucket", all, &keys);
    println!("1,000 prefixes cost {:.1} times one rule", own.as_secs_f64() / one.as_secs_f64());
    println!("1,000 rules on every object cost {:.1} times one rule", all.as_secs_f64() / one.as_secs_f64());
}
