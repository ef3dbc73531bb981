//! Writing evidence.

use std::{io::Write as _, path::Path};

use anyhow::Result;
use flate2::{Compression, write::GzEncoder};
use ttl_audit::evidence::Evidence;

/// The bytes of an evidence file, compressed if its name says so.
pub(super) fn to_bytes(evidence: &Evidence, path: &Path) -> Result<Vec<u8>> {
    let text = evidence.to_json()?;
    if path.extension().is_none_or(|extension| extension != "gz") {
        return Ok(text.into_bytes());
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes())?;
    Ok(encoder.finish()?)
}
