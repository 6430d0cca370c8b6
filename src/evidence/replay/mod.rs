//! Concrete replay: whether the program really takes a path with given inputs.
//!
//! The solver's model of a path is a claim of the encoder about the program. Before a FALSE is printed, the claim is tested
//! on a machine that shares no code with the encoder: variables are bytes, integers are bit patterns, memory is addressed
//! byte by byte, and each step of the path has to be the one that the program takes. Three answers exist:
//!
//! * *confirmed*: the execution takes every step;
//! * *refuted*: at some step a condition has the other value, so the encoder's model was too coarse;
//! * *undefined*: before the violation, the execution does something whose behaviour C leaves undefined, such as a division by
//!   zero or an access outside of every object. Later steps would prove nothing.
//!
//! # Inputs
//!
//! Values that the program does not determine (results of functions without body, uninitialised objects) come from an
//! [`InputSource`]. A solver may choose null for a pointer that a function without body returns, although the program dereferences it.
//! Because the replay is the judge, it may choose a better value: if the program dereferences such a pointer,
//! the replay starts again with the address of a fresh object in its place ([`replay`]). The content of this object is the content that the
//! model has at the old address. A pointer may also lead into an object of the program, or into another one from outside, though formulas keep their types apart. If the path is not taken
//! with such pointers, all of them get objects of their own.
//! Memory behind a pointer that came from outside has unknown content, which is asked for when it is read.
//!
//! # Slices
//!
//! A path of a slice is replayed on the slice, and then the whole program runs with the inputs of that execution ([`replay_whole`]).
//!
//! # Free runs
//!
//! [`run`] lets the program run without a given path. It serves differential tests against compilers.
//!
//! | module | does |
//! |---|---|
//! | `request` | what an execution asks for, and why one stops |
//! | `store` | stores of the machine, and changes of variables |
//! | `value`, `memory` | values and bytes |
//! | `machine` | the interpreter |
//! | `source` | where the answers come from: models, recordings, scripts |
//! | `trace` | the trace for people |
//! | `shown` | values as people read them |
//! | `decisive` | the inputs that a violation depends on |
//! | `effects` | what calls of the library do |
//! | `unwritten` | bytes that nothing has written |
//! | `invented` | the invented values that a violation depends on |
//! | `whole` | replay of a slice's path on the whole program |

mod decisive;
mod effects;
mod invented;
mod machine;
mod memory;
mod request;
mod shown;
mod source;
mod store;
mod trace;
mod unwritten;
mod value;
mod whole;

pub use decisive::Touch;
pub use effects::{Base, LibraryCall, library_calls};
pub use invented::{Dependence, Rule};
pub use request::*;
pub use source::{ModelInputs, Scripted};
pub use trace::{Note, Trace, TraceInput, TraceLine};
pub use unwritten::reads_unwritten;
pub use value::InputId;
pub use whole::{SlicedExecution, WholeReplay, replay_whole};

use crate::cfa::program::outside::Bank;
use crate::cfa::program::path::check_path;
use crate::cfa::{Assumption, EdgeId, FuncId, Op, Program, Step, VarId};
use crate::engine::CandidateInput;
use decisive::Log;
use machine::Machine;
use provident_smt::num::Int;
use source::{RecordedInputs, Repair};
use std::collections::BTreeMap;
use store::Change;
use trace::Recorder;

/// How often a replay starts again with another address for a pointer from outside.
const MAX_REPAIRS: usize = 200;

/// Longer paths are not asked which of their inputs they depend on: the answer takes some hundred bytes for each step.
const LONGEST_LOGGED: usize = 3_000_000;

/// The result of a replay.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The judgement.
    pub judgement: Judgement,
    /// The execution up to its end, with values and inputs.
    pub trace: Trace,
    /// The assumptions of the judgement.
    pub assumptions: Vec<Assumption>,
    /// The inputs in the order in which they were needed.
    pub asked: Vec<Asked>,
    /// The allocations in their order.
    pub allocations: Vec<Allocation>,
    /// The invented value that the path depends on, if there is one.
    pub dependence: Option<Dependence>,
}

/// Replays a path with the inputs of a model.
///
/// `steps` begins at the program's start; its last step is the violation. Deterministic. The effort is linear in the length of
/// the path for each attempt; there is one attempt more than there are pointers from outside that needed another address.
pub fn replay(program: &Program, steps: &[Step], inputs: &[CandidateInput]) -> Replay {
    replay_under(program, steps, inputs, Rule::default())
}

/// As [`replay`], with a rule of what the path may depend on.
pub fn replay_under(program: &Program, steps: &[Step], inputs: &[CandidateInput], rule: Rule<'_>) -> Replay {
    if let Some(refused) = refuse(program, steps) {
        return refused;
    }
    let replay = repaired(program, steps, inputs, rule, false);
    // In formulas, objects of different types may lie at the same addresses. In the machine, what is written to one is then read from the other.
    let separate = || repaired(program, steps, inputs, rule, true);
    let is_confirmed = |replay: &Replay| replay.judgement == Judgement::Confirmed;
    let is_asked = !is_confirmed(&replay) && !replay.asked.is_empty();
    let separate = is_asked.then(separate).filter(is_confirmed);
    separate.unwrap_or(replay)
}

/// Replays a path until no pointer from outside needs another address. `apart`: all of them that are followed get one, so that their objects are none of the program's, nor parts of each other.
fn repaired(program: &Program, steps: &[Step], inputs: &[CandidateInput], rule: Rule<'_>, apart: bool) -> Replay {
    let pointer_bytes = program.types.data_model().pointer_bytes();
    let mut repairs: BTreeMap<Request, Repair> = BTreeMap::new();
    let mut unrepaired: Option<Judgement> = None;
    loop {
        let mut source = ModelInputs::new(inputs, pointer_bytes, &repairs);
        let can_repair = |asked: &Asked| repairs.len() < MAX_REPAIRS && !repairs.contains_key(&asked.request);
        match attempt(program, steps, &mut source, rule, None, &can_repair, apart) {
            Ok(mut replay) => {
                // Where the path needs the pointer as it was, the pointer is in the way.
                if let (Judgement::Refuted { .. }, Some(undefined)) = (&replay.judgement, unrepaired) {
                    replay.judgement = undefined;
                }
                return replay;
            }
            Err(blamed) => {
                let repair = Repair::nth(Bank::Replay, repairs.len(), blamed.asked.bits);
                repairs.insert(blamed.asked.request, repair);
                unrepaired.get_or_insert(blamed.judgement);
            }
        }
    }
}

/// The execution of a path with the inputs that another execution of it had.
pub fn replay_recorded(
    program: &Program,
    steps: &[Step],
    asked: &[Asked],
    allocations: &[Allocation],
    rule: Rule<'_>,
) -> Replay {
    match refuse(program, steps) {
        Some(refused) => refused,
        None => {
            let mut inputs = RecordedInputs::new(asked, allocations);
            attempt(program, steps, &mut inputs, rule, None, &|_| false, false)
                .unwrap_or_else(|_| unreachable!("nothing is repaired"))
        }
    }
}

/// For each input that a confirmed execution of a path asked for, in order, whether the path depends on it: with other values of the others the program takes the
/// same path. `None` if the path is too long to find out.
pub fn decisive_inputs(program: &Program, steps: &[Step], replay: &Replay) -> Option<Vec<bool>> {
    if steps.len() > LONGEST_LOGGED {
        return None;
    }
    let mut log = None;
    let mut inputs = RecordedInputs::new(&replay.asked, &replay.allocations);
    let again = attempt(
        program,
        steps,
        &mut inputs,
        Rule::default(),
        Some(&mut log),
        &|_| false,
        false,
    );
    let again = again.unwrap_or_else(|_| unreachable!("nothing is repaired"));
    (again.judgement == Judgement::Confirmed).then(|| log.unwrap_or_default().decisive(again.asked.len()))
}

/// The refusal of steps that are no path.
fn refuse(program: &Program, steps: &[Step]) -> Option<Replay> {
    let reason = check_path(program, steps).err()?;
    Some(Replay {
        judgement: Judgement::Refuted {
            step: 0,
            reason: format!("the sequence of steps is no path: {reason}"),
        },
        trace: Trace::default(),
        assumptions: Vec::new(),
        asked: Vec::new(),
        allocations: Vec::new(),
        dependence: None,
    })
}

/// An input whose value makes an execution undefined.
struct Blamed {
    asked: Asked,
    judgement: Judgement,
}

/// Replays a path with inputs from a source.
///
/// # Errors
/// The input whose value makes the execution undefined, if another one in its place may help.
fn attempt(
    program: &Program,
    steps: &[Step],
    source: &mut dyn InputSource,
    rule: Rule<'_>,
    mut log: Option<&mut Option<Log>>,
    can_repair: &dyn Fn(&Asked) -> bool,
    apart: bool,
) -> Result<Replay, Box<Blamed>> {
    let mut machine = Machine::new(program, source, rule);
    machine.apart = apart;
    machine.log = log.as_ref().map(|_| Log::default());
    let mut recorder = Recorder::new(program);
    let stopped = follow(&mut machine, &mut recorder, steps);
    let last = steps.len().saturating_sub(1);
    let stopped = stopped.and_then(|()| machine.judge_arguments().map_err(|stop| (last, stop)));
    if let Some(log) = &mut log {
        **log = machine.log.take();
    }
    let at = |step: usize, reason: String| {
        let position = program.sources.resolve(program.edge(steps[step].edge()).loc);
        (step, format!("{reason} at {position}"))
    };
    let blamed = match &stopped {
        Err((
            _,
            Stop::Undefined {
                origin: Some(origin), ..
            },
        )) => machine
            .asked
            .get(usize::try_from(origin.0).expect("a position fits"))
            .filter(|asked| can_repair(asked)),
        _ => None,
    };
    let judgement = match stopped {
        Ok(()) => Judgement::Confirmed,
        Err((step, Stop::Refuted(reason))) => {
            let (step, reason) = at(step, reason);
            Judgement::Refuted { step, reason }
        }
        Err((step, Stop::Undefined { reason, .. })) => {
            let (step, reason) = at(step, reason);
            Judgement::Undefined { step, reason }
        }
    };
    if let Some(asked) = blamed.cloned() {
        return Err(Box::new(Blamed { asked, judgement }));
    }
    let assumptions = std::mem::take(&mut machine.assumptions);
    let trace = recorder.finish(&machine);
    Ok(Replay {
        judgement,
        trace,
        assumptions,
        asked: std::mem::take(&mut machine.asked),
        allocations: std::mem::take(&mut machine.allocations),
        dependence: machine.taint.found().cloned(),
    })
}

fn follow(machine: &mut Machine<'_, '_>, recorder: &mut Recorder<'_>, steps: &[Step]) -> Result<(), (usize, Stop)> {
    for (i, &step) in steps.iter().enumerate() {
        machine.step = i;
        let (depth, asked) = (machine.depth(), machine.asked.len());
        let done = machine.execute(step);
        let asked = asked..machine.asked.len();
        recorder.record(i, step, depth, machine, asked);
        done.map_err(|stop| (i, stop))?;
    }
    Ok(())
}

/// How a free run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The program reached its end.
    Finished,
    /// The path ends at a node without a way on: after `exit`, `abort`, or an assumption that does not hold.
    Stuck,
    /// The step limit was reached.
    Limit,
    /// The behaviour is undefined.
    Undefined(String),
}

/// The result of a free run.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub end: RunEnd,
    /// The edges that were executed, in order; calls where they are entered.
    pub edges: Vec<EdgeId>,
    /// Calls of functions without body, with their arguments as text.
    pub external_calls: Vec<(FuncId, Vec<String>)>,
    /// The value that the entry function returned, if it returned one.
    pub returned: Option<String>,
}

/// The steps of a free run, each with its change. The last one may not have been carried out.
type Taken = Vec<(Step, Option<Change>)>;

/// Runs the program from its start with the given inputs, for at most `limit` steps.
///
/// Where a node has several ways on, the first whose assumption holds is taken.
pub fn run(program: &Program, source: &mut dyn InputSource, limit: usize) -> Run {
    let mut machine = Machine::new(program, source, Rule::default());
    let mut taken = Taken::new();
    let mut returned = None;
    let end = free_run(program, &mut machine, limit, &mut taken, &mut returned);
    let is_left = |step: &Step| matches!(step, Step::Leave(_));
    let steps = taken.into_iter().map(|(step, _)| step);
    let edges = steps.filter(|step| !is_left(step)).map(Step::edge).collect();
    let external_calls = std::mem::take(&mut machine.external_calls);
    let end = match end {
        Ok(end) => end,
        Err(Stop::Refuted(reason) | Stop::Undefined { reason, .. }) => {
            RunEnd::Undefined(format!("{reason} at {}", program.sources.resolve(machine.loc)))
        }
    };
    Run {
        end,
        edges,
        external_calls,
        returned,
    }
}

fn free_run(
    program: &Program,
    machine: &mut Machine<'_, '_>,
    limit: usize,
    taken: &mut Taken,
    returned: &mut Option<String>,
) -> Result<RunEnd, Stop> {
    let mut node = program.function(program.start).entry;
    let mut calls: Vec<EdgeId> = Vec::new();
    for step in 0..limit {
        machine.step = step;
        let func = program.node(node).func;
        if node == program.function(func).exit
            && let Some(call) = calls.pop()
        {
            // The entry function is the one that the start function calls: its result is that of the program.
            if let (true, Some(result)) = (calls.is_empty(), program.function(func).ret) {
                *returned = machine.show_variable(result).ok();
            }
            let leave = Step::Leave(call);
            carry_out(machine, leave, taken)?;
            node = leave.target(program);
            continue;
        }
        let Some(edge) = way_on(program, machine, node)? else {
            let finished = node == program.function(program.start).exit;
            return Ok(if finished { RunEnd::Finished } else { RunEnd::Stuck });
        };
        let step = match program.edge(edge).op {
            Op::Call { .. } => {
                calls.push(edge);
                Step::Enter(edge)
            }
            _ => Step::Edge(edge),
        };
        carry_out(machine, step, taken)?;
        node = step.target(program);
    }
    Ok(RunEnd::Limit)
}

fn carry_out(machine: &mut Machine<'_, '_>, step: Step, taken: &mut Taken) -> Result<(), Stop> {
    taken.push((step, None));
    machine.execute(step)?;
    if let Some(last) = taken.last_mut() {
        last.1 = machine.change.take();
    }
    Ok(())
}

/// A value that a step of an execution gave to a plain variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// The step, as a position in the path.
    pub step: usize,
    /// The variable, in the frame that is open after the step.
    pub var: VarId,
    /// Its value.
    pub value: Int,
}

/// The beginning of an execution, as far as its behaviour is defined.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The path.
    pub steps: Vec<Step>,
    /// Integers and pointers that variables outside of memory got, in order.
    pub observed: Vec<Observed>,
    /// The bytes of memory that steps read and wrote, in order.
    pub touched: Vec<Touch>,
}

/// As [`run`], with the whole path and the values on it.
pub fn execution(program: &Program, source: &mut dyn InputSource, limit: usize) -> Execution {
    let mut machine = Machine::new(program, source, Rule::default());
    machine.log = Some(Log::default());
    let mut taken = Taken::new();
    let end = free_run(program, &mut machine, limit, &mut taken, &mut None);
    let log = machine.log.take().unwrap_or_default();
    let decides = |step: usize| {
        let edge = taken.get(step).map(|(step, _)| step.edge());
        edge.is_some_and(|edge| matches!(program.edge(edge).op, Op::Assume { .. }))
    };
    let mut touched = log.touched(&decides);
    if end.is_err() {
        taken.pop();
    }
    let mut observed = Vec::new();
    for (step, (_, change)) in taken.iter().enumerate() {
        let Some(change) = change else { continue };
        let var = change.var.filter(|&var| !program.var(var).in_memory);
        if let (Some(var), Some(value)) = (var, change.value.integer(change.shape)) {
            observed.push(Observed { step, var, value });
        }
    }
    touched.retain(|touch| touch.step < taken.len());
    Execution {
        steps: taken.into_iter().map(|(step, _)| step).collect(),
        observed,
        touched,
    }
}

/// The edge that the program takes from a node.
fn way_on(program: &Program, machine: &mut Machine<'_, '_>, node: crate::cfa::NodeId) -> Result<Option<EdgeId>, Stop> {
    for &edge in &program.node(node).outgoing {
        match &program.edge(edge).op {
            Op::Assume { cond, truth } => {
                if machine.holds(cond, *truth)? {
                    return Ok(Some(edge));
                }
            }
            // Every automaton is tracked.
            Op::Bypass(_) => {}
            _ => return Ok(Some(edge)),
        }
    }
    Ok(None)
}
