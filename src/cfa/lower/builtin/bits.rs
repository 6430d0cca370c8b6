//! Counting and moving bits: `clz ctz ffs popcount parity clrsb bswap`, in all widths.
//!
//! Each is one expression without branches. The counts are sums of truth values: the number of leading zeros of `x` is the number of
//! powers of two above it, so `clz(x) = [x < 2] + [x < 4] + ... + [x < 2^(w-1)]`. Comparisons with constants are the
//! cheapest atoms of linear arithmetic, the bounds of the sum are obvious, and a path with an unknown operand
//! does not fork. Trailing zeros count the powers of two that divide the operand; the population count adds up the bits.
//!
//! The sums are balanced, so that formulas stay shallow. `clz` and `ctz` of 0 are undefined: the result is invented.
//! Hacker's Delight (Warren, 2013, chapter 5) has forms that are fast on processors; they need masks of two variables, which
//! are expensive in formulas.

use crate::cfa::lower::Lowerer;
use crate::cfa::program::expr;
use crate::cfa::program::invention::Invention;
use crate::cfa::program::*;
use crate::frontend::syntax::ast::ExprId;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{IntInfo, IntKind, TypeId, Types};
use provident_smt::num::Int;

/// An operation on the bits of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BitOp {
    LeadingZeros,
    TrailingZeros,
    FindFirst,
    Count,
    Parity,
    RedundantSigns,
    SwapBytes,
}

/// The meaning of a name without `__builtin_`; the operand's type says the width.
fn operation(name: &str) -> Option<BitOp> {
    let (base, rest) = [
        ("clzg", BitOp::LeadingZeros),
        ("clz", BitOp::LeadingZeros),
        ("ctzg", BitOp::TrailingZeros),
        ("ctz", BitOp::TrailingZeros),
        ("ffsg", BitOp::FindFirst),
        ("ffs", BitOp::FindFirst),
        ("popcountg", BitOp::Count),
        ("popcount", BitOp::Count),
        ("parityg", BitOp::Parity),
        ("parity", BitOp::Parity),
        ("clrsbg", BitOp::RedundantSigns),
        ("clrsb", BitOp::RedundantSigns),
        ("bswap", BitOp::SwapBytes),
    ]
    .into_iter()
    .find_map(|(prefix, op)| name.strip_prefix(prefix).map(|rest| (op, rest)))?;
    let known = match base {
        BitOp::SwapBytes => matches!(rest, "16" | "32" | "64" | "128"),
        _ => matches!(rest, "" | "l" | "ll" | "imax"),
    };
    known.then_some(base)
}

impl Lowerer<'_> {
    /// The value of a builtin that counts or moves bits; `None` if the name is that of another one.
    pub(super) fn bit_builtin(&mut self, name: &str, args: &[ExprId], ty: TypeId, loc: Loc) -> Option<Expr> {
        let op = operation(name)?;
        let info = self.int_info(self.unit.expr(*args.first()?).ty)?;
        if args.len() > 2 || (op == BitOp::SwapBytes && info.width % 8 != 0) {
            return None;
        }
        let mut values = self.arguments(args, loc);
        let at_zero = (args.len() == 2).then(|| values.pop()).flatten();
        let x = values.pop()?;
        let x = if x.as_const().is_some() || self.is_stable(&x) && matches!(x.kind, ExprKind::Load(_)) {
            x
        } else {
            self.save(x, loc)
        };
        let undefined_at_zero = matches!(op, BitOp::LeadingZeros | BitOp::TrailingZeros);
        let value = self.bits_of(op, &x, info);
        let value = expr::cast(&self.types, value, ty);
        if !undefined_at_zero || x.as_const().is_some_and(|x| !x.is_zero()) {
            return Some(value);
        }
        let place = Place::var(self.temp(ty, loc), ty);
        let (some, none, join) = (self.new_node(loc), self.new_node(loc), self.new_node(loc));
        let zero = expr::zero(&self.types, x.ty);
        let is_not_zero = expr::binary(&self.types, BinOp::Ne, x, zero, Types::INT);
        self.test(is_not_zero, some, none, loc);
        self.cur = some;
        self.store_value(place.clone(), value, loc);
        self.connect(self.cur, join, loc);
        self.cur = none;
        let other = match at_zero {
            Some(value) => value,
            None => self.invent(ty, Invention::Builtin, &format!("`__builtin_{name}` of 0"), loc),
        };
        self.store_value(place.clone(), other, loc);
        self.connect(self.cur, join, loc);
        self.cur = join;
        Some(Expr::load(place))
    }

    /// The operation as an expression that reads `x` several times.
    fn bits_of(&self, op: BitOp, x: &Expr, info: IntInfo) -> Expr {
        let width = info.width;
        match op {
            BitOp::LeadingZeros => self.sum((1..width).map(|k| self.below(x, k, info)).collect()),
            BitOp::TrailingZeros => self.sum((1..width).map(|k| self.divisible(x, k, info)).collect()),
            BitOp::FindFirst => {
                // All `width` powers divide 0, whose answer is 0.
                let count = self.sum((0..width).map(|k| self.divisible(x, k, info)).collect());
                let zero = expr::zero(&self.types, x.ty);
                let is_zero = expr::binary(&self.types, BinOp::Eq, x.clone(), zero, Types::INT);
                let all = Expr::int(i64::from(width), Types::INT);
                let correction = expr::binary(&self.types, BinOp::Mul, is_zero, all, Types::INT);
                expr::binary(&self.types, BinOp::Sub, count, correction, Types::INT)
            }
            BitOp::Count => self.sum((0..width).map(|k| self.bit(x, k, info)).collect()),
            BitOp::Parity => {
                let count = self.bits_of(BitOp::Count, x, info);
                expr::binary(&self.types, BinOp::And, count, Expr::int(1, Types::INT), Types::INT)
            }
            BitOp::RedundantSigns => {
                // Bits below the sign that equal it: x lies between -2^k and 2^k, for each such k; one of both bounds always holds.
                let mut bounds = Vec::new();
                for k in 0..width - 1 {
                    bounds.push(self.below(x, k, info));
                    let least = self.constant(&-Int::pow2(k), x.ty);
                    bounds.push(expr::binary(&self.types, BinOp::Ge, x.clone(), least, Types::INT));
                }
                let all = Expr::int(i64::from(width) - 1, Types::INT);
                expr::binary(&self.types, BinOp::Sub, self.sum(bounds), all, Types::INT)
            }
            BitOp::SwapBytes => {
                let bytes = (0..width / 8)
                    .map(|i| self.moved_byte(x, 8 * i, width - 8 - 8 * i))
                    .collect();
                self.sum_of(bytes, x.ty)
            }
        }
    }

    fn constant(&self, value: &Int, ty: TypeId) -> Expr {
        let info = self.int_info(ty).expect("bits are counted of integers only");
        Expr::int(expr::wrap(value, info), ty)
    }

    /// Whether the bits of `x` from `k` upwards are zero (of a signed `x` only where it is not negative, else always true).
    fn below(&self, x: &Expr, k: u32, info: IntInfo) -> Expr {
        debug_assert!(k < info.width);
        let power = self.constant(&Int::pow2(k), x.ty);
        expr::binary(&self.types, BinOp::Lt, x.clone(), power, Types::INT)
    }

    /// Whether the `k` lowest bits of `x` are zero.
    fn divisible(&self, x: &Expr, k: u32, info: IntInfo) -> Expr {
        if k == 0 {
            return Expr::int(1, Types::INT);
        }
        debug_assert!(k < info.width);
        let mask = self.constant(&(&Int::pow2(k) - &Int::from(1)), x.ty);
        let low = expr::binary(&self.types, BinOp::And, x.clone(), mask, x.ty);
        expr::binary(&self.types, BinOp::Eq, low, expr::zero(&self.types, x.ty), Types::INT)
    }

    /// Bit `k` of `x` as a number.
    fn bit(&self, x: &Expr, k: u32, info: IntInfo) -> Expr {
        let shifted = self.shifted(BinOp::Shr, x.clone(), k);
        let bit = if k + 1 == info.width && !info.signed {
            shifted
        } else {
            let one = self.constant(&Int::from(1), x.ty);
            expr::binary(&self.types, BinOp::And, shifted, one, x.ty)
        };
        expr::cast(&self.types, bit, Types::INT)
    }

    /// The byte of an unsigned `x` that begins at bit `from`, moved to bit `to`.
    fn moved_byte(&self, x: &Expr, from: u32, to: u32) -> Expr {
        let byte = Types::int(IntKind::UChar);
        let cut = expr::cast(&self.types, self.shifted(BinOp::Shr, x.clone(), from), byte);
        let wide = expr::cast(&self.types, cut, x.ty);
        self.shifted(BinOp::Shl, wide, to)
    }

    fn shifted(&self, op: BinOp, x: Expr, by: u32) -> Expr {
        let ty = x.ty;
        expr::binary(&self.types, op, x, Expr::int(i64::from(by), Types::INT), ty)
    }

    fn sum(&self, terms: Vec<Expr>) -> Expr {
        self.sum_of(terms, Types::INT)
    }

    /// The sum of numbers that does not overflow, as a balanced tree.
    fn sum_of(&self, mut terms: Vec<Expr>, ty: TypeId) -> Expr {
        while terms.len() > 1 {
            let mut next = Vec::with_capacity(terms.len().div_ceil(2));
            let mut rest = terms.into_iter();
            while let Some(a) = rest.next() {
                next.push(match rest.next() {
                    Some(b) => expr::binary(&self.types, BinOp::Add, a, b, ty),
                    None => a,
                });
            }
            terms = next;
        }
        terms.pop().unwrap_or_else(|| expr::zero(&self.types, ty))
    }
}
