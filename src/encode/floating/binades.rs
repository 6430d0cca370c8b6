//! Conversions between integers and floating-point numbers, exactly, in the binade of a point: between two powers of two.
//!
//! There codes are linear in the numbers: the exponent stays, and the fraction grows with the number, by more than 1 for each integer where the fraction is long enough, and else by a
//! quotient that is rounded to the nearest, of two as near to the even one. So one wrong value in a model is explained for half of the numbers of a type at once, and a type has few binades; monotonicity alone
//! ([`super::lemmas`]) needs a point for each number.

use super::axioms::{defined, in_domain};
use super::*;

/// The fact that a conversion has one form in the binade of a point; `None` if the operation is none between integers and floating-point numbers, or the point has no binade.
pub(super) fn binade(
    pool: &mut TermPool,
    (op, from, to): (FunctionOp, Shape, Shape),
    (term, x): (TermId, TermId),
    at: &Int,
) -> Option<TermId> {
    if op != FunctionOp::Convert {
        return None;
    }
    match (from, to) {
        (Shape::Int(_), Shape::Float(format)) => {
            let sign = sign_of(at.is_negative());
            let exponent = exponent(&at.abs())?;
            let low = Int::pow2(exponent);
            let base = evaluate(op, &[from], to, &[&sign * &low])?;
            let base = base.mod_floor(&number(code::sign(format)));
            let fraction = format.precision() - 1;
            let last = &base + &Int::pow2(fraction);
            if last > number(code::of(format, format.infinity())) {
                return None;
            }
            let size = pool.scale(&sign, x);
            let (first, next) = (pool.int(low.clone()), pool.int(Int::pow2(exponent + 1)));
            let above = pool.linear(&[(Int::ONE, size)], -low);
            let grown = match exponent.checked_sub(fraction) {
                None | Some(0) => pool.scale(&Int::pow2(fraction - exponent), above),
                Some(lost) => {
                    // The half less 1, and 1 more if the quotient is odd: then the half is rounded up.
                    let step = Int::pow2(lost);
                    let quotient = pool.div_floor(above, &step);
                    let odd = pool.mod_floor(quotient, &Int::from(2i64));
                    let moved = pool.linear(&[(Int::ONE, above), (Int::ONE, odd)], Int::pow2(lost - 1) - Int::ONE);
                    pool.div_floor(moved, &step)
                }
            };
            let code = pool.linear(&[(sign.clone(), grown)], &sign * &base);
            let premises = [pool.le(first, size), pool.lt(size, next)];
            let premise = pool.and(&premises);
            let key = Patterns { pool, format }.key(term);
            let conclusion = pool.eq(key, code);
            Some(pool.implies(premise, conclusion))
        }
        (Shape::Float(format), Shape::Int(_)) => {
            let signs = number(code::sign(format));
            let (sign, magnitude) = (sign_of(*at >= signs), at.mod_floor(&signs));
            if magnitude < number(code::of(format, format.one())) {
                return None;
            }
            let fraction = format.precision() - 1;
            let base = &magnitude - &magnitude.mod_floor(&Int::pow2(fraction));
            let power = evaluate(op, &[from], to, &[at - &(&magnitude - &base)])?;
            let exponent = exponent(&power.abs())?;
            let mut p = Patterns { pool, format };
            let within = in_domain(&mut p, x, defined(format, to));
            let key = p.key(x);
            let size = pool.scale(&sign, key);
            let (first, next) = (pool.int(base.clone()), pool.int(&base + &Int::pow2(fraction)));
            let significand = pool.linear(&[(Int::ONE, size)], Int::pow2(fraction) - base);
            let whole = match exponent.checked_sub(fraction) {
                Some(more) => pool.scale(&Int::pow2(more), significand),
                None => pool.div_floor(significand, &Int::pow2(fraction - exponent)),
            };
            let value = pool.scale(&sign, whole);
            let premises = [pool.le(first, size), pool.lt(size, next), within];
            let premise = pool.and(&premises);
            let conclusion = pool.eq(term, value);
            Some(pool.implies(premise, conclusion))
        }
        _ => None,
    }
}

fn sign_of(is_negative: bool) -> Int {
    if is_negative { Int::MINUS_ONE } else { Int::ONE }
}

/// The exponent of the greatest power of two up to a number; `None` of 0.
fn exponent(number: &Int) -> Option<u32> {
    let number = u128::try_from(number.to_bigint()).ok()?;
    number.checked_ilog2()
}
