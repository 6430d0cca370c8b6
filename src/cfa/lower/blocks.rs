//! Operations on blocks of bytes: `memset`, `memcpy` and their kin.
//!
//! Where the block is plainly one object, filling it with zeros and copying it are assignments; all others are operations on bytes.

use super::Lowerer;
use super::library::Modelled;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::syntax::ast::ExprId;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{TypeId, Types};
use provident_smt::num::Int;

impl Lowerer<'_> {
    /// The place of exactly `len` bytes that a pointer argument plainly points to, with its type.
    fn visible_object(&mut self, pointer: &Expr, len: &Expr) -> Option<Place> {
        let len = len.as_const()?.to_i64().and_then(|l| u64::try_from(l).ok())?;
        let mut pointer = pointer;
        loop {
            if let Some(to) = self.types.pointee(pointer.ty)
                && self.types.size_of(to) == Some(len)
                && len > 0
            {
                return Some(self.pointed(pointer.clone(), to));
            }
            match &pointer.kind {
                // `memset(a, 0, sizeof a)`: the pointer to the first element, the size of the whole array.
                ExprKind::AddrOf(place) => {
                    let Some(Proj::Index(index)) = place.proj.last() else {
                        return None;
                    };
                    let at_start = index.as_const().is_some_and(Int::is_zero);
                    let mut whole = place.clone();
                    whole.proj.pop();
                    whole.ty = self.place_type(&whole)?;
                    return (at_start && self.types.size_of(whole.ty) == Some(len)).then_some(whole);
                }
                ExprKind::Cast(inner) if self.types.is_pointer(inner.ty) => pointer = inner,
                _ => return None,
            }
        }
    }

    /// The type that a place has by its base and projections.
    pub(super) fn place_type(&self, place: &Place) -> Option<TypeId> {
        let mut ty = match &place.base {
            PlaceBase::Var(v) => self.vars[v.index()].ty,
            PlaceBase::Deref(ptr) => self.types.pointee(ptr.ty)?,
        };
        for proj in &place.proj {
            ty = match proj {
                Proj::Field { record, field } => self.types.record(*record).fields[*field as usize].ty,
                Proj::Index(_) => self.types.element(ty)?,
            };
        }
        Some(ty)
    }

    fn block_result(&mut self, dst: &Expr, ty: TypeId, wanted: bool) -> Modelled {
        (wanted && self.types.is_pointer(ty)).then(|| expr::cast(&self.types, dst.clone(), ty))
    }

    pub(super) fn set_memory(
        &mut self,
        dst: ExprId,
        byte: Option<ExprId>,
        len: ExprId,
        ty: TypeId,
        wanted: bool,
        loc: Loc,
    ) -> Modelled {
        let list: Vec<ExprId> = [Some(dst), byte, Some(len)].into_iter().flatten().collect();
        let mut values = self.arguments(&list, loc);
        let len = expr::cast(&self.types, values.pop()?, self.size_t);
        let byte = match byte {
            Some(_) => expr::cast(&self.types, values.pop()?, Types::INT),
            None => Expr::int(0, Types::INT),
        };
        let mut dst = values.pop()?;
        if wanted && !self.is_stable(&dst) {
            dst = self.save(dst, loc);
        }
        let zero = byte.as_const().is_some_and(Int::is_zero);
        match self.visible_object(&dst, &len) {
            Some(place) if zero && !self.is_opaque(place.ty) => self.zero(place, loc),
            _ if len.as_const().is_some_and(Int::is_zero) => {}
            _ => {
                let dst = expr::cast(&self.types, dst.clone(), Types::VOID_PTR);
                self.emit(Op::MemSet { dst, byte, len }, loc);
            }
        }
        self.block_result(&dst, ty, wanted)
    }

    pub(super) fn copy_memory(
        &mut self,
        dst: ExprId,
        src: ExprId,
        len: ExprId,
        ty: TypeId,
        wanted: bool,
        loc: Loc,
    ) -> Modelled {
        let mut values = self.arguments(&[dst, src, len], loc);
        let len = expr::cast(&self.types, values.pop()?, self.size_t);
        let (src, mut dst) = (values.pop()?, values.pop()?);
        if wanted && !self.is_stable(&dst) {
            dst = self.save(dst, loc);
        }
        let objects = (self.visible_object(&dst, &len), self.visible_object(&src, &len));
        match objects {
            (Some(to), Some(from)) if to.ty == from.ty && self.is_assignable(to.ty) => {
                self.emit(
                    Op::Assign {
                        lhs: to,
                        rhs: Expr::load(from),
                    },
                    loc,
                );
            }
            _ if len.as_const().is_some_and(Int::is_zero) => {}
            _ => {
                let to = expr::cast(&self.types, dst.clone(), Types::VOID_PTR);
                let src = expr::cast(&self.types, src, Types::VOID_PTR);
                self.emit(Op::MemCopy { dst: to, src, len }, loc);
            }
        }
        self.block_result(&dst, ty, wanted)
    }

    fn is_assignable(&self, ty: TypeId) -> bool {
        !self.is_opaque(ty) && (self.types.is_scalar(ty) || self.types.as_record(ty).is_some())
    }
}
