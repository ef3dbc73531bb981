//! What holds for all rule sets.

use proptest::prelude::*;
use ttl_audit::{
    analysis::lifecycle::{Change, Fate, Fates, Kind, Object, Removal, Tags, What},
    evidence::{Lifecycle, RuleStatus, StoreKind, VersioningStatus},
    units::{Bytes, Instant, Millis},
};

use super::{DEFAULT_FLOOR, oracle, simulator};
use crate::scene::at;

const ORDER: [&str; 7] = ["STANDARD", "STANDARD_IA", "INTELLIGENT_TIERING", "ONEZONE_IA", "GLACIER_IR", "GLACIER", "DEEP_ARCHIVE"];

fn lifecycle(rules: &[ttl_audit::evidence::LifecycleRule]) -> Lifecycle {
    Lifecycle { rules: rules.to_vec(), transition_default_minimum_object_size: Some(DEFAULT_FLOOR.to_owned()) }
}

fn statuses() -> impl Strategy<Value = VersioningStatus> {
    prop::sample::select(vec![VersioningStatus::Never, VersioningStatus::Enabled, VersioningStatus::Suspended])
}

/// When it is gone, or readable only after a restore.
fn lost(fate: &Fate) -> Option<Instant> {
    fate.visible().find(|change| change.what.kind() != Kind::Tiered).map(|change| change.on)
}

fn not_later(new: Option<Instant>, old: Option<Instant>) -> bool {
    old.is_none_or(|old| new.is_some_and(|new| new <= old))
}

proptest! {
    #[test]
    fn nothing_happens_before_an_object_is_written_and_changes_come_in_order(
        rules in oracle::rules(), (key, size, class, second) in oracle::object(), status in statuses(), midnight in any::<bool>(),
    ) {
        let written = at("2026-01-12").plus(Millis::seconds(if midnight { 0 } else { second }));
        let object = Object { class: Some(class), ..Object::written(key, Bytes(size), written) };
        let fate = simulator(&lifecycle(&rules), &[], status, StoreKind::Aws).fate(&object);
        prop_assert!(fate.changes.iter().all(|change| change.on >= written));
        prop_assert!(fate.changes.is_sorted_by_key(|change| change.on));
    }

    #[test]
    fn a_remembered_fate_is_the_computed_one(
        rules in oracle::rules(), objects in prop::collection::vec((oracle::object(), any::<bool>(), any::<bool>()), 1..40), status in statuses(),
    ) {
        let simulator = simulator(&lifecycle(&rules), &[], status, StoreKind::Aws);
        let mut fates = Fates::default();
        for ((key, size, class, second), midnight, told) in objects {
            let written = at("2026-01-12").plus(Millis::seconds(if midnight { 0 } else { second }));
            let tags = if told { Tags::None } else { Tags::NotKnown };
            let object = Object { class: Some(class), tags, ..Object::written(key, Bytes(size), written) };
            prop_assert_eq!(&*fates.of(&simulator, &object), &simulator.fate(&object));
        }
    }

    #[test]
    fn a_disabled_rule_changes_nothing(
        rules in oracle::rules(), extra in oracle::rule(), (key, size, class, second) in oracle::object(), status in statuses(),
    ) {
        let written = at("2026-01-12").plus(Millis::seconds(second));
        let object = Object { class: Some(class), ..Object::written(key, Bytes(size), written) };
        let before = simulator(&lifecycle(&rules), &[], status.clone(), StoreKind::Aws).fate(&object);
        let mut more = rules;
        more.push(ttl_audit::evidence::LifecycleRule { status: RuleStatus::Disabled, ..extra });
        prop_assert_eq!(simulator(&lifecycle(&more), &[], status, StoreKind::Aws).fate(&object), before);
    }

    #[test]
    fn one_more_rule_never_makes_a_loss_later(
        rules in oracle::rules(), extra in oracle::rule(), (key, size, class, second) in oracle::object(), status in statuses(),
    ) {
        let written = at("2026-01-12").plus(Millis::seconds(second));
        let object = Object { class: Some(class), ..Object::written(key, Bytes(size), written) };
        let before = simulator(&lifecycle(&rules), &[], status.clone(), StoreKind::Aws).fate(&object);
        let mut more = rules;
        more.push(extra);
        let after = simulator(&lifecycle(&more), &[], status, StoreKind::Aws).fate(&object);
        prop_assert!(not_later(lost(&after), lost(&before)), "{before:?} then {after:?}");
        prop_assert!(not_later(after.first(Kind::Gone).map(|c| c.on), before.first(Kind::Gone).map(|c| c.on)));
        // From STANDARD no move is made already, so the first change of any kind is not later either.
        if class == "STANDARD" {
            let first = |fate: &Fate| fate.first_change().map(|change| change.on);
            prop_assert!(not_later(first(&after), first(&before)));
        }
    }

    #[test]
    fn the_class_only_moves_down_and_nothing_follows_the_end(
        rules in oracle::rules(), (key, size, class, second) in oracle::object(), status in statuses(),
    ) {
        let written = at("2026-01-12").plus(Millis::seconds(second));
        let object = Object { class: Some(class), ..Object::written(key, Bytes(size), written) };
        let fate = simulator(&lifecycle(&rules), &[], status, StoreKind::Aws).fate(&object);
        let mut last = ORDER.iter().position(|name| *name == class);
        for change in &fate.changes {
            if let What::Moved { class, .. } = &change.what {
                let now = ORDER.iter().position(|name| **name == **class);
                prop_assert!(now > last, "{fate:?}");
                last = now;
            }
        }
        let end = |change: &Change| matches!(change.what, What::Removed(_));
        for (place, change) in fate.changes.iter().enumerate().filter(|(_, change)| end(change) && change.is_certain()) {
            let rest = &fate.changes[place + 1..];
            let hidden = matches!(change.what, What::Removed(Removal::Hidden { .. }));
            prop_assert!(rest.iter().all(|later| hidden && !change.noncurrent && later.noncurrent), "{fate:?}");
        }
    }

    #[test]
    fn a_place_says_what_each_file_there_says(
        rules in oracle::rules(), (_, size, _, second) in oracle::object(), status in statuses(),
    ) {
        let written = at("2026-01-12").plus(Millis::seconds(second));
        let simulator = simulator(&lifecycle(&rules), &[], status, StoreKind::Aws);
        let place = simulator.place("a/", written);
        let file = simulator.fate(&Object::written("a/zzz", Bytes(size), written));
        let mut said: Vec<Change> =
            place.changes.iter().filter(|one| one.sizes.contains(Bytes(size))).map(|one| one.change.clone()).collect();
        let mut changes = file.changes;
        said.sort();
        changes.sort();
        prop_assert_eq!(said, changes);
    }
}
