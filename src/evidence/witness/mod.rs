//! Verification witnesses in the YAML format 2.0 of the software verification community.
//!
//! Ayaziova, Beyer, Lingsch-Rosenfeld, Spiessl, Strejcek: *Software verification witnesses 2.0*, SPIN 2024. A *violation* witness is a sequence of segments; each is a sequence of waypoints, the
//! last of which an execution passes, the others of which it avoids. A *correctness* witness is a set of invariants, C expressions at loops and other locations.
//!
//! Columns count characters from 1. A waypoint of a call stands at the closing parenthesis of its arguments, one of a branching or a loop at its keyword, all others at the first character of a
//! statement or declaration.
//!
//! | module | does |
//! |---|---|
//! | [`format`](mod@format) | the format as data: reading and writing |
//! | [`text`] | positions in the source |
//! | [`edits`] | insertions into the source |
//! | [`violation`] | from a replayed execution to segments |
//! | [`correctness`] | from what is known at loop heads to invariants |
//! | [`expression`] | from formulas to C expressions |

pub mod correctness;
pub mod edits;
pub mod expression;
pub mod format;
pub mod text;
pub mod violation;
