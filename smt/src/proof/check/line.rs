//! Linear forms of the checker, and the decision of constraints that bound one form.
//!
//! Written without regard to the solver's arithmetic, on purpose: a fault there must not be repeated here.

use crate::num::Int;
use crate::term::{Term, TermId, TermPool};

/// A linear form: a sum of terms with non-zero coefficients, in ascending order of the terms' ids, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    terms: Vec<(TermId, Int)>,
    constant: Int,
}

impl Line {
    /// The linear form of an integer term. What is not a sum or a number is opaque.
    pub(super) fn of(pool: &TermPool, term: TermId) -> Line {
        match pool.term(term) {
            Term::Const(value) => Line {
                terms: Vec::new(),
                constant: value.clone(),
            },
            Term::Sum(summands, constant) => {
                let mut terms: Vec<(TermId, Int)> = summands.iter().map(|(c, t)| (*t, c.clone())).collect();
                terms.sort_by_key(|(t, _)| *t);
                Line {
                    terms,
                    constant: constant.clone(),
                }
            }
            _ => Line {
                terms: vec![(term, Int::from(1))],
                constant: Int::from(0),
            },
        }
    }

    /// Adds `factor * other`.
    pub(super) fn add_times(&mut self, other: &Line, factor: &Int) {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.drain(..).peekable(), other.terms.iter().peekable());
        loop {
            let term = match (left.peek(), right.peek()) {
                (Some((a, _)), Some((b, _))) => *a.min(b),
                (Some((a, _)), None) => *a,
                (None, Some((b, _))) => *b,
                (None, None) => break,
            };
            let mut coeff = left.next_if(|(t, _)| *t == term).map_or(Int::from(0), |(_, c)| c);
            if let Some((_, c)) = right.next_if(|(t, _)| *t == term) {
                coeff += factor * c;
            }
            if !coeff.is_zero() {
                terms.push((term, coeff));
            }
        }
        drop(left);
        self.terms = terms;
        self.constant = &self.constant + &(factor * &other.constant);
    }

    pub(super) fn times(mut self, factor: &Int) -> Line {
        let zero = Line::default();
        let line = std::mem::replace(&mut self, zero);
        self.add_times(&line, factor);
        self
    }

    pub(super) fn negated(self) -> Line {
        self.times(&Int::from(-1))
    }

    pub(super) fn minus(mut self, other: &Line) -> Line {
        self.add_times(other, &Int::from(-1));
        self
    }

    pub(super) fn plus_constant(mut self, constant: &Int) -> Line {
        self.constant = &self.constant + constant;
        self
    }

    /// The form whose being at most zero is the negation of this one's being at most zero: `-t + 1`.
    pub(super) fn complement(self) -> Line {
        self.negated().plus_constant(&Int::from(1))
    }

    /// The value, if there is no term.
    pub(super) fn constant(&self) -> Option<&Int> {
        self.terms.is_empty().then_some(&self.constant)
    }
}

/// What is said of a linear form's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    AtMostZero,
    Zero,
    NotZero,
}

/// A constraint on the value of a *primitive* form: one without constant, with coprime coefficients, the first one positive.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    form: Vec<(TermId, Int)>,
    bound: Bound,
}

#[derive(Clone, Debug)]
enum Bound {
    AtMost(Int),
    AtLeast(Int),
    Exactly(Int),
    Not(Int),
    /// No value at all.
    Never,
    /// Any value.
    Always,
}

impl Constraint {
    /// The constraint that `line` is at most zero, zero, or not zero.
    pub(super) fn new(line: Line, relation: Relation) -> Constraint {
        let Some((_, leading)) = line.terms.first() else {
            let holds = match relation {
                Relation::AtMostZero => !line.constant.is_positive(),
                Relation::Zero => line.constant.is_zero(),
                Relation::NotZero => !line.constant.is_zero(),
            };
            return Constraint {
                form: Vec::new(),
                bound: if holds { Bound::Always } else { Bound::Never },
            };
        };
        let negative = leading.is_negative();
        let factor = line.terms.iter().fold(Int::from(0), |gcd, (_, c)| gcd.gcd(c));
        // With v the primitive form's value, the line is `factor * v + constant`, or `-factor * v + constant`.
        let line = if negative { line.negated() } else { line };
        let target = -&line.constant;
        let bound = match relation {
            Relation::AtMostZero if negative => Bound::AtLeast(target.div_ceil(&factor)),
            Relation::AtMostZero => Bound::AtMost(target.div_floor(&factor)),
            Relation::Zero if target.is_multiple_of(&factor) => Bound::Exactly(target.div_floor(&factor)),
            Relation::Zero => Bound::Never,
            Relation::NotZero if target.is_multiple_of(&factor) => Bound::Not(target.div_floor(&factor)),
            Relation::NotZero => Bound::Always,
        };
        let form = line.terms.into_iter().map(|(t, c)| (t, c.div_floor(&factor))).collect();
        Constraint { form, bound }
    }
}

/// Whether the constraints on one of the forms among them leave it no integer value. Sound, and complete for one form.
pub(super) fn contradictory(constraints: &[Constraint]) -> bool {
    constraints.iter().enumerate().any(|(i, first)| {
        let is_first = constraints[..i].iter().all(|earlier| earlier.form != first.form);
        is_first && no_value(constraints.iter().filter(|c| c.form == first.form).map(|c| &c.bound))
    })
}

fn no_value<'a>(bounds: impl Iterator<Item = &'a Bound>) -> bool {
    let (mut lower, mut upper): (Option<&Int>, Option<&Int>) = (None, None);
    let mut holes: Vec<&Int> = Vec::new();
    for bound in bounds {
        if let Bound::AtLeast(value) | Bound::Exactly(value) = bound {
            lower = Some(lower.map_or(value, |old| old.max(value)));
        }
        if let Bound::AtMost(value) | Bound::Exactly(value) = bound {
            upper = Some(upper.map_or(value, |old| old.min(value)));
        }
        match bound {
            Bound::Not(value) => holes.push(value),
            Bound::Never => return true,
            _ => {}
        }
    }
    let (Some(lower), Some(upper)) = (lower, upper) else {
        return false;
    };
    holes.retain(|hole| lower <= *hole && *hole <= upper);
    holes.sort();
    holes.dedup();
    let holes = i64::try_from(holes.len()).map_or(Int::from(0), Int::from);
    upper - lower < holes
}
