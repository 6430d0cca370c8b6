//! Calls of `setjmp` and `longjmp`; see [`jumps`](super::jumps).

use super::Lowerer;
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::cfa::raw::{Jumps, Landing};
use crate::frontend::syntax::ast::ExprId;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{Type, TypeId, Types};

/// The functions that return twice, without `__builtin_` before them.
const SETJMP: [&str; 4] = ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"];

/// The functions that make them.
const LONGJMP: [&str; 4] = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];

/// Whether a function without body makes or takes jumps.
pub(super) fn is_jump(name: &str) -> bool {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    SETJMP.contains(&name) || LONGJMP.contains(&name)
}

impl Lowerer<'_> {
    /// Lowers a call of a function without body, if it makes or takes jumps.
    pub(super) fn jump_call(&mut self, name: &str, args: &[ExprId], ty: TypeId, loc: Loc) -> Option<Option<Expr>> {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        match args {
            [buffer, rest @ ..] if SETJMP.contains(&name) => {
                rest.iter().for_each(|&e| self.effect(e));
                self.setjmp(*buffer, ty, loc).map(Some)
            }
            [buffer, rest @ ..] if LONGJMP.contains(&name) => {
                self.longjmp(*buffer, rest.first().copied(), loc).then_some(None)
            }
            _ => None,
        }
    }

    /// Prepares for a program that names `setjmp` and does not define it. Does nothing for others.
    pub(super) fn prepare_jumps(&mut self, loc: Loc) {
        let functions = &self.unit.functions;
        if !functions.iter().any(|f| f.body.is_none() && is_jump(&f.name)) {
            return;
        }
        let [tickets, under_way, value] = ["tickets", "jump", "jump_value"].map(|name| {
            let place = self.static_variable(&format!("__provident_{name}"), Types::INT, loc);
            self.zero(place.clone(), loc);
            place
        });
        self.jumps = Some(Jumps {
            tickets,
            under_way,
            value,
            landings: Vec::new(),
            starts: Vec::new(),
        });
    }

    /// The scalar of a buffer that holds the ticket.
    fn ticket_in(&mut self, buffer: ExprId, loc: Loc) -> Place {
        let pointer = self.rvalue(buffer);
        let ty = self.types.pointee(pointer.ty).unwrap_or(Types::VOID);
        if self.types.size_of(ty).is_none_or(|size| size < 4) {
            return self.pointed(pointer, Types::INT);
        }
        let mut place = self.pointed(pointer, ty);
        loop {
            match *self.types.get(place.ty) {
                Type::Record(record) if !self.types.record(record).fields.is_empty() => {
                    place = self.member(place, record, 0, loc);
                }
                Type::Array { elem, .. } => {
                    place.proj.push(Proj::Index(Box::new(Expr::int(0, self.intptr))));
                    place.ty = elem;
                }
                _ => return place,
            }
        }
    }

    /// `setjmp(buffer)`
    fn setjmp(&mut self, buffer: ExprId, ty: TypeId, loc: Loc) -> Option<Expr> {
        let mut jumps = self.jumps.take()?;
        let text = "variables keep the values that they have at a jump by `longjmp`";
        self.assume(AssumptionKind::NonLocalJump, text.to_owned(), loc, false);
        let one = Expr::int(1, Types::INT);
        let next = expr::binary(
            &self.types,
            BinOp::Add,
            Expr::load(jumps.tickets.clone()),
            one,
            Types::INT,
        );
        self.store_value(jumps.tickets.clone(), next, loc);
        let ticket = Place::var(self.temp(Types::INT, loc), Types::INT);
        self.store_value(ticket.clone(), Expr::load(jumps.tickets.clone()), loc);
        let kept = self.ticket_in(buffer, loc);
        self.store_value(kept, Expr::load(ticket.clone()), loc);
        let result = Place::var(self.temp(ty, loc), ty);
        self.store_value(result.clone(), Expr::int(0, ty), loc);
        jumps.landings.push(Landing {
            node: self.cur,
            ticket,
            result: result.clone(),
        });
        self.jumps = Some(jumps);
        Some(Expr::load(result))
    }

    /// `longjmp(buffer, value)`; whether it is modelled.
    fn longjmp(&mut self, buffer: ExprId, value: Option<ExprId>, loc: Loc) -> bool {
        let Some(mut jumps) = self.jumps.take() else {
            return false;
        };
        let kept = self.ticket_in(buffer, loc);
        let ticket = expr::cast(&self.types, Expr::load(kept), Types::INT);
        let ticket = self.save(ticket, loc);
        let value = match value {
            Some(value) => {
                let value = self.rvalue(value);
                let value = expr::cast(&self.types, value, Types::INT);
                self.save(value, loc)
            }
            None => Expr::int(1, Types::INT),
        };
        self.store_value(jumps.under_way.clone(), ticket, loc);
        // A jump with 0 brings 1.
        let (some, zero, join) = (self.new_node(loc), self.new_node(loc), self.new_node(loc));
        self.test(value.clone(), some, zero, loc);
        for (at, rhs) in [(some, value), (zero, Expr::int(1, Types::INT))] {
            let lhs = jumps.value.clone();
            self.edge(at, join, Op::Assign { lhs, rhs }, loc);
        }
        jumps.starts.push((join, loc));
        self.cur = self.new_node(loc);
        self.jumps = Some(jumps);
        true
    }
}
