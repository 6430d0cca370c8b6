//! Different values: `x /= y` says, for each value `v` of both, that not both `x = v` and `y = v`.
//!
//! Bounds alone say nothing of two different integers before one of them is fixed and the other one has come to that value. With atoms `x = v`, unit propagation takes the value out
//! of the middle of a domain.
//!
//! A disequation may also be hidden: `d /= 0` where a definition says that `d` is `x - y`.

use super::Solver;
use crate::hash::{FxHashMap, FxHashSet};
use crate::num::Int;
use crate::proof::{LemmaKind, Lit, Step, Var};
use crate::solver::arith::tableau::{Column, Entry};
use crate::solver::sat::search::Value;
use crate::term::{Term, TermId, TermPool};

/// No more clauses of values are made than this in one turn.
const MAX_CLAUSES: usize = 200_000;

/// The clauses that are there already: they outlive turns and checks.
#[derive(Default)]
pub(super) struct Values {
    clauses: FxHashSet<(Var, Column, i64)>,
    /// Equations that are false because others are.
    hidden: FxHashSet<(Var, Var)>,
}

/// The literals of `column = value`.
#[derive(Clone, Copy)]
struct Equal {
    at_most: Lit,
    at_least: Lit,
    /// The literal that both hold, if there is an atom for it.
    both: Option<Lit>,
}

/// A sum or difference of two columns with domains that is not `value`.
pub(super) struct Difference {
    pub left: Column,
    pub right: Column,
    /// The coefficients of the two: 1 or -1.
    pub coeffs: [i64; 2],
    pub value: i64,
    /// The equation, which is false.
    pub equation: Var,
}

impl Difference {
    /// The value of the right side that the left side excludes by this one.
    fn other(&self, left: i64) -> Option<i64> {
        let [p, q] = self.coeffs;
        // The coefficients are their own inverses.
        Some(q * self.value.checked_sub(p * left)?)
    }

    /// Whether it says that two leaves are different. `negative` says of the differences from the reference, which stand for leaves, whether the leaf is negative.
    pub fn is_of_leaves(&self, pool: &TermPool, terms: &[TermId], negative: &FxHashMap<Column, bool>) -> bool {
        let sign = |column: Column| match negative.get(&column) {
            Some(true) => Some(-1),
            None if matches!(pool.term(terms[column.index()]), Term::Sum(..)) => None,
            _ => Some(1),
        };
        let [p, q] = self.coeffs;
        let signs = sign(self.left).zip(sign(self.right));
        self.value == 0 && signs.is_some_and(|(left, right)| p * left + q * right == 0)
    }
}

impl Solver {
    /// Makes equations of the integers and differences that have not some value because another integer, which a definition makes equal to them, has not some value. Whether there were any.
    pub(super) fn find_differences(&mut self, pool: &mut TermPool) -> bool {
        let mut found: Vec<(Var, Vec<Entry>)> = Vec::new();
        let definitions = self.theories.arith.resting.as_ref().expect("the simplex rests");
        for var in self.false_equations() {
            let column = self.columns.equations[&var].column;
            if !self.finite.places.contains_key(&column) {
                continue;
            }
            for entries in definitions.rows_of(column) {
                self.search.ticks += entries.len() as u64;
                let mut open = entries
                    .iter()
                    .filter(|e| e.column != column && self.theories.arith.tableau.column(e.column).fixed().is_none());
                let is_finite = |entry: &Entry| self.finite.places.contains_key(&entry.column);
                let tells = match (open.next(), open.next(), open.next()) {
                    (Some(a), None, None) => is_finite(a),
                    (Some(a), Some(b), None) => is_finite(a) && is_finite(b) && (&a.coeff + &b.coeff).is_zero(),
                    _ => false,
                };
                if tells {
                    found.push((var, entries.to_vec()));
                }
            }
        }
        let mut is_new = false;
        for (var, entries) in found {
            is_new |= self.add_hidden(pool, var, &entries);
        }
        is_new
    }

    /// The equations that are false now, in the order in which they were made.
    fn false_equations(&self) -> Vec<Var> {
        let vars = self.columns.equations.keys().copied();
        let mut vars: Vec<Var> = vars.filter(|var| self.search.is_false(var.positive())).collect();
        vars.sort_unstable();
        vars
    }

    /// For a false equation of one column of a row, whose others are fixed but for one, or for two with opposite coefficients: the one, or the difference of the two, is not what it
    /// would be. Whether this was not known.
    fn add_hidden(&mut self, pool: &mut TermPool, hole: Var, entries: &[Entry]) -> bool {
        let equation = &self.columns.equations[&hole];
        let (column, Some(value)) = (equation.column, equation.value.as_int().cloned()) else {
            return false;
        };
        let conclusion = Equal {
            at_most: equation.le,
            at_least: equation.ge,
            both: Some(hole.positive()),
        };
        let mut fixed: Vec<(Int, Equal)> = Vec::new();
        let (mut sum, mut own, mut open) = (Int::ZERO, Int::ONE, Vec::new());
        for entry in entries {
            let data = self.theories.arith.tableau.column(entry.column);
            if entry.column == column {
                own = entry.coeff.clone();
                sum.add_mul(&entry.coeff, &value);
            } else if let (Some(value), Some(upper), Some(lower)) = (data.fixed(), &data.upper, &data.lower) {
                sum.add_mul(&entry.coeff, value);
                let equal = Equal {
                    at_most: upper.literal,
                    at_least: lower.literal,
                    both: None,
                };
                fixed.push((entry.coeff.clone(), equal));
            } else {
                open.push(entry.clone());
            }
        }
        let Some(a) = open.first() else { return false };
        // `coeff * (a - b) + sum = 0` is what does not hold, or `coeff * a + sum = 0`.
        if !sum.is_multiple_of(&a.coeff) {
            return false;
        }
        let terms: Vec<TermId> = open.iter().map(|e| self.columns.terms[e.column.index()]).collect();
        if self.common_part(pool, &terms).is_none() {
            return false;
        }
        let left = terms[0];
        let hidden = terms.get(1).map_or(left, |&right| pool.sub(left, right));
        let value = pool.int(-sum.div_exact(&a.coeff));
        let atom = pool.eq(hidden, value);
        if matches!(pool.term(atom), Term::True | Term::False) {
            return false;
        }
        let literal = self.literal(pool, atom);
        if self.search.is_false(literal) || !self.finite.values.hidden.insert((hole, literal.var())) {
            return false;
        }
        self.materialise(pool);
        let Some(premise) = self.columns.equations.get(&literal.var()) else {
            return false;
        };
        // The equation may be about `b - a`.
        let is_same = self.columns.terms[premise.column.index()] == hidden;
        let coeff = if is_same { a.coeff.clone() } else { -&a.coeff };
        let premise = Equal {
            at_most: premise.le,
            at_least: premise.ge,
            both: Some(literal),
        };
        let mut premises = fixed;
        premises.push((coeff, premise));
        self.add_equation_lemma(pool, &premises, (&own, conclusion));
        true
    }

    /// Adds the clause that columns have the values that equations say, if a linear equation of the columns with these coefficients holds for those values: the premises imply the conclusion.
    fn add_equation_lemma(&mut self, pool: &TermPool, premises: &[(Int, Equal)], (own, conclusion): (&Int, Equal)) {
        let equation = conclusion.both.expect("an equation is concluded");
        let mut clause = vec![equation];
        for (_, premise) in premises {
            match premise.both {
                Some(both) => clause.push(!both),
                None => clause.extend([!premise.at_most, !premise.at_least]),
            }
        }
        clause.sort_unstable();
        clause.dedup();
        let mut derivation = self.search.derivation();
        if derivation.is_traced() {
            let atom = |lit: Lit| self.formulas.terms[lit.var().index()];
            let trichotomy = |both: Lit| Step::Lemma {
                part: self.assertions.part,
                kind: LemmaKind::Trichotomy { atom: atom(both) },
            };
            debug_assert!(matches!(pool.term(atom(equation)), Term::Eq(_)));
            let goal = [equation, !conclusion.at_most, !conclusion.at_least];
            let id = self.search.events.axiom(&goal, &trichotomy(equation));
            derivation.resolve(id, equation.var());
            for (goal, is_upper) in [(conclusion.at_most, true), (conclusion.at_least, false)] {
                // The sum of the premises' terms falls where the conclusion's term rises, if that has a positive coefficient.
                let (mut literals, mut coeffs) = (vec![goal], vec![own.abs()]);
                for (coeff, premise) in premises {
                    let at_least = (coeff.is_positive() == own.is_positive()) == is_upper;
                    literals.push(!if at_least { premise.at_least } else { premise.at_most });
                    coeffs.push(coeff.abs());
                }
                let coeffs = coeffs.into();
                let id = self.search.events.axiom(&literals, &Step::Farkas { coeffs });
                derivation.resolve(id, goal.var());
            }
            for (_, premise) in premises {
                let Some(both) = premise.both else { continue };
                for side in [premise.at_most, premise.at_least] {
                    let id = self.search.events.axiom(&[!both, side], &trichotomy(both));
                    derivation.resolve(id, side.var());
                }
            }
        }
        let proof = self.search.conclude(&derivation, &clause);
        self.search.add_clause(&clause, proof);
    }

    /// The differences of columns with domains that are known to be different from some value.
    pub(super) fn differences(&self, pool: &TermPool) -> Vec<Difference> {
        let mut found = Vec::new();
        for equation in self.false_equations() {
            let known = &self.columns.equations[&equation];
            let Some(value) = known.value.as_int().and_then(Int::to_i64) else {
                continue;
            };
            let mut form: Vec<(Int, Column)> = Vec::new();
            pool.for_each_monomial(self.columns.terms[known.column.index()], |coeff, leaf| {
                form.push((coeff.clone(), self.columns.of[&leaf]));
            });
            let [(p, _), (q, _)] = &form[..] else { continue };
            if !p.abs().is_one() || !(p + q).is_zero() {
                continue;
            }
            let form = self.finite.reference.shift(&form).unwrap_or(form);
            let [(p, a), (q, b)] = &form[..] else { continue };
            let (first, second) = ((p.is_positive(), *a), (q.is_positive(), *b));
            // The left one is positive, if there is one.
            let ((left_positive, left), (right_positive, right)) = if second.0 && !first.0 {
                (second, first)
            } else {
                (first, second)
            };
            if [left, right].iter().all(|c| self.finite.places.contains_key(c)) {
                found.push(Difference {
                    left,
                    right,
                    coeffs: [left_positive, right_positive].map(|positive| if positive { 1 } else { -1 }),
                    value,
                    equation,
                });
            }
        }
        found
    }

    /// Adds the clauses of values for all differences.
    pub(super) fn separate_values(&mut self, pool: &mut TermPool) {
        let mut room = MAX_CLAUSES;
        for difference in self.differences(pool) {
            let [left, right] = [difference.left, difference.right].map(|column| self.finite.places[&column]);
            let (left, right) = (&self.finite.domains[left], &self.finite.domains[right]);
            let (values, others) = (left.low..=left.high, right.low..=right.high);
            for value in values {
                let other = difference.other(value).filter(|other| others.contains(other));
                let Some(other) = other else { continue };
                if room == 0 {
                    return;
                }
                if self
                    .finite
                    .values
                    .clauses
                    .insert((difference.equation, difference.left, value))
                {
                    room -= 1;
                    self.separate(pool, &difference, value, other);
                }
            }
        }
    }

    /// Adds the clause that the left side has not this value or the right side not that one.
    fn separate(&mut self, pool: &mut TermPool, difference: &Difference, value: i64, other: i64) {
        let left = self.equal(pool, difference.left, value);
        let right = self.equal(pool, difference.right, other);
        let (Some(left), Some(right)) = (left, right) else {
            return;
        };
        let known = &self.columns.equations[&difference.equation];
        let conclusion = Equal {
            at_most: known.le,
            at_least: known.ge,
            both: Some(difference.equation.positive()),
        };
        // The sum minus the equation's term is zero.
        let [p, q] = difference.coeffs.map(Int::from);
        let premises = [(p, left), (q, right)];
        self.add_equation_lemma(pool, &premises, (&Int::MINUS_ONE, conclusion));
    }

    /// The literals of the equation of a column and a value of its domain.
    fn equal(&mut self, pool: &mut TermPool, column: Column, value: i64) -> Option<Equal> {
        let term = self.columns.terms[column.index()];
        let number = pool.int(value);
        let atom = pool.eq(term, number);
        let both = self.literal(pool, atom);
        let known = self.columns.equations.get(&both.var())?;
        let equal = Equal {
            at_most: known.le,
            at_least: known.ge,
            both: Some(both),
        };
        if self.search.value(both) == Value::Open {
            self.borrow(both.var());
            self.finite.equal.insert((column, value), both.var());
            if let Some(preferred) = self.preferred_value(pool, term) {
                self.search.phases[both.var().index()] = preferred == value;
            }
        }
        Some(equal)
    }
}
