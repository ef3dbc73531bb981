//! Every rule: it fires, its twin stays quiet, and unknown stays unknown. One file a rule.

mod evidence_stale;
mod recovery_not_declared;
mod recovery_place_shared;
mod recovery_unprotected;
mod recovery_will_be_archived;
mod recovery_will_be_tiered;
mod recovery_will_expire;
mod retention_clock;
mod retention_not_holding;
mod retention_size_bound;
mod sink_uploads_at_risk;
mod snapshot_missing;
mod snapshot_restored_temporarily;
mod snapshot_tiering_exposed;
mod snapshot_unreadable;
mod topic_missing;
mod ttl_below_observed_history;
mod ttl_below_retention;
mod ttl_contradicted;
mod ttl_lengthened;
mod ttl_margin_thin;
mod ttl_never;
mod ttl_not_stated;
