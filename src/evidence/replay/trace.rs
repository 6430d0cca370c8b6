//! The error trace: the execution as a person reads it, one line per source line, with the values that were assigned.

use super::Asked;
use super::store::Change;
use crate::cfa::program::check::Check;
use crate::cfa::program::expr::walk;
use crate::cfa::{Expr, ExprKind, Op, Program, Step, VarKind};
use std::cmp::Ordering;
use std::collections::VecDeque;

/// One line of a trace: consecutive steps of one source line in one frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceLine {
    /// The first step, as a position in the path.
    pub step: usize,
    /// The file, as the user knows it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column of the first step, from 1.
    pub column: u32,
    /// The function.
    pub function: String,
    /// The number of frames below.
    pub depth: usize,
    /// The text of the source line.
    pub text: String,
    /// The events: values assigned (`x = 5`), decisions (`condition true`), calls and returns.
    pub notes: Vec<String>,
}

/// An input of the execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceInput {
    /// The step that needed it.
    pub step: usize,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The source of the value, as text.
    pub what: String,
    /// The value.
    pub value: String,
}

/// An execution for people to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The lines in order. The initialisation of static objects is left out. Of a long execution there are the first and the last lines, with a
    /// line in between that says how many are left out.
    pub lines: Vec<TraceLine>,
    /// The inputs in order.
    pub inputs: Vec<TraceInput>,
}

/// Lines that are kept from the beginning of a long execution, and from its end.
const MAX_LINES: usize = 4_000;
/// Notes that are kept per line.
const MAX_NOTES: usize = 64;

/// Collects a trace while the machine runs.
pub(super) struct Recorder<'p> {
    program: &'p Program,
    /// The first lines.
    trace: Trace,
    /// The last lines, if there are more.
    tail: VecDeque<TraceLine>,
    /// The number of lines between them.
    omitted: usize,
}

impl<'p> Recorder<'p> {
    pub fn new(program: &'p Program) -> Self {
        Recorder {
            program,
            trace: Trace::default(),
            tail: VecDeque::new(),
            omitted: 0,
        }
    }

    /// Notes a step that was carried out with `depth` open frames.
    pub fn record(&mut self, index: usize, step: Step, depth: usize, change: Option<Change>) {
        let program = self.program;
        let edge = program.edge(step.edge());
        let func = program.node(step.source(program)).func;
        // A label in the start function is a violation that a specification sees when the program has ended.
        let synthetic = func == program.start && !matches!(edge.op, Op::Label(_));
        if synthetic || !edge.loc.is_some() {
            return;
        }
        let note = self.note(step, change);
        if note.is_none() && matches!(edge.op, Op::Nop | Op::Bypass(_) | Op::Assume { .. }) {
            return;
        }
        let position = program.sources.resolve(edge.loc);
        // The line of a return is that of the call: where it is in another file than the function, it is one of the caller.
        let home = program.function(func).loc;
        let is_away = program.sources.piece_of(edge.loc).begin != program.sources.piece_of(home).begin;
        let returns = matches!(step, Step::Leave(_)) && is_away && !program.sources.in_library(home);
        let (func, depth) = match returns {
            true => (program.node(edge.from).func, depth.saturating_sub(1)),
            false => (func, depth),
        };
        let function = &program.function(func).name;
        let same = self.last().is_some_and(|last| {
            last.line == position.line
                && last.depth == depth
                && last.file == position.file
                && last.function == *function
        });
        if !same {
            let (text, _) = program.sources.line_of(edge.loc);
            self.push(TraceLine {
                step: index,
                file: position.file.to_string(),
                line: position.line,
                column: position.column,
                function: function.clone(),
                depth,
                text: String::from_utf8_lossy(text).trim().to_string(),
                notes: Vec::new(),
            });
        }
        if let (Some(last), Some(note)) = (self.last(), note) {
            match last.notes.len().cmp(&MAX_NOTES) {
                Ordering::Less => last.notes.push(note),
                Ordering::Equal => last.notes.push("...".to_string()),
                Ordering::Greater => {}
            }
        }
    }

    fn last(&mut self) -> Option<&mut TraceLine> {
        self.tail.back_mut().or(self.trace.lines.last_mut())
    }

    fn push(&mut self, line: TraceLine) {
        if self.trace.lines.len() < MAX_LINES {
            self.trace.lines.push(line);
            return;
        }
        if self.tail.len() == MAX_LINES {
            self.tail.pop_front();
            self.omitted += 1;
        }
        self.tail.push_back(line);
    }

    fn note(&self, step: Step, change: Option<Change>) -> Option<String> {
        let program = self.program;
        match (step, &program.edge(step.edge()).op) {
            (Step::Enter(_), Op::Call { func, .. }) => Some(format!("call {}", program.function(*func).name)),
            (Step::Leave(_), Op::Call { func, .. }) => Some(format!("return from {}", program.function(*func).name)),
            // Conditions of a specification on itself are of no interest; its labels show its actions.
            (_, Op::Assume { cond, .. }) if self.reads_woven(cond) => None,
            (_, Op::Assume { truth, .. }) => Some(format!("condition {truth}")),
            (_, Op::External { func, .. }) => Some(format!("call {}", program.function(*func).name)),
            // No label of C holds a colon: it is a specification that speaks.
            (_, Op::Label(label)) if label.contains(':') => Some(label.clone()),
            (_, Op::Label(label)) => Some(match Check::of_label(label) {
                Some(check) => check.kind.violation().to_string(),
                None => format!("label {label}"),
            }),
            _ => {
                let change = change?;
                let var = program.var(change.var?);
                let named = !matches!(var.kind, VarKind::Temp | VarKind::Return | VarKind::Woven);
                named.then(|| format!("{} = {}", var.display, change.value))
            }
        }
    }

    fn reads_woven(&self, cond: &Expr) -> bool {
        let mut found = false;
        walk(cond, &mut |e| {
            if let ExprKind::Load(place) = &e.kind {
                found |= place
                    .as_whole_var()
                    .is_some_and(|var| self.program.var(var).kind == VarKind::Woven);
            }
        });
        found
    }

    /// The trace with the inputs that the machine asked for.
    pub fn finish(mut self, asked: &[Asked]) -> Trace {
        if let (Some(last), true) = (self.trace.lines.last(), self.omitted > 0) {
            let gap = TraceLine {
                text: format!("... {} lines omitted", self.omitted),
                notes: Vec::new(),
                ..last.clone()
            };
            self.trace.lines.push(gap);
        }
        self.trace.lines.extend(self.tail);
        for input in asked {
            let position = self.program.sources.resolve(input.loc);
            self.trace.inputs.push(TraceInput {
                step: input.step,
                file: position.file.to_string(),
                line: position.line,
                column: position.column,
                what: input.what.clone(),
                value: input.value.clone(),
            });
        }
        self.trace
    }
}
