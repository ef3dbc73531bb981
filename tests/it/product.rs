//! What surrounds an audit: `init`, `completions`, `man`, and the files that other programs read.

use std::{fs, path::Path};

use ttl_audit::{load, rules, yaml};

use crate::harness::{in_root, ttl_audit};

/// Exit code, stdout and stderr of a run.
fn run(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let output = ttl_audit().args(arguments).current_dir(folder).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("it was not killed"), text(output.stdout), text(output.stderr))
}

#[test]
fn init_writes_an_audit_that_can_be_loaded() {
    let home = tempfile::tempdir().expect("a folder");
    let (code, said, talk) = run(&["init", "mine"], home.path());
    assert_eq!((code, talk.as_str()), (0, ""));
    assert!(said.contains("ttl-audit check mine --save-evidence mine/evidence.json"), "the next step is told: {said}");
    let loaded = load::audits(&[home.path().join("mine")]).expect("it can be loaded");
    let [audit] = loaded.as_slice() else { panic!("{loaded:?}") };
    assert_eq!(audit.audit.jobs.len(), 1);
    // There is nothing to judge yet, and offline says how to get it.
    let (code, _, talk) = run(&["check", "--offline", "mine"], home.path());
    assert_eq!(code, 2);
    assert!(talk.contains("no evidence.json") && talk.contains("ttl-audit collect"), "{talk}");
    for (file, schema) in [("audit.yaml", ".schema/audit.json"), ("jobs/example.yaml", "../.schema/manifest.json")] {
        let path = home.path().join("mine").join(file);
        let text = fs::read_to_string(&path).expect(file);
        assert!(text.starts_with(&format!("# yaml-language-server: $schema={schema}\n")), "{text}");
        assert!(path.parent().expect("a folder").join(schema).is_file(), "the schema that {file} names is there");
    }
}

#[test]
fn what_init_comments_out_is_valid_too() {
    let home = tempfile::tempdir().expect("a folder");
    assert_eq!(run(&["init", "mine"], home.path()).0, 0);
    for file in ["mine/audit.yaml", "mine/jobs/example.yaml"] {
        let path = home.path().join(file);
        let text = fs::read_to_string(&path).expect(file);
        // Keys that are commented out: `# key: …`, `#   key: …`, `# - …`.
        let key = |rest: &str| {
            let rest = rest.trim_start().trim_start_matches("- ");
            let word = rest.split(':').next().unwrap_or_default();
            rest.contains(':') && !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
        };
        let lines = text.lines().skip(1).map(|line| match line.split_once("# ") {
            Some((indent, rest)) if indent.trim().is_empty() && key(rest) => format!("{indent}{rest}\n"),
            _ => format!("{line}\n"),
        });
        fs::write(&path, lines.collect::<String>()).expect("it can be written");
    }
    let loaded = load::audits(&[home.path().join("mine")]).unwrap_or_else(|error| panic!("{error}"));
    let audit = &loaded.first().expect("an audit").audit;
    assert!(audit.client.is_some() && audit.as_of.is_some() && !audit.s3.buckets.is_empty(), "everything is switched on: {audit:?}");
    assert!(audit.jobs.iter().all(|job| job.recovery.is_some() && !job.sinks.is_empty()));
}

#[test]
fn init_overwrites_nothing() {
    let home = tempfile::tempdir().expect("a folder");
    fs::write(home.path().join("notes.txt"), "mine").expect("a file");
    let (code, said, talk) = run(&["init", "."], home.path());
    assert_eq!((code, said.as_str()), (2, ""));
    assert!(talk.contains("not empty: it holds notes.txt") && talk.contains("nothing is overwritten"), "{talk}");
    assert!(!home.path().join("audit.yaml").exists());
    // A fresh repository is empty but for its own folder.
    fs::remove_file(home.path().join("notes.txt")).expect("it can be removed");
    fs::create_dir(home.path().join(".git")).expect("a folder");
    assert_eq!(run(&["init", "."], home.path()).0, 0);
    assert_eq!(run(&["init", "."], home.path()).0, 2, "the second time it is not empty");
}

#[test]
fn shells_complete_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (code, script, _) = run(&["completions", shell], Path::new("."));
        assert_eq!(code, 0, "{shell}");
        for word in ["check", "collect", "snapshot", "explain", "init", "schema", "save-evidence"] {
            assert!(script.contains(word), "{shell} does not complete {word}");
        }
    }
    let (code, _, talk) = run(&["completions", "dos"], Path::new("."));
    assert_eq!(code, 2, "{talk}");
}

#[test]
fn every_command_has_a_manual_page() {
    let home = tempfile::tempdir().expect("a folder");
    let (code, page, _) = run(&["man"], home.path());
    assert!(code == 0 && page.contains(".TH ttl-audit 1"), "{page}");
    let (code, page, _) = run(&["man", "check"], home.path());
    assert!(code == 0 && page.contains("offline") && page.contains("Exit codes"), "{page}");
    let (code, _, talk) = run(&["man", "chekc"], home.path());
    assert!(code == 2 && talk.contains("write one of check, collect"), "{talk}");
    assert_eq!(run(&["man", "--dir", "man1"], home.path()).0, 0);
    for page in ["ttl-audit.1", "ttl-audit-check.1", "ttl-audit-collect.1", "ttl-audit-init.1"] {
        assert!(home.path().join("man1").join(page).is_file(), "{page}");
    }
}

#[test]
fn every_rule_explains_itself() {
    let (code, list, _) = run(&["rules"], Path::new("."));
    assert_eq!(code, 0);
    for rule in rules::all() {
        let id = rule.meta().id;
        assert!(list.lines().any(|line| line.starts_with(id)), "rules lists {id}");
        let (code, page, _) = run(&["explain", id], Path::new("."));
        assert_eq!(code, 0, "{id}");
        for part in ["Why it matters", "What it needs", "Severity", "References"] {
            assert!(page.contains(part), "the page of {id} has a part `{part}`");
        }
        assert!(page.contains("severity: {") || page.contains("recovery_classes"), "the page of {id} says how to change its severity");
    }
}

/// The YAML files that other programs read are YAML, by the reader of this program, which refuses duplicate keys and tags.
#[test]
fn files_for_other_programs_can_be_read() {
    for file in ["action.yml", ".pre-commit-hooks.yaml", ".github/workflows/ci.yml", ".github/workflows/release.yml"] {
        let text = fs::read_to_string(in_root(file)).expect(file);
        let mut problems = yaml::Problems::new(file, &text);
        let read = yaml::parse(&mut problems);
        assert!(!problems.any() && read.is_some(), "{file}: {:?}", problems.into_diagnostics());
    }
}

/// What `action.yml` and the hook type is what the command line knows.
#[test]
fn files_for_other_programs_type_what_the_command_line_knows() {
    let action = fs::read_to_string(in_root("action.yml")).expect("action.yml");
    let (_, help, _) = run(&["check", "--help"], Path::new("."));
    let default = action.lines().find_map(|line| line.trim().strip_prefix("default: --")).expect("default arguments");
    let command = action.lines().find(|line| line.contains("ttl-audit\" check")).expect("it checks");
    let command = format!("{command} --{default}");
    for word in command.split_whitespace().filter(|word| word.starts_with("--")) {
        assert!(help.contains(word), "check knows {word}");
    }
    if let Some(format) = command.split_once("--format ").and_then(|(_, rest)| rest.split_whitespace().next()) {
        assert!(help.contains(&format!("- {format}:")), "check knows the format {format}");
    }
    let hook = fs::read_to_string(in_root(".pre-commit-hooks.yaml")).expect("the hook");
    let entry = hook.lines().find_map(|line| line.trim().strip_prefix("entry: ")).expect("an entry");
    let arguments: Vec<&str> = entry.split_whitespace().skip(1).chain(["audits/meridian-fixed"]).collect();
    assert_eq!(run(&arguments, &in_root("")).0, 0, "{entry}");
}
