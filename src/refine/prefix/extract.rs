//! Algorithm 1 (`ExtractSlicedPrefixes`) of *Refinement selection* (Beyer, Löwe, Wendler, SPIN 2015), for predicate abstraction.
//!
//! The path is walked from its start with the strongest post. Where an assumption contradicts what is before it, the path up to it is an infeasible sliced prefix; then the assumption becomes a no-op, and the walk goes on.
//! For predicate abstraction the strongest post is the path formula itself, so one incremental solver walks along: it has the formulas of the parts so far, the
//! [guards](crate::cpa::predicate::guarded) of kept assumptions as facts, and those of no-ops as negated facts.
//!
//! # Single blocks and larger ones
//!
//! Where every operation is a block of its own, a part has at most one guard, and this is the algorithm of the paper to the letter. A part that merges paths has the guards of all of them, in an order that
//! each path keeps. Then the walk switches assumptions on one by one in this order: a contradiction with the `n`-th one says that no path of the part is left with the first `n` assumptions.
//! Which one that is, is found by bisection, since more assumptions leave fewer models: one check for each part of which all assumptions are possible, and a logarithmic number for each contradiction.
//!
//! # The end of the walk
//!
//! An operation that is no assumption can always be executed. If a part contradicts all the same with its assumptions switched off (its formula may [rely on them](crate::cpa::predicate::guarded)), the prefix up to it is the last one.

use crate::cpa::predicate::guarded::GuardedPart;
use crate::query::checks;
use crate::query::effort::Effort;
use provident_smt::fault::planted;
use provident_smt::hash::{FxHashMap, FxHashSet};
use provident_smt::proof::Part;
use provident_smt::solver::{Answer, Solver};
use provident_smt::term::{TermId, TermPool};

/// An infeasible sliced prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlicedPrefix {
    /// How many parts of the path it has: the last one perhaps not with all of its assumptions.
    pub parts: usize,
    /// How many assumptions of the last part it has, no-ops included.
    pub assumptions: usize,
    /// The guards of the assumptions before its end that are no-ops.
    pub dropped: Vec<TermId>,
}

impl SlicedPrefix {
    /// The formulas of its parts, without guards.
    pub fn formulas(&self, pool: &mut TermPool, path: &[GuardedPart]) -> Vec<TermId> {
        let (truth, falsity) = (pool.mk_true(), pool.mk_false());
        let dropped: FxHashSet<TermId> = self.dropped.iter().copied().collect();
        let mut formulas = Vec::with_capacity(self.parts);
        for (number, part) in path[..self.parts].iter().enumerate() {
            let kept = match number + 1 == self.parts {
                true => self.assumptions,
                false => part.guards.len(),
            };
            let value = |(at, guard): (usize, &TermId)| {
                let holds = at < kept && !dropped.contains(guard);
                (*guard, if holds { truth } else { falsity })
            };
            let values: FxHashMap<TermId, TermId> = part.guards.iter().enumerate().map(value).collect();
            formulas.push(pool.substitute(part.formula, &values));
        }
        formulas
    }
}

/// The infeasible sliced prefixes of a path, the shortest first, at most `limit` of them. There is none if the path is feasible, or if the solver does not know better.
///
/// The ticks are charged to the effort. Under `--check` each prefix is refuted once more, by a fresh solver with a checked proof.
pub fn extract_sliced_prefixes(
    pool: &mut TermPool,
    path: &[GuardedPart],
    limit: usize,
    effort: &mut Effort,
) -> Vec<SlicedPrefix> {
    let mut walk = Walk {
        solver: effort.solver(),
        prefixes: Vec::new(),
        dropped: Vec::new(),
        limit,
    };
    for (number, part) in path.iter().enumerate() {
        if !walk.go_on(pool, number, part) {
            break;
        }
    }
    effort.charge(&walk.solver);
    if effort.checks.enabled {
        for prefix in &walk.prefixes {
            let formulas = prefix.formulas(pool, path);
            let decided = checks::refuted(pool, effort, &formulas, "sliced prefix");
            effort.checks.prefixes += u64::from(decided);
        }
    }
    walk.prefixes
}

/// The walk along a path.
struct Walk {
    /// Has the parts so far, with their assumptions as they are kept or dropped.
    solver: Solver,
    prefixes: Vec<SlicedPrefix>,
    dropped: Vec<TermId>,
    limit: usize,
}

impl Walk {
    /// Walks through a part. Whether it can go on.
    fn go_on(&mut self, pool: &mut TermPool, number: usize, part: &GuardedPart) -> bool {
        self.solver.assert(pool, part.formula, Part(0));
        // The assumptions before this one are decided.
        let mut from = 0;
        while from < part.guards.len() {
            let open = &part.guards[from..];
            let Some(contradicting) = self.first_contradiction(pool, open) else {
                self.keep(pool, open);
                break;
            };
            let missing = usize::from(planted("prefix-ends-early") && contradicting > 0);
            self.prefixes.push(SlicedPrefix {
                parts: number + 1,
                assumptions: from + contradicting - missing,
                dropped: self.dropped.clone(),
            });
            if contradicting == 0 || self.prefixes.len() >= self.limit {
                return false;
            }
            let (&last, kept) = open[..contradicting].split_last().expect("it is not empty");
            self.keep(pool, kept);
            match planted("contradiction-kept") {
                true => self.keep(pool, &[last]),
                false => self.drop(pool, last),
            }
            from += contradicting;
        }
        true
    }

    /// How many of the assumptions, in order, it takes until there is no model; `None` if there is one with all of them, or none is known.
    fn first_contradiction(&mut self, pool: &mut TermPool, open: &[TermId]) -> Option<usize> {
        let mut few = 0;
        let mut enough = self.refutes(pool, open)?;
        while few < enough {
            let middle = few + (enough - few) / 2;
            match self.refutes(pool, &open[..middle]) {
                Some(used) => enough = used,
                None => few = middle + 1,
            }
        }
        Some(enough)
    }

    /// If there is no model with these assumptions: how many of them, in order, the refutation uses.
    fn refutes(&mut self, pool: &mut TermPool, assumptions: &[TermId]) -> Option<usize> {
        if self.solver.check(pool, assumptions) != Answer::Unsat {
            return None;
        }
        let core = self.solver.core();
        let last = assumptions.iter().rposition(|assumption| core.contains(assumption));
        Some(last.map_or(0, |last| last + 1))
    }

    fn keep(&mut self, pool: &mut TermPool, assumptions: &[TermId]) {
        for &assumption in assumptions {
            self.solver.assert(pool, assumption, Part(0));
        }
    }

    fn drop(&mut self, pool: &mut TermPool, assumption: TermId) {
        let dropped = pool.not(assumption);
        self.solver.assert(pool, dropped, Part(0));
        self.dropped.push(assumption);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// An operation of a path over four variables.
    #[derive(Debug, Clone, Copy)]
    enum Operation {
        /// `x := c`
        Set(usize, i64),
        /// `x := y + c`
        Add(usize, usize, i64),
        /// `[x <= c]`
        AtMost(usize, i64),
        /// `[x >= c]`
        AtLeast(usize, i64),
        /// `[x = c]`
        Is(usize, i64),
        /// `[x = y]`
        Same(usize, usize),
    }

    /// The path, with a part for each `size` operations.
    fn path(pool: &mut TermPool, operations: &[Operation], size: usize) -> Vec<GuardedPart> {
        let mut versions = [0u32; 4];
        let mut parts = Vec::new();
        for (number, chunk) in operations.chunks(size).enumerate() {
            let (mut conjuncts, mut guards) = (Vec::new(), Vec::new());
            for (at, &operation) in chunk.iter().enumerate() {
                let mut variable = |pool: &mut TermPool, x: usize, new: bool| {
                    versions[x] += u32::from(new);
                    let name = pool.symbol(&format!("x{x}"));
                    pool.int_var(name, versions[x])
                };
                let assumed = match operation {
                    Operation::Set(x, c) => {
                        let (x, c) = (variable(pool, x, true), pool.int(c));
                        conjuncts.push(pool.eq(x, c));
                        continue;
                    }
                    Operation::Add(x, y, c) => {
                        let (y, c) = (variable(pool, y, false), pool.int(c));
                        let x = variable(pool, x, true);
                        let sum = pool.add(y, c);
                        conjuncts.push(pool.eq(x, sum));
                        continue;
                    }
                    Operation::AtMost(x, c) => {
                        let (x, c) = (variable(pool, x, false), pool.int(c));
                        pool.le(x, c)
                    }
                    Operation::AtLeast(x, c) => {
                        let (x, c) = (variable(pool, x, false), pool.int(c));
                        pool.ge(x, c)
                    }
                    Operation::Is(x, c) => {
                        let (x, c) = (variable(pool, x, false), pool.int(c));
                        pool.eq(x, c)
                    }
                    Operation::Same(x, y) => {
                        let (x, y) = (variable(pool, x, false), variable(pool, y, false));
                        pool.eq(x, y)
                    }
                };
                let name = pool.symbol(&format!("guard {}", number * size + at));
                let guard = pool.bool_var(name, 0);
                conjuncts.push(pool.implies(guard, assumed));
                guards.push(guard);
            }
            parts.push(GuardedPart {
                formula: pool.and(&conjuncts),
                guards,
            });
        }
        parts
    }

    fn extract(pool: &mut TermPool, path: &[GuardedPart]) -> Vec<SlicedPrefix> {
        let mut effort = Effort::default();
        effort.checks.enabled = true;
        let prefixes = extract_sliced_prefixes(pool, path, 64, &mut effort);
        assert_eq!(effort.checks.prefixes, u64::try_from(prefixes.len()).unwrap());
        prefixes
    }

    fn has_model(pool: &mut TermPool, formulas: &[TermId]) -> bool {
        let mut solver = Effort::default().solver();
        for &formula in formulas {
            solver.assert(pool, formula, Part(0));
        }
        solver.check(pool, &[]) == Answer::Sat
    }

    /// Figure 1 of the paper in other words: a flag that is set and found clear, and a counter that has not come to the loop's end, both on one path.
    const FLAG_AND_COUNTER: [Operation; 8] = [
        Operation::Set(0, 1),     // b := 1
        Operation::Set(1, 0),     // i := 0
        Operation::AtMost(1, 8),  // [i < 9]
        Operation::Add(1, 1, 1),  // i := i + 1
        Operation::Add(2, 0, 0),  // c := b
        Operation::AtLeast(1, 9), // [i >= 9]
        Operation::Add(3, 2, 0),  // d := c
        Operation::Is(3, 0),      // [d = 0]
    ];

    #[test]
    fn a_flag_and_a_counter_are_two_reasons() {
        let mut pool = TermPool::new();
        let single = path(&mut pool, &FLAG_AND_COUNTER, 1);
        let prefixes = extract(&mut pool, &single);
        let shapes: Vec<_> = prefixes
            .iter()
            .map(|p| (p.parts, p.assumptions, p.dropped.len()))
            .collect();
        assert_eq!(shapes, [(6, 1, 0), (8, 1, 1)]);
        assert_eq!(
            prefixes[1].dropped, single[5].guards,
            "the end of the loop is a no-op in the second"
        );
        let truth = pool.mk_true();
        assert_eq!(prefixes[1].formulas(&mut pool, &single)[5], truth);
    }

    #[test]
    fn the_example_of_section_4() {
        let mut pool = TermPool::new();
        let operations = [Operation::AtMost(0, -1), Operation::Is(0, 0), Operation::Is(0, 1)];
        let single = path(&mut pool, &operations, 1);
        let shapes: Vec<_> = extract(&mut pool, &single)
            .iter()
            .map(|p| (p.parts, p.dropped.len()))
            .collect();
        assert_eq!(shapes, [(2, 0), (3, 1)], "a < 0, a = 0; and a < 0, true, a = 1");
    }

    #[test]
    fn the_number_is_limited() {
        let mut pool = TermPool::new();
        let mut operations = vec![Operation::Set(0, 0)];
        operations.extend((1..9).map(|value| Operation::Is(0, value)));
        let single = path(&mut pool, &operations, 1);
        let mut effort = Effort::default();
        let found = extract_sliced_prefixes(&mut pool, &single, 3, &mut effort);
        assert_eq!(found.len(), 3);
        assert!(effort.spent > 0, "the effort is charged");
        assert_eq!(extract(&mut pool, &single).len(), 8);
    }

    /// Two paths that merge: each has an assumption that fails, so only both together leave no path.
    #[test]
    fn a_merged_part_contradicts_when_no_path_is_left() {
        let mut pool = TermPool::new();
        let names = ["x", "g", "h", "side"].map(|name| pool.symbol(name));
        let x = pool.int_var(names[0], 0);
        let (g, h, side) = (
            pool.bool_var(names[1], 0),
            pool.bool_var(names[2], 0),
            pool.bool_var(names[3], 0),
        );
        let numbers: Vec<TermId> = [0, 1, 2].map(|n| pool.int(n)).to_vec();
        let is: Vec<TermId> = numbers.iter().map(|&n| pool.eq(x, n)).collect();
        let (one, two) = (pool.implies(g, is[1]), pool.implies(h, is[2]));
        let not_side = pool.not(side);
        let (left, right) = (pool.and2(side, one), pool.and2(not_side, two));
        let either = pool.or2(left, right);
        let parts = [
            GuardedPart {
                formula: is[0],
                guards: Vec::new(),
            },
            GuardedPart {
                formula: either,
                guards: vec![g, h],
            },
        ];
        let prefixes = extract(&mut pool, &parts);
        let shapes: Vec<_> = prefixes
            .iter()
            .map(|p| (p.parts, p.assumptions, p.dropped.len()))
            .collect();
        assert_eq!(
            shapes,
            [(2, 2, 0)],
            "without the second assumption the second path is left"
        );
    }

    fn operations() -> impl Strategy<Value = Vec<Operation>> {
        let (v, c) = (0usize..4, -2i64..3);
        let operation = prop_oneof![
            (v.clone(), c.clone()).prop_map(|(x, c)| Operation::Set(x, c)),
            (v.clone(), v.clone(), c.clone()).prop_map(|(x, y, c)| Operation::Add(x, y, c)),
            (v.clone(), c.clone()).prop_map(|(x, c)| Operation::AtMost(x, c)),
            (v.clone(), c.clone()).prop_map(|(x, c)| Operation::AtLeast(x, c)),
            (v.clone(), c).prop_map(|(x, c)| Operation::Is(x, c)),
            (v.clone(), v).prop_map(|(x, y)| Operation::Same(x, y)),
        ];
        prop::collection::vec(operation, 1..14)
    }

    proptest! {
        /// Algorithm 1 as it stands in the paper, with a check from scratch at every operation, finds the same prefixes, however the operations are divided into parts.
        #[test]
        fn the_walk_is_algorithm_1(operations in operations(), size in 1usize..6) {
            let mut pool = TermPool::new();
            let single = path(&mut pool, &operations, 1);
            let mut expected = Vec::new();
            let mut feasible: Vec<TermId> = Vec::new();
            for (at, part) in single.iter().enumerate() {
                let values = part.guards.iter().map(|&guard| (guard, pool.mk_true())).collect();
                let demand = pool.substitute(part.formula, &values);
                feasible.push(demand);
                if !has_model(&mut pool, &feasible) {
                    feasible.pop();
                    expected.push(at);
                }
            }
            let found = extract(&mut pool, &single);
            let ends: Vec<usize> = found.iter().map(|prefix| prefix.parts - 1).collect();
            prop_assert_eq!(&ends, &expected);
            let parts = path(&mut pool, &operations, size);
            let in_parts = extract(&mut pool, &parts);
            let at = |prefix: &SlicedPrefix| {
                let guard = parts[prefix.parts - 1].guards[prefix.assumptions - 1];
                single.iter().position(|part| part.guards == [guard]).expect("they have the same names")
            };
            let ends: Vec<usize> = in_parts.iter().map(at).collect();
            prop_assert_eq!(&ends, &expected);
            // Each prefix is infeasible; without its last assumption it is feasible, so the walk moves on.
            for prefix in &in_parts {
                let whole = prefix.formulas(&mut pool, &parts);
                prop_assert!(!has_model(&mut pool, &whole));
                let without = SlicedPrefix { assumptions: prefix.assumptions - 1, ..prefix.clone() };
                let rest = without.formulas(&mut pool, &parts);
                prop_assert!(has_model(&mut pool, &rest));
            }
        }
    }
}
