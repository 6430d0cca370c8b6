//! Statements, jumps and conditions.
//!
//! A condition is lowered to edges, not to a value: `a && !b` becomes two pairs of complementary assumptions. That keeps every assumption an
//! atom of the program, which is what predicates are made of.

use super::state::{Cases, LABEL_BASE, Lowerer};
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::syntax::ast;
use crate::frontend::syntax::ast::{BinaryOp, CastKind, ExprKind as Ast, StmtKind};
use crate::frontend::text::source::Loc;
use provident_smt::num::Int;

impl Lowerer<'_> {
    pub(super) fn statement(&mut self, id: ast::StmtId) {
        ast::grow(|| self.statement_of_tree(id));
    }

    fn statement_of_tree(&mut self, id: ast::StmtId) {
        let unit = self.unit;
        let stmt = unit.stmt(id);
        let loc = stmt.loc;
        if !self.nodes[self.cur.index()].is_loop {
            self.nodes[self.cur.index()].loc = loc;
        }
        match &stmt.kind {
            StmtKind::Compound(list) => {
                let pending = self.pending_cleanups();
                self.frame.blocks.push(id);
                list.iter().for_each(|&s| self.statement(s));
                self.frame.blocks.pop();
                self.leave_block(pending);
            }
            StmtKind::Expr(e) => self.effect(*e),
            StmtKind::If { cond, then, otherwise } => self.if_statement(*cond, *then, *otherwise, loc),
            StmtKind::While { cond, body } => self.loop_statement(Some(*cond), None, *body, loc),
            StmtKind::For { init, cond, step, body } => {
                let pending = self.pending_cleanups();
                self.frame.blocks.push(id);
                if let Some(init) = init {
                    self.open_statement(id, *init);
                }
                self.loop_statement(*cond, *step, *body, loc);
                self.frame.blocks.pop();
                self.leave_block(pending);
            }
            StmtKind::DoWhile { body, cond } => self.do_statement(*body, *cond, loc),
            StmtKind::Switch { value, body } => self.switch_statement(*value, *body, loc),
            StmtKind::Case { low, high, body } => {
                let target = self.new_node(loc);
                self.connect(self.cur, target, loc);
                self.cur = target;
                if let Some(cases) = self.frame.switches.last_mut() {
                    cases.cases.push((*low, *high, target, loc));
                }
                self.statement(*body);
            }
            StmtKind::Default(body) => {
                let target = self.new_node(loc);
                self.connect(self.cur, target, loc);
                self.cur = target;
                if let Some(cases) = self.frame.switches.last_mut() {
                    cases.default = Some(target);
                }
                self.statement(*body);
            }
            StmtKind::Label { label, body } => {
                let target = self.label_node(*label);
                let name = self.label(*label).name.to_string();
                self.connect(self.cur, target, loc);
                self.cur = target;
                self.nodes[target.index()].label = Some(name.clone());
                self.note_label(*label);
                self.emit(Op::Label(name), loc);
                self.statement(*body);
            }
            StmtKind::Goto(label) => self.goto(*label, loc),
            StmtKind::GotoComputed(target) => self.computed_goto(*target, loc),
            StmtKind::Break => {
                if let Some(&(to, pending)) = self.frame.breaks.last() {
                    self.run_cleanups(pending);
                    self.jump(to, loc);
                }
            }
            StmtKind::Continue => {
                if let Some(&(to, pending)) = self.frame.continues.last() {
                    self.run_cleanups(pending);
                    self.jump(to, loc);
                }
            }
            StmtKind::Return(value) => self.return_statement(*value, loc),
            StmtKind::Declare { local, lengths, init } => self.declare(*local, lengths, *init, loc),
            StmtKind::EvaluateLengths(lengths) => self.evaluate_lengths(lengths),
            StmtKind::Cleanup(call) => self.push_cleanup(*call),
            StmtKind::Asm(asm) => self.asm_statement(asm, loc),
            StmtKind::Empty => {}
        }
    }

    fn if_statement(&mut self, cond: ast::ExprId, then: ast::StmtId, otherwise: Option<ast::StmtId>, loc: Loc) {
        let (yes, no, join) = (self.new_node(loc), self.new_node(loc), self.new_node(loc));
        self.branch(cond, yes, no);
        self.cur = yes;
        self.statement(then);
        self.connect(self.cur, join, loc);
        self.cur = no;
        if let Some(otherwise) = otherwise {
            self.statement(otherwise);
        }
        self.connect(self.cur, join, loc);
        self.cur = join;
    }

    /// `while` and `for`: the head carries the place of the loop keyword.
    fn loop_statement(&mut self, cond: Option<ast::ExprId>, step: Option<ast::ExprId>, body: ast::StmtId, loc: Loc) {
        let (head, inside, exit) = (self.new_node(loc), self.new_node(loc), self.new_node(loc));
        let again = if step.is_some() { self.new_node(loc) } else { head };
        self.nodes[head.index()].is_loop = true;
        self.connect(self.cur, head, loc);
        self.cur = head;
        match cond {
            Some(cond) => self.branch(cond, inside, exit),
            None => self.connect(head, inside, loc),
        }
        let pending = self.pending_cleanups();
        self.frame.breaks.push((exit, pending));
        self.frame.continues.push((again, pending));
        self.cur = inside;
        self.statement(body);
        self.connect(self.cur, again, loc);
        // A `break` in the step, as in the condition, belongs to what surrounds the loop.
        self.frame.breaks.pop();
        self.frame.continues.pop();
        if let Some(step) = step {
            self.cur = again;
            self.effect(step);
            self.connect(self.cur, head, loc);
        }
        self.cur = exit;
    }

    fn do_statement(&mut self, body: ast::StmtId, cond: ast::ExprId, loc: Loc) {
        let (head, test, exit) = (self.new_node(loc), self.new_node(loc), self.new_node(loc));
        self.nodes[head.index()].is_loop = !self.is_zero_constant(cond);
        self.connect(self.cur, head, loc);
        let pending = self.pending_cleanups();
        self.frame.breaks.push((exit, pending));
        self.frame.continues.push((test, pending));
        self.cur = head;
        self.statement(body);
        self.frame.breaks.pop();
        self.frame.continues.pop();
        self.connect(self.cur, test, loc);
        self.cur = test;
        self.branch(cond, head, exit);
        self.cur = exit;
    }

    fn is_zero_constant(&self, e: ast::ExprId) -> bool {
        matches!(self.unit.expr(e).kind, Ast::Int(0))
    }

    fn switch_statement(&mut self, value: ast::ExprId, body: ast::StmtId, loc: Loc) {
        let value = self.rvalue(value);
        let value = if is_simple(&value) {
            value
        } else {
            self.save(value, loc)
        };
        let dispatch = self.cur;
        let exit = self.new_node(loc);
        self.frame.switches.push(Cases::default());
        self.frame.breaks.push((exit, self.pending_cleanups()));
        self.cur = self.new_node(loc);
        self.statement(body);
        self.connect(self.cur, exit, loc);
        self.frame.breaks.pop();
        let Cases { cases, default } = self.frame.switches.pop().unwrap_or_default();
        self.cur = dispatch;
        for (low, high, target, loc) in cases {
            self.dispatch_case(&value, low, high, target, loc);
        }
        self.connect(self.cur, default.unwrap_or(exit), loc);
        self.cur = exit;
    }

    fn dispatch_case(&mut self, value: &Expr, low: i128, high: i128, target: NodeId, loc: Loc) {
        if low > high {
            return;
        }
        let int = |v: i128| Expr::int(Int::from(v), value.ty);
        let next = self.new_node(loc);
        if low == high {
            let cond = expr::binary(
                &self.types,
                BinOp::Eq,
                value.clone(),
                int(low),
                crate::frontend::types::Types::INT,
            );
            self.test(cond, target, next, loc);
        } else {
            let above = self.new_node(loc);
            let int_ty = crate::frontend::types::Types::INT;
            let from = expr::binary(&self.types, BinOp::Ge, value.clone(), int(low), int_ty);
            self.test(from, above, next, loc);
            self.cur = above;
            let to = expr::binary(&self.types, BinOp::Le, value.clone(), int(high), int_ty);
            self.test(to, target, next, loc);
        }
        self.cur = next;
    }

    fn label(&self, id: ast::LabelId) -> &ast::Label {
        let body = self.unit.function(self.frame.ast).body.as_ref();
        &body.expect("a label is in a function with a body").labels[id.index()]
    }

    pub(super) fn label_node(&mut self, id: ast::LabelId) -> NodeId {
        if let Some(node) = self.frame.labels[id.index()] {
            return node;
        }
        let loc = self.label(id).loc;
        let node = self.new_node(loc);
        self.frame.labels[id.index()] = Some(node);
        node
    }

    pub(super) fn goto(&mut self, label: ast::LabelId, loc: Loc) {
        if self.label(label).outer.is_some() {
            let text = format!(
                "the jump to `{}` out of a nested function is not followed",
                self.label(label).name
            );
            self.assume(AssumptionKind::Unsupported, text, loc, false);
            self.cur = self.new_node(loc);
            return;
        }
        if self.pending_cleanups() > 0 {
            return self.jump_later(label, loc);
        }
        let target = self.label_node(label);
        self.jump(target, loc);
    }

    fn computed_goto(&mut self, target: ast::ExprId, loc: Loc) {
        let value = self.rvalue(target);
        let value = if is_simple(&value) {
            value
        } else {
            self.save(value, loc)
        };
        let count = self
            .unit
            .function(self.frame.ast)
            .body
            .as_ref()
            .map_or(0, |b| b.labels.len());
        let mut labels = 0;
        for i in 0..count {
            let label = ast::LabelId::from_index(i);
            if !self.label(label).address_taken {
                continue;
            }
            labels += 1;
            let address = Expr::int(Int::from(self.label_address(label)), value.ty);
            let int_ty = crate::frontend::types::Types::INT;
            let cond = expr::binary(&self.types, BinOp::Eq, value.clone(), address, int_ty);
            let (to, next) = (self.label_node(label), self.new_node(loc));
            self.test(cond, to, next, loc);
            self.cur = next;
        }
        // Jumping anywhere else is undefined; the path ends.
        let text = format!(
            "`goto *` leads to one of the {labels} labels of `{}` whose address is taken; an execution in which it leads elsewhere ends there",
            self.unit.function(self.frame.ast).name
        );
        self.assume(AssumptionKind::Language, text, loc, false);
        self.cur = self.new_node(loc);
    }

    pub(super) fn label_address(&mut self, label: ast::LabelId) -> i64 {
        if self.label(label).outer.is_some() {
            let label = self.label(label);
            let text = format!(
                "a nested function takes the address of the label `{}` around it",
                label.name
            );
            self.assume(AssumptionKind::Unsupported, text, label.loc, false);
        }
        let next = LABEL_BASE + 16 * u64::try_from(self.label_addresses.len()).expect("few labels");
        let address = *self.label_addresses.entry((self.frame.ast, label)).or_insert(next);
        i64::try_from(address).expect("label addresses are small")
    }

    fn return_statement(&mut self, value: Option<ast::ExprId>, loc: Loc) {
        let ret = self.functions[self.frame.func.index()].ret;
        match (value, ret) {
            (Some(value), Some(ret)) if self.unit.expr(value).ty == self.vars[ret.index()].ty => {
                let place = Place::var(ret, self.vars[ret.index()].ty);
                self.store(place, value, loc);
            }
            (Some(value), _) => {
                self.effect(value);
                self.havoc_return(loc);
            }
            (None, _) => self.havoc_return(loc),
        }
        self.run_cleanups(0);
        self.jump(self.frame.exit, loc);
    }

    fn havoc_return(&mut self, loc: Loc) {
        if let Some(ret) = self.functions[self.frame.func.index()].ret {
            let place = Place::var(ret, self.vars[ret.index()].ty);
            self.emit(
                Op::Havoc {
                    place,
                    source: Input::Uninitialised,
                },
                loc,
            );
        }
    }

    // ---- conditions ----------------------------------------------------------------------------------------------------

    /// Goes on at `yes` if the scalar `cond` is not zero, at `no` otherwise.
    pub(super) fn branch(&mut self, cond: ast::ExprId, yes: NodeId, no: NodeId) {
        ast::grow(|| self.branch_on_tree(cond, yes, no));
    }

    fn branch_on_tree(&mut self, cond: ast::ExprId, yes: NodeId, no: NodeId) {
        let unit = self.unit;
        let e = unit.expr(cond);
        match e.kind {
            Ast::Unary(ast::UnaryOp::LogicalNot, inner) => self.branch(inner, no, yes),
            Ast::LogicalAnd(a, b) => {
                let both = self.new_node(e.loc);
                self.branch(a, both, no);
                self.cur = both;
                self.branch(b, yes, no);
            }
            Ast::LogicalOr(a, b) => {
                let neither = self.new_node(e.loc);
                self.branch(a, yes, neither);
                self.cur = neither;
                self.branch(b, yes, no);
            }
            Ast::Conditional(c, a, b) => {
                let (then, otherwise) = (self.new_node(e.loc), self.new_node(e.loc));
                self.branch(c, then, otherwise);
                self.cur = then;
                self.branch(a, yes, no);
                self.cur = otherwise;
                self.branch(b, yes, no);
            }
            Ast::Comma(a, b) => {
                self.effect(a);
                self.branch(b, yes, no);
            }
            Ast::StmtExpr {
                body,
                value: Some(value),
            } => {
                let pending = self.pending_cleanups();
                self.open_statement(body, body);
                if self.pending_cleanups() > pending {
                    let value = self.rvalue(value);
                    let value = self.save(value, e.loc);
                    self.leave_block(pending);
                    self.test(value, yes, no, e.loc);
                } else {
                    self.branch(value, yes, no);
                }
            }
            Ast::Cast(CastKind::Integral | CastKind::ToBool | CastKind::NoOp, inner)
                if self.keeps_truth(e.ty, inner) =>
            {
                self.branch(inner, yes, no);
            }
            Ast::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) if self.is_truth_test(a, b) => {
                if op == BinaryOp::Ne {
                    self.branch(a, yes, no);
                } else {
                    self.branch(a, no, yes);
                }
            }
            Ast::Call { callee, args } if self.is_expect(callee) && args_len(unit.list(args)) => {
                let args = unit.list(args);
                args[1..].iter().for_each(|&a| self.effect(a));
                self.branch(args[0], yes, no);
            }
            _ => {
                let value = self.rvalue(cond);
                self.test(value, yes, no, e.loc);
            }
        }
    }

    /// Whether conversion to `to` keeps whether `inner` is zero.
    fn keeps_truth(&self, to: crate::frontend::types::TypeId, inner: ast::ExprId) -> bool {
        let from = self.unit.expr(inner).ty;
        match (self.int_info(to), self.int_info(from)) {
            (Some(to), Some(from)) => to.width == 1 || to.width >= from.width,
            _ => false,
        }
    }

    /// Whether `a == b` is a test of a truth value against zero (so that the operand may become control flow).
    fn is_truth_test(&self, a: ast::ExprId, b: ast::ExprId) -> bool {
        if !self.is_zero_constant(b) || self.int_info(self.unit.expr(a).ty).is_none() {
            return false;
        }
        let mut a = a;
        loop {
            match self.unit.expr(a).kind {
                Ast::Unary(ast::UnaryOp::LogicalNot, _) | Ast::LogicalAnd(..) | Ast::LogicalOr(..) => return true,
                Ast::Cast(CastKind::Integral | CastKind::ToBool, inner) => a = inner,
                Ast::Call { callee, .. } if self.is_expect(callee) => return true,
                Ast::Binary(op, ..) => return op.is_comparison(),
                _ => return false,
            }
        }
    }

    fn is_expect(&self, callee: ast::Callee) -> bool {
        match callee {
            ast::Callee::Direct(f) => {
                let f = self.unit.function(f);
                f.body.is_none() && matches!(&*f.name, "__builtin_expect" | "__builtin_expect_with_probability")
            }
            ast::Callee::Pointer(_) => false,
        }
    }

    /// Two complementary assumptions, or one empty edge if the condition is constant.
    pub(super) fn test(&mut self, cond: Expr, yes: NodeId, no: NodeId, loc: Loc) {
        let (cond, truth) = expr::condition(&self.types, cond, true);
        let (yes, no) = if truth { (yes, no) } else { (no, yes) };
        match expr::const_truth(&self.types, &cond) {
            Some(true) => self.connect(self.cur, yes, loc),
            Some(false) => self.connect(self.cur, no, loc),
            None => {
                let from = self.cur;
                self.edge(
                    from,
                    yes,
                    Op::Assume {
                        cond: cond.clone(),
                        truth: true,
                    },
                    loc,
                );
                self.edge(from, no, Op::Assume { cond, truth: false }, loc);
            }
        }
    }
}

fn args_len(args: &[ast::ExprId]) -> bool {
    !args.is_empty()
}

/// Whether repeating the expression in several assumptions in a row costs little.
fn is_simple(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Const(_) => true,
        ExprKind::Load(place) => matches!(place.base, PlaceBase::Var(_)) && place.proj.is_empty(),
        ExprKind::Cast(inner) => is_simple(inner),
        _ => false,
    }
}
