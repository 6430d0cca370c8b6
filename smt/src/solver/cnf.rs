//! From terms to clauses, columns and rows.
//!
//! Each formula gets one literal for good, by full Tseitin definitions (Tseitin 1968), which do not depend on what is asserted; each
//! numeric leaf (variable, application, quotient, conditional) gets a column, each linear form a row. Re-asserting a formula
//! therefore costs a lookup, and clauses learned from definitions outlive scopes.
//!
//! What does depend on assertions is *liveness*: only variables of formulas that are asserted now, or assumed, are
//! decided and looked at by final checks. [`Solver::activate`] marks them, scopes take the marks back.

use super::functions::UpdateAtom;
use super::scopes::LiveMark;
use super::tableau::Column;
use super::{Equation, Solver};
use crate::fault::planted;
use crate::num::{Delta, Int, Number, Rational};
use crate::proof::{LemmaKind, Lit, Part, Step};
use crate::term::{Term, TermId, TermPool, UpdateSource};

/// A linear form over columns, divided by a positive denominator.
pub(super) struct Form {
    pub monomials: Vec<(Int, Column)>,
    pub constant: Int,
    pub denominator: Int,
}

impl Solver {
    /// The literal of a formula that is no constant. Iterative, because formulas may be as deep as a program is long.
    pub(super) fn literal(&mut self, pool: &mut TermPool, formula: TermId) -> Lit {
        if let Some(lit) = self.known_literal(pool, formula) {
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
        self.materialise(pool);
        self.known_literal(pool, formula).expect("just made")
    }

    pub(super) fn known_literal(&self, pool: &TermPool, formula: TermId) -> Option<Lit> {
        match pool.term(formula) {
            Term::Not(a) => self.literals.get(a).map(|&l| !l),
            _ => self.literals.get(&formula).copied(),
        }
    }

    /// A fresh variable for a formula.
    pub(super) fn fresh(&mut self, term: TermId, phase: bool) -> Lit {
        let var = self.search.new_var(term, false, phase, self.initial_activity());
        self.terms.push(term);
        let lit = var.positive();
        self.literals.insert(term, lit);
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
                part: self.part,
                of: name.var(),
            };
            let proof = self.search.record_leaf(&clause, step);
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
                } else if let (leaf, Some(k)) = (self.column_terms[column.index()], bound.as_int())
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
                    self.trichotomy(pool, term, None);
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
                self.updates.insert(
                    term,
                    UpdateAtom {
                        term,
                        literal: lit,
                        new,
                        old,
                        lo,
                        hi,
                        source,
                    },
                );
            }
            other => unreachable!("not an atom: {other:?}"),
        }
    }

    /// Defines an equation by two inequalities. Its literal is made, if it has none.
    pub(super) fn trichotomy(&mut self, pool: &mut TermPool, equation: TermId, literal: Option<Lit>) {
        let Term::Eq(sum) = *pool.term(equation) else {
            unreachable!("only equations have inequalities")
        };
        let le = pool.le_zero(sum);
        let negated = pool.neg(sum);
        let ge = pool.le_zero(negated);
        let (column, value) = self.column_of_sum(pool, sum);
        self.give_up_leaves(pool, sum);
        let (le, ge) = (self.literal(pool, le), self.literal(pool, ge));
        let eq = literal.unwrap_or_else(|| self.fresh(equation, false));
        self.equations.insert(eq.var(), Equation { column, value, le, ge });
        self.share_equation(pool, eq.var(), equation);
        for clause in [vec![!eq, le], vec![!eq, ge], vec![eq, !le, !ge]] {
            let step = Step::Lemma {
                part: self.part,
                kind: LemmaKind::Trichotomy { atom: equation },
            };
            let proof = self.search.record_leaf(&clause, step);
            self.search.add_clause(&clause, proof);
        }
    }

    /// Makes a literal stand for `column <= bound`.
    fn add_bound_atom(&mut self, lit: Lit, column: Column, bound: Number) {
        let bound = match (planted("strict-bound"), bound.as_int()) {
            (true, Some(int)) => (int + &Int::ONE).into(),
            _ => bound,
        };
        if bound.as_int().is_none() {
            // The atom's coefficients and constant are coprime: the bound's denominator is what the coefficients share.
            let scale = bound.real().denom().clone();
            if !scale.is_one() {
                self.search.scales.insert(lit.var(), scale);
            }
        }
        self.arith.add_atom(lit.var(), column, bound);
    }

    /// The column of a linear term without its constant and without a common divisor, and the value of the column where the term is zero.
    fn column_of_sum(&mut self, pool: &mut TermPool, sum: TermId) -> (Column, Number) {
        let mut leaves: Vec<(Int, TermId)> = Vec::new();
        let constant = -pool.for_each_monomial(sum, |coeff, leaf| leaves.push((coeff.clone(), leaf)));
        if !pool.is_real(sum) {
            return (self.column_of_leaves(pool, leaves), constant.into());
        }
        let gcd = leaves.iter().fold(Int::ZERO, |gcd, (coeff, _)| gcd.gcd(coeff));
        for (coeff, _) in &mut leaves {
            *coeff = coeff.div_exact(&gcd);
        }
        let real = Rational::new(constant, gcd);
        let eps = Rational::ZERO;
        (self.column_of_leaves(pool, leaves), Delta { real, eps }.into())
    }

    /// The column of a linear form without constant.
    fn column_of_leaves(&mut self, pool: &mut TermPool, leaves: Vec<(Int, TermId)>) -> Column {
        if let [(coeff, leaf)] = &leaves[..]
            && coeff.is_one()
        {
            return self.column_of_leaf(pool, *leaf);
        }
        let key = pool.linear(&leaves, Int::from(0));
        if let Some(&column) = self.columns.get(&key) {
            return column;
        }
        let form: Vec<(Int, Column)> = leaves
            .into_iter()
            .map(|(c, leaf)| (c, self.column_of_leaf(pool, leaf)))
            .collect();
        for (_, column) in &form {
            self.purity.give_up(*column);
        }
        let column = self.arith.tableau.add_row(&form, pool.is_real(key));
        self.columns.insert(key, column);
        self.column_terms.push(key);
        column
    }

    pub(super) fn column_of_leaf(&mut self, pool: &TermPool, leaf: TermId) -> Column {
        if let Some(&column) = self.columns.get(&leaf) {
            return column;
        }
        let column = self.arith.tableau.add_column(pool.is_real(leaf));
        self.columns.insert(leaf, column);
        self.column_terms.push(leaf);
        self.undefined.push(leaf);
        column
    }

    /// The linear form of a number.
    pub(super) fn form(&mut self, pool: &TermPool, term: TermId) -> &Form {
        if !self.forms.contains_key(&term) {
            let mut leaves: Vec<(Int, TermId)> = Vec::new();
            let (sum, denominator) = pool.over_denominator(term);
            let constant = pool.for_each_monomial(sum, |coeff, leaf| leaves.push((coeff.clone(), leaf)));
            let monomials: Vec<(Int, Column)> = leaves
                .into_iter()
                .map(|(c, leaf)| (c, self.column_of_leaf(pool, leaf)))
                .collect();
            if matches!(pool.term(term), Term::Sum(..)) || pool.is_real(term) {
                monomials.iter().for_each(|m| self.purity.give_up(m.1));
            }
            let form = Form {
                monomials,
                constant,
                denominator,
            };
            self.forms.insert(term, form);
        }
        &self.forms[&term]
    }

    /// Adds the definitions of quotients and conditionals that got a column.
    pub(super) fn add_definitions(&mut self, pool: &mut TermPool) {
        while let Some(leaf) = self.undefined.pop() {
            match pool.term(leaf).clone() {
                Term::Div(inner, divisor) => {
                    let kind = LemmaKind::Div { term: leaf };
                    let multiple = pool.scale(&divisor, leaf);
                    let below = pool.le(multiple, inner);
                    let rest = pool.sub(inner, multiple);
                    let divisor = pool.int(divisor);
                    let above = pool.lt(rest, divisor);
                    self.add_lemma(pool, &[below], kind);
                    self.add_lemma(pool, &[above], kind);
                }
                Term::Ite(condition, yes, no) => {
                    let kind = LemmaKind::Ite { term: leaf };
                    let negated = pool.not(condition);
                    for (guard, value) in [(negated, yes), (condition, no)] {
                        if self.closure_may_know(pool, leaf, value) {
                            let equal = pool.eq(leaf, value);
                            self.add_lemma(pool, &[guard, equal], kind);
                            continue;
                        }
                        let (le, ge) = (pool.le(leaf, value), pool.ge(leaf, value));
                        self.add_lemma(pool, &[guard, le], kind);
                        self.add_lemma(pool, &[guard, ge], kind);
                    }
                }
                _ => {}
            }
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
        self.search.stats.lemmas += 1;
        let proof = self.search.record_leaf(&clause, Step::Lemma { part: self.part, kind });
        self.search.add_clause(&clause, proof);
    }

    /// Makes the formula or integer term live, and lets the search justify it.
    pub(super) fn activate_root(&mut self, pool: &mut TermPool, root: TermId) {
        self.activate(pool, root);
        if !matches!(pool.term(root), Term::True | Term::False) {
            self.roots.push(root);
        }
    }

    /// Makes the formula or integer term live, with all of its parts: they have literals and columns afterwards.
    pub(super) fn activate(&mut self, pool: &mut TermPool, root: TermId) {
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if self.live_terms.len() <= term.index() {
                self.live_terms.resize(pool.len().max(term.index() + 1), false);
            }
            if std::mem::replace(&mut self.live_terms[term.index()], true) {
                continue;
            }
            self.live_log.push(term);
            pool.term(term).for_each_child(|child| stack.push(child));
            match pool.term(term) {
                Term::True | Term::False | Term::Not(_) | Term::Const(_) | Term::Sum(..) | Term::Ratio(..) => {}
                Term::RealVar(_) => {
                    self.column_of_leaf(pool, term);
                }
                Term::IntVar(_) | Term::Div(..) | Term::Ite(..) => {
                    let column = self.column_of_leaf(pool, term);
                    if !pool.is_real(term) {
                        self.live_columns.push(column);
                    }
                }
                Term::RealApp(symbol, arguments) => {
                    let (symbol, arguments) = (*symbol, arguments.clone());
                    let column = self.column_of_leaf(pool, term);
                    for &argument in &arguments {
                        self.form(pool, argument);
                    }
                    self.live_real_apps.push(super::functions::App {
                        term,
                        symbol,
                        arguments,
                        column,
                    });
                }
                Term::App(symbol, arguments) => {
                    let (symbol, arguments) = (*symbol, arguments.clone());
                    self.begin_sharing(pool);
                    let column = self.column_of_leaf(pool, term);
                    self.purity.add_result(symbol, column);
                    self.live_columns.push(column);
                    for &argument in &arguments {
                        self.form(pool, argument);
                    }
                    self.live_apps.push(super::functions::App {
                        term,
                        symbol,
                        arguments,
                        column,
                    });
                }
                Term::Update {
                    new,
                    old,
                    lo,
                    hi,
                    source,
                } => {
                    let (mut terms, mut functions) = (vec![*lo, *hi], vec![*new, *old]);
                    match source {
                        UpdateSource::Const(value) => terms.push(*value),
                        UpdateSource::Copy { from, shift } => {
                            terms.push(*shift);
                            functions.push(*from);
                        }
                        UpdateSource::Havoc => {}
                    }
                    for part in terms {
                        let columns: Vec<Column> = self.form(pool, part).monomials.iter().map(|m| m.1).collect();
                        columns.into_iter().for_each(|column| self.purity.give_up(column));
                    }
                    functions
                        .into_iter()
                        .for_each(|function| self.purity.give_up_function(function));
                    let lit = self.literal(pool, term);
                    self.search.set_live(lit.var());
                    self.live_updates.push(term);
                }
                _ => {
                    let lit = self.literal(pool, term);
                    self.search.set_live(lit.var());
                }
            }
        }
        self.add_definitions(pool);
        self.materialise(pool);
    }

    /// Takes back liveness down to a length of the log.
    pub(super) fn deactivate(&mut self, mark: LiveMark) {
        for term in self.live_log.drain(mark.log..) {
            self.live_terms[term.index()] = false;
            if let Some(lit) = self.literals.get(&term) {
                self.search.live[lit.var().index()] = false;
            }
        }
        self.roots.truncate(mark.roots);
        self.justification.drop_roots(mark.roots);
        self.live_columns.truncate(mark.columns);
        self.live_apps.truncate(mark.apps);
        self.live_real_apps.truncate(mark.real_apps);
        self.live_updates.truncate(mark.updates);
        self.eager_apps = self.eager_apps.min(mark.apps);
        self.eager_updates = self.eager_updates.min(mark.updates);
    }

    /// The part in which all symbols of these terms may occur, if there is one. Without interpolation there always is.
    pub(super) fn common_part(&mut self, pool: &TermPool, terms: &[TermId]) -> Option<Part> {
        if !self.config.interpolation {
            return Some(Part(0));
        }
        let (first, last) = self.interval_of(pool, terms);
        (first <= last).then_some(Part(first))
    }

    /// The first and the last part in which all symbols of these terms may occur; empty if the first is above the last.
    pub(super) fn interval_of(&self, pool: &TermPool, terms: &[TermId]) -> (u32, u32) {
        let (mut first, mut last) = (0, u32::MAX);
        for symbol in pool.symbols_of(terms) {
            if let Some(&(from, to)) = self.intervals.get(&symbol) {
                first = first.max(from);
                last = last.min(to);
            }
        }
        (first, last)
    }
}
