//! Contracts of functions as evidence: what summaries prove is discharged from the scripts' text alone, and contracts that are wrong, missing or silent about what a call changes are found out.

use crate::cases::{program, run_certified};
use crate::discharged::{assertions, open, open_with_falsehood, properties};
use provident::certify::Certificate;
use provident::cfa::Program;
use provident::cpa::tracking::PropertyId;
use provident::engine::{Bam, Explicit, Options, Refinement};
use provident::evidence::obligations::coverage::covers;
use provident::evidence::obligations::manifest::{Kind, Role};
use provident::evidence::obligations::origin::belongs;
use provident::evidence::obligations::{Effort, Manifest, Obligations, obligations};
use provident_smt::solver::{Config, Solver};
use provident_smt::term::TermPool;
use std::collections::BTreeSet;

/// Programs in which both labels are out of reach, and calls of blocks have to show that.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "identity",
        "extern int __VERIFIER_nondet_int(void);
         int id(int x) { if (x == 0) return 0; return id(x - 1) + 1; }
         int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0;
         int r = id(n); if (r != n) { A: return 1; } if (r < 0) { B: return 2; } return 0; }",
    ),
    (
        "mutual recursion and a global variable",
        "extern int __VERIFIER_nondet_int(void);
         int g; int odd(int n);
         int even(int n) { g = g + 1; if (g > 5) g = 0; if (n == 0) return 1; return odd(n - 1); }
         int odd(int n) { if (n == 0) return 0; return even(n - 1); }
         int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0;
         int r = even(n); if (r < 0 || r > 1) { A: return 1; } if (g > 5 || g < 0) { B: return 2; } return 0; }",
    ),
    (
        "frames below keep their values",
        "extern int __VERIFIER_nondet_int(void);
         int f(int n) { int mine = n; if (n <= 0) return 7; int r = f(n - 1); if (mine != n) { A: return 0; } n = 5; return r; }
         int main(void) { int n = __VERIFIER_nondet_int(); int before = n; int r = f(n);
         if (r != 7 || n != before) { B: return 1; } return 0; }",
    ),
    (
        "a loop and a violation in a call",
        "extern int __VERIFIER_nondet_int(void);
         int locked;
         void work(int n) { if (locked) { A: return; } locked = 1; while (__VERIFIER_nondet_int()) { if (!locked) { B: return; } } locked = 0;
                            if (n > 0) work(n - 1); }
         int main(void) { work(__VERIFIER_nondet_int()); work(3); return 0; }",
    ),
    (
        "memory",
        "extern int __VERIFIER_nondet_int(void);
         int cell;
         void fill(int *p, int n) { *p = 4; if (n > 0) fill(p, n - 1); }
         int main(void) { cell = 3; fill(&cell, __VERIFIER_nondet_int());
         if (cell != 4) { A: return 1; } if (cell == 5) { B: return 2; } return 0; }",
    ),
    (
        "variables in memory in the frames of a recursion",
        "extern int __VERIFIER_nondet_int(void);
         int held;
         void take(int *done) { if (held) { A: return; } held = 1; *done = 1; }
         void give(int *done) { held = 0; *done = 0; }
         void work(int n) { int done; take(&done); give(&done); if (n > 0) work(n - 1); if (held) { B: return; } }
         int main(void) { work(__VERIFIER_nondet_int()); work(3); return 0; }",
    ),
];

fn options(bam: Bam, preset: &str) -> Options {
    Options {
        certificate: true,
        bam,
        refine: Refinement::preset(preset).expect("presets have meanings"),
        explicit: Explicit {
            enabled: false,
            ..Explicit::default()
        },
        ..Options::default()
    }
}

fn written(program: &Program, certificate: &Certificate) -> Obligations {
    let mut solver = |_: Effort| {
        Solver::new(Config {
            proofs: true,
            ..Config::default()
        })
    };
    obligations(program, &properties(program), certificate, &mut solver).expect("contracts hold")
}

fn certificate(name: &str, text: &str, bam: Bam, preset: &str) -> (Program, Certificate) {
    let program = program(name, text);
    let (verdicts, certified) = run_certified(&program, &options(bam, preset));
    assert_eq!(verdicts, ["TRUE", "TRUE"], "{name}");
    let certificate = certified.evidence.certificate.expect("contracts show it");
    (program, certificate)
}

fn violations(program: &Program) -> BTreeSet<provident::cfa::EdgeId> {
    let labels = ["A", "B"].into_iter();
    labels.flat_map(|label| program.edges_labelled(label)).collect()
}

/// The obligations of a certificate: all of them are solved, and they belong to the program.
fn discharged(program: &Program, certificate: &Certificate, place: &str) -> Obligations {
    let made = written(program, certificate);
    assert_eq!(open(&made), [], "{place}");
    assert_eq!(
        belongs(&made.manifest, program, &violations(program)),
        Ok(()),
        "{place}"
    );
    made
}

#[test]
fn contracts_are_discharged() {
    for (name, text) in PROGRAMS {
        for bam in [Bam::Recursion, Bam::Functions, Bam::Loops, Bam::On] {
            for preset in ["single", "multi"] {
                let place = format!("{name} {bam:?} {preset}");
                let (program, certificate) = certificate(name, text, bam, preset);
                assert_eq!(
                    certificate.properties,
                    PropertyId::first(2).collect::<Vec<_>>(),
                    "{place}"
                );
                assert!(!certificate.contracts.is_empty(), "{place}");
                let made = discharged(&program, &certificate, &place);
                let text = made.manifest.json();
                let read: Manifest = serde_json::from_str(&text).expect("what is written is read");
                assert_eq!(read, made.manifest, "{place}");
            }
        }
    }
}

/// Programs whose loops are blocks, with both labels out of reach, and how many of their loop heads need an invariant.
const LOOPS: &[(&str, &str, usize)] = &[
    (
        "a lock around an inner loop",
        "extern int __VERIFIER_nondet_int(void);
         int main(void) { int locked = 0, more = 0;
         while (__VERIFIER_nondet_int()) { if (locked) { A: return 1; } locked = 1;
           while (__VERIFIER_nondet_int()) { if (locked != 1) { B: return 2; } if (__VERIFIER_nondet_int()) { more = 1; break; } }
           locked = 0; }
         return more; }",
        2,
    ),
    (
        "several ways into a loop and out of it",
        "extern int __VERIFIER_nondet_int(void);
         int main(void) { int mode = __VERIFIER_nondet_int() ? 1 : 2, end = 0;
         for (int round = 0; round < 2; round++) {
           while (__VERIFIER_nondet_int()) { if (mode != 1 && mode != 2) { A: return 1; } if (__VERIFIER_nondet_int()) { end = mode; goto out; } }
           mode = 3 - mode; }
         end = 1;
         out: if (end != 1 && end != 2) { B: return 2; }
         return 0; }",
        2,
    ),
    (
        "a loop in a function in a loop",
        "extern int __VERIFIER_nondet_int(void);
         int open;
         void use(int n) { int mine = n; open = 1; while (__VERIFIER_nondet_int()) { if (open != 1 || mine != n) { A: return; } } open = 0; }
         int main(void) { int rest = 3; while (rest > 0) { use(rest); use(rest + 1); rest--; if (open) { B: return 2; } } return 0; }",
        1,
    ),
];

/// The claims at the heads are invariants that the scripts show without the exploration.
#[test]
fn invariants_of_loops_that_are_blocks_are_discharged() {
    for (name, text, heads) in LOOPS {
        for bam in [Bam::Loops, Bam::On] {
            for preset in ["single", "multi"] {
                let place = format!("{name} {bam:?} {preset}");
                let (program, certificate) = certificate(name, text, bam, preset);
                let claimed: BTreeSet<_> = certificate.claims.iter().map(|claim| claim.node).collect();
                let claimed = claimed.iter().filter(|&&node| program.node(node).loop_head);
                assert!(claimed.count() >= *heads, "{place}");
                discharged(&program, &certificate, &place);
            }
        }
    }
}

/// Claims that say nothing do not exclude the violations, and claims that nothing satisfies do not hold at the start.
#[test]
fn contracts_that_say_too_little_or_too_much_are_found_out() {
    let (name, text) = PROGRAMS[0];
    let (program, certificate) = certificate(name, text, Bam::Recursion, "multi");
    for truth in [true, false] {
        let mut wrong = certificate.clone();
        let pool = TermPool::new();
        let formulas: Vec<_> = wrong.claims.iter().map(|_| pool.mk_bool(truth)).collect();
        wrong.formulas = pool.export(&formulas);
        let made = written(&program, &wrong);
        let open = open(&made);
        let wanted = if truth { "safety" } else { "initiation" };
        assert!(open.iter().any(|(file, _)| file.contains(wanted)), "{truth}: {open:?}");
    }
}

/// A script may not take more from a contract than the contract's exit claims.
#[test]
fn an_assertion_that_says_more_than_a_contract_is_found_out() {
    let mut changed = 0;
    for (name, text) in &PROGRAMS[..3] {
        let (program, certificate) = certificate(name, text, Bam::Recursion, "multi");
        let made = written(&program, &certificate);
        for (position, entry) in made.manifest.obligations.iter().enumerate() {
            let (file, script) = &made.scripts[position];
            for (line, role) in assertions(script).into_iter().zip(&entry.parts) {
                if *role != Role::Contract || script.lines().nth(line) == Some("(assert false)") {
                    continue;
                }
                let found = open_with_falsehood(&made, position, line);
                assert!(
                    found.len() == 1 && found[0].0 == *file && found[0].1.contains(Role::Contract.text()),
                    "{name}: {file}: {found:?}"
                );
                changed += 1;
            }
        }
    }
    assert!(changed > 0, "calls rely on contracts");
}

/// A change of obligations; whether it is one.
type Change = fn(&mut Obligations) -> bool;

/// The name of the point where the first contract ends.
fn exit(made: &Obligations) -> String {
    made.manifest.contracts[0].exit.clone()
}

#[test]
fn a_manifest_with_other_contracts_is_found_out() {
    let changes: [(&str, Change); 9] = [
        ("a contract that ensures more", |made| {
            let exit = exit(made);
            let points = made.manifest.points.iter_mut();
            points
                .filter(|point| point.id == exit)
                .for_each(|point| point.cases = vec!["false".to_string()]);
            true
        }),
        ("a precondition left out", |made| {
            let count = made.manifest.obligations.len();
            made.manifest
                .obligations
                .retain(|entry| entry.kind != Kind::Precondition);
            made.manifest.obligations.len() < count
        }),
        ("a use of no contract", |made| {
            let blocks = made.manifest.blocks.iter_mut();
            let mut calls = blocks.filter(|block| !block.relies_on.is_empty());
            calls.next().is_some_and(|block| {
                block.relies_on.clear();
                true
            })
        }),
        ("cases that rely on nothing", |made| {
            let blocks = made.manifest.blocks.iter_mut();
            let mut uses = blocks.flat_map(|block| &mut block.relies_on);
            uses.next().is_some_and(|relied| {
                relied.cases[1] -= 1;
                true
            })
        }),
        ("a contract that ends elsewhere", |made| {
            let entry = made.manifest.contracts[0].entry.clone();
            made.manifest.contracts[0].exit = entry;
            true
        }),
        ("a function that may leave its contract", |made| {
            let exit = exit(made);
            let mut changed = false;
            for block in &mut made.manifest.blocks {
                let count = block.to.len();
                block.to.retain(|end| *end != exit);
                changed |= block.to.len() < count;
            }
            made.manifest
                .obligations
                .retain(|entry| entry.to.as_ref() != Some(&exit));
            changed
        }),
        ("a point under another contract", |made| {
            let points = made.manifest.points.iter_mut();
            let mut inside = points.filter(|point| point.place.contract.is_some() && !point.place.calls.is_empty());
            inside.next().is_some_and(|point| {
                point.place.contract = None;
                true
            })
        }),
        ("a contract of another function", |made| {
            let main = made.manifest.functions.iter().find(|function| function.name == "main");
            made.manifest.contracts[0].function = main.expect("the program starts there").name.clone();
            true
        }),
        ("paths where a contract is relied on", |made| {
            let entries = made.manifest.obligations.iter_mut();
            let mut roles = entries.flat_map(|entry| &mut entry.parts);
            roles.find(|role| **role == Role::Contract).is_some_and(|role| {
                *role = Role::Paths;
                true
            })
        }),
    ];
    for (name, text) in &PROGRAMS[..3] {
        let (program, certificate) = certificate(name, text, Bam::Recursion, "multi");
        for (what, change) in changes {
            let mut wrong = written(&program, &certificate);
            assert!(change(&mut wrong), "{name}: {what}");
            assert!(
                covers(&wrong.manifest).is_err() || !open(&wrong).is_empty(),
                "{name}: {what}"
            );
        }
    }
}

/// What a call may change is read from the program, not from the manifest.
#[test]
fn a_manifest_that_is_silent_about_what_a_call_changes_is_found_out() {
    for (name, text) in &PROGRAMS[..3] {
        let (program, certificate) = certificate(name, text, Bam::Recursion, "multi");
        let made = written(&program, &certificate);
        let targets = violations(&program);
        for contract in 0..made.manifest.contracts.len() {
            for left_out in 0..made.manifest.contracts[contract].writes.len() {
                let mut wrong = made.manifest.clone();
                wrong.contracts[contract].writes.remove(left_out);
                assert!(
                    belongs(&wrong, &program, &targets).is_err(),
                    "{name}: {contract} {left_out}"
                );
            }
        }
        for function in made.manifest.locals.keys() {
            let mut wrong = made.manifest.clone();
            wrong.locals.remove(function);
            assert!(belongs(&wrong, &program, &targets).is_err(), "{name}: {function}");
        }
    }
}
