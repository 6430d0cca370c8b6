//! Texts in plain sight: the parts of a literal format, and calls of `strcpy` and its relatives that copy a literal.
//!
//! Problem: a copy in a loop costs a predicate analysis one refinement for each character, and an analysis of pointers that does not distinguish calls takes all texts
//! and all destinations together. Idea: the characters are known, so each is assigned, without a loop. Where it depends on the place whether all of them fit, there is one
//! test for the whole text, and one for each character only if they do not.

use super::Lowerer;
use super::library::Modelled;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::syntax::ast::{self, ExprId, ExprKind as Ast};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{TypeId, Types};
use provident_smt::num::Int;

/// Longer texts are left to the library's loops: the graph of a program should not consist of its messages.
pub(super) const LONGEST: usize = 64;

/// The destination of characters.
pub(super) struct Copy<'a> {
    /// The text before which they go, and their position in it.
    pub to: &'a Expr,
    pub count: &'a Expr,
    /// The position from which on nothing is written; `None`: there is room for all.
    pub keep: Option<&'a Expr>,
    /// Whether a zero ends the text, which is at position `keep` if that comes first and `count` does not lie behind it.
    pub ends: bool,
}

impl Lowerer<'_> {
    /// Lowers a call of `target`, a function of the library, if it measures or copies a literal and its other arguments are as plain as that.
    pub(super) fn text_call(
        &mut self,
        target: ast::FuncId,
        args: &[ExprId],
        ty: TypeId,
        wanted: bool,
        loc: Loc,
    ) -> Option<Modelled> {
        let unit = self.unit;
        let name = &*unit.function(target).name;
        if name == "strlen" && args.len() == 1 {
            let length = self.literal(args[0])?.len();
            return Some(wanted.then(|| self.int_const(length as i128, ty)));
        }
        let (appends, bounded) = match (name, args.len()) {
            ("strcpy" | "stpcpy", 2) => (false, false),
            ("strcat", 2) => (true, false),
            ("strlcpy", 3) => (false, true),
            ("strlcat", 3) => (true, true),
            _ => return None,
        };
        let text = self.literal(args[1]).filter(|text| text.len() <= LONGEST)?;
        let room = match bounded {
            true => self.plain_number(args[2]).filter(|&room| room > 0)?,
            false => -1,
        };
        if !self.types.is_pointer(unit.expr(args[0]).ty) {
            return None;
        }
        if appends {
            self.helper(TEXT_END)?;
        }
        let to = self.rvalue(args[0]);
        let to = if self.is_stable(&to) { to } else { self.save(to, loc) };
        let end = if appends {
            let room = self.int_const(room, self.size_t);
            self.call_helper(TEXT_END, vec![to.clone(), room], loc)
        } else {
            self.int_const(0, self.size_t)
        };
        let keep = bounded.then(|| self.int_const(room - 1, self.size_t));
        let copy = Copy {
            to: &to,
            count: &end,
            keep: keep.as_ref(),
            ends: true,
        };
        self.copy_text(&copy, &text, loc);
        let behind = self.position(&end, text.len());
        let result = match name {
            "stpcpy" => self.pointer_add(expr::cast(&self.types, to, Types::CHAR_PTR), behind, false),
            _ if bounded => behind,
            _ => to,
        };
        Some(wanted.then(|| expr::cast(&self.types, result, ty)))
    }

    /// The value of an argument that is a number behind conversions, so that its evaluation has no effect.
    fn plain_number(&mut self, e: ExprId) -> Option<i128> {
        let mut number = e;
        while let Ast::Cast(_, inner) = self.unit.expr(number).kind {
            number = inner;
        }
        let is_number = matches!(self.unit.expr(number).kind, Ast::Int(_));
        let value = is_number.then(|| self.rvalue(e))?;
        let room = value.as_const()?.to_i128()?;
        i32::try_from(room).ok().map(i128::from)
    }

    /// Assigns the characters of a text.
    pub(super) fn copy_text(&mut self, copy: &Copy<'_>, text: &[u8], loc: Loc) {
        let Some(keep) = copy.keep else {
            return self.copy_all(copy, text, loc);
        };
        let length = self.int_const(text.len() as i128, self.size_t);
        let least = expr::binary(&self.types, BinOp::Ge, keep.clone(), length.clone(), Types::INT);
        let last = expr::binary(&self.types, BinOp::Sub, keep.clone(), length, self.size_t);
        let before = expr::binary(&self.types, BinOp::Le, copy.count.clone(), last, Types::INT);
        let done = self.new_node(loc);
        let part = self.new_node(loc);
        self.go_on_if(least, part, loc);
        self.go_on_if(before, part, loc);
        self.copy_all(copy, text, loc);
        self.connect(self.cur, done, loc);
        self.cur = part;
        for (i, &byte) in text.iter().enumerate() {
            let at = self.position(copy.count, i);
            let fits = expr::binary(&self.types, BinOp::Lt, at.clone(), keep.clone(), Types::INT);
            let next = self.new_node(loc);
            self.go_on_if(fits, next, loc);
            self.assign_character(copy.to, at, byte, loc);
            self.connect(self.cur, next, loc);
            self.cur = next;
        }
        if copy.ends {
            let within = expr::binary(&self.types, BinOp::Le, copy.count.clone(), keep.clone(), Types::INT);
            self.go_on_if(within, done, loc);
            self.assign_character(copy.to, keep.clone(), 0, loc);
        }
        self.connect(self.cur, done, loc);
        self.cur = done;
    }

    fn copy_all(&mut self, copy: &Copy<'_>, text: &[u8], loc: Loc) {
        let end = copy.ends.then_some(&0);
        for (i, &byte) in text.iter().chain(end).enumerate() {
            let at = self.position(copy.count, i);
            self.assign_character(copy.to, at, byte, loc);
        }
    }

    /// The position `by` places behind another.
    fn position(&self, count: &Expr, by: usize) -> Expr {
        let by = self.int_const(by as i128, self.size_t);
        expr::binary(&self.types, BinOp::Add, count.clone(), by, self.size_t)
    }

    fn assign_character(&mut self, to: &Expr, at: Expr, byte: u8, loc: Loc) {
        let to = expr::cast(&self.types, to.clone(), Types::CHAR_PTR);
        let to = self.pointer_add(to, at, false);
        let lhs = self.pointed(to, Types::CHAR);
        let rhs = expr::cast(
            &self.types,
            Expr::int(Int::from(i64::from(byte)), Types::INT),
            Types::CHAR,
        );
        self.emit(Op::Assign { lhs, rhs }, loc);
    }
}

/// The library's function that finds where a text goes on.
const TEXT_END: &str = "__provident_text_end";
