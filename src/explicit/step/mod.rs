//! One step of an execution: the program as actions, and a state on its way through them.
//!
//! | module | does |
//! |---|---|
//! | [`machine`] | a state on its way, and choices |
//! | [`eval`], [`question`], [`exec`] | values and places, conditions, steps |
//! | `inspect` | questions about the objects that exist |
//! | [`record`] | the inputs of a path, noted while it is walked |
//! | [`floating`] | floating-point values |
//! | [`spread`] | values that lie in several places, and numbers with few values |
//! | `wide` | values of more than 64 bits |

pub mod eval;
pub mod exec;
pub mod floating;
mod inspect;
pub mod machine;
pub mod question;
pub mod record;
pub mod spread;
mod wide;
