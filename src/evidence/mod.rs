//! Evidence for verdicts: the replay of counterexamples, witnesses, harnesses, proof obligations, and the ledger of assumptions.
//!
//! | module | does |
//! |---|---|
//! | [`replay`](mod@replay) | executes a path on a concrete machine that shares no code with the encoder |
//! | [`ledger`] | aggregates what lowering, encoding and replay took on trust |
//! | [`obligations`] | the proof of a TRUE, as scripts that other solvers refute |
//! | [`witness`] | verification witnesses: the format, and the way from a verdict to a witness |
//! | [`validate`] | validates witnesses, ours and others' |
//! | [`executions`] | holds concrete executions against formulas and claims, under `--check` |
//! | [`touching`] | holds the bytes that executions touch against divisions of memory |
//! | [`harness`] | an executable that runs into the violation |
//!
//! This room knows nothing of the command line.

pub mod executions;
pub mod harness;
pub mod ledger;
pub mod obligations;
pub mod replay;
pub mod touching;
pub mod validate;
pub mod witness;

pub use ledger::Ledger;
pub use replay::{Judgement, Replay, Trace, replay};
