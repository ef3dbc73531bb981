//! Reports: one model, rendered by one module a format.

mod model;

pub use model::{
    AsOfInfo, EvidenceInfo, FileLocation, JobReport, Length, OperatorReport, REPORT_VERSION, Report, ReportedFinding, ReportedUnknown,
    SnapshotReport, Summary, TakenAt, TopicReport, Totals, Verdict, VerdictCounts,
};
