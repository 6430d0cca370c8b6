//! The simplification of interpolants keeps their meaning and does what it is for.

use proptest::prelude::*;
use provident_smt::interpolate::simplify;
use provident_smt::model::Model;
use provident_smt::num::Int;
use provident_smt::term::{Symbol, TermId, TermPool};

/// A formula over the integers `x`, `y` and the Booleans `p`, `q`.
#[derive(Clone, Debug)]
enum Formula {
    /// `a*x + b*y <= c`
    AtMost(i64, i64, i64),
    /// `a*x + b*y = c`
    Equal(i64, i64, i64),
    Proposition(bool),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Iff(Box<Formula>, Box<Formula>),
}

fn formulas() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        4 => (-1..2i64, -1..2i64, -2..3i64).prop_map(|(a, b, c)| Formula::AtMost(a, b, c)),
        1 => (-1..2i64, -1..2i64, -2..3i64).prop_map(|(a, b, c)| Formula::Equal(a, b, c)),
        1 => any::<bool>().prop_map(Formula::Proposition),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            inner.clone().prop_map(|f| Formula::Not(Box::new(f))),
            prop::collection::vec(inner.clone(), 2..5).prop_map(Formula::And),
            prop::collection::vec(inner.clone(), 2..5).prop_map(Formula::Or),
            (inner.clone(), inner).prop_map(|(a, b)| Formula::Iff(Box::new(a), Box::new(b))),
        ]
    })
}

fn variables(pool: &mut TermPool) -> [Symbol; 4] {
    ["x", "y", "p", "q"].map(|name| Symbol {
        name: pool.symbol(name),
        index: 0,
    })
}

fn build(pool: &mut TermPool, formula: &Formula) -> TermId {
    let [x, y, p, q] = variables(pool);
    let linear = |pool: &mut TermPool, a: i64, b: i64| {
        let (x, y) = (pool.int_var(x.name, x.index), pool.int_var(y.name, y.index));
        pool.linear(&[(Int::from(a), x), (Int::from(b), y)], Int::from(0))
    };
    match formula {
        Formula::AtMost(a, b, c) => {
            let (left, right) = (linear(pool, *a, *b), pool.int(*c));
            pool.le(left, right)
        }
        Formula::Equal(a, b, c) => {
            let (left, right) = (linear(pool, *a, *b), pool.int(*c));
            pool.eq(left, right)
        }
        Formula::Proposition(first) => {
            let symbol = if *first { p } else { q };
            pool.bool_var(symbol.name, symbol.index)
        }
        Formula::Not(a) => {
            let a = build(pool, a);
            pool.not(a)
        }
        Formula::And(arguments) => {
            let arguments: Vec<TermId> = arguments.iter().map(|a| build(pool, a)).collect();
            pool.and(&arguments)
        }
        Formula::Or(arguments) => {
            let arguments: Vec<TermId> = arguments.iter().map(|a| build(pool, a)).collect();
            pool.or(&arguments)
        }
        Formula::Iff(a, b) => {
            let (a, b) = (build(pool, a), build(pool, b));
            pool.iff(a, b)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn simplification_is_an_equivalence(formula in formulas()) {
        let mut pool = TermPool::new();
        let before = build(&mut pool, &formula);
        let after = simplify(&mut pool, before);
        let [x, y, p, q] = variables(&mut pool);
        for bits in 0..4 {
            for (vx, vy) in (-4..5).flat_map(|vx| (-4..5).map(move |vy| (vx, vy))) {
                let mut model = Model::new();
                model.set_int(x, Int::from(vx));
                model.set_int(y, Int::from(vy));
                model.set_bool(p, bits & 1 == 1);
                model.set_bool(q, bits & 2 == 2);
                prop_assert_eq!(model.eval_bool(&pool, before), model.eval_bool(&pool, after));
            }
        }
    }
}

/// Simplifies a formula built from `x` and `y`, and compares it with the expected one.
fn check(build: impl Fn(&mut TermPool, TermId, TermId) -> (TermId, TermId)) {
    let mut pool = TermPool::new();
    let [x, y, ..] = variables(&mut pool);
    let (x, y) = (pool.int_var(x.name, x.index), pool.int_var(y.name, y.index));
    let (before, expected) = build(&mut pool, x, y);
    let after = simplify(&mut pool, before);
    assert_eq!(pool.to_smtlib(after), pool.to_smtlib(expected));
}

#[test]
fn two_bounds_become_an_equation() {
    check(|pool, x, y| {
        let (le, ge) = (pool.le(x, y), pool.ge(x, y));
        (pool.and(&[le, ge]), pool.eq(x, y))
    });
}

#[test]
fn two_excluded_sides_become_an_inequation() {
    check(|pool, x, y| {
        let (lt, gt) = (pool.lt(x, y), pool.gt(x, y));
        (pool.or(&[lt, gt]), pool.ne(x, y))
    });
}

#[test]
fn weaker_bounds_go() {
    check(|pool, x, _| {
        let (three, five) = (pool.int(3), pool.int(5));
        let (strong, weak) = (pool.le(x, three), pool.le(x, five));
        (pool.and(&[weak, strong]), strong)
    });
    check(|pool, x, _| {
        let (three, five) = (pool.int(3), pool.int(5));
        let (strong, weak) = (pool.le(x, three), pool.le(x, five));
        (pool.or(&[weak, strong]), weak)
    });
}

#[test]
fn contradicting_bounds_are_false() {
    check(|pool, x, _| {
        let (three, five) = (pool.int(3), pool.int(5));
        let (low, high) = (pool.le(x, three), pool.ge(x, five));
        (pool.and(&[low, high]), pool.mk_false())
    });
}

#[test]
fn implied_clauses_and_contradicted_literals_go() {
    check(|pool, x, y| {
        let (three, five) = (pool.int(3), pool.int(5));
        let (strong, weak, other) = (pool.le(x, three), pool.le(x, five), pool.le(y, five));
        let clause = pool.or(&[weak, other]);
        (pool.and(&[strong, clause]), strong)
    });
    check(|pool, x, y| {
        let (three, five) = (pool.int(3), pool.int(5));
        let (low, high, other) = (pool.le(x, three), pool.ge(x, five), pool.le(y, five));
        let clause = pool.or(&[high, other]);
        (pool.and(&[low, clause]), pool.and(&[low, other]))
    });
}
