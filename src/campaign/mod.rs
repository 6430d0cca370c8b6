//! Experiments: many tasks in one or more configurations, each run in a process of its own, and the evaluation of the results.
//!
//! There is one engine. A *definition* (a file, a preset, or what a command line says) and a *run set* make a *plan*; the *engine* runs what the *journal* does not hold yet; *results* are read from journals, one or
//! several, and become tables and a page. `campaign`, all studies and shards on a cluster are this with different definitions.
//!
//! This room knows nothing of the inside of a run: a run is a command line, a report, and the kernel's account of a process.
//!
//! | module | does |
//! |---|---|
//! | [`error`] | why an experiment cannot start or go on |
//! | [`definition`] | what is asked: configurations, limits, arguments; the presets |
//! | [`runset`] | which tasks: lists, sets, globs, benchmark definitions |
//! | [`plan`] | which runs, with which command lines; what makes results belong together |
//! | [`process`] | a child from its start to its last byte, with time and memory |
//! | [`cgroup`] | time and memory of all processes of a run, where the machine lets us |
//! | [`record`] | what a journal says about a run |
//! | [`journal`] | JSON Lines that survive `kill -9` |
//! | [`engine`] | running what is missing |
//! | [`text`] | texts that stand in many runs |
//! | [`results`] | the runs of a journal |
//! | [`join`] | shards become one result |
//! | [`benchexec`] | results and the tool-info module of BenchExec |
//! | [`slurm`] | the jobs of an experiment on a cluster |
//! | [`table`] | CSV, and the numbers of each configuration |
//! | [`compare`] | two configurations against each other |
//! | [`page`] | the page of an experiment |
//! | [`output`] | the files of an experiment |
//! | [`queries`] | the interpolation queries of the runs, as a data set |
//! | [`study`] | what the papers' studies make of the results |

pub mod benchexec;
pub mod cgroup;
pub mod compare;
pub mod definition;
pub mod engine;
pub mod error;
pub mod join;
pub mod journal;
pub mod output;
pub mod page;
pub mod plan;
pub mod process;
pub mod queries;
pub mod record;
pub mod results;
pub mod runset;
pub mod slurm;
pub mod study;
pub mod table;
pub mod text;
