//! One interpolation query: which conjuncts are to be refuted, and what is read off their proof.
//!
//! First a small core is sought ([`narrow`]); then that core is proved. A refutation of a core that took very long is interpolated itself. If there is no proof without mixed lemmas for updates, it is
//! sought again with all lemmas allowed. A smaller set of conjuncts has narrower spans, and may have no proof that can be interpolated where the larger one has: then everything is
//! proved.

use super::guide::{Guide, LONG, MIN_STEPS};
use super::narrow::{Narrowed, Prefix};
use super::readings::Reading;
use super::reduce::reduce;
use super::span::Spans;
use super::{Cost, InterpolationConfig, SequenceResult, Variant, portfolio, simplify, walk};
use crate::fault::planted;
use crate::model::Model;
use crate::proof::{Part, Proof};
use crate::solver::{Answer, Config, Solver, UnknownReason};
use crate::term::{Term, TermId, TermPool};
use std::sync::Arc;

/// A conjunct of a part.
pub(super) type Conjunct = (Part, TermId);

/// The end of one attempt to refute a set of conjuncts.
enum Attempt {
    Sat(Model),
    Unsat(Arc<Proof>),
    Unknown(UnknownReason),
}

/// One call of [`super::sequence`].
pub(super) struct Query<'a> {
    config: &'a InterpolationConfig,
    cost: Cost,
    /// Variants that are read off the proof beside the one that is taken.
    compared: Vec<Variant>,
    readings: Vec<Reading>,
    /// The other sequences of a portfolio.
    others: Vec<Vec<TermId>>,
    /// Whether the solver is to avoid lemmas with mixed literals.
    avoids_mixed: bool,
    guide: Option<Guide>,
}

impl<'a> Query<'a> {
    pub(super) fn new(config: &'a InterpolationConfig) -> Self {
        Query {
            config,
            cost: Cost::default(),
            compared: Vec::new(),
            readings: Vec::new(),
            others: Vec::new(),
            avoids_mixed: config.avoid_mixed,
            guide: None,
        }
    }

    /// The same query, which also keeps what these variants make of its proof.
    pub(super) fn reading(self, compared: Vec<Variant>) -> Self {
        Query { compared, ..self }
    }

    /// The parts of the last proof that were kept.
    pub(super) fn into_readings(self) -> Vec<Reading> {
        self.readings
    }

    /// The guide for a certificate of the interpolant, if it is between two parts and its proof is long.
    pub(super) fn take_guide(&mut self) -> Option<Guide> {
        self.guide.take()
    }

    /// The different sequences of the portfolio's variants that were not taken, in the order of the variants.
    pub(super) fn into_others(self) -> Vec<Vec<TermId>> {
        self.others
    }

    /// The cost so far.
    pub(super) fn cost(&self) -> Cost {
        self.cost
    }

    /// Answers for `parts` parts: those of the prefix and a last one.
    pub(super) fn run(
        &mut self,
        pool: &mut TermPool,
        prefix: &mut Prefix,
        last: &[Conjunct],
        parts: usize,
    ) -> SequenceResult {
        let conjuncts = prefix.with(last);
        if let Some(&(part, _)) = conjuncts
            .iter()
            .find(|(_, formula)| *pool.term(*formula) == Term::False)
        {
            let value = |cut: u32| pool.mk_bool(cut < part.0);
            let cuts = u32::try_from(parts - 1).expect("parts are numbered with 32 bits");
            return SequenceResult::Unsat((0..cuts).map(value).collect());
        }
        if self.config.minimise {
            let (narrowed, ticks) = prefix.narrow(pool, last, self.config, self.config.ticks);
            self.cost.ticks += ticks;
            let core = match narrowed {
                Narrowed::Sat(model) => return SequenceResult::Sat(model),
                Narrowed::Core(core) => Some(core),
                Narrowed::Refuted(core, proof) => {
                    let proof = self.accept(pool, proof, &core);
                    if let Ok(interpolants) = self.interpolate(pool, &core, &proof, parts) {
                        return SequenceResult::Unsat(interpolants);
                    }
                    Some(core)
                }
                Narrowed::Unknown(UnknownReason::Incomplete(_)) => None,
                Narrowed::Unknown(reason) => return SequenceResult::Unknown(reason),
            };
            if let Some(core) = core {
                match self.prove(pool, &core, parts) {
                    SequenceResult::Unsat(interpolants) => return SequenceResult::Unsat(interpolants),
                    SequenceResult::Sat(_) => panic!("a core has a model"),
                    SequenceResult::Unknown(_) => {}
                }
            }
        }
        self.prove(pool, &conjuncts, parts)
    }

    /// Answers for parts of which none is shared with another query. There is at least one.
    pub(super) fn run_alone(&mut self, pool: &mut TermPool, parts: &[TermId]) -> SequenceResult {
        let number = u32::try_from(parts.len() - 1).expect("parts are numbered with 32 bits");
        let (prefix, last) = parts.split_at(parts.len() - 1);
        let mut prefix = Prefix::new(split(pool, 0, prefix), self.config);
        let last = split(pool, number, last);
        self.run(pool, &mut prefix, &last, parts.len())
    }

    /// Interpolates between two sides; `cost` is that of several such queries, which have the limit of `config` together.
    pub(super) fn between(
        pool: &mut TermPool,
        inside: &[TermId],
        outside: &[TermId],
        config: &InterpolationConfig,
        cost: &mut Cost,
    ) -> SequenceResult {
        let sides = [pool.and(inside), pool.and(outside)];
        let binary = InterpolationConfig {
            ticks: config.ticks.map(|ticks| ticks.saturating_sub(cost.ticks)),
            check: false,
            certify: false,
            ..config.clone()
        };
        let mut query = Query::new(&binary);
        let result = query.run_alone(pool, &sides);
        cost.add(&query.cost());
        result
    }

    /// Refutes and interpolates conjuncts as they are.
    fn prove(&mut self, pool: &mut TermPool, conjuncts: &[Conjunct], parts: usize) -> SequenceResult {
        self.avoids_mixed = self.config.avoid_mixed;
        let mut attempt = self.refute(pool, conjuncts);
        if self.avoids_mixed && matches!(attempt, Attempt::Unknown(UnknownReason::Incomplete(_))) {
            self.avoids_mixed = false;
            attempt = self.refute(pool, conjuncts);
        }
        let proof = match attempt {
            Attempt::Sat(model) => return SequenceResult::Sat(model),
            Attempt::Unknown(reason) => return SequenceResult::Unknown(reason),
            Attempt::Unsat(proof) => proof,
        };
        match self.interpolate(pool, conjuncts, &proof, parts) {
            Ok(interpolants) => SequenceResult::Unsat(interpolants),
            Err(reason) => SequenceResult::Unknown(UnknownReason::Incomplete(reason)),
        }
    }

    /// A solver that keeps the query's limits.
    fn solver(&self, config: Config) -> Solver {
        let mut solver = Solver::new(config);
        solver.set_tick_limit(self.config.ticks.map(|limit| limit.saturating_sub(self.cost.ticks)));
        if let Some(flag) = &self.config.interrupt {
            solver.set_interrupt(Arc::clone(flag));
        }
        solver
    }

    fn refute(&mut self, pool: &mut TermPool, conjuncts: &[Conjunct]) -> Attempt {
        if self.config.ticks.is_some_and(|limit| self.cost.ticks >= limit) {
            return Attempt::Unknown(UnknownReason::Ticks);
        }
        let mut solver = self.solver(Config {
            proofs: true,
            interpolation: self.avoids_mixed,
            arithmetic_only: !self.config.equality,
            inprocessing: self.config.inprocessing,
            finite_after: self.config.finite_after,
            ..Config::default()
        });
        for &(part, formula) in conjuncts {
            solver.assert(pool, formula, part);
        }
        let answer = solver.check(pool, &[]);
        self.cost.ticks += solver.ticks();
        match answer {
            Answer::Sat => Attempt::Sat(solver.model(pool)),
            Answer::Unknown(reason) => Attempt::Unknown(reason),
            Answer::Unsat => {
                let proof = solver.proof().expect("the solver was configured to record a proof");
                Attempt::Unsat(self.accept(pool, proof, conjuncts))
            }
        }
    }

    /// A proof to be interpolated, which refutes `conjuncts`: counted, reduced and checked, as the configuration wants it.
    fn accept(&mut self, pool: &mut TermPool, proof: Proof, conjuncts: &[Conjunct]) -> Arc<Proof> {
        self.cost.steps += steps(&proof);
        let proof = if self.config.reduce_proof {
            reduce(&proof)
        } else {
            proof
        };
        self.cost.proofs += 1;
        self.cost.reduced_steps += steps(&proof);
        if self.config.check || self.config.certify {
            let verdict = crate::proof::check(pool, &proof, conjuncts);
            assert!(verdict.is_ok(), "wrong proof: {}", verdict.expect_err("just seen"));
        }
        Arc::new(proof)
    }

    /// The interpolants from a proof that refutes `conjuncts`, of the best variant if there is a portfolio; or why there are none.
    fn interpolate(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[Conjunct],
        proof: &Arc<Proof>,
        parts: usize,
    ) -> Result<Vec<TermId>, &'static str> {
        let spans = Spans::new(pool, conjuncts);
        let is_guided = parts == 2 && (self.config.guide || self.config.certify) && proof.len() >= MIN_STEPS;
        let compared = self.compared.iter().map(|&variant| {
            let mut guide = None;
            let wanted = is_guided.then_some(&mut guide);
            Reading {
                variant,
                interpolants: self.read(pool, proof, &spans, parts, variant, wanted),
                guide: guide.map(Arc::new),
            }
        });
        self.readings = compared.collect();
        let Some(portfolio) = self.config.portfolio else {
            let mut guide = None;
            let wanted = is_guided.then_some(&mut guide);
            let found = self.read(pool, proof, &spans, parts, self.config.variant, wanted);
            self.guide = guide;
            return found;
        };
        let (mut found, mut failure) = (Vec::new(), None);
        for (number, variant) in portfolio.variants(self.config, parts).into_iter().enumerate() {
            match self.read(pool, proof, &spans, parts, variant, None) {
                Ok(interpolants) => found.push((number, interpolants)),
                Err(reason) => failure = failure.or(Some(reason)),
            }
        }
        let (numbers, mut sequences): (Vec<usize>, Vec<Vec<TermId>>) = found.into_iter().unzip();
        if sequences.is_empty() {
            return Err(failure.expect("a portfolio has the chosen variant at least"));
        }
        let best = portfolio::best(pool, &sequences, portfolio.merit);
        let differ = sequences.iter().any(|sequence| *sequence != sequences[0]);
        self.cost.choices += u64::from(differ);
        self.cost.others += u64::from(numbers[best] > 0);
        let taken = sequences.remove(best);
        self.others.clear();
        for sequence in sequences {
            if sequence != taken && !self.others.contains(&sequence) {
                self.others.push(sequence);
            }
        }
        Ok(taken)
    }

    /// The interpolants of one variant.
    fn read(
        &self,
        pool: &mut TermPool,
        proof: &Arc<Proof>,
        spans: &Spans,
        parts: usize,
        variant: Variant,
        guide: Option<&mut Option<Guide>>,
    ) -> Result<Vec<TermId>, &'static str> {
        let watched = (guide, self.config.interrupt.as_deref());
        let raw = walk::interpolants(pool, proof, spans, parts, variant, watched).map_err(walk::Unread::reason)?;
        let mut interpolants = Vec::with_capacity(raw.len());
        for (cut, mut raw) in (0u32..).zip(raw) {
            if !self.config.meanings.is_empty() {
                raw = pool.substitute(raw, &self.config.meanings);
            }
            let is_simplified = self.config.simplify && proof.len() < LONG;
            let interpolant = if is_simplified { simplify(pool, raw) } else { raw };
            if mentions_update(pool, interpolant) {
                return Err("an update that several parts share");
            }
            let is_shared = spans.vocabulary_is_shared(pool, interpolant, cut);
            // A core may lack the definition of what stands for an update.
            if !is_shared && !self.config.meanings.is_empty() {
                return Err("the meaning of an update that several parts share");
            }
            assert!(is_shared, "an interpolant has a symbol of one side");
            interpolants.push(interpolant);
        }
        if planted("neighbour") {
            interpolants.rotate_right(1);
        }
        Ok(interpolants)
    }
}

/// The number of steps of a proof.
fn steps(proof: &Proof) -> u64 {
    u64::try_from(proof.len()).unwrap_or(u64::MAX)
}

/// The conjuncts of parts in order, which are numbered from `first` on.
pub(super) fn split(pool: &TermPool, first: u32, parts: &[TermId]) -> Vec<Conjunct> {
    let mut conjuncts = Vec::new();
    for (number, &formula) in (first..).zip(parts) {
        conjuncts.extend(
            pool.conjuncts(formula)
                .into_iter()
                .map(|conjunct| (Part(number), conjunct)),
        );
    }
    conjuncts
}

/// Whether the formula has an update atom. Such an atom may not be negated, so it is of no use in an interpolant.
fn mentions_update(pool: &TermPool, formula: TermId) -> bool {
    pool.atoms(formula)
        .iter()
        .any(|&atom| matches!(pool.term(atom), Term::Update { .. }))
}
