//! Sequences of interpolants: hand-made and random problems, each with all labellings, each result checked by a fresh solver.

use crate::formulas::{Features, Formula, Vocabulary, formulas};
use proptest::prelude::*;
use provident_smt::interpolate::{
    CommonPrefix, InterpolationConfig, Labelling, SequenceResult, Variant, check_sequence, sequence,
};
use provident_smt::model::Model;
use provident_smt::num::Int;
use provident_smt::solver::UnknownReason;
use provident_smt::term::{Symbol, TermId, TermPool, UpdateSource};

/// The labellings with both settings of every option; leaves other than the default ones are in the tests of variants.
fn configurations() -> impl Iterator<Item = InterpolationConfig> {
    let all = Labelling::ALL
        .iter()
        .flat_map(|&labelling| (0..16).map(move |bits: u32| (labelling, bits)));
    all.map(|(labelling, bits)| InterpolationConfig {
        check: true,
        variant: Variant {
            labelling,
            ..Variant::default()
        },
        minimise: bits & 1 == 0,
        avoid_mixed: bits & 2 == 0,
        reduce_proof: bits & 4 == 0,
        dear: if bits & 8 == 0 { u64::MAX } else { 0 },
        ..InterpolationConfig::default()
    })
}

/// The interpolants with the default configuration, after those of all configurations have been checked.
fn refute(pool: &mut TermPool, parts: &[TermId]) -> Vec<TermId> {
    for config in configurations() {
        match sequence(pool, parts, &config) {
            SequenceResult::Unsat(interpolants) => assert_eq!(check_sequence(pool, parts, &interpolants), Ok(())),
            other => panic!("{config:?}: {other:?}"),
        }
    }
    match sequence(pool, parts, &InterpolationConfig::default()) {
        SequenceResult::Unsat(interpolants) => interpolants,
        other => panic!("{other:?}"),
    }
}

/// Builders for versions of variables and functions, as path formulas have them.
struct Path {
    pool: TermPool,
    parts: Vec<TermId>,
}

impl Path {
    fn new() -> Self {
        Path {
            pool: TermPool::new(),
            parts: Vec::new(),
        }
    }

    fn var(&mut self, name: &str, index: u32) -> TermId {
        let name = self.pool.symbol(name);
        self.pool.int_var(name, index)
    }

    fn symbol(&mut self, name: &str, index: u32) -> Symbol {
        Symbol {
            name: self.pool.symbol(name),
            index,
        }
    }

    fn read(&mut self, name: &str, index: u32, at: TermId) -> TermId {
        let name = self.pool.symbol(name);
        self.pool.app(name, index, &[at])
    }

    fn int(&mut self, value: i64) -> TermId {
        self.pool.int(value)
    }

    /// `name@index + offset`
    fn plus(&mut self, name: &str, index: u32, offset: i64) -> TermId {
        let (a, b) = (self.var(name, index), self.int(offset));
        self.pool.add(a, b)
    }

    /// Appends a part: the conjunction of the formulas.
    fn part(&mut self, formulas: &[TermId]) {
        let part = self.pool.and(formulas);
        self.parts.push(part);
    }

    /// `left = right`
    fn eq(&mut self, left: TermId, right: TermId) -> TermId {
        self.pool.eq(left, right)
    }

    fn refute(&mut self) -> Vec<TermId> {
        refute(&mut self.pool, &self.parts)
    }
}

#[test]
fn a_counter_that_is_incremented_too_little() {
    let mut path = Path::new();
    let (x, zero) = (path.var("x", 0), path.int(0));
    let start = path.eq(x, zero);
    path.part(&[start]);
    for step in 0..8 {
        let (next, incremented) = (path.var("x", step + 1), path.plus("x", step, 1));
        let assignment = path.eq(next, incremented);
        path.part(&[assignment]);
    }
    let (last, limit) = (path.var("x", 8), path.int(8));
    let error = path.pool.gt(last, limit);
    path.part(&[error]);
    let interpolants = path.refute();
    for (index, interpolant) in (0u32..).zip(interpolants) {
        // The proof needs no equation: each interpolant is the upper bound alone.
        let (x, bound) = (path.var("x", index), path.int(i64::from(index)));
        let expected = path.pool.le(x, bound);
        assert_eq!(interpolant, expected, "{}", path.pool.to_smtlib(interpolant));
    }
}

#[test]
fn an_invariant_between_two_counters() {
    let mut path = Path::new();
    let (x, y) = (path.var("x", 0), path.var("y", 0));
    let start = path.eq(x, y);
    path.part(&[start]);
    for step in 0..4 {
        let (x, y) = (path.plus("x", step, 2), path.plus("y", step, 2));
        let (next_x, next_y) = (path.var("x", step + 1), path.var("y", step + 1));
        let (first, second) = (path.eq(next_x, x), path.eq(next_y, y));
        path.part(&[first, second]);
    }
    let (x, y) = (path.var("x", 4), path.var("y", 4));
    let error = path.pool.ne(x, y);
    path.part(&[error]);
    for (index, interpolant) in (0u32..).zip(path.refute()) {
        let (x, y) = (path.var("x", index), path.var("y", index));
        let expected = path.eq(x, y);
        assert_eq!(interpolant, expected, "{}", path.pool.to_smtlib(interpolant));
    }
}

#[test]
fn irrelevant_parts_get_no_predicates() {
    let mut path = Path::new();
    let (zero, one) = (path.int(0), path.int(1));
    let (x, y, z) = (path.var("x", 0), path.var("y", 0), path.var("z", 0));
    let noise = path.pool.ge(y, z);
    path.part(&[noise]);
    let start = path.eq(x, zero);
    path.part(&[start, noise]);
    let more = path.pool.ge(z, one);
    path.part(&[more]);
    let error = path.eq(x, one);
    path.part(&[error, more]);
    path.part(&[noise]);
    let interpolants = path.refute();
    assert_eq!(interpolants[0], path.pool.mk_true());
    assert_eq!(interpolants[1], interpolants[2]);
    assert_eq!(interpolants[3], path.pool.mk_false());
}

#[test]
fn parity() {
    // x is even in one part and odd in the next: the interpolant needs a quotient of the shared x.
    let mut path = Path::new();
    let (x, y, z) = (path.var("x", 0), path.var("y", 0), path.var("z", 0));
    let two = Int::from(2);
    let half = path.pool.div_floor(x, &two);
    let double = path.pool.scale(&two, half);
    let even = path.eq(x, double);
    let bounded = path.pool.le(x, y);
    path.part(&[even, bounded]);
    let one = path.int(1);
    let odd_value = path.pool.add(double, one);
    let odd = path.eq(x, odd_value);
    let other = path.pool.le(x, z);
    path.part(&[odd, other]);
    path.refute();
}

#[test]
fn parity_without_a_quotient_in_the_problem() {
    // y = 2x | y = 2z + 1: the interpolant says that y is even, which needs a quotient that no part has.
    let mut path = Path::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| path.var(name, 0));
    let two = Int::from(2);
    let (double_x, double_z) = (path.pool.scale(&two, x), path.pool.scale(&two, z));
    let even = path.eq(y, double_x);
    path.part(&[even]);
    let one = path.int(1);
    let value = path.pool.add(double_z, one);
    let odd = path.eq(y, value);
    path.part(&[odd]);
    let interpolants = path.refute();
    let symbol = path.symbol("y", 0);
    for value in -4..5 {
        let mut model = Model::new();
        model.set_int(symbol, Int::from(value));
        assert_eq!(
            model.eval_bool(&path.pool, interpolants[0]),
            value % 2 == 0,
            "y = {value}"
        );
    }
}

#[test]
fn functions_of_local_indices() {
    // x is local to the first part and y to the last; they are equal by way of the shared a, or of a + 3.
    for offset in [0, 3] {
        let mut path = Path::new();
        let [a, x, y] = ["a", "x", "y"].map(|name| path.var(name, 0));
        let (fx, fy) = (path.read("f", 0, x), path.read("f", 0, y));
        let (one, two, shifted) = (path.int(1), path.int(2), path.plus("a", 0, offset));
        let (x_is, first) = (path.eq(x, shifted), path.eq(fx, one));
        path.part(&[x_is, first]);
        let positive = path.pool.ge(a, one);
        path.part(&[positive]);
        let (y_is, second) = (path.eq(y, shifted), path.eq(fy, two));
        path.part(&[y_is, second]);
        path.refute();
    }
}

#[test]
fn functions_across_parts() {
    // x = a, f(x) = 1 | a = b | y = b, f(y) = 2
    let mut path = Path::new();
    let [a, b, x, y] = ["a", "b", "x", "y"].map(|name| path.var(name, 0));
    let (fa, fb) = (path.read("f", 0, a), path.read("f", 0, b));
    let (one, two) = (path.int(1), path.int(2));
    let (x_is_a, first) = (path.eq(x, a), path.eq(fa, one));
    path.part(&[x_is_a, first]);
    let same = path.eq(a, b);
    path.part(&[same]);
    let (y_is_b, second) = (path.eq(y, b), path.eq(fb, two));
    path.part(&[y_is_b, second]);
    path.refute();
}

#[test]
fn reads_over_updates() {
    // m@1 = m@0[p := 5]; m@2 = m@1[q := 7], q != p; read p: it is still 5.
    let mut path = Path::new();
    let (p, q) = (path.var("p", 0), path.var("q", 0));
    let (five, seven) = (path.int(5), path.int(7));
    let [m0, m1, m2] = [0, 1, 2].map(|index| path.symbol("m", index));
    let first = path.pool.point_update(m1, m0, p, five);
    path.part(&[first]);
    let distinct = path.pool.ne(p, q);
    let second = path.pool.point_update(m2, m1, q, seven);
    path.part(&[distinct, second]);
    let read = path.read("m", 2, p);
    let error = path.pool.ne(read, five);
    path.part(&[error]);
    path.refute();
}

#[test]
fn ranges_filled_and_copied() {
    // m@1 is 0 on [p, p + 8); m@2 = m@1 but for a copy of these cells to q .. q + 8; read q + 3.
    let mut path = Path::new();
    let (p, q) = (path.var("p", 0), path.var("q", 0));
    let (zero, eight, three) = (path.int(0), path.int(8), path.int(3));
    let [m0, m1, m2] = [0, 1, 2].map(|index| path.symbol("m", index));
    let (p_end, q_end) = (path.pool.add(p, eight), path.pool.add(q, eight));
    let filled = path.pool.update(m1, m0, p, p_end, UpdateSource::Const(zero));
    path.part(&[filled]);
    let shift = path.pool.sub(p, q);
    let copied = path
        .pool
        .update(m2, m1, q, q_end, UpdateSource::Copy { from: m1, shift });
    path.part(&[copied]);
    let at = path.pool.add(q, three);
    let read = path.read("m", 2, at);
    let error = path.pool.ne(read, zero);
    path.part(&[error]);
    path.refute();
}

#[test]
fn disjunctive_parts() {
    // (x = 0 | x = 1) | y = x + 1 | y <= 0 or y >= 3
    let mut path = Path::new();
    let (x, y) = (path.var("x", 0), path.var("y", 0));
    let (zero, one, three) = (path.int(0), path.int(1), path.int(3));
    let (is_zero, is_one) = (path.eq(x, zero), path.eq(x, one));
    let start = path.pool.or(&[is_zero, is_one]);
    path.part(&[start]);
    let incremented = path.plus("x", 0, 1);
    let step = path.eq(y, incremented);
    path.part(&[step]);
    let (low, high) = (path.pool.le(y, zero), path.pool.ge(y, three));
    let error = path.pool.or(&[low, high]);
    path.part(&[error]);
    path.refute();
}

#[test]
fn trivial_shapes() {
    let mut pool = TermPool::new();
    let config = InterpolationConfig::default();
    let (yes, no) = (pool.mk_true(), pool.mk_false());
    assert!(matches!(sequence(&mut pool, &[], &config), SequenceResult::Sat(_)));
    assert!(matches!(sequence(&mut pool, &[yes], &config), SequenceResult::Sat(_)));
    assert!(matches!(sequence(&mut pool, &[no], &config), SequenceResult::Unsat(list) if list.is_empty()));
    assert_eq!(refute(&mut pool, &[yes, no, yes]), vec![yes, no]);
}

#[test]
fn wrong_sequences_are_found() {
    let mut pool = TermPool::new();
    let name = pool.symbol("x");
    let (x, zero, one) = (pool.int_var(name, 0), pool.int(0), pool.int(1));
    let (low, high) = (pool.le(x, zero), pool.ge(x, one));
    let (yes, no) = (pool.mk_true(), pool.mk_false());
    let local = pool.int_var(name, 1);
    let foreign = pool.le(local, zero);
    assert_eq!(check_sequence(&mut pool, &[low, high], &[low]), Ok(()));
    for wrong in [yes, no, high, foreign] {
        assert!(check_sequence(&mut pool, &[low, high], &[wrong]).is_err());
    }
    assert!(check_sequence(&mut pool, &[low, high], &[]).is_err());
}

#[test]
fn limits_are_kept() {
    let mut path = Path::new();
    let (x, y) = (path.var("x", 0), path.var("y", 0));
    let error = path.pool.lt(x, y);
    path.part(&[error]);
    let more = path.pool.lt(y, x);
    path.part(&[more]);
    let config = InterpolationConfig {
        ticks: Some(0),
        ..InterpolationConfig::default()
    };
    let result = sequence(&mut path.pool, &path.parts, &config);
    assert!(
        matches!(result, SequenceResult::Unknown(UnknownReason::Ticks)),
        "{result:?}"
    );
}

/// A part that facts contradict has no words left, and the interpolants beside it none either.
#[test]
fn a_contradicted_part_has_no_words() {
    let mut path = Path::new();
    let name = path.pool.symbol("p");
    let (p, q) = (path.pool.bool_var(name, 0), path.pool.bool_var(name, 1));
    path.part(&[p]);
    path.part(&[q]);
    let config = InterpolationConfig {
        check: true,
        ..InterpolationConfig::default()
    };
    let mut common = CommonPrefix::new(&path.pool, &path.parts, &config);
    let (not_p, falsum, truth) = (path.pool.not(p), path.pool.mk_false(), path.pool.mk_true());
    common.strengthen(&mut path.pool, 1, not_p);
    common.sequence_with_cost(&mut path.pool, q, &config);
    common.strengthen(&mut path.pool, 1, p);
    assert_eq!(common.parts(), [p, falsum]);
    let (result, _) = common.sequence_with_cost(&mut path.pool, q, &config);
    assert!(
        matches!(&result, SequenceResult::Unsat(found) if *found == [truth, falsum]),
        "{result:?}"
    );
}

/// The words of part `index`: its own version of two variables, that of its successor, and one global one.
fn vocabulary(path: &mut Path, index: u32) -> Vocabulary {
    let mut vocabulary = Vocabulary {
        functions: vec![("f", 0), ("g", index)],
        ..Vocabulary::default()
    };
    for version in [index, index + 1] {
        vocabulary
            .integers
            .extend([path.var("x", version), path.var("y", version)]);
        let name = path.pool.symbol("p");
        vocabulary.propositions.push(path.pool.bool_var(name, version));
    }
    vocabulary.integers.push(path.var("global", 0));
    vocabulary
}

/// Random parts of a sequence.
fn random_path(parts: &[Formula]) -> Path {
    let mut path = Path::new();
    for (index, formula) in (0u32..).zip(parts) {
        let part = vocabulary(&mut path, index).formula(&mut path.pool, formula);
        path.parts.push(part);
    }
    path
}

/// Common parts, to which facts are added between questions about different last parts, answer as if each sequence came alone.
fn check_common(parts: &[Formula], lasts: &[(Formula, usize, Formula)]) {
    let Path { mut pool, mut parts } = random_path(parts);
    let config = InterpolationConfig {
        ticks: Some(20_000_000),
        check: true,
        ..InterpolationConfig::default()
    };
    let mut common = CommonPrefix::new(&pool, &parts, &config);
    for (last, at, fact) in lasts {
        let mut path = Path { pool, parts };
        let number = u32::try_from(path.parts.len()).expect("few parts");
        let last = vocabulary(&mut path, number).formula(&mut path.pool, last);
        let at = at % path.parts.len();
        let number = u32::try_from(at).expect("few parts");
        let fact = vocabulary(&mut path, number).formula(&mut path.pool, fact);
        Path { pool, parts } = path;
        let all: Vec<TermId> = common.parts().iter().copied().chain([last]).collect();
        let (together, _) = common.sequence_with_cost(&mut pool, last, &config);
        match (&together, sequence(&mut pool, &all, &config)) {
            (SequenceResult::Sat(model), SequenceResult::Sat(_)) => {
                assert!(
                    all.iter().all(|&part| model.eval_bool(&pool, part)),
                    "a model of all parts"
                );
            }
            (SequenceResult::Unsat(interpolants), SequenceResult::Unsat(_)) => {
                assert_eq!(check_sequence(&mut pool, &all, interpolants), Ok(()));
            }
            (SequenceResult::Unknown(_), _) | (_, SequenceResult::Unknown(_)) => {}
            (together, alone) => panic!("{together:?} together, {alone:?} alone"),
        }
        let expected = pool.and2(common.parts()[at], fact);
        common.strengthen(&mut pool, at, fact);
        assert_eq!(common.parts()[at], expected);
    }
}

/// Interpolates random parts with all configurations.
fn check_random(parts: &[Formula]) {
    let mut path = random_path(parts);
    for config in configurations() {
        let config = InterpolationConfig {
            ticks: Some(20_000_000),
            ..config
        };
        match sequence(&mut path.pool, &path.parts, &config) {
            SequenceResult::Sat(model) => {
                for &part in &path.parts {
                    assert!(model.eval_bool(&path.pool, part), "a model of all parts");
                }
            }
            SequenceResult::Unsat(interpolants) => {
                assert_eq!(check_sequence(&mut path.pool, &path.parts, &interpolants), Ok(()));
            }
            SequenceResult::Unknown(_) => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn random_linear_sequences(parts in prop::collection::vec(formulas(Features::default(), 2), 2..6)) {
        check_random(&parts);
    }

    #[test]
    fn random_sequences_with_common_parts(
        parts in prop::collection::vec(formulas(Features { functions: true, ..Features::default() }, 2), 1..5),
        lasts in prop::collection::vec(
            (formulas(Features::default(), 2), 0..4usize, formulas(Features::default(), 1)), 1..5)
    ) {
        check_common(&parts, &lasts);
    }

    #[test]
    fn random_sequences_with_everything(
        parts in prop::collection::vec(
            formulas(Features { functions: true, division: true, conditionals: true }, 2), 2..5)
    ) {
        check_random(&parts);
    }
}
