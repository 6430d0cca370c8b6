//! Terms: simplification keeps the meaning, normal forms hold, formulas survive travel, deep terms need no stack.

use crate::trees::{formula, number, world};
use proptest::prelude::*;
use provident_smt::hash::FxHashMap;
use provident_smt::model::{Model, Value};
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, Symbol, Term, TermId, TermPool, UpdateSource};
use std::cmp::Ordering;

/// Asserts what the documentation of [`Term`] promises of every term in the pool below `root`.
fn assert_normal(pool: &TermPool, root: TermId) {
    pool.visit(&[root], |id, term| {
        term.for_each_child(|child| assert!(child < id, "children before parents"));
        match term {
            Term::Not(a) => {
                assert!(!matches!(pool.term(*a), Term::Not(_) | Term::True | Term::False));
            }
            Term::And(list) | Term::Or(list) => {
                assert!(list.len() >= 2 && list.is_sorted_by(|a, b| a < b));
                assert!(list.iter().all(|&a| !matches!(pool.term(a), Term::True | Term::False)));
            }
            Term::Sum(monomials, constant) => {
                assert!(monomials.is_sorted_by(|a, b| a.1 < b.1));
                assert!(monomials.iter().all(|m| !m.0.is_zero()));
                assert!(
                    monomials
                        .iter()
                        .all(|m| !matches!(pool.term(m.1), Term::Sum(..) | Term::Const(_)))
                );
                assert!(monomials.len() > 1 || !monomials[0].0.is_one() || !constant.is_zero());
            }
            Term::Le(sum) | Term::Eq(sum) => {
                let (mut gcd, mut lead) = (Int::ZERO, None);
                pool.for_each_monomial(*sum, |coefficient, _| {
                    gcd = gcd.gcd(coefficient);
                    lead.get_or_insert(coefficient.clone());
                });
                assert!(gcd.is_one() && lead.unwrap().is_positive());
            }
            Term::Div(_, divisor) => assert!(*divisor > Int::ONE),
            _ => {}
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn building_keeps_the_meaning(f in formula(true), n in number(true), w in world()) {
        let mut pool = TermPool::new();
        let (formula, number) = (f.build(&mut pool), n.build(&mut pool));
        assert_normal(&pool, formula);
        assert_normal(&pool, number);
        let model = w.model(&mut pool, NO_INDEX);
        prop_assert_eq!(model.eval_bool(&pool, formula), w.fml(&f));
        prop_assert_eq!(model.eval_int(&pool, number), Int::from(w.num(&n)));
        prop_assert_eq!(model.value(&pool, formula), Some(Value::Bool(w.fml(&f))));
    }

    #[test]
    fn renaming_moves_the_meaning_and_back(f in formula(true), w in world()) {
        let mut pool = TermPool::new();
        let formula = f.build(&mut pool);
        let instance = pool.map_symbols(formula, &mut |s| Symbol { index: 7, ..s });
        assert_normal(&pool, instance);
        prop_assert!(pool.symbols(instance).iter().all(|s| s.index == 7));
        let model = w.model(&mut pool, 7);
        prop_assert_eq!(model.eval_bool(&pool, instance), w.fml(&f));
        let back = pool.map_symbols(instance, &mut |s| Symbol { index: NO_INDEX, ..s });
        let model = w.model(&mut pool, NO_INDEX);
        prop_assert_eq!(model.eval_bool(&pool, back), w.fml(&f));
        let identity = pool.map_symbols(instance, &mut |s| s);
        prop_assert_eq!(identity, instance);
    }

    #[test]
    fn export_and_import_keep_the_meaning(f in formula(true), g in formula(true), w in world()) {
        let mut pool = TermPool::new();
        let roots = [f.build(&mut pool), g.build(&mut pool)];
        let portable = pool.export(&roots);
        // Into a pool with other ids, and back into the pool of origin, where the very same terms must come out.
        let mut other = TermPool::new();
        let noise = g.build(&mut other);
        other.not(noise);
        let moved = other.import(&portable);
        let model = w.model(&mut other, NO_INDEX);
        for (moved, raw) in moved.iter().zip([&f, &g]) {
            assert_normal(&other, *moved);
            prop_assert_eq!(model.eval_bool(&other, *moved), w.fml(raw));
        }
        prop_assert_eq!(pool.import(&portable), roots);
        let returned = pool.import(&other.export(&moved));
        let model = w.model(&mut pool, NO_INDEX);
        for (returned, raw) in returned.iter().zip([&f, &g]) {
            prop_assert_eq!(model.eval_bool(&pool, *returned), w.fml(raw));
        }
    }

    #[test]
    fn substitution_replaces_values(f in formula(true), w in world(), value in -4_i64..=4) {
        let mut pool = TermPool::new();
        let formula = f.build(&mut pool);
        let name = pool.symbol("x0");
        let (variable, constant) = (pool.int_var(name, NO_INDEX), pool.int(value));
        let replaced = pool.substitute(formula, &FxHashMap::from_iter([(variable, constant)]));
        assert_normal(&pool, replaced);
        let gone = Symbol { name, index: NO_INDEX };
        prop_assert!(!pool.symbols(replaced).contains(&gone));
        let mut changed = w.clone();
        changed.ints[0] = value;
        let model = w.model(&mut pool, NO_INDEX);
        prop_assert_eq!(model.eval_bool(&pool, replaced), changed.fml(&f));
    }

    #[test]
    fn comparison_is_a_total_order_and_independent_of_ids(f in formula(true), g in formula(true), h in formula(true)) {
        let mut pool = TermPool::new();
        let [a, b, c] = [f.build(&mut pool), g.build(&mut pool), h.build(&mut pool)];
        for (x, y) in [(a, b), (b, c), (a, c)] {
            prop_assert_eq!(pool.compare(x, y) == Ordering::Equal, x == y);
            prop_assert_eq!(pool.compare(x, y), pool.compare(y, x).reverse());
        }
        if pool.compare(a, b).is_le() && pool.compare(b, c).is_le() {
            prop_assert!(pool.compare(a, c).is_le());
        }
    }
}

/// A pool with the variables `x`, `y`, `z`.
fn xyz() -> (TermPool, [TermId; 3]) {
    let mut pool = TermPool::new();
    let variables = ["x", "y", "z"].map(|name| {
        let name = pool.symbol(name);
        pool.int_var(name, NO_INDEX)
    });
    (pool, variables)
}

#[test]
fn normal_forms() {
    let (mut pool, [x, y, _]) = xyz();
    let check = |pool: &TermPool, term: TermId, expected: &str| assert_eq!(pool.to_smtlib(term), expected);
    let (two_x, three, four) = (pool.scale(&Int::from(2), x), pool.int(3), pool.int(4));
    let le = pool.le(two_x, three);
    check(&pool, le, "(<= x 1)");
    let ge = pool.ge(two_x, three);
    check(&pool, ge, "(> x 1)");
    assert_eq!(pool.not(le), ge);
    let odd = pool.eq(two_x, three);
    assert_eq!(odd, pool.mk_false());
    let even = pool.eq(four, two_x);
    check(&pool, even, "(= x 2)");
    let (forth, back) = (pool.lt(x, y), pool.le(y, x));
    assert_eq!(pool.not(forth), back);
    let both = pool.and2(forth, back);
    assert_eq!(both, pool.mk_false());
    let either = pool.or2(forth, back);
    assert_eq!(either, pool.mk_true());
    let sum = pool.linear(&[(Int::from(6), x), (Int::from(4), y)], Int::from(7));
    let quotient = pool.div_floor(sum, &Int::from(4));
    check(&pool, quotient, "(+ y (div (+ (* 3 x) 1) 2) 1)");
    let nested = pool.div_floor(x, &Int::from(3));
    let nested = pool.div_floor(nested, &Int::from(5));
    check(&pool, nested, "(div x 15)");
    let remainder = pool.mod_floor(two_x, &Int::from(2));
    assert_eq!(remainder, pool.int(0));
}

#[test]
fn printing_names_shared_terms_and_quotes_versions() {
    let mut pool = TermPool::new();
    let (f, x) = (pool.symbol("f"), pool.symbol("main::x"));
    let x = pool.int_var(x, 3);
    let fx = pool.app(f, 0, &[x]);
    let (fx_positive, zero) = (pool.int(0), pool.int(0));
    let positive = pool.gt(fx, fx_positive);
    let ffx = pool.app(f, 0, &[fx]);
    let equal = pool.eq(ffx, zero);
    let both = pool.and2(positive, equal);
    assert_eq!(
        pool.to_smtlib(both),
        "(let ((.t0 (|f@0| |main::x@3|))) (and (> .t0 0) (= (|f@0| .t0) 0)))"
    );
}

#[test]
fn updates_are_evaluated_at_all_relevant_points() {
    let mut pool = TermPool::new();
    let [m0, m1, other] = ["m", "m", "o"].map(|name| pool.symbol(name));
    let (old, new) = (Symbol { name: m0, index: 0 }, Symbol { name: m1, index: 1 });
    let [two, five, nine] = [2, 5, 9].map(|v| pool.int(v));
    let point = pool.point_update(new, old, two, nine);
    let mut model = Model::new();
    assert!(!model.eval_bool(&pool, point), "new(2) is 0, not 9");
    model.set_point(new, vec![Int::from(2)], Int::from(9));
    assert!(model.eval_bool(&pool, point));
    model.set_point(old, vec![Int::from(7)], Int::from(1));
    assert!(!model.eval_bool(&pool, point), "new(7) must be old(7)");
    model.set_point(new, vec![Int::from(7)], Int::from(1));
    assert!(model.eval_bool(&pool, point));
    let range = pool.update(new, old, two, five, UpdateSource::Const(nine));
    assert!(!model.eval_bool(&pool, range), "new(4) is 0, not 9");
    let havoc = pool.update(new, old, two, five, UpdateSource::Havoc);
    assert!(model.eval_bool(&pool, havoc));
    let from = Symbol {
        name: other,
        index: NO_INDEX,
    };
    let copy = pool.update(new, old, two, five, UpdateSource::Copy { from, shift: five });
    assert!(!model.eval_bool(&pool, copy), "new(2) is 9, o(7) is 0");
    model.set_point(from, vec![Int::from(7)], Int::from(9));
    assert!(model.eval_bool(&pool, copy));
    let empty = pool.update(new, old, five, two, UpdateSource::Const(nine));
    assert!(
        !model.eval_bool(&pool, empty),
        "an empty range copies, but new(2) is not old(2)"
    );
    let same = pool.update(old, old, five, two, UpdateSource::Const(nine));
    assert_eq!(same, pool.mk_true());
}

#[test]
fn deep_terms_need_no_stack() {
    const DEPTH: u32 = 200_000;
    let mut pool = TermPool::new();
    let (b, f) = (pool.symbol("b"), pool.symbol("f"));
    let zero = pool.int(0);
    let (mut formula, mut number) = (pool.mk_true(), zero);
    for i in 0..DEPTH {
        let variable = pool.bool_var(b, i);
        let (left, right) = (pool.iff(formula, variable), pool.implies(formula, variable));
        formula = if i % 2 == 0 { left } else { right };
        number = pool.app(f, NO_INDEX, &[number]);
    }
    let equation = pool.eq(number, zero);
    let all = pool.and2(formula, equation);
    let shifted = pool.map_symbols(all, &mut |s| Symbol {
        index: s.index.wrapping_add(1),
        ..s
    });
    assert_ne!(all, shifted);
    assert_eq!(pool.compare(all, all), Ordering::Equal);
    assert_ne!(pool.compare(all, shifted), Ordering::Equal);
    assert!(pool.dag_size(all) > 3 * DEPTH as usize);
    assert!(pool.to_smtlib(all).len() > DEPTH as usize);
    let portable = pool.export(&[all]);
    assert_eq!(TermPool::new().import(&portable).len(), 1);
    let model = Model::new();
    let _ = model.eval_bool(&pool, all);
    assert_eq!(pool.symbols(all).len(), DEPTH as usize + 1);
}
