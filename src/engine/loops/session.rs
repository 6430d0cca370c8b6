//! The state of one run that both refinement loops share: the analysis, the verdicts so far, the account of work.
//!
//! | file | does |
//! |---|---|
//! | this one | the state, its exploration |
//! | `refine` | the operators `provident_refine` and `apply` |
//! | `record` | messages for a log of the refinements |
//! | `measures` | what is measured of interpolants and predicates on request |
//! | `values` | refinements of the value analysis, and which domain is refined |
//! | `settle` | feasible error paths become verdicts |
//! | `aside` | the loops with ideal integers, and with defined executions only |
//! | `memo` | the loop with summaries of functions |
//! | `prove` | abstract states for what was proved without |
//! | `outcome` | what the run answers |
//! | `govern` | which properties are looked at, and what that may cost |

mod aside;
mod govern;
mod measures;
mod memo;
mod outcome;
mod prove;
mod record;
mod refine;
mod settle;
mod values;

pub(in crate::engine) use govern::{Allowance, Governor};

use super::cegar::cegar;
use super::pcegar::pcegar;
use crate::cfa::{NodeId, Program, Watcher};
use crate::cpa::algorithm::{Reached, cpa_plus_plus};
use crate::cpa::composite::{Composite, State};
use crate::cpa::memo::Memo;
use crate::cpa::predicate::blocks::BlockId;
use crate::cpa::predicate::precision::PredicateScope;
use crate::cpa::predicate::region::PredId;
use crate::cpa::predicate::{Predicates, Settings};
use crate::cpa::product::Product;
use crate::cpa::tracking::PropertyId;
use crate::cpa::value::assignment::Cell as ValueCell;
use crate::cpa::value::{Values, ValuesId};
use crate::cpa::{Cpa, Status};
use crate::encode::Encoder;
use crate::engine::account::Accounts;
use crate::engine::algorithms;
use crate::engine::budget::Budget;
use crate::engine::graph::{Graph, Round, graph};
use crate::engine::operators::{Operator, OperatorTimes, Stopwatch};
use crate::engine::options::{Algorithm, AnalysisKind, Explored, Mode, Options, SearchOrder};
use crate::engine::{Activity, Confirm, Counter, Counterexample, Observer, Progress, Property, Reason, Statistics};
use crate::query::checks::Checks;
use crate::query::effort::Effort;
use crate::refine::counters::LoopCounters;
use crate::refine::prefer::Constants;
use crate::refine::{Analysis, is_reached_target};
use provident_smt::hash::FxHashSet;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// The standing of a property so far.
#[derive(Debug, Clone)]
enum Progressing {
    /// Still to be decided. If edges were given up, at best UNKNOWN remains.
    Open { given_up: Option<Reason> },
    /// Violated.
    Violated(Box<Counterexample>),
    /// Holds: the exploration with explicit values came to its end and did not meet a violation.
    Proved,
    /// The caller does not want to know any more.
    Abandoned(Reason),
}

/// The cost of expanding an abstract state, in solver ticks that take about the same time.
const TICKS_PER_STATE: u64 = 64;

/// One run: the board of the properties, the refinement loop that runs now, and what both may spend.
pub(in crate::engine) struct Session<'a, 'p> {
    pub(in crate::engine) program: &'p Program,
    pub(in crate::engine) properties: &'a [Property],
    pub(in crate::engine) options: &'a Options,
    observer: &'a mut dyn Observer,
    confirm: &'a mut Confirm<'a>,
    workers: rayon::ThreadPool,
    /// Where the properties stand.
    board: Board,
    /// The refinement loop that runs now. Another one can take its place for a while.
    pub(in crate::engine) current: RefinementLoop<'p>,
    spending: Spending,
    /// The evidence for the properties that hold.
    pub(in crate::engine) proof: Shown<'p>,
    governor: Option<Box<dyn Governor>>,
    /// The explorations with explicit values that were made: which automata they left out, and how far they went.
    pub(in crate::engine) explored: BTreeMap<BTreeSet<Watcher>, Explored>,
    /// Whether the current loop runs aside of another one.
    is_aside: bool,
    /// The properties for which other violations were looked for than undefined ones.
    looked_for_defined: BTreeSet<PropertyId>,
    /// How long provident refinement took on the clock.
    refinement_wall: Duration,
    /// How long each operator took.
    times: OperatorTimes,
}

/// Where the properties stand, and what each has cost.
struct Board {
    verdicts: Vec<Progressing>,
    /// The properties that are looked at.
    enabled: Vec<bool>,
    /// The properties that will not be decided.
    resigned: Vec<bool>,
    /// The costs of the properties.
    accounts: Accounts,
    /// Which entries of the precision were found on behalf of each property.
    facts: Vec<BTreeSet<(PredicateScope, PredId)>>,
    /// The same for the cells of values.
    cells: Vec<BTreeSet<(PredicateScope, ValueCell)>>,
}

impl Board {
    fn new(properties: usize) -> Board {
        Board {
            verdicts: vec![Progressing::Open { given_up: None }; properties],
            enabled: vec![true; properties],
            resigned: vec![false; properties],
            accounts: Accounts::new(properties),
            facts: vec![BTreeSet::new(); properties],
            cells: vec![BTreeSet::new(); properties],
        }
    }

    /// The properties and where they stand.
    fn numbered(&self) -> impl Iterator<Item = (PropertyId, &Progressing)> {
        PropertyId::first(self.verdicts.len()).zip(&self.verdicts)
    }
}

/// A refinement loop: the analysis with its precision, and how far the loop has come.
pub(in crate::engine) struct RefinementLoop<'p> {
    pub(in crate::engine) cpa: Analysis<'p>,
    /// How often each error path was refined.
    refined: BTreeMap<Vec<BlockId>, usize>,
    /// The error paths that were set aside, and why.
    refused: BTreeMap<Vec<BlockId>, Reason>,
    /// The error paths along which an execution was sought.
    sought: BTreeSet<Vec<BlockId>>,
    /// How often predicates were guessed at each location.
    guessed: BTreeMap<NodeId, usize>,
    counters: LoopCounters,
    /// The constants of the value interpolants that were applied, if a preference asks for them.
    constants: Constants,
    /// Whether the exploration is to begin anew.
    afresh: bool,
    /// Iterations since the loop began, or began anew.
    iteration: u64,
    /// Iterations before it began anew.
    iterations: u64,
    refinements: u64,
    /// The graph of the last exploration.
    graph: Graph,
    /// The explorations.
    rounds: Vec<Round>,
    pub(in crate::engine) statistics: Statistics,
}

impl<'p> RefinementLoop<'p> {
    fn new(cpa: Analysis<'p>) -> RefinementLoop<'p> {
        RefinementLoop {
            constants: Constants::default(),
            counters: LoopCounters::of(cpa.context.program),
            cpa,
            refined: BTreeMap::new(),
            refused: BTreeMap::new(),
            sought: BTreeSet::new(),
            guessed: BTreeMap::new(),
            afresh: false,
            iteration: 0,
            iterations: 0,
            refinements: 0,
            graph: Graph::default(),
            rounds: Vec::new(),
            statistics: Statistics::default(),
        }
    }
}

/// The budget of the run and its remaining part.
struct Spending {
    budget: Budget,
    start: Instant,
    /// Abstract states that the allowance leaves.
    states_left: Option<u64>,
    /// Whether an exploration had more states than [`Options::states`].
    crowded: bool,
    /// The limit at which the run has ended, also if it is kept again: memory comes back when a state space is dropped.
    ended: Option<Reason>,
    /// Effort of the run that the current loop does not count.
    ticks_before: u64,
}

/// The explorations that show which properties hold, besides the last one.
#[derive(Default)]
pub(in crate::engine) struct Shown<'p> {
    /// The properties that the last exploration proved.
    proved_last: BTreeSet<PropertyId>,
    /// After [`Session::prove_again`]: the properties that its exploration was about. It decides no verdict.
    shown: Option<Vec<bool>>,
    /// The properties that summaries of functions proved.
    pub(in crate::engine) by_summaries: BTreeSet<PropertyId>,
    /// The analysis with these summaries and the exploration that shows these properties, if a certificate is wanted.
    pub(in crate::engine) with_summaries: Option<(Analysis<'p>, Reached<Analysis<'p>>)>,
    /// Why the execution of a program without inputs decides nothing.
    pub(in crate::engine) shortfall: Option<String>,
}

impl<'a, 'p> Session<'a, 'p> {
    pub(in crate::engine) fn new(
        program: &'p Program,
        properties: &'a [Property],
        options: &'a Options,
        observer: &'a mut dyn Observer,
        confirm: &'a mut Confirm<'a>,
    ) -> Self {
        let budget = Budget::start(options.limits.with_reserve(), options.cancel.clone());
        let effort = Effort {
            limit: options.limits.ticks,
            spent: 0,
            interrupt: budget.interrupt(),
            checks: Checks {
                enabled: options.check,
                ..Checks::default()
            },
            pulse: options.pulse.clone(),
            ..Effort::default()
        };
        let encoder = Encoder::new(program, options.arith);
        let cpa = analysis(program, properties, options, encoder, effort);
        let workers = rayon::ThreadPoolBuilder::new()
            .num_threads(options.threads.max(1))
            .stack_size(16 << 20)
            .build();
        Session {
            program,
            properties,
            options,
            observer,
            confirm,
            workers: workers.expect("the system has room for the worker threads"),
            board: Board::new(properties.len()),
            current: RefinementLoop::new(cpa),
            spending: Spending {
                budget,
                start: Instant::now(),
                states_left: None,
                crowded: false,
                ended: None,
                ticks_before: 0,
            },
            proof: Shown::default(),
            governor: None,
            explored: BTreeMap::new(),
            is_aside: false,
            looked_for_defined: BTreeSet::new(),
            refinement_wall: Duration::ZERO,
            times: OperatorTimes::default(),
        }
    }

    /// Runs the algorithm that the options ask for, if anything is left to decide. Returns the whole state space if it was explored to
    /// the end.
    pub(in crate::engine) fn refinement_loop(&mut self) -> Option<Reached<Analysis<'p>>> {
        self.run(self.options.algorithm)
    }

    /// The same with a given algorithm.
    fn run(&mut self, algorithm: Algorithm) -> Option<Reached<Analysis<'p>>> {
        if self.is_decided() {
            return None;
        }
        self.begin_loop();
        self.direct();
        match (algorithm, self.options.refine.mode) {
            (Algorithm::Predicate, Mode::Lazy) => cegar(self),
            (Algorithm::Predicate, Mode::Provident) => pcegar(self),
            (other, _) => algorithms::run(self, other),
        }
    }

    /// Chooses the order of exploration that the options ask for; or another one, if a loop that prefers near targets has set some aside.
    pub(in crate::engine) fn direct(&mut self) {
        let options = self.options;
        self.current.cpa.domain.effort.is_impatient = options.order == SearchOrder::Distance;
        let order = match options.order {
            SearchOrder::Distance if self.current.refused.len() % 2 == 1 => SearchOrder::Depth,
            order => order,
        };
        let weight = |property: PropertyId| options.weight(&self.properties[property.index()].name);
        self.current
            .cpa
            .direct(order, options.metric, options.order_seed, weight);
    }

    /// Runs an operator and notes its time. An operator does not run inside of another one.
    pub(in crate::engine) fn timed<T>(&mut self, operator: Operator, work: impl FnOnce(&mut Self) -> T) -> T {
        let watch = Stopwatch::start();
        let result = work(self);
        self.times.add(operator, watch.seconds());
        result
    }

    /// Notes the graph of an exploration for the report, if that is wanted.
    pub(in crate::engine) fn keep_graph(&mut self, reached: &Reached<Analysis<'p>>) {
        if self.options.graph && self.spending.budget.exceeded().is_none() {
            self.current.graph = graph(&mut self.current.cpa, reached);
        }
    }

    /// Gives up an exploration.
    pub(in crate::engine) fn abandon_exploration(&mut self, reached: Reached<Analysis<'p>>) {
        self.keep_graph(&reached);
        self.discard(reached);
    }

    /// Drops what may be big, or [leaks](discard) it where the process is about to end.
    pub(in crate::engine) fn discard<T>(&self, big: T) {
        discard(self.limit_reached().is_some() && !self.options.followed, big);
    }

    /// The reached set and waitlist with the initial state.
    pub(in crate::engine) fn initial(&self) -> Reached<Analysis<'p>> {
        let initial = State {
            control: self.current.cpa.start(),
            data: (ValuesId::TOP, self.current.cpa.domain.initial()),
        };
        Reached::new(&self.current.cpa, initial)
    }

    /// Explores. After the first target state, it goes on until `patience` states in succession brought no location that
    /// was not visited before; without, it stops at the first target state. Returns whether nothing was left out for lack of resources.
    pub(in crate::engine) fn explore(&mut self, reached: &mut Reached<Analysis<'p>>, patience: Option<u64>) -> Status {
        self.timed(Operator::Explore, |session| session.explore_all(reached, patience))
    }

    fn explore_all(&mut self, reached: &mut Reached<Analysis<'p>>, patience: Option<u64>) -> Status {
        self.current.iteration += 1;
        if std::mem::take(&mut self.current.afresh) {
            *reached = self.initial();
        }
        loop {
            let status = self.explore_on(reached, patience);
            if status.complete || !self.goes_on() {
                return status;
            }
            if std::mem::take(&mut self.current.afresh) || !status.precise {
                // Where the solver was interrupted, what it could not tell would stay untold.
                *reached = self.initial();
            }
        }
    }

    /// Explores as far as the allowance goes.
    fn explore_on(&mut self, reached: &mut Reached<Analysis<'p>>, patience: Option<u64>) -> Status {
        self.report(Activity::Explore, reached.arg.len(), 0);
        let before = reached.counts();
        let effort = self.current.cpa.domain.effort.clone();
        let ticks_before = effort.spent;
        let by_ticks = effort.remaining().map(|ticks| before.0 + ticks / TICKS_PER_STATE);
        let by_states = self.spending.states_left.map(|states| before.0 + states);
        let room = self.options.states.saturating_sub(count(reached.arg.len()));
        let by_room = (self.options.states > 0).then(|| before.0 + room);
        let affordable = [by_ticks, by_states, by_room].into_iter().flatten().min();
        let affordable = affordable.unwrap_or(u64::MAX);
        let in_blocks = |analysis: &Analysis<'p>| analysis.memo.as_ref().map_or(0, Memo::expanded);
        let in_blocks_before = in_blocks(&self.current.cpa);
        let checks_before = self.current.cpa.coverage_checks;
        if let Some(memo) = &mut self.current.cpa.memo {
            memo.limit(
                affordable.saturating_sub(before.0),
                std::sync::Arc::clone(&effort.interrupt),
            );
        }
        let mut interrupted = move |expanded: u64| {
            effort.pulse.states(expanded);
            expanded > affordable || effort.interrupt.load(std::sync::atomic::Ordering::Relaxed)
        };
        // Unbounded recursion is explored a bit deeper in each iteration, once there is a target state to refine at all.
        let depth_limit = self.current.iteration;
        let targets = Cell::new(patience.is_some() && has_target(&self.current.cpa, reached));
        let mut visited: FxHashSet<NodeId> = reached.arg.iter().map(|(_, node)| node.state.control.node).collect();
        let mut waited = 0;
        let mut abort = |analysis: &Analysis<'p>, state: &State<_>| {
            targets.set(targets.get() || analysis.is_target(state));
            let is_new = visited.insert(state.control.node);
            waited = if targets.get() && !is_new { waited + 1 } else { 0 };
            let too_deep = u64::from(analysis.context.stacks.recursion(state.control.stack)) > depth_limit;
            targets.get() && (too_deep || patience.is_none_or(|patience| waited > patience))
        };
        let mut status = Status::GOOD;
        loop {
            status = status.join(cpa_plus_plus(
                &mut self.current.cpa,
                reached,
                &mut abort,
                &mut interrupted,
            ));
            if !status.complete || reached.is_complete() || has_target(&self.current.cpa, reached) {
                break;
            }
            // A merge above the only target state took it back after it was seen: there is nothing to refine yet.
            targets.set(false);
        }
        // A solver that ran out of effort in the middle of the exploration has only lost precision; but nothing more can follow.
        status.complete &= !self.current.cpa.domain.effort.is_exhausted();
        let after = reached.counts();
        self.spending.crowded |= !status.complete && by_room.is_some_and(|room| after.0 >= room);
        let in_blocks = in_blocks(&self.current.cpa) - in_blocks_before;
        let effort = &mut self.current.cpa.domain.effort;
        effort.charge_ticks((after.0 - before.0 + in_blocks) * TICKS_PER_STATE);
        let ticks = effort.spent - ticks_before;
        self.current.statistics.add(Counter::ExplorationTicks, ticks);
        if let Some(left) = &mut self.spending.states_left {
            *left = left.saturating_sub(after.0 - before.0);
        }
        self.current
            .statistics
            .add(Counter::ExploredStates, after.0 - before.0 + in_blocks);
        self.current.statistics.add(Counter::Merges, after.1 - before.1);
        let checks = self.current.cpa.coverage_checks - checks_before;
        self.current.statistics.add(Counter::CoverageChecks, checks);
        self.current
            .statistics
            .set(Counter::AbstractStates, count(reached.arg.len()));
        let reached_targets = reached
            .arg
            .iter()
            .filter(|(_, node)| self.current.cpa.is_target(&node.state));
        self.current.rounds.push(Round {
            round: self.current.iteration,
            states: count(reached.arg.len()),
            targets: count(reached_targets.count()),
            predicates: count(self.current.cpa.domain.precision.len()),
        });
        status
    }

    pub(in crate::engine) fn report(&mut self, activity: Activity, states: usize, targets: usize) {
        let progress = Progress {
            activity,
            iteration: self.current.iteration,
            states: count(states),
            targets: count(targets),
            refinements: self.current.refinements,
        };
        self.observer.progress(&progress);
    }
}

/// Whether there is a target state to refine.
fn has_target<'p>(cpa: &Analysis<'p>, reached: &Reached<Analysis<'p>>) -> bool {
    reached.arg.iter().any(|(_, node)| is_reached_target(cpa, &node.state))
}

/// Drops what may be big. At the end of a process that reached a limit it is leaked instead: to take gigabytes apart node by node would take longer
/// than the time that is left.
fn discard<T>(at_the_end: bool, big: T) {
    if at_the_end {
        std::mem::forget(big);
    }
}

/// The predicate analysis of a program, with empty precision.
fn analysis<'p>(
    program: &'p Program,
    properties: &[Property],
    options: &Options,
    encoder: Encoder<'p>,
    effort: Effort,
) -> Analysis<'p> {
    let settings = Settings {
        block: options.block,
        cartesian: options.cartesian,
    };
    let values = Values::new(encoder.clone());
    let mut predicates = Predicates::new(program, encoder, settings, effort);
    if options.analysis == AnalysisKind::Value {
        predicates.trust_targets();
    }
    let properties = properties.iter().map(|p| (p.targets.as_slice(), &p.tracking));
    Composite::new(program, Product::new(values, predicates), properties)
}

/// A count as a number of the statistics.
fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}
