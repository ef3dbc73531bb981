//! What only two reports show: a TTL that grew, and one that was switched on or off.

use super::{Change, ComparedFinding, ComparedUnknown, earlier, state::Statuses, ttl_of};
use crate::{
    analysis::{EarlierState, Growth, Migration, Required, growth, migration},
    evidence::Unknown,
    finding::{Finding, Severity, fingerprint, ttl_change},
    manifest::{Position, release},
    report::{JobReport, OperatorReport, Report},
    units::Ttl,
};

/// What follows from TTLs that changed.
#[derive(Default)]
pub(super) struct TtlChanges {
    pub(super) findings: Vec<ComparedFinding>,
    pub(super) unknown: Vec<ComparedUnknown>,
}

/// Every state of both reports. Where the later one speaks of it already (it had a baseline), that stands.
pub(super) fn changes(old: &Report, new: &Report, after: &Statuses<'_>) -> TtlChanges {
    let then = earlier(old);
    let words = then.words();
    let mut changes = TtlChanges::default();
    for job in &new.jobs {
        for state in &job.operators {
            let Some(before) = then.state(&job.job, &state.uid, &state.state) else { continue };
            let now = ttl_of(&state.ttl);
            if before.ttl == Ttl::Unknown || now == Ttl::Unknown {
                continue;
            }
            let id = format!("{}/{}", state.uid, state.state);
            let change = ttl_change::Change {
                state: &id,
                then: before.ttl,
                earlier: &words,
                now,
                origin: "the manifest, in the new report",
                position: Position::default(),
                as_of: new.as_of.at,
            };
            let louder = if state.role == "cache" { Severity::Note } else { Severity::Warning };
            let grown = change.lengthened(louder, grown(before, now, state, old, new));
            changes.add(after, job, "ttl-lengthened", &format!("{id} state"), louder, grown);
            if change.is_switch() {
                let (version, backend) = (job.flink.version.as_deref(), job.flink.state_backend.as_deref());
                let verdict: Migration = migration(version.and_then(release), backend);
                let switched = change.switched(Severity::Error, verdict, version, backend);
                changes.add(after, job, "ttl-contradicted", &format!("{id} TTL switch"), Severity::Error, switched);
            }
        }
    }
    changes
}

fn grown(then: EarlierState, now: Ttl, state: &OperatorReport, old: &Report, new: &Report) -> Growth {
    growth(then, now, state.required_ttl.map(Required::AtLeast), old.as_of.at, new.as_of.at)
}

impl TtlChanges {
    fn add(
        &mut self,
        after: &Statuses<'_>,
        job: &JobReport,
        rule: &str,
        subject: &str,
        severity: Severity,
        said: Result<Option<Finding>, Unknown>,
    ) {
        let fingerprint = fingerprint(rule, &job.job, subject);
        if after.says(&fingerprint).is_some() || after.leaves_out(rule) {
            return;
        }
        let subject = format!("{} {subject}", job.job);
        match said {
            Ok(None) => {}
            Ok(Some(finding)) => self.findings.push(ComparedFinding {
                change: Change::New,
                rule: rule.to_owned(),
                job: job.job.clone(),
                subject,
                fingerprint,
                old_severity: None,
                new_severity: Some(finding.severity),
                moved: super::facts::moved(&[], &finding.facts),
                message: finding.message,
                note: None,
            }),
            Err(unknown) => self.unknown.push(ComparedUnknown {
                change: Change::New,
                rules: vec![rule.to_owned()],
                severity,
                job: job.job.clone(),
                subject,
                reason: unknown.reason,
            }),
        }
    }
}
