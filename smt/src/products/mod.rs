//! All valuations of a list of literals under the asserted formulas, as a union of products: the engine of Boolean predicate abstraction.
//!
//! Each satisfiable check gives a model, and [`Solver::implicant`] the few atoms whose values alone make the formulas true. All other
//! solutions of these atoms are models too. So one check yields many valuations, without looking at the formulas again:
//!
//! 1. Equations `x = y + c` among the atoms put variables into classes. The intermediate versions of a variable on a path fall together here.
//! 2. A class with one possible value is replaced by it in all other atoms. `2 x = y` is a condition on `y` alone where `x` is known.
//! 3. A class that, besides, has only bounds, values and excluded values of single variables is *simple*. Which valuations of the literals on its
//!    variables are possible is read off the number line.
//! 4. The other classes are put into *knots* that have nothing to do with each other. The possible valuations of the literals on a knot are enumerated once.
//! 5. Literals that the classes' values decide, and those about knots with functions, keep their values in the model.
//!
//! Simple classes and knots have nothing to do with each other, so every combination of their valuations is feasible: a product. It is excluded by one formula, and
//! the search goes on. Each product contains the model, so the enumeration ends; products may overlap. Where `n` variables are
//! independent on a path, this takes one check and not `2^n`.
//!
//! Compare Lahiri, Nieuwenhuis, Oliveras, *SMT techniques for fast predicate abstraction*, CAV 2006, where cubes are found one model at a time.
//!
//! | module | does |
//! |---|---|
//! | `knots` | classes that atoms tie together |
//! | `shape` | the forms of atoms, and classes of variables |

mod knots;
mod shape;

use crate::allsat::{AllSatAnswer, AllSatStatistics};
use crate::solver::{Answer, Solver};
use crate::term::{Term, TermId, TermPool};
use knots::Knots;
use shape::{Classes, Place, Shapes};

/// A conjunction of factors; each is a disjunction of cubes over positions of its own: lists of (position in the literals, value). Positions that
/// no factor mentions are free.
pub type Product = Vec<Vec<Cube>>;

/// Values of literals: pairs of (position in the literals, value).
pub type Cube = Vec<(usize, bool)>;

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
    let (mut shapes, mut knots) = (Shapes::default(), Knots::default());
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
        let product = generalise(pool, solver, (&mut shapes, &mut knots), &implicant, (literals, &values));
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

/// The atom of a literal, and whether the literal is its negation.
fn atom_of(pool: &TermPool, literal: TermId) -> (TermId, bool) {
    match pool.term(literal) {
        Term::Not(atom) => (*atom, true),
        _ => (literal, false),
    }
}

/// The product of valuations that the implicant allows and that contains `values`.
fn generalise(
    pool: &mut TermPool,
    solver: &mut Solver,
    (shapes, knots): (&mut Shapes, &mut Knots),
    implicant: &[(TermId, bool)],
    (literals, values): (&[TermId], &[bool]),
) -> Product {
    let mut classes = Classes::default();
    let mut open: Vec<(TermId, bool)> = implicant.to_vec();
    // Each class that gets its only value, and each that joins another one, may leave other atoms with fewer classes.
    loop {
        let changes = classes.changes;
        open.retain(|&(atom, value)| match classes.place(shapes.of(pool, atom)) {
            Place::Settled => false,
            Place::On(class, line) => {
                classes.restrict(class, line, value);
                false
            }
            Place::Offset(a, b, c) if value => {
                classes.join(a, b, &c);
                false
            }
            Place::Offset(..) | Place::Across(_) => true,
        });
        if classes.changes == changes {
            break;
        }
    }
    let (mut kept, mut tied): (Vec<usize>, Vec<(usize, TermId)>) = (Vec::new(), Vec::new());
    for (i, &literal) in literals.iter().enumerate() {
        let (atom, is_negated) = atom_of(pool, literal);
        match classes.place(shapes.of(pool, atom)) {
            Place::Settled => kept.push(i),
            Place::On(class, line) => classes.lines[class].literals.push((i, line, is_negated)),
            Place::Offset(..) | Place::Across(_) => tied.push((i, atom)),
        }
    }
    let mut product = Product::new();
    for knot in knots::tie(pool, shapes, &mut classes, &open, &tied) {
        if knot.has_functions {
            kept.extend(knot.literals);
        } else if !knot.literals.is_empty() {
            product.push(knots.factor(pool, solver, (shapes, &mut classes), &knot, (literals, values)));
        }
    }
    product.extend(classes.lines.iter().filter_map(shape::Class::factor));
    kept.sort_unstable();
    if !kept.is_empty() {
        product.push(vec![kept.into_iter().map(|i| (i, values[i])).collect()]);
    }
    debug_assert!(
        product.iter().all(|factor| factor
            .iter()
            .any(|cube| cube.iter().all(|&(i, value)| values[i] == value))),
        "a product contains its model"
    );
    product
}
