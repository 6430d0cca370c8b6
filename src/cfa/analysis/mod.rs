//! Analyses of a finished program.
//!
//! | module | does |
//! |---|---|
//! | [`graph`] | orders, loop heads, call graph, recursion, ways to targets |
//! | [`classify`] | which variables live in memory |
//! | `indeterminate` | variables that may be read before they are written |
//! | [`relevance`] | which variables can influence control |
//! | [`domain_types`] | how variables are used: as truth values, for equality, for arithmetic, as loop counters |
//! | [`distances`] | how far locations are from the targets, for directed search |
//! | [`features`] | 25 numbers of a program, by which a metric is selected |
//! | [`live`] | which variables are read later |

pub mod classify;
pub mod distances;
pub mod domain_types;
pub mod features;
pub mod graph;
pub(super) mod indeterminate;
pub mod live;
pub mod relevance;
