//! Random tests against enumeration, fresh solvers, the evaluator and the proof checker.
//!
//! A test case is a sequence of bytes that is read as instructions for building formulas, so that shrinking the sequence
//! shrinks the case.

use super::*;
use crate::blast::blast;
use proptest::prelude::*;

/// Reads instructions; an exhausted reader gives zeros.
struct Bytes<'a>(std::slice::Iter<'a, u8>);

impl Bytes<'_> {
    fn next(&mut self) -> i64 {
        self.0.next().map_or(0, |&b| i64::from(b))
    }
    fn below(&mut self, n: i64) -> i64 {
        self.next() % n
    }
}

/// The features that formulas may have.
#[derive(Clone, Copy, PartialEq)]
struct Language {
    functions: bool,
    updates: bool,
    divisions: bool,
}

const PLAIN: Language = Language {
    functions: false,
    updates: false,
    divisions: true,
};
const FULL: Language = Language {
    functions: true,
    updates: true,
    divisions: true,
};

fn function(pool: &mut TermPool, i: i64) -> Symbol {
    Symbol {
        name: pool.symbol("m"),
        index: u32::try_from(i).expect("small"),
    }
}

fn int_term(pool: &mut TermPool, bytes: &mut Bytes, language: Language, depth: u32) -> TermId {
    match bytes.below(if depth == 0 { 3 } else { 8 }) {
        0 | 1 => {
            let i = bytes.below(3);
            variable(pool, i)
        }
        2 => pool.int(bytes.below(7) - 3),
        3 => {
            let (a, b) = (
                int_term(pool, bytes, language, depth - 1),
                int_term(pool, bytes, language, depth - 1),
            );
            pool.add(a, b)
        }
        4 => {
            let a = int_term(pool, bytes, language, depth - 1);
            pool.scale(&Int::from(bytes.below(7) - 3), a)
        }
        5 if language.divisions => {
            let a = int_term(pool, bytes, language, depth - 1);
            pool.div_floor(a, &Int::from(bytes.below(4) + 2))
        }
        6 => {
            let c = formula(pool, bytes, language, depth - 1, false);
            let (a, b) = (
                int_term(pool, bytes, language, depth - 1),
                int_term(pool, bytes, language, depth - 1),
            );
            pool.ite(c, a, b)
        }
        _ if language.functions => {
            let f = function(pool, bytes.below(3));
            let a = int_term(pool, bytes, language, depth - 1);
            pool.app(f.name, f.index, &[a])
        }
        _ => pool.int(bytes.below(7) - 3),
    }
}

fn atom(pool: &mut TermPool, bytes: &mut Bytes, language: Language, depth: u32, positive: bool) -> TermId {
    match bytes.below(7) {
        0 => {
            let name = pool.symbol(["p", "q"][usize::try_from(bytes.below(2)).expect("small")]);
            pool.bool_var(name, 1)
        }
        1 | 2 => {
            let (a, b) = (
                int_term(pool, bytes, language, depth),
                int_term(pool, bytes, language, depth),
            );
            pool.eq(a, b)
        }
        3 if language.updates && positive => {
            let from = bytes.below(2);
            let (old, new) = (function(pool, from), function(pool, from + 1));
            let lo = int_term(pool, bytes, PLAIN, 1);
            let length = pool.int(bytes.below(3));
            let hi = pool.add(lo, length);
            let source = match bytes.below(3) {
                0 => UpdateSource::Havoc,
                1 => UpdateSource::Copy {
                    from: function(pool, 0),
                    shift: int_term(pool, bytes, PLAIN, 0),
                },
                _ => UpdateSource::Const(int_term(pool, bytes, PLAIN, 1)),
            };
            pool.update(new, old, lo, hi, source)
        }
        _ => {
            let (a, b) = (
                int_term(pool, bytes, language, depth),
                int_term(pool, bytes, language, depth),
            );
            pool.le(a, b)
        }
    }
}

fn formula(pool: &mut TermPool, bytes: &mut Bytes, language: Language, depth: u32, positive: bool) -> TermId {
    if depth == 0 {
        return atom(pool, bytes, language, 1, positive);
    }
    match bytes.below(7) {
        0 => {
            let a = formula(pool, bytes, language, depth - 1, false);
            pool.not(a)
        }
        1 | 2 => {
            let (a, b) = (
                formula(pool, bytes, language, depth - 1, positive),
                formula(pool, bytes, language, depth - 1, positive),
            );
            pool.or2(a, b)
        }
        3 => {
            let (a, b) = (
                formula(pool, bytes, language, depth - 1, positive),
                formula(pool, bytes, language, depth - 1, positive),
            );
            pool.and2(a, b)
        }
        4 => {
            let (a, b) = (
                formula(pool, bytes, language, depth - 1, false),
                formula(pool, bytes, language, depth - 1, false),
            );
            pool.iff(a, b)
        }
        5 => {
            let c = formula(pool, bytes, language, depth - 1, false);
            let (a, b) = (
                formula(pool, bytes, language, depth - 1, positive),
                formula(pool, bytes, language, depth - 1, positive),
            );
            pool.ite(c, a, b)
        }
        _ => atom(pool, bytes, language, 2, positive),
    }
}

/// Whether some assignment within the ranges, with the functions of a few tables, satisfies all formulas.
fn enumerate(pool: &mut TermPool, formulas: &[TermId], language: Language) -> bool {
    let ints: Vec<Symbol> = ["x", "y", "z"]
        .map(|n| Symbol {
            name: pool.symbol(n),
            index: 1,
        })
        .to_vec();
    let bools: Vec<Symbol> = ["p", "q"]
        .map(|n| Symbol {
            name: pool.symbol(n),
            index: 1,
        })
        .to_vec();
    let functions: Vec<Symbol> = (0..3).map(|i| function(pool, i)).collect();
    let tables = if language.functions { 8 } else { 1 };
    for code in 0..343 * 4 * tables {
        let mut model = Model::new();
        let (point, rest) = (code % 343, code / 343);
        for (i, &v) in ints.iter().enumerate() {
            model.set_int(v, Int::from(point / 7_i64.pow(i as u32) % 7 - 3));
        }
        for (i, &b) in bools.iter().enumerate() {
            model.set_bool(b, rest >> i & 1 == 1);
        }
        for (i, &f) in functions.iter().enumerate() {
            for x in -4..=4_i64 {
                let value = if rest >> (i + 2) & 1 == 1 { x } else { (rest >> 2) % 3 };
                model.set_point(f, vec![Int::from(x)], Int::from(value));
            }
        }
        let mut evaluator = model.evaluator(pool);
        if formulas.iter().all(|&f| evaluator.eval_bool(f)) {
            return true;
        }
    }
    false
}

fn one_shot(bytes: &[u8], language: Language) {
    let mut pool = TermPool::new();
    let mut reader = Bytes(bytes.iter());
    let count = 1 + reader.below(6);
    let mut formulas: Vec<TermId> = vec![ranges(&mut pool)];
    formulas.extend((0..count).map(|_| formula(&mut pool, &mut reader, language, 3, true)));
    let expected = enumerate(&mut pool, &formulas, language);
    by_bits(&mut pool, &formulas, expected, language);
    for proofs in [false, true] {
        let mut solver = solver(proofs, u64::from(proofs) * 7);
        for &f in &formulas {
            solver.assert(&mut pool, f, Part(0));
        }
        match solver.check(&mut pool, &[]) {
            // The solver has evaluated its model; a model that enumeration missed can only be one of the functions.
            Answer::Sat => assert!(
                expected || language.functions,
                "satisfiable, but enumeration finds no model"
            ),
            Answer::Unsat => {
                assert!(!expected, "unsatisfiable, but there is a model");
                if proofs {
                    assert_proved(&mut pool, &solver, &formulas);
                }
            }
            Answer::Unknown(reason) => assert!(language.updates, "unknown: {reason:?}"),
        }
    }
}

/// The bits of formulas with a model are not refuted, and those of others are, as far as functions are exact.
fn by_bits(pool: &mut TermPool, formulas: &[TermId], expected: bool, language: Language) {
    let blast = blast(pool, formulas, 12, usize::MAX, &|_| None).expect("only integers");
    let mut solver = solver(false, 0);
    for &constraint in &blast.constraints {
        solver.assert(pool, constraint, Part(0));
    }
    match solver.check(pool, &[]) {
        Answer::Sat => assert!(
            expected || language.functions,
            "bits have a model that enumeration misses"
        ),
        Answer::Unsat => assert!(!expected, "bits are refuted, but there is a model"),
        Answer::Unknown(reason) => panic!("unknown: {reason:?}"),
    }
}

/// Random scopes, assertions and assumptions on one solver; each check is compared with a fresh solver.
fn trace(bytes: &[u8], language: Language, proofs: bool) {
    let mut pool = TermPool::new();
    let mut reader = Bytes(bytes.iter());
    let mut incremental = solver(proofs, 0);
    let start = ranges(&mut pool);
    incremental.assert(&mut pool, start, Part(0));
    let mut scopes: Vec<Vec<TermId>> = vec![vec![start]];
    for _ in 0..24 {
        match reader.below(8) {
            0 => {
                incremental.push();
                scopes.push(Vec::new());
            }
            1 if scopes.len() > 1 => {
                incremental.pop();
                scopes.pop();
            }
            2..=4 => {
                let f = formula(&mut pool, &mut reader, language, 2, true);
                incremental.assert(&mut pool, f, Part(0));
                scopes.last_mut().expect("the outermost scope stays").push(f);
            }
            _ => {
                let count = reader.below(4);
                let assumptions: Vec<TermId> = (0..count)
                    .map(|_| formula(&mut pool, &mut reader, language, 1, true))
                    .collect();
                let asserted: Vec<TermId> = scopes.concat();
                let mut fresh = solver(false, 3);
                for &f in asserted.iter().chain(&assumptions) {
                    fresh.assert(&mut pool, f, Part(0));
                }
                let (got, expected) = (incremental.check(&mut pool, &assumptions), fresh.check(&mut pool, &[]));
                let unknown = |a| matches!(a, Answer::Unknown(_));
                assert!(
                    got == expected || unknown(got) || unknown(expected),
                    "{got:?} instead of {expected:?}"
                );
                assert!(language.updates || !unknown(got), "{got:?}");
                if got == Answer::Unsat {
                    let core = incremental.core();
                    assert!(core.iter().all(|c| assumptions.contains(c)));
                    let mut fresh = solver(false, 0);
                    for &f in asserted.iter().chain(&core) {
                        fresh.assert(&mut pool, f, Part(0));
                    }
                    let answer = fresh.check(&mut pool, &[]);
                    assert!(answer == Answer::Unsat || unknown(answer), "the core is consistent");
                    if proofs && core.is_empty() {
                        assert_proved(&mut pool, &incremental, &asserted);
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn plain_formulas_as_enumerated(bytes in proptest::collection::vec(any::<u8>(), 10..160)) {
        one_shot(&bytes, PLAIN);
    }

    #[test]
    fn formulas_with_functions_as_enumerated(bytes in proptest::collection::vec(any::<u8>(), 10..160)) {
        one_shot(&bytes, Language { updates: false, ..FULL });
    }

    #[test]
    fn formulas_with_updates_as_enumerated(bytes in proptest::collection::vec(any::<u8>(), 10..160)) {
        one_shot(&bytes, FULL);
    }

    #[test]
    fn plain_traces_as_fresh_solvers(bytes in proptest::collection::vec(any::<u8>(), 40..400)) {
        trace(&bytes, PLAIN, false);
    }

    #[test]
    fn traces_as_fresh_solvers(bytes in proptest::collection::vec(any::<u8>(), 40..400)) {
        trace(&bytes, FULL, false);
    }

    #[test]
    fn traces_have_proofs(bytes in proptest::collection::vec(any::<u8>(), 40..400)) {
        trace(&bytes, FULL, true);
    }
}
