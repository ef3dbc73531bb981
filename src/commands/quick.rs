//! The quick way: a single manifest, with the connection on the command line.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context as _, Result, bail};
use ttl_audit::load::QuickConnection;

use crate::cli::ConnectArgs;

/// The connection that the command line states.
pub(super) fn connection(args: &ConnectArgs) -> Result<QuickConnection> {
    let kafka = match (&args.kafka_config, &args.bootstrap_servers) {
        (Some(file), _) => read_properties(file)?,
        (None, Some(servers)) => BTreeMap::from([("bootstrap.servers".to_owned(), servers.clone())]),
        (None, None) => BTreeMap::new(),
    };
    Ok(QuickConnection { kafka, s3_endpoint: args.s3_endpoint.clone() })
}

/// `key=value` lines; `#` begins a comment line. A value is never shown: it may be a secret.
fn read_properties(file: &Path) -> Result<BTreeMap<String, String>> {
    let name = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("{name} cannot be read"))?;
    let mut properties = BTreeMap::new();
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let place = format!("{name}:{}", number + 1);
        let Some((key, value)) = line.split_once('=') else { bail!("{place}: a property is written key=value") };
        let key = key.trim().to_owned();
        if properties.insert(key.clone(), value.trim().to_owned()).is_some() {
            bail!("{place}: `{key}` stands there twice");
        }
    }
    if !properties.contains_key("bootstrap.servers") {
        bail!("{name} has no bootstrap.servers");
    }
    Ok(properties)
}
