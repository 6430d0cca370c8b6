//! Simplification of interpolants with respect to their two implications.
//!
//! [`simplify`](super::simplify()) keeps a formula equivalent. An interpolant need not stay equivalent: it has to follow from the part before it, with the interpolants that this part builds on, and to be enough for the part
//! behind it. A proof puts more into it, which is redundant, and in model checking each atom becomes a predicate. So conjuncts are left out as long as the implication behind still holds (leaving them out makes the
//! formula weaker), and disjuncts as long as the implication before does; each in both polarities and at all depths, the outermost first. After each success constants are folded and bounds merged.
//!
//! Interpolants are looked at from the last to the first: the weaker the one behind is, the less the one before has to say. Each step keeps all others, so the result is a sequence, or a tree, of interpolants after
//! every step, and the search can stop at any time. The effort is bounded by ticks.

use super::measure::Measures;
use super::simplify::simplify;
use super::{Cost, InterpolationConfig, narrow};
use crate::proof::Part;
use crate::solver::{Answer, Solver};
use crate::term::{Term, TermId, TermPool};

/// Tries for one interpolant.
const MAX_TRIES: usize = 48;

/// Interpolants with more occurrences of sub-terms are left as they are.
const MAX_SIZE: u64 = 1_000;

/// Ticks beyond those that the interpolants took.
const EXTRA_TICKS: u64 = 100_000;

/// A formula without one of its parts.
struct Smaller {
    formula: TermId,
    /// Whether it follows from the one with it; else it implies that.
    is_weaker: bool,
}

/// Leaves out what is redundant in the interpolants of a tree of parts, within what `cost` allows; adds to it.
pub(super) fn drop_redundant(
    pool: &mut TermPool,
    parts: &[TermId],
    parents: &[usize],
    interpolants: &mut [TermId],
    config: &InterpolationConfig,
    cost: &mut Cost,
) {
    let mut left = cost.ticks.saturating_add(EXTRA_TICKS);
    if let Some(limit) = config.ticks {
        left = left.min(limit.saturating_sub(cost.ticks));
    }
    let constants = [pool.mk_true(), pool.mk_false()];
    for cut in (0..interpolants.len()).rev() {
        if constants.contains(&interpolants[cut]) || Measures::of(pool, interpolants[cut]).tree_nodes > MAX_SIZE {
            continue;
        }
        let mut step = Step {
            before: None,
            behind: None,
            left,
        };
        let mut at = 0;
        for _ in 0..MAX_TRIES {
            let Some(Smaller { formula, is_weaker }) = without(pool, interpolants[cut], at) else {
                break;
            };
            let smaller = simplify(pool, formula);
            let holds = match is_weaker {
                true => {
                    let solver = step.behind.get_or_insert_with(|| {
                        let mut facts = vec![parts[parents[cut]]];
                        facts.extend(interpolants.get(parents[cut]).map(|&after| pool.not(after)));
                        let beside = (0..parents[cut]).filter(|&other| other != cut && parents[other] == parents[cut]);
                        facts.extend(beside.map(|other| interpolants[other]));
                        asserting(pool, &facts, config)
                    });
                    Step::refutes(pool, solver, smaller, &mut step.left)
                }
                false => {
                    let solver = step.before.get_or_insert_with(|| {
                        let mut facts = vec![parts[cut]];
                        let below = (0..cut).filter(|&child| parents[child] == cut);
                        facts.extend(below.map(|child| interpolants[child]));
                        asserting(pool, &facts, config)
                    });
                    let negated = pool.not(smaller);
                    Step::refutes(pool, solver, negated, &mut step.left)
                }
            };
            if holds {
                interpolants[cut] = smaller;
                cost.dropped += 1;
            } else {
                at += 1;
            }
        }
        cost.ticks = cost.ticks.saturating_add(left - step.left);
        left = step.left;
        if left == 0 {
            return;
        }
    }
}

/// The solvers for one interpolant.
struct Step {
    /// Has what is before the interpolant.
    before: Option<Solver>,
    /// Has what is behind it.
    behind: Option<Solver>,
    left: u64,
}

impl Step {
    /// Whether a formula contradicts the facts, as far as the ticks reach.
    fn refutes(pool: &mut TermPool, solver: &mut Solver, formula: TermId, left: &mut u64) -> bool {
        let before = solver.ticks();
        solver.set_tick_limit(Some(*left));
        let answer = solver.check(pool, &[formula]);
        *left = left.saturating_sub(solver.ticks() - before);
        answer == Answer::Unsat
    }
}

fn asserting(pool: &mut TermPool, facts: &[TermId], config: &InterpolationConfig) -> Solver {
    let mut solver = narrow::solver(config, false);
    for &fact in facts {
        solver.assert(pool, fact, Part(0));
    }
    solver
}

/// A connective around the part that is left out.
struct Around {
    arguments: Vec<TermId>,
    is_conjunction: bool,
    /// Whether the connective is negated itself.
    is_negated: bool,
    /// Whether it stands below an even number of negations.
    is_positive: bool,
    /// The position of the next argument to look into.
    next: usize,
}

impl Around {
    /// The connective that a formula is, if it is one or the negation of one.
    fn of(pool: &TermPool, formula: TermId, is_positive: bool) -> Option<Around> {
        let (inner, is_negated) = match *pool.term(formula) {
            Term::Not(inner) => (inner, true),
            _ => (formula, false),
        };
        let (arguments, is_conjunction) = match pool.term(inner) {
            Term::And(arguments) => (arguments.to_vec(), true),
            Term::Or(arguments) => (arguments.to_vec(), false),
            _ => return None,
        };
        Some(Around {
            arguments,
            is_conjunction,
            is_negated,
            is_positive: is_positive != is_negated,
            next: 0,
        })
    }

    /// The formula with other arguments.
    fn with(&self, pool: &mut TermPool, arguments: &[TermId]) -> TermId {
        let formula = match self.is_conjunction {
            true => pool.and(arguments),
            false => pool.or(arguments),
        };
        match self.is_negated {
            true => pool.not(formula),
            false => formula,
        }
    }
}

/// The formula without the part of that number; `None` if it has fewer. The first one is the whole formula, in whose place `true` stands; the others are the arguments of a connective, and then those inside of each of them.
/// Iterative, because interpolants may be as deep as a proof.
fn without(pool: &mut TermPool, formula: TermId, number: usize) -> Option<Smaller> {
    let Some(mut left) = number.checked_sub(1) else {
        return Some(Smaller {
            formula: pool.mk_true(),
            is_weaker: true,
        });
    };
    let mut around = Around::of(pool, formula, true)?;
    let mut outside: Vec<Around> = Vec::new();
    while left >= around.arguments.len() {
        left -= around.arguments.len();
        around = loop {
            let Some(&argument) = around.arguments.get(around.next) else {
                around = outside.pop()?;
                continue;
            };
            around.next += 1;
            if let Some(inside) = Around::of(pool, argument, around.is_positive) {
                outside.push(around);
                break inside;
            }
        };
    }
    let mut rest = around.arguments.clone();
    rest.remove(left);
    let mut formula = around.with(pool, &rest);
    while let Some(mut around) = outside.pop() {
        around.arguments[around.next - 1] = formula;
        formula = around.with(pool, &around.arguments);
    }
    Some(Smaller {
        formula,
        is_weaker: around.is_conjunction == around.is_positive,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpolate::{SequenceResult, chain, check_sequence, sequence};

    fn bound(pool: &mut TermPool, name: &str, most: i64) -> TermId {
        let name = pool.symbol(name);
        let (variable, most) = (pool.int_var(name, 0), pool.int(most));
        pool.le(variable, most)
    }

    #[test]
    fn parts_are_left_out_from_the_outside_in() {
        let mut pool = TermPool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| bound(&mut pool, name, 0));
        let either = pool.or2(y, z);
        let both = pool.and2(x, either);
        let mut found = Vec::new();
        for number in 0.. {
            let Some(smaller) = without(&mut pool, both, number) else {
                break;
            };
            found.push((smaller.formula, smaller.is_weaker));
        }
        found.sort_unstable();
        let mut expected = vec![
            (pool.mk_true(), true),
            (x, true),
            (either, true),
            (pool.and2(x, y), false),
            (pool.and2(x, z), false),
        ];
        expected.sort_unstable();
        assert_eq!(found, expected);
        let negated = pool.not(both);
        let smaller = without(&mut pool, negated, 1).expect("a negated conjunction is a disjunction");
        assert!(!smaller.is_weaker);
    }

    #[test]
    fn deep_formulas_need_no_stack() {
        const DEPTH: usize = 200_000;
        let mut pool = TermPool::new();
        let b = pool.symbol("b");
        let mut variables = 0u32..;
        let mut variable = |pool: &mut TermPool| pool.bool_var(b, variables.next().expect("there are many"));
        let [inner, other] = [variable(&mut pool), variable(&mut pool)];
        let (mut formula, mut smaller) = (pool.or2(inner, other), other);
        for _ in 0..DEPTH {
            let beside = variable(&mut pool);
            [formula, smaller] = [formula, smaller].map(|part| {
                let negated = pool.not(part);
                pool.or2(negated, beside)
            });
        }
        // Before the two innermost parts there are the whole formula and two parts of each other connective.
        let first = without(&mut pool, formula, 1 + 2 * DEPTH).expect("there are two more");
        assert_eq!(first.formula, smaller);
        assert!(!first.is_weaker);
        assert!(without(&mut pool, formula, 2 + 2 * DEPTH).is_some());
        assert!(without(&mut pool, formula, 3 + 2 * DEPTH).is_none());
    }

    #[test]
    fn what_no_side_needs_is_dropped() {
        let mut pool = TermPool::new();
        let (low, middle, high) = (
            bound(&mut pool, "x", 0),
            bound(&mut pool, "x", 3),
            bound(&mut pool, "x", 7),
        );
        let (other, third) = (bound(&mut pool, "y", 0), bound(&mut pool, "z", 0));
        // P0: x <= 0, y <= 0. P1 keeps both. P2: x > 7. The disjunct over z has no reason, the conjunct over y no use.
        let parts = [pool.and2(low, other), pool.or2(third, middle), pool.not(high)];
        let redundant = pool.or2(middle, third);
        let mut interpolants = [pool.and2(low, other), pool.and(&[low, other, redundant])];
        let mut cost = Cost::default();
        let config = InterpolationConfig::default();
        let parents = chain(3);
        drop_redundant(&mut pool, &parts, &parents, &mut interpolants, &config, &mut cost);
        assert_eq!(interpolants, [low, low]);
        assert!(cost.dropped >= 2 && cost.ticks > 0, "{cost:?}");
        // Without ticks nothing changes.
        let mut interpolants = [pool.and2(low, other), pool.and2(low, other)];
        let stingy = InterpolationConfig {
            ticks: Some(0),
            ..config
        };
        drop_redundant(
            &mut pool,
            &parts,
            &parents,
            &mut interpolants,
            &stingy,
            &mut Cost::default(),
        );
        assert_eq!(interpolants[0], interpolants[1]);
    }

    #[test]
    fn sequences_stay_sequences() {
        let mut pool = TermPool::new();
        let x = pool.symbol("x");
        let xs: Vec<TermId> = (0..6).map(|index| pool.int_var(x, index)).collect();
        let (zero, three, nine) = (pool.int(0), pool.int(3), pool.int(9));
        let begins = [pool.eq(xs[0], zero), pool.eq(xs[0], three)];
        let mut parts = vec![pool.or(&begins)];
        for step in xs.windows(2) {
            let next = pool.add(step[0], three);
            let moves = [pool.eq(step[1], step[0]), pool.eq(step[1], next)];
            parts.push(pool.or(&moves));
        }
        let double = pool.scale(&crate::num::Int::from(2), nine);
        parts.push(pool.lt(double, xs[5]));
        let config = InterpolationConfig {
            drop_redundant: true,
            check: true,
            ..InterpolationConfig::default()
        };
        let SequenceResult::Unsat(interpolants) = sequence(&mut pool, &parts, &config) else {
            panic!("five steps of three do not lead beyond 18");
        };
        assert_eq!(check_sequence(&mut pool, &parts, &interpolants), Ok(()));
    }
}
