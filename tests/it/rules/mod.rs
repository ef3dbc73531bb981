//! Every rule: it fires, its twin stays quiet, and unknown stays unknown. One file a rule.

mod recovery_not_declared;
mod recovery_unprotected;
mod snapshot_missing;
mod snapshot_restored_temporarily;
mod snapshot_tiering_exposed;
mod snapshot_unreadable;
