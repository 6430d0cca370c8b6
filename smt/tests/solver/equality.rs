//! Equality and functions: random formulas whose terms arithmetic does not see, or comes to see later.
//!
//! Models are evaluated and proofs checked, which validates each answer by itself; in addition an incremental solver must agree with fresh ones.

use crate::decided::decide;
use proptest::prelude::*;
use provident_smt::proof::{LemmaKind, Part, Step};
use provident_smt::solver::{Answer, Config, Solver};
use provident_smt::term::{NO_INDEX, TermId, TermPool};

/// A term over three variables, two constants and two functions.
#[derive(Clone, Debug)]
enum Exp {
    Variable(usize),
    Constant(i64),
    F(Box<Exp>),
    G(Box<Exp>, Box<Exp>),
}

/// An atom: an equation, a predicate, or an inequality that makes its terms arithmetic.
#[derive(Clone, Debug)]
enum Atom {
    Equal(Exp, Exp),
    Predicate(Exp),
    Less(Exp, Exp),
}

impl Exp {
    fn build(&self, pool: &mut TermPool) -> TermId {
        match self {
            Exp::Variable(i) => {
                let name = pool.symbol(["x", "y", "z"][*i]);
                pool.int_var(name, NO_INDEX)
            }
            Exp::Constant(k) => pool.int(*k),
            Exp::F(a) => {
                let (a, f) = (a.build(pool), pool.symbol("f"));
                pool.app(f, NO_INDEX, &[a])
            }
            Exp::G(a, b) => {
                let (a, b, g) = (a.build(pool), b.build(pool), pool.symbol("g"));
                pool.app(g, NO_INDEX, &[a, b])
            }
        }
    }
}

impl Atom {
    fn build(&self, pool: &mut TermPool) -> TermId {
        match self {
            Atom::Equal(a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                pool.eq(a, b)
            }
            Atom::Predicate(a) => {
                let (a, p, one) = (a.build(pool), pool.symbol("p"), pool.int(1));
                let value = pool.app(p, NO_INDEX, &[a]);
                pool.ge(value, one)
            }
            Atom::Less(a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                pool.lt(a, b)
            }
        }
    }
}

fn exp() -> impl Strategy<Value = Exp> {
    let leaf = prop_oneof![
        4 => (0..3_usize).prop_map(Exp::Variable),
        1 => (0..2_i64).prop_map(Exp::Constant),
    ];
    leaf.prop_recursive(3, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| Exp::F(Box::new(a))),
            (inner.clone(), inner).prop_map(|(a, b)| Exp::G(Box::new(a), Box::new(b))),
        ]
    })
}

/// Atoms; one in `inequalities + 20` or so is an inequality.
fn atom(inequalities: u32) -> impl Strategy<Value = Atom> {
    prop_oneof![
        16 => (exp(), exp()).prop_map(|(a, b)| Atom::Equal(a, b)),
        4 => exp().prop_map(Atom::Predicate),
        inequalities => (exp(), exp()).prop_map(|(a, b)| Atom::Less(a, b)),
    ]
}

/// A clause: atoms with their signs.
fn clause(inequalities: u32) -> impl Strategy<Value = Vec<(Atom, bool)>> {
    prop::collection::vec((atom(inequalities), any::<bool>()), 1..3)
}

fn disjunction(pool: &mut TermPool, clause: &[(Atom, bool)]) -> TermId {
    let literals: Vec<TermId> = clause
        .iter()
        .map(|(atom, sign)| {
            let atom = atom.build(pool);
            if *sign { atom } else { pool.not(atom) }
        })
        .collect();
    pool.or(&literals)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn answers_have_evidence(clauses in prop::collection::vec(clause(1), 4..14)) {
        let mut pool = TermPool::new();
        let formulas: Vec<TermId> = clauses.iter().map(|c| disjunction(&mut pool, c)).collect();
        prop_assert!(matches!(decide(&mut pool, &formulas).1, Answer::Sat | Answer::Unsat));
    }

    #[test]
    fn incremental_answers_are_those_of_fresh_solvers(script in prop::collection::vec((0..6_u8, clause(1)), 4..24)) {
        let mut pool = TermPool::new();
        let mut solver = Solver::new(Config::default());
        let mut levels: Vec<Vec<TermId>> = vec![Vec::new()];
        for (command, clause) in &script {
            let formula = disjunction(&mut pool, clause);
            match command {
                0 => {
                    solver.push();
                    levels.push(Vec::new());
                }
                1 if levels.len() > 1 => {
                    solver.pop();
                    levels.pop();
                }
                2..=4 => {
                    solver.assert(&mut pool, formula, Part(0));
                    levels.last_mut().expect("the base level stays").push(formula);
                }
                _ => {
                    let mut all: Vec<TermId> = levels.iter().flatten().copied().collect();
                    all.push(formula);
                    let answer = solver.check(&mut pool, &[formula]);
                    prop_assert_eq!(answer, decide(&mut pool, &all).1);
                    if answer == Answer::Sat {
                        let model = solver.model(&pool);
                        prop_assert!(all.iter().all(|&f| model.eval_bool(&pool, f)));
                    }
                }
            }
        }
    }
}

/// `f(f(f(x))) = x` and `f(f(f(f(f(x))))) = x` make `f(x) = x` (Ackermann's example): one lemma of equality refutes the contrary.
#[test]
fn a_chain_of_congruences_is_one_lemma() {
    let mut pool = TermPool::new();
    let power = |pool: &mut TermPool, n: usize| {
        let x = Exp::Variable(0).build(pool);
        let f = pool.symbol("f");
        (0..n).fold(x, |term, _| pool.app(f, NO_INDEX, &[term]))
    };
    let [x, f1, f3, f5] = [0, 1, 3, 5].map(|n| power(&mut pool, n));
    let formulas = [pool.eq(f3, x), pool.eq(f5, x), pool.ne(f1, x)];
    assert_eq!(decide(&mut pool, &formulas).1, Answer::Unsat);
    let mut solver = Solver::new(Config {
        proofs: true,
        ..Config::default()
    });
    for formula in formulas {
        solver.assert(&mut pool, formula, Part(0));
    }
    assert_eq!(solver.check(&mut pool, &[]), Answer::Unsat);
    let proof = solver.proof().expect("proofs are recorded");
    let lemmas: Vec<&Step> = proof
        .steps
        .iter()
        .filter(|step| matches!(step, Step::Lemma { .. } | Step::Farkas { .. }))
        .collect();
    assert!(
        matches!(
            lemmas[..],
            [Step::Lemma {
                kind: LemmaKind::Euf,
                ..
            }]
        ),
        "{lemmas:?}"
    );
}

/// Equations that arithmetic comes to see all at once.
#[test]
fn many_equations_that_become_arithmetic_need_no_stack() {
    const EQUATIONS: u32 = 100_000;
    let mut pool = TermPool::new();
    let x = pool.symbol("x");
    let variables: Vec<TermId> = (0..=EQUATIONS).map(|index| pool.int_var(x, index)).collect();
    let equations: Vec<TermId> = variables.windows(2).map(|pair| pool.eq(pair[0], pair[1])).collect();
    let one_holds = pool.or(&equations);
    let mut solver = Solver::new(Config::default());
    solver.assert(&mut pool, one_holds, Part(0));
    let comparison = pool.lt(variables[0], variables[1]);
    solver.assert(&mut pool, comparison, Part(0));
    let last = *equations.last().expect("there are some");
    assert_eq!(solver.check(&mut pool, &[last]), Answer::Sat);
    assert_eq!(solver.check(&mut pool, &[equations[0]]), Answer::Unsat);
}

/// The same with equations of one number with constants, as claims of many states have them.
#[test]
fn many_values_of_one_number_need_no_stack() {
    const VALUES: i64 = 20_000;
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"]
        .map(|name| pool.symbol(name))
        .map(|name| pool.int_var(name, NO_INDEX));
    let values: Vec<TermId> = (0..VALUES)
        .map(|value| {
            let value = pool.int(3 * value);
            pool.eq(x, value)
        })
        .collect();
    let is_one_of_them = pool.or(&values);
    let (below, above) = (pool.int(3), pool.int(6));
    let is_between = [pool.lt(below, x), pool.lt(x, y), pool.lt(y, above)];
    let mut solver = Solver::new(Config::default());
    solver.assert(&mut pool, is_one_of_them, Part(0));
    assert_eq!(solver.check(&mut pool, &[]), Answer::Sat);
    assert_eq!(solver.check(&mut pool, &is_between), Answer::Unsat);
}
