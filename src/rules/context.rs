//! What a rule may look at.

use std::collections::BTreeSet;

use super::{Judged, Outcomes, Verdict};
use crate::{
    analysis::{
        Comparison, Earlier, EarlierState, JobAnalysis, KafkaTerms, Life, StateView, Window,
        lifecycle::{self, Kind},
        places::Answer,
        recovery::TopicUnread,
        snapshots::{PlaceView, SnapshotView, remedy},
    },
    audit::Audit,
    evidence::{Evidence, Unknown},
    finding::{
        Finding, Remedy, Severity, Subject,
        future::{Ground, of_place, of_snapshot},
        kafka,
        state_ttl::Restart,
        ttl_change::Change,
    },
    manifest::{AsOf, Manifest, Position},
    units::{Millis, S3Location, Ttl},
};

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
    /// What an earlier report says, if there is one.
    pub earlier: Option<&'a Earlier>,
}

impl JobContext<'_> {
    /// `jobs/a.yaml:12`, as the origin of a fact.
    #[must_use]
    pub fn origin(&self, position: Position) -> String {
        format!("{}:{}", self.job.file, position.line)
    }

    /// What remedies need to know of the job.
    #[must_use]
    pub fn restart(&self) -> Restart<'_> {
        Restart {
            audit: self.audit,
            flink: &self.job.flink,
            declared: self.job.recovery.as_ref(),
            recovery: &self.analysis.recovery,
            max_downtime: self.job.max_downtime.or(self.audit.policy.max_downtime),
            as_of: self.as_of.at,
        }
    }

    /// The command that sets settings of a topic, and what to know about it.
    #[must_use]
    pub fn alter_topic(&self, window: &Window, settings: &[(&str, i64)], say: &str) -> Remedy {
        let cluster = kafka::cluster(self.audit, window.cluster.as_deref());
        let about = kafka::about_the_command(cluster, &window.topic, settings);
        Remedy::paste(format!("{say}{about}"), kafka::alter_topic(cluster, &window.topic, settings))
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

impl JobContext<'_> {
    /// Judges the snapshot that a restart in the declared way takes, with its place. Where there is none, or it is restarted from nothing, the
    /// rule has nothing to do; where it is not known which one, that is said of the first place.
    pub(super) fn judge_selected(&self, out: &mut Outcomes, judge: impl Fn(&PlaceView, &SnapshotView) -> Judged) {
        let recovery = &self.analysis.recovery;
        match recovery.selected() {
            Ok(Some((place, snapshot))) => out.judge(place.subject(), || judge(place, snapshot)),
            Ok(None) => {}
            Err(unknown) => {
                if let Some(place) = recovery.places.first() {
                    out.judge(place.subject(), || Err(unknown));
                }
            }
        }
    }

    /// The window of a topic that was seen from a snapshot.
    pub(super) fn window(&self, topic: &TopicUnread) -> Option<&Window> {
        let windows = self.analysis.windows.get(&topic.source)?.as_ref().ok()?;
        windows.iter().find(|window| Some(&window.topic) == topic.topic.as_ref())
    }
}

/// A state that compares in the way asked for, with the topic where that is worst.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'a> {
    /// The state.
    pub state: &'a StateView,
    /// How long it lives.
    pub life: Life,
    /// That length.
    pub length: Millis,
    /// The topic where it is worst.
    pub window: &'a Window,
    /// How many other topics there are for which it holds too.
    pub others: usize,
}

impl Hit<'_> {
    /// The sentence that says that there are others; empty if there are none.
    #[must_use]
    pub fn others_words(&self) -> String {
        match self.others {
            0 => String::new(),
            1 => " The same holds for one more topic that it reads.".to_owned(),
            n => format!(" The same holds for {n} more topics that it reads."),
        }
    }
}

impl JobContext<'_> {
    /// Asks `comparison` of every state and every topic whose records reach it, and lets `finding` speak once for each state where it holds.
    /// `highest` is the loudest that a finding about one topic can be, before the role's word.
    pub fn judge_states(
        &self,
        out: &mut Outcomes,
        comparison: Comparison,
        highest: impl Fn(Option<&Window>) -> Severity,
        finding: impl Fn(Hit<'_>) -> Finding,
    ) {
        let margin = self.audit.policy.safety_margin;
        for state in &self.analysis.states {
            let life = match &state.life {
                Ok(life) => *life,
                Err(unknown) => {
                    out.judge_as(state.subject(), state.severity(highest(None)), || Err(unknown.clone()));
                    continue;
                }
            };
            let Some(length) = life.length() else {
                out.judge(state.subject(), || Ok(Verdict::Pass));
                continue;
            };
            let mut hits: Vec<&Window> = Vec::new();
            let mut passed = false;
            // A hit on one topic must not hide that another one is not known.
            for window in self.analysis.read_by(state) {
                match window.map_err(Clone::clone).and_then(|window| Ok((window, comparison.holds(life, window, margin)?))) {
                    Ok((window, true)) => hits.push(window),
                    Ok((_, false)) => passed = true,
                    Err(unknown) => {
                        let most = highest(window.ok());
                        let subject = match window {
                            Ok(window) => state.subject().about_sources([window.source.as_str()]),
                            Err(cause) => state.subject().about_sources(self.sources_unknown_for(state, cause)),
                        };
                        out.judge_as(subject, state.severity(most), || Err(unknown));
                    }
                }
            }
            let worst = hits.iter().copied().max_by_key(|window| comparison.how_bad(window));
            if let Some(window) = worst {
                let hit = Hit { state, life, length, window, others: hits.len() - 1 };
                let subject = state.subject().about_sources(hits.iter().map(|window| window.source.as_str()));
                out.judge(subject, || Ok(finding(hit).into()));
            } else if passed {
                out.judge(state.subject(), || Ok(Verdict::Pass));
            }
        }
    }

    /// The TTL of a state in an earlier report, and now. `None`: that report does not have the state, or no TTL governs it now, or the manifest
    /// does not say how long it lives: `ttl-not-stated` waits for that.
    #[must_use]
    pub fn changed<'c>(
        &self,
        earlier: &'c Earlier,
        state: &'c StateView,
        words: &'c str,
        id: &'c str,
    ) -> Option<(EarlierState, Change<'c>)> {
        let then = earlier.state(&self.job.job.value, &state.operator, &state.state)?;
        let now = match state.life.as_ref().ok()? {
            Life::Ttl(length) => Ttl::After(*length),
            Life::Never => Ttl::Never,
            Life::Cleared(..) => return None,
        };
        let change = Change {
            state: id,
            then: then.ttl,
            earlier: words,
            now,
            origin: &state.origin,
            position: state.position,
            as_of: self.as_of.at,
        };
        Some((then, change))
    }

    /// The sources of a state whose topics are not known for this reason.
    fn sources_unknown_for<'s>(&'s self, state: &'s StateView, cause: &'s Unknown) -> impl Iterator<Item = &'s str> {
        let windows = &self.analysis.windows;
        state.reads.iter().map(|(id, _)| id.as_str()).filter(|id| windows.get(*id).is_some_and(|seen| seen.as_ref().err() == Some(cause)))
    }

    /// A topic as the subject of a finding, with every source of the job that reads it.
    #[must_use]
    pub fn topic_subject(&self, window: &Window, kind: &str) -> Subject {
        let reads = |other: &&Window| other.cluster == window.cluster && other.topic == window.topic;
        let readers = self.analysis.windows.values().flatten().flatten().filter(reads);
        Subject::new(self.analysis.topic_name(window), kind).about_sources(readers.map(|window| window.source.as_str()))
    }

    /// Judges every Kafka topic that the job reads, each once. Topics that are known not to exist are left to `topic-missing`.
    pub fn judge_topics(&self, out: &mut Outcomes, kind: &str, highest: Severity, judge: impl Fn(&Window, &KafkaTerms) -> Judged) {
        let mut seen = BTreeSet::new();
        for (source, windows) in &self.analysis.windows {
            let windows = match windows {
                Ok(windows) => windows,
                Err(unknown) => {
                    out.judge_as(Subject::new(source, "source").about_sources([source.as_str()]), highest, || Err(unknown.clone()));
                    continue;
                }
            };
            for window in windows.iter().filter(|window| window.cluster.is_some()) {
                if !seen.insert((&window.cluster, &window.topic)) {
                    continue;
                }
                out.judge_as(self.topic_subject(window, kind), highest, || match (&window.exists, &window.kafka) {
                    (_, Some(kafka)) => judge(window, kafka),
                    (Err(unknown), None) => Err(unknown.clone()),
                    (Ok(_), None) => Ok(Verdict::NotApplicable),
                });
            }
        }
    }
}

/// How loud a change is, and what the policy says about it. `None`: it is tolerated without a word.
pub(super) type Weighed = Result<Option<(Severity, String)>, Unknown>;

impl JobContext<'_> {
    /// Judges what the buckets' rules will do of one kind: to each declared place, and to the newest snapshot that lies in it. `weigh` gets
    /// each change with the bucket in which it happens.
    pub(super) fn judge_future(&self, out: &mut Outcomes, kind: Kind, weigh: impl Fn(&lifecycle::Change, &str) -> Weighed) {
        let ground = Ground { audit: self.audit, job: self.job, evidence: self.evidence, as_of: self.as_of.at };
        let (future, recovery) = (&self.analysis.future, &self.analysis.recovery);
        for place in &future.places {
            let subject = || place.subject();
            let bucket = place.declared.value.s3().map_or("", S3Location::bucket);
            match place.of_kind(kind) {
                Ok(Answer { hits, unknown }) => {
                    let weighed = weigh_each(hits, |hit| weigh(&hit.change.change, bucket));
                    let finding = of_place(&ground, place, recovery, &weighed.policy, &weighed.hits);
                    answer(out, subject, unknown.into_iter().chain(weighed.unknown), finding);
                }
                // Said once, below, where nothing is known of the snapshots there for the same reason.
                Err(unknown)
                    if recovery
                        .places
                        .iter()
                        .any(|view| view.declared == place.declared && view.newest().err().as_ref() == Some(&unknown)) => {}
                Err(unknown) => out.judge(subject(), || Err(unknown)),
            }
        }
        for place in &recovery.places {
            let subject = || place.subject();
            let snapshot = match place.newest() {
                Ok(Some(snapshot)) => snapshot,
                Ok(None) => continue,
                Err(unknown) => {
                    out.judge(subject(), || Err(unknown));
                    continue;
                }
            };
            let Some(seen) = future.snapshots.iter().find(|seen| seen.kind == place.kind && seen.location == snapshot.location) else {
                continue;
            };
            let Answer { hits, unknown } = seen.of_kind(kind);
            let weighed = weigh_each(hits, |hit| weigh(&hit.change, &hit.bucket));
            let fresh = remedy::fresh_savepoint(&self.job.flink, recovery);
            let finding = of_snapshot(&ground, place, snapshot, &weighed.policy, fresh, &weighed.hits);
            answer(out, subject, unknown.into_iter().chain(weighed.unknown), finding);
        }
    }
}

/// Changes that are not tolerated.
struct WeighedHits<T> {
    hits: Vec<(T, Severity)>,
    /// What the policy says about the loudest of them.
    policy: String,
    unknown: Vec<Unknown>,
}

fn weigh_each<T>(hits: Vec<T>, weigh: impl Fn(&T) -> Weighed) -> WeighedHits<T> {
    let mut weighed = WeighedHits { hits: Vec::new(), policy: String::new(), unknown: Vec::new() };
    for hit in hits {
        match weigh(&hit) {
            Ok(Some((severity, policy))) => {
                if weighed.hits.iter().all(|(_, louder)| severity > *louder) {
                    weighed.policy = policy;
                }
                weighed.hits.push((hit, severity));
            }
            Ok(None) => {}
            Err(unknown) => weighed.unknown.push(unknown),
        }
    }
    weighed
}

/// What is not known does not hide a finding, nor a finding what is not known.
fn answer(out: &mut Outcomes, subject: impl Fn() -> Subject, unknown: impl Iterator<Item = Unknown>, finding: Option<Finding>) {
    let mut open = false;
    for unknown in unknown {
        open = true;
        out.judge(subject(), || Err(unknown));
    }
    match finding {
        Some(finding) => out.judge(subject(), || Ok(finding.into())),
        None if open => {}
        None => out.judge(subject(), || Ok(Verdict::Pass)),
    }
}
