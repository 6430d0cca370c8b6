//! Values and side effects.
//!
//! [`Lowerer::rvalue`] emits the side effects of an expression and returns the rest: an expression without side effects. The rest is
//! evaluated later than in C if other side effects are emitted in between. So a value is saved in a temporary
//! if it reads an object that could change and the next operand has side effects.

use super::Lowerer;
use super::place::is_static;
use crate::cfa::program::expr;
use crate::cfa::program::expr::walk;
use crate::cfa::program::*;
use crate::frontend::syntax::ast;
use crate::frontend::syntax::ast::{BinaryOp, CastKind, ExprId, ExprKind as Ast, UnaryOp, grow};
use crate::frontend::text::source::Loc;
use crate::frontend::types::float::Format;
use crate::frontend::types::{Type, TypeId, Types};
use provident_smt::num::Int;

impl Lowerer<'_> {
    // ---- side effects --------------------------------------------------------------------------------------------------

    /// Whether evaluating the expression changes anything that another expression could read. Linear over all calls.
    pub(super) fn has_effects(&mut self, e: ExprId) -> bool {
        if self.effects.len() <= e.index() {
            self.effects.resize(e.index() + 1, 0);
        }
        if self.effects[e.index()] == 0 {
            let found = grow(|| self.compute_effects(e));
            self.effects[e.index()] = if found { 2 } else { 1 };
        }
        self.effects[e.index()] == 2
    }

    fn compute_effects(&mut self, e: ExprId) -> bool {
        let unit = self.unit;
        match unit.expr(e).kind {
            Ast::Int(_) | Ast::Float { .. } | Ast::String(_) | Ast::Local(_) | Ast::Captured(..) => false,
            Ast::Global(_) | Ast::Function(_) | Ast::LabelAddress(_) | Ast::SizeOfVla(_) => false,
            Ast::Assign { .. } | Ast::CompoundAssign { .. } | Ast::IncDec { .. } | Ast::StmtExpr { .. } => true,
            Ast::CompoundLiteral { .. } | Ast::VaArg(_) | Ast::Length(_) => true,
            Ast::Call { callee, args } => {
                self.call_has_effects(callee) || unit.list(args).iter().any(|&a| self.has_effects(a))
            }
            Ast::Deref(a) | Ast::AddressOf(a) | Ast::Unary(_, a) | Ast::Cast(_, a) => self.has_effects(a),
            Ast::Member { base, .. } => self.has_effects(base),
            Ast::Index { base: a, index: b }
            | Ast::Binary(_, a, b)
            | Ast::PointerAdd {
                pointer: a, index: b, ..
            }
            | Ast::PointerDiff(a, b)
            | Ast::LogicalAnd(a, b)
            | Ast::LogicalOr(a, b)
            | Ast::Elvis { value: a, otherwise: b }
            | Ast::Complex(a, b)
            | Ast::Select {
                first: a, second: b, ..
            }
            | Ast::Shuffle {
                first: a,
                second: None,
                mask: b,
            }
            | Ast::Comma(a, b) => self.has_effects(a) || self.has_effects(b),
            Ast::Conditional(a, b, c)
            | Ast::Shuffle {
                first: a,
                second: Some(b),
                mask: c,
            } => self.has_effects(a) || self.has_effects(b) || self.has_effects(c),
        }
    }

    /// Evaluates an expression for its side effects only.
    pub(super) fn effect(&mut self, e: ExprId) {
        grow(|| self.effect_of_tree(e));
    }

    fn effect_of_tree(&mut self, e: ExprId) {
        let unit = self.unit;
        let node = unit.expr(e);
        match node.kind {
            Ast::Assign { lhs, rhs } => {
                self.assign(lhs, rhs, node.loc);
            }
            Ast::CompoundAssign {
                op,
                lhs,
                rhs,
                computation,
            } => {
                self.compound_assign(op, lhs, rhs, computation, node.loc);
            }
            Ast::IncDec {
                lhs,
                decrement,
                computation,
                ..
            } => {
                self.increment(lhs, decrement, computation, node.loc);
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
                self.open_statement(body);
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
                if !self.has_visible_effects(e) {
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

    /// Whether dropping the expression could be noticed: it contains a call of whatever kind, or changes something.
    fn has_visible_effects(&mut self, e: ExprId) -> bool {
        grow(|| self.has_visible_effects_in_tree(e))
    }

    fn has_visible_effects_in_tree(&mut self, e: ExprId) -> bool {
        if self.has_effects(e) {
            return true;
        }
        // What has no effects may still call an undefined function that a property is about.
        let unit = self.unit;
        match unit.expr(e).kind {
            Ast::LogicalAnd(a, b) | Ast::LogicalOr(a, b) | Ast::Binary(_, a, b) => {
                self.has_visible_effects(a) || self.has_visible_effects(b)
            }
            Ast::Cast(_, a) | Ast::Unary(_, a) => self.has_visible_effects(a),
            Ast::Int(_) | Ast::Local(_) | Ast::Global(_) => false,
            _ => true,
        }
    }

    /// Whether the value stays what it is, whatever is assigned later: it reads nothing but temporaries.
    pub(super) fn is_stable(&self, value: &Expr) -> bool {
        let mut stable = true;
        walk(value, &mut |e| {
            if let ExprKind::Load(place) = &e.kind {
                stable &= match place.base {
                    PlaceBase::Var(v) => self.vars[v.index()].kind == VarKind::Temp,
                    PlaceBase::Deref(_) => false,
                };
            }
        });
        stable
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
        if self.has_effects(later) && !self.is_stable(&value) && !self.is_opaque(value.ty) {
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
                let place = self.assign(lhs, rhs, loc);
                Expr::load(place)
            }
            Ast::CompoundAssign {
                op,
                lhs,
                rhs,
                computation,
            } => {
                let place = self.compound_assign(op, lhs, rhs, computation, loc);
                Expr::load(place)
            }
            Ast::IncDec {
                lhs,
                decrement,
                prefix,
                computation,
            } => {
                if prefix {
                    let place = self.increment(lhs, decrement, computation, loc);
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
                self.open_statement(body);
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

    fn cast(&mut self, kind: CastKind, inner: ExprId, ty: TypeId, loc: Loc) -> Expr {
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
                let is_half = self.types.format(ty) == Some(Format::Half);
                let value = if is_half {
                    self.rvalue(inner)
                } else {
                    self.operand_value(inner)
                };
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
            let right = self.operand_value(b);
            (self.operand_value(a), right)
        } else {
            let left = self.operand_value(a);
            let left = self.keep(left, b, loc);
            (left, self.operand_value(b))
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
                    UnaryOp::Neg => expr::unary(&self.types, UnOp::Neg, value),
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

    fn store_conditional(&mut self, place: &Place, c: ExprId, a: ExprId, b: ExprId, loc: Loc) {
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

    // ---- assignments ---------------------------------------------------------------------------------------------------

    fn assign(&mut self, lhs: ExprId, rhs: ExprId, loc: Loc) -> Place {
        self.note_assignment_order(lhs, rhs, false, loc);
        if self.value_first(lhs, rhs) {
            let value = self.rvalue(rhs);
            let value = self.keep(value, lhs, loc);
            let place = self.place(lhs);
            self.store_value(place.clone(), value, loc);
            return place;
        }
        let place = self.place(lhs);
        let place = self.keep_place(place, rhs, loc);
        self.store(place.clone(), rhs, loc);
        place
    }

    /// Evaluates an expression into a place. The expression has the type of the place.
    pub(super) fn store(&mut self, place: Place, e: ExprId, loc: Loc) {
        grow(|| self.store_tree(place, e, loc));
    }

    fn store_tree(&mut self, place: Place, e: ExprId, loc: Loc) {
        let unit = self.unit;
        match unit.expr(e).kind {
            Ast::Conditional(c, a, b) => return self.store_conditional(&place, c, a, b, loc),
            Ast::Comma(a, b) => {
                self.effect(a);
                return self.store(place, b, loc);
            }
            Ast::Call { callee, args } => return self.store_call(place, e, callee, unit.list(args), loc),
            // `p = (struct s *)malloc(n)`: an allocation gives its address to a pointer of whatever type.
            Ast::Cast(CastKind::Pointer, inner) if self.types.is_pointer(place.ty) => {
                if let Ast::Call { callee, args } = unit.expr(inner).kind {
                    return self.store_call(place, inner, callee, unit.list(args), loc);
                }
            }
            _ => {}
        }
        if self.is_opaque(place.ty) {
            self.effect(e);
            let source = self.opaque_value(place.ty);
            self.emit(Op::Havoc { place, source }, loc);
            return;
        }
        let value = self.rvalue(e);
        self.store_value(place, value, loc);
    }

    fn store_call(&mut self, place: Place, e: ExprId, callee: ast::Callee, args: &[ExprId], loc: Loc) {
        let direct = place.bits.is_none() && is_static(&place);
        let into = direct.then(|| place.clone());
        if let Some(value) = self.call(e, callee, args, into, true)
            && !matches!(&value.kind, ExprKind::Load(p) if *p == place)
        {
            self.store_value(place, value, loc);
        }
    }

    /// Assigns a value to a place.
    pub(super) fn store_value(&mut self, place: Place, value: Expr, loc: Loc) {
        if let (true, ExprKind::Load(from)) = (self.has_variable_length(place.ty), &value.kind) {
            return self.copy_variable(place, from.clone(), loc);
        }
        if self.is_opaque(place.ty) || self.is_opaque(value.ty) {
            let source = self.opaque_value(place.ty);
            self.emit(Op::Havoc { place, source }, loc);
            return;
        }
        let value = if self.types.is_scalar(place.ty) {
            self.float_cast(value, place.ty)
        } else {
            value
        };
        self.emit(Op::Assign { lhs: place, rhs: value }, loc);
    }

    fn compound_assign(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, computation: TypeId, loc: Loc) -> Place {
        self.note_assignment_order(lhs, rhs, true, loc);
        if self.has_parts(self.unit.expr(lhs).ty) || self.has_parts(computation) {
            let place = self.place(lhs);
            let place = self.keep_place(place, rhs, loc);
            let right = self.update_operand(rhs);
            let old = Expr::load(place.clone());
            let new = self.update_parts(op, old, right, computation, place.ty, loc);
            self.store_value(place.clone(), new, loc);
            return place;
        }
        let (place, right) = if self.has_effects(rhs) {
            let right = self.operand_value(rhs);
            let right = self.keep(right, lhs, loc);
            (self.place(lhs), right)
        } else {
            let place = self.place(lhs);
            (place, self.operand_value(rhs))
        };
        if self.is_opaque(place.ty) || self.is_opaque(right.ty) || self.is_opaque(computation) {
            let source = self.opaque_value(place.ty);
            self.emit(
                Op::Havoc {
                    place: place.clone(),
                    source,
                },
                loc,
            );
            return place;
        }
        let old = Expr::load(place.clone());
        let new = if self.types.is_pointer(place.ty) {
            self.pointer_add(old, right, op == BinaryOp::Sub)
        } else {
            let old = self.float_cast(old, computation);
            let right = if op.is_shift() {
                right
            } else {
                self.float_cast(right, computation)
            };
            let ty = if op.is_comparison() { Types::INT } else { computation };
            self.note_float(ty, old.ty, loc);
            self.float_operator(operator(op), old, right, ty)
        };
        self.store_value(place.clone(), new, loc);
        place
    }

    /// Adds or subtracts 1 in place.
    fn increment(&mut self, lhs: ExprId, decrement: bool, computation: TypeId, loc: Loc) -> Place {
        let place = self.place(lhs);
        let old = Expr::load(place.clone());
        self.step(place.clone(), old, decrement, computation, loc);
        place
    }

    fn post_increment(&mut self, lhs: ExprId, decrement: bool, computation: TypeId, loc: Loc) -> Expr {
        let place = self.place(lhs);
        if self.is_opaque(place.ty) {
            return Expr::load(place);
        }
        let old = self.save(Expr::load(place.clone()), loc);
        self.step(place, old.clone(), decrement, computation, loc);
        old
    }

    fn step(&mut self, place: Place, old: Expr, decrement: bool, computation: TypeId, loc: Loc) {
        if self.is_opaque(place.ty) {
            let source = self.opaque_value(place.ty);
            self.emit(Op::Havoc { place, source }, loc);
            return;
        }
        let new = if self.has_parts(place.ty) {
            let (elem, _) = self.shape(place.ty);
            let one = expr::cast(&self.types, Expr::int(1, Types::INT), elem);
            let op = if decrement { BinaryOp::Sub } else { BinaryOp::Add };
            self.update_parts(op, old, one, place.ty, place.ty, loc)
        } else if self.types.is_pointer(place.ty) {
            self.pointer_add(old, Expr::int(1, self.intptr), decrement)
        } else {
            let old = expr::cast(&self.types, old, computation);
            let one = expr::cast(&self.types, Expr::int(1, Types::INT), computation);
            let op = if decrement { BinOp::Sub } else { BinOp::Add };
            self.float_operator(op, old, one, computation)
        };
        self.store_value(place, new, loc);
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
