//! The execution of a slice, repeated on the whole program.
//!
//! A slice omits everything on which its targets do not depend. It assumes that the omitted parts terminate, do nothing undefined, and were
//! separated correctly. So a violation of the slice is tested once more: the whole program runs, with the inputs of the
//! slice's execution, from its start to the violation. The steps that the slice also has must happen in the same order as there; the other steps
//! are free.
//!
//! Inputs that only the other steps read are 0, or the address of a fresh object if these steps dereference a pointer
//! ([`Repair`]). This is a choice, so an execution that fails here may succeed with another choice: only *confirmed* is a proof.

use super::machine::Machine;
use super::source::Repair;
use super::{Allocation, Asked, Dependence, InputSource, Judgement, MAX_REPAIRS, Replay, Request, Rule, Stop};
use crate::cfa::program::outside::Bank;
use crate::cfa::{EdgeId, NodeId, Op, Program, Step, VarId};
use provident_smt::num::Int;
use std::cell::Cell;
use std::collections::BTreeMap;

/// Steps that the rest may take, besides a few for each step of the slice.
const MAX_STEPS: usize = 1_000_000;

/// The execution of a slice.
#[derive(Clone, Copy)]
pub struct SlicedExecution<'a> {
    /// The slice.
    pub program: &'a Program,
    /// For each edge of the whole program what became of it.
    pub edges: &'a [Option<EdgeId>],
    /// The path in the slice. Its last step is the violation.
    pub steps: &'a [Step],
    /// The confirmed replay of it.
    pub replay: &'a Replay,
}

/// The result of repeating a slice's execution on the whole program.
#[derive(Clone, Debug)]
pub struct WholeReplay {
    /// Whether the program comes to the violation.
    pub judgement: Judgement,
    /// The invented value that the execution depends on, if there is one.
    pub dependence: Option<Dependence>,
    /// The steps that the program took.
    pub steps: Vec<Step>,
    /// The inputs that it asked for.
    pub asked: Vec<Asked>,
    /// Its allocations.
    pub allocations: Vec<Allocation>,
}

/// Runs a program with the inputs of its slice's execution. Positions in the judgement are those of the slice's path.
///
/// Deterministic. The effort is linear in the length of the slice's path, plus at most a million steps, for each attempt.
pub fn replay_whole(program: &Program, sliced: SlicedExecution<'_>, rule: Rule<'_>) -> WholeReplay {
    let mut repairs: BTreeMap<Request, Repair> = BTreeMap::new();
    loop {
        let now = Cell::new(Now {
            position: 0,
            kept: false,
        });
        let mut source = SlicedInputs::new(sliced.replay, &now, &repairs);
        let mut machine = Machine::new(program, &mut source, rule);
        machine.reserve(end_of_allocations(sliced.replay));
        let mut run = Run {
            program,
            sliced,
            now: &now,
            calls: Vec::new(),
            left_out: None,
            steps: Vec::new(),
        };
        let stopped = run
            .run_to_violation(&mut machine)
            .and_then(|()| machine.judge_arguments());
        if let Err(Stop::Undefined {
            origin: Some(origin), ..
        }) = &stopped
            && repairs.len() < MAX_REPAIRS
            && let Some(asked) = machine.asked.get(usize::try_from(origin.0).expect("a position fits"))
            && !repairs.contains_key(&asked.request)
        {
            let repair = Repair::nth(Bank::Rest, repairs.len(), asked.bits);
            repairs.insert(asked.request.clone(), repair);
            continue;
        }
        let place = program.sources.resolve(machine.loc);
        let step = now.get().position;
        let judgement = match stopped {
            Ok(()) => Judgement::Confirmed,
            Err(Stop::Refuted(reason)) => Judgement::Refuted {
                step,
                reason: format!("{reason} at {place}"),
            },
            Err(Stop::Undefined { reason, .. }) => Judgement::Undefined {
                step,
                reason: format!("{reason} at {place}"),
            },
        };
        return WholeReplay {
            judgement,
            dependence: machine.taint.found().cloned(),
            asked: std::mem::take(&mut machine.asked),
            allocations: std::mem::take(&mut machine.allocations),
            steps: run.steps,
        };
    }
}

/// The first address behind everything that was allocated.
fn end_of_allocations(replay: &Replay) -> u64 {
    let ends = replay
        .allocations
        .iter()
        .map(|block| block.address.saturating_add(block.size));
    ends.max().map_or(0, |end| end.saturating_add(31) & !15)
}

/// Where the run is in the slice's execution.
#[derive(Clone, Copy)]
struct Now {
    /// The step of the slice that is carried out, or the next one.
    position: usize,
    /// Whether the slice has the step of the program that is carried out.
    kept: bool,
}

struct Run<'a> {
    program: &'a Program,
    sliced: SlicedExecution<'a>,
    now: &'a Cell<Now>,
    /// Calls that were entered.
    calls: Vec<EdgeId>,
    /// How many calls were open before the one that the slice leaves out, if the run is inside of one.
    left_out: Option<usize>,
    /// The steps that were taken.
    steps: Vec<Step>,
}

impl Run<'_> {
    fn run_to_violation(&mut self, machine: &mut Machine<'_, '_>) -> Result<(), Stop> {
        let mut node = self.program.function(self.program.start).entry;
        let limit = self.sliced.steps.len().saturating_mul(4).saturating_add(MAX_STEPS);
        for number in 0..limit {
            machine.step = number;
            self.pass_empty();
            let Some(&expected) = self.sliced.steps.get(self.now.get().position) else {
                return Ok(());
            };
            let step = self.next(machine, node, expected)?;
            machine.loc = self.program.edge(step.edge()).loc;
            let kept = self.left_out.is_none() && self.image(step).is_some();
            if kept && self.image(step) != Some(expected) {
                return Err(Stop::Refuted("the whole program goes another way".to_string()));
            }
            let position = self.now.get().position;
            self.now.set(Now { position, kept });
            machine.execute(step)?;
            self.steps.push(step);
            self.after(step, kept);
            node = step.target(self.program);
        }
        Err(Stop::Undefined {
            reason: "the whole program does not come to the violation in the steps that it has".to_string(),
            origin: None,
        })
    }

    /// Passes steps of the slice that do nothing.
    fn pass_empty(&self) {
        let mut now = self.now.get();
        let is_empty = |step: &Step| matches!(self.sliced.program.edge(step.edge()).op, Op::Nop);
        while self.sliced.steps.get(now.position).is_some_and(is_empty) {
            now.position += 1;
        }
        self.now.set(now);
    }

    /// Keeps track of the calls and of the position.
    fn after(&mut self, step: Step, kept: bool) {
        match step {
            Step::Enter(call) => {
                if !kept && self.left_out.is_none() {
                    self.left_out = Some(self.calls.len());
                }
                self.calls.push(call);
            }
            Step::Leave(_) => {
                self.calls.pop();
                if self.left_out == Some(self.calls.len()) {
                    self.left_out = None;
                }
            }
            Step::Edge(_) => {}
        }
        let mut now = self.now.get();
        now.position += usize::from(kept);
        now.kept = false;
        self.now.set(now);
    }

    /// The step of the slice that a step of the program is.
    fn image(&self, step: Step) -> Option<Step> {
        let edge = self.sliced.edges[step.edge().index()]?;
        (!matches!(self.sliced.program.edge(edge).op, Op::Nop)).then_some(match step {
            Step::Edge(_) => Step::Edge(edge),
            Step::Enter(_) => Step::Enter(edge),
            Step::Leave(_) => Step::Leave(edge),
        })
    }

    /// The step that the program takes. Where the choice is open, it is that of the slice.
    fn next(&self, machine: &mut Machine<'_, '_>, node: NodeId, expected: Step) -> Result<Step, Stop> {
        let program = self.program;
        if node == program.function(program.node(node).func).exit
            && let Some(&call) = self.calls.last()
        {
            return Ok(Step::Leave(call));
        }
        let step = |edge: EdgeId| match program.edge(edge).op {
            Op::Call { .. } => Step::Enter(edge),
            _ => Step::Edge(edge),
        };
        let mut open = None;
        for &edge in &program.node(node).outgoing {
            match &program.edge(edge).op {
                Op::Assume { cond, truth } => {
                    if machine.holds(cond, *truth)? {
                        return Ok(step(edge));
                    }
                }
                Op::Bypass(_) => {}
                _ => {
                    let wanted = self.left_out.is_none() && self.image(step(edge)) == Some(expected);
                    if wanted {
                        return Ok(step(edge));
                    }
                    open = open.or(Some(step(edge)));
                }
            }
        }
        open.ok_or_else(|| Stop::Refuted("the whole program ends".to_string()))
    }
}

/// An answer that the slice's execution had: at which step of the slice, and the value.
struct Answer {
    step: usize,
    value: Int,
}

/// The inputs of a slice's execution.
struct SlicedInputs<'a> {
    now: &'a Cell<Now>,
    repairs: &'a BTreeMap<Request, Repair>,
    /// By step of the slice and offset.
    written: BTreeMap<(usize, u64), Int>,
    /// By variable, offset and size, in the order of the execution.
    variables: BTreeMap<(VarId, u64, u64), Vec<Answer>>,
    /// By address and size, in the order of the execution.
    scalars: BTreeMap<(u64, u64), Vec<Answer>>,
    /// The bytes of these, by address.
    bytes: BTreeMap<u64, Vec<(usize, u8)>>,
    /// By step of the slice.
    allocations: BTreeMap<usize, u64>,
}

impl<'a> SlicedInputs<'a> {
    fn new(replay: &Replay, now: &'a Cell<Now>, repairs: &'a BTreeMap<Request, Repair>) -> Self {
        let mut inputs = SlicedInputs {
            now,
            repairs,
            written: BTreeMap::new(),
            variables: BTreeMap::new(),
            scalars: BTreeMap::new(),
            bytes: BTreeMap::new(),
            allocations: BTreeMap::new(),
        };
        for asked in &replay.asked {
            let value = asked.number();
            let answer = |value: &Int| Answer {
                step: asked.step,
                value: value.clone(),
            };
            match asked.request {
                Request::Written { step, offset, .. } => {
                    inputs.written.insert((step, offset), value);
                }
                Request::Variable { var, offset, size, .. } => {
                    let answers = inputs.variables.entry((var, offset, size)).or_default();
                    answers.push(answer(&value));
                }
                Request::Memory { address, size, .. } => {
                    let answers = inputs.scalars.entry((address, size)).or_default();
                    answers.push(answer(&value));
                    for (i, byte) in (0..size).zip(asked.pattern.to_le_bytes()) {
                        let bytes = inputs.bytes.entry(address.wrapping_add(i)).or_default();
                        bytes.push((asked.step, byte));
                    }
                }
                Request::Allocated { .. } => {}
            }
        }
        inputs
            .allocations
            .extend(replay.allocations.iter().map(|block| (block.step, block.address)));
        inputs
    }

    /// The value that the slice's execution read next; if there is none, the value that it read last.
    fn content(&self, address: u64, size: u64) -> Option<Int> {
        let position = self.now.get().position;
        if let Some(answers) = self.scalars.get(&(address, size)) {
            return at(answers, |answer| answer.step, position).map(|answer| answer.value.clone());
        }
        let byte = |i: u64| {
            let bytes = self.bytes.get(&address.wrapping_add(i))?;
            at(bytes, |(step, _)| *step, position).map(|(_, byte)| *byte)
        };
        let found: Vec<Option<u8>> = (0..size.min(16)).map(byte).collect();
        found.iter().any(Option::is_some).then(|| {
            let bits = found
                .iter()
                .rev()
                .fold(0u128, |sum, byte| sum << 8 | u128::from(byte.unwrap_or(0)));
            Int::from(bits.cast_signed()).mod_floor(&Int::pow2(128))
        })
    }
}

/// The first of a step or later, else the last.
fn at<T>(answers: &[T], step: impl Fn(&T) -> usize, position: usize) -> Option<&T> {
    let next = answers.partition_point(|answer| step(answer) < position);
    answers.get(next).or(answers.last())
}

impl InputSource for SlicedInputs<'_> {
    fn supply(&mut self, request: &Request) -> Option<Int> {
        if let Some(repair) = self.repairs.get(request) {
            return Some(Int::from(i128::from(repair.address)));
        }
        let Now { position, kept } = self.now.get();
        match request {
            Request::Written { offset, .. } => self.written.get(&(position, *offset)).filter(|_| kept).cloned(),
            Request::Variable { var, offset, size, .. } => {
                let answers = self.variables.get(&(*var, *offset, *size))?;
                at(answers, |answer| answer.step, position).map(|answer| answer.value.clone())
            }
            Request::Memory { address, size, .. } => self.content(*address, *size),
            Request::Allocated { .. } => {
                let address = self.allocations.get(&position).filter(|_| kept)?;
                Some(Int::from(i128::from(*address)))
            }
        }
    }

    fn size_at(&self, _: usize, address: u64) -> Option<u64> {
        let (&(_, size), _) = self.scalars.range((address, 0)..=(address, u64::MAX)).next()?;
        Some(size)
    }
}
