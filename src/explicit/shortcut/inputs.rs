//! Questions about inputs on a way: the machine asks the same ones, and knows the same about them.

use super::recorder::{Content, Halt, Recorder};
use crate::cfa::BinOp;
use crate::explicit::compiled::code::{Code, Scalar};
use crate::explicit::step::question::{Question, Truth, is_truth, mirrored};
use crate::explicit::value::arith::number;
use crate::explicit::value::symbol::{Linear, Solutions, SymbolId};
use crate::frontend::types::IntInfo;

impl Recorder<'_, '_> {
    /// The truth of a condition, if it is one about an input that has several values.
    pub(super) fn question(&mut self, code: &Code, scalar: Scalar) -> Result<Option<Truth>, Halt> {
        match code {
            Code::IsZero(inner, of) => Ok(self.question(inner, *of)?.map(|truth| truth.negate_if(true))),
            Code::Convert(inner, from, to) if to.width == 1 || is_truth(inner) => {
                self.question(inner, Scalar::Int(*from))
            }
            Code::Compare(op @ (BinOp::Eq | BinOp::Ne), operands, of)
                if matches!(operands.1, Code::Bits(0)) && is_truth(&operands.0) =>
            {
                let truth = self.question(&operands.0, *of)?;
                Ok(truth.map(|truth| truth.negate_if(*op == BinOp::Eq)))
            }
            Code::Compare(op, operands, Scalar::Int(info)) => {
                match (self.input(&operands.0)?, self.input(&operands.1)?) {
                    (None, None) => Ok(None),
                    (Some(id), None) => self.compared(*op, id, &operands.1, *info).map(Some),
                    (None, Some(id)) => self.compared(mirrored(*op), id, &operands.0, *info).map(Some),
                    (Some(_), Some(_)) => Err(Halt::Machine),
                }
            }
            _ => match (self.input(code)?, scalar) {
                (None, _) => Ok(None),
                (Some(id), Scalar::Int(info)) => self.compared(BinOp::Ne, id, &Code::Bits(0), info).map(Some),
                (Some(_), _) => Err(Halt::Machine),
            },
        }
    }

    /// The input with several values that an expression is.
    fn input(&mut self, code: &Code) -> Result<Option<SymbolId>, Halt> {
        let Code::Slot(slot, Scalar::Int(info)) = code else {
            return Ok(None);
        };
        match self.slot(*slot, *info)? {
            Content::Input(id) => Ok(Some(id)),
            _ => Ok(None),
        }
    }

    fn compared(&mut self, op: BinOp, id: SymbolId, constant: &Code, info: IntInfo) -> Result<Truth, Halt> {
        let constant = self.number(constant)?;
        if !self.is_constant(constant) {
            return Err(Halt::Machine);
        }
        if matches!(op, BinOp::Eq | BinOp::Ne) {
            let equal = match self.facts.solve(id, 0, constant.bits, info.width) {
                Solutions::None => Truth::Known(false),
                Solutions::One(value) => Truth::Open(Question::Is(id, value), true),
                Solutions::Several => return Err(Halt::Machine),
            };
            return Ok(equal.negate_if(op == BinOp::Ne));
        }
        let Linear::Exact(plus) = self.facts.linear(id, 0, info) else {
            return Err(Halt::Machine);
        };
        let limit = number(constant.bits, info) - plus;
        let (limit, positive) = match op {
            BinOp::Lt => (limit - 1, true),
            BinOp::Le => (limit, true),
            BinOp::Gt => (limit, false),
            _ => (limit - 1, false),
        };
        let (lo, hi) = self.facts.range(id);
        let truth = if hi <= limit {
            Truth::Known(true)
        } else if lo > limit {
            Truth::Known(false)
        } else {
            Truth::Open(Question::AtMost(id, limit), true)
        };
        Ok(truth.negate_if(!positive))
    }

    /// Decides a condition: by what is known, else by choice.
    pub(super) fn decide(&mut self, truth: Truth) -> Result<bool, Halt> {
        match truth {
            Truth::Known(truth) => Ok(truth),
            Truth::Open(question, positive) => {
                let answer = self.choose(2)? == 0;
                self.answer(question, answer == positive)?;
                Ok(answer)
            }
        }
    }

    /// Notes the answer to a question.
    pub(super) fn answer(&mut self, question: Question, answer: bool) -> Result<(), Halt> {
        let facts = &mut self.facts;
        let is_possible = match (question, answer) {
            (Question::Is(id, value), true) => facts.restrict(id, value, value),
            (Question::Is(id, value), false) => match facts.exclude(id, value) {
                Some(true) => true,
                Some(false) => return Err(Halt::Machine),
                None => false,
            },
            (Question::AtMost(id, value), true) => facts.restrict(id, i128::MIN, value),
            (Question::AtMost(id, value), false) => facts.restrict(id, value + 1, i128::MAX),
            _ => unreachable!("it is about one input"),
        };
        if is_possible { Ok(()) } else { Err(Halt::Nowhere) }
    }
}
