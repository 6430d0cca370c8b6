//! Patterns: sequences of values for inputs, for executions that are only samples.

use super::value::arith::{mask, pattern};
use crate::frontend::types::IntInfo;
use provident_smt::hash::split_mix;

/// The values of inputs in an execution. A generator of pseudo-random numbers keeps its state in it.
#[derive(Clone, Copy, Debug)]
pub enum Pattern {
    /// Always this number.
    Constant(i128),
    /// Pseudo-random numbers, mostly small.
    Small(u64),
    /// Pseudo-random numbers, each value of a type as likely as any other: they are rarely equal.
    Uniform(u64),
    /// Numbers in order, from this one on by this much: elements of arrays are sorted, and all different.
    Ordered(i128, i8),
}

/// The patterns that are tried, in order.
pub const PATTERNS: [Pattern; 9] = [
    Pattern::Constant(0),
    Pattern::Constant(1),
    Pattern::Small(1),
    Pattern::Uniform(1),
    Pattern::Small(2),
    Pattern::Small(3),
    Pattern::Uniform(2),
    Pattern::Ordered(1, 1),
    Pattern::Ordered(1 << 20, -1),
];

impl Pattern {
    /// The next value for an integer type of at most 64 bits, as a bit pattern.
    pub fn next(&mut self, info: IntInfo) -> u64 {
        match self {
            Pattern::Constant(number) => pattern(*number, info),
            Pattern::Small(seed) => {
                let z = split_mix(seed);
                let small = i128::from(z >> 8) % 7;
                match z % 16 {
                    0 => mask(info.width) >> u32::from(info.signed),
                    1 if info.signed => 1 << (info.width - 1),
                    2 => pattern(i128::from(z >> 8) % 1000, info),
                    3 => pattern(-small, info),
                    4..=7 => z >> 63 & mask(info.width),
                    _ => pattern(small, info),
                }
            }
            Pattern::Uniform(seed) => split_mix(seed) & mask(info.width),
            Pattern::Ordered(next, step) => {
                let number = *next;
                *next += i128::from(*step);
                pattern(number, info)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordered_numbers_rise_or_fall_and_wrap_around() {
        let byte = IntInfo {
            width: 8,
            signed: false,
        };
        let values = |mut pattern: Pattern| -> Vec<u64> { (0..4).map(|_| pattern.next(byte)).collect() };
        assert_eq!(values(Pattern::Ordered(254, 1)), [254, 255, 0, 1]);
        assert_eq!(values(Pattern::Ordered(1, -1)), [1, 0, 255, 254]);
    }
}
