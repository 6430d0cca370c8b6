//! Whether an execution depends on values that are invented: forward dynamic taint analysis.
//!
//! A violation proves nothing if it needs a value that the model invented ([`Invention`]): the real program may have another value there. The
//! machine reports, step by step, the bytes that it reads and writes and the inputs that it requests. A byte is *marked* if it was computed from an invented value,
//! and the execution depends on that value as soon as
//!
//! * a branch that matters reads a marked byte, or
//! * an address that is read or written, the size of the object there, or a divisor was computed from marked bytes.
//!
//! A branch *matters* if the violation may depend on it: by a static slice toward the violation and everything at which an execution may end before it comes there, or all
//! of them ([`Rule::matters`]). Every value that flows into such a branch was followed, so that the other inputs, invented or not, may have any value: the execution takes the same way
//! through what matters. For data this is exactly what a backward dynamic slice finds (see [`super::decisive`]), but the effort is a few operations for
//! each marked byte and nothing is logged, so that it serves executions of any length.
//!
//! An address, a size or a divisor matters wherever it is used: with the value that the real program has there, the behaviour may be undefined, and the
//! program may come to its end before the violation.

use super::store::Store;
use super::value::Shape;
use crate::cfa::program::invention::{Invention, Inventions};
use crate::cfa::{BinOp, EdgeId, Expr, ExprKind, UnOp};
use crate::frontend::text::source::Loc;
use crate::frontend::types::Types;
use provident_smt::hash::FxHashMap;

/// The values that a violation may rest on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rule<'a> {
    /// The sorts of inventions that count as inputs.
    pub inputs: Inventions,
    /// For each edge whether the violation may depend on it; all do if there is nothing.
    pub matters: Option<&'a [bool]>,
}

/// An invented value that an execution depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// The sort.
    pub kind: Invention,
    /// The construct, e.g. ``the result of `fancy()` ``.
    pub what: String,
    /// Where the value was invented.
    pub loc: Loc,
}

/// An invented value of an execution, by its number.
pub(super) type Mark = u32;

/// The marks of an execution so far.
#[derive(Debug)]
pub(super) struct Taint<'a> {
    rule: Rule<'a>,
    /// The invented values so far, one for each sort and place.
    values: Vec<Dependence>,
    known: FxHashMap<(Invention, Loc), Mark>,
    marks: FxHashMap<(Store, u64), Mark>,
    /// The values that were read since [`Taint::begin`] are computed from this one.
    current: Option<Mark>,
    /// The bytes of a value that count, from its lowest one on: what a conversion to a narrower type cuts off decides nothing.
    low: u64,
    found: Option<Mark>,
    edge: Option<EdgeId>,
}

impl<'a> Taint<'a> {
    pub fn new(rule: Rule<'a>) -> Self {
        Taint {
            rule,
            values: Vec::new(),
            known: FxHashMap::default(),
            marks: FxHashMap::default(),
            current: None,
            low: u64::MAX,
            found: None,
            edge: None,
        }
    }

    /// Of the values that are read from now on, only so many bytes count, from the lowest one on. Returns how many did.
    pub fn count_low(&mut self, bytes: u64) -> u64 {
        std::mem::replace(&mut self.low, bytes)
    }

    /// The bytes of a value that count.
    pub fn low(&self) -> u64 {
        self.low
    }

    /// The value that the execution depends on, if there is one.
    pub fn found(&self) -> Option<&Dependence> {
        self.found.map(|mark| &self.values[mark as usize])
    }

    /// The mark for a new value; none if its sort counts as an input.
    pub fn invent(&mut self, kind: Invention, what: &str, loc: Loc) -> Option<Mark> {
        if self.rule.inputs.contains(kind) {
            return None;
        }
        let next = Mark::try_from(self.values.len()).expect("fewer than 2^32 values");
        let mark = *self.known.entry((kind, loc)).or_insert(next);
        if mark == next {
            let what = what.to_string();
            self.values.push(Dependence { kind, what, loc });
        }
        Some(mark)
    }

    /// A step begins.
    pub fn step(&mut self, edge: EdgeId) {
        self.edge = Some(edge);
        self.current = None;
    }

    /// Begins a computation. Returns the mark of the one that is interrupted, for [`Taint::resume`].
    pub fn begin(&mut self) -> Option<Mark> {
        self.current.take()
    }

    /// Ends a computation; its result is no part of the one that goes on.
    pub fn resume(&mut self, interrupted: Option<Mark>) -> Option<Mark> {
        std::mem::replace(&mut self.current, interrupted)
    }

    /// A value of the computation was computed from a marked one.
    pub fn join(&mut self, mark: Option<Mark>) {
        self.current = self.current.or(mark);
    }

    /// Bytes are read. They are stored from the lowest one on.
    pub fn read(&mut self, store: Store, address: u64, size: u64) {
        if self.current.is_none() && !self.marks.is_empty() {
            self.current =
                (0..size.min(self.low)).find_map(|i| self.marks.get(&(store, address.wrapping_add(i))).copied());
        }
    }

    /// Bytes are written with the result of the computation.
    pub fn written(&mut self, store: Store, address: u64, size: u64) {
        let mark = self.current;
        self.paste(
            store,
            address,
            std::iter::repeat_n(mark, usize::try_from(size).unwrap_or(0)),
        );
    }

    /// The marks of bytes; empty if there are none anywhere.
    pub fn cut(&self, store: Store, address: u64, size: u64) -> Vec<Option<Mark>> {
        if self.marks.is_empty() {
            return Vec::new();
        }
        let mark = |i: u64| self.marks.get(&(store, address.wrapping_add(i))).copied();
        (0..size).map(mark).collect()
    }

    /// Gives bytes marks.
    pub fn paste(&mut self, store: Store, address: u64, marks: impl IntoIterator<Item = Option<Mark>>) {
        for (i, mark) in (0..).zip(marks) {
            let key = (store, address.wrapping_add(i));
            match mark {
                Some(mark) => {
                    self.marks.insert(key, mark);
                }
                None if self.marks.is_empty() => return,
                None => {
                    self.marks.remove(&key);
                }
            }
        }
    }

    /// Unmarks bytes.
    pub fn clear(&mut self, store: Store, address: u64, size: u64) {
        if !self.marks.is_empty() {
            (0..size).for_each(|i| _ = self.marks.remove(&(store, address.wrapping_add(i))));
        }
    }

    /// The step decides by the computation which way the execution goes.
    pub fn decides(&mut self) {
        if self.step_matters() {
            self.found = self.found.or(self.current);
        }
    }

    /// A computation with this mark gives an address that the step reads or writes, or a divisor: with another value the program may end there.
    pub fn may_stop(&mut self, mark: Option<Mark>) {
        self.found = self.found.or(mark);
    }

    fn step_matters(&self) -> bool {
        match (self.rule.matters, self.edge) {
            (Some(matters), Some(edge)) => matters[edge.index()],
            _ => true,
        }
    }
}

/// How many bytes of the operands count, from the lowest one on, if `low` bytes of the result of an expression do: in sums, products and bit by bit as many.
pub(super) fn low_bytes(types: &Types, expr: &Expr, low: u64) -> u64 {
    let width = |ty| match Shape::of(types, ty) {
        Ok(Shape::Int(info)) => Some(u64::from(info.width)),
        _ => None,
    };
    match &expr.kind {
        ExprKind::Load(_) => low,
        ExprKind::Unary(UnOp::Neg | UnOp::BitNot, _)
        | ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor, ..)
            if width(expr.ty).is_some() =>
        {
            low
        }
        ExprKind::Cast(operand) => match (width(operand.ty), width(expr.ty)) {
            (Some(from), Some(to)) if to < from => low.min(to.div_ceil(8)),
            (Some(_), Some(_)) => low,
            _ => u64::MAX,
        },
        _ => u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMORY: Store = Store::Memory;

    /// A taint analysis in step 0 that has one invented value.
    fn with_value(rule: Rule<'_>, step: u32, kind: Invention) -> (Taint<'_>, Option<Mark>) {
        let mut taint = Taint::new(rule);
        taint.step(EdgeId(step));
        let mark = taint.invent(kind, "a value", Loc::NONE);
        taint.join(mark);
        (taint, mark)
    }

    #[test]
    fn results_are_marked_until_they_are_overwritten() {
        let (mut taint, _) = with_value(Rule::default(), 0, Invention::Library);
        taint.written(MEMORY, 100, 4);
        // A copy of the value, and then something else in its place.
        taint.step(EdgeId(1));
        taint.read(MEMORY, 103, 1);
        taint.written(MEMORY, 200, 1);
        taint.step(EdgeId(2));
        taint.written(MEMORY, 100, 4);
        taint.step(EdgeId(3));
        taint.read(MEMORY, 100, 4);
        taint.decides();
        assert_eq!(taint.found(), None);
        taint.step(EdgeId(4));
        taint.read(MEMORY, 196, 8);
        taint.decides();
        assert_eq!(taint.found().map(|found| found.kind), Some(Invention::Library));
    }

    #[test]
    fn bytes_that_are_cut_off_do_not_count() {
        let (mut taint, _) = with_value(Rule::default(), 0, Invention::Memory);
        taint.written(MEMORY, 101, 3);
        taint.step(EdgeId(1));
        let all = taint.count_low(1);
        taint.read(MEMORY, 100, 4);
        taint.decides();
        assert_eq!(taint.found(), None);
        taint.count_low(all);
        taint.read(MEMORY, 100, 4);
        taint.decides();
        assert!(taint.found().is_some());
    }

    #[test]
    fn sorts_that_count_as_inputs_are_not_marked() {
        let rule = Rule {
            inputs: Inventions::default().with(Invention::Assembly),
            matters: None,
        };
        for (kind, depends) in [(Invention::Assembly, false), (Invention::Float, true)] {
            let (mut taint, _) = with_value(rule, 0, kind);
            taint.decides();
            assert_eq!(taint.found().is_some(), depends);
        }
    }

    #[test]
    fn only_branches_that_matter_count() {
        let matters = [false, true];
        let rule = Rule {
            matters: Some(&matters),
            ..Rule::default()
        };
        for (step, depends) in [(0, false), (1, true)] {
            let (mut decides, _) = with_value(rule, step, Invention::Library);
            decides.decides();
            assert_eq!(decides.found().is_some(), depends);
            // A call that may end the program matters everywhere.
            let (mut ends, mark) = with_value(rule, step, Invention::Library);
            ends.may_stop(mark);
            assert!(ends.found().is_some());
        }
    }
}
