//! The display on a terminal, while a command runs and at its end.
//!
//! | module | does |
//! |---|---|
//! | `finish` | giving out exactly one report, also after a signal or beyond a limit |
//! | `progress` | the progress line |

pub(super) mod finish;
pub(super) mod progress;
