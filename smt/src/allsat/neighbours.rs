//! Further models next to a known one, by evaluation.
//!
//! A satisfiable check costs decisions, bounds and pivots; to evaluate the formulas costs a microsecond. So each model that a check finds is moved a little:
//! for each atom, and each input (or cell of a function) that its number depends on as long as no condition changes, the move is as
//! large as the atom needs to change its value. All that is defined by the input follows, paths included (see [`evaluator`](super::evaluator)). Where the constraints still
//! hold and the literals have a new valuation, that is another model, whose neighbours are looked at in turn.
//!
//! This finds models only, of course. Other models are left to checks, which also decide that there are no more.
//!
//! Simulation finds candidates for equal nodes of circuits in the same way (Kuehlmann, Krohm, *Equivalence checking using cuts and heaps*, DAC 1997). Moving
//! along the slope of an atom is the critical move of local search over integers (Cai, Li, Zhang, *Local search for SMT on linear integer arithmetic*, CAV 2022).

use super::evaluator::{Evaluator, Move, State};
use super::valuation::Valuation;
use crate::model::Model;
use crate::term::{TermId, TermPool};
use std::collections::VecDeque;

/// After this number of runs without a new valuation the neighbourhood is left.
const PATIENCE: usize = 100;

pub(super) struct Neighbours {
    evaluator: Evaluator,
    /// Scratch.
    moves: Vec<Move>,
    next: State,
}

impl Neighbours {
    /// None if the formulas are not supported.
    pub fn new(pool: &TermPool, formulas: &[TermId], literals: &[TermId]) -> Option<Neighbours> {
        Some(Neighbours {
            evaluator: Evaluator::new(pool, formulas, literals)?,
            moves: Vec::new(),
            next: State::default(),
        })
    }

    /// Offers the valuations of the literals in models around this one. `offer` answers whether a valuation is of use, and new; the
    /// neighbours of such a model are looked at, too.
    pub fn explore(
        &mut self,
        pool: &TermPool,
        formulas: &[TermId],
        model: &Model,
        offer: &mut dyn FnMut(Valuation) -> bool,
    ) {
        let Some(start) = self.evaluator.state_of(model) else {
            return;
        };
        let mut queue = VecDeque::from([start]);
        let mut failures = 0;
        while let Some(state) = queue.pop_front() {
            self.find_moves(&state);
            for i in 0..self.moves.len() {
                failures += 1;
                if failures > PATIENCE {
                    return;
                }
                if !self.evaluator.run(&state, self.moves[i], &mut self.next) {
                    continue;
                }
                if cfg!(debug_assertions) {
                    self.validate(pool, formulas);
                }
                let values = self.evaluator.results(&self.next);
                if offer(Valuation::new(values.len(), values)) {
                    failures = 0;
                    queue.push_back(std::mem::take(&mut self.next));
                }
            }
        }
    }

    /// Asserts that the last run is a model, for the independent evaluator as well.
    fn validate(&self, pool: &TermPool, formulas: &[TermId]) {
        let model = self.evaluator.model_of(&self.next);
        let mut evaluator = model.evaluator(pool);
        assert!(
            formulas.iter().all(|&formula| evaluator.eval_bool(formula)),
            "a neighbour is a model"
        );
    }

    /// The moves of a state that may change an atom, or a proposition.
    fn find_moves(&mut self, state: &State) {
        self.moves.clear();
        let mut rates = Vec::new();
        for &(atom, number) in &self.evaluator.atoms {
            rates.clear();
            self.evaluator.rates(state, number, &mut rates);
            let (holds, at) = (state.value(atom) == 1, state.value(number));
            let targets: &[i64] = match (self.evaluator.is_equation(atom), holds) {
                (true, true) => &[1, -1],
                (false, true) => &[1],
                (_, false) => &[0],
            };
            for &target in targets {
                for &(leaf, rate) in &rates {
                    if let Some(step) = step(at, target, rate, self.evaluator.is_equation(atom)) {
                        let value = state.value(leaf).checked_add(step);
                        self.moves.extend(value.map(|value| Move { leaf, value }));
                    }
                }
            }
        }
        for variable in self.evaluator.variables.iter().filter(|v| v.is_bool && v.is_input) {
            self.moves.push(Move {
                leaf: variable.slot,
                value: 1 - state.value(variable.slot),
            });
        }
        self.moves.sort_unstable();
        self.moves.dedup();
    }
}

/// By how much a leaf has to move so that a number that changes at this rate gets to the target or, if it need not be `exact`, past it.
fn step(at: i64, target: i64, rate: i64, exact: bool) -> Option<i64> {
    let distance = target.checked_sub(at)?;
    let quotient = distance.checked_div(rate)?;
    match distance.checked_rem(rate)? {
        0 => Some(quotient),
        _ if exact && target == 0 => None,
        // Division rounds towards zero, which is not far enough.
        _ => quotient.checked_add(distance.signum() * rate.signum()),
    }
}
