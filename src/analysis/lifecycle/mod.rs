//! What a bucket's rules will do to an object, and on which day: S3 Lifecycle and Intelligent-Tiering, simulated.
//!
//! A [`Simulator`] is compiled once per bucket. It answers for an object ([`Simulator::fate`]) and for a place to which files will be
//! written ([`Simulator::place`]) with every change that falls due, past ones included; it knows no clock and no horizon. What is not
//! known (tags, the size floor, a rule's status) makes a change one that *may* happen, never one that is left out.
//!
//! Sources: S3 User Guide, *Lifecycle configuration elements*, *Transitioning objects using Amazon S3 Lifecycle*, *Conflicting lifecycle
//! rules*, *How S3 Intelligent-Tiering works*, *Object Lock considerations*.

mod bucket;
mod class;
mod day;
mod due;
mod fate;
mod filter;
mod floor;
mod index;
mod memo;
mod object;
mod place;
pub mod remedy;
mod simulate;
mod simulator;
mod tiering;

pub use bucket::{Answer, BucketRules};
pub use fate::{Certainty, Change, Doubt, Fate, Kind, Reads, Removal, Source, Timing, What};
pub use floor::FLOOR;
pub use memo::Fates;
pub use object::{Lock, Object, Tags, Version};
pub use place::{Part, PlaceChange, PlaceFate, Sizes};
pub use simulator::Simulator;
