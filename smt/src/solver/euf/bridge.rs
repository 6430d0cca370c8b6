//! Bridges: congruence between two applications that no part of an interpolated sequence can both have.
//!
//! In a candidate model `f(x)` and `f(y)` differ although `x = y`, but the lemma that says so would be *mixed*: `x` occurs in early
//! parts only, `y` in late ones only. A *bridge* is an index term `t` that both sides may have, with the same value in the
//! candidate. Then `x = t -> f(x) = f(t)` and `t = y -> f(t) = f(y)` are two lemmas that are not mixed, and together they exclude the
//! candidate. They are what equality interpolation would find in a proof of `x = y` (Yorsh, Musuvathi, *A combination
//! method for generating interpolants*, 2005: the shared term between two equal local ones), guessed from the model.
//!
//! Candidates, best first: an integer leaf that has the value, and a leaf at a small distance from it (addresses are bases with
//! offsets). The latter may go on for ever when indices are unbounded, so they are limited; after that the lemma is mixed.

use super::functions::App;
use crate::num::Int;
use crate::solver::Solver;
use crate::solver::limits::{MAX_DISTANCE, MAX_GUESSES, MAX_OFFSETS};
use crate::term::{TermId, TermPool};

impl Solver {
    /// Adds the lemmas of a bridge between two applications of one function with equal arguments and different values.
    pub(in crate::solver) fn add_bridge(&mut self, pool: &mut TermPool, a: &App, b: &App) -> bool {
        let mut point = Vec::with_capacity(a.arguments.len());
        for &argument in &a.arguments {
            point.push(self.evaluate(pool, argument).expect("live columns are integers"));
        }
        for candidate in self.bridge_points(pool, &point) {
            let bridge = pool.app(a.symbol.name, a.symbol.index, &candidate);
            if bridge == a.term || bridge == b.term || !self.can_bridge(pool, a, bridge, b) {
                continue;
            }
            let is_guess = candidate.iter().any(|&t| !self.columns.of.contains_key(&t));
            self.theories.euf.guesses += usize::from(is_guess);
            let first = self.add_congruence_of(pool, (a.term, &a.arguments), (bridge, &candidate));
            let second = self.add_congruence_of(pool, (bridge, &candidate), (b.term, &b.arguments));
            assert!(first && second, "both lemmas have a part");
            return true;
        }
        false
    }

    /// Whether both lemmas are allowed, and one of them is new.
    fn can_bridge(&mut self, pool: &TermPool, a: &App, bridge: TermId, b: &App) -> bool {
        let is_new = !self.theories.euf.instances.contains(&(a.term, bridge))
            || !self.theories.euf.instances.contains(&(bridge, b.term));
        is_new
            && self.common_part(pool, &[a.term, bridge]).is_some()
            && self.common_part(pool, &[bridge, b.term]).is_some()
    }

    /// Argument lists with the values of `point` in the candidate model, best first.
    fn bridge_points(&mut self, pool: &mut TermPool, point: &[Int]) -> Vec<Vec<TermId>> {
        let mut candidates = Vec::new();
        if let [value] = point {
            let mut near: Vec<(Int, TermId)> = Vec::new();
            for &column in &self.live.columns {
                let here = &self.theories.arith.tableau.column(column).value;
                if here.is_integer() {
                    near.push((value - here.numer(), self.columns.terms[column.index()]));
                }
            }
            self.search.ticks += near.len() as u64;
            candidates.extend(
                near.iter()
                    .filter(|(distance, _)| distance.is_zero())
                    .map(|&(_, leaf)| vec![leaf]),
            );
            if self.theories.euf.guesses < MAX_OFFSETS {
                near.retain(|(distance, _)| !distance.is_zero() && distance.abs() <= Int::from(MAX_DISTANCE));
                near.sort_by_key(|(distance, _)| distance.abs());
                for (distance, leaf) in near {
                    let distance = pool.int(distance);
                    candidates.push(vec![pool.add(leaf, distance)]);
                }
            }
        }
        candidates
    }

    /// The point's value as an index term at which the update may be instantiated, unless it was or the guesses are used up.
    pub(in crate::solver) fn value_as_index(
        &mut self,
        pool: &mut TermPool,
        update: TermId,
        point: &Int,
    ) -> Option<TermId> {
        let index = pool.int(point.clone());
        if self.theories.euf.guesses >= MAX_GUESSES || self.theories.cells.instances.contains(update, index) {
            return None;
        }
        self.theories.euf.guesses += 1;
        Some(index)
    }
}
