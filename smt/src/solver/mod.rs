//! The incremental CDCL(T) solver for linear integer and real arithmetic, uninterpreted functions and updates.
//!
//! | file | technique |
//! |---|---|
//! | `scopes`, `config` | what is asserted, and how it is to be solved |
//! | `lift` | asserted definitions by conditional terms |
//! | `cnf` | formulas to clauses, atoms to columns and rows, liveness |
//! | `cdcl`, `decide` | the loop of the search |
//! | `search`, `clauses`, `order` | the propositional state |
//! | `justify` | which decisions the formulas still need |
//! | `propagate`, `analyze`, `restart`, `reduce` | conflict-driven clause learning |
//! | `inprocess`, `vivify`, `subsume` | simplification of what was learned |
//! | `tableau`, `simplex`, `bounds` | linear arithmetic |
//! | `integers`, `diophantine`, `cube`, `patch` | its integers |
//! | `egraph`, `purity` | equality and functions where arithmetic has no part |
//! | `sharing` | equations known to both |
//! | `functions`, `closure`, `updates`, `bridge` | functions and updates by lemmas on demand |
//! | `real_functions` | functions of reals |
//! | `record`, `extract` | proofs and models |
//!
//! **Scopes.** An assertion in a scope is a clause guarded by the scope's activation literal (Een and Sorensson 2003), which
//! every check assumes first. Definitions, lemmas and what was learned from them are not guarded and outlive the scope;
//! atoms, rows and vertices of the tableau do too.
//!
//! **Small queries.** The trail is kept between checks as far as the assumptions agree, so that a blocking clause or another
//! last assumption costs only what it changes.
//!
//! **Effort** is counted in ticks (watches visited, row entries touched), which repeat exactly.

mod analyze;
mod bounds;
mod bridge;
mod cdcl;
mod clauses;
mod closure;
mod cnf;
mod config;
mod cube;
mod decide;
mod diophantine;
mod egraph;
mod extract;
mod functions;
mod inprocess;
mod integers;
mod justify;
mod lift;
mod order;
mod patch;
mod propagate;
mod purity;
mod real_functions;
mod record;
mod reduce;
mod restart;
mod scopes;
mod search;
mod sharing;
mod simplex;
mod subsume;
mod tableau;
mod updates;
mod vivify;

#[cfg(test)]
mod tests;

use crate::hash::{FxHashMap, FxHashSet};
use crate::model::Model;
use crate::num::Number;
use crate::proof::{ClauseId, Lit, Part, Proof, Var};
use crate::term::{Symbol, Term, TermId, TermPool};
use bounds::Arithmetic;
use closure::Closure;
pub use config::{Answer, Config, Statistics, UnknownReason};
use egraph::Egraph;
use functions::{App, Points, UpdateAtom};
use inprocess::Inprocessing;
use justify::Justification;
use purity::Purity;
use real_functions::RealPoints;
use scopes::{DEAD_SCOPES, LiveMark, Scope};
use search::{Search, Value};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tableau::Column;
use updates::Instances;

/// An equation atom `column = value`, and the literals of its two inequalities.
struct Equation {
    column: Column,
    value: Number,
    le: Lit,
    ge: Lit,
}

/// Learned clauses before the first reduction, and by how many more before each next one.
const REDUCE: usize = 2_000;

/// An incremental solver. Terms of all calls must come from one pool.
pub struct Solver {
    config: Config,
    search: Search,
    arith: Arithmetic,
    egraph: Egraph,
    purity: Purity,
    /// The literal of each known formula that is no negation.
    literals: FxHashMap<TermId, Lit>,
    /// The formula of each variable.
    terms: Vec<TermId>,
    /// The true formula, which has the same name in every pool. Activation variables stand for it.
    truth: TermId,
    /// The column of each numeric leaf and of each linear form without constant.
    columns: FxHashMap<TermId, Column>,
    column_terms: Vec<TermId>,
    /// Leaves with a column whose definitions were not added yet.
    undefined: Vec<TermId>,
    forms: FxHashMap<TermId, cnf::Form>,
    equations: FxHashMap<Var, Equation>,
    /// Whether there is a function; see [`sharing`].
    shares_equations: bool,
    /// The arguments of two applications that an equation compares, where only congruence closure knows it.
    compared: FxHashMap<Var, (TermId, TermId)>,
    updates: FxHashMap<TermId, UpdateAtom>,
    /// Congruence lemmas made: pairs of applications.
    instances: FxHashSet<(TermId, TermId)>,
    update_instances: Instances,
    /// Bridges that were guessed; see [`bridge`].
    guesses: usize,
    /// For each function the updates that were live once and define it.
    writers: FxHashMap<Symbol, Vec<TermId>>,
    // Liveness.
    live_terms: Vec<bool>,
    live_log: Vec<TermId>,
    live_columns: Vec<Column>,
    live_apps: Vec<App>,
    live_real_apps: Vec<App>,
    live_updates: Vec<TermId>,
    eager_apps: usize,
    eager_updates: usize,
    /// Formulas that need a justified value: assertions, assumptions, observed formulas and parts of lemma instances.
    roots: Vec<TermId>,
    justification: Justification,
    /// Formulas and applications of update instances that became live in the current check.
    lemma_roots: Vec<TermId>,
    /// Variables that final checks want decided next, the last one first.
    suggested: Vec<Var>,
    /// Where the liveness of the current check's assumptions begins.
    check_mark: Option<LiveMark>,
    /// How many candidates of the current check had fractions since one was patched.
    fractions: u64,
    // Assertions.
    scopes: Vec<Scope>,
    dead_guards: Vec<Lit>,
    asserted: Vec<TermId>,
    intervals: FxHashMap<Symbol, (u32, u32)>,
    /// The label of clauses that are made now.
    part: Part,
    // The last check.
    assumed: Vec<Lit>,
    answer: Option<Answer>,
    core: Vec<TermId>,
    refutation: Option<ClauseId>,
    /// The functions in the last model.
    closure: Box<Closure>,
    points: Points,
    real_points: RealPoints,
    // Limits.
    tick_limit: Option<u64>,
    tick_budget: Option<u64>,
    deadline: u64,
    interrupt: Option<Arc<AtomicBool>>,
    reduce_at: usize,
    inprocessing: Inprocessing,
}

impl Solver {
    /// A solver without assertions.
    pub fn new(config: Config) -> Self {
        let (proofs, inprocessing) = (config.proofs, Inprocessing::new(config.inprocessing));
        Solver {
            config,
            search: Search::new(proofs),
            arith: Arithmetic::default(),
            egraph: Egraph::default(),
            purity: Purity::default(),
            literals: FxHashMap::default(),
            terms: Vec::new(),
            truth: TermPool::new().mk_true(),
            columns: FxHashMap::default(),
            column_terms: Vec::new(),
            undefined: Vec::new(),
            forms: FxHashMap::default(),
            equations: FxHashMap::default(),
            shares_equations: false,
            compared: FxHashMap::default(),
            updates: FxHashMap::default(),
            instances: FxHashSet::default(),
            update_instances: Instances::default(),
            guesses: 0,
            writers: FxHashMap::default(),
            live_terms: Vec::new(),
            live_log: Vec::new(),
            live_columns: Vec::new(),
            live_apps: Vec::new(),
            live_real_apps: Vec::new(),
            live_updates: Vec::new(),
            eager_apps: 0,
            eager_updates: 0,
            roots: Vec::new(),
            justification: Justification::default(),
            lemma_roots: Vec::new(),
            suggested: Vec::new(),
            check_mark: None,
            fractions: 0,
            scopes: Vec::new(),
            dead_guards: Vec::new(),
            asserted: Vec::new(),
            intervals: FxHashMap::default(),
            part: Part(0),
            assumed: Vec::new(),
            answer: None,
            core: Vec::new(),
            refutation: None,
            closure: Box::default(),
            points: Points::default(),
            real_points: RealPoints::default(),
            tick_limit: None,
            tick_budget: None,
            deadline: u64::MAX,
            interrupt: None,
            reduce_at: REDUCE,
            inprocessing,
        }
    }

    /// Whether the assertions have a model in which all assumptions (Boolean terms) hold.
    ///
    /// After an unknown answer the solver is as usable as after any other.
    pub fn check(&mut self, pool: &mut TermPool, assumptions: &[TermId]) -> Answer {
        self.end_check();
        self.search.stats.checks += 1;
        // Lemmas that the last check needed are likely to be needed again.
        for root in std::mem::take(&mut self.lemma_roots) {
            self.activate_root(pool, root);
        }
        self.check_mark = Some(self.mark());
        self.core.clear();
        self.refutation = None;
        self.deadline = self
            .tick_limit
            .map_or(u64::MAX, |limit| self.search.ticks.saturating_add(limit))
            .min(self.tick_budget.unwrap_or(u64::MAX));
        if self.dead_guards.len() >= DEAD_SCOPES {
            self.collect_scopes();
        }
        let mut assumed: Vec<Lit> = self.scopes.iter().map(|s| s.guard).collect();
        for &assumption in assumptions {
            match pool.term(assumption) {
                Term::True => {}
                Term::False => {
                    self.core.push(assumption);
                    self.answer = Some(Answer::Unsat);
                    return Answer::Unsat;
                }
                _ => {
                    self.activate_root(pool, assumption);
                    assumed.push(self.literal(pool, assumption));
                }
            }
        }
        self.add_eager_instances(pool);
        let common = self.assumed.iter().zip(&assumed).take_while(|(a, b)| a == b).count();
        // Under the same assumptions the search just goes on.
        if common < self.assumed.len().max(assumed.len()) {
            self.search.backtrack(u32::try_from(common).expect("few assumptions"));
            self.assumed.clone_from(&assumed);
        }
        let answer = self.solve(pool, &assumed, assumptions);
        if answer == Answer::Sat && cfg!(debug_assertions) {
            self.validate(pool, assumptions);
        }
        self.answer = Some(answer);
        answer
    }

    /// The model, after `Sat` and before the next change. It is defined for every symbol in the asserted formulas.
    ///
    /// # Panics
    /// If the last call that changed anything was not a check with the answer `Sat`.
    pub fn model(&mut self, pool: &TermPool) -> Model {
        assert!(self.answer == Some(Answer::Sat), "there is a model only after Sat");
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
        assert!(self.answer == Some(Answer::Sat), "there is a model only after Sat");
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
        self.core.clone()
    }

    /// The trimmed proof, after `Unsat` that rests on no assumption, if proofs are configured.
    pub fn proof(&self) -> Option<Proof> {
        let recorder = self.search.recorder.as_ref()?;
        if self.answer != Some(Answer::Unsat) {
            return None;
        }
        recorder.empty.or(self.refutation).map(|empty| recorder.proof(empty))
    }

    /// The number of clauses recorded so far, of which a proof needs some, if proofs are configured.
    pub fn recorded(&self) -> Option<usize> {
        self.search.recorder.as_ref().map(|recorder| recorder.len())
    }

    /// Limits the ticks that each following check may spend.
    pub fn set_tick_limit(&mut self, limit: Option<u64>) {
        self.tick_limit = limit;
    }

    /// Limits the ticks of all checks together, those before this call included.
    pub fn set_tick_budget(&mut self, budget: Option<u64>) {
        self.tick_budget = budget;
    }

    /// The ticks spent so far by all checks.
    pub fn ticks(&self) -> u64 {
        self.search.ticks
    }

    /// Sets a flag that, when true, makes checks end with `Unknown(Interrupted)`.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = Some(flag);
    }

    /// The work done so far.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            ticks: self.search.ticks,
            ..self.search.stats
        }
    }
}
