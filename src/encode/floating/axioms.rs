//! The axioms of floating-point operations: facts that hold for every application.

use super::pattern::Patterns;
use super::*;
use std::cmp::Ordering;

/// The axioms for an application of an operation to floating-point operands of a format. Long, as it has a case for each operation.
pub(super) fn axioms(
    pool: &mut TermPool,
    op: FunctionOp,
    format: Format,
    to: Shape,
    operands: &[TermId],
    r: TermId,
) -> Vec<TermId> {
    match (op, operands, to) {
        (FunctionOp::Arithmetic(op), &[x, y], _) => arithmetic(&mut Patterns { pool, format }, op, x, y, r),
        (FunctionOp::Math(MathOp::Modulus), &[x, y], _) => modulus(&mut Patterns { pool, format }, x, y, r),
        (FunctionOp::Convert, &[x], Shape::Float(other)) => {
            let mut from = Patterns { pool, format };
            let (nan, sign) = (from.nan(x), from.sign(x));
            let mut into = Patterns {
                pool: from.pool,
                format: other,
            };
            let (result_nan, result_sign) = (into.nan(r), into.sign(r));
            let mut all = vec![pool.iff(nan, result_nan), pool.iff(sign, result_sign)];
            match format.precision().cmp(&other.precision()) {
                Ordering::Less => all.extend(same_number(pool, (x, format), (r, other), true)),
                Ordering::Greater => all.extend(same_number(pool, (r, other), (x, format), false)),
                Ordering::Equal => {}
            }
            all
        }
        (FunctionOp::Convert, &[x], Shape::Int(_)) => {
            let domain = defined(format, to);
            let mut p = Patterns { pool, format };
            let within = in_domain(&mut p, x, domain);
            let (sign, one) = (p.sign(x), p.magnitude_is(x, BinOp::Lt, format.one()));
            let zero = p.pool.int(0i64);
            let (up, down) = (p.pool.le(zero, r), p.pool.le(r, zero));
            let is_zero = p.pool.eq(r, zero);
            let positive = p.pool.not(sign);
            let large = p.pool.not(one);
            let nonzero = p.pool.not(is_zero);
            let mut all = Vec::new();
            for (premises, conclusion) in [
                ([within, positive], up),
                ([within, sign], down),
                ([within, one], is_zero),
                ([within, large], nonzero),
            ] {
                let premise = p.pool.and(&premises);
                all.push(p.pool.implies(premise, conclusion));
            }
            all
        }
        (FunctionOp::Math(MathOp::Sqrt), &[x], _) => {
            let mut p = Patterns { pool, format };
            let (nan, sign, zero) = (p.nan(x), p.sign(x), p.zero(x));
            let positive = p.pool.not(zero);
            let below = p.pool.and2(sign, positive);
            let invalid = p.pool.or2(nan, below);
            let result_nan = p.nan(r);
            let mut all = vec![p.pool.iff(invalid, result_nan)];
            let valid = p.pool.not(invalid);
            let (one, result_one) = (
                p.magnitude_is(x, BinOp::Ge, format.one()),
                p.magnitude_is(r, BinOp::Ge, format.one()),
            );
            let (shrinks, grows) = (p.not_above_magnitude(r, x), p.not_above_magnitude(x, r));
            let result_sign = p.sign(r);
            let keeps = p.pool.iff(sign, result_sign);
            let small = p.magnitude_is(x, BinOp::Le, format.one());
            let result_small = p.magnitude_is(r, BinOp::Le, format.one());
            for (premises, conclusion) in [
                ([valid, valid], keeps),
                ([valid, one], shrinks),
                ([valid, one], result_one),
                ([valid, small], grows),
                ([valid, small], result_small),
            ] {
                let premise = p.pool.and(&premises);
                all.push(p.pool.implies(premise, conclusion));
            }
            all
        }
        (FunctionOp::Math(MathOp::Integral(rounding)), &[x], _) => {
            let mut p = Patterns { pool, format };
            let (nan, result_nan) = (p.nan(x), p.nan(r));
            let (sign, result_sign) = (p.sign(x), p.sign(r));
            let mut all = vec![p.pool.iff(nan, result_nan), p.pool.iff(sign, result_sign)];
            let side = match rounding {
                Rounding::Down => p.at_most(r, x),
                Rounding::Up => p.at_most(x, r),
                Rounding::Zero => p.not_above_magnitude(r, x),
                Rounding::Nearest | Rounding::Away => p.pool.mk_true(),
            };
            all.push(p.pool.or2(nan, side));
            all
        }
        _ => Vec::new(),
    }
}

/// The axioms for a conversion between a narrow format and a wide one, in whichever direction.
///
/// Codes without sign are linear in each other where both numbers have full precision: the fraction is longer, and the bias of the exponent is another one. So a conversion to the wide
/// format is exact, and rounding to the narrow one gives a code that is at most half a step away, measured in codes of the wide format. The code behind the greatest number is
/// that of infinity, as if the numbers went on, so the rule holds for results that overflow, too.
fn same_number(
    pool: &mut TermPool,
    (x, narrow): (TermId, Format),
    (y, wide): (TermId, Format),
    widens: bool,
) -> Vec<TermId> {
    let widened = |bits| number(code::of(wide, float::convert(narrow, wide, bits, Rounding::Nearest)));
    let narrow_code = |bits| number(code::of(narrow, bits));
    let step = Int::pow2(wide.precision() - narrow.precision());
    let (least, greatest) = (narrow.smallest_normal(), narrow.largest());
    let offset = widened(least) - &step * &narrow_code(least);
    let magnitude = |pool: &mut TermPool, x, format| Patterns { pool, format }.magnitude(x);
    let (mx, my) = (magnitude(pool, x, narrow), magnitude(pool, y, wide));
    let image = pool.linear(&[(step.clone(), mx)], offset);
    let mut all = Vec::new();
    let mut when = |pool: &mut TermPool, premises: &[TermId], conclusion: TermId| {
        let premise = pool.and(premises);
        all.push(pool.implies(premise, conclusion));
    };
    let (zero, infinite) = (pool.int(0i64), pool.int(narrow_code(narrow.infinity())));
    let (first, last) = (pool.int(narrow_code(least)), pool.int(narrow_code(greatest)));
    let wide_infinity = pool.int(number(code::of(wide, wide.infinity())));
    let (wide_first, wide_last) = (pool.int(widened(least)), pool.int(widened(greatest)));
    if widens {
        let (above, below) = (pool.le(first, mx), pool.le(mx, last));
        let same = pool.eq(my, image);
        when(pool, &[above, below], same);
        let (is_infinite, stays) = (pool.eq(mx, infinite), pool.eq(my, wide_infinity));
        when(pool, &[is_infinite], stays);
        let (is_zero, stays) = (pool.eq(mx, zero), pool.eq(my, zero));
        when(pool, &[is_zero], stays);
        let (small, positive) = (pool.lt(mx, first), pool.lt(zero, mx));
        let (below, nonzero) = (pool.lt(my, wide_first), pool.lt(zero, my));
        when(pool, &[small], below);
        when(pool, &[positive], nonzero);
        return all;
    }
    let half = step.div_floor(&Int::from(2i64));
    let edge = pool.linear(&[(Int::ONE, wide_last)], step.clone());
    let above = pool.le(wide_first, my);
    let (number, within) = (pool.le(my, wide_infinity), pool.le(my, edge));
    let (up, down) = (
        pool.linear(&[(Int::ONE, image)], half.clone()),
        pool.linear(&[(Int::ONE, image)], -&half),
    );
    let (not_above, not_below) = (pool.le(my, up), pool.le(down, my));
    let near = pool.and2(not_above, not_below);
    when(pool, &[above, within], near);
    // Half a step beyond the greatest number rounds to infinity.
    let (beyond, is_infinite) = (pool.le(edge, my), pool.eq(mx, infinite));
    when(pool, &[beyond, number], is_infinite);
    let (small, below) = (pool.lt(my, wide_first), pool.le(mx, first));
    when(pool, &[small], below);
    let (is_zero, stays) = (pool.eq(my, zero), pool.eq(mx, zero));
    when(pool, &[is_zero], stays);
    all
}

/// The axioms for the conversion of an integer: the result is a number, it has the integer's sign, and it is zero only for zero.
pub(super) fn of_integer(pool: &mut TermPool, to: Shape, x: TermId, r: TermId) -> Vec<TermId> {
    let Shape::Float(format) = to else { return Vec::new() };
    let mut p = Patterns { pool, format };
    let nan = p.nan(r);
    let sign = p.sign(r);
    let zero = p.pool.int(0i64);
    let negative = p.pool.lt(x, zero);
    let (is_zero, result_zero) = (p.pool.eq(x, zero), p.zero(r));
    vec![
        p.pool.not(nan),
        p.pool.iff(negative, sign),
        p.pool.iff(is_zero, result_zero),
    ]
}

/// The axioms of arithmetic. Long, as it has a case for each operation.
pub(super) fn arithmetic(p: &mut Patterns<'_>, op: Arithmetic, x: TermId, y: TermId, r: TermId) -> Vec<TermId> {
    let (nan_x, nan_y, nan_r) = (p.nan(x), p.nan(y), p.nan(r));
    let (inf_x, inf_y) = (p.infinite(x), p.infinite(y));
    let (sign_x, sign_y, sign_r) = (p.sign(x), p.sign(y), p.sign(r));
    let same_sign = p.pool.iff(sign_x, sign_y);
    let invalid = match op {
        Arithmetic::Add => {
            let apart = p.pool.not(same_sign);
            p.pool.and(&[inf_x, inf_y, apart])
        }
        Arithmetic::Sub => p.pool.and(&[inf_x, inf_y, same_sign]),
        Arithmetic::Mul => {
            let (zero_x, zero_y) = (p.zero(x), p.zero(y));
            let (first, second) = (p.pool.and2(zero_x, inf_y), p.pool.and2(inf_x, zero_y));
            p.pool.or2(first, second)
        }
        _ => {
            let (zero_x, zero_y) = (p.zero(x), p.zero(y));
            let (first, second) = (p.pool.and2(zero_x, zero_y), p.pool.and2(inf_x, inf_y));
            p.pool.or2(first, second)
        }
    };
    let nan = p.pool.or(&[nan_x, nan_y, invalid]);
    let mut all = vec![p.pool.iff(nan, nan_r)];
    let mut otherwise = |p: &mut Patterns<'_>, premise: TermId, conclusion: TermId| {
        let premise = p.pool.not(premise);
        all.push(p.pool.or(&[nan_r, premise, conclusion]));
    };
    let zero = p.key_of(0);
    match op {
        Arithmetic::Add | Arithmetic::Sub => {
            let (kx, ky, kr) = (p.key(x), p.key(y), p.key(r));
            let ky = if op == Arithmetic::Sub { p.pool.neg(ky) } else { ky };
            for (one, other) in [(kx, ky), (ky, kx)] {
                let (up, down) = (p.pool.le(zero, other), p.pool.le(other, zero));
                let (grows, shrinks) = (p.pool.le(one, kr), p.pool.le(kr, one));
                otherwise(p, up, grows);
                otherwise(p, down, shrinks);
            }
            // The sum has the sign of the greater operand; it is zero only of opposite ones.
            let opposite = p.pool.neg(ky);
            let (above, below) = (p.pool.le(opposite, kx), p.pool.le(kx, opposite));
            let (up, down) = (p.pool.le(zero, kr), p.pool.le(kr, zero));
            for (premise, conclusion) in [(above, up), (up, above), (below, down), (down, below)] {
                otherwise(p, premise, conclusion);
            }
            for infinite in [(inf_x, kx), (inf_y, ky)] {
                let same = p.pool.eq(kr, infinite.1);
                otherwise(p, infinite.0, same);
            }
        }
        _ => {
            let truth = p.pool.mk_true();
            let rule = p.pool.iff(same_sign, sign_r);
            let rule = p.pool.not(rule);
            otherwise(p, truth, rule);
            let one = p.format.one();
            let (mx, my, mr) = (p.magnitude(x), p.magnitude(y), p.magnitude(r));
            let sides = match op {
                Arithmetic::Mul => vec![(x, my), (y, mx)],
                _ => vec![(y, mx)],
            };
            for (factor, other) in sides {
                let (large, small) = (
                    p.magnitude_is(factor, BinOp::Ge, one),
                    p.magnitude_is(factor, BinOp::Le, one),
                );
                let (grows, shrinks) = (p.pool.le(other, mr), p.pool.le(mr, other));
                let (with_large, with_small) = match op {
                    Arithmetic::Mul => (grows, shrinks),
                    _ => (shrinks, grows),
                };
                otherwise(p, large, with_large);
                otherwise(p, small, with_small);
            }
            let (zero_x, zero_r) = (p.zero(x), p.zero(r));
            otherwise(p, zero_x, zero_r);
            if op == Arithmetic::Mul {
                let zero_y = p.zero(y);
                otherwise(p, zero_y, zero_r);
            } else {
                let (below, above) = (p.pool.le(mx, my), p.pool.le(my, mx));
                let (small, large) = (p.magnitude_is(r, BinOp::Le, one), p.magnitude_is(r, BinOp::Ge, one));
                otherwise(p, below, small);
                otherwise(p, above, large);
            }
        }
    }
    all
}

/// `fmod`: no further from zero than either operand, with the sign of the first.
pub(super) fn modulus(p: &mut Patterns<'_>, x: TermId, y: TermId, r: TermId) -> Vec<TermId> {
    let (nan_x, nan_y, nan_r) = (p.nan(x), p.nan(y), p.nan(r));
    let (inf_x, zero_y) = (p.infinite(x), p.zero(y));
    let nan = p.pool.or(&[nan_x, nan_y, inf_x, zero_y]);
    let (sign_x, sign_r) = (p.sign(x), p.sign(r));
    let same = p.pool.iff(sign_x, sign_r);
    let below = p.not_above_magnitude(r, x);
    let (my, mr) = (p.magnitude(y), p.magnitude(r));
    let smaller = p.pool.lt(mr, my);
    let mut all = vec![p.pool.iff(nan, nan_r)];
    for conclusion in [same, below, smaller] {
        all.push(p.pool.or2(nan_r, conclusion));
    }
    all
}

/// The least and the greatest number whose conversion to an integer type is defined, by their patterns.
pub(super) fn defined(format: Format, to: Shape) -> (u128, u128) {
    let Shape::Int(info) = to else {
        return (format.infinity() | format.sign(), format.infinity());
    };
    let fits = |bits| float::to_int(format, bits, info.width, info.signed, Rounding::Zero).is_some();
    let bits = info.width - u32::from(info.signed);
    let above = float::scale(format, format.one(), i128::from(bits), Rounding::Nearest);
    let greatest = float::next(format, above, false);
    let least = match info.signed {
        true => {
            let edge = float::negate(format, above);
            let further = float::binary(Arithmetic::Sub, format, edge, format.one(), Rounding::Up);
            [further, float::next(format, further, true), edge]
                .into_iter()
                .find(|&bits| fits(bits))
        }
        false => Some(float::next(format, float::negate(format, format.one()), true)),
    };
    let least = least.filter(|&bits| fits(bits)).unwrap_or(0);
    assert!(fits(greatest), "a number below the type's bound converts");
    (least, greatest)
}

pub(super) fn in_domain(p: &mut Patterns<'_>, x: TermId, (least, greatest): (u128, u128)) -> TermId {
    let (lo, hi) = (p.key_of(least), p.key_of(greatest));
    let key = p.key(x);
    let (above, below) = (p.pool.le(lo, key), p.pool.le(key, hi));
    p.pool.and2(above, below)
}
