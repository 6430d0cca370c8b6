//! Cuts from proofs: branches on forms that the constraints at which the vertex stands keep from integers (Dillig, Dillig, Aiken, *Cuts from proofs*,
//! CAV 2009).
//!
//! The columns that stand at a bound are equations over the integer leaves, and the vertex is their rational solution. If they have no integer
//! solution, some integral linear form `t` of the leaves has a fixed value that is no integer, and the branch `t <= floor(v)` or
//! `t >= floor(v) + 1` cuts a whole facet off instead of one vertex. If the equations always hold (both bounds are equal) both branches
//! end in a Farkas conflict at once: this is then the test of linear Diophantine equations, with a clausal proof like any other.
//!
//! The equations are solved one by one by unimodular substitutions, with the least coefficient as pivot (Knuth, TAOCP 2, section 4.5.2; Pugh's
//! *Omega test*, 1991, uses the same step). Each variable in between is an integral form of the leaves, which gives `t`.

use super::tableau::{Column, NO_ROW};
use crate::hash::FxHashMap;
use crate::num::Int;
use crate::proof::Lit;
use crate::solver::Solver;
use crate::solver::limits::{MAX_EQUATIONS, MAX_GROWTH, MAX_STEPS};
use crate::term::{Term, TermId, TermPool};
use std::cmp::Ordering;

/// A linear form: variables with their coefficients, which are not zero, ascending by variable.
#[derive(Clone, Default)]
struct Form(Vec<(usize, Int)>);

impl Form {
    /// The form of monomials in any order, no two of the same variable.
    fn new(mut monomials: Vec<(usize, Int)>) -> Form {
        monomials.sort_unstable_by_key(|(variable, _)| *variable);
        Form(monomials)
    }

    fn coefficients(&self) -> impl Iterator<Item = &Int> {
        self.0.iter().map(|(_, coeff)| coeff)
    }

    /// Takes a variable out and returns its coefficient.
    fn remove(&mut self, variable: usize) -> Option<Int> {
        let at = self.0.binary_search_by_key(&variable, |(other, _)| *other).ok()?;
        Some(self.0.remove(at).1)
    }

    /// Adds `factor * other`, where the factor is not zero; returns the effort.
    fn add_times(&mut self, factor: &Int, other: &Form) -> u64 {
        let mut sum = Vec::with_capacity(self.0.len() + other.0.len());
        let mut own = std::mem::take(&mut self.0).into_iter().peekable();
        for (variable, coeff) in &other.0 {
            while let Some(monomial) = own.next_if(|(at, _)| at < variable) {
                sum.push(monomial);
            }
            let mut total = match own.next_if(|(at, _)| at == variable) {
                Some((_, total)) => total,
                None => Int::ZERO,
            };
            total.add_mul(factor, coeff);
            if !total.is_zero() {
                sum.push((*variable, total));
            }
        }
        sum.extend(own);
        self.0 = sum;
        other.0.len() as u64
    }

    /// The greatest absolute value of a coefficient.
    fn largest(&self) -> Int {
        self.coefficients().map(Int::abs).max().unwrap_or(Int::ZERO)
    }
}

/// `variable = form + constant`, once and for all.
struct Substitution {
    variable: usize,
    form: Form,
    constant: Int,
}

/// Compares absolute values.
fn by_magnitude(a: &Int, b: &Int) -> Ordering {
    match (a.to_i64(), b.to_i64()) {
        (Some(a), Some(b)) => a.unsigned_abs().cmp(&b.unsigned_abs()),
        _ => a.abs().cmp(&b.abs()),
    }
}

/// A system of linear equations over the integers that is being solved.
struct System {
    /// The meaning of each variable, as an integral form of the leaves.
    variables: Vec<Form>,
    substitutions: Vec<Substitution>,
    steps: u64,
}

impl System {
    fn new(leaves: usize) -> System {
        System {
            variables: (0..leaves).map(|leaf| Form(vec![(leaf, Int::ONE)])).collect(),
            substitutions: Vec::new(),
            steps: 0,
        }
    }

    /// Adds `form = value`. If no integers solve the system any more: an integral form of the leaves, and the numerator and denominator of the fraction
    /// that is its value.
    fn add(&mut self, mut form: Form, mut value: Int) -> Option<(Form, Int, Int)> {
        for substitution in &self.substitutions {
            if let Some(coeff) = form.remove(substitution.variable) {
                self.steps += form.add_times(&coeff, &substitution.form);
                value.add_mul(&-coeff, &substitution.constant);
            }
        }
        let gcd = form.coefficients().fold(Int::ZERO, |gcd, coeff| gcd.gcd(coeff));
        if gcd.is_zero() {
            return None;
        }
        for (_, coeff) in &mut form.0 {
            *coeff = coeff.div_exact(&gcd);
        }
        if !value.is_multiple_of(&gcd) {
            let mut cut = Form::default();
            for (variable, coeff) in &form.0 {
                self.steps += cut.add_times(coeff, &self.variables[*variable]);
            }
            return Some((cut, value, gcd));
        }
        self.solve(form, value.div_exact(&gcd));
        None
    }

    /// Eliminates a variable by an equation with coprime coefficients.
    fn solve(&mut self, mut form: Form, value: Int) {
        loop {
            let least = form.0.iter().min_by(|(_, a), (_, b)| by_magnitude(a, b));
            let pivot = least.expect("the equation has variables").0;
            let least = form.remove(pivot).expect("it is one of the variables");
            if least.abs().is_one() {
                let sign = -&least;
                for (_, coeff) in &mut form.0 {
                    *coeff = &*coeff * &sign;
                }
                self.substitutions.push(Substitution {
                    variable: pivot,
                    form,
                    constant: &value * &least,
                });
                return;
            }
            // pivot = fresh - sum of quotient * variable
            let (mut rest, mut definition) = (Form::default(), Form::default());
            let mut meaning = self.variables[pivot].clone();
            for (variable, coeff) in form.0 {
                let quotient = coeff.div_floor(&least);
                let mut remainder = coeff;
                remainder.add_mul(&-&quotient, &least);
                if !remainder.is_zero() {
                    rest.0.push((variable, remainder));
                }
                if !quotient.is_zero() {
                    self.steps += meaning.add_times(&quotient, &self.variables[variable]);
                    definition.0.push((variable, -quotient));
                }
            }
            let fresh = self.variables.len();
            self.variables.push(meaning);
            // It is the last of all variables.
            definition.0.push((fresh, Int::ONE));
            self.substitutions.push(Substitution {
                variable: pivot,
                form: definition,
                constant: Int::ZERO,
            });
            rest.0.push((fresh, least));
            form = rest;
        }
    }
}

impl Solver {
    /// A branch on a form that the bounds at which the vertex stands keep from integers.
    pub(in crate::solver) fn branch_on_tight_system(&mut self, pool: &mut TermPool) -> Option<Lit> {
        let tight = self.tight_columns(pool)?;
        let mut leaves: Vec<TermId> = Vec::new();
        let mut numbers: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut equations: Vec<(Form, Int)> = Vec::new();
        for column in tight {
            let mut monomials = Vec::new();
            pool.for_each_monomial(self.columns.terms[column.index()], |coeff, leaf| {
                let number = *numbers.entry(leaf).or_insert_with(|| {
                    leaves.push(leaf);
                    leaves.len() - 1
                });
                monomials.push((number, coeff.clone()));
            });
            let value = self.theories.arith.tableau.column(column).value.numer().clone();
            equations.push((Form::new(monomials), value));
        }
        let mut system = System::new(leaves.len());
        let mut found = None;
        let limit = &equations.iter().map(|(form, _)| form.largest()).max()? * &Int::from(MAX_GROWTH);
        for (form, value) in equations {
            found = system.add(form, value);
            if found.is_some() || system.steps > MAX_STEPS {
                break;
            }
        }
        self.search.ticks += system.steps;
        let (form, numerator, denominator) = found?;
        if form.largest() > limit {
            return None;
        }
        let monomials = form.0.into_iter().map(|(leaf, coeff)| (coeff, leaves[leaf]));
        let monomials: Vec<(Int, TermId)> = monomials.collect();
        let form = pool.linear(&monomials, Int::ZERO);
        Some(self.branch_at(pool, form, &numerator.div_floor(&denominator)))
    }

    /// Moves columns that stand at no bound until something does: there is more to cut at a vertex than on a face. Whether any moved.
    pub(in crate::solver) fn go_to_vertex(&mut self) -> bool {
        if self.theories.arith.tableau.has_reals {
            return false;
        }
        let mut moved = false;
        let before = self.theories.arith.tableau.ticks;
        for i in 0..self.theories.arith.tableau.columns.len() {
            let data = &self.theories.arith.tableau.columns[i];
            if data.row == NO_ROW
                && !data.links.is_empty()
                && !data.stands_at(&data.lower)
                && !data.stands_at(&data.upper)
            {
                moved |= self
                    .theories
                    .arith
                    .tableau
                    .bring_to_bound(Column(u32::try_from(i).expect("columns are 32 bits")));
            }
        }
        self.search.ticks += self.theories.arith.tableau.ticks - before;
        moved
    }

    /// The columns that keep the vertex where it is: those that are not basic, at a bound. Fixed ones come first, and bounds of single leaves last: they
    /// may be branches, and a cut that needs none of them goes further. None if there are too many.
    fn tight_columns(&self, pool: &TermPool) -> Option<Vec<Column>> {
        let (mut fixed, mut rows, mut leaves) = (Vec::new(), Vec::new(), Vec::new());
        for (i, data) in self.theories.arith.tableau.columns.iter().enumerate() {
            let column = Column(u32::try_from(i).expect("columns are 32 bits"));
            if data.is_real {
                continue;
            }
            match (data.stands_at(&data.lower), data.stands_at(&data.upper)) {
                (true, true) => fixed.push(column),
                (false, false) => continue,
                _ if data.row != NO_ROW || data.links.is_empty() => continue,
                _ if matches!(pool.term(self.columns.terms[i]), Term::Sum(..)) => rows.push(column),
                _ => leaves.push(column),
            }
            if fixed.len() + rows.len() + leaves.len() > MAX_EQUATIONS {
                return None;
            }
        }
        fixed.append(&mut rows);
        fixed.append(&mut leaves);
        Some(fixed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(coeffs: &[i64]) -> Form {
        let monomials = coeffs.iter().enumerate().filter(|(_, c)| **c != 0);
        Form::new(monomials.map(|(i, c)| (i, Int::from(*c))).collect())
    }

    /// `3x + 2y = 1` has integer solutions, and so has each of `x - z = 0` and `y + 5z = 0`, but all together fix `z` to `-1/7`.
    #[test]
    fn a_system_without_integer_solution_gives_a_form() {
        let mut system = System::new(3);
        assert!(system.add(form(&[3, 2, 0]), Int::from(1)).is_none());
        assert!(system.add(form(&[1, 0, -1]), Int::from(0)).is_none());
        let (cut, numerator, denominator) = system.add(form(&[0, 1, 5]), Int::from(0)).expect("no integer solution");
        assert!(!numerator.is_multiple_of(&denominator));
        // At the rational solution (-1/7, 5/7, -1/7) the form has that value.
        let solution = [-1, 5, -1];
        let seventh = cut.0.iter().fold(Int::ZERO, |mut sum, (leaf, coeff)| {
            sum.add_mul(coeff, &Int::from(solution[*leaf]));
            sum
        });
        assert_eq!(&seventh * &denominator, &numerator * &Int::from(7));
    }

    #[test]
    fn sums_of_forms_have_no_zeros_and_stay_sorted() {
        let mut sum = form(&[2, 0, 3, 0, 1]);
        assert_eq!(sum.add_times(&Int::from(-3), &form(&[0, 1, 1, 2])), 3);
        let expected = [(0, 2), (1, -3), (3, -6), (4, 1)].map(|(at, coeff)| (at, Int::from(coeff)));
        assert_eq!(sum.0, expected);
        assert_eq!(sum.remove(3), Some(Int::from(-6)));
        assert_eq!(sum.remove(2), None);
        assert_eq!(sum.largest(), Int::from(3));
    }

    #[test]
    fn a_solvable_system_gives_none() {
        let mut system = System::new(3);
        assert!(system.add(form(&[6, 10, 15]), Int::from(1)).is_none());
        assert!(system.add(form(&[12, 20, 30]), Int::from(2)).is_none());
        assert!(system.add(form(&[6, 0, 0]), Int::from(36)).is_none());
    }
}
