//! Many programs in many configurations, most of them random: `cargo test --test slow`, or one module of it with `cargo test --test slow differential::`.
//!
//! | module | what it holds |
//! |---|---|
//! | [`examples`] | `tests/programs` in every configuration |
//! | [`several`] | several properties at once, in every way to check them |
//! | [`library_table`] | `tests/library`, against gcc and glibc |
//! | [`aliasing`], [`differential`], [`memory`], [`random_programs`] | random programs, against gcc or against all of their executions |
//! | [`experiments`] | campaigns and studies that are killed lose nothing |
//! | [`distribution`] | the binary is static and starts in an empty root |
//! | [`fuzzing`] | no reader panics |
//! | `mutation` | with the feature `faults`: every planted fault is found |

#[path = "../common/checks.rs"]
mod checks;
#[path = "../common/command.rs"]
mod command;
#[path = "../common/parallel.rs"]
mod parallel;

mod aliasing;
mod differential;
mod distribution;
mod examples;
mod experiments;
mod fuzzing;
mod library_table;
mod memory;
#[cfg(feature = "faults")]
mod mutation;
mod random_programs;
mod several;
