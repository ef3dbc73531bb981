//! Two reports side by side: what is new, worse, the same, better or fixed, and which fact moved.

mod baseline;
mod build;
mod facts;
mod markdown;
mod model;
mod pair;
mod state;
mod table;
mod ttl;

pub use baseline::{Baseline, COVERS_EARLIEST, COVERS_LATEST, earlier, ttl_of, waits};
pub use build::compare;
pub use markdown::to_markdown;
pub use model::{Change, ChangeCounts, ComparedFinding, ComparedJob, ComparedUnknown, Comparison, Moved, MovedFact, Side};
pub use pair::{NoPair, pair};
pub use table::to_table;
