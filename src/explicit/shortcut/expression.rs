//! Values as expressions of the slots that a stretch begins with.

use crate::cfa::BinOp;
use crate::explicit::Value;
use crate::explicit::compiled::code::Slot;
use crate::explicit::state::State;
use crate::explicit::value::arith::{self, mask};
use crate::frontend::types::IntInfo;
use provident_smt::hash::FxHashMap;

/// The number of an expression. Equal expressions have equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Id(u32);

/// An expression over the slots of a state. A value is a bit pattern, zero-extended, as in [`Value`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Expression {
    /// A bit pattern.
    Bits(u64),
    /// The content of a slot.
    Slot(Slot),
    /// The sum of a value and a constant.
    Plus(Id, u64, IntInfo),
    /// An operation or comparison; the types are those of its operands.
    Binary(BinOp, Id, Id, IntInfo, IntInfo),
    /// A conversion from a type to another one.
    Convert(Id, IntInfo, IntInfo),
    /// Whether a value is zero.
    IsZero(Id),
}

/// All expressions, each one once.
#[derive(Default)]
pub(super) struct Expressions {
    nodes: Vec<Expression>,
    numbers: FxHashMap<Expression, Id>,
}

impl Expressions {
    /// The number of an expression.
    pub fn of(&mut self, expression: Expression) -> Id {
        if let Some(&id) = self.numbers.get(&expression) {
            return id;
        }
        let id = Id(u32::try_from(self.nodes.len()).expect("shortcuts have a bound on their expressions"));
        self.nodes.push(expression);
        self.numbers.insert(expression, id);
        id
    }

    /// An expression.
    pub fn get(&self, id: Id) -> Expression {
        self.nodes[position(id)]
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The value of an expression at a state. `None` if a slot has no bit pattern there, or if C leaves an operation undefined. The depth of the recursion is that of the expression, which the
    /// recorder bounds.
    pub fn value(&self, id: Id, state: &State) -> Option<u64> {
        match self.get(id) {
            Expression::Bits(bits) => Some(bits),
            Expression::Slot(slot) => content(state, slot),
            Expression::Plus(inner, constant, info) => {
                Some(self.value(inner, state)?.wrapping_add(constant) & mask(info.width))
            }
            Expression::Binary(op, a, b, info, right) => {
                arith::binary(op, self.value(a, state)?, self.value(b, state)?, info, right)
            }
            Expression::Convert(inner, from, to) => Some(arith::convert(self.value(inner, state)?, from, to)),
            Expression::IsZero(inner) => Some(u64::from(self.value(inner, state)? == 0)),
        }
    }
}

/// The bit pattern in a slot, if the state says which one it is.
pub(super) fn content(state: &State, slot: Slot) -> Option<u64> {
    match state.slot(slot) {
        Value::Bits(bits) => Some(bits),
        _ => None,
    }
}

fn position(id: Id) -> usize {
    usize::try_from(id.0).expect("a number of 32 bits is a position")
}
