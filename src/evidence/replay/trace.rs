//! The error trace: the execution as a person reads it, one line per source line, with the values that were assigned.
//!
//! While the machine runs, the recorder keeps what happened as it is, without a text. The texts are made at the end, of the lines that are kept: by then the
//! machine knows all objects, and a replay that is repeated for another address has cost no texts.

use super::Asked;
use super::machine::Machine;
use super::shown::{Shower, plain};
use super::store::Change;
use crate::cfa::program::check::Check;
use crate::cfa::program::expr::{walk, walk_place};
use crate::cfa::view::display::Printer;
use crate::cfa::{Edge, EdgeId, Expr, ExprKind, FuncId, Input, NodeId, Op, Place, PlaceBase, Program, Step, VarKind};
use crate::frontend::text::source::{Loc, Position};
use crate::frontend::text::written::WrittenLines;
use provident_smt::hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

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
    /// The line as the user wrote it, with its indentation.
    pub text: String,
    /// The events in their order.
    pub notes: Vec<Note>,
}

/// An event of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The event: a value assigned (`x = 5`), a decision (`condition true`), a call, a return.
    pub text: String,
    /// The inputs that a variable begins with which nobody initialised; empty for all other events.
    pub contents: Range<usize>,
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
    /// Whether the path depends on it, as far as known.
    pub decisive: Option<bool>,
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

impl Trace {
    /// Notes for each input whether the path depends on it. What a variable that nobody initialised begins with is no event if the path does not depend on it; a
    /// line that has no other events is left out.
    pub fn decide(&mut self, decisive: &[bool]) {
        for (input, &decisive) in self.inputs.iter_mut().zip(decisive) {
            input.decisive = Some(decisive);
        }
        let is_idle = |note: &Note| !note.contents.is_empty() && !decisive[note.contents.clone()].contains(&true);
        for line in &mut self.lines {
            let before = line.notes.len();
            line.notes.retain(|note| !is_idle(note));
            if line.notes.is_empty() && before > 0 {
                line.text.clear();
            }
        }
        self.lines
            .retain(|line| !line.notes.is_empty() || !line.text.is_empty());
    }
}

/// Lines that are kept from the beginning of a long execution, and from its end.
const MAX_LINES: usize = 4_000;
/// Notes that are kept per line.
const MAX_NOTES: usize = 64;

/// Something that happened in a step.
#[derive(Clone, Debug)]
struct Event {
    what: Happened,
    step: Step,
    /// The value that the step gave to a place.
    change: Option<Change>,
    /// The inputs that it asked for.
    asked: Range<usize>,
}

#[derive(Clone, Debug)]
enum Happened {
    Entered(FuncId, Vec<Change>),
    Left(FuncId),
    External(FuncId),
    Decided(bool),
    Text(String),
    /// A label of the program.
    Label(String),
    Assigned,
}

/// A line before its texts are made.
struct RawLine<'p> {
    step: usize,
    loc: Loc,
    place: Position<'p>,
    func: FuncId,
    depth: usize,
    events: Vec<Event>,
    /// Whether there were more events.
    more: bool,
}

/// Collects a trace while the machine runs.
pub(super) struct Recorder<'p> {
    program: &'p Program,
    /// The first lines.
    head: Vec<RawLine<'p>>,
    /// The last lines, if there are more.
    tail: VecDeque<RawLine<'p>>,
    /// The number of lines between them.
    omitted: usize,
    /// The values of inputs that are those of a place, with the step.
    placed: BTreeMap<usize, (Step, Change)>,
    /// The edges so far, each looked at once: paths take them millions of times.
    seen: FxHashMap<EdgeId, Seen<'p>>,
}

/// How an edge shows in a trace.
#[derive(Clone, Copy)]
struct Seen<'p> {
    place: Position<'p>,
    /// Whether its decision, or what it assigns, is worth a note.
    is_noted: bool,
}

impl<'p> Recorder<'p> {
    pub fn new(program: &'p Program) -> Self {
        Recorder {
            program,
            head: Vec::new(),
            tail: VecDeque::new(),
            omitted: 0,
            placed: BTreeMap::new(),
            seen: FxHashMap::default(),
        }
    }

    /// Notes a step that was carried out with `depth` open frames: the value that it assigned, or those that it passed on, and the inputs that it asked for.
    pub fn record(
        &mut self,
        index: usize,
        step: Step,
        depth: usize,
        machine: &mut Machine<'_, '_>,
        asked: Range<usize>,
    ) {
        let (change, passed) = (machine.change.take(), std::mem::take(&mut machine.passed));
        let program = self.program;
        let edge = program.edge(step.edge());
        if let (Op::Havoc { .. } | Op::External { .. }, Some(change), 1) = (&edge.op, change, asked.len()) {
            self.placed.insert(asked.start, (step, change));
        }
        let func = program.node(step.source(program)).func;
        // A label in the start function is a violation that a specification sees when the program has ended; the call of an entry function is shown for its arguments.
        let is_entry = func == program.start && !passed.is_empty() && self.is_of_library(step);
        let synthetic = func == program.start && !is_entry && !matches!(edge.op, Op::Label(_));
        if synthetic || !edge.loc.is_some() {
            return;
        }
        let Seen { place, is_noted } = self.seen(step.edge());
        let what = self.happened(step, is_noted, change.is_some(), passed);
        if what.is_none() && is_silent(&edge.op) {
            return;
        }
        // The line of a return is that of the call.
        let (func, depth) = match step {
            Step::Leave(_) => (program.node(edge.from).func, depth.saturating_sub(1)),
            Step::Enter(_) if is_entry => (program.node(step.target(program)).func, depth + 1),
            _ => (func, depth),
        };
        let same = self.last().is_some_and(|last| {
            last.depth == depth && last.func == func && last.place.line == place.line && last.place.file == place.file
        });
        if !same {
            self.push(RawLine {
                step: index,
                loc: edge.loc,
                place,
                func,
                depth,
                events: Vec::new(),
                more: false,
            });
        }
        if let (Some(last), Some(what)) = (self.last(), what) {
            match last.events.len() < MAX_NOTES {
                true => last.events.push(Event {
                    what,
                    step,
                    change,
                    asked,
                }),
                false => last.more = true,
            }
        }
    }

    fn last(&mut self) -> Option<&mut RawLine<'p>> {
        self.tail.back_mut().or(self.head.last_mut())
    }

    fn push(&mut self, line: RawLine<'p>) {
        if self.head.len() < MAX_LINES {
            self.head.push(line);
            return;
        }
        if self.tail.len() == MAX_LINES {
            self.tail.pop_front();
            self.omitted += 1;
        }
        self.tail.push_back(line);
    }

    /// How an edge shows.
    fn seen(&mut self, edge: EdgeId) -> Seen<'p> {
        if let Some(seen) = self.seen.get(&edge) {
            return *seen;
        }
        let Edge { op, loc, .. } = self.program.edge(edge);
        let seen = Seen {
            place: self.program.sources.resolve(*loc),
            is_noted: match op {
                // Conditions of a specification on itself are of no interest; its labels show its actions.
                Op::Assume { cond, .. } => !self.reads_woven(cond) && !self.is_test(edge),
                op => written(op).is_some_and(|place| self.is_named(place)),
            },
        };
        self.seen.insert(edge, seen);
        seen
    }

    fn happened(&self, step: Step, is_noted: bool, changes: bool, passed: Vec<Change>) -> Option<Happened> {
        let program = self.program;
        match (step, &program.edge(step.edge()).op) {
            (Step::Enter(_), Op::Call { func, .. }) => Some(Happened::Entered(*func, passed)),
            (Step::Leave(_), Op::Call { func, .. }) => Some(Happened::Left(*func)),
            (_, Op::Assume { truth, .. }) => is_noted.then_some(Happened::Decided(*truth)),
            (_, Op::External { func, .. }) => Some(Happened::External(*func)),
            // No label of C holds a colon: it is a specification that speaks.
            (_, Op::Label(label)) if label.contains(':') => Some(Happened::Text(label.clone())),
            (_, Op::Label(label)) => Some(Happened::Text(match Check::of_label(label) {
                Some(check) => check.kind.violation().to_string(),
                None => return Some(Happened::Label(label.clone())),
            })),
            _ => (changes && is_noted).then_some(Happened::Assigned),
        }
    }

    /// Whether a decision is that of a check: on one of its sides the check is violated.
    fn is_test(&self, edge: EdgeId) -> bool {
        let program = self.program;
        let violates = |to: NodeId| {
            let next = program.node(to).outgoing.first().map(|&next| &program.edge(next).op);
            matches!(next, Some(Op::Label(label)) if Check::of_label(label).is_some())
        };
        let sides = &program.node(program.edge(edge).from).outgoing;
        sides.iter().any(|&side| violates(program.edge(side).to))
    }

    /// Whether a step enters a function other than `main`.
    fn is_of_library(&self, step: Step) -> bool {
        match (step, &self.program.edge(step.edge()).op) {
            (Step::Enter(_), Op::Call { func, .. }) => self.program.function(*func).name != "main",
            _ => false,
        }
    }

    fn reads_woven(&self, cond: &Expr) -> bool {
        let mut found = false;
        walk(cond, &mut |e| {
            if let ExprKind::Load(place) = &e.kind {
                // Those of a check on its own variables neither.
                found |= place.as_whole_var().is_some_and(|var| {
                    let var = self.program.var(var);
                    let is_asked = ["$set ", "$answer"].iter().any(|name| var.display.starts_with(name));
                    var.kind == VarKind::Woven || (var.kind == VarKind::Temp && is_asked)
                });
            }
        });
        found
    }

    /// Whether a place can be written with the names of the program alone.
    fn is_named(&self, place: &Place) -> bool {
        let program = self.program;
        let is_own = |place: &Place| match place.base {
            PlaceBase::Var(var) => !matches!(
                program.var(var).kind,
                VarKind::Temp | VarKind::Return | VarKind::Woven | VarKind::InitImage
            ),
            PlaceBase::Deref(_) => true,
        };
        let mut named = is_own(place);
        walk_place(place, &mut |expr| {
            if let ExprKind::Load(inner) | ExprKind::AddrOf(inner) = &expr.kind {
                named &= is_own(inner);
            }
        });
        named
    }

    /// The trace of the execution of a machine.
    pub fn finish(self, machine: &Machine<'p, '_>) -> Trace {
        let shower = Shower::new(self.program, machine);
        let mut written = WrittenLines::new(&self.program.sources);
        // A label says something only where the path ends.
        let end = self.tail.back().or(self.head.last()).map(|line| line.step);
        let is_label = |event: &Event| matches!(event.what, Happened::Label(_));
        let is_idle =
            |line: &RawLine| Some(line.step) != end && !line.events.is_empty() && line.events.iter().all(is_label);
        let mut lines: Vec<TraceLine> = Vec::with_capacity(self.head.len() + self.tail.len());
        for line in self.head.iter().filter(|line| !is_idle(line)) {
            lines.push(self.line(line, &shower, &mut written));
        }
        if let (Some(last), true) = (lines.last(), self.omitted > 0) {
            let gap = TraceLine {
                text: format!("... {} lines omitted", self.omitted),
                notes: Vec::new(),
                ..last.clone()
            };
            lines.push(gap);
        }
        for line in self.tail.iter().filter(|line| !is_idle(line)) {
            lines.push(self.line(line, &shower, &mut written));
        }
        let inputs = machine.asked.iter().enumerate();
        Trace {
            lines,
            inputs: inputs.map(|(at, input)| self.input(at, input, &shower)).collect(),
        }
    }

    fn line(&self, raw: &RawLine<'p>, shower: &Shower<'_, 'p, '_>, written: &mut WrittenLines<'p>) -> TraceLine {
        let decisions = raw
            .events
            .iter()
            .filter(|event| matches!(event.what, Happened::Decided(_)));
        let is_alone = decisions.take(2).count() < 2;
        let last = raw.events.len().saturating_sub(1);
        let text = written.line(raw.loc);
        let mut notes: Vec<Note> = raw
            .events
            .iter()
            .enumerate()
            .flat_map(|(at, event)| self.notes(event, shower, &text, (is_alone, at == last)))
            .collect();
        if raw.more {
            notes.push(Note {
                text: "...".to_string(),
                contents: 0..0,
            });
        }
        TraceLine {
            step: raw.step,
            file: raw.place.file.to_string(),
            line: raw.place.line,
            column: raw.place.column,
            function: self.program.function(raw.func).name.clone(),
            depth: raw.depth,
            text,
            notes,
        }
    }

    /// The texts of an event, in a line that has this text: whether it has one decision at most, and whether this is the last event of it.
    fn notes(
        &self,
        event: &Event,
        shower: &Shower<'_, 'p, '_>,
        text: &str,
        (is_alone, is_last): (bool, bool),
    ) -> Vec<Note> {
        let program = self.program;
        let op = &program.edge(event.step.edge()).op;
        let name = |func: FuncId| program.function(func).name.as_str();
        let place = written(op).filter(|place| self.is_named(place));
        let assigned = event.change.zip(place).map(|(change, place)| {
            let value = shower.change(&change, Some(place));
            format!("{} = {value}", Printer::new(program).place(place))
        });
        let returned = |func: FuncId, verb: &str| match (&event.change, place) {
            (Some(change), None) => format!("{} returns {}", name(func), shower.change(change, None)),
            _ => format!("{verb} {}", name(func)),
        };
        let mut texts = match &event.what {
            Happened::Entered(func, passed) => {
                let values = passed.iter().map(|change| {
                    let param = change.var.map_or("", |var| &program.var(var).display);
                    format!("{param} = {}", shower.change(change, None))
                });
                let values: Vec<String> = values.collect();
                match values.is_empty() {
                    true => vec![format!("call {}", name(*func))],
                    false => vec![format!("call {}({})", name(*func), values.join(", "))],
                }
            }
            Happened::Left(func) => vec![returned(*func, "return from")],
            Happened::External(func) => vec![returned(*func, "call")],
            Happened::Decided(truth) => {
                let text = if is_alone { text } else { "" };
                self.decision(shower, event.step.edge(), *truth, text)
                    .into_iter()
                    .collect()
            }
            Happened::Text(text) => vec![text.clone()],
            Happened::Label(label) if is_last => vec![format!("label {label}")],
            Happened::Label(_) => Vec::new(),
            Happened::Assigned => Vec::new(),
        };
        if !matches!(
            event.what,
            Happened::Decided(_) | Happened::Text(_) | Happened::Entered(..)
        ) {
            texts.extend(assigned);
        }
        let contents = if matches!(op, Op::Havoc { .. }) && is_silent(op) {
            event.asked.clone()
        } else {
            0..0
        };
        let note = |text| Note {
            text,
            contents: contents.clone(),
        };
        texts.into_iter().map(note).collect()
    }

    /// A decision, in a line that has this text. An edge of the graph may have the opposite of what the text has (`p` for `p == NULL`), so that a truth value without a condition is only
    /// right where the text has the condition as it is. `None` if values without names decide and the text may have the opposite.
    fn decision(&self, shower: &Shower<'_, 'p, '_>, edge: EdgeId, truth: bool, text: &str) -> Option<String> {
        let Op::Assume { cond, .. } = &self.program.edge(edge).op else {
            return None;
        };
        let mut is_own = true;
        walk(cond, &mut |expr| {
            if let ExprKind::Load(place) | ExprKind::AddrOf(place) = &expr.kind {
                is_own &= self.is_named(place);
            }
        });
        if !is_own {
            // Only a negation or a comparison with zero could be turned round.
            let may_be_turned =
                text.contains("==") || text.match_indices('!').any(|(at, _)| !text[at..].starts_with("!="));
            return (!text.is_empty() && !may_be_turned).then(|| format!("condition {truth}"));
        }
        let condition = shower.condition(cond);
        // A value that is no comparison is compared with zero.
        let value = [" != 0", " != NULL"]
            .into_iter()
            .find_map(|end| Some((condition.strip_suffix(end)?, end.replace("!=", "=="))));
        let bare = value.as_ref().map_or(condition.as_str(), |(value, _)| value);
        let stands = [("if (", ")"), ("while (", ")"), ("; ", ";")]
            .iter()
            .flat_map(|around| [(around, bare), (around, condition.as_str())])
            .any(|((before, behind), as_it_is)| text.contains(&format!("{before}{as_it_is}{behind}")));
        Some(match value {
            _ if stands => format!("condition {truth}"),
            Some((value, is_zero)) if !truth => format!("{value}{is_zero}"),
            Some(_) => condition,
            None => format!("{condition} is {truth}"),
        })
    }

    fn input(&self, at: usize, input: &Asked, shower: &Shower<'_, 'p, '_>) -> TraceInput {
        let program = self.program;
        let position = program.sources.resolve(input.loc);
        let mut what = input.what.clone();
        let mut value = None;
        if let Some((step, change)) = self.placed.get(&at) {
            let op = &program.edge(step.edge()).op;
            let place = written(op).filter(|place| self.is_named(place));
            value = Some(shower.change(change, place));
            if let (Op::Havoc { source, .. }, Some(place)) = (op, place) {
                let place = Printer::new(program).place(place);
                match source {
                    Input::Uninitialised => what = format!("`{place}`, which was not initialised"),
                    Input::EntryParam => what = format!("`{place}`, a parameter of the entry function"),
                    _ => {}
                }
            }
        }
        TraceInput {
            step: input.step,
            file: position.file.to_string(),
            line: position.line,
            column: position.column,
            what,
            value: value.unwrap_or_else(|| plain(&input.value, input.trusted)),
            decisive: None,
        }
    }
}

/// Whether an operation that nothing can be said of makes no line: among others what a record begins with that nobody initialised.
fn is_silent(op: &Op) -> bool {
    let begins = matches!(
        op,
        Op::Havoc {
            source: Input::Uninitialised,
            ..
        }
    );
    begins || matches!(op, Op::Nop | Op::Bypass(_) | Op::Assume { .. })
}

/// The place that an operation writes a value to.
fn written(op: &Op) -> Option<&Place> {
    match op {
        Op::Assign { lhs, .. } | Op::Allocate { lhs, .. } | Op::Inspect { lhs, .. } => Some(lhs),
        Op::Havoc { place, .. } => Some(place),
        Op::Call { ret, .. } | Op::External { ret, .. } => ret.as_ref(),
        _ => None,
    }
}
