//! The commands, one per file.
//!
//! | module | does |
//! |---|---|
//! | `verify`, `check`, `discharge`, `smt`, `cfa`, `campaign`, `study` | the commands |
//! | `relaunch` | another process where one has died |
//! | `interpolation` | the report of interpolants |

pub(super) mod campaign;
pub(super) mod cfa;
pub(super) mod check;
pub(super) mod discharge;
pub(super) mod interpolation;
pub(super) mod relaunch;
pub(super) mod smt;
pub(super) mod study;
pub(super) mod verify;
