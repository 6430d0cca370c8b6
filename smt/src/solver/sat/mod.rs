//! Conflict-driven clause learning. It knows theories only by the trait [`Theory`](super::theory::Theory).
//!
//! | file | technique |
//! |---|---|
//! | `search` | the propositional state: assignment, reasons, clauses |
//! | `clauses` | the clause arena and watches |
//! | `order` | the decision order |
//! | `cdcl` | the loop of the search |
//! | `propagate` | unit propagation |
//! | `analyze` | conflict analysis |
//! | `derive` | derivations by resolution, for observers that trace clauses |
//! | `restart` | when to restart |
//! | `reduce` | deletion of learned clauses |
//! | `inprocess` | when learned clauses are simplified |
//! | `vivify` | vivification |
//! | `subsume` | subsumption and self-subsuming resolution |

mod analyze;
pub(in crate::solver) mod cdcl;
pub(in crate::solver) mod clauses;
mod derive;
pub(in crate::solver) mod inprocess;
pub(in crate::solver) mod order;
mod propagate;
mod reduce;
mod restart;
pub(in crate::solver) mod search;
mod subsume;
mod vivify;
