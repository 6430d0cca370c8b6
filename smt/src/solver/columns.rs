//! From numeric terms to columns and rows of the tableau.
//!
//! Each numeric leaf (variable, application, quotient, conditional) and each linear form gets a column, for good. A linear form has a row as well, which is forgotten when nothing live is about it, and
//! made again with the next atom about it.

use super::Solver;
use super::arith::tableau::{Column, ColumnData};
use super::limits::MIN_FORGOTTEN_ROWS;
use crate::fault::planted;
use crate::hash::FxHashMap;
use crate::num::{Delta, Int, Number, Rational};
use crate::proof::{LemmaKind, Lit, Step, Var};
use crate::term::{Term, TermId, TermPool};
use std::collections::BTreeMap;

/// Columns and linear forms of numeric terms.
#[derive(Default)]
pub(super) struct Columns {
    /// The column of each numeric leaf and of each linear form without constant.
    pub of: FxHashMap<TermId, Column>,
    /// The term of each column.
    pub terms: Vec<TermId>,
    /// Leaves with a column whose definitions were not added yet.
    pub undefined: Vec<TermId>,
    /// The linear form of each number that was asked for.
    pub forms: FxHashMap<TermId, Form>,
    pub equations: FxHashMap<Var, Equation>,
    /// The atoms of the definitions of each quotient and conditional. They are not live themselves, and hold wherever their leaf is.
    definitional: FxHashMap<TermId, Vec<TermId>>,
    /// The divisors of each dividend, with the quotients.
    quotients: FxHashMap<TermId, BTreeMap<Int, TermId>>,
    /// The number of rows at which some are forgotten.
    pub forget_at: usize,
}

/// An equation atom `column = value`, and the literals of its two inequalities.
pub(super) struct Equation {
    pub column: Column,
    pub value: Number,
    pub le: Lit,
    pub ge: Lit,
}

/// A linear form over columns, divided by a positive denominator.
pub(super) struct Form {
    pub monomials: Vec<(Int, Column)>,
    pub constant: Int,
    pub denominator: Int,
}

impl Solver {
    /// Makes a literal stand for `column <= bound`.
    pub(super) fn add_bound_atom(&mut self, lit: Lit, column: Column, bound: Number) {
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
        self.theories.arith.add_atom(lit.var(), column, bound);
    }

    /// The column of a linear term without its constant and without a common divisor, and the value of the column where the term is zero.
    pub(super) fn column_of_sum(&mut self, pool: &mut TermPool, sum: TermId) -> (Column, Number) {
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
        if let Some(&column) = self.columns.of.get(&key) {
            self.attach(pool, column);
            return column;
        }
        let form: Vec<(Int, Column)> = leaves
            .into_iter()
            .map(|(c, leaf)| (c, self.column_of_leaf(pool, leaf)))
            .collect();
        for (_, column) in &form {
            self.theories.euf.purity.give_up(*column);
        }
        let column = self.theories.arith.tableau.add_row(&form, pool.is_real(key));
        self.columns.of.insert(key, column);
        self.columns.terms.push(key);
        column
    }

    /// Gives a column the row that defines it, if that was forgotten.
    fn attach(&mut self, pool: &TermPool, column: Column) {
        if !self.theories.arith.tableau.column(column).is_detached {
            return;
        }
        let mut form = Vec::new();
        pool.for_each_monomial(self.columns.terms[column.index()], |coeff, leaf| {
            form.push((coeff.clone(), self.columns.of[&leaf]));
        });
        self.search.ticks += form.len() as u64;
        self.theories.arith.tableau.attach(column, &form);
    }

    /// Does so for the column of an atom that has become of interest again.
    pub(super) fn attach_atom(&mut self, pool: &TermPool, var: Var) {
        if self.theories.arith.tableau.detached == 0 {
            return;
        }
        if let Some(column) = self.column_of_atom(var) {
            self.attach(pool, column);
        }
    }

    /// Does so for the columns of a leaf's definition, when the leaf becomes live.
    pub(super) fn attach_definition(&mut self, pool: &TermPool, leaf: TermId) {
        if self.theories.arith.tableau.detached == 0 {
            return;
        }
        let Some(atoms) = self.columns.definitional.get(&leaf) else {
            return;
        };
        let known = atoms.iter().filter_map(|atom| self.formulas.literals.get(atom));
        for var in known.map(|lit| lit.var()).collect::<Vec<_>>() {
            self.attach_atom(pool, var);
        }
    }

    /// The column that an inequality or an equation is about, if it is not the affair of congruence closure.
    fn column_of_atom(&self, var: Var) -> Option<Column> {
        match self.theories.arith.atom(var) {
            Some((column, _)) => Some(column),
            None => self.columns.equations.get(&var).map(|equation| equation.column),
        }
    }

    /// Forgets rows of linear forms that no live atom is about, when there are so many more than the last time that this pays. The trail has what holds in all scopes: a bound of a sum that
    /// no live atom is about follows from what is live, and is kept by whatever keeps that.
    pub(super) fn forget_rows(&mut self) {
        let tableau = &self.theories.arith.tableau;
        if tableau.rows.len() < self.columns.forget_at.max(MIN_FORGOTTEN_ROWS) {
            return;
        }
        let mut is_needed = vec![false; tableau.columns.len()];
        for (var, equation) in &self.columns.equations {
            is_needed[equation.column.index()] |= self.search.live[var.index()];
        }
        let definitional = self.columns.definitional.iter();
        for atom in definitional
            .filter(|(leaf, _)| self.live.contains(**leaf))
            .flat_map(|(_, atoms)| atoms)
        {
            let column = self
                .formulas
                .literals
                .get(atom)
                .and_then(|lit| self.column_of_atom(lit.var()));
            if let Some(column) = column {
                is_needed[column.index()] = true;
            }
        }
        let is_free = |data: &ColumnData| {
            let is_live = |&(_, var): &(Number, Var)| self.search.live[var.index()];
            let has_row = data.is_sum && !data.is_detached && data.violation().is_none();
            has_row && !data.atoms.iter().any(is_live)
        };
        let columns = (0u32..).map(Column).take(tableau.columns.len());
        let forgotten: Vec<Column> = columns
            .filter(|column| !is_needed[column.index()] && is_free(tableau.column(*column)))
            .collect();
        let tableau = &mut self.theories.arith.tableau;
        let before = tableau.ticks;
        for column in forgotten {
            tableau.detach(column);
        }
        self.search.ticks += tableau.columns.len() as u64 + tableau.ticks - before;
        self.columns.forget_at = 2 * self.theories.arith.tableau.rows.len();
    }

    pub(super) fn column_of_leaf(&mut self, pool: &TermPool, leaf: TermId) -> Column {
        if let Some(&column) = self.columns.of.get(&leaf) {
            return column;
        }
        let column = self.theories.arith.tableau.add_column(pool.is_real(leaf));
        self.columns.of.insert(leaf, column);
        self.columns.terms.push(leaf);
        self.columns.undefined.push(leaf);
        column
    }

    /// The linear form of a number.
    pub(super) fn form(&mut self, pool: &TermPool, term: TermId) -> &Form {
        if !self.columns.forms.contains_key(&term) {
            let mut leaves: Vec<(Int, TermId)> = Vec::new();
            let (sum, denominator) = pool.over_denominator(term);
            let constant = pool.for_each_monomial(sum, |coeff, leaf| leaves.push((coeff.clone(), leaf)));
            let monomials: Vec<(Int, Column)> = leaves
                .into_iter()
                .map(|(c, leaf)| (c, self.column_of_leaf(pool, leaf)))
                .collect();
            if matches!(pool.term(term), Term::Sum(..)) || pool.is_real(term) {
                monomials.iter().for_each(|m| self.theories.euf.purity.give_up(m.1));
            }
            let form = Form {
                monomials,
                constant,
                denominator,
            };
            self.columns.forms.insert(term, form);
        }
        &self.columns.forms[&term]
    }

    /// Adds the definitions of quotients and conditionals that got a column.
    pub(super) fn add_definitions(&mut self, pool: &mut TermPool) {
        while let Some(leaf) = self.columns.undefined.pop() {
            match pool.term(leaf).clone() {
                Term::Div(inner, divisor) => {
                    let kind = LemmaKind::Div { term: leaf };
                    let [below, above] = quotient_bounds(pool, leaf, inner, &divisor);
                    self.add_lemma(pool, &[below], kind);
                    self.add_lemma(pool, &[above], kind);
                    self.note_definition(pool, leaf, &[below, above]);
                    self.nest_quotient(pool, leaf, inner, &divisor);
                }
                Term::Ite(condition, yes, no) => {
                    let kind = LemmaKind::Ite { term: leaf };
                    let negated = pool.not(condition);
                    for (guard, value) in [(negated, yes), (condition, no)] {
                        if self.closure_may_know(pool, leaf, value) {
                            let equal = pool.eq(leaf, value);
                            self.add_lemma(pool, &[guard, equal], kind);
                            self.note_definition(pool, leaf, &[equal]);
                            continue;
                        }
                        let (le, ge) = (pool.le(leaf, value), pool.ge(leaf, value));
                        self.add_lemma(pool, &[guard, le], kind);
                        self.add_lemma(pool, &[guard, ge], kind);
                        self.note_definition(pool, leaf, &[le, ge]);
                    }
                }
                _ => {}
            }
        }
    }

    /// Relates a new quotient to the next ones of the same dividend whose divisors divide its own, or are multiples of it. The digits of a number are differences of such quotients; without this, their ranges hold over
    /// the integers only, and each takes a search.
    fn nest_quotient(&mut self, pool: &mut TermPool, leaf: TermId, inner: TermId, divisor: &Int) {
        if pool.is_real(inner) {
            return;
        }
        let others = self.columns.quotients.entry(inner).or_default();
        let outer = others
            .range(..divisor)
            .rev()
            .find(|(other, _)| divisor.is_multiple_of(other));
        let nested = others.range(divisor..).find(|(other, _)| other.is_multiple_of(divisor));
        let [outer, nested] = [outer, nested].map(|found| found.map(|(other, &quotient)| (other.clone(), quotient)));
        others.insert(divisor.clone(), leaf);
        if let Some(outer) = outer {
            self.add_nesting(pool, leaf, inner, outer, (divisor.clone(), leaf));
        }
        if let Some(nested) = nested {
            self.add_nesting(pool, leaf, inner, (divisor.clone(), leaf), nested);
        }
    }

    /// With `p = floor(t / a)` and `q = floor(t / (a * b))`, the inequalities `b * q <= p` and `p <= b * q + b - 1`. Each follows from a bound of `p` and one of `q` by rounding.
    fn add_nesting(
        &mut self,
        pool: &mut TermPool,
        leaf: TermId,
        inner: TermId,
        (outer, p): (Int, TermId),
        (product, q): (Int, TermId),
    ) {
        let factor = product.div_exact(&outer);
        let [p_below, p_above] = quotient_bounds(pool, p, inner, &outer);
        let [q_below, q_above] = quotient_bounds(pool, q, inner, &product);
        let multiple = pool.scale(&factor, q);
        let at_least = pool.le(multiple, p);
        let rest = pool.sub(p, multiple);
        let factor = pool.int(factor);
        let below_next = pool.lt(rest, factor);
        for (bounds, shown) in [([q_below, p_above], at_least), ([q_above, p_below], below_next)] {
            let [first, second] = bounds;
            let denied = pool.not(shown);
            let facts = [first, second, denied];
            let coefficients = [Int::ONE, Int::ONE, outer.clone()];
            if !contradict(pool, facts, &coefficients) {
                continue;
            }
            let clause = facts.map(|fact| !self.literal(pool, fact));
            let step = Step::Farkas {
                coeffs: Box::new(coefficients),
            };
            let proof = self.search.events.axiom(&clause, &step);
            self.search.add_clause(&clause, proof);
            self.note_definition(pool, leaf, &[shown]);
        }
    }

    /// Notes what the definition of a leaf consists of.
    fn note_definition(&mut self, pool: &TermPool, leaf: TermId, atoms: &[TermId]) {
        let noted = self.columns.definitional.entry(leaf).or_default();
        noted.extend(atoms.iter().map(|&atom| match pool.term(atom) {
            Term::Not(inner) => *inner,
            _ => atom,
        }));
    }
}

/// The bounds of a quotient: `divisor * quotient <= dividend`, and `dividend - divisor * quotient < divisor`.
fn quotient_bounds(pool: &mut TermPool, quotient: TermId, dividend: TermId, divisor: &Int) -> [TermId; 2] {
    let multiple = pool.scale(divisor, quotient);
    let below = pool.le(multiple, dividend);
    let rest = pool.sub(dividend, multiple);
    let divisor = pool.int(divisor.clone());
    [below, pool.lt(rest, divisor)]
}

/// Whether inequalities with coefficients sum up to a contradiction.
fn contradict(pool: &mut TermPool, facts: [TermId; 3], coefficients: &[Int; 3]) -> bool {
    let (mut monomials, mut constant) = (Vec::new(), Int::ZERO);
    for (fact, coefficient) in facts.into_iter().zip(coefficients) {
        // The negation of `t <= 0` is `1 - t <= 0`.
        let (sum, is_negated) = match *pool.term(fact) {
            Term::Le(sum) => (sum, false),
            Term::Not(atom) => match *pool.term(atom) {
                Term::Le(sum) => (sum, true),
                _ => return false,
            },
            _ => return false,
        };
        monomials.push((if is_negated { -coefficient } else { coefficient.clone() }, sum));
        if is_negated {
            constant += coefficient;
        }
    }
    let sum = pool.linear(&monomials, constant);
    pool.as_const(sum).is_some_and(|sum| sum.is_positive())
}
