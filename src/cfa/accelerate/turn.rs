//! One turn of a loop along a path: what it does to variables, and which conditions it meets.
//!
//! A variable that a turn reads before it writes it has a *motion*. It is uniform if each turn adds the same to it, which is the case of counters (`i = i + c`), also of those that follow others (`j = 2 * i + 1`); it
//! is accelerated if each turn adds what moves uniformly (`s = s + i`). All other variables need no motion: the last turn gives them their values.

use super::form::{Form, integer, plus, times};
use crate::cfa::program::expr::{cast, walk};
use crate::cfa::program::visit::{Part, visit_parts};
use crate::cfa::program::*;
use crate::frontend::types::{IntKind, TypeId, Types};
use std::collections::{BTreeMap, BTreeSet};

/// Inequations of a path at most: it has a lane for each way in which they hold.
const MAX_SIDES: usize = 2;

/// What turns do to a variable, from the second one on.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Motion {
    /// Each turn adds the same, which is an expression of the variable's type that no turn changes.
    Uniform(Expr),
    /// Each turn adds a sum, which grows by the same in each turn.
    Accelerated {
        /// The first that is added.
        now: Form,
        /// What each turn adds to it.
        growth: Expr,
    },
}

/// The turns along one path.
#[derive(Debug)]
pub(super) struct Turn<'p> {
    pub program: &'p Program,
    /// The variables that a turn writes.
    pub written: BTreeSet<VarId>,
    /// The values of those that were written so far; `None` for one without a form.
    pub now: BTreeMap<VarId, Option<Form>>,
    /// The variables whose values before the turn are read.
    read: BTreeSet<VarId>,
    /// The variables that must not wrap around.
    pub steady: BTreeSet<VarId>,
    /// The inputs: the position of the operation, what it writes, and the variable that keeps this.
    pub inputs: Vec<(usize, Place, VarId)>,
    /// The positions of conditions that two numbers differ.
    pub sides: Vec<usize>,
    /// The variables that conditions depend on.
    tested: BTreeSet<VarId>,
    /// The motions of the variables that need one.
    pub motions: BTreeMap<VarId, Motion>,
}

impl<'p> Turn<'p> {
    /// The turns along a path. `next` is the first variable that the program does not have. `None` if they are not of the kind that is accelerated, or do not move anything.
    pub fn along(program: &'p Program, path: &[EdgeId], next: VarId) -> Option<Turn<'p>> {
        let mut turn = Turn {
            program,
            written: BTreeSet::new(),
            now: BTreeMap::new(),
            read: BTreeSet::new(),
            steady: BTreeSet::new(),
            inputs: Vec::new(),
            sides: Vec::new(),
            tested: BTreeSet::new(),
            motions: BTreeMap::new(),
        };
        for &edge in path {
            turn.written.extend(writes(program, &program.edge(edge).op)?);
        }
        for (position, &edge) in path.iter().enumerate() {
            turn.operation(position, &program.edge(edge).op, next)?;
        }
        turn.move_all()?;
        let moves = turn.motions.values().any(|motion| match motion {
            Motion::Uniform(by) => !is_zero(by),
            Motion::Accelerated { .. } => true,
        });
        moves.then_some(turn)
    }

    fn operation(&mut self, position: usize, op: &Op, next: VarId) -> Option<()> {
        visit_parts(op, &mut |part| {
            if let Part::Value(expr) = part {
                walk(expr, &mut |expr| {
                    if let ExprKind::Load(place) = &expr.kind
                        && let Some(var) = place.as_whole_var()
                        && self.written.contains(&var)
                        && !self.now.contains_key(&var)
                    {
                        self.read.insert(var);
                    }
                });
            }
        });
        match op {
            Op::Assume { cond, truth } => self.condition(position, cond, *truth)?,
            Op::Assign { lhs, rhs } => {
                let form = self.form(rhs);
                if let Some(form) = &form {
                    self.steady.extend(form.widened.keys());
                }
                self.now.insert(lhs.as_whole_var()?, form);
            }
            Op::Zero { place } => {
                let form = Form::settled(Expr::int(0, place.ty));
                self.now.insert(place.as_whole_var()?, Some(form));
            }
            Op::Havoc { place, .. } | Op::External { ret: Some(place), .. } => {
                let kept = VarId::new(next.index() + self.inputs.len());
                let form = Form::settled(Expr::load(Place::var(kept, place.ty)));
                self.now.insert(place.as_whole_var()?, Some(form));
                self.inputs.push((position, place.clone(), kept));
            }
            _ => {}
        }
        Some(())
    }

    /// A condition that holds in the first and the last of some turns has to hold in all of them.
    fn condition(&mut self, position: usize, cond: &Expr, truth: bool) -> Option<()> {
        if self.unchanged(cond).is_some() {
            return Some(());
        }
        let (op, a, b) = match &cond.kind {
            ExprKind::Unary(UnOp::LogNot, inner) => return self.condition(position, inner, !truth),
            ExprKind::Binary(op, a, b) if op.is_comparison() => (*op, self.form(a)?, self.form(b)?),
            _ => (BinOp::Ne, self.form(cond)?, Form::settled(Expr::int(0, cond.ty))),
        };
        let tested = a.terms.keys().chain(b.terms.keys());
        let tested = tested.chain(a.widened.keys()).chain(b.widened.keys());
        self.tested.extend(tested.copied());
        let is_inequation = if truth { op == BinOp::Ne } else { op == BinOp::Eq };
        if is_inequation && a.terms != b.terms {
            self.sides.push(position);
        }
        (self.sides.len() <= MAX_SIDES).then_some(())
    }

    /// Finds the motions of the variables whose values before a turn are read.
    fn move_all(&mut self) -> Option<()> {
        let types = &self.program.types;
        let read: Vec<VarId> = self.read.intersection(&self.written).copied().collect();
        let form = |var: VarId| self.now.get(&var)?.as_ref();
        let mut uniform: BTreeMap<VarId, Expr> = BTreeMap::new();
        for &var in &read {
            let form = form(var)?;
            if form.terms.len() == 1 && form.terms.get(&var) == Some(&1) {
                uniform.insert(var, form.rest.clone());
            }
        }
        // No turn moves what it tests but in this way, so that this holds from the first one on.
        if !self.tested.iter().all(|var| uniform.contains_key(var)) {
            return None;
        }
        let counters = uniform.clone();
        for &var in read.iter().filter(|var| !counters.contains_key(var)) {
            let form = form(var)?;
            if !form.terms.contains_key(&var) {
                uniform.insert(var, speed(types, form, &counters)?);
            }
        }
        for &var in &read {
            let motion = match uniform.get(&var) {
                Some(by) => Motion::Uniform(by.clone()),
                None => {
                    let mut now = form(var)?.clone();
                    if now.terms.remove(&var) != Some(1) {
                        return None;
                    }
                    let growth = speed(types, &now, &uniform)?;
                    Motion::Accelerated { now, growth }
                }
            };
            self.motions.insert(var, motion);
        }
        self.steady.extend(&self.tested);
        // Others are not moved, or not in a way of which this can be said.
        self.steady
            .iter()
            .all(|var| matches!(self.motions.get(var), Some(Motion::Uniform(_))))
            .then_some(())
    }
}

/// What each turn adds to a form of variables that move uniformly, in its type.
fn speed(types: &Types, form: &Form, uniform: &BTreeMap<VarId, Expr>) -> Option<Expr> {
    let mut sum = Expr::int(0, form.ty);
    for (var, &factor) in &form.terms {
        let by = uniform.get(var)?.clone();
        let by = cast(types, cast(types, by.clone(), signed(types, by.ty)?), form.ty);
        sum = plus(types, sum, times(types, by, factor));
    }
    Some(sum)
}

/// The signed type as wide as one.
pub(super) fn signed(types: &Types, ty: TypeId) -> Option<TypeId> {
    let kind = match integer(types, ty)?.width {
        8 => IntKind::SChar,
        16 => IntKind::Short,
        32 => IntKind::Int,
        64 => IntKind::LongLong,
        _ => return None,
    };
    Some(Types::int(kind))
}

/// Whether it is the number 0.
pub(super) fn is_zero(expr: &Expr) -> bool {
    expr.as_const().is_some_and(|number| number.is_zero())
}

/// The variable that an operation writes. `None` for operations that no turn may have that is accelerated: those that write anything else than a plain integer variable, and calls.
fn writes(program: &Program, op: &Op) -> Option<Option<VarId>> {
    let place = match op {
        Op::Nop | Op::Label(_) | Op::Assume { .. } | Op::External { ret: None, .. } => return Some(None),
        Op::Assign { lhs: place, .. }
        | Op::Zero { place }
        | Op::Havoc { place, .. }
        | Op::External { ret: Some(place), .. } => place,
        _ => return None,
    };
    let var = place.as_whole_var()?;
    let variable = program.var(var);
    let is_plain = !variable.in_memory && integer(&program.types, place.ty).is_some() && place.ty == variable.ty;
    is_plain.then_some(Some(var))
}
