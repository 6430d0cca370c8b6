//! The program as actions on slots and offsets, which states and steps use.
//!
//! | module | does |
//! |---|---|
//! | [`code`] | actions as data |
//! | [`compile`] | from the program to actions |

pub mod code;
pub mod compile;
