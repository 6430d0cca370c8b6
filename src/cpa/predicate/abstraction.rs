//! Boolean predicate abstraction of a formula: the strongest Boolean combination of given literals that it implies.
//!
//! Graf and Saidi, *Construction of abstract state graphs with PVS*, CAV 1997; by enumeration of models as in Lahiri, Nieuwenhuis,
//! Oliveras, *SMT techniques for fast predicate abstraction*, CAV 2006, but in products (see [`provident_smt::products`]).
//!
//! # Independent groups
//!
//! Literals that have nothing to do with each other multiply their valuations. So literals are put
//! in groups: two are in one group if symbols that occur in them are connected through conjuncts of the formula. If the formula is
//! satisfiable, then models of the groups can be combined freely, and the abstraction is exactly the conjunction of the groups' abstractions.
//!
//! # Limits
//!
//! Where the solver does not know, a literal counts as undecided: the result is weaker, never wrong.

use crate::cpa::Status;
use crate::query::checks;
use crate::query::effort::Effort;
use provident_smt::allsat::AllSatAnswer;
use provident_smt::hash::FxHashMap;
use provident_smt::products::{Product, all_products};
use provident_smt::proof::Part;
use provident_smt::solver::{Answer, Solver};
use provident_smt::term::{NO_INDEX, Symbol, TermId, TermPool};

/// Products of one group that are checked.
const MAX_CHECKED: usize = 16;

/// The abstraction of a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Abstraction {
    /// The formula has no model.
    Unsat,
    /// A conjunction (over groups) of disjunctions of products, over positions in the list of literals.
    Groups(Vec<Vec<Product>>),
}

/// Computes the abstraction of `formula` with respect to `literals`; with `cartesian` the strongest conjunction only.
pub fn abstract_formula(
    pool: &mut TermPool,
    effort: &mut Effort,
    formula: TermId,
    literals: &[TermId],
    cartesian: bool,
) -> (Abstraction, Status) {
    if formula == pool.mk_false() {
        return (Abstraction::Unsat, Status::GOOD);
    }
    let mut solver = effort.solver();
    solver.assert(pool, formula, Part(0));
    let result = enumerate(pool, &mut solver, formula, literals, cartesian);
    effort.charge(&solver);
    if effort.checks.enabled
        && let Abstraction::Groups(groups) = &result.0
    {
        check_products(pool, effort, formula, literals, groups);
    }
    result
}

/// Under `--check`: that products are not empty. That nothing is outside of them is checked where they are put together.
fn check_products(
    pool: &mut TermPool,
    effort: &mut Effort,
    formula: TermId,
    literals: &[TermId],
    groups: &[Vec<Product>],
) {
    for product in groups.iter().flat_map(|products| products.iter().take(MAX_CHECKED)) {
        let mut factors = vec![formula];
        for factor in product {
            let mut cubes = Vec::new();
            for cube in factor {
                let values = cube.iter().map(|&(i, value)| match value {
                    true => literals[i],
                    false => pool.not(literals[i]),
                });
                let values: Vec<TermId> = values.collect();
                cubes.push(pool.and(&values));
            }
            factors.push(pool.or(&cubes));
        }
        let decided = checks::satisfiable(pool, effort, &factors, "product of an abstraction");
        effort.checks.products += u64::from(decided);
    }
}

fn enumerate(
    pool: &mut TermPool,
    solver: &mut Solver,
    formula: TermId,
    literals: &[TermId],
    cartesian: bool,
) -> (Abstraction, Status) {
    let imprecise = Status {
        precise: false,
        ..Status::GOOD
    };
    match solver.check(pool, &[]) {
        Answer::Unsat => return (Abstraction::Unsat, Status::GOOD),
        Answer::Unknown(_) => return (Abstraction::Groups(Vec::new()), imprecise),
        Answer::Sat => {}
    }
    if cartesian {
        return decide(pool, solver, literals);
    }
    let (mut groups, mut status) = (Vec::new(), Status::GOOD);
    for group in independent(pool, formula, literals) {
        let terms: Vec<TermId> = group.iter().map(|&i| literals[i]).collect();
        let mut products: Vec<Product> = Vec::new();
        let mut emit = |mut product: Product| {
            for (i, _) in product.iter_mut().flatten().flatten() {
                *i = group[*i];
            }
            products.push(product);
        };
        match all_products(solver, pool, &terms, &mut emit) {
            AllSatAnswer::Complete(_) => groups.push(products),
            AllSatAnswer::Unknown(_) => status = imprecise,
        }
    }
    (Abstraction::Groups(groups), status)
}

/// The values of the literals in the model that the solver has just found.
fn valuation(pool: &TermPool, solver: &Solver, literals: &[TermId]) -> Vec<bool> {
    literals.iter().map(|&literal| solver.truth(pool, literal)).collect()
}

/// The literals that have the same value in all models of the formula, which is satisfiable.
///
/// Every model found on the way settles all literals in which it differs from the first one.
fn decide(pool: &mut TermPool, solver: &mut Solver, literals: &[TermId]) -> (Abstraction, Status) {
    let (mut groups, mut status) = (Vec::new(), Status::GOOD);
    for &literal in literals {
        solver.observe(pool, literal);
    }
    let Answer::Sat = solver.check(pool, &[]) else {
        status.precise = false;
        return (Abstraction::Groups(groups), status);
    };
    let first = valuation(pool, solver, literals);
    let mut differs = vec![false; literals.len()];
    for i in 0..literals.len() {
        if differs[i] {
            continue;
        }
        let opposite = if first[i] { pool.not(literals[i]) } else { literals[i] };
        match solver.check(pool, &[opposite]) {
            Answer::Unsat => groups.push(vec![vec![vec![vec![(i, first[i])]]]]),
            Answer::Sat => {
                let other = valuation(pool, solver, literals);
                for ((differs, other), first) in differs.iter_mut().zip(other).zip(&first) {
                    *differs |= other != *first;
                }
            }
            Answer::Unknown(_) => status.precise = false,
        }
    }
    (Abstraction::Groups(groups), status)
}

/// Puts the positions of literals into groups that share no connected symbols, in order of their first members.
fn independent(pool: &TermPool, formula: TermId, literals: &[TermId]) -> Vec<Vec<usize>> {
    let mut connected = Connected::default();
    for conjunct in pool.conjuncts(formula) {
        connected.join(&pool.symbols(conjunct));
    }
    for &literal in literals {
        connected.join(&pool.symbols(literal));
    }
    let mut groups: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
    for (i, &literal) in literals.iter().enumerate() {
        let class = pool.symbols(literal).first().map(|&s| connected.class_of(s));
        match groups.iter_mut().find(|(c, _)| *c == class) {
            Some((_, group)) => group.push(i),
            None => groups.push((class, vec![i])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Connected classes of symbols (union-find).
#[derive(Debug, Default)]
struct Connected {
    numbers: FxHashMap<Symbol, usize>,
    parent: Vec<usize>,
}

impl Connected {
    fn class_of(&mut self, symbol: Symbol) -> usize {
        let fresh = self.parent.len();
        let mut at = *self.numbers.entry(symbol).or_insert(fresh);
        if at == fresh {
            self.parent.push(fresh);
        }
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    fn join(&mut self, symbols: &[Symbol]) {
        // Operators without versions mean the same everywhere, and connect what they are applied to.
        debug_assert!(symbols.windows(2).all(|w| w[0] != w[1]) || symbols.iter().any(|s| s.index == NO_INDEX));
        let Some((&first, rest)) = symbols.split_first() else {
            return;
        };
        let mut class = self.class_of(first);
        for &symbol in rest {
            let other = self.class_of(symbol);
            self.parent[other] = class;
            class = self.class_of(first);
        }
    }
}
