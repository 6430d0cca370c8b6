//! The equations of shifts: what an execution does has to be the same after each of them.
//!
//! | operation | equation |
//! |---|---|
//! | `x = e` where `e` is linear | the shift of `x` is that of `e` |
//! | `a == b` or `a != b` is asked | the shifts of `a` and `b` are the same |
//! | a value is used in another way: it is ordered, divided, converted to another width, an index, an address, stored in memory | its shift is 0 |
//! | `x` is an input | none: each number is another input |

use super::Variable;
use super::group::Form;
use crate::cfa::{BinOp, FuncId, NodeId};
use crate::explicit::compiled::code::{
    Action, Argument, Base, Call, Code, Dest, EdgeCode, Leaf, Next, Query, Record, Scalar, Slot, Source, Target, Wide,
    WideForm,
};
use crate::explicit::compiled::compile::Compiled;
use provident_smt::hash::FxHashSet;
use std::collections::BTreeMap;

/// Nodes behind a place from which on its equations are not looked at.
const MANY_NODES: usize = 20_000;
/// Narrower numbers are truth values and bytes, which are compared with constants.
const LEAST_WIDTH: u32 = 16;

/// The part of the program that may be executed from a node on, whatever calls are open.
pub(super) struct Behind<'c> {
    nodes: Vec<NodeId>,
    /// Calls that were open, and may come to their end, with the callers.
    returns: Vec<(FuncId, &'c Call)>,
}

impl<'c> Behind<'c> {
    /// Collects it. `None` if it is much.
    pub fn new(code: &'c Compiled<'_>, node: NodeId) -> Option<Behind<'c>> {
        let program = code.program;
        let (mut seen, mut open) = (FxHashSet::default(), vec![node]);
        // Functions that were called before, as far as they are left.
        let (mut outer, mut left) = (FxHashSet::from_iter([program.node(node).func]), FxHashSet::default());
        let mut behind = Behind {
            nodes: Vec::new(),
            returns: Vec::new(),
        };
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            if behind.nodes.len() == MANY_NODES {
                return None;
            }
            behind.nodes.push(node);
            let func = program.node(node).func;
            match &code.node(node).next {
                Next::Leave if outer.contains(&func) && left.insert(func) => {
                    for caller in program.edge_ids() {
                        let from = program.edge(caller).from;
                        for edge in edges(&code.node(from).next).filter(|edge| edge.id == caller) {
                            let Action::Call(call) = &edge.action else { continue };
                            if call.callee == func {
                                let caller = program.node(from).func;
                                behind.returns.push((caller, call));
                                open.push(edge.to);
                                outer.insert(caller);
                                // It may have been gone through as a callee.
                                let exit = program.function(caller).exit;
                                if seen.remove(&exit) {
                                    behind.nodes.retain(|node| *node != exit);
                                    open.push(exit);
                                }
                            }
                        }
                    }
                }
                Next::Branch(_, _, ways) => open.extend(ways.iter().map(|(_, to)| *to)),
                next => {
                    for edge in edges(next) {
                        open.push(edge.to);
                        if let Action::Call(call) = &edge.action {
                            open.push(program.function(call.callee).entry);
                        }
                    }
                }
            }
        }
        Some(behind)
    }
}

fn edges(next: &Next) -> impl Iterator<Item = &EdgeCode> {
    let edges = match next {
        Next::Edge(edge) => std::slice::from_ref(edge),
        Next::Edges(edges) => edges,
        Next::Leave | Next::Stuck | Next::Branch(..) => &[],
    };
    edges.iter()
}

/// Equations.
pub(super) struct Equations {
    /// Forms that have to be 0, modulo two to the power of the number beside them.
    pub all: Vec<(Form, u32)>,
    /// The variables in them that may be shifted as far as other equations allow it, with their widths.
    pub variables: BTreeMap<Variable, u32>,
    func: FuncId,
}

impl Equations {
    /// Those of what may be executed.
    pub fn of(code: &Compiled<'_>, behind: &Behind<'_>) -> Equations {
        let program = code.program;
        let mut equations = Equations {
            all: Vec::new(),
            variables: BTreeMap::new(),
            func: program.start,
        };
        for &node in &behind.nodes {
            equations.func = program.node(node).func;
            match &code.node(node).next {
                Next::Branch(condition, ..) => equations.keep(condition),
                next => edges(next).for_each(|edge| equations.action(&edge.action)),
            }
        }
        for &(caller, call) in &behind.returns {
            equations.func = caller;
            equations.result(call);
        }
        equations
    }

    fn named(&self, slot: Slot) -> Variable {
        match slot {
            Slot::Global(slot) => Variable { func: None, slot },
            Slot::Local(slot) => Variable {
                func: Some(self.func),
                slot,
            },
        }
    }

    /// A slot that may be shifted.
    fn variable(&mut self, slot: Slot, width: u32) -> Variable {
        let variable = self.named(slot);
        self.variables.insert(variable, width);
        variable
    }

    /// A slot whose value stays as it is.
    fn fix(&mut self, slot: Slot) {
        self.all.push((Form::variable(self.named(slot)), u64::BITS));
    }

    fn fix_all(&mut self, first: Slot, leaves: &[Leaf]) {
        let wide = leaves.iter().filter(|leaf| matches!(leaf.scalar, Scalar::Wide(_)));
        for at in 0..leaves.len() + wide.count() {
            self.fix(first.plus(at));
        }
    }

    /// The shift of a value, modulo 2^width of its type.
    fn value(&mut self, code: &Code) -> Form {
        match code {
            Code::Slot(slot, Scalar::Int(info)) if info.width >= LEAST_WIDTH => {
                Form::variable(self.variable(*slot, info.width))
            }
            Code::Neg(operand, info) | Code::Not(operand, info) => self.value(operand).times(u64::MAX, info.width),
            Code::Plus(operand, ..) => self.value(operand),
            Code::Binary(BinOp::Add, operands, info, right) if info == right => {
                let (a, b) = (self.value(&operands.0), self.value(&operands.1));
                a.plus(&b, 1, info.width)
            }
            Code::Binary(BinOp::Sub, operands, info, right) if info == right => {
                let (a, b) = (self.value(&operands.0), self.value(&operands.1));
                a.plus(&b, u64::MAX, info.width)
            }
            Code::Binary(BinOp::Mul, operands, info, right) if info == right => match &**operands {
                (Code::Bits(factor), operand) | (operand, Code::Bits(factor)) => {
                    self.value(operand).times(*factor, info.width)
                }
                _ => self.used(code),
            },
            Code::Convert(operand, from, to) if from.width == to.width => self.value(operand),
            Code::Compare(BinOp::Eq | BinOp::Ne, operands, Scalar::Int(info)) => {
                let (a, b) = (self.value(&operands.0), self.value(&operands.1));
                self.all.push((a.plus(&b, u64::MAX, info.width), info.width));
                Form::default()
            }
            _ => self.used(code),
        }
    }

    /// A value that has to stay as it is.
    fn keep(&mut self, code: &Code) {
        let form = self.value(code);
        // All variables of a form have one width.
        let width = form.terms().next().map(|(variable, _)| self.variables[&variable]);
        if let Some(width) = width {
            self.all.push((form, width));
        }
    }

    /// The shift of the result of an operation that is not linear: its operands stay as they are.
    fn used(&mut self, code: &Code) -> Form {
        match code {
            Code::Bits(_) | Code::Any(_) | Code::Opaque => {}
            Code::Slot(slot, scalar) => {
                self.fix(*slot);
                if let Scalar::Wide(_) = scalar {
                    self.fix(slot.plus(1));
                }
            }
            Code::Read(target, _) | Code::Address(target) => self.target(target),
            Code::Neg(operand, _)
            | Code::Not(operand, _)
            | Code::IsZero(operand, _)
            | Code::Plus(operand, ..)
            | Code::Convert(operand, ..) => self.keep(operand),
            Code::Compare(_, operands, _) | Code::Binary(_, operands, ..) | Code::Ordered(_, operands, _) => {
                self.keep(&operands.0);
                self.keep(&operands.1);
            }
            Code::Narrow(operand, _) => self.wide(operand),
            Code::CompareWide(_, operands) => {
                self.wide(&operands.0);
                self.wide(&operands.1);
            }
            Code::Function(function) => function.operands.iter().for_each(|operand| self.argument(operand)),
        }
        Form::default()
    }

    fn argument(&mut self, argument: &Argument) {
        match argument {
            Argument::Narrow(code, _) => self.keep(code),
            Argument::Wide(wide) => self.wide(wide),
        }
    }

    fn wide(&mut self, wide: &Wide) {
        match &wide.form {
            WideForm::Bits(_) | WideForm::Opaque => {}
            WideForm::Slots(slot) => {
                self.fix(*slot);
                self.fix(slot.plus(1));
            }
            WideForm::Read(target) => self.target(target),
            WideForm::Extend(code, _) => self.keep(code),
            WideForm::Resize(wide, _) => self.wide(wide),
            WideForm::Binary(_, operands) => {
                self.wide(&operands.0);
                self.argument(&operands.1);
            }
            WideForm::Function(function) => function.operands.iter().for_each(|operand| self.argument(operand)),
        }
    }

    fn target(&mut self, target: &Target) {
        if let Base::Pointer(pointer) = &target.base {
            self.keep(pointer);
        }
        for (index, ..) in &target.indices {
            self.keep(index);
        }
    }

    fn record(&mut self, record: &Record, leaves: &[Leaf]) {
        match record {
            Record::Slots(first) => self.fix_all(*first, leaves),
            Record::Memory(target) => self.target(target),
        }
    }

    /// A place that gets something that is the same after a shift.
    fn place(&mut self, dest: &Dest) {
        match dest {
            Dest::Slot(slot, scalar, _) => {
                self.fix(*slot);
                if let Scalar::Wide(_) = scalar {
                    self.fix(slot.plus(1));
                }
            }
            Dest::Memory(target, _) => self.target(target),
            Dest::Record(record, leaves) => self.record(record, leaves),
        }
    }

    /// A place that gets any value.
    fn input(&mut self, dest: &Dest) {
        match dest {
            Dest::Slot(slot, Scalar::Int(info), None) if info.width >= LEAST_WIDTH => {
                self.variable(*slot, info.width);
            }
            _ => self.place(dest),
        }
    }

    /// An assignment, from one function to a place of another: the two are shifted alike, if both may be.
    fn assigned(&mut self, source: &Source, dest: &Dest, (from, to): (FuncId, FuncId)) {
        self.func = from;
        match (source, dest) {
            (Source::Scalar(code, Scalar::Int(of)), Dest::Slot(slot, Scalar::Int(info), None))
                if of.width == info.width && info.width >= LEAST_WIDTH =>
            {
                let value = self.value(code);
                self.func = to;
                let variable = self.variable(*slot, info.width);
                self.all
                    .push((value.plus(&Form::variable(variable), u64::MAX, info.width), info.width));
            }
            _ => {
                match source {
                    Source::Scalar(code, _) => self.keep(code),
                    Source::Wide(wide) => self.wide(wide),
                    Source::Record(record, leaves) => self.record(record, leaves),
                }
                self.func = to;
                self.place(dest);
            }
        }
    }

    fn result(&mut self, call: &Call) {
        let caller = self.func;
        match &call.ret {
            Some((Some(source), dest)) => self.assigned(source, dest, (call.callee, caller)),
            Some((None, dest)) => self.input(dest),
            None => {}
        }
        self.func = caller;
    }

    fn action(&mut self, action: &Action) {
        let func = self.func;
        match action {
            Action::Nop | Action::Unmodelled(_) => {}
            Action::Assume(condition, ..) => self.keep(condition),
            Action::Assign(dest, source) => self.assigned(source, dest, (func, func)),
            Action::Zero(dest) => self.place(dest),
            Action::Havoc(dests) => dests.iter().for_each(|dest| self.input(dest)),
            Action::LeftOut(dest) => self.input(dest),
            Action::Call(call) => {
                for (source, dest) in &call.args {
                    self.assigned(source, dest, (func, call.callee));
                    self.func = func;
                }
                self.result(call);
            }
            Action::Allocate(allocate) => {
                self.keep(&allocate.size);
                self.place(&allocate.dest);
            }
            Action::Inspect(parts) => {
                match &parts.1 {
                    Query::Size(ptr) | Query::Releasable(ptr) => self.keep(ptr),
                    Query::Accessible { ptr, len, .. } | Query::Written { ptr, len } => {
                        self.keep(ptr);
                        self.keep(len);
                    }
                    Query::Tracked | Query::Released => {}
                }
                self.place(&parts.0);
            }
            Action::Free(ptr, _) => self.keep(ptr),
            Action::Fill(parts) | Action::Copy(parts) => {
                [&parts.0, &parts.1, &parts.2]
                    .into_iter()
                    .for_each(|code| self.keep(code));
            }
            Action::Mark(parts) => {
                self.keep(&parts.0);
                parts.1.iter().for_each(|len| self.keep(len));
                self.keep(&parts.2);
            }
        }
        self.func = func;
    }
}
