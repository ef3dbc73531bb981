//! Reports: one model, rendered by one module a format.

mod build;
mod dates;
mod future;
mod github;
mod html;
mod job;
mod json;
mod junit;
mod markdown;
mod model;
mod outlook;
pub mod outlook_words;
mod placed;
mod rank;
mod read;
mod redact;
mod replay_words;
mod sarif;
mod since;
mod table;
mod waive;
mod waived_words;
mod words;

pub use build::{Options, build, build_with, exit_code};
pub use github::{to_github, to_github_summary};
pub use html::to_html;
pub use json::to_json;
pub use junit::to_junit;
pub use markdown::to_markdown;
pub(crate) use markdown::{code, inline};
pub use model::{
    AsOfInfo, BackWithoutDuplicates, BackWithoutLoss, BaselineSummary, BestAlternative, ClearedReport, DayReport, EvidenceInfo,
    FileLocation, FirstChange, JobReport, Length, Notice, NoticeKind, OldestWaiver, OperatorReport, PlaceReport, REPORT_VERSION,
    ReplayReport, Report, ReportedFinding, ReportedFlink, ReportedUnknown, ReportedWait, Since, SnapshotReport, Summary, TakenAt,
    TopicReport, Totals, UnreferencedFiles, Verdict, VerdictCounts, Waived, WaivedCounts, WaiverTerms, WayAnswer,
};
pub use placed::Placed;
pub use read::{ReadError, from_json};
pub use redact::{Names, redact};
pub use sarif::to_sarif;
pub(crate) use table::{Page, Paint};
pub use table::{TableOptions, summary_of_several, to_table};
pub(crate) use words::{clean, subject as own_subject};
