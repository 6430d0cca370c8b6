//! Lemmas on demand: monotonicity from a point at which a model was wrong, and the corners that make the strongest of them.

use super::axioms::{defined, in_domain};
use super::*;

/// How a result goes with an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trend {
    Up,
    Down,
}

/// The numbers that formulas compare floating-point values with, as patterns without sign: the ends of ranges that a proof may need.
pub fn thresholds(pool: &TermPool, formulas: &[TermId]) -> BTreeSet<Int> {
    let mut found = BTreeSet::new();
    let signs = [Format::Half, Format::Single, Format::Double].map(|format| number(format.sign()));
    for term in pool.sub_terms(formulas) {
        let (Term::Le(sum) | Term::Eq(sum)) = *pool.term(term) else {
            continue;
        };
        let constant = pool.for_each_monomial(sum, |_, _| {}).abs();
        for near in [&constant - &Int::ONE, constant.clone(), &constant + &Int::ONE] {
            for sign in &signs {
                let rest = &near - sign;
                found.insert(rest.abs());
            }
            if !near.is_negative() {
                found.insert(near);
            }
        }
    }
    found
}

/// A point further on from one at which a model has a wrong value, where the operands are the next thresholds in the direction in which the true results come
/// near to the wrong one. By monotonicity its value bounds all results on the way.
pub fn corner(operator: &str, at: &[Int], exact: &Int, wrong: &Int, thresholds: &BTreeSet<Int>) -> Option<Vec<Int>> {
    let (op, shapes, result) = parse(operator)?;
    let (trends, by_magnitude) = trends(op)?;
    let measure = |value: &Int, shape: Shape| match shape {
        Shape::Int(_) => Some(value.clone()),
        Shape::Float(format) => {
            let bits = pattern_of(value)?;
            let magnitude = number(bits & format.magnitude());
            let down = float::is_negative(format, bits) && !by_magnitude;
            (!float::is_nan(format, bits)).then(|| if down { -magnitude } else { magnitude })
        }
    };
    let rising = measure(wrong, result)? > measure(exact, result)?;
    let mut corner = Vec::with_capacity(at.len());
    for ((value, &shape), &trend) in at.iter().zip(&shapes).zip(trends) {
        let up = (trend == Trend::Up) == rising;
        let here = measure(value, shape)?;
        let Shape::Float(format) = shape else {
            let info = match shape {
                Shape::Int(info) => info,
                Shape::Float(_) => unreachable!("floating-point operands are handled below"),
            };
            let (least, greatest) = expr::range(info);
            let mut all: Vec<Int> = thresholds.iter().flat_map(|t| [t.clone(), -t]).collect();
            all.retain(|t| *t >= least && *t <= greatest);
            corner.push(next(&all, &here, up).unwrap_or_else(|| value.clone()));
            continue;
        };
        let infinity = number(format.infinity());
        let sizes = thresholds.iter().filter(|t| **t <= infinity);
        let all: Vec<Int> = match by_magnitude {
            true => sizes.cloned().collect(),
            false => sizes.flat_map(|t| [t.clone(), -t]).collect(),
        };
        let sign = number(format.sign());
        let negative = float::is_negative(format, pattern_of(value)?);
        corner.push(match next(&all, &here, up) {
            Some(size) if by_magnitude && negative => size + sign,
            Some(key) if key.is_negative() => sign - key,
            Some(key) => key,
            None => value.clone(),
        });
    }
    (corner != at).then_some(corner)
}

/// The nearest of some numbers that is above, or below, or equal.
fn next(all: &[Int], here: &Int, up: bool) -> Option<Int> {
    match up {
        true => all.iter().filter(|t| *t >= here).min().cloned(),
        false => all.iter().filter(|t| *t <= here).max().cloned(),
    }
}

/// How the results of an operation go with its operands, and whether by their distances from zero.
fn trends(op: FunctionOp) -> Option<(&'static [Trend], bool)> {
    Some(match op {
        FunctionOp::Arithmetic(Arithmetic::Add) => (&[Trend::Up, Trend::Up], false),
        FunctionOp::Arithmetic(Arithmetic::Sub) => (&[Trend::Up, Trend::Down], false),
        FunctionOp::Arithmetic(Arithmetic::Mul) => (&[Trend::Up, Trend::Up], true),
        FunctionOp::Arithmetic(Arithmetic::Div) => (&[Trend::Up, Trend::Down], true),
        FunctionOp::Convert | FunctionOp::Math(MathOp::Sqrt | MathOp::Integral(_)) => (&[Trend::Up], false),
        _ => return None,
    })
}

/// The facts that the exact value at a point gives for applications at other points, by monotonicity.
pub fn lemmas(
    pool: &mut TermPool,
    operator: &str,
    term: TermId,
    operands: &[TermId],
    at: &[Int],
    value: &Int,
) -> Vec<TermId> {
    let Some((op, shapes, result)) = parse(operator) else {
        return Vec::new();
    };
    if let Shape::Float(format) = result
        && pattern_of(value).is_none_or(|bits| float::is_nan(format, bits))
    {
        return Vec::new();
    }
    let Some((trends, by_magnitude)) = trends(op) else {
        return Vec::new();
    };
    // The measure by which an operand or the result is compared, and its value at the point.
    let measure = |pool: &mut TermPool, x: TermId, at: &Int, shape: Shape| match shape {
        Shape::Int(_) => (x, pool.int(at.clone())),
        Shape::Float(format) => {
            let bits = pattern_of(at).unwrap_or(0);
            let mut p = Patterns { pool, format };
            match by_magnitude {
                true => (p.magnitude(x), p.constant(bits & format.magnitude())),
                false => (p.key(x), p.key_of(bits)),
            }
        }
    };
    let (r, exact) = measure(pool, term, value, result);
    let mut found = Vec::new();
    for rising in [true, false] {
        let mut premises = Vec::new();
        for (((&x, at), &shape), &trend) in operands.iter().zip(at).zip(&shapes).zip(trends) {
            let (x, edge) = measure(pool, x, at, shape);
            premises.push(match (trend == Trend::Up) == rising {
                true => pool.le(x, edge),
                false => pool.le(edge, x),
            });
        }
        let mut conclusions = vec![if rising { pool.le(r, exact) } else { pool.le(exact, r) }];
        match (result, shapes[0]) {
            (Shape::Float(format), _) => conclusions.push(Patterns { pool, format }.nan(term)),
            (Shape::Int(_), Shape::Float(format)) => {
                let mut p = Patterns { pool, format };
                let within = in_domain(&mut p, operands[0], defined(format, result));
                premises.push(within);
            }
            (Shape::Int(_), Shape::Int(_)) => return Vec::new(),
        }
        let premise = pool.and(&premises);
        let conclusion = pool.or(&conclusions);
        found.push(pool.implies(premise, conclusion));
    }
    found
}
