//! Uninterpreted functions of integers and function updates by lemmas on demand.
//!
//! When arithmetic and the clauses have an integer model, the applications' values are put into tables. Two applications of one
//! function at one point with different values need a congruence lemma (Ackermann 1954, on demand as in
//! lemmas-on-demand procedures, de Moura and Ruess 2002). Then the cells are put into classes that are equal under the updates that
//! hold (see [`cells`](crate::solver::cells)). Where a class has two values, the updates between them are instantiated at index terms with
//! the cells' points, which makes these cells applications. So only the cells that matter ever become terms, and
//! classes without contradiction *are* the model of the functions. The instances are in [`updates`](crate::solver::cells::updates).
//!
//! When interpolating, an instance whose symbols have a part in common is preferred. For congruence, a term between the two indices is
//! looked for (see [`bridge`](super::bridge)), and else the lemma is mixed.

use crate::hash::FxHashMap;
use crate::num::Int;
use crate::proof::LemmaKind;
use crate::solver::Solver;
use crate::solver::arith::tableau::Column;
use crate::solver::cells::{Cells, Extent, UpdateAtom};
use crate::solver::limits::MAX_CHAINS;
use crate::solver::theory::Verdict;
use crate::term::{Symbol, Term, TermId, TermPool, UpdateSource};

/// A live application.
#[derive(Clone)]
pub(in crate::solver) struct App {
    pub term: TermId,
    pub symbol: Symbol,
    pub arguments: Box<[TermId]>,
    pub column: Column,
}

/// Points of functions with their values.
pub(in crate::solver) type Points = FxHashMap<(Symbol, Vec<Int>), (usize, Int)>;

impl Solver {
    /// The value of an integer term whose columns are integers. None if one is fractional.
    pub(in crate::solver) fn evaluate(&mut self, pool: &TermPool, term: TermId) -> Option<Int> {
        self.form(pool, term);
        let form = &self.columns.forms[&term];
        let mut sum = form.constant.clone();
        for (coeff, column) in &form.monomials {
            let value = &self.theories.arith.tableau.column(*column).value;
            if !value.is_integer() {
                return None;
            }
            sum.add_mul(coeff, value.numer());
        }
        Some(sum)
    }

    /// Checks the candidate model's functions. All live columns have integer values.
    pub(in crate::solver) fn check_functions(&mut self, pool: &mut TermPool) -> Verdict {
        let mut cells = self.held_updates(pool);
        let (mut points, mut clashes) = (Points::default(), Vec::new());
        for i in 0..self.live.apps.len() {
            let app = self.live.apps[i].clone();
            let point: Vec<Int> = app
                .arguments
                .iter()
                .map(|&a| self.evaluate(pool, a).expect("live columns are integers"))
                .collect();
            let value = self.theories.arith.tableau.column(app.column).value.numer();
            if let [at] = point.as_slice() {
                if let Err(other) = cells.enter(app.symbol, at, value, i) {
                    clashes.push((other, i));
                }
                continue;
            }
            let known = points.entry((app.symbol, point)).or_insert_with(|| (i, value.clone()));
            if known.1 != *value {
                clashes.push((known.0, i));
            }
        }
        self.search.ticks += self.live.apps.len() as u64;
        let mut refined = false;
        if !clashes.is_empty() {
            for (a, b) in clashes {
                refined |= self.add_congruence(pool, a, b);
            }
        } else {
            self.search.ticks += cells.close();
            if cells.is_consistent() {
                return if cells.is_crowded() {
                    Verdict::Stuck("too many copied cells")
                } else if cells.overlaps() {
                    Verdict::Stuck("overlapping updates")
                } else {
                    (self.theories.cells.model, self.theories.euf.points) = (Box::new(cells), points);
                    Verdict::Consistent
                };
            }
            for conflict in cells.explain(MAX_CHAINS, &|_, _| true) {
                refined |= self.instantiate_chain(pool, &conflict);
            }
            if !refined {
                // There may be longer chains of updates that have a part in common with the index.
                let index = |app: usize| self.live.apps[app].arguments[0];
                let allows = |app, update: &UpdateAtom| self.common_part(pool, &[update.term, index(app)]).is_some();
                for conflict in cells.explain(MAX_CHAINS, &allows) {
                    refined |= self.instantiate_chain(pool, &conflict);
                }
            }
        }
        if refined {
            Verdict::Refined
        } else {
            Verdict::Stuck("mixed lemma")
        }
    }

    /// The functions of the live applications and the updates that hold in the candidate model.
    fn held_updates(&mut self, pool: &TermPool) -> Cells {
        let mut cells = Cells::default();
        for i in 0..self.live.updates.len() {
            let update = self.theories.cells.updates[&self.live.updates[i]];
            if !self.search.is_true(update.literal) {
                continue;
            }
            let source = match update.source {
                UpdateSource::Const(value) => value,
                UpdateSource::Copy { shift, .. } => shift,
                UpdateSource::Havoc => update.lo,
            };
            let mut value = |t| self.evaluate(pool, t).expect("live columns are integers");
            let (lo, source) = (value(update.lo), value(source));
            let hi = match update.extent {
                Extent::Nothing => lo.clone(),
                Extent::Point => &lo + &Int::ONE,
                Extent::Range => value(update.hi),
            };
            cells.hold(update, lo, hi, source);
        }
        for app in self.live.apps.iter().filter(|app| app.arguments.len() == 1) {
            cells.mention(app.symbol);
        }
        cells.plant();
        cells
    }

    /// The two congruence lemmas of two applications of one function; by way of a bridge if they are not allowed.
    fn add_congruence(&mut self, pool: &mut TermPool, a: usize, b: usize) -> bool {
        let (a, b) = (self.live.apps[a].clone(), self.live.apps[b].clone());
        let (left, right) = ((a.term, &*a.arguments), (b.term, &*b.arguments));
        self.add_congruence_of(pool, left, right)
            || self.add_bridge(pool, &a, &b)
            || self.add_mixed_congruence(pool, left, right)
    }

    /// The two congruence lemmas of two applications that no part can both have. False if one of them is in no part itself.
    pub(in crate::solver) fn add_mixed_congruence(
        &mut self,
        pool: &mut TermPool,
        a: (TermId, &[TermId]),
        b: (TermId, &[TermId]),
    ) -> bool {
        let Some(part) = self
            .common_part(pool, &[b.0])
            .and_then(|_| self.common_part(pool, &[a.0]))
        else {
            return false;
        };
        self.assertions.part = part;
        self.add_congruence_clauses(pool, a, b);
        true
    }

    /// The two congruence lemmas of two applications, each with its arguments. False if that is not allowed.
    pub(in crate::solver) fn add_congruence_of(
        &mut self,
        pool: &mut TermPool,
        a: (TermId, &[TermId]),
        b: (TermId, &[TermId]),
    ) -> bool {
        let Some(part) = self.common_part(pool, &[a.0, b.0]) else {
            return false;
        };
        self.assertions.part = part;
        self.add_congruence_clauses(pool, a, b);
        true
    }

    fn add_congruence_clauses(&mut self, pool: &mut TermPool, a: (TermId, &[TermId]), b: (TermId, &[TermId])) {
        let mut disjuncts = Vec::new();
        for (&x, &y) in a.1.iter().zip(b.1) {
            if self.is_sharing() || self.is_pure_equation(pool, x, y) {
                disjuncts.push(pool.ne(x, y));
            } else {
                disjuncts.extend([pool.lt(x, y), pool.gt(x, y)]);
            }
        }
        if self.is_sharing() || self.is_pure_equation(pool, a.0, b.0) {
            let (left, right) = (a.0.min(b.0), a.0.max(b.0));
            disjuncts.push(pool.eq(left, right));
            if self.theories.euf.instances.insert((left, right)) {
                self.add_lemma(pool, &disjuncts, LemmaKind::Congruence { left, right });
            }
            for &formula in &disjuncts {
                self.suggest(pool, formula);
            }
            return;
        }
        for (left, right) in [(a.0, b.0), (b.0, a.0)] {
            disjuncts.push(pool.le(left, right));
            if self.theories.euf.instances.insert((left, right)) {
                self.add_lemma(pool, &disjuncts, LemmaKind::Congruence { left, right });
            }
            for &formula in &disjuncts {
                self.suggest(pool, formula);
            }
            disjuncts.pop();
        }
    }

    /// Suggests to decide an inequality of a congruence lemma as the candidate model has it. The lemma is false in that
    /// model, so the last of its literals will be propagated against it. Its atoms are not made live: there are many such
    /// lemmas, and where one does not matter, they need not be decided.
    fn suggest(&mut self, pool: &mut TermPool, formula: TermId) {
        if !matches!(pool.term(formula), Term::True | Term::False) {
            let var = self.literal(pool, formula).var();
            if let Some(equation) = self.columns.equations.get(&var) {
                // Where the equation is false but not in the candidate, one of its inequalities has to be.
                self.last.suggested.extend([equation.le.var(), var]);
            } else if self.theories.arith.atom(var).is_some() {
                self.last.suggested.push(var);
            }
        }
    }
}
