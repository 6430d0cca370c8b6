//! What a verdict can show for itself: the concrete replay of a counterexample and the ledger of assumptions.
//!
//! | module | does |
//! |---|---|
//! | [`replay`] | executes a path on a concrete machine that shares no code with the encoder |
//! | [`ledger`] | aggregates what lowering, encoding and replay took on trust |
//! | [`witness`] | verification witnesses: the format, and what of a verdict goes into it |
//! | [`validate`] | validates witnesses, ours and others' |
//! | [`harness`] | an executable that is driven to the violation |
//!
//! This room knows nothing of the command line.

pub mod harness;
pub mod ledger;
pub mod replay;
pub mod validate;
pub mod witness;

pub use ledger::Ledger;
pub use replay::{Judgement, Replay, Trace, replay};
