//! The program as people see it.
//!
//! | module | does |
//! |---|---|
//! | [`display`], [`dot`] | C text and Graphviz |

pub mod display;
pub mod dot;
