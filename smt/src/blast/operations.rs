//! Operations of the machine, as formulas over the bits of their operands.

use super::circuits::at_bit;
use super::{Bits, Blaster, Meaning, Operation};
use crate::num::Int;

impl Blaster<'_> {
    /// The number of a type that the lowest bits are.
    pub(super) fn of_type(&self, mut bits: Bits, meaning: Meaning) -> Bits {
        if !meaning.signed {
            bits.push(self.pool.mk_false());
        }
        bits
    }

    pub(super) fn operation(&mut self, meaning: Meaning, a: &Bits, b: &Bits) -> Bits {
        let width = meaning.width;
        let low = |bits: &Bits| -> Bits { (0..width).map(|at| at_bit(bits, at)).collect() };
        let bits = match meaning.operation {
            Operation::And | Operation::Or | Operation::Xor => {
                let pairs = low(a).into_iter().zip(low(b));
                let bits = pairs.map(|(x, y)| match meaning.operation {
                    Operation::And => self.pool.and2(x, y),
                    Operation::Or => self.pool.or2(x, y),
                    _ => self.xor(x, y),
                });
                bits.collect()
            }
            Operation::Mul => self.product(&low(a), &low(b), width),
            Operation::Shl | Operation::Shr => return self.shift(meaning, a, b),
            Operation::Div | Operation::Rem => return self.division(meaning, a, b),
        };
        self.of_type(bits, meaning)
    }

    /// The lowest bits of a product.
    pub(super) fn product(&mut self, a: &Bits, b: &Bits, width: usize) -> Bits {
        let none = self.pool.mk_false();
        let mut product = vec![none; width];
        for at in 0..width {
            let digit = at_bit(b, at);
            let row: Bits = (at..width).map(|i| self.pool.and2(digit, at_bit(a, i - at))).collect();
            let upper: Bits = product[at..].to_vec();
            let sum = self.added(&upper, &row, none, width - at);
            product.splice(at.., sum);
        }
        product
    }

    /// A shift by any number of bits; any number if there are no such bits.
    pub(super) fn shift(&mut self, meaning: Meaning, a: &Bits, by: &Bits) -> Bits {
        let width = meaning.width;
        let none = self.pool.mk_false();
        let mut bits: Bits = (0..width).map(|at| at_bit(a, at)).collect();
        let fill = if meaning.signed { bits[width - 1] } else { none };
        let stages = (usize::BITS - (width - 1).leading_zeros()) as usize;
        for stage in 0..stages {
            let (distance, choice) = (1usize << stage, at_bit(by, stage));
            let moved = |at: usize| match meaning.operation {
                Operation::Shl => at.checked_sub(distance).map_or(none, |from| bits[from]),
                _ => bits.get(at + distance).copied().unwrap_or(fill),
            };
            let moved: Bits = (0..width).map(moved).collect();
            bits = (0..width)
                .map(|at| self.pool.ite(choice, moved[at], bits[at]))
                .collect();
        }
        let (zero, most) = (
            self.constant(&Int::ZERO),
            self.constant(&Int::from(i64::try_from(width - 1).expect("few bits"))),
        );
        let (from, to) = (self.at_most(&zero, by), self.at_most(by, &most));
        let is_defined = self.pool.and2(from, to);
        let open = self.bits(width);
        bits = (0..width)
            .map(|at| self.pool.ite(is_defined, bits[at], open[at]))
            .collect();
        self.of_type(bits, meaning)
    }

    /// A quotient or remainder; any number if the divisor is 0, or if an operand or the quotient does not fit.
    pub(super) fn division(&mut self, meaning: Meaning, a: &Bits, b: &Bits) -> Bits {
        let width = meaning.width;
        // A sum may have more bits than its value needs, as `y % 8 + 1` has. The sizes of numbers of the type have its bits, and so have quotient and rest.
        let [(a, fits_a), (b, fits_b)] = [a, b].map(|bits| {
            let low = self.of_type((0..width).map(|at| at_bit(bits, at)).collect(), meaning);
            let fits = self.equal(&low, bits);
            (low, fits)
        });
        let (negative_a, negative_b) = (at_bit(&a, width), at_bit(&b, width));
        let (dividend, divisor) = (self.size(&a), self.size(&b));
        let none = self.pool.mk_false();
        let [quotient, rest] = [(); 2].map(|()| {
            let mut bits = self.bits(width);
            bits.push(none);
            bits
        });
        let mut product = self.product(&quotient, &divisor, 2 * width);
        product.push(none);
        let whole = self.sum(&product, &rest);
        let (same, too_large) = (self.equal(&whole, &dividend), self.at_most(&divisor, &rest));
        let is_rest = self.pool.not(too_large);
        let exact = self.pool.and2(same, is_rest);
        let zero = self.constant(&Int::ZERO);
        let by_zero = self.equal(&divisor, &zero);
        let fact = self.pool.or2(by_zero, exact);
        self.require(fact);
        let (size, is_negative) = match meaning.operation {
            Operation::Div => (quotient, self.xor(negative_a, negative_b)),
            _ => (rest, negative_a),
        };
        let negated = self.negated(&size);
        let result = self.choice(is_negative, &negated, &size);
        let low = self.of_type((0..width).map(|at| at_bit(&result, at)).collect(), meaning);
        let (fits, defined) = (self.equal(&low, &result), self.pool.not(by_zero));
        let is_defined = self.pool.and(&[fits, defined, fits_a, fits_b]);
        let open = self.bits(width);
        let open = self.of_type(open, meaning);
        self.choice(is_defined, &low, &open)
    }
}
