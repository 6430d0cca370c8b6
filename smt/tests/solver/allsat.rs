//! The enumeration of models over a set of literals, compared with brute force over a small domain.

use crate::formulas::{Features, Formula, Vocabulary, formulas};
use proptest::prelude::*;
use provident_smt::allsat::{AllSatAnswer, all_sat};
use provident_smt::model::Model;
use provident_smt::num::Int;
use provident_smt::products::{Product, all_products};
use provident_smt::proof::Part;
use provident_smt::solver::{Answer, Config, Solver};
use provident_smt::term::{Symbol, TermId, TermPool};
use std::collections::BTreeSet;

/// The brute force looks at all points of this square.
const LIMIT: i64 = 3;

/// The cubes as sets of valuations; panics if two cubes overlap.
fn expand(cubes: &[Vec<(usize, bool)>], count: usize) -> BTreeSet<Vec<bool>> {
    let mut all = BTreeSet::new();
    for cube in cubes {
        assert!(cube.windows(2).all(|pair| pair[0].0 < pair[1].0), "positions ascend");
        for bits in 0..1u32 << count {
            let valuation: Vec<bool> = (0..count).map(|i| bits >> i & 1 == 1).collect();
            if cube.iter().all(|&(position, value)| valuation[position] == value) {
                assert!(all.insert(valuation), "cubes are disjoint");
            }
        }
    }
    all
}

fn run(pool: &mut TermPool, formula: TermId, literals: &[TermId]) -> Vec<Vec<(usize, bool)>> {
    let mut solver = Solver::new(Config::default());
    solver.assert(pool, formula, Part(0));
    let mut cubes = Vec::new();
    let answer = all_sat(&mut solver, pool, literals, &mut |cube| cubes.push(cube.to_vec()));
    let AllSatAnswer::Complete(statistics) = answer else {
        panic!("small problems are decided: {answer:?}")
    };
    assert_eq!(statistics.cubes, u64::try_from(cubes.len()).expect("few cubes"));
    // The same solver gives the same set again.
    let mut again = 0;
    all_sat(&mut solver, pool, literals, &mut |_| again += 1);
    assert_eq!(again, cubes.len());
    cubes
}

/// The valuations in a union of products.
fn expand_products(products: &[Product], count: usize) -> BTreeSet<Vec<bool>> {
    let valuations = (0..1u32 << count).map(|bits| (0..count).map(|i| bits >> i & 1 == 1).collect::<Vec<bool>>());
    valuations
        .filter(|valuation| {
            let cube_holds = |cube: &Vec<(usize, bool)>| cube.iter().all(|&(i, value)| valuation[i] == value);
            products
                .iter()
                .any(|product| product.iter().all(|factor| factor.iter().any(cube_holds)))
        })
        .collect()
}

fn products(pool: &mut TermPool, formula: TermId, literals: &[TermId]) -> Vec<Product> {
    let mut solver = Solver::new(Config::default());
    solver.assert(pool, formula, Part(0));
    let mut found = Vec::new();
    let answer = all_products(&mut solver, pool, literals, &mut |product| found.push(product));
    assert!(
        matches!(answer, AllSatAnswer::Complete(_)),
        "small problems are decided: {answer:?}"
    );
    found
}

fn symbols(pool: &mut TermPool) -> [Symbol; 4] {
    ["x", "y", "p", "q"].map(|name| Symbol {
        name: pool.symbol(name),
        index: 0,
    })
}

fn check(formula: &Formula, predicates: &[Formula]) {
    let mut pool = TermPool::new();
    let [x, y, p, q] = symbols(&mut pool);
    let integers = [x, y].map(|s| pool.int_var(s.name, s.index));
    let propositions = [p, q].map(|s| pool.bool_var(s.name, s.index));
    let vocabulary = Vocabulary {
        integers: integers.to_vec(),
        propositions: propositions.to_vec(),
        functions: Vec::new(),
    };
    let mut conjuncts = vec![vocabulary.formula(&mut pool, formula)];
    let (low, high) = (pool.int(-LIMIT), pool.int(LIMIT));
    for variable in integers {
        conjuncts.push(pool.ge(variable, low));
        conjuncts.push(pool.le(variable, high));
    }
    let bounded = pool.and(&conjuncts);
    let literals: Vec<TermId> = predicates.iter().map(|f| vocabulary.formula(&mut pool, f)).collect();

    let mut expected = BTreeSet::new();
    for (vx, vy) in (-LIMIT..=LIMIT).flat_map(|vx| (-LIMIT..=LIMIT).map(move |vy| (vx, vy))) {
        for bits in 0..4 {
            let mut model = Model::new();
            model.set_int(x, Int::from(vx));
            model.set_int(y, Int::from(vy));
            model.set_bool(p, bits & 1 == 1);
            model.set_bool(q, bits & 2 == 2);
            if model.eval_bool(&pool, bounded) {
                expected.insert(
                    literals
                        .iter()
                        .map(|&l| model.eval_bool(&pool, l))
                        .collect::<Vec<bool>>(),
                );
            }
        }
    }
    let cubes = run(&mut pool, bounded, &literals);
    assert_eq!(expand(&cubes, literals.len()), expected);
    let products = products(&mut pool, bounded, &literals);
    assert_eq!(expand_products(&products, literals.len()), expected);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn exactly_the_feasible_valuations(
        formula in formulas(Features { conditionals: true, division: true, functions: false }, 3),
        predicates in prop::collection::vec(formulas(Features::default(), 1), 0..6),
    ) {
        check(&formula, &predicates);
    }
}

/// Literals that compare two variables multiply neither with those about a third one nor with each other's valuations.
#[test]
fn variables_that_are_tied_together_take_one_check() {
    let mut pool = TermPool::new();
    let mut literals = Vec::new();
    let mut conjuncts = Vec::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| {
        let name = pool.symbol(name);
        pool.int_var(name, 0)
    });
    let (low, high) = (pool.int(0), pool.int(9));
    for variable in [x, y, z] {
        conjuncts.extend([pool.ge(variable, low), pool.le(variable, high)]);
    }
    for distance in -2..=2 {
        let distance = pool.int(distance);
        let moved = pool.add(y, distance);
        literals.extend([pool.le(x, moved), pool.eq(x, moved)]);
    }
    let five = pool.int(5);
    literals.push(pool.le(z, five));
    // `x <= y` ties the variables as well.
    conjuncts.push(literals[4]);
    let formula = pool.and(&conjuncts);
    let products = products(&mut pool, formula, &literals);
    assert_eq!(products.len(), 1, "{products:?}");
    let valuations = expand_products(&products, literals.len());
    let cubes = run(&mut pool, formula, &literals);
    assert_eq!(expand(&cubes, literals.len()), valuations);
    assert_eq!(
        valuations.len(),
        8,
        "x - y is -9 to -3, -2, -1 or 0, and z small or large"
    );
}

#[test]
fn no_literals_give_the_empty_cube_or_nothing() {
    let mut pool = TermPool::new();
    let (yes, no) = (pool.mk_true(), pool.mk_false());
    assert_eq!(run(&mut pool, yes, &[]), vec![vec![]]);
    assert_eq!(run(&mut pool, no, &[]), Vec::<Vec<(usize, bool)>>::new());
}

/// Ten variables are copied on each of two paths, and three predicates on each are to be known.
#[test]
fn independent_variables_are_one_product_for_each_path() {
    let mut pool = TermPool::new();
    let names: Vec<_> = (0..10).map(|i| pool.symbol(&format!("x{i}"))).collect();
    let (three, five, nine) = (pool.int(3), pool.int(5), pool.int(9));
    let (mut formulas, mut literals, mut paths) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
    for &name in &names {
        let [old, middle, new] = [0, 1, 2].map(|version| pool.int_var(name, version));
        formulas.extend([pool.ge(old, three), pool.le(old, nine)]);
        paths[0].extend([pool.eq(middle, old), pool.eq(new, middle)]);
        paths[1].extend([pool.ne(old, five), pool.eq(new, five)]);
        literals.extend([pool.le(new, three), pool.eq(new, five), pool.ge(new, nine)]);
    }
    let paths = paths.map(|path| pool.and(&path));
    formulas.push(pool.or(&paths));
    let formula = pool.and(&formulas);
    let found = products(&mut pool, formula, &literals);
    assert!(found.len() <= 2, "{} products", found.len());
    let valuations = found.iter().map(|p| p.iter().map(Vec::len).product::<usize>()).max();
    assert_eq!(valuations, Some(4usize.pow(10)), "3, 5, 9 and the rest");
}

#[test]
fn free_literals_are_one_cube() {
    let mut pool = TermPool::new();
    let literals: Vec<TermId> = (0..10)
        .map(|i| {
            let name = pool.symbol("p");
            pool.bool_var(name, i)
        })
        .collect();
    let yes = pool.mk_true();
    assert_eq!(run(&mut pool, yes, &literals), vec![vec![]]);
}

#[test]
fn equal_complementary_and_constant_literals() {
    let mut pool = TermPool::new();
    let name = pool.symbol("p");
    let p = pool.bool_var(name, 0);
    let (not_p, yes, no) = (pool.not(p), pool.mk_true(), pool.mk_false());
    let mut cubes = run(&mut pool, yes, &[p, yes, not_p, no, p]);
    cubes.sort();
    assert_eq!(
        cubes,
        vec![
            vec![(0, false), (1, true), (2, true), (3, false), (4, false)],
            vec![(0, true), (1, true), (2, false), (3, false), (4, true)],
        ]
    );
}

/// The valuations that a solver finds one by one, each excluded before the next check.
fn one_by_one(pool: &mut TermPool, formula: TermId, literals: &[TermId]) -> BTreeSet<Vec<bool>> {
    let mut solver = Solver::new(Config::default());
    solver.assert(pool, formula, Part(0));
    let mut found = BTreeSet::new();
    while solver.check(pool, &[]) == Answer::Sat {
        let model = solver.model(pool);
        let values: Vec<bool> = literals.iter().map(|&l| model.eval_bool(pool, l)).collect();
        let valued = literals.iter().zip(&values);
        let own: Vec<TermId> = valued.map(|(&l, &v)| if v { l } else { pool.not(l) }).collect();
        let all = pool.and(&own);
        let others = pool.not(all);
        solver.assert(pool, others, Part(0));
        assert!(found.insert(values), "an excluded valuation came back");
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    /// Two steps of a path that starts between bounds, as predicate abstraction asks: most variables are defined by others.
    #[test]
    fn definitions_and_functions(
        steps in prop::collection::vec((formulas(Features::default(), 1), -2..3i64, -2..3i64), 1..4),
        predicates in prop::collection::vec(formulas(Features { functions: true, ..Features::default() }, 1), 1..6),
    ) {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name));
        let at = |pool: &mut TermPool, version| [x, y].map(|name| pool.int_var(name, version));
        let mut now = at(&mut pool, 0);
        let (low, high) = (pool.int(-LIMIT), pool.int(LIMIT));
        let mut conjuncts: Vec<TermId> = now.iter().flat_map(|&v| [pool.le(low, v), pool.le(v, high)]).collect();
        let functions = vec![("f", 0), ("g", 0)];
        let propositions: Vec<TermId> = ["p", "q"]
            .map(|name| pool.symbol(name))
            .map(|name| pool.bool_var(name, 0))
            .to_vec();
        for (version, (condition, a, b)) in (1..).zip(&steps) {
            let vocabulary = Vocabulary {
                integers: now.to_vec(),
                propositions: propositions.clone(),
                functions: functions.clone(),
            };
            let condition = vocabulary.formula(&mut pool, condition);
            let next = at(&mut pool, version);
            let (a, b) = (pool.int(*a), pool.int(*b));
            let (yes, no) = (pool.add(now[0], a), pool.add(now[1], b));
            let value = pool.ite(condition, yes, no);
            let f = pool.symbol("f");
            let image = pool.app(f, 0, &[now[1]]);
            conjuncts.extend([pool.eq(next[0], value), pool.eq(next[1], now[0])]);
            conjuncts.extend([pool.le(low, image), pool.le(image, high)]);
            now = next;
        }
        let vocabulary = Vocabulary { integers: now.to_vec(), propositions, functions };
        let literals: Vec<TermId> = predicates.iter().map(|f| vocabulary.formula(&mut pool, f)).collect();
        let formula = pool.and(&conjuncts);
        let cubes = run(&mut pool, formula, &literals);
        let expected = one_by_one(&mut pool, formula, &literals);
        assert_eq!(expand(&cubes, literals.len()), expected);
    }
}

/// A sum with known variables is a condition on the others: 2^8 valuations of predicates about `y` and `z` are one product.
#[test]
fn known_variables_are_replaced_by_their_values() {
    let mut pool = TermPool::new();
    let [one, two, three] = [1, 2, 3].map(|i| pool.int(i));
    let (mut formulas, mut literals) = (Vec::new(), Vec::new());
    for i in 0..8 {
        let [x, y, z] = ["x", "y", "z"].map(|name| {
            let name = pool.symbol(name);
            pool.int_var(name, i)
        });
        // `x` is 2, and it is known from two bounds and an excluded value; `z` is `2 x + y`.
        formulas.extend([pool.ge(x, one), pool.le(x, two), pool.ne(x, one)]);
        let twice = pool.scale(&Int::from(2), x);
        let sum = pool.add(twice, y);
        formulas.push(pool.eq(z, sum));
        // `2 x = y` is `y = 4`, and `x + z <= 3` is `y <= -3`.
        let sum = pool.add(x, z);
        literals.extend([pool.eq(twice, y), pool.le(sum, three)]);
    }
    let formula = pool.and(&formulas);
    let found = products(&mut pool, formula, &literals);
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].iter().map(Vec::len).product::<usize>(),
        3usize.pow(8),
        "4, at most -3 and the rest"
    );
}

proptest! {
    /// Three variables with small values, sums of them with all factors, equations and disequations.
    #[test]
    fn sums_over_classes(
        sums in prop::collection::vec((prop::array::uniform3(-2i64..=2), -2i64..=2, 0u8..4), 1..5),
        known in prop::array::uniform3(prop::option::of(-1i64..=1)),
        predicates in prop::collection::vec((prop::array::uniform3(-2i64..=2), -2i64..=2, any::<bool>()), 1..6),
    ) {
        let mut pool = TermPool::new();
        let variables = ["x", "y", "z"].map(|name| {
            let name = pool.symbol(name);
            pool.int_var(name, 0)
        });
        let sum = |pool: &mut TermPool, factors: [i64; 3], constant: i64| {
            let mut sum = pool.int(constant);
            for (&factor, x) in factors.iter().zip(variables) {
                let part = pool.scale(&Int::from(factor), x);
                sum = pool.add(sum, part);
            }
            sum
        };
        let zero = pool.int(0);
        let mut formulas = Vec::new();
        for (x, value) in variables.into_iter().zip(known) {
            let (low, high) = (value.unwrap_or(-LIMIT), value.unwrap_or(LIMIT));
            let (low, high) = (pool.int(low), pool.int(high));
            formulas.extend([pool.ge(x, low), pool.le(x, high)]);
        }
        for (factors, constant, relation) in sums {
            let sum = sum(&mut pool, factors, constant);
            formulas.push(match relation {
                0 => pool.le(sum, zero),
                1 => pool.ge(sum, zero),
                2 => pool.eq(sum, zero),
                _ => pool.ne(sum, zero),
            });
        }
        let predicate = |(factors, constant, is_equation)| {
            let sum = sum(&mut pool, factors, constant);
            if is_equation { pool.eq(sum, zero) } else { pool.le(sum, zero) }
        };
        let literals: Vec<TermId> = predicates.into_iter().map(predicate).collect();
        let formula = pool.and(&formulas);
        let found = products(&mut pool, formula, &literals);
        let expected = one_by_one(&mut pool, formula, &literals);
        prop_assert_eq!(expand_products(&found, literals.len()), expected);
    }
}
