//! Which earlier report belongs to which audit.

use crate::report::Report;

/// Why no earlier report fits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoPair {
    /// None of them is of this audit.
    #[error("no report of {audit} is among the earlier ones ({there})")]
    None {
        /// The audit.
        audit: String,
        /// The audits that there are.
        there: String,
    },
    /// Several of them are of this audit.
    #[error("{number} of the earlier reports are of {audit}, and which one counts is not known")]
    Several {
        /// The audit.
        audit: String,
        /// How many.
        number: usize,
    },
    /// There is one report and one audit, and they have neither the name nor a job in common.
    #[error("the earlier report is of {there}, and has neither the name nor a job of {audit}")]
    Unrelated {
        /// The audit.
        audit: String,
        /// The audit of the report.
        there: String,
    },
}

/// The earlier report for the audit `name` with these jobs.
///
/// It is found by its name. An audit is often named for its quarter, so one report fits one audit (`alone`) by a job of the same name too.
///
/// # Errors
///
/// None fits, or several do.
pub fn pair<'r>(reports: &'r [Report], name: &str, jobs: &[&str], alone: bool) -> Result<&'r Report, NoPair> {
    let named: Vec<&Report> = reports.iter().filter(|report| report.audit == name).collect();
    match (named.as_slice(), reports) {
        ([one], _) => Ok(one),
        ([], [only]) if alone => {
            let related = only.jobs.is_empty() || only.jobs.iter().any(|job| jobs.contains(&job.job.as_str()));
            if related { Ok(only) } else { Err(NoPair::Unrelated { audit: name.to_owned(), there: only.audit.clone() }) }
        }
        ([], _) => {
            let there: Vec<&str> = reports.iter().map(|report| report.audit.as_str()).collect();
            Err(NoPair::None { audit: name.to_owned(), there: there.join(", ") })
        }
        (several, _) => Err(NoPair::Several { audit: name.to_owned(), number: several.len() }),
    }
}
