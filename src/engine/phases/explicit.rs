//! Explicit values first: the exploration of [`crate::explicit`], within a fixed number of steps.
//!
//! Many programs need no abstraction: their loops have constant bounds, or their inputs are only asked for equality. For these, executing
//! all paths is the shortest proof and the shortest way to an error. For the others the phase ends soon, because of a construct that it does not model
//! or because its steps are spent. Its verdicts stay, and open properties go to the refinement loop.
//!
//! Several properties share one exploration. A subset of them is explored again only if this leaves out automata of the other properties; without automata the paths would be the same.
//!
//! # Results
//!
//! * FALSE, if the replay confirms a path. The inputs come from the constraints that the exploration has collected. If a path has approximated something, or has followed unknown pointers,
//!   the solver also looks for inputs: the path is encoded alone, which is exact.
//! * TRUE for every property of which no edge was taken, if the exploration was complete: every path ended at the program's end or at a state
//!   that was explored, and no path met a construct that is not modelled. A path that the solver refutes counts as not taken, provided that no path ended at an explored state: then all
//!   paths were looked at one by one, and nothing rests on what lies behind a state of the refuted one. Where all paths have come to their ends and something is open, a second
//!   exploration (`apart`) looks at them one by one.

use super::apart::MOST_STEPS;
use super::concrete::concrete;
use super::sampling::sample;
use crate::cfa::analysis::distances::Distances;
use crate::cfa::{EdgeId, Step, Watcher};
use crate::cpa::tracking::PropertyId;
use crate::encode::Arith;
use crate::engine::loops::session::Session;
use crate::engine::options::{Explored, Extent, FURTHER, Part, PathOrder};
use crate::engine::{Activity, CandidateInput, CandidateKind, Confirmation, Counter, CounterexampleCandidate};
use crate::explicit::{Compiled, Event, Explorer, InputKind, Order, Path};
use crate::refine::concrete::{ConcretePath, Wish, concretise};
use provident_smt::num::Int;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Steps between two looks at the interrupt flag.
pub(in crate::engine) const SLICE: u64 = 1 << 13;
/// Steps per tick of solver effort.
const STEPS_PER_TICK: u64 = 16;
/// Longer paths are not replayed: that would take seconds.
const LONGEST_REPLAY: u64 = 5_000_000;
/// Inputs in memory of a path that is replayed: each one costs some hundred bytes.
const MAX_MEMORY_INPUTS: usize = 1_000_000;
/// Paths to a target that the replay may not confirm, before the phase ends.
const MAX_FAILURES: usize = 32;
/// Paths to a target that the solver refutes one by one; each of them is encoded alone.
const MAX_REFUTED: usize = 256;
/// Longer paths are not given to the solver. It may spend the next number of ticks on all paths together.
const LONGEST_SOLVED: usize = 20_000;
const SOLVER_TICKS: u64 = 60_000_000;
/// The exploration looks for states of new kinds in its last steps; these are one part in this number of parts.
const NOVELTY: u64 = 8;
/// The steps of an order's turn, where several take turns.
const TURN: u64 = 1 << 14;

/// Runs the phase.
pub(in crate::engine) fn explicit(session: &mut Session<'_, '_>, extent: Extent) {
    let options = session.options.explicit;
    if !options.enabled || session.options.arith != Arith::Machine || session.is_decided() {
        return;
    }
    let off = automata_off(session);
    let earlier = session.explored.get(&off).copied();
    if earlier == Some(Explored::ToItsEnd) {
        return;
    }
    let tracked = session
        .checking()
        .into_iter()
        .filter(|&p| session.properties[p.index()].tracking.watcher.is_some());
    // The states of several automata multiply. Where they do, this is not the short way.
    let share = match u64::try_from(tracked.count()).unwrap_or(u64::MAX) {
        0 | 1 => 1,
        several => 2 * several,
    };
    match options.part {
        Part::Samples => {
            session.report(Activity::Sample, 0, 0);
            sample(session, &off);
        }
        Part::All | Part::Execution if earlier.is_none() => {
            session.report(Activity::Execute, 0, 0);
            concrete(session, &off);
        }
        Part::All | Part::Execution | Part::Exploration => {}
    }
    if session.is_decided() || matches!(options.part, Part::Execution | Part::Samples) {
        return;
    }
    session.report(Activity::Explicit, 0, 0);
    let mut search = None;
    let limit = match extent {
        Extent::Full => options.steps / share,
        Extent::Turn(turn) => {
            search = searches(session).then(|| SEARCHES[turn % SEARCHES.len()]);
            let steps = steps_of_turn(session, turn);
            if search.is_some() { steps } else { steps / share }
        }
    };
    match earlier {
        Some(Explored::UpTo(steps)) if steps >= limit => return,
        Some(Explored::InSearch) if search.is_none() => return,
        _ => {}
    }
    let code = Compiled::without(session.program, off.iter().copied().collect());
    let mut phase = Run::new(session, &code, SOLVER_TICKS);
    phase.search = search;
    phase.explore(limit);
    phase
        .session
        .current
        .statistics
        .add(Counter::ExplicitSteps, phase.spent);
    phase.charge();
    let explored = phase.explored;
    session.explored.insert(off, explored);
}

/// Whether another exploration may show more about the properties that are checked.
pub(in crate::engine) fn may_go_further(session: &Session<'_, '_>) -> bool {
    let earlier = session.explored.get(&automata_off(session));
    matches!(earlier, Some(Explored::UpTo(_))) || searches(session)
}

/// Whether another exploration can only find violations, and may do so in another order.
fn searches(session: &Session<'_, '_>) -> bool {
    let earlier = session.explored.get(&automata_off(session));
    let is_open = matches!(earlier, Some(Explored::InSearch | Explored::Unconfirmed));
    is_open && session.options.explicit.order == PathOrder::Auto
}

/// The steps of the exploration of a turn, where 0 is the one before the first turn. All [`SEARCHES`] have the same steps before there are more.
pub(in crate::engine) fn steps_of_turn(session: &Session<'_, '_>, turn: usize) -> u64 {
    let options = session.options.explicit;
    let (steps, times) = match searches(session) {
        true => (options.grace, turn / SEARCHES.len()),
        false => (options.steps, turn),
    };
    let times = u32::try_from(times).unwrap_or(u32::MAX);
    steps.saturating_mul(FURTHER.saturating_pow(times))
}

/// The automata of properties that are not checked: an exploration leaves them out.
pub(super) fn automata_off(session: &Session<'_, '_>) -> BTreeSet<Watcher> {
    let properties = PropertyId::first(session.properties.len()).zip(session.properties);
    let off = properties.filter(|(property, _)| !session.is_enabled(*property));
    off.filter_map(|(_, property)| property.tracking.watcher).collect()
}

/// Why the exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// All states were visited, and everything on the way is modelled.
    Complete,
    /// Every property is decided.
    Decided,
    /// The steps are used up.
    Exhausted,
    /// More states would take too much memory.
    Crowded,
    /// The run was interrupted.
    Interrupted,
    /// The replay did not confirm too many paths.
    Unconfirmed,
    /// Something on the way is not modelled.
    Unmodelled,
}

impl Ending {
    /// The counter that reports it.
    fn counter(self) -> Counter {
        match self {
            Ending::Complete => Counter::ExplicitComplete,
            Ending::Decided => Counter::ExplicitDecided,
            Ending::Exhausted | Ending::Crowded => Counter::ExplicitExhausted,
            Ending::Interrupted => Counter::ExplicitInterrupted,
            Ending::Unconfirmed => Counter::ExplicitUnconfirmed,
            Ending::Unmodelled => Counter::ExplicitUnmodelled,
        }
    }
}

/// The solver's answer about a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Solved {
    /// There are inputs that lead along the path, or nobody knows whether there are.
    Open,
    /// No execution takes the path.
    Refuted,
}

pub(super) struct Run<'s, 'a, 'p, 'c> {
    pub(super) session: &'s mut Session<'a, 'p>,
    pub(super) code: &'c Compiled<'p>,
    /// Properties that a path may violate, although no replay confirmed it.
    pub(super) unproved: BTreeSet<PropertyId>,
    /// Properties with paths to a violation that the solver has refuted.
    pub(super) refuted: BTreeSet<PropertyId>,
    pub(super) refutations: usize,
    pub(super) failures: usize,
    /// The path to a target that failed last: its choices, and the target. Such a path often comes to the same target again and again, as behind `ERROR: goto ERROR;`.
    pub(super) failed: Option<(u64, EdgeId)>,
    pub(super) spent: u64,
    /// The ticks that the solver may still spend on paths.
    pub(super) solver_ticks: u64,
    /// The order of a search for a violation that an earlier one, in another order, has not found.
    search: Option<PathOrder>,
    /// How far the exploration went.
    explored: Explored,
}

impl<'s, 'a, 'p, 'c> Run<'s, 'a, 'p, 'c> {
    /// A run in which the solver may spend this number of ticks on paths.
    pub(super) fn new(session: &'s mut Session<'a, 'p>, code: &'c Compiled<'p>, solver_ticks: u64) -> Self {
        Run {
            session,
            code,
            unproved: BTreeSet::new(),
            refuted: BTreeSet::new(),
            refutations: 0,
            failures: 0,
            failed: None,
            spent: 0,
            solver_ticks,
            search: None,
            explored: Explored::ToItsEnd,
        }
    }

    /// Charges the steps as solver effort, so that a limit on ticks covers them.
    pub(super) fn charge(&mut self) {
        let ticks = self.spent / STEPS_PER_TICK;
        let effort = &mut self.session.current.cpa.domain.effort;
        effort.charge_ticks(ticks);
    }

    /// The steps that a limit on ticks leaves.
    pub(super) fn affordable(&self, steps: u64) -> u64 {
        let effort = &self.session.current.cpa.domain.effort;
        match effort.limit {
            Some(limit) => {
                let left = limit.saturating_sub(effort.spent).saturating_mul(STEPS_PER_TICK);
                steps.min(left.saturating_sub(self.spent))
            }
            None => steps,
        }
    }

    pub(super) fn is_interrupted(&self) -> bool {
        let effort = &self.session.current.cpa.domain.effort;
        effort.interrupt.load(Ordering::Relaxed)
    }

    /// The edges that violate properties: those of properties that are open, and the others.
    pub(super) fn targets(&self) -> (BTreeSet<EdgeId>, BTreeSet<EdgeId>) {
        let all = self.session.properties.iter().flat_map(|p| &p.targets).copied();
        all.partition(|edge| !self.session.current.cpa.violated(*edge).is_empty())
    }

    /// Explores for this number of steps, or for more of them if it is swift.
    fn explore(&mut self, steps: u64) {
        let (open, _) = self.targets();
        let targets: Vec<EdgeId> = open.into_iter().collect();
        let mut explorer = Explorer::new(self.code, targets.iter().copied());
        let order = self.search.unwrap_or(self.session.options.explicit.order);
        let metric = self.session.options.metric;
        let (options, properties) = (self.session.options, self.session.properties);
        let weight = |property: PropertyId| options.weight(&properties[property.index()].name);
        let weighted = self.session.current.cpa.weighted_targets(weight);
        let program = self.code.program;
        let distances = || Distances::new(program, metric, weighted.iter().copied());
        let orders = orders(order, self.session.options.order_seed);
        if let Some(orders) = &orders {
            explorer.seek(orders, TURN, Some(distances()));
        }
        if self.session.options.explicit.objects {
            explorer.imagine_objects();
        }
        if self.session.options.explicit.shortcuts {
            explorer.take_shortcuts();
        }
        if self.session.options.explicit.shifts {
            explorer.merge_shifts();
        }
        let mut most = self.affordable(steps);
        let swift = self.affordable(most.saturating_mul(self.session.options.explicit.swifter));
        let mut limit = most;
        let (mut complete, mut all_ended) = (self.search.is_none(), false);
        let most_states = self.session.options.explicit.states;
        let mut seeks_novelty = orders.is_some();
        let ending = loop {
            // Where no states are stored there are no loops with choices: nothing would be seen again.
            let is_near_its_end = explorer.steps >= limit - limit / NOVELTY;
            if is_near_its_end && complete && limit < swift && explorer.is_swift() {
                (limit, most) = (swift, swift);
                continue;
            }
            if !seeks_novelty && explorer.states > 0 && is_near_its_end {
                explorer.seek(&[Order::Novelty], TURN, None);
                seeks_novelty = true;
            }
            let slice = limit.min(explorer.steps + SLICE);
            let event = explorer.run(slice);
            let pulse = &self.session.current.cpa.domain.effort.pulse;
            pulse.steps(self.spent + explorer.steps);
            pulse.states(explorer.states);
            if complete && (explorer.has_imagined() || matches!(event, Event::Unmodelled(_))) {
                limit = limit.min(explorer.steps.saturating_add(self.session.options.explicit.grace));
                complete = false;
                if order == PathOrder::Auto && !seeks_novelty {
                    explorer.seek(&NOVEL_SHARES, TURN, Some(distances()));
                    seeks_novelty = true;
                }
            }
            match event {
                Event::Target(edge) => {
                    self.target(&mut explorer, edge);
                    if self.session.is_decided() {
                        break Ending::Decided;
                    }
                    if self.failures >= MAX_FAILURES {
                        break Ending::Unconfirmed;
                    }
                }
                Event::Complete => {
                    all_ended = true;
                    break if complete { Ending::Complete } else { Ending::Unmodelled };
                }
                Event::Exhausted if explorer.steps >= limit => {
                    break if complete {
                        Ending::Exhausted
                    } else {
                        Ending::Unmodelled
                    };
                }
                Event::Exhausted if explorer.is_crowded(most_states) => break Ending::Crowded,
                Event::Exhausted if self.is_interrupted() => break Ending::Interrupted,
                Event::Exhausted | Event::Cut | Event::Unmodelled(_) => {}
            }
        };
        self.spent += explorer.steps;
        self.session
            .current
            .statistics
            .set(Counter::ExplicitStates, explorer.states);
        if ending == Ending::Complete {
            if explorer.has_joined {
                self.unproved.append(&mut self.refuted);
            }
            self.prove();
        }
        if all_ended && !self.session.is_decided() && explorer.steps <= MOST_STEPS && !explorer.has_imagined() {
            self.explore_apart(&targets);
        }
        self.explored = match ending {
            Ending::Exhausted => Explored::UpTo(most),
            Ending::Unmodelled if !all_ended => Explored::InSearch,
            Ending::Unconfirmed => Explored::Unconfirmed,
            _ => Explored::ToItsEnd,
        };
        let statistics = &mut self.session.current.statistics;
        for earlier in [Counter::ExplicitExhausted, Counter::ExplicitUnmodelled] {
            if statistics.get(earlier) > 0 {
                statistics.set(earlier, 0);
            }
        }
        statistics.set(ending.counter(), 1);
        self.session.discard(explorer);
    }

    /// Proves the open properties that no path may violate.
    pub(super) fn prove(&mut self) {
        let properties = PropertyId::first(self.session.properties.len());
        for property in properties.filter(|p| !self.unproved.contains(p)) {
            if self.session.is_open(property) {
                self.session.prove(property);
                self.session.current.statistics.add(Counter::ExplicitProofs, 1);
            }
        }
    }

    /// Deals with a path that has taken an edge of interest.
    pub(super) fn target(&mut self, explorer: &mut Explorer<'_, '_>, edge: EdgeId) {
        if self.failed == Some((explorer.trail(), edge)) {
            return;
        }
        let (choices, length) = explorer.path();
        let path = (length <= LONGEST_REPLAY).then(|| Path::follow(self.code, &choices, length));
        let path = path
            .flatten()
            .filter(|path| path.steps.last().map(|s| s.edge()) == Some(edge));
        self.spent += length;
        let attempts = if explorer.is_exact() { 2 } else { 4 };
        let mut is_refuted = false;
        if let Some(path) = path {
            self.confirm(edge, &path, attempts);
            if !explorer.is_exact() || explorer.has_imagined() {
                is_refuted = self.solve(edge, &path.steps) == Solved::Refuted;
            }
        }
        let open = self.session.current.cpa.violated(edge);
        if !open.is_empty() {
            self.failed = Some((explorer.trail(), edge));
            // Where paths have met, a refutation proves nothing, and the search has lost its way as after any other path.
            if is_refuted && !explorer.has_joined && self.refutations < MAX_REFUTED {
                self.refutations += 1;
                self.refuted.extend(open);
                self.session.current.statistics.add(Counter::ExplicitRefutations, 1);
            } else {
                self.failures += 1;
                self.unproved.extend(open);
            }
        }
        let (_, decided) = self.targets();
        decided.into_iter().for_each(|edge| explorer.ignore(edge));
    }

    /// Gets inputs that lead along a path from the solver, and replays them: operations that the path approximated are exact there.
    fn solve(&mut self, edge: EdgeId, steps: &[Step]) -> Solved {
        let mut solved = Solved::Open;
        if self.solver_ticks == 0 || steps.len() > LONGEST_SOLVED || self.session.current.cpa.violated(edge).is_empty()
        {
            return solved;
        }
        let before = self.session.current.cpa.domain.effort.spent;
        let limit = self.limit_solver();
        // Many inputs that are zero have a special meaning, and many that are not.
        for wish in [Wish::None, Wish::NoZeros] {
            let concrete = concretise(&mut self.session.current.cpa.domain, steps, wish);
            if matches!(concrete, Ok(None)) && wish == Wish::None {
                solved = Solved::Refuted;
            }
            let Ok(Some(ConcretePath { steps, inputs })) = concrete else {
                break;
            };
            let steps: Arc<[Step]> = steps.into();
            for property in self.session.current.cpa.violated(edge).to_vec() {
                let candidate = CounterexampleCandidate {
                    steps: Arc::clone(&steps),
                    inputs: inputs.clone(),
                    property,
                };
                if self.session.ask(candidate) == Confirmation::Confirmed {
                    self.session.current.statistics.add(Counter::ExplicitCounterexamples, 1);
                }
            }
            if self.session.current.cpa.violated(edge).is_empty() {
                break;
            }
        }
        self.release_solver(limit, before);
        solved
    }

    /// Limits the solver to what it may still spend on paths. Returns the limit that it had.
    fn limit_solver(&mut self) -> Option<u64> {
        let effort = &mut self.session.current.cpa.domain.effort;
        let own = effort.spent.saturating_add(self.solver_ticks);
        let limit = effort.limit;
        effort.limit = Some(limit.map_or(own, |limit| limit.min(own)));
        limit
    }

    /// Gives the solver its limit back, and notes what it has spent since `before`.
    fn release_solver(&mut self, limit: Option<u64>, before: u64) {
        let effort = &mut self.session.current.cpa.domain.effort;
        effort.limit = limit;
        self.solver_ticks = self.solver_ticks.saturating_sub(effort.spent - before);
    }

    /// Whether the solver refutes a path.
    pub(super) fn is_refuted(&mut self, steps: &[Step]) -> bool {
        if self.solver_ticks == 0 || steps.len() > LONGEST_SOLVED {
            return false;
        }
        let before = self.session.current.cpa.domain.effort.spent;
        let limit = self.limit_solver();
        let refuted = matches!(
            concretise(&mut self.session.current.cpa.domain, steps, Wish::None),
            Ok(None)
        );
        self.release_solver(limit, before);
        refuted
    }

    /// Asks the replay about a path, with one choice of inputs after the other, until all properties that its last step violates are decided.
    fn confirm(&mut self, edge: EdgeId, path: &Path, attempts: u64) {
        if path.memory_inputs() > MAX_MEMORY_INPUTS {
            return;
        }
        let steps: Arc<[Step]> = path.steps.as_slice().into();
        for attempt in 0..attempts {
            let inputs = candidates(path, attempt);
            for property in self.session.current.cpa.violated(edge).to_vec() {
                let candidate = CounterexampleCandidate {
                    steps: Arc::clone(&steps),
                    inputs: inputs.clone(),
                    property,
                };
                if self.session.ask(candidate) == Confirmation::Confirmed {
                    self.session.current.statistics.add(Counter::ExplicitCounterexamples, 1);
                }
            }
            if self.session.current.cpa.violated(edge).is_empty() || is_long(&path.steps) {
                return;
            }
        }
    }
}

/// See [`PathOrder::NovelShares`].
/// The orders of the explorations that search for a violation in turns, where nothing can be proved: each finds some that the others do not come to. The first one has the turn before the refinement loop.
const SEARCHES: [PathOrder; 3] = [PathOrder::NovelShares, PathOrder::Shares, PathOrder::Depth];
const NOVEL_SHARES: [Order; 3] = [Order::Depth, Order::Novelty, Order::NovelDistance];

/// The orders that take turns from the beginning, with the seed of lots; `None` for the one that [`Explorer`] begins with.
fn orders(order: PathOrder, seed: u64) -> Option<Vec<Order>> {
    Some(match order {
        PathOrder::Auto | PathOrder::Depth => return None,
        PathOrder::Novelty => vec![Order::Novelty],
        PathOrder::Distance => vec![Order::Distance],
        PathOrder::NovelDistance => vec![Order::NovelDistance],
        PathOrder::Bands => vec![Order::Bands],
        PathOrder::Shares => vec![Order::Depth, Order::Distance, Order::Novelty],
        PathOrder::NovelShares => NOVEL_SHARES.to_vec(),
        PathOrder::Breadth => vec![Order::Breadth],
        PathOrder::Random => vec![Order::Random(seed)],
    })
}

/// Whether another replay of the path is too expensive.
fn is_long(steps: &[Step]) -> bool {
    u64::try_from(steps.len()).is_ok_and(|n| n > LONGEST_REPLAY / 4)
}

/// The inputs of a path in the form that the replay takes: near zero first, later other ones.
fn candidates(path: &Path, attempt: u64) -> Vec<CandidateInput> {
    let mut state = attempt;
    let mut wish = || match attempt {
        0 => 0,
        1 => 1,
        _ => {
            // Any fixed sequence will do: this is the generator of Knuth, MMIX.
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            i128::from(state >> 40) % 100
        }
    };
    let inputs = path.inputs(&mut wish).into_iter().map(|input| {
        let region = String::new();
        let kind = match input.kind {
            InputKind::Variable => CandidateKind::Variable { name: String::new() },
            InputKind::Allocated => CandidateKind::Allocation,
            InputKind::Written(address, size) => CandidateKind::Memory {
                region,
                address: Int::from(i128::from(address)),
                size,
            },
            InputKind::Read(address, size) => CandidateKind::Read {
                region,
                address: Int::from(i128::from(address)),
                size,
            },
        };
        CandidateInput {
            step: input.step,
            kind,
            value: Int::from(input.value),
        }
    });
    inputs.collect()
}
