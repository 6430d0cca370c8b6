//! The variants of interpolants: each is valid for random problems, and their order of strength is as promised.

use crate::formulas::{Expr, Features, Formula, Vocabulary, formulas};
use proptest::prelude::*;
use provident_smt::interpolate::{
    ArithmeticLeaf, CongruenceLeaf, Direction, InterpolationConfig, Labelling, SequenceResult, Shape, Variant,
    check_sequence, check_tree, sequence, tree,
};
use provident_smt::num::Int;
use provident_smt::proof::Part;
use provident_smt::smtlib::{InterpolationTable, Options, interpolation_table};
use provident_smt::solver::{Answer, Config, Solver};
use provident_smt::term::{TermId, TermPool};

fn config(variant: Variant, bits: u32) -> InterpolationConfig {
    InterpolationConfig {
        check: true,
        variant,
        ticks: Some(2_000_000),
        minimise: bits & 1 != 0,
        avoid_mixed: bits & 2 != 0,
        reduce_proof: bits & 4 != 0,
        simplify: bits & 8 != 0,
        equality: bits & 16 != 0,
        direction: Direction::ALL[(bits >> 5 & 3) as usize],
        dear: if bits & 128 == 0 { u64::MAX } else { 0 },
        ..InterpolationConfig::default()
    }
}

/// Whether `a` implies `b`; none if undecided.
fn implies(pool: &mut TermPool, a: TermId, b: TermId) -> Option<bool> {
    let mut solver = Solver::new(Config::default());
    solver.set_tick_limit(Some(2_000_000));
    let not_b = pool.not(b);
    solver.assert(pool, a, Part(0));
    solver.assert(pool, not_b, Part(0));
    match solver.check(pool, &[]) {
        Answer::Unsat => Some(true),
        Answer::Sat => Some(false),
        Answer::Unknown(_) => None,
    }
}

/// Random parts. Part `k` shares its first variables with its neighbours, and one with all.
pub fn problem(pool: &mut TermPool, parts: &[Formula]) -> Vec<TermId> {
    let mut result = Vec::new();
    for (index, formula) in (0u32..).zip(parts) {
        let mut vocabulary = Vocabulary {
            functions: vec![("f", 0), ("g", 0)],
            ..Vocabulary::default()
        };
        for (name, version) in [
            ("x", index),
            ("y", index),
            ("x", index + 1),
            ("global", 0),
            ("own", index),
        ] {
            let name = pool.symbol(name);
            vocabulary.integers.push(pool.int_var(name, version));
        }
        for version in [index, index + 1] {
            let name = pool.symbol("p");
            vocabulary.propositions.push(pool.bool_var(name, version));
        }
        result.push(vocabulary.formula(pool, formula));
    }
    result
}

/// Pairs of variants of which the first one is stronger.
fn ordered_pairs() -> Vec<(Variant, Variant)> {
    use Labelling::{DualMcMillan, McMillan, Pudlak, Smallest};
    let mut pairs = Vec::new();
    for variant in Variant::all() {
        for (strong, weak) in [
            (McMillan, Pudlak),
            (Pudlak, DualMcMillan),
            (McMillan, Smallest),
            (Smallest, DualMcMillan),
        ] {
            if variant.labelling == strong {
                pairs.push((
                    variant,
                    Variant {
                        labelling: weak,
                        ..variant
                    },
                ));
            }
        }
        for (position, &arithmetic) in ArithmeticLeaf::ALL.iter().enumerate() {
            if let Some(&weaker) = ArithmeticLeaf::ALL.get(position + 1)
                && variant.arithmetic == arithmetic
            {
                pairs.push((
                    variant,
                    Variant {
                        arithmetic: weaker,
                        ..variant
                    },
                ));
            }
        }
        if variant.congruence == CongruenceLeaf::Strong {
            pairs.push((
                variant,
                Variant {
                    congruence: CongruenceLeaf::Weak,
                    ..variant
                },
            ));
        }
    }
    pairs
}

fn check_strength(parts: &[Formula], bits: u32) {
    let mut pool = TermPool::new();
    let parts = problem(&mut pool, parts);
    let mut found = Vec::new();
    for variant in Variant::all() {
        let SequenceResult::Unsat(interpolants) = sequence(&mut pool, &parts, &config(variant, bits)) else {
            return;
        };
        found.push((variant, interpolants[0]));
    }
    for (strong, weak) in ordered_pairs() {
        let of = |wanted: Variant| found.iter().find(|known| known.0 == wanted).expect("all variants").1;
        let (stronger, weaker) = (of(strong), of(weak));
        assert_ne!(
            implies(&mut pool, stronger, weaker),
            Some(false),
            "{strong:?} gives {}, {weak:?} gives {}",
            pool.to_smtlib(stronger),
            pool.to_smtlib(weaker)
        );
    }
}

fn check_validity(parts: &[Formula], bits: u32) {
    let mut pool = TermPool::new();
    let parts = problem(&mut pool, parts);
    for variant in Variant::all() {
        match sequence(&mut pool, &parts, &config(variant, bits)) {
            SequenceResult::Sat(model) => assert!(parts.iter().all(|&part| model.eval_bool(&pool, part))),
            SequenceResult::Unsat(interpolants) => {
                let verdict = check_sequence(&mut pool, &parts, &interpolants);
                assert!(
                    verdict.is_ok() || verdict.as_ref().is_err_and(|defect| defect.contains("undecided")),
                    "{variant:?}: {verdict:?}"
                );
            }
            SequenceResult::Unknown(_) => {}
        }
    }
}

fn check_tree_of(parts: &[Formula], parents: &[usize], bits: u32) {
    let mut pool = TermPool::new();
    let parts = problem(&mut pool, parts);
    for variant in Variant::all() {
        match tree(&mut pool, &parts, parents, &config(variant, bits)) {
            SequenceResult::Sat(model) => assert!(parts.iter().all(|&part| model.eval_bool(&pool, part))),
            SequenceResult::Unsat(interpolants) => {
                let verdict = check_tree(&mut pool, &parts, parents, &interpolants);
                assert!(
                    verdict.is_ok() || verdict.as_ref().is_err_and(|defect| defect.contains("undecided")),
                    "{variant:?}: {verdict:?}"
                );
            }
            SequenceResult::Unknown(_) => {}
        }
    }
}

/// The interpolants of `parts` by each kind of arithmetic leaf.
fn by_arithmetic(pool: &mut TermPool, parts: &[TermId]) -> Vec<String> {
    let mut texts = Vec::new();
    for &arithmetic in ArithmeticLeaf::ALL {
        let variant = Variant {
            arithmetic,
            ..Variant::default()
        };
        let SequenceResult::Unsat(interpolants) = sequence(pool, parts, &config(variant, 0b1111)) else {
            panic!("the parts contradict each other");
        };
        texts.push(pool.to_smtlib(interpolants[0]));
    }
    texts
}

#[test]
fn farkas_leaves_of_one_conflict() {
    // x <= l, y <= m, l <= 0, m <= 0 | x + y >= 3: the sum falls apart for A, and has room above it.
    let mut pool = TermPool::new();
    let [x, y, l, m] = ["x", "y", "l", "m"].map(|name| {
        let name = pool.symbol(name);
        pool.int_var(name, 0)
    });
    let (zero, three, sum) = (pool.int(0), pool.int(3), pool.add(x, y));
    let bounds = [pool.le(x, l), pool.le(y, m), pool.le(l, zero), pool.le(m, zero)];
    let (first, second) = (pool.and(&bounds), pool.ge(sum, three));
    let found = by_arithmetic(&mut pool, &[first, second]);
    let expected = [
        "(and (<= |x@0| 0) (<= |y@0| 0))",
        "(<= (+ |x@0| |y@0|) 0)",
        "(<= (+ |x@0| |y@0|) 2)",
        "(<= (+ |x@0| |y@0|) 2)",
    ];
    assert_eq!(found, expected);
}

#[test]
fn decomposition_is_of_the_side_that_is_named() {
    // The mirror image with a local k >= 3 in A: B's sum falls apart.
    let mut pool = TermPool::new();
    let [x, y, l, m, k] = ["x", "y", "l", "m", "k"].map(|name| {
        let name = pool.symbol(name);
        pool.int_var(name, 0)
    });
    let (zero, three, sum) = (pool.int(0), pool.int(3), pool.add(x, y));
    let bounds = [pool.le(x, l), pool.le(y, m), pool.le(l, zero), pool.le(m, zero)];
    let large = [pool.ge(k, three), pool.ge(sum, k)];
    let (first, second) = (pool.and(&large), pool.and(&bounds));
    let found = by_arithmetic(&mut pool, &[first, second]);
    let expected = [
        "(> (+ |x@0| |y@0|) 2)",
        "(> (+ |x@0| |y@0|) 2)",
        "(> (+ |x@0| |y@0|) 0)",
        "(or (> |x@0| 0) (> |y@0| 0))",
    ];
    assert_eq!(found, expected);
}

#[test]
fn colours_of_shared_congruences() {
    // a = b, f(x) = c | f(a) != f(b): the congruence is between shared terms, and can be B's or A's. Without minimisation f is shared.
    let mut pool = TermPool::new();
    let f = pool.symbol("f");
    let [a, b, x, y] = ["a", "b", "x", "y"].map(|name| {
        let name = pool.symbol(name);
        pool.int_var(name, 0)
    });
    let [fa, fb, fx, fy] = [a, b, x, y].map(|argument| pool.app(f, 0, &[argument]));
    let c = pool.symbol("c");
    let c = pool.int_var(c, 0);
    let equal = [pool.eq(a, x), pool.eq(x, b), pool.eq(fx, c)];
    let (first, second) = (pool.and(&equal), pool.ne(fa, fb));
    let text = |pool: &mut TermPool, parts: &[TermId], congruence| {
        let variant = Variant {
            congruence,
            ..Variant::default()
        };
        match sequence(pool, parts, &config(variant, 0b11110)) {
            SequenceResult::Unsat(interpolants) => pool.to_smtlib(interpolants[0]),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(
        text(&mut pool, &[first, second], CongruenceLeaf::Strong),
        "(= |a@0| |b@0|)"
    );
    assert_eq!(
        text(&mut pool, &[first, second], CongruenceLeaf::Weak),
        "(= (|f@0| |a@0|) (|f@0| |b@0|))"
    );
    // x = a, f(x) = c | a = y, f(y) != c: f(a) is put between f(x) and f(y).
    let (first, second) = ([pool.eq(x, a), pool.eq(fx, c)], [pool.eq(a, y), pool.ne(fy, c)]);
    let parts = [pool.and(&first), pool.and(&second)];
    assert_eq!(
        text(&mut pool, &parts, CongruenceLeaf::Strong),
        "(= (|f@0| |a@0|) |c@0|)"
    );
}

#[test]
fn the_table_has_all_variants_and_their_order() {
    let script = "(declare-const x Int)(declare-const y Int)(declare-const l Int)(declare-const m Int)
        (assert (! (and (<= x l) (<= y m) (<= l 0) (<= m 0)) :named A))(assert (! (>= (+ x y) 3) :named B))
        (check-sat)(get-interpolants A B)";
    let InterpolationTable { rows, errors, .. } = interpolation_table(script, &Options::default());
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(rows.len(), Variant::all().count());
    let of = |arithmetic| {
        let wanted = Variant {
            arithmetic,
            ..Variant::default()
        };
        let row = rows
            .iter()
            .find(|row| row.variant == wanted)
            .expect("a row for each variant");
        row.result.clone().expect("an interpolant")
    };
    let (parts, sum, room) = (
        of(ArithmeticLeaf::Decomposed),
        of(ArithmeticLeaf::Farkas),
        of(ArithmeticLeaf::DualFarkas),
    );
    assert_eq!(
        [parts.measures.shape, sum.measures.shape],
        [Shape::Interval, Shape::Literal]
    );
    assert_eq!(
        (
            parts.measures.atoms,
            sum.measures.atoms,
            sum.measures.symbols,
            sum.shared_symbols
        ),
        (2, 1, 2, 2)
    );
    assert!(parts.implies.contains(&sum.formula) && sum.implies.contains(&room.formula));
    assert!(!sum.implies.contains(&parts.formula) && !room.implies.contains(&sum.formula));
    let InterpolationTable { errors, .. } =
        interpolation_table("(check-sat)(get-interpolants A B)", &Options::default());
    assert_eq!(errors, ["1:12: interpolants need a check that answered unsat"]);
}

#[test]
fn trees_of_one_level_and_of_two() {
    let mut pool = TermPool::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| {
        let name = pool.symbol(name);
        pool.int_var(name, 0)
    });
    let one = Int::from(1);
    let difference = |pool: &mut TermPool, a, b| {
        let constant = Int::from(1);
        let sum = pool.linear(&[(one.clone(), a), (-&one, b)], constant);
        pool.le_zero(sum)
    };
    // x < y, y < z, z < x as the children of the true root, and as child, grandchild and root.
    let cycle = [
        difference(&mut pool, x, y),
        difference(&mut pool, y, z),
        difference(&mut pool, z, x),
    ];
    let yes = pool.mk_true();
    for (parts, parents) in [
        (vec![cycle[0], cycle[1], cycle[2], yes], vec![3, 3, 3]),
        (cycle.to_vec(), vec![1, 2]),
    ] {
        for variant in Variant::all() {
            let SequenceResult::Unsat(interpolants) = tree(&mut pool, &parts, &parents, &config(variant, 0b1011))
            else {
                panic!("the cycle is contradictory");
            };
            assert_eq!(interpolants.len(), parents.len());
            assert_eq!(check_tree(&mut pool, &parts, &parents, &interpolants), Ok(()));
        }
    }
    let wrong = [cycle[0], yes];
    assert!(check_tree(&mut pool, &cycle, &[1, 2], &wrong).is_err());
}

/// Formulas of equality, functions and a few constants.
pub fn equality_formulas() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![6 => (0..5usize).prop_map(Expr::Var), 1 => (0..2i64).prop_map(Expr::Const)];
    let term = leaf.prop_recursive(2, 4, 1, |inner| {
        (0..2usize, inner).prop_map(|(f, a)| Expr::Apply(f, Box::new(a)))
    });
    let literal = (term.clone(), term, prop::bool::weighted(0.7)).prop_map(|(a, b, positive)| {
        let equation = Formula::Equal(a, b);
        if positive {
            equation
        } else {
            Formula::Not(Box::new(equation))
        }
    });
    let clause = prop_oneof![
        4 => literal.clone(),
        1 => prop::collection::vec(literal, 2).prop_map(Formula::Or),
    ];
    prop::collection::vec(clause, 2..7).prop_map(Formula::And)
}

pub const EVERYTHING: Features = Features {
    functions: true,
    division: true,
    conditionals: true,
};

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn linear_variants_are_ordered(parts in prop::collection::vec(formulas(Features::default(), 2), 2), bits in 0..32u32) {
        check_strength(&parts, bits);
    }

    #[test]
    fn variants_with_everything_are_ordered(parts in prop::collection::vec(formulas(EVERYTHING, 2), 2), bits in 0..32u32) {
        check_strength(&parts, bits);
    }

    #[test]
    fn variants_of_equality_are_ordered(parts in prop::collection::vec(equality_formulas(), 2), bits in 0..32u32) {
        check_strength(&parts, bits);
    }

    #[test]
    fn variants_of_sequences_of_equations_are_valid(parts in prop::collection::vec(equality_formulas(), 2..5), bits in 0..256u32) {
        check_validity(&parts, bits);
    }

    #[test]
    fn variants_of_sequences_are_valid(parts in prop::collection::vec(formulas(EVERYTHING, 2), 2..5), bits in 0..256u32) {
        check_validity(&parts, bits);
    }

    #[test]
    fn variants_of_trees_are_valid(
        parts in prop::collection::vec(formulas(EVERYTHING, 2), 5),
        parents in (1..5usize, 2..5usize, 3..5usize, 4..5usize),
        bits in 0..256u32,
    ) {
        check_tree_of(&parts, &[parents.0, parents.1, parents.2, parents.3], bits);
    }
}
