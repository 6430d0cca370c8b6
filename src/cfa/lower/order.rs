//! The order of evaluation, which C leaves open for most operators, for arguments and for initialisers (ISO C11, 6.5 and 6.5.2.2).
//!
//! Programs are evaluated as gcc does on x86: arguments from the last to the first, a plain variable behind the other operand of a commutative operator or comparison, the right side of
//! an assignment first unless it is just a call, everything else from left to right. The ledger has an entry where the order may matter, that is where one operand writes an object, by an
//! assignment or in a call, that another operand reads or writes.
//!
//! The objects that an operand touches are over-approximated by names: variables (with their first member), members of records behind pointers, and scalars behind pointers by class and size. A
//! pointer reaches variables and members whose address the program takes. A call touches the union over the functions that it may reach; a function without a body touches
//! nothing here, as elsewhere. A function of the library or the compiler that writes (`memset`) may touch all objects to which its arguments point.
//! Operands without side effects, which are most of them, cost nothing.

use super::state::Lowerer;
use super::touched::{Name, Spot, Taken, Touched};
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::scalar::{Scalar, leaves};
use crate::frontend::syntax::ast;
use crate::frontend::syntax::ast::{BinaryOp, Callee, CastKind, ExprId, ExprKind as Ast, StmtId, StmtKind};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{TypeId, VlaId};
use std::collections::BTreeSet;
use std::rc::Rc;

impl Lowerer<'_> {
    /// Whether gcc evaluates the right operand first: the operator may be turned around, the left operand is a plain variable, and the right one is not.
    pub(super) fn right_first(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> bool {
        use BinaryOp::*;
        let turns = matches!(op, Add | Mul | BitAnd | BitOr | BitXor | Eq | Ne | Lt | Le | Gt | Ge);
        turns && self.has_effects(b) && self.is_plain(a) && !self.is_plain(b)
    }

    /// Whether gcc evaluates the right side of an assignment before it finds the object on the left: if it has side effects and is not just a call.
    pub(super) fn value_first(&mut self, lhs: ExprId, rhs: ExprId) -> bool {
        if !self.has_effects(rhs) || self.is_opaque(self.unit.expr(lhs).ty) || self.is_fixed(lhs) {
            return false;
        }
        let mut e = rhs;
        while let Ast::Cast(CastKind::NoOp | CastKind::Pointer, inner) = self.unit.expr(e).kind {
            e = inner;
        }
        !matches!(self.unit.expr(e).kind, Ast::Call { .. })
    }

    /// Whether an lvalue denotes a variable, or a member of one.
    fn is_fixed(&self, mut lvalue: ExprId) -> bool {
        while let Ast::Member { base, .. } | Ast::Unary(_, base) = self.unit.expr(lvalue).kind {
            lvalue = base;
        }
        matches!(
            self.unit.expr(lvalue).kind,
            Ast::Local(_) | Ast::Captured(..) | Ast::Global(_)
        )
    }

    /// Whether an operand is the value of a variable, in its type or in another one of the same size.
    fn is_plain(&self, mut e: ExprId) -> bool {
        loop {
            let node = self.unit.expr(e);
            match node.kind {
                Ast::Cast(CastKind::LvalueToRvalue, inner) => {
                    return matches!(
                        self.unit.expr(inner).kind,
                        Ast::Local(_) | Ast::Captured(..) | Ast::Global(_)
                    );
                }
                Ast::Cast(CastKind::NoOp | CastKind::Integral | CastKind::Pointer, inner)
                    if self.types.size_of(node.ty) == self.types.size_of(self.unit.expr(inner).ty) =>
                {
                    e = inner;
                }
                _ => return false,
            }
        }
    }

    /// Notes in the ledger if the order in which the operands are evaluated may matter.
    pub(super) fn note_order(&mut self, operands: &[ExprId], loc: Loc) {
        if operands.len() < 2 || !operands.iter().any(|&e| self.has_effects(e)) {
            return;
        }
        let touched: Vec<(bool, Touched)> = operands
            .iter()
            .map(|&e| (self.has_effects(e), self.touched(e)))
            .collect();
        let mut pairs = touched.iter().enumerate();
        let meet =
            |this: &mut Self, a: &(bool, Touched), b: &(bool, Touched)| (a.0 || b.0) && this.conflicts(&a.1, &b.1);
        if pairs.any(|(i, a)| touched[i + 1..].iter().any(|b| meet(self, a, b))) {
            self.note_conflict(loc);
        }
    }

    /// As [`Self::note_order`], for the object that is assigned to and the value. `reads`: whether the old value is read.
    pub(super) fn note_assignment_order(&mut self, lhs: ExprId, rhs: ExprId, reads: bool, loc: Loc) {
        let plain = matches!(
            self.unit.expr(lhs).kind,
            Ast::Local(_) | Ast::Captured(..) | Ast::Global(_)
        );
        if !(self.has_effects(lhs) || self.has_effects(rhs)) || plain && !reads {
            return;
        }
        let mut object = Touched::default();
        self.visit_lvalue(self.frame.ast, lhs, &mut object);
        if reads {
            object.reads.extend(self.spots(self.frame.ast, lhs));
        }
        self.follow_calls(&mut object);
        let value = self.touched(rhs);
        if self.conflicts(&object, &value) {
            self.note_conflict(loc);
        }
    }

    fn note_conflict(&mut self, loc: Loc) {
        let text = "operands of which one changes what another reads or writes are evaluated in the order of gcc";
        self.assume(AssumptionKind::EvaluationOrder, text.to_owned(), loc, false);
    }

    fn conflicts(&mut self, a: &Touched, b: &Touched) -> bool {
        let taken = self.taken();
        let meets = |writes: &BTreeSet<Spot>, others: &BTreeSet<Spot>| {
            writes
                .iter()
                .any(|&w| others.iter().any(|&o| self.same_spot(w, o, &taken)))
        };
        meets(&a.writes, &b.reads) || meets(&a.writes, &b.writes) || meets(&b.writes, &a.reads)
    }

    fn same_spot(&self, a: Spot, b: Spot, taken: &Taken) -> bool {
        match (a, b) {
            (Spot::Variable(x, f), Spot::Variable(y, g)) => x == y && (f.is_none() || g.is_none() || f == g),
            (Spot::Variable(name, field), pointed) | (pointed, Spot::Variable(name, field)) => {
                self.reached(name, field, pointed, taken)
            }
            (Spot::Member(r, f), Spot::Member(s, g)) => (r, f) == (s, g),
            (Spot::Member(record, field), Spot::Scalar(class, size))
            | (Spot::Scalar(class, size), Spot::Member(record, field)) => {
                let ty = self.types.record(record).fields[field as usize].ty;
                let scalar = Scalar::of(&self.types, ty);
                scalar.is_some_and(|s| (s.class, s.size) == (class, size))
                    && taken
                        .members
                        .iter()
                        .any(|&(of, at)| self.types.as_record(of) == Some(record) && at == field)
            }
            (Spot::Scalar(..), Spot::Scalar(..)) => a == b,
            (Spot::Bytes, Spot::Bytes | Spot::Member(..) | Spot::Scalar(..))
            | (Spot::Member(..) | Spot::Scalar(..), Spot::Bytes) => true,
        }
    }

    /// Whether a pointer reaches a variable.
    fn reached(&self, name: Name, field: Option<u32>, pointed: Spot, taken: &Taken) -> bool {
        let (is_taken, ty) = match name {
            Name::Global(g) => (taken.globals.contains(&g), self.unit.global(g).ty),
            Name::Local(f, l) => {
                let body = self.unit.function(f).body.as_ref().expect("it has locals");
                (taken.locals.contains(&l), body.locals[l.index()].ty)
            }
        };
        is_taken
            && leaves(&self.types, ty).iter().any(|leaf| {
                let within = field.is_none() || leaf.path.first() == field.as_ref();
                within
                    && match pointed {
                        Spot::Bytes => true,
                        Spot::Member(record, field) => leaf.field == Some((record, field)),
                        Spot::Scalar(class, size) => (leaf.scalar.class, leaf.scalar.size) == (class, size),
                        Spot::Variable(..) => false,
                    }
            })
    }

    /// Whether the program takes the address of a local variable.
    pub(super) fn is_taken(&mut self, local: ast::LocalId) -> bool {
        self.taken().locals.contains(&local)
    }

    /// Whether evaluating an expression of the function that is being lowered may assign to one of these variables of it.
    pub(super) fn may_assign(&mut self, e: ExprId, locals: &[ast::LocalId]) -> bool {
        let owner = self.frame.ast;
        let is_own = |name: &Name| matches!(name, Name::Local(f, l) if *f == owner && locals.contains(l));
        let is_written = |spot: &Spot| matches!(spot, Spot::Variable(name, _) if is_own(name));
        let own = self.own_touched(owner);
        own.taken.iter().any(is_own)
            || self.taken().captured.iter().any(|&(f, l)| is_own(&Name::Local(f, l)))
            || self.touched(e).writes.iter().any(is_written)
    }

    /// The objects behind the addresses that the program takes.
    fn taken(&mut self) -> Rc<Taken> {
        if let Some(taken) = &self.order.taken {
            return Rc::clone(taken);
        }
        let mut taken = Taken::default();
        let unit = self.unit;
        for e in unit.expressions() {
            let (Ast::AddressOf(inner) | Ast::Cast(CastKind::ArrayToPointer | CastKind::FunctionToPointer, inner)) =
                e.kind
            else {
                continue;
            };
            let mut at = inner;
            loop {
                match unit.expr(at).kind {
                    Ast::Member { base, field } => {
                        taken.members.insert((unit.expr(base).ty, field));
                        at = base;
                        continue;
                    }
                    Ast::Index { base, .. } => {
                        at = base;
                        continue;
                    }
                    Ast::Global(g) => drop(taken.globals.insert(g)),
                    Ast::Local(l) => drop(taken.locals.insert(l)),
                    Ast::Captured(f, l) => drop((taken.captured.insert((f, l)), taken.locals.insert(l))),
                    Ast::Function(f) => taken.functions.entry(unit.function(f).ty).or_default().push(f),
                    _ => {}
                }
                break;
            }
        }
        let taken = Rc::new(taken);
        self.order.taken = Some(Rc::clone(&taken));
        taken
    }

    /// The objects that evaluating an expression touches, with the calls in it.
    fn touched(&mut self, e: ExprId) -> Touched {
        let mut touched = Touched::default();
        self.visit_value(self.frame.ast, e, &mut touched);
        self.follow_calls(&mut touched);
        touched
    }

    /// Adds what the functions touch that are called, and those that these call.
    fn follow_calls(&mut self, touched: &mut Touched) {
        let taken = self.taken();
        let mut seen: BTreeSet<ast::FuncId> = BTreeSet::new();
        loop {
            let by_type = touched.types.iter().filter_map(|ty| taken.functions.get(ty)).flatten();
            let called: Vec<ast::FuncId> = touched.calls.iter().chain(by_type).copied().collect();
            let new: Vec<ast::FuncId> = called.into_iter().filter(|&f| seen.insert(f)).collect();
            if new.is_empty() {
                return;
            }
            for f in new {
                let own = self.own_touched(f);
                touched.add(&own);
            }
        }
    }

    /// The objects that the body of a function touches, but for its local variables.
    fn own_touched(&mut self, f: ast::FuncId) -> Rc<Touched> {
        if let Some(own) = self.order.own.get(&f) {
            return Rc::clone(own);
        }
        let mut own = Touched::default();
        if let Some(body) = &self.unit.function(self.resolve(f)).body {
            self.visit_statement(f, body.root, &mut own);
        }
        let outside = |spot: &Spot| !matches!(spot, Spot::Variable(Name::Local(owner, _), _) if *owner == f);
        own.reads.retain(outside);
        own.writes.retain(outside);
        let own = Rc::new(own);
        self.order.own.insert(f, Rc::clone(&own));
        own
    }

    /// The spots of an lvalue.
    fn spots(&self, owner: ast::FuncId, lvalue: ExprId) -> Vec<Spot> {
        let unit = self.unit;
        let whole = unit.expr(lvalue).ty;
        let mut at = lvalue;
        let mut member: Option<(TypeId, u32)> = None;
        loop {
            match unit.expr(at).kind {
                Ast::Member { base, field } => {
                    at = base;
                    member = Some((unit.expr(at).ty, field));
                }
                Ast::Index { base, .. } | Ast::Unary(_, base) => at = base,
                Ast::Local(l) => return vec![Spot::Variable(Name::Local(owner, l), member.map(|m| m.1))],
                Ast::Captured(f, l) => return vec![Spot::Variable(Name::Local(f, l), member.map(|m| m.1))],
                Ast::Global(g) => return vec![Spot::Variable(Name::Global(g), member.map(|m| m.1))],
                Ast::Deref(_) => break,
                _ => return Vec::new(),
            }
        }
        // Behind a pointer: the innermost member or scalar.
        let mut at = lvalue;
        while let Ast::Index { base, .. } = unit.expr(at).kind {
            at = base;
        }
        if let Ast::Member { base, field } = unit.expr(at).kind
            && let Some(record) = self.types.as_record(unit.expr(base).ty)
            && self.types.as_record(whole).is_none()
        {
            return vec![Spot::Member(record, field)];
        }
        let spot = |leaf: &crate::cfa::program::scalar::Leaf| match leaf.field {
            Some((record, field)) => Spot::Member(record, field),
            None => Spot::Scalar(leaf.scalar.class, leaf.scalar.size),
        };
        leaves(&self.types, whole).iter().map(spot).collect()
    }

    /// Adds what finding the object of an lvalue touches.
    fn visit_lvalue(&self, owner: ast::FuncId, e: ExprId, into: &mut Touched) {
        match self.unit.expr(e).kind {
            Ast::Member { base, .. } | Ast::Unary(_, base) => self.visit_lvalue(owner, base, into),
            Ast::Index { base, index } => {
                self.visit_lvalue(owner, base, into);
                self.visit_value(owner, index, into);
            }
            Ast::Deref(pointer) => self.visit_value(owner, pointer, into),
            Ast::Local(_) | Ast::Captured(..) | Ast::Global(_) | Ast::String(_) | Ast::Function(_) => {}
            _ => self.visit_value(owner, e, into),
        }
    }

    fn visit_write(&self, owner: ast::FuncId, lhs: ExprId, into: &mut Touched) {
        self.visit_lvalue(owner, lhs, into);
        into.writes.extend(self.spots(owner, lhs));
    }

    fn visit_init(&self, owner: ast::FuncId, init: ast::InitId, into: &mut Touched) {
        for entry in &self.unit.init(init).entries {
            self.visit_value(owner, entry.value, into);
        }
    }

    /// Adds what a function without a body touches by its arguments.
    fn visit_effects(&self, owner: ast::FuncId, f: ast::FuncId, args: ast::ExprList, into: &mut Touched) {
        let unit = self.unit;
        let function = unit.function(self.resolve(f));
        if function.body.is_some() || !super::undefined::has_effects(&function.name) {
            return;
        }
        for &arg in unit.list(args) {
            let mut e = arg;
            while let Ast::Cast(CastKind::Pointer | CastKind::NoOp, inner) = unit.expr(e).kind {
                e = inner;
            }
            let spots = match unit.expr(e).kind {
                Ast::AddressOf(object) | Ast::Cast(CastKind::ArrayToPointer, object) => self.spots(owner, object),
                _ if self.types.is_pointer(unit.expr(e).ty) => vec![Spot::Bytes],
                _ => Vec::new(),
            };
            // More than the object itself may be touched from its address on, unless it is a variable.
            let spots = spots.into_iter().map(|spot| match spot {
                Spot::Variable(name, _) => Spot::Variable(name, None),
                _ => Spot::Bytes,
            });
            for spot in spots {
                into.reads.insert(spot);
                into.writes.insert(spot);
            }
        }
    }

    /// Adds what evaluating an expression touches. Long, as it has a case for each kind of expression.
    fn visit_value(&self, owner: ast::FuncId, e: ExprId, into: &mut Touched) {
        let unit = self.unit;
        match unit.expr(e).kind {
            Ast::Cast(CastKind::LvalueToRvalue, inner) => {
                self.visit_lvalue(owner, inner, into);
                into.reads.extend(self.spots(owner, inner));
            }
            Ast::Cast(CastKind::ArrayToPointer, inner) | Ast::AddressOf(inner) => {
                self.visit_lvalue(owner, inner, into);
                let whole = |spot: Spot| match spot {
                    Spot::Variable(name, _) => Some(name),
                    _ => None,
                };
                into.taken
                    .extend(self.spots(owner, inner).into_iter().filter_map(whole));
            }
            Ast::Assign { lhs, rhs } => {
                self.visit_write(owner, lhs, into);
                self.visit_value(owner, rhs, into);
            }
            Ast::CompoundAssign { lhs, rhs, .. } => {
                self.visit_write(owner, lhs, into);
                into.reads.extend(self.spots(owner, lhs));
                self.visit_value(owner, rhs, into);
            }
            Ast::IncDec { lhs, .. } => {
                self.visit_write(owner, lhs, into);
                into.reads.extend(self.spots(owner, lhs));
            }
            Ast::Call { callee, args } => {
                match callee {
                    Callee::Direct(f) => {
                        into.calls.insert(f);
                        self.visit_effects(owner, f, args, into);
                    }
                    Callee::Pointer(pointer) => {
                        self.visit_value(owner, pointer, into);
                        into.types.extend(self.types.pointee(unit.expr(pointer).ty));
                    }
                }
                unit.list(args).iter().for_each(|&a| self.visit_value(owner, a, into));
            }
            Ast::StmtExpr { body, value } => {
                self.visit_statement(owner, body, into);
                value.iter().for_each(|&v| self.visit_value(owner, v, into));
            }
            Ast::CompoundLiteral { init, .. } => self.visit_init(owner, init, into),
            Ast::VaArg(list) => {
                // Lists are not told apart.
                let lists = self.types.va_list();
                let next = Spot::Member(lists.tag.unwrap_or(lists.slot), 0);
                into.reads.insert(next);
                into.writes.insert(next);
                self.visit_value(owner, list, into);
            }
            Ast::Cast(_, a) | Ast::Unary(_, a) => self.visit_value(owner, a, into),
            Ast::Binary(_, a, b)
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
            | Ast::Comma(a, b) => {
                self.visit_value(owner, a, into);
                self.visit_value(owner, b, into);
            }
            Ast::Shuffle { first, second, mask } => {
                self.visit_value(owner, first, into);
                second.iter().for_each(|&e| self.visit_value(owner, e, into));
                self.visit_value(owner, mask, into);
            }
            Ast::Conditional(a, b, c) => [a, b, c].iter().for_each(|&e| self.visit_value(owner, e, into)),
            Ast::Length(id) => self.visit_lengths(owner, &[id], into),
            // A lvalue whose value is not asked for by a conversion: a record.
            Ast::Local(_)
            | Ast::Captured(..)
            | Ast::Global(_)
            | Ast::Deref(_)
            | Ast::Member { .. }
            | Ast::Index { .. } => {
                self.visit_lvalue(owner, e, into);
                into.reads.extend(self.spots(owner, e));
            }
            Ast::Int(_)
            | Ast::Float { .. }
            | Ast::String(_)
            | Ast::Function(_)
            | Ast::LabelAddress(_)
            | Ast::SizeOfVla(_) => {}
        }
    }

    fn visit_lengths(&self, owner: ast::FuncId, lengths: &[VlaId], into: &mut Touched) {
        let found = lengths.iter().filter_map(|&id| self.unit.vla_length(id));
        found.for_each(|length| self.visit_value(owner, length, into));
    }

    fn visit_statement(&self, owner: ast::FuncId, id: StmtId, into: &mut Touched) {
        let value = |e: &ExprId, into: &mut Touched| self.visit_value(owner, *e, into);
        let statement = |s: &StmtId, into: &mut Touched| self.visit_statement(owner, *s, into);
        match &self.unit.stmt(id).kind {
            StmtKind::Compound(list) => list.iter().for_each(|s| statement(s, into)),
            StmtKind::Expr(e) | StmtKind::Cleanup(e) | StmtKind::GotoComputed(e) => value(e, into),
            StmtKind::If { cond, then, otherwise } => {
                value(cond, into);
                statement(then, into);
                otherwise.iter().for_each(|s| statement(s, into));
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                value(cond, into);
                statement(body, into);
            }
            StmtKind::For { init, cond, step, body } => {
                init.iter().for_each(|s| statement(s, into));
                cond.iter().chain(step).for_each(|e| value(e, into));
                statement(body, into);
            }
            StmtKind::Switch { value: of, body } => {
                value(of, into);
                statement(body, into);
            }
            StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label { body, .. } => {
                statement(body, into);
            }
            StmtKind::Return(e) => e.iter().for_each(|e| value(e, into)),
            StmtKind::Declare { lengths, init, .. } => {
                self.visit_lengths(owner, lengths, into);
                init.iter().for_each(|&i| self.visit_init(owner, i, into));
            }
            StmtKind::Asm(asm) => {
                asm.inputs.iter().for_each(|i| value(&i.expr, into));
                asm.outputs.iter().for_each(|o| self.visit_write(owner, o.expr, into));
            }
            StmtKind::EvaluateLengths(lengths) => self.visit_lengths(owner, lengths, into),
            StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Empty => {}
        }
    }
}
