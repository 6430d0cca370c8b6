//! Provident's solver: linear integer arithmetic and uninterpreted functions with proofs and interpolants.
//!
//! This crate knows nothing of programs, C or files.
//!
//! | module | does |
//! |---|---|
//! | [`num`] | small-first exact integers and rationals |
//! | [`term`] | hash-consed terms, symbols with SSA indices, portable formulas |
//! | [`solver`] | the incremental CDCL(T) search and its theories |
//! | [`model`] | models and the independent evaluation of terms in them |
//! | [`proof`] | the clausal proof, its independent checker |
//! | [`interpolate`] | sequence interpolants from a proof, and their checks |
//! | [`allsat`] | all models over a set of literals |
//! | [`smtlib`] | the SMT-LIB 2.6 front end |
//! | [`hash`] | the one alias of the hash function in use |

pub mod allsat;
pub mod hash;
pub mod interpolate;
pub mod model;
pub mod num;
pub mod proof;
pub mod smtlib;
pub mod solver;
pub mod term;
