//! Campaigns: many tasks, each verified in a process of its own, and a table of the results.
//!
//! A process per task keeps tasks apart: memory and processor time are those of the task, and a task that dies takes nothing
//! with it. The child is this very binary; it reports in JSON, so that the table holds what the child knows and not what could be
//! guessed from its output.
//!
//! | module | does |
//! |---|---|
//! | [`runset`] | which tasks: lists, tables, shards |
//! | [`runner`] | running the children, several at a time |
//! | [`table`] | the table of results as CSV |
//! | [`study`] | configurations compared over a run set |

pub mod runner;
pub mod runset;
pub mod study;
pub mod table;
