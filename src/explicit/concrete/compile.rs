//! From control-flow automata to instructions, function by function when a run first calls it.
//!
//! Each node becomes a position in the code; edges between nodes of which one leads only to the other become one block. An operation without instruction becomes [`Ins::Stop`], where the run ends.

use super::assigned::flagged;
use super::code::{Ins, Reg, Test};
use super::general::General;
use super::layout::{Layout, Shape};
use super::memory::{Kind, Memory};
use super::{Stop, Wanted};
use crate::cfa::{EdgeId, Expr, FuncId, Input, Inspection, NodeId, Op, Place, Program, VarId, VarKind, Watcher};
use bitvec::prelude::BitVec;
use provident_smt::hash::FxHashMap;
use std::collections::BTreeSet;

/// Registers that a record may have that is returned.
pub(super) const MAX_RESULTS: usize = 64;

/// A function as far as it is compiled.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The first register of its frame.
    pub base: Reg,
    /// The number of registers that make a frame: plain variables, tags of objects, flags.
    pub size: Reg,
    /// Flags among them, from the first.
    pub flags: (Reg, Reg),
    /// Variables in memory: the register of the tag, and the bytes.
    pub objects: Vec<(Reg, u64)>,
    /// The position of its entry.
    pub entry: Option<u32>,
    /// For each register of plain variables the register of its flag.
    pub(super) flag_of: Vec<Option<Reg>>,
}

/// The program as instructions, as far as it was needed.
pub struct Code<'p> {
    pub program: &'p Program,
    pub layout: Layout,
    pub(super) untracked: BTreeSet<Watcher>,
    pub(super) wanted: &'p Wanted<'p>,
    /// Whether steps are recorded.
    pub(super) traced: bool,
    /// Whether inputs are chosen.
    pub(super) has_inputs: bool,
    /// Whether what is compiled belongs to a step that is recorded behind it.
    pub(super) is_ahead: bool,
    pub ins: Vec<Ins>,
    pub units: Vec<Option<Unit>>,
    /// Why runs end.
    pub reasons: Vec<Stop>,
    /// Bit-fields: first bit, width, and the shift that makes them normal, with whether it is signed.
    pub bits: Vec<(u64, u32, u8, bool)>,
    /// Operations that [`Ins::General`] carries out.
    pub generals: Vec<General>,
    /// The values of all registers before the first step.
    pub initial: Vec<u64>,
    pub(super) constants: FxHashMap<u64, Reg>,
    /// Pointers that are numbers, in two registers.
    pub(super) numbers: FxHashMap<u64, Reg>,
    /// Other constants in two registers.
    pub(super) wide_constants: FxHashMap<u128, Reg>,
    pub(super) zero: Reg,
    pub(super) one: Reg,
    /// Where results are passed; behind them whether there is one.
    pub(super) results: Reg,
    pub(super) has_result: Reg,
    /// The registers of plain static variables, and of the tags of static objects.
    pub(super) statics: Reg,
    pub(super) static_tags: Reg,
    /// The functions that the start function calls.
    pub(super) called_at_start: BTreeSet<FuncId>,
    /// Plain static variables that have values when the program begins, and whether that is settled.
    pub(super) begun: BitVec,
    pub(super) has_begun: bool,
    /// Objects in which results are passed that are in memory, by their function: the registers of a pointer.
    pub(super) result_objects: FxHashMap<FuncId, Reg>,
    /// Registers for intermediate results, single ones and pairs, and how many of them the current edge uses.
    pub(super) temporaries: [Vec<Reg>; 2],
    pub(super) used: [usize; 2],
    /// Edges since the last count.
    pub(super) pending: u32,
    pub(super) here: FuncId,
    pub(super) positions: FxHashMap<NodeId, u32>,
    /// Edges with nothing but a condition: the node to which they jump.
    pub(super) forks: FxHashMap<u32, NodeId>,
    pub(super) patches: Vec<(usize, NodeId)>,
}

impl<'p> Code<'p> {
    /// A program of which nothing is compiled yet; its static objects are made in `memory`.
    pub fn new(
        program: &'p Program,
        untracked: BTreeSet<Watcher>,
        wanted: &'p Wanted<'p>,
        traced: bool,
        memory: &mut Memory,
    ) -> Result<Code<'p>, Stop> {
        let mut code = Code {
            program,
            layout: Layout::new(program),
            untracked,
            wanted,
            traced,
            has_inputs: false,
            is_ahead: false,
            ins: Vec::new(),
            units: vec![None; program.functions.len()],
            reasons: Vec::new(),
            bits: Vec::new(),
            generals: Vec::new(),
            initial: Vec::new(),
            constants: FxHashMap::default(),
            numbers: FxHashMap::default(),
            wide_constants: FxHashMap::default(),
            zero: 0,
            one: 0,
            results: 0,
            has_result: 0,
            statics: 0,
            static_tags: 0,
            called_at_start: BTreeSet::new(),
            begun: BitVec::new(),
            has_begun: false,
            result_objects: FxHashMap::default(),
            temporaries: [Vec::new(), Vec::new()],
            used: [0; 2],
            pending: 0,
            here: program.start,
            positions: FxHashMap::default(),
            forks: FxHashMap::default(),
            patches: Vec::new(),
        };
        let starts = program
            .edges
            .iter()
            .filter(|edge| program.node(edge.from).func == program.start);
        code.called_at_start = starts
            .filter_map(|edge| match edge.op {
                Op::Call { func, .. } => Some(func),
                _ => None,
            })
            .collect();
        code.zero = code.constant(0);
        code.one = code.constant(1);
        code.results = code.reserve(MAX_RESULTS);
        code.has_result = code.reserve(1);
        let shape: Shape = code.layout.statics().clone();
        code.statics = code.reserve(shape.plain);
        code.begun = BitVec::repeat(false, shape.plain);
        code.static_tags = code.reserve(shape.objects.len());
        for (i, var) in shape.objects.iter().enumerate() {
            let variable = program.var(*var);
            let kind = match variable.kind {
                VarKind::StringLiteral => Kind::Literal,
                _ => Kind::Variable,
            };
            let size = variable.size(&program.types).unwrap_or(0);
            let tag = memory.create(size, kind, false)?;
            code.initial[code.static_tags as usize + i] = u64::from(tag);
        }
        for func in program.function_ids() {
            if let Some(var) = program.function(func).ret.filter(|var| program.var(*var).in_memory) {
                let size = program.types.size_of(program.var(var).ty).unwrap_or(0);
                let tag = memory.create(size, Kind::Variable, false)?;
                let pair = code.reserve(2);
                code.initial[pair as usize + 1] = u64::from(tag);
                code.result_objects.insert(func, pair);
            }
        }
        Ok(code)
    }

    pub(super) fn reserve(&mut self, count: usize) -> Reg {
        let first = Reg::try_from(self.initial.len()).expect("fewer than 2^32 registers");
        self.initial.resize(self.initial.len() + count, 0);
        first
    }

    /// The register of a constant.
    pub(super) fn constant(&mut self, bits: u64) -> Reg {
        if let Some(&register) = self.constants.get(&bits) {
            return register;
        }
        let register = self.reserve(1);
        self.initial[register as usize] = bits;
        self.constants.insert(bits, register);
        register
    }

    /// A pointer that is a number, in two registers.
    pub(super) fn number_as_pointer(&mut self, number: u64) -> Reg {
        if let Some(&register) = self.numbers.get(&number) {
            return register;
        }
        let register = self.reserve(2);
        self.initial[register as usize] = number;
        self.numbers.insert(number, register);
        register
    }

    /// A constant in two registers, the lower half in the first.
    pub(super) fn wide_constant(&mut self, bits: u128) -> Reg {
        if let Some(&register) = self.wide_constants.get(&bits) {
            return register;
        }
        let register = self.reserve(2);
        self.initial[register as usize] = bits as u64;
        self.initial[register as usize + 1] = (bits >> 64) as u64;
        self.wide_constants.insert(bits, register);
        register
    }

    /// Registers, one or two, for an intermediate result of the current edge.
    pub(super) fn temporary(&mut self, count: usize) -> Reg {
        let at = self.used[count - 1];
        self.used[count - 1] += 1;
        if let Some(&register) = self.temporaries[count - 1].get(at) {
            return register;
        }
        let register = self.reserve(count);
        self.temporaries[count - 1].push(register);
        register
    }

    pub(super) fn emit(&mut self, ins: Ins) {
        self.ins.push(ins);
    }

    pub(super) fn stop(&mut self, why: Stop) {
        let why_at = u32::try_from(self.reasons.len()).expect("fewer than 2^32 reasons");
        self.reasons.push(why);
        self.emit(Ins::Stop { why: why_at });
    }

    /// The edges that are taken: around a watcher that is not tracked, and through what tracks the others.
    pub(super) fn ways(program: &Program, untracked: &BTreeSet<Watcher>, node: NodeId) -> Vec<EdgeId> {
        let outgoing = &program.node(node).outgoing;
        let bypass = |edge: EdgeId| match program.edge(edge).op {
            Op::Bypass(watcher) => Some(watcher),
            _ => None,
        };
        let around = outgoing
            .iter()
            .find(|&&edge| bypass(edge).is_some_and(|watcher| untracked.contains(&watcher)));
        match around {
            Some(&edge) => vec![edge],
            None => outgoing.iter().copied().filter(|&e| bypass(e).is_none()).collect(),
        }
    }

    // ---- frames -----------------------------------------------------------------------------------------------------------

    /// A function with its frame laid out.
    pub fn unit(&mut self, func: FuncId) -> &mut Unit {
        if self.units[func.index()].is_none() {
            let (program, untracked) = (self.program, self.untracked.clone());
            let ways = |node: NodeId| Code::ways(program, &untracked, node);
            let from_outside = self.called_at_start.contains(&func);
            let flagged = flagged(program, &self.layout, func, from_outside, &ways);
            let shape = self.layout.frame(func).clone();
            let base = self.reserve(shape.plain);
            let tags = self.reserve(shape.objects.len());
            let first_flag = self.reserve(flagged.count_ones());
            let mut next = first_flag;
            let flag_of: Vec<Option<Reg>> = flagged
                .iter()
                .by_vals()
                .map(|is_flagged| {
                    is_flagged.then(|| {
                        next += 1;
                        next - 1
                    })
                })
                .collect();
            let objects = (tags..).zip(&shape.objects);
            let size_of = |var: VarId| program.var(var).size(&program.types).unwrap_or(0);
            self.units[func.index()] = Some(Unit {
                base,
                size: next - base,
                flags: (first_flag, next),
                objects: objects.map(|(register, var)| (register, size_of(*var))).collect(),
                entry: None,
                flag_of,
            });
        }
        self.units[func.index()].as_mut().expect("it was just made")
    }

    /// The position of a function's entry.
    pub fn entry(&mut self, func: FuncId) -> u32 {
        if let Some(entry) = self.unit(func).entry {
            return entry;
        }
        self.here = func;
        self.positions.clear();
        self.forks.clear();
        let function = self.program.function(func);
        let entry = u32::try_from(self.ins.len()).expect("fewer than 2^32 instructions");
        let mut open = vec![function.entry];
        while let Some(node) = open.pop() {
            self.pending = 0;
            self.block(node, &mut open);
        }
        for (at, node) in std::mem::take(&mut self.patches) {
            let target = self.positions[&node];
            match &mut self.ins[at] {
                Ins::Jump { to, .. } | Ins::If { to, .. } => *to = target,
                other => unreachable!("{other:?} does not jump"),
            }
        }
        self.unit(func).entry = Some(entry);
        entry
    }

    // ---- control ----------------------------------------------------------------------------------------------------------

    pub(super) fn position(&self) -> u32 {
        u32::try_from(self.ins.len()).expect("fewer than 2^32 instructions")
    }

    /// A jump to a node, which is compiled some time. If all that stands there is a condition, the condition is asked here: a loop takes one instruction less in each round.
    pub(super) fn jump(&mut self, node: NodeId, open: &mut Vec<NodeId>) {
        let n = std::mem::take(&mut self.pending);
        if let Some(&head) = self.positions.get(&node)
            && let Some(&other) = self.forks.get(&head)
            && let Ins::If {
                test, a, b, n: more, ..
            } = self.ins[head as usize]
        {
            let (test, a, b) = match test {
                Test::Eq => (Test::Ne, a, b),
                Test::Ne => (Test::Eq, a, b),
                Test::LtS => (Test::LeS, b, a),
                Test::LeS => (Test::LtS, b, a),
                Test::LtU => (Test::LeU, b, a),
                Test::LeU => (Test::LtU, b, a),
            };
            let (to, n) = (head + 1, n + more);
            self.emit(Ins::If { test, a, b, to, n });
            self.patches.push((self.ins.len(), other));
            self.emit(Ins::Jump { to: 0, n: 0 });
            return;
        }
        self.patches.push((self.ins.len(), node));
        self.emit(Ins::Jump { to: 0, n });
        if !self.positions.contains_key(&node) {
            open.push(node);
        }
    }

    pub(super) fn step(&mut self, edge: EdgeId, kind: u8) {
        self.pending += 1;
        if self.traced {
            self.emit(Ins::Step { edge: edge.0, kind });
        }
    }

    /// Compiles from a node on, as far as it goes straight ahead.
    pub(super) fn block(&mut self, mut node: NodeId, open: &mut Vec<NodeId>) {
        let program = self.program;
        loop {
            if self.positions.contains_key(&node) {
                if self.pending > 0 || self.ins.len() as u64 != u64::from(self.positions[&node]) {
                    self.jump(node, open);
                }
                return;
            }
            // Where ways join, the edges before are counted.
            if self.pending > 0 && program.node(node).incoming.len() > 1 {
                let n = std::mem::take(&mut self.pending);
                let to = self.position() + 1;
                self.emit(Ins::Jump { to, n });
            }
            self.positions.insert(node, self.position());
            let function = program.function(program.node(node).func);
            if function.exit == node {
                self.leave();
                return;
            }
            let edges = Code::ways(program, &self.untracked, node);
            self.used = [0; 2];
            match edges.as_slice() {
                [] => {
                    let n = std::mem::take(&mut self.pending);
                    self.emit(Ins::End { n });
                    return;
                }
                &[edge] => {
                    if !self.edge(edge) {
                        return;
                    }
                    node = program.edge(edge).to;
                }
                several => match self.fork(several, open) {
                    Some(next) => node = next,
                    None => return,
                },
            }
        }
    }

    /// A node with several ways on, all of them under conditions. Returns where the code goes straight ahead.
    pub(super) fn fork(&mut self, edges: &[EdgeId], open: &mut Vec<NodeId>) -> Option<NodeId> {
        let program = self.program;
        self.has_begun = true;
        let mut conditions = Vec::new();
        for &edge in edges {
            let Op::Assume { cond, truth } = &program.edge(edge).op else {
                self.stop(Stop("a node with several ways on"));
                return None;
            };
            conditions.push((edge, cond, *truth));
        }
        let &[(yes, cond, truth), (no, other, otherwise)] = conditions.as_slice() else {
            self.stop(Stop("a node with many ways on"));
            return None;
        };
        if truth == otherwise || cond != other {
            self.stop(Stop("a node with ways on that overlap"));
            return None;
        }
        let (yes, no) = if truth { (yes, no) } else { (no, yes) };
        if self.traced || self.is_wanted(yes) || self.is_wanted(no) {
            // Each way gets its own code, which names its edge.
            let at = match self.branch(cond, false) {
                Ok(at) => at,
                Err(why) => {
                    self.stop(why);
                    return None;
                }
            };
            self.pending = 0;
            self.take(yes, 0);
            self.jump(program.edge(yes).to, open);
            let to = self.position();
            if let Ins::If { to: target, .. } = &mut self.ins[at] {
                *target = to;
            }
            self.take(no, 0);
            return Some(program.edge(no).to);
        }
        let (yes, no) = (program.edge(yes).to, program.edge(no).to);
        // The way that was compiled already is jumped to.
        let (straight, other, truth) = match self.positions.contains_key(&yes) {
            true => (no, yes, true),
            false => (yes, no, false),
        };
        self.pending += 1;
        let head = self.position();
        let is_counted = self.pending == 1;
        match self.branch(cond, truth) {
            Ok(at) => {
                self.pending = 0;
                if is_counted && at as u64 == u64::from(head) {
                    self.forks.insert(head, other);
                }
                self.patches.push((at, other));
                if !self.positions.contains_key(&other) {
                    open.push(other);
                }
                Some(straight)
            }
            Err(why) => {
                self.stop(why);
                None
            }
        }
    }

    /// A jump under the condition that another one has this truth value. Returns its position. The edges so far are counted there.
    pub(super) fn branch(&mut self, cond: &Expr, truth: bool) -> Result<usize, Stop> {
        self.is_ahead = true;
        let condition = self.condition(cond, truth);
        self.is_ahead = false;
        let (test, a, b) = condition?;
        let n = self.pending;
        self.emit(Ins::If { test, a, b, to: 0, n });
        Ok(self.ins.len() - 1)
    }

    pub(super) fn is_wanted(&self, edge: EdgeId) -> bool {
        (self.wanted)(edge)
    }

    /// Notes that an edge is taken.
    pub(super) fn take(&mut self, edge: EdgeId, kind: u8) {
        self.step(edge, kind);
        if self.is_wanted(edge) {
            let n = std::mem::take(&mut self.pending);
            self.emit(Ins::Target { edge: edge.0, n });
        }
    }

    /// Compiles an edge. Returns whether the code goes on behind it.
    pub(super) fn edge(&mut self, id: EdgeId) -> bool {
        let op = &self.program.edge(id).op;
        if let Op::Assume { cond, truth } = op {
            return match self.branch(cond, *truth) {
                Ok(at) => {
                    self.pending = 0;
                    self.emit(Ins::End { n: 0 });
                    let next = self.position();
                    if let Ins::If { to, .. } = &mut self.ins[at] {
                        *to = next;
                    }
                    self.take(id, 0);
                    true
                }
                Err(why) => {
                    self.stop(why);
                    false
                }
            };
        }
        self.take(id, u8::from(matches!(op, Op::Call { .. })));
        match self.operation(id) {
            Ok(goes_on) => goes_on,
            Err(why) => {
                self.stop(why);
                false
            }
        }
    }

    fn inspect(&mut self, lhs: &Place, question: &Inspection) -> Result<(), Stop> {
        let d = match question {
            Inspection::Size(ptr) => {
                let p = self.pointer(ptr)?;
                let d = self.temporary(1);
                self.emit(Ins::Size { d, p });
                d
            }
            Inspection::Accessible { ptr, len, write } => {
                let (p, count) = (self.pointer(ptr)?, self.value(len)?);
                let d = self.temporary(1);
                let write = *write;
                self.emit(Ins::Accessible { d, p, count, write });
                d
            }
            Inspection::Written { ptr, len } => {
                let (p, count) = (self.pointer(ptr)?, self.value(len)?);
                let d = self.temporary(1);
                self.emit(Ins::Written { d, p, count });
                d
            }
            Inspection::Releasable(ptr) => {
                let p = self.pointer(ptr)?;
                let d = self.temporary(1);
                self.emit(Ins::Releasable { d, p });
                d
            }
            Inspection::Tracked => {
                let d = self.temporary(1);
                self.emit(Ins::Tracked { d });
                d
            }
            Inspection::Released => {
                let d = self.temporary(1);
                self.emit(Ins::Released { d });
                d
            }
        };
        self.write(lhs, d)
    }

    pub(super) fn operation(&mut self, id: EdgeId) -> Result<bool, Stop> {
        match &self.program.edge(id).op {
            Op::Nop | Op::Label(_) | Op::Bypass(_) => {}
            Op::Assume { .. } => unreachable!("a condition is asked before its edge is taken"),
            Op::Assign { lhs, rhs } => self.assign(lhs, rhs)?,
            Op::Zero { place } => self.clear(place)?,
            Op::Havoc {
                source: Input::LeftOut, ..
            } if self.program.asks_for_contents() => return Err(Stop("a copy that is left out")),
            Op::Havoc { place, source } => self.input(place, source)?,
            Op::External { func, ret, .. } => {
                if let Some(place) = ret {
                    self.input(place, &Input::returned(&self.program.function(*func).name))?;
                }
            }
            Op::Asm { outputs, .. } => {
                for place in outputs {
                    self.invent(place)?;
                }
            }
            Op::Call { func, args, ret } => self.call(id, *func, args, ret.as_ref())?,
            Op::Allocate {
                lhs,
                size,
                zero,
                kind,
                may_fail,
            } => {
                // Where inputs are chosen, memory is there.
                if *may_fail && !self.has_inputs {
                    return Err(Stop("an allocation that may fail"));
                }
                let count = self.value(size)?;
                let d = self.temporary(2);
                self.emit(Ins::Allocate {
                    d,
                    count,
                    zero: *zero,
                    heap: !kind.is_on_stack(),
                });
                self.write(lhs, d)?;
            }
            Op::Free { ptr, kind } => {
                let p = self.pointer(ptr)?;
                self.emit(match kind.is_on_stack() {
                    true => Ins::EndBlock { p },
                    false => Ins::Free { p },
                });
            }
            Op::Inspect { lhs, question } => self.inspect(lhs, question)?,
            Op::Mark { ptr, len, written } => {
                let (p, written) = (self.pointer(ptr)?, self.value(written)?);
                let mark = match len {
                    Some(len) => Ins::Mark {
                        p,
                        count: self.value(len)?,
                        written,
                    },
                    None => Ins::MarkAll { p, written },
                };
                self.emit(mark);
            }
            Op::MemSet { dst, byte, len } => {
                let (p, byte, count) = (self.pointer(dst)?, self.value(byte)?, self.value(len)?);
                self.emit(Ins::Fill { p, byte, count });
            }
            Op::MemCopy { dst, src, len } => {
                let (p, q, count) = (self.pointer(dst)?, self.pointer(src)?, self.value(len)?);
                self.emit(Ins::Copy { p, q, count });
            }
        }
        Ok(true)
    }
}
