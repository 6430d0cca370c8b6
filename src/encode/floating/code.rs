//! The numbers that stand for floating-point values in formulas: *codes*.
//!
//! The code of a value is its bit pattern, in which the exponent stands above the fraction, so that codes grow with the distance from zero. Only x87's format has one bit more than it
//! needs: the leading bit of the significand is explicit, and it is set if and only if the exponent is not zero. Patterns that break this rule stand for no number (the processor takes
//! them for invalid, but for those with exponent zero). Code and order would have gaps with them, so the code leaves that bit out.
//!
//! A pattern that breaks the rule gets into a program only as bytes or as another member of a union. Formulas give such an object any value of its type.

use super::context::{Context, Value};
use super::number;
use super::ranges::Range;
use crate::cfa::program::scalar::Scalar;
use crate::frontend::types::float::Format;
use provident_smt::num::Int;
use provident_smt::term::TermId;

/// Bits of a fraction of x87's format, those below the leading one.
const FRACTION: u32 = 63;
/// The bits of a pattern of that format.
const PATTERN: u32 = 80;

/// The number of bits of a code.
fn width(format: Format) -> u32 {
    match format {
        Format::Extended => PATTERN - 1,
        _ => format.width(),
    }
}

/// The bit of the sign.
pub(super) fn sign(format: Format) -> u128 {
    1 << (width(format) - 1)
}

/// All bits but the sign.
pub(super) fn magnitude(format: Format) -> u128 {
    sign(format) - 1
}

/// The code of a pattern; `None` if the pattern breaks the rule of the leading bit.
pub(crate) fn encode(format: Format, bits: u128) -> Option<u128> {
    if format != Format::Extended {
        return Some(bits);
    }
    let (top, leading) = (bits >> (FRACTION + 1), bits >> FRACTION & 1 == 1);
    let has_exponent = top & 0x7fff != 0;
    (leading == has_exponent).then_some(top << FRACTION | bits & ((1 << FRACTION) - 1))
}

/// The code of a pattern that this program has made, or of a result of the exact arithmetic: these keep the rule.
pub(super) fn of(format: Format, bits: u128) -> u128 {
    encode(format, bits).expect("the arithmetic makes no pattern that stands for nothing")
}

/// The pattern of a code.
pub(super) fn decode(format: Format, code: u128) -> u128 {
    if format != Format::Extended {
        return code;
    }
    let (top, fraction) = (code >> FRACTION, code & ((1 << FRACTION) - 1));
    let leading = u128::from(top & 0x7fff != 0);
    top << (FRACTION + 1) | leading << FRACTION | fraction
}

/// The pattern of a code that a formula has; `None` if it is none of the format.
pub(super) fn pattern(format: Format, code: &Int) -> Option<u128> {
    let code = u128::try_from(code.to_bigint()).ok()?;
    (width(format) == 128 || code >> width(format) == 0).then(|| decode(format, code))
}

impl Context<'_, '_> {
    /// The bit pattern of a value as an unsigned integer.
    pub fn bits_of_value(&mut self, value: &Value, scalar: Scalar) -> Value {
        if scalar.format() != Some(Format::Extended) {
            return value.clone();
        }
        if let Some(bits) = value.range.as_point().and_then(|code| pattern(Format::Extended, code)) {
            return self.constant(number(bits));
        }
        let [significand, top] = self.parts_of_extended(value);
        let parts = [(Int::pow2(FRACTION + 1), top.term), (Int::ONE, significand.term)];
        let term = self.pool.linear(&parts, Int::ZERO);
        Value::new(term, Range::new(0i64, Int::pow2(PATTERN) - Int::ONE))
    }

    /// The significand with its leading bit, and sign with exponent, of a value of x87's format.
    pub fn parts_of_extended(&mut self, value: &Value) -> [Value; 2] {
        let fraction = Int::pow2(FRACTION);
        if let Some(bits) = value.range.as_point().and_then(|code| pattern(Format::Extended, code)) {
            return [bits & ((1 << (FRACTION + 1)) - 1), bits >> (FRACTION + 1)]
                .map(|part| self.constant(number(part)));
        }
        let top = self.pool.div_floor(value.term, &fraction);
        let low = self.pool.mod_floor(value.term, &fraction);
        // The exponent is zero if and only if the code without its sign is below the first number with full precision.
        let mut p = self.patterns(Format::Extended);
        let magnitude = p.magnitude(value.term);
        let (zero, leading) = (self.pool.int(0i64), self.pool.int(fraction));
        let has_exponent = self.pool.le(leading, magnitude);
        let leading = self.pool.ite(has_exponent, leading, zero);
        let significand = self.pool.add(leading, low);
        [(significand, FRACTION + 1), (top, PATTERN - FRACTION - 1)]
            .map(|(term, bits)| Value::new(term, Range::new(0i64, Int::pow2(bits) - Int::ONE)))
    }

    /// The value of a bit pattern, an unsigned integer of the width of the format's patterns. If the pattern breaks the rule of the leading bit, any value.
    pub fn value_of_bits(&mut self, pattern: Value, scalar: Scalar) -> Value {
        if scalar.format() != Some(Format::Extended) {
            return pattern;
        }
        let known = pattern
            .range
            .as_point()
            .and_then(|bits| u128::try_from(bits.to_bigint()).ok());
        if let Some(code) = known.and_then(|bits| encode(Format::Extended, bits)) {
            return self.constant(number(code));
        }
        let whole = Int::pow2(FRACTION + 1);
        let (top, low) = (
            self.pool.div_floor(pattern.term, &whole),
            self.pool.mod_floor(pattern.term, &whole),
        );
        self.extended_of_parts(&Value::new(low, Range::ALL), &Value::new(top, Range::ALL), scalar)
    }

    /// The value of x87's format of its parts, as [`parts_of_extended`](Self::parts_of_extended) gives them; any value if they break the rule of the leading bit.
    pub fn extended_of_parts(&mut self, significand: &Value, top: &Value, scalar: Scalar) -> Value {
        let fraction = Int::pow2(FRACTION);
        let edge = self.pool.int(fraction.clone());
        let leading = self.pool.le(edge, significand.term);
        let rest = self.pool.linear(&[(Int::ONE, significand.term)], -&fraction);
        let rest = self.pool.ite(leading, rest, significand.term);
        let code = self.pool.linear(&[(fraction, top.term), (Int::ONE, rest)], Int::ZERO);
        let exponent = self.pool.mod_floor(top.term, &Int::pow2(15));
        let one = self.pool.int(1i64);
        let has_exponent = self.pool.le(one, exponent);
        let keeps = self.pool.iff(leading, has_exponent);
        let any = self.any_scalar(scalar);
        Value::new(self.pool.ite(keeps, code, any.term), any.range)
    }

    /// The bytes of a value as one integer: of x87's format, with padding that holds anything.
    pub fn padded_pattern(&mut self, value: &Value, scalar: Scalar) -> Value {
        if scalar.format() != Some(Format::Extended) {
            return value.clone();
        }
        let pattern = self.bits_of_value(value, scalar);
        let bits = u32::try_from(scalar.size * 8 - 80).expect("a scalar is small");
        let padding = self.any(Range::new(0i64, Int::pow2(bits) - Int::ONE));
        let above = Value::new(
            self.pool.scale(&Int::pow2(80), padding.term),
            padding.range.scale(&Int::pow2(80)),
        );
        self.plus(&pattern, &above)
    }

    /// An input as the execution asks for it: a floating-point value by its pattern.
    pub fn input_term(&mut self, term: TermId, scalar: Scalar) -> TermId {
        let range = self.range_of(scalar);
        self.bits_of_value(&Value::new(term, range), scalar).term
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::types::float;

    #[test]
    fn codes_are_dense_and_keep_the_order() {
        for format in Format::ALL {
            let edges = [
                0,
                1,
                format.smallest_normal(),
                format.one(),
                format.largest(),
                format.infinity(),
            ];
            for bits in edges {
                let code = of(format, bits);
                assert_eq!(decode(format, code), bits, "{format:?} {bits:x}");
                if bits != format.infinity() {
                    assert_eq!(
                        of(format, float::next(format, bits, true)),
                        code + 1,
                        "{format:?} {bits:x}"
                    );
                }
                let negative = of(format, bits | format.sign());
                assert_eq!(negative, code | sign(format), "{format:?} {bits:x}");
            }
            assert!(float::is_nan(format, decode(format, of(format, format.infinity()) + 1)));
            assert!(float::is_nan(format, decode(format, magnitude(format))));
        }
    }

    #[test]
    fn patterns_of_the_x87_that_stand_for_nothing_have_no_code() {
        let leading = 1u128 << FRACTION;
        for bits in [
            leading,
            format_bits(1, 0),
            format_bits(0x7fff, 0),
            format_bits(0x4000, 12345),
        ] {
            assert_eq!(encode(Format::Extended, bits), None, "{bits:x}");
        }
    }

    fn format_bits(exponent: u128, significand: u128) -> u128 {
        exponent << 64 | significand
    }
}
