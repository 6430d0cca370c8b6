//! The machine's values of non-linear operators, and facts about its products, for the checks of scripts.
//!
//! This shares no code with the encoder, which has its own: here numbers are reduced to bit patterns first, and the operators are those of the machine that
//! this runs on.

use super::terms::{Node, Terms};

/// The value of an operator at numbers: of `__mul:i32` at 3 and 5, 15. `None` if the name is no operator's, if the value is not specified, or if a number is not one of
/// its type where that matters.
pub fn value(operator: &str, arguments: &[i128]) -> Option<i128> {
    let &[a, b] = arguments else { return None };
    let (name, kind) = operator.split_once(':')?;
    let (signed, width) = kind.split_at_checked(1)?;
    let is_signed = match signed {
        "i" => true,
        "u" => false,
        _ => return None,
    };
    let width: u32 = width.parse().ok().filter(|width| (1..=64).contains(width))?;
    let shift = 128 - width;
    // The low bits, and the number of the type that has them.
    let bits = |number: i128| (number << shift).cast_unsigned() >> shift;
    let number = |bits: u128| match is_signed {
        true => (bits.cast_signed() << shift) >> shift,
        false => ((bits << shift) >> shift).cast_signed(),
    };
    let is_own = |value: i128| number(bits(value)) == value;
    let amount = u32::try_from(b).ok().filter(|&amount| amount < width);
    match name {
        "__and" => Some(number(bits(a) & bits(b))),
        "__or" => Some(number(bits(a) | bits(b))),
        "__xor" => Some(number(bits(a) ^ bits(b))),
        "__mul" => Some(number(bits(a).wrapping_mul(bits(b)))),
        "__shl" => Some(number(bits(a) << amount?)),
        "__shr" if is_own(a) => Some(a >> amount?),
        "__div" | "__rem" if is_own(a) && is_own(b) => {
            let quotient = a.checked_div(b).filter(|&quotient| is_own(quotient))?;
            Some(if name == "__div" { quotient } else { a % b })
        }
        _ => None,
    }
}

/// More products of one formula are not linked.
const MAX_PRODUCTS: usize = 8;

/// The facts about products in a formula that hold for all factors, modulo the period of the type: products with 0 and 1, the range, and two products whose factors are at most one step apart.
pub fn products(terms: &mut Terms, formula: Node) -> Vec<Node> {
    let mut found: Vec<(Node, String, Node, Node, i128, i128)> = Vec::new();
    for node in terms.below(&[formula]) {
        let (head, arguments) = terms.shape(node);
        let name = head.trim_matches('|');
        let operator = name.split_once('@').map_or(name, |(operator, _)| operator);
        let Some(kind) = operator.strip_prefix("__mul:") else {
            continue;
        };
        let width: Option<u32> = kind.get(1..).and_then(|width| width.parse().ok());
        if let (&[a, b], Some(width @ 1..=64)) = (arguments, width) {
            let period = 1i128 << width;
            let least = if kind.starts_with('i') { -(period / 2) } else { 0 };
            found.push((node, operator.to_string(), a, b, least, period));
        }
    }
    found.truncate(MAX_PRODUCTS);
    let mut facts = Vec::new();
    for (at, (product, operator, c, d, least, period)) in found.iter().enumerate() {
        let (low, high) = (numeral(terms, *least), numeral(terms, least + period - 1));
        facts.push(terms.apply("<=", vec![low, *product]));
        facts.push(terms.apply("<=", vec![*product, high]));
        for (factor, other) in [(*c, *d), (*d, *c)] {
            let (zero, one) = (numeral(terms, 0), numeral(terms, 1));
            let other = reduced(terms, other, *least, *period);
            for (number, value) in [(zero, zero), (one, other)] {
                let premise = terms.apply("=", vec![factor, number]);
                let conclusion = terms.apply("=", vec![*product, value]);
                facts.push(terms.apply("=>", vec![premise, conclusion]));
            }
        }
        for (known, _, a, b, ..) in found[..at].iter().filter(|other| other.1 == *operator) {
            for (first, second) in [(*c, *d), (*d, *c)] {
                for (i, j) in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)] {
                    let mut near = |factor: Node, from: Node, step: i128| {
                        let step = numeral(terms, step);
                        let there = terms.apply("+", vec![from, step]);
                        terms.apply("=", vec![factor, there])
                    };
                    let sides = vec![near(first, *a, i), near(second, *b, j)];
                    let mut premises = sides;
                    let (by_i, by_j, both) = (numeral(terms, i), numeral(terms, j), numeral(terms, i * j));
                    let (more, again) = (terms.apply("*", vec![by_i, *b]), terms.apply("*", vec![by_j, *a]));
                    let sum = terms.apply("+", vec![*known, more, again, both]);
                    let value = match (i, j) {
                        (0, 0) => *known,
                        (_, 0) | (0, _) => {
                            let added = if j == 0 { *b } else { *a };
                            premises.push(terms.apply("<=", vec![low, added]));
                            premises.push(terms.apply("<=", vec![added, high]));
                            moved(terms, sum, *least, *period)
                        }
                        _ => reduced(terms, sum, *least, *period),
                    };
                    let premise = terms.apply("and", premises);
                    let conclusion = terms.apply("=", vec![*product, value]);
                    facts.push(terms.apply("=>", vec![premise, conclusion]));
                }
            }
        }
    }
    facts
}

/// A number as a term.
fn numeral(terms: &mut Terms, number: i128) -> Node {
    terms.number(&number.to_string()).expect("a number is one")
}

/// The number from `least` on that is congruent to a term modulo the period.
fn reduced(terms: &mut Terms, term: Node, least: i128, period: i128) -> Node {
    let (low, size) = (numeral(terms, least), numeral(terms, period));
    let distance = terms.apply("-", vec![term, low]);
    let quotient = terms.apply("div", vec![distance, size]);
    let multiple = terms.apply("*", vec![size, quotient]);
    terms.apply("-", vec![term, multiple])
}

/// The same for a term that is at most a period away.
fn moved(terms: &mut Terms, term: Node, least: i128, period: i128) -> Node {
    let (low, end, size) = (
        numeral(terms, least),
        numeral(terms, least + period),
        numeral(terms, period),
    );
    let (up, down) = (terms.apply("+", vec![term, size]), terms.apply("-", vec![term, size]));
    let (below, above) = (terms.apply("<", vec![term, low]), terms.apply(">=", vec![term, end]));
    let raised = terms.apply("ite", vec![below, up, term]);
    terms.apply("ite", vec![above, down, raised])
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn values_are_those_of_the_machine() {
        for a in i8::MIN..=i8::MAX {
            for b in i8::MIN..=i8::MAX {
                let [x, y] = [a, b].map(i128::from);
                let [p, q] = [a, b].map(|n| i128::from(n.cast_unsigned()));
                let signed = |name: &str| value(&format!("{name}:i8"), &[x, y]);
                let unsigned = |name: &str| value(&format!("{name}:u8"), &[p, q]);
                assert_eq!(signed("__mul"), Some(i128::from(a.wrapping_mul(b))));
                assert_eq!(
                    unsigned("__mul"),
                    Some(i128::from(a.cast_unsigned().wrapping_mul(b.cast_unsigned())))
                );
                assert_eq!(signed("__xor"), Some(i128::from(a ^ b)));
                assert_eq!(signed("__div"), a.checked_div(b).map(i128::from));
                assert_eq!(signed("__rem"), a.checked_rem(b).map(i128::from));
                assert_eq!(
                    unsigned("__rem"),
                    a.cast_unsigned().checked_rem(b.cast_unsigned()).map(i128::from)
                );
                assert_eq!(
                    signed("__shr"),
                    u32::try_from(b).ok().and_then(|n| a.checked_shr(n)).map(i128::from)
                );
                assert_eq!(
                    unsigned("__shl"),
                    a.cast_unsigned()
                        .checked_shl(u32::from(b.cast_unsigned()))
                        .map(i128::from)
                );
            }
        }
        assert_eq!(
            value("__mul:u64", &[i128::from(u64::MAX), i128::from(u64::MAX)]),
            Some(1)
        );
        assert_eq!(
            value("__mul:i64", &[i128::from(i64::MIN), -1]),
            Some(i128::from(i64::MIN))
        );
        for wrong in [
            "mul",
            "__mul",
            "__mul:",
            "__mul:x8",
            "__mul:i0",
            "__mul:i65",
            "__pow:i8",
        ] {
            assert_eq!(value(wrong, &[1, 1]), None, "{wrong}");
        }
    }
}
