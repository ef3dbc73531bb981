//! The rules that a run refers to, with their pages as help.

use serde_json::json;

use super::model::{Configuration, Descriptor, RuleReference, Text};
use crate::{
    finding::Severity,
    report::Report,
    rules::{self, Rule, RuleMeta},
};

/// The rules that are referred to, in the order of the documentation, and those that this version does not know after them.
pub(super) struct Rules(Vec<String>);

impl Rules {
    pub(super) fn of(report: &Report) -> Self {
        let mut ids: Vec<String> = Vec::new();
        let named = report.findings.iter().map(|finding| &finding.rule).chain(report.unknown.iter().map(|unknown| &unknown.rule));
        let waived = report.waived.iter().flat_map(|waived| {
            let finding = waived.finding.as_ref().map(|finding| &finding.rule);
            finding.into_iter().chain(waived.unknown.as_ref().map(|unknown| &unknown.rule))
        });
        let named = named.chain(waived);
        for id in named {
            if !ids.contains(id) {
                ids.push(id.clone());
            }
        }
        let order = |id: &str| rules::all().iter().position(|rule| rule.meta().id == id).unwrap_or(usize::MAX);
        ids.sort_by(|a, b| order(a).cmp(&order(b)).then_with(|| a.cmp(b)));
        Self(ids)
    }

    pub(super) fn reference(&self, id: &str) -> RuleReference {
        RuleReference { id: id.to_owned(), index: self.0.iter().position(|known| known == id).unwrap_or_default() }
    }

    pub(super) fn descriptors(&self) -> Vec<Descriptor> {
        self.0.iter().map(|id| descriptor(id)).collect()
    }
}

fn descriptor(id: &str) -> Descriptor {
    let Some(RuleMeta { summary, severity, .. }) = rules::by_id(id).map(Rule::meta) else {
        return Descriptor::plain(id, id);
    };
    let page = rules::page(id);
    // GitHub code scanning sorts by `problem.severity` and knows three words for it.
    let problem = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "recommendation",
    };
    Descriptor {
        id: id.to_owned(),
        short_description: Text::plain(*summary),
        full_description: page.and_then(first_paragraph).map(Text::plain),
        help: page.map(|page| Text { text: page.to_owned(), markdown: Some(page.to_owned()) }),
        default_configuration: Some(Configuration { level: *severity }),
        properties: Some(json!({ "tags": ["reliability", "flink"], "problem.severity": problem, "precision": "high" })),
    }
}

/// What a page says first, below its title, on one line.
fn first_paragraph(page: &str) -> Option<String> {
    page.split("\n\n").nth(1).map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
}
