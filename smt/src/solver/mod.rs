//! The incremental CDCL(T) solver for linear integer and real arithmetic, uninterpreted functions and updates.
//!
//! | file | technique |
//! |---|---|
//! | `lift` | asserted definitions by conditional terms |
//! | `cnf` | formulas to clauses, atoms to columns and rows, liveness |
//! | `search`, `clauses`, `order` | the propositional state |
//! | `justify` | which decisions the formulas still need |
//! | `propagate`, `analyze`, `restart`, `reduce` | conflict-driven clause learning |
//! | `inprocess`, `vivify`, `subsume` | simplification of what was learned |
//! | `simplex`, `bounds` | linear arithmetic |
//! | `integers`, `diophantine`, `cube`, `patch` | its integers |
//! | `egraph`, `purity` | equality and functions where arithmetic has no part |
//! | `sharing` | equations known to both |
//! | `functions`, `closure`, `bridge` | functions and updates by lemmas on demand |
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
mod clauses;
mod closure;
mod cnf;
mod cube;
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
mod search;
mod sharing;
mod simplex;
mod subsume;
mod vivify;

#[cfg(test)]
mod tests;

use crate::hash::{FxHashMap, FxHashSet};
use crate::model::Model;
use crate::num::Number;
use crate::proof::{ClauseId, Lit, Part, Proof, Step, Var};
use crate::term::{Symbol, Term, TermId, TermPool};
use bounds::Arithmetic;
use closure::Closure;
use egraph::Egraph;
use functions::{App, Points, UpdateAtom, Verdict};
use inprocess::Inprocessing;
use justify::Justification;
use purity::Purity;
use real_functions::{RealPoints, RealVerdict};
use restart::Restart;
use search::{Reason, Search, Value};
use simplex::Column;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How a solver is to work.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Whether to record proofs.
    pub proofs: bool,
    /// Whether proofs are to be interpolated: only lemmas whose symbols have a part in common are made.
    pub interpolation: bool,
    /// Whether arithmetic is to know all equations, also those that congruence closure could decide alone.
    pub arithmetic_only: bool,
    /// A seed that perturbs initial phases and order; `None` is the default order.
    pub seed: Option<u64>,
    /// Whether learned clauses are vivified and subsumed, and then every how many conflicts; the distance grows by as many each time.
    pub inprocessing: Option<u64>,
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    /// The tick limit was reached.
    Ticks,
    /// The interrupt flag was set.
    Interrupted,
    /// The procedure is incomplete for this input, in this way.
    Incomplete(&'static str),
}

/// The answer to a satisfiability check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Not found out.
    Unknown(UnknownReason),
}

/// Counters of a solver's work since it was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Calls of `check`.
    pub checks: u64,
    /// Decisions, assumptions included.
    pub decisions: u64,
    /// Assigned literals.
    pub propagations: u64,
    /// Literals that the theory implied.
    pub theory_propagations: u64,
    /// Conflicts, of clauses and of theories.
    pub conflicts: u64,
    /// Conflicts of arithmetic.
    pub theory_conflicts: u64,
    /// Restarts.
    pub restarts: u64,
    /// Reductions of the learned-clause database.
    pub reductions: u64,
    /// Learned clauses that inprocessing made shorter.
    pub strengthened: u64,
    /// Learned clauses that inprocessing deleted, as others subsume them.
    pub subsumed: u64,
    /// Pivots of the simplex tableau.
    pub pivots: u64,
    /// Final checks of complete assignments.
    pub final_checks: u64,
    /// Branches over the integers.
    pub branches: u64,
    /// Lemmas for functions and updates.
    pub lemmas: u64,
    /// Deterministic effort.
    pub ticks: u64,
}

/// An equation atom `column = value`, and the literals of its two inequalities.
struct Equation {
    column: Column,
    value: Number,
    le: Lit,
    ge: Lit,
}

/// Lengths of the logs of liveness.
#[derive(Clone, Copy)]
struct LiveMark {
    log: usize,
    columns: usize,
    apps: usize,
    real_apps: usize,
    updates: usize,
    roots: usize,
}

/// An open scope.
struct Scope {
    guard: Lit,
    mark: LiveMark,
    asserted: usize,
}

/// Why propagation stopped early.
enum Stop {
    Conflict(Reason),
    Exhausted,
}

/// After so many closed scopes their clauses are collected.
const DEAD_SCOPES: usize = 64;
/// Integer branches in one check before giving up.
const BRANCHES: u64 = 20_000;
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
    /// Lemma instances made: pairs of applications, or of an update and an index.
    instances: FxHashSet<(TermId, TermId)>,
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
            deadline: u64::MAX,
            interrupt: None,
            reduce_at: REDUCE,
            inprocessing,
        }
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.end_check();
        let guard = self.search.new_var(self.truth, true, true, 0).positive();
        self.terms.push(self.truth);
        let (mark, asserted) = (self.mark(), self.asserted.len());
        self.scopes.push(Scope { guard, mark, asserted });
    }

    /// Closes the innermost scope: its assertions are gone.
    ///
    /// # Panics
    /// If no scope is open.
    pub fn pop(&mut self) {
        self.end_check();
        let scope = self.scopes.pop().expect("pop without push");
        self.lemma_roots.clear();
        self.deactivate(scope.mark);
        self.asserted.truncate(scope.asserted);
        // The guard is never assumed again. Its clauses are collected later, to keep the trail of the outer scopes.
        self.search
            .backtrack(u32::try_from(self.scopes.len()).expect("few scopes"));
        self.dead_guards.push(scope.guard);
    }

    /// The number of open scopes.
    pub fn scopes(&self) -> usize {
        self.scopes.len()
    }

    /// Asserts a formula in the innermost scope. `part` labels it for interpolation.
    pub fn assert(&mut self, pool: &mut TermPool, formula: TermId, part: Part) {
        self.end_check();
        self.part = part;
        let formula = self.lift_definitions(pool, formula);
        self.asserted.push(formula);
        if self.config.interpolation {
            for symbol in pool.symbols(formula) {
                let interval = self.intervals.entry(symbol).or_insert((part.0, part.0));
                *interval = (interval.0.min(part.0), interval.1.max(part.0));
            }
        }
        let guard = self.scopes.last().map(|s| !s.guard);
        for conjunct in pool.conjuncts(formula) {
            let mut clause: Vec<Lit> = guard.into_iter().collect();
            match pool.term(conjunct) {
                Term::True => continue,
                Term::False => {}
                _ => {
                    self.activate_root(pool, conjunct);
                    clause.insert(0, self.literal(pool, conjunct));
                }
            }
            let proof = self.search.record_leaf(
                &clause,
                Step::Input {
                    part,
                    formula: conjunct,
                },
            );
            self.search.add_clause(&clause, proof);
        }
    }

    /// Asserts in the innermost scope that one of these formulas is false. All of their atoms are [observed](Solver::observe), so that none of the formulas
    /// needs a justification of its own. Cheaper than asserting the disjunction, which gets a name and a definition.
    pub fn exclude(&mut self, pool: &mut TermPool, formulas: &[TermId]) {
        if self.search.recorder.is_some() {
            let both = pool.and(formulas);
            let excluded = pool.not(both);
            return self.assert(pool, excluded, Part(0));
        }
        self.end_check();
        let mut clause: Vec<Lit> = self.scopes.last().map(|s| !s.guard).into_iter().collect();
        for &formula in formulas {
            match pool.term(formula) {
                Term::True => {}
                Term::False => return,
                _ => clause.push(!self.literal(pool, formula)),
            }
        }
        self.search.add_clause(&clause, clauses::NO_PROOF);
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
            .map_or(u64::MAX, |limit| self.search.ticks.saturating_add(limit));
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

    fn mark(&self) -> LiveMark {
        LiveMark {
            log: self.live_log.len(),
            columns: self.live_columns.len(),
            apps: self.live_apps.len(),
            real_apps: self.live_real_apps.len(),
            updates: self.live_updates.len(),
            roots: self.roots.len(),
        }
    }

    /// Forgets what belongs to the last check only.
    fn end_check(&mut self) {
        self.answer = None;
        self.arith.tableau.restore();
        if let Some(mark) = self.check_mark.take() {
            self.deactivate(mark);
        }
    }

    /// Deletes the clauses of closed scopes.
    fn collect_scopes(&mut self) {
        self.search.backtrack(0);
        if self.search.contradiction || self.search.propagate().is_some() {
            // The conflict is found again by the check that follows.
            self.search.head = 0;
            return;
        }
        for guard in std::mem::take(&mut self.dead_guards) {
            if self.search.value(guard) == Value::Open {
                self.search.assign(!guard, Reason::None);
            }
        }
        self.search.delete_satisfied();
    }

    /// A tiny activity that perturbs the order of decisions if there is a seed.
    fn initial_activity(&self) -> u64 {
        let Some(seed) = self.config.seed else { return 0 };
        let mixed = (seed ^ self.terms.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        order::INCREMENT | mixed >> 56
    }

    fn stopped(&self) -> Option<UnknownReason> {
        if self.search.ticks > self.deadline {
            return Some(UnknownReason::Ticks);
        }
        let interrupted = self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        interrupted.then_some(UnknownReason::Interrupted)
    }

    /// The search. `assumed` are the guards of the scopes and the assumptions' literals.
    fn solve(&mut self, pool: &mut TermPool, assumed: &[Lit], assumptions: &[TermId]) -> Answer {
        let mut restart = Restart::default();
        let mut side: Option<Lit> = None;
        self.suggested.clear();
        self.fractions = 0;
        let branches = self.search.stats.branches + BRANCHES;
        loop {
            self.arith.tableau.restore();
            if self.search.contradiction {
                return Answer::Unsat;
            }
            match self.propagate(assumed.len()) {
                Err(Stop::Exhausted) => return Answer::Unknown(self.stopped().unwrap_or(UnknownReason::Ticks)),
                Err(Stop::Conflict(conflict)) => {
                    self.suggested.clear();
                    match self.resolve_conflict(conflict) {
                        Some(distance) => restart.learned(distance),
                        None => return Answer::Unsat,
                    }
                    if let Some(reason) = self.stopped() {
                        return Answer::Unknown(reason);
                    }
                    continue;
                }
                Ok(()) => {}
            }
            if (self.search.level() as usize) < assumed.len() {
                let next = assumed[self.search.level() as usize];
                match self.search.value(next) {
                    Value::False => {
                        self.fail(next, assumed, assumptions, pool);
                        return Answer::Unsat;
                    }
                    value => {
                        self.search.new_level();
                        if value == Value::Open {
                            self.search.stats.decisions += 1;
                            self.search.assign(next, Reason::None);
                        }
                    }
                }
                continue;
            }
            if let Some(reason) = self.stopped() {
                return Answer::Unknown(reason);
            }
            if restart.restarting() && self.search.level() as usize > assumed.len() {
                self.search.stats.restarts += 1;
                self.search.backtrack(assumed.len() as u32);
                if self.inprocessing() {
                    self.inprocess();
                }
                continue;
            }
            if self.search.clauses.learned() > self.reduce_at {
                self.reduce_at += REDUCE / 4;
                self.search.reduce();
            }
            if let Some(decision) = side
                .take()
                .filter(|&l| self.search.value(l) == Value::Open)
                .or_else(|| self.decide(pool))
            {
                self.search.stats.decisions += 1;
                self.search.new_level();
                self.search.assign(decision, Reason::None);
                continue;
            }
            self.search.stats.final_checks += 1;
            self.arith.tableau.concretise();
            side = self.branch(pool).or_else(|| self.split_disequality());
            if side.is_some() {
                restart.branched();
                if self.search.stats.branches > branches {
                    return Answer::Unknown(UnknownReason::Incomplete("too many integer branches"));
                }
                continue;
            }
            self.assign_pure();
            let before = (self.live_log.len(), self.search.stats.lemmas);
            let verdict = match self.check_real_functions(pool) {
                RealVerdict::Consistent => self.check_functions(pool),
                RealVerdict::Refined => Verdict::Refined,
                RealVerdict::Stuck => Verdict::Stuck("mixed lemma"),
            };
            match verdict {
                Verdict::Consistent(closure, points) => {
                    (self.closure, self.points) = (closure, points);
                    return Answer::Sat;
                }
                Verdict::Stuck(reason) => return Answer::Unknown(UnknownReason::Incomplete(reason)),
                Verdict::Refined => {
                    self.add_eager_instances(pool);
                    let stuck = self
                        .suggested
                        .iter()
                        .all(|v| self.search.value(v.positive()) != Value::Open);
                    if stuck && before == (self.live_log.len(), self.search.stats.lemmas) {
                        return Answer::Unknown(UnknownReason::Incomplete("no progress of lemmas"));
                    }
                }
            }
        }
    }

    /// Propagates clauses and bounds to a fixpoint. The tableau is checked only when all assumptions stand.
    fn propagate(&mut self, assumed: usize) -> Result<(), Stop> {
        loop {
            if let Some(conflict) = self.search.propagate() {
                return Err(Stop::Conflict(conflict));
            }
            if let Some(conflict) = self.arith.take_over(&mut self.search) {
                self.search.stats.theory_conflicts += 1;
                return Err(Stop::Conflict(conflict));
            }
            if let Some(conflict) = self.egraph.take_over(&mut self.search) {
                self.search.stats.theory_conflicts += 1;
                return Err(Stop::Conflict(conflict));
            }
            if self.search.head < self.search.trail.len() {
                continue;
            }
            if (self.search.level() as usize) < assumed {
                return Ok(());
            }
            let (deadline, interrupt) = (self.deadline, self.interrupt.clone());
            let mut may_go_on =
                |ticks| ticks <= deadline && !interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
            match self.arith.check(&mut self.search, &mut may_go_on) {
                Ok(()) => {}
                Err(None) => return Err(Stop::Exhausted),
                Err(Some(conflict)) => {
                    self.search.stats.theory_conflicts += 1;
                    return Err(Stop::Conflict(conflict));
                }
            }
            self.arith.propagate_rows(&mut self.search);
            if self.search.head == self.search.trail.len() {
                return Ok(());
            }
        }
    }

    /// Learns from a conflict and goes back. Returns the distance of what was learned, or none if the clauses are contradictory.
    fn resolve_conflict(&mut self, conflict: Reason) -> Option<u32> {
        self.search.stats.conflicts += 1;
        let level = self.search.conflict_level(conflict);
        if level == 0 {
            self.search.refute(conflict);
            return None;
        }
        let conflict = self.search.backtrack_with(level, conflict);
        let lesson = self.search.analyze(conflict, &mut self.egraph);
        self.search.backtrack(lesson.level);
        self.search.learn(&lesson);
        self.search.order.decay();
        Some(lesson.lbd)
    }

    /// The core, and where it is empty the refutation, of an assumption that is false.
    fn fail(&mut self, failed: Lit, assumed: &[Lit], assumptions: &[TermId], pool: &TermPool) {
        self.search.explain_reasons(&mut self.egraph);
        let (core, proof) = self.search.analyze_final(failed);
        let scopes = self.scopes.len();
        let real = assumptions.iter().filter(|&&a| *pool.term(a) != Term::True);
        for (&lit, &term) in assumed[scopes..].iter().zip(real) {
            if core.contains(&lit) && !self.core.contains(&term) {
                self.core.push(term);
            }
        }
        if self.core.is_empty() && self.search.recorder.is_some() {
            self.refutation = Some(proof);
        }
    }

    /// The next decision: what a final check suggested, else a live variable that was in conflicts recently, else what the formulas need. None
    /// if they need nothing more.
    fn decide(&mut self, pool: &TermPool) -> Option<Lit> {
        while let Some(var) = self.suggested.pop() {
            if self.search.value(var.positive()) == Value::Open {
                return Some(self.with_phase(var));
            }
        }
        let needed = self.unjustified(pool)?;
        while let Some(var) = self.search.order.pop_active() {
            if self.search.live[var.index()] && self.search.value(var.positive()) == Value::Open {
                return Some(self.with_phase(var));
            }
        }
        Some(needed)
    }

    /// The phase of a decision: an atom of arithmetic as the current vertex has it, so that the decision needs no pivot; anything else
    /// as it was last.
    fn with_phase(&self, var: Var) -> Lit {
        let compare = |column: Column, k: &Number| self.arith.tableau.column(column).compare(k);
        if let Some((column, k)) = self.arith.atom(var) {
            return var.literal(compare(column, k).is_le());
        }
        if let Some(equation) = self.equations.get(&var) {
            return var.literal(compare(equation.column, &equation.value).is_eq());
        }
        // Results differ only where arguments do.
        let equal = self.arguments_agree(var).unwrap_or(self.search.phases[var.index()]);
        var.literal(equal)
    }
}
