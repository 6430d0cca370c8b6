//! Classes that atoms tie together, and the valuations of the literals about them.
//!
//! A *knot* is a set of classes that are connected by atoms, or by literals, about several of them. The atoms of an implicant are divided by the knots, and nothing connects one knot with another one:
//! the possible valuations of its literals are a factor of the product. They are enumerated by a solver that knows the atoms of the knot only.
//!
//! The models of a formula differ in what has nothing to do with most knots. So the same knot comes back with the next models, and what is known of it is looked up.

use super::shape::{Classes, Place, Shape, Shapes};
use super::{Cube, atom_of};
use crate::allsat::all_sat;
use crate::hash::FxHashMap;
use crate::num::Int;
use crate::proof::Part;
use crate::solver::Solver;
use crate::term::{NO_INDEX, TermId, TermPool};
use std::rc::Rc;

/// The ticks for one knot, and for all until they have cost a quarter of the enumeration. Valuations that are not found are left to the models that follow.
const MAX_TICKS: u64 = 50_000;

/// A knot with more cubes is left to the models one by one: its factor would be a long formula in the solver.
const MAX_CUBES: usize = 64;

/// The cost of a cube beside the ticks of the solver.
const TICKS_OF_CUBE: u64 = 100;

/// Classes that are tied together.
#[derive(Default)]
pub(super) struct Knot {
    /// In ascending order.
    classes: Vec<usize>,
    /// The atoms about several of the classes, with their values.
    atoms: Vec<(TermId, bool)>,
    /// The positions of the literals about the classes, in ascending order.
    pub(super) literals: Vec<usize>,
    /// Whether functions tie it: then it is another one on each path, and the solver on the side would have to know all of them.
    pub(super) has_functions: bool,
}

/// The knots of atoms, with their values, and of literals. Literals about a single class have been given to it, and are taken from it if it is part of a knot.
pub(super) fn tie(
    pool: &TermPool,
    shapes: &mut Shapes,
    classes: &mut Classes,
    atoms: &[(TermId, bool)],
    tied: &[(usize, TermId)],
) -> Vec<Knot> {
    let mut knots: Vec<Knot> = Vec::new();
    // The knot of each class that has one; knots that became part of another one have no classes.
    let mut knot_of: Vec<Option<usize>> = Vec::new();
    let mut join = |atom: TermId, knots: &mut Vec<Knot>| -> Option<usize> {
        let shape = shapes.of(pool, atom);
        let across = match classes.place(shape) {
            Place::Settled | Place::On(..) => return None,
            Place::Offset(a, b, _) => vec![a, b],
            Place::Across(across) => across,
        };
        knot_of.resize(classes.lines.len(), None);
        let mut known: Vec<usize> = across.iter().filter_map(|&class| knot_of[class]).collect();
        known.sort_unstable();
        known.dedup();
        let first = known.first().copied().unwrap_or(knots.len());
        if known.is_empty() {
            knots.push(Knot::default());
        }
        for &other in known.iter().skip(1).rev() {
            let mut other = std::mem::take(&mut knots[other]);
            for &class in &other.classes {
                knot_of[class] = Some(first);
            }
            let knot = &mut knots[first];
            knot.classes.append(&mut other.classes);
            knot.atoms.append(&mut other.atoms);
            knot.literals.append(&mut other.literals);
            knot.has_functions |= other.has_functions;
        }
        for class in across {
            if knot_of[class].replace(first).is_none() {
                knots[first].classes.push(class);
            }
        }
        knots[first].has_functions |= matches!(
            shape,
            Shape::Other {
                has_functions: true,
                ..
            }
        );
        Some(first)
    };
    for &(atom, value) in atoms {
        if let Some(knot) = join(atom, &mut knots) {
            knots[knot].atoms.push((atom, value));
        }
    }
    for &(i, atom) in tied {
        let knot = join(atom, &mut knots).expect("the literal is about several classes");
        knots[knot].literals.push(i);
    }
    knots.retain(|knot| !knot.classes.is_empty());
    for knot in &mut knots {
        knot.classes.sort_unstable();
        for &class in &knot.classes {
            let own = std::mem::take(&mut classes.lines[class].literals);
            knot.literals.extend(own.into_iter().map(|(i, ..)| i));
        }
        knot.literals.sort_unstable();
    }
    knots
}

/// The atoms and literals of a knot, under names of their own.
type Question = (Vec<TermId>, Vec<TermId>);

/// The answers for knots, kept from one model to the next.
#[derive(Default)]
pub(super) struct Knots {
    known: FxHashMap<Question, Rc<Vec<Cube>>>,
    spent: u64,
}

impl Knots {
    /// Possible valuations of a knot's literals, as cubes over positions in `literals`. One of them contains `values`.
    pub(super) fn factor(
        &mut self,
        pool: &mut TermPool,
        solver: &mut Solver,
        (shapes, classes): (&mut Shapes, &mut Classes),
        knot: &Knot,
        (literals, values): (&[TermId], &[bool]),
    ) -> Vec<Cube> {
        let mut names = Names::default();
        for &i in &knot.literals {
            names.of_literal(pool, classes, shapes.of(pool, atom_of(pool, literals[i]).0));
        }
        let mut conjuncts: Vec<TermId> = Vec::new();
        for &class in &knot.classes {
            names.bounds(pool, classes, class, &mut conjuncts);
        }
        for &(atom, value) in &knot.atoms {
            let formula = names.formula(pool, classes, atom, shapes.of(pool, atom));
            conjuncts.push(if value { formula } else { pool.not(formula) });
        }
        conjuncts.sort_unstable();
        conjuncts.dedup();
        let mut asked: Vec<TermId> = Vec::with_capacity(knot.literals.len());
        for &i in &knot.literals {
            let (atom, is_negated) = atom_of(pool, literals[i]);
            let formula = names.formula(pool, classes, atom, shapes.of(pool, atom));
            asked.push(if is_negated { pool.not(formula) } else { formula });
        }
        let question = (conjuncts, asked);
        let found = match self.known.get(&question) {
            Some(known) => Rc::clone(known),
            None if self.spent > MAX_TICKS.max(solver.ticks() / 4) => Rc::default(),
            None => {
                let found = Rc::new(self.valuations(pool, solver, &question));
                self.known.insert(question, Rc::clone(&found));
                found
            }
        };
        let place = |cube: &Cube| cube.iter().map(|&(at, value)| (knot.literals[at], value)).collect();
        let mut cubes: Vec<Cube> = found.iter().map(place).collect();
        let is_own = |cube: &Cube| cube.iter().all(|&(i, value)| values[i] == value);
        if !cubes.iter().any(is_own) {
            cubes.push(knot.literals.iter().map(|&i| (i, values[i])).collect());
        }
        cubes
    }

    /// Valuations of literals that satisfy the conjuncts: all, unless the ticks end; none if there are too many.
    fn valuations(&mut self, pool: &mut TermPool, solver: &mut Solver, (conjuncts, literals): &Question) -> Vec<Cube> {
        let mut aside = solver.aside(MAX_TICKS);
        for &conjunct in conjuncts {
            aside.assert(pool, conjunct, Part(0));
        }
        let (mut cubes, mut count) = (Vec::new(), 0);
        all_sat(&mut aside, pool, literals, &mut |cube| {
            count += 1;
            if cubes.len() <= MAX_CUBES {
                cubes.push(cube.to_vec());
            }
        });
        let ticks = aside.ticks() + TICKS_OF_CUBE * count;
        solver.charge(ticks);
        self.spent += ticks;
        if cubes.len() > MAX_CUBES {
            cubes.clear();
        }
        cubes
    }
}

/// A variable for each class, and by how much it is above the representative. The names depend on the literals only as far as possible, and not on the path, so that knots are recognised.
#[derive(Default)]
struct Names(Vec<Option<(TermId, Int)>>);

impl Names {
    /// Classes are named by the variables of literals.
    fn of_literal(&mut self, pool: &mut TermPool, classes: &mut Classes, shape: &Shape) {
        for (_, symbol) in shape.linear().into_iter().flat_map(|(_, monomials, _)| monomials) {
            let (class, above) = classes.find(symbol);
            let name = || (pool.int_var(symbol.name, symbol.index), above);
            self.place(class).get_or_insert_with(name);
        }
    }

    fn place(&mut self, class: usize) -> &mut Option<(TermId, Int)> {
        self.0.resize(self.0.len().max(class + 1), None);
        &mut self.0[class]
    }

    /// The variable of a class.
    fn of(&mut self, pool: &mut TermPool, class: usize) -> &(TermId, Int) {
        let fresh = self.0.iter().flatten().count();
        self.place(class).get_or_insert_with(|| {
            let name = pool.symbol(&format!("knot!{fresh}"));
            (pool.int_var(name, NO_INDEX), Int::ZERO)
        })
    }

    /// A sum over classes.
    fn sum(&mut self, pool: &mut TermPool, monomials: Vec<(usize, Int)>, mut constant: Int) -> TermId {
        let mut sum = Vec::with_capacity(monomials.len());
        for (class, factor) in monomials {
            let (variable, above) = self.of(pool, class);
            constant = &constant - &(&factor * above);
            sum.push((factor, *variable));
        }
        pool.linear(&sum, constant)
    }

    /// An atom.
    fn formula(&mut self, pool: &mut TermPool, classes: &mut Classes, atom: TermId, shape: &Shape) -> TermId {
        let Some((is_equation, monomials, constant)) = shape.linear() else {
            let mut replacements = FxHashMap::default();
            for symbol in pool.symbols(atom) {
                let (sum, constant) = classes.sum(&[(Int::ONE, symbol)], &Int::ZERO);
                let value = self.sum(pool, sum, constant);
                replacements.insert(pool.int_var(symbol.name, symbol.index), value);
            }
            return pool.substitute(atom, &replacements);
        };
        let (sum, constant) = classes.sum(&monomials, &constant);
        let sum = self.sum(pool, sum, constant);
        match is_equation {
            true => pool.eq_zero(sum),
            false => pool.le_zero(sum),
        }
    }

    /// The bounds and excluded values of a class.
    fn bounds(&mut self, pool: &mut TermPool, classes: &Classes, class: usize, conjuncts: &mut Vec<TermId>) {
        let line = &classes.lines[class];
        let at = self.sum(pool, vec![(class, Int::ONE)], Int::ZERO);
        if let Some(least) = &line.least {
            let least = pool.int(least.clone());
            conjuncts.push(pool.ge(at, least));
        }
        if let Some(most) = &line.most {
            let most = pool.int(most.clone());
            conjuncts.push(pool.le(at, most));
        }
        for k in &line.excluded {
            let k = pool.int(k.clone());
            let equal = pool.eq(at, k);
            conjuncts.push(pool.not(equal));
        }
    }
}
