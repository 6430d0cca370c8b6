//! Linear arithmetic over integers and reals.
//!
//! | file | technique |
//! |---|---|
//! | `tableau` | rows over columns with values and bounds |
//! | `simplex` | the general simplex |
//! | `bounds` | atoms as bounds, and what bounds imply |
//! | `definitions` | propagation of bounds along the rows as they were defined |
//! | `integers` | branches over the integers, and disequalities |
//! | `patch` | integer points by evaluation |
//! | `dive` | integer points by branch and bound on a copy |
//! | `cube` | integer points by the unit cube test |
//! | `diophantine` | cuts from proofs |

pub(in crate::solver) mod bounds;
mod cube;
pub(in crate::solver) mod definitions;
mod diophantine;
mod dive;
mod integers;
mod patch;
mod simplex;
pub(in crate::solver) mod tableau;
