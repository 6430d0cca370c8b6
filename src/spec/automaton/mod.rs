//! Specification automata (`.spc`): a property as a state machine that observes the program.
//!
//! The language is that of the specification files of the software verification community, with the extensions for weaving of Apel, Beyer, Mordan,
//! Mutilin and Stahlbauer (*On-the-fly decomposition of specifications in software model checking*, FSE 2016).
//!
//! # Grammar
//!
//! ```text
//! file       = { automaton }                                           // /* */ comments, #include "file" on a line of its own
//! automaton  = ("CONTROL" | "OBSERVER") "AUTOMATON" name { local } "INITIAL" "STATE" name ";" { state } "END" "AUTOMATON"
//! local      = "LOCAL" "int" name [ "=" number ] ";" | "LOCAL" "set" "<" ("string" | "int") ">" name [ "=" "[" "]" ] ";"
//! state      = [ "TARGET" ] "STATE" [ "USEALL" | "USEFIRST" ] name ":" { transition }
//! transition = trigger "->" { effect } goal ";"
//!            | trigger "->" { effect } "SPLIT" "{" conditions "}" { effect } goal "NEGATION" { effect } goal ";"
//! trigger    = trigger "||" trigger | trigger "&&" trigger | "!" trigger | "(" trigger ")"     // usual precedence
//!            | "TRUE" | "FALSE" | "MATCH" event | comparison | "CHECK" "(" [ analysis "," ] "query" ")"
//! event      = "{" statement "}" | "CALL" "{" call "}" | "RETURN" "{" call "}" | "LABEL" "[" regex "]"
//!            | "FUNCTIONCALL" "name" | "ENTRY" | "EXIT" | "ASSUME" | "text" | "[" text "]"
//! statement  = [ lvalue "=" ] function "(" args ")" [ ";" ] | [ lvalue "=" ] "[" regex "]" "(" args ")" [ ";" ]
//!            | lvalue ("=" | "+=" | ...) expression [ ";" ] | lvalue ("++" | "--") [ ";" ]
//! effect     = "ASSERT" condition | "DO" name "=" expression | "DO" name "[" expression "]" "=" ("true" | "false")
//!            | "ASSUME" "{" conditions "}" | "ENCODE" "{" { C declaration or assignment ";" } "}" | "PRINT" "text"
//!            | "MODIFY" "(" analysis "," "text" ")"
//! conditions = condition { ";" condition } [ ";" ]
//! goal       = "GOTO" name | "ERROR" [ "(" "message" ")" ] | "STOP" | "INACTIVE"
//! ```
//!
//! Conditions and expressions are those of C, with the holes `$1`, `$2`, ... and `$?`, with `$$v` (or `$v`) for a variable of the automaton, and with `$$s[e]`
//! and `$$s.empty` for sets.
//!
//! # Meaning
//!
//! An automaton begins in its initial state and looks at what the program does. In a state it considers, for each thing that happens, the transitions in order:
//!
//! * A transition is *considered* if its **trigger** holds. `MATCH {f($1)}` is met by every call of `f`, also by `x = f(y)`, and through a pointer. It is met at the call,
//!   before anything happens in `f`. `MATCH {$1 = f($2)}` is met when the call returns, since it speaks of the result; so `MATCH CALL` and `MATCH RETURN` say it explicitly.
//!   A call whose result the program drops has one all the same. Arguments are those of the call, also at the return. `$?` stands for anything, as the last argument for any
//!   number of arguments; `$1` for anything, but for the same wherever it occurs in one trigger. `MATCH {x = e}` is met behind assignments; parentheses and conversions do not
//!   matter. `MATCH ENTRY` is the start of the entry function, `MATCH EXIT` its return.
//!   `MATCH {[lock|lock_[0-9]+]($1)}` is met by the calls of a family of functions, those whose names match the regular expression as a whole. Calls in the body of a member of the family are part of that member and do not match again,
//!   so a wrapper and what it wraps count once.
//! * If an **`ASSERT`** of a transition that is considered is false, the property is violated.
//! * `DO` **actions** change the automaton's variables. Then the conditions of **`ASSUME`** must hold, with the new values, or the transition is not taken and nothing has
//!   changed. It is *enabled* if they do.
//! * **`USEFIRST`** takes the first transition that is enabled, **`USEALL`** each one, on a path of its own. If none is enabled the automaton stays as it is: no automaton restricts the
//!   program by an assumption.
//! * `ENCODE` statements are executed last. Their variables are 0 until a declaration is executed.
//! * **`ERROR`** is a violation. The program goes on behind it for other properties. A `TARGET STATE` is a violation when it is reached.
//! * **`STOP`** takes the path out of consideration, for all properties, if no other transition is enabled. Only a `CONTROL` automaton may do that.
//! * `INACTIVE` switches the automaton off for the rest of the path.
//!
//! Sets hold values, not texts: two pointers to one object are one element.
//!
//! `CHECK(analysis, "$1 == 0")`, a comparison of holes, variables and constants, holds exactly where the comparison does, whatever the analysis. Every other question of `CHECK`, `MODIFY`, and the matching of the raw text of statements
//! speak of analyses of other tools; where a transition of that kind is considered, the verdict is UNKNOWN with the place. `BREAK` is refused.
//!
//! | module | does |
//! |---|---|
//! | `text` | the text with its includes expanded |
//! | `lexer` | tokens |
//! | `cparser` | C expressions with holes |
//! | `parser` | from tokens to automata |
//! | `regex` | regular expressions of names |
//! | `syntax` | automata as data |

mod cparser;
mod lexer;
mod parser;
pub mod regex;
pub mod syntax;
#[cfg(test)]
mod tests;
pub mod text;

pub use syntax::{Automaton, Specification};

use super::property::SpecError;
use std::path::Path;
use std::sync::Arc;
use text::{ReadFile, Text};

/// Parses a file of specification automata.
///
/// # Errors
/// The first mistake with its place, in the included file where it is there.
pub fn parse_specification(file: &Path, text: &str, read: &ReadFile<'_>) -> Result<Specification, SpecError> {
    parser::parse(Arc::new(Text::new(file, text, read)?))
}
