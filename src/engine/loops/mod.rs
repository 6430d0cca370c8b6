//! The refinement loops and the run that they share.
//!
//! | module | does |
//! |---|---|
//! | `session` | what both loops share: verdicts, the account of work |
//! | `cegar`, `pcegar` | the loops |
//! | `memo` | the loop over summaries of functions |

pub(super) mod cegar;
pub(super) mod memo;
pub(super) mod pcegar;
pub(super) mod session;
