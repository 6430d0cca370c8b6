//! Inline assembly.
//!
//! A statement whose template has no text executes no instruction: it is there to keep a compiler from knowing a value, and it touches no memory. An operand
//! that is read and written (`"+r"(x)`) keeps its value, and an output that shares its register with an input (`"=r"(x) : "0"(y)`) gets that input's value.
//! Other outputs of it, and all outputs of another statement, are invented.

use super::state::Lowerer;
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::expr;
use crate::cfa::program::invention::Invention;
use crate::cfa::program::*;
use crate::frontend::syntax::ast;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{Type, TypeId, Types};

impl Lowerer<'_> {
    pub(super) fn asm_statement(&mut self, asm: &ast::Asm, loc: Loc) {
        let executes = !asm.template.trim().is_empty();
        let mut shared: Vec<Option<Expr>> = vec![None; asm.outputs.len()];
        for input in &asm.inputs {
            let output = shared_output(&input.constraint, &asm.outputs).filter(|_| !executes);
            match output.and_then(|output| shared.get_mut(output)) {
                Some(kept) => {
                    let value = self.rvalue(input.expr);
                    *kept = Some(self.save(value, loc));
                }
                None => self.effect(input.expr),
            }
        }
        let mut written = Vec::new();
        let mut kept = Vec::new();
        for (output, value) in asm.outputs.iter().zip(shared) {
            let place = self.place(output.expr);
            let value = value.and_then(|value| self.in_register(value, &place));
            match value {
                _ if !executes && output.constraint.contains('+') => {}
                Some(value) => kept.push((place, value)),
                None => written.push(place),
            }
        }
        let memory = executes && asm.clobbers.iter().any(|c| &**c == "memory");
        if executes || !written.is_empty() {
            let template = asm.template.trim();
            let text = format!("inline assembly `{template}` writes its outputs and nothing else");
            self.assume(AssumptionKind::InlineAssembly, text, loc, false);
            let op = Op::Asm {
                outputs: written,
                memory,
                text: asm.template.to_string(),
            };
            self.emit(op, loc);
        }
        for (place, value) in kept {
            self.store_value(place, value, loc);
        }
        let labels = asm.labels.iter().filter(|_| executes);
        for &label in labels {
            let choice = self.invent(Types::INT, Invention::Assembly, "whether inline assembly jumps", loc);
            let (to, next) = (self.new_node(loc), self.new_node(loc));
            self.test(choice, to, next, loc);
            self.cur = to;
            self.goto(label, loc);
            self.cur = next;
        }
    }

    /// The value of a place after a register with a value is written to it; `None` where types leave that open.
    fn in_register(&self, value: Expr, place: &Place) -> Option<Expr> {
        // A `_Bool` would keep bits that no conversion leaves in it.
        let is_truth = |ty: TypeId| matches!(self.types.get(ty), Type::Bool);
        let is_number = |ty: TypeId| self.types.integer(ty).is_some() && !is_truth(ty);
        let is_word = |ty: TypeId| self.types.is_pointer(ty) || is_number(ty);
        let has_its_size = self.types.size_of(value.ty) == self.types.size_of(place.ty);
        match value.ty == place.ty {
            true => Some(value),
            false if has_its_size && place.bits.is_none() && is_word(value.ty) && is_word(place.ty) => {
                Some(expr::cast(&self.types, value, place.ty))
            }
            false => None,
        }
    }
}

/// The output with which an input shares its register: its constraint is the number or the `[name]` of that output.
fn shared_output(constraint: &str, outputs: &[ast::AsmOperand]) -> Option<usize> {
    let constraint = constraint.trim().trim_start_matches('%');
    match constraint.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(name) => outputs.iter().position(|output| output.name.as_deref() == Some(name)),
        None => constraint.parse().ok(),
    }
}
