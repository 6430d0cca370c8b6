//! The search over small domains: its answers against enumeration, with models, proofs and interpolants checked; and problems that need it.

use proptest::prelude::*;
use provident_smt::interpolate::{InterpolationConfig, SequenceResult, sequence};
use provident_smt::num::Int;
use provident_smt::proof::{self, Part};
use provident_smt::solver::{Answer, Config, Solver, Statistics};
use provident_smt::term::{TermId, TermPool};

/// Turns to small domains at once, and soon back.
const SOON: Option<u64> = Some(20);
/// Never turns.
const NEVER: Option<u64> = Some(u64::MAX);

/// A problem over integers with few values each.
#[derive(Clone, Debug)]
struct Problem {
    /// The least and the greatest value of each integer.
    domains: Vec<(i64, i64)>,
    constraints: Vec<Constraint>,
    /// If set, all of it is said of the integers less another one, which is made before the integer of this number.
    reference: Option<usize>,
}

#[derive(Clone, Debug)]
enum Constraint {
    /// A linear form compared with a number.
    Linear(Linear),
    /// One of two holds.
    Either(Linear, Linear),
    /// `|x - y| = z`.
    Distance(usize, usize, usize),
    /// Pairwise different.
    Different(Vec<usize>),
    /// Of two integers, by a conditional term `x >= y ? x - y : y - x` that is not 0.
    Apart(usize, usize),
}

#[derive(Clone, Debug)]
struct Linear {
    monomials: Vec<(i64, usize)>,
    relation: Relation,
    value: i64,
}

#[derive(Clone, Copy, Debug)]
enum Relation {
    AtMost,
    Equal,
    Different,
}

impl Linear {
    fn holds(&self, point: &[i64]) -> bool {
        let sum: i64 = self.monomials.iter().map(|&(c, x)| c * point[x]).sum();
        match self.relation {
            Relation::AtMost => sum <= self.value,
            Relation::Equal => sum == self.value,
            Relation::Different => sum != self.value,
        }
    }

    fn term(&self, pool: &mut TermPool, variables: &[TermId]) -> TermId {
        let monomials: Vec<(Int, TermId)> = self.monomials.iter().map(|&(c, x)| (c.into(), variables[x])).collect();
        let (sum, value) = (pool.linear(&monomials, Int::ZERO), pool.int(self.value));
        match self.relation {
            Relation::AtMost => pool.le(sum, value),
            Relation::Equal => pool.eq(sum, value),
            Relation::Different => pool.ne(sum, value),
        }
    }
}

impl Constraint {
    fn holds(&self, point: &[i64]) -> bool {
        match self {
            Constraint::Linear(linear) => linear.holds(point),
            Constraint::Either(a, b) => a.holds(point) || b.holds(point),
            Constraint::Distance(x, y, z) => (point[*x] - point[*y]).abs() == point[*z],
            Constraint::Different(all) => (1..all.len()).all(|j| (0..j).all(|i| point[all[i]] != point[all[j]])),
            Constraint::Apart(x, y) => point[*x] != point[*y],
        }
    }

    fn term(&self, pool: &mut TermPool, variables: &[TermId]) -> TermId {
        match self {
            Constraint::Linear(linear) => linear.term(pool, variables),
            Constraint::Either(a, b) => {
                let (a, b) = (a.term(pool, variables), b.term(pool, variables));
                pool.or2(a, b)
            }
            Constraint::Distance(x, y, z) => {
                let distance = distance(pool, variables[*x], variables[*y]);
                pool.eq(variables[*z], distance)
            }
            Constraint::Different(all) => {
                let mut pairs = Vec::new();
                for j in 1..all.len() {
                    pairs.extend((0..j).map(|i| pool.ne(variables[all[i]], variables[all[j]])));
                }
                pool.and(&pairs)
            }
            Constraint::Apart(x, y) => {
                let (distance, zero) = (distance(pool, variables[*x], variables[*y]), pool.int(0));
                pool.ne(distance, zero)
            }
        }
    }
}

fn distance(pool: &mut TermPool, x: TermId, y: TermId) -> TermId {
    let (down, up) = (pool.sub(x, y), pool.sub(y, x));
    let ordered = pool.le(y, x);
    pool.ite(ordered, down, up)
}

impl Problem {
    /// Whether a point of the domains satisfies all constraints.
    fn has_solution(&self) -> bool {
        let mut point: Vec<i64> = self.domains.iter().map(|domain| domain.0).collect();
        loop {
            if self.constraints.iter().all(|constraint| constraint.holds(&point)) {
                return true;
            }
            let Some(at) = (0..point.len()).find(|&at| point[at] < self.domains[at].1) else {
                return false;
            };
            point[at] += 1;
            for (value, domain) in point.iter_mut().zip(&self.domains[..at]) {
                *value = domain.0;
            }
        }
    }

    /// The domains and then each constraint as a formula.
    fn formulas(&self, pool: &mut TermPool) -> Vec<TermId> {
        let name = pool.symbol("x");
        let (mut variables, mut zero) = (Vec::new(), None);
        for i in 0..self.domains.len() {
            if self.reference == Some(i) {
                let name = pool.symbol("zero");
                zero = Some(pool.int_var(name, 0));
            }
            variables.push(pool.int_var(name, i as u32));
        }
        if let Some(zero) = zero {
            variables = variables.into_iter().map(|x| pool.sub(x, zero)).collect();
        }
        let mut formulas = Vec::new();
        for (&x, &(low, high)) in variables.iter().zip(&self.domains) {
            let (low, high) = (pool.int(low), pool.int(high));
            formulas.extend([pool.le(low, x), pool.le(x, high)]);
        }
        formulas.extend(self.constraints.iter().map(|c| c.term(pool, &variables)));
        formulas
    }
}

/// Decides the conjunction; the model or the proof is checked.
fn decide(pool: &mut TermPool, formulas: &[TermId], config: Config) -> (Answer, Statistics) {
    let proofs = config.proofs;
    let mut solver = Solver::new(config);
    let parts: Vec<(Part, TermId)> = formulas.iter().map(|&f| (Part(0), f)).collect();
    for &(part, formula) in &parts {
        solver.assert(pool, formula, part);
    }
    let answer = solver.check(pool, &[]);
    match answer {
        Answer::Sat => {
            let model = solver.model(pool);
            assert!(formulas.iter().all(|&f| model.eval_bool(pool, f)));
        }
        Answer::Unsat if proofs => {
            let proof = solver.proof().expect("proofs are recorded");
            proof::check(pool, &proof, &parts).expect("the proof is right");
        }
        _ => {}
    }
    (answer, solver.statistics())
}

fn soon(proofs: bool) -> Config {
    Config {
        proofs,
        finite_after: SOON,
        ..Config::default()
    }
}

const VARIABLES: usize = 5;

fn linear() -> impl Strategy<Value = Linear> {
    let monomial = (prop_oneof![3 => Just(1), 3 => Just(-1), 1 => -3..=3_i64], 0..VARIABLES);
    let relation = prop_oneof![Just(Relation::AtMost), Just(Relation::Equal), Just(Relation::Different)];
    (prop::collection::vec(monomial, 1..4), relation, -4..=6_i64).prop_map(|(monomials, relation, value)| Linear {
        monomials,
        relation,
        value,
    })
}

fn constraint() -> impl Strategy<Value = Constraint> {
    let some = prop::sample::subsequence((0..VARIABLES).collect::<Vec<_>>(), 2..=VARIABLES);
    prop_oneof![
        3 => linear().prop_map(Constraint::Linear),
        2 => (linear(), linear()).prop_map(|(a, b)| Constraint::Either(a, b)),
        1 => (0..VARIABLES, 0..VARIABLES, 0..VARIABLES).prop_map(|(x, y, z)| Constraint::Distance(x, y, z)),
        2 => some.prop_map(Constraint::Different),
        1 => (0..VARIABLES, 0..VARIABLES).prop_map(|(x, y)| Constraint::Apart(x, y)),
    ]
}

fn problem() -> impl Strategy<Value = Problem> {
    let domain = (-2..=2_i64, 1..=4_i64).prop_map(|(low, size)| (low, low + size));
    (
        prop::collection::vec(domain, VARIABLES),
        prop::collection::vec(constraint(), 1..8),
        prop::option::of(0..VARIABLES),
    )
        .prop_map(|(domains, constraints, reference)| Problem {
            domains,
            constraints,
            reference,
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Every answer is that of enumeration, and has checked evidence.
    #[test]
    fn agrees_with_enumeration(problem in problem()) {
        let expected = if problem.has_solution() { Answer::Sat } else { Answer::Unsat };
        for proofs in [false, true] {
            let mut pool = TermPool::new();
            let formulas = problem.formulas(&mut pool);
            let (answer, _) = decide(&mut pool, &formulas, soon(proofs));
            prop_assert_eq!(answer, expected);
        }
    }

    /// Interpolants are valid: they are verified by a solver that knows nothing of small domains.
    #[test]
    fn interpolants_are_valid(problem in problem(), cut in 0..20_usize) {
        let mut pool = TermPool::new();
        let formulas = problem.formulas(&mut pool);
        let (left, right) = formulas.split_at(cut.min(formulas.len() - 1));
        let parts = [pool.and(left), pool.and(right)];
        for avoid_mixed in [false, true] {
            let config = InterpolationConfig { check: false, minimise: false, avoid_mixed, finite_after: SOON, ..InterpolationConfig::default() };
            let result = sequence(&mut pool, &parts, &config);
            let SequenceResult::Unsat(interpolants) = result else {
                prop_assert!(problem.has_solution() == matches!(result, SequenceResult::Sat(_)), "{:?}", result);
                continue;
            };
            let interpolant = interpolants[0];
            let shared = |side: TermId| pool.symbols(side).into_iter().collect::<Vec<_>>();
            let (of_left, of_right) = (shared(parts[0]), shared(parts[1]));
            prop_assert!(pool.symbols(interpolant).iter().all(|s| of_left.contains(s) && of_right.contains(s)));
            let negated = pool.not(interpolant);
            for wrong in [[parts[0], negated], [parts[1], interpolant]] {
                let config = Config { finite_after: NEVER, ..Config::default() };
                prop_assert_eq!(decide(&mut pool, &wrong, config).0, Answer::Unsat);
            }
        }
    }

    /// Scopes and assumptions: a solver that is used again answers as a fresh one.
    #[test]
    fn scopes_and_assumptions(problem in problem()) {
        let mut pool = TermPool::new();
        let formulas = problem.formulas(&mut pool);
        let mut solver = Solver::new(soon(false));
        let domains = 2 * problem.domains.len();
        for &formula in &formulas[..domains] {
            solver.assert(&mut pool, formula, Part(0));
        }
        for (at, &formula) in formulas[domains..].iter().enumerate() {
            let part = Problem { constraints: problem.constraints[..=at].to_vec(), ..problem.clone() };
            let expected = if part.has_solution() { Answer::Sat } else { Answer::Unsat };
            if at % 2 == 0 {
                let answer = solver.check(&mut pool, &[formula]);
                prop_assert_eq!(answer, expected);
                if answer == Answer::Unsat {
                    prop_assert!(solver.core().iter().all(|&f| f == formula));
                }
            } else {
                solver.push();
                solver.assert(&mut pool, formula, Part(0));
                prop_assert_eq!(solver.check(&mut pool, &[]), expected);
                solver.pop();
            }
            solver.assert(&mut pool, formula, Part(0));
        }
    }
}

/// `count` integers from 1 to `values`, pairwise different.
fn all_different(pool: &mut TermPool, name: &str, count: u32, values: u32) -> (Vec<TermId>, Vec<TermId>) {
    let name = pool.symbol(name);
    let variables: Vec<TermId> = (0..count).map(|i| pool.int_var(name, i)).collect();
    let (one, most) = (pool.int(1), pool.int(values));
    let mut formulas = Vec::new();
    for (j, &x) in variables.iter().enumerate() {
        formulas.extend([pool.le(one, x), pool.le(x, most)]);
        formulas.extend(variables[..j].iter().map(|&y| pool.ne(x, y)));
    }
    (variables, formulas)
}

#[test]
fn pigeons_need_one_lemma() {
    let mut pool = TermPool::new();
    let (_, formulas) = all_different(&mut pool, "pigeon", 16, 15);
    let (answer, statistics) = decide(&mut pool, &formulas, soon(true));
    assert_eq!(answer, Answer::Unsat);
    assert!(statistics.pigeonholes >= 1, "{statistics:?}");
    assert!(statistics.conflicts < 100, "{statistics:?}");
}

/// The same with bounds relative to another integer, which is made when half of the others are there: so half of the differences are the wrong way round.
#[test]
fn pigeons_relative_to_another_integer_need_one_lemma() {
    let mut pool = TermPool::new();
    let name = pool.symbol("pigeon");
    let mut pigeons: Vec<TermId> = (0..8).map(|i| pool.int_var(name, i)).collect();
    let start = pool.int_var(name, 99);
    pigeons.extend((8..16).map(|i| pool.int_var(name, i)));
    for (holes, expected) in [(15, Answer::Unsat), (16, Answer::Sat)] {
        let most = pool.int(holes - 1);
        let end = pool.add(start, most);
        let mut formulas = Vec::new();
        for (j, &x) in pigeons.iter().enumerate() {
            formulas.extend([pool.le(start, x), pool.le(x, end)]);
            formulas.extend(pigeons[..j].iter().map(|&y| pool.ne(x, y)));
        }
        let (answer, statistics) = decide(&mut pool, &formulas, soon(true));
        assert_eq!(answer, expected);
        assert!(statistics.conflicts < 200, "{statistics:?}");
        assert!(answer == Answer::Sat || statistics.pigeonholes >= 1, "{statistics:?}");
    }
}

/// The differences of neighbours in a permutation of `0..count` are all different (an all-interval series).
fn all_interval(pool: &mut TermPool, count: u32) -> Vec<TermId> {
    let (notes, mut formulas) = all_different(pool, "note", count, count);
    let (steps, different) = all_different(pool, "step", count - 1, count - 1);
    formulas.extend(different);
    for (pair, &step) in notes.windows(2).zip(&steps) {
        let length = distance(pool, pair[0], pair[1]);
        formulas.push(pool.eq(step, length));
    }
    formulas
}

#[test]
fn all_interval_series() {
    let mut pool = TermPool::new();
    let formulas = all_interval(&mut pool, 12);
    let (answer, statistics) = decide(&mut pool, &formulas, soon(false));
    assert_eq!(answer, Answer::Sat);
    assert!(statistics.finite_turns >= 1);
}

/// A permutation all of whose rows of differences have no number twice (a Costas array).
fn costas_array(pool: &mut TermPool, count: u32) -> Vec<TermId> {
    let (marks, mut formulas) = all_different(pool, "mark", count, count);
    for step in 1..count as usize - 1 {
        let differences: Vec<TermId> = marks
            .windows(step + 1)
            .map(|pair| pool.sub(pair[step], pair[0]))
            .collect();
        for (j, &a) in differences.iter().enumerate() {
            formulas.extend(differences[..j].iter().map(|&b| pool.ne(a, b)));
        }
    }
    formulas
}

#[test]
fn costas_arrays() {
    let mut pool = TermPool::new();
    let formulas = costas_array(&mut pool, 8);
    assert_eq!(decide(&mut pool, &formulas, soon(false)).0, Answer::Sat);
}

/// A Latin square of this order whose first two rows agree in a cell: a contradiction.
#[test]
fn latin_square_with_a_wrong_hint() {
    let mut pool = TermPool::new();
    let order = 6;
    let mut formulas = Vec::new();
    let mut rows = Vec::new();
    for row in 0..order {
        let (cells, different) = all_different(&mut pool, &format!("row{row}"), order, order);
        formulas.extend(different);
        rows.push(cells);
    }
    for column in 0..order as usize {
        let cells: Vec<TermId> = rows.iter().map(|row| row[column]).collect();
        for (at, &below) in cells.iter().enumerate() {
            formulas.extend(cells[..at].iter().map(|&above| pool.ne(above, below)));
        }
    }
    // All cells but one of the first column are below the order.
    let most = pool.int(order - 2);
    for row in &rows[1..] {
        formulas.push(pool.le(row[0], most));
    }
    let (answer, _) = decide(&mut pool, &formulas, soon(true));
    assert_eq!(answer, Answer::Unsat);
}

/// A sum of even numbers is odd: bounds alone would try all values; the simplex has its turns, too.
#[test]
fn the_simplex_has_its_turns() {
    let mut pool = TermPool::new();
    let name = pool.symbol("x");
    let (zero, most) = (pool.int(0), pool.int(200));
    let mut formulas = Vec::new();
    let mut sum = Vec::new();
    for i in 0..8 {
        let x = pool.int_var(name, i);
        formulas.extend([pool.le(zero, x), pool.le(x, most)]);
        sum.push((Int::from(2), x));
    }
    let (sum, odd) = (pool.linear(&sum, Int::ZERO), pool.int(801));
    let (low, high) = (pool.le(odd, sum), pool.le(sum, odd));
    let either = pool.or2(low, high);
    formulas.extend([either, low, high]);
    assert_eq!(decide(&mut pool, &formulas, soon(true)).0, Answer::Unsat);
}

#[test]
fn repeats_exactly() {
    let run = || {
        let mut pool = TermPool::new();
        let formulas = all_interval(&mut pool, 10);
        decide(&mut pool, &formulas, soon(false))
    };
    assert_eq!(run(), run());
}

/// Tasks of one or two hours, each by one of two workers who do one at a time, all of them within `hours` after the start; in difference logic.
fn two_workers(pool: &mut TermPool, tasks: u32, hours: i64, zero_first: bool) -> Vec<TermId> {
    let [start, worker, zero] = ["start", "worker", "zero"].map(|name| pool.symbol(name));
    let early = zero_first.then(|| pool.int_var(zero, 0));
    let plan: Vec<(TermId, TermId, i64)> = (0..tasks)
        .map(|i| (pool.int_var(start, i), pool.int_var(worker, i), 1 + i64::from(i % 2)))
        .collect();
    let zero = early.unwrap_or_else(|| pool.int_var(zero, 0));
    let mut formulas = Vec::new();
    let at_most = |pool: &mut TermPool, a: TermId, b: TermId, most: i64| {
        let (difference, most) = (pool.sub(a, b), pool.int(most));
        pool.le(difference, most)
    };
    for (j, &(start, worker, length)) in plan.iter().enumerate() {
        for (later, most) in [(start, hours - length), (worker, 1)] {
            formulas.push(at_most(pool, later, zero, most));
            formulas.push(at_most(pool, zero, later, 0));
        }
        for &(other, colleague, duration) in &plan[..j] {
            let apart = pool.ne(worker, colleague);
            let (before, after) = (
                at_most(pool, start, other, -length),
                at_most(pool, other, start, -duration),
            );
            formulas.push(pool.or(&[apart, before, after]));
        }
    }
    formulas
}

/// No integer has a bound of its own.
#[test]
fn difference_logic() {
    for zero_first in [false, true] {
        for (hours, expected) in [(7, Answer::Sat), (6, Answer::Unsat)] {
            for proofs in [false, true] {
                let mut pool = TermPool::new();
                let formulas = two_workers(&mut pool, 9, hours, zero_first);
                let (answer, statistics) = decide(&mut pool, &formulas, soon(proofs));
                assert_eq!(answer, expected);
                assert!(statistics.pivots < 20_000, "{statistics:?}");
            }
        }
    }
}
