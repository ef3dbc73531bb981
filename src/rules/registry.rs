//! Every rule, in the order in which the documentation lists them.

use super::Rule;

/// Every rule, in the order in which the documentation lists them.
#[must_use]
pub const fn all() -> &'static [&'static dyn Rule] {
    ALL
}

/// The rule with this id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static dyn Rule> {
    ALL.iter().copied().find(|rule| rule.meta().id == id)
}

/// The documentation page of the rule with this id, as it stands in `docs/rules/`.
#[must_use]
pub fn page(id: &str) -> Option<&'static str> {
    PAGES.iter().find(|(known, _)| *known == id).map(|(_, page)| *page)
}

/// Lists rules with their ids: `"ttl-never" => super::ttl_never::TtlNever,`. A rule without its page in `docs/rules/` does not compile.
macro_rules! registry {
    ($($id:literal => $rule:expr),* $(,)?) => {
        const ALL: &[&dyn Rule] = &[$(&$rule),*];
        const PAGES: &[(&str, &str)] = &[$(($id, include_str!(concat!("../../docs/rules/", $id, ".md")))),*];
    };
}

registry! {
    "ttl-below-retention" => super::ttl_below_retention::TtlBelowRetention,
    "ttl-below-observed-history" => super::ttl_below_observed_history::TtlBelowObservedHistory,
    "ttl-margin-thin" => super::ttl_margin_thin::TtlMarginThin,
    "ttl-below-downtime" => super::ttl_below_downtime::TtlBelowDowntime,
    "ttl-not-stated" => super::ttl_not_stated::TtlNotStated,
    "ttl-never" => super::ttl_never::TtlNever,
    "ttl-lengthened" => super::ttl_lengthened::TtlLengthened,
    "ttl-contradicted" => super::ttl_contradicted::TtlContradicted,
    "retention-size-bound" => super::retention_size_bound::RetentionSizeBound,
    "retention-clock" => super::retention_clock::RetentionClock,
    "retention-not-holding" => super::retention_not_holding::RetentionNotHolding,
    "state-outlives-source" => super::state_outlives_source::StateOutlivesSource,
    "topic-missing" => super::topic_missing::TopicMissing,
    "source-reset-silent" => super::source_reset_silent::SourceResetSilent,
    "group-offsets-expire" => super::group_offsets_expire::GroupOffsetsExpire,
    "snapshot-missing" => super::snapshot_missing::SnapshotMissing,
    "snapshot-incomplete" => super::snapshot_incomplete::SnapshotIncomplete,
    "snapshot-unreadable" => super::snapshot_unreadable::SnapshotUnreadable,
    "snapshot-restored-temporarily" => super::snapshot_restored_temporarily::SnapshotRestoredTemporarily,
    "snapshot-tiering-exposed" => super::snapshot_tiering_exposed::SnapshotTieringExposed,
    "recovery-will-expire" => super::recovery_will_expire::RecoveryWillExpire,
    "recovery-will-be-archived" => super::recovery_will_be_archived::RecoveryWillBeArchived,
    "recovery-will-be-tiered" => super::recovery_will_be_tiered::RecoveryWillBeTiered,
    "snapshot-references-elsewhere" => super::snapshot_references_elsewhere::SnapshotReferencesElsewhere,
    "snapshot-not-yours" => super::snapshot_not_yours::SnapshotNotYours,
    "uid-not-in-snapshot" => super::uid_not_in_snapshot::UidNotInSnapshot,
    "state-not-declared" => super::state_not_declared::StateNotDeclared,
    "snapshot-older-than-retention" => super::snapshot_older_than_retention::SnapshotOlderThanRetention,
    "retention-below-downtime" => super::retention_below_downtime::RetentionBelowDowntime,
    "position-beyond-end" => super::position_beyond_end::PositionBeyondEnd,
    "snapshot-stale" => super::snapshot_stale::SnapshotStale,
    "checkpoint-gap" => super::checkpoint_gap::CheckpointGap,
    "checkpoint-not-durable" => super::checkpoint_not_durable::CheckpointNotDurable,
    "checkpoint-deleted-on-cancel" => super::checkpoint_deleted_on_cancel::CheckpointDeletedOnCancel,
    "ha-missing" => super::ha_missing::HaMissing,
    "sink-may-lose" => super::sink_may_lose::SinkMayLose,
    "sink-transaction-timeout" => super::sink_transaction_timeout::SinkTransactionTimeout,
    "sink-commit-skew" => super::sink_commit_skew::SinkCommitSkew,
    "restore-skips-state" => super::restore_skips_state::RestoreSkipsState,
    "restore-drops-state" => super::restore_drops_state::RestoreDropsState,
    "recovery-not-declared" => super::recovery_not_declared::RecoveryNotDeclared,
    "evidence-stale" => super::evidence_stale::EvidenceStale,
    "recovery-place-shared" => super::recovery_place_shared::RecoveryPlaceShared,
    "recovery-unprotected" => super::recovery_unprotected::RecoveryUnprotected,
    "sink-uploads-at-risk" => super::sink_uploads_at_risk::SinkUploadsAtRisk,
}

/// Every id that a policy may name, sorted.
#[must_use]
pub fn ids() -> Vec<&'static str> {
    let mut ids: Vec<&'static str> = all().iter().map(|rule| rule.meta().id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_that_the_rules_say_and_pages_begin_with_them() {
        for (rule, (id, page)) in ALL.iter().zip(PAGES) {
            assert_eq!(rule.meta().id, *id);
            assert!(page.starts_with(&format!("# {id}\n")), "docs/rules/{id}.md begins with `# {id}`");
        }
        assert_eq!(ALL.len(), PAGES.len());
    }
}
