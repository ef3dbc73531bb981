//! What to paste: the ways out that findings name, ordered by what they are pasted into, and SQL for the damage that is done.

mod page;
pub mod sql;

pub use page::{JobRemedies, NamedRemedy, remedies, to_json, to_text};
