//! Non-linear operations: uninterpreted functions with axioms.
//!
//! `x * y` with two unknowns becomes `__mul:i32(x, y)`, a function for which the formula has only axioms that are cheap and often
//! needed: ranges, signs, neutral and absorbing elements, equal operands. Every real execution satisfies them, so the formula
//! over-approximates; the ledger says so. The same operands give the same result, as one function symbol
//! stands for all occurrences. If a model is spurious, [`evaluate_operator`] gives the exact value at the model's
//! arguments and add it: the name carries everything needed.

use super::context::{Context, Value};
use super::ranges::Range;
use crate::cfa::program::scalar::{Class, Scalar};
use crate::cfa::{AssumptionKind, BinOp};
use crate::frontend::types::IntInfo;
use provident_smt::blast::Meaning;
/// An operator with two unknown operands.
pub use provident_smt::blast::Operation as Operator;
use provident_smt::num::Int;
use provident_smt::term::{Term, TermId, TermPool};

const NAMES: [(Operator, &str); 8] = [
    (Operator::Mul, "__mul"),
    (Operator::Div, "__div"),
    (Operator::Rem, "__rem"),
    (Operator::And, "__and"),
    (Operator::Or, "__or"),
    (Operator::Xor, "__xor"),
    (Operator::Shl, "__shl"),
    (Operator::Shr, "__shr"),
];

/// The name of an operator's functions, without the type.
fn name_of(operator: Operator) -> &'static str {
    let named = NAMES.iter().find(|(other, _)| *other == operator);
    named.expect("every operator has a name").1
}

fn commutes(operator: Operator) -> bool {
    matches!(operator, Operator::Mul | Operator::And | Operator::Or | Operator::Xor)
}

/// Whether the function of a name is a product.
pub fn is_product(name: &str) -> bool {
    name.split_once(':')
        .is_some_and(|(operator, _)| operator == name_of(Operator::Mul))
}

/// Whether an equation that a sum is 0 may be part of an axiom of a product: it says that a product or a variable is a number, or that a product is one of its factors.
pub fn is_in_product_axiom(pool: &TermPool, sum: TermId) -> bool {
    let mut parts = Vec::new();
    pool.for_each_monomial(sum, |_, part| parts.push(part));
    let factors = |part: &TermId| match pool.term(*part) {
        Term::App(symbol, arguments) if is_product(pool.name(symbol.name)) => Some(&**arguments),
        _ => None,
    };
    match parts[..] {
        [one] => factors(&one).is_some() || matches!(pool.term(one), Term::IntVar(_)),
        [one, two] => [(one, two), (two, one)]
            .iter()
            .any(|(product, other)| factors(product).is_some_and(|factors| factors.contains(other))),
        _ => false,
    }
}

/// The sum with products of an atom that says that an unsigned number is 0: it is no equation, but a bound.
pub fn unsigned_zero(pool: &TermPool, atom: TermId) -> Option<TermId> {
    let Term::Le(sum) = *pool.term(atom) else { return None };
    let (mut parts, mut is_rest) = (Vec::new(), false);
    let constant = pool.for_each_monomial(sum, |factor, part| {
        parts.push(part);
        is_rest |= matches!(pool.term(part), Term::Div(_, period) if *factor == -period && *period >= Int::pow2(32));
    });
    let is_conditional = constant.is_zero() && matches!(parts[..], [one] if matches!(pool.term(one), Term::Ite(..)));
    let mut symbols = pool.symbols(sum).into_iter();
    let has_products = symbols.any(|symbol| is_product(pool.name(symbol.name)));
    ((is_rest || is_conditional) && has_products).then_some(sum)
}

/// The name of the function for products of an integer type.
pub fn product_name(info: IntInfo) -> String {
    let letter = if info.signed { 'i' } else { 'u' };
    format!("{}:{letter}{}", name_of(Operator::Mul), info.width)
}

/// The exact value of an operator's function symbol at concrete arguments: of `__mul:i32` at 3 and 5, 15. `None` if the name is
/// no operator's or the machine's result is not specified (division by 0, a shift by more than the width).
pub fn evaluate_operator(name: &str, arguments: &[Int]) -> Option<Int> {
    if name.starts_with(super::floating::PREFIX) {
        return super::floating::evaluate_float(name, arguments);
    }
    let (operator, kind) = name.split_once(':')?;
    let operator = NAMES.iter().find(|(_, text)| *text == operator)?.0;
    let [a, b] = arguments else { return None };
    let signed = kind.starts_with('i');
    let width: u32 = kind.get(1..)?.parse().ok()?;
    let period = Int::pow2(width);
    let wrap = |value: Int| {
        let bits = value.mod_floor(&period);
        if signed && bits >= Int::pow2(width - 1) {
            bits - &period
        } else {
            bits
        }
    };
    let amount = || b.to_i64().and_then(|n| u32::try_from(n).ok()).filter(|&n| n < width);
    let exact = match operator {
        Operator::Mul => a * b,
        Operator::Div | Operator::Rem => {
            if b.is_zero() {
                return None;
            }
            let size = a.abs().div_floor(&b.abs());
            let quotient = if a.is_negative() == b.is_negative() {
                size
            } else {
                -size
            };
            if wrap(quotient.clone()) != quotient {
                return None;
            }
            if operator == Operator::Div {
                quotient
            } else {
                a - &(&quotient * b)
            }
        }
        Operator::And | Operator::Or | Operator::Xor => {
            let (x, y) = (a.mod_floor(&period).to_bigint(), b.mod_floor(&period).to_bigint());
            Int::from(match operator {
                Operator::And => x & y,
                Operator::Or => x | y,
                _ => x ^ y,
            })
        }
        Operator::Shl => a * &Int::pow2(amount()?),
        Operator::Shr => a.div_floor(&Int::pow2(amount()?)),
    };
    Some(wrap(exact))
}

/// The operation of the machine that an operator's function symbol stands for; `None` if the name is no operator's.
pub fn operator_meaning(name: &str) -> Option<Meaning> {
    let (operator, kind) = name.split_once(':')?;
    let operator = NAMES.iter().find(|(_, text)| *text == operator)?.0;
    let signed = match kind.get(..1)? {
        "i" => true,
        "u" => false,
        _ => return None,
    };
    Some(Meaning {
        operation: operator,
        width: kind.get(1..)?.parse().ok()?,
        signed,
    })
}

impl Context<'_, '_> {
    /// The application of an operator's function to two unknown operands, with its axioms.
    pub fn apply(&mut self, operator: Operator, a: Value, b: Value, scalar: Scalar) -> Value {
        self.trust(
            AssumptionKind::Bitwise,
            "a non-linear operation has any value that its axioms allow",
            true,
        );
        let swap = commutes(operator) && self.pool.compare(a.term, b.term).is_gt();
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let class = if scalar.class == Class::Pointer {
            scalar.unsigned()
        } else {
            scalar
        };
        let symbol = self.pool.symbol(&format!("{}:{}", name_of(operator), class.name()));
        let term = self.pool.app(symbol, 0, &[a.term, b.term]);
        let range = self.operator_range(operator, &a.range, &b.range, scalar);
        self.bound(term, &range);
        let axioms = Axioms {
            cx: self,
            x: a,
            y: b,
            r: Value::new(term, range.clone()),
        };
        axioms.add(operator, scalar);
        Value::new(term, range)
    }

    fn operator_range(&self, operator: Operator, a: &Range, b: &Range, scalar: Scalar) -> Range {
        let whole = self.range_of(scalar);
        match operator {
            Operator::And => self.bit_range(BinOp::And, a, b, scalar),
            Operator::Or | Operator::Xor => self.bit_range(BinOp::Or, a, b, scalar),
            Operator::Mul => {
                let product = a.mul(b);
                if product.within(&whole) { product } else { whole }
            }
            // Not narrower for the others: division by 0 may give any value.
            Operator::Div | Operator::Rem | Operator::Shl | Operator::Shr => whole,
        }
    }
}

struct Axioms<'c, 'a, 'p> {
    cx: &'c mut Context<'a, 'p>,
    x: Value,
    y: Value,
    r: Value,
}

impl Axioms<'_, '_, '_> {
    /// A comparison of an operand with a number.
    fn is(&mut self, v: &Value, op: BinOp, number: i64) -> TermId {
        let number = self.cx.constant(number);
        self.cx.compare(op, v, &number)
    }

    fn when(&mut self, premises: &[TermId], conclusion: TermId) {
        let premise = self.cx.pool.and(premises);
        let axiom = self.cx.pool.implies(premise, conclusion);
        self.cx.require(axiom);
    }

    fn order(&mut self, a: &Value, op: BinOp, b: &Value) -> TermId {
        self.cx.compare(op, a, b)
    }

    /// If an operand is a number, the result is another operand or 0.
    fn neutral(&mut self, operand: &Value, number: i64, result: Option<&Value>) {
        let zero = self.cx.constant(0i64);
        let result = result.unwrap_or(&zero).clone();
        let r = self.r.clone();
        let premise = self.is(operand, BinOp::Eq, number);
        let conclusion = self.order(&r, BinOp::Eq, &result);
        self.when(&[premise], conclusion);
    }

    fn negated(&mut self, v: &Value) -> Value {
        Value::new(self.cx.pool.neg(v.term), v.range.scale(&Int::MINUS_ONE))
    }

    fn add(mut self, operator: Operator, scalar: Scalar) {
        let (x, y) = (self.x.clone(), self.y.clone());
        match operator {
            Operator::Mul => self.mul(&x, &y, scalar),
            Operator::Div => self.div(&x, &y),
            Operator::Rem => self.rem(&x, &y),
            Operator::And => {
                self.neutral(&x, 0, None);
                self.neutral(&y, 0, None);
                self.neutral(&x, -1, Some(&y));
                self.neutral(&y, -1, Some(&x));
                self.equal_operands(Some(&x));
                self.and_bounds(&x, &y);
            }
            Operator::Or => {
                self.neutral(&x, 0, Some(&y));
                self.neutral(&y, 0, Some(&x));
                self.equal_operands(Some(&x));
                self.or_bounds(&x, &y);
            }
            Operator::Xor => {
                self.neutral(&x, 0, Some(&y));
                self.neutral(&y, 0, Some(&x));
                self.xor_bounds(&x, &y);
            }
            Operator::Shl => {
                self.neutral(&y, 0, Some(&x));
                let (zero, r) = (self.is(&x, BinOp::Eq, 0), self.r.clone());
                let premises = [
                    zero,
                    self.is(&y, BinOp::Ge, 0),
                    self.is(&y, BinOp::Lt, i64::from(scalar.width)),
                ];
                let conclusion = self.is(&r, BinOp::Eq, 0);
                self.when(&premises, conclusion);
            }
            Operator::Shr => self.shr(&x, &y, scalar),
        }
    }

    fn mul(&mut self, x: &Value, y: &Value, scalar: Scalar) {
        self.neutral(x, 0, None);
        self.neutral(y, 0, None);
        self.neutral(x, 1, Some(y));
        self.neutral(y, 1, Some(x));
        if !x.range.mul(&y.range).within(&self.cx.range_of(scalar)) {
            return;
        }
        // Nothing wraps around: the sign is known, and away from 0 and 1 the product is no smaller than a factor.
        let r = self.r.clone();
        let (x_positive, y_positive) = (self.is(x, BinOp::Gt, 0), self.is(y, BinOp::Gt, 0));
        let (x_negative, y_negative) = (self.is(x, BinOp::Lt, 0), self.is(y, BinOp::Lt, 0));
        for factor in [x, y] {
            let conclusion = self.order(&r, BinOp::Ge, factor);
            self.when(&[x_positive, y_positive], conclusion);
        }
        let positive = self.is(&r, BinOp::Gt, 0);
        self.when(&[x_negative, y_negative], positive);
        let negative = self.is(&r, BinOp::Lt, 0);
        self.when(&[x_negative, y_positive], negative);
        self.when(&[x_positive, y_negative], negative);
    }

    fn div(&mut self, x: &Value, y: &Value) {
        let r = self.r.clone();
        self.neutral(y, 1, Some(x));
        let (x_up, x_down) = (self.is(x, BinOp::Ge, 0), self.is(x, BinOp::Le, 0));
        let (y_up, y_down) = (self.is(y, BinOp::Gt, 0), self.is(y, BinOp::Lt, 0));
        let (r_up, r_down) = (self.is(&r, BinOp::Ge, 0), self.is(&r, BinOp::Le, 0));
        let minus_x = self.negated(x);
        let cases = [
            (x_up, y_up, r_up, BinOp::Le, x.clone()),
            (x_down, y_up, r_down, BinOp::Ge, x.clone()),
            (x_up, y_down, r_down, BinOp::Ge, minus_x.clone()),
            (x_down, y_down, r_up, BinOp::Le, minus_x),
        ];
        for (p, q, sign, op, limit) in cases {
            // INT_MIN / -1 is not specified and is neither positive nor negative for sure.
            let overflow = if q == y_down {
                self.overflow(x, y)
            } else {
                self.cx.pool.mk_false()
            };
            let defined = self.cx.pool.not(overflow);
            let within = self.order(&r, op, &limit);
            self.when(&[p, q, defined], sign);
            self.when(&[p, q, defined], within);
        }
        let smaller = self.order(x, BinOp::Lt, y);
        let none = self.is(&r, BinOp::Eq, 0);
        self.when(&[x_up, smaller], none);
        let (same, nonzero) = (self.order(x, BinOp::Eq, y), self.is(y, BinOp::Ne, 0));
        let one = self.is(&r, BinOp::Eq, 1);
        self.when(&[same, nonzero], one);
        let two = self.is(y, BinOp::Ge, 2);
        let doubled = Value::new(
            self.cx.pool.scale(&Int::from(2i64), r.term),
            r.range.scale(&Int::from(2i64)),
        );
        let halved = self.order(&doubled, BinOp::Le, x);
        self.when(&[x_up, two], halved);
    }

    /// Whether the quotient is the one that does not fit: the least number by -1.
    fn overflow(&mut self, x: &Value, y: &Value) -> TermId {
        let Some(least) = x.range.lo.clone() else {
            return self.cx.pool.mk_false();
        };
        let least = self.cx.constant(least);
        let (p, q) = (self.order(x, BinOp::Eq, &least), self.is(y, BinOp::Eq, -1));
        self.cx.pool.and2(p, q)
    }

    fn rem(&mut self, x: &Value, y: &Value) {
        let r = self.r.clone();
        let overflow = self.overflow(x, y);
        let defined = self.cx.pool.not(overflow);
        let (x_up, x_down) = (self.is(x, BinOp::Ge, 0), self.is(x, BinOp::Le, 0));
        let (y_up, y_down) = (self.is(y, BinOp::Gt, 0), self.is(y, BinOp::Lt, 0));
        let nonzero = self.is(y, BinOp::Ne, 0);
        let (r_up, r_down) = (self.is(&r, BinOp::Ge, 0), self.is(&r, BinOp::Le, 0));
        let (most, least) = (self.order(&r, BinOp::Le, x), self.order(&r, BinOp::Ge, x));
        for conclusion in [r_up, most] {
            self.when(&[x_up, nonzero, defined], conclusion);
        }
        for conclusion in [r_down, least] {
            self.when(&[x_down, nonzero, defined], conclusion);
        }
        let (minus_y, minus_r) = (self.negated(y), self.negated(&r));
        let conclusions = [
            (y_up, self.order(&r, BinOp::Lt, y)),
            (y_up, self.order(&minus_r, BinOp::Lt, y)),
            (y_down, self.order(&r, BinOp::Lt, &minus_y)),
            (y_down, self.order(&minus_r, BinOp::Lt, &minus_y)),
        ];
        for (premise, conclusion) in conclusions {
            self.when(&[premise, defined], conclusion);
        }
        let (smaller, same) = (self.order(x, BinOp::Lt, y), self.order(&r, BinOp::Eq, x));
        self.when(&[x_up, smaller], same);
    }

    fn equal_operands(&mut self, result: Option<&Value>) {
        let (x, y, r) = (self.x.clone(), self.y.clone(), self.r.clone());
        let premise = self.order(&x, BinOp::Eq, &y);
        let zero = self.cx.constant(0i64);
        let conclusion = self.order(&r, BinOp::Eq, result.unwrap_or(&zero));
        self.when(&[premise], conclusion);
    }

    fn and_bounds(&mut self, x: &Value, y: &Value) {
        let r = self.r.clone();
        let positive = self.is(&r, BinOp::Ge, 0);
        for v in [x, y] {
            let premise = self.is(v, BinOp::Ge, 0);
            let below = self.order(&r, BinOp::Le, v);
            self.when(&[premise], positive);
            self.when(&[premise], below);
        }
        let premises = [self.is(x, BinOp::Lt, 0), self.is(y, BinOp::Lt, 0)];
        for v in [x, y] {
            let below = self.order(&r, BinOp::Le, v);
            self.when(&premises, below);
        }
        // x & y = x + y - (x | y), and x | y is at most -1.
        let least = Value::new(
            self.cx.pool.linear(&[(Int::ONE, x.term), (Int::ONE, y.term)], Int::ONE),
            Range::ALL,
        );
        let above = self.order(&r, BinOp::Ge, &least);
        self.when(&premises, above);
    }

    fn or_bounds(&mut self, x: &Value, y: &Value) {
        let r = self.r.clone();
        let premises = [self.is(x, BinOp::Ge, 0), self.is(y, BinOp::Ge, 0)];
        let sum = Value::new(self.cx.pool.add(x.term, y.term), Range::ALL);
        let conclusions = [
            self.order(&r, BinOp::Ge, x),
            self.order(&r, BinOp::Ge, y),
            self.order(&r, BinOp::Le, &sum),
        ];
        for conclusion in conclusions {
            self.when(&premises, conclusion);
        }
        let negative = self.is(&r, BinOp::Lt, 0);
        for v in [x, y] {
            let premise = self.is(v, BinOp::Lt, 0);
            self.when(&[premise], negative);
            let above = self.order(&r, BinOp::Ge, v);
            self.when(&[premise], above);
        }
    }

    fn xor_bounds(&mut self, x: &Value, y: &Value) {
        let r = self.r.clone();
        let (same, none) = (self.order(x, BinOp::Eq, y), self.is(&r, BinOp::Eq, 0));
        let equivalence = self.cx.pool.iff(same, none);
        self.cx.require(equivalence);
        let (x_up, y_up) = (self.is(x, BinOp::Ge, 0), self.is(y, BinOp::Ge, 0));
        let alike = self.cx.pool.iff(x_up, y_up);
        let positive = self.is(&r, BinOp::Ge, 0);
        let sign = self.cx.pool.iff(alike, positive);
        self.cx.require(sign);
        let sum = Value::new(self.cx.pool.add(x.term, y.term), Range::ALL);
        let below = self.order(&r, BinOp::Le, &sum);
        self.when(&[x_up, y_up], below);
    }

    fn shr(&mut self, x: &Value, y: &Value, scalar: Scalar) {
        let r = self.r.clone();
        self.neutral(y, 0, Some(x));
        let amount = [self.is(y, BinOp::Ge, 0), self.is(y, BinOp::Lt, i64::from(scalar.width))];
        let (up, down) = (self.is(x, BinOp::Ge, 0), self.is(x, BinOp::Lt, 0));
        let conclusions = [
            (up, self.is(&r, BinOp::Ge, 0)),
            (up, self.order(&r, BinOp::Le, x)),
            (down, self.is(&r, BinOp::Lt, 0)),
            (down, self.order(&r, BinOp::Ge, x)),
        ];
        for (premise, conclusion) in conclusions {
            self.when(&[premise, amount[0], amount[1]], conclusion);
        }
        let one = self.is(y, BinOp::Ge, 1);
        let doubled = Value::new(
            self.cx.pool.scale(&Int::from(2i64), r.term),
            r.range.scale(&Int::from(2i64)),
        );
        let halved = self.order(&doubled, BinOp::Le, x);
        self.when(&[up, one, amount[1]], halved);
    }
}
