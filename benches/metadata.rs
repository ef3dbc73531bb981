//! How long it takes to read a `_metadata` file of 100,000 handles, against one pass of SHA-256 over the same bytes.
//!
//! ```text
//! cargo bench --no-default-features --bench metadata
//! ```
//!
//! The file is made here, as RocksDB's incremental checkpoints are: format 4, absolute paths. Times depend on the machine; the ratio much less.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a benchmark reports to whoever runs it")]

use std::{
    fs,
    hint::black_box,
    time::{Duration, Instant},
};

use sha2::{Digest as _, Sha256};
use ttl_audit::savepoint::Metadata;

const OPERATORS: i32 = 20;
const SUBTASKS: i32 = 100;
const FILES: i32 = 50;
const ROUNDS: usize = 9;

fn main() {
    let bytes = metadata();
    let metadata = Metadata::read(&bytes).expect("the file is as Flink writes it");
    let handles = OPERATORS * SUBTASKS * FILES;
    let reach = metadata.reach("s3://bucket/checkpoints/job/chk-1");
    assert_eq!(reach.files.len(), usize::try_from(handles + OPERATORS * SUBTASKS).expect("small"), "every file is named once");

    let hash = median(|| {
        black_box(Sha256::digest(black_box(&bytes)));
    });
    let read = median(|| {
        let _ = black_box(Metadata::read(black_box(&bytes)));
    });
    let reached = median(|| {
        black_box(metadata.reach(black_box("s3://bucket/checkpoints/job/chk-1")));
    });
    println!("{handles} handles in {} bytes, median of {ROUNDS}", bytes.len());
    println!("sha256 {hash:?}");
    println!("read   {read:?}, {:.1} times sha256", read.as_secs_f64() / hash.as_secs_f64());
    println!("reach  {reached:?}, {:.1} times sha256", reached.as_secs_f64() / hash.as_secs_f64());
    println!("{}", peak_memory());
}

fn peak_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("peak memory not known").to_owned()
}

fn median(mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort();
    times.get(ROUNDS / 2).copied().unwrap_or_default()
}

/// A checkpoint of 20 operators with 100 subtasks each; every subtask has a header file and 50 others.
fn metadata() -> Vec<u8> {
    let mut out = Vec::new();
    int(&mut out, 0x4960_672d);
    int(&mut out, 4);
    long(&mut out, 17);
    int(&mut out, 0);
    int(&mut out, OPERATORS);
    for operator in 0..OPERATORS {
        out.extend([u8::try_from(operator).unwrap_or_default(); 16]);
        int(&mut out, SUBTASKS);
        int(&mut out, 128);
        out.push(0);
        int(&mut out, SUBTASKS);
        for subtask in 0..SUBTASKS {
            int(&mut out, subtask);
            int(&mut out, 0);
            int(&mut out, 0);
            incremental(&mut out, operator, subtask);
            out.push(0);
            int(&mut out, 0);
            int(&mut out, 0);
        }
    }
    properties(&mut out);
    out
}

fn incremental(out: &mut Vec<u8>, operator: i32, subtask: i32) {
    out.push(11);
    long(out, 17);
    text(out, "efacd05f-1b76-4944-a7b7-1ff43c8e3e97");
    int(out, 0);
    int(out, 128);
    long(out, 1_000);
    out.push(6);
    text(out, &uuid(operator, subtask, FILES));
    long(out, 1_251);
    int(out, FILES - 3);
    for file in 0..FILES {
        if file == FILES - 3 {
            int(out, 3);
        }
        text(out, &format!("{file:06}.sst"));
        out.push(2);
        long(out, 64 << 20);
        let name = uuid(operator, subtask, file);
        text(out, &format!("s3://bucket/checkpoints/fe84a575a2d27372d3fa38c7bda1ef62/shared/{name}"));
    }
    text(out, "a643e602-0ae2-44ed-804a-9b397f70031b");
}

/// The name of a file. Flink's are random: no order of the handles is the order of the names.
fn uuid(operator: i32, subtask: i32, file: i32) -> String {
    let number = u64::try_from((operator * SUBTASKS + subtask) * (FILES + 1) + file).expect("not negative");
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    format!("{:08x}-{:04x}-4944-a7b7-{number:012x}", mixed >> 32, mixed >> 16 & 0xffff)
}

/// `CheckpointProperties` of a retained checkpoint, as Java writes it.
fn properties(out: &mut Vec<u8>) {
    const FLAGS: [&str; 7] =
        ["discardCancelled", "discardFailed", "discardFinished", "discardSubsumed", "discardSuspended", "forced", "unclaimed"];
    out.extend([0xac, 0xed, 0, 5, 0x73]);
    class(out, "org.apache.flink.runtime.checkpoint.CheckpointProperties", 8);
    for flag in FLAGS {
        out.push(b'Z');
        text(out, flag);
    }
    object_field(out, "checkpointType", "Lorg/apache/flink/runtime/checkpoint/SnapshotType;");
    out.extend([0x78, 0x70, 0, 0, 1, 1, 0, 0, 0, 0x73]);
    class(out, "org.apache.flink.runtime.checkpoint.CheckpointType", 1);
    object_field(out, "sharingFilesStrategy", "Lorg/apache/flink/runtime/checkpoint/SnapshotType$SharingFilesStrategy;");
    out.extend([0x78, 0x70, 0x7e]);
    class(out, "org.apache.flink.runtime.checkpoint.SnapshotType$SharingFilesStrategy", 0);
    out.extend([0x78, 0x70, 0x74]);
    text(out, "FORWARD_BACKWARD");
}

/// The beginning of a class description: name, version, flags, number of fields.
fn class(out: &mut Vec<u8>, name: &str, fields: u8) {
    out.push(0x72);
    text(out, name);
    long(out, 1);
    out.extend([2, 0, fields]);
}

fn object_field(out: &mut Vec<u8>, name: &str, kind: &str) {
    out.push(b'L');
    text(out, name);
    out.push(0x74);
    text(out, kind);
}

fn int(out: &mut Vec<u8>, value: i32) {
    out.extend(value.to_be_bytes());
}

fn long(out: &mut Vec<u8>, value: i64) {
    out.extend(value.to_be_bytes());
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend(u16::try_from(text.len()).unwrap_or(u16::MAX).to_be_bytes());
    out.extend(text.as_bytes());
}
