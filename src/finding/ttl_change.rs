//! What a TTL that changed between two reports means, in words: for rules with a baseline, and for the comparison of two reports.

use super::{Amount, Finding, Remedy, Severity, ShownFact};
use crate::{
    analysis::{Covers, Growth, Migration, difference},
    compare::{COVERS_EARLIEST, COVERS_LATEST},
    evidence::Unknown,
    manifest::Position,
    units::{Instant, Ttl},
};

/// A state whose TTL was one thing in an earlier report and is another now.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// `dedup-events/seen-event-ids`.
    pub state: &'a str,
    /// Its TTL in the earlier report.
    pub then: Ttl,
    /// Which report that is: `the report of a as of 2026-09-15 00:00Z`.
    pub earlier: &'a str,
    /// Its TTL now.
    pub now: Ttl,
    /// Where that stands.
    pub origin: &'a str,
    /// Where that stands.
    pub position: Position,
    /// The instant that is judged.
    pub as_of: Instant,
}

impl Change<'_> {
    fn amount(ttl: Ttl) -> Amount {
        match ttl {
            Ttl::After(length) => Amount::Duration(length),
            word => Amount::Text(word.to_string()),
        }
    }

    fn facts(&self) -> Vec<ShownFact> {
        vec![ShownFact::new("TTL then", Self::amount(self.then), self.earlier), ShownFact::new("TTL", Self::amount(self.now), self.origin)]
    }

    fn finding(&self, severity: Severity, message: String, facts: Vec<ShownFact>, remedy: Vec<Remedy>) -> Finding {
        Finding { severity, message, facts, bites_on: None, remedy, position: self.position }
    }

    /// What `ttl-lengthened` says. `Ok(None)`: nothing.
    ///
    /// # Errors
    ///
    /// Whether the window is covered depends on what nobody says.
    pub fn lengthened(&self, severity: Severity, growth: Growth) -> Result<Option<Finding>, Unknown> {
        let Self { state, then, now, earlier, .. } = *self;
        let grew = if then == now {
            format!("The TTL of {state} is {now}, and {earlier} says already that it had been extended to that")
        } else {
            format!("The TTL of {state} was {then} in {earlier} and is {now} now")
        };
        let covers = match growth {
            Growth::None => return Ok(None),
            Growth::Perhaps(Covers { latest, .. }) => {
                return Err(Unknown::new(
                    format!(
                        "{}: when it was changed is not known, so neither is whether the longer window is covered already; it is for certain from {} on",
                        lower(&grew),
                        latest.next_midnight().day()
                    ),
                    "a report made soon after the change, as the baseline",
                ));
            }
            Growth::NoWindow => {
                return Err(Unknown::new(
                    format!("{}: how far back the state has to reach is not known, so neither is whether it does", lower(&grew)),
                    "",
                ));
            }
            Growth::NeverCovered => {
                let message = format!(
                    "{grew}. Entries that were cleaned up before the change do not come back, and the history of what it reads has no end: what is \
                     older than that is never covered."
                );
                return Ok(Some(self.finding(severity, message, self.facts(), vec![Self::rely_on_snapshots()])));
            }
            Growth::NotYet(covers) => covers,
        };
        let Covers { earliest, latest } = covers;
        let (early, late) = (earliest.next_midnight().day(), latest.next_midnight().day());
        let (from, [origin_early, origin_late]) = if then == now {
            (format!("from {late}, at the earliest from {early}, as that report says"), [earlier, earlier])
        } else {
            let by = difference(then, now).map_or_else(String::new, |by| format!(", {by} after the change (new − old)"));
            let from = format!(
                "from {late}{by}. When it was changed is not known: after that report, and by {}; the later bound is used (with the earlier one: from \
                 {early})",
                self.as_of.minute()
            );
            (from, ["if it was changed right after the earlier report", "if it was changed at the instant that is judged"])
        };
        let message = format!(
            "{grew}. Entries that were already cleaned up do not come back, so the new window is not covered yet: {from}. Until then the job depends on \
             its snapshots."
        );
        let mut facts = self.facts();
        facts.push(ShownFact::new(COVERS_EARLIEST, Amount::Instant(earliest), origin_early));
        facts.push(ShownFact::new(COVERS_LATEST, Amount::Instant(latest), origin_late));
        Ok(Some(self.finding(severity, message, facts, vec![Self::rely_on_snapshots()])))
    }

    fn rely_on_snapshots() -> Remedy {
        Remedy::say(
            "Keep the positions of the source restored together with this state until then: keep uids stable, do not skip state, and keep a readable \
             snapshot. Nothing else shortens the wait.",
        )
    }

    /// Whether TTL was switched on or off.
    #[must_use]
    pub const fn is_switch(&self) -> bool {
        matches!((self.then, self.now), (Ttl::Never, Ttl::After(_)) | (Ttl::After(_), Ttl::Never))
    }

    /// What `ttl-contradicted` says of a TTL that was switched on or off since the earlier report. `Ok(None)`: nothing.
    ///
    /// # Errors
    ///
    /// The Flink version or the state backend that decides is not stated.
    pub fn switched(
        &self,
        severity: Severity,
        migration: Migration,
        release: Option<&str>,
        backend: Option<&str>,
    ) -> Result<Option<Finding>, Unknown> {
        let Self { state, then, now, earlier, .. } = *self;
        let (was, is) = if then == Ttl::Never {
            ("no TTL (never)".to_owned(), format!("one of {now}"))
        } else {
            (format!("a TTL of {then}"), "none (never)".to_owned())
        };
        let on = if then == Ttl::Never { "on" } else { "off" };
        let what = format!("{state} had {was} in {earlier}, and the manifest gives it {is} now: TTL was switched {on}");
        match migration {
            Migration::Works => return Ok(None),
            Migration::Unknown => {
                let stated = |value: Option<&str>| value.map_or_else(|| "not stated".to_owned(), |value| format!("`{value}`"));
                return Err(Unknown::new(
                    format!(
                        "{what}. Whether a snapshot from before can be restored depends on Flink's version ({}) and the state backend ({}): RocksDB from \
                         2.1 on, hashmap from 2.2 on, ForSt not",
                        stated(release),
                        stated(backend)
                    ),
                    "`flink.version` and `flink.state_backend` in the manifest",
                ));
            }
            Migration::Fails => {}
        }
        let flink = [release.map(|release| format!("Flink {release}")), backend.map(|backend| format!("the backend {backend}"))];
        let flink: Vec<String> = flink.into_iter().flatten().collect();
        let message = format!(
            "{what}. With {} a snapshot that was taken before the switch cannot be restored after it: the restore fails with a \
             StateMigrationException at the first access to this state (allowed for RocksDB from Flink 2.1 on, for hashmap from 2.2 on, for ForSt not). \
             Whether the snapshots that there are were taken before or after was not looked at here.",
            flink.join(" and ")
        );
        let mut facts = self.facts();
        facts.extend(release.map(|release| ShownFact::new("Flink", Amount::Text(release.to_owned()), "flink.version of the manifest")));
        facts.extend(
            backend.map(|backend| ShownFact::new("state backend", Amount::Text(backend.to_owned()), "flink.state_backend of the manifest")),
        );
        let remedy = vec![
            Remedy::say("Take the change back until the job runs on a Flink that allows it (RocksDB: 2.1, hashmap: 2.2)."),
            Remedy::say(
                "Or give the state a new name, so that it starts empty, with allowNonRestoredState for the old one; until it is filled, way D applies: no \
                 TTL protects what is read again.",
            ),
        ];
        Ok(Some(self.finding(severity, message, facts, remedy)))
    }
}

/// The same in the middle of a sentence.
fn lower(sentence: &str) -> String {
    sentence.strip_prefix("The ").map_or_else(|| sentence.to_owned(), |rest| format!("the {rest}"))
}
