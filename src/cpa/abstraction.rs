//! Boolean predicate abstraction of a formula: the strongest Boolean combination of given literals that it implies.
//!
//! Graf and Saidi, *Construction of abstract state graphs with PVS*, CAV 1997; by enumeration of models as in Lahiri, Nieuwenhuis,
//! Oliveras, *SMT techniques for fast predicate abstraction*, CAV 2006.
//!
//! # Independent groups
//!
//! Enumeration costs one solver call per cube, and literals that have nothing to do with each other multiply their cubes. So literals are put
//! in groups: two are in one group if symbols that occur in them are connected through conjuncts of the formula. If the formula is
//! satisfiable, then models of the groups can be combined freely, and the abstraction is exactly the conjunction of the groups' abstractions.
//!
//! # Limits
//!
//! Where the solver does not know, a literal counts as undecided: the result is weaker, never wrong.

use super::Status;
use super::effort::Effort;
use provident_smt::allsat::{AllSatAnswer, all_sat_from};
use provident_smt::hash::FxHashMap;
use provident_smt::proof::Part;
use provident_smt::solver::{Answer, Solver};
use provident_smt::term::{NO_INDEX, Symbol, TermId, TermPool};

/// A conjunction of literals: positions in the list of literals, with values.
pub type Cube = Vec<(usize, bool)>;

/// The abstraction of a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Abstraction {
    /// The formula has no model.
    Unsat,
    /// A conjunction (over groups) of disjunctions of cubes.
    Groups(Vec<Vec<Cube>>),
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
    effort.book(&solver);
    result
}

fn enumerate(
    pool: &mut TermPool,
    solver: &mut Solver,
    formula: TermId,
    literals: &[TermId],
    cartesian: bool,
) -> (Abstraction, Status) {
    for &literal in literals {
        solver.observe(pool, literal);
    }
    let first = match solver.check(pool, &[]) {
        Answer::Unsat => return (Abstraction::Unsat, Status::GOOD),
        Answer::Unknown(_) => {
            return (
                Abstraction::Groups(Vec::new()),
                Status {
                    precise: false,
                    ..Status::GOOD
                },
            );
        }
        Answer::Sat => valuation(pool, solver, literals),
    };
    let mut status = Status::GOOD;
    let (fixed, undecided, models) = decide(pool, solver, literals, first, &mut status);
    let mut groups: Vec<Vec<Cube>> = fixed.iter().map(|&literal| vec![vec![literal]]).collect();
    if cartesian {
        return (Abstraction::Groups(groups), status);
    }
    if undecided.len() > 1 {
        // What is known prunes the walk.
        for &(i, value) in &fixed {
            let fact = if value { literals[i] } else { pool.not(literals[i]) };
            solver.assert(pool, fact, Part(0));
        }
    }
    for group in independent(pool, formula, literals, &undecided) {
        // Both values of a single literal are known to be possible.
        if group.len() < 2 {
            continue;
        }
        let terms: Vec<TermId> = group.iter().map(|&i| literals[i]).collect();
        let mut cubes: Vec<Cube> = Vec::new();
        let mut emit = |cube: &[(usize, bool)]| cubes.push(cube.iter().map(|&(i, value)| (group[i], value)).collect());
        let known = |model: &Vec<bool>| group.iter().map(|&i| model[i]).collect();
        let known: Vec<Vec<bool>> = models.iter().map(known).collect();
        match all_sat_from(solver, pool, &terms, &known, &mut emit) {
            AllSatAnswer::Complete(_) => groups.push(cubes),
            AllSatAnswer::Unknown(_) => status.precise = false,
        }
    }
    (Abstraction::Groups(groups), status)
}

/// The values of the literals in the model that the solver has just found.
fn valuation(pool: &TermPool, solver: &Solver, literals: &[TermId]) -> Vec<bool> {
    literals.iter().map(|&literal| solver.truth(pool, literal)).collect()
}

/// Finds the literals that have the same value in all models, those that have not (or are not known to have), and the models seen.
///
/// Every model found on the way settles all literals in which it differs from the first one.
fn decide(
    pool: &mut TermPool,
    solver: &mut Solver,
    literals: &[TermId],
    first: Vec<bool>,
    status: &mut Status,
) -> (Cube, Vec<usize>, Vec<Vec<bool>>) {
    let mut differs = vec![false; literals.len()];
    let mut fixed = Cube::new();
    let mut models = vec![first];
    for i in 0..literals.len() {
        if differs[i] {
            continue;
        }
        let value = models[0][i];
        let opposite = if value { pool.not(literals[i]) } else { literals[i] };
        match solver.check(pool, &[opposite]) {
            Answer::Unsat => fixed.push((i, value)),
            Answer::Sat => {
                let other = valuation(pool, solver, literals);
                for ((differs, other), first) in differs.iter_mut().zip(&other).zip(&models[0]) {
                    *differs |= other != first;
                }
                debug_assert!(differs[i]);
                models.push(other);
            }
            Answer::Unknown(_) => {
                status.precise = false;
                differs[i] = true;
            }
        }
    }
    let undecided = (0..literals.len()).filter(|&i| differs[i]).collect();
    (fixed, undecided, models)
}

/// Puts positions of literals into groups that share no connected symbols, in order of their first members.
fn independent(pool: &TermPool, formula: TermId, literals: &[TermId], positions: &[usize]) -> Vec<Vec<usize>> {
    let mut connected = Connected::default();
    for conjunct in pool.conjuncts(formula) {
        connected.join(&pool.symbols(conjunct));
    }
    for &i in positions {
        connected.join(&pool.symbols(literals[i]));
    }
    let mut groups: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
    for &i in positions {
        let class = pool.symbols(literals[i]).first().map(|&s| connected.class_of(s));
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
