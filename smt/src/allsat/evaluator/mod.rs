//! Formulas as a straight-line program, which evaluates them from the values of a few inputs.
//!
//! Formulas about a path define most variables: `x' = x + 1`, `x' = ite(c, x, y)`, `p <=> x < 3`. Such a conjunct is taken for a
//! *definition*, as long as definitions do not go round in a circle; variables without one are the *inputs*. Conjuncts that define nothing are constraints. So
//! a change of an input, and a run of the program, give a candidate that can be a model, as all that depends on the input follows it.
//!
//! A function is a table of the points that the program comes by. At a point that its table does not have, an application keeps the value that it had before: what
//! concerned other points only stays as it was.
//!
//! The file `compile` makes programs, this one runs them. Numbers are machine words. A run in which one does not fit has no result, and formulas with reals or updates have no program.
//!
//! | module | does |
//! |---|---|
//! | `compile` | from formulas to a straight-line program |

mod compile;

use crate::hash::FxHashMap;
use crate::model::Model;
use crate::num::Int;
use crate::term::Symbol;
use std::ops::Range;

/// Functions of more arguments are not supported.
const MAX_ARGUMENTS: usize = 4;

/// The position of an instruction, where its value is kept.
pub(super) type Slot = u32;

/// The point of a function.
type Point = [i64; MAX_ARGUMENTS];

/// An instruction. Formulas are 0 or 1.
enum Op {
    Const(i64),
    Input,
    Not(Slot),
    /// All slots of this range of [`Evaluator::lists`].
    And(Range<usize>),
    Or(Range<usize>),
    Iff(Slot, Slot),
    Ite(Slot, Slot, Slot),
    AtMostZero(Slot),
    IsZero(Slot),
    /// The monomials of this range of [`Evaluator::monomials`], and a constant.
    Sum(Range<usize>, i64),
    /// Floor division by a positive number.
    Div(Slot, i64),
    App(Symbol, Range<usize>),
    /// Ends a run where this formula is false.
    Require(Slot),
}

/// A variable.
pub(super) struct Variable {
    pub slot: Slot,
    symbol: Symbol,
    pub is_bool: bool,
    /// Whether it has no definition.
    pub is_input: bool,
}

/// The value of a function at a point.
#[derive(Clone, Copy)]
struct Entry {
    function: Symbol,
    point: Point,
    value: i64,
}

/// The tables of the functions.
#[derive(Clone, Default)]
struct Entries {
    /// A hash of function and point of each entry, which tells most others apart.
    hashes: Vec<u64>,
    all: Vec<Entry>,
}

impl Entries {
    #[inline]
    fn find(&self, hash: u64, function: Symbol, point: &Point) -> Option<i64> {
        for (at, &known) in self.hashes.iter().enumerate() {
            if known == hash {
                let entry = &self.all[at];
                if entry.function == function && entry.point == *point {
                    return Some(entry.value);
                }
            }
        }
        None
    }
}

/// The value of a function at a point, given with its hash; `None` if it is not known.
type Known<'a> = dyn FnMut(u64, Symbol, &[i64]) -> Option<i64> + 'a;

/// A run of the program: the values of all slots, and the tables of the functions.
#[derive(Clone, Default)]
pub(super) struct State {
    values: Vec<i64>,
    entries: Entries,
}

/// A change of a state: the slot of an input or of an application, and its new value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Move {
    pub leaf: Slot,
    pub value: i64,
}

pub(super) struct Evaluator {
    ops: Vec<Op>,
    lists: Vec<Slot>,
    monomials: Vec<(i64, Slot)>,
    pub variables: Vec<Variable>,
    /// The atoms, each with the number that it compares.
    pub atoms: Vec<(Slot, Slot)>,
    results: Vec<Slot>,
}

impl State {
    #[inline]
    pub fn value(&self, slot: Slot) -> i64 {
        self.values[slot as usize]
    }
}

/// A hash of points of functions: most of them differ.
#[inline]
fn hash_of(function: Symbol, point: &Point) -> u64 {
    let start = (function.name.index() as u64) << 32 | u64::from(function.index);
    point.iter().fold(start, |hash, &x| {
        (hash.rotate_left(5) ^ x as u64).wrapping_mul(0x517c_c1b7_2722_0a95)
    })
}

impl Evaluator {
    /// The state of a model. None if the numbers are too large.
    pub fn state_of(&self, model: &Model) -> Option<State> {
        let mut values = vec![0; self.ops.len()];
        for input in self.variables.iter().filter(|v| v.is_input) {
            values[input.slot as usize] = if input.is_bool {
                i64::from(model.bool(input.symbol))
            } else {
                model.int(input.symbol).to_i64()?
            };
        }
        let mut state = State::default();
        let seed = State {
            values,
            entries: Entries::default(),
        };
        let mut at = |_, function: Symbol, point: &[i64]| {
            let point: Vec<Int> = point.iter().map(|&x| Int::from(x)).collect();
            model.app(function, &point).to_i64()
        };
        self.execute(&seed, None, &mut at, &mut state)?;
        Some(state)
    }

    /// Runs the program on a changed state. Whether the result is a model.
    pub fn run(&self, seed: &State, change: Move, result: &mut State) -> bool {
        let mut old = |hash: u64, function: Symbol, point: &[i64]| {
            let mut padded = Point::default();
            padded[..point.len()].copy_from_slice(point);
            seed.entries.find(hash, function, &padded)
        };
        match &self.ops[change.leaf as usize] {
            Op::App(function, arguments) => {
                let changed = (*function, self.point(&seed.values, arguments));
                let mut at = |hash: u64, function: Symbol, point: &[i64]| {
                    let is_changed = changed.0 == function && changed.1[..point.len()] == *point;
                    if is_changed {
                        Some(change.value)
                    } else {
                        old(hash, function, point)
                    }
                };
                self.execute(seed, Some(change), &mut at, result).is_some()
            }
            _ => self.execute(seed, Some(change), &mut old, result).is_some(),
        }
    }

    /// Whether an atom is an equation, and not an inequality.
    pub fn is_equation(&self, atom: Slot) -> bool {
        matches!(self.ops[atom as usize], Op::IsZero(_))
    }

    /// The values of the results.
    pub fn results<'a>(&'a self, state: &'a State) -> impl ExactSizeIterator<Item = bool> + 'a {
        self.results.iter().map(|&slot| state.value(slot) == 1)
    }

    /// The model that a state is.
    pub fn model_of(&self, state: &State) -> Model {
        let mut model = Model::new();
        let mut arities: FxHashMap<Symbol, usize> = FxHashMap::default();
        for op in &self.ops {
            if let Op::App(function, arguments) = op {
                arities.insert(*function, arguments.len());
            }
        }
        for entry in &state.entries.all {
            let point = entry.point[..arities[&entry.function]].iter().map(|&x| Int::from(x));
            model.set_point(entry.function, point.collect(), Int::from(entry.value));
        }
        for variable in &self.variables {
            match state.value(variable.slot) {
                value if variable.is_bool => model.set_bool(variable.symbol, value == 1),
                value => model.set_int(variable.symbol, Int::from(value)),
            }
        }
        model
    }

    #[inline]
    fn point(&self, values: &[i64], arguments: &Range<usize>) -> Point {
        let mut point = Point::default();
        for (at, &slot) in point.iter_mut().zip(&self.lists[arguments.clone()]) {
            *at = values[slot as usize];
        }
        point
    }

    /// Runs the program, up to the first constraint that does not hold. `old` tells the value of a function at a point if it is known already.
    fn execute(&self, seed: &State, change: Option<Move>, old: &mut Known<'_>, result: &mut State) -> Option<()> {
        let values = &mut result.values;
        values.clear();
        result.entries.hashes.clear();
        result.entries.all.clear();
        for (at, op) in self.ops.iter().enumerate() {
            let of = |slot: &Slot| values[*slot as usize];
            let value = match op {
                Op::Const(value) => *value,
                Op::Input => match change {
                    Some(change) if change.leaf as usize == at => change.value,
                    _ => seed.values[at],
                },
                Op::Not(a) => 1 - of(a),
                Op::And(list) => i64::from(self.lists[list.clone()].iter().all(|a| of(a) == 1)),
                Op::Or(list) => i64::from(self.lists[list.clone()].iter().any(|a| of(a) == 1)),
                Op::Iff(a, b) => i64::from(of(a) == of(b)),
                Op::Ite(condition, yes, no) => of(if of(condition) == 1 { yes } else { no }),
                Op::AtMostZero(a) => i64::from(of(a) <= 0),
                Op::IsZero(a) => i64::from(of(a) == 0),
                Op::Sum(monomials, constant) => {
                    let mut sum = *constant;
                    for (coeff, a) in &self.monomials[monomials.clone()] {
                        sum = sum.checked_add(coeff.checked_mul(of(a))?)?;
                    }
                    sum
                }
                // Rounds down, as the divisor is positive.
                Op::Div(a, divisor) => of(a).div_euclid(*divisor),
                Op::App(function, arguments) => {
                    let point = self.point(values, arguments);
                    let hash = hash_of(*function, &point);
                    match result.entries.find(hash, *function, &point) {
                        Some(value) => value,
                        None => {
                            let known = old(hash, *function, &point[..arguments.len()]);
                            let value = known.unwrap_or(seed.values[at]);
                            result.entries.hashes.push(hash);
                            result.entries.all.push(Entry {
                                function: *function,
                                point,
                                value,
                            });
                            value
                        }
                    }
                }
                Op::Require(a) if of(a) == 1 => 1,
                Op::Require(_) => return None,
            };
            values.push(value);
        }
        Some(())
    }

    /// On which leaves (inputs and applications) a number depends, and how much it grows with each, as long as no condition changes. Adds to `rates`.
    pub fn rates(&self, state: &State, slot: Slot, rates: &mut Vec<(Slot, i64)>) {
        let mut stack = vec![(slot, 1_i64)];
        // Sums share summands: a number may be come by several times.
        let mut steps = 0;
        while let Some((slot, rate)) = stack.pop() {
            steps += 1;
            if steps > 256 {
                rates.clear();
                return;
            }
            match &self.ops[slot as usize] {
                Op::Input | Op::App(..) => match rates.iter_mut().find(|(leaf, _)| *leaf == slot) {
                    Some((_, known)) => *known = known.saturating_add(rate),
                    None => rates.push((slot, rate)),
                },
                Op::Sum(monomials, _) => {
                    let monomials = &self.monomials[monomials.clone()];
                    stack.extend(monomials.iter().map(|&(coeff, a)| (a, rate.saturating_mul(coeff))));
                }
                Op::Ite(condition, yes, no) => {
                    let taken = if state.value(*condition) == 1 { yes } else { no };
                    stack.push((*taken, rate));
                }
                _ => {}
            }
        }
    }
}
