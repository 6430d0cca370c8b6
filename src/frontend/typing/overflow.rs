//! `__builtin_add_overflow` and its kin: arithmetic without bounds, and whether the result has a place in a type.

use crate::frontend::syntax::ast::*;
use crate::frontend::syntax::parser::{Parsed, Parser};
use crate::frontend::text::source::Loc;
use crate::frontend::types::*;

impl Parser<'_> {
    /// A call of `__builtin_x_overflow` with the given name behind `__builtin_`. One of a `__builtin_x_overflow_p` with constants is a constant.
    pub(super) fn overflow_call(&mut self, id: FuncId, short: &str, args: &[ExprId], loc: Loc) -> Parsed<ExprId> {
        let values = self.values(args)?;
        let target = values.last().map(|&v| self.ty(v));
        let by_pointer = !short.ends_with("_p");
        let fits = values.len() == 3
            && values[..2].iter().all(|&v| self.types.is_integral(self.ty(v)))
            && target.is_some_and(|ty| {
                let ty = if by_pointer { self.types.pointee(ty) } else { Some(ty) };
                let number = |ty| matches!(self.types.get(ty), Type::Int(_) | Type::BitInt { .. });
                ty.is_some_and(|ty| number(ty) && (!by_pointer || !self.types.quals(ty).has(Quals::CONST)))
            });
        if !fits {
            return self.fail(loc, format!("wrong arguments to '__builtin_{short}'"));
        }
        if !by_pointer && let Some(overflows) = self.known_overflow(short, &values) {
            return Ok(self.int_expr(Types::BOOL, loc, i128::from(overflows)));
        }
        Ok(self.call_node(Callee::Direct(id), Types::BOOL, &values, loc))
    }

    /// Whether the result of constants is outside of the range of the third one's type. `None` if they are none, or have more than 64 bits.
    fn known_overflow(&self, short: &str, values: &[ExprId]) -> Option<bool> {
        let width = |e| self.types.integer(self.ty(e)).map(|info| info.width);
        if values.iter().any(|&e| width(e).is_none_or(|width| width > 64)) {
            return None;
        }
        let (a, b) = (self.const_int(values[0])?, self.const_int(values[1])?);
        // A bit-field has fewer values than its type.
        if self.value_bit_field_width(values[2]).is_some() {
            return None;
        }
        let result = match short {
            "add_overflow_p" => a.checked_add(b),
            "sub_overflow_p" => a.checked_sub(b),
            _ => a.checked_mul(b),
        };
        let info = self.types.integer(self.ty(values[2]))?;
        Some(result.is_none_or(|result| info.wrap(result) != result))
    }
}
