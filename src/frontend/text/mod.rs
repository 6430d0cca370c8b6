//! Program text: files, preprocessing, positions, tokens and messages.
//!
//! | module | does |
//! |---|---|
//! | [`source`] | positions, lines, line marks |
//! | [`written`] | lines as the user wrote them |
//! | [`preprocess`] | reads files; runs `cpp` where a `.c` file needs it |
//! | `token`, `lexer`, `literal` | tokens |
//! | [`names`] | the identifiers of a text |
//! | [`library`] | sources that stand behind the program's |
//! | [`diagnostics`] | error messages |

pub mod diagnostics;
pub(super) mod lexer;
pub mod library;
pub(super) mod literal;
pub mod names;
pub mod preprocess;
pub mod source;
pub(super) mod token;
pub mod written;
