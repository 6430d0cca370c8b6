//! The engine: CEGAR and PCEGAR over the predicate analysis, with budgets and one verdict per property.
//!
//! This room knows nothing of files, terminals or report formats, and nothing of how a counterexample is replayed: the caller
//! injects that as a callback. [`verify`] is the boundary; [`decide`] is the same for callers that make certificates of the run.
//!
//! | module | does |
//! |---|---|
//! | [`options`] | what a run is asked to do |
//! | [`statistics`] | what it counted |
//! | [`reason`] | why there is no answer |
//! | [`budget`] | limits of time and memory |
//! | [`log`] | messages for a log of the refinements |
//! | [`graph`] | the abstract reachability graph as plain data |
//! | `decided` | a run whose search has ended |
//! | `loops` | the refinement loops, and the run that they share |
//! | `algorithms` | other algorithms on the same blocks |
//! | `phases` | explicit values, and ideal integers, before the loop |
//! | `account` | the cost of each property |
//! | [`operators`] | the processor time of each operator |
//! | `decomposition` | specification decomposition |
//! | `aspects` | multi-aspect verification |
//!
//! # The meaning of a verdict
//!
//! * TRUE for a property: the abstract state space (of explicit values or of predicates) was explored to the end and none of the property's edges is in it. Together with the
//!   reported invariants and assumptions that is a proof of the model.
//! * FALSE: a path to one of its edges is feasible *and* the injected concrete replay confirmed it.
//! * UNKNOWN: anything else, with the reason.

mod account;
mod algorithms;
mod aspects;
pub mod budget;
mod decided;
mod decomposition;
pub mod graph;
pub mod log;
mod loops;
pub mod operators;
pub mod options;
mod phases;
pub mod reason;
pub mod statistics;

use crate::cpa::tracking::PropertyId;
pub use crate::cpa::tracking::Tracking;
pub use crate::refine::concrete::{CandidateInput, CandidateKind};
pub use account::{Account, Spent};
pub use decided::Decided;
pub use graph::{Graph, GraphState, Round};
pub use options::{
    Algorithm, Amount, AnalysisKind, Aspects, Bam, BlockMode, BuiltIn, Cleaning, Decomposition, Explicit, Heuristic,
    Limits, Mode, Multi, Options, PRESETS, PartitionBudget, Preference, RankKind, Refinement, Restart, Reuse, Scope,
    SelectKind, Selection, StrategyKind,
};
pub use reason::{Reason, ReasonCode};
pub use statistics::{Counter, Statistics};

use loops::session::Session;

use provident_smt::term::Portable;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::cfa::{Assumption, EdgeId, NodeId, Program, Step};

/// A safety property as plain data: the edges whose execution violates it.
///
/// A call edge is executed when it is entered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Property {
    /// The name under which the verdict is reported.
    pub name: String,
    /// The violating edges.
    pub targets: Vec<EdgeId>,
    /// The way in which it is tracked, for a specification automaton.
    pub tracking: Tracking,
}

/// A path that the solver holds for feasible, before the concrete replay has seen it.
#[derive(Debug, Clone)]
pub struct CounterexampleCandidate {
    /// The path, from the program's start to the violating step (the last one). It may have a hundred million steps, and is shared.
    pub steps: Arc<[Step]>,
    /// The undetermined values along the path, in path order.
    pub inputs: Vec<CandidateInput>,
    /// The violated property, as a position in the list given to [`verify`].
    pub property: PropertyId,
}

/// The result of the concrete replay of a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confirmation {
    /// The concrete execution takes the path.
    Confirmed,
    /// The concrete execution leaves the path: the model of the program is too coarse there.
    Refuted(String),
    /// The concrete execution has undefined behaviour or cannot be carried out.
    Undefined(String),
    /// The execution takes the path, but it depends on a value that is invented: the text says on which. It proves no violation.
    Invented(String),
    /// The execution takes the path, but that says nothing of the program that the caller asks about: the property need not be looked at any more.
    Abandoned(Reason),
}

/// A violation that the replay confirmed.
#[derive(Debug, Clone)]
pub struct Counterexample {
    /// The path and its inputs.
    pub candidate: CounterexampleCandidate,
}

/// The answer for one property.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// No execution violates it.
    True,
    /// An execution violates it.
    False(Box<Counterexample>),
    /// Neither is known.
    Unknown(Reason),
}

impl Verdict {
    /// `TRUE`, `FALSE` or `UNKNOWN (code) reason`.
    pub fn text(&self) -> String {
        match self {
            Verdict::True => "TRUE".to_string(),
            Verdict::False(_) => "FALSE".to_string(),
            Verdict::Unknown(reason) => format!("UNKNOWN {reason}"),
        }
    }
}

/// An invariant of a loop head: the disjunction of the abstraction formulas of its abstract states.
#[derive(Debug, Clone)]
pub struct Invariant {
    /// The loop head.
    pub node: NodeId,
    /// The disjuncts as formulas over symbols without version, in no particular order.
    pub formulas: Portable,
    /// The disjuncts as text in C-like syntax, one per abstract state, sorted, without duplicates.
    pub disjuncts: Vec<String>,
}

/// Everything a run found out.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// One verdict per property, in the given order.
    pub verdicts: Vec<(String, Verdict)>,
    /// The counters.
    pub statistics: Statistics,
    /// The final precision, one line per scope and predicate, sorted.
    pub precision: Vec<String>,
    /// Invariants at loop heads; only if the exploration came to its end.
    pub invariants: Vec<Invariant>,
    /// The assumptions of the verdicts: of the program, then of the encoding.
    pub assumptions: Vec<Assumption>,
    /// The graph of the last exploration; empty unless [`Options::graph`] asks for it, or if there was none.
    pub graph: Graph,
    /// The explorations of the refinement loop.
    pub rounds: Vec<Round>,
    /// The cost of each property.
    pub accounts: Vec<Account>,
    /// The limit of the run that was reached.
    pub limit: Option<Reason>,
    /// How long provident refinement took on the clock. It differs from run to run; no answer depends on it.
    pub refinement_wall: Duration,
    /// The processor time of the operators of the loops. It differs from run to run as well.
    pub operators: operators::OperatorTimes,
}

impl Outcome {
    /// The outcome of work without explorations: verdicts.
    pub fn of_verdicts(verdicts: Vec<(String, Verdict)>) -> Outcome {
        let accounts = vec![Account::default(); verdicts.len()];
        Outcome {
            verdicts,
            accounts,
            statistics: Statistics::default(),
            precision: Vec::new(),
            invariants: Vec::new(),
            assumptions: Vec::new(),
            graph: Graph::default(),
            rounds: Vec::new(),
            limit: None,
            refinement_wall: Duration::ZERO,
            operators: operators::OperatorTimes::default(),
        }
    }
}

/// The activity of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// It lets a program without inputs run.
    Execute,
    /// It lets the program run with chosen inputs.
    Sample,
    /// It explores with explicit values.
    Explicit,
    /// It explores abstract states.
    Explore,
    /// It computes refinements.
    Refine,
    /// It replays a path that may be a violation.
    Confirm,
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Activity::Execute => "execute",
            Activity::Sample => "sample",
            Activity::Explicit => "explicit",
            Activity::Explore => "explore",
            Activity::Refine => "refine",
            Activity::Confirm => "confirm",
        })
    }
}

/// A point in time of a run, for progress display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The current activity.
    pub activity: Activity,
    /// Number of the current iteration of the refinement loop, from 1.
    pub iteration: u64,
    /// Abstract states in the graph.
    pub states: u64,
    /// Target states in the graph.
    pub targets: u64,
    /// Refinements applied so far.
    pub refinements: u64,
}

/// Where a property stands during a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    /// It is still to be decided.
    Checking,
    /// It holds.
    True,
    /// It is violated; the replay has confirmed a path.
    False,
    /// It will not be decided, for a reason that is its own and no limit of the run.
    Unknown(Reason),
}

/// The listener of a run.
pub trait Observer {
    /// Called at every phase change and now and then in between.
    fn progress(&mut self, progress: &Progress);

    /// Called when a part of a verification begins: a stage, or one of the parts around the stages.
    fn begins(&mut self, _part: &'static str) {}

    /// Called when a stage is over, with its counters and the number of properties that are open still.
    fn ended(&mut self, _stage: &'static str, _statistics: &Statistics, _open: usize) {}

    /// Whether [`candidates`](Observer::candidates) and [`applied`](Observer::applied) are of interest.
    fn wants_log(&self) -> bool {
        false
    }

    /// Called when the candidates of an iteration are known, if wanted.
    fn candidates(&mut self, _: &log::Iteration) {}

    /// Called when a refinement was applied, or could not be, if wanted.
    fn applied(&mut self, _: &log::Applied) {}

    /// Called at the end of a refinement loop with what became of its predicates, if the log is wanted and predicates are measured.
    fn predicates(&mut self, _: &[log::PredicateRecord]) {}

    /// Whether [`query`](Observer::query) is of interest.
    fn wants_queries(&self) -> bool {
        false
    }

    /// Called for each interpolation query, if wanted.
    fn query(&mut self, _: &log::QueryScript) {}

    /// Called whenever the standing of a property changes, or the property that is being checked, whose position is `latest`. There is one entry for
    /// each property.
    fn properties(&mut self, _standings: &[(Standing, Account)], _latest: Option<PropertyId>) {}
}

/// An observer that does not care.
#[derive(Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&mut self, _: &Progress) {}
}

/// The injected concrete replay.
pub type Confirm<'a> = dyn FnMut(&CounterexampleCandidate) -> Confirmation + 'a;

/// Checks a program against properties.
///
/// Deterministic in program, properties, options and the answers of `confirm`, except that limits of time and memory may turn
/// verdicts into UNKNOWN.
pub fn verify(
    program: &Program,
    properties: &[Property],
    options: &Options,
    observer: &mut dyn Observer,
    confirm: &mut Confirm<'_>,
) -> Outcome {
    decide(program, properties, options, observer, confirm).finish(None)
}

/// Checks a program against properties, as [`verify`] does, and keeps what certificates are made of.
pub fn decide<'a, 'p>(
    program: &'p Program,
    properties: &'a [Property],
    options: &'a Options,
    observer: &'a mut dyn Observer,
    confirm: &'a mut Confirm<'a>,
) -> Decided<'a, 'p> {
    let mut session = Session::new(program, properties, options, observer, confirm);
    session.prove_irrelevant();
    let reached = match options.multi {
        Multi::Decomposition(options) => decomposition::sdc(&mut session, options),
        Multi::Aspects(options) => aspects::cmav(&mut session, options),
    };
    Decided::new(session, reached)
}
