//! The law of [`Theory`], on random trails: literals of random atoms are assigned and taken back in any order, and after every step each new conflict and
//! reason of the theories is held against the law by means that share nothing with them.

use super::*;
use crate::num::Rational;
use crate::proof::Lit;
use crate::solver::sat::search::{Reason, Value};
use crate::solver::theory::{Stop, Theory};
use proptest::prelude::*;

/// A solver with the theories under test, whose formulas have literals but no fixed value.
struct Bench {
    pool: TermPool,
    solver: Solver,
    /// Literals of the atoms.
    atoms: Vec<Lit>,
}

impl Bench {
    fn new(language: Language, shapes: &[Shape], proofs: bool) -> Bench {
        let mut pool = TermPool::new();
        let mut solver = solver(proofs, 0);
        let mut formulas = Vec::new();
        for (i, shape) in shapes.iter().enumerate() {
            let atom = atom(&mut pool, language, *shape);
            if matches!(pool.term(atom), crate::term::Term::True | crate::term::Term::False) {
                continue;
            }
            let name = pool.symbol("p");
            let open = pool.bool_var(name, u32::try_from(i).expect("few"));
            let either = pool.or2(open, atom);
            solver.assert(&mut pool, either, Part(0));
            formulas.push(atom);
        }
        assert_eq!(solver.check(&mut pool, &[]), Answer::Sat);
        solver.theories.end_candidate();
        solver.search.backtrack(0);
        let atoms = formulas.iter().map(|&atom| solver.literal(&mut pool, atom)).collect();
        Bench { pool, solver, atoms }
    }

    /// Opens a level with a literal and lets clauses and theories follow; whether they contradict it. Every new reason of a theory is checked.
    fn assume(&mut self, lit: Lit) -> bool {
        self.solver.search.new_level();
        self.solver.search.assign(lit, Reason::None);
        loop {
            let Solver { search, theories, .. } = &mut self.solver;
            if search.propagate().is_some() {
                return true;
            }
            let before = search.trail.len();
            let found = theories.take_over(search);
            self.justify(before, found.err());
            if found.is_err() {
                return true;
            }
            let Solver { search, theories, .. } = &mut self.solver;
            if search.head < search.trail.len() {
                continue;
            }
            let before = search.trail.len();
            match theories.check(search, &Limits::none()) {
                Ok(()) => theories.propagate(search),
                Err(Stop::Conflict(conflict)) => {
                    self.justify(before, Some(conflict));
                    return true;
                }
                Err(Stop::Exhausted) => panic!("there is no limit"),
            }
            self.justify(before, None);
            if self.solver.search.head == self.solver.search.trail.len() {
                return false;
            }
        }
    }

    /// Checks the reasons of all literals from a position of the trail on, and a conflict.
    fn justify(&mut self, from: usize, conflict: Option<Reason>) {
        for position in from..self.solver.search.trail.len() {
            let implied = self.solver.search.trail[position];
            let reason = self.solver.search.reasons[implied.var().index()];
            assert!(reason != Reason::None, "a theory makes no decision");
            self.is_lemma(reason, Some((implied, position)));
        }
        if let Some(conflict) = conflict {
            self.is_lemma(conflict, None);
        }
    }

    /// Checks *Lemmas*, *Falsity* and *Explanations* for one reason.
    fn is_lemma(&mut self, reason: Reason, implied: Option<(Lit, usize)>) {
        let Solver { search, theories, .. } = &mut self.solver;
        search.explain_reason(reason, theories);
        let mut clause: Vec<Lit> = (0..search.reason_len(reason))
            .map(|i| search.reason_literal(reason, i))
            .collect();
        for &lit in &clause {
            if implied.is_some_and(|(implied, _)| implied == lit) {
                continue;
            }
            assert_eq!(search.value(lit), Value::False, "a literal of a reason is not false");
            if let Some((_, position)) = implied {
                assert!(
                    (search.positions[lit.var().index()] as usize) < position,
                    "a reason is assigned before"
                );
            }
        }
        if let Some((implied, _)) = implied
            && !clause.contains(&implied)
        {
            clause.push(implied);
        }
        let negated: Vec<Lit> = clause.into_iter().map(|lit| !lit).collect();
        assert!(self.are_contradictory(&negated), "a reason is no lemma");
    }

    /// Whether literals contradict each other for a solver that knows nothing else. If so, its proof is checked.
    fn are_contradictory(&mut self, literals: &[Lit]) -> bool {
        let mut fresh = solver(true, 0);
        let mut asserted = Vec::new();
        for lit in literals {
            let atom = self.solver.formulas.terms[lit.var().index()];
            let term = if lit.is_negative() { self.pool.not(atom) } else { atom };
            fresh.assert(&mut self.pool, term, Part(0));
            asserted.push(term);
        }
        match fresh.check(&mut self.pool, &[]) {
            Answer::Unsat => {
                assert_proved(&mut self.pool, &fresh, &asserted);
                true
            }
            answer => {
                assert_eq!(answer, Answer::Sat);
                false
            }
        }
    }
}

/// The atoms of a case.
#[derive(Clone, Copy, PartialEq)]
enum Language {
    /// Linear constraints over rational numbers: arithmetic alone.
    Rational,
    /// Equations of variables and their images: congruence alone.
    Pure,
    /// Linear constraints over integers, and equations.
    Mixed,
}

type Shape = (u8, i64, i64, i64);

fn atom(pool: &mut TermPool, language: Language, (kind, a, b, c): Shape) -> TermId {
    let names = ["x", "y", "z"].map(|name| pool.symbol(name));
    let vars = names.map(|name| match language {
        Language::Rational => pool.real_var(name, 1),
        _ => pool.int_var(name, 1),
    });
    let pick = |n: i64| vars[usize::try_from(n.rem_euclid(3)).expect("small")];
    let (x, y) = (pick(a), pick(b));
    let name = pool.symbol("f");
    let kind = match language {
        Language::Rational => 0,
        Language::Pure => 1 + kind % 3,
        Language::Mixed => kind,
    };
    match kind {
        0 => {
            let (x, y) = (pool.scale(&Int::from(a), x), pool.scale(&Int::from(b), y));
            let sum = pool.add(x, y);
            let bound = match language {
                Language::Rational => pool.rational(&Rational::from(Int::from(c))),
                _ => pool.int(c),
            };
            pool.le(sum, bound)
        }
        1 => pool.eq(x, y),
        2 => {
            let image = pool.app(name, 0, &[x]);
            pool.eq(image, y)
        }
        _ => {
            let (one, other) = (pool.app(name, 0, &[x]), pool.app(name, 0, &[y]));
            pool.eq(one, other)
        }
    }
}

fn shapes() -> impl Strategy<Value = Vec<Shape>> {
    prop::collection::vec((0u8..4, -3i64..4, -3i64..4, -4i64..5), 3..12)
}

/// Steps up, by a literal, and down.
fn script() -> impl Strategy<Value = Vec<(u8, u8)>> {
    prop::collection::vec((0u8..8, any::<u8>()), 1..40)
}

/// Walks up and down. Where the theories are complete for the language, they have to contradict exactly the trails that are contradictory: then what was taken
/// back makes no difference (*Asserting*, *Completeness*).
fn walk(language: Language, shapes: &[Shape], script: &[(u8, u8)], proofs: bool) {
    let mut bench = Bench::new(language, shapes, proofs);
    for &(step, pick) in script {
        let level = bench.solver.search.level();
        if step >= 6 {
            bench.solver.search.backtrack(u32::from(pick) % (level + 1));
            continue;
        }
        let search = &bench.solver.search;
        let is_open = |lit: &Lit| search.value(*lit) == Value::Open;
        let open: Vec<Lit> = bench.atoms.iter().copied().filter(is_open).collect();
        if open.is_empty() {
            continue;
        }
        let lit = open[usize::from(pick) / 2 % open.len()];
        let lit = if pick % 2 == 0 { lit } else { !lit };
        let contradicted = bench.assume(lit);
        if language != Language::Mixed {
            let search = &bench.solver.search;
            let decisions: Vec<Lit> = search
                .level_starts
                .iter()
                .map(|&(start, _)| search.trail[start])
                .collect();
            assert_eq!(
                contradicted,
                bench.are_contradictory(&decisions),
                "the theories are complete"
            );
        }
        if contradicted {
            bench.solver.search.backtrack(level);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(if cfg!(debug_assertions) { 96 } else { 512 })
    })]

    #[test]
    fn arithmetic_keeps_the_law(shapes in shapes(), script in script(), proofs in any::<bool>()) {
        walk(Language::Rational, &shapes, &script, proofs);
    }

    #[test]
    fn congruence_keeps_the_law(shapes in shapes(), script in script(), proofs in any::<bool>()) {
        walk(Language::Pure, &shapes, &script, proofs);
    }

    #[test]
    fn theories_together_keep_the_law(shapes in shapes(), script in script(), proofs in any::<bool>()) {
        walk(Language::Mixed, &shapes, &script, proofs);
    }
}
