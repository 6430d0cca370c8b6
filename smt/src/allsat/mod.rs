//! All models of the asserted formulas, projected on a list of literals, as disjoint cubes.
//!
//! Predicate abstraction uses the sibling [`products`](crate::products), which needs fewer checks but whose products overlap.
//!
//! The valuations of the literals form a binary tree in the order in which the literals are given. The enumeration walks it
//! chronologically, depth first. A model decides a whole branch at once; the walk then goes back up and asks, at each
//! level, for a model that agrees with the branch above and differs in this literal. The questions are assumptions of
//! an incremental solver, so no blocking clause is ever added and nothing piles up, however many models there are
//! (Grumberg, Schuster, Yadgar, *Memory efficient all-solutions SAT solver*, 2004; Gebser, Kaufmann, Schaub, *Solution
//! enumeration for projected Boolean search problems*, 2009).
//!
//! Four things make it cheap:
//!
//! * An infeasible question leaves its failed assumptions. They are kept under their deepest literal: as the branch above was
//!   feasible, a later question can only be refuted by a known core whose deepest literal is the one just flipped. So
//!   each core costs one solver call, and each refuted question after that a short scan.
//! * Each model that the solver finds brings others that only have to be evaluated (see `neighbours`). They wait until the walk comes by.
//! * A literal that has the same value in the first models is asked for once without any branch (the Cartesian pre-check). A
//!   literal with only one feasible value is never asked for again.
//! * Where both values of a literal turn out to be completely feasible, the two cubes are joined on the way up. The cubes
//!   that reach the caller are disjoint, and their union is exactly the set of feasible valuations.
//!
//! The cost is one solver call for each model that has no known neighbour, and one for each distinct core. The order of the cubes depends on the
//! input and the solver's (deterministic) models only.
//!
//! | module | does |
//! |---|---|
//! | `neighbours` | finds further models next to a known one |
//! | `valuation` | values of the literals, as bits |
//! | `evaluator` | evaluates formulas from the values of a few inputs |

mod evaluator;
mod neighbours;
mod valuation;

use crate::hash::FxHashMap;
use crate::solver::{Answer, Solver, UnknownReason};
use crate::term::{Term, TermId, TermPool};
use neighbours::Neighbours;
use std::collections::BTreeSet;
use valuation::Valuation;

/// Receives the cubes: lists of (position in the literals, value).
pub type Emit<'a> = dyn FnMut(&[(usize, bool)]) + 'a;

/// The end of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllSatAnswer {
    /// Every feasible valuation is in exactly one of the cubes that were handed out.
    Complete(AllSatStatistics),
    /// The enumeration was cut short; the cubes handed out so far are feasible, but others may be missing.
    Unknown(UnknownReason),
}

/// Counters of an enumeration's work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllSatStatistics {
    /// Cubes handed to the callback.
    pub cubes: u64,
    /// Feasible valuations of the distinct literals that a solver call found.
    pub models: u64,
    /// Feasible valuations that were found by evaluation.
    pub evaluated: u64,
    /// Questions to the solver.
    pub calls: u64,
    /// Infeasible valuations that a known core refuted without the solver.
    pub blocked: u64,
}

/// Enumerates the feasible valuations of `literals` (Bool terms) under the formulas asserted in `solver`.
///
/// `emit` gets disjoint cubes, each a list of (position in `literals`, value) in ascending order of position; positions that a cube
/// does not mention are free in it. The union of the cubes is the set of feasible valuations, exactly. With no literals,
/// the empty cube says that the formulas are satisfiable. The solver's assertions are the same afterwards as before.
pub fn all_sat(solver: &mut Solver, pool: &mut TermPool, literals: &[TermId], emit: &mut Emit<'_>) -> AllSatAnswer {
    let columns = Columns::new(pool, literals);
    let mut walk = Walk::new(solver, pool, columns, emit);
    let result = walk.begin().and_then(|first| match first {
        Some(first) => walk.run(&first),
        None => Ok(()),
    });
    match result {
        Ok(()) => AllSatAnswer::Complete(walk.statistics),
        Err(reason) => AllSatAnswer::Unknown(reason),
    }
}

/// The distinct literals behind the caller's positions: equal and complementary literals share a column.
struct Columns {
    /// The positive and the negated term of each column.
    terms: Vec<[TermId; 2]>,
    /// Whether several positions have the column: it is not free in a cube then, as these positions depend on each other.
    is_shared: Vec<bool>,
    /// For each position of the caller, its column and whether it is the column's negation.
    positions: Vec<(usize, bool)>,
    /// Both terms of each column, mapped to column and value.
    index: FxHashMap<TermId, (usize, bool)>,
}

impl Columns {
    fn new(pool: &mut TermPool, literals: &[TermId]) -> Self {
        let mut columns = Columns {
            terms: Vec::new(),
            is_shared: Vec::new(),
            positions: Vec::new(),
            index: FxHashMap::default(),
        };
        for &literal in literals {
            let (column, value) = match columns.index.get(&literal) {
                Some(&known) => {
                    columns.is_shared[known.0] = true;
                    known
                }
                None => columns.add(pool, literal),
            };
            columns.positions.push((column, !value));
        }
        columns
    }

    fn add(&mut self, pool: &mut TermPool, literal: TermId) -> (usize, bool) {
        let column = self.terms.len();
        let negation = pool.not(literal);
        self.terms.push([literal, negation]);
        self.is_shared.push(false);
        self.index.insert(negation, (column, false));
        self.index.insert(literal, (column, true));
        (column, true)
    }

    fn term(&self, column: usize, value: bool) -> TermId {
        self.terms[column][usize::from(!value)]
    }
}

/// One level of the branch: the value of a column on it, and what is known of the two subtrees.
#[derive(Clone, Copy)]
struct Level {
    value: bool,
    /// The other value has been explored already (and `first_full` says whether that subtree was completely feasible).
    flipped: bool,
    first_full: bool,
}

/// An infeasible combination of column values, without its deepest literal (under which it is stored).
type Core = Box<[(usize, bool)]>;

/// The most models that wait for the walk.
const RESERVE: usize = 1 << 14;

struct Walk<'a> {
    solver: &'a mut Solver,
    pool: &'a mut TermPool,
    columns: Columns,
    emit: &'a mut Emit<'a>,
    branch: Vec<Level>,
    /// Cores by the column and value of their deepest literal.
    cores: Vec<[Vec<Core>; 2]>,
    /// Known models that the walk has not reached yet. Those of a branch are neighbours in their order.
    reserve: BTreeSet<Valuation>,
    /// Finds models around a known one.
    neighbours: Option<Neighbours>,
    /// The formulas.
    asserted: Vec<TermId>,
    assumptions: Vec<TermId>,
    cube: Vec<(usize, bool)>,
    statistics: AllSatStatistics,
}

impl<'a> Walk<'a> {
    fn new(solver: &'a mut Solver, pool: &'a mut TermPool, columns: Columns, emit: &'a mut Emit<'a>) -> Self {
        let count = columns.terms.len();
        for &[literal, _] in &columns.terms {
            solver.observe(pool, literal);
        }
        let asserted = solver.asserted().to_vec();
        let literals: Vec<TermId> = columns.terms.iter().map(|terms| terms[0]).collect();
        let neighbours = Neighbours::new(pool, &asserted, &literals);
        Walk {
            solver,
            pool,
            columns,
            emit,
            branch: Vec::with_capacity(count),
            cores: vec![[Vec::new(), Vec::new()]; count],
            reserve: BTreeSet::new(),
            neighbours,
            asserted,
            assumptions: Vec::new(),
            cube: Vec::new(),
            statistics: AllSatStatistics::default(),
        }
    }

    /// The first model, if there is one; the pre-check is done then.
    fn begin(&mut self) -> Result<Option<Valuation>, UnknownReason> {
        self.assumptions.clear();
        let Some(first) = self.ask()? else { return Ok(None) };
        self.cartesian_check(&first)?;
        Ok(Some(first))
    }

    /// The chronological walk from a model on. Each turn of the loop leaves one subtree, and tries the other value of the level above it.
    fn run(&mut self, first: &Valuation) -> Result<(), UnknownReason> {
        self.descend(first);
        let mut full = true;
        while let Some(&Level {
            value,
            flipped,
            first_full,
        }) = self.branch.last()
        {
            if flipped {
                let both = first_full && full && !self.columns.is_shared[self.branch.len() - 1];
                if !both && first_full {
                    self.emit_branch(!value);
                }
                if !both && full {
                    self.emit_branch(value);
                }
                full = both;
                self.branch.pop();
                continue;
            }
            let level = self.branch.last_mut().expect("the loop condition saw a level");
            *level = Level {
                value: !value,
                flipped: true,
                first_full: full,
            };
            full = match self.find_below()? {
                Some(model) => {
                    self.descend(&model);
                    true
                }
                None => false,
            };
        }
        if full {
            self.emit_cube();
        }
        Ok(())
    }

    /// Extends the branch by the model's values; the leaf that this reaches is feasible.
    fn descend(&mut self, model: &Valuation) {
        for value in model.from(self.branch.len()) {
            self.branch.push(Level {
                value,
                flipped: false,
                first_full: false,
            });
        }
    }

    /// A model of the branch, whose last level has just been flipped.
    fn find_below(&mut self) -> Result<Option<Valuation>, UnknownReason> {
        if self.known_infeasible() {
            self.statistics.blocked += 1;
            return Ok(None);
        }
        let prefix = Valuation::new(self.cores.len(), self.branch.iter().map(|level| level.value));
        let depth = self.branch.len();
        if let Some(model) = self.reserve.range(&prefix..).next()
            && model.agrees(&prefix, depth)
        {
            let model = model.clone();
            self.reserve.remove(&model);
            return Ok(Some(model));
        }
        self.assumptions.clear();
        let columns = &self.columns;
        self.assumptions.extend(
            self.branch
                .iter()
                .enumerate()
                .map(|(column, level)| columns.term(column, level.value)),
        );
        self.ask()
    }

    fn known_infeasible(&self) -> bool {
        let deepest = self.branch.len() - 1;
        let value = self.branch[deepest].value;
        let matches = |core: &Core| core.iter().all(|&(column, value)| self.branch[column].value == value);
        self.cores[deepest][usize::from(value)].iter().any(matches)
    }

    /// Puts the question `self.assumptions`; the answer is the valuation of the columns, or none if there is no model.
    fn ask(&mut self) -> Result<Option<Valuation>, UnknownReason> {
        self.statistics.calls += 1;
        match self.solver.check(self.pool, &self.assumptions) {
            Answer::Sat => {
                self.statistics.models += 1;
                let truth = |&[literal, _]: &[TermId; 2]| self.solver.truth(self.pool, literal);
                let values = self.columns.terms.iter().map(truth);
                let model = Valuation::new(self.columns.terms.len(), values);
                self.look_around(&model);
                Ok(Some(model))
            }
            Answer::Unsat => {
                self.learn();
                Ok(None)
            }
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// Puts models around the last one into the reserve, unless the walk was there already.
    fn look_around(&mut self, own: &Valuation) {
        let Some(neighbours) = &mut self.neighbours else { return };
        let (reserve, branch) = (&mut self.reserve, &self.branch);
        let model = self.solver.model(self.pool);
        let before = reserve.len();
        let mut offer = |found: Valuation| {
            let differs = branch
                .iter()
                .zip(found.from(0))
                .find(|(level, value)| level.value != *value);
            let is_past = differs.is_some_and(|(level, _)| level.flipped);
            reserve.len() < RESERVE && !is_past && found != *own && reserve.insert(found)
        };
        neighbours.explore(self.pool, &self.asserted, &model, &mut offer);
        self.statistics.evaluated += (reserve.len() - before) as u64;
    }

    /// Keeps the failed assumptions of the last question under their deepest literal.
    fn learn(&mut self) {
        let mut core: Vec<(usize, bool)> = Vec::new();
        for failed in self.solver.core() {
            core.push(
                *self
                    .columns
                    .index
                    .get(&failed)
                    .expect("a failed assumption is one of the assumptions"),
            );
        }
        core.sort_unstable();
        core.dedup();
        // An empty core means that the formulas themselves are unsatisfiable: then there was no first model to start from.
        if let Some((deepest, value)) = core.pop() {
            self.cores[deepest][usize::from(value)].push(core.into_boxed_slice());
        }
    }

    /// Asks, for each column that had one value in all models so far, whether it can have the other.
    fn cartesian_check(&mut self, first: &Valuation) -> Result<(), UnknownReason> {
        for column in 0..first.len() {
            let value = !first.value(column);
            if self.is_constant(column) || self.reserve.iter().any(|model| model.value(column) == value) {
                continue;
            }
            self.assumptions.clear();
            self.assumptions.push(self.columns.term(column, value));
            if let Some(model) = self.ask()?
                && model != *first
            {
                self.reserve.insert(model);
            }
        }
        Ok(())
    }

    /// A literal that is the constant true or false needs no question. Its other value is recorded as infeasible.
    fn is_constant(&mut self, column: usize) -> bool {
        let infeasible = match self.pool.term(self.columns.terms[column][0]) {
            Term::True => false,
            Term::False => true,
            _ => return false,
        };
        self.cores[column][usize::from(infeasible)].push(Box::default());
        true
    }

    /// Hands out the branch, with `value` at its last level.
    fn emit_branch(&mut self, value: bool) {
        let level = self.branch.last_mut().expect("only a level of the branch is left");
        let current = std::mem::replace(&mut level.value, value);
        self.emit_cube();
        self.branch.last_mut().expect("unchanged").value = current;
    }

    fn emit_cube(&mut self) {
        self.cube.clear();
        for (position, &(column, negated)) in self.columns.positions.iter().enumerate() {
            if let Some(level) = self.branch.get(column) {
                self.cube.push((position, level.value != negated));
            }
        }
        self.statistics.cubes += 1;
        (self.emit)(&self.cube);
    }
}
