//! Bodies: that of `_metadata`, and on demand the first bytes of a state file. Nothing else of an object is ever read.

use tokio::sync::SemaphorePermit;

use super::{
    caller::{Caller, permit},
    refusal::{Kind, Refusal},
};
use crate::units::Bytes;

/// A larger `_metadata` is not read: it has to be held in memory. Real ones have some megabytes.
pub(super) const MAX_METADATA: Bytes = Bytes(512 * 1024 * 1024);

/// Of the bodies that are held at the same time one at most may be larger than this.
const LARGE: u64 = 64 * 1024 * 1024;

/// The right that a get needs.
const NEEDS: &str = "s3:GetObject on the object";

/// A body, and the permit to hold it if it is a large one.
pub(super) struct Body<'a> {
    pub(super) bytes: Vec<u8>,
    _large: Option<SemaphorePermit<'a>>,
}

/// The body of `_metadata`, whose listed size is `size`.
pub(super) async fn metadata<'a>(caller: &Caller<'a>, key: &str, size: Bytes) -> Result<Body<'a>, Refusal> {
    if size > MAX_METADATA {
        return Err(too_large());
    }
    read(caller, key, None, size).await
}

/// `len` bytes from `start` on, or what there is of them.
pub(super) async fn part(caller: &Caller<'_>, key: &str, start: u64, len: u64) -> Result<Vec<u8>, Refusal> {
    let Some(last) = len.checked_sub(1) else { return Ok(Vec::new()) };
    let range = format!("bytes={start}-{}", start.saturating_add(last));
    let mut bytes = read(caller, key, Some((range, len)), Bytes(len)).await?.bytes;
    // Never more than was asked for, whatever the store sends.
    bytes.truncate(usize::try_from(len).unwrap_or(usize::MAX));
    Ok(bytes)
}

fn too_large() -> Refusal {
    Refusal::new(Kind::Failed, format!("a _metadata of more than {MAX_METADATA} is not read"))
}

/// Reads a body, or the range of it that is given with its length. The permit of the call is held until the body has come.
async fn read<'a>(caller: &Caller<'a>, key: &str, range: Option<(String, u64)>, expected: Bytes) -> Result<Body<'a>, Refusal> {
    let mut large = if expected.0 > LARGE { Some(permit(&caller.limits.large).await?) } else { None };
    let _call = permit(&caller.limits.calls).await?;
    let (range, len) = range.unzip();
    let ranged = range.is_some();
    let request = caller.client.get_object().bucket(&caller.bucket).key(key).set_range(range).send();
    let output = Box::pin(caller.in_time(NEEDS, request)).await?;
    if ranged && output.content_range.is_none() {
        return Err(Refusal::new(Kind::Unsupported, "this store does not give a part of an object"));
    }
    let most = len.unwrap_or(MAX_METADATA.0);
    let announced = output.content_length.and_then(|length| u64::try_from(length).ok()).unwrap_or_default();
    if announced > most && !ranged {
        return Err(too_large());
    }
    let mut body = output.body;
    let mut bytes = Vec::new();
    loop {
        let Some(left) = caller.options.remaining() else {
            return Err(Refusal::new(Kind::Failed, "the run's deadline passed while it was read"));
        };
        let next = tokio::time::timeout(left, body.try_next()).await;
        match next.map_err(|_| Refusal::new(Kind::Failed, "it stopped coming while it was read"))? {
            Ok(Some(part)) => bytes.extend_from_slice(&part),
            Ok(None) => return Ok(Body { bytes, _large: large }),
            Err(_) => return Err(Refusal::new(Kind::Failed, "the connection was cut while it was read")),
        }
        // The sizes that were listed and announced are claims.
        if bytes.len() as u64 > most {
            return if ranged { Ok(Body { bytes, _large: large }) } else { Err(too_large()) };
        }
        if bytes.len() as u64 > LARGE && large.is_none() {
            large = Some(permit(&caller.limits.large).await?);
        }
    }
}
