//! The operations of the program, one by one.

use super::super::memory::{Access, Bytes, Object};
use super::super::value::{InputId, Shape, Value, mask};
use super::super::{Allocation, Request, Stop};
use super::{BIGGEST_RANGE, Machine, Payload, Store};
use crate::cfa::library::standard::is_standard;
use crate::cfa::{AllocKind, BinOp, Expr, ExprKind, HEAP_BASE, Input, Inspection, Invention, Op, Place, VarId};
use provident_smt::num::Int;
use std::collections::BTreeSet;

impl<'p, 's> Machine<'p, 's> {
    /// Carries out one operation. Long, as it has a case for each.
    pub(super) fn operation(&mut self, op: &'p Op) -> Result<(), Stop> {
        match op {
            Op::Nop | Op::Label(_) | Op::Bypass(_) => Ok(()),
            Op::Assume { cond, truth } => {
                let holds = self.holds(cond, *truth)?;
                self.taint.decides();
                if holds {
                    return if *truth { self.judge_target(cond) } else { Ok(()) };
                }
                let wanted = if *truth { "true" } else { "false" };
                Err(Stop::Refuted(format!(
                    "the condition is not {wanted} in the concrete execution"
                )))
            }
            Op::Assign { lhs, rhs } => match (&rhs.kind, &self.unwritten) {
                (ExprKind::Load(place), Some(_)) if self.program.types.size_of(place.ty) == Some(1) => {
                    self.copy_byte(lhs, place, rhs)
                }
                _ => {
                    let value = self.rvalue(rhs)?;
                    self.assign(lhs, value)
                }
            },
            Op::Zero { place } => {
                let location = self.locate(place)?;
                let size = self.size(place.ty)?;
                self.allow(location, size, true)?;
                let zeros = std::iter::repeat(0u8);
                self.log_written(location, size);
                self.store_mut(location.store).write(location.address, zeros, size);
                Ok(())
            }
            Op::Havoc { place, source } => self.ask_for(place, source),
            Op::Call { .. } => Err(Stop::Refuted("the path takes a call as one step".to_string())),
            Op::External { func, args, ret } => {
                let mut shown = Vec::new();
                let shares = !is_standard(&self.program.function(*func).name);
                for arg in args {
                    shown.push(match Shape::of(&self.program.types, arg.ty) {
                        Ok(shape) => {
                            let value = self.evaluate(arg)?;
                            if shares && let Ok(address) = u64::try_from(value.bits) {
                                self.share(address);
                            }
                            value.show(shape)
                        }
                        Err(_) => "...".to_string(),
                    });
                }
                self.external_calls.push((*func, shown));
                match ret {
                    Some(place) => {
                        let source = Input::returned(&self.program.function(*func).name);
                        self.ask_for(place, &source)
                    }
                    None => Ok(()),
                }
            }
            Op::Allocate {
                lhs,
                size,
                zero,
                kind,
                may_fail,
            } => self.allocate(lhs, size, *zero, *kind, *may_fail),
            Op::Inspect { lhs, question } => self.inspect(lhs, question),
            Op::Free { ptr, kind } => self.free(ptr, *kind),
            Op::Mark { ptr, len, written } => self.mark(ptr, len.as_ref(), written),
            Op::MemSet { dst, byte, len } => {
                let (mut target, byte) = (self.pointer(dst)?, self.evaluate(byte)?);
                let (count, mark) = self.count(len)?;
                target.mark = target.mark.or(mark);
                self.allow(target, count, true)?;
                let byte = byte.bits.to_le_bytes()[0];
                self.log_written(target, count);
                self.memory.write(target.address, std::iter::repeat(byte), count);
                Ok(())
            }
            Op::MemCopy { dst, src, len } => {
                let (mut target, source) = (self.pointer(dst)?, self.pointer(src)?);
                let (count, mark) = self.count(len)?;
                target.mark = target.mark.or(mark);
                self.allow(source, count, false)?;
                self.allow(target, count, true)?;
                self.make_known(source, count);
                let marks = self.taint.cut(Store::Memory, source.address, count);
                let unwritten = self.copied(source, count);
                self.log_written(target, count);
                self.begin_unwritten(target, unwritten);
                // Each byte has its own mark, unless where they come from is invented.
                if source.mark.is_none() && !marks.is_empty() {
                    self.taint.paste(Store::Memory, target.address, marks);
                }
                self.memory.copy(target.address, source.address, count);
                Ok(())
            }
            Op::Asm { outputs, .. } => outputs.iter().try_for_each(|place| {
                self.ask_for(
                    place,
                    &Input::invented(Invention::Assembly, "an output of inline assembly"),
                )
            }),
        }
    }

    /// Copies a byte, which is no use of it: a byte that nothing has written has a copy that nothing has written.
    fn copy_byte(&mut self, lhs: &Place, place: &Place, rhs: &Expr) -> Result<(), Stop> {
        let interrupted = self.copies(true);
        let copied = self.rvalue(rhs).and_then(|value| Ok((value, self.locate(place)?)));
        self.copies(interrupted);
        let (value, source) = copied?;
        let unwritten = self.copied(source, 1);
        self.assign(lhs, value)?;
        let target = self.locate(lhs)?;
        self.begin_unwritten(target, unwritten);
        Ok(())
    }

    /// A function pointer from outside that happens to be the address of a function of the program proves nothing: the solver was
    /// free to choose it, the environment would have to know the function.
    fn judge_target(&mut self, cond: &Expr) -> Result<(), Stop> {
        let ExprKind::Binary(BinOp::Eq, a, b) = &cond.kind else {
            return Ok(());
        };
        let (pointer, func) = match (&a.kind, &b.kind) {
            (_, ExprKind::FuncAddr(func)) => (a, func),
            (ExprKind::FuncAddr(func), _) => (b, func),
            _ => return Ok(()),
        };
        match self.evaluate(pointer)?.origin {
            Some(_) => Err(Stop::undefined(format!(
                "a function pointer from outside is taken for `{}`",
                self.program.function(*func).name
            ))),
            None => Ok(()),
        }
    }

    fn allocate(&mut self, lhs: &Place, size: &Expr, zero: bool, kind: AllocKind, fail: bool) -> Result<(), Stop> {
        let (size, mark) = self.count(size)?;
        // Which bytes there are depends on the size: so does every access by an address of the object.
        self.taint.join(mark);
        let wish = self.source.supply(&Request::Allocated { step: self.step });
        let width = Shape::int(&self.program.types, lhs.ty)?.width;
        if fail && wish.as_ref().is_some_and(Int::is_zero) {
            self.note_allocation(0, size);
            return self.assign(lhs, Payload::Scalar(Value::bits(0, width)));
        }
        // Any address is as good as the next free one, as long as it is free: follow the model where that is possible.
        let address = wish
            .and_then(|wish| wish.to_i128())
            .and_then(|wish| u64::try_from(wish).ok())
            .filter(|&wish| wish % 16 == 0 && (wish >= self.next_block || self.is_reserved(wish, size)))
            .unwrap_or(self.next_block);
        let end = address.saturating_add(size).saturating_add(31) & !15;
        if u128::from(end) > mask(width) / 2 + 1 {
            return Err(Stop::undefined(format!(
                "{size} bytes are allocated, which is more than there are"
            )));
        }
        self.next_block = self.next_block.max(end);
        self.note_allocation(address, size);
        self.objects.add(
            address,
            Object {
                size,
                live: true,
                var: None,
                constant: false,
                aligned: kind == AllocKind::Aligned,
                stack: kind.is_on_stack(),
                lost: false,
                shared: false,
            },
        );
        if zero {
            if size > BIGGEST_RANGE {
                return Err(Stop::undefined(format!("{size} bytes are allocated and cleared")));
            }
            self.memory.write(address, std::iter::repeat(0), size);
            if let Some(log) = &mut self.log {
                log.written(Store::Memory, address, size);
            }
            self.taint.clear(Store::Memory, address, size);
        }
        if !zero && self.gives_back_at_once() {
            let mark = self
                .taint
                .invent(Invention::Memory, "the contents after `realloc`", self.loc);
            let marks = std::iter::repeat_n(mark, usize::try_from(size).unwrap_or(0));
            self.taint.paste(Store::Memory, address, marks);
        }
        if kind.is_on_stack()
            && let Some(frame) = self.frames.last_mut()
        {
            frame.blocks.push(address);
        }
        self.assign(lhs, Payload::Scalar(Value::bits(address.into(), width)))
    }

    /// Whether the allocation is that of a `realloc`, which lowering makes of an allocation and a release in one place.
    fn gives_back_at_once(&self) -> bool {
        let edge = self.program.edge(self.edge);
        let outgoing = self.program.node(edge.to).outgoing.iter();
        let mut next = outgoing.map(|&next| self.program.edge(next));
        next.any(|next| matches!(next.op, Op::Free { .. }) && next.loc == edge.loc)
    }

    /// Gives no addresses below `end` to allocations that have no wish.
    pub fn reserve(&mut self, end: u64) {
        self.next_block = self.next_block.max(end);
        self.reserved = HEAP_BASE..self.next_block;
    }

    /// Whether a block may begin at an address that is reserved: nothing was there before.
    fn is_reserved(&self, address: u64, size: u64) -> bool {
        let end = address.saturating_add(size);
        self.reserved.contains(&address) && end <= self.reserved.end && self.objects.is_free(address, end)
    }

    fn note_allocation(&mut self, address: u64, size: u64) {
        let step = self.step;
        self.allocations.push(Allocation { step, address, size });
    }

    fn inspect(&mut self, lhs: &Place, question: &Inspection) -> Result<(), Stop> {
        let answer = match question {
            Inspection::Size(ptr) => self.object_size(ptr)?,
            Inspection::Accessible { ptr, len, write } => self.is_accessible(ptr, len, *write)?.into(),
            Inspection::Written { ptr, len } => self.is_written(ptr, len)?.into(),
            Inspection::Releasable(ptr) => self.is_releasable(ptr)?.into(),
            Inspection::Tracked => {
                let lost = self.untracked();
                lost.iter().for_each(|&base| self.objects.lose(base));
                lost.is_empty().into()
            }
            Inspection::Released => self.is_released()?.into(),
        };
        let width = Shape::int(&self.program.types, lhs.ty)?.width;
        self.assign(lhs, Payload::Scalar(Value::bits(answer.into(), width)))
    }

    /// Whether no heap object is left.
    fn is_released(&self) -> Result<bool, Stop> {
        let left = || self.objects.live().filter(|(_, object)| object.is_block());
        match left().next() {
            None => Ok(true),
            Some(_) if left().all(|(_, object)| object.shared) => Err(Stop::undefined(
                "nothing says whether a function without body gives an object back that it got".to_string(),
            )),
            Some(_) => Ok(false),
        }
    }

    /// Whether bytes may be accessed.
    fn is_accessible(&mut self, ptr: &Expr, len: &Expr, write: bool) -> Result<bool, Stop> {
        let target = self.pointer(ptr)?;
        let (count, mark) = self.count(len)?;
        for mark in [target.mark, mark] {
            self.taint.may_stop(mark);
            self.taint.join(mark);
        }
        match self.objects.access(target.address, count) {
            Access::Inside { constant } => Ok(!(constant && write)),
            Access::Dead | Access::Beyond | Access::Outside => {
                self.judge_size(target.address)?;
                self.is_refused(target.origin)
            }
        }
    }

    /// Whether a pointer may be given back.
    fn is_releasable(&mut self, ptr: &Expr) -> Result<bool, Stop> {
        let target = self.pointer(ptr)?;
        self.taint.may_stop(target.mark);
        self.taint.join(target.mark);
        match self.objects.at(target.address) {
            _ if target.address == 0 => Ok(true),
            Some(object) if object.live && object.is_block() => Ok(true),
            _ => self.is_refused(target.origin),
        }
    }

    /// Stops at an address in a variable whose size the program does not say, as `extern int table[];`.
    fn judge_size(&self, address: u64) -> Result<(), Stop> {
        match self.objects.unsized_around(address) {
            Some(var) => Err(Stop::undefined(format!(
                "nothing says how many bytes `{}` has",
                self.program.var(var).display
            ))),
            None => Ok(()),
        }
    }

    /// The answer where a pointer is not into an object of the program: no, unless it came from the environment, which may have made the object.
    fn is_refused(&self, origin: Option<InputId>) -> Result<bool, Stop> {
        let asked = origin.and_then(|id| self.asked.get(usize::try_from(id.0).ok()?));
        match asked.filter(|asked| asked.outside) {
            Some(asked) => Err(Stop::undefined(format!(
                "nothing says whether the pointer from {} points to an object outside of the program",
                asked.what
            ))),
            None => Ok(false),
        }
    }

    /// The addresses of the blocks that no variable points into, directly or through other objects. A number that is the address of a block counts as a pointer.
    fn untracked(&self) -> Vec<u64> {
        let blocks = || {
            let live = self.objects.live();
            live.filter(|(_, object)| object.is_block() && !object.lost && !object.shared)
        };
        if blocks().next().is_none() {
            return Vec::new();
        }
        let mut seen = BTreeSet::new();
        let mut open = Vec::new();
        let mut scan = |bytes: &Bytes, start: u64, size: u64, open: &mut Vec<(u64, u64)>| {
            for (base, size) in self.pointed_to(bytes, start, size) {
                if seen.insert(base) {
                    open.push((base, size));
                }
            }
        };
        for (start, size) in self.live_registers() {
            scan(&self.registers, start, size, &mut open);
        }
        // The environment points into an object that it got.
        let shared = self.objects.live().filter(|(_, object)| object.shared);
        open.extend(shared.map(|(base, object)| (base, object.size)));
        for (base, object) in self.objects.live().filter(|(_, object)| !object.is_block()) {
            scan(&self.memory, base, object.size, &mut open);
        }
        while let Some((base, size)) = open.pop() {
            scan(&self.memory, base, size, &mut open);
        }
        blocks()
            .map(|(base, _)| base)
            .filter(|base| !seen.contains(base))
            .collect()
    }

    /// The objects that words among some bytes point into, or just behind: first byte and size.
    pub(super) fn pointed_to(&self, bytes: &Bytes, start: u64, size: u64) -> Vec<(u64, u64)> {
        let pointer = self.program.types.data_model().pointer_bytes();
        let mut found = Vec::new();
        // Pointers in packed records may be anywhere: the last bytes that are known, as a word.
        let (mut word, mut known) = (0u64, 0);
        for i in 0..size.saturating_add(pointer - 1) {
            let Some(byte) = bytes.get(start.wrapping_add(i)) else {
                known = 0;
                continue;
            };
            word = word >> 8 | u64::from(byte) << (8 * (pointer - 1));
            known += 1;
            if known < pointer || word == 0 {
                continue;
            }
            found.extend(self.objects.live_around(word).map(|(base, object)| (base, object.size)));
        }
        found
    }

    /// Where the plain variables lie that exist: those of static storage and of open frames.
    fn live_registers(&self) -> Vec<(u64, u64)> {
        let live = |&(&(var, depth), &at): &(&(VarId, u32), &u64)| {
            let func = self.program.var(var).func;
            let is_open = func.is_none_or(|func| depth < self.active[func.index()]);
            is_open.then(|| (at, self.program.var(var).size(&self.program.types).unwrap_or(0)))
        };
        let mut found: Vec<(u64, u64)> = self.register_of.iter().filter_map(|entry| live(&entry)).collect();
        found.sort_unstable();
        found
    }

    fn object_size(&mut self, ptr: &Expr) -> Result<u64, Stop> {
        let target = self.pointer(ptr)?;
        self.taint.may_stop(target.mark);
        self.taint.join(target.mark);
        let size = match self.objects.at(target.address) {
            _ if target.address == 0 => 0,
            Some(object) if object.live && object.var.is_none() => object.size,
            _ => {
                return Err(Stop::undefined(
                    "the size of what is no allocated object is asked for".to_string(),
                ));
            }
        };
        Ok(size)
    }

    fn free(&mut self, ptr: &Expr, kind: AllocKind) -> Result<(), Stop> {
        let target = self.pointer(ptr)?;
        self.taint.may_stop(target.mark);
        if target.address == 0 {
            return Ok(());
        }
        match self.objects.at(target.address) {
            Some(object) if object.live && object.var.is_none() && object.stack == kind.is_on_stack() => {
                self.objects.end(target.address);
            }
            // An object that the program got from outside may be given back.
            _ if target.origin.is_some() => {}
            _ => {
                return Err(Stop::undefined(
                    "a pointer is freed that points to no allocated object".to_string(),
                ));
            }
        }
        Ok(())
    }
}
