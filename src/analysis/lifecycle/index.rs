//! Which prefixes a key begins with, without asking each.

use std::collections::BTreeMap;

/// Prefixes, each with the numbers of those who have it.
///
/// Sorted by bytes, all prefixes of a key that are in the list are ancestors of the last entry that is not after the key: whatever
/// lies between a prefix of the key and the key begins with that prefix too. So one binary search and a walk to the root find them all.
#[derive(Clone, Debug, Default)]
pub(super) struct PrefixIndex {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Node {
    prefix: String,
    /// The longest other prefix that this one begins with.
    parent: Option<usize>,
    owners: Vec<usize>,
}

impl PrefixIndex {
    pub(super) fn new<'a>(prefixes: impl IntoIterator<Item = (&'a str, usize)>) -> Self {
        let mut sorted: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (prefix, owner) in prefixes {
            sorted.entry(prefix).or_default().push(owner);
        }
        let mut nodes: Vec<Node> = Vec::with_capacity(sorted.len());
        for (prefix, owners) in sorted {
            let mut parent = nodes.len().checked_sub(1);
            while let Some(node) = parent.and_then(|place| nodes.get(place)) {
                if prefix.starts_with(&node.prefix) {
                    break;
                }
                parent = node.parent;
            }
            nodes.push(Node { prefix: prefix.to_owned(), parent, owners });
        }
        Self { nodes }
    }

    /// The owners of every prefix that `key` begins with, longest prefix first.
    pub(super) fn owners<'a>(&'a self, key: &'a str) -> impl Iterator<Item = usize> + 'a {
        self.line(key).flat_map(|(_, node)| node.owners.iter().copied())
    }

    /// Which prefix is the longest that `key` begins with. Keys with the same one begin with the same prefixes.
    pub(super) fn longest(&self, key: &str) -> Option<usize> {
        self.line(key).next().map(|(place, _)| place)
    }

    /// The prefixes that `key` begins with, longest first.
    fn line<'a>(&'a self, key: &'a str) -> impl Iterator<Item = (usize, &'a Node)> + 'a {
        let last = self.nodes.partition_point(|node| node.prefix.as_str() <= key).checked_sub(1);
        let at = |place: usize| self.nodes.get(place).map(|node| (place, node));
        let line = std::iter::successors(last.and_then(at), move |(_, node)| node.parent.and_then(at));
        line.filter(move |(_, node)| key.starts_with(&node.prefix))
    }

    /// The prefixes that begin with `place` and are longer, sorted.
    pub(super) fn below<'a>(&'a self, place: &'a str) -> impl Iterator<Item = &'a str> + 'a {
        let from = self.nodes.partition_point(|node| node.prefix.as_str() <= place);
        self.nodes.iter().skip(from).map(|node| node.prefix.as_str()).take_while(move |prefix| prefix.starts_with(place))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_index_finds_what_asking_each_finds(prefixes in prop::collection::vec("[ab/]{0,4}", 0..12), key in "[ab/]{0,6}") {
            let index = PrefixIndex::new(prefixes.iter().enumerate().map(|(owner, prefix)| (prefix.as_str(), owner)));
            let mut found: Vec<usize> = index.owners(&key).collect();
            found.sort_unstable();
            let asked: Vec<usize> = (0..prefixes.len()).filter(|owner| key.starts_with(&prefixes[*owner])).collect();
            prop_assert_eq!(found, asked);
            let mut below: Vec<&str> =
                prefixes.iter().map(String::as_str).filter(|prefix| prefix.starts_with(&key) && prefix.len() > key.len()).collect();
            below.sort_unstable();
            below.dedup();
            prop_assert_eq!(index.below(&key).collect::<Vec<_>>(), below);
        }
    }
}
