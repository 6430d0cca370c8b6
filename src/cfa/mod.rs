//! Control-flow automata: the program as all analyses see it.
//!
//! This room knows nothing of SMT, abstract states or properties.

pub mod assumption;
pub mod layout;
pub mod path;
pub mod program;

pub use assumption::{Assumption, AssumptionKind};
pub use path::{Step, is_call};
pub use program::*;
