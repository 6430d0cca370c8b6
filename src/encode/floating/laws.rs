//! Laws of two applications, of which monotonicity ([`super::lemmas`]) shows one value at a time: conversions that give back what others were given, and operands that are exchanged.
//!
//! A number of a short format is one of every longer format, and an integer of few enough bits is a floating-point number. So `(float)(double)f` is `f`, and `(int)(double)i` is `i`. Sums and products are those of the exchanged operands; only which NaN of two comes out depends on their order.

use super::*;

/// An application of the function symbol of an operation.
#[derive(Clone, Copy)]
pub struct Application<'n> {
    /// The application.
    pub term: TermId,
    /// The name of the symbol.
    pub operator: &'n str,
    /// The operands.
    pub operands: &'n [TermId],
}

/// A law of two applications; `None` if none is known.
pub fn law(pool: &mut TermPool, one: Application<'_>, other: Application<'_>) -> Option<TermId> {
    match (one.operands, other.operands) {
        (&[middle], &[x]) => inverse(pool, (one, middle), (other, x)),
        (&[a, b], &[c, d]) if (a, b) == (d, c) && one.operator == other.operator => exchanged(pool, one, other),
        _ => None,
    }
}

/// The result for exchanged operands is the same one, or also NaN.
fn exchanged(pool: &mut TermPool, one: Application<'_>, other: Application<'_>) -> Option<TermId> {
    let (FunctionOp::Arithmetic(Arithmetic::Add | Arithmetic::Mul), _, Shape::Float(format)) = parse(one.operator)?
    else {
        return None;
    };
    let [first, second] = [one, other].map(|application| Patterns { pool, format }.nan(application.term));
    let same = pool.eq(one.term, other.term);
    let nan = pool.and2(first, second);
    Some(pool.or2(nan, same))
}

/// The fact that one conversion gives back what another one was given, if it gets its result: a fact about all operands that the other one converts without loss.
fn inverse(
    pool: &mut TermPool,
    (back, operand): (Application<'_>, TermId),
    (there, x): (Application<'_>, TermId),
) -> Option<TermId> {
    let (middle, last) = conversion(back.operator)?;
    let (first, other) = conversion(there.operator)?;
    let Shape::Float(wide) = middle else { return None };
    if middle != other {
        return None;
    }
    let premises = match (first, last) {
        (Shape::Float(narrow), _) if first == last && narrow.precision() < wide.precision() => {
            let nan = Patterns { pool, format: narrow }.nan(x);
            vec![pool.not(nan)]
        }
        (Shape::Int(_), Shape::Int(info)) => {
            let exact = Int::pow2(wide.precision());
            let (least, greatest) = expr::range(info);
            let (least, greatest) = (least.max(-&exact), greatest.min(exact));
            let (least, greatest) = (pool.int(least), pool.int(greatest));
            vec![pool.le(least, x), pool.le(x, greatest)]
        }
        _ => return None,
    };
    let is_given = pool.eq(operand, there.term);
    let premise = pool.and(&[&[is_given], &premises[..]].concat());
    let conclusion = pool.eq(back.term, x);
    Some(pool.implies(premise, conclusion))
}

/// The shapes between which a function symbol converts.
fn conversion(name: &str) -> Option<(Shape, Shape)> {
    match parse(name)? {
        (FunctionOp::Convert, shapes, result) => Some((*shapes.first()?, result)),
        _ => None,
    }
}
