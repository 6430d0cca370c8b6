//! Bit-blasting: formulas over integers that have few bits, as formulas over their bits.
//!
//! Linear arithmetic knows a sum, and is lost among the bits of a number: that `x ^ y ^ y` is `x` has as many cases as `x` has values. Search over truth values sees it at once
//! (Kroening, Strichman, *Decision Procedures*, 2nd edition, chapter 6). So where the meaning of a function is an [operation](Operation) of the machine, a formula is translated as a whole: a number is a
//! sequence of bits in two's complement whose last bit repeats for ever, a sum grows by a bit where it has to, and nothing wraps around unless the formula says so.
//!
//! The translation is no weaker and no stronger than the formula, with these exceptions: a function without meaning has any value, an equal one for equal arguments if it occurs seldom; an update
//! of a function says what the new function has where it is applied, and nothing where it does not hold; an operation has any value where the machine leaves it open. With them it has more models than
//! the formula, so that a refutation stands. A variable for which the formulas say no bounds gets as many bits as the caller promises to be enough, and so does a value of a function that is updated. A value of
//! another function without meaning gets as many, but there is no such promise: where the formulas say no bounds of it, a refutation
//! is none of the formulas ([`Blast::is_bounded`]).
//!
//! Real numbers are left alone.
//!
//! | module | has |
//! |---|---|
//! | `bounds` | the bounds that formulas say |
//! | `circuits` | sums, orders, choices and quotients |
//! | `operations` | operations of the machine |
//! | `updates` | updates of functions, place by place |

mod bounds;
mod circuits;
mod operations;
mod updates;

use crate::hash::{FxHashMap, FxHashSet};
use crate::model::Model;
use crate::num::Int;
use crate::term::{Symbol, Term, TermId, TermPool};
use bounds::{Bounds, bounds};
use updates::instances;

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
/// Pairs of places of a function at most that are compared; beyond them it has any value at each place.
const MAX_PAIRS: usize = 66;

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
/// `most` is the number of bits that hold all values, of variables and of updated functions, that the caller asks about, and `max_terms` the number of terms that are too many.
pub fn blast(
    pool: &mut TermPool,
    formulas: &[TermId],
    most: usize,
    max_terms: usize,
    meaning: &dyn Fn(&str) -> Option<Meaning>,
) -> Option<Blast> {
    let instances = instances(pool, formulas);
    let formulas = &[formulas, &instances.formulas].concat();
    let bounds = bounds(pool, formulas);
    let mut blaster = Blaster {
        pool,
        bounds,
        cells: instances.cells,
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

/// The places of a function without meaning: arguments and value.
#[derive(Default)]
struct Places {
    known: Vec<(Vec<Bits>, Bits)>,
    /// How many pairs of them were compared.
    pairs: usize,
}

struct Blaster<'p> {
    pool: &'p mut TermPool,
    bounds: FxHashMap<TermId, Bounds>,
    /// The functions that are updated.
    cells: FxHashSet<Symbol>,
    most: usize,
    truths: FxHashMap<TermId, TermId>,
    numbers: FxHashMap<TermId, Bits>,
    places: FxHashMap<Symbol, Places>,
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
                        self.result.is_bounded &= self.cells.contains(symbol);
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

    /// A function without meaning has the same value at the same place.
    fn place(&mut self, symbol: Symbol, arguments: Vec<Bits>, value: &Bits) {
        let mut places = self.places.remove(&symbol).unwrap_or_default();
        for (others, other) in &places.known {
            if places.pairs >= MAX_PAIRS {
                break;
            }
            let mut same = Vec::new();
            for (a, b) in arguments.iter().zip(others) {
                same.push(self.equal(a, b));
            }
            let same = self.pool.and(&same);
            // Numbers that differ need no comparison.
            if same == self.pool.mk_false() {
                continue;
            }
            places.pairs += 1;
            let equal = self.equal(value, other);
            let fact = self.pool.implies(same, equal);
            self.require(fact);
        }
        places.known.push((arguments, value.clone()));
        self.places.insert(symbol, places);
    }
}

#[cfg(test)]
mod tests;
