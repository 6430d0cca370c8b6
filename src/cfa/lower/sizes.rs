//! Sizes that are known at run time only: arrays of variable length, and (GNU C) records with them.
//!
//! Each length is evaluated once, where its declaration or type name is reached, into a temporary of its own; sizes of types, offsets of members behind such an array, and steps of pointers are
//! computed from those. An object of such a type is a new object of that many bytes, to which a pointer in the frame leads.
//!
//! A member behind one of variable size is accessed by its address, since its place in the record is not fixed.

use super::Lowerer;
use crate::cfa::AssumptionKind;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{ArrayLen, RecordId, RecordKind, Type, TypeId, Types, VlaId};

impl Lowerer<'_> {
    /// Evaluates array lengths into temporaries.
    pub(super) fn evaluate_lengths(&mut self, lengths: &[VlaId]) {
        for &id in lengths {
            let Some(length) = self.unit.vla_length(id) else {
                continue;
            };
            let loc = self.unit.expr(length).loc;
            let value = self.rvalue(length);
            let var = match self.vlas.get(&id.0) {
                Some(&var) => var,
                None => {
                    let var = self.temp(self.size_t, loc);
                    self.vlas.insert(id.0, var);
                    var
                }
            };
            let lhs = Place::var(var, self.size_t);
            let rhs = expr::cast(&self.types, value, self.size_t);
            self.emit(Op::Assign { lhs, rhs }, loc);
        }
    }

    /// No object is larger than memory: where the size of an array of variable length would wrap around, the execution ends, as it does where memory runs out.
    pub(super) fn fit_in_memory(&mut self, array: TypeId, loc: Loc) {
        let Type::Array {
            elem,
            len: ArrayLen::Variable(id),
        } = *self.types.get(array)
        else {
            return;
        };
        let size = self.types.size_of(elem).filter(|&size| size > 1);
        let (Some(size), Some(&var), Some(info)) = (size, self.vlas.get(&id.0), self.int_info(self.size_t)) else {
            return;
        };
        let most = ((1i128 << info.width) - 1) / i128::from(size);
        let (length, most) = (
            Expr::load(Place::var(var, self.size_t)),
            self.int_const(most, self.size_t),
        );
        let text = "no array of variable length is larger than memory";
        self.assume(AssumptionKind::Allocation, text.to_owned(), loc, false);
        let fits = expr::binary(&self.types, BinOp::Le, length, most, Types::INT);
        let (yes, no) = (self.new_node(loc), self.new_node(loc));
        self.test(fits, yes, no, loc);
        self.cur = yes;
    }

    /// The size of an object type in bytes, of type `size_t`.
    pub(super) fn size_expr(&mut self, ty: TypeId) -> Expr {
        if let Some(size) = self.types.size_of(ty) {
            return self.int_const(i128::from(size), self.size_t);
        }
        match *self.types.get(ty) {
            Type::Array { elem, len } => {
                let size = self.size_expr(elem);
                let count = match len {
                    ArrayLen::Fixed(n) => self.int_const(i128::from(n), self.size_t),
                    ArrayLen::Incomplete => Expr::int(0, self.size_t),
                    ArrayLen::Variable(id) => match self.vlas.get(&id.0) {
                        Some(&var) => Expr::load(Place::var(var, self.size_t)),
                        None => self.invent(self.size_t, Invention::Size, "the length of an array", Loc::NONE),
                    },
                };
                expr::binary(&self.types, BinOp::Mul, count, size, self.size_t)
            }
            Type::Record(record) if self.types.record(record).variable => self.record_size(record),
            // `void` and functions count as one byte; the size of what is incomplete is asked for in wrong programs only.
            _ => Expr::int(1, self.size_t),
        }
    }

    fn record_size(&mut self, record: RecordId) -> Expr {
        let declaration = self.types.record(record);
        let (count, align) = (declaration.fields.len(), declaration.align);
        let end = match declaration.kind {
            RecordKind::Struct => self.offset_behind(record, count),
            RecordKind::Union => self.greatest_member(record),
        };
        match end {
            Some(end) => self.round_up(end, align),
            None => {
                let what = "the size of a record with a bit-field behind an array of variable length";
                self.invent(self.size_t, Invention::Size, what, Loc::NONE)
            }
        }
    }

    /// The size of the largest member of a union.
    fn greatest_member(&mut self, record: RecordId) -> Option<Expr> {
        let types: Vec<TypeId> = self.types.record(record).fields.iter().map(|f| f.ty).collect();
        let loc = self.types.record(record).loc;
        let most = Place::var(self.temp(self.size_t, loc), self.size_t);
        self.zero(most.clone(), loc);
        for ty in types {
            let size = self.size_expr(ty);
            let more = expr::binary(
                &self.types,
                BinOp::Gt,
                size.clone(),
                Expr::load(most.clone()),
                Types::INT,
            );
            let (yes, no) = (self.new_node(loc), self.new_node(loc));
            self.test(more, yes, no, loc);
            let lhs = most.clone();
            self.edge(yes, no, Op::Assign { lhs, rhs: size }, loc);
            self.cur = no;
        }
        Some(Expr::load(most))
    }

    /// The end of the given number of first members of a struct, in bytes; `None` if that is not known.
    fn offset_behind(&mut self, record: RecordId, count: usize) -> Option<Expr> {
        let declaration = self.types.record(record);
        let aligns = declaration.aligns.clone();
        if aligns.is_empty() {
            return None;
        }
        let fields: Vec<(TypeId, u64, bool)> = declaration.fields[..count]
            .iter()
            .map(|f| (f.ty, f.offset, f.bits.is_some()))
            .collect();
        let first = fields.iter().position(|f| self.has_variable_length(f.0))?;
        let mut end = self.int_const(i128::from(fields[first].1), self.size_t);
        for (i, &(ty, _, bits)) in fields.iter().enumerate().skip(first) {
            assert!(!bits, "bit-fields lie before what has a variable size");
            let start = self.round_up(end, aligns[i]);
            let size = self.size_expr(ty);
            end = expr::binary(&self.types, BinOp::Add, start, size, self.size_t);
        }
        Some(end)
    }

    /// The next multiple of a power of two.
    fn round_up(&mut self, value: Expr, align: u64) -> Expr {
        if align <= 1 {
            return value;
        }
        let ty = self.size_t;
        let less = self.int_const(i128::from(align - 1), ty);
        let sum = expr::binary(&self.types, BinOp::Add, value, less, ty);
        let align = self.int_const(i128::from(align), ty);
        let count = expr::binary(&self.types, BinOp::Div, sum, align.clone(), ty);
        expr::binary(&self.types, BinOp::Mul, count, align, ty)
    }

    /// A member that lies behind one of variable size in the record at a place.
    pub(super) fn moved_member(&mut self, place: Place, record: RecordId, field: u32, loc: Loc) -> Place {
        let declaration = self.types.record(record);
        let ty = declaration.fields[field as usize].ty;
        let align = declaration.aligns.get(field as usize).copied();
        let pointer = self.types.pointer_to(ty);
        let before = self.offset_behind(record, field as usize);
        let address = match (before, align) {
            (Some(end), Some(align)) => {
                let offset = self.round_up(end, align);
                let offset = expr::cast(&self.types, offset, self.intptr);
                let start = self.address(place);
                let ty = start.ty;
                let moved = expr::binary(&self.types, BinOp::Add, start, offset, ty);
                expr::cast(&self.types, moved, pointer)
            }
            _ => {
                let what = "the address of a bit-field behind an array of variable length";
                self.invent(pointer, Invention::Size, what, loc)
            }
        };
        Place::deref(address, ty)
    }

    /// The value of a new object that holds what an object of variable size does.
    pub(super) fn save_variable(&mut self, from: Place, loc: Loc) -> Expr {
        let pointer = self.types.pointer_to(from.ty);
        let lhs = Place::var(self.temp(pointer, loc), pointer);
        let size = self.size_expr(from.ty);
        let op = Op::Allocate {
            lhs: lhs.clone(),
            size,
            zero: false,
            kind: AllocKind::Stack,
            may_fail: false,
        };
        self.emit(op, loc);
        let to = Place::deref(Expr::load(lhs), from.ty);
        self.copy_variable(to.clone(), from, loc);
        Expr::load(to)
    }

    /// Copies an object of variable size.
    pub(super) fn copy_variable(&mut self, to: Place, from: Place, loc: Loc) {
        let len = self.size_expr(to.ty);
        let (dst, src) = (self.address(to), self.address(from));
        let dst = expr::cast(&self.types, dst, Types::VOID_PTR);
        let src = expr::cast(&self.types, src, Types::VOID_PTR);
        self.emit(Op::MemCopy { dst, src, len }, loc);
    }
}
