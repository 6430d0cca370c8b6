//! Tests of the solver from inside; chosen cases are here.
//!
//! | module | tests |
//! |---|---|
//! | `random` | random formulas, against enumeration and fresh solvers |
//! | `theory_law` | the law of theories, on random trails |
//!
//! Every satisfiable answer is evaluated by the solver itself in debug builds; every unsatisfiable one without assumptions has its proof checked.

mod random;
mod theory_law;

use super::*;
use crate::num::Int;
use crate::proof::Part;
use crate::proof::check::check as check_proof;
use crate::term::Symbol;
use crate::term::UpdateSource;
use std::sync::atomic::Ordering;

fn variable(pool: &mut TermPool, i: i64) -> TermId {
    let name = pool.symbol(["x", "y", "z"][usize::try_from(i).expect("small")]);
    pool.int_var(name, 1)
}

/// `-3 <= v <= 3` for all variables.
fn ranges(pool: &mut TermPool) -> TermId {
    let (low, high) = (pool.int(-3), pool.int(3));
    let mut all = Vec::new();
    for i in 0..3 {
        let v = variable(pool, i);
        all.extend([pool.le(low, v), pool.le(v, high)]);
    }
    pool.and(&all)
}

fn solver(proofs: bool, seed: u64) -> Solver {
    let mut solver = Solver::new(Config {
        proofs,
        seed: (seed > 0).then_some(seed),
        ..Config::default()
    });
    solver.set_tick_limit(Some(2_000_000));
    solver
}

/// Checks the recorded proof against the assertions.
fn assert_proved(pool: &mut TermPool, solver: &Solver, asserted: &[TermId]) {
    let proof = solver
        .proof()
        .expect("an unsatisfiable answer without assumptions has a proof");
    let inputs: Vec<(Part, TermId)> = asserted.iter().map(|&f| (Part(0), f)).collect();
    if let Err(error) = check_proof(pool, &proof, &inputs) {
        panic!("the proof is wrong: {error:?}");
    }
}

/// An unsatisfiable pigeonhole-like formula over integers: `n` different values in a range of `n - 1`.
fn hard(pool: &mut TermPool, n: u32) -> TermId {
    let name = pool.symbol("h");
    let vars: Vec<TermId> = (0..n).map(|i| pool.int_var(name, i)).collect();
    let (low, high) = (pool.int(1), pool.int(n - 1));
    let mut all = Vec::new();
    for (i, &v) in vars.iter().enumerate() {
        all.extend([pool.le(low, v), pool.le(v, high)]);
        for &w in &vars[..i] {
            all.push(pool.ne(v, w));
        }
    }
    pool.and(&all)
}

#[test]
fn limits_leave_a_usable_solver() {
    let mut pool = TermPool::new();
    let mut solver = Solver::new(Config::default());
    let formula = hard(&mut pool, 5);
    solver.push();
    solver.assert(&mut pool, formula, Part(0));
    solver.set_tick_limit(Some(100));
    assert_eq!(solver.check(&mut pool, &[]), Answer::Unknown(UnknownReason::Ticks));
    solver.set_tick_limit(None);
    // A budget is for all checks, and what it was spent on is spent.
    let before = solver.ticks();
    solver.set_tick_budget(Some(before + 1_000));
    for _ in 0..5 {
        assert_eq!(solver.check(&mut pool, &[]), Answer::Unknown(UnknownReason::Ticks));
    }
    let spent = solver.ticks() - before;
    assert!((1_000..5_000).contains(&spent), "{spent}");
    solver.set_tick_budget(None);
    let flag = Arc::new(AtomicBool::new(true));
    solver.set_interrupt(Arc::clone(&flag));
    assert_eq!(
        solver.check(&mut pool, &[]),
        Answer::Unknown(UnknownReason::Interrupted)
    );
    flag.store(false, Ordering::Relaxed);
    assert_eq!(solver.check(&mut pool, &[]), Answer::Unsat);
    solver.pop();
    assert_eq!(solver.check(&mut pool, &[]), Answer::Sat);
}

#[test]
fn effort_repeats_exactly() {
    let run = || {
        let mut pool = TermPool::new();
        let mut solver = Solver::new(Config::default());
        let formula = hard(&mut pool, 5);
        solver.assert(&mut pool, formula, Part(0));
        assert_eq!(solver.check(&mut pool, &[]), Answer::Unsat);
        solver.statistics()
    };
    let first = run();
    assert!(first.conflicts > 0);
    assert_eq!(first, run());
}

#[test]
fn parity_needs_a_branch_on_a_row() {
    // x = 2y and x = 2z + 1 have no integer solution, and no variable is bounded.
    let mut pool = TermPool::new();
    let [x, y, z] = [0, 1, 2].map(|i| variable(&mut pool, i));
    let mut solver = solver(true, 0);
    let two = Int::from(2);
    let (even, odd, one) = (pool.scale(&two, y), pool.scale(&two, z), pool.int(1));
    let odd = pool.add(odd, one);
    let formulas = [pool.eq(x, even), pool.eq(x, odd)];
    for f in formulas {
        solver.assert(&mut pool, f, Part(0));
    }
    assert_eq!(solver.check(&mut pool, &[]), Answer::Unsat);
    assert_proved(&mut pool, &solver, &formulas);
}

#[test]
fn many_scopes_are_collected() {
    let mut pool = TermPool::new();
    let mut solver = solver(false, 0);
    let base = ranges(&mut pool);
    solver.assert(&mut pool, base, Part(0));
    let (x, y) = (variable(&mut pool, 0), variable(&mut pool, 1));
    for i in 0..200_i64 {
        solver.push();
        let (low, sum) = (pool.int(i % 9 - 4), pool.add(x, y));
        let formula = pool.eq(sum, low);
        solver.assert(&mut pool, formula, Part(0));
        assert_eq!(solver.check(&mut pool, &[]), Answer::Sat);
        let model = solver.model(&pool);
        assert!(model.eval_bool(&pool, formula));
        let above = pool.int(4);
        let contrary = pool.ge(sum, above);
        let expected = if i % 9 == 8 { Answer::Sat } else { Answer::Unsat };
        assert_eq!(solver.check(&mut pool, &[contrary]), expected);
        solver.pop();
    }
    assert_eq!(solver.scopes(), 0);
    assert!(solver.assertions.dead_guards.len() < 2 * MAX_DEAD_SCOPES);
}

/// A cell keeps its value through many writes elsewhere: one round instantiates all of them.
#[test]
fn long_chains_of_updates_take_few_rounds() {
    const WRITES: u32 = 300;
    let mut pool = TermPool::new();
    let memory = pool.symbol("m");
    let at = |index| crate::term::Symbol { name: memory, index };
    let name = |pool: &mut TermPool, text: &str| {
        let symbol = pool.symbol(text);
        pool.int_var(symbol, crate::term::NO_INDEX)
    };
    let (p, value) = (name(&mut pool, "p"), name(&mut pool, "v"));
    let mut formulas = Vec::new();
    for i in 0..WRITES {
        let q = name(&mut pool, &format!("q{i}"));
        formulas.push(pool.point_update(at(i + 1), at(i), q, value));
        formulas.push(pool.lt(q, p));
    }
    let (first, last) = (pool.app(memory, 0, &[p]), pool.app(memory, WRITES, &[p]));
    let mut solver = solver(true, 0);
    for &formula in &formulas {
        solver.assert(&mut pool, formula, Part(0));
    }
    assert_eq!(solver.check(&mut pool, &[]), Answer::Sat);
    let model = solver.model(&pool);
    assert!(formulas.iter().all(|&f| model.eval_bool(&pool, f)));
    let kept = pool.eq(first, last);
    let lost = pool.not(kept);
    formulas.push(lost);
    solver.assert(&mut pool, lost, Part(0));
    assert_eq!(solver.check(&mut pool, &[]), Answer::Unsat);
    assert!(solver.statistics().final_checks < 20, "{:?}", solver.statistics());
    assert_proved(&mut pool, &solver, &formulas);
}

/// A function that two updates define must be both.
#[test]
fn two_definitions_of_a_function_agree() {
    let mut pool = TermPool::new();
    let (m, x) = (pool.symbol("m"), pool.symbol("x"));
    let at = |index| crate::term::Symbol { name: m, index };
    let x = pool.int_var(x, crate::term::NO_INDEX);
    let (five, seven) = (pool.int(5), pool.int(7));
    let write = pool.point_update(at(1), at(0), x, five);
    let other = pool.point_update(at(1), at(0), x, seven);
    let keep = pool.update(at(1), at(0), x, x, UpdateSource::Havoc);
    let mut solver = solver(true, 0);
    solver.assert(&mut pool, write, Part(0));
    solver.assert(&mut pool, keep, Part(0));
    assert_eq!(solver.check(&mut pool, &[]), Answer::Sat);
    let model = solver.model(&pool);
    assert!(
        model.eval_bool(&pool, write) && model.eval_bool(&pool, keep),
        "m@0 has 5 there already"
    );
    solver.assert(&mut pool, other, Part(0));
    assert_eq!(solver.check(&mut pool, &[]), Answer::Unsat);
    assert_proved(&mut pool, &solver, &[write, keep, other]);
}

/// Bits of an unbounded sum: a vertex has a fraction for each quotient, evaluation has none.
#[test]
fn quotients_of_free_variables_need_no_branches() {
    let mut pool = TermPool::new();
    let mut solver = solver(false, 0);
    let mut formulas = Vec::new();
    for i in 0..12 {
        let name = pool.symbol(&format!("x{i}"));
        let x = pool.int_var(name, crate::term::NO_INDEX);
        let name = pool.symbol(&format!("y{i}"));
        let y = pool.int_var(name, crate::term::NO_INDEX);
        let quotient = pool.div_floor(x, &Int::from(256));
        let multiple = pool.scale(&Int::from(256), quotient);
        let byte = pool.sub(x, multiple);
        let (bound, low) = (pool.int(1000 + 7 * i), pool.int(3 * i));
        formulas.push(pool.eq(y, byte));
        formulas.push(pool.ge(x, bound));
        formulas.push(pool.ge(y, low));
    }
    for &formula in &formulas {
        solver.assert(&mut pool, formula, Part(0));
    }
    assert_eq!(solver.check(&mut pool, &[]), Answer::Sat);
    let model = solver.model(&pool);
    assert!(formulas.iter().all(|&f| model.eval_bool(&pool, f)));
    assert!(solver.statistics().branches < 200, "{:?}", solver.statistics());
}

#[test]
fn closure_knows_what_a_conditional_is_under_its_condition() {
    let mut pool = TermPool::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name));
    let (a, b, c) = (pool.int_var(a, 0), pool.int_var(b, 0), pool.bool_var(c, 0));
    let f = pool.symbol("f");
    let chosen = pool.ite(c, a, b);
    let (of_chosen, of_a) = (pool.app(f, 0, &[chosen]), pool.app(f, 0, &[a]));
    let mut formulas = vec![c, pool.ne(of_chosen, of_a)];
    // Alone, and where arithmetic has to know the leaves as well.
    for is_counted in [false, true] {
        if is_counted {
            formulas.push(pool.lt(a, b));
        }
        let mut solver = solver(false, 0);
        for &formula in &formulas {
            solver.assert(&mut pool, formula, Part(0));
        }
        assert_eq!(solver.check(&mut pool, &[]), Answer::Unsat);
        assert_eq!(
            solver.statistics().final_checks,
            0,
            "propagation finds the contradiction"
        );
    }
}

/// `m_new` is `m_old`, but for the cells from 0 to a billion, which are those of `m_from` one further.
fn shifted(pool: &mut TermPool, new: u32, old: u32, from: u32) -> TermId {
    let name = pool.symbol("m");
    let memory = |index| Symbol { name, index };
    let (low, high, one) = (pool.int(0), pool.int(1_000_000_000), pool.int(1));
    let source = UpdateSource::Copy {
        from: memory(from),
        shift: one,
    };
    pool.update(memory(new), memory(old), low, high, source)
}

/// Values that only a further definition of a function gives are part of the model.
#[test]
fn further_definitions_define_their_cells() {
    let mut pool = TermPool::new();
    let name = pool.symbol("m");
    let memory = |index| Symbol { name, index };
    let (zero, five, six, seven) = (pool.int(0), pool.int(5), pool.int(6), pool.int(7));
    let same = pool.update(memory(1), memory(0), zero, zero, UpdateSource::Havoc);
    let written = pool.update(memory(1), memory(2), five, six, UpdateSource::Const(seven));
    let from = memory(3);
    let copied = pool.update(memory(1), memory(4), five, six, UpdateSource::Copy { from, shift: six });
    let known = pool.update(memory(3), memory(5), six, six, UpdateSource::Const(seven));
    for formulas in [
        vec![same, written],
        vec![same, copied, written],
        vec![same, copied, known, written],
    ] {
        let mut solver = solver(false, 0);
        for &formula in &formulas {
            solver.assert(&mut pool, formula, Part(0));
        }
        assert_eq!(solver.check(&mut pool, &[]), Answer::Sat);
        let model = solver.model(&pool);
        assert!(formulas.iter().all(|&formula| model.eval_bool(&pool, formula)));
    }
}

/// A long range that is copied needs the cells that something is known of; one that is copied onto itself would need all.
#[test]
fn copies_of_long_ranges_take_few_cells_or_are_given_up() {
    let mut pool = TermPool::new();
    let name = pool.symbol("m");
    let (zero, one, two) = (pool.int(0), pool.int(1), pool.int(2));
    let (first, second) = (pool.app(name, 1, &[zero]), pool.app(name, 0, &[one]));
    let (is_one, is_two) = (pool.eq(first, one), pool.eq(second, two));
    let check = |pool: &mut TermPool, formulas: &[TermId]| {
        let mut solver = solver(false, 0);
        for &formula in formulas {
            solver.assert(pool, formula, Part(0));
        }
        let answer = solver.check(pool, &[]);
        if answer == Answer::Sat {
            let model = solver.model(pool);
            assert!(formulas.iter().all(|&formula| model.eval_bool(pool, formula)));
        }
        answer
    };
    let given_up = Answer::Unknown(UnknownReason::Incomplete("too many copied cells"));
    let copy = shifted(&mut pool, 1, 0, 0);
    assert_eq!(check(&mut pool, &[copy, is_one]), Answer::Sat);
    assert_eq!(check(&mut pool, &[copy, is_one, is_two]), Answer::Unsat);
    let (fill, length) = (pool.int(7), pool.int(1_000_000));
    let memory = |index| Symbol { name, index };
    let fills = pool.update(memory(0), memory(9), zero, length, UpdateSource::Const(fill));
    let zeros = pool.update(memory(0), memory(9), zero, length, UpdateSource::Const(zero));
    assert_eq!(check(&mut pool, &[zeros, copy]), Answer::Sat);
    assert_eq!(check(&mut pool, &[fills, copy]), given_up);
    let onto_itself = shifted(&mut pool, 1, 0, 1);
    assert!(matches!(check(&mut pool, &[onto_itself, is_one]), Answer::Unknown(_)));
    let to_and_fro = [shifted(&mut pool, 1, 0, 2), shifted(&mut pool, 2, 0, 1)];
    let answer = check(&mut pool, &[to_and_fro[0], to_and_fro[1], is_one]);
    assert!(matches!(answer, Answer::Unknown(_)));
}

/// The rows of sums that only closed scopes have had are forgotten, and come back with the next formula about them; so are those of a conditional's definition.
#[test]
fn rows_of_closed_scopes_are_forgotten() {
    let mut pool = TermPool::new();
    let variables = [0, 1, 2].map(|i| variable(&mut pool, i));
    let start = ranges(&mut pool);
    let mut solver = solver(false, 0);
    solver.assert(&mut pool, start, Part(0));
    let form = |pool: &mut TermPool, round: i64| {
        let factors = [round % 7 + 1, round / 7 % 11 - 5, round / 77 + 1];
        let scaled = variables
            .iter()
            .zip(factors)
            .map(|(&v, factor)| pool.scale(&Int::from(factor), v));
        let scaled: Vec<TermId> = scaled.collect();
        pool.sum(&scaled)
    };
    let mut most = 0;
    for round in (0..500).chain(0..50) {
        let sum = form(&mut pool, round);
        let (zero, hundred) = (pool.int(0), pool.int(1_000));
        let is_low = pool.le(sum, zero);
        let chosen = pool.ite(is_low, sum, zero);
        let (too_high, possible) = (pool.lt(hundred, sum), pool.lt(zero, chosen));
        for (formula, expected) in [
            (is_low, Answer::Sat),
            (too_high, Answer::Unsat),
            (possible, Answer::Unsat),
        ] {
            solver.push();
            solver.assert(&mut pool, formula, Part(0));
            assert_eq!(solver.check(&mut pool, &[]), expected, "round {round}");
            solver.pop();
        }
        most = most.max(solver.theories.arith.tableau.rows.len());
    }
    assert!(most < 60, "{most} rows for three variables and one sum at a time");
    assert!(solver.theories.arith.tableau.detached > 300);
}
