//! Reports: one model, rendered by one module a format.

mod build;
mod job;
mod json;
mod model;
mod table;
mod words;

pub use build::{Options, build, build_with, exit_code};
pub use json::to_json;
pub use model::{
    AsOfInfo, EvidenceInfo, FileLocation, JobReport, Length, OperatorReport, REPORT_VERSION, Report, ReportedFinding, ReportedUnknown,
    SnapshotReport, Summary, TakenAt, TopicReport, Totals, Verdict, VerdictCounts,
};
pub use table::{TableOptions, summary_of_several, to_table};
