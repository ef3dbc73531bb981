//! `ttl-audit snapshot`: what a savepoint or checkpoint contains and needs, and in S3 how that is stored.

mod local;
#[cfg(feature = "s3")]
mod stored;

use anyhow::Result;
use ttl_audit::{
    exit::ExitCode,
    savepoint::summary::{StoredState, to_table},
    units::{Location, S3Location},
};

use super::{hinted, output, width};
use crate::cli::{PlainFormat, SnapshotArgs, TalkArgs};

/// Reads the snapshot and prints what it holds.
pub(super) fn run(args: &SnapshotArgs, talk: TalkArgs) -> Result<ExitCode> {
    if args.handles && !matches!(args.format, PlainFormat::Json) {
        return Err(hinted("--handles shows in JSON only", "add --format json"));
    }
    let uids: Vec<&str> = args.uids.iter().map(String::as_str).collect();
    let summary = match place(&args.path)? {
        Place::Here(path) => local::summary(path, &uids, args.handles)?,
        Place::S3(_) if args.handles => {
            return Err(hinted("--handles needs a folder on this machine", "copy its `_metadata` here, and give its path"));
        }
        Place::S3(location) => match in_s3(&location, &uids, args, talk)? {
            Some(summary) => summary,
            None => return Ok(ExitCode::Incomplete),
        },
    };
    let text = match args.format {
        PlainFormat::Table => to_table(&summary, u16::try_from(width::of_stdout())?),
        PlainFormat::Json => format!("{}\n", serde_json::to_string_pretty(&summary)?),
    };
    output::print(&text)?;
    let unknown = summary.stored.is_some_and(|stored| stored.states.contains_key(&StoredState::Unknown));
    Ok(if unknown { ExitCode::Incomplete } else { ExitCode::Clean })
}

/// Where a snapshot lies.
enum Place<'a> {
    Here(&'a str),
    S3(S3Location),
}

fn place(path: &str) -> Result<Place<'_>> {
    if let Some(rest) = path.strip_prefix("file://") {
        return Ok(Place::Here(rest));
    }
    if !path.contains("://") {
        return Ok(Place::Here(path));
    }
    match path.parse() {
        Ok(Location::S3(location)) => Ok(Place::S3(location)),
        Ok(_) => Err(hinted(
            format!("{path} is neither on this machine nor in S3"),
            "copy the folder with its `_metadata` here, and give its path",
        )),
        Err(message) => Err(anyhow::anyhow!(message)),
    }
}

#[cfg(feature = "s3")]
use stored::summary as in_s3;

#[cfg(not(feature = "s3"))]
fn in_s3(
    location: &S3Location,
    _: &[&str],
    _: &SnapshotArgs,
    _: TalkArgs,
) -> Result<Option<ttl_audit::savepoint::summary::SnapshotSummary>> {
    Err(hinted(format!("{location}: this build has no S3 support"), "copy the folder with its `_metadata` here, and give its path"))
}
