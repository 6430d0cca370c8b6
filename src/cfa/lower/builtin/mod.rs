//! Builtins of the compiler that compute (gcc manual, section "Other Builtins"): each becomes an expression or a few branches
//! over the operations that every engine knows, so that nothing behind the lowering needs to know that there are builtins.
//!
//! Counting bits is in `bits`, arithmetic that reports overflow in `overflow`. Calls with constant arguments never come
//! here: the front end has folded them.
//!
//! | module | does |
//! |---|---|
//! | `bits` | counting and moving bits |
//! | `overflow` | arithmetic that reports overflow |

mod bits;
mod overflow;

use super::Lowerer;
use super::library::Modelled;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::syntax::ast::ExprId;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{IntKind, TypeId, Types};
use provident_smt::num::Int;

impl Lowerer<'_> {
    /// Lowers a call of `__builtin_NAME`; `None` if it has no meaning here.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        args: &[ExprId],
        ty: TypeId,
        wanted: bool,
        loc: Loc,
    ) -> Option<Modelled> {
        if let Some(value) = self.bit_builtin(name, args, ty, loc) {
            return Some(Some(value));
        }
        match (name, args) {
            (
                "expect" | "expect_with_probability" | "assume_aligned" | "speculation_safe_value",
                [first, rest @ ..],
            )
            | ("extract_return_addr" | "frob_return_addr" | "preserve_access_index", [first, rest @ ..]) => {
                let value = self.rvalue(*first);
                let has_effects = rest.iter().any(|&a| self.has_effects(a));
                let value = if has_effects { self.save(value, loc) } else { value };
                rest.iter().for_each(|&a| self.effect(a));
                Some(Some(expr::cast(&self.types, value, ty)))
            }
            ("constant_p", _) => Some(Some(Expr::int(0, ty))),
            ("object_size" | "dynamic_object_size", [_, kind]) => {
                let kind = self.rvalue(*kind);
                let small = kind.as_const().is_some_and(|k| *k >= Int::from(2));
                let value = Expr::int(if small { 0 } else { -1 }, Types::int(IntKind::LongLong));
                Some(Some(expr::cast(&self.types, value, ty)))
            }
            ("va_start", [list, rest @ ..]) => {
                rest.iter().for_each(|&a| self.effect(a));
                self.va_start(*list, loc);
                Some(None)
            }
            ("va_copy", [to, from]) => {
                self.va_copy(*to, *from, loc);
                Some(None)
            }
            ("prefetch" | "va_end" | "__clear_cache" | "stack_restore", _) => {
                args.iter().for_each(|&a| self.effect(a));
                Some(None)
            }
            _ => self.checked_arithmetic(name, args, ty, wanted, loc),
        }
    }
}
