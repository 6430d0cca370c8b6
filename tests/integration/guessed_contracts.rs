//! Guesses of contracts: what executions of recursive functions suggest is kept only if it is inductive, and nothing that is wrong survives.

use crate::cases::program;
use crate::discharged::{assertions, open, properties, with_line};
use provident::certify::guess::{Suggested, guess_contracts};
use provident::certify::{Certificate, Claim};
use provident::cfa::Program;
use provident::cpa::tracking::PropertyId;
use provident::encode::{Arith, Encoder};
use provident::evidence::obligations::manifest::Role;
use provident::evidence::obligations::origin::belongs;
use provident::evidence::obligations::{Effort, Obligations, excluded, inductive, obligations};
use provident_smt::num::Int;
use provident_smt::solver::{Config, Solver};
use provident_smt::term::{NO_INDEX, TermPool};
use std::collections::BTreeSet;

/// Programs in which both labels are out of reach; parts of what the contracts of their functions ensure.
const PROGRAMS: [(&str, &str, &[&str]); 3] = [
    (
        "a table",
        "extern int __VERIFIER_nondet_int(void);
         int f(int n) { if (n < 2) return 3; return f(n - 1) + f(n - 2) + 1; }
         int main(void) { int n = __VERIFIER_nondet_int(); if (n > 20) return 0;
         int r = f(n); if (r < n) { A: return 1; } if (n == 10 && r != 355) { B: return 2; } return 0; }",
        &["old!f::n", "f::__return == 355"],
    ),
    (
        "a counter",
        "extern int __VERIFIER_nondet_int(void); int count;
         void visit(int n) { if (n == 0) return; count = count + 3; visit(n - 1); visit(n - 1); }
         int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 12) return 0; count = 7;
         visit(n); if (count < 7) { A: return 1; } if (n == 12 && count != 7 + 3 * 4095) { B: return 2; } return 0; }",
        &["old!visit::n", "old!count", "12285"],
    ),
    (
        "a product",
        "extern int __VERIFIER_nondet_int(void);
         int times(int a, int b) { if (b == 0) return 0; return a + times(a, b - 1); }
         int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); if (b < 0) return 0;
         int r = times(a, b); if (r != a * b) { A: return 1; } if (b == 0 && r != 0) { B: return 2; } return 0; }",
        &["(old!times::a * old!times::b)", "times::__return"],
    ),
];

fn solver(effort: Effort) -> Solver {
    let mut solver = Solver::new(Config {
        proofs: true,
        ..Config::default()
    });
    solver.set_tick_limit(match effort {
        Effort::Least => Some(1_000_000),
        Effort::Little => Some(5_000_000),
        Effort::Full => None,
    });
    solver
}

fn guessed(program: &Program) -> Certificate {
    let all = PropertyId::first(properties(program).len()).collect();
    let guessed = guess_contracts(program, all, Arith::Machine).expect("functions are recursive");
    let Suggested { certificates, .. } = guessed.expect("they are not left alone");
    let [certificate] = certificates.try_into().expect("there is one attempt");
    certificate
}

fn settled(program: &Program, certificate: &Certificate) -> Certificate {
    inductive(program, &properties(program), certificate, &mut solver)
}

fn written(program: &Program, certificate: &Certificate) -> Obligations {
    obligations(program, &properties(program), certificate, &mut solver).expect("the contracts hold")
}

/// The statements of the claims that are wanted, as text.
fn said(program: &Program, certificate: &Certificate, wanted: impl Fn(&Claim) -> bool) -> BTreeSet<String> {
    let mut pool = TermPool::new();
    let formulas = pool.import(&certificate.formulas);
    let encoder = Encoder::new(program, Arith::Machine);
    let claims = certificate.claims.iter().filter(|claim| wanted(claim));
    let positions = claims.flat_map(|claim| claim.each.iter().copied().chain([claim.formula]));
    let conjuncts = positions.flat_map(|position| pool.conjuncts(formulas[position]));
    conjuncts.map(|formula| encoder.display(&pool, formula)).collect()
}

/// Whether a claim is the one at the exit of a contract.
fn is_exit(program: &Program, claim: &Claim) -> bool {
    let is_end = program.function(program.node(claim.node).func).exit == claim.node;
    is_end && claim.calls.is_empty() && claim.contract.is_some()
}

#[test]
fn executions_suggest_contracts_and_these_are_discharged() {
    for (name, text, wanted) in PROGRAMS {
        let program = program(name, text);
        let all = properties(&program);
        let kept = settled(&program, &guessed(&program));
        let exit = said(&program, &kept, |claim| is_exit(&program, claim));
        let is_wanted = |text: &String| wanted.iter().all(|part| text.contains(part));
        assert!(exit.iter().any(is_wanted), "{name}: {exit:#?}");
        assert_eq!(excluded(&program, &all, &kept, &mut solver).len(), all.len(), "{name}");
        let made = written(&program, &kept);
        assert_eq!(open(&made), [], "{name}");
        let targets = all.iter().flat_map(|property| property.targets.iter().copied());
        assert_eq!(belongs(&made.manifest, &program, &targets.collect()), Ok(()), "{name}");
    }
}

/// Beside each equation that a contract ensures stands one of which the result, or the counter, is another one: no call of the program has it, so it is dropped.
#[test]
fn wrong_contracts_do_not_survive() {
    for (name, text, _) in PROGRAMS {
        let program = program(name, text);
        let right = guessed(&program);
        let encoder = Encoder::new(&program, Arith::Machine);
        let kept = said(&program, &settled(&program, &right), |claim| is_exit(&program, claim));
        for shift in [-1i64, 1, 1 << 20] {
            let mut wrong = right.clone();
            let mut pool = TermPool::new();
            let mut formulas = pool.import(&wrong.formulas);
            let replaced = ["f::__return", "times::__return", "count"].map(|name| {
                let name = pool.symbol(name);
                let own = pool.int_var(name, NO_INDEX);
                (own, pool.linear(&[(Int::ONE, own)], Int::from(shift)))
            });
            let replaced = replaced.into_iter().collect();
            let mut planted = BTreeSet::new();
            for claim in wrong.claims.iter_mut().filter(|claim| is_exit(&program, claim)) {
                for position in claim.each.clone() {
                    let other = pool.substitute(formulas[position], &replaced);
                    let is_kept = kept.contains(&encoder.display(&pool, formulas[position]));
                    if is_kept && other != formulas[position] && encoder.display(&pool, other).contains(" == ") {
                        planted.insert(encoder.display(&pool, other));
                        claim.each.push(formulas.len());
                        formulas.push(other);
                    }
                }
            }
            assert!(!planted.is_empty(), "{name}");
            wrong.formulas = pool.export(&formulas);
            let left = settled(&program, &wrong);
            let left = said(&program, &left, |claim| is_exit(&program, claim));
            let survivors: Vec<&String> = planted.intersection(&left).collect();
            assert!(survivors.is_empty(), "{name}: {survivors:#?}");
            // The right ones do not go with them.
            assert!(kept.is_subset(&left), "{name}");
        }
    }
}

/// A function whose results break the contract at the border proves nothing there.
#[test]
fn contracts_end_where_sums_wrap_around() {
    let text = "extern int __VERIFIER_nondet_int(void);
         int f(int n) { if (n == 0) return 1; return 2 * f(n - 1); }
         int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > BORDER) return 0;
         int r = f(n); if (r < 0) { A: return 1; } if (n == 3 && r != 8) { B: return 2; } return 0; }";
    for (border, proved) in [("30", 2), ("31", 1)] {
        let program = program("powers", &text.replace("BORDER", border));
        let all = properties(&program);
        let kept = settled(&program, &guessed(&program));
        let excluded = excluded(&program, &all, &kept, &mut solver);
        assert_eq!(excluded.len(), proved, "up to {border}");
        assert!(excluded.contains(&PropertyId::new(1)), "the small powers are right");
    }
}

/// A script may not take the value behind a call for the one at the entry of the contract.
#[test]
fn values_at_the_entry_are_those_before_the_call() {
    let (name, text, _) = PROGRAMS[1];
    let program = program(name, text);
    let made = written(&program, &settled(&program, &guessed(&program)));
    assert_eq!(open(&made), []);
    let mut found = 0;
    for (position, entry) in made.manifest.obligations.iter().enumerate() {
        let (_, script) = &made.scripts[position];
        for (number, role) in assertions(script).into_iter().zip(&entry.parts) {
            let line = script.lines().nth(number).expect("it is there");
            let other = line.replace("count@0", "count@1");
            if *role != Role::Contract || other == line {
                continue;
            }
            let mut wrong = made.clone();
            wrong.scripts[position].1 = with_line(script, number, &other);
            assert!(!open(&wrong).is_empty(), "{} is believed", entry.file);
            found += 1;
        }
    }
    assert!(found > 1, "{found} calls change the counter");
}

#[test]
fn functions_with_inputs_or_memory_are_left_alone() {
    let input = "extern int __VERIFIER_nondet_int(void); int f(int n) { if (n == 0) return __VERIFIER_nondet_int(); return f(n - 1); }
         int main(void) { if (f(3) == 1) { A: return 1; } B: return 0; }";
    let memory = "int a[4]; int f(int n) { if (n <= 0) return a[0]; a[n & 3] = n; return f(n - 1); }
         int main(void) { if (f(3) == 1) { A: return 1; } B: return 0; }";
    let outside = "extern int g(int); int f(int n) { if (n <= 0) return g(n); return f(n - 1); }
         int main(void) { if (f(3) == 1) { A: return 1; } B: return 0; }";
    for (text, why) in [(input, "has inputs"), (memory, "memory"), (outside, "`f`")] {
        let program = program("left", text);
        let left = guess_contracts(&program, Vec::new(), Arith::Machine).expect("a function is recursive");
        let left = left.err().expect("it is left alone").0;
        assert!(left.contains(why), "{left}");
    }
    let flat = program(
        "flat",
        "int main(void) { int i = 0; while (i < 3) i++; A: if (i == 4) { B: return 1; } return 0; }",
    );
    assert!(guess_contracts(&flat, Vec::new(), Arith::Machine).is_none());
}
