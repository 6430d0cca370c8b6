//! The audit of identities: polynomials modulo a power of two, multiplied out.
//!
//! A manifest may list that a sum is congruent to 0 if other sums are 0, and so is 0 if it is less than a period away, where products of the machine stand in them ([`IdentityEntry`]). It says which terms the first of these define, and with which factors the others
//! add up to what is left. Here all of it is computed, from the texts alone. The arithmetic is that of the machine that this runs on: factors are numbers of 64 bits that wrap around.

use super::defect::{Mismatch, TermError};
use super::manifest::IdentityEntry;
use super::terms::{Node, Terms, shortened};
use provident_smt::fault::planted;
use std::collections::{BTreeMap, HashMap};

/// More monomials are not multiplied out.
const MAX_MONOMIALS: usize = 4_000;

/// A polynomial: the factors of products of terms.
type Sum = BTreeMap<Vec<Node>, u64>;

/// The fact that an entry states, once its reason is checked.
///
/// # Errors
/// The reason is none.
pub fn identity(terms: &mut Terms, entry: &IdentityEntry) -> Result<Node, Mismatch> {
    let wrong = || Mismatch::Identity(shortened(&entry.sum));
    if !(1..=64).contains(&entry.bits) {
        return Err(wrong());
    }
    let ring = Ring { bits: entry.bits };
    let mut premises = Vec::new();
    let mut zeros: Vec<Sum> = Vec::new();
    let texts = entry.definitions.iter().map(|definition| &definition.zero);
    for text in texts.chain(entry.multiples.iter().map(|multiple| &multiple.zero)) {
        let zero = terms.parse(text)?;
        zeros.push(ring.expanded(terms, zero).ok_or_else(wrong)?);
        let number = terms.number("0")?;
        premises.push(terms.apply("=", vec![zero, number]));
    }
    let sum = terms.parse(&entry.sum)?;
    let mut rest = ring.expanded(terms, sum).ok_or_else(wrong)?;
    for (at, definition) in entry.definitions.iter().enumerate() {
        let term = terms.parse(&definition.term)?;
        let by = ring.solved(&zeros[at], term).ok_or_else(wrong)?;
        for polynomial in zeros[at + 1..].iter_mut().chain([&mut rest]) {
            *polynomial = ring.replaced(polynomial, term, &by).ok_or_else(wrong)?;
        }
    }
    let others = &zeros[entry.definitions.len()..];
    for (multiple, zero) in entry.multiples.iter().zip(others) {
        let factor = terms.parse(&multiple.factor)?;
        let factor = ring.expanded(terms, factor).ok_or_else(wrong)?;
        let product = ring.product(&factor, zero).ok_or_else(wrong)?;
        rest = ring.sum(&rest, &product, u64::MAX);
    }
    if !rest.is_empty() && !planted("audit-identity") {
        return Err(wrong());
    }
    let period = 1i128 << entry.bits;
    let [low, high, zero] = [-period, period, 0].map(|number| terms.number(&number.to_string()));
    premises.push(terms.apply("<", vec![low?, sum]));
    premises.push(terms.apply("<", vec![sum, high?]));
    let (premise, conclusion) = (terms.apply("and", premises), terms.apply("=", vec![sum, zero?]));
    Ok(terms.apply("=>", vec![premise, conclusion]))
}

/// The bounds of products, as facts about those in a formula.
///
/// # Errors
/// A bound is no number.
pub fn bounds(terms: &mut Terms, formula: Node) -> Result<Vec<Node>, TermError> {
    let mut facts = Vec::new();
    for node in terms.below(&[formula]) {
        let (head, arguments) = terms.shape(node);
        let Some((is_signed, bits)) = product(head).filter(|_| arguments.len() == 2) else {
            continue;
        };
        let size = 1i128 << bits;
        let least = if is_signed { -(size / 2) } else { 0 };
        let [low, high] = [least, least + size - 1].map(|end| terms.number(&end.to_string()));
        facts.extend([
            terms.apply("<=", vec![low?, node]),
            terms.apply("<=", vec![node, high?]),
        ]);
    }
    Ok(facts)
}

/// Whether a function stands for products: whether they are signed, and their width.
fn product(head: &str) -> Option<(bool, u32)> {
    let name = head.trim_matches('|');
    let operator = name.split_once('@').map_or(name, |(operator, _)| operator);
    let kind = operator.strip_prefix("__mul:")?;
    let is_signed = match kind.get(..1)? {
        "i" => true,
        "u" => false,
        _ => return None,
    };
    let bits = kind.get(1..)?.parse().ok()?;
    (1..=64).contains(&bits).then_some((is_signed, bits))
}

/// The integers modulo a power of two.
#[derive(Clone, Copy)]
struct Ring {
    bits: u32,
}

impl Ring {
    fn factor(self, number: u64) -> u64 {
        number << (64 - self.bits) >> (64 - self.bits)
    }

    /// The left polynomial and a multiple of the right one.
    fn sum(self, left: &Sum, right: &Sum, times: u64) -> Sum {
        let mut sum = left.clone();
        for (monomial, &factor) in right {
            let entry = sum.entry(monomial.clone()).or_default();
            *entry = self.factor(entry.wrapping_add(factor.wrapping_mul(times)));
        }
        sum.retain(|_, factor| *factor != 0);
        sum
    }

    fn product(self, left: &Sum, right: &Sum) -> Option<Sum> {
        let mut product = Sum::new();
        for (some, &x) in left {
            for (more, &y) in right {
                let mut monomial: Vec<Node> = some.iter().chain(more).copied().collect();
                monomial.sort_unstable();
                let entry = product.entry(monomial).or_default();
                *entry = self.factor(entry.wrapping_add(x.wrapping_mul(y)));
                if product.len() > MAX_MONOMIALS {
                    return None;
                }
            }
        }
        product.retain(|_, factor| *factor != 0);
        Some(product)
    }

    /// The value of a term if a polynomial is 0, in which it has the factor 1 or -1 and which mentions it nowhere else.
    fn solved(self, zero: &Sum, term: Node) -> Option<Sum> {
        let mut rest = zero.clone();
        let own = rest.remove(&vec![term])?;
        let is_one = own == 1;
        let is_minus_one = own == self.factor(u64::MAX);
        if !(is_one || is_minus_one) || rest.keys().any(|monomial| monomial.contains(&term)) {
            return None;
        }
        Some(self.sum(&Sum::new(), &rest, if is_one { u64::MAX } else { 1 }))
    }

    fn replaced(self, polynomial: &Sum, term: Node, by: &Sum) -> Option<Sum> {
        let mut all = Sum::new();
        for (monomial, &factor) in polynomial {
            let mut part = Sum::from([(Vec::new(), factor)]);
            for &inner in monomial {
                let one = Sum::from([(vec![inner], 1)]);
                part = self.product(&part, if inner == term { by } else { &one })?;
            }
            all = self.sum(&all, &part, 1);
        }
        Some(all)
    }

    /// A term as a polynomial: sums, products, products of the machine of at least this width, and conditionals whose branches are congruent. All else is a number of its own.
    fn expanded(self, terms: &Terms, root: Node) -> Option<Sum> {
        let mut known: HashMap<Node, Sum> = HashMap::new();
        for node in terms.below(&[root]) {
            let (head, arguments) = terms.shape(node);
            let of = |at: usize| &known[&arguments[at]];
            let own = Sum::from([(vec![node], 1)]);
            let polynomial = match head {
                _ if head.bytes().all(|byte| byte.is_ascii_digit()) => {
                    let digit = |number: u64, byte: u8| number.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
                    let number = self.factor(head.bytes().fold(0, digit));
                    Sum::from([(Vec::new(), number)])
                        .into_iter()
                        .filter(|(_, factor)| *factor != 0)
                        .collect()
                }
                "+" => (0..arguments.len()).fold(Sum::new(), |sum, at| self.sum(&sum, of(at), 1)),
                "-" if arguments.len() == 1 => self.sum(&Sum::new(), of(0), u64::MAX),
                "-" => (1..arguments.len()).fold(of(0).clone(), |sum, at| self.sum(&sum, of(at), u64::MAX)),
                "*" => {
                    let one = Sum::from([(Vec::new(), 1)]);
                    (0..arguments.len()).try_fold(one, |product, at| self.product(&product, of(at)))?
                }
                "ite" if arguments.len() == 3 && of(1) == of(2) => of(1).clone(),
                _ if arguments.len() == 2 && product(head).is_some_and(|(_, bits)| bits >= self.bits) => {
                    self.product(of(0), of(1))?
                }
                _ => own,
            };
            known.insert(node, polynomial);
        }
        known.remove(&root)
    }
}

#[cfg(test)]
mod tests {
    use super::identity;
    use crate::evidence::obligations::manifest::{DefinitionEntry, IdentityEntry, MultipleEntry};
    use crate::evidence::obligations::terms::Terms;

    fn entry(bits: u32) -> IdentityEntry {
        let text = |text: &str| text.to_string();
        // With u = x * z + 1 and v = y * z, u * z - u - v + 1 is z * (x * z - x - y + 1).
        IdentityEntry {
            bits,
            definitions: vec![
                DefinitionEntry {
                    zero: text("(- |u| (ite (< |x| 0) (+ (|__mul:i8| |x| |z|) 257) (+ (|__mul:i8| |x| |z|) 1)))"),
                    term: text("|u|"),
                },
                DefinitionEntry {
                    zero: text("(- (|__mul:i8| |y| |z|) |v|)"),
                    term: text("|v|"),
                },
            ],
            multiples: vec![MultipleEntry {
                zero: text("(+ (|__mul:i8| |z| |x|) (- |x|) (- |y|) 1)"),
                factor: text("(+ 0 (* 1 |z|))"),
            }],
            sum: text("(+ (- (|__mul:i8| |u| |z|) |u| |v|) 1)"),
        }
    }

    #[test]
    fn reasons_are_multiplied_out() {
        let mut terms = Terms::default();
        assert!(identity(&mut terms, &entry(8)).is_ok());
        let change = |change: &dyn Fn(&mut IdentityEntry)| {
            let mut changed = entry(8);
            change(&mut changed);
            identity(&mut Terms::default(), &changed).is_ok()
        };
        // Products of 8 bits say nothing about more; nor do 256 more about 16 bits.
        assert!(!change(&|entry| entry.bits = 16));
        assert!(!change(&|entry| entry.bits = 0));
        assert!(!change(&|entry| entry.multiples[0].factor = "(+ 1 |z|)".to_string()));
        assert!(!change(&|entry| entry.multiples.clear()));
        assert!(!change(&|entry| drop(entry.definitions.remove(1))));
        assert!(!change(&|entry| entry.definitions[1].term = "|u|".to_string()));
        assert!(!change(
            &|entry| entry.definitions[1].zero = "(- (|__mul:i8| |v| |z|) |v|)".to_string()
        ));
        assert!(!change(
            &|entry| entry.sum = "(+ (- (|__mul:i8| |u| |z|) |u| |v|) 2)".to_string()
        ));
        // 257 is 1 modulo 256, and the machine's products commute.
        assert!(change(
            &|entry| entry.sum = "(+ (- (|__mul:i8| |z| |u|) |u| |v|) 257)".to_string()
        ));
    }
}
