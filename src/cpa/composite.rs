//! The composite analysis: control (location, call stack, properties that are tracked, values that track automata, target) in product with one data domain.
//!
//! Control is explicit: states with different control are never merged and never cover each other. The data domain is anything that implements
//! [`Domain`]. A domain's operators see the control of the state that they work on.
//!
//! # Target states
//!
//! When a step takes an edge that violates a property, the state gets *two* successors: a target state, from which nothing goes on, and the ordinary
//! successor. So exploration continues behind a violation, for the same property and for all others.

use super::arg::ArgId;
use super::automaton::{Automata, ValuesId};
use super::callstack::{Block, StackId, Stacks};
use super::location::{self, Locations, Position};
use super::memo::Memo;
use super::search::{Search, SearchOrder};
use super::tracking::{Tracked, TrackedId, Tracking};
use super::{Adjusted, Cpa, Status};
use crate::cfa::analysis::distances::{Distances, Metric};
use crate::cfa::{EdgeId, NodeId, Program, Step, is_call};
use crate::cpa::tracking::PropertyId;
use provident_smt::hash::FxHashMap;

/// The control part of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Control {
    /// The program counter.
    pub node: NodeId,
    /// The calling context.
    pub stack: StackId,
    /// The properties that are tracked.
    pub tracked: TrackedId,
    /// The values of the variables that track specification automata.
    pub values: ValuesId,
    /// For a target state the step that violates properties.
    pub target: Option<Step>,
}

/// A data domain: the operators of [`Cpa`] with the same laws, relative to control.
pub trait Domain {
    /// The data part of a state.
    type State: Clone;
    /// The class of a state within its control, so that the states of one location need not be compared one by one. States of different classes are never merged, and
    /// `merge` and `prec` leave a state in its class.
    type Key: Copy + Eq + std::hash::Hash;
    /// The key of a state.
    fn key(&self, state: &Self::State) -> Self::Key;
    /// The keys of the states that may cover this one, in the order in which they are searched. The default is its own.
    fn covering_keys(&self, state: &Self::State) -> Vec<Self::Key> {
        vec![self.key(state)]
    }
    /// The data after a step into `to`; `None` if it is obvious that there is none.
    fn transfer(
        &mut self,
        context: &Context<'_>,
        from: Control,
        to: Control,
        state: &Self::State,
        step: Step,
    ) -> Option<Self::State>;
    /// See [`Cpa::merge`].
    fn merge(&mut self, new: &Self::State, old: &Self::State) -> Option<Self::State>;
    /// See [`Cpa::stop`].
    fn stop(&mut self, state: &Self::State, reached: &Self::State) -> bool;
    /// See [`Cpa::prec`].
    fn prec(&mut self, context: &Context<'_>, control: Control, state: &Self::State)
    -> (Adjusted<Self::State>, Status);
    /// See [`Cpa::fcover`].
    fn fcover(&mut self, _id: ArgId, _state: &Self::State) -> bool {
        false
    }
    /// Whether the state waits until everything that can be merged with it has arrived.
    fn waits(&self, state: &Self::State) -> bool;
    /// States whose union is the state at the entry of a block. Each is reduced for itself, so that facts which the block leaves alone and those which it changes keep their relation.
    ///
    /// Law: `[[state]]` is contained in the union of the `[[s]]`. The default is the state itself.
    fn cases(&mut self, _context: &Context<'_>, _block: Block, state: &Self::State) -> Vec<Self::State> {
        vec![state.clone()]
    }
    /// The operator `reduce` of block-abstraction memoization (Wonisch and Wehrheim, *Predicate analysis with block-abstraction memoization*, ICFEM 2012): the part of a state at the entry of
    /// a block that the block can see. Equal parts share what was explored of the block.
    ///
    /// Law: `[[state]]` is contained in `[[reduce(state)]]`. The default keeps the whole state.
    fn reduce(&mut self, _context: &Context<'_>, _block: Block, _entry: Control, state: &Self::State) -> Self::State {
        state.clone()
    }
    /// The operator `expand`: the state behind a block, from the state at its entry and the state at its exit that a reduced entry led to.
    ///
    /// Law: an execution of the block that begins in `[[entry]]`, and that the exploration from `reduce(entry)` leaves in `[[exit]]`, ends in the `[[s]]` of the
    /// result. The default is for domains whose `reduce` keeps the whole state.
    fn expand(
        &mut self,
        _context: &Context<'_>,
        _block: Block,
        _entry: &Self::State,
        exit: (Control, &Self::State),
    ) -> Self::State {
        exit.1.clone()
    }
    /// The target state before the entry of a block that stands for one inside of it: its path leads through the entry.
    ///
    /// Law: it is a target state as `target` is. The default is that state itself.
    fn carry(&mut self, _context: &Context<'_>, _entry: &Self::State, target: (Control, &Self::State)) -> Self::State {
        target.1.clone()
    }
    /// The reduced precision of a block, as a number: while it is the same, the operators give the same results in the exploration of the block. The default is for domains whose precision
    /// never changes.
    fn precision_in(&mut self, _context: &Context<'_>, _block: Block) -> u64 {
        0
    }
}

/// The context of a domain: everything that its operators may read.
#[derive(Debug)]
pub struct Context<'p> {
    /// The program.
    pub program: &'p Program,
    /// The call stacks.
    pub stacks: Stacks,
    /// The locations.
    pub locations: Locations,
    /// The variables that track specification automata.
    pub automata: Automata,
    /// Which properties are tracked where.
    pub tracked: Tracked,
}

/// A state of the composite analysis.
#[derive(Debug, Clone)]
pub struct State<D> {
    /// Where it is.
    pub control: Control,
    /// The data part.
    pub data: D,
}

/// The product of control and a domain.
#[derive(Debug)]
pub struct Composite<'p, D: Domain> {
    /// Program, call stacks, locations.
    pub context: Context<'p>,
    /// The data domain.
    pub domain: D,
    /// For each edge, the properties that it violates and that are still of interest.
    targets: FxHashMap<EdgeId, Vec<PropertyId>>,
    /// The order of exploration.
    search: Search,
    /// How often it was asked whether a reached state covers another one.
    pub coverage_checks: u64,
    /// The memory of block abstractions, if blocks are explored for themselves.
    pub memo: Option<Memo<State<D::State>>>,
}

impl<'p, D: Domain> Composite<'p, D> {
    /// The analysis of a program; `properties` lists the edges that violate each property, and what tracks it.
    pub fn new<'t>(
        program: &'p Program,
        domain: D,
        properties: impl Iterator<Item = (&'t [EdgeId], &'t Tracking)> + Clone,
    ) -> Self {
        let mut targets: FxHashMap<EdgeId, Vec<PropertyId>> = FxHashMap::default();
        for (position, (edges, _)) in properties.clone().enumerate() {
            let property = PropertyId::new(position);
            for &edge in edges {
                let violated = targets.entry(edge).or_default();
                if violated.last() != Some(&property) {
                    violated.push(property);
                }
            }
        }
        let context = Context {
            program,
            stacks: Stacks::new(program),
            locations: Locations::new(program),
            automata: Automata::new(program),
            tracked: Tracked::new(program, properties.map(|(_, tracking)| tracking)),
        };
        Composite {
            context,
            domain,
            targets,
            search: Search::default(),
            coverage_checks: 0,
            memo: None,
        }
    }

    /// The edges that violate properties of interest, ascending, with the least weight of these properties.
    pub fn weighted_targets(&self, weight: impl Fn(PropertyId) -> u32) -> Vec<(EdgeId, u32)> {
        let mut edges: Vec<EdgeId> = self.targets.keys().copied().collect();
        edges.sort_unstable();
        let least = |edge: EdgeId| self.violated(edge).into_iter().map(&weight).min();
        edges
            .into_iter()
            .filter_map(|edge| Some((edge, least(edge)?)))
            .collect()
    }

    /// Chooses the order of exploration, with the seed of lots; by distance, the targets are those of interest now, with the weights of their properties. Must not be called while states wait.
    pub fn direct(&mut self, order: SearchOrder, metric: Metric, seed: u64, weight: impl Fn(PropertyId) -> u32) {
        let program = self.context.program;
        let distances = (order == SearchOrder::Distance).then(|| {
            let targets = self.weighted_targets(weight);
            Distances::new(program, metric, targets.into_iter())
        });
        self.search = Search::new(program, &self.context.stacks, (order, seed), distances);
    }

    /// The control of the program's start.
    pub fn start(&self) -> Control {
        let node = self.context.program.function(self.context.program.start).entry;
        Control {
            node,
            stack: self.context.stacks.bottom(),
            tracked: self.context.tracked.enabled(),
            values: ValuesId::UNKNOWN,
            target: None,
        }
    }

    /// The properties of interest that an edge violates, ascending: those that are switched on and not ignored.
    pub fn violated(&self, edge: EdgeId) -> Vec<PropertyId> {
        self.violated_in(edge, self.context.tracked.enabled())
    }

    /// The properties of interest, of those in a set, that an edge violates.
    fn violated_in(&self, edge: EdgeId, set: TrackedId) -> Vec<PropertyId> {
        let tracked = &self.context.tracked;
        let of_interest = |p: &PropertyId| tracked.is_enabled(*p) && tracked.tracks(set, *p);
        let violated = self.targets.get(&edge).into_iter().flatten().copied();
        violated.filter(of_interest).collect()
    }

    /// The properties of interest that a target state violates.
    pub fn violated_by(&self, control: Control) -> Vec<PropertyId> {
        control
            .target
            .map(|step| self.violated_in(step.edge(), control.tracked))
            .unwrap_or_default()
    }

    /// Loses interest in the violations of some properties.
    pub fn ignore(&mut self, mut ignored: impl FnMut(EdgeId, PropertyId) -> bool) {
        for (&edge, properties) in &mut self.targets {
            properties.retain(|&p| !ignored(edge, p));
        }
        self.targets.retain(|_, properties| !properties.is_empty());
    }

    /// Takes interest again in the violations of a property, at these edges.
    pub fn watch(&mut self, property: PropertyId, edges: &[EdgeId]) {
        if let Some(memo) = &mut self.memo {
            memo.forget();
        }
        for &edge in edges {
            let violated = self.targets.entry(edge).or_default();
            if let Err(at) = violated.binary_search(&property) {
                violated.insert(at, property);
            }
        }
    }

    /// The control after a step; `None` if no execution takes it.
    fn after(&mut self, control: Control, step: Step) -> Option<Control> {
        let program = self.context.program;
        let values = match step {
            Step::Edge(edge) => {
                let op = &program.edge(edge).op;
                self.context.automata.after(program, control.values, op)?
            }
            Step::Enter(_) | Step::Leave(_) => control.values,
        };
        let stack = match step {
            Step::Edge(_) => control.stack,
            Step::Enter(call) => {
                let callee = is_call(program, call).expect("only calls are entered");
                let stack = self.context.stacks.push(program, control.stack, call, callee);
                self.search.notice(program, &self.context.stacks);
                stack
            }
            Step::Leave(_) => self.context.stacks.pop(control.stack).expect("only calls are left").0,
        };
        Some(Control {
            node: step.target(program),
            stack,
            tracked: control.tracked,
            values,
            target: None,
        })
    }
}

impl<D: Domain> Cpa for Composite<'_, D> {
    type State = State<D::State>;
    type Partition = (Control, D::Key);
    type Order = Position;

    fn transfer(&mut self, state: &Self::State, successors: &mut Vec<(Step, Self::State)>) -> Status {
        if state.control.target.is_some() {
            return Status::GOOD;
        }
        let from = Control {
            tracked: self.context.tracked.prec(state.control.tracked),
            ..state.control
        };
        if self.is_behind_loop(from) {
            return Status::GOOD;
        }
        if let Some(block) = self.block_entered(from) {
            return self.pass(
                block,
                State {
                    control: from,
                    data: state.data.clone(),
                },
                successors,
            );
        }
        for step in location::steps(self.context.program, &self.context.stacks, from.node, from.stack) {
            let leaves = matches!(step, Step::Leave(_));
            let context = &self.context;
            if !leaves
                && !context
                    .tracked
                    .takes(context.program, from.tracked, from.node, step.edge())
            {
                continue;
            }
            let Some(control) = self.after(from, step) else {
                continue;
            };
            if !leaves {
                self.context.tracked.note(step.edge());
            }
            let violates = !leaves && !self.violated_in(step.edge(), from.tracked).is_empty();
            let target = violates.then_some(Control {
                target: Some(step),
                ..control
            });
            for to in target.into_iter().chain([control]) {
                if let Some(data) = self.domain.transfer(&self.context, from, to, &state.data, step) {
                    successors.push((step, State { control: to, data }));
                }
            }
        }
        Status::GOOD
    }

    fn merge(&mut self, new: &Self::State, old: &Self::State) -> Option<Self::State> {
        let data = self.domain.merge(&new.data, &old.data)?;
        Some(State {
            control: old.control,
            data,
        })
    }

    fn stop(&mut self, state: &Self::State, reached: &Self::State) -> bool {
        self.coverage_checks += 1;
        state.control.target.is_none() && self.domain.stop(&state.data, &reached.data)
    }

    fn prec(&mut self, state: &Self::State) -> (Adjusted<Self::State>, Status) {
        let (adjusted, status) = self.domain.prec(&self.context, state.control, &state.data);
        let adjusted = match adjusted {
            Adjusted::Same => Adjusted::Same,
            Adjusted::Changed(data) => Adjusted::Changed(State {
                control: state.control,
                data,
            }),
            Adjusted::Bottom => Adjusted::Bottom,
        };
        (adjusted, status)
    }

    fn fcover(&mut self, id: ArgId, state: &Self::State) -> bool {
        self.domain.fcover(id, &state.data)
    }

    fn partition(&self, state: &Self::State) -> Self::Partition {
        (state.control, self.domain.key(&state.data))
    }

    fn covering_partitions(&self, state: &Self::State) -> Vec<Self::Partition> {
        let keys = self.domain.covering_keys(&state.data).into_iter();
        keys.map(|key| (state.control, key)).collect()
    }

    fn order(&self, id: ArgId, state: &Self::State) -> Position {
        let Control {
            node, stack, target, ..
        } = state.control;
        let context = &self.context;
        // A target is looked at as soon as it is found: it ends where it is.
        let waits = target.is_none() && self.domain.waits(&state.data);
        let own = if waits {
            context.locations.loop_end(node)
        } else {
            context.program.node(node).rpo
        };
        let place = waits.then(|| self.search.place(node, stack, id));
        Position::new(&context.stacks, stack, own, place)
    }

    fn is_target(&self, state: &Self::State) -> bool {
        state.control.target.is_some() && !self.violated_by(state.control).is_empty()
    }
}
