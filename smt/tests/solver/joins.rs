//! Equations that all cases of a disjunction imply: chains of diamonds, and random disjunctions, with their evidence checked.

use crate::decided::decide;
use proptest::prelude::*;
use provident_smt::interpolate::{InterpolationConfig, SequenceResult, Variant, check_sequence, sequence};
use provident_smt::proof::Part;
use provident_smt::solver::{Answer, Config, Solver};
use provident_smt::term::{TermId, TermPool};

/// How the two ends of a chain of diamonds differ.
#[derive(Clone, Copy, Debug)]
enum Ends {
    Different,
    /// An inequality, so that arithmetic has to know all terms.
    Ordered,
}

/// `length` diamonds, and that the first and the last corner differ.
fn diamonds(pool: &mut TermPool, length: u32, ends: Ends) -> Vec<TermId> {
    let names = ["x", "y", "z"].map(|name| pool.symbol(name));
    let mut formulas = Vec::new();
    for level in 0..length {
        let [from, one, other] = names.map(|name| pool.int_var(name, level));
        let to = pool.int_var(names[0], level + 1);
        let cases = [one, other].map(|middle| {
            let (first, second) = (pool.eq(from, middle), pool.eq(middle, to));
            pool.and2(first, second)
        });
        formulas.push(pool.or(&cases));
    }
    let (first, last) = (pool.int_var(names[0], 0), pool.int_var(names[0], length));
    formulas.push(match ends {
        Ends::Different => pool.ne(first, last),
        Ends::Ordered => pool.lt(first, last),
    });
    formulas
}

#[test]
fn each_diamond_costs_few_conflicts() {
    for ends in [Ends::Different, Ends::Ordered] {
        for length in [1, 20, 60] {
            let mut pool = TermPool::new();
            let formulas = diamonds(&mut pool, length, ends);
            let (solver, answer) = decide(&mut pool, &formulas);
            assert_eq!(answer, Answer::Unsat);
            let conflicts = solver.statistics().conflicts;
            assert!(
                conflicts <= u64::from(4 * length + 4),
                "{ends:?} {length}: {conflicts} conflicts"
            );
            let (_, answer) = decide(&mut pool, &formulas[1..]);
            assert_eq!(answer, Answer::Sat, "without the first diamond there is a model");
        }
    }
}

/// A scope's equations are not taken for those of the scopes around it.
#[test]
fn joins_end_with_their_scope() {
    let mut pool = TermPool::new();
    let formulas = diamonds(&mut pool, 12, Ends::Different);
    let (last, rest) = formulas.split_last().expect("there is an end");
    let mut solver = Solver::new(Config::default());
    solver.assert(&mut pool, *last, Part(0));
    for _ in 0..3 {
        solver.push();
        for &formula in &rest[1..] {
            solver.assert(&mut pool, formula, Part(0));
        }
        assert_eq!(solver.check(&mut pool, &[]), Answer::Sat);
        solver.push();
        solver.assert(&mut pool, rest[0], Part(0));
        assert_eq!(solver.check(&mut pool, &[]), Answer::Unsat);
        solver.pop();
        assert_eq!(solver.check(&mut pool, &[]), Answer::Sat);
        solver.pop();
    }
}

#[test]
fn chains_of_diamonds_are_interpolated() {
    for ends in [Ends::Different, Ends::Ordered] {
        for (variant, equality) in Variant::all().flat_map(|variant| [(variant, false), (variant, true)]) {
            let mut pool = TermPool::new();
            let formulas = diamonds(&mut pool, 9, ends);
            let parts: Vec<TermId> = formulas.chunks(4).map(|part| pool.and(part)).collect();
            let config = InterpolationConfig {
                variant,
                equality,
                check: true,
                ..InterpolationConfig::default()
            };
            let SequenceResult::Unsat(interpolants) = sequence(&mut pool, &parts, &config) else {
                panic!("{ends:?} {variant:?}: no interpolants");
            };
            check_sequence(&mut pool, &parts, &interpolants).expect("valid interpolants");
        }
    }
}

/// Cases of a disjunction: for each the pairs of terms that it makes equal.
type Cases = Vec<Vec<(usize, usize)>>;

/// Terms: five variables, a constant and an application.
fn term(pool: &mut TermPool, number: usize) -> TermId {
    let (x, f) = (pool.symbol("x"), pool.symbol("f"));
    match number {
        5 => pool.int(1),
        6 => {
            let argument = pool.int_var(x, 0);
            pool.app(f, 0, &[argument])
        }
        _ => pool.int_var(x, u32::try_from(number).expect("few variables")),
    }
}

fn build(pool: &mut TermPool, cases: &Cases) -> TermId {
    let mut disjuncts = Vec::new();
    for case in cases {
        let mut equations = Vec::new();
        for &(a, b) in case {
            let (a, b) = (term(pool, a), term(pool, b));
            equations.push(pool.eq(a, b));
        }
        disjuncts.push(pool.and(&equations));
    }
    pool.or(&disjuncts)
}

fn cases() -> impl Strategy<Value = Cases> {
    prop::collection::vec(prop::collection::vec((0..7_usize, 0..7_usize), 1..4), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// With one disjunct asserted instead of the disjunction nothing is joined: the answers agree.
    #[test]
    fn answers_are_those_of_the_cases(
        disjunctions in prop::collection::vec(cases(), 1..4),
        different in prop::collection::vec((0..7_usize, 0..7_usize, any::<bool>()), 0..4),
    ) {
        let mut pool = TermPool::new();
        let mut others = Vec::new();
        for &(a, b, ordered) in &different {
            let (a, b) = (term(&mut pool, a), term(&mut pool, b));
            others.push(if ordered { pool.lt(a, b) } else { pool.ne(a, b) });
        }
        let mut formulas: Vec<TermId> = disjunctions.iter().map(|cases| build(&mut pool, cases)).collect();
        formulas.extend(&others);
        let (_, answer) = decide(&mut pool, &formulas);
        prop_assert!(matches!(answer, Answer::Sat | Answer::Unsat));
        let mut choices = vec![others];
        for cases in &disjunctions {
            let mut longer = Vec::new();
            for case in cases {
                let case = build(&mut pool, &vec![case.clone()]);
                longer.extend(choices.iter().map(|choice| choice.iter().copied().chain([case]).collect::<Vec<TermId>>()));
            }
            choices = longer;
        }
        let has_model = choices.iter().any(|choice| decide(&mut pool, choice).1 == Answer::Sat);
        prop_assert_eq!(answer == Answer::Sat, has_model);
        let mut solver = Solver::new(Config::default());
        solver.push();
        for &formula in &formulas {
            solver.assert(&mut pool, formula, Part(0));
        }
        prop_assert_eq!(solver.check(&mut pool, &[]), answer);
    }
}
