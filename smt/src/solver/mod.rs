//! The incremental CDCL(T) solver for linear integer and real arithmetic, uninterpreted functions and updates.
//!
//! | module | does |
//! |---|---|
//! | `config` | options, answers and statistics |
//! | `scopes` | assertions and their scopes |
//! | `choices` | rewrites comparisons of conditional terms with constants |
//! | `lift` | rewrites asserted definitions by conditional terms |
//! | `cnf` | turns formulas into clauses |
//! | `columns` | turns numeric terms into columns and rows |
//! | `limits` | bounds the effort |
//! | `live` | says which formulas and terms count now |
//! | `decide` | chooses the next decision |
//! | `finite` | searches over small domains |
//! | `joins` | finds equations that all cases of a disjunction imply |
//! | `justify` | finds the decisions that the formulas still need |
//! | `sat` | conflict-driven clause learning |
//! | `theory` | the combination of the theories |
//! | `theories` | the theories together |
//! | `arith` | linear arithmetic over integers and reals |
//! | `euf` | equality and uninterpreted functions |
//! | `cells` | function updates |
//! | `events` | tells observers what happens |
//! | `record` | records proofs |
//! | `extract` | makes models |
//!
//! **Scopes.** An assertion in a scope is a clause guarded by the scope's activation literal (Een and Sorensson 2003), which
//! every check assumes first. Definitions, lemmas and clauses learned from them are not guarded and outlive the scope;
//! atoms, rows and vertices of the tableau do too.
//!
//! **Small queries.** The trail is kept between checks as far as the assumptions agree, so that a blocking clause or another
//! last assumption costs only what it changes.
//!
//! **Effort** is counted in ticks (watches visited, row entries touched), which repeat exactly.

mod arith;
mod cells;
mod choices;
mod cnf;
mod columns;
mod config;
mod decide;
mod euf;
mod events;
mod extract;
mod finite;
mod joins;
mod justify;
mod lift;
mod limits;
mod live;
mod record;
mod sat;
mod scopes;
mod theories;
mod theory;

#[cfg(test)]
mod tests;

use crate::hash::FxHashMap;
use crate::model::Model;
use crate::proof::{ClauseId, Lit, Proof, Var};
use crate::term::{Term, TermId, TermPool};
use columns::Columns;
pub use config::{Answer, Config, Statistics, UnknownReason};
use events::Events;
pub use events::{Event, Observer};
use finite::Finite;
use justify::Justification;
use limits::{Limits, MAX_DEAD_SCOPES};
use live::{LiveMark, Liveness};
use sat::clauses::NO_PROOF;
use sat::inprocess::Inprocessing;
use sat::search::{Search, Value};
use scopes::Assertions;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use theories::Theories;

/// Learned clauses before the first reduction, and by how many more before each next one.
const REDUCE: usize = 2_000;

/// An incremental solver. Terms of all calls must come from one pool.
pub struct Solver {
    config: Config,
    search: Search,
    theories: Theories,
    formulas: Formulas,
    columns: Columns,
    live: Liveness,
    justification: Justification,
    assertions: Assertions,
    joins: Vec<joins::Join>,
    finite: Finite,
    last: LastCheck,
    limits: Limits,
    schedule: Schedule,
}

/// The formulas that have a literal.
struct Formulas {
    /// The literal of each known formula that is no negation.
    literals: FxHashMap<TermId, Lit>,
    /// The formula of each variable.
    terms: Vec<TermId>,
    /// The true formula, which has the same name in every pool. Activation variables stand for it.
    truth: TermId,
}

/// The check that is under way, or the last one.
#[derive(Default)]
struct LastCheck {
    /// The literals of the open scopes and of the assumptions.
    assumed: Vec<Lit>,
    answer: Option<Answer>,
    /// The assumptions that failed.
    core: Vec<TermId>,
    refutation: Option<ClauseId>,
    /// The clause of the assumptions that do not hold together, if the last check failed by them.
    failed: Option<ClauseId>,
    /// Where the liveness of its assumptions begins.
    mark: Option<LiveMark>,
    /// Variables that final checks want decided next, the last one first.
    suggested: Vec<Var>,
    /// The number of candidates with fractions since one was patched.
    fractions: u64,
    /// The number of dives, and that of fractions at which the search began anew for one.
    dives: u32,
    dive_at: u64,
    /// Whether the next candidate with fractions is to be dived from.
    is_diving: bool,
}

/// When learned clauses are deleted and simplified.
struct Schedule {
    /// The number of learned clauses at which the worse half goes.
    reduce_at: usize,
    inprocessing: Inprocessing,
}

impl Solver {
    /// A solver without assertions.
    pub fn new(config: Config) -> Self {
        Solver::observed_by(config, None)
    }

    /// A solver without assertions that tells an observer what it does. Its search is that of a solver that [records proofs](Config::proofs).
    pub fn with_observer(config: Config, observer: Box<dyn Observer + Send>) -> Self {
        Solver::observed_by(config, Some(observer))
    }

    fn observed_by(config: Config, guest: Option<Box<dyn Observer + Send>>) -> Self {
        let (proofs, inprocessing) = (config.proofs, Inprocessing::new(config.inprocessing));
        Solver {
            config,
            search: Search::new(Events::new(proofs, guest)),
            theories: Theories::default(),
            formulas: Formulas {
                literals: FxHashMap::default(),
                terms: Vec::new(),
                truth: TermPool::new().mk_true(),
            },
            columns: Columns::default(),
            live: Liveness::default(),
            justification: Justification::default(),
            assertions: Assertions::default(),
            joins: Vec::new(),
            finite: Finite::default(),
            last: LastCheck::default(),
            limits: Limits::none(),
            schedule: Schedule {
                reduce_at: REDUCE,
                inprocessing,
            },
        }
    }

    /// Whether the assertions have a model in which all assumptions (Boolean terms) hold.
    ///
    /// After an unknown answer the solver is as usable as after any other.
    pub fn check(&mut self, pool: &mut TermPool, assumptions: &[TermId]) -> Answer {
        self.end_check();
        self.search.events.emit(Event::Check);
        // Lemmas that the last check needed are likely to be needed again.
        for root in std::mem::take(&mut self.live.lemma_roots) {
            self.activate_root(pool, root);
        }
        self.last.mark = Some(self.live.mark());
        self.last.core.clear();
        (self.last.refutation, self.last.failed) = (None, None);
        self.limits.begin_check(self.search.ticks);
        self.finite.begin_check(self.search.ticks, self.config.finite_after);
        if self.assertions.dead_guards.len() >= MAX_DEAD_SCOPES {
            self.collect_scopes();
        }
        let mut assumed: Vec<Lit> = self.assertions.scopes.iter().map(|s| s.guard).collect();
        for &assumption in assumptions {
            match pool.term(assumption) {
                Term::True => {}
                Term::False => {
                    self.last.core.push(assumption);
                    self.last.answer = Some(Answer::Unsat);
                    return Answer::Unsat;
                }
                _ => {
                    self.activate_root(pool, assumption);
                    assumed.push(self.literal(pool, assumption));
                }
            }
        }
        self.add_eager_instances(pool);
        let common = self
            .last
            .assumed
            .iter()
            .zip(&assumed)
            .take_while(|(a, b)| a == b)
            .count();
        // Under the same assumptions the search just goes on.
        if common < self.last.assumed.len().max(assumed.len()) {
            self.search.backtrack(u32::try_from(common).expect("few assumptions"));
            self.last.assumed.clone_from(&assumed);
        }
        let answer = self.solve(pool, &assumed, assumptions);
        self.leave_finite();
        if answer == Answer::Sat && cfg!(debug_assertions) {
            self.validate(pool, assumptions);
        }
        self.last.answer = Some(answer);
        answer
    }

    /// The model, after `Sat` and before the next change. It is defined for every symbol in the asserted formulas.
    ///
    /// # Panics
    /// If the last call that changed anything was not a check with the answer `Sat`.
    pub fn model(&mut self, pool: &TermPool) -> Model {
        assert!(self.last.answer == Some(Answer::Sat), "there is a model only after Sat");
        self.extract(pool)
    }

    /// Makes the search decide a formula in each satisfying assignment until the innermost scope is closed, so that [`Solver::truth`] knows it.
    pub fn observe(&mut self, pool: &mut TermPool, formula: TermId) {
        self.end_check();
        if !matches!(pool.term(formula), Term::True | Term::False) {
            self.activate_root(pool, formula);
        }
    }

    /// The truth value, in the model after `Sat`, of a formula that is [observed](Solver::observe), asserted or assumed. Costs a lookup, where [`Solver::model`] costs time in proportion to all formulas.
    ///
    /// # Panics
    /// If the last check was not satisfiable, or the formula is none of these.
    pub fn truth(&self, pool: &TermPool, formula: TermId) -> bool {
        assert!(self.last.answer == Some(Answer::Sat), "there is a model only after Sat");
        match pool.term(formula) {
            Term::True => true,
            Term::False => false,
            _ => {
                let value = self.known_literal(pool, formula).map(|lit| self.search.value(lit));
                assert!(
                    value.is_some_and(|v| v != Value::Open),
                    "an observed formula has a value"
                );
                value == Some(Value::True)
            }
        }
    }

    /// A subset of the assumptions that is inconsistent with the assertions, after `Unsat`.
    pub fn core(&self) -> Vec<TermId> {
        self.last.core.clone()
    }

    /// The trimmed proof, after `Unsat` that rests on no assumption, if proofs are configured.
    pub fn proof(&self) -> Option<Proof> {
        let recorder = self.search.events.recorder.as_ref()?;
        if self.last.answer != Some(Answer::Unsat) {
            return None;
        }
        recorder
            .empty
            .or(self.last.refutation)
            .map(|empty| recorder.proof(empty))
    }

    /// After `Unsat` under assumptions, the trimmed proof of a clause that has negations of assumptions only, if proofs are configured: that of the [core](Self::core). It is the last one.
    pub(crate) fn core_proof(&self) -> Option<Proof> {
        let recorder = self.search.events.recorder.as_ref()?;
        if self.last.answer != Some(Answer::Unsat) {
            return None;
        }
        // Assumptions that contradict each other need no clause.
        let clause = recorder
            .empty
            .or(self.last.failed.filter(|&clause| clause != NO_PROOF))?;
        Some(recorder.proof(clause))
    }

    /// The number of clauses recorded so far, of which a proof needs some, if proofs are configured.
    pub fn recorded(&self) -> Option<usize> {
        self.search.events.recorder.as_ref().map(|recorder| recorder.len())
    }

    /// The number of these that are not forgotten, since later clauses may rest on them.
    pub fn remembered(&self) -> Option<usize> {
        self.search
            .events
            .recorder
            .as_ref()
            .map(|recorder| recorder.remembered())
    }

    /// Limits the ticks that each following check may spend.
    pub fn set_tick_limit(&mut self, limit: Option<u64>) {
        self.limits.tick_limit = limit;
    }

    /// Limits the ticks of all checks together, those before this call included.
    pub fn set_tick_budget(&mut self, budget: Option<u64>) {
        self.limits.tick_budget = budget;
    }

    /// The ticks spent so far by all checks.
    pub fn ticks(&self) -> u64 {
        self.search.ticks
    }

    /// A solver without formulas for a question on the side, which may spend this number of ticks and no more than this one has left. It records no proofs.
    pub(crate) fn aside(&self, ticks: u64) -> Solver {
        let mut aside = Solver::new(Config::default());
        let left = self
            .limits
            .tick_budget
            .map(|budget| budget.saturating_sub(self.ticks()));
        aside.limits.tick_budget = Some(left.unwrap_or(u64::MAX).min(ticks));
        aside.limits.interrupt.clone_from(&self.limits.interrupt);
        aside
    }

    /// Adds the ticks of a question on the side.
    pub(crate) fn charge(&mut self, ticks: u64) {
        self.search.ticks += ticks;
    }

    /// Sets a flag that, when true, makes checks end with `Unknown(Interrupted)`.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.limits.interrupt = Some(flag);
    }

    /// The work done so far.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            ticks: self.search.ticks,
            ..self.search.events.statistics
        }
    }
}
