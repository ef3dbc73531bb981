//! The pure core names no clock, file, network or environment.

use std::{fs, path::Path};

use crate::harness::root;

/// What everything right of the evidence is made of.
const PURE: &[&str] = &[
    "src/analysis",
    "src/audit",
    "src/compare",
    "src/doctor",
    "src/evidence",
    "src/finding",
    "src/manifest",
    "src/policy",
    "src/remedy",
    "src/report",
    "src/rules",
    "src/savepoint",
    "src/schema",
    "src/units",
    "src/yaml",
];

/// What would make it impure.
const IMPURE: &[&str] = &[
    "SystemTime",
    "Instant::now",
    "Timestamp::now",
    "Zoned::now",
    "std::env",
    "env::var",
    "std::fs",
    "fs::read",
    "std::net",
    "std::process",
    "std::thread",
    "tokio",
    "rdkafka::",
    "aws_config",
    "aws_sdk",
    "aws_smithy",
    "clap::",
    "println!",
    "eprintln!",
    "rand::",
];

#[test]
fn the_pure_core_names_no_clock_file_network_or_environment() {
    let mut files = Vec::new();
    for folder in PURE {
        collect(&root().join(folder), &mut files);
    }
    assert!(files.len() > 20, "the core was found: {files:?}");
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a source file");
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            found
                .extend(IMPURE.iter().filter(|word| line.contains(*word)).map(|word| format!("{}:{}: {word}", file.display(), number + 1)));
        }
    }
    assert!(found.is_empty(), "impure:\n{}", found.join("\n"));
}

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let Ok(path) = entry.map(|entry| entry.path()) else { continue };
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            files.push(path);
        }
    }
}
