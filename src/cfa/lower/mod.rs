//! Lowering: from the typed syntax tree to control-flow automata.
//!
//! Only code that the entry function needs is lowered: a function when it is first called or its address is first taken, a global
//! variable, with its initialiser, when it is first named. A driver of 30 000 lines shrinks to what its entry points use.
//!
//! The control flow is built with a current node: an operation makes a new node and an edge to it. A jump makes an edge to its
//! target and continues at a fresh node that nothing reaches. Such nodes, and the empty edges that join the pieces, are removed by
//! `finish`. Calls through pointers are [expanded](super::calls) before, since their candidates are known only when everything is lowered.
//!
//! Evaluation order is that of gcc where C leaves it open: a value that is read before a side effect is saved in a temporary, but only if the side
//! effect could change it.
//!
//! | module | lowers |
//! |---|---|
//! | `state` | the state of lowering |
//! | `build` | nodes, edges, functions and variables |
//! | `whole` | the start function, and all that the entry function needs |
//! | `entry` | the call of the entry function |
//! | `stmt` | statements, jumps, conditions |
//! | `expr` | values, side effects, assignments |
//! | `effects` | which expressions have side effects |
//! | `assign` | assignments |
//! | `place` | addresses, pointer arithmetic, places |
//! | `init` | initialisers, string literals, declarations |
//! | `sizes` | sizes that are known at run time only |
//! | `call` | calls of all kinds |
//! | `cleanup` | calls of the `cleanup` attribute |
//! | `format` | calls of the `printf` family with a literal format |
//! | `exit` | functions that run before `main`, and when the program ends |
//! | `names` | what the program names: functions, variables, string literals |
//! | `options` | what lowering has to be told |
//! | `order` | where the order of evaluation matters |
//! | `touched` | the objects that expressions touch |
//! | `jump` | `setjmp` and `longjmp` |
//! | `library` | calls of undefined functions that have a model |
//! | `allocate` | functions that make and release objects |
//! | `blocks` | `memset`, `memcpy` and their kin |
//! | `undefined` | functions without body and without model: what they may change |
//! | `varargs` | variable arguments |
//! | `weak` | functions that may be absent |
//! | [`weave`] | adding operations to a program before it is finished |
//! | `jumps` | the meaning of `setjmp` and `longjmp` in the finished graph |
//! | `assembly` | inline assembly |
//! | `arguments` | the parameters of `main` |
//! | `atomic` | atomic builtins |
//! | `builtin` | builtins that compute |
//! | `check` | tests before operations that C gives no meaning for all operands |
//! | `math` | calls that are operations on values |
//! | `parts` | complex numbers, vectors, decimal numbers |
//! | `reallocate` | `realloc` and its relatives |
//! | `scan` | calls of the `scanf` family |
//! | `texts` | texts in plain sight: parts of formats, and copies of literals |
//! | `finish` | the finished program |

pub mod weave;

mod allocate;
mod arguments;
mod assembly;
mod assign;
mod atomic;
mod blocks;
mod build;
mod builtin;
mod call;
mod check;
mod cleanup;
mod effects;
mod entry;
mod exit;
mod expr;
mod finish;
mod format;
mod init;
mod jump;
mod jumps;
mod library;
mod math;
mod names;
mod options;
mod order;
mod parts;
mod place;
mod reallocate;
mod scan;
mod sizes;
mod state;
mod stmt;
mod texts;
mod touched;
mod undefined;
pub(super) mod varargs;
mod weak;
mod whole;

use super::program::Program;
use crate::frontend::syntax::ast::TranslationUnit;
use crate::frontend::text::diagnostics::{Diagnostic, Diagnostics};
use crate::frontend::text::source::{Loc, SourceMap};
use crate::frontend::types::Types;
use state::Lowerer;
use weave::Weaver;

pub use entry::EntryPointers;
pub use options::{LibraryUse, LowerOptions};

/// Turns a translation unit into control-flow automata.
///
/// # Errors
///
/// The entry function is not defined, or static data does not fit into the address space.
pub fn lower(unit: TranslationUnit, options: &LowerOptions) -> Result<Program, Diagnostics> {
    lower_woven(unit, options, &mut |_| ())
}

/// As [`lower`], and lets `weave` add operations before the program is finished.
///
/// # Errors
///
/// As [`lower`].
pub fn lower_woven(
    unit: TranslationUnit,
    options: &LowerOptions,
    weave: &mut dyn FnMut(&mut Weaver<'_>),
) -> Result<Program, Diagnostics> {
    let mut unit = unit;
    let Some(entry) = unit
        .function_named(&options.entry)
        .filter(|&f| unit.function(f).body.is_some())
    else {
        let message = format!("the entry function `{}` is not defined", options.entry);
        return Err(diagnostic(message, unit.source));
    };
    let model = unit.data_model();
    let types = std::mem::replace(&mut unit.types, Types::new(model));
    let mut lowerer = Lowerer::new(&unit, types, options);
    lowerer.run(entry);
    lowerer.settle_arguments();
    let parts = lowerer.into_parts();
    let TranslationUnit { source, typedefs, .. } = unit;
    finish::finish(parts, source, options, &mut |parts| {
        weave(&mut Weaver::new(parts, &typedefs))
    })
    .map_err(|failure| diagnostic(failure.0, failure.1))
}

fn diagnostic(message: String, source: SourceMap) -> Diagnostics {
    let list = vec![Diagnostic {
        loc: Loc::NONE,
        len: 0,
        message,
        label: String::new(),
    }];
    Diagnostics::new(list, source)
}
