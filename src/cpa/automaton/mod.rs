//! The automaton analysis: explicit values of the variables that track specification automata.
//!
//! A woven automaton is an integer variable and some more; see `spec::weaving`. Left to predicates, its state has to be discovered by refinement. This analysis keeps it explicitly instead, as part of control:
//! abstract states with different automaton states are never merged and never cover each other (Apel, Beyer, Mordan, Mutilin, Stahlbauer, FSE 2016: an automaton as an analysis of its own, or woven,
//! or half of each). Which variables are tracked is the program's [`tracked`](crate::cfa::Program::tracked).
//!
//! A value is known or unknown. It becomes unknown if it cannot be computed from known values, or if a counter grows too far. So no possible execution is excluded: only an assumption that is known to be false ends a path. Tracked
//! variables are never in memory, so no pointer changes them. The law is that of the operator `⇝`: every concrete successor is represented.

use crate::cfa::program::expr;
use crate::cfa::program::visit::{Part, visit_parts};
use crate::cfa::{BinOp, ExplicitVar, Expr, ExprKind, Op, Place, Program, UnOp, VarId};
use provident_smt::hash::FxHashMap;
use provident_smt::num::Int;
use std::sync::Arc;

/// The interned values of all tracked variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValuesId(u32);

impl ValuesId {
    /// Nothing is known: the values at the program's start.
    pub const UNKNOWN: ValuesId = ValuesId(0);
}

/// The known value of each tracked variable.
type Values = Arc<[Option<Int>]>;

/// All values seen.
#[derive(Debug)]
pub struct Automata {
    /// The positions of the tracked variables among the values.
    tracked: FxHashMap<VarId, usize>,
    /// The values farthest from zero that are kept, by position.
    most: Vec<Option<u32>>,
    values: Vec<Values>,
    ids: FxHashMap<Values, ValuesId>,
}

impl Automata {
    /// The analysis for the variables that the program says to track.
    pub fn new(program: &Program) -> Automata {
        let tracked: FxHashMap<VarId, usize> = program.tracked.iter().map(|tracked| tracked.var).zip(0..).collect();
        for &var in tracked.keys() {
            assert!(!program.var(var).in_memory, "a tracked variable is a plain one");
        }
        let unknown: Values = vec![None; tracked.len()].into();
        Automata {
            tracked,
            most: program.tracked.iter().map(|tracked| tracked.most).collect(),
            values: vec![Arc::clone(&unknown)],
            ids: [(unknown, ValuesId::UNKNOWN)].into_iter().collect(),
        }
    }

    /// The values after an operation; `None` if it is an assumption that does not hold.
    ///
    /// A call is no operation: it neither reads nor writes tracked variables.
    pub fn after(&mut self, program: &Program, id: ValuesId, op: &Op) -> Option<ValuesId> {
        if self.tracked.is_empty() {
            return Some(id);
        }
        let known = Arc::clone(&self.values[id.0 as usize]);
        if let Op::Assume { cond, truth } = op {
            let holds = self.value(program, &known, cond).map(|value| !value.is_zero());
            return (holds != Some(!truth)).then_some(id);
        }
        let mut new: Option<Vec<Option<Int>>> = None;
        visit_parts(op, &mut |part| {
            if let Part::Written(place) = part
                && let Some(position) = self.position(place)
            {
                let value = match op {
                    Op::Assign { rhs, .. } => self.value(program, &known, rhs),
                    Op::Zero { .. } => Some(Int::from(0)),
                    _ => None,
                };
                let most = self.most[position].map(Int::from);
                let value = value.filter(|value| most.is_none_or(|most| value.abs() <= most));
                new.get_or_insert_with(|| known.to_vec())[position] = value;
            }
        });
        Some(new.map_or(id, |new| self.intern(new.into())))
    }

    /// The variables whose values are known, in the order in which the program tracks them.
    pub fn known<'a>(&'a self, program: &'a Program, id: ValuesId) -> impl Iterator<Item = (VarId, &'a Int)> + 'a {
        let values = &self.values[id.0 as usize];
        let value = move |tracked: &ExplicitVar| Some((tracked.var, values[self.tracked[&tracked.var]].as_ref()?));
        program.tracked.iter().filter_map(value)
    }

    fn position(&self, place: &Place) -> Option<usize> {
        self.tracked.get(&place.as_whole_var()?).copied()
    }

    fn intern(&mut self, values: Values) -> ValuesId {
        if let Some(&id) = self.ids.get(&values) {
            return id;
        }
        let id = ValuesId(u32::try_from(self.values.len()).expect("fewer than 2^32 combinations of values"));
        self.values.push(Arc::clone(&values));
        self.ids.insert(values, id);
        id
    }

    /// The value of an expression, if it follows from known ones.
    fn value(&self, program: &Program, known: &[Option<Int>], e: &Expr) -> Option<Int> {
        let types = &program.types;
        let constant = |value: Int, ty| Expr::int(value, ty);
        let folded = match &e.kind {
            ExprKind::Const(value) => return Some(value.clone()),
            ExprKind::Load(place) => return known[self.position(place)?].clone(),
            ExprKind::Cast(inner) => {
                types.integer(inner.ty)?;
                let value = self.value(program, known, inner)?;
                expr::cast(types, constant(value, inner.ty), e.ty)
            }
            ExprKind::Unary(op, inner) => {
                types.integer(inner.ty)?;
                let value = self.value(program, known, inner)?;
                if *op == UnOp::LogNot {
                    return Some(Int::from(i64::from(value.is_zero())));
                }
                expr::unary(types, *op, constant(value, inner.ty))
            }
            ExprKind::Binary(op, a, b) => {
                types.integer(a.ty).and(types.integer(b.ty))?;
                let left = self.value(program, known, a);
                let right = self.value(program, known, b);
                // If a zero decides, the other side is not needed.
                if matches!(op, BinOp::And | BinOp::Mul) && [&left, &right].into_iter().flatten().any(Int::is_zero) {
                    return Some(Int::from(0));
                }
                expr::binary(types, *op, constant(left?, a.ty), constant(right?, b.ty), e.ty)
            }
            ExprKind::Float(_) | ExprKind::Math(..) | ExprKind::AddrOf(_) | ExprKind::FuncAddr(_) => return None,
        };
        folded.as_const().cloned()
    }
}

#[cfg(test)]
mod tests;
