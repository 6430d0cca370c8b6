//! The display on a terminal, while a command runs and at its end.
//!
//! | module | does |
//! |---|---|
//! | `events` | what the parts of a verification report, under `--verbose` |
//! | `finish` | giving out exactly one report, also after a signal or beyond a limit |
//! | `live` | the line on a terminal that shows how far the verification is |
//! | `progress` | the observer, which feeds the line and the log, and prints stages |

mod events;
pub(super) mod finish;
mod live;
pub(super) mod progress;
