//! The commands, one per file.
//!
//! | module | does |
//! |---|---|
//! | `verify`, `check`, `discharge`, `smt`, `cfa`, `features`, `campaign`, `study`, `train`, `join`, `slurm`, `queries` | the commands |
//! | `experiment` | what campaigns and studies have in common |
//! | `exchange` | BenchExec, completions, manual pages |
//! | `relaunch` | another process where one has died |
//! | `interpolation` | the report of interpolants |

pub(super) mod campaign;
pub(super) mod cfa;
pub(super) mod check;
pub(super) mod discharge;
pub(super) mod exchange;
pub(super) mod experiment;
pub(super) mod features;
pub(super) mod interpolation;
pub(super) mod join;
pub(super) mod queries;
pub(super) mod relaunch;
pub(super) mod slurm;
pub(super) mod smt;
pub(super) mod study;
pub(super) mod train;
pub(super) mod verify;
