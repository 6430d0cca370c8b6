//! All valuations of a list of literals under the asserted formulas, as a union of products: the engine of Boolean predicate abstraction.
//!
//! Each satisfiable check gives a model, and [`Solver::implicant`] the few atoms whose values alone make the formulas true. All other
//! solutions of these atoms are models too. So one check yields many valuations, without looking at the formulas again:
//!
//! 1. Equations `x = y + c` among the atoms put variables into classes. The intermediate versions of a variable on a path fall together here.
//! 2. A class that, besides, has only bounds, values and excluded values of single variables is *simple*. Which valuations of the literals on its
//!    variables are possible is read off the number line.
//! 3. Literals about anything else keep their values in the model.
//!
//! Simple classes have nothing to do with each other, so every combination of their valuations is feasible: a product. It is excluded by one formula, and
//! the search goes on. Each product contains the model, so the enumeration ends; products may overlap. Where `n` variables are
//! independent on a path, this takes one check and not `2^n`.
//!
//! Compare Lahiri, Nieuwenhuis, Oliveras, *SMT techniques for fast predicate abstraction*, CAV 2006, where cubes are found one model at a time.

use crate::allsat::{AllSatAnswer, AllSatStatistics};
use crate::hash::FxHashMap;
use crate::num::Int;
use crate::solver::{Answer, Solver};
use crate::term::{Symbol, Term, TermId, TermPool};

/// A conjunction of factors; each is a disjunction of cubes over positions of its own: lists of (position in the literals, value). Positions that
/// no factor mentions are free.
pub type Product = Vec<Vec<Vec<(usize, bool)>>>;

/// Enumerates the feasible valuations of `literals` (Bool terms) under the formulas asserted in `solver`, as products whose union they are.
///
/// In the answer, `cubes` counts products and `models` checks with the answer satisfiable. The solver's assertions are the same afterwards as before.
pub fn all_products(
    solver: &mut Solver,
    pool: &mut TermPool,
    literals: &[TermId],
    emit: &mut dyn FnMut(Product),
) -> AllSatAnswer {
    let asserted = solver.assertions();
    solver.push();
    for &literal in literals {
        solver.observe(pool, literal);
    }
    let mut shapes = Shapes::default();
    let mut statistics = AllSatStatistics::default();
    let answer = loop {
        statistics.calls += 1;
        match solver.check(pool, &[]) {
            Answer::Unsat => break AllSatAnswer::Complete(statistics),
            Answer::Unknown(reason) => break AllSatAnswer::Unknown(reason),
            Answer::Sat => {}
        }
        statistics.models += 1;
        statistics.cubes += 1;
        let implicant = solver.implicant(pool, asserted);
        let values: Vec<bool> = literals.iter().map(|&literal| solver.truth(pool, literal)).collect();
        let product = generalise(pool, &mut shapes, &implicant, literals, &values);
        let factors = formulas_of(pool, literals, &product);
        emit(product);
        solver.exclude(pool, &factors);
    };
    solver.pop();
    answer
}

/// The product as a list of formulas, of which all hold in it.
fn formulas_of(pool: &mut TermPool, literals: &[TermId], product: &Product) -> Vec<TermId> {
    let mut formulas = Vec::with_capacity(literals.len());
    for factor in product {
        let mut cubes = Vec::with_capacity(factor.len());
        for cube in factor {
            let mut conjuncts = Vec::with_capacity(cube.len());
            for &(i, value) in cube {
                conjuncts.push(if value { literals[i] } else { pool.not(literals[i]) });
            }
            cubes.push(conjuncts);
        }
        if let [only] = &mut cubes[..] {
            formulas.append(only);
        } else {
            let cubes: Vec<TermId> = cubes.iter().map(|cube| pool.and(cube)).collect();
            formulas.push(pool.or(&cubes));
        }
    }
    formulas
}

/// The meaning of an atom, if it is simple enough.
#[derive(Clone)]
enum Shape {
    /// The variable is at most this.
    Most(Symbol, Int),
    /// The variable is at least this.
    Least(Symbol, Int),
    /// The variable is this.
    Is(Symbol, Int),
    /// The first variable is the second one plus this.
    Offset(Symbol, Symbol, Int),
    /// Something about these symbols.
    Other(Vec<Symbol>),
}

/// The shapes of atoms, remembered from one model to the next.
#[derive(Default)]
struct Shapes(FxHashMap<TermId, Shape>);

impl Shapes {
    fn of(&mut self, pool: &TermPool, atom: TermId) -> &Shape {
        self.0.entry(atom).or_insert_with(|| shape(pool, atom))
    }
}

fn shape(pool: &TermPool, atom: TermId) -> Shape {
    let other = || Shape::Other(pool.symbols(atom));
    let (is_equation, sum) = match pool.term(atom) {
        Term::Eq(sum) => (true, *sum),
        Term::Le(sum) => (false, *sum),
        _ => return other(),
    };
    let mut monomials: Vec<(Int, TermId)> = Vec::new();
    let constant = pool.for_each_monomial(sum, |coeff, leaf| monomials.push((coeff.clone(), leaf)));
    let variable = |leaf: TermId| match pool.term(leaf) {
        Term::IntVar(symbol) => Some(*symbol),
        _ => None,
    };
    match &monomials[..] {
        [(a, leaf)] => match variable(*leaf) {
            Some(x) if is_equation && (a.is_one() || (-a).is_one()) => {
                Shape::Is(x, if a.is_one() { -constant } else { constant })
            }
            Some(x) if !is_equation && a.is_positive() => Shape::Most(x, (-constant).div_floor(a)),
            Some(x) if !is_equation => Shape::Least(x, constant.div_ceil(&-a)),
            _ => other(),
        },
        // `x - y + c = 0`
        [(a, first), (b, second)] if is_equation && (a + b).is_zero() && (a.is_one() || b.is_one()) => {
            match (variable(*first), variable(*second)) {
                (Some(x), Some(y)) if a.is_one() => Shape::Offset(x, y, -constant),
                (Some(x), Some(y)) => Shape::Offset(y, x, -constant),
                _ => other(),
            }
        }
        _ => other(),
    }
}

/// The values that a class of variables may have, in terms of its representative.
#[derive(Default)]
struct Class {
    /// Something other than the rest of this says something about it.
    is_entangled: bool,
    least: Option<Int>,
    most: Option<Int>,
    excluded: Vec<Int>,
    /// Literals about it: position, shape in terms of the representative, and whether the literal is the shape's negation.
    literals: Vec<(usize, Line, bool)>,
}

/// A literal on the number line of a class.
enum Line {
    Most(Int),
    Least(Int),
    Is(Int),
}

impl Line {
    fn holds(&self, at: &Int) -> bool {
        match self {
            Line::Most(k) => at <= k,
            Line::Least(k) => at >= k,
            Line::Is(k) => at == k,
        }
    }
}

/// Classes of variables that are equal but for an offset (union-find with offsets).
#[derive(Default)]
struct Classes {
    numbers: FxHashMap<Symbol, usize>,
    /// For each variable another one and by how much it is above that.
    parent: Vec<(usize, Int)>,
}

impl Classes {
    /// The representative of the variable's class, and by how much the variable is above it.
    fn find(&mut self, symbol: Symbol) -> (usize, Int) {
        let fresh = self.parent.len();
        let start = *self.numbers.entry(symbol).or_insert(fresh);
        if start == fresh {
            self.parent.push((fresh, Int::ZERO));
        }
        let (mut at, mut offset) = (start, Int::ZERO);
        while self.parent[at].0 != at {
            offset = &offset + &self.parent[at].1;
            at = self.parent[at].0;
        }
        self.parent[start] = (at, offset.clone());
        (at, offset)
    }

    /// Notes `x = y + c`.
    fn join(&mut self, x: Symbol, y: Symbol, c: &Int) {
        let ((a, above_a), (b, above_b)) = (self.find(x), self.find(y));
        if a != b {
            // a + above_a = b + above_b + c
            self.parent[a] = (b, &(&above_b + c) - &above_a);
        }
    }
}

/// The product of valuations that the implicant allows and that contains `values`.
fn generalise(
    pool: &TermPool,
    shapes: &mut Shapes,
    implicant: &[(TermId, bool)],
    literals: &[TermId],
    values: &[bool],
) -> Product {
    let mut classes = Classes::default();
    for &(atom, value) in implicant {
        if let (Shape::Offset(x, y, c), true) = (shapes.of(pool, atom), value) {
            classes.join(*x, *y, c);
        }
    }
    let mut lines: Vec<Class> = Vec::new();
    for &(atom, value) in implicant {
        restrict(&mut classes, &mut lines, shapes.of(pool, atom), value);
    }
    let mut fixed: Vec<usize> = Vec::new();
    for (i, &literal) in literals.iter().enumerate() {
        let (atom, negated) = match pool.term(literal) {
            Term::Not(atom) => (*atom, true),
            _ => (literal, false),
        };
        let (x, line): (Symbol, fn(Int) -> Line) = match shapes.of(pool, atom) {
            Shape::Most(x, _) => (*x, Line::Most),
            Shape::Least(x, _) => (*x, Line::Least),
            Shape::Is(x, _) => (*x, Line::Is),
            Shape::Offset(x, y, _) => {
                let (x, y) = (*x, *y);
                entangle(&mut classes, &mut lines, &[x, y]);
                fixed.push(i);
                continue;
            }
            Shape::Other(symbols) => {
                let symbols = symbols.clone();
                entangle(&mut classes, &mut lines, &symbols);
                fixed.push(i);
                continue;
            }
        };
        let (Shape::Most(_, k) | Shape::Least(_, k) | Shape::Is(_, k)) = shapes.of(pool, atom) else {
            unreachable!("just matched");
        };
        let (class, above) = classes.find(x);
        let line = line(k - &above);
        at(&mut lines, class).literals.push((i, line, negated));
    }
    let mut product = Product::new();
    for class in &lines {
        if class.is_entangled {
            fixed.extend(class.literals.iter().map(|l| l.0));
        } else if let Some(factor) = class.factor() {
            product.push(factor);
        }
    }
    fixed.sort_unstable();
    if !fixed.is_empty() {
        product.push(vec![fixed.into_iter().map(|i| (i, values[i])).collect()]);
    }
    debug_assert!(
        product.iter().all(|factor| factor
            .iter()
            .any(|cube| cube.iter().all(|&(i, value)| values[i] == value))),
        "a product contains its model"
    );
    product
}

fn at(lines: &mut Vec<Class>, class: usize) -> &mut Class {
    while lines.len() <= class {
        lines.push(Class::default());
    }
    &mut lines[class]
}

fn entangle(classes: &mut Classes, lines: &mut Vec<Class>, symbols: &[Symbol]) {
    for &symbol in symbols {
        at(lines, classes.find(symbol).0).is_entangled = true;
    }
}

/// Takes an atom's value into account.
fn restrict(classes: &mut Classes, lines: &mut Vec<Class>, shape: &Shape, value: bool) {
    match shape {
        Shape::Most(x, k) | Shape::Least(x, k) | Shape::Is(x, k) => {
            let (class, above) = classes.find(*x);
            let (k, one) = (k - &above, Int::ONE);
            let class = at(lines, class);
            match (shape, value) {
                (Shape::Most(..), true) => class.at_most(k),
                (Shape::Most(..), false) => class.at_least(&k + &one),
                (Shape::Least(..), true) => class.at_least(k),
                (Shape::Least(..), false) => class.at_most(&k - &one),
                (_, true) => {
                    class.at_most(k.clone());
                    class.at_least(k);
                }
                (_, false) => class.excluded.push(k),
            }
        }
        Shape::Offset(..) if value => {}
        // A disequality inside one class is true by the equations that made the class.
        Shape::Offset(x, y, _) if classes.find(*x).0 == classes.find(*y).0 => {}
        Shape::Offset(x, y, _) => entangle(classes, lines, &[*x, *y]),
        Shape::Other(symbols) => entangle(classes, lines, symbols),
    }
}

impl Class {
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
    fn factor(&self) -> Option<Vec<Vec<(usize, bool)>>> {
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
            }
        }
        for k in &self.excluded {
            starts.extend([k.clone(), k + &one]);
        }
        // One more segment than these: it ends before the first of them, or begins at the lower bound.
        starts.sort_unstable();
        starts.dedup();
        let below = &starts[0] - &one;
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
