//! Values and side effects.
//!
//! [`Lowerer::rvalue`] emits the side effects of an expression and returns the rest: an expression without side effects. The rest is
//! evaluated later than in C if other side effects are emitted in between. So a value is saved in a temporary
//! if it reads an object that could change and the next operand has side effects.

use super::Lowerer;
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::syntax::ast::{BinaryOp, CastKind, ExprId, ExprKind as Ast, UnaryOp, grow};
use crate::frontend::text::source::Loc;
use crate::frontend::types::float::Format;
use crate::frontend::types::{Type, TypeId, Types};
use provident_smt::num::Int;

/// The assumption about operations on `_Float16`.
const EXCESS: &str = "operations on `_Float16` have the precision of `float` until the value is stored, passed or cast, as gcc has them without AVX512-FP16";

impl Lowerer<'_> {
    /// Evaluates an expression for its side effects only.
    pub(super) fn effect(&mut self, e: ExprId) {
        grow(|| self.effect_of_tree(e));
    }

    /// Lowers an expression for its effects only. Long, as it has a case for each kind of expression.
    fn effect_of_tree(&mut self, e: ExprId) {
        let unit = self.unit;
        let node = unit.expr(e);
        if self.is_checked_value(e) {
            self.rvalue(e);
            return;
        }
        match node.kind {
            Ast::Assign { lhs, rhs } => {
                self.assign(lhs, rhs, None, node.loc);
            }
            Ast::CompoundAssign {
                op,
                lhs,
                rhs,
                computation,
            } => {
                self.compound_assign(op, lhs, rhs, computation, None, node.loc);
            }
            Ast::IncDec {
                lhs,
                decrement,
                computation,
                ..
            } => {
                self.increment(lhs, decrement, computation, None, node.loc);
            }
            Ast::Comma(a, b) => {
                self.effect(a);
                self.effect(b);
            }
            Ast::Call { callee, args } => {
                self.call(e, callee, unit.list(args), None, false);
            }
            Ast::StmtExpr { body, value } => {
                let pending = self.pending_cleanups();
                self.open_statement(body, body);
                if let Some(value) = value {
                    self.effect(value);
                }
                self.leave_block(pending);
            }
            Ast::Conditional(c, a, b) => {
                let (yes, no, join) = (
                    self.new_node(node.loc),
                    self.new_node(node.loc),
                    self.new_node(node.loc),
                );
                self.branch(c, yes, no);
                for (start, value) in [(yes, a), (no, b)] {
                    self.cur = start;
                    self.effect(value);
                    self.connect(self.cur, join, node.loc);
                }
                self.cur = join;
            }
            Ast::LogicalAnd(a, b) | Ast::LogicalOr(a, b) => {
                if !self.has_visible_effects(e) && self.options.checks.is_empty() {
                    return;
                }
                let (go_on, join) = (self.new_node(node.loc), self.new_node(node.loc));
                if matches!(node.kind, Ast::LogicalAnd(..)) {
                    self.branch(a, go_on, join);
                } else {
                    self.branch(a, join, go_on);
                }
                self.cur = go_on;
                self.effect(b);
                self.connect(self.cur, join, node.loc);
                self.cur = join;
            }
            Ast::Cast(_, inner) | Ast::Unary(_, inner) | Ast::AddressOf(inner) | Ast::Deref(inner) => {
                self.effect(inner)
            }
            Ast::Member { base, .. } => self.effect(base),
            Ast::Shuffle { first, second, mask } => {
                self.effect(first);
                second.iter().for_each(|&second| self.effect(second));
                self.effect(mask);
            }
            Ast::Binary(_, a, b)
            | Ast::PointerDiff(a, b)
            | Ast::Complex(a, b)
            | Ast::Select {
                first: a, second: b, ..
            } => {
                self.effect(a);
                self.effect(b);
            }
            Ast::Index { base: a, index: b }
            | Ast::PointerAdd {
                pointer: a, index: b, ..
            } => {
                self.effect(a);
                self.effect(b);
            }
            Ast::Elvis { value, otherwise } => {
                let (yes, no) = (self.new_node(node.loc), self.new_node(node.loc));
                self.branch(value, yes, no);
                self.cur = no;
                self.effect(otherwise);
                self.connect(self.cur, yes, node.loc);
                self.cur = yes;
            }
            Ast::CompoundLiteral { .. } => {
                self.place(e);
            }
            Ast::VaArg(list) => {
                self.va_arg(list, node.ty, node.loc);
            }
            Ast::Int(_) | Ast::Float { .. } | Ast::String(_) | Ast::Local(_) | Ast::Captured(..) | Ast::Global(_) => {}
            Ast::Function(_) | Ast::LabelAddress(_) | Ast::SizeOfVla(_) => {}
            Ast::Length(id) => self.evaluate_lengths(&[id]),
        }
    }

    /// Saves a value in a new temporary.
    pub(super) fn save(&mut self, value: Expr, loc: Loc) -> Expr {
        if let (true, ExprKind::Load(from)) = (self.has_variable_length(value.ty), &value.kind) {
            return self.save_variable(from.clone(), loc);
        }
        let temp = self.temp(value.ty, loc);
        let place = Place::var(temp, value.ty);
        self.emit(
            Op::Assign {
                lhs: place.clone(),
                rhs: value,
            },
            loc,
        );
        Expr::load(place)
    }

    /// The value, saved if `later` has side effects that might change it.
    pub(super) fn keep(&mut self, value: Expr, later: ExprId, loc: Loc) -> Expr {
        if self.has_effects(later) && !self.is_opaque(value.ty) && !self.outlasts(&value, later) {
            self.save(value, loc)
        } else {
            value
        }
    }

    /// The place, with its pointer and indices saved if `later` has side effects that might change them.
    pub(super) fn keep_place(&mut self, mut place: Place, later: ExprId, loc: Loc) -> Place {
        if !self.has_effects(later) {
            return place;
        }
        if let PlaceBase::Deref(ptr) = place.base {
            let ptr = self.keep(*ptr, later, loc);
            place.base = PlaceBase::Deref(Box::new(ptr));
        }
        for proj in &mut place.proj {
            if let Proj::Index(index) = proj {
                let old = std::mem::replace(&mut **index, Expr::int(0, Types::INT));
                **index = self.keep(old, later, loc);
            }
        }
        place
    }

    /// A value that is invented for a construct without a model; see [`Invention`]. `what` names the value, as in ``the result of `f()` ``. It goes into
    /// the ledger as an over-approximation.
    pub(super) fn invent(&mut self, ty: TypeId, kind: Invention, what: &str, loc: Loc) -> Expr {
        self.assume(kind.into(), format!("{what}: any value"), loc, true);
        let place = Place::var(self.temp(ty, loc), ty);
        let source = Input::invented(kind, what);
        self.emit(
            Op::Havoc {
                place: place.clone(),
                source,
            },
            loc,
        );
        Expr::load(place)
    }

    /// Where a value comes from that has a type without scalars.
    pub(super) fn opaque_value(&self, ty: TypeId) -> Input {
        let what = format!("a value of type `{}`", self.types.display(ty));
        Input::invented(self.opaque_kind(ty), what)
    }

    /// The sort of invention that values of an opaque type are.
    fn opaque_kind(&self, ty: TypeId) -> Invention {
        match self.types.get(ty) {
            Type::Complex(_) => Invention::Complex,
            Type::Vector { .. } => Invention::Vector,
            _ => Invention::VarArgs,
        }
    }

    /// The result of an operation on values of which one at least has an opaque type.
    fn invent_opaque(&mut self, ty: TypeId, operands: &[TypeId], what: &str, loc: Loc) -> Expr {
        let opaque = std::iter::once(&ty).chain(operands).find(|&&ty| self.is_opaque(ty));
        let kind = opaque.map_or(Invention::Language, |&ty| self.opaque_kind(ty));
        self.invent(ty, kind, what, loc)
    }

    // ---- values --------------------------------------------------------------------------------------------------------

    pub(super) fn int_const(&self, value: i128, ty: TypeId) -> Expr {
        let value = Int::from(value);
        match self.int_info(ty) {
            Some(info) => Expr::int(expr::wrap(&value, info), ty),
            None => Expr::int(value, ty),
        }
    }

    /// Emits the side effects of an expression and returns its value. The value of a record is a load of a place. The expression is not `void`.
    pub(super) fn rvalue(&mut self, e: ExprId) -> Expr {
        let value = grow(|| self.rvalue_of_tree(e));
        // Those who read the automata recurse over expressions, and copy them.
        if is_larger_than(&value, MAX_NODES) {
            self.save(value, self.unit.expr(e).loc)
        } else {
            value
        }
    }

    /// The value of an expression. Long, as it has a case for each kind of expression.
    fn rvalue_of_tree(&mut self, e: ExprId) -> Expr {
        let unit = self.unit;
        let node = unit.expr(e);
        let (ty, loc) = (node.ty, node.loc);
        if self.types.is_void(ty) && !node.kind.is_lvalue() {
            self.effect(e);
            return Expr::int(0, Types::INT);
        }
        match node.kind {
            Ast::Int(value) => self.int_const(value, ty),
            Ast::Float { bits, imaginary: false } if self.types.is_float(ty) => Expr::float(bits, ty),
            Ast::Float { .. } => unreachable!("imaginary constants are complex numbers of two parts"),
            Ast::Complex(a, b) => {
                let real = self.rvalue(a);
                let real = self.keep(real, b, loc);
                let imaginary = self.rvalue(b);
                self.complex_of(real, imaginary, ty, loc)
            }
            Ast::Shuffle { first, second, mask } => self.shuffle(first, second, mask, ty, loc),
            Ast::Select { first, second, which } => self.select(first, second, unit.list(which), ty, loc),
            Ast::Cast(kind, inner) => self.cast(kind, inner, ty, loc),
            Ast::Binary(op, a, b) => self.binary(op, a, b, ty, loc),
            Ast::Unary(op, a) => self.unary(op, a, ty, loc),
            Ast::AddressOf(inner) => self.address_of(inner, ty),
            Ast::Function(f) => self.function_address(f, ty),
            Ast::LabelAddress(label) => Expr::int(self.label_address(label), ty),
            Ast::PointerAdd {
                pointer,
                index,
                subtract,
            } => {
                self.note_order(&[pointer, index], loc);
                let p = self.rvalue(pointer);
                let p = self.keep(p, index, loc);
                let i = self.rvalue(index);
                self.pointer_add(p, i, subtract)
            }
            Ast::PointerDiff(a, b) => self.pointer_diff(a, b, ty, loc),
            Ast::LogicalAnd(..) | Ast::LogicalOr(..) => self.truth_value(e, ty, loc),
            Ast::Conditional(c, a, b) => self.conditional(c, a, b, ty, loc),
            Ast::Elvis { value, otherwise } => self.elvis(value, otherwise, ty, loc),
            Ast::Assign { lhs, rhs } => {
                let place = self.assign(lhs, rhs, Some(e), loc);
                Expr::load(place)
            }
            Ast::CompoundAssign {
                op,
                lhs,
                rhs,
                computation,
            } => {
                let place = self.compound_assign(op, lhs, rhs, computation, Some(e), loc);
                Expr::load(place)
            }
            Ast::IncDec {
                lhs,
                decrement,
                prefix,
                computation,
            } => {
                if prefix {
                    let place = self.increment(lhs, decrement, computation, Some(e), loc);
                    Expr::load(place)
                } else {
                    self.post_increment(lhs, decrement, computation, loc)
                }
            }
            Ast::Call { callee, args } => match self.call(e, callee, unit.list(args), None, true) {
                Some(value) => value,
                None => self.invent(ty, Invention::Language, "the result of a call", loc),
            },
            Ast::Comma(a, b) => {
                self.effect(a);
                self.rvalue(b)
            }
            Ast::StmtExpr { body, value } => {
                let pending = self.pending_cleanups();
                self.open_statement(body, body);
                match value {
                    // The value may read variables that live on only until the statement expression is entered again.
                    Some(value) => {
                        let mut value = self.rvalue(value);
                        if self.pending_cleanups() > pending && !self.is_opaque(value.ty) {
                            value = self.save(value, loc);
                        }
                        self.leave_block(pending);
                        value
                    }
                    None => self.invent(ty, Invention::Language, "a statement expression without a value", loc),
                }
            }
            Ast::VaArg(list) => self.va_arg(list, ty, loc),
            Ast::SizeOfVla(of) => {
                let size = self.size_expr(of);
                expr::cast(&self.types, size, ty)
            }
            Ast::Length(_) => unreachable!("it is of type void"),
            // A member or element of a value that is no lvalue, and lvalues that are read without a cast.
            Ast::String(_) | Ast::Local(_) | Ast::Captured(..) | Ast::Global(_) | Ast::Deref(_) => {
                Expr::load(self.place(e))
            }
            Ast::Member { .. } | Ast::Index { .. } | Ast::CompoundLiteral { .. } => Expr::load(self.place(e)),
        }
    }

    pub(super) fn cast(&mut self, kind: CastKind, inner: ExprId, ty: TypeId, loc: Loc) -> Expr {
        match kind {
            CastKind::LvalueToRvalue => Expr::load(self.place(inner)),
            CastKind::ArrayToPointer => {
                let place = self.place(inner);
                self.decay(place, ty)
            }
            CastKind::FunctionToPointer => self.designator(inner, ty),
            CastKind::ToUnion => {
                let value_ty = self.unit.expr(inner).ty;
                let temp = self.temp(ty, loc);
                let whole = Place::var(temp, ty);
                self.emit(
                    Op::Havoc {
                        place: whole.clone(),
                        source: Input::Uninitialised,
                    },
                    loc,
                );
                let record = self.types.as_record(ty);
                let field = record.and_then(|r| self.types.record(r).fields.iter().position(|f| f.ty == value_ty));
                if let (Some(record), Some(field)) = (record, field) {
                    let member = self.member(whole.clone(), record, u32::try_from(field).expect("few fields"), loc);
                    self.store(member, inner, loc);
                } else {
                    self.effect(inner);
                }
                Expr::load(whole)
            }
            CastKind::ToVoid => {
                self.effect(inner);
                Expr::int(0, Types::INT)
            }
            CastKind::Complex | CastKind::Vector | CastKind::Splat | CastKind::Elements => {
                self.cast_parts(kind, inner, ty, loc)
            }
            CastKind::Excess if self.types.format(ty) != Some(Format::Half) => {
                self.assume(AssumptionKind::Float, EXCESS.to_owned(), loc, false);
                self.rvalue(inner)
            }
            CastKind::NoOp if !self.types.is_scalar(ty) => {
                let value = self.rvalue(inner);
                match value.kind {
                    ExprKind::Load(place) if value.ty != ty => {
                        // Compatible records that are declared twice: the same object under its other type.
                        let to = self.types.pointer_to(ty);
                        let address = self.address(place);
                        Expr::load(Place::deref(expr::cast(&self.types, address, to), ty))
                    }
                    kind => Expr { ty, kind },
                }
            }
            _ => {
                let value = self.rvalue(inner);
                if self.types.is_scalar(value.ty) && !self.is_opaque(value.ty) {
                    self.float_cast(value, ty)
                } else {
                    self.invent_opaque(ty, &[value.ty], "the conversion of a complex or vector value", loc)
                }
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, ty: TypeId, loc: Loc) -> Expr {
        self.note_order(&[a, b], loc);
        if self.has_parts(self.unit.expr(a).ty) || self.has_parts(self.unit.expr(b).ty) {
            return self.binary_parts(op, a, b, ty, loc);
        }
        let (left, right) = if self.right_first(op, a, b) {
            let right = self.rvalue(b);
            (self.rvalue(a), right)
        } else {
            let left = self.rvalue(a);
            let left = self.keep(left, b, loc);
            (left, self.rvalue(b))
        };
        if self.is_opaque(ty) || self.is_opaque(left.ty) || self.is_opaque(right.ty) {
            return self.invent_opaque(ty, &[left.ty, right.ty], "complex or vector arithmetic", loc);
        }
        let right = if op.is_shift() {
            right
        } else {
            expr::cast(&self.types, right, left.ty)
        };
        self.note_float(ty, left.ty, loc);
        self.check_binary(op, &left, &right, loc);
        self.float_operator(operator(op), left, right, ty)
    }

    fn unary(&mut self, op: UnaryOp, a: ExprId, ty: TypeId, loc: Loc) -> Expr {
        match op {
            _ if self.has_parts(self.unit.expr(a).ty) => self.unary_parts(op, a, ty, loc),
            UnaryOp::LogicalNot if self.is_control(a) => self.truth_value_of_not(a, ty, loc),
            _ => {
                let value = self.rvalue(a);
                if self.is_opaque(ty) || self.is_opaque(value.ty) {
                    return self.invent_opaque(ty, &[value.ty], "complex or vector arithmetic", loc);
                }
                match op {
                    UnaryOp::Neg => {
                        self.check_negation(&value, loc);
                        expr::unary(&self.types, UnOp::Neg, value)
                    }
                    UnaryOp::BitNot => expr::unary(&self.types, UnOp::BitNot, value),
                    UnaryOp::LogicalNot => expr::unary(&self.types, UnOp::LogNot, value),
                }
            }
        }
    }

    /// Whether the value of an expression is best found by branching.
    fn is_control(&self, mut e: ExprId) -> bool {
        loop {
            e = match self.unit.expr(e).kind {
                Ast::LogicalAnd(..) | Ast::LogicalOr(..) => return true,
                Ast::Unary(UnaryOp::LogicalNot, inner) | Ast::Cast(CastKind::Integral | CastKind::ToBool, inner) => {
                    inner
                }
                _ => return false,
            }
        }
    }

    fn truth_value(&mut self, e: ExprId, ty: TypeId, loc: Loc) -> Expr {
        let (yes, no) = (self.new_node(loc), self.new_node(loc));
        self.branch(e, yes, no);
        self.join_truth(yes, no, ty, loc)
    }

    fn truth_value_of_not(&mut self, e: ExprId, ty: TypeId, loc: Loc) -> Expr {
        let (yes, no) = (self.new_node(loc), self.new_node(loc));
        self.branch(e, no, yes);
        self.join_truth(yes, no, ty, loc)
    }

    fn join_truth(&mut self, yes: NodeId, no: NodeId, ty: TypeId, loc: Loc) -> Expr {
        let place = Place::var(self.temp(ty, loc), ty);
        let join = self.new_node(loc);
        for (node, value) in [(yes, 1), (no, 0)] {
            self.edge(
                node,
                join,
                Op::Assign {
                    lhs: place.clone(),
                    rhs: Expr::int(value, ty),
                },
                loc,
            );
        }
        self.cur = join;
        Expr::load(place)
    }

    fn conditional(&mut self, c: ExprId, a: ExprId, b: ExprId, ty: TypeId, loc: Loc) -> Expr {
        let place = Place::var(self.temp(ty, loc), ty);
        self.store_conditional(&place, c, a, b, loc);
        Expr::load(place)
    }

    pub(super) fn store_conditional(&mut self, place: &Place, c: ExprId, a: ExprId, b: ExprId, loc: Loc) {
        let (yes, no, join) = (self.new_node(loc), self.new_node(loc), self.new_node(loc));
        self.branch(c, yes, no);
        for (start, value) in [(yes, a), (no, b)] {
            self.cur = start;
            self.store(place.clone(), value, loc);
            self.connect(self.cur, join, loc);
        }
        self.cur = join;
    }

    fn elvis(&mut self, value: ExprId, otherwise: ExprId, ty: TypeId, loc: Loc) -> Expr {
        let tested = self.rvalue(value);
        let tested = if self.is_stable(&tested) {
            tested
        } else {
            self.save(tested, loc)
        };
        let (yes, no, join) = (self.new_node(loc), self.new_node(loc), self.new_node(loc));
        self.test(tested.clone(), yes, no, loc);
        let place = Place::var(self.temp(ty, loc), ty);
        let converted = expr::cast(&self.types, tested, ty);
        self.edge(
            yes,
            join,
            Op::Assign {
                lhs: place.clone(),
                rhs: converted,
            },
            loc,
        );
        self.cur = no;
        self.store(place.clone(), otherwise, loc);
        self.connect(self.cur, join, loc);
        self.cur = join;
        Expr::load(place)
    }
}

/// Nodes of an expression of the automata at most, but for what one operator adds; the parts of greater ones are kept in temporaries.
const MAX_NODES: usize = 160;

fn is_larger_than(expr: &Expr, most: usize) -> bool {
    fn count(expr: &Expr, left: &mut usize) -> bool {
        let Some(rest) = left.checked_sub(1) else { return true };
        *left = rest;
        match &expr.kind {
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => count(a, left),
            ExprKind::Binary(_, a, b) => count(a, left) || count(b, left),
            ExprKind::Load(place) | ExprKind::AddrOf(place) => {
                let pointer = match &place.base {
                    PlaceBase::Deref(pointer) => count(pointer, left),
                    PlaceBase::Var(_) => false,
                };
                pointer
                    || place
                        .proj
                        .iter()
                        .any(|p| matches!(p, Proj::Index(index) if count(index, left)))
            }
            _ => false,
        }
    }
    count(expr, &mut most.clone())
}

/// The operator of the automata.
pub(super) fn operator(op: BinaryOp) -> BinOp {
    match op {
        BinaryOp::Add => BinOp::Add,
        BinaryOp::Sub => BinOp::Sub,
        BinaryOp::Mul => BinOp::Mul,
        BinaryOp::Div => BinOp::Div,
        BinaryOp::Rem => BinOp::Rem,
        BinaryOp::Shl => BinOp::Shl,
        BinaryOp::Shr => BinOp::Shr,
        BinaryOp::BitAnd => BinOp::And,
        BinaryOp::BitOr => BinOp::Or,
        BinaryOp::BitXor => BinOp::Xor,
        BinaryOp::Lt => BinOp::Lt,
        BinaryOp::Le => BinOp::Le,
        BinaryOp::Gt => BinOp::Gt,
        BinaryOp::Ge => BinOp::Ge,
        BinaryOp::Eq => BinOp::Eq,
        BinaryOp::Ne => BinOp::Ne,
    }
}
