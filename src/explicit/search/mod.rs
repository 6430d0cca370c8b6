//! Searches through the states, and the way back from a state to the path that leads to it.
//!
//! | module | does |
//! |---|---|
//! | [`explore`] | all paths |
//! | [`waiting`], [`landmark`] | which path goes on |
//! | `stored` | the states and choices of an exploration in little memory |
//! | [`trace`], `demand`, [`repair`] | from choices to steps and inputs |

mod demand;
pub mod explore;
pub mod landmark;
pub mod repair;
mod stored;
pub mod trace;
pub mod waiting;
