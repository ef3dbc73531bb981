//! The states of a job: TTL against what its topics can still deliver.

use super::{Page, Paint};
use crate::report::{
    JobReport, OperatorReport,
    words::{self, symbol},
};

/// A row for each state, and below it one for each topic that it reads.
pub(super) fn section(page: &mut Page, paint: Paint, job: &JobReport) {
    page.gap();
    if job.operators.is_empty() {
        page.prose("  ", "  ", "It declares no state: it was judged for the rest only.");
        return;
    }
    let head = ["", "state, and what it reads", "TTL", "floor", "observed", "worst case", "required"].map(str::to_owned).to_vec();
    page.rows(2, Some(1), std::iter::once(head).chain(job.operators.iter().flat_map(rows)), |line| paint.row(line));
    if let Some(note) = words::life_note(job) {
        page.prose("    ", "    ", note);
    }
}

fn rows(operator: &OperatorReport) -> Vec<Vec<String>> {
    let none = String::new;
    let required = operator.required_ttl.map_or_else(|| "–".to_owned(), |required| required.to_string());
    let name = format!("{} / {}", operator.uid, operator.state);
    let mut rows = vec![vec![symbol(operator.verdict).to_owned(), name, words::life(operator), none(), none(), none(), required]];
    rows.extend(operator.topics.iter().map(|topic| {
        let (floor, observed, worst) = (topic.floor.to_string(), topic.observed.to_string(), topic.worst_case.to_string());
        vec![none(), format!("· {}", topic.topic), none(), floor, observed, worst, none()]
    }));
    rows
}
