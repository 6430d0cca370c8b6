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

/// The formula without the part of that number; `None` if it has fewer. The first one is the whole formula, in whose place `true` stands.
fn without(pool: &mut TermPool, formula: TermId, number: usize) -> Option<Smaller> {
    let Some(mut left) = number.checked_sub(1) else {
        return Some(Smaller {
            formula: pool.mk_true(),
            is_weaker: true,
        });
    };
    inside(pool, formula, true, &mut left)
}

/// Counts down to the part that is left out, from the outermost to the innermost.
fn inside(pool: &mut TermPool, formula: TermId, is_positive: bool, left: &mut usize) -> Option<Smaller> {
    let (arguments, is_conjunction) = match pool.term(formula).clone() {
        Term::Not(inner) => {
            let Smaller { formula, is_weaker } = inside(pool, inner, !is_positive, left)?;
            return Some(Smaller {
                formula: pool.not(formula),
                is_weaker,
            });
        }
        Term::And(arguments) => (arguments.to_vec(), true),
        Term::Or(arguments) => (arguments.to_vec(), false),
        _ => return None,
    };
    let join = |pool: &mut TermPool, arguments: &[TermId]| match is_conjunction {
        true => pool.and(arguments),
        false => pool.or(arguments),
    };
    if *left < arguments.len() {
        let mut rest = arguments;
        rest.remove(*left);
        return Some(Smaller {
            formula: join(pool, &rest),
            is_weaker: is_conjunction == is_positive,
        });
    }
    *left -= arguments.len();
    for at in 0..arguments.len() {
        if let Some(Smaller { formula, is_weaker }) = inside(pool, arguments[at], is_positive, left) {
            let mut changed = arguments;
            changed[at] = formula;
            return Some(Smaller {
                formula: join(pool, &changed),
                is_weaker,
            });
        }
    }
    None
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
