//! The structural invariants of a [`Program`], as assertions.
//!
//! * Edges and the edge lists of nodes agree; an edge stays in one function.
//! * A function's entry and exit are its own nodes. Nothing leaves the exit, nothing returns to the entry.
//! * Every call edge calls a defined function with one argument of the right type per parameter.
//! * Expressions are well typed as [`program`](crate::cfa::program) says; constants are in the range of their type.
//! * Places name fields that exist and index only arrays; a variable whose address is taken is in memory.
//! * Every cycle inside a function has a loop head, and every variable in memory an address that no other shares.

use super::expr::{range, walk, walk_place};
use super::visit::{Part, visit_parts};
use super::*;
use crate::frontend::types::{Type, TypeId, Types};

impl Program {
    /// Checks all structural invariants.
    ///
    /// # Panics
    ///
    /// If one does not hold, with a message that names the place.
    pub fn validate(&self) {
        self.validate_graph();
        self.validate_functions();
        self.validate_cycles();
        self.validate_addresses();
        for id in self.edge_ids() {
            self.validate_op(id);
        }
    }

    fn validate_graph(&self) {
        for id in self.edge_ids() {
            let edge = self.edge(id);
            assert!(
                self.node(edge.from).outgoing.contains(&id),
                "{id:?} is not listed at its start"
            );
            assert!(
                self.node(edge.to).incoming.contains(&id),
                "{id:?} is not listed at its end"
            );
            assert_eq!(
                self.node(edge.from).func,
                self.node(edge.to).func,
                "{id:?} leaves its function"
            );
        }
        let listed: usize = self.nodes.iter().map(|n| n.outgoing.len()).sum();
        assert_eq!(listed, self.edges.len(), "an edge is listed twice");
        let listed: usize = self.nodes.iter().map(|n| n.incoming.len()).sum();
        assert_eq!(listed, self.edges.len(), "an edge is listed twice");
    }

    fn validate_functions(&self) {
        assert!(self.function(self.start).defined, "the start function is not defined");
        for id in self.function_ids() {
            let function = self.function(id);
            assert_eq!(
                self.node(function.entry).func,
                id,
                "the entry of `{}` is elsewhere",
                function.name
            );
            assert_eq!(
                self.node(function.exit).func,
                id,
                "the exit of `{}` is elsewhere",
                function.name
            );
            assert!(
                self.node(function.exit).outgoing.is_empty(),
                "the exit of `{}` is left",
                function.name
            );
            assert!(
                self.node(function.entry).incoming.is_empty(),
                "the entry of `{}` is in a loop",
                function.name
            );
            assert!(function.defined || self.node(function.entry).outgoing.is_empty());
            for &p in function.params.iter().chain(&function.ret) {
                assert_eq!(
                    self.var(p).func,
                    Some(id),
                    "a parameter of `{}` is elsewhere",
                    function.name
                );
            }
        }
    }

    /// Without loop heads, numbers in reverse post-order must rise along every edge; so no cycle is without one.
    fn validate_cycles(&self) {
        for edge in &self.edges {
            let (from, to) = (self.node(edge.from), self.node(edge.to));
            assert!(
                to.loop_head || from.rpo < to.rpo,
                "a cycle through {:?} has no loop head",
                edge.to
            );
        }
    }

    fn validate_addresses(&self) {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for variable in &self.vars {
            assert_eq!(
                variable.in_memory,
                variable.address.is_some(),
                "`{}`: memory without address",
                variable.name
            );
            assert!(variable.in_memory || !variable.escapes, "`{}` escapes", variable.name);
            if let Some(address) = variable.address {
                let size = variable.size(&self.types).unwrap_or(super::layout::UNKNOWN_SIZE);
                ranges.push((address, address + size));
            }
        }
        ranges.sort_unstable();
        for pair in ranges.windows(2) {
            assert!(pair[0].1 < pair[1].0, "two variables meet at {:#x}", pair[1].0);
        }
    }

    fn validate_op(&self, id: EdgeId) {
        let op = &self.edge(id).op;
        visit_parts(op, &mut |part| match part {
            Part::Value(e) => walk(e, &mut |e| self.validate_expr(id, e)),
            Part::Written(place) => {
                self.validate_place(id, place);
                walk_place(place, &mut |e| self.validate_expr(id, e));
            }
        });
        match op {
            Op::Assume { cond, .. } => assert!(self.types.is_scalar(cond.ty), "{id:?}: condition is no scalar"),
            Op::Assign { lhs, rhs } => {
                assert_eq!(lhs.ty, rhs.ty, "{id:?}: assignment of another type");
                let record = self.types.as_record(lhs.ty).is_some();
                assert!(
                    self.is_operand(lhs.ty) || record,
                    "{id:?}: assignment of an object of another kind"
                );
                assert!(
                    !record || matches!(rhs.kind, ExprKind::Load(_)),
                    "{id:?}: record value that is no load"
                );
            }
            Op::Call { func, args, ret } => {
                let function = self.function(*func);
                assert!(function.defined, "{id:?} calls `{}`, which has no body", function.name);
                assert_eq!(
                    args.len(),
                    function.params.len(),
                    "{id:?}: number of arguments of `{}`",
                    function.name
                );
                for (arg, &param) in args.iter().zip(&function.params) {
                    assert_eq!(
                        arg.ty,
                        self.var(param).ty,
                        "{id:?}: type of an argument of `{}`",
                        function.name
                    );
                }
                if let Some(place) = ret {
                    let result = function
                        .ret
                        .expect("a call with a result calls a function that returns one");
                    assert_eq!(
                        place.ty,
                        self.var(result).ty,
                        "{id:?}: type of the result of `{}`",
                        function.name
                    );
                    assert!(place.bits.is_none(), "{id:?}: call result into a bit-field");
                }
            }
            Op::External { func, .. } => assert!(
                !self.function(*func).defined,
                "{id:?}: extern call of a defined function"
            ),
            Op::Inspect { lhs, question } => {
                let asked = question.values().next();
                let is_pointer = asked.is_none_or(|ptr| self.types.is_pointer(ptr.ty));
                assert!(is_pointer, "{id:?}: a question about no object");
                let signed = self.types.integer(lhs.ty).map(|i| i.signed);
                let is_size = matches!(question, Inspection::Size(_));
                assert_eq!(signed, Some(!is_size), "{id:?}: the type of an answer");
            }
            Op::Allocate { lhs, size, .. } => {
                assert!(self.types.is_pointer(lhs.ty), "{id:?}: allocation into no pointer");
                assert_eq!(
                    self.types.integer(size.ty).map(|i| i.signed),
                    Some(false),
                    "{id:?}: size of an allocation"
                );
            }
            _ => {}
        }
    }

    fn is_operand(&self, ty: TypeId) -> bool {
        self.types.integer(ty).is_some() || self.types.is_float(ty)
    }

    fn validate_expr(&self, id: EdgeId, e: &Expr) {
        let types = &self.types;
        match &e.kind {
            ExprKind::Const(value) => {
                let info = types
                    .integer(e.ty)
                    .unwrap_or_else(|| panic!("{id:?}: integer constant of type {}", types.display(e.ty)));
                let (low, high) = range(info);
                assert!(
                    low <= *value && *value <= high,
                    "{id:?}: constant {value} is out of range"
                );
            }
            ExprKind::Float(bits) => {
                let width = types.format(e.ty).map(|format| format.width());
                let width = width.unwrap_or_else(|| panic!("{id:?}: floating constant of another type"));
                assert!(
                    width == 128 || bits >> width == 0,
                    "{id:?}: floating constant {bits:#x}"
                );
            }
            ExprKind::Math(op, operands) => {
                assert!(
                    self.is_operand(e.ty) && operands.iter().all(|x| self.is_operand(x.ty)),
                    "{id:?}: `{}` of what is no scalar",
                    op.name()
                );
            }
            ExprKind::Load(place) => {
                assert_eq!(place.ty, e.ty, "{id:?}: load of another type");
                self.validate_place(id, place);
            }
            ExprKind::AddrOf(place) => {
                assert!(
                    types.is_pointer(e.ty),
                    "{id:?}: address of type {}",
                    types.display(e.ty)
                );
                assert!(place.bits.is_none(), "{id:?}: address of a bit-field");
                self.validate_place(id, place);
                if let PlaceBase::Var(v) = place.base {
                    assert!(
                        self.var(v).escapes,
                        "{id:?}: `{}` has its address taken",
                        self.var(v).name
                    );
                }
            }
            ExprKind::FuncAddr(_) => assert!(
                types.integer(e.ty).is_some(),
                "{id:?}: function address of another type"
            ),
            ExprKind::Cast(inner) => {
                assert!(
                    self.is_operand(e.ty) && self.is_operand(inner.ty),
                    "{id:?}: conversion of what is no scalar"
                );
            }
            ExprKind::Unary(UnOp::LogNot, inner) => {
                assert!(
                    self.is_operand(inner.ty) && e.ty == Types::INT,
                    "{id:?}: type of a negation"
                );
            }
            ExprKind::Unary(_, inner) => assert_eq!(e.ty, inner.ty, "{id:?}: type of a unary operation"),
            ExprKind::Binary(op, left, right) => self.validate_binary(id, e.ty, *op, left, right),
        }
    }

    fn validate_binary(&self, id: EdgeId, ty: TypeId, op: BinOp, left: &Expr, right: &Expr) {
        let types = &self.types;
        assert!(
            self.is_operand(left.ty) && self.is_operand(right.ty),
            "{id:?}: operand that is no scalar"
        );
        if op.is_comparison() {
            assert_eq!(left.ty, right.ty, "{id:?}: comparison of different types");
            assert_eq!(ty, Types::INT, "{id:?}: type of a comparison");
        } else if matches!(op, BinOp::Shl | BinOp::Shr) {
            assert_eq!(ty, left.ty, "{id:?}: type of a shift");
            assert!(types.integer(right.ty).is_some(), "{id:?}: shift by what is no integer");
        } else if types.is_pointer(ty) {
            assert_eq!(op, BinOp::Add, "{id:?}: arithmetic on pointers");
            assert_eq!(ty, left.ty, "{id:?}: type of pointer arithmetic");
            let width = |t: TypeId| types.integer(t).map(|i| i.width);
            assert!(
                !types.is_pointer(right.ty) && width(right.ty) == width(ty),
                "{id:?}: offset of a pointer"
            );
        } else {
            assert!(left.ty == ty && right.ty == ty, "{id:?}: operands of different types");
        }
    }

    fn validate_place(&self, id: EdgeId, place: &Place) {
        let types = &self.types;
        let mut ty = match &place.base {
            PlaceBase::Var(v) => self.var(*v).ty,
            PlaceBase::Deref(ptr) => {
                assert!(
                    types.is_pointer(ptr.ty),
                    "{id:?}: dereference of type {}",
                    types.display(ptr.ty)
                );
                // Lowering may look at an object under another type than the pointer's.
                if place.proj.is_empty() {
                    place.ty
                } else {
                    types.pointee(ptr.ty).expect("a pointer points to something")
                }
            }
        };
        for proj in &place.proj {
            ty = match proj {
                Proj::Field { record, field } => {
                    assert_eq!(
                        types.as_record(ty),
                        Some(*record),
                        "{id:?}: member of {}",
                        types.display(ty)
                    );
                    types.record(*record).fields[*field as usize].ty
                }
                Proj::Index(index) => {
                    assert!(types.integer(index.ty).is_some(), "{id:?}: index that is no integer");
                    match *types.get(ty) {
                        Type::Array { elem, .. } => elem,
                        _ => panic!("{id:?}: index into {}", types.display(ty)),
                    }
                }
            };
        }
        assert_eq!(ty, place.ty, "{id:?}: type of a place");
        let bit_field = match place.proj.last() {
            Some(Proj::Field { record, field }) => types.record(*record).fields[*field as usize].bits.is_some(),
            _ => false,
        };
        assert_eq!(bit_field, place.bits.is_some(), "{id:?}: bit range of a place");
    }
}
