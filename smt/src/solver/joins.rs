//! Joins: equations that all cases of an asserted disjunction imply, though each for a reason of its own.
//!
//! A chain of *diamonds*, `x = y & y = x' | x = z & z = x'` for one pair after the other, makes the first and the last `x` equal. Congruence closure
//! finds one contradiction for each of the exponentially many ways along it, because no atom says `x = x'`. That atom is what is
//! missing: once it is there, each diamond is a case distinction by itself (Bjørner, Dutertre, de Moura, *Accelerating lemma learning using
//! joins: DPLL(⊔)*, 2008).
//!
//! When a disjunction is asserted, the classes of its cases' equations are intersected. Each equation of the result gets an atom, and is
//! *probed* in the next check: the search first decides that it is false, then the cases in turn. Each case is a conflict, from which the
//! search learns that the equation is true. So there is no new kind of lemma: proofs and interpolants are those of any search.
//!
//! Cost: one atom for each join, and one conflict for each case. An equation that all cases name is no join.
//! Considered and not built: clauses of transitivity where explanations have two equations of one term in common. Which of the many pairs matter
//! shows only when the search has gone through exponentially many conflicts already.

use super::Solver;
use super::euf::purity::{Sides, sides};
use super::limits::{MAX_CASES, MAX_JOINED, MAX_JOINS};
use super::sat::search::Value;
use crate::hash::{FxHashMap, FxHashSet};
use crate::proof::{Lit, Var};
use crate::term::{Term, TermId, TermPool};

/// An equation that is to be probed.
pub(super) struct Join {
    equation: Var,
    /// The cases of the disjunction.
    cases: Box<[Lit]>,
    /// The number of open scopes when it was asserted.
    scope: usize,
}

/// The classes of the terms that one case makes equal.
#[derive(Default)]
struct Classes {
    numbers: FxHashMap<TermId, usize>,
    parents: Vec<usize>,
    equations: FxHashSet<TermId>,
}

impl Classes {
    /// Those of the equations that a case is a conjunction with. At most [`MAX_JOINED`] are looked at.
    fn of(pool: &mut TermPool, case: TermId) -> Classes {
        let mut classes = Classes::default();
        for formula in pool.conjuncts(case).into_iter().take(MAX_JOINED) {
            let Term::Eq(sum) = *pool.term(formula) else { continue };
            if pool.is_real(sum) {
                continue;
            }
            let (a, b) = match sides(pool, sum) {
                Some(Sides::Leaves(a, b)) => (a, b),
                Some(Sides::Constant(a, value)) => (a, pool.int(value)),
                None => continue,
            };
            let (a, b) = (classes.number(a), classes.number(b));
            let (a, b) = (classes.root(a), classes.root(b));
            classes.parents[a] = b;
            classes.equations.insert(formula);
        }
        classes
    }

    fn number(&mut self, term: TermId) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(term).or_insert(next);
        if number == next {
            self.parents.push(next);
        }
        number
    }

    fn root(&self, number: usize) -> usize {
        let mut at = number;
        while self.parents[at] != at {
            at = self.parents[at];
        }
        at
    }

    /// The class of a term; none if no equation has it.
    fn class(&self, term: TermId) -> Option<usize> {
        self.numbers.get(&term).map(|&number| self.root(number))
    }
}

impl Solver {
    /// Finds the joins of an asserted formula if it is a disjunction.
    pub(super) fn find_joins(&mut self, pool: &mut TermPool, formula: TermId) {
        let cases: Vec<TermId> = match pool.term(formula) {
            Term::Or(cases) if cases.len() <= MAX_CASES => cases.to_vec(),
            Term::IteBool(_, yes, no) => vec![*yes, *no],
            _ => return,
        };
        if self.joins.len() >= MAX_JOINS || !cases.iter().any(|&case| matches!(pool.term(case), Term::And(_))) {
            return;
        }
        let mut classes: Vec<Classes> = Vec::with_capacity(cases.len());
        for &case in &cases {
            let of_case = Classes::of(pool, case);
            if of_case.equations.is_empty() {
                return;
            }
            classes.push(of_case);
        }
        let mut terms: Vec<TermId> = classes[0].numbers.keys().copied().collect();
        terms.sort_unstable();
        // The first term of each class of the intersection stands for it.
        let mut first: FxHashMap<Vec<usize>, TermId> = FxHashMap::default();
        for term in terms {
            let Some(key) = classes.iter().map(|c| c.class(term)).collect::<Option<Vec<usize>>>() else {
                continue;
            };
            let other = *first.entry(key).or_insert(term);
            if other == term {
                continue;
            }
            let equation = pool.eq(other, term);
            let is_new = !classes.iter().all(|c| c.equations.contains(&equation));
            if is_new && matches!(pool.term(equation), Term::Eq(_)) {
                let join = Join {
                    equation: self.literal(pool, equation).var(),
                    cases: cases.iter().map(|&case| self.literal(pool, case)).collect(),
                    scope: self.assertions.scopes.len(),
                };
                self.joins.push(join);
            }
        }
    }

    /// Forgets the joins of closed scopes.
    pub(super) fn drop_joins(&mut self) {
        let open = self.assertions.scopes.len();
        self.joins.retain(|join| join.scope <= open);
    }

    /// The next decision of a probe. An equation that got its value with the assumptions is done, and so is one whose cases are decided without a
    /// contradiction.
    pub(super) fn probe_joins(&mut self) -> Option<Lit> {
        while let Some(join) = self.joins.last() {
            let equation = join.equation.positive();
            match self.search.value(equation) {
                Value::Open => return Some(!equation),
                Value::False => {
                    let next = self.next_of_probe(join);
                    if next.is_some() {
                        return next;
                    }
                }
                Value::True => {}
            }
            self.joins.pop();
        }
        None
    }

    /// The decision of a probe whose equation is false: a case; if one holds, a bound that would make the equation false.
    fn next_of_probe(&self, join: &Join) -> Option<Lit> {
        let is_open = |lit: &Lit| self.search.value(*lit) == Value::Open;
        if join.cases.iter().any(|&case| self.search.is_true(case)) {
            let bounds = self.columns.equations.get(&join.equation)?;
            return [!bounds.le, !bounds.ge].into_iter().find(is_open);
        }
        join.cases.iter().copied().find(is_open)
    }
}
