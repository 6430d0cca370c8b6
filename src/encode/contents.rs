//! Which bytes were written.
//!
//! One byte is *watched*: its address is any number that never changes. A flag says whether the watched byte was written since its object began to exist. A question about bytes is
//! answered with yes unless the watched byte is one of them and its flag is not set; then any answer will do. Each execution that reads a byte which nothing has written is in the
//! formula, as the one that watches this byte. (It is the construction of [`inspect`](super::inspect).)
//!
//! Bytes that are copied may have been written or not: only the watched one's flag is known.

use super::context::{Context, Value};
use super::ranges::Range;
use super::slots;
use crate::cfa::memory_types::in_memory;
use crate::cfa::program::visit::{Part, visit_parts};
use crate::cfa::{Expr, ExprKind, Input, Op, Place, PlaceBase, VarId, VarKind};
use provident_smt::num::Int;
use provident_smt::term::TermId;

/// A change of the flag of a byte.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Flag {
    Set,
    Cleared,
    /// Nothing is known of it any more.
    Any,
}

impl Context<'_, '_> {
    /// A formula that implies that bytes were written.
    pub(super) fn is_written(&mut self, ptr: &Expr, len: &Expr) -> TermId {
        let (first, count) = (self.pointer(ptr), self.value(len));
        let end = self.plus(&first, &count);
        let is_among = self.is_watched_among(first.term, end.term);
        let (elsewhere, flag) = (self.pool.not(is_among), self.flag());
        let one = self.pool.int(1i64);
        let is_set = self.pool.eq(flag.term, one);
        self.pool.or2(elsewhere, is_set)
    }

    /// Follows the flag over an operation, before its other effects.
    pub(super) fn follow_contents(&mut self, op: &Op) {
        if !self.encoder.follows_contents {
            return;
        }
        match op {
            // Parameters and results are followed where they get their values.
            Op::Call { .. } => {}
            Op::Assign { lhs, rhs } => self.note_assigned(lhs, rhs),
            // It stands for a copy.
            Op::Havoc {
                place,
                source: Input::LeftOut,
            } => self.note_place(place, Flag::Any),
            Op::MemSet { dst, len, .. } => self.note_bytes(dst, len, Flag::Set),
            Op::MemCopy { dst, len, .. } => self.note_bytes(dst, len, Flag::Any),
            Op::Mark { ptr, len, written } => {
                let flag = match written.as_const().map(Int::is_zero) {
                    Some(true) => Flag::Cleared,
                    Some(false) => Flag::Set,
                    None => Flag::Any,
                };
                match len {
                    Some(len) => self.note_bytes(ptr, len, flag),
                    None => self.note_whole(ptr, flag),
                }
            }
            _ => visit_parts(op, &mut |part| {
                if let Part::Written(place) = part {
                    self.note_place(place, Flag::Set);
                }
            }),
        }
    }

    /// A place gets a value: of a structure in memory, with bytes that may not be written.
    pub(super) fn note_assigned(&mut self, lhs: &Place, rhs: &Expr) {
        let flag = match &rhs.kind {
            ExprKind::Load(source) if !self.is_scalar(lhs) && !self.is_written_always(source) => Flag::Any,
            _ => Flag::Set,
        };
        self.note_place(lhs, flag);
    }

    /// Whether all bytes of a place were written at any time: in the image of an initialiser, or a plain variable. One of static storage may be a copy of what was not.
    fn is_written_always(&self, place: &Place) -> bool {
        match place.base {
            PlaceBase::Var(var) => {
                let program = self.encoder.program;
                let is_image = matches!(program.var(var).kind, VarKind::InitImage | VarKind::StringLiteral);
                (is_image || !in_memory(program, place)) && !self.encoder.stand_ins.contains(&var)
            }
            PlaceBase::Deref(_) => false,
        }
    }

    /// The flag of a byte of a place.
    pub(super) fn note_place(&mut self, place: &Place, flag: Flag) {
        if !self.encoder.follows_contents || !in_memory(self.encoder.program, place) {
            return;
        }
        let address = self.address(place);
        // The address of a bit-field is that of the byte with its first bit.
        let count = match (place.bits, self.encoder.program.types.size_of(place.ty)) {
            (Some(bits), _) => (bits.offset % 8 + u64::from(bits.width)).div_ceil(8),
            (None, Some(size)) => size,
            (None, None) => return,
        };
        let end = self.further(address.term, count);
        self.note(address.term, end, flag);
    }

    fn note_bytes(&mut self, ptr: &Expr, len: &Expr, flag: Flag) {
        let (first, count) = (self.pointer(ptr), self.value(len));
        let end = self.plus(&first, &count);
        self.note(first.term, end.term, flag);
    }

    /// The flag of a byte of the object that a pointer points into: of the variable in sight, or of the heap object that begins there.
    fn note_whole(&mut self, ptr: &Expr, flag: Flag) {
        let program = self.encoder.program;
        match variable_in_sight(ptr).and_then(|var| Some((program.address_at(var, self.depth)?, var))) {
            Some((address, var)) => {
                let size = program.var(var).size(&program.types).unwrap_or(0);
                let [first, end] = [address, address + size].map(|at| self.pool.int(i128::from(at)));
                self.note(first, end, flag);
            }
            None => {
                let first = self.pointer(ptr);
                let size = self.size_at(first.term);
                let end = self.pool.add(first.term, size);
                self.note(first.term, end, flag);
            }
        }
    }

    /// Changes the flag if the watched byte is one of those from an address up to another one.
    pub(super) fn note(&mut self, first: TermId, end: TermId, flag: Flag) {
        if !self.encoder.follows_contents || first == end {
            return;
        }
        let is_among = self.is_watched_among(first, end);
        let before = self.flag();
        let now = match flag {
            Flag::Set => self.pool.int(1i64),
            Flag::Cleared => self.pool.int(0i64),
            Flag::Any => self.any(Range::bit()).term,
        };
        let term = self.pool.ite(is_among, now, before.term);
        self.write_slot(slots::WRITTEN, &Value::new(term, Range::bit()));
    }

    fn is_watched_among(&mut self, first: TermId, end: TermId) -> TermId {
        let watched = self.variable(slots::WATCHED_BYTE, 0);
        let (above, below) = (self.pool.le(first, watched), self.pool.lt(watched, end));
        self.pool.and2(above, below)
    }

    fn flag(&mut self) -> Value {
        let index = self.ssa.index(slots::WRITTEN);
        let term = self.variable(slots::WRITTEN, index);
        self.bound(term, &Range::bit());
        Value::new(term, Range::bit())
    }
}

/// The variable whose address a pointer was computed from, if the expression says so.
fn variable_in_sight(pointer: &Expr) -> Option<VarId> {
    match &pointer.kind {
        ExprKind::Cast(x) => variable_in_sight(x),
        ExprKind::AddrOf(place) => match &place.base {
            PlaceBase::Var(var) => Some(*var),
            PlaceBase::Deref(_) => None,
        },
        _ => None,
    }
}
