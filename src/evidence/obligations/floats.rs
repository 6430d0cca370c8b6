//! Floating-point operations, for the checks of scripts: their values, monotonicity, and conversions between two powers of two.
//!
//! The function symbol of an operation is `__fp:NAME:RESULT:OPERANDS`, as in `__fp:add:f64:f64,f64`. A value is an unsigned integer, its bit pattern; that of x87's format lacks the leading bit of
//! the significand. This shares no code with the encoder: here `rustc_apfloat` computes each value, and the numbers that convert to an integer type are found by bisection.
//!
//! # Monotonicity
//!
//! Correct rounding is monotone. So the value at one point bounds the values at all points on one side of it: of `x + y` if both operands go up, of `x - y` if the second goes down. Products and
//! quotients go with the distances from zero of their operands. A result that is NaN is bounded by nothing.

use super::defect::TermError;
use super::terms::{Node, Terms};
use provident_smt::num::Int;
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use std::cmp::Ordering;

/// A type of operands and results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    /// Signed or not, and the width.
    Int(bool, u32),
    /// The number of bits of a pattern.
    Float(u32),
}

/// An operation: its name and types.
pub struct Operation<'n> {
    name: &'n str,
    result: Type,
    operands: Vec<Type>,
}

/// Runs an expression with `$F` as the type of floating-point numbers of a width.
macro_rules! with {
    ($width:expr, $F:ident => $body:expr) => {
        match $width {
            16 => {
                type $F = Half;
                $body
            }
            32 => {
                type $F = Single;
                $body
            }
            64 => {
                type $F = Double;
                $body
            }
            80 => {
                type $F = X87DoubleExtended;
                $body
            }
            _ => {
                type $F = Quad;
                $body
            }
        }
    };
}

impl Type {
    fn named(name: &str) -> Option<Type> {
        let (letter, width) = name.split_at_checked(1)?;
        let width: u32 = width.parse().ok()?;
        match letter {
            "f" => [16, 32, 64, 80, 128].contains(&width).then_some(Type::Float(width)),
            "i" | "u" => (1..=128).contains(&width).then_some(Type::Int(letter == "i", width)),
            _ => None,
        }
    }
}

/// The bit pattern of a number that scripts have for a floating-point value; `None` if it has too many bits.
fn pattern(width: u32, number: u128) -> Option<u128> {
    match width {
        80 if number >> 79 == 0 => {
            let (top, fraction) = (number >> 63, number & (u128::MAX >> 65));
            let leading = if top & 0x7fff == 0 { 0 } else { 1 << 63 };
            Some(top << 64 | leading | fraction)
        }
        80 => None,
        128 => Some(number),
        _ => (number >> width == 0).then_some(number),
    }
}

/// The number of a bit pattern.
fn number(width: u32, bits: u128) -> u128 {
    match width {
        80 => bits >> 64 << 63 | bits & (u128::MAX >> 65),
        _ => bits,
    }
}

/// The number of the sign bit.
fn sign(width: u32) -> u128 {
    match width {
        80 => 1 << 78,
        _ => 1 << (width - 1),
    }
}

fn is_nan(width: u32, bits: u128) -> bool {
    with!(width, F => F::from_bits(bits).is_nan())
}

/// The result of an operation that has no number: the first operand that is NaN, made quiet, or else the NaN with the sign bit.
fn nan_of(width: u32, operands: &[u128]) -> u128 {
    let quiet = with!(width, F => F::qnan(None).to_bits()) & !(1 << (width - 1));
    let first = operands.iter().find(|&&bits| is_nan(width, bits));
    first.map_or(quiet | 1 << (width - 1), |bits| bits | quiet)
}

fn mode(number: u128) -> Option<Round> {
    Some(match number {
        0 => Round::NearestTiesToEven,
        0x400 => Round::TowardNegative,
        0x800 => Round::TowardPositive,
        0xc00 => Round::TowardZero,
        _ => return None,
    })
}

/// The numbers between two powers of two, of which one is the operand of a conversion.
struct Binade {
    sign: bool,
    /// The least one without its sign: an integer, or the number of a code.
    first: u128,
    /// The bits of the fraction.
    fraction: u32,
    /// The exponent of the least one.
    exponent: u32,
    /// The number of the code of the least one.
    base: u128,
}

impl<'n> Operation<'n> {
    /// The operation of a function symbol; `None` if it is none on floating-point values.
    pub fn named(symbol: &'n str) -> Option<Operation<'n>> {
        let mut parts = symbol.strip_prefix("__fp:")?.split(':');
        let (name, result) = (parts.next()?, Type::named(parts.next()?)?);
        let operands: Option<Vec<Type>> = parts.next()?.split(',').map(Type::named).collect();
        let operands = operands?;
        parts.next().is_none().then_some(Operation { name, result, operands })
    }

    /// The value at numbers; `None` if it is not specified, or not known here.
    pub fn value(&self, arguments: &[String]) -> Option<String> {
        if arguments.len() != self.operands.len() {
            return None;
        }
        let bits = |(text, ty): (&String, &Type)| match *ty {
            Type::Int(_, width) => {
                let number = text
                    .parse::<i128>()
                    .map(i128::cast_unsigned)
                    .or_else(|_| text.parse::<u128>())
                    .ok()?;
                Some(number & (u128::MAX >> (128 - width)))
            }
            Type::Float(width) => pattern(width, text.parse().ok()?),
        };
        let bits: Option<Vec<u128>> = arguments.iter().zip(&self.operands).map(bits).collect();
        let value = self.bits(&bits?)?;
        Some(match self.result {
            Type::Float(width) => number(width, value).to_string(),
            Type::Int(true, width) => ((value << (128 - width)).cast_signed() >> (128 - width)).to_string(),
            Type::Int(false, _) => value.to_string(),
        })
    }

    fn bits(&self, x: &[u128]) -> Option<u128> {
        let nearest = Round::NearestTiesToEven;
        match (*self.operands.first()?, self.result, self.name) {
            (Type::Int(signed, width), Type::Float(to), "cast") => Some(with!(to, F => {
                let shift = 128 - width;
                match signed {
                    true => F::from_i128_r((x[0] << shift).cast_signed() >> shift, nearest).value.to_bits(),
                    false => F::from_u128_r(x[0], nearest).value.to_bits(),
                }
            })),
            (Type::Float(from), Type::Float(to), "cast") => Some(converted(from, to, x[0])),
            (Type::Float(from), Type::Int(signed, width), "cast") => {
                whole(from, x[0], signed, width, Round::TowardZero)
            }
            (Type::Float(width), Type::Int(signed, to), name) => {
                let round = rounding(name.strip_prefix("ll")?, "rint")?;
                whole(width, x[0], signed, to, round)
            }
            (Type::Float(width), Type::Float(to), name) if width == to => Some(self.float(width, name, x)?),
            _ => None,
        }
    }

    /// The pattern of an operation whose operands and result have one format, but for a rounding mode.
    fn float(&self, width: u32, name: &str, x: &[u128]) -> Option<u128> {
        let own = self.operands.iter().filter(|ty| **ty == Type::Float(width)).count();
        let (name, round) = match name.strip_suffix("_rounded") {
            Some(name) => (name, mode(*x.get(own)?)?),
            None => (name, Round::NearestTiesToEven),
        };
        let x = x.get(..own)?;
        if x.iter().any(|&bits| is_nan(width, bits)) {
            return Some(nan_of(width, x));
        }
        let bits = with!(width, F => {
            let at = |i: usize| x.get(i).map(|&bits| F::from_bits(bits));
            let a = at(0)?;
            match name {
                "add" => a.add_r(at(1)?, round).value,
                "sub" => a.sub_r(at(1)?, round).value,
                "mul" => a.mul_r(at(1)?, round).value,
                "div" => a.div_r(at(1)?, round).value,
                "fma" => a.mul_add_r(at(1)?, at(2)?, round).value,
                "fmod" => a.c_fmod(at(1)?).value,
                "remainder" => a.ieee_rem(at(1)?).value,
                "sqrt" if round == Round::NearestTiesToEven => root(a)?,
                "nextafter" => match a.partial_cmp(&at(1)?) {
                    Some(Ordering::Less) => a.next_up().value,
                    Some(Ordering::Greater) => a.next_down().value,
                    _ => at(1)?,
                },
                name => a.round_to_integral(rounding(name, "roundeven")?).value,
            }
            .to_bits()
        });
        Some(if is_nan(width, bits) { nan_of(width, &[]) } else { bits })
    }

    /// The facts that the value at a point gives for an application of the operation to other operands.
    ///
    /// # Errors
    /// A number is none.
    pub fn monotone(
        &self,
        terms: &mut Terms,
        applied: Node,
        operands: &[Node],
        at: &[String],
        value: &str,
    ) -> Result<Vec<Node>, TermError> {
        let (up, down) = (true, false);
        let (trends, by_distance): (&[bool], bool) = match self.name {
            "add" => (&[up, up], false),
            "sub" => (&[up, down], false),
            "mul" => (&[up, up], true),
            "div" => (&[up, down], true),
            "cast" | "sqrt" | "roundeven" | "floor" | "ceil" | "trunc" | "round" => (&[up], false),
            _ => return Ok(Vec::new()),
        };
        let is_number = match self.result {
            Type::Float(width) => {
                let infinity = number(width, with!(width, F => F::INFINITY.to_bits()));
                let code: Option<u128> = value.parse().ok();
                code.is_some_and(|code| code & !sign(width) <= infinity)
            }
            Type::Int(..) => true,
        };
        let is_conversion = !matches!(self.operands[..], [Type::Int(..)]) || matches!(self.result, Type::Float(_));
        if !is_number || !is_conversion || operands.len() != trends.len() || at.len() != trends.len() {
            return Ok(Vec::new());
        }
        let mut measured = Vec::new();
        for ((&x, text), &ty) in operands.iter().zip(at).zip(&self.operands) {
            let at = terms.number(text)?;
            measured.push((measure(terms, x, ty, by_distance), measure(terms, at, ty, by_distance)));
        }
        let exact = terms.number(value)?;
        let (r, exact) = (
            measure(terms, applied, self.result, by_distance),
            measure(terms, exact, self.result, by_distance),
        );
        let mut facts = Vec::new();
        for rising in [true, false] {
            let mut premises = Vec::new();
            for (&(x, edge), &trend) in measured.iter().zip(trends) {
                let ordered = if trend == rising { vec![x, edge] } else { vec![edge, x] };
                premises.push(terms.apply("<=", ordered));
            }
            let ordered = if rising { vec![r, exact] } else { vec![exact, r] };
            let mut conclusions = vec![terms.apply("<=", ordered)];
            match (self.operands[0], self.result) {
                (_, Type::Float(width)) => {
                    let infinity = number(width, with!(width, F => F::INFINITY.to_bits()));
                    let infinity = terms.number(&infinity.to_string())?;
                    let distance = measure(terms, applied, self.result, true);
                    conclusions.push(terms.apply("<", vec![infinity, distance]));
                }
                (Type::Float(_), Type::Int(..)) => premises.extend(self.domain(terms, operands[0])?),
                (Type::Int(..), Type::Int(..)) => return Ok(Vec::new()),
            }
            let premise = terms.apply("and", premises);
            let conclusion = terms.apply("or", conclusions);
            facts.push(terms.apply("=>", vec![premise, conclusion]));
        }
        if let (&[x], [at], "cast") = (operands, at, self.name) {
            let opposite = match (self.operands[0], at.strip_prefix('-')) {
                (Type::Int(true, _), Some(size)) => Some(size.to_string()),
                (Type::Int(true, _), None) => Some(format!("-{at}")),
                (Type::Int(false, _), _) => None,
                (Type::Float(width), _) => at.parse().ok().map(|code: u128| (code ^ sign(width)).to_string()),
            };
            for at in [Some(at.clone()), opposite].into_iter().flatten() {
                facts.extend(self.binade(terms, (applied, x), &at)?);
            }
        }
        Ok(facts)
    }

    /// The form of a conversion between an integer and a floating-point number where the operand is between the same powers of two as at a point.
    fn binade(&self, terms: &mut Terms, (applied, x): (Node, Node), at: &str) -> Result<Option<Node>, TermError> {
        let Some(Binade {
            sign: is_negative,
            first,
            fraction,
            exponent,
            base,
        }) = self.binade_of(at)
        else {
            return Ok(None);
        };
        let (of, is_whole) = match (self.operands[0], self.result) {
            (ty @ Type::Float(_), _) => (ty, false),
            (_, ty) => (ty, true),
        };
        let signed = |terms: &mut Terms, node| match is_negative {
            true => terms.apply("-", vec![node]),
            false => node,
        };
        let size = measure(terms, x, self.operands[0], false);
        let size = signed(terms, size);
        let power = |terms: &mut Terms, exponent: u32| terms.apply(&Int::pow2(exponent).to_string(), Vec::new());
        let low = terms.apply(&first.to_string(), Vec::new());
        let width = power(terms, if is_whole { exponent } else { fraction });
        let next = terms.apply("+", vec![low, width]);
        let mut premises = vec![terms.apply("<=", vec![low, size]), terms.apply("<", vec![size, next])];
        let above = terms.apply("-", vec![size, low]);
        let value = if is_whole {
            let grown = if exponent <= fraction {
                let factor = power(terms, fraction - exponent);
                terms.apply("*", vec![factor, above])
            } else {
                let (step, two) = (power(terms, exponent - fraction), power(terms, 1));
                let half = power(terms, exponent - fraction - 1);
                let one = power(terms, 0);
                let quotient = terms.apply("div", vec![above, step]);
                let odd = terms.apply("mod", vec![quotient, two]);
                let less = terms.apply("-", vec![half, one]);
                let moved = terms.apply("+", vec![above, odd, less]);
                terms.apply("div", vec![moved, step])
            };
            let base = terms.apply(&base.to_string(), Vec::new());
            terms.apply("+", vec![grown, base])
        } else {
            premises.extend(self.domain(terms, x)?);
            let leading = power(terms, fraction);
            let significand = terms.apply("+", vec![above, leading]);
            if exponent >= fraction {
                let factor = power(terms, exponent - fraction);
                terms.apply("*", vec![factor, significand])
            } else {
                let divisor = power(terms, fraction - exponent);
                terms.apply("div", vec![significand, divisor])
            }
        };
        let value = signed(terms, value);
        let result = match is_whole {
            true => measure(terms, applied, of, false),
            false => applied,
        };
        let premise = terms.apply("and", premises);
        let conclusion = terms.apply("=", vec![result, value]);
        Ok(Some(terms.apply("=>", vec![premise, conclusion])))
    }

    /// The binade of a point of a conversion.
    fn binade_of(&self, at: &str) -> Option<Binade> {
        let fraction_of = |width: u32| with!(width, F => u32::try_from(F::PRECISION).ok()).map(|bits| bits - 1);
        let (sign_text, digits) = at.strip_prefix('-').map_or(("", at), |digits| ("-", digits));
        let size: u128 = digits.parse().ok()?;
        match (self.operands[0], self.result) {
            (Type::Int(..), Type::Float(width)) => {
                let (exponent, fraction) = (size.checked_ilog2()?, fraction_of(width)?);
                let first = 1u128 << exponent;
                let base: u128 = self.value(&[format!("{sign_text}{first}")])?.parse().ok()?;
                let base = base & !sign(width);
                let infinity = number(width, with!(width, F => F::INFINITY.to_bits()));
                (base.checked_add(1 << fraction)? <= infinity).then_some(Binade {
                    sign: !sign_text.is_empty(),
                    first,
                    fraction,
                    exponent,
                    base,
                })
            }
            (Type::Float(width), Type::Int(..)) => {
                let fraction = fraction_of(width)?;
                let (is_negative, magnitude) = (size & sign(width) != 0, size & !sign(width));
                let first = magnitude >> fraction << fraction;
                let power: i128 = self.value(&[(size - magnitude + first).to_string()])?.parse().ok()?;
                Some(Binade {
                    sign: is_negative,
                    first,
                    fraction,
                    exponent: power.unsigned_abs().checked_ilog2()?,
                    base: first,
                })
            }
            _ => None,
        }
    }

    /// The conditions that a number converts to the integer type of the result.
    fn domain(&self, terms: &mut Terms, x: Node) -> Result<Vec<Node>, TermError> {
        let (Type::Float(width), Type::Int(signed, to)) = (self.operands[0], self.result) else {
            return Ok(Vec::new());
        };
        let key = measure(terms, x, self.operands[0], false);
        let [least, greatest] = [true, false].map(|negative| convertible(width, signed, to, negative));
        let (least, greatest) = (
            terms.number(&format!("-{least}"))?,
            terms.number(&greatest.to_string())?,
        );
        Ok(vec![
            terms.apply("<=", vec![least, key]),
            terms.apply("<=", vec![key, greatest]),
        ])
    }
}

/// The term by which values are compared: an integer as it is, a floating-point number by its distance from zero, with the sign of the number or without.
fn measure(terms: &mut Terms, x: Node, ty: Type, by_distance: bool) -> Node {
    let Type::Float(width) = ty else { return x };
    let edge = terms.apply(&sign(width).to_string(), Vec::new());
    let negative = terms.apply("<=", vec![edge, x]);
    let below = match by_distance {
        true => terms.apply("-", vec![x, edge]),
        false => terms.apply("-", vec![edge, x]),
    };
    terms.apply("ite", vec![negative, below, x])
}

/// The distance from zero, as the number of a code, of the last number of a sign that converts to an integer type.
fn convertible(width: u32, signed: bool, to: u32, negative: bool) -> u128 {
    let converts = |code: u128| {
        let code = if negative { code | sign(width) } else { code };
        pattern(width, code).is_some_and(|bits| whole(width, bits, signed, to, Round::TowardZero).is_some())
    };
    let infinity = number(width, with!(width, F => F::INFINITY.to_bits()));
    // Zero converts, and infinity does not.
    let (mut inside, mut outside) = (0, infinity);
    while outside - inside > 1 {
        let middle = inside + (outside - inside) / 2;
        if converts(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}

fn converted(from: u32, to: u32, bits: u128) -> u128 {
    let mut lost = false;
    with!(from, F => with!(to, T => {
        let x = F::from_bits(bits);
        let result: T = FloatConvert::<T>::convert_r(x, Round::NearestTiesToEven, &mut lost).value;
        result.to_bits()
    }))
}

fn whole(width: u32, bits: u128, signed: bool, to: u32, round: Round) -> Option<u128> {
    let size = usize::try_from(to).ok()?;
    let mut exact = false;
    let (status, value) = with!(width, F => {
        let x = F::from_bits(bits);
        if signed {
            let result = x.to_i128_r(size, round, &mut exact);
            (result.status, result.value.cast_unsigned())
        } else {
            let result = x.to_u128_r(size, round, &mut exact);
            (result.status, result.value)
        }
    });
    (!status.intersects(Status::INVALID_OP)).then_some(value & (u128::MAX >> (128 - to)))
}

/// The rounding of the functions to integers, of which one has a name of its own.
fn rounding(name: &str, nearest: &str) -> Option<Round> {
    Some(match name {
        "floor" => Round::TowardNegative,
        "ceil" => Round::TowardPositive,
        "trunc" => Round::TowardZero,
        "round" => Round::NearestTiesToAway,
        _ if name == nearest => Round::NearestTiesToEven,
        _ => return None,
    })
}

/// The square root, by the root of an integer with more bits than the format has; one more bit says whether there is a rest.
fn root<F: Float>(x: F) -> Option<F> {
    if x.is_zero() || x.is_infinite() && !x.is_negative() {
        return Some(x);
    }
    if x.is_negative() {
        return Some(F::NAN);
    }
    let precision = i32::try_from(F::PRECISION).ok()?;
    // The number is `m * 2^(2 * half)`, and `m` an integer.
    let half = (x.ilogb() - precision).div_euclid(2);
    let mut exact = false;
    let m = x.scalbn(-2 * half).to_u128_r(128, Round::TowardZero, &mut exact).value;
    let shift = precision / 2 + 3;
    let whole = |number: u128| number.to_string().parse::<Int>().ok();
    let m = whole(m)? * Int::pow2(2 * shift.cast_unsigned());
    let mut root = 0u128;
    for bit in (0..118).rev() {
        let larger = whole(root | 1 << bit)?;
        if &larger * &larger <= m {
            root |= 1 << bit;
        }
    }
    let sticky = whole(root)?;
    let sticky = u128::from(&sticky * &sticky != m);
    let rounded = F::from_u128(root << 1 | sticky).value;
    Some(rounded.scalbn(half - shift - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::evaluate_operator;
    use proptest::prelude::*;

    const WIDTHS: [u32; 5] = [16, 32, 64, 80, 128];

    fn code(width: u32, kind: u8, at: u128) -> u128 {
        let infinity = number(width, with!(width, F => F::INFINITY.to_bits()));
        let one = number(width, with!(width, F => F::from_u128(1).value.to_bits()));
        let first = number(width, with!(width, F => F::smallest_normalized().to_bits()));
        let magnitude = match kind % 4 {
            0 => at % sign(width),
            1 => one - 3 * first + at % (6 * first),
            2 => [0, 1, first - 1, first, one, infinity - 1, infinity, infinity + 1][usize::try_from(at % 8).unwrap()],
            _ => (at % (4 * first)).min(infinity),
        };
        magnitude | if kind >= 128 { sign(width) } else { 0 }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        /// Two implementations agree: this one and that of the encoder, which rests on the machine's instructions where it can.
        #[test]
        fn values_are_those_of_the_encoder(kinds in any::<[u8; 3]>(), at in any::<[u128; 3]>(), width in prop::sample::select(WIDTHS.to_vec())) {
            let codes: Vec<u128> = kinds.iter().zip(at).map(|(&kind, at)| code(width, kind, at)).collect();
            let own = format!("f{width}");
            let mut symbols = Vec::new();
            for name in ["add", "sub", "mul", "div", "fmod", "remainder", "nextafter"] {
                symbols.push((format!("__fp:{name}:{own}:{own},{own}"), 2));
            }
            for name in ["sqrt", "roundeven", "floor", "ceil", "trunc", "round"] {
                symbols.push((format!("__fp:{name}:{own}:{own}"), 1));
            }
            symbols.push((format!("__fp:fma:{own}:{own},{own},{own}"), 3));
            for to in ["f16", "f32", "f64", "f80", "f128", "i8", "u8", "i32", "u32", "i64", "u64"] {
                if to != own {
                    symbols.push((format!("__fp:cast:{to}:{own}"), 1));
                }
            }
            for (symbol, count) in symbols {
                let numbers: Vec<Int> = codes[..count].iter().map(|code| code.to_string().parse().unwrap()).collect();
                let texts: Vec<String> = codes[..count].iter().map(u128::to_string).collect();
                let operation = Operation::named(&symbol).expect("it is an operation");
                let theirs = evaluate_operator(&symbol, &numbers).map(|value| value.to_string());
                prop_assert_eq!(operation.value(&texts), theirs, "{} at {:?}", symbol, texts);
            }
        }
    }

    #[test]
    fn what_is_no_operation_has_no_value() {
        for wrong in [
            "__fp:add",
            "__fp:add:f64:f64,f63",
            "__fp:add:f64:f64:f64",
            "__mul:i32",
            "__fp::f64:",
            "__fp:add:x64:f64",
        ] {
            assert!(Operation::named(wrong).is_none(), "{wrong}");
        }
        let add = Operation::named("__fp:add:f64:f64,f64").unwrap();
        assert_eq!(add.value(&["1".to_string()]), None);
        assert_eq!(add.value(&["1".to_string(), "-1".to_string()]), None);
        assert_eq!(add.value(&["1".to_string(), format!("{}", 1u128 << 64)]), None);
    }
}
