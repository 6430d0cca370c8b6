//! The `cleanup` attribute of variables (GNU C): a function is called with the variable's address where its scope is left.
//!
//! The pending calls are a stack. The end of a block, `break`, `continue` and `return` (whose value is computed before) run those that were declared since the place
//! that they lead to, the last one first. Where a `goto` leads is known for sure when the whole function is lowered: one that starts where calls are pending waits until then, and
//! runs those that are not pending at its label. A computed `goto`, `longjmp` and the end of the program run nothing, as with gcc.

use super::state::{Jump, Lowerer};
use crate::frontend::syntax::ast::{ExprId, LabelId, StmtId, StmtKind};
use crate::frontend::text::source::Loc;

impl Lowerer<'_> {
    /// The number of pending calls.
    pub(super) fn pending_cleanups(&self) -> usize {
        self.frame.cleanups.pending.len()
    }

    pub(super) fn push_cleanup(&mut self, call: ExprId) {
        self.frame.cleanups.pending.push(call);
    }

    /// Lowers a statement; calls that a block at the top of it leaves pending stay so.
    pub(super) fn open_statement(&mut self, id: StmtId) {
        match &self.unit.stmt(id).kind {
            StmtKind::Compound(list) => list.iter().for_each(|&s| self.statement(s)),
            _ => self.statement(id),
        }
    }

    /// Runs all pending calls except the given number of first ones. All stay pending.
    pub(super) fn run_cleanups(&mut self, but: usize) {
        let run: Vec<ExprId> = self.frame.cleanups.pending[but..].to_vec();
        run.into_iter().rev().for_each(|call| self.effect(call));
    }

    /// Runs all pending calls except the given number of first ones; then only those are pending.
    pub(super) fn leave_block(&mut self, but: usize) {
        self.run_cleanups(but);
        self.frame.cleanups.pending.truncate(but);
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
