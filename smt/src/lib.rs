//! Provident's solver: linear integer arithmetic and uninterpreted functions with proofs and interpolants.
//!
//! This crate knows nothing of programs, C or files.
//!
//! | module | does |
//! |---|---|
//! | [`num`] | small-first exact integers and rationals |
//! | [`term`] | hash-consed terms, symbols with SSA indices, portable formulas |
//! | [`model`] | models and the independent evaluation of terms in them |
//! | [`hash`] | the one alias of the hash function in use |

pub mod hash;
pub mod model;
pub mod num;
pub mod term;
