//! From control-flow automata to instructions, function by function when a run first calls it.
//!
//! Each node becomes a position in the code; edges between nodes of which one leads only to the other become one block. What there is no instruction for becomes [`Ins::Stop`], where the run ends.

use super::assigned::flagged;
use super::code::{At, Ins, Reg};
use super::layout::{Class, Layout, Shape, leaves};
use super::memory::{Kind, Memory};
use super::{Stop, Wanted};
use crate::cfa::{
    AllocKind, EdgeId, Expr, ExprKind, FuncId, NodeId, Op, Place, PlaceBase, Program, VarId, VarKind, Watcher,
};
use crate::frontend::types::Type;
use bitvec::prelude::BitVec;
use provident_smt::hash::FxHashMap;
use std::collections::BTreeSet;

/// Registers that a record may have that is returned.
const MOST_RESULTS: usize = 64;

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
    flag_of: Vec<Option<Reg>>,
}

/// The program as instructions, as far as it was needed.
pub struct Code<'p> {
    pub program: &'p Program,
    pub layout: Layout,
    untracked: BTreeSet<Watcher>,
    wanted: &'p Wanted<'p>,
    /// Whether steps are recorded.
    traced: bool,
    pub ins: Vec<Ins>,
    pub units: Vec<Option<Unit>>,
    /// Why runs end.
    pub reasons: Vec<Stop>,
    /// Bit-fields: first bit, width, and the shift that makes them normal, with whether it is signed.
    pub bits: Vec<(u64, u32, u8, bool)>,
    /// The values of all registers before the first step.
    pub initial: Vec<u64>,
    constants: FxHashMap<u64, Reg>,
    /// Pointers that are numbers, in two registers.
    numbers: FxHashMap<u64, Reg>,
    pub(super) zero: Reg,
    pub(super) one: Reg,
    /// Where results are passed; behind them whether there is one.
    results: Reg,
    pub(super) has_result: Reg,
    /// The registers of plain static variables, and of the tags of static objects.
    statics: Reg,
    static_tags: Reg,
    /// The functions that the start function calls.
    called_at_start: BTreeSet<FuncId>,
    /// Plain static variables that have values when the program begins, and whether that is settled.
    begun: BitVec,
    has_begun: bool,
    /// Objects in which results are passed that are in memory, by their function: the registers of a pointer.
    result_objects: FxHashMap<FuncId, Reg>,
    /// Registers for intermediate results, single ones and pairs, and how many of them the edge at hand uses.
    temporaries: [Vec<Reg>; 2],
    used: [usize; 2],
    /// Edges since the last count.
    pub(super) pending: u32,
    pub(super) here: FuncId,
    positions: FxHashMap<NodeId, u32>,
    patches: Vec<(usize, NodeId)>,
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
            ins: Vec::new(),
            units: vec![None; program.functions.len()],
            reasons: Vec::new(),
            bits: Vec::new(),
            initial: Vec::new(),
            constants: FxHashMap::default(),
            numbers: FxHashMap::default(),
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
        code.results = code.reserve(MOST_RESULTS);
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
            let size = program.types.size_of(variable.ty).unwrap_or(0);
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

    fn reserve(&mut self, count: usize) -> Reg {
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

    /// Registers, one or two, for an intermediate result of the edge at hand.
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
    fn ways(program: &Program, untracked: &BTreeSet<Watcher>, node: NodeId) -> Vec<EdgeId> {
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
            let size_of = |var: VarId| program.types.size_of(program.var(var).ty).unwrap_or(0);
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

    fn position(&self) -> u32 {
        u32::try_from(self.ins.len()).expect("fewer than 2^32 instructions")
    }

    /// A jump to a node, which is compiled some time.
    fn jump(&mut self, node: NodeId, open: &mut Vec<NodeId>) {
        let n = std::mem::take(&mut self.pending);
        self.patches.push((self.ins.len(), node));
        self.emit(Ins::Jump { to: 0, n });
        if !self.positions.contains_key(&node) {
            open.push(node);
        }
    }

    fn step(&mut self, edge: EdgeId, kind: u8) {
        self.pending += 1;
        if self.traced {
            self.emit(Ins::Step { edge: edge.0, kind });
        }
    }

    /// Compiles from a node on, as far as it goes straight ahead.
    fn block(&mut self, mut node: NodeId, open: &mut Vec<NodeId>) {
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
    fn fork(&mut self, edges: &[EdgeId], open: &mut Vec<NodeId>) -> Option<NodeId> {
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
        match self.branch(cond, truth) {
            Ok(at) => {
                self.pending = 0;
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
    fn branch(&mut self, cond: &Expr, truth: bool) -> Result<usize, Stop> {
        let (test, a, b) = self.condition(cond, truth)?;
        let n = self.pending;
        self.emit(Ins::If { test, a, b, to: 0, n });
        Ok(self.ins.len() - 1)
    }

    fn is_wanted(&self, edge: EdgeId) -> bool {
        (self.wanted)(edge)
    }

    /// Notes that an edge is taken.
    fn take(&mut self, edge: EdgeId, kind: u8) {
        self.step(edge, kind);
        if self.is_wanted(edge) {
            let n = std::mem::take(&mut self.pending);
            self.emit(Ins::Target { edge: edge.0, n });
        }
    }

    /// Compiles an edge. Returns whether the code goes on behind it.
    fn edge(&mut self, id: EdgeId) -> bool {
        let kind = u8::from(matches!(self.program.edge(id).op, Op::Call { .. }));
        self.take(id, kind);
        match self.operation(id) {
            Ok(goes_on) => goes_on,
            Err(why) => {
                self.stop(why);
                false
            }
        }
    }

    fn operation(&mut self, id: EdgeId) -> Result<bool, Stop> {
        match &self.program.edge(id).op {
            Op::Nop | Op::Label(_) | Op::Bypass(_) => {}
            Op::Assume { cond, truth } => {
                let (test, a, b) = self.condition(cond, *truth)?;
                let to = self.position() + 2;
                let n = std::mem::take(&mut self.pending);
                self.emit(Ins::If { test, a, b, to, n });
                self.emit(Ins::End { n: 0 });
            }
            Op::Assign { lhs, rhs } => self.assign(lhs, rhs)?,
            Op::Zero { place } => self.clear(place)?,
            Op::Havoc { place, .. } => self.forget(place)?,
            Op::External { ret, .. } => {
                if let Some(place) = ret {
                    self.forget(place)?;
                }
            }
            Op::Asm { outputs, .. } => {
                for place in outputs {
                    self.forget(place)?;
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
                if *may_fail {
                    return Err(Stop("an allocation that may fail"));
                }
                let count = self.value(size)?;
                let d = self.temporary(2);
                self.emit(Ins::Allocate {
                    d,
                    count,
                    zero: *zero,
                    heap: *kind == AllocKind::Heap,
                });
                self.write(lhs, d)?;
            }
            Op::Free { ptr } => {
                let p = self.pointer(ptr)?;
                self.emit(Ins::Free { p });
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

    // ---- assignments --------------------------------------------------------------------------------------------------------

    /// The first register of a place in a plain variable, with its number of registers, and whether it is of static storage.
    fn registers(&mut self, place: &Place) -> Result<Option<(Reg, usize, bool)>, Stop> {
        let PlaceBase::Var(var) = place.base else {
            return Ok(None);
        };
        let owner = self.program.var(var).func;
        if owner.is_some_and(|func| func != self.here) {
            return Err(Stop("a variable of an enclosing function"));
        }
        let Some((first, count)) = self.layout.registers_of(self.program, place) else {
            return match self.program.var(var).in_memory {
                true => Ok(None),
                false => Err(Stop("a part of a plain variable")),
            };
        };
        let here = self.here;
        let base = match owner {
            Some(_) => self.unit(here).base,
            None => self.statics,
        };
        Ok(Some((base + first, count, owner.is_none())))
    }

    fn flag(&mut self, register: Reg) -> Option<Reg> {
        let here = self.here;
        let unit = self.unit(here);
        let at = register.checked_sub(unit.base)? as usize;
        unit.flag_of.get(at).copied().flatten()
    }

    fn set_flags(&mut self, first: Reg, count: usize, has_value: bool) {
        let statics = self.statics..self.statics + Reg::try_from(self.begun.len()).expect("a number of registers");
        if statics.contains(&first) {
            // Up to its first call or branch the start function goes straight ahead.
            if !self.has_begun {
                let home = (first - self.statics) as usize;
                self.begun[home..home + count].fill(has_value);
            }
            return;
        }
        let value = if has_value { self.one } else { self.zero };
        for register in (first..).take(count) {
            if let Some(flag) = self.flag(register) {
                self.emit(Ins::Move { d: flag, a: value });
            }
        }
    }

    /// The registers of a place that is read: they have values.
    pub(super) fn readable(&mut self, place: &Place) -> Result<Option<Reg>, Stop> {
        let Some((first, count, is_static)) = self.registers(place)? else {
            return Ok(None);
        };
        if is_static {
            let home = (first - self.statics) as usize;
            if !self.begun[home..home + count].all() {
                return Err(Stop("a variable without a value"));
            }
        } else {
            for register in (first..).take(count) {
                if let Some(a) = self.flag(register) {
                    self.emit(Ins::Known { a });
                }
            }
        }
        Ok(Some(first))
    }

    /// The register of the tag of an object that is a variable.
    pub(super) fn tag_of(&mut self, var: VarId) -> Result<Reg, Stop> {
        let at = Reg::try_from(self.layout.home(var)).expect("fewer than 2^32 objects");
        match self.program.var(var).func {
            None => Ok(self.static_tags + at),
            Some(func) if func == self.here => Ok(self.unit(func).objects[at as usize].0),
            Some(_) => Err(Stop("a variable of an enclosing function")),
        }
    }

    fn is_composite(&self, place: &Place) -> bool {
        matches!(self.program.types.get(place.ty), Type::Record(_) | Type::Array { .. })
    }

    fn assign(&mut self, lhs: &Place, rhs: &Expr) -> Result<(), Stop> {
        if self.is_composite(lhs) {
            let ExprKind::Load(source) = &rhs.kind else {
                return Err(Stop("a composite value that is no load"));
            };
            return self.copy(lhs, source);
        }
        if let Some((d, count, _)) = self.registers(lhs)?
            && lhs.bits.is_none()
        {
            self.expression_into(rhs, d)?;
            self.set_flags(d, count, true);
            return Ok(());
        }
        let a = self.expression(rhs, None)?;
        self.write(lhs, a)
    }

    /// Writes a scalar to a place.
    pub(super) fn write(&mut self, place: &Place, a: Reg) -> Result<(), Stop> {
        let class = Class::of(&self.program.types, place.ty);
        if let Some((d, count, _)) = self.registers(place)? {
            match (class, place.bits) {
                (Class::Int(info), Some(bits)) => self.normalise(d, a, bits.width, info.signed),
                (Class::Other, _) => return Err(Stop("a value of an unusual type")),
                (Class::Pointer, _) => self.emit(Ins::MovePair { d, a }),
                _ => self.emit(Ins::Move { d, a }),
            }
            self.set_flags(d, count, true);
            return Ok(());
        }
        let at = self.place(place)?;
        self.store(a, at, place)
    }

    fn clear(&mut self, place: &Place) -> Result<(), Stop> {
        if let Some((first, count, _)) = self.registers(place)? {
            for d in (first..).take(count) {
                let a = self.zero;
                self.emit(Ins::Move { d, a });
            }
            self.set_flags(first, count, true);
            return Ok(());
        }
        if place.bits.is_some() {
            let zero = self.zero;
            return self.write(place, zero);
        }
        let (p, count) = self.range(place)?;
        let byte = self.zero;
        self.emit(Ins::Fill { p, byte, count });
        Ok(())
    }

    /// A place gets a value that nobody knows.
    fn forget(&mut self, place: &Place) -> Result<(), Stop> {
        if let Some((first, count, is_static)) = self.registers(place)? {
            if is_static {
                return Err(Stop("an input"));
            }
            // A variable without a flag is never read before it gets a value.
            self.set_flags(first, count, false);
            return Ok(());
        }
        if place.bits.is_some() {
            return Err(Stop("an input"));
        }
        let (p, count) = self.range(place)?;
        self.emit(Ins::Forget { p, count });
        Ok(())
    }

    /// A pointer to a place in memory, and its size.
    fn range(&mut self, place: &Place) -> Result<(Reg, Reg), Stop> {
        let size = self
            .program
            .types
            .size_of(place.ty)
            .ok_or(Stop("a place of unknown size"))?;
        let at = self.place(place)?;
        let p = self.lea(at);
        Ok((p, self.constant(size)))
    }

    pub(super) fn lea(&mut self, at: At) -> Reg {
        if at.i == self.zero && at.add == 0 && at.t == at.o + 1 {
            return at.o;
        }
        let d = self.temporary(2);
        self.emit(Ins::Lea { d, at });
        d
    }

    /// Copies a record or array.
    fn copy(&mut self, to: &Place, from: &Place) -> Result<(), Stop> {
        let (target, source) = (self.registers(to)?, self.registers(from)?);
        let types = &self.program.types;
        match (target, source) {
            (None, None) => {
                let size = types.size_of(to.ty).ok_or(Stop("a record of unknown size"))?;
                let (p, q) = (self.place(to)?, self.place(from)?);
                let (p, q) = (self.lea(p), self.lea(q));
                let count = self.constant(size);
                self.emit(Ins::Copy { p, q, count });
            }
            (Some((d, count, _)), Some(_)) => {
                let a = self.readable(from)?.expect("it is in registers");
                for i in (0..).take(count) {
                    self.emit(Ins::Move { d: d + i, a: a + i });
                }
                self.set_flags(d, count, true);
            }
            (Some((d, count, _)), None) => {
                let at = self.place(from)?;
                let p = self.lea(at);
                self.load_leaves(d, p, from)?;
                self.set_flags(d, count, true);
            }
            (None, Some(_)) => {
                let a = self.readable(from)?.expect("it is in registers");
                let (p, count) = self.range(to)?;
                self.emit(Ins::Forget { p, count });
                self.store_leaves(a, p, from)?;
            }
        }
        Ok(())
    }

    fn load_leaves(&mut self, d: Reg, p: Reg, place: &Place) -> Result<(), Stop> {
        for (leaf, at) in self.leaves_at(p, place)? {
            self.load(d + leaf.0, at, &leaf.1)?;
        }
        Ok(())
    }

    fn store_leaves(&mut self, a: Reg, p: Reg, place: &Place) -> Result<(), Stop> {
        for (leaf, at) in self.leaves_at(p, place)? {
            self.store(a + leaf.0, at, &leaf.1)?;
        }
        Ok(())
    }

    /// The scalars of a record behind a pointer: the register's distance and the place, which is only looked at for its type and bits.
    #[allow(clippy::type_complexity, reason = "the parts are named where they are used")]
    fn leaves_at(&self, p: Reg, place: &Place) -> Result<Vec<((Reg, Place), At)>, Stop> {
        let leaves = leaves(&self.program.types, place.ty).ok_or(Stop("a record with arrays in registers"))?;
        let at = |leaf: super::layout::Leaf| {
            let at = At {
                t: p + 1,
                o: p,
                i: self.zero,
                scale: 0,
                add: i32::try_from(leaf.offset).map_err(|_| Stop("a big record"))?,
            };
            let kind = Place {
                bits: leaf.bits,
                ..Place::var(VarId(0), leaf.ty)
            };
            Ok(((leaf.register as Reg, kind), at))
        };
        leaves.into_iter().map(at).collect()
    }

    // ---- calls ------------------------------------------------------------------------------------------------------------

    fn call(&mut self, edge: EdgeId, func: FuncId, args: &[Expr], ret: Option<&Place>) -> Result<(), Stop> {
        let program = self.program;
        let callee = program.function(func);
        self.has_begun = true;
        if args.len() < callee.params.len() {
            return Err(Stop("a call with too few arguments"));
        }
        // All arguments have their values before the first of them is passed.
        let mut passed = Vec::new();
        for (arg, &param) in args.iter().zip(&callee.params) {
            let var = program.var(param);
            let place = Place::var(param, var.ty);
            if self.here == program.start && self.may_be_unknown(arg)? {
                passed.push((place, Argument::Unknown));
                continue;
            }
            if self.is_composite(&place) {
                let ExprKind::Load(source) = &arg.kind else {
                    return Err(Stop("a composite value that is no load"));
                };
                let argument = self.argument(source)?;
                passed.push((
                    place,
                    if callee.recursive {
                        self.aside(argument, source)?
                    } else {
                        argument
                    },
                ));
                continue;
            }
            let class = Class::of(&program.types, arg.ty);
            if class == Class::Other {
                return Err(Stop("a value of an unusual type"));
            }
            let value = match (callee.recursive, class) {
                (false, _) => self.expression(arg, None)?,
                // The frame may be that of the caller.
                (true, class) => {
                    let d = self.temporary(class.registers());
                    self.expression_into(arg, d)?;
                    d
                }
            };
            passed.push((place, Argument::Scalar(value)));
        }
        let n = std::mem::take(&mut self.pending);
        let enter = self.ins.len();
        self.emit(Ins::Enter { func: func.0, back: 0 });
        let caller = std::mem::replace(&mut self.here, func);
        let moved = passed
            .into_iter()
            .try_for_each(|(place, argument)| self.pass(&place, argument));
        self.here = caller;
        moved?;
        self.emit(Ins::Go { func: func.0, n });
        let back = self.position();
        if let Ins::Enter { back: at, .. } = &mut self.ins[enter] {
            *at = back;
        }
        self.step(edge, 2);
        self.used = [0; 2];
        match (ret, callee.ret) {
            (Some(place), Some(var)) => self.result(place, func, var),
            (Some(place), None) => self.forget(place),
            (None, _) => Ok(()),
        }
    }

    /// Whether an argument is a variable that may have no value.
    fn may_be_unknown(&mut self, arg: &Expr) -> Result<bool, Stop> {
        let ExprKind::Load(place) = &arg.kind else {
            return Ok(false);
        };
        let registers = self.registers(place)?;
        Ok(registers
            .is_some_and(|(first, count, _)| (first..).take(count).any(|register| self.flag(register).is_some())))
    }

    /// A record that is passed. It is read where it is, before the callee could change it.
    fn argument(&mut self, source: &Place) -> Result<Argument, Stop> {
        match self.readable(source)? {
            Some(register) => Ok(Argument::Registers(register)),
            None => {
                let at = self.place(source)?;
                Ok(Argument::Memory(self.lea(at), source.clone()))
            }
        }
    }

    /// The same record, where no frame is.
    fn aside(&mut self, argument: Argument, source: &Place) -> Result<Argument, Stop> {
        match argument {
            Argument::Registers(a) => {
                let count = self.registers(source)?.map_or(0, |(_, count, _)| count);
                let d = self.reserve(count);
                for i in (0..).take(count) {
                    self.emit(Ins::Move { d: d + i, a: a + i });
                }
                Ok(Argument::Registers(d))
            }
            Argument::Memory(a, source) => {
                let d = self.temporary(2);
                self.emit(Ins::MovePair { d, a });
                Ok(Argument::Memory(d, source))
            }
            other @ (Argument::Scalar(_) | Argument::Unknown) => Ok(other),
        }
    }

    /// Moves an argument to its parameter; the frame at hand is the callee's.
    fn pass(&mut self, place: &Place, argument: Argument) -> Result<(), Stop> {
        match argument {
            Argument::Scalar(a) => self.write(place, a),
            // An object in memory is unknown when it is made.
            Argument::Unknown => {
                if let Some((d, count, _)) = self.registers(place)? {
                    self.set_flags(d, count, false);
                }
                Ok(())
            }
            Argument::Registers(a) => match self.registers(place)? {
                Some((d, count, _)) => {
                    for i in (0..).take(count) {
                        self.emit(Ins::Move { d: d + i, a: a + i });
                    }
                    self.set_flags(d, count, true);
                    Ok(())
                }
                None => {
                    let (p, _) = self.range(place)?;
                    self.store_leaves(a, p, place)
                }
            },
            Argument::Memory(q, source) => match self.registers(place)? {
                Some((d, count, _)) => {
                    self.load_leaves(d, q, &source)?;
                    self.set_flags(d, count, true);
                    Ok(())
                }
                None => {
                    let (p, count) = self.range(place)?;
                    self.emit(Ins::Copy { p, q, count });
                    Ok(())
                }
            },
        }
    }

    /// Leaves the function: its result goes to where results are passed.
    fn leave(&mut self) {
        let program = self.program;
        self.used = [0; 2];
        let ret = program.function(self.here).ret;
        let here = self.here;
        if let Some(var) = ret {
            let place = Place::var(var, program.var(var).ty);
            let moved = self.registers(&place).and_then(|registers| match registers {
                Some((a, count, _)) if count <= MOST_RESULTS => {
                    for i in (0..).take(count) {
                        let d = self.results + i;
                        self.emit(Ins::Move { d, a: a + i });
                    }
                    let (d, one) = (self.has_result, self.one);
                    self.emit(Ins::Move { d, a: one });
                    for register in (a..).take(count) {
                        if let Some(b) = self.flag(register) {
                            self.emit(Ins::And { d, a: d, b });
                        }
                    }
                    Ok(())
                }
                Some(_) => Err(Stop("a big result")),
                None => {
                    let (q, count) = self.range(&place)?;
                    let p = self.result_objects[&here];
                    self.emit(Ins::Copy { p, q, count });
                    Ok(())
                }
            });
            if let Err(why) = moved {
                self.stop(why);
                return;
            }
        }
        let n = std::mem::take(&mut self.pending);
        self.emit(Ins::Leave { n });
    }

    /// Takes a result from where it was passed.
    fn result(&mut self, place: &Place, func: FuncId, var: VarId) -> Result<(), Stop> {
        if let Some(&q) = self.result_objects.get(&func) {
            let source = Place::var(var, self.program.var(var).ty);
            if !self.is_composite(place) {
                return Err(Stop("a scalar result in memory"));
            }
            return self.pass(place, Argument::Memory(q, source));
        }
        let (a, flag) = (self.results, self.has_result);
        let needs_flag = {
            let home = self.layout.home(var);
            let count = self
                .layout
                .registers_of(self.program, &Place::var(var, self.program.var(var).ty));
            let count = count.map_or(0, |(_, count)| count);
            self.unit(func).flag_of[home..home + count].iter().any(Option::is_some)
        };
        if needs_flag {
            self.emit(Ins::Known { a: flag });
        }
        if !self.is_composite(place) {
            return self.write(place, a);
        }
        match self.registers(place)? {
            Some((d, count, _)) => {
                for i in (0..).take(count) {
                    self.emit(Ins::Move { d: d + i, a: a + i });
                }
                self.set_flags(d, count, true);
                Ok(())
            }
            None => {
                let (p, count) = self.range(place)?;
                self.emit(Ins::Forget { p, count });
                self.store_leaves(a, p, place)
            }
        }
    }
}

/// What is passed to a parameter.
enum Argument {
    Scalar(Reg),
    /// Something that nobody knows.
    Unknown,
    /// A record in registers.
    Registers(Reg),
    /// A record behind a pointer, with a place of its type.
    Memory(Reg, Place),
}
