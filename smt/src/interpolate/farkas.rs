//! The partial interpolants of a Farkas step: inequalities that sum up to a contradiction.
//!
//! The assumed inequalities are split between A and B; of a mixed one each side has its half (see [`purify`](super::purify)). Let `a <= 0` be the
//! weighted sum of A's and `b <= 0` that of B's, where `a + b` is a constant `k > 0`. Terms local to a side cancel in its sum.
//!
//! | leaf | partial interpolant |
//! |---|---|
//! | Farkas | `a <= 0` (McMillan, *An interpolating theorem prover*, 2005) |
//! | dual Farkas | `b > 0`, that is `a <= k - 1` |
//! | decomposed | `a_1 <= 0 & a_2 <= 0 & ...` where the `a_i` sum up to `a` and each is without terms local to A |
//! | dual decomposed | `b_1 > 0 \| b_2 > 0 \| ...` in the same way |
//!
//! (Blicha, Hyvärinen, Kofroň, Sharygina, *Decomposing Farkas interpolants*, TACAS 2019.) The weights form a vector in the cone of non-negative
//! solutions of a linear system with one equation for each local term. The decomposition writes it as a sum of extreme rays of the cone, which have
//! minimal support: a ray is found by walking from the vector along solutions of the system that some weights allow, until another weight
//! vanishes; then as much as possible of the ray is taken off, which makes at least one weight zero.

use crate::hash::FxHashMap;
use crate::num::{Int, Rational};
use crate::term::TermId;

/// One side's part of an assumed inequality `sum <= 0`, or `sum < 0` if strict.
#[derive(Clone, Debug)]
pub(super) struct Summand {
    /// The weight.
    pub(super) weight: Int,
    /// The monomials; sums are allowed as terms.
    pub(super) monomials: Vec<(Int, TermId)>,
    pub(super) constant: Int,
    pub(super) strict: bool,
    /// The monomials of terms local to the side.
    pub(super) local: Vec<(Int, TermId)>,
}

/// A weighted sum of inequalities.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum {
    pub(super) monomials: Vec<(Int, TermId)>,
    pub(super) constant: Int,
    pub(super) strict: bool,
}

/// The weighted sum of one side.
pub(super) fn sum(side: &[Summand]) -> Sum {
    weighted(
        side,
        &side.iter().map(|summand| summand.weight.clone()).collect::<Vec<_>>(),
    )
}

fn weighted(side: &[Summand], weights: &[Int]) -> Sum {
    let mut sum = Sum::default();
    for (summand, weight) in side.iter().zip(weights).filter(|(_, weight)| !weight.is_zero()) {
        sum.monomials
            .extend(summand.monomials.iter().map(|(c, term)| (c * weight, *term)));
        sum.constant.add_mul(weight, &summand.constant);
        sum.strict |= summand.strict;
    }
    sum
}

/// The sums of one side that are without its local terms and that sum up to a multiple of its weighted sum.
pub(super) fn decomposition(side: &[Summand]) -> Vec<Sum> {
    let mut rows: FxHashMap<TermId, usize> = FxHashMap::default();
    let mut system: Vec<Vec<Rational>> = Vec::new();
    for (column, summand) in side.iter().enumerate() {
        for (coeff, term) in &summand.local {
            let row = *rows.entry(*term).or_insert_with(|| {
                system.push(vec![Rational::from(0); side.len()]);
                system.len() - 1
            });
            system[row][column] = &system[row][column] + &Rational::from(coeff);
        }
    }
    let mut rest: Vec<Rational> = side.iter().map(|summand| Rational::from(&summand.weight)).collect();
    let mut sums = Vec::new();
    // An inequality without local terms stands alone. Taken off first, it has no influence on the rest.
    for (column, weight) in rest
        .iter_mut()
        .enumerate()
        .filter(|(column, _)| side[*column].local.is_empty())
    {
        sums.push(sum(&side[column..=column]));
        *weight = Rational::from(0);
    }
    while rest.iter().any(Rational::is_positive) {
        let ray = extreme_ray(&system, rest.clone());
        let share = most(&rest, &ray);
        subtract(&mut rest, &share, &ray);
        sums.push(weighted(side, &integers(&ray)));
    }
    sums
}

/// A non-negative solution of minimal support, within the support of the given one.
fn extreme_ray(system: &[Vec<Rational>], mut weights: Vec<Rational>) -> Vec<Rational> {
    while let Some(mut direction) = other_solution(system, &weights) {
        if !direction.iter().any(Rational::is_positive) {
            for value in &mut direction {
                *value = -&*value;
            }
        }
        let share = most(&weights, &direction);
        subtract(&mut weights, &share, &direction);
    }
    weights
}

/// The largest multiple of `direction` below `weights`.
fn most(weights: &[Rational], direction: &[Rational]) -> Rational {
    let limits = weights
        .iter()
        .zip(direction)
        .filter(|(_, d)| d.is_positive())
        .map(|(w, d)| w / d);
    limits.min().expect("a direction has a positive entry")
}

fn subtract(weights: &mut [Rational], share: &Rational, direction: &[Rational]) {
    for (weight, d) in weights.iter_mut().zip(direction) {
        *weight = &*weight - &(share * d);
    }
}

/// A solution on the support of `weights` that is zero where the last of these weights is not, so that it is no multiple of them; none if the solutions
/// on the support are multiples of each other. Gaussian elimination.
fn other_solution(system: &[Vec<Rational>], weights: &[Rational]) -> Option<Vec<Rational>> {
    let support: Vec<usize> = (0..weights.len()).filter(|&i| !weights[i].is_zero()).collect();
    let (_, free_columns) = support.split_last()?;
    let mut rows: Vec<Vec<Rational>> = system.to_vec();
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for (done, &column) in free_columns.iter().enumerate() {
        let Some(found) = (done..rows.len()).find(|&row| !rows[row][column].is_zero()) else {
            // This column depends on the pivots' columns.
            let mut solution = vec![Rational::from(0); weights.len()];
            solution[column] = Rational::from(1);
            for &(row, pivot) in &pivots {
                solution[pivot] = -&(&rows[row][column] / &rows[row][pivot]);
            }
            return Some(solution);
        };
        rows.swap(done, found);
        let pivot_row = rows[done].clone();
        for (index, row) in rows.iter_mut().enumerate() {
            if index != done && !row[column].is_zero() {
                let factor = &row[column] / &pivot_row[column];
                subtract(row, &factor, &pivot_row);
            }
        }
        pivots.push((done, column));
    }
    None
}

/// A positive multiple with integers only.
fn integers(values: &[Rational]) -> Vec<Int> {
    let common = values.iter().fold(Int::from(1), |lcm, value| lcm.lcm(value.denom()));
    let scaled: Vec<Int> = values
        .iter()
        .map(|value| value.numer() * &common.div_exact(value.denom()))
        .collect();
    let gcd = scaled.iter().fold(Int::from(0), |gcd, value| gcd.gcd(value));
    scaled.iter().map(|value| value.div_exact(&gcd)).collect()
}
