//! From the choices of a path to its steps and the inputs that lead along it.

use super::demand::Demands;
use super::repair::Repair;
use crate::cfa::Step;
use crate::explicit::Value;
use crate::explicit::compiled::compile::Compiled;
use crate::explicit::state::State;
use crate::explicit::step::machine::{Guide, Machine};
use crate::explicit::step::record::{InputKind, Recorded, Recorder};
use crate::explicit::value::arith::{low_bits, mask, number};
use crate::explicit::value::memo::{Application, Memo};
use crate::explicit::value::symbol::{Facts, SymbolId};
use provident_smt::hash::FxHashMap;

/// A path with what is known about its inputs.
pub struct Path {
    /// The steps from the program's start.
    pub steps: Vec<Step>,
    inputs: Vec<Recorded>,
    functions: Vec<(Application, SymbolId)>,
    facts: Facts,
    memo: Memo,
}

/// An input with its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Input {
    /// The position in the sequence of steps.
    pub step: usize,
    /// The place that takes the value.
    pub kind: InputKind,
    /// The value.
    pub value: i128,
}

impl Path {
    /// The path that a machine has gone, which was guided by a recorder.
    pub fn of(machine: Machine<'_, '_>) -> Option<Path> {
        let Guide::Follow(recorder) = machine.guide else {
            return None;
        };
        Some(Path {
            steps: recorder.steps,
            inputs: recorder.inputs,
            functions: recorder.functions,
            facts: machine.state.facts,
            memo: machine.state.memo,
        })
    }

    /// Follows the choices of a path of known length from the program's start. `None` if they do not lead along a path.
    pub fn follow(code: &Compiled<'_>, choices: &[u8], length: u64) -> Option<Path> {
        let mut unlimited = u64::MAX;
        Path::follow_within(code, choices, length, &mut unlimited)
    }

    /// The same with at most this effort, in steps of an exploration; it is less by what was needed. `None` also if it is not enough.
    pub fn follow_within(code: &Compiled<'_>, choices: &[u8], length: u64, effort: &mut u64) -> Option<Path> {
        let mut machine = Machine::new(code, State::initial(code), Guide::Follow(Recorder::default()));
        machine.imagines = true;
        machine.given = choices.iter().copied().collect();
        for _ in 0..length {
            machine.begin();
            machine.step().ok()??;
            *effort = effort.checked_sub(1 + std::mem::take(&mut machine.effort))?;
        }
        Path::of(machine)
    }

    /// Number of inputs that memory takes.
    pub fn memory_inputs(&self) -> usize {
        let in_memory = |i: &&Recorded| matches!(i.kind, InputKind::Written(..) | InputKind::Read(..));
        self.inputs.iter().filter(in_memory).count()
    }

    /// The inputs with values: of each symbol the one that is nearest to what is wished for it, changed where results of operations need others.
    pub fn inputs(&self, wish: &mut dyn FnMut() -> i128) -> Vec<Input> {
        let mut chosen: FxHashMap<SymbolId, i128> = FxHashMap::default();
        let mut order = Vec::new();
        let mut facts = self.facts.clone();
        let demands = Demands::new(&self.facts, &self.memo);
        for recorded in &self.inputs {
            let Value::Symbol { id, .. } = recorded.value else {
                continue;
            };
            let (root, _) = self.facts.root(id);
            if chosen.contains_key(&root) {
                continue;
            }
            let value = demands.value(&facts, root, wish());
            if facts.relations.mentions(root) {
                let before = facts.clone();
                // A contradiction would show in the replay.
                if !(facts.restrict(root, value, value) && facts.propagate()) {
                    facts = before;
                }
            }
            chosen.insert(root, value);
            order.push(root);
        }
        Repair::new(&self.facts, &self.memo, &self.functions).mend(&order, &mut chosen);
        let value = |recorded: &Recorded| match recorded.value {
            Value::Bits(bits) => number(bits, recorded.info),
            Value::Symbol { id, plus } => {
                let (root, distance) = self.facts.root(id);
                let bits = low_bits(chosen[&root] + distance).wrapping_add(plus) & mask(recorded.info.width);
                number(bits, recorded.info)
            }
            Value::Pointer { .. } | Value::Unknown => 0,
        };
        let inputs = self.inputs.iter().map(|recorded| Input {
            step: recorded.step,
            kind: recorded.kind,
            value: value(recorded),
        });
        inputs.collect()
    }
}
