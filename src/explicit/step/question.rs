//! Conditions: their known values, their constraints on symbols, and the facts that taking a branch adds.

use super::machine::{Halt, Machine};
use crate::cfa::BinOp;
use crate::cfa::program::layout::STATIC_BASE;
use crate::explicit::Value;
use crate::explicit::compiled::code::{Code, ObjectId, Scalar};
use crate::explicit::value::arith::{compare, mask, number};
use crate::explicit::value::relation::{Kind, Relation};
use crate::explicit::value::symbol::{Solutions, SymbolId};
use crate::frontend::types::IntInfo;

/// The truth of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// It is known.
    Known(bool),
    /// It is the answer to a question, or (false) the opposite.
    Open(Question, bool),
}

/// A question about symbols to which both answers are possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Whether the symbol has this value.
    Is(SymbolId, i128),
    /// Whether the symbol has at most this value.
    AtMost(SymbolId, i128),
    /// Whether the first symbol is the second plus a constant.
    Same(SymbolId, SymbolId, i128),
    /// Whether the first symbol is at most the second plus a constant.
    Order(SymbolId, SymbolId, i128),
    /// Something that cannot be recorded.
    Lost,
}

use Truth::{Known, Open};

impl Truth {
    /// Nobody knows, and nothing can be recorded.
    pub const LOST: Truth = LOST;

    /// The truth of the condition, or of its opposite.
    pub fn negate_if(self, negate: bool) -> Truth {
        match self {
            Known(truth) => Known(truth != negate),
            Open(question, positive) => Open(question, positive != negate),
        }
    }
}

/// Looking at so many results is part of a step.
const MANY_RESULTS: usize = 64;

const LOST: Truth = Open(Question::Lost, true);

impl Machine<'_, '_> {
    /// Whether a scalar expression is not zero.
    pub fn truth(&mut self, code: &Code, scalar: Scalar) -> Result<Truth, Halt> {
        match code {
            Code::IsZero(inner, of) => Ok(self.truth(inner, *of)?.negate_if(true)),
            // The truth values survive every conversion.
            Code::Convert(inner, from, _) if is_truth(inner) => self.truth(inner, Scalar::Int(*from)),
            Code::Convert(inner, from, to) if to.width == 1 => self.truth(inner, Scalar::Int(*from)),
            Code::Compare(op @ (BinOp::Eq | BinOp::Ne), operands, of)
                if matches!(operands.1, Code::Bits(0)) && is_truth(&operands.0) =>
            {
                Ok(self.truth(&operands.0, *of)?.negate_if(*op == BinOp::Eq))
            }
            Code::Ordered(op, operands, format) => self.ordered(*op, operands, *format),
            Code::CompareWide(op, operands) => self.compare_wide(*op, operands),
            Code::Compare(op, operands, of) => {
                let a = self.value(&operands.0)?;
                let b = self.value(&operands.1)?;
                match of {
                    Scalar::Int(info) => self.compare(*op, a, b, *info),
                    _ => Ok(LOST),
                }
            }
            _ => {
                let value = self.value(code)?;
                match scalar {
                    Scalar::Int(info) => self.compare(BinOp::Ne, value, Value::Bits(0), info),
                    _ => Ok(LOST),
                }
            }
        }
    }

    /// Decides a condition: by what is known, else by choice.
    pub fn decide(&mut self, truth: Truth) -> Result<bool, Halt> {
        match truth {
            Known(truth) => Ok(truth),
            Open(question, positive) => {
                let answer = self.choose(2)? == 0;
                self.answer(question, answer == positive)?;
                Ok(answer)
            }
        }
    }

    /// Records the answer to a question.
    ///
    /// # Errors
    /// Blocked, if the answer contradicts what is known.
    pub fn answer(&mut self, question: Question, answer: bool) -> Result<(), Halt> {
        let facts = &mut self.state.facts;
        let possible = match (question, answer) {
            (Question::Is(id, value), true) => facts.restrict(id, value, value),
            (Question::Is(id, value), false) => match facts.exclude(id, value) {
                None => false,
                Some(recorded) => {
                    self.state.inexact |= !recorded;
                    true
                }
            },
            (Question::AtMost(id, value), true) => facts.restrict(id, i128::MIN, value),
            (Question::AtMost(id, value), false) => facts.restrict(id, value + 1, i128::MAX),
            (Question::Same(a, b, distance), true) => facts.unify(a, b, distance),
            (Question::Order(a, b, distance), answer) => {
                // a <= b + distance, or b <= a - distance - 1.
                let (a, b, distance) = if answer {
                    (a, b, distance)
                } else {
                    (b, a, -distance - 1)
                };
                let (least, _) = facts.range(a);
                let (_, greatest) = facts.range(b);
                let kind = Kind::AtMost(distance);
                self.state.inexact |= !facts.relations.add(Relation { a, b, kind });
                facts.restrict(a, i128::MIN, greatest + distance) && facts.restrict(b, least - distance, i128::MAX)
            }
            (Question::Same(a, b, distance), false) => {
                let kind = Kind::Not(distance);
                self.state.inexact |= !facts.relations.add(Relation { a, b, kind });
                true
            }
            (Question::Lost, _) => {
                self.state.inexact = true;
                true
            }
        };
        let possible = possible
            && (!matches!((question, answer), (Question::Same(..), true)) || self.state.settle_equal_operations());
        // Each answer looks at all results again.
        self.charge_results(2);
        if possible && self.state.settle_results() && self.state.facts.propagate() {
            Ok(())
        } else {
            Err(Halt::Blocked)
        }
    }

    /// Charges one step for each `per` of the results that are remembered, if these are many.
    pub(super) fn charge_results(&mut self, per: usize) {
        let results = self.state.memo.len().saturating_sub(MANY_RESULTS);
        self.effort += u64::try_from(results / per).expect("a state fits into memory");
    }

    /// Compares two values of a type.
    pub fn compare(&mut self, op: BinOp, a: Value, b: Value, info: IntInfo) -> Result<Truth, Halt> {
        let (a, b) = (self.settled(a, info.width), self.settled(b, info.width));
        match (a, b) {
            (Value::Bits(x), Value::Bits(y)) => Ok(Known(compare(op, x, y, info))),
            (Value::Unknown, _) | (_, Value::Unknown) => Ok(LOST),
            (Value::Pointer { .. }, _) | (_, Value::Pointer { .. }) => Ok(self.compare_pointers(op, a, b)),
            (Value::Symbol { id, plus }, Value::Bits(bits)) => self.compare_constant(op, id, plus, bits, info),
            (Value::Bits(bits), Value::Symbol { id, plus }) => {
                self.compare_constant(mirrored(op), id, plus, bits, info)
            }
            (Value::Symbol { id, plus }, Value::Symbol { id: other, plus: more }) => {
                self.compare_symbols(op, (id, plus), (other, more), info)
            }
        }
    }

    fn compare_pointers(&self, op: BinOp, a: Value, b: Value) -> Truth {
        let inside = |object: ObjectId, offset: u64| self.room(object, offset).is_some();
        let equal = match (a, b) {
            (
                Value::Pointer { object, offset },
                Value::Pointer {
                    object: other,
                    offset: at,
                },
            ) if object == other => {
                let ordered = inside(object, offset) && inside(object, at);
                return match op {
                    BinOp::Eq => Known(offset == at),
                    BinOp::Ne => Known(offset != at),
                    // Offsets inside of an object do not wrap, so that they are ordered as addresses are.
                    _ if ordered => {
                        let address = IntInfo {
                            width: 64,
                            signed: false,
                        };
                        Known(compare(op, offset, at, address))
                    }
                    _ => LOST,
                };
            }
            (
                Value::Pointer { object, offset },
                Value::Pointer {
                    object: other,
                    offset: at,
                },
            ) => (inside(object, offset) && inside(other, at)).then_some(false),
            (Value::Pointer { object, offset }, Value::Bits(bits))
            | (Value::Bits(bits), Value::Pointer { object, offset }) => {
                // Neither null nor a function is an object, not even one that has ended.
                let valid = inside(object, offset) || (offset == 0 && self.state.object(object).is_none());
                (valid && bits < STATIC_BASE).then_some(false)
            }
            _ => None,
        };
        match (op, equal) {
            (BinOp::Eq, Some(equal)) => Known(equal),
            (BinOp::Ne, Some(equal)) => Known(!equal),
            _ => LOST,
        }
    }

    fn compare_constant(
        &mut self,
        op: BinOp,
        id: SymbolId,
        plus: u64,
        bits: u64,
        info: IntInfo,
    ) -> Result<Truth, Halt> {
        if matches!(op, BinOp::Eq | BinOp::Ne) {
            let equal = match self.state.facts.solve(id, plus, bits, info.width) {
                Solutions::None => Known(false),
                Solutions::One(value) => Open(Question::Is(id, value), true),
                Solutions::Several => LOST,
            };
            return Ok(equal.negate_if(op == BinOp::Ne));
        }
        let Some(constant) = self.linear(id, plus, info)? else {
            return Ok(LOST);
        };
        // symbol + constant <= bound, or its opposite
        let limit = number(bits, info) - constant;
        let (limit, positive) = match op {
            BinOp::Lt => (limit - 1, true),
            BinOp::Le => (limit, true),
            BinOp::Gt => (limit, false),
            _ => (limit - 1, false),
        };
        let (lo, hi) = self.state.facts.range(id);
        let truth = if hi <= limit {
            Known(true)
        } else if lo > limit {
            Known(false)
        } else {
            Open(Question::AtMost(id, limit), true)
        };
        Ok(truth.negate_if(!positive))
    }

    fn compare_symbols(
        &mut self,
        op: BinOp,
        (a, plus): (SymbolId, u64),
        (b, more): (SymbolId, u64),
        info: IntInfo,
    ) -> Result<Truth, Halt> {
        if a == b && plus == more {
            return Ok(Known(matches!(op, BinOp::Eq | BinOp::Le | BinOp::Ge)));
        }
        if a == b && matches!(op, BinOp::Eq | BinOp::Ne) {
            let equal = (plus ^ more) & mask(info.width) == 0;
            return Ok(Known(equal == (op == BinOp::Eq)));
        }
        let (Some(c), Some(d)) = (self.linear(a, plus, info)?, self.linear(b, more, info)?) else {
            return Ok(LOST);
        };
        if a == b {
            // Splitting `b` has not changed how `a` goes, only its interval.
            let known = |left: i128, right: i128| match op {
                BinOp::Lt => left < right,
                BinOp::Le => left <= right,
                BinOp::Gt => left > right,
                BinOp::Ge => left >= right,
                BinOp::Eq => left == right,
                _ => left != right,
            };
            return Ok(Known(known(c, d)));
        }
        let ((a_lo, a_hi), (b_lo, b_hi)) = (self.state.facts.range(a), self.state.facts.range(b));
        let relations = &self.state.facts.relations;
        // a + c <= b + d + slack
        let order = |slack: i128| {
            let distance = d - c + slack;
            if a_hi <= b_lo + distance {
                Known(true)
            } else if a_lo > b_hi + distance {
                Known(false)
            } else if let Some(known) = relations.at_most(a, b, distance) {
                Known(known)
            } else {
                Open(Question::Order(a, b, distance), true)
            }
        };
        Ok(match op {
            BinOp::Le => order(0),
            BinOp::Lt => order(-1),
            BinOp::Gt => order(0).negate_if(true),
            BinOp::Ge => order(-1).negate_if(true),
            _ => {
                let apart = a_hi + c < b_lo + d || b_hi + d < a_lo + c;
                let equal = if apart {
                    Known(false)
                } else if let Some(known) = relations.equal(a, b, d - c) {
                    Known(known)
                } else {
                    Open(Question::Same(a, b, d - c), true)
                };
                equal.negate_if(op == BinOp::Ne)
            }
        })
    }
}

/// Whether the code gives a truth value without being asked.
pub fn is_truth(code: &Code) -> bool {
    match code {
        Code::Compare(..) | Code::Ordered(..) | Code::CompareWide(..) | Code::IsZero(..) => true,
        Code::Convert(inner, _, to) => to.width == 1 || is_truth(inner),
        _ => false,
    }
}

/// The comparison with its operands exchanged.
pub fn mirrored(op: BinOp) -> BinOp {
    match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        other => other,
    }
}
