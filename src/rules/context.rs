//! What a rule may look at.

use crate::{
    analysis::{
        JobAnalysis,
        snapshots::{PlaceView, SnapshotView},
    },
    audit::Audit,
    evidence::Evidence,
    manifest::{AsOf, Manifest, Position},
};

use super::{Judged, Outcomes, Verdict};

/// One job of one audit, with everything that is known about it.
#[derive(Clone, Copy, Debug)]
pub struct JobContext<'a> {
    /// The whole audit: its policy, and the other jobs.
    pub audit: &'a Audit,
    /// The job.
    pub job: &'a Manifest,
    /// What was seen.
    pub evidence: &'a Evidence,
    /// The instant that is judged.
    pub as_of: AsOf,
    /// What follows from manifest and evidence, computed once.
    pub analysis: &'a JobAnalysis,
}

impl JobContext<'_> {
    /// `jobs/a.yaml:12`, as the origin of a fact.
    #[must_use]
    pub fn origin(&self, position: Position) -> String {
        format!("{}:{}", self.job.file, position.line)
    }

    /// Judges each declared place of snapshots by the newest one that lies there. Where there is none the rule has nothing to do: another
    /// rule says so. A place that could not be looked into is unknown.
    pub fn judge_newest(&self, out: &mut Outcomes, judge: impl Fn(&PlaceView, &SnapshotView) -> Judged) {
        for place in &self.analysis.recovery.places {
            out.judge(place.subject(), || match place.newest()? {
                Some(snapshot) => judge(place, snapshot),
                None => Ok(Verdict::NotApplicable),
            });
        }
    }
}
