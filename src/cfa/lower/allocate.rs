//! Functions that make and release objects of the heap and the stack: those of C, of the kernel, and of verification tasks.
//!
//! An allocation is one operation. An allocation of the library fails for a size that no object can have, and where the user lets it fail; then `errno` has the reason.

use super::Lowerer;
use super::library::Modelled;
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::syntax::ast::ExprId;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{IntKind, TypeId, Types};
use provident_smt::num::Int;

/// How the size of a new object is given.
#[derive(Clone, Copy)]
pub(super) enum Size {
    /// By this argument.
    Arg(usize),
    /// By the product of these two arguments.
    Product(usize, usize),
}

/// A function that makes objects.
pub(super) struct Allocator {
    pub name: &'static str,
    pub size: Size,
    zero: bool,
    /// Kernel allocators fail now and then; those of user space by option.
    kernel: bool,
    stack: bool,
    /// Models of verification tasks that are known never to fail.
    never_fails: bool,
}

const fn user(name: &'static str, size: Size, zero: bool) -> Allocator {
    Allocator {
        name,
        size,
        zero,
        kernel: false,
        stack: false,
        never_fails: false,
    }
}

const fn kernel(name: &'static str, size: Size, zero: bool) -> Allocator {
    Allocator {
        name,
        size,
        zero,
        kernel: true,
        stack: false,
        never_fails: false,
    }
}

const fn sure(name: &'static str, size: Size, zero: bool, stack: bool) -> Allocator {
    Allocator {
        name,
        size,
        zero,
        kernel: false,
        stack,
        never_fails: true,
    }
}

/// The alignment that every allocated object has, in bytes.
const ALIGNMENT: i128 = 16;

/// The functions that make objects.
pub(super) const ALLOCATORS: [Allocator; 28] = [
    user("malloc", Size::Arg(0), false),
    user("valloc", Size::Arg(0), false),
    user("calloc", Size::Product(0, 1), true),
    user("aligned_alloc", Size::Arg(1), false),
    user("memalign", Size::Arg(1), false),
    sure("alloca", Size::Arg(0), false, true),
    sure("xmalloc", Size::Arg(0), false, false),
    sure("xzalloc", Size::Arg(0), true, false),
    sure("xcalloc", Size::Product(0, 1), true, false),
    kernel("kmalloc", Size::Arg(0), false),
    kernel("__kmalloc", Size::Arg(0), false),
    kernel("kzalloc", Size::Arg(0), true),
    kernel("kcalloc", Size::Product(0, 1), true),
    kernel("kmalloc_array", Size::Product(0, 1), false),
    kernel("kmalloc_node", Size::Arg(0), false),
    kernel("kzalloc_node", Size::Arg(0), true),
    kernel("vmalloc", Size::Arg(0), false),
    kernel("vzalloc", Size::Arg(0), true),
    kernel("kvmalloc", Size::Arg(0), false),
    kernel("kvzalloc", Size::Arg(0), true),
    kernel("ldv_malloc", Size::Arg(0), false),
    kernel("ldv_zalloc", Size::Arg(0), true),
    kernel("ldv_calloc", Size::Product(0, 1), true),
    sure("ldv_xmalloc", Size::Arg(0), false, false),
    sure("ldv_xzalloc", Size::Arg(0), true, false),
    sure("ldv_successful_malloc", Size::Arg(0), false, false),
    sure("external_alloc_sized", Size::Arg(0), false, false),
    sure("ldv_successful_zalloc", Size::Arg(0), true, false),
];

/// The functions that give objects back.
pub(super) const RELEASERS: [&str; 9] = [
    "free",
    "cfree",
    "kfree",
    "kzfree",
    "vfree",
    "kvfree",
    "ldv_free",
    "kfree_sensitive",
    "kfree_const",
];

impl Lowerer<'_> {
    pub(super) fn allocate(
        &mut self,
        allocator: &Allocator,
        args: &[ExprId],
        ty: TypeId,
        into: &Option<Place>,
        _wanted: bool,
        loc: Loc,
    ) -> Modelled {
        let values = self.arguments(args, loc);
        let wide = |i: usize| expr::cast(&self.types, values[i].clone(), self.size_t);
        let size = match allocator.size {
            Size::Arg(a) => wide(a),
            // Of two unknown factors the exact product, so that it is the one that was compared with the largest size.
            Size::Product(a, b)
                if !allocator.kernel && values[a].as_const().is_none() && values[b].as_const().is_none() =>
            {
                let exact = self.exact_product(&values[a], &values[b]);
                expr::cast(&self.types, exact, self.size_t)
            }
            Size::Product(a, b) => expr::binary(&self.types, BinOp::Mul, wide(a), wide(b), self.size_t),
        };
        let may_fail = !allocator.never_fails && (allocator.kernel || self.options.malloc_may_fail);
        if !may_fail {
            let text = format!("`{}` always succeeds", allocator.name);
            self.assume(AssumptionKind::Allocation, text, loc, false);
        }
        let aligned = match allocator.name {
            "valloc" => true,
            "aligned_alloc" | "memalign" => {
                let alignment = values[0].as_const().and_then(Int::to_i128);
                alignment.is_none_or(|alignment| alignment > ALIGNMENT)
            }
            _ => false,
        };
        let kind = match (allocator.stack, aligned) {
            (true, _) => AllocKind::Stack,
            (false, true) => AllocKind::Aligned,
            (false, false) => AllocKind::Heap,
        };
        let lhs = self.pointer_result(ty, into, loc);
        let joins = match allocator.kernel || allocator.stack {
            true => None,
            false => self.fail_beyond_objects(allocator, &values, &size, &lhs, loc),
        };
        self.emit(
            Op::Allocate {
                lhs: lhs.clone(),
                size,
                zero: allocator.zero,
                kind,
                may_fail,
            },
            loc,
        );
        if may_fail && !allocator.kernel && self.unit.library_global("library_errno").is_some() {
            let (failed, join) = (self.new_node(loc), self.new_node(loc));
            let is_given = Expr::load(lhs.clone());
            for (to, truth) in [(join, true), (failed, false)] {
                let cond = is_given.clone();
                self.edge(self.cur, to, Op::Assume { cond, truth }, loc);
            }
            self.cur = failed;
            self.set_errno_for_memory(loc);
            self.connect(self.cur, join, loc);
            self.cur = join;
        }
        if let Some(join) = joins {
            self.connect(self.cur, join, loc);
            self.cur = join;
        }
        Some(Expr::load(lhs))
    }

    /// No object has more bytes than differences of pointers can say: where the size may be larger, one way leads to a null pointer. Goes on where it is not,
    /// and returns where both ways meet; `None` if there is only one.
    fn fail_beyond_objects(
        &mut self,
        allocator: &Allocator,
        values: &[Expr],
        size: &Expr,
        lhs: &Place,
        loc: Loc,
    ) -> Option<NodeId> {
        let most = match self.int_info(self.intptr)?.width {
            64 => Int::from(i64::MAX),
            _ => Int::from(i32::MAX),
        };
        let beyond = match allocator.size {
            Size::Arg(_) => match size.as_const() {
                Some(size) if *size <= most => return None,
                _ => expr::binary(
                    &self.types,
                    BinOp::Gt,
                    size.clone(),
                    Expr::int(most, self.size_t),
                    Types::INT,
                ),
            },
            Size::Product(a, b) => {
                let exact = self.exact_product(&values[a], &values[b]);
                let wide = exact.ty;
                match exact.as_const() {
                    Some(size) if *size <= most => return None,
                    _ => expr::binary(&self.types, BinOp::Gt, exact, Expr::int(most, wide), Types::INT),
                }
            }
        };
        let (fails, fits, join) = (self.new_node(loc), self.new_node(loc), self.new_node(loc));
        for (to, truth) in [(fails, true), (fits, false)] {
            let cond = beyond.clone();
            self.edge(self.cur, to, Op::Assume { cond, truth }, loc);
        }
        self.cur = fails;
        let null = Expr::int(0, lhs.ty);
        self.emit(
            Op::Assign {
                lhs: lhs.clone(),
                rhs: null,
            },
            loc,
        );
        self.set_errno_for_memory(loc);
        self.connect(self.cur, join, loc);
        self.cur = fits;
        Some(join)
    }

    /// The product of two sizes, in a type that has room for it.
    fn exact_product(&self, a: &Expr, b: &Expr) -> Expr {
        let wide = Types::int(IntKind::UInt128);
        let [a, b] = [a, b].map(|factor| {
            let size = expr::cast(&self.types, factor.clone(), self.size_t);
            expr::cast(&self.types, size, wide)
        });
        expr::binary(&self.types, BinOp::Mul, a, b, wide)
    }

    /// Where an allocation of the library has failed: the number of the last error says so.
    pub(super) fn set_errno_for_memory(&mut self, loc: Loc) {
        /// `ENOMEM` of Linux.
        const NO_MEMORY: i64 = 12;
        let Some(errno) = self.unit.library_global("library_errno") else {
            return;
        };
        let ty = self.unit.global(errno).ty;
        let lhs = Place::var(self.global(errno), ty);
        let rhs = Expr::int(NO_MEMORY, ty);
        self.emit(Op::Assign { lhs, rhs }, loc);
    }

    /// Where the address of a new object goes: any pointer will do.
    fn pointer_result(&mut self, ty: TypeId, into: &Option<Place>, loc: Loc) -> Place {
        match into {
            Some(place) if self.types.is_pointer(place.ty) => place.clone(),
            _ => Place::var(self.temp(ty, loc), ty),
        }
    }
}
