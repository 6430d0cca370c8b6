//! Provident: a software model checker for C.

pub mod cfa;
pub mod frontend;
