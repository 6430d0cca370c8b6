//! The parameters of `main`, as the standard defines them (ISO C 5.1.2.2.1).
//!
//! The number of arguments is not negative (it need not be positive: a caller of `execve` decides), there is a list of pointers to them, and the pointer behind the last argument is null. These are
//! assumptions at the start of the program, if `main` looks at the parameter at all. The other pointers point to strings: that is not assumed, which costs no TRUE, but an execution in which
//! one of them is null is none, see the replay.

use super::state::{Expected, Lowerer, START};
use crate::cfa::program::expr;
use crate::cfa::program::expr::walk;
use crate::cfa::program::*;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{TypeId, Types};

impl Lowerer<'_> {
    /// Leaves a place for what is known of the values with which the entry function is called.
    pub(super) fn expect_arguments(&mut self, name: &str, args: &[Expr], func: FuncId, loc: Loc) {
        let Some(count) = args.first().filter(|_| name == "main") else {
            return;
        };
        if !self.int_info(count.ty).is_some_and(|info| info.signed) {
            return;
        }
        let zero = Expr::int(0, count.ty);
        let mut conds = vec![(0, expr::binary(&self.types, BinOp::Ge, count.clone(), zero, Types::INT))];
        if let Some(element) = args.get(1).and_then(|list| self.element_of_list(list.ty)) {
            let nowhere = Expr::int(0, args[1].ty);
            let is_list = expr::binary(&self.types, BinOp::Ne, args[1].clone(), nowhere, Types::INT);
            conds.push((1, is_list));
            let end = self.pointer_add(args[1].clone(), count.clone(), false);
            let end = Expr::load(self.pointed(end, element));
            let null = Expr::int(0, element);
            conds.push((1, expr::binary(&self.types, BinOp::Eq, end, null, Types::INT)));
        }
        for (param, cond) in conds {
            let edge = self.edges.len();
            self.emit(Op::Nop, loc);
            self.expected.push(Expected {
                edge,
                cond,
                func,
                param,
            });
        }
    }

    /// The type of the elements of a list of pointers.
    fn element_of_list(&self, ty: TypeId) -> Option<TypeId> {
        self.types.pointee(ty).filter(|&element| self.types.is_pointer(element))
    }

    /// Assumes what is known of the parameters that the program reads.
    pub(super) fn settle_arguments(&mut self) {
        for expected in std::mem::take(&mut self.expected) {
            let params = &self.functions[expected.func.index()].params;
            let Some(&var) = params.get(expected.param) else {
                continue;
            };
            if !self.mentions(var) {
                continue;
            }
            let Edge { from, loc, .. } = self.edges[expected.edge];
            self.nodes.push(crate::cfa::raw::RawNode {
                func: START,
                loc,
                label: None,
                is_loop: false,
            });
            let to = NodeId::new(self.nodes.len() - 1);
            let assume = |truth| Op::Assume {
                cond: expected.cond.clone(),
                truth,
            };
            self.edges[expected.edge].op = assume(true);
            let op = assume(false);
            self.edges.push(Edge { from, to, op, loc });
        }
    }

    /// Whether an operation reads a variable or takes its address.
    fn mentions(&self, var: VarId) -> bool {
        let mut found = false;
        let mut look = |e: &Expr| {
            walk(e, &mut |e| {
                if let ExprKind::Load(place) | ExprKind::AddrOf(place) = &e.kind {
                    found |= matches!(place.base, PlaceBase::Var(base) if base == var);
                }
            });
        };
        for edge in &self.edges {
            crate::cfa::program::visit::visit_op(&edge.op, &mut look);
        }
        for call in &self.indirect {
            call.args.iter().chain([&call.pointer]).for_each(&mut look);
        }
        found
    }
}
