//! The tests that an operation needs before it: of its accesses, in the order in which its parts are evaluated.
//!
//! Where the object is in sight, a test compares the offset with the object's size; else it is a question about the objects that exist ([`Inspection`]).

use crate::cfa::program::expr;
use crate::cfa::program::visit::{Part, visit_parts};
use crate::cfa::program::*;
use crate::frontend::types::{IntKind, Type, TypeId, Types};
use provident_smt::num::Int;

/// A test that has to come out well.
#[derive(Clone, PartialEq)]
pub(super) enum Test {
    /// A question about objects with the answer yes.
    Ask(Inspection),
    /// A condition that does not hold.
    Not(Expr),
    /// Nothing would do.
    Never,
}

/// The tests that an operation needs, in the order in which its parts are evaluated.
pub(super) struct Tests<'a> {
    pub(super) vars: &'a [Variable],
    pub(super) types: &'a mut Types,
    pub(super) found: Vec<Test>,
}

impl Tests<'_> {
    fn add(&mut self, test: Test) {
        if !self.found.contains(&test) {
            self.found.push(test);
        }
    }

    pub(super) fn operation(&mut self, op: &Op) {
        visit_parts(op, &mut |part| match part {
            Part::Value(value) => self.value(value),
            Part::Written(place) => self.place(place, Some(true)),
        });
        match op {
            Op::MemSet { dst, len, .. } => self.bytes(dst, len, true),
            Op::MemCopy { dst, src, len } => {
                self.bytes(src, len, false);
                self.bytes(dst, len, true);
            }
            _ => {}
        }
    }

    fn bytes(&mut self, ptr: &Expr, len: &Expr, write: bool) {
        let (ptr, len) = (ptr.clone(), len.clone());
        self.add(Test::Ask(Inspection::Accessible { ptr, len, write }));
    }

    /// The tests for the evaluation of an expression.
    fn value(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Const(_) | ExprKind::Float(_) | ExprKind::FuncAddr(_) => {}
            ExprKind::Load(place) => self.place(place, Some(false)),
            ExprKind::AddrOf(place) => self.place(place, None),
            ExprKind::Unary(_, x) | ExprKind::Cast(x) => self.value(x),
            ExprKind::Binary(_, x, y) => {
                self.value(x);
                self.value(y);
            }
            ExprKind::Math(_, operands) => operands.iter().for_each(|x| self.value(x)),
        }
    }

    /// The tests for the evaluation of a place, and for its access if it is read or written.
    fn place(&mut self, place: &Place, write: Option<bool>) {
        if let PlaceBase::Deref(pointer) = &place.base {
            self.value(pointer);
        }
        for step in &place.proj {
            if let Proj::Index(index) = step {
                self.value(index);
            }
        }
        if let Some(write) = write.filter(|_| is_checked(self.vars, place)) {
            match place.base {
                PlaceBase::Var(var) if self.types.size_of(self.vars[var.index()].ty).is_some() => {
                    self.in_sight(var, place);
                }
                // Nothing says how many bytes the variable has, or the place is behind a pointer.
                PlaceBase::Var(_) | PlaceBase::Deref(_) => {
                    let test = self.through_pointer(place, write);
                    test.into_iter().for_each(|test| self.add(test));
                }
            }
        }
    }

    /// The test for an access through a pointer.
    fn through_pointer(&mut self, place: &Place, write: bool) -> Option<Test> {
        let (ptr, len) = bytes_of(self.types, place)?;
        Some(Test::Ask(Inspection::Accessible { ptr, len, write }))
    }

    /// The tests for an access of a part of a variable whose place in it depends on indices.
    fn in_sight(&mut self, var: VarId, place: &Place) {
        let types = &*self.types;
        let mut ty = self.vars[var.index()].ty;
        let field_of_bits = bytes_of_bits(place);
        let part = match field_of_bits {
            Some((_, count)) => Some(count),
            None => types.size_of(place.ty),
        };
        let (Some(whole), Some(part)) = (self.vars[var.index()].size(types), part) else {
            return;
        };
        let mut offset = Int::from(field_of_bits.map_or(0, |(first, _)| first));
        let mut indices: Vec<(&Expr, u64)> = Vec::new();
        let steps = place.proj.len() - usize::from(field_of_bits.is_some());
        for step in &place.proj[..steps] {
            match step {
                Proj::Field { record, field } => {
                    let field = &types.record(*record).fields[*field as usize];
                    offset += &Int::from(field.offset);
                    ty = field.ty;
                }
                Proj::Index(index) => {
                    let Some((elem, size)) = types.element(ty).and_then(|e| Some((e, types.size_of(e)?))) else {
                        return;
                    };
                    match index.as_const() {
                        Some(number) => offset += &(number * &Int::from(size)),
                        None => indices.push((index, size)),
                    }
                    ty = elem;
                }
            }
        }
        let last = &Int::from(whole) - &Int::from(part);
        match indices[..] {
            [] if offset < Int::from(0) || offset > last => self.add(Test::Never),
            [] => {}
            [(index, size)] if size > 0 => {
                // 0 <= offset + index * size <= last
                let size = Int::from(size);
                let least = -&offset.div_floor(&size);
                let greatest = (&last - &offset).div_floor(&size);
                self.within(index, least, greatest);
            }
            _ => {
                let unsigned = size_type(types);
                let mut sum = Expr::int(
                    expr::wrap(&offset, types.integer(unsigned).expect("an integer type")),
                    unsigned,
                );
                for (index, size) in indices {
                    let wide = expr::cast(types, index.clone(), unsigned);
                    let scaled = expr::binary(types, BinOp::Mul, wide, Expr::int(Int::from(size), unsigned), unsigned);
                    sum = expr::binary(types, BinOp::Add, sum, scaled, unsigned);
                }
                let last = Expr::int(last, unsigned);
                let beyond = expr::binary(types, BinOp::Gt, sum, last, Types::INT);
                self.add(Test::Not(beyond));
            }
        }
    }

    /// The tests that an index lies within bounds.
    fn within(&mut self, index: &Expr, least: Int, greatest: Int) {
        let Some(info) = self.types.integer(index.ty) else {
            return;
        };
        let (low, high) = expr::range(info);
        if least > greatest || least > high || greatest < low {
            return self.add(Test::Never);
        }
        for (op, bound, possible) in [
            (BinOp::Lt, &least, low < least),
            (BinOp::Gt, &greatest, high > greatest),
        ] {
            if possible {
                let bound = Expr::int(bound.clone(), index.ty);
                let outside = expr::binary(self.types, op, index.clone(), bound, Types::INT);
                self.add(Test::Not(outside));
            }
        }
    }
}

/// The bytes of a place in memory: a pointer to the first one, and their number. `None` if its type has no size.
pub(super) fn bytes_of(types: &mut Types, place: &Place) -> Option<(Expr, Expr)> {
    let mut whole = place.clone();
    let (first, count) = match (bytes_of_bits(place), place.proj.last()) {
        (Some(bytes), Some(Proj::Field { record, .. })) => {
            whole.proj.pop();
            whole.bits = None;
            whole.ty = types.intern(Type::Record(*record));
            bytes
        }
        _ => (0, types.size_of(place.ty)?),
    };
    let ptr = match whole {
        Place {
            base: PlaceBase::Deref(pointer),
            proj,
            ..
        } if proj.is_empty() => *pointer,
        whole => Expr {
            ty: types.pointer_to(whole.ty),
            kind: ExprKind::AddrOf(whole),
        },
    };
    let size = size_type(types);
    let ptr = match first {
        0 => ptr,
        _ => {
            let first = Expr::int(Int::from(first), size);
            let ty = ptr.ty;
            expr::binary(types, BinOp::Add, ptr, first, ty)
        }
    };
    Some((ptr, Expr::int(Int::from(count), size)))
}

/// The bytes that have a bit of a bit-field: the first one in its record, and their number. `None` for other places.
fn bytes_of_bits(place: &Place) -> Option<(u64, u64)> {
    let bits = place.bits?;
    let Some(Proj::Field { .. }) = place.proj.last() else {
        return None;
    };
    let first = bits.offset / 8;
    let last = (bits.offset + u64::from(bits.width).max(1) - 1) / 8;
    Some((first, last - first + 1))
}

/// The unsigned integer type of pointer width.
pub(super) fn size_type(types: &Types) -> TypeId {
    match types.data_model().pointer_bytes() {
        8 => Types::int(IntKind::ULong),
        _ => Types::int(IntKind::UInt),
    }
}

/// Whether an access of a place needs a test: it goes through a pointer, or to an element of an array.
pub(super) fn is_checked(vars: &[Variable], place: &Place) -> bool {
    match place.base {
        PlaceBase::Deref(_) => true,
        PlaceBase::Var(var) => {
            let is_static_image = vars[var.index()].kind == VarKind::InitImage && vars[var.index()].func.is_none();
            !is_static_image && place.proj.iter().any(|step| matches!(step, Proj::Index(_)))
        }
    }
}
