//! From formulas to clauses.
//!
//! Each formula gets one literal for good, by full Tseitin definitions (Tseitin 1968), which do not depend on what is asserted.
//! Asserting a formula again therefore costs a lookup, and clauses learned from definitions outlive scopes.

use super::Solver;
use super::arith::tableau::Column;
use super::cells::{Extent, UpdateAtom};
use super::columns::Equation;
use crate::num::{Delta, Int, Number, Rational};
use crate::proof::{LemmaKind, Lit, Step};
use crate::solver::events::Event;
use crate::term::{Term, TermId, TermPool, UpdateSource};

/// An equation of which arithmetic knows one inequality so far.
pub(super) struct Trichotomy {
    equation: TermId,
    /// Its literal, if it has one.
    literal: Option<Lit>,
    column: Column,
    value: Number,
    le: Lit,
    ge: TermId,
}

impl Solver {
    /// The literal of a formula that is no constant.
    pub(super) fn literal(&mut self, pool: &mut TermPool, formula: TermId) -> Lit {
        let is_known = self.known_literal(pool, formula).is_some();
        let literal = self.make_literal(pool, formula);
        if !is_known {
            self.materialise(pool);
        }
        literal
    }

    /// The same, but equations that are to be [materialised](Solver::materialise) still wait for that. Iterative, because formulas may be as deep as a program is long.
    fn make_literal(&mut self, pool: &mut TermPool, formula: TermId) -> Lit {
        if let Some(lit) = self.known_literal(pool, formula) {
            self.attach_atom(pool, lit.var());
            return lit;
        }
        let mut stack = vec![formula];
        while let Some(&term) = stack.last() {
            if self.known_literal(pool, term).is_some() {
                stack.pop();
                continue;
            }
            if pool.is_atom(term) {
                self.atom(pool, term);
                stack.pop();
                continue;
            }
            let before = stack.len();
            match pool.term(term) {
                Term::Not(a) => stack.push(*a),
                Term::And(list) | Term::Or(list) => {
                    stack.extend(list.iter().rev().filter(|t| self.known_literal(pool, **t).is_none()));
                }
                Term::Iff(a, b) => stack.extend([b, a].into_iter().filter(|t| self.known_literal(pool, **t).is_none())),
                Term::IteBool(a, b, c) => {
                    stack.extend(
                        [c, b, a]
                            .into_iter()
                            .filter(|t| self.known_literal(pool, **t).is_none()),
                    );
                }
                other => unreachable!("not a formula with parts: {other:?}"),
            }
            if stack.len() == before {
                stack.pop();
                self.define(pool, term);
            }
        }
        self.known_literal(pool, formula).expect("just made")
    }

    pub(super) fn known_literal(&self, pool: &TermPool, formula: TermId) -> Option<Lit> {
        match pool.term(formula) {
            Term::Not(a) => self.formulas.literals.get(a).map(|&l| !l),
            _ => self.formulas.literals.get(&formula).copied(),
        }
    }

    /// A fresh variable for a formula.
    pub(super) fn fresh(&mut self, term: TermId, phase: bool) -> Lit {
        let var = self.search.new_var(term, false, phase, self.initial_activity());
        self.formulas.terms.push(term);
        let lit = var.positive();
        self.formulas.literals.insert(term, lit);
        lit
    }

    /// Makes a variable for a formula whose parts have literals, and adds its definition.
    fn define(&mut self, pool: &TermPool, term: TermId) {
        let name = self.fresh(term, false);
        let of = |t: TermId| self.known_literal(pool, t).expect("parts come first");
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        match pool.term(term) {
            Term::And(list) => {
                clauses.extend(list.iter().map(|&t| vec![!name, of(t)]));
                clauses.push(std::iter::once(name).chain(list.iter().map(|&t| !of(t))).collect());
            }
            Term::Or(list) => {
                clauses.extend(list.iter().map(|&t| vec![name, !of(t)]));
                clauses.push(std::iter::once(!name).chain(list.iter().map(|&t| of(t))).collect());
            }
            Term::Iff(a, b) => {
                let (a, b) = (of(*a), of(*b));
                clauses.extend([
                    vec![!name, !a, b],
                    vec![!name, a, !b],
                    vec![name, a, b],
                    vec![name, !a, !b],
                ]);
            }
            Term::IteBool(c, a, b) => {
                let (c, a, b) = (of(*c), of(*a), of(*b));
                clauses.extend([
                    vec![!name, !c, a],
                    vec![!name, c, b],
                    vec![name, !c, !a],
                    vec![name, c, !b],
                ]);
            }
            other => unreachable!("not a formula with parts: {other:?}"),
        }
        for clause in clauses {
            let step = Step::Define {
                part: self.assertions.part,
                of: name.var(),
            };
            let proof = self.search.events.axiom(&clause, &step);
            self.search.add_clause(&clause, proof);
        }
    }

    /// Makes a variable for an atom.
    fn atom(&mut self, pool: &mut TermPool, term: TermId) {
        match pool.term(term).clone() {
            Term::BoolVar(_) => {
                self.fresh(term, false);
            }
            Term::Le(sum) => {
                let (column, bound) = self.column_of_sum(pool, sum);
                let lit = self.fresh(term, true);
                if pool.is_real(sum) {
                    self.give_up_leaves(pool, sum);
                } else if let (leaf, Some(k)) = (self.columns.terms[column.index()], bound.as_int())
                    && !matches!(pool.term(leaf), Term::Sum(..))
                {
                    self.pure_bound(pool, lit.var(), leaf, k);
                }
                self.add_bound_atom(lit, column, bound);
            }
            Term::Lt(sum) => {
                let (column, bound) = self.column_of_sum(pool, sum);
                self.give_up_leaves(pool, sum);
                let lit = self.fresh(term, true);
                let below = Delta {
                    eps: Rational::from(Int::MINUS_ONE),
                    ..bound.to_delta()
                };
                self.add_bound_atom(lit, column, below.into());
            }
            Term::Eq(sum) => {
                if !self.pure_equation(pool, term, sum) {
                    let begun = self.begin_trichotomy(pool, term, None);
                    self.materialise(pool);
                    self.end_trichotomy(pool, begun);
                }
            }
            Term::Update {
                new,
                old,
                lo,
                hi,
                source,
            } => {
                let lit = self.fresh(term, false);
                let one = pool.int(Int::ONE);
                let extent = match source {
                    _ if lo == hi => Extent::Nothing,
                    UpdateSource::Const(_) if pool.add(lo, one) == hi => Extent::Point,
                    _ => Extent::Range,
                };
                self.theories.cells.updates.insert(
                    term,
                    UpdateAtom {
                        term,
                        literal: lit,
                        new,
                        old,
                        lo,
                        hi,
                        source,
                        extent,
                    },
                );
            }
            other => unreachable!("not an atom: {other:?}"),
        }
    }

    /// Begins to define an equation by two inequalities, with the first one. A literal is made if it has none. Equations that this takes away from the congruence closure wait.
    pub(super) fn begin_trichotomy(
        &mut self,
        pool: &mut TermPool,
        equation: TermId,
        literal: Option<Lit>,
    ) -> Trichotomy {
        let Term::Eq(sum) = *pool.term(equation) else {
            unreachable!("only equations have inequalities")
        };
        let le = pool.le_zero(sum);
        let negated = pool.neg(sum);
        let ge = pool.le_zero(negated);
        let (column, value) = self.column_of_sum(pool, sum);
        self.give_up_leaves(pool, sum);
        let le = self.make_literal(pool, le);
        Trichotomy {
            equation,
            literal,
            column,
            value,
            le,
            ge,
        }
    }

    /// Makes the second inequality and the clauses of the definition.
    pub(super) fn end_trichotomy(&mut self, pool: &mut TermPool, begun: Trichotomy) {
        let Trichotomy {
            equation,
            literal,
            column,
            value,
            le,
            ge,
        } = begun;
        let ge = self.make_literal(pool, ge);
        let eq = literal.unwrap_or_else(|| self.fresh(equation, false));
        self.columns
            .equations
            .insert(eq.var(), Equation { column, value, le, ge });
        self.share_equation(pool, eq.var(), equation);
        for clause in [vec![!eq, le], vec![!eq, ge], vec![eq, !le, !ge]] {
            let step = Step::Lemma {
                part: self.assertions.part,
                kind: LemmaKind::Trichotomy { atom: equation },
            };
            let proof = self.search.events.axiom(&clause, &step);
            self.search.add_clause(&clause, proof);
        }
    }

    /// Adds a theory tautology, given as the disjunction of formulas (constants allowed), labelled with the current part.
    pub(super) fn add_lemma(&mut self, pool: &mut TermPool, disjuncts: &[TermId], kind: LemmaKind) {
        let mut clause = Vec::with_capacity(disjuncts.len());
        for &disjunct in disjuncts {
            match pool.term(disjunct) {
                Term::True => return,
                Term::False => {}
                _ => {
                    let lit = self.literal(pool, disjunct);
                    if !clause.contains(&lit) {
                        clause.push(lit);
                    }
                }
            }
        }
        if clause.iter().any(|&l| clause.contains(&!l)) {
            return;
        }
        self.search.events.emit(Event::Instance);
        let part = self.assertions.part;
        let proof = self.search.events.axiom(&clause, &Step::Lemma { part, kind });
        self.search.add_clause(&clause, proof);
    }
}
