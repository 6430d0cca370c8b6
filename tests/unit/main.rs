//! The parts of the model checker from outside, each alone. Seconds in all, so that they can run after every change: `cargo test --test unit`.
//!
//! | module | what it holds |
//! |---|---|
//! | [`architecture`] | which room may use which; layout of the sources and of these tests |
//! | [`frontend`], [`frontend_random`], [`frontend_corpus`], [`language`] | programs are accepted, typed and laid out as the standard and gcc have it |
//! | [`library`] | the sources of the C library |
//! | [`cfa`], [`points_to`], [`slice`] | automata, points-to sets and slices of small programs |
//! | [`concrete`], [`samples`], [`replay`] | the two machines that execute, against each other and against gcc |
//! | [`product`] | two domains in product |
//! | [`memo`] | laws of summaries: what `reduce` and `expand` keep, against executions |
//! | [`distances`] | distances to targets, with the figures of the thesis on directed search |
//! | [`features`] | the features of a program, with the example of the same thesis |
//! | [`domain_types`] | domain types of variables and regions, and their scores |
//! | [`values`] | operators of the value analysis, against executions, and value interpolants |
//! | [`encode`], [`operators`] | path formulas and operators of the abstraction, against executions |

#[path = "../common/checks.rs"]
mod checks;

mod architecture;
mod cfa;
mod concrete;
mod distances;
mod domain_types;
mod encode;
mod features;
mod frontend;
mod frontend_corpus;
mod frontend_random;
mod language;
mod library;
mod memo;
mod operators;
mod points_to;
mod product;
mod replay;
mod samples;
mod slice;
mod values;
