//! Products of unknowns and divisions by unknowns.
//!
//! To the solver such a term is the application of an uninterpreted function; a polynomial is expanded, so that each product has
//! one form. *Axioms* say what linear arithmetic can know of a product or quotient in general, so that an `unsat` is right.
//! A model of the rest is evaluated with the true operations, and counts only if it satisfies the script. Otherwise *value lemmas* at
//! the model's point exclude it: `x = 3 -> x*y = 3*y`, and the planes that touch the product there (incremental linearisation, Cimatti,
//! Griggio, Irfan, Roveri, Sebastiani, TACAS 2017). After a number of rounds the answer is unknown.
//!
//! The rounds are in `nonlinear_check`.
//!
//! A division by zero is any function of the dividend, as SMT-LIB has it: the function's table decides it.

use super::limits::MAX_TERMS;
use super::symbols::{OPERATIONS, operation_of, symbol_of};
use crate::hash::FxHashSet;
use crate::model::{Model, Operation};
use crate::num::{Int, Rational};
use crate::term::{Symbol, Term, TermId, TermPool};

/// The product of two numbers.
pub(super) fn product(pool: &mut TermPool, a: TermId, b: TermId) -> TermId {
    for (factor, other) in [(a, b), (b, a)] {
        if let Some(value) = pool.as_rational(factor) {
            return pool.scale_rational(&value, other);
        }
        if let Some((condition, yes, no)) = constant_choice(pool, factor) {
            let (yes, no) = (product(pool, yes, other), product(pool, no, other));
            return pool.ite(condition, yes, no);
        }
    }
    let (left, left_denominator) = monomials(pool, a);
    let (right, right_denominator) = monomials(pool, b);
    if left.len() * right.len() > MAX_TERMS {
        return power_product(pool, vec![a, b]);
    }
    let mut sum = Vec::new();
    for (c, x) in &left {
        for (d, y) in &right {
            let factors = x.iter().chain(y).copied().collect();
            sum.push((c * d, power_product(pool, factors)));
        }
    }
    let sum = pool.linear(&sum, Int::ZERO);
    pool.ratio(sum, &(left_denominator * right_denominator))
}

/// The condition and the branches of a conditional between constants, however nested.
fn constant_choice(pool: &TermPool, term: TermId) -> Option<(TermId, TermId, TermId)> {
    let is_constant = |t: TermId| pool.as_rational(t).is_some();
    match *pool.term(term) {
        Term::Ite(condition, yes, no)
            if (is_constant(yes) || constant_choice(pool, yes).is_some())
                && (is_constant(no) || constant_choice(pool, no).is_some()) =>
        {
            Some((condition, yes, no))
        }
        _ => None,
    }
}

/// The monomials of a number with their factors (none for the constant), and the denominator.
fn monomials(pool: &TermPool, term: TermId) -> (Vec<(Int, Vec<TermId>)>, Int) {
    let (sum, denominator) = pool.over_denominator(term);
    let mut found = Vec::new();
    let constant = pool.for_each_monomial(sum, |coefficient, leaf| found.push((coefficient.clone(), leaf)));
    let mut found: Vec<_> = found.into_iter().map(|(c, leaf)| (c, factors(pool, leaf))).collect();
    if !constant.is_zero() {
        found.push((constant, Vec::new()));
    }
    (found, denominator)
}

/// The factors of a product, or the term itself.
fn factors(pool: &TermPool, leaf: TermId) -> Vec<TermId> {
    match pool.term(leaf) {
        Term::App(f, arguments) | Term::RealApp(f, arguments) if operation_of(pool, *f) == Some(Operation::Product) => {
            arguments.to_vec()
        }
        _ => vec![leaf],
    }
}

/// The product of terms that are not constants.
fn power_product(pool: &mut TermPool, mut factors: Vec<TermId>) -> TermId {
    factors.sort_unstable();
    match factors[..] {
        [] => pool.int(1),
        [single] => single,
        _ => apply(pool, Operation::Product, &factors),
    }
}

fn apply(pool: &mut TermPool, operation: Operation, arguments: &[TermId]) -> TermId {
    let function = symbol_of(pool, operation);
    let is_real = operation == Operation::Quotient || arguments.iter().any(|&a| pool.is_real(a));
    if is_real {
        pool.real_app(function.name, function.index, arguments)
    } else {
        pool.app(function.name, function.index, arguments)
    }
}

/// The quotient or remainder of integers, or the quotient of reals, as SMT-LIB has it.
pub(super) fn division(pool: &mut TermPool, operation: Operation, dividend: TermId, divisor: TermId) -> TermId {
    if let Some((condition, yes, no)) = constant_choice(pool, divisor) {
        let (yes, no) = (
            division(pool, operation, dividend, yes),
            division(pool, operation, dividend, no),
        );
        return pool.ite(condition, yes, no);
    }
    match pool.as_rational(divisor) {
        Some(value) if !value.is_zero() => divided_by(pool, operation, dividend, &value),
        _ => apply(pool, operation, &[dividend, divisor]),
    }
}

/// The linear term of a division by a constant that is not zero.
fn divided_by(pool: &mut TermPool, operation: Operation, dividend: TermId, divisor: &Rational) -> TermId {
    let size = divisor.numer().abs();
    match operation {
        Operation::Quotient => pool.scale_rational(&divisor.recip(), dividend),
        Operation::Mod => pool.mod_floor(dividend, &size),
        Operation::Div => {
            let quotient = pool.div_floor(dividend, &size);
            if divisor.is_negative() {
                pool.neg(quotient)
            } else {
                quotient
            }
        }
        Operation::Product => unreachable!("a product is no division"),
    }
}

/// The model in which these functions are the operations.
pub(super) fn interpreted(pool: &TermPool, mut model: Model) -> Model {
    for (name, operation) in OPERATIONS {
        if let Some(name) = pool.find_symbol(name) {
            model.interpret(Symbol { name, index: 0 }, operation);
        }
    }
    model
}

/// An application that stands for an operation.
struct Operated {
    pub(super) term: TermId,
    pub(super) operation: Operation,
    pub(super) arguments: Vec<TermId>,
}

/// The applications in the formulas that stand for operations, in the order of their making.
fn operated(pool: &TermPool, formulas: &[TermId]) -> Vec<Operated> {
    let mut found = Vec::new();
    pool.visit(formulas, |term, node| {
        if let Term::App(f, arguments) | Term::RealApp(f, arguments) = node
            && let Some(operation) = operation_of(pool, *f)
        {
            found.push(Operated {
                term,
                operation,
                arguments: arguments.to_vec(),
            });
        }
    });
    found.sort_by_key(|app| app.term);
    found
}

/// Facts about the products and divisions in the formulas, except for those in `known`, which are added to it.
pub(super) fn axioms(pool: &mut TermPool, formulas: &[TermId], known: &mut FxHashSet<TermId>) -> Vec<TermId> {
    let (mut result, mut open) = (Vec::new(), operated(pool, formulas));
    while let Some(app) = open.pop() {
        if !known.insert(app.term) {
            continue;
        }
        let axioms = match app.operation {
            Operation::Product => {
                let (x, y) = two_factors(pool, &app.arguments);
                product_axioms(pool, app.term, x, y)
            }
            _ => vec![division_axiom(pool, app.operation, app.arguments[0], app.arguments[1])],
        };
        open.extend(operated(pool, &axioms));
        result.extend(axioms);
    }
    result
}

/// The first factor, and the product of the others.
fn two_factors(pool: &mut TermPool, arguments: &[TermId]) -> (TermId, TermId) {
    (arguments[0], power_product(pool, arguments[1..].to_vec()))
}

/// Signs of a product, and for integers that no factor but zero makes it smaller.
fn product_axioms(pool: &mut TermPool, term: TermId, x: TermId, y: TermId) -> Vec<TermId> {
    let zero = pool.int(0);
    let signs = [x, y, term].map(|t| (pool.gt(t, zero), pool.lt(t, zero)));
    let mut axioms = Vec::new();
    let [(x_above, x_below), (y_above, y_below), (above, below)] = signs;
    for (left, right, sign) in [
        (x_above, y_above, above),
        (x_above, y_below, below),
        (x_below, y_above, below),
        (x_below, y_below, above),
    ] {
        let both = pool.and2(left, right);
        axioms.push(pool.implies(both, sign));
    }
    for factor in [x, y] {
        let (is_zero, product_is_zero) = (pool.eq(factor, zero), pool.eq(term, zero));
        axioms.push(pool.implies(is_zero, product_is_zero));
    }
    if !pool.is_real(term) {
        for (a, b) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let (a, b) = (Rational::from(a), Rational::from(b));
            axioms.extend(planes(pool, term, (x, &a), (y, &b), (&a * &b).is_positive()));
        }
    }
    axioms
}

/// The planes through the product's value at `x = a`, `y = b` that bound it on two of the four quadrants around this point: from
/// below where `(x - a)(y - b)` is at least zero, else from above where it is at most zero.
fn planes(
    pool: &mut TermPool,
    term: TermId,
    (x, a): (TermId, &Rational),
    (y, b): (TermId, &Rational),
    from_below: bool,
) -> Vec<TermId> {
    let (bx, ay) = (pool.scale_rational(b, x), pool.scale_rational(a, y));
    let corner = pool.rational(&(a * b));
    let sum = pool.add(bx, ay);
    let plane = pool.sub(sum, corner);
    let (a, b) = (pool.rational(a), pool.rational(b));
    let (x_low, x_high) = (pool.le(x, a), pool.ge(x, a));
    let (y_low, y_high) = (pool.le(y, b), pool.ge(y, b));
    let (quadrants, bound) = if from_below {
        ([(x_low, y_low), (x_high, y_high)], pool.ge(term, plane))
    } else {
        ([(x_low, y_high), (x_high, y_low)], pool.le(term, plane))
    };
    let implied = |(p, q)| {
        let both = pool.and2(p, q);
        pool.implies(both, bound)
    };
    quadrants.map(implied).to_vec()
}

/// The rational whose square the value is.
fn square_root(value: &Rational) -> Option<Rational> {
    let root = |n: &Int| {
        let root = Int::from(n.to_bigint().sqrt());
        (&root * &root == *n).then_some(root)
    };
    if value.is_negative() {
        return None;
    }
    Some(Rational::new(root(value.numer())?, root(value.denom())?))
}

/// A square is below that of the root exactly between the root and its negation.
fn root_lemmas(pool: &mut TermPool, square: TermId, x: TermId, root: &Rational) -> Vec<TermId> {
    let [low, high, at] = [-root, root.clone(), root * root].map(|value| pool.rational(&value));
    let above_low = [pool.gt(x, low), pool.ge(x, low)];
    let below_high = [pool.lt(x, high), pool.le(x, high)];
    let inside = [0, 1].map(|i| pool.and2(above_low[i], below_high[i]));
    let (below, most) = (pool.lt(square, at), pool.le(square, at));
    vec![pool.iff(inside[0], below), pool.iff(inside[1], most)]
}

/// Facts that define a quotient and its remainder if the divisor is not zero.
fn division_axiom(pool: &mut TermPool, operation: Operation, dividend: TermId, divisor: TermId) -> TermId {
    let zero = pool.int(0);
    let by_zero = pool.eq(divisor, zero);
    let meaning = if operation == Operation::Quotient {
        let quotient = apply(pool, operation, &[dividend, divisor]);
        let multiple = product(pool, divisor, quotient);
        pool.eq(multiple, dividend)
    } else {
        let quotient = apply(pool, Operation::Div, &[dividend, divisor]);
        let remainder = apply(pool, Operation::Mod, &[dividend, divisor]);
        let multiple = product(pool, divisor, quotient);
        let whole = pool.add(multiple, remainder);
        let negated = pool.neg(divisor);
        let (below, below_negated) = (pool.lt(remainder, divisor), pool.lt(remainder, negated));
        let parts = [
            pool.eq(whole, dividend),
            pool.ge(remainder, zero),
            pool.or2(below, below_negated),
        ];
        pool.and(&parts)
    };
    pool.or2(by_zero, meaning)
}

/// Lemmas that exclude the point of a model at which an operation has another value than its application, and the equations that fix
/// the unknowns of products and divisors so that these are linear.
pub(super) struct Refinement {
    pub(super) lemmas: Vec<TermId>,
    pub(super) fixed: Vec<TermId>,
}

/// The refinement for a model of the solver, in which the operations are uninterpreted.
pub(super) fn refine(pool: &mut TermPool, formulas: &[TermId], model: &Model) -> Refinement {
    let apps = operated(pool, formulas);
    // The values first: the evaluator borrows the pool.
    let mut evaluator = model.evaluator(pool);
    let mut points = Vec::new();
    for app in apps {
        let arguments: Vec<Rational> = app.arguments.iter().map(|&a| evaluator.eval_real(a)).collect();
        let own = evaluator.eval_real(app.term);
        points.push((app, arguments, own));
    }
    let mut refinement = Refinement {
        lemmas: Vec::new(),
        fixed: Vec::new(),
    };
    for (app, arguments, own) in points {
        let fixed = match app.operation {
            Operation::Product => 0..arguments.len() - 1,
            _ => 1..2,
        };
        for i in fixed {
            let constant = pool.rational(&arguments[i]);
            refinement.fixed.push(pool.eq(app.arguments[i], constant));
        }
        match app.operation {
            Operation::Product => {
                let (x, y) = two_factors(pool, &app.arguments);
                let a = &arguments[0];
                let b = arguments[1..]
                    .iter()
                    .fold(Rational::ONE, |product, value| product * value);
                let right = a * &b;
                if own == right {
                    continue;
                }
                for ((known, at), other) in [((x, a), y), ((y, &b), x)] {
                    let (constant, multiple) = (pool.rational(at), pool.scale_rational(at, other));
                    let (same, linear) = (pool.eq(known, constant), pool.eq(app.term, multiple));
                    refinement.lemmas.push(pool.implies(same, linear));
                }
                let lemmas = planes(pool, app.term, (x, a), (y, &b), own < right);
                refinement.lemmas.extend(lemmas);
                if let (true, Some(root)) = (x == y, square_root(&own)) {
                    let lemmas = root_lemmas(pool, app.term, x, &root);
                    refinement.lemmas.extend(lemmas);
                }
            }
            operation if !arguments[1].is_zero() => {
                let constant = pool.rational(&arguments[1]);
                let same = pool.eq(app.arguments[1], constant);
                let linear = divided_by(pool, operation, app.arguments[0], &arguments[1]);
                let linear = pool.eq(app.term, linear);
                refinement.lemmas.push(pool.implies(same, linear));
            }
            _ => {}
        }
    }
    let constant = [pool.mk_true(), pool.mk_false()];
    refinement.lemmas.retain(|lemma| *lemma != constant[0]);
    refinement.fixed.retain(|equation| *equation != constant[0]);
    refinement.fixed.sort_unstable();
    refinement.fixed.dedup();
    refinement
}
