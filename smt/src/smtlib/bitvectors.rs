//! The theory of bit-vectors of a fixed width, by integers that wrap around.
//!
//! A vector of `n` bits is the integer from 0 to `2^n - 1` that it is as a binary number, so that equality is equality of integers. A constant of the script is the
//! remainder of an unbounded integer by `2^n`, and so is the value of a function: no formula has to say that it is in range. Sums and products wrap by a remainder, parts of
//! vectors are quotients and remainders by powers of two, and the bitwise operators follow from the conjunction, which is taken bit by bit unless one side is a constant:
//!
//! * `x | y = x + y - (x & y)`, and `x ^ y = x + y - 2 (x & y)`.
//!
//! A product of two unknowns is the sum of one of them, shifted, over the bits of the other. All of this is exact. Only a quotient or remainder by an unknown is left to the
//! sibling `nonlinear`, which may give up.
//!
//! The operators are those of the theory `FixedSizeBitVectors` and of the logic `QF_BV` of SMT-LIB 2.7.

use super::elaborate::Ty;
use super::limits::MAX_WIDTH;
use super::nonlinear;
use super::operators::Arguments;
use super::scope::Typed;
use super::sexpr::{Error, Expr, Kind};
use crate::model::Operation;
use crate::num::Int;
use crate::term::{TermId, TermPool};

/// The vector that the lowest bits of an integer are.
pub(super) fn wrapped(pool: &mut TermPool, term: TermId, width: u32) -> TermId {
    pool.mod_floor(term, &Int::pow2(width))
}

/// The text of the vector that the lowest bits of a number are.
pub(super) fn text(width: u32, number: &Int) -> String {
    let number = number.mod_floor(&Int::pow2(width)).to_bigint();
    match width % 4 {
        0 => format!("#x{:0>1$}", number.to_str_radix(16), width as usize / 4),
        _ => format!("#b{:0>1$}", number.to_str_radix(2), width as usize),
    }
}

/// The name and the numerals of `(_ name 3 4)`; `None` for other expressions.
pub(super) fn indexed<'e>(expr: &Expr<'e>, node: usize) -> Option<(&'e str, Vec<u32>)> {
    if expr.kind(node) != Kind::List {
        return None;
    }
    let parts = expr.list(node);
    let [underscore, name, indices @ ..] = &parts[..] else {
        return None;
    };
    if expr.symbol(*underscore) != Some("_") || indices.is_empty() {
        return None;
    }
    let indices = indices.iter().map(|&index| expr.source(index).parse().ok());
    Some((expr.symbol(*name)?, indices.collect::<Option<Vec<u32>>>()?))
}

/// A width that vectors may have.
fn allowed(width: u32) -> Option<u32> {
    (1..=MAX_WIDTH).contains(&width).then_some(width)
}

/// The width of the sort `(_ BitVec n)`; `None` for other sorts.
pub(super) fn width_of_sort(expr: &Expr<'_>, node: usize) -> Option<u32> {
    match indexed(expr, node)? {
        ("BitVec", indices) if indices.len() == 1 => allowed(indices[0]),
        _ => None,
    }
}

/// A vector that is written as its digits, `#b01` or `#xF0`, or as `(_ bv5 8)`; `None` for other terms.
pub(super) fn literal(pool: &mut TermPool, expr: &Expr<'_>, node: usize) -> Option<Typed> {
    let (value, width) = match expr.kind(node) {
        Kind::Bits => {
            let source = expr.source(node);
            let (digits, base, bits) = match (source.strip_prefix("#b"), source.strip_prefix("#x")) {
                (Some(digits), _) => (digits, 2, 1),
                (_, Some(digits)) => (digits, 16, 4),
                _ => return None,
            };
            let mut value = Int::ZERO;
            for digit in digits.chars() {
                value = Int::from(base) * value + Int::from(digit.to_digit(base)?);
            }
            (value, u32::try_from(digits.len()).ok()?.checked_mul(bits)?)
        }
        _ => {
            let (name, indices) = indexed(expr, node)?;
            let value: Int = name.strip_prefix("bv")?.parse().ok()?;
            let [width] = indices[..] else { return None };
            (value, width)
        }
    };
    let width = allowed(width)?;
    let value = pool.int(value);
    let term = wrapped(pool, value, width);
    let ty = Ty::Bits(width);
    Some(Typed { term, ty })
}

/// Vectors of a width.
struct Vectors<'p> {
    pool: &'p mut TermPool,
    width: u32,
}

impl Vectors<'_> {
    fn wrap(&mut self, term: TermId) -> TermId {
        wrapped(self.pool, term, self.width)
    }

    /// The vector of ones.
    fn ones(&mut self) -> TermId {
        self.pool.int(Int::pow2(self.width) - Int::ONE)
    }

    /// Whether the highest bit is set.
    fn is_negative(&mut self, x: TermId) -> TermId {
        let half = self.pool.int(Int::pow2(self.width - 1));
        self.pool.ge(x, half)
    }

    /// The number in two's complement.
    fn signed(&mut self, x: TermId) -> TermId {
        let negative = self.is_negative(x);
        let size = self.pool.int(Int::pow2(self.width));
        let below = self.pool.sub(x, size);
        self.pool.ite(negative, below, x)
    }

    /// The absolute value of the number in two's complement.
    fn magnitude(&mut self, x: TermId) -> TermId {
        let negative = self.is_negative(x);
        let negated = self.negated(x);
        self.pool.ite(negative, negated, x)
    }

    fn negated(&mut self, x: TermId) -> TermId {
        let negated = self.pool.neg(x);
        self.wrap(negated)
    }

    fn inverted(&mut self, x: TermId) -> TermId {
        let ones = self.ones();
        self.pool.sub(ones, x)
    }

    /// `x` or its negation.
    fn negated_if(&mut self, condition: TermId, x: TermId) -> TermId {
        let negated = self.negated(x);
        self.pool.ite(condition, negated, x)
    }

    /// Whether the bits are set, from the lowest.
    fn bits(&mut self, x: TermId) -> Vec<TermId> {
        let (two, one) = (Int::from(2), self.pool.int(1));
        let mut rest = x;
        let mut bits = Vec::new();
        for _ in 0..self.width {
            let next = self.pool.div_floor(rest, &two);
            let even = self.pool.scale(&two, next);
            let bit = self.pool.sub(rest, even);
            bits.push(self.pool.eq(bit, one));
            rest = next;
        }
        bits
    }

    /// The bits from `low` to before `high`, as a number.
    fn part(&mut self, x: TermId, low: u32, high: u32) -> TermId {
        let shifted = self.pool.div_floor(x, &Int::pow2(low));
        match high == self.width {
            true => shifted,
            false => wrapped(self.pool, shifted, high - low),
        }
    }

    /// The runs of ones in a constant: from each to before each.
    fn runs(&self, mask: &Int) -> Vec<(u32, u32)> {
        let two = Int::from(2);
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for at in 0..self.width {
            if mask.div_floor(&Int::pow2(at)).mod_floor(&two).is_zero() {
                continue;
            }
            match runs.last_mut() {
                Some((_, end)) if *end == at => *end += 1,
                _ => runs.push((at, at + 1)),
            }
        }
        runs
    }

    fn and(&mut self, x: TermId, y: TermId) -> TermId {
        for (mask, other) in [(x, y), (y, x)] {
            if let Some(mask) = self.pool.as_const(mask).cloned() {
                let parts = self.runs(&mask).into_iter().map(|(low, high)| {
                    let part = self.part(other, low, high);
                    (Int::pow2(low), part)
                });
                let parts: Vec<(Int, TermId)> = parts.collect();
                return self.pool.linear(&parts, Int::ZERO);
            }
        }
        let (xs, ys) = (self.bits(x), self.bits(y));
        let (zero, one) = (self.pool.int(0), self.pool.int(1));
        let mut parts = Vec::new();
        for (at, (a, b)) in (0..self.width).zip(xs.into_iter().zip(ys)) {
            let both = self.pool.and2(a, b);
            parts.push((Int::pow2(at), self.pool.ite(both, one, zero)));
        }
        self.pool.linear(&parts, Int::ZERO)
    }

    /// `x + y - factor (x & y)`: the disjunction for 1, the exclusive one for 2.
    fn without_common(&mut self, x: TermId, y: TermId, factor: i64) -> TermId {
        let common = self.and(x, y);
        let monomials = [(Int::ONE, x), (Int::ONE, y), (Int::from(-factor), common)];
        self.pool.linear(&monomials, Int::ZERO)
    }

    /// The product as a number, which may be wider.
    fn product(&mut self, x: TermId, y: TermId) -> TermId {
        for (factor, other) in [(x, y), (y, x)] {
            if let Some(factor) = self.pool.as_const(factor).cloned() {
                return self.pool.scale(&factor, other);
            }
        }
        let zero = self.pool.int(0);
        let mut parts = Vec::new();
        for (at, bit) in (0..self.width).zip(self.bits(x)) {
            parts.push((Int::pow2(at), self.pool.ite(bit, y, zero)));
        }
        self.pool.linear(&parts, Int::ZERO)
    }

    fn quotient(&mut self, x: TermId, y: TermId) -> TermId {
        let zero = self.pool.int(0);
        let (by_zero, ones) = (self.pool.eq(y, zero), self.ones());
        match self.pool.as_const(y).is_some_and(Int::is_zero) {
            true => ones,
            false => {
                let quotient = nonlinear::division(self.pool, Operation::Div, x, y);
                self.pool.ite(by_zero, ones, quotient)
            }
        }
    }

    fn remainder(&mut self, x: TermId, y: TermId) -> TermId {
        let zero = self.pool.int(0);
        let by_zero = self.pool.eq(y, zero);
        match self.pool.as_const(y).is_some_and(Int::is_zero) {
            true => x,
            false => {
                let remainder = nonlinear::division(self.pool, Operation::Mod, x, y);
                self.pool.ite(by_zero, x, remainder)
            }
        }
    }

    /// The quotient of numbers in two's complement, towards zero.
    fn signed_quotient(&mut self, x: TermId, y: TermId) -> TermId {
        let (left, right) = (self.is_negative(x), self.is_negative(y));
        let (a, b) = (self.magnitude(x), self.magnitude(y));
        let quotient = self.quotient(a, b);
        let differ = self.pool.ne(left, right);
        self.negated_if(differ, quotient)
    }

    /// The remainder with the sign of the dividend.
    fn signed_remainder(&mut self, x: TermId, y: TermId) -> TermId {
        let negative = self.is_negative(x);
        let (a, b) = (self.magnitude(x), self.magnitude(y));
        let remainder = self.remainder(a, b);
        self.negated_if(negative, remainder)
    }

    /// The remainder with the sign of the divisor.
    fn signed_modulus(&mut self, x: TermId, y: TermId) -> TermId {
        let remainder = self.signed_remainder(x, y);
        let (left, right) = (self.is_negative(x), self.is_negative(y));
        let zero = self.pool.int(0);
        let (differ, is_rest) = (self.pool.ne(left, right), self.pool.ne(remainder, zero));
        let sum = self.pool.add(remainder, y);
        let other = self.wrap(sum);
        let moves = self.pool.and2(differ, is_rest);
        self.pool.ite(moves, other, remainder)
    }

    /// A shift by an unknown number of bits: the case of each number, and of all greater ones.
    fn shifted(&mut self, x: TermId, by: TermId, shift: fn(&mut Self, TermId, u32) -> TermId) -> TermId {
        let most = self.width;
        if let Some(count) = self.pool.as_const(by) {
            let count = count.to_i64().and_then(|count| u32::try_from(count).ok());
            return shift(self, x, count.unwrap_or(most).min(most));
        }
        let mut result = shift(self, x, most);
        for count in (0..most).rev() {
            let number = self.pool.int(i64::from(count));
            let (is_it, value) = (self.pool.eq(by, number), shift(self, x, count));
            result = self.pool.ite(is_it, value, result);
        }
        result
    }

    fn shift_left(&mut self, x: TermId, count: u32) -> TermId {
        let scaled = self.pool.scale(&Int::pow2(count), x);
        self.wrap(scaled)
    }

    fn shift_right(&mut self, x: TermId, count: u32) -> TermId {
        self.pool.div_floor(x, &Int::pow2(count))
    }

    fn shift_right_signed(&mut self, x: TermId, count: u32) -> TermId {
        let signed = self.signed(x);
        let shifted = self.pool.div_floor(signed, &Int::pow2(count));
        self.wrap(shifted)
    }

    /// The highest `count` bits become the lowest ones.
    fn rotated(&mut self, x: TermId, count: u32) -> TermId {
        let low = self.width - count % self.width;
        if low == self.width {
            return x;
        }
        let (upper, lower) = (self.part(x, low, self.width), self.part(x, 0, low));
        let scale = Int::pow2(self.width - low);
        self.pool.linear(&[(Int::ONE, upper), (scale, lower)], Int::ZERO)
    }

    /// Whether a number in two's complement, of any size, has no vector of the width.
    fn leaves_range(&mut self, number: TermId) -> TermId {
        let half = Int::pow2(self.width - 1);
        let (low, high) = (self.pool.int(-half.clone()), self.pool.int(half));
        let (below, above) = (self.pool.lt(number, low), self.pool.ge(number, high));
        self.pool.or2(below, above)
    }

    fn binary(&mut self, name: &str, x: TermId, y: TermId) -> Option<TermId> {
        Some(match name {
            "bvand" => self.and(x, y),
            "bvor" => self.without_common(x, y, 1),
            "bvxor" => self.without_common(x, y, 2),
            "bvnand" | "bvnor" | "bvxnor" => {
                let plain = self.binary(&name.replacen('n', "", 1), x, y)?;
                self.inverted(plain)
            }
            "bvadd" => {
                let sum = self.pool.add(x, y);
                self.wrap(sum)
            }
            "bvsub" => {
                let difference = self.pool.sub(x, y);
                self.wrap(difference)
            }
            "bvmul" => {
                let product = self.product(x, y);
                self.wrap(product)
            }
            "bvudiv" => self.quotient(x, y),
            "bvurem" => self.remainder(x, y),
            "bvsdiv" => self.signed_quotient(x, y),
            "bvsrem" => self.signed_remainder(x, y),
            "bvsmod" => self.signed_modulus(x, y),
            "bvshl" => self.shifted(x, y, Self::shift_left),
            "bvlshr" => self.shifted(x, y, Self::shift_right),
            "bvashr" => self.shifted(x, y, Self::shift_right_signed),
            _ => return None,
        })
    }

    /// The truth of a relation between two vectors.
    fn relation(&mut self, name: &str, x: TermId, y: TermId) -> Option<TermId> {
        let [a, b] = match name.starts_with("bvs") {
            true => [self.signed(x), self.signed(y)],
            false => [x, y],
        };
        let size = self.pool.int(Int::pow2(self.width));
        Some(match name {
            "bvult" | "bvslt" => self.pool.lt(a, b),
            "bvule" | "bvsle" => self.pool.le(a, b),
            "bvugt" | "bvsgt" => self.pool.gt(a, b),
            "bvuge" | "bvsge" => self.pool.ge(a, b),
            "bvuaddo" => {
                let sum = self.pool.add(a, b);
                self.pool.ge(sum, size)
            }
            "bvusubo" => self.pool.lt(a, b),
            "bvumulo" => {
                let product = self.product(a, b);
                self.pool.ge(product, size)
            }
            "bvsaddo" => {
                let sum = self.pool.add(a, b);
                self.leaves_range(sum)
            }
            "bvssubo" => {
                let difference = self.pool.sub(a, b);
                self.leaves_range(difference)
            }
            "bvsmulo" => {
                let product = self.product(x, b);
                // The bits of `x` are those of `a` but for the highest, which counts negatively.
                let (negative, zero) = (self.is_negative(x), self.pool.int(0));
                let excess = self.pool.scale(&Int::pow2(self.width), b);
                let excess = self.pool.ite(negative, excess, zero);
                let product = self.pool.sub(product, excess);
                self.leaves_range(product)
            }
            "bvsdivo" => {
                let (least, all) = (self.pool.int(Int::pow2(self.width - 1)), self.ones());
                let (is_least, is_all) = (self.pool.eq(x, least), self.pool.eq(y, all));
                self.pool.and2(is_least, is_all)
            }
            _ => return None,
        })
    }
}

impl Arguments<'_> {
    /// Vectors of one width, at least `least` many, with their width.
    fn vectors(&self, least: usize) -> Result<(Vec<TermId>, u32), Error> {
        match self.values.first().map(|value| value.ty) {
            Some(Ty::Bits(width)) => Ok((self.all(Ty::Bits(width), least)?, width)),
            Some(other) => {
                let found = self.scope.sort_text(other);
                let message = format!("this term has sort {found}, but a bit-vector is needed");
                Err(self.expr.error(self.nodes[0], message))
            }
            None => Err(self.expr.error(self.node, "expected bit-vectors")),
        }
    }

    fn single(&self) -> Result<(TermId, u32), Error> {
        match self.vectors(1)? {
            (terms, width) if terms.len() == 1 => Ok((terms[0], width)),
            _ => Err(self.expr.error(self.node, "expected one argument")),
        }
    }

    fn pair(&self) -> Result<([TermId; 2], u32), Error> {
        match self.vectors(2)? {
            (terms, width) if terms.len() == 2 => Ok(([terms[0], terms[1]], width)),
            _ => Err(self.expr.error(self.node, "expected two arguments")),
        }
    }

    /// An operator of the theory; `None` for other names.
    pub fn vector_operator(&self, pool: &mut TermPool, name: &str) -> Option<Result<Typed, Error>> {
        let vector = |term, width| {
            Ok(Typed {
                term,
                ty: Ty::Bits(width),
            })
        };
        let number = |term| Ok(Typed { term, ty: Ty::Int });
        let known = name.starts_with("bv") || matches!(name, "concat" | "ubv_to_int" | "sbv_to_int");
        if !known {
            return None;
        }
        Some(match name {
            "concat" => self.concatenation(pool),
            "bv2nat" | "ubv_to_int" => self.single().and_then(|(x, _)| number(x)),
            "sbv_to_int" => self
                .single()
                .and_then(|(x, width)| number(Vectors { pool, width }.signed(x))),
            "bvnot" => self
                .single()
                .and_then(|(x, width)| vector(Vectors { pool, width }.inverted(x), width)),
            "bvneg" => self
                .single()
                .and_then(|(x, width)| vector(Vectors { pool, width }.negated(x), width)),
            "bvnego" => self.single().map(|(x, width)| {
                let least = pool.int(Int::pow2(width - 1));
                let term = pool.eq(x, least);
                Typed { term, ty: Ty::Bool }
            }),
            "bvcomp" => self.pair().and_then(|([x, y], _)| {
                let (same, zero, one) = (pool.eq(x, y), pool.int(0), pool.int(1));
                vector(pool.ite(same, one, zero), 1)
            }),
            // These may have more than two arguments.
            "bvand" | "bvor" | "bvxor" | "bvadd" | "bvmul" => self.vectors(2).and_then(|(terms, width)| {
                let mut vectors = Vectors { pool, width };
                let fold = |left, right: &TermId| vectors.binary(name, left, *right).expect("it is one of them");
                vector(terms[1..].iter().fold(terms[0], fold), width)
            }),
            _ => {
                let ([x, y], width) = match self.pair() {
                    Ok(pair) => pair,
                    Err(error) => return Some(Err(error)),
                };
                let mut vectors = Vectors { pool, width };
                if let Some(term) = vectors.binary(name, x, y) {
                    return Some(vector(term, width));
                }
                let term = vectors.relation(name, x, y)?;
                Ok(Typed { term, ty: Ty::Bool })
            }
        })
    }

    fn concatenation(&self, pool: &mut TermPool) -> Result<Typed, Error> {
        let (mut term, mut width) = (pool.int(0), 0);
        for (value, &node) in self.values.iter().zip(self.nodes) {
            let Ty::Bits(own) = value.ty else {
                let found = self.scope.sort_text(value.ty);
                let message = format!("this term has sort {found}, but a bit-vector is needed");
                return Err(self.expr.error(node, message));
            };
            term = pool.linear(&[(Int::pow2(own), term), (Int::ONE, value.term)], Int::ZERO);
            width += own;
        }
        self.typed(term, width)
    }

    /// A vector whose width has to be looked at.
    fn typed(&self, term: TermId, width: u32) -> Result<Typed, Error> {
        match allowed(width) {
            Some(width) => Ok(Typed {
                term,
                ty: Ty::Bits(width),
            }),
            None => {
                let message = format!("bit-vectors have 1 to {MAX_WIDTH} bits, not {width}");
                Err(self.expr.error(self.node, message))
            }
        }
    }

    /// An operator with indices, as `(_ extract 7 4)`; `None` for other ones.
    pub fn vector_operator_at(&self, pool: &mut TermPool, name: &str, at: &[u32]) -> Option<Result<Typed, Error>> {
        Some(match (name, at) {
            ("extract", &[high, low]) => self.single().and_then(|(x, width)| {
                if low > high || high >= width {
                    let message = format!("there are no bits {high} to {low} in a vector of {width}");
                    return Err(self.expr.error(self.node, message));
                }
                self.typed(Vectors { pool, width }.part(x, low, high + 1), high + 1 - low)
            }),
            ("zero_extend", &[more]) => self
                .single()
                .and_then(|(x, width)| self.typed(x, width.saturating_add(more))),
            ("sign_extend", &[more]) => self.single().and_then(|(x, width)| {
                let signed = Vectors { pool, width }.signed(x);
                let width = width.saturating_add(more).min(MAX_WIDTH + 1);
                self.typed(wrapped(pool, signed, width), width)
            }),
            ("rotate_left", &[count]) => self
                .single()
                .and_then(|(x, width)| self.typed(Vectors { pool, width }.rotated(x, count % width), width)),
            ("rotate_right", &[count]) => self
                .single()
                .and_then(|(x, width)| self.typed(Vectors { pool, width }.rotated(x, width - count % width), width)),
            ("repeat", &[count]) => self.single().and_then(|(x, width)| {
                let total = width.saturating_mul(count).min(MAX_WIDTH + 1);
                let mut factor = Int::ZERO;
                for copy in 0..total / width {
                    factor += Int::pow2(copy * width);
                }
                self.typed(pool.scale(&factor, x), total)
            }),
            ("int2bv" | "int_to_bv", &[width]) => self.check_sorts([Ty::Int]).and_then(|()| {
                let width = width.min(MAX_WIDTH + 1);
                self.typed(wrapped(pool, self.values[0].term, width), width)
            }),
            _ => return None,
        })
    }
}
