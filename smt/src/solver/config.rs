//! Options, answers and statistics of a solver.

/// The options of a solver.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Whether to record proofs.
    pub proofs: bool,
    /// Whether proofs are to be interpolated: only lemmas whose symbols have a part in common are made.
    pub interpolation: bool,
    /// Whether arithmetic is to know all equations, also those that congruence closure could decide alone.
    pub arithmetic_only: bool,
    /// Whether comparisons of conditional terms with constants become cases, where no proofs are recorded.
    pub lifts_choices: bool,
    /// A seed that perturbs initial phases and order; `None` is the default order.
    pub seed: Option<u64>,
    /// Whether learned clauses are vivified and subsumed, and then every how many conflicts; the distance grows by as many each time.
    pub inprocessing: Option<u64>,
    /// After how many ticks of a check on a problem of small domains the search turns to these for the first time; the later turns are in proportion. `None` is a number that most checks
    /// do not reach.
    pub finite_after: Option<u64>,
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
    /// The solver gave up.
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
    /// Turns of the search over small domains.
    pub finite_turns: u64,
    /// Lemmas by Dirichlet's principle.
    pub pigeonholes: u64,
    /// Lemmas for functions and updates.
    pub lemmas: u64,
    /// Deterministic effort.
    pub ticks: u64,
}
