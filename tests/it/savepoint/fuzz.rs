//! What the fuzzer starts from reaches everything that reads bytes of a snapshot; otherwise it would run for hours past it.

use std::collections::BTreeSet;

use super::writer;
use crate::harness::in_root;

#[path = "../../../fuzz/exercise.rs"]
mod exercise;
#[path = "../../../fuzz/seeds.rs"]
mod seeds;

#[test]
fn the_seeds_reach_all_that_reads_bytes() {
    let seeds = seeds::all(&in_root(""));
    let mut read = BTreeSet::new();
    let mut refused = BTreeSet::new();
    for seed in &seeds {
        let run = exercise::exercise(&seed.bytes);
        read.extend(run.read);
        refused.insert(run.refused);
        assert!(seed.bytes.len() <= 20_000, "{} is large", seed.name);
    }
    let all = [
        "_metadata",
        "a header of broadcast state",
        "a header of keyed state",
        "a header of keyed state with a gap",
        "a header of operator state",
        "a merged file",
        "a relative file",
        "a shared file",
        "a split",
        "a summary with TTL settings",
        "a summary with a TTL",
        "a summary with positions",
        "a summary with states",
        "a summary with timers",
        "a uid",
        "an absolute file",
        "an enumerator",
        "an operator id",
        "changes in a file",
        "changes inline",
        "inline state",
        "splits",
    ];
    assert_eq!(read.into_iter().collect::<Vec<_>>(), all);
    assert!(refused.len() >= 5, "{refused:?}");
    let snapshots = seeds.iter().filter(|seed| seed.bytes.starts_with(&[0x49, 0x60, 0x67, 0x2d])).count();
    assert!(seeds.len() >= 300 && snapshots >= 150, "{} seeds, {snapshots} of them snapshots", seeds.len());
}
