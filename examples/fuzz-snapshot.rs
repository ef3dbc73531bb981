//! Feeds damaged snapshots to the reader, for as long as it is told: a fuzzer for stable Rust that needs nothing else. It is blind; the
//! target in `fuzz/` is guided by coverage and finds more.
//!
//! ```text
//! cargo run --release --no-default-features --example fuzz-snapshot -- --seconds 1200 [--seed 1]
//! cargo run --release --no-default-features --example fuzz-snapshot -- --write-seeds fuzz/corpus/snapshot
//! ```
//!
//! It starts from the seeds of `fuzz/seeds.rs`, damages them, and keeps what makes the reader stop in a new way. A run is a function of its
//! seed and of the number of inputs. An input that makes the reader panic is written to the folder for temporary files.

#![expect(clippy::expect_used, clippy::print_stdout, clippy::unwrap_used, clippy::indexing_slicing, reason = "a tool for developers")]

use std::{
    collections::BTreeSet,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    time::{Duration, Instant},
};

#[path = "../fuzz/exercise.rs"]
mod exercise;
#[path = "../fuzz/seeds.rs"]
mod seeds;
#[path = "../tests/it/savepoint/writer.rs"]
#[allow(dead_code, reason = "the tests' own writer, of which the seeds need a part")]
mod writer;

fn main() {
    let argument = |name: &str| std::env::args().skip_while(|argument| argument != name).nth(1);
    let number = |name: &str, default: u64| argument(name).map_or(default, |value| value.parse().unwrap());
    let seeds = seeds::all(Path::new(env!("CARGO_MANIFEST_DIR")));
    match argument("--write-seeds") {
        Some(folder) => write(&seeds, Path::new(&folder)),
        None => run(&seeds, Duration::from_secs(number("--seconds", 60)), number("--seed", 1)),
    }
}

fn write(seeds: &[seeds::Seed], folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    for (index, seed) in seeds.iter().enumerate() {
        let file = format!("seed-{index:04}");
        println!("{file}: {}", seed.name);
        fs::write(folder.join(file), &seed.bytes).unwrap();
    }
    println!("{} seeds in {}", seeds.len(), folder.display());
}

fn run(seeds: &[seeds::Seed], length: Duration, seed: u64) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut corpus: Vec<Vec<u8>> = seeds.iter().map(|seed| seed.bytes.clone()).collect();
    let mut ways = BTreeSet::new();
    let (mut runs, mut bytes, mut failures, mut slowest) = (0_u64, 0_u64, 0_u64, (Duration::ZERO, 0));
    let start = Instant::now();
    while start.elapsed() < length {
        let input = random.damaged(&corpus);
        let before = Instant::now();
        if let Ok(run) = catch_unwind(AssertUnwindSafe(|| exercise::exercise(&input))) {
            if ways.insert((run.read, run.refused)) && corpus.len() < 4_096 && input.len() < 300_000 {
                corpus.push(input.clone());
            }
        } else {
            failures += 1;
            let file = std::env::temp_dir().join(format!("fuzz-snapshot-{seed}-{runs}"));
            fs::write(&file, &input).unwrap();
            println!("run {runs}: a panic; the input is in {}", file.display());
        }
        slowest = slowest.max((before.elapsed(), input.len()));
        runs += 1;
        bytes += input.len() as u64;
    }
    println!("{runs} runs over {bytes} bytes, {} seeds, {} ways through the reader, {failures} panics", seeds.len(), ways.len());
    println!("slowest run {:?} for {} bytes; {}", slowest.0, slowest.1, peak_memory());
    assert_eq!(failures, 0, "the reader panicked");
}

fn peak_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("peak memory not known").to_owned()
}

/// xorshift64*: enough to damage bytes, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    #[expect(clippy::cast_possible_truncation, reason = "below a usize")]
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// One of the corpus, damaged in one to eight places.
    fn damaged(&mut self, corpus: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = corpus[self.below(corpus.len())].clone();
        // Large inputs take long and are no better than their beginnings.
        if bytes.len() > 20_000 && self.below(8) != 0 {
            bytes.truncate(20_000);
        }
        for _ in 0..=self.below(8) {
            self.damage(&mut bytes, corpus);
        }
        bytes
    }

    fn damage(&mut self, bytes: &mut Vec<u8>, corpus: &[Vec<u8>]) {
        const NUMBERS: [i32; 12] = [-1, 0, 1, 2, 3, 17, 127, 255, 65_535, i32::MAX, i32::MIN, 0x00ff_ffff];
        if bytes.is_empty() {
            bytes.push(0);
        }
        let at = self.below(bytes.len());
        let len = self.below(64).min(bytes.len() - at);
        match self.below(9) {
            0 => bytes[at] ^= 1 << self.below(8),
            1 => bytes[at] = self.next().to_le_bytes()[0],
            2 => bytes[at] = self.next().to_le_bytes()[0] % 18,
            3 => {
                let number = NUMBERS[self.below(NUMBERS.len())].to_be_bytes();
                for (to, from) in bytes[at..].iter_mut().zip(number) {
                    *to = from;
                }
            }
            4 => drop(bytes.drain(at..at + len)),
            5 => bytes.truncate(at),
            6 => {
                let copy = bytes[at..at + len].to_vec();
                for _ in 0..=self.below(16) {
                    bytes.splice(at..at, copy.iter().copied());
                }
            }
            7 => {
                let other = &corpus[self.below(corpus.len())];
                let from = self.below(other.len());
                let len = self.below(512).min(other.len() - from);
                let end = (at + self.below(512)).min(bytes.len());
                bytes.splice(at..end, other[from..from + len].iter().copied());
            }
            _ => {
                let to = self.below(bytes.len());
                bytes[at] = bytes[to];
            }
        }
    }
}
