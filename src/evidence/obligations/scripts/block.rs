//! The obligations of one block, in the parts that a solver can do.

use super::super::elements;
use super::super::identities::{sums, sums_of_products};
use super::super::instances::{Failure, Replaced, without_updates};
use super::super::lazily::{Candidates, Chosen, Found, refute};
use super::super::manifest::{BlockEntry, Kind, Role};
use super::super::products::{bounds, products};
use super::super::walk::{Block, End, Walk};
use super::super::{Effort, Solvers};
use super::{
    About, Details, Goal, MAX_CASES, MAX_ROUNDS, Named, PartOf, Parts, Writer, has_operators, in_range, name_of, ranged,
};
use crate::certify::Origin;
use crate::cfa::Step;
use crate::encode::{Encoder, PathFormula, SsaMap};
use crate::query::points::violated;
use provident_smt::fault::planted;
use provident_smt::model::Model;
use provident_smt::term::{Symbol, SymbolId, Term, TermId, TermPool};
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

/// The ticks that the solver may spend on an obligation: few if it can be divided.
fn effort(has_pieces: bool, kind: Kind) -> Effort {
    match (has_pieces, kind) {
        (true, Kind::Consecution) => Effort::Least,
        (true, _) => Effort::Little,
        (false, _) => Effort::Full,
    }
}

impl<'a> Writer<'a> {
    /// The obligations of a block.
    ///
    /// # Errors
    /// See [`super::obligations`].
    pub fn block(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        walk: &Walk<'_>,
        from: usize,
        block: &Block,
        solvers: &mut dyn Solvers,
    ) -> Result<(), Failure> {
        for (&end, paths) in &block.ends {
            let claimed = match end {
                End::Point(to) => self.claims_behind(encoder, pool, to, paths),
                End::Unclaimed | End::Violation | End::Exit(_) => Vec::new(),
            };
            let plain = |formula| Goal {
                formula,
                ranges: Vec::new(),
            };
            let goals = match end {
                End::Point(to) => {
                    let claim = pool.and(&claimed);
                    let ranges = self.ranges_behind(encoder, pool, to, paths);
                    vec![
                        (Kind::Consecution, Some(to), plain(claim)),
                        (Kind::Ranges, Some(to), ranged(pool, &ranges)),
                    ]
                }
                End::Unclaimed => vec![(Kind::Exclusion, None, plain(pool.mk_false()))],
                End::Violation | End::Exit(_) if planted("safety-left-out") => Vec::new(),
                End::Violation | End::Exit(_) => vec![(Kind::Safety, None, plain(pool.mk_false()))],
            };
            let path = match end {
                End::Exit(path) => Some(path),
                _ => None,
            };
            let chunks = self.chunks(from);
            let goals = goals.into_iter().flat_map(|(kind, to, goal)| {
                let each = chunks.iter().cloned();
                each.map(move |cases| {
                    let about = About {
                        kind,
                        from,
                        to,
                        cases,
                        conjuncts: None,
                        path,
                    };
                    (about, goal.clone())
                })
            });
            let mut goals: VecDeque<(About, Goal)> = goals.collect();
            while let Some((mut about, mut goal)) = goals.pop_front() {
                if about.kind == Kind::Consecution && claimed.len() > 1 && planted("conjunct-left-out") {
                    let kept = 0..claimed.len() - 1;
                    goal.formula = pool.and(&claimed[kept.clone()]);
                    about.conjuncts = Some(kept);
                }
                let text = about.text();
                let pieces = self.pieces(pool, &about, &goal, &claimed);
                let effort = effort(pieces.is_some(), about.kind);
                let (parts, written) = self.refuted(encoder, pool, &about, paths, goal.formula, (solvers, effort));
                let replaced = match (written, pieces) {
                    (Ok(script), _) => script,
                    (Err(Failure::Unknown(_)), Some(pieces)) => {
                        pieces.into_iter().rev().for_each(|piece| goals.push_front(piece));
                        continue;
                    }
                    (Err(failure), _) => return Err(failure.about(&text)),
                };
                let formulas = replaced.formulas.iter();
                let replacing: Vec<PartOf> = parts.all.iter().zip(formulas).map(|(part, &f)| (part.0, f)).collect();
                let details = Details {
                    numbers: &parts.numbers,
                    ranges: &goal.ranges,
                    identities: &parts.identities,
                };
                self.add(pool, about, text, (&replacing, &replaced), &details);
            }
        }
        self.enter_block(encoder, pool, walk, from, block);
        Ok(())
    }

    /// Adds a block to the manifest.
    fn enter_block(&mut self, encoder: &Encoder<'_>, pool: &mut TermPool, walk: &Walk<'_>, from: usize, block: &Block) {
        let (mut edges, mut enters, mut leaves) = (Vec::new(), Vec::new(), Vec::new());
        for &step in &block.steps {
            match step {
                Step::Edge(edge) => edges.push(edge.0),
                Step::Enter(call) => enters.push(call.0),
                Step::Leave(call) => leaves.push(call.0),
            }
            for node in [step.source(self.program), step.target(self.program)] {
                self.functions.insert(self.program.node(node).func);
            }
        }
        let (mut ends, mut versions) = (Vec::new(), Named::new());
        for (end, paths) in &block.ends {
            let End::Point(to) = *end else { continue };
            let last = self.versions_behind(encoder, pool, to, paths);
            if !last.is_empty() {
                versions.insert(name_of(to), last);
            }
            ends.push(name_of(to));
        }
        self.blocks.push(BlockEntry {
            from: name_of(from),
            to: ends,
            versions,
            unclaimed: block.unclaimed.iter().map(|&place| self.place(walk, place)).collect(),
            edges,
            enters,
            leaves,
            relies_on: Vec::new(),
            paths: block.paths.clone(),
        });
    }

    /// The parts of a script, with its formulas after updates are replaced, and the instances.
    ///
    /// Claims of explicit states also rest on exact values of non-linear operators, and the run has collected none. So the values that a model gets wrong are added, until
    /// there is no model, or a model with exact values.
    pub(in crate::evidence::obligations) fn refuted(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        about: &About,
        paths: &PathFormula,
        goal: TermId,
        (solvers, effort): (&mut dyn Solvers, Effort),
    ) -> (Parts, Result<Replaced, Failure>) {
        let mut rounds = 0;
        loop {
            rounds += 1;
            let shown = match goal == pool.mk_false() {
                true => sums(pool, paths.formula),
                false => sums_of_products(pool, goal),
            };
            let mut candidates = self.candidates(encoder, pool, about.from, &[paths.formula, goal]);
            let mut wrong = Vec::new();
            let mut open = None;
            // Of many claims about elements a script has those for the numbers that matter only.
            let is_lazy = candidates.are_many();
            let chosen = match is_lazy {
                true => Chosen::None(&candidates),
                false => Chosen::Some(&candidates),
            };
            let mut parts = self.parts(encoder, pool, about, (paths, None), (goal, &shown), chosen);
            if is_lazy {
                let formulas: Vec<TermId> = parts.all.iter().map(|part| part.1).collect();
                let on_model = &mut |pool: &TermPool, model: &Model| wrong = violated(pool, model, &formulas);
                match refute(pool, &formulas, &candidates, (&mut *solvers, effort), on_model) {
                    Found::Refuted(numbers, _) => {
                        candidates.numbers = numbers;
                        let chosen = Chosen::Some(&candidates);
                        parts = self.parts(encoder, pool, about, (paths, None), (goal, &shown), chosen);
                    }
                    Found::Model | Found::Unknown => open = Some("no instances of claims about elements refute it"),
                }
            }
            let formulas: Vec<TermId> = parts.all.iter().map(|part| part.1).collect();
            let is_open = match &self.certificate.origin {
                Origin::Predicates => false,
                Origin::Explicit(lost) => !lost.is_empty() || has_operators(pool, &formulas),
                Origin::Thin | Origin::Guessed | Origin::Paths => true,
            };
            let is_doubtful = is_open || about.kind == Kind::Ranges;
            let written = match open {
                Some(why) => Err(Failure::Unknown(why.to_string())),
                None => {
                    let on_model = &mut |pool: &TermPool, model: &Model| {
                        if is_open {
                            wrong = violated(pool, model, &formulas);
                        }
                    };
                    without_updates(pool, &formulas, is_doubtful, (&mut *solvers, effort), on_model)
                }
            };
            let mut is_new = false;
            for point in wrong {
                is_new |= self.operators.add(point);
            }
            if written.is_ok() || !is_new || rounds == MAX_ROUNDS {
                let written = match written {
                    Err(Failure::Satisfiable(why)) if is_open => Err(Failure::Unknown(why)),
                    other => other,
                };
                return (parts, written);
            }
        }
    }

    /// The cases of the claim at a point that scripts are about: all at once, or some at a time.
    fn chunks(&self, from: usize) -> Vec<Option<Range<usize>>> {
        let count = self.cases[from].len();
        if count <= MAX_CASES {
            return vec![None];
        }
        let starts = (0..count).step_by(MAX_CASES);
        starts.map(|start| Some(start..count.min(start + MAX_CASES))).collect()
    }

    /// The parts of the script for a goal behind the paths of a block, or behind a call with what its contract ensures. Some sums in it may be 0 by identities of polynomials.
    pub(in crate::evidence::obligations) fn parts(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        about: &About,
        (paths, ensured): (&PathFormula, Option<TermId>),
        (goal, sums): (TermId, &[TermId]),
        chosen: Chosen<'_>,
    ) -> Parts {
        let not_goal = pool.not(goal);
        if not_goal == pool.mk_false() {
            return Parts {
                all: vec![(Role::Goal, not_goal)],
                numbers: Vec::new(),
                identities: Vec::new(),
            };
        }
        let from = about.from;
        let claim = match about.cases.clone() {
            None => self.claims[from],
            Some(cases) => pool.or(&self.cases[from][cases]),
        };
        let before = encoder.instantiate(pool, claim, &SsaMap::default());
        let Candidates { claims, numbers } = match chosen {
            Chosen::All => self.candidates(encoder, pool, from, &[paths.formula, not_goal]),
            Chosen::None(candidates) => Candidates {
                claims: candidates.claims.clone(),
                numbers: Vec::new(),
            },
            Chosen::Some(candidates) => candidates.clone(),
        };
        let mut instances = Vec::new();
        for &number in &numbers {
            instances.extend(claims.iter().map(|&claim| elements::instance(pool, claim, number)));
        }
        let elements = pool.and(&instances);
        let mut mentioned = vec![before, elements, paths.formula, not_goal];
        if matches!(chosen, Chosen::None(_)) {
            mentioned.extend(claims);
        }
        let mut ranges = Vec::new();
        for term in pool.sub_terms(&mentioned) {
            if let Term::IntVar(symbol) = *pool.term(term)
                && symbol.index == 0
                && self.established[from].contains(&symbol.name)
            {
                ranges.extend(in_range(encoder, pool, symbol));
            }
        }
        let ranges = pool.and(&ranges);
        let ensured = ensured.unwrap_or(pool.mk_true());
        let mut lemmas = self.operators.lemmas(pool, paths.formula);
        let mut found = Vec::new();
        if self.certificate.origin == Origin::Guessed {
            let formulas = [before, elements, paths.formula, ensured, not_goal];
            match self.contracts.is_empty() {
                // Contracts speak of products whose factors make steps.
                false => lemmas.extend(products(pool, &formulas)),
                true => found = self.identities.about(pool, &[before, elements], paths.formula, sums),
            }
            if !found.is_empty() {
                lemmas.extend(found.iter().map(|identity| identity.formula));
                lemmas.extend(bounds(pool, &formulas));
            }
        }
        let lemmas = pool.and(&lemmas);
        let all = [
            (Role::Claim, before),
            (Role::Elements, elements),
            (Role::Ranges, ranges),
            (Role::Operators, lemmas),
            (Role::Paths, paths.formula),
            (Role::Contract, ensured),
            (Role::Goal, not_goal),
        ];
        let truth = pool.mk_true();
        Parts {
            all: all.into_iter().filter(|part| part.1 != truth).collect(),
            numbers,
            identities: found,
        }
    }

    /// The claims about all elements at a point, and the numbers of the elements that formulas mention.
    pub(in crate::evidence::obligations) fn candidates(
        &self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        from: usize,
        formulas: &[TermId],
    ) -> Candidates {
        let claims = self.each[from].iter();
        let claims: Vec<TermId> = claims
            .map(|&claim| encoder.instantiate(pool, claim, &SsaMap::default()))
            .collect();
        let numbers = match claims.is_empty() {
            true => Vec::new(),
            false => elements::numbers(pool, &claims, formulas),
        };
        Candidates { claims, numbers }
    }

    /// The claims at a point behind paths. Claims about elements are stated for the constant that stands for an arbitrary number.
    pub(in crate::evidence::obligations) fn claims_behind(
        &self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        to: usize,
        paths: &PathFormula,
    ) -> Vec<TermId> {
        let claims = self.conjuncts(pool, to);
        let claims = claims.into_iter();
        let stale = SsaMap::default();
        let ssa = if planted("goal-before-block") {
            &stale
        } else {
            &paths.ssa
        };
        claims.map(|claim| encoder.instantiate(pool, claim, ssa)).collect()
    }

    /// The claims at a point as conjuncts: the disjunction of its cases (`true` for guesses), the facts that hold in all cases, and the claims about elements.
    pub(in crate::evidence::obligations) fn conjuncts(&self, pool: &TermPool, point: usize) -> Vec<TermId> {
        let mut claims = match self.certificate.origin {
            Origin::Guessed => {
                let guesses = pool.conjuncts(self.claims[point]).into_iter();
                std::iter::once(pool.mk_true()).chain(guesses).collect()
            }
            Origin::Predicates | Origin::Thin | Origin::Explicit(_) | Origin::Paths => vec![self.claims[point]],
        };
        claims.extend(&self.each[point]);
        claims
    }

    /// Scripts that together say the same as one; `None` if it says one thing only. `claimed` are the conjuncts behind the block.
    fn pieces(
        &self,
        pool: &mut TermPool,
        about: &About,
        goal: &Goal,
        claimed: &[TermId],
    ) -> Option<Vec<(About, Goal)>> {
        match about.kind {
            Kind::Ranges if goal.ranges.len() > 1 => {
                let (first, second) = goal.ranges.split_at(goal.ranges.len() / 2);
                Some([first, second].map(|half| (about.clone(), ranged(pool, half))).to_vec())
            }
            Kind::Consecution if about.conjuncts.is_none() && claimed.len() > 1 => {
                let piece = |(number, &formula): (usize, &TermId)| {
                    let about = About {
                        conjuncts: Some(number..number + 1),
                        ..about.clone()
                    };
                    let ranges = Vec::new();
                    (about, Goal { formula, ranges })
                };
                let truth = pool.mk_true();
                let claimed = claimed.iter().enumerate().filter(|(_, goal)| **goal != truth);
                let pieces: Vec<(About, Goal)> = claimed.map(piece).collect();
                (!pieces.is_empty()).then_some(pieces)
            }
            _ => None,
        }
    }

    /// The goal that the values which paths write, and which have to be established at their end, are in the ranges of their types.
    fn ranges_behind(
        &self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        to: usize,
        paths: &PathFormula,
    ) -> Vec<(SymbolId, TermId)> {
        let mut ranges = Vec::new();
        for (slot, index) in paths.ssa.entries() {
            let name = pool.symbol(&encoder.slot_name(slot));
            if index > 0 && self.established[to].contains(&name) {
                let range = in_range(encoder, pool, Symbol { name, index });
                ranges.extend(range.map(|range| (name, range)));
            }
        }
        if planted("range-left-out") {
            ranges.pop();
        }
        ranges
    }

    /// The last versions of the names in the claim at a point, where they are not those at the beginning.
    fn versions_behind(&self, encoder: &Encoder<'_>, pool: &TermPool, to: usize, paths: &PathFormula) -> Named<u32> {
        let claims: Vec<TermId> = self.each[to].iter().copied().chain([self.claims[to]]).collect();
        let names = pool.symbols_of(&claims).into_iter().map(|symbol| symbol.name);
        let names: BTreeSet<SymbolId> = names.chain(self.established[to].iter().copied()).collect();
        let mut versions = Named::new();
        for name in names {
            let name = pool.name(name);
            let version = encoder.slot_of(name).map_or(0, |slot| paths.ssa.index(slot));
            if version > 0 {
                versions.insert(name.to_string(), version);
            }
        }
        versions
    }
}
