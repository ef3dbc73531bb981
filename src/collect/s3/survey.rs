//! Which of many sibling folders hold `_metadata`, in as few requests as possible.
//!
//! One request for each folder always does. A listing of everything below them is fewer requests where the folders are small: a page of
//! 1,000 keys covers as many folders as fit, what lies behind a folder's `_metadata` is jumped over, and a page that ends before it goes on
//! right at it. A first page tells how many folders fit, and so which of the two it is.

use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use super::{
    caller::{CONCURRENCY, Caller},
    listing::{self, Entry},
    refusal::Refusal,
    search,
};

/// So many folders are asked for one by one without further thought.
const FEW: usize = 16;

/// Folders that a page must settle so that pages are read on; one by one they are asked for at the same time, pages come one after another.
const WORTH_IT: usize = 4;

/// Folders and their `_metadata`, in no order.
pub(super) type Surveyed = Vec<(String, Option<Entry>)>;

/// Looks for `_metadata` directly in each of `folders`: whole prefixes below `parent` that end in `/`.
pub(super) async fn survey(caller: &Caller<'_>, parent: &str, mut folders: Vec<String>) -> Result<Surveyed, Refusal> {
    folders.sort_unstable();
    if folders.len() <= FEW {
        return one_by_one(caller, folders).await;
    }
    let mut probe = Scan::new(folders);
    let settled = if probe.read_page(caller, parent).await? { probe.at } else { 0 };
    let (mut known, rest) = probe.split();
    if settled < WORTH_IT {
        known.extend(one_by_one(caller, rest).await?);
        return Ok(known);
    }
    // Several pages at the same time, each from where its part of the folders starts; a part takes a few pages at least.
    let part = rest.len().div_ceil(CONCURRENCY).max(settled.saturating_mul(4));
    let parts: Vec<Vec<String>> = rest.chunks(part).map(<[String]>::to_vec).collect();
    let mut parts = stream::iter(parts).map(|part| to_the_end(caller, parent, part)).buffer_unordered(CONCURRENCY);
    while let Some(part) = parts.try_next().await? {
        known.extend(part);
    }
    Ok(known)
}

async fn one_by_one(caller: &Caller<'_>, folders: Vec<String>) -> Result<Surveyed, Refusal> {
    let look = |folder: String| async move {
        let entry = listing::exact(caller, &metadata(&folder)).await?;
        Ok((folder, entry))
    };
    stream::iter(folders).map(look).buffer_unordered(CONCURRENCY).try_collect().await
}

async fn to_the_end(caller: &Caller<'_>, parent: &str, folders: Vec<String>) -> Result<Surveyed, Refusal> {
    let mut scan = Scan::new(folders);
    while scan.at < scan.folders.len() {
        if !scan.read_page(caller, parent).await? {
            let (mut known, rest) = scan.split();
            known.extend(one_by_one(caller, rest).await?);
            return Ok(known);
        }
    }
    Ok(scan.split().0)
}

fn metadata(folder: &str) -> String {
    format!("{folder}_metadata")
}

/// A walk over folders in the order of their names.
struct Scan {
    /// Sorted.
    folders: Vec<String>,
    /// What was found in those that are settled.
    found: Vec<Option<Entry>>,
    /// The first one that is not settled.
    at: usize,
    /// Where the next page starts, if not at that folder.
    after: Option<String>,
}

impl Scan {
    fn new(folders: Vec<String>) -> Self {
        Self { found: Vec::with_capacity(folders.len()), folders, at: 0, after: None }
    }

    /// What is settled, and the folders that are not.
    fn split(mut self) -> (Surveyed, Vec<String>) {
        let rest = self.folders.split_off(self.at);
        (self.folders.into_iter().zip(self.found).collect(), rest)
    }

    /// Reads a page. `false`: pages do not lead on, because the store keeps no order, does not know where to start them, or because of
    /// odd names.
    async fn read_page(&mut self, caller: &Caller<'_>, parent: &str) -> Result<bool, Refusal> {
        let Some(next) = self.folders.get(self.at) else { return Ok(true) };
        let jumped = self.after.is_some();
        let start = self.after.take().unwrap_or_else(|| next.clone());
        let (page, more) = listing::page(caller, parent, &start).await?;
        if page.first().is_some_and(|first| first.key <= start) || !listing::in_order(&page) {
            return Ok(false);
        }
        let before = self.at;
        self.take(page, more);
        let Some(next) = self.folders.get(self.at) else { return Ok(true) };
        if self.at > before {
            return Ok(true);
        }
        // The page ended within a folder and before its `_metadata`.
        self.after = search::before(&metadata(next)).filter(|_| !jumped);
        Ok(self.after.is_some())
    }

    /// Settles every folder whose `_metadata` is on the page or would have been.
    fn take(&mut self, page: Vec<Entry>, more: bool) {
        let last = page.last().map(|entry| entry.key.clone());
        let mut page = page.into_iter().peekable();
        while let Some(folder) = self.folders.get(self.at) {
            let wanted = metadata(folder);
            if more && last.as_ref().is_none_or(|last| *last < wanted) {
                return;
            }
            while page.next_if(|entry| entry.key < wanted).is_some() {}
            self.found.push(page.next_if(|entry| entry.key == wanted));
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Bytes;

    fn entry(key: &str) -> Entry {
        let at = "2026-09-01".parse().expect("an instant");
        Entry { key: key.to_owned(), size: Bytes(1), last_modified: at, class: None }
    }

    fn page(keys: &[&str]) -> Vec<Entry> {
        keys.iter().copied().map(entry).collect()
    }

    fn scan() -> Scan {
        Scan::new(["p/chk-1/", "p/chk-2/", "p/chk-3/", "p/chk-4/"].map(str::to_owned).into())
    }

    fn known(scan: Scan) -> Vec<(String, bool)> {
        scan.split().0.into_iter().map(|(folder, entry)| (folder, entry.is_some())).collect()
    }

    #[test]
    fn a_page_settles_what_lies_before_its_end() {
        let mut scan = scan();
        scan.take(page(&["p/chk-1/0", "p/chk-1/_metadata", "p/chk-2/a", "p/chk-3/0"]), true);
        assert_eq!(scan.at, 2, "the page ends within the third, before its _metadata");
        scan.take(page(&["p/chk-3/_metadata", "p/chk-3/a"]), false);
        assert_eq!(known(scan), [("p/chk-1/", true), ("p/chk-2/", false), ("p/chk-3/", true), ("p/chk-4/", false)].map(owned));
    }

    #[test]
    fn the_end_of_the_listing_settles_everything_and_an_empty_page_nothing() {
        let mut scan = scan();
        scan.take(Vec::new(), true);
        assert_eq!(scan.at, 0);
        scan.take(Vec::new(), false);
        assert_eq!(scan.at, 4);
    }

    #[test]
    fn a_metadata_that_ends_the_page_is_taken() {
        let mut scan = scan();
        scan.take(page(&["p/chk-1/_metadata"]), true);
        assert_eq!(known(scan), [("p/chk-1/", true)].map(owned));
    }

    fn owned((folder, there): (&str, bool)) -> (String, bool) {
        (folder.to_owned(), there)
    }
}
