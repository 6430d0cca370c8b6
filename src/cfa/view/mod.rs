//! The program as people see it.
//!
//! | module | does |
//! |---|---|
//! | [`display`], [`dot`] | C text and Graphviz |
//! | [`distances`](mod@distances) | how far locations are from the targets |

pub mod display;
pub mod distances;
pub mod dot;
