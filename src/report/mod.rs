//! Reports: one model, rendered by one module a format.

mod build;
mod job;
mod json;
mod model;

pub use build::{Options, build, build_with};
pub use json::to_json;
pub use model::{
    AsOfInfo, EvidenceInfo, FileLocation, JobReport, Length, OperatorReport, REPORT_VERSION, Report, ReportedFinding, ReportedUnknown,
    SnapshotReport, Summary, TakenAt, TopicReport, Totals, Verdict, VerdictCounts,
};
