//! One turn of a loop along a path: what it does to variables, and which conditions it meets.
//!
//! A variable that a turn reads before it writes it has a *motion*. It is uniform if each turn adds the same to it, which is the case of counters (`i = i + c`), also of those that follow others (`j = 2 * i + 1`); it
//! is accelerated if each turn adds what moves uniformly (`s = s + i`). All other variables need no motion: the last turn gives them their values.

use super::form::{Form, integer};
use crate::cfa::program::expr::walk;
use crate::cfa::program::visit::{Part, visit_parts};
use crate::cfa::program::*;
use std::collections::{BTreeMap, BTreeSet};

/// Inequations of a path at most: it has a lane for each way in which they hold.
const MAX_SIDES: usize = 2;

/// The effect of turns on a variable, from the second one on.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Motion {
    /// Each turn adds the same, which is an expression of the variable's type that no turn changes.
    Uniform(Expr),
    /// Each turn adds a sum, which grows by the same in each turn.
    Accelerated {
        /// The first that is added.
        now: Form,
        /// The number that each turn adds to that.
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
    /// Forms that must not wrap around between the first and the last turn.
    pub steady: Vec<Form>,
    /// The inputs: the position of the operation, what it writes, and the variable that keeps this.
    pub inputs: Vec<(usize, Place, VarId)>,
    /// The positions of conditions that two numbers differ.
    pub sides: Vec<usize>,
    /// Forms that conditions compare. They must not wrap around from the beginning of the first turn on.
    pub tested: Vec<Form>,
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
            steady: Vec::new(),
            inputs: Vec::new(),
            sides: Vec::new(),
            tested: Vec::new(),
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
                    self.steady.extend(form.narrow());
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
        for form in [&a, &b].into_iter().filter(|form| form.moves()) {
            self.tested.extend(form.narrow());
            self.tested.push(form.clone());
        }
        let is_inequation = if truth { op == BinOp::Ne } else { op == BinOp::Eq };
        if is_inequation && !a.moves_like(&b) {
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
            let (by, factor) = form(var)?.without(var)?;
            if factor == 1 && !by.moves() {
                uniform.insert(var, by.value(self.program));
            }
        }
        // No turn moves what it tests but in this way, so that this holds from the first one on.
        let mut tested = self.tested.iter().flat_map(Form::vars);
        if !tested.all(|var| uniform.contains_key(&var)) {
            return None;
        }
        let counters = uniform.clone();
        for &var in read.iter().filter(|var| !counters.contains_key(var)) {
            let (form, factor) = form(var)?.without(var)?;
            if factor == 0 {
                uniform.insert(var, form.speed(types, &counters)?);
            }
        }
        for &var in &read {
            let motion = match uniform.get(&var) {
                Some(by) => Motion::Uniform(by.clone()),
                None => {
                    let (now, factor) = form(var)?.without(var)?;
                    if factor != 1 {
                        return None;
                    }
                    let growth = now.speed(types, &uniform)?;
                    Motion::Accelerated { now, growth }
                }
            };
            self.motions.insert(var, motion);
        }
        // Others are not moved, or not in a way of which this can be said.
        self.steady.iter().all(|form| self.speed(form).is_some()).then_some(())
    }

    /// The number that each turn adds to a form, in the form's type, if it is always the same.
    pub fn speed(&self, form: &Form) -> Option<Expr> {
        let uniform = self.motions.iter().filter_map(|(&var, motion)| match motion {
            Motion::Uniform(by) => Some((var, by.clone())),
            Motion::Accelerated { .. } => None,
        });
        form.speed(&self.program.types, &uniform.collect())
    }
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
