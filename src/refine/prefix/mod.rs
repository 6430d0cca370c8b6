//! Infeasible sliced prefixes of error paths, and the refinement that each of them brings (Beyer, Löwe, Wendler, *Refinement selection*, SPIN 2015, sections 3 and 4).
//!
//! A sliced prefix of a path is the path without an end, in which some assumptions are no-ops. An infeasible path often has several infeasible sliced prefixes, each with a reason of infeasibility of its own; and
//! whatever refutes one of them refutes the path. So a preference can choose among the precisions that they bring, which no interpolation procedure can do: it sees one refutation, and knows nothing of programs.
//!
//! | module | does |
//! |---|---|
//! | [`extract`] | Algorithm 1: the infeasible sliced prefixes of a path |
//! | [`alternatives`] | Algorithm 2 up to the choice: the precision of each prefix |

pub mod alternatives;
pub mod extract;
