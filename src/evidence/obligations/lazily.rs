//! Instances of claims about all elements, by need.
//!
//! Before a block there may be a hundred claims about all elements, each for dozens of numbers, and a refutation needs a few of these instances. So the solver begins without any,
//! and each model is asked which instances are false in it: these are added, until there is no model, or one in which all instances hold (Ge and de Moura, *Complete instantiation
//! for quantified formulas in satisfiability modulo theories*, CAV 2009). The numbers that were needed are enough for a script.

use super::elements::{constant, instance};
use super::{Effort, Solvers};
use provident_smt::model::Model;
use provident_smt::num::Int;
use provident_smt::proof::{Part, Step};
use provident_smt::solver::{Answer, Solver};
use provident_smt::term::{Term, TermId, TermPool};
use std::collections::BTreeSet;

/// With fewer instances it takes longer to choose than to have all.
const MOST_AT_ONCE: usize = 400;
/// Instances that one model adds.
const MAX_ADDED: usize = 60;
/// Ticks for the value of a claim in a model.
pub(super) const TICKS_PER_VALUE: u64 = 2;

/// Claims with the constant in them, and the numbers for which they may matter.
#[derive(Debug, Clone, Default)]
pub struct Candidates {
    pub claims: Vec<TermId>,
    pub numbers: Vec<TermId>,
}

impl Candidates {
    /// Whether instances are worth choosing.
    pub fn are_many(&self) -> bool {
        self.claims.len() * self.numbers.len() > MOST_AT_ONCE
    }
}

/// The instances of claims about all elements that a script has.
#[derive(Debug, Clone, Copy)]
pub enum Chosen<'c> {
    /// For all elements that its formulas mention.
    All,
    /// None of these.
    None(&'c Candidates),
    /// Those for these numbers.
    Some(&'c Candidates),
}

/// The answer about formulas and instances.
#[derive(Debug)]
pub enum Found {
    /// They have no model, with the instances for these numbers. A proof rests on these formulas, instances, and conjuncts of them.
    Refuted(Vec<TermId>, BTreeSet<TermId>),
    /// There is a model of all.
    Model,
    Unknown,
}

/// Looks for instances with which formulas have no model. `on_model` gets a model in which all instances hold.
pub fn refute(
    pool: &mut TermPool,
    formulas: &[TermId],
    candidates: &Candidates,
    (solvers, effort): (&mut dyn Solvers, Effort),
    on_model: &mut dyn FnMut(&TermPool, &Model),
) -> Found {
    let mut solver = solvers.solver(effort);
    for &formula in formulas {
        solver.assert(pool, formula, Part(0));
    }
    let mut used = vec![constant(pool)];
    let mut values = 0;
    let found = loop {
        match solver.check(pool, &[]) {
            Answer::Unsat => break Found::Refuted(used, inputs(&solver)),
            Answer::Unknown(_) => break Found::Unknown,
            Answer::Sat => {}
        }
        let mut model = solver.model(pool);
        let wrong = violated(pool, &mut model, candidates);
        values += candidates.claims.len() * candidates.numbers.len();
        if wrong.is_empty() {
            on_model(pool, &model);
            break Found::Model;
        }
        for (claim, number) in wrong {
            if !used.contains(&number) {
                used.push(number);
            }
            let instance = instance(pool, claim, number);
            solver.assert(pool, instance, Part(0));
        }
    };
    solvers.charge(&solver);
    solvers.charge_ticks(
        u64::try_from(values)
            .unwrap_or(u64::MAX)
            .saturating_mul(TICKS_PER_VALUE),
    );
    found
}

/// The formulas that the proof of a solver begins with.
fn inputs(solver: &Solver) -> BTreeSet<TermId> {
    let proof = solver.proof().map(|proof| proof.trimmed());
    let steps = proof.iter().flat_map(|proof| &proof.steps);
    steps
        .filter_map(|step| match step {
            Step::Input { formula, .. } => Some(*formula),
            _ => None,
        })
        .collect()
}

/// The instances that are false in a model: claims and numbers. The model is the same behind it.
fn violated(pool: &mut TermPool, model: &mut Model, candidates: &Candidates) -> Vec<(TermId, TermId)> {
    let constant = constant(pool);
    let Term::IntVar(symbol) = *pool.term(constant) else {
        unreachable!("the constant is a variable")
    };
    let own = model.eval_int(pool, constant);
    let values: Vec<Int> = candidates
        .numbers
        .iter()
        .map(|&number| model.eval_int(pool, number))
        .collect();
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    for (&number, value) in candidates.numbers.iter().zip(values) {
        if found.len() >= MAX_ADDED || !seen.insert(value.clone()) {
            continue;
        }
        model.set_int(symbol, value);
        let mut evaluator = model.evaluator(pool);
        let wrong = candidates.claims.iter().filter(|&&claim| !evaluator.eval_bool(claim));
        found.extend(wrong.map(|&claim| (claim, number)));
    }
    model.set_int(symbol, own);
    found
}
