//! Values of one format as terms, by their codes: signs, classes, order. Constants are given by their patterns.

use super::code;
use crate::cfa::BinOp;
use crate::cfa::program::expr;
use crate::frontend::types::float;
use crate::frontend::types::float::Format;
use provident_smt::num::Int;
use provident_smt::term::{TermId, TermPool};

pub(super) fn number(bits: u128) -> Int {
    expr::unsigned(bits)
}

/// Terms and formulas about patterns of one format.
pub(super) struct Patterns<'t> {
    pub(super) pool: &'t mut TermPool,
    pub(super) format: Format,
}

impl Patterns<'_> {
    /// The code of a pattern.
    pub(super) fn constant(&mut self, bits: u128) -> TermId {
        self.pool.int(number(code::of(self.format, bits)))
    }

    /// Whether the sign bit is set.
    pub(super) fn sign(&mut self, x: TermId) -> TermId {
        let sign = self.pool.int(number(code::sign(self.format)));
        self.pool.le(sign, x)
    }

    /// The pattern without its sign.
    pub(super) fn magnitude(&mut self, x: TermId) -> TermId {
        let negative = self.sign(x);
        let rest = self.pool.linear(&[(Int::ONE, x)], -number(code::sign(self.format)));
        self.pool.ite(negative, rest, x)
    }

    /// The key: see the head of the module.
    pub(super) fn key(&mut self, x: TermId) -> TermId {
        let negative = self.sign(x);
        let mirrored = self
            .pool
            .linear(&[(Int::MINUS_ONE, x)], number(code::sign(self.format)));
        self.pool.ite(negative, mirrored, x)
    }

    /// The key of a constant.
    pub(super) fn key_of(&mut self, bits: u128) -> TermId {
        let magnitude = number(code::of(self.format, bits & self.format.magnitude()));
        let key = if float::is_negative(self.format, bits) {
            -magnitude
        } else {
            magnitude
        };
        self.pool.int(key)
    }

    pub(super) fn magnitude_is(&mut self, x: TermId, op: BinOp, bits: u128) -> TermId {
        let magnitude = self.magnitude(x);
        let bound = self.constant(bits);
        match op {
            BinOp::Gt => self.pool.lt(bound, magnitude),
            BinOp::Lt => self.pool.lt(magnitude, bound),
            BinOp::Ge => self.pool.le(bound, magnitude),
            BinOp::Le => self.pool.le(magnitude, bound),
            _ => self.pool.eq(magnitude, bound),
        }
    }

    pub(super) fn nan(&mut self, x: TermId) -> TermId {
        self.magnitude_is(x, BinOp::Gt, self.format.infinity())
    }

    pub(super) fn infinite(&mut self, x: TermId) -> TermId {
        self.magnitude_is(x, BinOp::Eq, self.format.infinity())
    }

    pub(super) fn zero(&mut self, x: TermId) -> TermId {
        self.magnitude_is(x, BinOp::Eq, 0)
    }

    /// Whether the first of two numbers that are not NaN is at most the second.
    pub(super) fn at_most(&mut self, x: TermId, y: TermId) -> TermId {
        let (x, y) = (self.key(x), self.key(y));
        self.pool.le(x, y)
    }

    pub(super) fn not_above_magnitude(&mut self, x: TermId, y: TermId) -> TermId {
        let (x, y) = (self.magnitude(x), self.magnitude(y));
        self.pool.le(x, y)
    }

    /// The comparison of a value with a constant other than NaN, as bounds of the pattern.
    pub(super) fn compare_constant(&mut self, op: BinOp, x: TermId, c: u128) -> TermId {
        let format = self.format;
        let (sign, infinity) = (code::sign(format), code::of(format, format.infinity()));
        let magnitude = code::of(format, c & format.magnitude());
        let positive = !float::is_negative(format, c) || magnitude == 0;
        let within = |this: &mut Self, lo: u128, hi: u128| {
            let (lo, hi) = (this.pool.int(number(lo)), this.pool.int(number(hi)));
            let (above, below) = (this.pool.le(lo, x), this.pool.le(x, hi));
            this.pool.and2(above, below)
        };
        match op {
            BinOp::Eq if magnitude == 0 => self.zero(x),
            BinOp::Eq => {
                let c = self.constant(c);
                self.pool.eq(x, c)
            }
            BinOp::Gt | BinOp::Ge if positive && !(op == BinOp::Ge && magnitude == 0) => {
                let lo = magnitude + u128::from(op == BinOp::Gt);
                within(self, lo, infinity)
            }
            BinOp::Lt | BinOp::Le if !positive || (op == BinOp::Lt && magnitude == 0) => {
                let lo = (sign | magnitude) + u128::from(op == BinOp::Lt);
                within(self, lo, sign | infinity)
            }
            // The rest of the numbers.
            _ => {
                let opposite = match op {
                    BinOp::Gt => BinOp::Le,
                    BinOp::Ge => BinOp::Lt,
                    BinOp::Lt => BinOp::Ge,
                    _ => BinOp::Gt,
                };
                let opposite = self.compare_constant(opposite, x, c);
                let nan = self.nan(x);
                let either = self.pool.or2(opposite, nan);
                self.pool.not(either)
            }
        }
    }
}
