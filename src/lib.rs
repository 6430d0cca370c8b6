//! Provident: a software model checker for C with its own interpolating solver and provident refinement.

pub mod cfa;
pub mod cpa;
pub mod encode;
pub mod engine;
pub mod frontend;
pub mod refine;
