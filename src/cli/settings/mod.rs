//! Settings: the table of options, the parser made from it, and the meaning of a command line.
//!
//! | module | does |
//! |---|---|
//! | [`options`] | the one table of options, and what a user set |
//! | [`args`] | the parser built from the table, configuration files |
//! | `request` | what a verification's settings mean |
//! | `multi` | the options of how several properties are checked |

pub mod args;
pub(super) mod multi;
pub mod options;
pub(super) mod request;
