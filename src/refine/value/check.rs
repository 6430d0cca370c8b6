//! Under `--check`: value interpolants as formulas, asked of the solver.
//!
//! The path formulas of the steps share nothing with the strongest postconditions of the value analysis. Behind each step, the interpolant has to follow from the one before it and the formula of the step, and
//! the last one has to contradict the last step. So each is implied by the steps before it, and contradicts those behind it.
//!
//! Formulas over-approximate non-linear operators: a step with one is not checked.

use super::ValueIncrement;
use crate::cpa::value::Values;
use crate::cpa::value::assignment::Assignment;
use crate::encode::{SsaMap, encode_path_with_inputs};
use crate::query::checks;
use crate::query::effort::Effort;
use crate::query::points::has_operators;
use provident_smt::term::{Term, TermId, TermPool};

/// Steps that are checked in one path at most.
const MAX_STEPS: usize = 200;

/// Checks the interpolants of a path.
///
/// # Panics
/// One of them is none.
pub fn check(values: &Values<'_>, increment: &ValueIncrement, effort: &mut Effort) {
    let mut pool = TermPool::new();
    let mut encoder = values.encoder().clone();
    let boundaries: Vec<usize> = (1..increment.steps.len()).collect();
    let encoded = encode_path_with_inputs(&mut encoder, &mut pool, &increment.steps, &boundaries);
    let top = Assignment::default();
    let versions = SsaMap::default();
    let mut checked = 0;
    for position in 0..increment.steps.len() {
        let (before, ssa) = match position.checked_sub(1) {
            Some(earlier) => (&increment.interpolants[earlier], &encoded.ends[earlier].ssa),
            None => (&top, &versions),
        };
        let behind = increment.interpolants.get(position);
        let is_trivial = behind.is_some_and(|behind| behind.is_empty() || behind == before && checked > MAX_STEPS / 2);
        // An assumption that is a no-op changes no version of a variable.
        let part = match increment.dropped.contains(&position) {
            true => pool.mk_true(),
            false => encoded.parts[position],
        };
        if is_trivial || checked >= MAX_STEPS && behind.is_some() || has_operators(&pool, part) {
            continue;
        }
        checked += 1;
        let formula = before.formula(&encoder, &mut pool);
        let before = encoder.instantiate(&mut pool, formula, ssa);
        let outside: TermId = match behind {
            Some(behind) => {
                let formula = behind.formula(&encoder, &mut pool);
                let behind = encoder.instantiate(&mut pool, formula, &encoded.ends[position].ssa);
                pool.not(behind)
            }
            None => pool.mk_true(),
        };
        debug_assert!(!matches!(pool.term(outside), Term::Update { .. }), "equations of cells");
        let decided = checks::refuted(&mut pool, effort, &[before, part, outside], "interpolant of values");
        effort.checks.interpolants += u64::from(decided);
    }
}
