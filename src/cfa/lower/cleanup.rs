//! The end of scopes: the `cleanup` attribute of variables (GNU C), by which a function is called with the variable's address; and, for [checks of memory](crate::cfa::raw::objects), the end of
//! variables of inner blocks.
//!
//! The pending ends are a stack. The end of a block, `break`, `continue` and `return` (whose value is computed before) run those that were declared since the place
//! that they lead to, the last one first. Where a `goto` leads is known for sure when the whole function is lowered: one that starts where calls are pending waits until then, and
//! runs those that are not pending at its label. A computed `goto`, `longjmp` and the end of the program run nothing, as with gcc.

use super::state::{Jump, Lowerer, Pending, Slot};
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::check::CheckKind;
use crate::cfa::program::*;
use crate::frontend::syntax::ast::{self, ExprId, LabelId, LocalId, StmtId, StmtKind};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{Type, TypeId};

impl Lowerer<'_> {
    /// The number of pending calls.
    pub(super) fn pending_cleanups(&self) -> usize {
        self.frame.cleanups.pending.len()
    }

    pub(super) fn push_cleanup(&mut self, call: ExprId) {
        self.frame.cleanups.pending.push(Pending::Call(call));
    }

    /// Lowers a statement, whose variables belong to a block; calls that a block at the top of it leaves pending stay so.
    pub(super) fn open_statement(&mut self, block: StmtId, id: StmtId) {
        self.frame.blocks.push(block);
        match &self.unit.stmt(id).kind {
            StmtKind::Compound(list) => list.iter().for_each(|&s| self.statement(s)),
            _ => self.statement(id),
        }
        self.frame.blocks.pop();
    }

    /// Whether a jump may lead into a statement from outside: there is a label in it, or a `case` of a `switch` around it.
    fn is_entered(&self, id: StmtId, in_switch: bool) -> bool {
        ast::grow(|| match &self.unit.stmt(id).kind {
            StmtKind::Label { .. } => true,
            StmtKind::Case { body, .. } | StmtKind::Default(body) => !in_switch || self.is_entered(*body, true),
            StmtKind::Compound(list) => list.iter().any(|&s| self.is_entered(s, in_switch)),
            StmtKind::If { then, otherwise, .. } => [Some(*then), *otherwise]
                .into_iter()
                .flatten()
                .any(|s| self.is_entered(s, in_switch)),
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::For { body, .. } => {
                self.is_entered(*body, in_switch)
            }
            StmtKind::Switch { body, .. } => self.is_entered(*body, true),
            _ => false,
        })
    }

    /// Runs all pending calls except the given number of first ones. All stay pending.
    pub(super) fn run_cleanups(&mut self, but: usize) {
        let run: Vec<Pending> = self.frame.cleanups.pending[but..].to_vec();
        for pending in run.into_iter().rev() {
            match pending {
                Pending::Call(call) => self.effect(call),
                Pending::End(local) => self.end(local),
            }
        }
    }

    /// Runs all pending calls except the given number of first ones; then only those are pending.
    pub(super) fn leave_block(&mut self, but: usize) {
        self.run_cleanups(but);
        self.frame.cleanups.pending.truncate(but);
    }

    /// Whether a variable of a block is an object of its own each time that the block is entered, and ends with it: its address is taken, and a check asks whether it exists. A variable whose
    /// declaration may be jumped over is not, nor is one of a function with computed `goto`, which ends no variable.
    pub(super) fn is_scoped(&mut self, local: LocalId) -> bool {
        let [_, .., block] = self.frame.blocks[..] else {
            return false;
        };
        if !self.options.checks.contains(CheckKind::Deref) {
            return false;
        }
        let unit = self.unit;
        let Some(body) = unit.function(self.frame.ast).body.as_ref() else {
            return false;
        };
        let declared = &body.locals[local.index()];
        if self.unit.source.in_library(declared.loc) {
            return false;
        }
        if declared.name.is_none() {
            let text = "a pointer to a compound literal is not used behind the block that it is in".to_owned();
            self.assume(AssumptionKind::Memory, text, declared.loc, false);
        }
        if declared.name.is_none() || !self.is_taken(local) {
            return false;
        }
        let computed = body.labels.iter().any(|label| label.address_taken);
        let may_be_skipped = computed || self.is_entered(block, false);
        if may_be_skipped {
            let name = declared.name.as_deref().unwrap_or_default();
            let text = format!("a pointer to `{name}` is not used behind the block that declares it");
            self.assume(AssumptionKind::Memory, text, declared.loc, false);
        }
        !may_be_skipped
    }

    /// A variable is declared that the end of the block has to do with. That of a function counts, too: the next call begins without the pointers of this one.
    pub(super) fn enter_scope(&mut self, local: LocalId) {
        let ends = match self.slot(self.frame.ast, local) {
            Slot::Pointed(_) => self.options.checks.contains(CheckKind::Deref),
            Slot::Var(var) => {
                let ty = self.vars[var.index()].ty;
                self.options.checks.contains(CheckKind::Memtrack) && self.holds_pointers(ty)
            }
            Slot::Unseen => false,
        };
        if ends {
            self.frame.cleanups.pending.push(Pending::End(local));
        }
    }

    /// A variable ends: pointers to it are invalid, and it holds no pointer.
    fn end(&mut self, local: LocalId) {
        let loc = self.nodes[self.cur.index()].loc;
        match self.slot(self.frame.ast, local) {
            Slot::Pointed(var) => {
                let ptr = Expr::load(Place::var(var, self.vars[var.index()].ty));
                let kind = AllocKind::Block;
                self.emit(Op::Free { ptr, kind }, loc);
            }
            Slot::Var(var) => {
                let place = Place::var(var, self.vars[var.index()].ty);
                self.emit(Op::Zero { place }, loc);
            }
            Slot::Unseen => {}
        }
    }

    fn holds_pointers(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Record(id) => {
                let fields = &self.types.record(*id).fields;
                fields.iter().any(|field| self.holds_pointers(field.ty))
            }
            Type::Array { elem, .. } => self.holds_pointers(*elem),
            _ => self.types.is_pointer(ty),
        }
    }

    /// Notes what is pending at a label.
    pub(super) fn note_label(&mut self, label: LabelId) {
        let cleanups = &mut self.frame.cleanups;
        if !cleanups.pending.is_empty() {
            cleanups.labels.insert(label, cleanups.pending.clone());
        }
    }

    /// A `goto` from the current node.
    pub(super) fn jump_later(&mut self, label: LabelId, loc: Loc) {
        let cleanups = &mut self.frame.cleanups;
        cleanups.jumps.push(Jump {
            from: self.cur,
            label,
            pending: cleanups.pending.clone(),
            loc,
        });
        self.cur = self.new_node(loc);
    }

    /// Makes the jumps that have waited for the end of the function.
    pub(super) fn finish_jumps(&mut self) {
        for jump in std::mem::take(&mut self.frame.cleanups.jumps) {
            let there = self.frame.cleanups.labels.get(&jump.label);
            let common = there.map_or(0, |there| {
                jump.pending.iter().zip(there).take_while(|(a, b)| a == b).count()
            });
            self.cur = jump.from;
            self.frame.cleanups.pending = jump.pending;
            self.run_cleanups(common);
            let target = self.label_node(jump.label);
            self.connect(self.cur, target, jump.loc);
        }
    }
}
