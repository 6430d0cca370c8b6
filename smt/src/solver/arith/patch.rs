//! Integer points near a vertex, by evaluation.
//!
//! Most integer variables of a program's formula are not free: an equation says what they are (`x@3 = x@2 + 1`), quotients and
//! conditionals are functions of other terms. A vertex of the tableau ignores that and has fractions all over, and branch and bound
//! mends them one by one. Here the few free variables get the integers next to their values, everything else is evaluated, and if
//! the point is within all bounds it becomes the vertex. (A relative of the *patching* of de Moura and Bjorner's Z3 and of "integer roots" in SMT
//! solvers: there columns are moved one by one.) If it is not, nothing has changed.
//!
//! An equation is a linear form with equal bounds. It defines the newest of its variables (else applications) with coefficient one or minus
//! one: formulas are in static single assignment form, and terms are numbered in the order of their creation. If some of its terms are the *digits* of what the others sum up to, as the bytes of a word in memory
//! are, it defines all of them.

use super::tableau::Bound;
use super::tableau::Column;
use crate::hash::FxHashMap;
use crate::num::{Int, Number};
use crate::solver::Solver;
use crate::solver::sat::search::Value as Truth;
use crate::term::{Term, TermId, TermPool};

/// The value of a term.
#[derive(Clone, Debug)]
enum Value {
    Int(Int),
    Bool(bool),
}

/// A point under construction.
struct Point<'s> {
    solver: &'s Solver,
    pool: &'s TermPool,
    values: FxHashMap<TermId, Value>,
    /// For a variable the form that defines it.
    definitions: FxHashMap<TermId, Column>,
    digits: FxHashMap<TermId, Digit>,
    /// Terms whose children are being evaluated.
    open: FxHashMap<TermId, ()>,
}

/// The place of an application in a form that defines it together with others.
struct Digit {
    /// The least weight of these.
    first: Int,
    weight: Int,
    /// The number of its values, unless it is the last one.
    values: Option<Int>,
}

impl Solver {
    /// Moves the vertex to an integer point, if a simple one is within all bounds. Returns whether it did.
    pub(in crate::solver) fn patch(&mut self, pool: &TermPool) -> bool {
        if self.theories.arith.tableau.has_reals {
            return false;
        }
        let columns = self.columns.terms.len();
        self.search.ticks += columns as u64;
        let mut point = Point {
            solver: self,
            pool,
            values: FxHashMap::default(),
            definitions: FxHashMap::default(),
            digits: FxHashMap::default(),
            open: FxHashMap::default(),
        };
        point.find_definitions();
        let mut values = Vec::with_capacity(columns);
        for (&term, data) in self.columns.terms.iter().zip(&self.theories.arith.tableau.columns) {
            let Value::Int(value) = point.value(term) else {
                return false;
            };
            // Most points are no good, which shows early.
            if !data.is_within(&Number::from(value.clone())) {
                return false;
            }
            values.push(value);
        }
        self.theories.arith.tableau.go_to(values)
    }
}

/// The value of a bound on an integer column.
fn integer(bound: &Number) -> Int {
    bound.as_int().expect("integer columns have integer bounds").clone()
}

impl Point<'_> {
    /// Finds out which variables equations define.
    fn find_definitions(&mut self) {
        self.define_copies();
        let mut words = Vec::new();
        for (i, &term) in self.solver.columns.terms.iter().enumerate() {
            let data = &self.solver.theories.arith.tableau.columns[i];
            let is_fixed = data
                .lower
                .as_ref()
                .zip(data.upper.as_ref())
                .is_some_and(|(l, u)| l.value == u.value);
            if !matches!(self.pool.term(term), Term::Sum(..)) {
                continue;
            }
            let column = Column(u32::try_from(i).expect("columns have numbers"));
            if !is_fixed {
                words.push((term, column));
                continue;
            }
            if self.define_digits(term, column, true) {
                continue;
            }
            let mut leaves: Vec<(bool, TermId)> = Vec::new();
            let mut divided: Vec<TermId> = Vec::new();
            self.pool.for_each_monomial(term, |coeff, leaf| {
                let is_unit = coeff.is_one() || (-coeff).is_one();
                match self.pool.term(leaf) {
                    Term::Div(inner, _) => {
                        self.pool.for_each_monomial(*inner, |_, leaf| divided.push(leaf));
                    }
                    Term::IntVar(_) if is_unit => leaves.push((true, leaf)),
                    Term::App(..) if is_unit => leaves.push((false, leaf)),
                    _ => {}
                }
            });
            // The form does not define the dividend of a quotient in it, nor what has its value by its bounds.
            leaves.retain(|(_, leaf)| {
                !self.definitions.contains_key(leaf) && !divided.contains(leaf) && !self.is_fixed(*leaf)
            });
            let newest = leaves.into_iter().max().map(|(_, leaf)| leaf);
            if let Some(leaf) = newest {
                self.definitions.insert(leaf, column);
            }
        }
        for (form, column) in words {
            self.define_digits(form, column, false);
        }
    }

    /// Equal applications, such as what a byte of memory is before and behind an update of others: the newer one has the value of the older one, and is no digit of its own.
    fn define_copies(&mut self) {
        for (i, &term) in self.solver.columns.terms.iter().enumerate() {
            let Term::Sum(monomials, _) = self.pool.term(term) else {
                continue;
            };
            let [(a, older), (b, newer)] = &monomials[..] else {
                continue;
            };
            let is_copy = a.abs().is_one() && *a == -b && self.is_fixed(term);
            let (older, newer) = (*older.min(newer), *older.max(newer));
            let are_applications = [older, newer]
                .iter()
                .all(|&leaf| matches!(self.pool.term(leaf), Term::App(..)));
            if is_copy && are_applications && !self.is_fixed(newer) {
                let column = Column(u32::try_from(i).expect("columns have numbers"));
                self.definitions.entry(newer).or_insert(column);
            }
        }
    }

    /// Whether a form defines digits: applications whose weights divide each other, each with as many values as its weight goes into the next one. If the form is fixed, the first weight is one, and no other
    /// form defines any of them. If it is not, it has nothing but digits, and its own value says what those are that nothing else defines.
    fn define_digits(&mut self, form: TermId, column: Column, is_fixed: bool) -> bool {
        let mut monomials: Vec<(Int, TermId)> = Vec::new();
        self.pool
            .for_each_monomial(form, |coeff, leaf| monomials.push((coeff.clone(), leaf)));
        monomials.sort_unstable_by_key(|(coeff, _)| coeff.abs());
        [1, -1].into_iter().any(|sign| {
            let is_open = |leaf: &TermId| !self.definitions.contains_key(leaf);
            let all = monomials.iter().filter(|(coeff, _)| coeff.signum() == sign);
            let digits: Vec<&(Int, TermId)> = all.clone().filter(|(_, leaf)| is_open(leaf)).collect();
            let is_whole = match is_fixed {
                true => digits.len() > 1 && digits.len() == all.count() && digits[0].0.abs().is_one(),
                false => !digits.is_empty() && all.count() == monomials.len() && monomials.len() > 1,
            };
            let mut found = Vec::new();
            for (at, (coeff, leaf)) in digits.iter().enumerate() {
                let values = digits.get(at + 1).map(|(next, _)| next.div_floor(coeff));
                let is_digit = values.as_ref().is_none_or(|values| {
                    let [lower, upper] = self.bounds(*leaf);
                    digits[at + 1].0 == coeff * values
                        && lower.is_some_and(|low| !low.is_negative())
                        && upper.is_some_and(|high| high < *values)
                });
                if !is_whole || !is_digit || !matches!(self.pool.term(*leaf), Term::App(..)) {
                    return false;
                }
                let (first, weight) = (digits[0].0.abs(), coeff.abs());
                found.push((*leaf, Digit { first, weight, values }));
            }
            is_whole && {
                self.definitions.extend(found.iter().map(|(leaf, _)| (*leaf, column)));
                self.digits.extend(found);
                true
            }
        })
    }

    /// Whether the bounds of a term leave one value.
    fn is_fixed(&self, term: TermId) -> bool {
        let [lower, upper] = self.bounds(term);
        lower.is_some() && lower == upper
    }

    /// The bounds of a term's column.
    fn bounds(&self, term: TermId) -> [Option<Int>; 2] {
        let Some(column) = self.solver.columns.of.get(&term) else {
            return [None, None];
        };
        let data = self.solver.theories.arith.tableau.column(*column);
        [&data.lower, &data.upper].map(|bound| bound.as_ref().map(|bound| integer(&bound.value)))
    }

    /// The value of a term.
    fn value(&mut self, root: TermId) -> Value {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.values.contains_key(&term) {
                stack.pop();
                continue;
            }
            let mut missing = Vec::new();
            for child in self.children(term) {
                if self.values.contains_key(&child) {
                } else if self.open.contains_key(&child) {
                    // Equations in a circle: the one that closes it is left to chance.
                    let value = self.rounded(child);
                    self.values.insert(child, value);
                } else {
                    missing.push(child);
                }
            }
            if missing.is_empty() {
                let value = self.evaluate(term);
                self.open.remove(&term);
                self.values.insert(term, value);
                stack.pop();
            } else {
                self.open.insert(term, ());
                stack.extend(missing);
            }
        }
        self.values[&root].clone()
    }

    /// The truth value that the search has given to a formula.
    fn assigned(&self, formula: TermId) -> Option<bool> {
        match self.solver.search.value(self.solver.known_literal(self.pool, formula)?) {
            Truth::True => Some(true),
            Truth::False => Some(false),
            Truth::Open => None,
        }
    }

    /// The terms whose values the value of a term is computed from.
    fn children(&self, term: TermId) -> Vec<TermId> {
        let mut children = Vec::new();
        match self.pool.term(term) {
            Term::IntVar(_) | Term::App(..) => {
                if let Some(form) = self.definitions.get(&term) {
                    let form = self.solver.columns.terms[form.index()];
                    self.pool.for_each_monomial(form, |_, leaf| {
                        if leaf != term && !self.is_digit_beside(term, leaf) {
                            children.push(leaf);
                        }
                    });
                }
            }
            Term::Ite(condition, yes, no) => match self.assigned(*condition) {
                Some(truth) => children.push(if truth { *yes } else { *no }),
                None => children.extend([*condition, *yes, *no]),
            },
            Term::Update { .. } | Term::BoolVar(_) => {}
            other => {
                if self.pool.sort(term) == crate::term::Sort::Int || self.assigned(term).is_none() {
                    other.for_each_child(|child| children.push(child));
                }
            }
        }
        children
    }

    /// The integer next to the value of a term's column, within its bounds.
    fn rounded(&self, term: TermId) -> Value {
        let column = self.solver.columns.of.get(&term);
        Value::Int(column.map_or(Int::ZERO, |column| self.rounded_column(*column)))
    }

    fn rounded_column(&self, column: Column) -> Int {
        let data = self.solver.theories.arith.tableau.column(column);
        let floor = data.value.floor();
        match &data.lower {
            Some(Bound { value, .. }) if *value > Number::from(floor.clone()) => integer(value),
            _ => floor,
        }
    }

    fn int(&self, term: TermId) -> Int {
        match self.values.get(&term) {
            Some(Value::Int(value)) => value.clone(),
            _ => Int::ZERO,
        }
    }

    fn truth(&self, term: TermId) -> bool {
        matches!(self.values.get(&term), Some(Value::Bool(true)))
    }

    /// The value of a term whose children have theirs.
    fn evaluate(&self, term: TermId) -> Value {
        if self.pool.sort(term) == crate::term::Sort::Bool
            && let Some(truth) = self.assigned(term)
        {
            return Value::Bool(truth);
        }
        match self.pool.term(term) {
            Term::IntVar(_) | Term::App(..) => match self.definitions.get(&term) {
                Some(column) => Value::Int(self.defined(term, *column)),
                None => self.rounded(term),
            },
            Term::Const(value) => Value::Int(value.clone()),
            Term::Sum(monomials, constant) => {
                let mut sum = constant.clone();
                for (coeff, leaf) in monomials {
                    sum.add_mul(coeff, &self.int(*leaf));
                }
                Value::Int(sum)
            }
            Term::Div(inner, divisor) => Value::Int(self.int(*inner).div_floor(divisor)),
            Term::Ite(condition, yes, no) => {
                let truth = self.assigned(*condition).unwrap_or_else(|| self.truth(*condition));
                Value::Int(self.int(if truth { *yes } else { *no }))
            }
            Term::True => Value::Bool(true),
            Term::False | Term::BoolVar(_) | Term::Update { .. } => Value::Bool(false),
            Term::Not(a) => Value::Bool(!self.truth(*a)),
            Term::And(list) => Value::Bool(list.iter().all(|&a| self.truth(a))),
            Term::Or(list) => Value::Bool(list.iter().any(|&a| self.truth(a))),
            Term::Iff(a, b) => Value::Bool(self.truth(*a) == self.truth(*b)),
            Term::IteBool(c, a, b) => Value::Bool(self.truth(if self.truth(*c) { *a } else { *b })),
            Term::Le(a) => Value::Bool(!self.int(*a).is_positive()),
            Term::Eq(a) => Value::Bool(self.int(*a).is_zero()),
            Term::RealVar(_) | Term::RealApp(..) | Term::Ratio(..) | Term::Lt(_) => {
                unreachable!("there are no reals here")
            }
        }
    }

    /// The value that an equation gives to one of its variables.
    fn defined(&self, term: TermId, column: Column) -> Int {
        let mut rest = self.rounded_column(column);
        let mut own = Int::ONE;
        self.pool
            .for_each_monomial(self.solver.columns.terms[column.index()], |coeff, leaf| {
                if leaf == term {
                    own = coeff.clone();
                } else if !self.is_digit_beside(term, leaf) {
                    rest.add_mul(&-coeff, &self.int(leaf));
                }
            });
        let rest = if own.is_negative() { -rest } else { rest };
        let Some(Digit { first, weight, values }) = self.digits.get(&term) else {
            return rest;
        };
        // A value that these digits cannot have is mostly a least one.
        let digit = (rest.div_ceil(first) * first).div_floor(weight);
        values.as_ref().map_or(digit.clone(), |values| digit.mod_floor(values))
    }

    /// Whether two terms are digits of one number.
    fn is_digit_beside(&self, digit: TermId, other: TermId) -> bool {
        self.digits.contains_key(&digit)
            && self.digits.contains_key(&other)
            && self.definitions.get(&digit) == self.definitions.get(&other)
    }
}
