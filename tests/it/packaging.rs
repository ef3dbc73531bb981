//! How the program is packed and run elsewhere: the image, the action, the workflows, the hook, and every script in them.

use std::{fs, io::Write as _, process::Command};

use serde_json::Value;

use crate::{harness::in_root, schemas::read_yaml};

fn read(file: &str) -> String {
    fs::read_to_string(in_root(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The instructions of a Dockerfile, each with what follows it; comments and line ends within are gone.
fn instructions(text: &str) -> Vec<(String, String)> {
    let whole: String = text.lines().filter(|line| !line.trim_start().starts_with('#')).fold(String::new(), |text, line| {
        match line.trim_end().strip_suffix('\\') {
            Some(more) => text + more + " ",
            None => text + line + "\n",
        }
    });
    let parts = whole.lines().filter_map(|line| line.trim().split_once(' '));
    parts.map(|(name, rest)| (name.to_uppercase(), rest.trim().to_owned())).collect()
}

/// What is wrong with an image for this program.
fn complaints(text: &str) -> Vec<&'static str> {
    let all = instructions(text);
    let of = |name: &str| all.iter().filter(|(known, _)| known == name).map(|(_, rest)| rest.as_str()).collect::<Vec<_>>();
    let bases = of("FROM");
    let last = all.iter().rposition(|(name, _)| name == "FROM").and_then(|place| all.get(place..)).unwrap_or_default();
    let in_last = |name: &str| last.iter().filter(|(known, _)| known == name).map(|(_, rest)| rest.as_str()).collect::<Vec<_>>();
    let pinned = |base: &&str| {
        let image = base.split(' ').next().unwrap_or_default();
        image.contains("@sha256:") || image.rsplit_once(':').is_some_and(|(_, tag)| !tag.is_empty() && tag != "latest" && tag != "slim")
    };
    let exec = |form: &&str| serde_json::from_str::<Vec<String>>(form).is_ok_and(|words| !words.is_empty());
    let users = in_last("USER");
    let runs = of("RUN");
    let installs: Vec<&&str> = runs.iter().filter(|run| run.contains("apt-get install")).collect();
    let lean = |run: &&&str| {
        run.contains("--no-install-recommends") && run.contains("rm -rf /var/lib/apt/lists/*") && run.contains("apt-get update")
    };
    [
        (bases.len() < 2, "it is built in one stage"),
        (!bases.iter().all(pinned), "a base image is not pinned to a version"),
        (!of("ADD").is_empty(), "ADD fetches or unpacks"),
        (!in_last("COPY").iter().any(|copy| copy.starts_with("--from=")), "the last stage takes nothing from the build"),
        (!in_last("RUN").iter().any(|run| run.contains("ca-certificates")), "the certificates of public authorities are missing"),
        (
            !users.last().is_some_and(|user| user.parse::<u32>().is_ok_and(|id| id > 0)),
            "it runs as root, or as a user whose number is not stated",
        ),
        (!in_last("ENTRYPOINT").iter().all(exec) || in_last("ENTRYPOINT").len() != 1, "the entry point is not in exec form"),
        (!in_last("CMD").iter().all(exec), "the command is not in exec form"),
        (!installs.iter().all(lean), "packages leave lists or what is only recommended behind"),
        (
            runs.iter().any(|run| run.contains("curl") || run.contains("wget") || run.contains("sudo")),
            "something is fetched by hand, or by sudo",
        ),
    ]
    .into_iter()
    .filter_map(|(wrong, what)| wrong.then_some(what))
    .collect()
}

#[test]
fn the_image_is_small_runs_as_nobody_and_trusts_public_authorities() {
    let text = read("Dockerfile");
    assert_eq!(complaints(&text), [] as [&str; 0]);
    // The compiler is at least the one that the package asks for, and what was built here is not sent along.
    let manifest = read("Cargo.toml");
    let wanted = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"')).expect("a version");
    let rust = text.lines().find_map(|line| line.strip_prefix("FROM rust:")).expect("a compiler");
    let number = |version: &str| version.split(['.', '-']).take(2).map(|part| part.parse::<u32>().expect("a number")).collect::<Vec<_>>();
    assert!(number(rust) >= number(wanted), "{rust}, and the package wants {wanted}");
    for kept_out in ["target/", ".git/", ".cache/"] {
        assert!(read(".dockerignore").lines().any(|line| line == kept_out), "{kept_out}");
    }
}

/// The twins: each fault of an image is seen.
#[test]
fn what_is_wrong_with_an_image_is_seen() {
    let text = read("Dockerfile");
    for (from, to, said) in [
        ("USER 10001", "USER root", "it runs as root, or as a user whose number is not stated"),
        ("USER 10001\n", "", "it runs as root, or as a user whose number is not stated"),
        ("FROM debian:bookworm-slim", "FROM debian", "a base image is not pinned to a version"),
        ("FROM debian:bookworm-slim", "FROM debian:latest", "a base image is not pinned to a version"),
        ("ENTRYPOINT [\"ttl-audit\"]", "ENTRYPOINT ttl-audit", "the entry point is not in exec form"),
        ("WORKDIR /audit", "ADD https://example.com/x /x", "ADD fetches or unpacks"),
        ("--no-install-recommends ca-certificates", "--no-install-recommends curl", "the certificates of public authorities are missing"),
        ("--no-install-recommends ca-certificates", "ca-certificates", "packages leave lists or what is only recommended behind"),
    ] {
        assert!(text.contains(from), "{from}");
        assert!(complaints(&text.replace(from, to)).contains(&said), "{from} → {to}: {said}");
    }
}

/// What bash says against a script, `${{ … }}` taken for words. Nothing is run.
fn against(script: &str) -> Option<String> {
    let expression = regex::Regex::new(r"\$\{\{[^}]*\}\}").expect("a pattern");
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(expression.replace_all(script, "word").as_bytes()).expect("it can be written");
    let output = Command::new("bash").arg("-n").arg(file.path()).output().expect("bash");
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

/// What is wrong with the steps of an action or a job; of an action each script names its shell.
fn in_steps(steps: &Value, is_action: bool) -> Vec<String> {
    let mut wrong = Vec::new();
    for step in steps.as_array().map_or(&[][..], Vec::as_slice) {
        match (step["run"].as_str(), step["uses"].as_str()) {
            (Some(script), None) => {
                wrong.extend(against(script));
                if is_action && step["shell"] != "bash" {
                    wrong.push(format!("no shell: {script}"));
                }
                // What others may write must reach a script through the environment.
                if ["${{ inputs.", "${{ github.event", "${{ github.head_ref"].iter().any(|from| script.contains(from)) {
                    wrong.push(format!("text of others in a script: {script}"));
                }
            }
            (None, Some(uses)) if uses.split_once('@').is_some_and(|(_, version)| !version.is_empty() && version != "main") => {}
            other => wrong.push(format!("neither a script nor an action of a version: {other:?}")),
        }
    }
    if steps.as_array().is_none_or(Vec::is_empty) {
        wrong.push("no steps".to_owned());
    }
    wrong
}

#[test]
fn the_action_has_what_github_asks_for_and_sound_scripts() {
    let action = read_yaml(&read("action.yml"));
    for key in ["name", "description"] {
        assert!(action[key].as_str().is_some_and(|text| !text.is_empty()), "{key}");
    }
    assert_eq!(action["runs"]["using"], "composite");
    for (kind, needed) in [("inputs", "description"), ("outputs", "value")] {
        for (name, entry) in action[kind].as_object().expect(kind) {
            assert!(entry[needed].is_string() && entry["description"].is_string(), "{kind}.{name}");
        }
    }
    assert_eq!(in_steps(&action["runs"]["steps"], true), [] as [&str; 0]);
    // Every input reaches a step, and every output comes from one that is there.
    let text = read("action.yml");
    for name in action["inputs"].as_object().expect("inputs").keys() {
        assert!(text.contains(&format!("${{{{ inputs.{name} }}}}")), "{name}");
    }
    let ids: Vec<&str> = action["runs"]["steps"].as_array().expect("steps").iter().filter_map(|step| step["id"].as_str()).collect();
    for output in action["outputs"].as_object().expect("outputs").values() {
        let value = output["value"].as_str().expect("a value");
        assert!(ids.iter().any(|id| value.contains(&format!("steps.{id}.outputs."))), "{value}");
    }
}

#[test]
fn the_workflows_have_what_github_asks_for_and_sound_scripts() {
    for file in ["ci.yml", "release.yml"] {
        let workflow = read_yaml(&read(&format!(".github/workflows/{file}")));
        assert!(workflow["on"].is_object() && workflow["name"].is_string() && workflow["permissions"].is_object(), "{file}");
        let jobs = workflow["jobs"].as_object().expect("jobs");
        assert!(!jobs.is_empty());
        for (name, job) in jobs {
            assert!(job["runs-on"].is_string(), "{file} {name}");
            assert_eq!(in_steps(&job["steps"], false), [] as [&str; 0], "{file} {name}");
        }
    }
    // Snippets for other people's workflows are held to the same.
    let docs = read("docs/ci.md");
    let snippets: Vec<Value> = docs.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).map(read_yaml).collect();
    assert!(snippets.len() >= 4, "{snippets:?}");
    for job in snippets.iter().filter_map(|snippet| snippet["jobs"].as_object()).flat_map(serde_json::Map::values) {
        assert_eq!(in_steps(&job["steps"], false), [] as [&str; 0]);
    }
}

#[test]
fn the_hook_has_what_pre_commit_asks_for() {
    let hooks = read_yaml(&read(".pre-commit-hooks.yaml"));
    let [hook] = hooks.as_array().expect("a list").as_slice() else { panic!("{hooks:?}") };
    for key in ["id", "name", "description", "entry", "language"] {
        assert!(hook[key].as_str().is_some_and(|text| !text.is_empty()), "{key}");
    }
    assert_eq!((&hook["language"], &hook["pass_filenames"]), (&"rust".into(), &false.into()));
    assert!(regex::Regex::new(hook["files"].as_str().expect("a pattern")).is_ok_and(|files| files.is_match("audits/prod/audit.yaml")));
}

#[test]
fn every_script_of_the_repository_is_sound() {
    for folder in ["scripts", ".ci"] {
        for entry in fs::read_dir(in_root(folder)).expect(folder) {
            let path = entry.expect("an entry").path();
            let script = fs::read_to_string(&path).expect("a script");
            assert!(script.starts_with("#!"), "{}", path.display());
            assert_eq!(against(&script), None, "{}", path.display());
        }
    }
    assert!(against("if true; then echo\n").is_some(), "a script that is not sound is seen");
    assert!(!in_steps(&serde_json::json!([{ "run": "echo ${{ inputs.x }}", "shell": "bash" }]), true).is_empty());
    assert!(!in_steps(&serde_json::json!([{ "uses": "actions/checkout" }]), false).is_empty());
}
