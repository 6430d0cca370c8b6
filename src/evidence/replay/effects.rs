//! The effects of calls of the C library's functions in an execution: their results, and the bytes that they write for the caller.
//!
//! The library's sources are part of the program that is verified, and the inputs that they draw have no counterpart outside: `fgets` draws the bytes of a stream. A harness therefore gives
//! back what each call has done, call by call. Pointers are relative to an argument or to a static object of the library, because the compiled program has its objects elsewhere.

use super::decisive::Log;
use super::invented::Rule;
use super::machine::Machine;
use super::source::RecordedInputs;
use super::{LONGEST_LOGGED, Replay};
use crate::cfa::program::HIDDEN_PARAMETER;
use crate::cfa::{FuncId, Input, Op, Program, Step, VarId};
use std::collections::BTreeSet;
use std::ops::Range;

/// The place to which an address is relative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Base {
    /// Nothing: the number itself is the address.
    Nowhere,
    /// The argument of that number.
    Argument(usize),
    /// A static object of the library.
    Static(VarId),
    /// An object of the program that is none of these.
    Unknown,
}

/// A call of a function of the library by the program.
#[derive(Clone, Debug)]
pub struct LibraryCall {
    /// The function.
    pub func: FuncId,
    /// The positions of its steps in the path, from the one that enters it to the one that leaves it.
    pub steps: Range<usize>,
    /// The result, if it is a known scalar: the bits, relative to a place if it is a pointer.
    pub result: Option<(Base, u128)>,
    /// The bytes that it leaves in memory: where, and what.
    pub bytes: Vec<(Base, u64, u8)>,
    /// Whether it draws an input.
    pub draws: bool,
    /// Whether it calls a function of the program.
    pub calls_back: bool,
}

/// The calls of a confirmed execution that have ended, in order; none if the library draws no input, or if the path is too long.
pub fn library_calls(program: &Program, steps: &[Step], replay: &Replay) -> Vec<LibraryCall> {
    if steps.len() > LONGEST_LOGGED || !steps.iter().any(|&step| draws(program, step)) {
        return Vec::new();
    }
    let mut source = RecordedInputs::new(&replay.asked, &replay.allocations);
    let mut machine = Machine::new(program, &mut source, Rule::default());
    machine.log = Some(Log::default());
    let mut calls: Vec<LibraryCall> = Vec::new();
    // The open call, how many frames are below it, and its arguments.
    let mut open: Option<(LibraryCall, usize, Vec<Option<u64>>)> = None;
    for (number, &step) in steps.iter().enumerate() {
        machine.step = number;
        let leaves = match (&open, step) {
            (Some((_, depth, _)), Step::Leave(_)) => machine.depth() == depth + 1,
            _ => false,
        };
        if leaves && let Some((mut call, _, arguments)) = open.take() {
            call.steps.end = number + 1;
            finish(&mut machine, &mut call, &arguments);
            calls.push(call);
        }
        let depth = machine.depth();
        if machine.execute(step).is_err() {
            break;
        }
        match (&mut open, step, &program.edge(step.edge()).op) {
            (Some((call, ..)), Step::Enter(_), Op::Call { func, .. }) => {
                call.calls_back |= !program.function(*func).library;
            }
            (Some((call, ..)), ..) => call.draws |= draws(program, step),
            (None, Step::Enter(_), Op::Call { func, .. }) if program.function(*func).library => {
                let call = LibraryCall {
                    func: *func,
                    steps: number..number,
                    result: None,
                    bytes: Vec::new(),
                    draws: false,
                    calls_back: false,
                };
                let arguments = arguments(&mut machine, *func);
                machine.log = Some(Log::default());
                open = Some((call, depth, arguments));
            }
            (None, ..) => machine.log = Some(Log::default()),
        }
    }
    calls
}

/// Whether a step of the library draws an input.
fn draws(program: &Program, step: Step) -> bool {
    let edge = program.edge(step.edge());
    let is_input = matches!(
        edge.op,
        Op::Havoc {
            source: Input::Nondet { .. },
            ..
        }
    );
    is_input && program.function(program.node(edge.from).func).library
}

/// The arguments of a call that was just entered, as words: those of the parameters, then the pointers among the variable ones.
fn arguments(machine: &mut Machine<'_, '_>, func: FuncId) -> Vec<Option<u64>> {
    let program = machine.program();
    let types = &program.types;
    let mut words: Vec<Option<u64>> = Vec::new();
    for &var in &program.function(func).params {
        let word = machine.known_scalar(var).and_then(|bits| u64::try_from(bits).ok());
        let variable = program.var(var);
        if variable.display != HIDDEN_PARAMETER {
            words.push(word);
            continue;
        }
        let slot = types.pointee(variable.ty).and_then(|to| types.as_record(to));
        let (Some(slot), Some(block)) = (slot, word) else {
            continue;
        };
        let (slot, size) = (types.record(slot), types.record(slot).size);
        let pointer = slot.fields.iter().find(|field| types.is_pointer(field.ty));
        let bytes = machine.containing(block).map_or(0, |(_, object)| object.size);
        if let Some(pointer) = pointer.filter(|_| size > 0) {
            let slots = (0..bytes / size).map(|i| block + i * size + pointer.offset);
            words.extend(slots.map(|at| machine.known_pointer(at)));
        }
    }
    words
}

/// Notes the result and the bytes of a call that is about to be left.
fn finish(machine: &mut Machine<'_, '_>, call: &mut LibraryCall, arguments: &[Option<u64>]) {
    let program = machine.program();
    let function = program.function(call.func);
    if let Some(var) = function.ret
        && let Some(bits) = machine.known_scalar(var)
    {
        let is_pointer = program.types.is_pointer(program.var(var).ty);
        let at = u64::try_from(bits).ok().filter(|_| is_pointer);
        call.result = Some(match at {
            Some(at) => {
                let (base, offset) = relative(machine, at, arguments);
                (base, u128::from(offset))
            }
            None => (Base::Nowhere, bits),
        });
    }
    let log = machine.log.take().unwrap_or_default();
    let written: BTreeSet<u64> = log
        .written_memory()
        .flat_map(|(at, size)| at..at.saturating_add(size))
        .collect();
    for at in written {
        let is_local = machine
            .containing(at)
            .and_then(|(_, object)| object.var)
            .is_some_and(|var| {
                let func = program.var(var).func;
                func.is_some_and(|func| program.function(func).library)
            });
        if let (false, Some(byte)) = (is_local, machine.byte_at(at)) {
            let (base, offset) = relative(machine, at, arguments);
            call.bytes.push((base, offset, byte));
        }
    }
}

/// An address as a distance from something that the compiled program has, too.
fn relative(machine: &Machine<'_, '_>, at: u64, arguments: &[Option<u64>]) -> (Base, u64) {
    let program = machine.program();
    let Some((start, object)) = machine.containing(at) else {
        return (Base::Nowhere, at);
    };
    let is_of_library =
        |var: VarId| program.var(var).func.is_none() && program.sources.in_library(program.var(var).loc);
    if let Some(var) = object.var.filter(|&var| is_of_library(var)) {
        return (Base::Static(var), at - start);
    }
    let same = |argument: &Option<u64>| {
        let found = argument.and_then(|argument| machine.containing(argument));
        found.is_some_and(|(other, _)| other == start)
    };
    match arguments.iter().position(same) {
        Some(number) => (
            Base::Argument(number),
            at.wrapping_sub(arguments[number].unwrap_or_default()),
        ),
        None if object.var.is_some() => (Base::Unknown, at),
        None => (Base::Nowhere, at),
    }
}
