//! The solutions of the equations of a place.

use super::Variable;
use super::equations::{Behind, Equations};
use crate::cfa::{FuncId, NodeId};
use crate::explicit::compiled::compile::Compiled;
use crate::explicit::value::arith::{inverse, mask};
use provident_smt::hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A sum of variables with factors, each variable once, in their order, with a factor that is not 0. All variables have one width.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Form(Vec<(Variable, u64)>);

impl Form {
    /// A variable.
    pub fn variable(variable: Variable) -> Form {
        Form(vec![(variable, 1)])
    }

    /// Whether it is 0.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The variable that it is, if it is one.
    pub fn as_single(&self) -> Option<Variable> {
        match *self.0 {
            [(variable, 1)] => Some(variable),
            _ => None,
        }
    }

    /// The variables with their factors.
    pub fn terms(&self) -> impl Iterator<Item = (Variable, u64)> {
        self.0.iter().copied()
    }

    /// The sum with another one as often as the factor says, modulo 2^width.
    pub fn plus(&self, other: &Form, factor: u64, width: u32) -> Form {
        let mut terms = self.0.clone();
        for &(variable, more) in &other.0 {
            let more = more.wrapping_mul(factor) & mask(width);
            match terms.binary_search_by_key(&variable, |(variable, _)| *variable) {
                Ok(at) => terms[at].1 = terms[at].1.wrapping_add(more) & mask(width),
                Err(at) => terms.insert(at, (variable, more)),
            }
        }
        terms.retain(|(_, factor)| *factor != 0);
        Form(terms)
    }

    /// It as often as the factor says, modulo 2^width.
    pub fn times(&self, factor: u64, width: u32) -> Form {
        Form::default().plus(self, factor, width)
    }
}

/// The shifts of what comes behind a node: each is a choice of numbers for the variables that have the form of themselves alone; all others follow.
#[derive(Debug)]
pub(super) struct Group {
    /// The forms of variables that may be shifted, by their functions and slots.
    forms: BTreeMap<Variable, Form>,
}

impl Group {
    /// Solves the equations behind a node. The shifts are a subgroup of all solutions: where an equation has no odd factor, as `2 * x == 0`, all its variables keep their values.
    /// There are none if too much of the program comes behind the node.
    pub fn behind(code: &Compiled<'_>, node: NodeId) -> Group {
        let nothing = Group { forms: BTreeMap::new() };
        let Some(behind) = Behind::new(code, node) else {
            return nothing;
        };
        let func = code.program.node(node).func;
        let live: FxHashSet<Variable> = code
            .live_slots(node)
            .iter()
            .map(|&slot| Variable { func: Some(func), slot })
            .collect();
        let mut solver = Solver {
            solved: FxHashMap::default(),
            live,
        };
        let equations = Equations::of(code, &behind);
        for (form, width) in &equations.all {
            solver.add(form, *width);
        }
        let mut forms = BTreeMap::new();
        for (&variable, &width) in &equations.variables {
            let form = solver.resolved(&Form::variable(variable), width);
            if !form.is_empty() {
                forms.insert(variable, form);
            }
        }
        Group { forms }
    }

    /// Whether there are none.
    pub fn is_trivial(&self) -> bool {
        self.forms.is_empty()
    }

    /// The variables of static storage, or of a function, that may be shifted, by their slots: the number that is added to each, as a sum of those that are chosen.
    pub fn forms(&self, func: Option<FuncId>) -> impl Iterator<Item = (usize, &Form)> {
        let all = [0, usize::MAX].map(|slot| Variable { func, slot });
        self.forms
            .range(all[0]..=all[1])
            .map(|(variable, form)| (variable.slot, form))
    }
}

/// Elimination.
struct Solver {
    /// Variables that follow from others, which may follow from others again.
    solved: FxHashMap<Variable, Form>,
    /// The variables of the function that count at the node.
    live: FxHashSet<Variable>,
}

impl Solver {
    /// The form in variables that do not follow from others.
    fn resolved(&self, form: &Form, width: u32) -> Form {
        let mut form = form.clone();
        loop {
            let next = form.terms().find(|(variable, _)| self.solved.contains_key(variable));
            let Some((variable, factor)) = next else { return form };
            let itself = Form::variable(variable);
            form = form.plus(&itself, factor.wrapping_neg(), width);
            form = form.plus(&self.solved[&variable], factor, width);
        }
    }

    /// Lets a form be 0, modulo 2^width.
    fn add(&mut self, form: &Form, width: u32) {
        let form = self.resolved(form, width);
        // Variables that count at the node follow last: static ones, and those of its function that are read again.
        let odd = form.terms().filter(|(_, factor)| factor % 2 == 1);
        let last =
            odd.max_by_key(|&(variable, _)| (variable.func.is_some() && !self.live.contains(&variable), variable));
        match last {
            Some((variable, factor)) => {
                let others = form.plus(&Form::variable(variable), factor.wrapping_neg(), width);
                let follows = others.times(inverse(factor).wrapping_neg(), width);
                self.solved.insert(variable, follows);
            }
            None => {
                for (variable, _) in form.terms() {
                    self.solved.insert(variable, Form::default());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(slot: usize) -> Variable {
        Variable { func: None, slot }
    }

    fn form(terms: &[(usize, u64)]) -> Form {
        terms.iter().fold(Form::default(), |sum, &(slot, factor)| {
            sum.plus(&Form::variable(variable(slot)), factor, 32)
        })
    }

    /// All solutions satisfy the equations, in random systems; and an equation without an odd factor fixes its variables.
    #[test]
    fn solutions_satisfy_the_equations() {
        let mut seed = 7u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for _ in 0..500 {
            let mut solver = Solver {
                solved: FxHashMap::default(),
                live: FxHashSet::default(),
            };
            let factors = [1, 2, 3, (1 << 32) - 1];
            let mut equations = Vec::new();
            for _ in 0..1 + random(5) {
                let terms: Vec<(usize, u64)> = (0..1 + random(3))
                    .map(|_| (random(6) as usize, factors[random(4) as usize]))
                    .collect();
                equations.push(form(&terms));
            }
            for equation in &equations {
                solver.add(equation, 32);
            }
            for equation in &equations {
                assert_eq!(
                    solver.resolved(equation, 32),
                    Form::default(),
                    "{equation:?} in {equations:?}"
                );
            }
        }
        let mut solver = Solver {
            solved: FxHashMap::default(),
            live: FxHashSet::default(),
        };
        solver.add(&form(&[(0, 2), (1, 4)]), 32);
        assert_eq!(solver.resolved(&form(&[(0, 1), (1, 1), (2, 1)]), 32), form(&[(2, 1)]));
    }
}
