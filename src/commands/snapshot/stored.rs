//! A snapshot in S3.

use std::time::Instant as Clock;

use anyhow::{Result, anyhow};
use ttl_audit::{
    audit::{S3Access, S3Config},
    collect::{
        Options,
        s3::{self, ShowError},
    },
    savepoint::summary::SnapshotSummary,
    units::S3Location,
};

use super::super::{hinted, live, talk};
use crate::cli::{SnapshotArgs, TalkArgs};

/// What the snapshot holds, and how it is stored. `None`: it could not be had, which has been said.
pub(super) fn summary(location: &S3Location, uids: &[&str], args: &SnapshotArgs, talk: TalkArgs) -> Result<Option<SnapshotSummary>> {
    let config = S3Config {
        default: S3Access {
            endpoint_url: args.s3.endpoint.clone(),
            region: args.s3.region.clone(),
            store: args.s3.store.map(Into::into),
            ..S3Access::default()
        },
        ..S3Config::default()
    };
    let progress = talk::Progress::new(talk);
    let options = Options {
        captured_at: live::now(),
        timeout: args.time.timeout,
        deadline: Clock::now() + args.time.deadline,
        all_snapshots: false,
        read_state_headers: args.read.read_state_headers,
        env: &|name| std::env::var(name).ok(),
        progress: &|what| progress.say(what),
    };
    let shown = s3::show(location, &config, uids, &options);
    drop(progress);
    match shown {
        Ok(summary) => Ok(Some(summary)),
        Err(error @ ShowError::NotHad { .. }) => {
            talk::error(&format!("{error}"));
            Ok(None)
        }
        Err(error) => Err(match hint(&error) {
            Some(hint) => hinted(error, hint),
            None => anyhow!(error),
        }),
    }
}

fn hint(error: &ShowError) -> Option<String> {
    Some(match error {
        ShowError::NoSnapshot { newest: Some(newest), below: 1, .. } => format!("a snapshot lies below it: give {newest}"),
        ShowError::NoSnapshot { newest: Some(newest), below, .. } => format!("{below} snapshots lie below it; the newest is {newest}"),
        ShowError::NoSnapshot { empty: true, .. } => "nothing lies there: check bucket and path".to_owned(),
        ShowError::NoSnapshot { .. } => "it is written last: the snapshot is not finished, was given up, or lies elsewhere".to_owned(),
        ShowError::NoBucket(_) => "check the bucket's name, and the account".to_owned(),
        _ => return None,
    })
}
