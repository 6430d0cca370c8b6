//! Functions that the program declares but does not define, and that have a meaning: the conventions of verification tasks, and which of the other
//! rooms of lowering knows the rest: memory management, block operations, compiler builtins.
//!
//! A function that the program defines itself is never modelled: its body is its meaning.

use super::Lowerer;
use super::allocate::{ALLOCATORS, RELEASERS, Size};
use super::reallocate::is_reallocator;
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::invention::Invention;
use crate::cfa::program::*;
use crate::frontend::syntax::ast;
use crate::frontend::syntax::ast::ExprId;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{TypeId, Types};

/// The name without the decoration that compilers put around a library function.
pub(super) fn plain_name(name: &str) -> &str {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    match name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk")) {
        Some(inner) => inner,
        None => name,
    }
}

/// Whether a function is one of the compiler's atomic operations.
pub(super) fn is_atomic(name: &str) -> bool {
    name.starts_with("__sync_") || name.starts_with("__atomic_")
}

/// Library functions that run a function of the program, at once or later.
pub(super) const RUNNERS: [&str; 8] = [
    "at_quick_exit",
    "on_exit",
    "pthread_create",
    "thrd_create",
    "pthread_once",
    "call_once",
    "qsort",
    "bsearch",
];

/// The result of a modelled call: a value if one is wanted.
pub(super) type Modelled = Option<Expr>;

impl Lowerer<'_> {
    /// Lowers a call of an undefined function that has a model; `None` if it has none.
    pub(super) fn library_call(
        &mut self,
        f: ast::FuncId,
        args: &[ExprId],
        ty: TypeId,
        into: &Option<Place>,
        wanted: bool,
        loc: Loc,
    ) -> Option<Modelled> {
        let unit = self.unit;
        let full = &*unit.function(f).name;
        if let Some(result) = self.jump_call(full, args, ty, loc) {
            return Some(result);
        }
        if unit.source.in_library(loc)
            && let Some(modelled) = self.library_input(full, ty, into, loc)
        {
            return Some(modelled);
        }
        if let Some(modelled) = self.task_convention(full, args, ty, into, wanted, loc) {
            return Some(modelled);
        }
        if let Some(modelled) = self.math_call(full, args, ty, loc) {
            return Some(modelled);
        }
        let name = plain_name(full);
        if (RUNNERS.contains(&name) || self.runs_functions(f, args)) && !self.is_library(self.resolve(f)) {
            self.unsupported(name, loc);
        }
        if let Some(allocator) = ALLOCATORS.iter().find(|a| a.name == name) {
            let needed = match allocator.size {
                Size::Arg(a) => a,
                Size::Product(a, b) => a.max(b),
            };
            if args.len() > needed && self.types.is_pointer(ty) {
                return Some(self.allocate(allocator, args, ty, into, wanted, loc));
            }
        }
        if RELEASERS.contains(&name) && args.len() == 1 {
            let ptr = self.rvalue(args[0]);
            if self.types.is_pointer(ptr.ty) {
                self.release(ptr, loc);
            }
            return Some(None);
        }
        if is_reallocator(name, args.len()) && self.types.is_pointer(ty) {
            return Some(self.reallocate(name, args, ty, loc));
        }
        match (name, args.len()) {
            ("atexit", 1) => self.register_at_exit(args[0], ty, wanted, loc),
            ("memset" | "__memset", 3..) => Some(self.set_memory(args[0], Some(args[1]), args[2], ty, wanted, loc)),
            ("bzero" | "__memzero", 2) => Some(self.set_memory(args[0], None, args[1], ty, false, loc)),
            ("memcpy" | "memmove" | "__memcpy" | "__memmove", 3..) => {
                Some(self.copy_memory(args[0], args[1], args[2], ty, wanted, loc))
            }
            _ if full.starts_with("__builtin_") => self.builtin(name, args, ty, wanted, loc),
            _ if is_atomic(name) => match self.atomic_builtin(name, args, ty, wanted, loc) {
                None => {
                    self.unsupported(name, loc);
                    None
                }
                modelled => modelled,
            },
            _ => None,
        }
    }

    /// Special calls in the library's sources: `__provident_input_f()` is the result of the function `f` of the environment, a real
    /// input; `__provident_any_f()` is a value that is not modelled.
    fn library_input(&mut self, name: &str, ty: TypeId, into: &Option<Place>, loc: Loc) -> Option<Modelled> {
        if let Some(text) = name.strip_prefix("__provident_trust_") {
            let text = text.replace('_', " ");
            self.assume(AssumptionKind::Library, text, loc, false);
            return Some(None);
        }
        if name == "__provident_rounding_mode" {
            let mode = self.rounding_mode().unwrap_or_else(|| Expr::int(0, Types::INT));
            return Some(Some(mode));
        }
        let source = if let Some(function) = name.strip_prefix("__provident_input_") {
            Input::Nondet {
                function: function.to_owned(),
            }
        } else {
            let what = name.strip_prefix("__provident_any_")?;
            let what = format!("the result of `{what}()`");
            return Some(Some(self.invent(ty, Invention::Library, &what, loc)));
        };
        let place = match into {
            Some(place) if place.ty == ty => place.clone(),
            _ => Place::var(self.temp(ty, loc), ty),
        };
        let havoc = Op::Havoc {
            place: place.clone(),
            source,
        };
        self.emit(havoc, loc);
        Some(Some(Expr::load(place)))
    }

    /// Whether a function of the library without a model gets a function of the program.
    fn runs_functions(&self, f: ast::FuncId, args: &[ExprId]) -> bool {
        let function = self.unit.function(f);
        let is_function = |&arg: &ExprId| {
            let arg = self.unit.expr(arg);
            let to_function = self.types.pointee(arg.ty).is_some_and(|to| self.types.is_function(to));
            to_function && !matches!(arg.kind, ast::ExprKind::Int(_))
        };
        Invention::of_function(&function.name) == Some(Invention::Library)
            && &*function.name != "atexit"
            && args.iter().any(is_function)
    }

    fn unsupported(&mut self, name: &str, loc: Loc) {
        let text = format!("`{name}` does more than return a value, and there is no model of it");
        self.assume(AssumptionKind::Unsupported, text, loc, false);
    }

    fn task_convention(
        &mut self,
        name: &str,
        args: &[ExprId],
        ty: TypeId,
        into: &Option<Place>,
        wanted: bool,
        loc: Loc,
    ) -> Option<Modelled> {
        if name.starts_with("__VERIFIER_nondet_") && !self.types.is_void(ty) && !self.is_opaque(ty) {
            args.iter().for_each(|&a| self.effect(a));
            // An unused result is an input as well: a harness has to count it.
            let place = match into {
                Some(place) if place.ty == ty => place.clone(),
                _ => Place::var(self.temp(ty, loc), ty),
            };
            let source = Input::Nondet {
                function: name.to_owned(),
            };
            self.emit(
                Op::Havoc {
                    place: place.clone(),
                    source,
                },
                loc,
            );
            return Some(wanted.then(|| Expr::load(place)));
        }
        if matches!(name, "__VERIFIER_assume" | "__builtin_assume") && args.len() == 1 {
            let (holds, fails) = (self.new_node(loc), self.new_node(loc));
            self.branch(args[0], holds, fails);
            self.cur = holds;
            return Some(None);
        }
        if matches!(name, "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end") {
            self.assume(
                AssumptionKind::Concurrency,
                "there is one thread".to_owned(),
                loc,
                false,
            );
            return Some(None);
        }
        None
    }
}
