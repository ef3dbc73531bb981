//! Object listings, page by page.

use super::{
    caller::Caller,
    refusal::{Kind, Refusal},
    rules::instant,
};
use crate::units::{Bytes, Instant};

/// The right that a listing needs.
const NEEDS: &str = "s3:ListBucket on the bucket";

/// One thing that a listing shows.
pub(super) enum Found {
    /// A folder: its whole prefix with the slash. Only in listings by folder.
    Folder(String),
    /// An object.
    Object(Entry),
}

/// An object as a listing shows it.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The whole key.
    pub(super) key: String,
    /// Its size.
    pub(super) size: Bytes,
    /// When it was last modified.
    pub(super) last_modified: Instant,
    /// Its class, if the store says it.
    pub(super) class: Option<String>,
}

/// Lists everything below `prefix`, or its own entries only (`by_folder`), and hands it to `take`. Whether the end was reached within
/// `pages` pages of 1,000.
pub(super) async fn list(
    caller: &Caller<'_>,
    prefix: &str,
    by_folder: bool,
    pages: usize,
    mut take: impl FnMut(Found),
) -> Result<bool, Refusal> {
    let mut token: Option<String> = None;
    for _ in 0..pages {
        let request = caller.client.list_objects_v2().bucket(&caller.bucket).set_continuation_token(token.clone());
        let request = request.set_prefix((!prefix.is_empty()).then(|| prefix.to_owned())).set_delimiter(by_folder.then(|| "/".to_owned()));
        let page = caller.ask(NEEDS, request.send()).await?;
        for folder in page.common_prefixes() {
            take(Found::Folder(folder.prefix().unwrap_or_default().to_owned()));
        }
        for object in page.contents() {
            take(Found::Object(entry(object)?));
        }
        if !page.is_truncated().unwrap_or_default() {
            return Ok(true);
        }
        let next = page.next_continuation_token.filter(|next| token.as_ref() != Some(next));
        token =
            Some(next.ok_or_else(|| Refusal::new(Kind::Failed, "the store says that the listing goes on and does not say how to get on"))?);
    }
    Ok(false)
}

/// One page of the keys below `prefix` that sort behind `start_after`, and whether there are more.
pub(super) async fn page(caller: &Caller<'_>, prefix: &str, start_after: &str) -> Result<(Vec<Entry>, bool), Refusal> {
    let request = caller.client.list_objects_v2().bucket(&caller.bucket).start_after(start_after);
    let page = caller.ask(NEEDS, request.set_prefix((!prefix.is_empty()).then(|| prefix.to_owned())).send()).await?;
    let entries = page.contents().iter().map(entry).collect::<Result<Vec<_>, _>>()?;
    Ok((entries, page.is_truncated().unwrap_or_default()))
}

/// Whether the keys of a page come in order, as on S3 but for its directory buckets: only then does a page tell what is not there.
pub(super) fn in_order(page: &[Entry]) -> bool {
    page.is_sorted_by(|one, next| one.key < next.key)
}

/// The object with exactly this key.
pub(super) async fn exact(caller: &Caller<'_>, key: &str) -> Result<Option<Entry>, Refusal> {
    // Keys come in order, so the key itself is the first of those that begin with it; an unordered store needs a second one.
    let page = caller.ask(NEEDS, caller.client.list_objects_v2().bucket(&caller.bucket).prefix(key).max_keys(2).send()).await?;
    page.contents().iter().find(|object| object.key() == Some(key)).map(entry).transpose()
}

fn entry(object: &aws_sdk_s3::types::Object) -> Result<Entry, Refusal> {
    let read = || {
        Some(Entry {
            key: object.key()?.to_owned(),
            size: Bytes(u64::try_from(object.size()?).ok()?),
            last_modified: instant(object.last_modified()?)?,
            class: object.storage_class().map(|class| class.as_str().to_owned()),
        })
    };
    read().ok_or_else(|| Refusal::new(Kind::Failed, "the listing shows an object without a key, a size or a date"))
}
