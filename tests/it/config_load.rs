//! From paths to audits and evidence.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use tempfile::TempDir;
use ttl_audit::{
    evidence::Evidence,
    load::{self, LoadError, LoadedAudit, QuickConnection},
};

const MANIFEST: &str = "version: 1\njob: JOB\nsources: [{id: s, topic: t}]\n";

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect("a file");
    }
    folder
}

fn manifest(job: &str) -> String {
    MANIFEST.replace("JOB", job)
}

fn load(path: &Path) -> Result<LoadedAudit, LoadError> {
    load::audits(&[path.to_owned()]).map(|mut audits| audits.remove(0))
}

/// The errors as stderr shows them, without the name of the temporary folder.
fn errors(folder: &TempDir, path: &str) -> String {
    let error = load(&folder.path().join(path)).expect_err(path).to_string();
    error.replace(&format!("{}/", folder.path().display()), "").replace(&folder.path().display().to_string(), "FOLDER")
}

#[test]
fn a_folder_or_its_audit_file_is_an_audit() {
    let folder =
        folder(&[("audit.yaml", "version: 1\n"), ("jobs/b.yaml", &manifest("b")), ("jobs/a.yaml", &manifest("z")), ("jobs/x.txt", "{")]);
    for path in [folder.path().to_owned(), folder.path().join("audit.yaml")] {
        let loaded = load(&path).expect("an audit");
        let jobs: Vec<_> = loaded.audit.jobs.iter().map(|job| (job.job.value.as_str(), job.file.as_str())).collect();
        assert_eq!(jobs, [("b", "jobs/b.yaml"), ("z", "jobs/a.yaml")], "by name");
        assert_eq!((loaded.audit.file.as_str(), loaded.folder.as_path(), loaded.single), ("audit.yaml", folder.path(), false));
        assert_eq!(Some(loaded.audit.name.as_str()), folder.path().file_name().and_then(|name| name.to_str()), "the folder's name");
    }
}

#[test]
fn patterns_reach_as_far_as_they_say() {
    let folder = folder(&[
        ("audit.yaml", "version: 1\njobs: ['./team-*/**/*.y{a,}ml', one.yaml, 'team-a/deep/*.yaml']\n"),
        ("one.yaml", &manifest("one")),
        ("two.yaml", "no manifest: ["),
        ("team-a/deep/a.yaml", &manifest("a")),
        ("team-b/b.yml", &manifest("b")),
    ]);
    let jobs: Vec<_> = load(folder.path()).expect("an audit").audit.jobs.into_iter().map(|job| job.job.value).collect();
    assert_eq!(jobs, ["a", "b", "one"], "each once");
}

#[test]
fn nothing_matched_is_an_error_that_names_the_pattern() {
    let folder = folder(&[
        ("audit.yaml", "version: 1\njobs: [jobs/*.yaml, ../x/*.yaml, /etc/*.yaml, 'a[']\n"),
        ("default/audit.yaml", "version: 1\n"),
    ]);
    let shown = errors(&folder, "audit.yaml");
    for part in [
        "audit.yaml:2:8: no manifest matched `jobs/*.yaml`\n  |\n2 | jobs: [jobs/*.yaml,",
        "audit.yaml:2:21: the pattern `../x/*.yaml` leads out of the audit's folder",
        "audit.yaml:2:34: the pattern `/etc/*.yaml` leads out",
        "audit.yaml:2:47: `a[` is not a pattern",
        "4 errors",
    ] {
        assert!(shown.contains(part), "{part} in\n{shown}");
    }
    assert!(errors(&folder, "default").starts_with("default/audit.yaml: no manifest matched `jobs/*.yaml`"));
}

#[test]
fn all_errors_of_all_files_in_one_run() {
    let folder = folder(&[
        ("one/audit.yaml", "version: 1\nkafka: {prod: {bootstrap.servers: a}}\n"),
        ("one/jobs/a.yaml", "version: 1\njob: a\n"),
        ("one/jobs/b.yaml", "job: a\nsources: [{id: s}]\n"),
        ("two/audit.yaml", "version: 3\n"),
    ]);
    let paths: Vec<PathBuf> = ["one", "two", "three", "one"].iter().map(|name| folder.path().join(name)).collect();
    let error = load::audits(&paths).expect_err("errors");
    let shown: Vec<String> =
        error.diagnostics.iter().map(|found| found.to_string().replace(&format!("{}/", folder.path().display()), "")).collect();
    let starts: Vec<&str> = shown.iter().filter_map(|text| text.lines().next()).collect();
    assert_eq!(
        starts,
        [
            "one/jobs/a.yaml:1:1: a manifest lacks `sources`",
            "one/jobs/b.yaml:1:1: a manifest lacks `version`",
            "one/jobs/b.yaml:2:11: a source of kind kafka lacks its topic",
            "three: it does not exist",
            "two/audit.yaml:1:10: `version`: `3` is not known, this program reads version 1",
        ]
    );
}

#[test]
fn a_cluster_that_only_a_sink_names_has_to_be_in_the_audit_file() {
    let job = |sink: &str| {
        format!(
            "{}sinks: [{{id: out, kind: kafka, delivery: exactly-once{sink}}}]\n",
            manifest("a").replace("topic: t", "topic: t, cluster: east")
        )
    };
    let audit = "version: 1\nkafka: {east: {bootstrap.servers: a}, west: {bootstrap.servers: b}}\n";
    let shown = |sink: &str| errors(&folder(&[("audit.yaml", audit), ("jobs/a.yaml", &job(sink))]), "audit.yaml");
    assert!(shown(", cluster: wset").contains("the audit file has no cluster `wset` under `kafka`"), "{}", shown(", cluster: wset"));
    assert!(shown("").contains("the sink `out` names no cluster, and the audit file has 2"), "{}", shown(""));
    let fine = folder(&[("audit.yaml", audit), ("jobs/a.yaml", &job(", cluster: west"))]);
    load(&fine.path().join("audit.yaml")).expect("a known cluster");
}

#[test]
fn what_only_shows_across_files() {
    let job = |cluster: &str, job: &str| manifest(job).replace("topic: t", &format!("topic: t{cluster}"));
    let folder = folder(&[
        ("audit.yaml", "version: 1\nkafka: {east: {bootstrap.servers: a}, west: {bootstrap.servers: b}}\n"),
        ("jobs/a.yaml", &job(", cluster: east", "a")),
        ("jobs/b.yaml", &job(", cluster: wset", "a")),
        ("jobs/c.yaml", &job("", "c")),
    ]);
    let shown = errors(&folder, "audit.yaml");
    for part in [
        "jobs/b.yaml:2:6: the job `a` is declared in jobs/a.yaml:2 already\n  |\n2 | job: a\n  |      ^",
        "jobs/b.yaml:3:38: the audit file has no cluster `wset` under `kafka`",
        "did you mean `west`?",
        "jobs/c.yaml:3:16: the source `s` names no cluster, and the audit file has 2",
    ] {
        assert!(shown.contains(part), "{part} in\n{shown}");
    }
}

#[test]
fn a_single_manifest_takes_one_connection() {
    let two = manifest("two").replace("topic: t}", "topic: t, cluster: east}, {id: u, topic: t, cluster: west}");
    let folder =
        folder(&[("job.yaml", &manifest("one")), ("two.yaml", &two), ("a/audit.yaml", "version: 1\n"), ("a/jobs/a.yaml", &manifest("a"))]);
    let quick = QuickConnection {
        kafka: [("bootstrap.servers".to_owned(), "localhost:9092".to_owned())].into(),
        s3_endpoint: Some("http://localhost:5000".to_owned()),
    };
    let load = |path: &str| load::audits_with(&[folder.path().join(path)], &quick);
    let audits = load("job.yaml").expect("an audit");
    let audit = &audits[0].audit;
    assert_eq!((audit.name.as_str(), audits[0].single), ("one", true));
    assert_eq!(audit.kafka["default"].properties["bootstrap.servers"], "localhost:9092");
    assert_eq!(audit.s3.default.endpoint_url.as_deref(), Some("http://localhost:5000"));
    let error = load("two.yaml").expect_err("two clusters").to_string();
    assert!(error.contains("two.yaml:3:72: the manifest names the clusters `east` and `west`, and one connection is given"), "{error}");
    assert!(load::audits(&[folder.path().join("two.yaml")]).is_ok(), "without a connection, names do not matter");
    assert!(load("a").expect_err("an audit").to_string().contains("it is an audit, which names its own connections"));
}

#[cfg(unix)]
#[test]
fn links_lead_neither_in_circles_nor_out() {
    use std::os::unix::fs::symlink;
    let outside = folder(&[("secret.yaml", &manifest("outside"))]);
    let folder = folder(&[("audit.yaml", "version: 1\njobs: ['jobs/**/*.yaml']\n"), ("jobs/..data/a.yaml", &manifest("a"))]);
    symlink(folder.path().join("jobs"), folder.path().join("jobs/circle")).expect("a link");
    symlink("..data/a.yaml", folder.path().join("jobs/a.yaml")).expect("a link");
    symlink(outside.path(), folder.path().join("jobs/out")).expect("a link");
    // What lies outside is not read, and not left out in silence either.
    let refused = errors(&folder, "audit.yaml");
    assert!(
        refused.contains("`jobs/out/secret.yaml` matches") && refused.contains("a link that leads out of the audit's folder"),
        "{refused}"
    );
    fs::remove_file(folder.path().join("jobs/out")).expect("the link");
    // The file and the link to it declare one job twice, as a mounted config map would with `**`.
    assert!(errors(&folder, "audit.yaml").contains("the job `a` is declared in"));
    fs::write(folder.path().join("audit.yaml"), "version: 1\njobs: ['jobs/*.yaml']\n").expect("a file");
    let jobs: Vec<_> = load(folder.path()).expect("an audit").audit.jobs.into_iter().map(|job| job.job.value).collect();
    assert_eq!(jobs, ["a"]);
}

#[test]
fn a_large_file_and_what_is_no_file_are_refused() {
    let folder = folder(&[("audit.yaml", "version: 1\n")]);
    let large = fs::File::create(folder.path().join("large.yaml")).expect("a file");
    large.set_len(100 << 20).expect("100 MiB");
    assert_eq!(
        errors(&folder, "large.yaml"),
        "large.yaml: larger than 1024 KiB, which no manifest or audit file is\n   = name another file"
    );
    fs::create_dir(folder.path().join("jobs")).expect("a folder");
    assert!(errors(&folder, "jobs").contains("there is no audit.yaml in this folder"));
    if Path::new("/dev/zero").exists() {
        assert!(load(Path::new("/dev/zero")).expect_err("a device").to_string().contains("it is not a regular file"));
    }
}

#[test]
fn evidence_is_read_zipped_or_not() {
    let evidence = Evidence::empty("2026-09-15".parse().expect("a day"));
    let text = evidence.to_json().expect("writes");
    let folder = folder(&[("plain/evidence.json", &text), ("both/evidence.json", &text), ("both/evidence.json.gz", ""), ("none/x", "")]);
    let mut zip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    zip.write_all(text.as_bytes()).expect("packs");
    let zipped = zip.finish().expect("packs");
    fs::create_dir(folder.path().join("zipped")).expect("a folder");
    fs::write(folder.path().join("zipped/evidence.json.gz"), &zipped).expect("a file");
    for name in ["plain", "zipped"] {
        assert_eq!(load::evidence_in(&folder.path().join(name)).expect(name).evidence.captured_at, evidence.captured_at);
    }
    for (name, part) in
        [("both", "both evidence.json and evidence.json.gz lie in this folder"), ("none", "there is no evidence.json in this folder")]
    {
        assert!(load::evidence_in(&folder.path().join(name)).expect_err(name).to_string().contains(part));
    }
    for (bytes, part) in [
        (zipped[..zipped.len() / 2].to_vec(), "it cannot be unpacked"),
        (text.replace("2026-09-15", "2026-09-16").into_bytes(), "it was damaged or edited"),
        (text.replace("\"schema_version\": 1", "\"schema_version\": 9").into_bytes(), "use a newer ttl-audit"),
        (
            b"{\n  \"schema_version\": x".to_vec(),
            ":2:21: it is not evidence of this version: expected value\n  |\n2 |   \"schema_version\": x",
        ),
        (b"\xFF".to_vec(), "it is not UTF-8"),
    ] {
        let path = folder.path().join("bad.json");
        fs::write(&path, bytes).expect("a file");
        let error = load::evidence(&path).expect_err(part).to_string();
        assert!(error.contains(part), "{part} in\n{error}");
    }
}
