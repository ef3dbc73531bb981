//! What is tolerated, what trips the gate, and what a run's exit code is.

mod classes;
mod gate;
mod model;
mod waiver;

pub use classes::ClassPolicy;
pub use gate::{Counts, FailOn, exit_code};
pub use model::Policy;
pub use waiver::{NOTICE, Waiver};
