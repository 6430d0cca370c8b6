//! Questions about the objects that exist.
//!
//! The size of a heap object is a function of its address, since no two objects ever have one address. Whether bytes may be accessed is *any* truth value here, restricted as
//! far as the formula knows objects: it is yes where the bytes certainly lie in an object that exists. So every execution that violates a check is in the formula; one that
//! does not may be in it, too, and the replay decides.
//!
//! An object is known by the *root* of the pointer, from which the program computed it: a variable in sight, the objects that the points-to analysis has for it (where it knows nothing: all
//! static variables, if they are few), or the heap object at its own value. Which heap objects have ended is known of one, the *watched* object, whose address is any number that never changes; a violation at the end of a path concerns
//! one object, which may be that one. At the start of the program it does not exist, which a question there says. (Prophecy variables of this form: Abadi and Lamport, *The existence of refinement mappings*, 1991.)

use super::context::{Context, Value};
use super::ranges::Range;
use super::slots;
use crate::cfa::{
    AllocKind, AssumptionKind, Expr, ExprKind, FuncId, Inspection, Op, Place, PlaceBase, Program, VarId, VarKind,
};
use provident_smt::term::TermId;

/// More variables are not looked at.
const MAX_HOLDERS: usize = 64;
/// Pointers to more variables are any pointers.
const MAX_CANDIDATES: usize = 8;
/// The same for a pointer of which nothing is known.
const MAX_UNKNOWN_CANDIDATES: usize = 12;
/// Pointers stay in their objects, as C demands.
const STAYS: &str = "pointer arithmetic does not lead from one object into another one";

/// Where a pointer was computed from.
enum Root<'e> {
    Variable(VarId),
    Pointer(&'e Expr),
}

impl Context<'_, '_> {
    /// A place gets the answer to a question.
    pub fn inspect(&mut self, lhs: &Place, question: &Inspection) {
        let certain = match question {
            Inspection::Size(ptr) => return self.object_size(lhs, ptr),
            Inspection::Accessible { ptr, len, write } => self.is_accessible(ptr, len, *write),
            Inspection::Written { ptr, len } => self.is_written(ptr, len),
            Inspection::Releasable(ptr) => self.is_releasable(ptr),
            Inspection::Tracked => self.is_tracked(),
            Inspection::Released => {
                // An execution goes on only if no heap object is left, so this answer is about the watched one, too.
                let exists = self.watched_exists();
                let released = self.pool.not(exists);
                let answer = self.of_truth(released);
                return self.store(lhs, &answer);
            }
        };
        let answer = self.any(Range::bit());
        let one = self.pool.int(1i64);
        let (is_yes, not_certain) = (self.pool.eq(answer.term, one), self.pool.not(certain));
        let either = self.pool.or2(is_yes, not_certain);
        self.require(either);
        self.store(lhs, &answer);
    }

    /// A formula that implies that bytes lie in one object that exists.
    fn is_accessible(&mut self, ptr: &Expr, len: &Expr, write: bool) -> TermId {
        let (first, count) = (self.pointer(ptr), self.value(len));
        let end = self.plus(&first, &count);
        let mut clauses = Vec::new();
        match root(ptr) {
            Root::Variable(var) => {
                let address = self.encoder.program.address_at(var, self.depth);
                clauses.extend(self.lies_in_variable(var, address, write, &first, &end));
            }
            Root::Pointer(pointer) => {
                self.trust(AssumptionKind::Memory, STAYS, false);
                for var in self.candidates(pointer) {
                    let address = self.encoder.program.address_at(var, 0);
                    clauses.extend(self.lies_in_variable(var, address, write, &first, &end));
                }
                let base = self.value(pointer);
                let size = self.size_at(base.term);
                let size = Value::new(size, Range { lo: None, hi: None });
                let behind = self.plus(&base, &size);
                let lies_in = self.within(base.term, behind.term, &first, &end);
                let exists = self.has_not_ended(base.term);
                clauses.push(self.pool.and2(lies_in, exists));
            }
        }
        clauses
            .into_iter()
            .fold(self.pool.mk_false(), |any, clause| self.pool.or2(any, clause))
    }

    /// Whether bytes lie in a variable that exists.
    fn lies_in_variable(
        &mut self,
        var: VarId,
        address: Option<u64>,
        write: bool,
        first: &Value,
        end: &Value,
    ) -> Option<TermId> {
        let program = self.encoder.program;
        let variable = program.var(var);
        if write && variable.kind == VarKind::StringLiteral {
            return None;
        }
        let size = variable.size(&program.types)?;
        let address = i128::from(address?);
        let (low, high) = (self.pool.int(address), self.pool.int(address + i128::from(size)));
        Some(self.within(low, high, first, end))
    }

    fn within(&mut self, low: TermId, high: TermId, first: &Value, end: &Value) -> TermId {
        let (above, below) = (self.pool.le(low, first.term), self.pool.le(end.term, high));
        self.pool.and2(above, below)
    }

    /// A formula that implies that a pointer may be given back.
    fn is_releasable(&mut self, ptr: &Expr) -> TermId {
        let address = self.value(ptr);
        let zero = self.zero_term();
        let is_null = self.pool.eq(address.term, zero);
        let (block, one) = (self.block_at(address.term), self.pool.int(1i64));
        let (is_block, exists) = (self.pool.eq(block, one), self.has_not_ended(address.term));
        let is_live = self.pool.and2(is_block, exists);
        self.pool.or2(is_null, is_live)
    }

    /// The variables that exist as long as the program runs and that a pointer may point to, if they are few; of a pointer of which nothing is known, all static ones that have addresses.
    /// Bytes in one of them may be accessed wherever else the pointer may point to.
    fn candidates(&self, pointer: &Expr) -> Vec<VarId> {
        let program = self.encoder.program;
        let known = self.encoder.regions.variables_behind(program, pointer);
        let has_address = |var: &VarId| {
            let variable = program.var(*var);
            variable.in_memory && variable.func.is_none() && variable.kind != VarKind::StringLiteral
        };
        let (variables, most) = match known {
            Some(variables) => (variables, MAX_CANDIDATES),
            None => (program.var_ids().filter(has_address).collect(), MAX_UNKNOWN_CANDIDATES),
        };
        let variables: Vec<VarId> = variables
            .into_iter()
            .filter(|&var| is_lasting(program, var, self.func))
            .collect();
        match variables.len() <= most {
            true => variables,
            false => Vec::new(),
        }
    }

    /// A formula that implies that the watched object is tracked, if it is a heap object that exists: a variable points into it.
    fn is_tracked(&mut self) -> TermId {
        let exists = self.watched_exists();
        let mut tracked = self.pool.not(exists);
        let watched = self.variable(slots::WATCHED, 0);
        let size = self.size_at(watched);
        let end = self.pool.add(watched, size);
        for var in self.holders() {
            let place = Place::var(var, self.encoder.program.var(var).ty);
            let held = self.value(&Expr::load(place));
            let (above, below) = (self.pool.le(watched, held.term), self.pool.le(held.term, end));
            let holds = self.pool.and2(above, below);
            tracked = self.pool.or2(tracked, holds);
        }
        tracked
    }

    /// The plain pointers that exist: of static storage, of the current function, and of those that run as long as the program does.
    fn holders(&self) -> Vec<VarId> {
        let program = self.encoder.program;
        let is_holder = |&var: &VarId| {
            let variable = program.var(var);
            let exists = variable.func == Some(self.func) || is_lasting(program, var, self.func);
            !variable.in_memory && program.types.is_pointer(variable.ty) && exists
        };
        program.var_ids().filter(is_holder).take(MAX_HOLDERS).collect()
    }

    /// A formula: the watched object is a heap object that exists.
    fn watched_exists(&mut self) -> TermId {
        let watched = self.variable(slots::WATCHED, 0);
        let (block, one) = (self.block_at(watched), self.pool.int(1i64));
        let is_block = self.pool.eq(block, one);
        let (ended, zero) = (self.ended(), self.zero_term());
        let not_ended = self.pool.eq(ended.term, zero);
        self.pool.and2(is_block, not_ended)
    }

    // ---- heap objects --------------------------------------------------------------------------------------------------

    /// Whether the object at an address is a heap object: 1, or anything.
    fn block_at(&mut self, address: TermId) -> TermId {
        let symbol = self.symbol(slots::BLOCKS, 0);
        self.pool.app(symbol.name, symbol.index, &[address])
    }

    /// A formula: an object has not ended, if it is the watched one.
    fn has_not_ended(&mut self, address: TermId) -> TermId {
        let is_watched = self.is_watched(address);
        let ended = self.ended();
        let (one, both) = (self.pool.int(1i64), self.pool.not(is_watched));
        let has_ended = self.pool.eq(ended.term, one);
        let not_ended = self.pool.not(has_ended);
        self.pool.or2(both, not_ended)
    }

    fn is_watched(&mut self, address: TermId) -> TermId {
        let watched = self.variable(slots::WATCHED, 0);
        self.pool.eq(address, watched)
    }

    fn ended(&mut self) -> Value {
        let index = self.ssa.index(slots::ENDED);
        let term = self.variable(slots::ENDED, index);
        self.bound(term, &Range::bit());
        Value::new(term, Range::bit())
    }

    /// An object whose end is known begins or ends.
    pub(super) fn note_object(&mut self, address: TermId, kind: AllocKind, ends: bool) {
        if !self.encoder.asks_for_objects {
            return;
        }
        if !ends && kind != AllocKind::Block {
            let (block, one) = (self.block_at(address), self.pool.int(1i64));
            let is_block = self.pool.eq(block, one);
            self.require(is_block);
        }
        let is_watched = self.is_watched(address);
        let before = self.ended();
        let now = self.pool.int(i64::from(ends));
        let term = self.pool.ite(is_watched, now, before.term);
        self.write_slot(slots::ENDED, &Value::new(term, Range::bit()));
    }

    /// An object is given back.
    pub(super) fn free(&mut self, ptr: &Expr, kind: AllocKind) {
        if self.encoder.asks_for_objects && kind != AllocKind::Stack {
            let address = self.value(ptr);
            self.note_object(address.term, kind, true);
        }
    }

    /// A place gets the size of an object; 0 for none.
    fn object_size(&mut self, lhs: &Place, ptr: &Expr) {
        let address = self.value(ptr);
        let bytes = self.size_at(address.term);
        let range = self.range_of(self.place_scalar(lhs));
        self.bound(bytes, &range);
        let zero = self.zero_term();
        let is_null = self.pool.eq(address.term, zero);
        let term = self.pool.ite(is_null, zero, bytes);
        self.store(lhs, &Value::new(term, range));
    }
}

/// Whether a variable exists wherever a function may run: it is static, or of the one function that the start code calls, once, and that nothing else calls.
fn is_lasting(program: &Program, var: VarId, here: FuncId) -> bool {
    let Some(owner) = program.var(var).func.filter(|&owner| owner != program.start) else {
        return true;
    };
    let mut calls = program.edges.iter().filter_map(|edge| match edge.op {
        Op::Call { func, .. } => Some((program.node(edge.from).func == program.start, func)),
        _ => None,
    });
    let concerns = |&(by_start, func): &(bool, FuncId)| by_start || func == owner;
    let concerned: Vec<(bool, FuncId)> = calls.by_ref().filter(concerns).take(2).collect();
    here != program.start && concerned == [(true, owner)]
}

/// The expression from which a pointer was computed.
fn root(pointer: &Expr) -> Root<'_> {
    use crate::cfa::BinOp::{Add, Sub};
    match &pointer.kind {
        ExprKind::Cast(x) if !matches!(x.kind, ExprKind::Const(_)) => root(x),
        ExprKind::Binary(Add | Sub, x, _) => root(x),
        ExprKind::AddrOf(place) => match &place.base {
            PlaceBase::Var(var) => Root::Variable(*var),
            PlaceBase::Deref(inner) => root(inner),
        },
        _ => Root::Pointer(pointer),
    }
}
