//! The exit codes: few, and the same in every format.

use crate::folder::{Folder, Savepoint};

use Savepoint::{Elsewhere, Fine, Missing, Restored};

const FORMATS: [&str; 7] = ["table", "json", "sarif", "junit", "github", "markdown", "html"];

/// Runs in every format apart and at once; the code must not depend on it.
fn code(folder: &Folder, more: &[&str]) -> i32 {
    let check = ["check", "--offline"];
    let mut runs: Vec<Vec<String>> = FORMATS.iter().map(|format| vec!["--format".to_owned(), (*format).to_owned()]).collect();
    runs.push(FORMATS.iter().flat_map(|format| ["--output".to_owned(), format!("{format}=r.{format}")]).collect());
    runs.push(["--format", "json", "--output", "table=r.txt", "--quiet"].map(str::to_owned).to_vec());
    runs.push(["--verbose", "--color", "always"].map(str::to_owned).to_vec());
    let codes: Vec<i32> = runs
        .iter()
        .map(|run| {
            folder.run(&check.into_iter().chain(run.iter().map(String::as_str)).chain(more.iter().copied()).collect::<Vec<_>>()).code
        })
        .collect();
    let first = *codes.first().expect("runs");
    assert!(codes.iter().all(|code| *code == first), "{codes:?}");
    for format in FORMATS {
        assert!(!folder.read(&format!("r.{format}")).is_empty(), "{format}");
    }
    let report: serde_json::Value = serde_json::from_str(&folder.read("r.json")).expect("a report");
    assert_eq!(report.pointer("/summary/exit_code"), Some(&first.into()));
    let sarif: serde_json::Value = serde_json::from_str(&folder.read("r.sarif")).expect("a report");
    assert_eq!(sarif.pointer("/runs/0/invocations/0/exitCode"), Some(&first.into()));
    first
}

#[test]
fn every_code_in_every_format() {
    for (jobs, expected) in [
        (&[("a", Fine)][..], 0),
        (&[("a", Fine), ("b", Missing)], 1),
        (&[("a", Fine), ("b", Elsewhere)], 3),
        (&[("a", Missing), ("b", Elsewhere), ("c", Fine)], 3),
        (&[("a", Restored)], 0),
    ] {
        assert_eq!(code(&Folder::new(jobs), &[]), expected, "{jobs:?}");
    }
}

#[test]
fn fail_on_moves_the_gate_for_findings_and_unknowns_alike() {
    let restored = Folder::new(&[("a", Restored)]);
    assert_eq!(code(&restored, &["--fail-on", "warning"]), 1);
    assert_eq!(code(&restored, &["--fail-on", "error"]), 0);
    let both = Folder::new(&[("a", Missing), ("b", Elsewhere)]);
    assert_eq!(code(&both, &["--fail-on", "never"]), 0);
    assert_eq!(code(&both, &["--fail-on", "note"]), 3);
}

#[test]
fn the_command_line_outranks_the_policy() {
    let folder = Folder::new(&[("a", Restored)]);
    let audit = folder.read("audit.yaml");
    folder.write("audit.yaml", &format!("{audit}policy:\n  fail_on: warning\n"));
    assert_eq!(code(&folder, &[]), 1);
    assert_eq!(code(&folder, &["--fail-on", "error"]), 0);
}

#[test]
fn allow_incomplete_leaves_unknowns_out_of_the_code_and_prints_them() {
    let unknown = Folder::new(&[("a", Elsewhere)]);
    assert_eq!(code(&unknown, &["--allow-incomplete"]), 0);
    let both = Folder::new(&[("a", Missing), ("b", Elsewhere)]);
    assert_eq!(code(&both, &["--allow-incomplete"]), 1);
    let run = both.run(&["check", "--offline", "--allow-incomplete"]);
    assert!(run.stdout.contains("? unknown (error)"), "{}", run.stdout);
}

#[test]
fn what_is_not_valid_is_a_usage_error_without_a_report() {
    let folder = Folder::new(&[("a", Fine)]);
    for arguments in [
        &["check", "--offline", "--no-such-flag"][..],
        &["no-such-command"],
        &[],
        &["check", "--offline", "--format", "xml"],
        &["check", "--offline", "--output", "json"],
        &["check", "--offline", "--output", "json=no/such/folder/r.json"],
        &["check", "--offline", "--output", "json=r.json", "--output", "table=r.json"],
        &["check", "--offline", "--fail-on", "critical"],
        &["check", "--offline", "--as-of", "yesterday"],
        &["check", "--offline", "--job", "z"],
        &["check", "--offline", "--rule", "ttl-to-short"],
        &["check", "--offline", "--timeout", "10"],
        &["check", "--offline", "no-such-folder"],
        &["check", "--offline", "--save-evidence", "e.json"],
        &["check", "--evidence", "audit.yaml"],
        &["explain", "ttl-to-short"],
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {run:?}");
        assert_eq!(run.stdout, "", "{arguments:?}");
        assert!(!run.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn offline_without_evidence_names_the_next_step() {
    let folder = Folder::new(&[("a", Fine)]);
    std::fs::remove_file(folder.path().join("evidence.json")).expect("it was there");
    let run = folder.run(&["check", "--offline"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("ttl-audit collect") && run.stderr.contains("--evidence"), "{}", run.stderr);
}

#[test]
fn edited_evidence_is_a_usage_error() {
    let folder = Folder::new(&[("a", Missing)]);
    folder.write("evidence.json", &folder.read("evidence.json").replace("604800000", "86400000"));
    assert_eq!(folder.run(&["check", "--offline"]).code, 2);
}

#[test]
fn several_audits_end_with_the_worst_code() {
    let (fine, missing, elsewhere) = (Folder::new(&[("a", Fine)]), Folder::new(&[("a", Missing)]), Folder::new(&[("a", Elsewhere)]));
    let run = |folders: &[&Folder]| {
        let paths: Vec<&str> = folders.iter().map(|folder| folder.path().to_str().expect("text")).collect();
        fine.run(&[&["check", "--offline"], paths.as_slice()].concat())
    };
    assert_eq!(run(&[&fine, &missing]).code, 1);
    assert_eq!(run(&[&elsewhere, &missing, &fine]).code, 3);
    assert!(run(&[&fine, &missing]).stdout.ends_with("\n2 audits · acme exit 1 · acme exit 0 · exit 1\n"));
    // One that cannot be judged at all outranks everything.
    std::fs::remove_file(missing.path().join("evidence.json")).expect("it was there");
    assert_eq!(run(&[&elsewhere, &missing]).code, 2);
}

/// Field case F54: a wrapper took a finding for a fault of the tool, and printed lines that were off by one.
#[test]
fn help_states_the_codes_and_where_counting_starts() {
    let folder = Folder::new(&[]);
    for command in [&["--help"][..], &["check", "--help"], &["collect", "--help"]] {
        let run = folder.run(command);
        assert_eq!(run.code, 0);
        for part in ["\n  0  ", "\n  1  ", "\n  2  ", "\n  3  ", "count from 1"] {
            assert!(run.stdout.contains(part), "{command:?} lacks {part:?}:\n{}", run.stdout);
        }
    }
    let finding = Folder::new(&[("a", Missing)]);
    let report = finding.run(&["check", "--offline", "--format", "json"]).stdout;
    let report: serde_json::Value = serde_json::from_str(&report).expect("a report");
    let place = &report["findings"][0]["location"];
    let manifest = finding.read("jobs/a.yaml");
    let line = usize::try_from(place["line"].as_u64().expect("a line")).expect("small");
    let text = manifest.lines().nth(line - 1).expect("the line is there");
    assert!(text.contains("s3://acme-flink/savepoints/a/"), "line {line}: {text}");
}
