//! Formulas that are decided by the bits of their numbers, where models have wrong values for operators again and again.

use super::checks;
use super::effort::Effort;
use crate::encode::{Arith, operator_meaning};
use provident_smt::blast::blast;
use provident_smt::proof::Part;
use provident_smt::solver::Answer;
use provident_smt::term::{TermId, TermPool};

/// Bits that hold every number of an execution: scalars, addresses, and what formulas take for floating-point numbers.
const MOST_BITS: usize = 130;

/// Ticks of one decision at most.
const MAX_TICKS: u64 = 60_000_000;

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
    let Some(blast) = blast(&mut own, &formulas, MOST_BITS, &operator_meaning) else {
        return Decision::Open;
    };
    let mut solver = effort.solver();
    let left = effort.remaining().map_or(MAX_TICKS, |left| (left / 2).min(MAX_TICKS));
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
