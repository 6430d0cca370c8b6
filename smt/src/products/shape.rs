//! Forms of atoms over single variables and sums, and classes of variables that are equal but for an offset.

use crate::hash::FxHashMap;
use crate::num::Int;
use crate::term::{Symbol, Term, TermId, TermPool};

/// Factors, not zero, of variables.
pub(super) type Monomials = Vec<(Int, Symbol)>;

/// The meaning of an atom, as far as it is linear over variables.
#[derive(Clone)]
pub(super) enum Shape {
    /// One variable on the number line.
    Line(Symbol, Line),
    /// The first variable is the second one plus this.
    Offset(Symbol, Symbol, Int),
    /// A sum of several variables and a constant is zero, or at most zero.
    Sum {
        /// Whether it is zero.
        is_equation: bool,
        /// The variables with their factors.
        monomials: Monomials,
        /// The constant.
        constant: Int,
    },
    /// Something about these symbols.
    Other {
        /// All that occur in it.
        symbols: Vec<Symbol>,
        /// Whether functions are among them.
        has_functions: bool,
    },
}

/// A condition on one variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Line {
    /// At most this.
    Most(Int),
    /// At least this.
    Least(Int),
    /// This.
    Is(Int),
    /// At every value, or at none.
    Always(bool),
}

impl Line {
    /// Whether the condition holds at a value.
    pub(super) fn holds(&self, at: &Int) -> bool {
        match self {
            Line::Most(k) => at <= k,
            Line::Least(k) => at >= k,
            Line::Is(k) => at == k,
            Line::Always(value) => *value,
        }
    }

    /// The condition on `x`, if this is the condition on `x + above`.
    fn below(&self, above: &Int) -> Line {
        match self {
            Line::Most(k) => Line::Most(k - above),
            Line::Least(k) => Line::Least(k - above),
            Line::Is(k) => Line::Is(k - above),
            Line::Always(value) => Line::Always(*value),
        }
    }

    /// `a x + constant` is zero, or at most zero.
    fn of(is_equation: bool, a: &Int, constant: &Int) -> Line {
        let opposite = -constant;
        let quotient = opposite.div_floor(a);
        match is_equation {
            true if &quotient * a == opposite => Line::Is(quotient),
            true => Line::Always(false),
            false if a.is_positive() => Line::Most(quotient),
            false => Line::Least(constant.div_ceil(&-a)),
        }
    }
}

impl Shape {
    /// Whether it is a sum that is zero, rather than one that is at most zero, with the sum's monomials and constant; none if it is not linear.
    pub(super) fn linear(&self) -> Option<(bool, Monomials, Int)> {
        match self {
            Shape::Line(x, line) => {
                let (factor, k) = match line {
                    Line::Least(k) => (-&Int::ONE, k.clone()),
                    Line::Most(k) | Line::Is(k) => (Int::ONE, -k),
                    // `1 <= 0`, or `0 <= 0`.
                    Line::Always(value) => return Some((false, Vec::new(), if *value { Int::ZERO } else { Int::ONE })),
                };
                Some((matches!(line, Line::Is(_)), vec![(factor, *x)], k))
            }
            Shape::Offset(x, y, c) => Some((true, vec![(Int::ONE, *x), (-&Int::ONE, *y)], -c)),
            Shape::Sum {
                is_equation,
                monomials,
                constant,
            } => Some((*is_equation, monomials.clone(), constant.clone())),
            Shape::Other { .. } => None,
        }
    }
}

/// The shapes of atoms, remembered from one model to the next.
#[derive(Default)]
pub(super) struct Shapes(FxHashMap<TermId, Shape>);

impl Shapes {
    pub(super) fn of(&mut self, pool: &TermPool, atom: TermId) -> &Shape {
        self.0.entry(atom).or_insert_with(|| shape(pool, atom))
    }
}

fn other(pool: &TermPool, atom: TermId) -> Shape {
    let is_function =
        |&term: &TermId| matches!(pool.term(term), Term::App(..) | Term::RealApp(..) | Term::Update { .. });
    Shape::Other {
        symbols: pool.symbols(atom),
        has_functions: pool.sub_terms(&[atom]).iter().any(is_function),
    }
}

fn shape(pool: &TermPool, atom: TermId) -> Shape {
    let (is_equation, sum) = match pool.term(atom) {
        Term::Eq(sum) => (true, *sum),
        Term::Le(sum) => (false, *sum),
        _ => return other(pool, atom),
    };
    let mut leaves: Vec<(Int, TermId)> = Vec::new();
    let constant = pool.for_each_monomial(sum, |factor, leaf| leaves.push((factor.clone(), leaf)));
    let variable = |(factor, leaf): (Int, TermId)| match pool.term(leaf) {
        Term::IntVar(symbol) => Some((factor, *symbol)),
        _ => None,
    };
    let Some(monomials) = leaves.into_iter().map(variable).collect::<Option<Vec<_>>>() else {
        return other(pool, atom);
    };
    match &monomials[..] {
        [(a, x)] => Shape::Line(*x, Line::of(is_equation, a, &constant)),
        // `x - y + c = 0`
        [(a, x), (b, y)] if is_equation && (a + b).is_zero() && (a.is_one() || b.is_one()) => match a.is_one() {
            true => Shape::Offset(*x, *y, -constant),
            false => Shape::Offset(*y, *x, -constant),
        },
        _ => Shape::Sum {
            is_equation,
            monomials,
            constant,
        },
    }
}

/// The values that a class of variables may have, in terms of its representative.
#[derive(Default)]
pub(super) struct Class {
    pub(super) least: Option<Int>,
    pub(super) most: Option<Int>,
    pub(super) excluded: Vec<Int>,
    /// Literals about it: position, condition on the representative, and whether the literal is its negation.
    pub(super) literals: Vec<(usize, Line, bool)>,
}

impl Class {
    /// The only value that is possible, if there is only one.
    fn value(&self) -> Option<&Int> {
        self.least.as_ref().filter(|_| self.least == self.most)
    }

    /// Takes a condition, or its negation, into account.
    fn restrict(&mut self, line: Line, value: bool) {
        let one = Int::ONE;
        match (line, value) {
            (Line::Most(k), true) => self.at_most(k),
            (Line::Most(k), false) => self.at_least(&k + &one),
            (Line::Least(k), true) => self.at_least(k),
            (Line::Least(k), false) => self.at_most(&k - &one),
            (Line::Is(k), true) => {
                self.at_most(k.clone());
                self.at_least(k);
            }
            (Line::Is(k), false) => self.excluded.push(k),
            (Line::Always(_), _) => return,
        }
        // Excluded bounds move, so that a class with one value left is known to have it.
        while let Some(least) = self.least.as_mut().filter(|least| self.excluded.contains(least)) {
            *least = &*least + &one;
        }
        while let Some(most) = self.most.as_mut().filter(|most| self.excluded.contains(most)) {
            *most = &*most - &one;
        }
    }

    fn at_most(&mut self, k: Int) {
        if self.most.as_ref().is_none_or(|most| k < *most) {
            self.most = Some(k);
        }
    }

    fn at_least(&mut self, k: Int) {
        if self.least.as_ref().is_none_or(|least| k > *least) {
            self.least = Some(k);
        }
    }

    /// The possible valuations of the literals, as cubes; none if all are possible (or there is no literal).
    ///
    /// The line is cut into segments on which no literal changes and no value is excluded but a whole segment.
    pub(super) fn factor(&self) -> Option<Vec<Vec<(usize, bool)>>> {
        if self.literals.is_empty() {
            return None;
        }
        // The first points of segments.
        let mut starts: Vec<Int> = Vec::new();
        let one = Int::ONE;
        for (_, line, _) in &self.literals {
            match line {
                Line::Most(k) => starts.push(k + &one),
                Line::Least(k) => starts.push(k.clone()),
                Line::Is(k) => starts.extend([k.clone(), k + &one]),
                Line::Always(_) => {}
            }
        }
        for k in &self.excluded {
            starts.extend([k.clone(), k + &one]);
        }
        // One more segment than these: it ends before the first of them, or begins at the lower bound.
        starts.sort_unstable();
        starts.dedup();
        let below = starts.first().map_or(Int::ZERO, |first| first - &one);
        starts.insert(0, self.most.clone().filter(|most| *most < below).unwrap_or(below));
        if let Some(least) = &self.least {
            let before = starts.partition_point(|start| start <= least);
            starts.drain(..before);
            starts.insert(0, least.clone());
        }
        let possible =
            |start: &&Int| self.most.as_ref().is_none_or(|most| *start <= most) && !self.excluded.contains(start);
        let mut cubes: Vec<Vec<(usize, bool)>> = Vec::new();
        for start in starts.iter().filter(possible) {
            let cube = self
                .literals
                .iter()
                .map(|(i, line, negated)| (*i, line.holds(start) != *negated));
            let cube: Vec<(usize, bool)> = cube.collect();
            if !cubes.contains(&cube) {
                cubes.push(cube);
            }
        }
        let is_free = u32::try_from(self.literals.len()).is_ok_and(|n| n < 16 && cubes.len() == 1 << n);
        (!is_free).then_some(cubes)
    }
}

/// An atom in terms of classes, with classes that have one value replaced by it.
pub(super) enum Place {
    /// It holds or not, whatever the classes' values are.
    Settled,
    /// A condition on one class.
    On(usize, Line),
    /// The first class is the second one plus this.
    Offset(usize, usize, Int),
    /// It relates these classes, or says something else about them.
    Across(Vec<usize>),
}

/// Classes of variables that are equal but for an offset (union-find with offsets).
#[derive(Default)]
pub(super) struct Classes {
    numbers: FxHashMap<Symbol, usize>,
    /// For each variable another one and by how much it is above that.
    parent: Vec<(usize, Int)>,
    /// The values of classes, by representative; those of other variables are empty.
    pub(super) lines: Vec<Class>,
    /// How often a class got its only value or became part of another one.
    pub(super) changes: usize,
}

impl Classes {
    /// The representative of the variable's class, and by how much the variable is above it.
    pub(super) fn find(&mut self, symbol: Symbol) -> (usize, Int) {
        let fresh = self.parent.len();
        let start = *self.numbers.entry(symbol).or_insert(fresh);
        if start == fresh {
            self.parent.push((fresh, Int::ZERO));
            self.lines.push(Class::default());
        }
        let (mut at, mut offset) = (start, Int::ZERO);
        while self.parent[at].0 != at {
            offset = &offset + &self.parent[at].1;
            at = self.parent[at].0;
        }
        self.parent[start] = (at, offset.clone());
        (at, offset)
    }

    /// Notes that a class is another one plus a constant. No literal is about it yet.
    pub(super) fn join(&mut self, a: usize, b: usize, c: &Int) {
        let joined = std::mem::take(&mut self.lines[a]);
        debug_assert!(a != b && joined.literals.is_empty());
        self.parent[a] = (b, c.clone());
        self.changes += 1;
        let bounds = [joined.least.map(Line::Least), joined.most.map(Line::Most)];
        for bound in bounds.into_iter().flatten() {
            self.restrict(b, bound.below(c), true);
        }
        for k in joined.excluded {
            self.restrict(b, Line::Is(&k - c), false);
        }
    }

    /// Takes an atom's value about one class into account.
    pub(super) fn restrict(&mut self, class: usize, line: Line, value: bool) {
        let class = &mut self.lines[class];
        let before = class.value().is_some();
        class.restrict(line, value);
        self.changes += usize::from(!before && class.value().is_some());
    }

    /// A sum in terms of classes that have no value, and its constant.
    pub(super) fn sum(&mut self, monomials: &[(Int, Symbol)], constant: &Int) -> (Vec<(usize, Int)>, Int) {
        let mut constant = constant.clone();
        let mut sum: Vec<(usize, Int)> = Vec::with_capacity(monomials.len());
        for (factor, x) in monomials {
            let (class, above) = self.find(*x);
            constant = &constant + &(factor * &above);
            match (self.lines[class].value(), sum.iter_mut().find(|s| s.0 == class)) {
                (Some(value), _) => constant = &constant + &(factor * value),
                (None, Some((_, known))) => *known = &*known + factor,
                (None, None) => sum.push((class, factor.clone())),
            }
        }
        sum.retain(|(_, factor)| !factor.is_zero());
        (sum, constant)
    }

    /// The atom in terms of classes.
    pub(super) fn place(&mut self, shape: &Shape) -> Place {
        match shape {
            Shape::Line(x, line) => {
                let (class, above) = self.find(*x);
                Place::On(class, line.below(&above))
            }
            Shape::Offset(x, y, c) => {
                let ((a, above_a), (b, above_b)) = (self.find(*x), self.find(*y));
                // a + above_a = b + above_b + c
                let c = &(&above_b + c) - &above_a;
                match (self.lines[a].value(), self.lines[b].value()) {
                    _ if a == b => Place::Settled,
                    (Some(_), Some(_)) => Place::Settled,
                    (Some(value), None) => Place::On(b, Line::Is(value - &c)),
                    (None, Some(value)) => Place::On(a, Line::Is(value + &c)),
                    (None, None) => Place::Offset(a, b, c),
                }
            }
            Shape::Sum {
                is_equation,
                monomials,
                constant,
            } => {
                let (sum, constant) = self.sum(monomials, constant);
                match &sum[..] {
                    [] => Place::Settled,
                    [(class, factor)] => Place::On(*class, Line::of(*is_equation, factor, &constant)),
                    // `a - b + constant = 0`
                    [(a, factor), (b, other)] if *is_equation && (factor + other).is_zero() && factor.is_one() => {
                        Place::Offset(*a, *b, -constant)
                    }
                    [(b, other), (a, factor)] if *is_equation && (factor + other).is_zero() && factor.is_one() => {
                        Place::Offset(*a, *b, -constant)
                    }
                    _ => Place::Across(sum.into_iter().map(|s| s.0).collect()),
                }
            }
            Shape::Other { symbols, .. } => {
                let mut across: Vec<usize> = symbols.iter().map(|&s| self.find(s).0).collect();
                across.retain(|&class| self.lines[class].value().is_none());
                match across.is_empty() {
                    true => Place::Settled,
                    false => Place::Across(across),
                }
            }
        }
    }
}
