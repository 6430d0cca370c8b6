//! Formulas that are decided by the bits of their numbers, where models have wrong values for operators again and again.

use super::checks;
use super::effort::Effort;
use crate::encode::{Arith, operator_meaning};
use provident_smt::blast::{Operation, blast};
use provident_smt::proof::Part;
use provident_smt::solver::Answer;
use provident_smt::term::{Term, TermId, TermPool};

/// Bits that hold the value of every variable of an execution: integers of at most 128 bits, addresses, and the codes of floating-point numbers. So a formula without a model of this size is no execution's.
const MOST_BITS: usize = 130;

/// Ticks of one decision at most, and of one with products or quotients of unknowns, which mostly take longer than anybody waits.
const MAX_TICKS: u64 = 40_000_000;
const MAX_PRODUCT_TICKS: u64 = 3_000_000;
/// The terms of a translation at most, in both cases, and the ticks that each of them counts for.
const MAX_TERMS: usize = 150_000;
const MAX_PRODUCT_TERMS: usize = 40_000;
const TICKS_OF_TERM: u64 = 30;

/// The answer for some formulas.
#[derive(Debug)]
pub enum Decision {
    /// They have no common model.
    Refuted,
    /// If they have one, then probably with these equations of variables and numbers.
    Values(Vec<TermId>),
    /// Neither is known.
    Open,
}

/// Decides formulas about executions by the bits of their numbers. Ideal integers have no bits. Records its effort.
pub fn decide(pool: &mut TermPool, effort: &mut Effort, formulas: &[TermId], arith: Arith) -> Decision {
    if arith == Arith::Ideal {
        return Decision::Open;
    }
    // The bits stay out of the pool of the run.
    let mut own = TermPool::new();
    let portable = pool.export(formulas);
    let formulas = own.import(&portable);
    let has_products = own.sub_terms(&formulas).into_iter().any(|term| match own.term(term) {
        Term::App(symbol, _) => operator_meaning(own.name(symbol.name))
            .is_some_and(|meaning| matches!(meaning.operation, Operation::Mul | Operation::Div | Operation::Rem)),
        _ => false,
    });
    let max_terms = if has_products { MAX_PRODUCT_TERMS } else { MAX_TERMS };
    let Some(blast) = blast(&mut own, &formulas, MOST_BITS, max_terms, &operator_meaning) else {
        return Decision::Open;
    };
    effort.charge_ticks(TICKS_OF_TERM * u64::try_from(own.len()).expect("a small number"));
    let mut solver = effort.solver();
    let most = if has_products { MAX_PRODUCT_TICKS } else { MAX_TICKS };
    let left = effort.remaining().map_or(most, |left| (left / 2).min(most));
    solver.set_tick_budget(Some(left));
    for &constraint in &blast.constraints {
        solver.assert(&mut own, constraint, Part(0));
    }
    let answer = solver.check(&mut own, &[]);
    effort.charge(&solver);
    tracing::debug!(
        is_bounded = blast.is_bounded,
        ticks = solver.ticks(),
        ?answer,
        "formulas are decided by bits"
    );
    match answer {
        // Of a function's value without bounds, as of one about floating-point numbers, only so many bits were looked at.
        Answer::Unsat if !blast.is_bounded => Decision::Open,
        Answer::Unsat => {
            if effort.checks.enabled {
                checks::refuted(&mut own, effort, &blast.constraints, "refutation by bits");
            }
            Decision::Refuted
        }
        Answer::Sat => {
            let model = solver.model(&own);
            let values = blast.values(&own, &model);
            let mut equations = Vec::with_capacity(values.len());
            for (variable, value) in values {
                let number = own.int(value);
                equations.push(own.eq(variable, number));
            }
            Decision::Values(pool.import(&own.export(&equations)))
        }
        Answer::Unknown(_) => Decision::Open,
    }
}
