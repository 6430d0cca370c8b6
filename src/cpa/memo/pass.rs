//! The way through a block: from the state at its entry to the states behind it.

use super::{Entry, Key, MAX_OPEN, Memo, Open, Shown, Validity};
use crate::cfa::{EdgeId, NodeId, Step, is_call};
use crate::cpa::algorithm::{Reached, cpa_plus_plus};
use crate::cpa::callstack::Block;
use crate::cpa::composite::{Composite, Control, Domain, State};
use crate::cpa::{Cpa, Status};
use provident_smt::fault::planted;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The most targets of one edge that a block hands to its caller. Others have other paths; what the refinement of these leaves is found again.
const MAX_TARGETS: usize = 8;

/// The status of an exploration that left something out.
const INTERRUPTED: Status = Status {
    complete: false,
    precise: false,
};

/// The exits of a block, the targets in it, and whether something was left out.
type Explored<S> = (Vec<State<S>>, Vec<State<S>>, Status);

/// The answer of the memory.
enum Found {
    /// A summary, at this position.
    Summary(usize),
    /// None, but perhaps one that does not hold any more, because the exits of blocks on which it rested have become more.
    Nothing(Option<usize>),
}

impl<D: Domain> Composite<'_, D> {
    /// The block that begins at a state of this control: that of a call if it is the entry of one, or that of a loop. The entry of the block that is being explored is none.
    pub fn block_entered(&self, control: Control) -> Option<Block> {
        let blocks = &self.memo.as_ref()?.blocks;
        let stacks = &self.context.stacks;
        let func = stacks.function(control.stack);
        let is_called = stacks.pop(control.stack).is_some() && blocks.contains(func);
        if is_called && self.context.program.function(func).entry == control.node {
            return Some(Block::Function(func));
        }
        let own = Block::Loop(blocks.loop_at(control.node)?.head);
        (stacks.explored(control.stack) != Some(own)).then_some(own)
    }

    /// Whether a state is behind the loop that is being explored: there its exploration ends.
    pub(in crate::cpa) fn is_behind_loop(&self, control: Control) -> bool {
        let Some(Block::Loop(head)) = self.context.stacks.explored(control.stack) else {
            return false;
        };
        let known = self.memo.as_ref().and_then(|memo| memo.blocks.loop_at(head));
        !known
            .expect("a loop is explored for itself only if it is a block")
            .contains(control.node)
    }

    fn memory(&mut self) -> &mut Memo<State<D::State>> {
        self.memo
            .as_mut()
            .expect("blocks are entered only where there is a memory")
    }

    /// Appends the states behind a block and the targets in it, as the operator `⇝` does.
    pub(in crate::cpa) fn pass(
        &mut self,
        block: Block,
        state: State<D::State>,
        successors: &mut Vec<(Step, State<D::State>)>,
    ) -> Status {
        let mut status = Status::GOOD;
        for data in self.domain.cases(&self.context, block, &state.data) {
            let control = state.control;
            status = status.join(self.pass_case(block, State { control, data }, successors));
        }
        status
    }

    fn pass_case(
        &mut self,
        block: Block,
        state: State<D::State>,
        successors: &mut Vec<(Step, State<D::State>)>,
    ) -> Status {
        let base = self.context.stacks.base(block).expect("every block has its stack");
        let control = Control {
            stack: base,
            ..state.control
        };
        let reduced = State {
            control,
            data: self.domain.reduce(&self.context, block, state.control, &state.data),
        };
        let key = Key {
            block,
            tracked: control.tracked,
            enabled: self.context.tracked.enabled(),
            values: control.values,
            precision: self.domain.precision_in(&self.context, block),
        };
        let (entry, status) = match self.find(key, &reduced) {
            Found::Summary(entry) => (entry, Status::GOOD),
            Found::Nothing(stale) => self.summarise(key, reduced, stale),
        };
        self.memory().note_call(&state, entry);
        let Entry {
            exits,
            targets,
            validity,
            ..
        } = &self.memory().entries[entry];
        let exits = exits.clone();
        // A block that is being explored has the target itself.
        let targets = match validity {
            Validity::Open(_) => Vec::new(),
            _ => targets.clone(),
        };
        for exit in exits {
            let data = self
                .domain
                .expand(&self.context, block, &state.data, (exit.control, &exit.data));
            let control = Control {
                stack: state.control.stack,
                ..exit.control
            };
            let step = self.step_over(block, state.control, exit.control);
            successors.push((step, State { control, data }));
        }
        for target in targets {
            if !self.is_target(&target) {
                continue;
            }
            let data = self
                .domain
                .carry(&self.context, &state.data, (target.control, &target.data));
            let control = Control {
                stack: state.control.stack,
                ..target.control
            };
            let step = self.step_over(block, state.control, target.control);
            successors.push((step, State { control, data }));
        }
        status
    }

    /// The step that stands for the way through a block in the graph: the call, or the edge that leaves the loop or violates a property.
    fn step_over(&self, block: Block, entry: Control, end: Control) -> Step {
        if let Block::Function(_) = block {
            let (_, call) = self.context.stacks.pop(entry.stack).expect("a call was entered");
            return Step::Enter(call);
        }
        if let Some(step) = end.target {
            return step;
        }
        let program = self.context.program;
        let exit = self
            .exit_of(block, end.node)
            .expect("a loop is left by one of its edges");
        match is_call(program, exit) {
            Some(_) => Step::Leave(exit),
            None => Step::Edge(exit),
        }
    }

    /// The edge by which a loop is left to a location.
    fn exit_of(&self, block: Block, node: NodeId) -> Option<EdgeId> {
        let Block::Loop(head) = block else { return None };
        let memo = self.memo.as_ref()?;
        memo.blocks.loop_at(head)?.exit_to(self.context.program, node)
    }

    /// Looks for the summary of a block.
    fn find(&mut self, key: Key, reduced: &State<D::State>) -> Found {
        let known = self.memory().known.get(&key).cloned().unwrap_or_default();
        let mut stale = None;
        for &at in known.iter().rev() {
            let entry = &self.memory().entries[at];
            let (validity, state) = (entry.validity, entry.state.clone());
            let is_same = planted("summary-forgets-entry")
                || self.domain.stop(&reduced.data, &state.data) && self.domain.stop(&state.data, &reduced.data);
            if !is_same {
                continue;
            }
            let memo = self.memory();
            match validity {
                Validity::Complete => memo.counters.hits += 1,
                Validity::Open(place) => {
                    memo.counters.recursive += 1;
                    memo.depend_on(place);
                }
                Validity::Until(epoch, places) if memo.are_unchanged(epoch, places) => {
                    memo.counters.hits += 1;
                    memo.rest_on(places);
                }
                Validity::Until(..) => {
                    stale = stale.or(Some(at));
                    continue;
                }
                Validity::Never => continue,
            }
            return Found::Summary(at);
        }
        self.memory().count_miss(key, !known.is_empty());
        Found::Nothing(stale)
    }

    /// Explores a block from a reduced state, in rounds if it calls itself from there. Returns its summary.
    ///
    /// The exits of a `stale` summary are found again, with more of them: so the rounds begin with these, and where recursions lie in each other, an inner one is not begun anew with each round of an outer one.
    fn summarise(&mut self, key: Key, reduced: State<D::State>, stale: Option<usize>) -> (usize, Status) {
        let memo = self.memory();
        let entry = memo.entries.len();
        let place = memo.open.len();
        let exits = stale.map_or_else(Vec::new, |stale| memo.entries[stale].exits.clone());
        if let Some(known) = memo.known.get_mut(&key) {
            // It will never hold again.
            known.retain(|&at| Some(at) != stale);
        }
        memo.entries.push(Entry {
            state: reduced.clone(),
            exits,
            targets: Vec::new(),
            validity: Validity::Open(place),
            shown: Shown::default(),
        });
        memo.known.entry(key).or_default().push(entry);
        if place >= MAX_OPEN {
            memo.is_too_deep = true;
            memo.entries[entry].validity = Validity::Never;
            return (entry, INTERRUPTED);
        }
        memo.epoch += 1;
        memo.open.push(Open {
            entry,
            rests_on: 0,
            since: memo.epoch,
            is_used: false,
        });
        let mut status;
        loop {
            let exits;
            let targets;
            (exits, targets, status) = self.explore_block(key.block, reduced.clone());
            let is_used = self.memory().open[place].is_used;
            let used = self.memory().entries[entry].exits.clone();
            let new: Vec<_> = exits
                .iter()
                .filter(|exit| !used.iter().any(|other| self.covers(other, exit)))
                .cloned()
                .collect();
            let memo = self.memo.as_mut().expect("it is there");
            let open = &mut memo.entries[entry];
            open.targets = targets;
            if !is_used || new.is_empty() || !status.complete || planted("recursion-not-repeated") {
                open.exits = exits;
                break;
            }
            // All that was found so far is in use from now on, so that the rounds come to an end.
            open.exits.extend(new);
            memo.epoch += 1;
            memo.open[place].since = memo.epoch;
            memo.counters.rounds += 1;
        }
        let memo = self.memory();
        let open = memo.open.pop().expect("it was opened");
        let outer = open.rests_on & !(1 << place);
        memo.rest_on(outer);
        if status.complete && status.precise {
            memo.finish(&open, place, outer);
        }
        memo.entries[entry].validity = if !status.complete || !status.precise {
            Validity::Never
        } else if outer != 0 {
            Validity::Until(memo.epoch, outer)
        } else {
            Validity::Complete
        };
        (entry, status)
    }

    /// Whether an exit covers another one.
    fn covers(&mut self, by: &State<D::State>, exit: &State<D::State>) -> bool {
        by.control == exit.control && self.domain.stop(&exit.data, &by.data)
    }

    /// Explores a block. Returns its exits, the targets in it, and whether something was left out.
    fn explore_block(&mut self, block: Block, reduced: State<D::State>) -> Explored<D::State> {
        let limits = self.memory().limits.clone();
        let before = limits.expanded.load(Ordering::Relaxed);
        let count = Arc::clone(&limits.expanded);
        let mut interrupted = move |expanded: u64| {
            let all = limits.expanded.load(Ordering::Relaxed).saturating_add(expanded);
            all >= limits.states
                || limits
                    .interrupt
                    .as_ref()
                    .is_some_and(|flag| flag.load(Ordering::Relaxed))
        };
        let base = reduced.control.stack;
        if let Some(open) = self.memory().open.last().map(|open| open.entry) {
            self.memory().entries[open].shown = Shown::default();
        }
        let mut reached = Reached::new(self, reduced);
        let status = cpa_plus_plus(self, &mut reached, &mut |_, _| false, &mut interrupted);
        count.fetch_add(reached.counts().0, Ordering::Relaxed);
        self.memory().counters.expanded += reached.counts().0;
        debug_assert!(before <= count.load(Ordering::Relaxed), "states are only added");
        let (mut exits, mut targets) = (Vec::new(), Vec::<State<D::State>>::new());
        // A state that was not expanded is covered by an exit, or the exploration was interrupted before its turn.
        for (_, node) in reached.arg.iter() {
            let control = node.state.control;
            if let Some(step) = control.target {
                let same = targets
                    .iter()
                    .filter(|other| other.control.target == Some(step))
                    .count();
                if same < MAX_TARGETS && self.is_target(&node.state) {
                    targets.push(node.state.clone());
                }
            } else if control.stack == base && node.expanded && self.ends(block, control) {
                exits.push(node.state.clone());
            }
        }
        if planted("loop-exit-lost") && matches!(block, Block::Loop(_)) && exits.len() > 1 {
            exits.pop();
        }
        let memo = self.memory();
        if let Some(open) = memo.open.last().filter(|_| memo.is_keeping) {
            let open = open.entry;
            let kept = reached.arg.iter().map(|(_, node)| node);
            let kept = kept
                .filter(|node| node.covered_by.is_none())
                .map(|node| node.state.clone());
            memo.entries[open].shown.states = kept.collect();
        }
        (exits, targets, status)
    }
}

impl<D: Domain> Composite<'_, D> {
    /// Whether a state on a block's own stack is one of its exits.
    fn ends(&self, block: Block, control: Control) -> bool {
        match block {
            Block::Function(func) => control.node == self.context.program.function(func).exit,
            Block::Loop(_) => {
                let is_behind = self.is_behind_loop(control);
                assert!(
                    !is_behind || self.exit_of(block, control.node).is_some(),
                    "a loop is left by one of its edges"
                );
                is_behind
            }
        }
    }
}

impl<S> Memo<S> {
    /// Counts a call without summary by its reason.
    fn count_miss(&mut self, key: Key, has_entries: bool) {
        let is_valid = |&at: &usize| !matches!(self.entries[at].validity, Validity::Never | Validity::Until(..));
        let (mut block, mut control) = (false, false);
        for (other, _) in self.known.iter().filter(|(other, _)| other.block == key.block) {
            block = true;
            control |= Key {
                precision: key.precision,
                ..*other
            } == key;
        }
        let counters = &mut self.counters;
        match (has_entries, control, block) {
            (true, ..) if self.known[&key].iter().any(is_valid) => counters.other_state += 1,
            (true, ..) => counters.not_kept += 1,
            (false, true, _) => counters.other_precision += 1,
            (false, false, true) => counters.other_control += 1,
            (false, false, false) => counters.new_blocks += 1,
        }
    }
}
