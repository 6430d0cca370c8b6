//! Which expressions have side effects, and which values stay what they are.

use super::Lowerer;
use super::state::Slot;
use crate::cfa::program::expr::walk;
use crate::cfa::program::*;
use crate::frontend::syntax::ast::{ExprId, ExprKind as Ast, LocalId, grow};
use std::collections::BTreeSet;

impl Lowerer<'_> {
    // ---- side effects --------------------------------------------------------------------------------------------------

    /// Whether evaluating the expression changes anything that another expression could read. Linear over all calls.
    pub(super) fn has_effects(&mut self, e: ExprId) -> bool {
        if self.effects.len() <= e.index() {
            self.effects.resize(e.index() + 1, 0);
        }
        if self.effects[e.index()] == 0 {
            let found = grow(|| self.compute_effects(e));
            self.effects[e.index()] = if found { 2 } else { 1 };
        }
        self.effects[e.index()] == 2
    }

    fn compute_effects(&mut self, e: ExprId) -> bool {
        let unit = self.unit;
        match unit.expr(e).kind {
            Ast::Int(_) | Ast::Float { .. } | Ast::String(_) | Ast::Local(_) | Ast::Captured(..) => false,
            Ast::Global(_) | Ast::Function(_) | Ast::LabelAddress(_) | Ast::SizeOfVla(_) => false,
            Ast::Assign { .. } | Ast::CompoundAssign { .. } | Ast::IncDec { .. } | Ast::StmtExpr { .. } => true,
            Ast::CompoundLiteral { .. } | Ast::VaArg(_) | Ast::Length(_) => true,
            Ast::Call { callee, args } => {
                self.call_has_effects(callee) || unit.list(args).iter().any(|&a| self.has_effects(a))
            }
            Ast::Deref(a) | Ast::AddressOf(a) | Ast::Unary(_, a) | Ast::Cast(_, a) => self.has_effects(a),
            Ast::Member { base, .. } => self.has_effects(base),
            Ast::Index { base: a, index: b }
            | Ast::Binary(_, a, b)
            | Ast::PointerAdd {
                pointer: a, index: b, ..
            }
            | Ast::PointerDiff(a, b)
            | Ast::LogicalAnd(a, b)
            | Ast::LogicalOr(a, b)
            | Ast::Elvis { value: a, otherwise: b }
            | Ast::Complex(a, b)
            | Ast::Select {
                first: a, second: b, ..
            }
            | Ast::Shuffle {
                first: a,
                second: None,
                mask: b,
            }
            | Ast::Comma(a, b) => self.has_effects(a) || self.has_effects(b),
            Ast::Conditional(a, b, c)
            | Ast::Shuffle {
                first: a,
                second: Some(b),
                mask: c,
            } => self.has_effects(a) || self.has_effects(b) || self.has_effects(c),
        }
    }

    /// Whether dropping the expression could be noticed: it contains a call of whatever kind, or changes something.
    pub(super) fn has_visible_effects(&mut self, e: ExprId) -> bool {
        grow(|| self.has_visible_effects_in_tree(e))
    }

    fn has_visible_effects_in_tree(&mut self, e: ExprId) -> bool {
        if self.has_effects(e) {
            return true;
        }
        // An expression without effects may still call an undefined function that a property is about.
        let unit = self.unit;
        match unit.expr(e).kind {
            Ast::LogicalAnd(a, b) | Ast::LogicalOr(a, b) | Ast::Binary(_, a, b) => {
                self.has_visible_effects(a) || self.has_visible_effects(b)
            }
            Ast::Cast(_, a) | Ast::Unary(_, a) => self.has_visible_effects(a),
            Ast::Int(_) | Ast::Local(_) | Ast::Global(_) => false,
            _ => true,
        }
    }

    /// Whether the value stays what it is, whatever is assigned later: it reads nothing but temporaries.
    pub(super) fn is_stable(&self, value: &Expr) -> bool {
        let mut stable = true;
        walk(value, &mut |e| {
            if let ExprKind::Load(place) = &e.kind {
                stable &= match place.base {
                    PlaceBase::Var(v) => self.vars[v.index()].kind == VarKind::Temp,
                    PlaceBase::Deref(_) => false,
                };
            }
        });
        stable
    }

    /// Whether the value stays what it is while an expression of the same function is evaluated: it reads temporaries, and local variables to which the expression assigns nothing.
    /// So `item` in `item->next = make()` needs no copy.
    pub(super) fn outlasts(&mut self, value: &Expr, later: ExprId) -> bool {
        let (mut read, mut is_local) = (BTreeSet::new(), true);
        walk(value, &mut |e| {
            if let ExprKind::Load(place) = &e.kind {
                match place.base {
                    PlaceBase::Var(v) if self.vars[v.index()].kind == VarKind::Temp => {}
                    PlaceBase::Var(v) if self.types.is_scalar(self.vars[v.index()].ty) => drop(read.insert(v)),
                    PlaceBase::Var(_) | PlaceBase::Deref(_) => is_local = false,
                }
            }
        });
        let slots = self.slots[self.frame.ast.index()].iter().enumerate();
        let locals: Vec<LocalId> = slots
            .filter(|(_, slot)| matches!(slot, Slot::Var(v) if read.contains(v)))
            .map(|(at, _)| LocalId::from_index(at))
            .collect();
        is_local && locals.len() == read.len() && (locals.is_empty() || !self.may_assign(later, &locals))
    }
}
