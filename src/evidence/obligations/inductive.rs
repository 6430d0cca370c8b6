//! Inductive guesses: the greatest set of guesses in which each follows, behind every block, from those before it.
//!
//! All guesses are assumed before each block. A guess that does not hold behind a block is dropped at its point; then the blocks that begin there have fewer assumptions and are checked again, until no guess
//! is dropped (Flanagan and Leino, *Houdini, an annotation assistant for ESC/Java*, FME 2001). A model shows which guesses do not hold; where the solver gives no answer, each guess is checked alone. The remaining guesses may
//! still admit a violation: the obligations decide that.

use super::instances::without_updates;
use super::manifest::Kind;
use super::scripts::{About, MAX_ROUNDS, Writer};
use super::walk::{Block, End};
use super::{Effort, Solvers, TICKS_PER_TERM};
use crate::certify::{Certificate, Claim, INDEX};
use crate::encode::{Encoder, PathFormula};
use crate::query::points::violated;
use provident_smt::fault::planted;
use provident_smt::term::{TermId, TermPool};

/// A way from one point to another.
#[derive(Clone, Copy)]
struct Way<'b> {
    from: usize,
    to: usize,
    paths: &'b PathFormula,
}

impl Writer<'_> {
    /// Drops guesses until the others are inductive, or until nothing more may be spent.
    pub fn reduce(&mut self, encoder: &Encoder<'_>, pool: &mut TermPool, blocks: &[Block], solvers: &mut dyn Solvers) {
        let mut ways = Vec::new();
        for (from, block) in blocks.iter().enumerate() {
            for (&end, paths) in &block.ends {
                if let End::Point(to) = end {
                    ways.push(Way { from, to, paths });
                }
            }
        }
        let mut stale = vec![true; blocks.len()];
        while stale.contains(&true) && !solvers.is_exhausted() {
            let asked = std::mem::replace(&mut stale, vec![false; blocks.len()]);
            for way in ways.iter().filter(|way| asked[way.from]) {
                if solvers.is_exhausted() {
                    return;
                }
                let is_again = !planted("guess-asked-once");
                stale[way.to] |= is_again & self.drop_behind(encoder, pool, *way, solvers);
            }
        }
    }

    /// Drops what does not hold behind a way. Whether anything was dropped.
    fn drop_behind(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        way: Way<'_>,
        solvers: &mut dyn Solvers,
    ) -> bool {
        let (mut dropped, mut rounds) = (false, 0);
        loop {
            let guesses = self.conjuncts(pool, way.to);
            let goals = self.claims_behind(encoder, pool, way.to, way.paths);
            if goals.is_empty() {
                return dropped;
            }
            rounds += 1;
            let mut fails = match self.follow(encoder, pool, way, &goals, solvers) {
                Answer::Yes => return dropped,
                Answer::Operators if rounds < MAX_ROUNDS => continue,
                Answer::No(fails) => fails,
                Answer::Unknown | Answer::Operators => goals
                    .iter()
                    .map(|goal| !matches!(self.follow(encoder, pool, way, &[*goal], solvers), Answer::Yes))
                    .collect(),
            };
            if planted("guess-kept") {
                return dropped;
            }
            if !fails.contains(&true) {
                // Alone each of them holds, then so do all.
                return dropped;
            }
            dropped = true;
            fails.resize(guesses.len(), false);
            let left = guesses.iter().zip(fails).filter(|(_, fails)| !fails);
            let left: Vec<TermId> = left.map(|(&guess, _)| guess).collect();
            self.keep(pool, way.to, &left);
        }
    }

    /// Whether goals hold behind a way.
    fn follow(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        way: Way<'_>,
        goals: &[TermId],
        solvers: &mut dyn Solvers,
    ) -> Answer {
        let about = About {
            kind: Kind::Consecution,
            from: way.from,
            to: Some(way.to),
            cases: None,
            conjuncts: None,
        };
        let goal = pool.and(goals);
        let (parts, numbers) = self.parts(encoder, pool, &about, way.paths, goal);
        let instances = u64::try_from(numbers.len() * self.each[way.from].len()).unwrap_or(u64::MAX);
        solvers.charge_ticks(instances.saturating_mul(TICKS_PER_TERM));
        let formulas: Vec<TermId> = parts.iter().map(|part| part.1).collect();
        let (mut fails, mut wrong) = (Vec::new(), Vec::new());
        let effort = match goals.len() {
            1 => Effort::Little,
            _ => Effort::Least,
        };
        let written = without_updates(pool, &formulas, true, (solvers, effort), &mut |pool, model| {
            wrong = violated(pool, model, &formulas);
            let mut values = model.evaluator(pool);
            fails = goals.iter().map(|&goal| !values.eval_bool(goal)).collect();
        });
        if written.is_ok() {
            return Answer::Yes;
        }
        let mut is_new = false;
        for point in wrong {
            is_new |= self.operators.add(point);
        }
        match fails.contains(&true) {
            _ if is_new => Answer::Operators,
            true => Answer::No(fails),
            false => Answer::Unknown,
        }
    }

    /// Whether no path of the blocks takes a violating edge.
    pub fn excludes(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        blocks: &[Block],
        solvers: &mut dyn Solvers,
    ) -> bool {
        blocks.iter().enumerate().all(|(from, block)| {
            let Some(paths) = block.ends.get(&End::Violation) else {
                return true;
            };
            let about = About {
                kind: Kind::Safety,
                from,
                to: None,
                cases: None,
                conjuncts: None,
            };
            let falsity = pool.mk_false();
            self.refuted(encoder, pool, &about, paths, falsity, (&mut *solvers, Effort::Little))
                .2
                .is_ok()
        })
    }

    /// The certificate with the guesses that are left. Those that speak of no element are one formula from now on, which invariants of loop heads are read off.
    pub fn reduced(
        &self,
        pool: &mut TermPool,
        certificate: &Certificate,
        number: &mut dyn FnMut(&Claim) -> usize,
    ) -> Certificate {
        let mut reduced = certificate.clone();
        let mut formulas = Vec::new();
        for claim in &mut reduced.claims {
            let point = number(claim);
            claim.formula = formulas.len();
            let index = pool.symbol(INDEX);
            let is_about_elements = |formula: &TermId| pool.symbols(*formula).iter().any(|symbol| symbol.name == index);
            let (each, mut plain): (Vec<TermId>, Vec<TermId>) =
                self.each[point].iter().partition(|&formula| is_about_elements(formula));
            plain.push(self.claims[point]);
            formulas.push(pool.and(&plain));
            claim.each = (formulas.len()..).take(each.len()).collect();
            formulas.extend(each);
        }
        reduced.formulas = pool.export(&formulas);
        reduced.points = self.operators.clone();
        reduced
    }

    /// Replaces the guesses at a point by a part of them.
    fn keep(&mut self, pool: &mut TermPool, point: usize, left: &[TermId]) {
        let is_each = |guess: &TermId| self.each[point].contains(guess);
        let (each, plain): (Vec<TermId>, Vec<TermId>) = left.iter().partition(|guess| is_each(guess));
        self.claims[point] = pool.and(&plain);
        self.cases[point] = vec![self.claims[point]];
        self.each[point] = each;
    }
}

/// Whether goals hold.
enum Answer {
    Yes,
    /// Those for which there is a model do not.
    No(Vec<bool>),
    /// A model rested on wrong values of operators; they are known now.
    Operators,
    Unknown,
}
