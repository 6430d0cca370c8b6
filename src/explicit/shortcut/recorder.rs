//! Ways as they are met for the first time: executed on numbers and on expressions at once (Godefroid, Klarlund, Sen, "DART: Directed automated random testing", PLDI 2005).

use super::answers::Range;
use super::expression::{Expression, Expressions, Id, content};
use super::tree::{Effect, Goal, Parting, Test, Way};
use super::values::Number;
use crate::cfa::{EdgeId, FuncId, NodeId};
use crate::explicit::compiled::code::{Action, Call, Code, Dest, EdgeCode, Next, Scalar, Slot, Source};
use crate::explicit::compiled::compile::Compiled;
use crate::explicit::state::State;
use crate::explicit::step::question::Truth;
use crate::explicit::value::symbol::{Facts, SymbolId, instance};
use crate::frontend::types::IntInfo;
use provident_smt::hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Steps of a way at most.
const LONGEST: u64 = 100_000;
/// Choices of a way at most.
const MOST_CHOICES: usize = 64;
/// Frames that a way may have open.
const DEEPEST: usize = 64;

/// A way, with all that parts it from others.
pub(super) struct Recorded {
    pub partings: Vec<Parting>,
    pub way: Way,
}

/// Why a way ends before a step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Halt {
    /// The step is one for the machine.
    Machine,
    /// No execution takes it.
    Nowhere,
}

/// The content of a slot.
#[derive(Clone, Copy)]
pub(super) enum Content {
    Number(Number),
    /// An input that may still have several values.
    Input(SymbolId),
    Unknown,
}

/// A frame that the way has opened.
struct Frame {
    func: FuncId,
    call: EdgeId,
    slots: Vec<Content>,
}

/// An execution from a state to the end of a way.
pub(super) struct Recorder<'r, 'p> {
    code: &'r Compiled<'p>,
    targets: &'r [bool],
    state: &'r State,
    pub(super) expressions: &'r mut Expressions,
    node: NodeId,
    length: u64,
    frames: Vec<Frame>,
    /// The slots that were written, apart from those of `frames`.
    written: BTreeMap<Slot, Content>,
    pub(super) partings: Vec<Parting>,
    pub(super) known: FxHashMap<(Id, IntInfo), Range>,
    /// The slots of the state that were read.
    read: BTreeSet<Slot>,
    /// The choices that are to be made, if choices may be made at all. Behind them the first alternative is taken.
    given: Option<&'r [u8]>,
    choices: Vec<u8>,
    choosers: Vec<NodeId>,
    /// The facts about inputs: those that the machine has on this way.
    pub(super) facts: Facts,
    /// The number of inputs.
    inputs: u32,
    /// Unknown slots that the current step has read.
    fresh: Vec<Slot>,
}

/// Records the way that begins at a state. It ends before an edge that is a target, before everything that needs more than numbers in slots and questions about inputs, at the next head of a loop, and behind a choice wherever cycles are cut. With
/// `choices`, it makes these, and then always the first one; otherwise it ends before a choice.
///
/// # Errors
/// Its length, if an input still has several values at the end of a way that makes choices, or has read some.
pub(super) fn record(
    code: &Compiled<'_>,
    targets: &[bool],
    expressions: &mut Expressions,
    state: &State,
    choices: Option<&[u8]>,
) -> Result<Recorded, u64> {
    let mut recorder = Recorder {
        code,
        targets,
        state,
        expressions,
        node: state.node,
        length: 0,
        frames: Vec::new(),
        written: BTreeMap::new(),
        partings: Vec::new(),
        known: FxHashMap::default(),
        read: BTreeSet::new(),
        given: choices,
        choices: Vec::new(),
        choosers: Vec::new(),
        facts: Facts::default(),
        inputs: 0,
        fresh: Vec::new(),
    };
    let mut goal = Goal::Steps;
    while goal == Goal::Steps && recorder.length < LONGEST {
        let (partings, choices) = (recorder.partings.len(), recorder.choices.len());
        let facts = recorder.facts.clone();
        match recorder.step() {
            Ok(()) => {
                recorder.length += 1;
                recorder.fresh.clear();
                let node = code.node(recorder.node);
                match recorder.choices.is_empty() {
                    true if node.loop_head => break,
                    false if node.cut => goal = Goal::Lookup,
                    _ => {}
                }
            }
            Err(Halt::Nowhere) => goal = Goal::Nowhere,
            Err(Halt::Machine) => {
                // The step is not taken, so it has asked and read nothing.
                recorder.partings.truncate(partings);
                recorder.choices.truncate(choices);
                recorder.choosers.truncate(choices);
                recorder.facts = facts;
                for slot in std::mem::take(&mut recorder.fresh) {
                    recorder.set(slot, Content::Unknown);
                }
                break;
            }
        }
    }
    let length = recorder.length;
    recorder.end(goal).ok_or(length)
}

impl Recorder<'_, '_> {
    /// One step. If it is for the machine, only what it has asked and read has changed.
    fn step(&mut self) -> Result<(), Halt> {
        match &self.code.node(self.node).next {
            Next::Leave => self.leave(),
            Next::Stuck => Err(Halt::Nowhere),
            Next::Edges(edges) => {
                let count = u8::try_from(edges.len()).map_err(|_| Halt::Machine)?;
                let edge = &edges[usize::from(self.choose(count)?)];
                self.passes(edge.id)?;
                self.edge(edge)
            }
            Next::Branch(condition, scalar, ends) => {
                let (holds, truth) = match self.question(condition, *scalar)? {
                    Some(truth) => (self.decide(truth)?, None),
                    None => {
                        let truth = self.truth(condition, *scalar)?;
                        (truth.bits != 0, Some(truth))
                    }
                };
                let (edge, to) = ends[usize::from(!holds)];
                self.passes(edge)?;
                if let Some(truth) = truth {
                    self.test(truth);
                }
                self.node = to;
                Ok(())
            }
            Next::Edge(edge) => {
                self.passes(edge.id)?;
                self.edge(edge)
            }
        }
    }

    /// One of so many alternatives.
    pub(super) fn choose(&mut self, count: u8) -> Result<u8, Halt> {
        let given = self.given.ok_or(Halt::Machine)?;
        let at = self.choices.len();
        if at == MOST_CHOICES {
            return Err(Halt::Machine);
        }
        let choice = given.get(at).copied().unwrap_or(0);
        self.partings.push(Parting::Choice(count, choice));
        self.choices.push(choice);
        self.choosers.push(self.node);
        Ok(choice)
    }

    fn passes(&self, edge: EdgeId) -> Result<(), Halt> {
        if self.targets[edge.index()] {
            Err(Halt::Machine)
        } else {
            Ok(())
        }
    }

    fn edge(&mut self, edge: &EdgeCode) -> Result<(), Halt> {
        match &edge.action {
            Action::Nop => {}
            Action::Assume(condition, scalar, wanted) => {
                let holds = match self.question(condition, *scalar)? {
                    Some(Truth::Known(holds)) => holds,
                    Some(Truth::Open(question, positive)) => {
                        self.answer(question, *wanted == positive)?;
                        *wanted
                    }
                    None => {
                        let truth = self.truth(condition, *scalar)?;
                        self.test(truth);
                        truth.bits != 0
                    }
                };
                if holds != *wanted {
                    return Err(Halt::Nowhere);
                }
            }
            Action::Assign(Dest::Slot(slot, Scalar::Int(_), None), Source::Scalar(code, _)) => {
                let content = self.content(code)?;
                self.set(*slot, content);
            }
            Action::Zero(Dest::Slot(slot, Scalar::Int(_), None)) => {
                let zero = self.bits(0);
                self.set(*slot, Content::Number(zero));
            }
            Action::Havoc(places) => {
                if !places
                    .iter()
                    .all(|place| matches!(place, Dest::Slot(_, Scalar::Int(_), None)))
                {
                    return Err(Halt::Machine);
                }
                for place in places {
                    if let Dest::Slot(slot, ..) = place {
                        self.set(*slot, Content::Unknown);
                    }
                }
            }
            Action::Call(call) => return self.enter(edge.id, call),
            _ => return Err(Halt::Machine),
        }
        self.node = edge.to;
        Ok(())
    }

    fn enter(&mut self, edge: EdgeId, call: &Call) -> Result<(), Halt> {
        let shape = self.code.frame(call.callee);
        if self.frames.len() >= DEEPEST || !shape.objects.is_empty() {
            return Err(Halt::Machine);
        }
        let mut slots = vec![Content::Unknown; shape.slots];
        for (source, dest) in &call.args {
            let (Source::Scalar(code, _), Dest::Slot(Slot::Local(at), Scalar::Int(_), None)) = (source, dest) else {
                return Err(Halt::Machine);
            };
            slots[*at] = self.content(code)?;
        }
        self.frames.push(Frame {
            func: call.callee,
            call: edge,
            slots,
        });
        self.node = self.code.program.function(call.callee).entry;
        Ok(())
    }

    fn leave(&mut self) -> Result<(), Halt> {
        let Some(frame) = self.frames.last() else {
            return Err(Halt::Machine);
        };
        let id = frame.call;
        let edge = match &self.code.node(self.code.program.edge(id).from).next {
            Next::Edge(edge) => edge,
            _ => return Err(Halt::Machine),
        };
        let Action::Call(call) = &edge.action else {
            unreachable!("a frame comes from a call");
        };
        let result = match &call.ret {
            None => None,
            Some((source, Dest::Slot(slot, Scalar::Int(_), None))) => Some((
                *slot,
                match source {
                    Some(Source::Scalar(code, _)) => self.content(code)?,
                    Some(_) => return Err(Halt::Machine),
                    None => Content::Unknown,
                },
            )),
            Some(_) => return Err(Halt::Machine),
        };
        self.frames.pop();
        if let Some((slot, content)) = result {
            self.set(slot, content);
        }
        self.node = edge.to;
        Ok(())
    }

    // ---- slots --------------------------------------------------------------------------------------------------------

    fn set(&mut self, slot: Slot, content: Content) {
        match (slot, self.frames.last_mut()) {
            (Slot::Local(at), Some(frame)) => frame.slots[at] = content,
            _ => {
                self.written.insert(slot, content);
            }
        }
    }

    /// The content of a slot that is read. An unknown one is an input from then on.
    pub(super) fn slot(&mut self, slot: Slot, info: IntInfo) -> Result<Content, Halt> {
        let known = match (slot, self.frames.last()) {
            (Slot::Local(at), Some(frame)) => Some(frame.slots[at]),
            _ => self.written.get(&slot).copied(),
        };
        Ok(match known {
            Some(Content::Unknown) => {
                self.given.ok_or(Halt::Machine)?;
                let id = SymbolId::new(self.inputs, info).ok_or(Halt::Machine)?;
                self.inputs += 1;
                self.fresh.push(slot);
                self.set(slot, Content::Input(id));
                Content::Input(id)
            }
            Some(Content::Input(id)) => match self.facts.pinned(id) {
                Some(number) => Content::Number(self.bits(instance(number, 0, info.width))),
                None => Content::Input(id),
            },
            Some(number) => number,
            None => {
                let bits = content(self.state, slot).ok_or(Halt::Machine)?;
                self.read.insert(slot);
                Content::Number(self.expression(Expression::Slot(slot), bits, 0)?)
            }
        })
    }

    /// The value of an expression, as the content of a slot.
    pub(super) fn content(&mut self, code: &Code) -> Result<Content, Halt> {
        match code {
            Code::Slot(slot, Scalar::Int(info)) => self.slot(*slot, *info),
            _ => Ok(Content::Number(self.number(code)?)),
        }
    }

    // ---- the end ------------------------------------------------------------------------------------------------------

    /// The effect of a content, for a variable that is still read or not. `None` if it is an input with several values.
    fn effect(&self, content: Content, is_live: bool) -> Option<Effect> {
        Some(match content {
            _ if !is_live => Effect::Unknown,
            Content::Unknown => Effect::Unknown,
            Content::Input(id) => Effect::Bits(instance(self.facts.pinned(id)?, 0, id.info().width)),
            Content::Number(number) => match self.expressions.get(number.id) {
                Expression::Bits(bits) => Effect::Bits(bits),
                _ => Effect::Expression(number.id),
            },
        })
    }

    fn end(self, goal: Goal) -> Option<Recorded> {
        // Behind a choice the state is canonical: it has no names, and nothing that is not read any more.
        let is_canonical = !self.choices.is_empty();
        let behind = self.frames.iter().map(|frame| self.code.program.edge(frame.call).to);
        let nodes: Vec<NodeId> = behind.chain([self.node]).collect();
        let is_live = |node: NodeId, at: usize| !is_canonical || self.code.live_slots(node).binary_search(&at).is_ok();
        let mut changes = BTreeMap::new();
        for (&slot, &content) in &self.written {
            let is_live = match slot {
                Slot::Local(at) => is_live(nodes[0], at),
                Slot::Global(_) => true,
            };
            let is_kept = is_live
                && matches!(content, Content::Number(number) if self.expressions.get(number.id) == Expression::Slot(slot));
            if !is_kept {
                changes.insert(slot, self.effect(content, is_live)?);
            }
        }
        if is_canonical {
            let live = self.code.live_slots(self.state.node).iter();
            for &at in live.filter(|&&at| !is_live(nodes[0], at)) {
                changes.insert(Slot::Local(at), Effect::Unknown);
            }
        }
        let frames = self.frames.iter().zip(&nodes[1..]).map(|(frame, &node)| {
            let slots = frame.slots.iter().enumerate();
            let slots = slots.map(|(at, &content)| self.effect(content, is_live(node, at)));
            Some((frame.func, frame.call, slots.collect::<Option<_>>()?))
        });
        let way = Way {
            end: self.node,
            goal,
            length: self.length,
            reads: self.reads(),
            changes: changes.into_iter().collect(),
            frames: frames.collect::<Option<_>>()?,
            choices: self.choices.into(),
            choosers: self.choosers.into(),
        };
        Some(Recorded {
            partings: self.partings,
            way,
        })
    }

    /// The slots that were read, other than those that tests of their own ask about.
    fn reads(&self) -> Vec<Slot> {
        let tested: BTreeSet<Slot> = self
            .partings
            .iter()
            .filter_map(|parting| match parting {
                Parting::Test(Test::Is(slot, _) | Test::AtMost(slot, ..), _) => Some(*slot),
                _ => None,
            })
            .collect();
        self.read.difference(&tested).copied().collect()
    }
}
