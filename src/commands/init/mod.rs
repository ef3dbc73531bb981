//! `ttl-audit init`.

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    path::Path,
};

use anyhow::{Context as _, Result};
use ttl_audit::{
    exit::ExitCode,
    schema::{self, Document},
};

use super::{hinted, output};
use crate::cli::{InitArgs, TalkArgs};

/// What is written by hand, by its path in the audit's folder.
const FILES: [(&str, &str); 2] = [("audit.yaml", include_str!("audit.yaml")), ("jobs/example.yaml", include_str!("job.yaml"))];

/// Writes a first audit folder and says what comes next. Nothing that is there is touched.
pub(super) fn run(args: &InitArgs, talk: TalkArgs) -> Result<ExitCode> {
    let folder = args.folder.as_path();
    must_be_empty(folder)?;
    for (path, text) in FILES {
        write_new(&folder.join(path), text)?;
    }
    for document in [Document::Audit, Document::Manifest] {
        write_new(&folder.join(format!(".schema/{document}.json")), &schema::to_json(document)?)?;
    }
    if !talk.quiet {
        let shown = folder.display();
        output::print(&format!(
            "{shown}/audit.yaml         what to audit, how to connect, what is tolerated\n\
             {shown}/jobs/example.yaml  one manifest for each job: copy and fill in\n\
             {shown}/.schema/           lets an editor check and complete both\n\
             \n\
             Next:\n  \
             1. fill in both files; secrets stay in environment variables\n  \
             2. ttl-audit check {shown} --save-evidence {shown}/evidence.json   asks Kafka and S3 (read-only), reports, keeps what was seen\n  \
             3. ttl-audit check --offline {shown}   judges the kept evidence again, without any connection\n"
        ))?;
    }
    Ok(ExitCode::Clean)
}

/// Files whose names begin with a dot do not count: a fresh repository has some.
fn must_be_empty(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    let cannot = || format!("{} cannot be read", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot)? {
        names.push(entry.with_context(cannot)?.file_name().to_string_lossy().into_owned());
    }
    // The same one is named whatever the order in which the folder lists them.
    match names.iter().filter(|name| !name.starts_with('.') || *name == ".schema").min() {
        None => Ok(()),
        Some(name) => {
            Err(hinted(format!("{} is not empty: it holds {name}", folder.display()), "name a new folder; nothing is overwritten"))
        }
    }
}

fn write_new(path: &Path, text: &str) -> Result<()> {
    let cannot = || format!("{} cannot be written", path.display());
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).with_context(cannot)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).with_context(cannot)?;
    file.write_all(text.as_bytes()).with_context(cannot)
}
