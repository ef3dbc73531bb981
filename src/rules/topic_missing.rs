//! A topic does not exist, and that is known.

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::Window,
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject},
};

/// See the module.
pub(super) struct TopicMissing;

static META: RuleMeta =
    RuleMeta { id: "topic-missing", summary: "A topic that the job reads does not exist, and that is known.", severity: Severity::Error };

impl Rule for TopicMissing {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        for (source, windows) in &job.analysis.windows {
            let windows = match windows {
                Ok(windows) => windows,
                Err(unknown) => {
                    out.judge(Subject::new(source, "source").about_sources([source.as_str()]), || Err(unknown.clone()));
                    continue;
                }
            };
            for window in windows {
                let Some(cluster) = &window.cluster else { continue };
                out.judge(job.topic_subject(window, "topic"), || match &window.exists {
                    Ok(true) => Ok(Verdict::Pass),
                    Ok(false) => Ok(finding(window, cluster).into()),
                    Err(unknown) => Err(unknown.clone()),
                });
            }
        }
    }
}

fn finding(window: &Window, cluster: &str) -> Finding {
    Finding {
        severity: Severity::Error,
        message: format!(
            "Source {} reads topic {}, which does not exist on cluster {cluster}. The broker said so when asked for it by name; a topic that is merely \
             hidden would have been answered with a missing right. Nothing else about this topic was judged.",
            window.source, window.topic
        ),
        facts: vec![
            ShownFact::new("topic", Amount::Text(window.topic.clone()), format!("source {}", window.source)),
            ShownFact::new("exists", Amount::Text("no".to_owned()), format!("metadata of cluster {cluster}, by name")),
        ],
        bites_on: None,
        remedy: vec![Remedy::say(
            "If the name or the cluster in the manifest is wrong, correct it. If the topic was deleted, a restart from any snapshot finds none of its \
             positions; create it again only deliberately, since a new topic counts offsets from 0 and old positions do not fit it.",
        )],
        position: window.position,
    }
}
