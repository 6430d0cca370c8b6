//! Interpolants of sequences, one binary query for each cut.
//!
//! The cuts may be taken in any order. The query for a cut is between what is known on its left and on its right: on the left the interpolant of the nearest cut that is done, and the parts behind it;
//! on the right the parts up to the nearest cut that is done, and the *negation* of its interpolant. Where no cut is done, all parts of that side stand for themselves.
//!
//! The result is a sequence of interpolants for every order and for every way to interpolate two formulas. Of two neighbouring cuts `k` and `k + 1` one comes later: if it is `k + 1`, its left side is
//! `I_k & P_{k+1}`, which implies `I_{k+1}`; if it is `k`, its right side is `P_{k+1} & !I_{k+1}`, which contradicts `I_k`. No query has a model if the parts have none: by the same argument, the
//! interpolants that are done are a sequence for the parts between them. Symbols of an interpolant occur on both sides of its cut, so they are no new ones for its neighbours.
//!
//! With [`Direction::Alone`] no cut is looked at for the others. Then all this does not hold, and the interpolants are one of each cut and no more.
//!
//! The order matters for what is found. From the first cut to the last an interpolant is a step of the strongest postcondition with what does not matter left out; from the last to the first it is
//! one of the weakest precondition. From the middle each query but the first is about half of the parts.

use super::query::Query;
use super::{Cost, Direction, InterpolationConfig, SequenceResult};
use crate::term::{TermId, TermPool};

/// The interpolants of all cuts of at least two parts, with their cost, without a check.
pub(super) fn cut_by_cut(
    pool: &mut TermPool,
    parts: &[TermId],
    config: &InterpolationConfig,
) -> (SequenceResult, Cost) {
    let mut found: Vec<Option<TermId>> = vec![None; parts.len() - 1];
    let mut cost = Cost::default();
    for (number, cut) in order(config.direction, found.len()).into_iter().enumerate() {
        let known = if config.direction == Direction::Alone {
            &[]
        } else {
            &found[..]
        };
        let (inside, outside) = sides(pool, parts, known, cut);
        match Query::between(pool, &inside, &outside, config, &mut cost) {
            SequenceResult::Unsat(interpolants) => found[cut] = Some(interpolants[0]),
            SequenceResult::Sat(model) => {
                assert!(number == 0, "interpolants keep the contradiction between the parts");
                return (SequenceResult::Sat(model), cost);
            }
            unknown @ SequenceResult::Unknown(_) => return (unknown, cost),
        }
    }
    (SequenceResult::Unsat(found.into_iter().flatten().collect()), cost)
}

/// The cuts in the order in which they are interpolated. There is at least one.
fn order(direction: Direction, cuts: usize) -> Vec<usize> {
    match direction {
        Direction::Together | Direction::Forward | Direction::Alone => (0..cuts).collect(),
        Direction::Backward => (0..cuts).rev().collect(),
        Direction::Middle => {
            let mut order = Vec::with_capacity(cuts);
            let mut open = vec![(0, cuts)];
            while let Some((start, end)) = open.pop() {
                if start < end {
                    let middle = usize::midpoint(start, end - 1);
                    order.push(middle);
                    open.extend([(middle + 1, end), (start, middle)]);
                }
            }
            order
        }
    }
}

/// The formulas on the left and on the right of a cut that is not done. Cuts that are not listed are not done.
fn sides(pool: &mut TermPool, parts: &[TermId], found: &[Option<TermId>], cut: usize) -> (Vec<TermId>, Vec<TermId>) {
    let at = |at: usize| Some((at, found.get(at).copied().flatten()?));
    let left = (0..cut).rev().find_map(at);
    let right = (cut + 1..found.len()).find_map(at);
    let mut inside = parts[left.map_or(0, |(at, _)| at + 1)..=cut].to_vec();
    inside.extend(left.map(|(_, interpolant)| interpolant));
    let mut outside = parts[cut + 1..=right.map_or(parts.len() - 1, |(at, _)| at)].to_vec();
    outside.extend(right.map(|(_, interpolant)| pool.not(interpolant)));
    (inside, outside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpolate::{Labelling, check_sequence, sequence};

    /// `a` or `b` first, and each of them is enough for the rest: what a cut takes of them it need not take at the next one.
    #[test]
    fn cuts_alone_have_interpolants_of_their_own() {
        let mut pool = TermPool::new();
        let x = pool.symbol("x");
        let xs: Vec<TermId> = (0..4).map(|index| pool.int_var(x, index)).collect();
        let (zero, one, nine) = (pool.int(0), pool.int(1), pool.int(9));
        let mut parts = vec![pool.eq(xs[0], zero)];
        for step in xs.windows(2) {
            let next = pool.add(step[0], one);
            parts.push(pool.eq(step[1], next));
        }
        parts.push(pool.le(nine, xs[3]));
        let config = InterpolationConfig {
            check: true,
            direction: Direction::Alone,
            drop_redundant: true,
            ..InterpolationConfig::default()
        };
        let SequenceResult::Unsat(interpolants) = sequence(&mut pool, &parts, &config) else {
            panic!("three steps do not lead from 0 to 9");
        };
        assert_eq!(interpolants.len(), 4);
        for (cut, &interpolant) in interpolants.iter().enumerate() {
            let sides = [pool.and(&parts[..=cut]), pool.and(&parts[cut + 1..])];
            assert_eq!(check_sequence(&mut pool, &sides, &[interpolant]), Ok(()));
        }
    }

    #[test]
    fn each_cut_has_its_turn() {
        assert_eq!(order(Direction::Forward, 4), [0, 1, 2, 3]);
        assert_eq!(order(Direction::Backward, 4), [3, 2, 1, 0]);
        assert_eq!(order(Direction::Middle, 6), [2, 0, 1, 4, 3, 5]);
    }

    /// `x_0 = 0`, `x_k = x_{k-1} + 1`, and at last `x_3 >= 9`.
    #[test]
    fn every_direction_gives_a_sequence() {
        let mut pool = TermPool::new();
        let x = pool.symbol("x");
        let xs: Vec<TermId> = (0..4).map(|k| pool.int_var(x, k)).collect();
        let (zero, one, nine) = (pool.int(0), pool.int(1), pool.int(9));
        let mut parts = vec![pool.eq(xs[0], zero)];
        for k in 1..4 {
            let next = pool.add(xs[k - 1], one);
            parts.push(pool.eq(xs[k], next));
        }
        parts.push(pool.le(nine, xs[3]));
        let mut table = String::new();
        for &direction in Direction::ALL
            .iter()
            .filter(|&&direction| direction != Direction::Alone)
        {
            for labelling in [Labelling::McMillan, Labelling::DualMcMillan] {
                let mut config = InterpolationConfig {
                    direction,
                    ..InterpolationConfig::default()
                };
                config.variant.labelling = labelling;
                let SequenceResult::Unsat(interpolants) = sequence(&mut pool, &parts, &config) else {
                    panic!("three steps do not lead from 0 to 9");
                };
                assert_eq!(check_sequence(&mut pool, &parts, &interpolants), Ok(()));
                let texts: Vec<String> = interpolants.iter().map(|&term| pool.to_smtlib(term)).collect();
                table += &format!("{} {}: {}\n", direction.name(), labelling.name(), texts.join(" "));
            }
        }
        expect_test::expect![[r#"
            together mcmillan: (<= |x@0| 0) (<= |x@1| 1) (<= |x@2| 2) (<= |x@3| 3)
            together dual: (<= |x@0| 0) (<= |x@1| 1) (<= |x@2| 2) (<= |x@3| 8)
            forward mcmillan: (<= |x@0| 0) (<= |x@1| 1) (<= |x@2| 2) (<= |x@3| 3)
            forward dual: (<= |x@0| 0) (<= |x@1| 1) (<= |x@2| 2) (<= |x@3| 8)
            backward mcmillan: (<= |x@0| 0) (<= |x@1| 1) (<= |x@2| 2) (<= |x@3| 3)
            backward dual: (<= |x@0| 0) (<= |x@1| 1) (<= |x@2| 2) (<= |x@3| 8)
            middle mcmillan: (<= |x@0| 0) (<= |x@1| 1) (<= |x@2| 2) (<= |x@3| 3)
            middle dual: (<= |x@0| 0) (<= |x@1| 1) (<= |x@2| 2) (<= |x@3| 8)
        "#]]
        .assert_eq(&table);
    }
}
