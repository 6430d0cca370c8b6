//! Assignments: simple, compound, increments, and what stands on the right of them.

use super::Lowerer;
use super::expr::operator;
use super::place::is_static;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::syntax::ast;
use crate::frontend::syntax::ast::{BinaryOp, CastKind, ExprId, ExprKind as Ast, grow};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{TypeId, Types};

impl Lowerer<'_> {
    // ---- assignments ---------------------------------------------------------------------------------------------------

    /// Assigns, and gives the place that was assigned to. `used` is the assignment if its value is used: its place stays the same then, also where the assignment changes the
    /// pointer through which the place was found (`q = p->next->next = NULL`).
    pub(super) fn assign(&mut self, lhs: ExprId, rhs: ExprId, used: Option<ExprId>, loc: Loc) -> Place {
        self.note_assignment_order(lhs, rhs, false, loc);
        if self.value_first(lhs, rhs) {
            let value = self.rvalue(rhs);
            let value = self.keep(value, lhs, loc);
            let place = self.place(lhs);
            let place = self.keep_used(place, used, loc);
            self.store_value(place.clone(), value, loc);
            return place;
        }
        let place = self.place(lhs);
        let place = self.keep_place(place, rhs, loc);
        let place = self.keep_used(place, used, loc);
        self.store(place.clone(), rhs, loc);
        place
    }

    /// The place of an assignment whose value is used, with its pointer and indices saved if the assignment might change them.
    fn keep_used(&mut self, place: Place, used: Option<ExprId>, loc: Loc) -> Place {
        match used {
            Some(assignment) => self.keep_place(place, assignment, loc),
            None => place,
        }
    }

    /// Evaluates an expression into a place. The expression has the type of the place.
    pub(super) fn store(&mut self, place: Place, e: ExprId, loc: Loc) {
        grow(|| self.store_tree(place, e, loc));
    }

    fn store_tree(&mut self, place: Place, e: ExprId, loc: Loc) {
        let unit = self.unit;
        match unit.expr(e).kind {
            Ast::Conditional(c, a, b) => return self.store_conditional(&place, c, a, b, loc),
            Ast::Comma(a, b) => {
                self.effect(a);
                return self.store(place, b, loc);
            }
            Ast::Call { callee, args } => return self.store_call(place, e, callee, unit.list(args), loc),
            // `p = (struct s *)malloc(n)`: an allocation gives its address to a pointer of whatever type.
            Ast::Cast(CastKind::Pointer, inner) if self.types.is_pointer(place.ty) => {
                if let Ast::Call { callee, args } = unit.expr(inner).kind {
                    return self.store_call(place, inner, callee, unit.list(args), loc);
                }
            }
            _ => {}
        }
        if self.is_opaque(place.ty) {
            self.effect(e);
            let source = self.opaque_value(place.ty);
            self.emit(Op::Havoc { place, source }, loc);
            return;
        }
        let value = self.rvalue(e);
        self.store_value(place, value, loc);
    }

    fn store_call(&mut self, place: Place, e: ExprId, callee: ast::Callee, args: &[ExprId], loc: Loc) {
        let direct = place.bits.is_none() && is_static(&place);
        let into = direct.then(|| place.clone());
        if let Some(value) = self.call(e, callee, args, into, true)
            && !matches!(&value.kind, ExprKind::Load(p) if *p == place)
        {
            self.store_value(place, value, loc);
        }
    }

    /// Assigns a value to a place.
    pub(super) fn store_value(&mut self, place: Place, value: Expr, loc: Loc) {
        if let (true, ExprKind::Load(from)) = (self.has_variable_length(place.ty), &value.kind) {
            return self.copy_variable(place, from.clone(), loc);
        }
        if self.is_opaque(place.ty) || self.is_opaque(value.ty) {
            let source = self.opaque_value(place.ty);
            self.emit(Op::Havoc { place, source }, loc);
            return;
        }
        let value = if self.types.is_scalar(place.ty) {
            self.float_cast(value, place.ty)
        } else {
            value
        };
        self.emit(Op::Assign { lhs: place, rhs: value }, loc);
    }

    /// As [`Self::assign`], with an operator whose result has the type `computation`.
    pub(super) fn compound_assign(
        &mut self,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
        computation: TypeId,
        used: Option<ExprId>,
        loc: Loc,
    ) -> Place {
        self.note_assignment_order(lhs, rhs, true, loc);
        if self.has_parts(self.unit.expr(lhs).ty) || self.has_parts(computation) {
            let place = self.place(lhs);
            let place = self.keep_place(place, rhs, loc);
            let place = self.keep_used(place, used, loc);
            let right = self.update_operand(rhs);
            let old = Expr::load(place.clone());
            let new = self.update_parts(op, old, right, computation, place.ty, loc);
            self.store_value(place.clone(), new, loc);
            return place;
        }
        let (place, right) = if self.has_effects(rhs) {
            let right = self.rvalue(rhs);
            let right = self.keep(right, lhs, loc);
            (self.place(lhs), right)
        } else {
            let place = self.place(lhs);
            (place, self.rvalue(rhs))
        };
        let place = self.keep_used(place, used, loc);
        if self.is_opaque(place.ty) || self.is_opaque(right.ty) || self.is_opaque(computation) {
            let source = self.opaque_value(place.ty);
            self.emit(
                Op::Havoc {
                    place: place.clone(),
                    source,
                },
                loc,
            );
            return place;
        }
        let old = Expr::load(place.clone());
        let new = if self.types.is_pointer(place.ty) {
            self.pointer_add(old, right, op == BinaryOp::Sub)
        } else {
            let old = self.float_cast(old, computation);
            let right = if op.is_shift() {
                right
            } else {
                self.float_cast(right, computation)
            };
            let ty = if op.is_comparison() { Types::INT } else { computation };
            self.note_float(ty, old.ty, loc);
            self.check_binary(op, &old, &right, loc);
            self.float_operator(operator(op), old, right, ty)
        };
        self.store_value(place.clone(), new, loc);
        place
    }

    /// Adds or subtracts 1 in place. `used` as in [`Self::assign`].
    pub(super) fn increment(
        &mut self,
        lhs: ExprId,
        decrement: bool,
        computation: TypeId,
        used: Option<ExprId>,
        loc: Loc,
    ) -> Place {
        let place = self.place(lhs);
        let place = self.keep_used(place, used, loc);
        let old = Expr::load(place.clone());
        self.step(place.clone(), old, decrement, computation, loc);
        place
    }

    pub(super) fn post_increment(&mut self, lhs: ExprId, decrement: bool, computation: TypeId, loc: Loc) -> Expr {
        let place = self.place(lhs);
        if self.is_opaque(place.ty) {
            return Expr::load(place);
        }
        let old = self.save(Expr::load(place.clone()), loc);
        self.step(place, old.clone(), decrement, computation, loc);
        old
    }

    fn step(&mut self, place: Place, old: Expr, decrement: bool, computation: TypeId, loc: Loc) {
        if self.is_opaque(place.ty) {
            let source = self.opaque_value(place.ty);
            self.emit(Op::Havoc { place, source }, loc);
            return;
        }
        let new = if self.has_parts(place.ty) {
            let (elem, _) = self.shape(place.ty);
            let one = expr::cast(&self.types, Expr::int(1, Types::INT), elem);
            let op = if decrement { BinaryOp::Sub } else { BinaryOp::Add };
            self.update_parts(op, old, one, place.ty, place.ty, loc)
        } else if self.types.is_pointer(place.ty) {
            self.pointer_add(old, Expr::int(1, self.intptr), decrement)
        } else {
            let old = expr::cast(&self.types, old, computation);
            let one = expr::cast(&self.types, Expr::int(1, Types::INT), computation);
            let op = if decrement { BinaryOp::Sub } else { BinaryOp::Add };
            self.check_binary(op, &old, &one, loc);
            self.float_operator(operator(op), old, one, computation)
        };
        self.store_value(place, new, loc);
    }
}
