//! Conversions that lose nothing, and those that give back what they were given.
//!
//! A number of a short format is one of every longer format, and an integer of few enough bits is a floating-point number. So `(float)(double)f` is `f`, and `(int)(double)i` is `i`, of which
//! monotonicity ([`super::lemmas`]) shows one value at a time.

use super::*;

/// An application of a function symbol to one operand.
#[derive(Clone, Copy)]
pub struct Conversion<'n> {
    /// The application.
    pub term: TermId,
    /// The name of the symbol.
    pub operator: &'n str,
    /// The operand.
    pub operand: TermId,
}

/// The fact that one conversion gives back what another one was given, if it gets its result: a fact about all operands that the other one converts without loss. `None` if the two are no such conversions.
pub fn inverse(pool: &mut TermPool, back: Conversion<'_>, there: Conversion<'_>) -> Option<TermId> {
    let (middle, last) = conversion(back.operator)?;
    let (first, other) = conversion(there.operator)?;
    let Shape::Float(wide) = middle else { return None };
    if middle != other {
        return None;
    }
    let x = there.operand;
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
    let is_given = pool.eq(back.operand, there.term);
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
