//! Lemmas on demand: monotonicity from a point at which a model was wrong, and the corners that make the strongest of them.

use super::axioms::{defined, in_domain};
use super::binades::binade;
use super::*;

/// How a result goes with an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trend {
    Up,
    Down,
}

/// The numbers that formulas compare floating-point values with, as codes without sign: the ends of ranges that a proof may need.
pub fn thresholds(pool: &TermPool, formulas: &[TermId]) -> BTreeSet<Int> {
    let mut found = BTreeSet::new();
    let signs = Format::ALL.map(|format| number(code::sign(format)));
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

/// A point further on from one at which a model has a wrong value, where the operands are thresholds in the direction in which the true results come
/// near to the wrong one: the last ones at which the true result still rules the wrong one out. If the next ones are too far, it is the last point before them that does so. By monotonicity
/// its value bounds all results on the way.
/// To take always the next thresholds would be slow, as each fact that is learned brings new ones.
pub fn corner(operator: &str, at: &[Int], exact: &Int, wrong: &Int, thresholds: &BTreeSet<Int>) -> Option<Vec<Int>> {
    let (op, shapes, result) = parse(operator)?;
    let (trends, by_magnitude) = trends(op)?;
    let measure = |value: &Int, shape: Shape| match shape {
        Shape::Int(_) => Some(value.clone()),
        Shape::Float(format) => {
            let bits = code::pattern(format, value)?;
            let magnitude = number(code::of(format, bits) & code::magnitude(format));
            let down = float::is_negative(format, bits) && !by_magnitude;
            (!float::is_nan(format, bits)).then(|| if down { -magnitude } else { magnitude })
        }
    };
    let wrong = measure(wrong, result)?;
    let rising = wrong > measure(exact, result)?;
    // For each operand the thresholds on the way, from near to far.
    let mut ways: Vec<Vec<Int>> = Vec::with_capacity(at.len());
    for ((value, &shape), &trend) in at.iter().zip(&shapes).zip(trends) {
        let up = (trend == Trend::Up) == rising;
        let here = measure(value, shape)?;
        ways.push(way(&here, up, shape, by_magnitude, thresholds));
    }
    let start: Option<Vec<Int>> = at
        .iter()
        .zip(&shapes)
        .map(|(value, &shape)| measure(value, shape))
        .collect();
    let start = start?;
    let operand = |(measured, (value, &shape)): (&Int, (&Int, &Shape))| match shape {
        Shape::Int(_) => Some(measured.clone()),
        Shape::Float(format) => {
            let sign = number(code::sign(format));
            let negative = float::is_negative(format, code::pattern(format, value)?);
            Some(match by_magnitude {
                true if negative => measured + &sign,
                _ if measured.is_negative() => &sign - measured,
                _ => measured.clone(),
            })
        }
    };
    let point =
        |measured: &[Int]| -> Option<Vec<Int>> { measured.iter().zip(at.iter().zip(&shapes)).map(operand).collect() };
    // The value there still rules the wrong one out. It does so up to some distance, as the operation is monotone.
    let excludes = |measured: &[Int]| {
        let value = point(measured).and_then(|point| evaluate(op, &shapes, result, &point));
        let value = value.and_then(|value| measure(&value, result));
        value.is_some_and(|value| if rising { value < wrong } else { value > wrong })
    };
    let near = last(&ways, &start, excludes);
    point(&near).filter(|corner| corner != at)
}

/// The thresholds of an operand on the way from a value up or down, from near to far, all by their measures.
fn way(here: &Int, up: bool, shape: Shape, by_magnitude: bool, thresholds: &BTreeSet<Int>) -> Vec<Int> {
    let mut way: Vec<Int> = match shape {
        Shape::Int(info) => {
            let (least, greatest) = expr::range(info);
            let both = thresholds.iter().flat_map(|t| [t.clone(), -t]);
            both.filter(|t| *t >= least && *t <= greatest).collect()
        }
        Shape::Float(format) => {
            let infinity = number(code::of(format, format.infinity()));
            let sizes = thresholds.iter().filter(|t| **t <= infinity);
            match by_magnitude {
                true => sizes.cloned().collect(),
                false => sizes.flat_map(|t| [t.clone(), -t]).collect(),
            }
        }
    };
    way.retain(|t| if up { t >= here } else { t <= here });
    way.sort_unstable();
    way.dedup();
    if !up {
        way.reverse();
    }
    way
}

/// The last values on the ways of the operands, from where they start, that still exclude the wrong value: values that are nearer do so, too.
fn last(ways: &[Vec<Int>], start: &[Int], excludes: impl Fn(&[Int]) -> bool) -> Vec<Int> {
    // The values that lie this number of thresholds away, by the measures of the operands.
    let beyond = |distance: usize| -> Vec<Int> {
        let ways = ways.iter().zip(start);
        ways.map(|(way, here)| way.get(distance).or(way.last()).unwrap_or(here).clone())
            .collect()
    };
    let longest = ways.iter().map(Vec::len).max().unwrap_or(0);
    let (mut near, mut far) = (start.to_vec(), None);
    let (mut least, mut most) = (0, longest);
    while least < most {
        let middle = least + (most - least) / 2;
        let there = beyond(middle);
        if excludes(&there) {
            (near, least) = (there, middle + 1);
        } else {
            (far, most) = (Some(there), middle);
        }
    }
    // The wrong value is one of a point before the next threshold: bisection finds the last point before that.
    while let Some(last) = &far {
        let two = Int::from(2i64);
        let middle: Vec<Int> = near.iter().zip(last).map(|(a, b)| (a + b).div_floor(&two)).collect();
        if middle == near || middle == *last {
            break;
        }
        if excludes(&middle) {
            near = middle;
        } else {
            far = Some(middle);
        }
    }
    near
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
        && code::pattern(format, value).is_none_or(|bits| float::is_nan(format, bits))
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
            let bits = code::pattern(format, at).unwrap_or(0);
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
    if let (&[x], [at]) = (operands, at) {
        let opposite = match shapes[0] {
            Shape::Int(info) => info.signed.then(|| -at),
            Shape::Float(format) => {
                let sign = number(code::sign(format));
                Some(if *at < sign { at + &sign } else { at - &sign })
            }
        };
        for at in std::iter::once(at).chain(opposite.as_ref()) {
            found.extend(binade(pool, (op, shapes[0], result), (term, x), at));
        }
    }
    found
}
