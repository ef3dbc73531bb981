//! The shipped audits: their reports are stored beside them and compared byte for byte.
//!
//! `UPDATE_GOLDENS=1 cargo test --no-default-features --test it audits` writes them again. Read the difference before you accept it, and
//! say in the commit why the report changed.

use std::{fs, path::Path};

use crate::harness::{in_root, ttl_audit};

/// The options of `check` for each file that is compared; an audit adds its own in a file `args`.
const GOLDENS: [(&str, &[&str]); 2] = [("report.txt", &[]), ("report.json", &["--format", "json"])];

/// The other formats, for one audit of a single job, one of many, and one with waivers and a baseline.
const FORMATS: [(&str, &[&str]); 5] = [
    ("report.sarif", &["--format", "sarif"]),
    ("report.junit.xml", &["--format", "junit"]),
    ("report.github.txt", &["--format", "github"]),
    ("report.md", &["--format", "markdown"]),
    ("report.html", &["--format", "html"]),
];
const IN_EVERY_FORMAT: [&str; 3] = ["meridian", "fleet", "waived"];

#[test]
fn audits_give_the_reports_that_are_stored_beside_them() {
    let mut folders: Vec<_> = fs::read_dir(in_root("audits"))
        .expect("audits/")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    assert!(folders.len() >= 3, "the audits were found: {folders:?}");
    for folder in folders {
        let every = IN_EVERY_FORMAT.iter().any(|name| folder.ends_with(name));
        let formats = GOLDENS.iter().chain(FORMATS.iter().filter(|_| every));
        let codes: Vec<i32> = formats.map(|(file, options)| compare(&folder, file, options)).collect();
        let report = fs::read_to_string(folder.join("expected/report.json")).expect("a report");
        let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
        assert!(codes.iter().all(|code| report["summary"]["exit_code"] == *code), "{}: {codes:?}", folder.display());
    }
}

#[test]
fn what_there_is_to_do_for_meridian_is_stored_beside_it() {
    let folder = in_root("audits/meridian");
    assert_eq!(compare_with("remedy", &folder, "remedy.txt", &[]), 0);
    assert_eq!(compare_with("remedy", &folder, "remedy.redshift.sql", &["--sql", "redshift"]), 0);
}

fn compare(folder: &Path, file: &str, options: &[&str]) -> i32 {
    compare_with("check", folder, file, options)
}

fn compare_with(command: &str, folder: &Path, file: &str, options: &[&str]) -> i32 {
    let relative = folder.strip_prefix(in_root("")).expect("in the repository");
    let own = fs::read_to_string(folder.join("args")).unwrap_or_default();
    let output =
        ttl_audit().args([command, "--offline"]).arg(relative).args(options).args(own.split_whitespace()).output().expect("it runs");
    let written = String::from_utf8(output.stdout).expect("text");
    let code = output.status.code().expect("it was not killed");
    assert!([0, 1, 3].contains(&code), "{}: exit {code}: {}", folder.display(), String::from_utf8_lossy(&output.stderr));
    let path = folder.join("expected").join(file);
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        fs::create_dir_all(folder.join("expected")).expect("a folder");
        fs::write(&path, &written).expect("the file can be written");
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    let place = stored.lines().zip(written.lines()).position(|(stored, written)| stored != written);
    assert!(
        stored == written,
        "{} is not what {command} prints, first in line {}; see the top of this module",
        path.display(),
        place.unwrap_or_else(|| stored.lines().count().min(written.lines().count())) + 1
    );
    code
}
