//! The grammar: from tokens to the typed syntax tree.
//!
//! | module | does |
//! |---|---|
//! | [`ast`] | the typed syntax tree |
//! | `parser`, `specifier`, `declarator`, `record`, `attribute`, `decl`, `init`, `stmt`, `expr` | grammar |
//! | `function` | declarations and definitions of functions |
//! | `primary` | primary expressions |
//! | `soft` | words that are keywords for some programs and names for others |
//! | [`library`] | a library of C sources behind the program |

pub mod ast;
pub(super) mod attribute;
pub(super) mod decl;
pub(super) mod declarator;
pub(super) mod expr;
mod function;
pub(super) mod init;
pub mod library;
pub(super) mod parser;
mod primary;
pub(super) mod record;
pub(super) mod soft;
pub(super) mod specifier;
pub(super) mod stmt;
