//! Guesses: predicates that interpolants will not bring soon.
//!
//! Interpolants of a loop's unrollings often describe one iteration each: `x = 1`, `x = 2`, ... An additional predicate costs little, because
//! Boolean abstraction itself decides where it holds. So where predicates accumulate at a location, guesses are added to them.
//! No guess is ever assumed to hold.
//!
//! * [`progression`]: constants of one linear form that make an arithmetic progression are continued. A loop that has to be unrolled
//!   is then unrolled in steps that double.
//! * [`near_guards`]: bounds with which a loop compares are often bounds of its invariants, up to one.
//! * [`from_rows`]: the values of variables at the visits of a location, in several models, obey linear equations, congruences
//!   and bounds (Sharma, Gupta, Hariharan, Aiken, Liang, Nori, *A data driven approach for algebraic loop invariants*, 2013).

use provident_smt::num::{Int, Rational};
use provident_smt::term::{Term, TermId, TermPool};
use std::collections::BTreeSet;

/// The number of constants that make a progression.
const SHORTEST_RUN: usize = 5;

/// A progression is continued by as many constants as there are, up to this number.
const LONGEST_RUN: usize = 128;

/// Coefficients of guessed equations are no larger.
const MAX_COEFFICIENT: i64 = 64;

/// Linear forms of guards that are looked at at one location.
const MAX_GUARDS: usize = 6;

/// Moduli of guessed congruences are no larger.
const MAX_MODULUS: i64 = 64;

/// A predicate over a linear form without constant.
#[derive(PartialEq, Eq)]
struct Shape {
    monomials: Vec<(Int, TermId)>,
    is_equation: bool,
}

fn shape(pool: &TermPool, predicate: TermId) -> Option<(Shape, Int)> {
    let (sum, is_equation) = match pool.term(predicate) {
        Term::Le(sum) => (*sum, false),
        Term::Eq(sum) => (*sum, true),
        _ => return None,
    };
    let mut monomials = Vec::new();
    let constant = pool.for_each_monomial(sum, |coeff, term| monomials.push((coeff.clone(), term)));
    Some((Shape { monomials, is_equation }, constant))
}

/// The continuation of the arithmetic progression that `new` ends, among the `known` predicates of its place.
pub fn progression(pool: &mut TermPool, known: &[TermId], new: TermId) -> Vec<TermId> {
    let Some((form, last)) = shape(pool, new) else {
        return Vec::new();
    };
    let same_form = known.iter().filter_map(|&p| shape(pool, p)).filter(|(f, _)| *f == form);
    let constants: BTreeSet<Int> = same_form.map(|(_, constant)| constant).collect();
    let run = |step: &Int| {
        let mut length = 1;
        let mut at = &last - step;
        while constants.contains(&at) {
            length += 1;
            at = &at - step;
        }
        length
    };
    let below = constants.range(..&last).next_back().map(|c| &last - c);
    let above = constants.iter().find(|c| **c > last).map(|c| &last - c);
    let runs = [below, above].into_iter().flatten().map(|step| (run(&step), step));
    let Some((length, step)) = runs.max_by_key(|(length, _)| *length) else {
        return Vec::new();
    };
    if length < SHORTEST_RUN || constants.contains(&(&last + &step)) {
        return Vec::new();
    }
    let mut predicates = Vec::new();
    let mut constant = last.clone();
    for _ in 0..length.min(LONGEST_RUN) {
        constant = &constant + &step;
        let sum = pool.linear(&form.monomials, constant.clone());
        predicates.push(if form.is_equation {
            pool.eq_zero(sum)
        } else {
            pool.le_zero(sum)
        });
    }
    predicates
}

/// Bounds like those that the atoms of a loop's formulas compare with: for `f <= c` also `f <= c - 1` and `f <= c + 1`, since a loop's
/// last round ends just before or behind its guard. The atoms have no versions; those that are not linear comparisons of variables are left out.
pub fn near_guards(pool: &mut TermPool, atoms: &[TermId]) -> Vec<TermId> {
    let mut predicates = Vec::new();
    let mut forms: Vec<Shape> = Vec::new();
    for &atom in atoms {
        let Some((form, constant)) = shape(pool, atom) else {
            continue;
        };
        let is_variable = |(_, term): &(Int, TermId)| matches!(pool.term(*term), Term::IntVar(_));
        if form.monomials.is_empty() || form.monomials.len() > 2 || !form.monomials.iter().all(is_variable) {
            continue;
        }
        if !forms.contains(&form) && forms.len() >= MAX_GUARDS {
            continue;
        }
        for shift in [-1i64, 0, 1] {
            let sum = pool.linear(&form.monomials, &constant + &Int::from(shift));
            let predicate = pool.le_zero(sum);
            if !predicates.contains(&predicate) {
                predicates.push(predicate);
            }
        }
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    predicates.truncate(3 * MAX_GUARDS);
    predicates
}

/// Predicates over `terms` that hold in all rows of their values.
pub fn from_rows(pool: &mut TermPool, terms: &[TermId], rows: &[Vec<Int>]) -> Vec<TermId> {
    let mut predicates = Vec::new();
    for equation in equations(rows, terms.len()) {
        let monomials: Vec<(Int, TermId)> = equation[1..].iter().cloned().zip(terms.iter().copied()).collect();
        let monomials: Vec<_> = monomials.into_iter().filter(|(coeff, _)| !coeff.is_zero()).collect();
        // Interpolants find equations with a number.
        if monomials.len() >= 2 {
            let sum = pool.linear(&monomials, equation[0].clone());
            predicates.push(pool.eq_zero(sum));
        }
    }
    for (column, &term) in terms.iter().enumerate() {
        let values: BTreeSet<&Int> = rows.iter().map(|row| &row[column]).collect();
        let Some(&smallest) = values.first().filter(|_| values.len() > 2) else {
            continue;
        };
        let distance = values
            .iter()
            .fold(Int::ZERO, |gcd, &value| gcd.gcd(&(value - smallest)));
        if distance > Int::ONE && distance <= Int::from(MAX_MODULUS) {
            let (rest, wanted) = (pool.mod_floor(term, &distance), pool.int(smallest.mod_floor(&distance)));
            predicates.push(pool.eq(rest, wanted));
        }
        if !smallest.is_negative() {
            let zero = pool.int(0);
            predicates.push(pool.le(zero, term));
        }
    }
    predicates
}

/// A basis of the linear equations `c0 + c1 v1 + ... = 0` that all rows obey, in whole numbers; those with large coefficients are left out.
fn equations(rows: &[Vec<Int>], width: usize) -> Vec<Vec<Int>> {
    // Reduced echelon form of the rows, each with a leading 1 for the constant. The constant's column comes last: it should be expressed by others.
    let order: Vec<usize> = (1..=width).chain([0]).collect();
    let mut reduced: Vec<(usize, Vec<Rational>)> = Vec::new();
    for row in rows {
        let entry = |&i: &usize| {
            if i == 0 {
                Rational::from(1i64)
            } else {
                Rational::from(&row[i - 1])
            }
        };
        let mut candidate: Vec<Rational> = order.iter().map(entry).collect();
        for (lead, known) in &reduced {
            let factor = -&candidate[*lead];
            add_scaled(&mut candidate, &factor, known);
        }
        let Some(lead) = candidate.iter().position(|x| !x.is_zero()) else {
            continue;
        };
        let scale = candidate[lead].recip();
        for x in &mut candidate {
            *x = &*x * &scale;
        }
        for (_, known) in &mut reduced {
            let factor = -&known[lead];
            add_scaled(known, &factor, &candidate);
        }
        reduced.push((lead, candidate));
    }
    let is_free = |column: &usize| reduced.iter().all(|(lead, _)| lead != column);
    let mut found = Vec::new();
    for free in (0..=width).filter(is_free) {
        let mut solution = vec![Rational::from(0i64); width + 1];
        solution[order[free]] = Rational::from(1i64);
        for (lead, row) in &reduced {
            solution[order[*lead]] = -&row[free];
        }
        let denominator = solution.iter().fold(Int::ONE, |lcm, x| lcm.lcm(x.denom()));
        let denominator = Rational::from(&denominator);
        let whole: Vec<Int> = solution.iter().map(|x| (x * &denominator).numer().clone()).collect();
        if whole[1..].iter().all(|c| c.abs() <= Int::from(MAX_COEFFICIENT)) {
            found.push(whole);
        }
    }
    found
}

fn add_scaled(row: &mut [Rational], factor: &Rational, other: &[Rational]) {
    for (x, y) in row.iter_mut().zip(other) {
        x.add_mul(factor, y);
    }
}

#[cfg(test)]
mod tests {
    use super::{equations, from_rows, progression};
    use provident_smt::num::Int;
    use provident_smt::term::TermPool;

    fn rows(values: &[&[i64]]) -> Vec<Vec<Int>> {
        values
            .iter()
            .map(|row| row.iter().map(|&v| Int::from(v)).collect())
            .collect()
    }

    #[test]
    fn conserved_sums_are_found() {
        // i stays, x counts down from i, z counts up: x + z = i.
        let rows = rows(&[&[5, 5, 0], &[5, 4, 1], &[5, 3, 2], &[9, 9, 0], &[9, 8, 1]]);
        let found = equations(&rows, 3);
        assert_eq!(found.len(), 1);
        for row in &rows {
            let mut sum = found[0][0].clone();
            for (c, v) in found[0][1..].iter().zip(row) {
                sum.add_mul(c, v);
            }
            assert!(sum.is_zero(), "{found:?} {row:?}");
        }
    }

    #[test]
    fn parity_is_found() {
        let mut pool = TermPool::new();
        let x = pool.symbol("x");
        let x = pool.int_var(x, 0);
        let found = from_rows(&mut pool, &[x], &rows(&[&[1], &[3], &[7]]));
        let two = Int::from(2i64);
        let (rest, one) = (pool.mod_floor(x, &two), pool.int(1));
        let odd = pool.eq(rest, one);
        assert!(found.contains(&odd));
    }

    #[test]
    fn progressions_double() {
        let mut pool = TermPool::new();
        let x = pool.symbol("x");
        let x = pool.int_var(x, 0);
        let mut is = |value: i64| {
            let value = pool.int(value);
            pool.eq(x, value)
        };
        let known: Vec<_> = (0..6).map(&mut is).collect();
        let next: Vec<_> = (6..12).map(&mut is).collect();
        assert_eq!(progression(&mut pool, &known, known[5]), next);
        assert!(progression(&mut pool, &known[..3], known[2]).is_empty());
    }
}
