//! Phases of a run in front of the refinement loop with the integers of the machine.
//!
//! | module | does |
//! |---|---|
//! | `explicit` | explicit values first: exploration without refinement |
//! | `apart` | a second exploration, in which the solver looks at each path |
//! | `along` | executions along an error path, for the refinement loop |
//! | `ideal` | a precision from ideal integers first |
//! | `memo` | summaries of functions first |
//! | `concrete` | the execution of a program without inputs |
//! | `sampling` | executions with chosen inputs |

pub(super) mod along;
mod apart;
pub(super) mod concrete;
pub(super) mod explicit;
pub(super) mod ideal;
pub(super) mod memo;
mod sampling;
