//! Finds many keys of one folder in as few requests as possible.
//!
//! A listing that starts right at the next key that is sought gives up to 1,000 keys from there: where the keys lie close together that is a
//! page for many of them, as in `shared/`; where they lie far apart it is one request for each, as a HEAD would be. So it takes never more
//! requests than there are keys, and never more than the folder has pages, but for one at each end.

/// What to ask next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A page of keys behind this text, which need not be a key.
    Page {
        /// As the parameter `start-after`.
        start_after: String,
    },
    /// This key alone.
    Exact(String),
    /// Nothing: every key is settled.
    Done,
}

/// The search for some keys.
#[derive(Clone, Debug)]
pub(super) struct Search {
    /// Sorted, each once.
    wanted: Vec<String>,
    /// The first of them that is not settled.
    at: usize,
    /// How many from there on have to be asked for alone.
    alone: usize,
}

impl Search {
    /// For these keys.
    pub(super) fn new(mut wanted: Vec<String>) -> Self {
        wanted.sort_unstable();
        wanted.dedup();
        Self { at: 0, alone: usize::from(wanted.len() == 1), wanted }
    }

    /// What to ask next.
    pub(super) fn next(&self) -> Step {
        match self.wanted.get(self.at) {
            None => Step::Done,
            Some(key) if self.alone > 0 || self.at + 1 == self.wanted.len() => Step::Exact(key.clone()),
            Some(key) => match before(key) {
                Some(start_after) => Step::Page { start_after },
                None => Step::Exact(key.clone()),
            },
        }
    }

    /// The answer to [`Step::Exact`] came: that key is settled.
    pub(super) fn took_one(&mut self) {
        self.at += 1;
        self.alone = self.alone.saturating_sub(1);
    }

    /// A page came whose keys are in no order: it says nothing of what it does not hold.
    pub(super) fn took_disorder(&mut self) {
        self.alone = self.wanted.len() - self.at;
    }

    /// A page came: its first and last key, and whether there is more behind it. Everything that is sought up to its end is settled.
    pub(super) fn took_page(&mut self, ends: Option<(&str, &str)>, more: bool) {
        let left = self.wanted.len() - self.at;
        let started = self.wanted.get(self.at).and_then(|key| before(key));
        match (ends, more) {
            // The store does not know `start-after`, and begins at the beginning.
            (Some((first, _)), _) if started.as_deref().is_some_and(|start| first <= start) => self.alone = left,
            (_, false) => self.at = self.wanted.len(),
            (None, true) => self.alone = left,
            (Some((_, last)), true) => {
                let settled = self.wanted.iter().skip(self.at).take_while(|key| key.as_str() <= last).count();
                self.at += settled;
                // A page full of other keys that lie between: no use in reading on.
                self.alone = usize::from(settled == 0);
            }
        }
    }
}

/// A text that sorts before `key`, with as few other keys as possible between them. `None`: the last character has none before it.
pub(super) fn before(key: &str) -> Option<String> {
    let last = key.chars().next_back()?;
    let previous = u8::try_from(last).ok().filter(|byte| (0x21..0x7f).contains(byte))?;
    let stem = key.get(..key.len() - 1)?;
    Some(format!("{stem}{}~", char::from(previous - 1)))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    const PAGE: usize = 1_000;

    /// Searches in `there`; how often each kind of request was made, and what was found.
    fn run(there: &BTreeSet<String>, wanted: Vec<String>, knows_start_after: bool) -> (BTreeMap<&'static str, usize>, BTreeSet<String>) {
        let (mut made, mut found) = (BTreeMap::new(), BTreeSet::new());
        let sought: BTreeSet<String> = wanted.iter().cloned().collect();
        let mut search = Search::new(wanted);
        loop {
            match search.next() {
                Step::Done => return (made, found),
                Step::Exact(key) => {
                    *made.entry("exact").or_default() += 1;
                    found.extend(there.contains(&key).then_some(key));
                    search.took_one();
                }
                Step::Page { start_after } => {
                    *made.entry("page").or_default() += 1;
                    let from = if knows_start_after { start_after.as_str() } else { "" };
                    let mut rest = there.iter().filter(|key| key.as_str() > from);
                    let page: Vec<&String> = rest.by_ref().take(PAGE).collect();
                    found.extend(page.iter().filter(|key| sought.contains(**key)).map(|key| (*key).clone()));
                    search.took_page(page.first().zip(page.last()).map(|(a, b)| (a.as_str(), b.as_str())), rest.next().is_some());
                }
            }
        }
    }

    fn keys(range: impl Iterator<Item = usize>) -> Vec<String> {
        range.map(|n| format!("ckp/job/shared/{n:08}")).collect()
    }

    #[test]
    fn keys_that_lie_close_together_cost_a_page_for_a_thousand() {
        let there: BTreeSet<String> = keys(0..100_000).into_iter().collect();
        let (made, found) = run(&there, keys(0..100_000), true);
        assert_eq!(found.len(), 100_000);
        assert_eq!(made, BTreeMap::from([("page", 100)]));
    }

    #[test]
    fn keys_that_lie_far_apart_cost_one_request_each_and_no_more() {
        let there: BTreeSet<String> = keys(0..100_000).into_iter().collect();
        let wanted = keys((0..100_000).step_by(10_000));
        let (made, found) = run(&there, wanted.clone(), true);
        assert_eq!(found.len(), wanted.len());
        assert!(made.values().sum::<usize>() <= wanted.len(), "{made:?}");
    }

    #[test]
    fn what_is_not_there_is_not_found_and_ends_the_search() {
        let there: BTreeSet<String> = keys((0..3_000).filter(|n| n % 7 != 0)).into_iter().collect();
        let (made, found) = run(&there, keys(0..3_000), true);
        assert_eq!(found, there);
        assert!(made.values().sum::<usize>() <= 5, "{made:?}");
        assert_eq!(run(&BTreeSet::new(), keys(0..5_000), true).0, BTreeMap::from([("page", 1)]));
    }

    #[test]
    fn a_store_that_does_not_know_where_to_start_is_asked_key_by_key() {
        let there: BTreeSet<String> = keys(0..5_000).into_iter().collect();
        let wanted = keys([4_000, 4_500, 4_999, 7_000].into_iter());
        let (made, found) = run(&there, wanted, false);
        assert_eq!(found.len(), 3);
        assert_eq!(made, BTreeMap::from([("page", 1), ("exact", 4)]));
    }

    #[test]
    fn a_page_full_of_other_keys_does_not_keep_it_from_going_on() {
        // All of them sort between `a/1~` and the first key that is sought.
        let mut there: BTreeSet<String> = (0..2_500).map(|n| format!("a/1\u{e9}{n:05}")).collect();
        there.extend(["a/2".to_owned(), "a/3".to_owned()]);
        let (made, found) = run(&there, vec!["a/2".to_owned(), "a/3".to_owned(), "a/4".to_owned()], true);
        assert_eq!(found.len(), 2);
        assert!(made.values().sum::<usize>() <= 4, "{made:?}");
    }

    #[test]
    fn a_key_can_end_in_anything() {
        for key in ["a/\u{e9}", "a/ ", "a", "", "a/\u{7f}"] {
            if let Some(start) = before(key) {
                assert!(start.as_str() < key, "{key:?}: {start:?}");
            }
        }
        let there = BTreeSet::from(["x/\u{e9}".to_owned(), "x/\u{1f600}".to_owned()]);
        assert_eq!(run(&there, there.iter().cloned().collect(), true).1, there);
    }
}
