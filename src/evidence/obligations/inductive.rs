//! Inductive guesses: the greatest set of guesses in which each follows, behind every block, from those before it.
//!
//! All guesses are assumed before each block. A guess that does not hold behind a block is dropped at its point; then the blocks that begin there have fewer assumptions and are checked again, until no guess
//! is dropped (Flanagan and Leino, *Houdini, an annotation assistant for ESC/Java*, FME 2001). A call that relies on a contract is two ways: into the contract, where its guesses are what is required of every caller, and past the call, by the
//! guesses at the contract's exit. A model shows which guesses do not hold; where the solver gives no answer, each guess is checked alone. The remaining guesses may
//! still admit a violation: the obligations decide that.

use super::elements::{constant, instance, numbers};
use super::identities::{has_products, sums_of_products};
use super::lazily::{Candidates, Chosen, Found, TICKS_PER_VALUE, refute};
use super::manifest::Kind;
use super::scripts::{About, MAX_ROUNDS, Writer};
use super::walk::{Block, End, Walk};
use super::{Effort, Solvers, TICKS_PER_TERM};
use crate::certify::{Certificate, Claim, INDEX};
use crate::cfa::FuncId;
use crate::encode::{Encoder, PathFormula, SsaMap};
use crate::query::points::violated;
use provident_smt::fault::planted;
use provident_smt::hash::FxHashMap;
use provident_smt::model::Model;
use provident_smt::num::Int;
use provident_smt::term::{Symbol, SymbolId, Term, TermId, TermPool};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

/// The ticks for a monomial.
const TICKS_PER_MONOMIAL: u64 = 4;

/// A way from one point to another.
pub(super) struct Way<'b> {
    pub from: usize,
    pub to: usize,
    pub passage: Passage<'b>,
    /// Whether it only refutes: what is not known to fail stays.
    pub is_trial: bool,
}

/// The way from one point to another one.
pub(super) enum Passage<'b> {
    /// The paths of a block.
    Paths(&'b PathFormula),
    /// Into the function of a contract, whose call has these frames.
    Into(Rc<Vec<FuncId>>),
    /// Past such a call, by what is claimed at the exit of the contract.
    Past(Rc<Vec<FuncId>>, usize),
}

impl Writer<'_> {
    /// Drops guesses until the others are inductive, or until nothing more may be spent.
    pub fn reduce(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        walk: &Walk<'_>,
        blocks: &[Block],
        solvers: &mut dyn Solvers,
    ) {
        self.begin(encoder, pool, blocks, solvers);
        let ways = self.ways(walk, blocks);
        let mut stale = vec![true; blocks.len()];
        while stale.contains(&true) && !solvers.is_exhausted() {
            let asked = std::mem::replace(&mut stale, vec![false; blocks.len()]);
            for way in ways.iter().filter(|way| way.sources().any(|point| asked[point])) {
                if solvers.is_exhausted() {
                    return;
                }
                let is_again = !planted("guess-asked-once");
                stale[way.to] |= is_again & self.drop_behind(encoder, pool, way, solvers).0;
            }
        }
    }

    /// Lets weaker guesses wait, and drops those that first executions refute.
    pub(super) fn begin(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        blocks: &[Block],
        solvers: &mut dyn Solvers,
    ) {
        for point in 0..blocks.len() {
            self.drop_guesses(pool, point, &[]);
        }
        if self.contracts.is_empty() {
            self.try_guesses(encoder, pool, blocks, solvers);
        }
    }

    /// The ways of all blocks and calls.
    pub(super) fn ways<'b>(&self, walk: &Walk<'_>, blocks: &'b [Block]) -> Vec<Way<'b>> {
        let mut ways = Vec::new();
        for (from, block) in blocks.iter().enumerate() {
            for (&end, paths) in &block.ends {
                if let End::Point(to) = end {
                    let passage = Passage::Paths(paths);
                    ways.push(Way {
                        from,
                        to,
                        passage,
                        is_trial: false,
                    });
                }
            }
            let Some(behind) = walk.behind(from) else { continue };
            let frames = Rc::new(walk.frames(walk.points()[from].1));
            for &(contract, _) in &self.uses[from] {
                let (entry, exit) = walk.ends_of(contract);
                let into = Passage::Into(Rc::clone(&frames));
                let past = Passage::Past(Rc::clone(&frames), exit);
                for (to, passage) in [(entry, into), (behind, past)] {
                    ways.push(Way {
                        from,
                        to,
                        passage,
                        is_trial: false,
                    });
                }
            }
        }
        ways
    }

    /// Drops what does not hold behind a way. Whether anything was dropped, and whether the solver gave up.
    pub(super) fn drop_behind(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        way: &Way<'_>,
        solvers: &mut dyn Solvers,
    ) -> (bool, bool) {
        let (mut dropped, mut rounds, mut is_about_products) = (false, 0, false);
        loop {
            let Some(goals) = self.goals(encoder, pool, way) else {
                // The caller has no name for a part of it.
                let all = self.conjuncts(pool, way.to).len() + self.waiting.at(way.to).len();
                self.drop_guesses(pool, way.to, &vec![true; all]);
                return (true, false);
            };
            if goals.is_empty() {
                return (dropped, false);
            }
            rounds += 1;
            let shown = match is_about_products {
                true => goals.iter().flat_map(|&goal| sums_of_products(pool, goal)).collect(),
                false => Vec::new(),
            };
            // A model may refute what waits, too.
            let mut asked = goals.clone();
            if let Passage::Paths(paths) = &way.passage {
                let waiting = self.waiting.at(way.to).iter();
                asked.extend(waiting.map(|&guess| encoder.instantiate(pool, guess, &paths.ssa)));
            }
            let mut fails = match self.follow(encoder, pool, way, (&goals, &shown, &asked), solvers) {
                Answer::Yes(_) => return (dropped, false),
                Answer::Operators if rounds < MAX_ROUNDS => continue,
                Answer::No(fails) => fails,
                Answer::Unknown | Answer::Operators if way.is_trial => return (dropped, true),
                Answer::Unknown | Answer::Operators => {
                    let Some(fails) = self.fails_in_parts(encoder, pool, way, &goals, solvers) else {
                        return (dropped, false);
                    };
                    fails
                }
            };
            if planted("guess-kept") {
                return (dropped, false);
            }
            if !fails.contains(&true) {
                // Alone each of them holds, then so do all.
                return (dropped, false);
            }
            // Models know nothing of identities, so what fails without them may follow with them.
            let mut open: Vec<bool> = goals.iter().map(|&goal| has_products(pool, &[goal])).collect();
            let waiting = self.waiting.at(way.to).iter();
            open.extend(waiting.map(|&guess| has_products(pool, &[guess])));
            if way.is_trial {
                if fails.iter().zip(&open).all(|(fails, open)| !fails || *open) {
                    return (dropped, false);
                }
                for (fails, open) in fails.iter_mut().zip(&open) {
                    *fails &= !open;
                }
            } else if !is_about_products {
                let is_only_open = fails.iter().zip(&open).all(|(fails, open)| !fails || *open);
                if is_only_open {
                    is_about_products = true;
                    continue;
                }
                for (fails, open) in fails.iter_mut().zip(open) {
                    *fails &= !open;
                }
            }
            dropped = true;
            self.drop_guesses(pool, way.to, &fails);
        }
    }

    /// Marks the goals that do not hold behind a way, or are not known to: halves are asked about alone, down to single goals. `None` if nothing more may be spent.
    fn fails_in_parts(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        way: &Way<'_>,
        goals: &[TermId],
        solvers: &mut dyn Solvers,
    ) -> Option<Vec<bool>> {
        let mut fails = vec![false; goals.len()];
        let halves = |part: Range<usize>| {
            let middle = part.start + part.len() / 2;
            [middle..part.end, part.start..middle]
        };
        // All of them were asked about. Under contracts halves are mostly as hard as all, and single goals easy.
        let mut open: Vec<Range<usize>> = match self.contracts.is_empty() {
            true => halves(0..goals.len()).into(),
            false => (0..goals.len()).rev().map(|at| at..at + 1).collect(),
        };
        while let Some(part) = open.pop() {
            if solvers.is_exhausted() {
                return None;
            }
            if part.is_empty() {
                continue;
            }
            let asked = &goals[part.clone()];
            let shown: Vec<TermId> = asked.iter().flat_map(|&goal| sums_of_products(pool, goal)).collect();
            match self.follow(encoder, pool, way, (asked, &shown, asked), solvers) {
                Answer::Yes(_) => {}
                Answer::No(wrong) if wrong.contains(&true) && part.len() > 1 => {
                    // The others may fail as well.
                    for (at, wrong) in part.clone().zip(&wrong) {
                        fails[at] |= wrong;
                    }
                }
                _ if part.len() > 1 => open.extend(halves(part)),
                _ => fails[part.start] = true,
            }
        }
        Some(fails)
    }

    /// The claims at the end of a way, as formulas behind it; `None` if one has no such form.
    fn goals(&self, encoder: &Encoder<'_>, pool: &mut TermPool, way: &Way<'_>) -> Option<Vec<TermId>> {
        let (frames, is_behind) = match &way.passage {
            Passage::Paths(paths) => return Some(self.claims_behind(encoder, pool, way.to, paths)),
            Passage::Into(frames) => (frames, false),
            Passage::Past(frames, _) => (frames, true),
        };
        let mut goals = self.conjuncts(pool, way.to);
        for goal in &mut goals {
            if !is_behind {
                *goal = self.in_caller(pool, frames, *goal).ok()?;
            }
            *goal = self.at_call(pool, frames, *goal, is_behind);
        }
        Some(goals)
    }

    /// Whether goals hold behind a way; some sums in them may be 0 by identities of polynomials. `asked` are the formulas that a model may refute.
    pub(super) fn follow(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        way: &Way<'_>,
        (goals, shown, asked): (&[TermId], &[TermId], &[TermId]),
        solvers: &mut dyn Solvers,
    ) -> Answer {
        let about = About {
            kind: Kind::Consecution,
            from: way.from,
            to: Some(way.to),
            cases: None,
            conjuncts: None,
            path: None,
        };
        let goal = pool.and(goals);
        let has_contracts = !self.contracts.is_empty();
        let nothing = encoder.empty(pool);
        let (paths, ensured) = match &way.passage {
            Passage::Paths(paths) => (*paths, None),
            Passage::Into(_) => (&nothing, None),
            Passage::Past(frames, exit) => {
                let claims = self.conjuncts(pool, *exit);
                let ensured = pool.and(&claims);
                let Ok(ensured) = self.in_caller(pool, frames, ensured) else {
                    return Answer::Unknown;
                };
                (&nothing, Some(self.at_call(pool, frames, ensured, true)))
            }
        };
        let before = self.identities.work;
        let candidates = self.candidates(encoder, pool, way.from, &[paths.formula, goal]);
        let is_lazy = candidates.are_many();
        let chosen = match is_lazy {
            true => Chosen::None(&candidates),
            false => Chosen::Some(&candidates),
        };
        let parts = self.parts(encoder, pool, &about, (paths, ensured), (goal, shown), chosen);
        solvers.charge_ticks((self.identities.work - before).saturating_mul(TICKS_PER_MONOMIAL));
        let instances = u64::try_from(parts.numbers.len() * self.each[way.from].len()).unwrap_or(u64::MAX);
        solvers.charge_ticks(instances.saturating_mul(TICKS_PER_TERM));
        let formulas: Vec<TermId> = parts.all.iter().map(|part| part.1).collect();
        let (mut fails, mut wrong, mut values) = (Vec::new(), Vec::new(), 0);
        let tried = match way.is_trial {
            true => numbers(pool, goals, &[paths.formula]),
            false => candidates.numbers.clone(),
        };
        let constant = constant(pool);
        let effort = match goals.len() {
            1 => self.patience,
            _ => Effort::Least,
        };
        let mut on_model = |pool: &TermPool, model: &Model| {
            wrong = violated(pool, model, &formulas);
            // Products of loops follow by identities, not by single values.
            wrong.retain(|point| has_contracts || !point.is_product());
            let mut elsewhere = Elsewhere::new(pool, model, constant, &formulas);
            fails = elsewhere.fails(&formulas, asked, (&tried, &candidates.claims));
            values = elsewhere.values;
        };
        let nothing_more = Candidates::default();
        let instances = match is_lazy {
            true => &candidates,
            false => &nothing_more,
        };
        if let Found::Refuted(numbers, inputs) = refute(pool, &formulas, instances, (solvers, effort), &mut on_model) {
            let numbers = match is_lazy {
                true => &numbers,
                false => &candidates.numbers,
            };
            return Answer::Yes(self.used(encoder, pool, way.from, (&candidates.claims, numbers), &inputs));
        }
        solvers.charge_ticks(values);
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

    /// The guesses at a point that a refutation rests on which begins with these formulas: guesses, instances of them for the numbers, and conjuncts of these.
    fn used(
        &self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        from: usize,
        (claims, numbers): (&[TermId], &[TermId]),
        formulas: &BTreeSet<TermId>,
    ) -> BTreeSet<TermId> {
        let mut said: Vec<(TermId, TermId)> = Vec::new();
        for guess in pool.conjuncts(self.claims[from]) {
            said.push((guess, encoder.instantiate(pool, guess, &SsaMap::default())));
        }
        for (&guess, &claim) in self.each[from].iter().zip(claims) {
            said.extend(numbers.iter().map(|&number| (guess, instance(pool, claim, number))));
        }
        let (mut used, mut owners) = (BTreeSet::new(), FxHashMap::default());
        // A conjunction of opposites is no conjunction any more.
        let is_false = formulas.contains(&pool.mk_false());
        for (guess, said) in said {
            for part in pool.conjuncts(said) {
                let opposite = pool.not(part);
                owners.insert(part, guess);
                if is_false && let Some(&other) = owners.get(&opposite) {
                    return BTreeSet::from([guess, other]);
                }
                if formulas.contains(&part) {
                    used.insert(guess);
                }
            }
        }
        used
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
                path: None,
            };
            let falsity = pool.mk_false();
            self.refuted(encoder, pool, &about, paths, falsity, (&mut *solvers, Effort::Little))
                .1
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

    /// Drops the guesses at a point that are marked, of those that wait as well. Those that no other one implies any more wait no longer.
    pub(super) fn drop_guesses(&mut self, pool: &mut TermPool, point: usize, fails: &[bool]) {
        let waiting = self.waiting.at(point).iter().copied();
        let mut left: Vec<TermId> = self.conjuncts(pool, point).into_iter().chain(waiting).collect();
        let mut fails = fails.iter();
        left.retain(|_| fails.next() != Some(&true));
        let left = self.waiting.strongest(pool, point, left);
        // A guess that waited goes to those that have instances, in whose list it may stand beside its opposite: a conjunction would be false.
        let conjuncts = pool.conjuncts(self.claims[point]);
        let is_each = |guess: &TermId| !conjuncts.contains(guess);
        let (each, plain): (Vec<TermId>, Vec<TermId>) = left.iter().partition(|guess| is_each(guess));
        self.claims[point] = pool.and(&plain);
        self.cases[point] = vec![self.claims[point]];
        self.each[point] = each;
    }
}

impl Way<'_> {
    /// The points whose claims the way rests on.
    fn sources(&self) -> impl Iterator<Item = usize> {
        let exit = match self.passage {
            Passage::Past(_, exit) => Some(exit),
            Passage::Paths(_) | Passage::Into(_) => None,
        };
        std::iter::once(self.from).chain(exit)
    }
}

/// A model in which the constant, the number of any element, may have other values: nothing but goals and instances of claims speaks of it. So one model refutes what is wrong for any element that it has.
struct Elsewhere<'m> {
    pool: &'m TermPool,
    model: Model,
    symbol: Symbol,
    /// The functions that some formula changes over a range: a model says what they are at the points that it mentions, and nowhere else in the range.
    ranged: BTreeSet<SymbolId>,
    /// The values that were looked at.
    values: u64,
}

impl<'m> Elsewhere<'m> {
    fn new(pool: &'m TermPool, model: &Model, constant: TermId, formulas: &[TermId]) -> Elsewhere<'m> {
        let Term::IntVar(symbol) = *pool.term(constant) else {
            unreachable!("the constant is a variable")
        };
        let is_wide = |lo: TermId, hi: TermId| model.eval_int(pool, hi) - model.eval_int(pool, lo) > Int::ONE;
        let ranged = |term: TermId| match *pool.term(term) {
            Term::Update { new, lo, hi, .. } if is_wide(lo, hi) => Some(new.name),
            _ => None,
        };
        Elsewhere {
            pool,
            model: model.clone(),
            symbol,
            ranged: pool.sub_terms(formulas).into_iter().filter_map(ranged).collect(),
            values: 0,
        }
    }

    /// Marks the goals that are false in a model of the formulas for the value of the constant, or for that of one of these numbers for which all instances of claims hold as well.
    fn fails(&mut self, formulas: &[TermId], goals: &[TermId], (numbers, claims): (&[TermId], &[TermId])) -> Vec<bool> {
        if self.wrong(formulas).contains(&true) {
            return self.wrong(goals);
        }
        let is_moved = |&&number: &&TermId| self.pool.symbols(number).contains(&self.symbol);
        let (moved, fixed): (Vec<TermId>, Vec<TermId>) = numbers.iter().partition(is_moved);
        let known: BTreeSet<Int> = fixed
            .iter()
            .map(|&number| self.model.eval_int(self.pool, number))
            .collect();
        let mut fails = self.wrong(goals);
        for value in &known {
            self.model.set_int(self.symbol, value.clone());
            let needed: BTreeSet<Int> = moved
                .iter()
                .map(|&number| self.model.eval_int(self.pool, number))
                .collect();
            let holds = needed.difference(&known).all(|needed| {
                self.model.set_int(self.symbol, needed.clone());
                !self.wrong(claims).contains(&true)
            });
            if holds {
                self.model.set_int(self.symbol, value.clone());
                let wrong = self.wrong(goals);
                for ((fails, wrong), &goal) in fails.iter_mut().zip(wrong).zip(goals) {
                    *fails |= wrong && self.is_mentioned(goal);
                }
            }
        }
        fails
    }

    /// Whether the model says what the functions that are changed over ranges are where a formula reads them.
    fn is_mentioned(&self, formula: TermId) -> bool {
        self.pool
            .sub_terms(&[formula])
            .into_iter()
            .all(|term| match self.pool.term(term) {
                Term::App(function, arguments) if self.ranged.contains(&function.name) => {
                    let point: Vec<Int> = arguments.iter().map(|&at| self.model.eval_int(self.pool, at)).collect();
                    self.model.mentions_point(*function, &point)
                }
                _ => true,
            })
    }

    fn wrong(&mut self, formulas: &[TermId]) -> Vec<bool> {
        self.values += TICKS_PER_VALUE * u64::try_from(formulas.len()).unwrap_or(u64::MAX);
        let mut values = self.model.evaluator(self.pool);
        formulas.iter().map(|&formula| !values.eval_bool(formula)).collect()
    }
}

/// Whether goals hold.
pub(super) enum Answer {
    /// They do, by these guesses before the way.
    Yes(BTreeSet<TermId>),
    /// Those for which there is a model do not.
    No(Vec<bool>),
    /// A model rested on wrong values of operators; they are known now.
    Operators,
    Unknown,
}
