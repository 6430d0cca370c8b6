//! Bit-blasting: formulas over integers that have few bits, as formulas over their bits.
//!
//! Linear arithmetic knows a sum, and is lost among the bits of a number: that `x ^ y ^ y` is `x` has as many cases as `x` has values. Search over truth values sees it at once
//! (Kroening, Strichman, *Decision Procedures*, 2nd edition, chapter 6). So where the meaning of a function is an [operation](Operation) of the machine, a formula is translated as a whole: a number is a
//! sequence of bits in two's complement whose last bit repeats for ever, a sum grows by a bit where it has to, and nothing wraps around unless the formula says so.
//!
//! The translation is no weaker and no stronger than the formula, with these exceptions: a function without meaning has any value, an equal one for equal arguments if it occurs seldom; an update
//! of a function says nothing; an operation has any value where the machine leaves it open. With them it has more models than the formula, so that a refutation
//! stands. A variable for
//! which the formulas say no bounds gets as many bits as the caller promises to be enough. A value of a function without meaning gets as many, but there is no such promise: where the formulas say no bounds of it, a refutation
//! is none of the formulas ([`Blast::is_bounded`]).
//!
//! Real numbers are left alone.

use crate::hash::FxHashMap;
use crate::model::Model;
use crate::num::Int;
use crate::term::{Symbol, Term, TermId, TermPool};

/// An operation of the machine on two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// The product, wrapped around.
    Mul,
    /// The quotient, rounded to zero.
    Div,
    /// The remainder of that division, with the sign of the dividend.
    Rem,
    /// Conjunction of bits.
    And,
    /// Disjunction of bits.
    Or,
    /// Difference of bits.
    Xor,
    /// Shift to the left, wrapped around.
    Shl,
    /// Shift to the right, rounded down.
    Shr,
}

/// The operation that a function symbol stands for, and the type of its operands and of its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meaning {
    /// The operation.
    pub operation: Operation,
    /// Bits of the type.
    pub width: usize,
    /// Whether the type has negative numbers.
    pub signed: bool,
}

/// Rounds in which variables get bounds from those that they equal.
const MAX_ROUNDS: usize = 16;
/// A function that occurs more often has any value at each place.
const MAX_PLACES: usize = 12;

/// A number: bits from the lowest one, of which the last one repeats for ever.
type Bits = Vec<TermId>;

/// The translation of formulas.
#[derive(Debug)]
pub struct Blast {
    /// Formulas over truth values: with these, the translated ones hold.
    pub constraints: Vec<TermId>,
    /// Whether all values of functions without meaning have bounds, so that a refutation of the constraints is one of the formulas for variables as large as promised.
    pub is_bounded: bool,
    variables: Vec<(TermId, Bits)>,
}

impl Blast {
    /// The integer variables with their values in a model of the constraints.
    pub fn values(&self, pool: &TermPool, model: &Model) -> Vec<(TermId, Int)> {
        let mut evaluator = model.evaluator(pool);
        let mut number = |bits: &Bits| {
            let mut value = Int::ZERO;
            for (at, &bit) in (0u32..).zip(bits) {
                if evaluator.eval_bool(bit) {
                    let power = Int::pow2(at);
                    value = if at as usize + 1 == bits.len() {
                        value - power
                    } else {
                        value + power
                    };
                }
            }
            value
        };
        self.variables
            .iter()
            .map(|(variable, bits)| (*variable, number(bits)))
            .collect()
    }
}

/// Translates formulas; `None` if they speak of real numbers or grow too large.
///
/// `most` is the number of bits that hold all values of variables that the caller asks about, and `max_terms` the number of terms that are too many.
pub fn blast(
    pool: &mut TermPool,
    formulas: &[TermId],
    most: usize,
    max_terms: usize,
    meaning: &dyn Fn(&str) -> Option<Meaning>,
) -> Option<Blast> {
    let bounds = bounds(pool, formulas);
    let mut blaster = Blaster {
        pool,
        bounds,
        most,
        truths: FxHashMap::default(),
        numbers: FxHashMap::default(),
        places: FxHashMap::default(),
        fresh: 0,
        result: Blast {
            constraints: Vec::new(),
            is_bounded: true,
            variables: Vec::new(),
        },
    };
    for term in blaster.pool.sub_terms(formulas) {
        blaster.term(term, meaning)?;
        if blaster.pool.len() > max_terms {
            return None;
        }
    }
    for formula in formulas {
        let truth = blaster.truths[formula];
        blaster.result.constraints.push(truth);
    }
    Some(blaster.result)
}

/// The least and the greatest value of a term, as far as they are known.
type Bounds = (Option<Int>, Option<Int>);

/// The bounds of variables and applications that the formulas say without condition, also by an equation with another one.
fn bounds(pool: &TermPool, formulas: &[TermId]) -> FxHashMap<TermId, Bounds> {
    let mut found: FxHashMap<TermId, Bounds> = FxHashMap::default();
    let mut equations = Vec::new();
    let mut stack = formulas.to_vec();
    while let Some(formula) = stack.pop() {
        let (atom, holds) = match pool.term(formula) {
            Term::And(members) => {
                stack.extend_from_slice(members);
                continue;
            }
            Term::Not(inner) => (*inner, false),
            _ => (formula, true),
        };
        let (sum, is_equation) = match pool.term(atom) {
            Term::Le(sum) => (*sum, false),
            Term::Eq(sum) if holds => (*sum, true),
            _ => continue,
        };
        let mut leaves = Vec::new();
        let constant = pool.for_each_monomial(sum, |factor, leaf| leaves.push((factor.clone(), leaf)));
        match &leaves[..] {
            [(factor, leaf)] if factor.is_one() && !pool.is_real(*leaf) => {
                let number = -constant;
                let above = &number + &Int::ONE;
                narrow(
                    &mut found,
                    *leaf,
                    match (is_equation, holds) {
                        (true, _) => (Some(number.clone()), Some(number)),
                        (false, true) => (None, Some(number)),
                        (false, false) => (Some(above), None),
                    },
                );
            }
            [(one, a), (other, b)] if is_equation && one.is_one() && *other == Int::MINUS_ONE => {
                equations.push((*a, *b, constant));
            }
            _ => {}
        }
    }
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        // a - b + c = 0
        for (a, b, constant) in &equations {
            for (from, to, distance) in [(b, a, -constant), (a, b, constant.clone())] {
                let (lo, hi) = found.get(from).cloned().unwrap_or_default();
                let moved = |end: Option<Int>| end.map(|end| end + &distance);
                changed |= narrow(&mut found, *to, (moved(lo), moved(hi)));
            }
        }
        if !changed {
            break;
        }
    }
    found
}

/// Adds bounds of a term. Whether they say more than those before.
fn narrow(found: &mut FxHashMap<TermId, Bounds>, term: TermId, (least, most): Bounds) -> bool {
    let (lo, hi) = found.entry(term).or_default();
    let is_higher = least.as_ref().is_some_and(|new| lo.as_ref().is_none_or(|lo| new > lo));
    let is_lower = most.as_ref().is_some_and(|new| hi.as_ref().is_none_or(|hi| new < hi));
    if is_higher {
        *lo = least;
    }
    if is_lower {
        *hi = most;
    }
    is_higher || is_lower
}

struct Blaster<'p> {
    pool: &'p mut TermPool,
    bounds: FxHashMap<TermId, Bounds>,
    most: usize,
    truths: FxHashMap<TermId, TermId>,
    numbers: FxHashMap<TermId, Bits>,
    /// The places of functions without meaning: arguments and value.
    places: FxHashMap<Symbol, Vec<(Vec<Bits>, Bits)>>,
    fresh: u32,
    result: Blast,
}

impl Blaster<'_> {
    /// Translates a term whose parts are translated.
    fn term(&mut self, id: TermId, meaning: &dyn Fn(&str) -> Option<Meaning>) -> Option<()> {
        let term = self.pool.term(id).clone();
        let truth = match &term {
            Term::True | Term::False | Term::BoolVar(_) => id,
            Term::Not(inner) => self.pool.not(self.truths[inner]),
            Term::And(members) | Term::Or(members) => {
                let members: Vec<TermId> = members.iter().map(|member| self.truths[member]).collect();
                match term {
                    Term::And(_) => self.pool.and(&members),
                    _ => self.pool.or(&members),
                }
            }
            Term::Iff(a, b) => self.pool.iff(self.truths[a], self.truths[b]),
            Term::IteBool(c, yes, no) => self.pool.ite(self.truths[c], self.truths[yes], self.truths[no]),
            Term::Le(sum) | Term::Eq(sum) if !self.pool.is_real(*sum) => {
                let (left, right) = self.sides(*sum);
                match term {
                    Term::Le(_) => self.at_most(&left, &right),
                    _ => self.equal(&left, &right),
                }
            }
            Term::Update { .. } => self.bit(),
            _ => {
                let bits = self.number(id, &term, meaning)?;
                self.numbers.insert(id, bits);
                return Some(());
            }
        };
        self.truths.insert(id, truth);
        Some(())
    }

    fn number(&mut self, id: TermId, term: &Term, meaning: &dyn Fn(&str) -> Option<Meaning>) -> Option<Bits> {
        if self.pool.is_real(id) {
            return None;
        }
        Some(match term {
            Term::Const(value) => self.constant(value),
            Term::IntVar(_) => {
                let bits = self.any(id).unwrap_or_else(|| self.bits(self.most));
                self.result.variables.push((id, bits.clone()));
                bits
            }
            Term::App(symbol, arguments) => match (meaning(self.pool.name(symbol.name)), &arguments[..]) {
                (Some(meaning), [a, b]) => {
                    let (a, b) = (self.numbers[a].clone(), self.numbers[b].clone());
                    self.operation(meaning, &a, &b)
                }
                _ => {
                    let value = self.any(id).unwrap_or_else(|| {
                        self.result.is_bounded = false;
                        self.bits(self.most)
                    });
                    let arguments: Vec<Bits> = arguments.iter().map(|a| self.numbers[a].clone()).collect();
                    self.place(*symbol, arguments, &value);
                    value
                }
            },
            Term::Sum(monomials, constant) => {
                let mut sum = self.constant(&Int::ZERO);
                for (factor, part) in monomials {
                    let part = self.numbers[part].clone();
                    let part = self.scaled(factor, &part);
                    sum = self.sum(&sum, &part);
                }
                let constant = self.constant(constant);
                self.sum(&sum, &constant)
            }
            Term::Div(dividend, divisor) => {
                let dividend = self.numbers[dividend].clone();
                self.quotient(&dividend, divisor)
            }
            Term::Ite(c, yes, no) => {
                let (c, yes, no) = (self.truths[c], self.numbers[yes].clone(), self.numbers[no].clone());
                self.choice(c, &yes, &no)
            }
            _ => return None,
        })
    }

    fn bit(&mut self) -> TermId {
        let name = self.pool.symbol("__bit");
        self.fresh += 1;
        self.pool.bool_var(name, self.fresh)
    }

    fn bits(&mut self, count: usize) -> Bits {
        (0..count).map(|_| self.bit()).collect()
    }

    /// Any number in the bounds of a term, if it has bounds.
    fn any(&mut self, term: TermId) -> Option<Bits> {
        let (lo, hi) = self.bounds.get(&term).cloned().unwrap_or_default();
        let (lo, hi) = lo.zip(hi)?;
        let width = self.constant(&lo).len().max(self.constant(&hi).len());
        if lo.is_negative() {
            return Some(self.bits(width));
        }
        let mut bits = self.bits(width - 1);
        bits.push(self.pool.mk_false());
        Some(bits)
    }

    /// A number in the fewest bits.
    fn constant(&self, value: &Int) -> Bits {
        let (mut rest, mut bits) = (value.clone(), Vec::new());
        let two = Int::from(2);
        while !rest.is_zero() && rest != Int::MINUS_ONE {
            bits.push(self.pool.mk_bool(rest.mod_floor(&two).is_one()));
            rest = rest.div_floor(&two);
        }
        bits.push(self.pool.mk_bool(rest.is_negative()));
        bits
    }

    fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.pool.iff(a, b);
        self.pool.not(same)
    }

    /// The lowest bits of a sum, with a carry into them.
    fn added(&mut self, a: &Bits, b: &Bits, mut carry: TermId, width: usize) -> Bits {
        let mut sum = Vec::with_capacity(width);
        for at in 0..width {
            let (x, y) = (at_bit(a, at), at_bit(b, at));
            let differ = self.xor(x, y);
            sum.push(self.xor(differ, carry));
            let (both, passed) = (self.pool.and2(x, y), self.pool.and2(differ, carry));
            carry = self.pool.or2(both, passed);
        }
        sum
    }

    fn sum(&mut self, a: &Bits, b: &Bits) -> Bits {
        let none = self.pool.mk_false();
        let sum = self.added(a, b, none, a.len().max(b.len()) + 1);
        trimmed(sum)
    }

    fn negated(&mut self, a: &Bits) -> Bits {
        let inverted: Bits = a.iter().map(|&bit| self.pool.not(bit)).collect();
        let (none, one) = (self.constant(&Int::ZERO), self.pool.mk_true());
        let negated = self.added(&inverted, &none, one, a.len() + 1);
        trimmed(negated)
    }

    fn scaled(&mut self, factor: &Int, a: &Bits) -> Bits {
        let mut product = self.constant(&Int::ZERO);
        let size = self.constant(&factor.abs());
        for (at, &digit) in size.iter().enumerate() {
            if digit == self.pool.mk_true() {
                let shifted = self.shifted(a, at);
                product = self.sum(&product, &shifted);
            }
        }
        if factor.is_negative() {
            self.negated(&product)
        } else {
            product
        }
    }

    fn shifted(&self, a: &Bits, by: usize) -> Bits {
        let mut bits = vec![self.pool.mk_false(); by];
        bits.extend_from_slice(a);
        bits
    }

    fn choice(&mut self, condition: TermId, yes: &Bits, no: &Bits) -> Bits {
        let width = yes.len().max(no.len());
        let bits = (0..width).map(|at| self.pool.ite(condition, at_bit(yes, at), at_bit(no, at)));
        trimmed(bits.collect())
    }

    /// The monomials of a sum with positive factors, and the others on the other side.
    fn sides(&mut self, sum: TermId) -> (Bits, Bits) {
        let mut monomials = Vec::new();
        let constant = self
            .pool
            .for_each_monomial(sum, |factor, part| monomials.push((factor.clone(), part)));
        let zero = self.constant(&Int::ZERO);
        let (mut left, mut right) = (zero.clone(), zero);
        for (factor, part) in monomials {
            let part = self.numbers[&part].clone();
            let part = self.scaled(&factor.abs(), &part);
            let side = if factor.is_negative() { &mut right } else { &mut left };
            *side = self.sum(&side.clone(), &part);
        }
        let size = self.constant(&constant.abs());
        let side = if constant.is_negative() { &mut right } else { &mut left };
        *side = self.sum(&side.clone(), &size);
        (left, right)
    }

    fn equal(&mut self, a: &Bits, b: &Bits) -> TermId {
        let width = a.len().max(b.len());
        let same: Vec<TermId> = (0..width)
            .map(|at| self.pool.iff(at_bit(a, at), at_bit(b, at)))
            .collect();
        self.pool.and(&same)
    }

    fn at_most(&mut self, a: &Bits, b: &Bits) -> TermId {
        let width = a.len().max(b.len());
        let mut at_most = self.pool.mk_true();
        for at in 0..width {
            let (x, y) = (at_bit(a, at), at_bit(b, at));
            let same = self.pool.iff(x, y);
            // The sign counts against a number, every other bit for it.
            let larger = if at + 1 == width { x } else { y };
            at_most = self.pool.ite(same, at_most, larger);
        }
        at_most
    }

    fn require(&mut self, formula: TermId) {
        self.result.constraints.push(formula);
    }

    /// The quotient by a positive constant, rounded down.
    fn quotient(&mut self, a: &Bits, divisor: &Int) -> Bits {
        let least = self.constant(divisor);
        let power = least.len() - 2;
        if *divisor == Int::pow2(u32::try_from(power).expect("few bits")) {
            return a[power.min(a.len() - 1)..].to_vec();
        }
        let (quotient, mut rest) = (self.bits(a.len()), self.bits(least.len() - 1));
        rest.push(self.pool.mk_false());
        let most = self.constant(&(divisor - &Int::ONE));
        let product = self.scaled(divisor, &quotient);
        let whole = self.sum(&product, &rest);
        let (same, within) = (self.equal(&whole, a), self.at_most(&rest, &most));
        self.require(same);
        self.require(within);
        quotient
    }

    /// A function without meaning has the same value at the same place.
    fn place(&mut self, symbol: Symbol, arguments: Vec<Bits>, value: &Bits) {
        let known = self.places.entry(symbol).or_default().clone();
        if known.len() >= MAX_PLACES {
            return;
        }
        for (others, other) in known {
            let mut same = Vec::new();
            for (a, b) in arguments.iter().zip(&others) {
                same.push(self.equal(a, b));
            }
            let (same, equal) = (self.pool.and(&same), self.equal(value, &other));
            let fact = self.pool.implies(same, equal);
            self.require(fact);
        }
        self.places.entry(symbol).or_default().push((arguments, value.clone()));
    }

    /// The number of a type that the lowest bits are.
    fn of_type(&self, mut bits: Bits, meaning: Meaning) -> Bits {
        if !meaning.signed {
            bits.push(self.pool.mk_false());
        }
        bits
    }

    fn operation(&mut self, meaning: Meaning, a: &Bits, b: &Bits) -> Bits {
        let width = meaning.width;
        let low = |bits: &Bits| -> Bits { (0..width).map(|at| at_bit(bits, at)).collect() };
        let bits = match meaning.operation {
            Operation::And | Operation::Or | Operation::Xor => {
                let pairs = low(a).into_iter().zip(low(b));
                let bits = pairs.map(|(x, y)| match meaning.operation {
                    Operation::And => self.pool.and2(x, y),
                    Operation::Or => self.pool.or2(x, y),
                    _ => self.xor(x, y),
                });
                bits.collect()
            }
            Operation::Mul => self.product(&low(a), &low(b), width),
            Operation::Shl | Operation::Shr => return self.shift(meaning, a, b),
            Operation::Div | Operation::Rem => return self.division(meaning, a, b),
        };
        self.of_type(bits, meaning)
    }

    /// The lowest bits of a product.
    fn product(&mut self, a: &Bits, b: &Bits, width: usize) -> Bits {
        let none = self.pool.mk_false();
        let mut product = vec![none; width];
        for at in 0..width {
            let digit = at_bit(b, at);
            let row: Bits = (at..width).map(|i| self.pool.and2(digit, at_bit(a, i - at))).collect();
            let upper: Bits = product[at..].to_vec();
            let sum = self.added(&upper, &row, none, width - at);
            product.splice(at.., sum);
        }
        product
    }

    /// A shift by any number of bits; any number if there are no such bits.
    fn shift(&mut self, meaning: Meaning, a: &Bits, by: &Bits) -> Bits {
        let width = meaning.width;
        let none = self.pool.mk_false();
        let mut bits: Bits = (0..width).map(|at| at_bit(a, at)).collect();
        let fill = if meaning.signed { bits[width - 1] } else { none };
        let stages = (usize::BITS - (width - 1).leading_zeros()) as usize;
        for stage in 0..stages {
            let (distance, choice) = (1usize << stage, at_bit(by, stage));
            let moved = |at: usize| match meaning.operation {
                Operation::Shl => at.checked_sub(distance).map_or(none, |from| bits[from]),
                _ => bits.get(at + distance).copied().unwrap_or(fill),
            };
            let moved: Bits = (0..width).map(moved).collect();
            bits = (0..width)
                .map(|at| self.pool.ite(choice, moved[at], bits[at]))
                .collect();
        }
        let (zero, most) = (
            self.constant(&Int::ZERO),
            self.constant(&Int::from(i64::try_from(width - 1).expect("few bits"))),
        );
        let (from, to) = (self.at_most(&zero, by), self.at_most(by, &most));
        let is_defined = self.pool.and2(from, to);
        let open = self.bits(width);
        bits = (0..width)
            .map(|at| self.pool.ite(is_defined, bits[at], open[at]))
            .collect();
        self.of_type(bits, meaning)
    }

    /// A quotient or remainder; any number if the divisor is 0 or the quotient does not fit.
    fn division(&mut self, meaning: Meaning, a: &Bits, b: &Bits) -> Bits {
        let width = meaning.width;
        if a.len().max(b.len()) > width + usize::from(!meaning.signed) {
            let open = self.bits(width);
            return self.of_type(open, meaning);
        }
        // The operands are of the type, so that the sizes of quotient and rest have its bits.
        let (negative_a, negative_b) = (at_bit(a, width), at_bit(b, width));
        let (dividend, divisor) = (self.size(a), self.size(b));
        let none = self.pool.mk_false();
        let [quotient, rest] = [(); 2].map(|()| {
            let mut bits = self.bits(width);
            bits.push(none);
            bits
        });
        let mut product = self.product(&quotient, &divisor, 2 * width);
        product.push(none);
        let whole = self.sum(&product, &rest);
        let (same, too_large) = (self.equal(&whole, &dividend), self.at_most(&divisor, &rest));
        let is_rest = self.pool.not(too_large);
        let exact = self.pool.and2(same, is_rest);
        let zero = self.constant(&Int::ZERO);
        let by_zero = self.equal(&divisor, &zero);
        let fact = self.pool.or2(by_zero, exact);
        self.require(fact);
        let (size, is_negative) = match meaning.operation {
            Operation::Div => (quotient, self.xor(negative_a, negative_b)),
            _ => (rest, negative_a),
        };
        let negated = self.negated(&size);
        let result = self.choice(is_negative, &negated, &size);
        let low = self.of_type((0..width).map(|at| at_bit(&result, at)).collect(), meaning);
        let (fits, defined) = (self.equal(&low, &result), self.pool.not(by_zero));
        let is_defined = self.pool.and2(fits, defined);
        let open = self.bits(width);
        let open = self.of_type(open, meaning);
        self.choice(is_defined, &low, &open)
    }

    /// The absolute value.
    fn size(&mut self, a: &Bits) -> Bits {
        let negated = self.negated(a);
        self.choice(at_bit(a, a.len()), &negated, a)
    }
}

/// A bit of a number, of which the last one repeats.
fn at_bit(bits: &Bits, at: usize) -> TermId {
    bits[at.min(bits.len() - 1)]
}

/// The same number without bits that repeat the sign.
fn trimmed(mut bits: Bits) -> Bits {
    while bits.len() > 1 && bits[bits.len() - 1] == bits[bits.len() - 2] {
        bits.pop();
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::Part;
    use crate::solver::{Answer, Config, Solver};

    const ALL: [Operation; 8] = [
        Operation::Mul,
        Operation::Div,
        Operation::Rem,
        Operation::And,
        Operation::Or,
        Operation::Xor,
        Operation::Shl,
        Operation::Shr,
    ];

    /// The value of an operation on numbers of a type of four bits, by the definition; `None` if the machine leaves it open.
    fn expected(operation: Operation, signed: bool, a: i64, b: i64) -> Option<i64> {
        let wrapped = |n: i64| if signed && n & 8 != 0 { (n & 15) - 16 } else { n & 15 };
        let is_distance = (0..4).contains(&b);
        let exact = match operation {
            Operation::Mul => a * b,
            Operation::Div | Operation::Rem
                if b == 0 || (signed && (a, b) == (-8, -1)) && operation == Operation::Div =>
            {
                return None;
            }
            Operation::Div => a / b,
            Operation::Rem => a % b,
            Operation::And => a & b,
            Operation::Or => a | b,
            Operation::Xor => a ^ b,
            Operation::Shl if is_distance => a << b,
            Operation::Shr if is_distance => a >> b,
            Operation::Shl | Operation::Shr => return None,
        };
        Some(wrapped(exact))
    }

    /// The answer for `low <= a, b <= high` and some formulas, with the values of the variables.
    fn answer(pool: &mut TermPool, formulas: &[TermId], meaning: Meaning) -> Option<Vec<i64>> {
        let blast =
            blast(pool, formulas, 40, usize::MAX, &|name| (name == "f").then_some(meaning)).expect("only integers");
        assert!(blast.is_bounded);
        let mut solver = Solver::new(Config::default());
        for &constraint in &blast.constraints {
            solver.assert(pool, constraint, Part(0));
        }
        (solver.check(pool, &[]) == Answer::Sat).then(|| {
            let model = solver.model(pool);
            let values = blast.values(pool, &model);
            values.into_iter().map(|(_, value)| value.to_i64().unwrap()).collect()
        })
    }

    #[test]
    fn every_operation_has_its_value() {
        for (operation, signed) in ALL
            .into_iter()
            .flat_map(|operation| [(operation, false), (operation, true)])
        {
            let meaning = Meaning {
                operation,
                width: 4,
                signed,
            };
            let (least, most) = if signed { (-8, 7) } else { (0, 15) };
            for (a, b) in (least..=most).flat_map(|a| (least..=most).map(move |b| (a, b))) {
                let mut pool = TermPool::new();
                let [x, y, f] = ["x", "y", "f"].map(|name| pool.symbol(name));
                let (x, y) = (pool.int_var(x, 0), pool.int_var(y, 0));
                let value = pool.app(f, 0, &[x, y]);
                let (left, right) = (pool.int(a), pool.int(b));
                let (left, right) = (pool.eq(x, left), pool.eq(y, right));
                for candidate in least..=most {
                    let number = pool.int(candidate);
                    let is = pool.eq(value, number);
                    let found = answer(&mut pool, &[left, right, is], meaning);
                    let wanted = expected(operation, signed, a, b).is_none_or(|expected| expected == candidate);
                    assert_eq!(
                        found,
                        wanted.then(|| vec![a, b]),
                        "{operation:?} {signed} {a} {b} {candidate}"
                    );
                }
            }
        }
    }

    #[test]
    fn sums_quotients_and_orders_are_those_of_integers() {
        let meaning = Meaning {
            operation: Operation::Xor,
            width: 4,
            signed: true,
        };
        let mut pool = TermPool::new();
        let name = pool.symbol("x");
        let x = pool.int_var(name, 0);
        for value in -9..=9i64 {
            let number = pool.int(value);
            let is = pool.eq(x, number);
            for (factor, constant, divisor) in [(3, -5, 1), (-6, 7, 2), (-1, 0, 8), (5, 2, 3), (-7, 1, 5)] {
                let sum = pool.linear(&[(Int::from(factor), x)], Int::from(constant));
                let quotient = if divisor == 1 {
                    sum
                } else {
                    pool.div_floor(sum, &Int::from(divisor))
                };
                let wanted = (factor * value + constant).div_euclid(divisor);
                for other in wanted - 1..=wanted + 1 {
                    let other_term = pool.int(other);
                    let (eq, le) = (pool.eq(quotient, other_term), pool.le(quotient, other_term));
                    assert_eq!(answer(&mut pool, &[is, eq], meaning).is_some(), wanted == other);
                    assert_eq!(answer(&mut pool, &[is, le], meaning).is_some(), wanted <= other);
                }
            }
        }
    }

    #[test]
    fn swapping_by_xor_is_seen_at_once() {
        let meaning = Meaning {
            operation: Operation::Xor,
            width: 32,
            signed: false,
        };
        let mut pool = TermPool::new();
        let [a, b, f] = ["a", "b", "f"].map(|name| pool.symbol(name));
        let (a, b) = (pool.int_var(a, 0), pool.int_var(b, 0));
        let (zero, most) = (pool.int(0), pool.int(u32::MAX));
        let x = pool.app(f, 0, &[a, b]);
        let y = pool.app(f, 0, &[x, b]);
        let mut formulas = vec![pool.ne(y, a)];
        // Without a meaning, the function's value has no bounds.
        for (known, is_bounded) in [(Some(meaning), true), (None, false)] {
            let blast = blast(&mut pool, &formulas, 40, usize::MAX, &|_| known).unwrap();
            assert_eq!(blast.is_bounded, is_bounded);
        }
        for variable in [a, b] {
            formulas.extend([pool.ge(variable, zero), pool.le(variable, most)]);
        }
        assert_eq!(answer(&mut pool, &formulas, meaning), None);
    }
}
