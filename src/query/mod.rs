//! Queries: everything that asks the solver on behalf of an analysis.
//!
//! A query has an account of effort, learns exact values of operators from wrong models, and is checked on request. This room knows nothing of abstract states.
//!
//! | module | does |
//! |---|---|
//! | [`effort`] | the account of solver effort |
//! | [`points`] | exact values of non-linear operators, learned from wrong models |
//! | [`pulse`] | how far a run is, for a thread that shows it |
//! | [`bits`] | formulas that are decided by the bits of their numbers |
//! | [`checks`] | the checks of the answers of the solver, under `--check` |

pub mod bits;
pub mod checks;
pub mod effort;
pub mod points;
pub mod pulse;
