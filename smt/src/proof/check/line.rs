//! Linear forms of the checker, and the decision of constraints that bound one form.
//!
//! Written without regard to the solver's arithmetic, on purpose: a fault there must not be repeated here.

use crate::num::{Int, Rational};
use crate::term::{Sort, Term, TermId, TermPool};

/// A linear form: a sum of terms with non-zero coefficients, in ascending order of the terms' ids, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    terms: Vec<(TermId, Int)>,
    constant: Int,
    /// Whether the value may be no integer: a term is real, or there was a denominator.
    is_real: bool,
}

impl Line {
    /// The linear form of a number. Anything but a sum or a constant is opaque; a denominator is not allowed for.
    pub(super) fn of(pool: &TermPool, term: TermId) -> Line {
        match pool.term(term) {
            Term::Const(value) => Line {
                constant: value.clone(),
                ..Line::default()
            },
            Term::Sum(summands, constant) => {
                let mut terms: Vec<(TermId, Int)> = summands.iter().map(|(c, t)| (*t, c.clone())).collect();
                terms.sort_by_key(|(t, _)| *t);
                let is_real = terms.iter().any(|(t, _)| pool.sort(*t) == Sort::Real);
                Line {
                    terms,
                    constant: constant.clone(),
                    is_real,
                }
            }
            _ => Line {
                terms: vec![(term, Int::from(1))],
                constant: Int::from(0),
                is_real: pool.sort(term) == Sort::Real,
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
        self.is_real |= other.is_real;
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

    /// The constraint that is the negation of this form's being at most zero, or below zero if `strict`: `-t + 1 <= 0` for an integer,
    /// `-t < 0` or `-t <= 0` for a real number. Whether it is strict comes second.
    pub(super) fn complement(self, strict: bool) -> (Line, bool) {
        match (self.is_real, strict) {
            (true, _) => (self.negated(), !strict),
            (false, true) => (self.negated(), false),
            (false, false) => (self.negated().plus_constant(&Int::from(1)), false),
        }
    }

    /// The terms with their coefficients.
    pub(super) fn terms(&self) -> &[(TermId, Int)] {
        &self.terms
    }

    /// The constant beside the terms.
    pub(super) fn rest(&self) -> &Int {
        &self.constant
    }

    /// The value, if there is no term.
    pub(super) fn constant(&self) -> Option<&Int> {
        self.terms.is_empty().then_some(&self.constant)
    }
}

/// A constraint on a linear form's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    AtMostZero,
    BelowZero,
    Zero,
    NotZero,
}

/// A constraint on the value of a *primitive* form: one without constant, with coprime coefficients, the first one positive.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    form: Vec<(TermId, Int)>,
    is_real: bool,
    bound: Bound,
}

#[derive(Clone, Debug)]
enum Bound {
    AtMost(Rational),
    AtLeast(Rational),
    Below(Rational),
    Above(Rational),
    Exactly(Rational),
    Not(Rational),
    /// No value at all.
    Never,
    /// Any value.
    Always,
}

impl Constraint {
    /// The constraint that `line` is at most zero, below zero, zero, or not zero.
    pub(super) fn new(line: Line, relation: Relation) -> Constraint {
        let is_real = line.is_real;
        let Some((_, leading)) = line.terms.first() else {
            let sign = line.constant.signum();
            let holds = match relation {
                Relation::AtMostZero => sign <= 0,
                Relation::BelowZero => sign < 0,
                Relation::Zero => sign == 0,
                Relation::NotZero => sign != 0,
            };
            return Constraint {
                form: Vec::new(),
                is_real,
                bound: if holds { Bound::Always } else { Bound::Never },
            };
        };
        let negative = leading.is_negative();
        let factor = line.terms.iter().fold(Int::from(0), |gcd, (_, c)| gcd.gcd(c));
        // With v the primitive form's value, the line is `factor * v + constant`, or `-factor * v + constant`.
        let line = if negative { line.negated() } else { line };
        let target = Rational::new(-&line.constant, factor.clone());
        let bound = match relation {
            Relation::AtMostZero if negative => Bound::AtLeast(target),
            Relation::AtMostZero => Bound::AtMost(target),
            Relation::BelowZero if negative => Bound::Above(target),
            Relation::BelowZero => Bound::Below(target),
            Relation::Zero => Bound::Exactly(target),
            Relation::NotZero => Bound::Not(target),
        };
        let bound = if is_real { bound } else { over_integers(bound) };
        let form = line.terms.into_iter().map(|(t, c)| (t, c.div_floor(&factor))).collect();
        Constraint { form, is_real, bound }
    }
}

/// The bound on an integer that a bound implies.
fn over_integers(bound: Bound) -> Bound {
    let one = Int::from(1);
    match bound {
        Bound::AtMost(value) => Bound::AtMost(value.floor().into()),
        Bound::AtLeast(value) => Bound::AtLeast(value.ceil().into()),
        Bound::Below(value) => Bound::AtMost((value.ceil() - one).into()),
        Bound::Above(value) => Bound::AtLeast((value.floor() + one).into()),
        Bound::Exactly(value) if !value.is_integer() => Bound::Never,
        Bound::Not(value) if !value.is_integer() => Bound::Always,
        other => other,
    }
}

/// Whether the constraints on one of the forms among them leave it no value. Sound, and complete for one form.
pub(super) fn contradictory(constraints: &[Constraint]) -> bool {
    constraints.iter().any(|first| {
        let same = constraints.iter().filter(|c| c.form == first.form);
        no_value(first.is_real, same.map(|c| &c.bound))
    })
}

fn no_value<'a>(is_real: bool, bounds: impl Iterator<Item = &'a Bound>) -> bool {
    // A bound with a true mark does not contain the value itself.
    let mut lower: Option<(&Rational, bool)> = None;
    let mut upper: Option<(&Rational, bool)> = None;
    let mut holes: Vec<&Rational> = Vec::new();
    for bound in bounds {
        match bound {
            Bound::AtLeast(value) | Bound::Exactly(value) => lower = lower.max(Some((value, false))),
            Bound::Above(value) => lower = lower.max(Some((value, true))),
            _ => {}
        }
        let above = match bound {
            Bound::AtMost(value) | Bound::Exactly(value) => Some((value, false)),
            Bound::Below(value) => Some((value, true)),
            _ => None,
        };
        if let Some((value, strict)) = above {
            // Of two bounds by one value, the strict one is the stronger.
            let stronger = upper.is_none_or(|(old, was)| value < old || (value == old && strict && !was));
            upper = if stronger { above } else { upper };
        }
        match bound {
            Bound::Not(value) => holes.push(value),
            Bound::Never => return true,
            _ => {}
        }
    }
    let (Some((lower, above)), Some((upper, below))) = (lower, upper) else {
        return false;
    };
    if is_real {
        return lower > upper || (lower == upper && (above || below || holes.contains(&lower)));
    }
    holes.retain(|hole| lower <= *hole && *hole <= upper);
    holes.sort_unstable();
    holes.dedup();
    let holes = i64::try_from(holes.len()).map_or(Rational::from(0), Rational::from);
    upper - lower < holes
}
