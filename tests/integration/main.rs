//! Whole verifications, through the library and from the command line: `cargo test --test integration`.
//!
//! | module | what it holds |
//! |---|---|
//! | [`pcegar`], [`refinement_operators`], [`refinement_selection`], [`determinism`], [`search`], [`explicit`] | verdicts of every configuration of the engine, whatever the number of threads |
//! | [`interpolation`] | the interpolation procedures of refinement |
//! | [`engines`] | other algorithms than the refinement loop |
//! | [`values`], [`shortcuts`], [`shifts`] | explicit values alone and beside predicates, and the shortcuts and symmetries of their exploration |
//! | [`memo`], [`contracts`] | summaries of functions, and the contracts that show what they prove |
//! | [`guess`], [`guessed_contracts`], [`obligations`], [`listed_paths`], [`shown_by_guesses`] | invariants and contracts that are guessed, and what a proof has to show |
//! | [`verification`], [`specification`], [`invented`] | verdicts of whole verifications, with and without evidence |
//! | [`calls`], [`floats`] | programs about one part of the language, against gcc |
//! | [`undefined`] | operations that C gives no meaning, against exact arithmetic and gcc |
//! | [`unwritten`] | reads of bytes that nothing has written |
//! | [`initialised`] | reads of variables that nothing has written |
//! | [`memory`], [`accesses`] | accesses, releases and lost objects, against an interpreter and gcc's libraries |
//! | [`entry`] | functions of a library, without `main` |
//! | [`linking`], [`units`] | programs of several files, and what the preprocessor is told about them |
//! | [`witness`], [`harness`], [`refinement_log`], [`queries`], [`page`] | the files of a run, each read by somebody else |
//! | [`formats`] | reports for programs: JSON and SARIF |
//! | [`traces`] | executions as people read them |
//! | [`cli`], [`terminal`], [`study`], [`learned`], [`faults`] | the command line, the display, and faults of the machine |

#[path = "../common/cases.rs"]
mod cases;
#[path = "../common/checks.rs"]
mod checks;
#[path = "../common/command.rs"]
mod command;
#[path = "../common/discharged.rs"]
mod discharged;
#[path = "../common/parallel.rs"]
mod parallel;
#[path = "../common/sarif.rs"]
mod sarif;
#[path = "../common/schema.rs"]
mod schema;
#[path = "../common/several.rs"]
mod several;

mod accesses;
mod calls;
mod cli;
mod contracts;
mod determinism;
mod engines;
mod entry;
mod explicit;
mod faults;
mod floats;
mod formats;
mod guess;
mod guessed_contracts;
mod harness;
mod initialised;
mod interpolation;
mod invented;
mod learned;
mod linking;
mod listed_paths;
mod memo;
mod memory;
mod obligations;
mod page;
mod pcegar;
mod queries;
mod refinement_log;
mod refinement_operators;
mod refinement_selection;
mod search;
mod shifts;
mod shortcuts;
mod shown_by_guesses;
mod specification;
mod study;
mod terminal;
mod traces;
mod undefined;
mod units;
mod unwritten;
mod values;
mod verification;
mod witness;
