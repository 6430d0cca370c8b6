//! Settings: the table of options, the parser made from it, and the meaning of a command line.
//!
//! | module | does |
//! |---|---|
//! | [`options`] | an option with its type, all options in order, and what a user set |
//! | `table`, `knobs` | the options: those of the command line, and those that only `--set` and files reach |
//! | `explicit`, `invented` | those of the latter about explicit values, and about invented ones |
//! | [`value`] | types of options: they read and print their values |
//! | [`choices`] | types with few values, each with its meaning |
//! | `effect` | beside which others an option has no effect |
//! | `effective` | the options with the values that a verification uses |
//! | [`reference`] | the reference of the options for users |
//! | [`error`] | why options are refused |
//! | [`args`] | the parser built from the table |
//! | `words` | options as other programs write them |
//! | `file` | configuration files |
//! | `request` | what a verification's settings mean |
//! | `multi` | the options of how several properties are checked |

pub mod args;
pub mod choices;
pub(super) mod effect;
pub(super) mod effective;
pub mod error;
mod explicit;
pub(super) mod file;
mod invented;
pub(super) mod knobs;
pub(super) mod multi;
pub mod options;
pub mod reference;
pub(super) mod request;
pub(super) mod table;
pub mod value;
mod words;
