//! Provident: a software model checker for C with its own interpolating solver and provident refinement.

pub mod cfa;
pub mod encode;
pub mod frontend;
