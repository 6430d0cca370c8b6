//! `realloc` and its relatives: a new object with the contents of the old one.
//!
//! The bytes up to the smaller one of both sizes are copied, those behind them are indeterminate. The size of the old object is no value of the program, so there is an operation that
//! reads it. A request that fails leaves the old object unchanged; a request for a size that no object can have fails and returns a null pointer.
//! The object always moves. A program cannot observe that, because the old pointer has no value any more.

use super::Lowerer;
use super::library::Modelled;
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::syntax::ast::ExprId;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{TypeId, Types};
use provident_smt::num::Int;

/// Whether a function of this name, called with this number of arguments, changes the size of an object: `realloc(p, n)`, where 0 bytes give the object back, as glibc has it,
/// and `krealloc(p, n, flags)`.
pub(super) fn is_reallocator(name: &str, args: usize) -> bool {
    matches!((name, args), ("realloc", 2) | ("krealloc", 2..))
}

impl Lowerer<'_> {
    /// A call that changes the size of an object.
    pub(super) fn reallocate(&mut self, name: &str, args: &[ExprId], ty: TypeId, loc: Loc) -> Modelled {
        // As other allocators of the kernel, it fails now and then.
        let kernel = name == "krealloc";
        let values = self.arguments(args, loc);
        let result = Place::var(self.temp(ty, loc), ty);
        let null = self.null(ty);
        let set_null = Op::Assign {
            lhs: result.clone(),
            rhs: null,
        };
        self.emit(set_null, loc);
        let old = self.save(values[0].clone(), loc);
        let wide = expr::cast(&self.types, values[1].clone(), self.size_t);
        let done = self.new_node(loc);
        let may_be_empty = wide.as_const().is_none_or(Int::is_zero);
        let size = self.save(wide, loc);
        if may_be_empty {
            let nothing = self.none_left(&old, &size, loc);
            self.connect(nothing, done, loc);
        }
        let bits = u32::try_from(self.types.data_model().pointer_bytes() * 8).expect("a width");
        let largest = Expr::int(Int::pow2(bits - 1) - Int::ONE, self.size_t);
        let possible = expr::binary(&self.types, BinOp::Le, size.clone(), largest, Types::INT);
        let failed = self.new_node(loc);
        self.go_on_if(possible, failed, loc);
        let new = self.temp(ty, loc);
        let new = Place::var(new, ty);
        let may_fail = kernel || self.options.malloc_may_fail;
        if !may_fail {
            let text = format!("`{name}` always succeeds");
            self.assume(AssumptionKind::Allocation, text, loc, false);
        }
        let allocate = Op::Allocate {
            lhs: new.clone(),
            size: size.clone(),
            zero: false,
            kind: AllocKind::Heap,
            may_fail,
        };
        self.emit(allocate, loc);
        let keep = Op::Assign {
            lhs: result.clone(),
            rhs: Expr::load(new.clone()),
        };
        self.emit(keep, loc);
        let given = may_fail.then(|| Expr::load(new.clone()));
        for (pointer, elsewhere) in given.map(|new| (new, failed)).into_iter().chain([(old.clone(), done)]) {
            let null = self.null(pointer.ty);
            let known = expr::binary(&self.types, BinOp::Ne, pointer, null, Types::INT);
            self.go_on_if(known, elsewhere, loc);
        }
        self.move_contents(&old, &new, size, loc);
        self.connect(self.cur, done, loc);
        self.cur = failed;
        if !kernel {
            self.set_errno_for_memory(loc);
        }
        self.connect(self.cur, done, loc);
        self.cur = done;
        Some(Expr::load(result))
    }

    /// Copies what both objects have room for, and gives the old one back.
    fn move_contents(&mut self, old: &Expr, new: &Place, size: Expr, loc: Loc) {
        let count = Place::var(self.temp(self.size_t, loc), self.size_t);
        let ask = Op::Inspect {
            lhs: count.clone(),
            question: Inspection::Size(old.clone()),
        };
        self.emit(ask, loc);
        let (shrinks, copies) = (self.new_node(loc), self.new_node(loc));
        let smaller = expr::binary(
            &self.types,
            BinOp::Lt,
            size.clone(),
            Expr::load(count.clone()),
            Types::INT,
        );
        self.assume_edges(self.cur, &smaller, shrinks, copies, loc);
        self.cur = shrinks;
        let least = Op::Assign {
            lhs: count.clone(),
            rhs: size,
        };
        self.emit(least, loc);
        self.connect(self.cur, copies, loc);
        self.cur = copies;
        let copy = Op::MemCopy {
            dst: expr::cast(&self.types, Expr::load(new.clone()), Types::VOID_PTR),
            src: expr::cast(&self.types, old.clone(), Types::VOID_PTR),
            len: Expr::load(count),
        };
        self.emit(copy, loc);
        self.release(old.clone(), loc);
    }

    /// The end of what happens where an object is given back because no byte of it is wanted.
    fn none_left(&mut self, old: &Expr, size: &Expr, loc: Loc) -> NodeId {
        let (empty, given, rest) = (self.new_node(loc), self.new_node(loc), self.new_node(loc));
        let zero = Expr::int(0, self.size_t);
        let nothing = expr::binary(&self.types, BinOp::Eq, size.clone(), zero, Types::INT);
        self.assume_edges(self.cur, &nothing, empty, rest, loc);
        let null = self.null(old.ty);
        let known = expr::binary(&self.types, BinOp::Ne, old.clone(), null, Types::INT);
        self.assume_edges(empty, &known, given, rest, loc);
        self.cur = given;
        self.release(old.clone(), loc);
        let end = self.cur;
        self.cur = rest;
        end
    }

    /// A heap object is given back.
    pub(super) fn release(&mut self, ptr: Expr, loc: Loc) {
        let kind = AllocKind::Heap;
        self.emit(Op::Free { ptr, kind }, loc);
    }

    fn null(&self, ty: TypeId) -> Expr {
        Expr::int(0, ty)
    }
}
