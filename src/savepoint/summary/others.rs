//! Which files of a snapshot other snapshots need too.

use std::collections::HashSet;

use super::{
    super::reach::{Reach, ReachedFile, identity},
    model::{OtherSnapshot, SnapshotSummary},
};

/// A summary that is being compared with other snapshots.
pub struct Sharing<'s> {
    summary: &'s mut SnapshotSummary,
    /// What each file is known by, in the order of the reach.
    identities: Vec<String>,
}

impl<'s> Sharing<'s> {
    /// For this summary.
    pub fn of(summary: &'s mut SnapshotSummary) -> Self {
        let identities = summary.reach.files.iter().map(|file| identity(&file.path).into_owned()).collect();
        Self { summary, identities }
    }

    /// Notes what the snapshot at `location`, which has this reach, needs too.
    pub fn with(&mut self, location: &str, reach: &Reach) {
        let theirs: HashSet<String> = reach.files.iter().map(ReachedFile::identity).collect();
        let mut common = 0;
        for (file, known_by) in self.summary.reach.files.iter_mut().zip(&self.identities) {
            let also_in = file.also_in.get_or_insert(0);
            if theirs.contains(known_by) {
                *also_in += 1;
                common += 1;
            }
        }
        self.summary.compared_with.push(OtherSnapshot { location: location.to_owned(), files_in_common: common });
        self.summary.compared_with.sort_by(|a, b| a.location.cmp(&b.location));
    }
}
