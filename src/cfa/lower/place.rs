//! Pointers and places: addresses, pointer arithmetic, and the places of lvalues.

use super::state::{Lowerer, Slot};
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::syntax::ast;
use crate::frontend::syntax::ast::{CastKind, ExprId, ExprKind as Ast, grow};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{ArrayLen, Made, RecordId, RecordKind, Type, TypeId, Types};
use provident_smt::num::Int;

impl Lowerer<'_> {
    // ---- pointers ------------------------------------------------------------------------------------------------------

    pub(super) fn function_address(&mut self, f: ast::FuncId, ty: TypeId) -> Expr {
        if self.may_be_absent(f) {
            let pointer = self.weak_pointer(f);
            return expr::cast(&self.types, Expr::load(pointer), ty);
        }
        self.note_format_reader(f, self.unit.function(f).loc);
        let func = self.function(f);
        self.functions[func.index()].address_taken = true;
        Expr {
            ty,
            kind: ExprKind::FuncAddr(func),
        }
    }

    /// The pointer to a function that a designator stands for.
    pub(super) fn designator(&mut self, e: ExprId, ty: TypeId) -> Expr {
        match self.unit.expr(e).kind {
            Ast::Function(f) => self.function_address(f, ty),
            Ast::Deref(pointer) => {
                let value = self.rvalue(pointer);
                expr::cast(&self.types, value, ty)
            }
            _ => {
                let value = self.rvalue(e);
                expr::cast(&self.types, value, ty)
            }
        }
    }

    pub(super) fn address_of(&mut self, inner: ExprId, ty: TypeId) -> Expr {
        if self.types.is_function(self.unit.expr(inner).ty) {
            return self.designator(inner, ty);
        }
        let place = self.place_for(inner, Access::Address);
        let address = self.address(place);
        expr::cast(&self.types, address, ty)
    }

    /// The address of a place, as a pointer to its type.
    pub(super) fn address(&mut self, place: Place) -> Expr {
        let ty = self.types.pointer_to(place.ty);
        match place {
            Place {
                base: PlaceBase::Deref(ptr),
                ref proj,
                ..
            } if proj.is_empty() => expr::cast(&self.types, *ptr, ty),
            place => Expr {
                ty,
                kind: ExprKind::AddrOf(place),
            },
        }
    }

    /// The pointer to the first element of an array.
    pub(super) fn decay(&mut self, place: Place, ty: TypeId) -> Expr {
        if self.types.size_of(place.ty).is_none() && self.has_variable_length(place.ty) {
            let address = self.address(place);
            return expr::cast(&self.types, address, ty);
        }
        let Some(elem) = self.types.element(place.ty) else {
            let address = self.address(place);
            return expr::cast(&self.types, address, ty);
        };
        let mut place = place;
        place.proj.push(Proj::Index(Box::new(Expr::int(0, self.intptr))));
        place.ty = elem;
        let address = Expr {
            ty: self.types.pointer_to(elem),
            kind: ExprKind::AddrOf(place),
        };
        expr::cast(&self.types, address, ty)
    }

    /// The size of what a pointer type steps by; `None` if it varies.
    fn step_of(&self, pointer: TypeId) -> Option<u64> {
        let to = self.types.pointee(pointer).unwrap_or(Types::VOID);
        match self.types.get(to) {
            Type::Void | Type::Function { .. } => Some(1),
            _ => self.types.size_of(to),
        }
    }

    /// `pointer + index`, or `pointer - index`, in elements.
    pub(super) fn pointer_add(&mut self, pointer: Expr, index: Expr, subtract: bool) -> Expr {
        let ty = pointer.ty;
        let wide = |this: &Self, index: Expr| {
            let index = expr::cast(&this.types, index, this.intptr);
            if subtract {
                expr::unary(&this.types, UnOp::Neg, index)
            } else {
                index
            }
        };
        // Stepping through an array that is in sight stays an index into it.
        if let ExprKind::AddrOf(place) = &pointer.kind
            && let Some(Proj::Index(at)) = place.proj.last()
            && self.types.pointee(ty) == Some(place.ty)
        {
            let at_start = at.as_const().is_some_and(Int::is_zero);
            let sum = if at_start && !subtract {
                index
            } else {
                let at = expr::cast(&self.types, (**at).clone(), self.intptr);
                let step = wide(self, index);
                expr::binary(&self.types, BinOp::Add, at, step, self.intptr)
            };
            let mut place = place.clone();
            place.proj.pop();
            place.proj.push(Proj::Index(Box::new(sum)));
            return Expr {
                ty,
                kind: ExprKind::AddrOf(place),
            };
        }
        let step = wide(self, index);
        let size = match self.step_of(ty) {
            Some(size) => self.int_const(i128::from(size), self.intptr),
            None => {
                let to = self.types.pointee(ty).unwrap_or(Types::VOID);
                let size = self.size_expr(to);
                expr::cast(&self.types, size, self.intptr)
            }
        };
        let offset = expr::binary(&self.types, BinOp::Mul, step, size, self.intptr);
        if offset.as_const().is_some_and(Int::is_zero) {
            return pointer;
        }
        // Constant offsets add up.
        if let (Some(_), ExprKind::Binary(BinOp::Add, base, old)) = (offset.as_const(), &pointer.kind)
            && old.as_const().is_some()
        {
            let offset = expr::binary(&self.types, BinOp::Add, (**old).clone(), offset, self.intptr);
            return Expr {
                ty,
                kind: ExprKind::Binary(BinOp::Add, base.clone(), Box::new(offset)),
            };
        }
        expr::binary(&self.types, BinOp::Add, pointer, offset, ty)
    }

    pub(super) fn pointer_diff(&mut self, a: ExprId, b: ExprId, ty: TypeId, loc: Loc) -> Expr {
        let left = self.rvalue(a);
        let left = self.keep(left, b, loc);
        let right = self.rvalue(b);
        let size = match self.step_of(left.ty) {
            Some(size) => self.int_const(i128::from(size), self.intptr),
            None => {
                let to = self.types.pointee(left.ty).unwrap_or(Types::VOID);
                let size = self.size_expr(to);
                expr::cast(&self.types, size, self.intptr)
            }
        };
        let left = expr::cast(&self.types, left, self.intptr);
        let right = expr::cast(&self.types, right, self.intptr);
        let bytes = expr::binary(&self.types, BinOp::Sub, left, right, self.intptr);
        let elements = expr::binary(&self.types, BinOp::Div, bytes, size, self.intptr);
        expr::cast(&self.types, elements, ty)
    }

    // ---- places --------------------------------------------------------------------------------------------------------

    /// The object that an lvalue denotes (or, for a record value, the object that holds it).
    pub(super) fn place(&mut self, e: ExprId) -> Place {
        self.place_for(e, Access::Object)
    }

    fn place_for(&mut self, e: ExprId, access: Access) -> Place {
        grow(|| self.place_of_tree(e, access))
    }

    fn place_of_tree(&mut self, e: ExprId, access: Access) -> Place {
        let unit = self.unit;
        let node = unit.expr(e);
        match node.kind {
            Ast::String(s) => Place::var(self.string(s, node.ty, node.loc), node.ty),
            Ast::Local(local) => self.local_place(self.frame.ast, local),
            Ast::Captured(owner, local) => {
                let text = "variables of an enclosing function are those of its innermost call".to_owned();
                self.assume(AssumptionKind::Recursion, text, node.loc, false);
                self.local_place(owner, local)
            }
            Ast::Global(global) => {
                let var = self.global(global);
                Place::var(var, self.vars[var.index()].ty)
            }
            Ast::Deref(pointer) => {
                let value = self.rvalue(pointer);
                if access == Access::Object {
                    self.check_pointer(&value, node.loc);
                }
                self.pointed(value, node.ty)
            }
            Ast::Member { base, field } => {
                let place = self.place_for(base, access);
                match self.types.as_record(place.ty) {
                    Some(record) => self.member(place, record, field, node.loc),
                    None => {
                        let value = self.invent(
                            node.ty,
                            Invention::Language,
                            "a member of something that is no record",
                            node.loc,
                        );
                        self.place_of(value, node.loc)
                    }
                }
            }
            Ast::Index { base, index } => self.element((base, index), access, node.ty, node.loc),
            Ast::CompoundLiteral { local, init } => {
                let place = self.local_place(self.frame.ast, local);
                self.initialise(&place, init, node.loc);
                place
            }
            Ast::Cast(CastKind::LvalueToRvalue, inner) => self.place_for(inner, access),
            _ => {
                let value = self.rvalue(e);
                self.place_of(value, node.loc)
            }
        }
    }

    /// The place that holds a value.
    pub(super) fn place_of(&mut self, value: Expr, loc: Loc) -> Place {
        match value.kind {
            ExprKind::Load(place) => place,
            _ => match self.save(value, loc).kind {
                ExprKind::Load(place) => place,
                _ => unreachable!("a saved value is a load"),
            },
        }
    }

    pub(super) fn local_place(&mut self, owner: ast::FuncId, local: ast::LocalId) -> Place {
        match self.slot(owner, local) {
            Slot::Var(var) => Place::var(var, self.vars[var.index()].ty),
            Slot::Pointed(var) => {
                let ty = self.vars[var.index()].ty;
                let to = self.types.pointee(ty).unwrap_or(Types::VOID);
                Place::deref(Expr::load(Place::var(var, ty)), to)
            }
            Slot::Unseen => unreachable!("asking for a slot makes it"),
        }
    }

    /// The object of type `ty` that a pointer points to.
    pub(super) fn pointed(&mut self, pointer: Expr, ty: TypeId) -> Place {
        match pointer.kind {
            ExprKind::AddrOf(place) if place.ty == ty => place,
            _ if self.types.pointee(pointer.ty) == Some(ty) => Place::deref(pointer, ty),
            // The division of memory has to see that the pointer points to another type.
            _ => {
                let to = self.types.pointer_to(ty);
                Place::deref(expr::cast(&self.types, pointer, to), ty)
            }
        }
    }

    pub(super) fn member(&mut self, mut place: Place, record: RecordId, field: u32, loc: Loc) -> Place {
        let declaration = self.types.record(record);
        let (before, from) = declaration.fields.split_at(field as usize);
        let (ty, bits) = (from[0].ty, from[0].bits);
        let moved = declaration.variable && before.iter().any(|f| self.has_variable_length(f.ty));
        if moved && declaration.kind == RecordKind::Struct {
            return self.moved_member(place, record, field, loc);
        }
        place.proj.push(Proj::Field { record, field });
        place.ty = ty;
        place.bits = bits.map(|b| BitRange {
            offset: b.bit_offset,
            width: b.width,
        });
        place
    }

    fn element(&mut self, (base, index): (ExprId, ExprId), access: Access, ty: TypeId, loc: Loc) -> Place {
        let mut place = self.place_for(base, access);
        if self.types.made(place.ty) == Made::Vector
            && let Some(vector) = self.types.as_record(place.ty)
        {
            place = self.member(place, vector, 0, loc);
        }
        place = self.keep_place(place, index, loc);
        let index = self.rvalue(index);
        let is_array = matches!(
            self.types.get(place.ty),
            Type::Array {
                len: ArrayLen::Fixed(_) | ArrayLen::Incomplete,
                ..
            }
        );
        if let Some(len) = self.length_in_sight(&place) {
            // The address behind the last element is one that C allows to compute.
            let past = u64::from(access == Access::Address);
            self.check_index(&index, len.saturating_add(past), loc);
        }
        if is_array && self.types.size_of(ty).is_some() {
            place.proj.push(Proj::Index(Box::new(index)));
            place.ty = ty;
            return place;
        }
        // Arrays of variable length: through the address.
        let pointer_ty = self.types.pointer_to(ty);
        let address = self.address(place);
        let first = expr::cast(&self.types, address, pointer_ty);
        let pointer = self.pointer_add(first, index, false);
        Place::deref(pointer, ty)
    }
}

/// Whether an lvalue is evaluated for its object, or only for its address, as in `&p->next`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Object,
    Address,
}

/// Whether a place is a fixed part of a variable, so that a call cannot change which object it is.
pub(super) fn is_static(place: &Place) -> bool {
    matches!(place.base, PlaceBase::Var(_))
        && place.proj.iter().all(|p| match p {
            Proj::Field { .. } => true,
            Proj::Index(i) => i.as_const().is_some(),
        })
}
