//! Every console block of the README and of `docs/` prints what it says.
//!
//! A block marked `console` holds commands (`$ command`) and below each what it prints, stdout and stderr together. Each runs in a shell, in
//! a folder of the page that holds `audits` and what earlier commands of the page wrote; `echo $?` tells how the command before it ended.
//! `[..]` stands for any text within a line, a line `[..]` for any lines. Commands that need the world are in blocks marked `sh` and are not
//! run.
//!
//! `UPDATE_GOLDENS=1 cargo test --no-default-features --test it docs_console` writes outputs without `[..]` again.
#![cfg(unix)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, PoisonError},
};

use crate::harness::{in_root, root};

/// Two tests may write README.md.
static PAGES: Mutex<()> = Mutex::new(());

/// A command, and what stands below it.
struct Step {
    command: String,
    output: Vec<String>,
}

/// A page as it is: lines outside of console blocks, and steps.
enum Part {
    Line(String),
    Step(Step),
}

fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if inside => {
                if let Some(command) = line.strip_prefix("$ ") {
                    parts.push(Part::Step(Step { command: command.to_owned(), output: Vec::new() }));
                } else if let Some(Part::Step(step)) = parts.last_mut() {
                    step.output.push(line.to_owned());
                } else {
                    panic!("a console block begins with `$ `, here is {line}");
                }
                continue;
            }
            _ => {}
        }
        parts.push(Part::Line(line.to_owned()));
    }
    parts
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![in_root("README.md"), in_root("audits/README.md"), in_root("CONTRIBUTING.md")];
    for folder in ["docs", "docs/rules"] {
        let entries = fs::read_dir(in_root(folder)).expect(folder).map(|entry| entry.expect("an entry").path());
        pages.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    pages.sort();
    pages
}

/// Runs a command line; what it printed, and its exit code.
fn run(command: &str, before: i32, folder: &Path) -> (Vec<String>, i32) {
    let binary = Path::new(env!("CARGO_BIN_EXE_ttl-audit")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n(exit {before})\n{command}")])
        .env_clear()
        .env("PATH", format!("{}:{path}", binary.display()))
        .current_dir(folder)
        .output()
        .expect("a shell");
    let lines = String::from_utf8(output.stdout).expect("text").lines().map(|line| line.trim_end().to_owned()).collect();
    (lines, output.status.code().expect("it was not killed"))
}

/// Whether the lines are those that the page shows.
fn fits(shown: &[String], printed: &[String]) -> bool {
    match shown {
        [] => printed.is_empty(),
        [any, rest @ ..] if any == "[..]" => (0..=printed.len()).any(|from| fits(rest, printed.get(from..).unwrap_or_default())),
        [line, rest @ ..] => printed.split_first().is_some_and(|(first, more)| line_fits(line, first) && fits(rest, more)),
    }
}

fn line_fits(shown: &str, printed: &str) -> bool {
    let mut pieces = shown.trim_end().split("[..]");
    let Some(mut rest) = printed.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, between)) = pieces.split_last() else { return rest.is_empty() };
    for piece in between {
        let Some(at) = rest.find(piece) else { return false };
        rest = rest.get(at + piece.len()..).unwrap_or_default();
    }
    rest.ends_with(last)
}

/// Runs a page; what does not fit, and the page as it ought to be.
fn check(page: &Path) -> (usize, Vec<String>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(root().join("audits"), folder.path().join("audits")).expect("a link");
    let (mut steps, mut wrong, mut text, mut code) = (0, Vec::new(), String::new(), 0);
    for part in parts(&fs::read_to_string(page).expect("a page")) {
        match part {
            Part::Line(line) => text += &format!("{line}\n"),
            Part::Step(step) => {
                steps += 1;
                let (printed, ended) = run(&step.command, code, folder.path());
                code = ended;
                // A blank line before the end of the block belongs to the page.
                let blanks = step.output.iter().rev().take_while(|line| line.is_empty()).count();
                let (shown, tail) = step.output.split_at(step.output.len() - blanks);
                let fit = fits(shown, &printed);
                if !fit {
                    wrong.push(format!("{}: $ {}\nprinted:\n{}", page.display(), step.command, printed.join("\n")));
                }
                let elided = shown.iter().any(|line| line.contains("[..]"));
                let lines = if fit || elided { shown.to_vec() } else { printed };
                for line in [format!("$ {}", step.command)].into_iter().chain(lines).chain(tail.to_vec()) {
                    text += &format!("{line}\n");
                }
            }
        }
    }
    (steps, wrong, text)
}

#[test]
fn console_blocks_print_what_they_show() {
    let _writing = PAGES.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut steps, mut wrong) = (0, Vec::new());
    for page in pages() {
        let (run, unfit, text) = check(&page);
        if std::env::var_os("UPDATE_GOLDENS").is_some() && !unfit.is_empty() {
            fs::write(&page, text).expect("the page can be written");
        }
        steps += run;
        // What was written just now fits; what holds `[..]` has to be mended by hand.
        let rewritten = std::env::var_os("UPDATE_GOLDENS").is_some() && check(&page).1.is_empty();
        if !rewritten {
            wrong.extend(unfit);
        }
    }
    assert!(steps >= 10, "the blocks were found: {steps}");
    assert!(wrong.is_empty(), "{}\nsee the top of this module", wrong.join("\n\n"));
}

#[test]
fn a_line_fits_or_does_not() {
    for (shown, printed, fit) in [
        ("a", "a", true),
        ("a", "ab", false),
        ("a[..]", "ab", true),
        ("[..]b", "ab", true),
        ("[..]b", "abc", false),
        ("a[..]c[..]e", "abcde", true),
        ("a[..]x[..]e", "abcde", false),
    ] {
        assert_eq!(line_fits(shown, printed), fit, "{shown} {printed}");
    }
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(fits(&lines("a\n[..]\nd"), &lines("a\nb\nc\nd")));
    assert!(fits(&lines("a\n[..]\nd"), &lines("a\nd")));
    assert!(!fits(&lines("a\n[..]\nd"), &lines("a\nb")));
    assert!(!fits(&lines("a"), &lines("a\nb")));
}

/// Every relative link of a page leads to a file that is there.
#[test]
fn links_lead_somewhere() {
    let mut wrong = Vec::new();
    let mut links = 0;
    let audits = ["audits/meridian/README.md", "audits/meridian-fixed/README.md", "audits/fleet/README.md"].map(in_root);
    for page in pages().into_iter().chain(audits) {
        let text = fs::read_to_string(&page).expect("a page");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = target.split('#').next().unwrap_or_default();
            if path.is_empty() || path.contains("://") {
                continue;
            }
            links += 1;
            if !page.parent().expect("a folder").join(path).exists() {
                wrong.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(links > 20, "links were found: {links}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Every audit tells its story.
#[test]
fn every_audit_has_a_readme_and_is_listed() {
    let list = fs::read_to_string(in_root("audits/README.md")).expect("audits/README.md");
    for entry in fs::read_dir(in_root("audits")).expect("audits/") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            assert!(path.join("README.md").is_file(), "{name} has no README.md");
            assert!(list.contains(&format!("[{name}]({name}/README.md)")), "audits/README.md does not list {name}");
        }
    }
}

/// The README's table of rules is what the registry says.
#[test]
fn the_readme_lists_every_rule() {
    const BEGIN: &str = "<!-- rules -->\n";
    const END: &str = "<!-- /rules -->";
    let _writing = PAGES.lock().unwrap_or_else(PoisonError::into_inner);
    let path = in_root("README.md");
    let readme = fs::read_to_string(&path).expect("README.md");
    let (head, rest) = readme.split_once(BEGIN).expect("the table begins");
    let (table, tail) = rest.split_once(END).expect("the table ends");
    let mut expected = "\n| rule | severity | says |\n| --- | --- | --- |\n".to_owned();
    for rule in ttl_audit::rules::all() {
        let meta = rule.meta();
        let (id, severity) = (meta.id, meta.severity.word());
        let mut says = meta.summary.trim_end_matches('.').chars();
        let first = says.next().expect("it says something").to_uppercase();
        expected += &format!("| [`{id}`](docs/rules/{id}.md) | {severity} | {first}{} |\n", says.as_str());
    }
    expected.push('\n');
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        fs::write(&path, format!("{head}{BEGIN}{expected}{END}{tail}")).expect("it can be written");
        return;
    }
    assert!(table == expected, "README.md lists other rules than the registry; see the top of this module");
}

/// The README of an audit of many jobs says what each of them shows.
#[test]
fn the_fleet_lists_every_job() {
    let readme = fs::read_to_string(in_root("audits/fleet/README.md")).expect("its README");
    for entry in fs::read_dir(in_root("audits/fleet/jobs")).expect("its jobs") {
        let path = entry.expect("an entry").path();
        let job = path.file_stem().expect("a name").to_string_lossy();
        assert!(readme.contains(&format!("| `{job}` |")), "audits/fleet/README.md does not list {job}");
    }
}
