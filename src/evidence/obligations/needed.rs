//! The guesses that a proof needs: those that exclude the violations, those by which these hold, and so on.
//!
//! Of hundreds of guesses that may be inductive together a proof needs some dozens. So violations are refuted first, with all guesses as assumptions. The proof of the solver
//! says which of them it rests on, and only these have to hold behind all ways to their points, by further guesses, of which the same is asked. A guess that turns out not to hold is dropped, and what rested on it is asked about again, as
//! in Houdini (Flanagan and Leino, *Houdini, an annotation assistant for ESC/Java*, FME 2001). The set is no greatest one, and the obligations are discharged later by what knows nothing of this.

use super::identities::{has_products, sums_of_products};
use super::inductive::{Answer, Passage, Way};
use super::scripts::{MAX_ROUNDS, Writer};
use super::walk::{Block, End, Walk};
use super::{Effort, Solvers};
use crate::encode::Encoder;
use provident_smt::term::{TermId, TermPool};
use std::collections::BTreeSet;

type Guesses = BTreeSet<TermId>;

/// Guesses that hold behind a way as long as others hold before it.
struct Proved {
    goals: Guesses,
    rests_on: Guesses,
}

impl Writer<'_> {
    /// Keeps the guesses that a proof needs. Whether they are inductive together and no path takes a violating edge, as far as is known.
    pub fn keep_needed(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        walk: &Walk<'_>,
        blocks: &[Block],
        solvers: &mut dyn Solvers,
    ) -> bool {
        self.begin(encoder, pool, blocks, solvers);
        let ways = self.ways(walk, blocks);
        let mut proved: Vec<Vec<Proved>> = ways.iter().map(|_| Vec::new()).collect();
        let mut safe: Vec<Option<Guesses>> = vec![None; blocks.len()];
        // A guess that is hard to prove is left out at first: mostly it is wrong, or there is another proof.
        let mut hard: Vec<(usize, TermId)> = Vec::new();
        let mut is_patient = false;
        loop {
            for (from, block) in blocks.iter().enumerate() {
                let Some(paths) = block.ends.get(&End::Violation) else {
                    continue;
                };
                let held = self.held(pool, from);
                if safe[from].as_ref().is_some_and(|rests_on| rests_on.is_subset(&held)) {
                    continue;
                }
                let way = Way {
                    from,
                    to: from,
                    passage: Passage::Paths(paths),
                    is_trial: false,
                };
                self.patience = Effort::Little;
                safe[from] = self.excluded_by(encoder, pool, &way, solvers);
                if safe[from].is_none() && !hard.is_empty() {
                    is_patient = true;
                    for (point, guess) in std::mem::take(&mut hard) {
                        self.each[point].push(guess);
                        self.drop_guesses(pool, point, &[]);
                    }
                    safe[from] = self.excluded_by(encoder, pool, &way, solvers);
                }
                if safe[from].is_none() {
                    return false;
                }
            }
            self.patience = match is_patient {
                true => Effort::Little,
                false => Effort::Least,
            };
            let mut needed: Vec<Guesses> = safe
                .iter()
                .map(|rests_on| rests_on.clone().unwrap_or_default())
                .collect();
            self.close(pool, &ways, &mut proved, &mut needed);
            let mut is_settled = true;
            for (way, proved) in ways.iter().zip(&mut proved) {
                let mut open = needed[way.to].clone();
                open.retain(|goal| !proved.iter().any(|proved| proved.goals.contains(goal)));
                if open.is_empty() {
                    continue;
                }
                is_settled = false;
                let (found, unknown) = self.prove(encoder, pool, way, open, solvers);
                if !is_patient {
                    hard.extend(unknown.into_iter().map(|guess| (way.to, guess)));
                }
                for found in found {
                    needed[way.from].extend(&found.rests_on);
                    proved.push(found);
                }
                if solvers.is_exhausted() {
                    return false;
                }
            }
            if is_settled {
                for (point, needed) in needed.iter().enumerate() {
                    let all = self.all_at(pool, point);
                    let fails: Vec<bool> = all.iter().map(|guess| !needed.contains(guess)).collect();
                    self.drop_guesses(pool, point, &fails);
                }
                return true;
            }
        }
    }

    /// Drops all guesses.
    pub fn drop_all(&mut self, pool: &mut TermPool) {
        for point in 0..self.claims.len() {
            let all = self.all_at(pool, point);
            self.drop_guesses(pool, point, &vec![true; all.len()]);
        }
    }

    /// Forgets what rests on guesses that were dropped, and adds what the guesses that are needed rest on.
    fn close(&self, pool: &TermPool, ways: &[Way<'_>], proved: &mut [Vec<Proved>], needed: &mut [Guesses]) {
        for (way, proved) in ways.iter().zip(&mut *proved) {
            let held = self.held(pool, way.from);
            proved.retain(|proved| proved.rests_on.is_subset(&held));
        }
        let mut is_new = true;
        while is_new {
            is_new = false;
            for (way, proved) in ways.iter().zip(&*proved) {
                for proved in proved {
                    if !proved.goals.is_disjoint(&needed[way.to]) && !proved.rests_on.is_subset(&needed[way.from]) {
                        needed[way.from].extend(&proved.rests_on);
                        is_new = true;
                    }
                }
            }
        }
    }

    /// The guesses at a point that hold as far as is known.
    fn held(&self, pool: &TermPool, point: usize) -> Guesses {
        self.conjuncts(pool, point).into_iter().collect()
    }

    /// The guesses at a point, and those that wait.
    fn all_at(&self, pool: &TermPool, point: usize) -> Vec<TermId> {
        let waiting = self.waiting.at(point).iter().copied();
        self.conjuncts(pool, point).into_iter().chain(waiting).collect()
    }

    /// The guesses by which no execution takes a way.
    fn excluded_by(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        way: &Way<'_>,
        solvers: &mut dyn Solvers,
    ) -> Option<Guesses> {
        let Passage::Paths(paths) = way.passage else {
            return None;
        };
        let (goals, shown) = ([pool.mk_false()], super::identities::sums(pool, paths.formula));
        for _ in 0..MAX_ROUNDS {
            match self.follow(encoder, pool, way, (&goals, &shown, &goals), solvers) {
                Answer::Yes(rests_on) => return Some(rests_on),
                Answer::Operators => {}
                Answer::No(_) | Answer::Unknown => return None,
            }
        }
        None
    }

    /// Proves guesses behind a way, in parts where they are too many at once. Guesses that do not hold, or are not known to, are dropped; the latter are returned, too.
    fn prove(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        way: &Way<'_>,
        goals: Guesses,
        solvers: &mut dyn Solvers,
    ) -> (Vec<Proved>, Vec<TermId>) {
        let (mut found, mut unknown, mut rounds) = (Vec::new(), Vec::new(), 0);
        let Passage::Paths(paths) = way.passage else {
            return (found, unknown);
        };
        // The parts, and whether identities of products are tried as well.
        let mut open: Vec<(Vec<TermId>, bool)> = vec![(goals.into_iter().collect(), false)];
        while let Some((mut part, has_identities)) = open.pop() {
            let held = self.held(pool, way.to);
            part.retain(|goal| held.contains(goal));
            if part.is_empty() || solvers.is_exhausted() {
                continue;
            }
            let mut behind = |guess: TermId| encoder.instantiate(pool, guess, &paths.ssa);
            let goals: Vec<TermId> = part.iter().map(|&guess| behind(guess)).collect();
            let all = self.all_at(pool, way.to);
            let asked: Vec<TermId> = all
                .iter()
                .map(|&guess| encoder.instantiate(pool, guess, &paths.ssa))
                .collect();
            let shown: Vec<TermId> = match has_identities {
                true => goals.iter().flat_map(|&goal| sums_of_products(pool, goal)).collect(),
                false => Vec::new(),
            };
            let mut fails = vec![false; all.len()];
            match self.follow(encoder, pool, way, (&goals, &shown, &asked), solvers) {
                Answer::Yes(rests_on) => {
                    let goals = part.into_iter().collect();
                    found.push(Proved { goals, rests_on });
                    continue;
                }
                Answer::Operators if rounds < MAX_ROUNDS => {
                    rounds += 1;
                    open.push((part, has_identities));
                    continue;
                }
                Answer::No(wrong) => {
                    // Models know nothing of identities, so what fails without them may follow with them.
                    for ((fails, wrong), &guess) in fails.iter_mut().zip(wrong).zip(&all) {
                        *fails = wrong && (has_identities && part.contains(&guess) || !has_products(pool, &[guess]));
                    }
                }
                Answer::Operators | Answer::Unknown => {}
            }
            if fails.contains(&true) {
                open.push((part, has_identities));
            } else if !has_identities && has_products(pool, &goals) {
                open.push((part, true));
            } else if part.len() > 1 {
                let second = part.split_off(part.len() / 2);
                open.extend([(second, false), (part, false)]);
            } else {
                fails = all.iter().map(|guess| part.contains(guess)).collect();
                unknown.extend(part);
            }
            self.drop_guesses(pool, way.to, &fails);
        }
        (found, unknown)
    }
}
