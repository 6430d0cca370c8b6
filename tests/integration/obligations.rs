//! Proof obligations: what holds is discharged from the scripts' text alone, and claims that are wrong or missing are not.

use crate::cases::{CASES, program, run_certified};
use crate::discharged::{assertions, open, open_with_falsehood, properties};
use provident::certify::{Certificate, Origin};
use provident::cfa::Program;
use provident::cpa::tracking::PropertyId;
use provident::engine::{BlockMode, Counter, Explicit, Options, Refinement};
use provident::evidence::obligations::coverage::covers;
use provident::evidence::obligations::discharge::{Allowed, Discharged, discharge};
use provident::evidence::obligations::manifest::{BlockEntry, Kind, Role, SourceEntry};
use provident::evidence::obligations::origin::belongs;
use provident::evidence::obligations::{Effort, Failure, Manifest, Obligations, obligations};
use provident_smt::solver::{Config, Solver};
use provident_smt::term::TermPool;

/// Programs in which both labels are out of reach, for reasons that take memory, calls, recursion and wrap-around.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "array",
        "int a[4]; extern unsigned __VERIFIER_nondet_uint(void);
         int main(void) { unsigned i = __VERIFIER_nondet_uint() % 4, n = __VERIFIER_nondet_uint();
         a[i] = 7; while (n) { n--; if (a[i] != 7) { A: return 1; } }
         if (a[i] == 8) { B: return 2; } return 0; }",
    ),
    (
        "pointer",
        "extern int __VERIFIER_nondet_int(void);
         struct pair { int first, second; }; void set(struct pair *p, int v) { p->first = v; p->second = v; }
         int main(void) { struct pair x; int v = __VERIFIER_nondet_int(); set(&x, v);
         while (__VERIFIER_nondet_int()) { set(&x, __VERIFIER_nondet_int()); if (x.first != x.second) { A: return 1; } }
         if (x.first != x.second) { B: return 2; } return 0; }",
    ),
    (
        "recursion",
        "int count(int n) { if (n <= 0) return 0; return 1 + count(n - 1); }
         int main(void) { int s = count(3); if (s != 3) { A: return 1; } if (s > 3) { B: return 2; } return 0; }",
    ),
    (
        "wrap-around",
        "extern unsigned char __VERIFIER_nondet_uchar(void);
         int main(void) { unsigned char c = 255; int n = 0;
         while (__VERIFIER_nondet_uchar()) { c = c + 2; n = 1; if (c > 255) { A: return 1; } }
         if (n == 0 && c != 255) { B: return 2; } return 0; }",
    ),
    (
        "floats",
        "extern double __VERIFIER_nondet_double(void); extern long double __VERIFIER_nondet_long_double(void);
         int main(void) { double x = __VERIFIER_nondet_double(); long double y = __VERIFIER_nondet_long_double();
         if (x > 1 && x < 2 && x / 3 >= 1) { A: return 1; }
         if (y >= 1 && y <= 2 && __builtin_sqrtl(y) * y > 3) { B: return 2; } return 0; }",
    ),
];

fn options() -> Options {
    Options {
        certificate: true,
        explicit: Explicit {
            enabled: false,
            ..Explicit::default()
        },
        ideal_ticks: 0,
        ..Options::default()
    }
}

fn written(program: &Program, certificate: &Certificate) -> Result<Obligations, Failure> {
    let mut solver = |_: Effort| {
        Solver::new(Config {
            proofs: true,
            ..Config::default()
        })
    };
    obligations(program, &properties(program), certificate, &mut solver)
}

#[test]
fn what_holds_is_discharged_whatever_the_blocks() {
    for block in [BlockMode::Loops, BlockMode::LoopsAndCalls, BlockMode::Single] {
        for preset in ["single", "multi"] {
            let all = CASES
                .iter()
                .map(|case| (case.name, case.text))
                .chain(PROGRAMS.iter().copied());
            for (name, text) in all {
                let program = program(name, text);
                let options = Options {
                    block,
                    refine: Refinement::preset(preset).expect("presets have meanings"),
                    ..options()
                };
                let (verdicts, certified) = run_certified(&program, &options);
                let place = format!("{name} {block:?} {preset}");
                let holds: Vec<PropertyId> = PropertyId::first(2).filter(|p| verdicts[p.index()] == "TRUE").collect();
                let Some(certificate) = certified.evidence.certificate else {
                    // Without anything that holds by abstract states there is nothing to show.
                    assert!(holds.is_empty(), "{place}: {verdicts:?}");
                    continue;
                };
                assert_eq!(certificate.properties, holds, "{place}");
                let made = written(&program, &certificate).unwrap_or_else(|e| panic!("{place}: {e:?}"));
                assert_eq!(open(&made), [], "{place}");
                let initiations = made.manifest.obligations.iter().filter(|o| o.kind == Kind::Initiation);
                assert_eq!(initiations.count(), 1, "{place}");
            }
        }
    }
}

/// Programs that explicit values prove in states that claims can say.
const EXPLICIT: &[(&str, &str)] = &[
    (
        "deep recursion",
        "int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
         int main(void) { int f = fib(6); if (f != 8) { A: return 1; } if (f < 0) { B: return 2; } return 0; }",
    ),
    (
        "state machine",
        "extern int __VERIFIER_nondet_int(void); extern int debug(void);
         int main(void) { int state = 0, sent = 0, d = debug(), e = debug();
         while (1) { int in = __VERIFIER_nondet_int(); if (d) e = in; if (e > 3) d = 2;
           switch (state) { case 0: if (in == 3) state = 1; break;
             case 1: sent = 1; state = in > 5 ? 2 : 1; break;
             case 2: if (!sent) { A: return 1; } if (in == 0) return 0; break;
             default: { B: return 2; } } } }",
    ),
    (
        "one input, twice",
        "extern int __VERIFIER_nondet_int(void);
         int main(void) { int x = __VERIFIER_nondet_int(), y = x, n = 0; if (x > 1000) return 0;
         if (y >= -1000) { y = y + 3; while (n < 2) { n++; if (y - 3 != x) { A: return 1; } } if (y > 1003) { B: return 2; } } return 0; }",
    ),
    (
        "arrays, one of them of a caller",
        "extern int __VERIFIER_nondet_int(void); int t[3];
         void fill(short *to, short n) { for (int i = 0; i < 4; i++) to[i] = n - i; }
         int main(void) { short own[4]; for (int i = 0; i < 3; i++) t[i] = 2 * i; fill(own, 1);
         while (__VERIFIER_nondet_int()) { if (t[1] != 2) { A: return 1; } } if (own[3] != -2) { B: return 2; } return 0; }",
    ),
    (
        "a record",
        "extern int __VERIFIER_nondet_int(void); struct s { int a; unsigned char b; };
         int main(void) { struct s x = { 1, 255 }, y; y = x;
         for (int i = 0; i < 3; i++) { y.b++; if (y.b != i) { A: return 1; } x.a = __VERIFIER_nondet_int(); }
         if (y.a != 1) { B: return 2; } return 0; }",
    ),
    (
        "sums of inputs",
        "extern _Bool __VERIFIER_nondet_bool(void);
         int main(void) { _Bool a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool(), c = __VERIFIER_nondet_bool(); int n = 0;
         if (a + b + c < 1) return 0;
         while (n < 3) { n++; if (!a && !b && !c) { A: return 1; } } if (n > 3) { B: return 2; } return 0; }",
    ),
    (
        "results of divisions",
        "extern int __VERIFIER_nondet_int(void);
         int main(void) { int x = __VERIFIER_nondet_int(), odd = x % 2 != 0, low = x & 7, tenth = x / -10;
         for (int i = 0; i < 3; i++) { if ((x % 2 != 0) != odd) { A: return 1; } }
         if ((x & 7) != low || x / -10 != tenth) { B: return 2; } return 0; }",
    ),
];

#[test]
fn what_explicit_values_proved_is_shown_by_their_states() {
    for (name, text) in EXPLICIT {
        let program = program(name, text);
        let wanted = Options {
            certificate: true,
            ..Options::default()
        };
        let (verdicts, certified) = run_certified(&program, &wanted);
        assert_eq!(verdicts, ["TRUE", "TRUE"], "{name}");
        // A program without inputs is proved by its one execution.
        let proofs =
            [Counter::ExplicitProofs, Counter::ConcreteProofs].map(|counter| certified.outcome.statistics.get(counter));
        assert_eq!(proofs[0] + proofs[1], 2, "{name}");
        assert!(certified.outcome.statistics.get(Counter::ClaimedStates) > 0, "{name}");
        let certificate = certified.evidence.certificate.expect("states are claimed");
        assert_eq!(certificate.properties, [0, 1].map(PropertyId::new), "{name}");
        assert!(
            matches!(certificate.origin, Origin::Explicit(_)),
            "{name}: {:?}",
            certificate.origin
        );
        let made = written(&program, &certificate).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        assert_eq!(open(&made), [], "{name}");
    }
}

/// Four machines of nine states each have 6,561 states together: too many for a claim of each, and few parts as a diagram.
#[test]
fn many_states_are_claimed_as_diagrams() {
    let step = |at: &str, of: &str| {
        let cases = [5, 3, 8, 1, 7, 2, 6, 4].iter().enumerate();
        let cases =
            cases.map(|(from, to)| format!("if ({at} == {from}) {{ {at} = {}; {of} = {to}; }} else ", from + 1));
        format!("{}{{ {at} = 0; {of} = 0; }} break;", cases.collect::<String>())
    };
    let machines = [("a", "p"), ("b", "q"), ("c", "r"), ("d", "s")];
    let steps: String = (0..)
        .zip(machines)
        .map(|(number, (at, of))| format!("case {number}: {}\n", step(at, of)))
        .collect();
    let wrong = machines
        .map(|(at, of)| format!("({at} == 3 && {of} != 8) || ({at} == 6 && {of} != 2)"))
        .join(" || ");
    let text = format!(
        "extern int __VERIFIER_nondet_int(void);
         int main(void) {{ int a = 0, p = 0, b = 0, q = 0, c = 0, r = 0, d = 0, s = 0;
         while (1) {{ switch (__VERIFIER_nondet_int()) {{ {steps} default: break; }}
           if ({wrong}) {{ A: return 1; }} if (a + b + c + d > 32) {{ B: return 2; }} }} }}"
    );
    let program = program("four machines", &text);
    let wanted = Options {
        certificate: true,
        certify_ticks: 1,
        ..Options::default()
    };
    let (verdicts, certified) = run_certified(&program, &wanted);
    assert_eq!(verdicts, ["TRUE", "TRUE"]);
    let states = certified.outcome.statistics.get(Counter::ClaimedStates);
    assert!(states > 6_000, "{states} states");
    // The facts that they have in common come first, and are not enough.
    let certificate = certified.evidence.certificate.expect("something is claimed");
    assert!(
        matches!(certificate.origin, Origin::Guessed),
        "{:?}",
        certificate.origin
    );
    let certificate = certified.evidence.second.expect("states are claimed");
    assert!(certificate.claims.len() < 10, "{} claims", certificate.claims.len());
    let made = written(&program, &certificate).unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(open(&made), []);
}

/// No write has an effect on memory that is never read, so that no claim can be about it.
#[test]
fn nothing_is_claimed_of_memory_that_is_never_read() {
    let program = program(
        "never read",
        "int *last;
         int main(void) { int own[3], n = 0; last = own + 2;
         for (int *at = own; at <= last; at++) { if (at > last) { A: return 1; } *at = 1; n++; } if (n != 3) { B: return 2; } return 0; }",
    );
    let wanted = Options {
        certificate: true,
        ..Options::default()
    };
    let (verdicts, certified) = run_certified(&program, &wanted);
    assert_eq!(verdicts, ["TRUE", "TRUE"]);
    let certificate = certified.evidence.certificate.expect("states are claimed");
    let made = written(&program, &certificate).unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(open(&made), []);
}

#[test]
fn what_explicit_values_proved_gets_abstract_states_when_they_are_wanted() {
    let (name, text) = PROGRAMS[0];
    let program = program(name, text);
    let both = Options {
        certificate: true,
        ..Options::default()
    };
    let (verdicts, certified) = run_certified(&program, &both);
    assert_eq!(verdicts, ["TRUE", "TRUE"]);
    let certificate = certified
        .evidence
        .certificate
        .expect("the refinement loop proves it too");
    assert_eq!(certificate.properties, [0, 1].map(PropertyId::new));
    assert_eq!(open(&written(&program, &certificate).expect("it holds")), []);
    // Without the effort for it the verdict is the same, and what is missing is said.
    let none = Options {
        certify_ticks: 0,
        explicit: Explicit::default(),
        ..both
    };
    let (verdicts, certified) = run_certified(&program, &none);
    assert_eq!(verdicts, ["TRUE", "TRUE"]);
    if certified.outcome.statistics.get(Counter::ExplicitProofs) > 0 {
        assert_eq!(certified.evidence.without.len(), 2);
    }
}

#[test]
fn many_cases_of_a_claim_are_shown_some_at_a_time_and_none_is_left_out() {
    let text = "extern int __VERIFIER_nondet_int(void);
        int main(void) { int a = 0, b = 0; while (__VERIFIER_nondet_int()) { a = (a + 1) % 200; b = (b + 1) % 200; if (a != b) { A: return 1; } }
        if (a > 199) { B: return 2; } return 0; }";
    let program = program("many", text);
    let wanted = Options {
        certificate: true,
        certify_ticks: 1,
        ..Options::default()
    };
    let (verdicts, certified) = run_certified(&program, &wanted);
    assert_eq!(verdicts, ["TRUE", "TRUE"]);
    let made = written(&program, &certified.evidence.certificate.expect("states are claimed")).expect("it holds");
    assert_eq!(open(&made), []);
    let parts = made.manifest.obligations.iter().filter(|o| o.cases.is_some()).count();
    assert!(parts > 2, "{parts} scripts are about some of the cases");
    for (position, obligation) in made.manifest.obligations.iter().enumerate() {
        let mut manifest = made.manifest.clone();
        manifest.obligations.remove(position);
        let is_needed = covers(&manifest).is_err();
        let says_something = obligation.kind != Kind::Ranges || !obligation.ranges.is_empty();
        assert!(is_needed || !says_something, "{} is not missed", obligation.file);
    }
}

/// The certificate of a program whose loop needs an invariant.
fn relation() -> (Program, Certificate) {
    let case = CASES.iter().find(|case| case.name == "relation").expect("it is there");
    let program = program(case.name, case.text);
    let (_, certified) = run_certified(&program, &options());
    let certificate = certified.evidence.certificate.expect("both properties hold");
    (program, certificate)
}

#[test]
fn a_claim_that_says_too_little_or_too_much_is_found_out() {
    let (program, certificate) = relation();
    for truth in [true, false] {
        let mut wrong = certificate.clone();
        let pool = TermPool::new();
        let formulas: Vec<_> = wrong.claims.iter().map(|_| pool.mk_bool(truth)).collect();
        wrong.formulas = pool.export(&formulas);
        let made = written(&program, &wrong).expect("there are no updates here");
        let kinds: Vec<Kind> = open(&made)
            .iter()
            .filter_map(|(file, _)| made.manifest.obligations.iter().find(|o| o.file == *file))
            .map(|o| o.kind)
            .collect();
        // Too weak everywhere: the violations are not excluded. Too strong everywhere: it does not hold at the start.
        let expected = if truth { Kind::Safety } else { Kind::Initiation };
        assert!(kinds.contains(&expected), "{truth}: {kinds:?}");
    }
}

#[test]
fn a_claim_that_is_missing_is_found_out() {
    let (program, mut certificate) = relation();
    let start = program.function(program.start).entry;
    certificate.claims.retain(|claim| claim.node == start);
    let made = written(&program, &certificate).expect("there are no updates here");
    let open = open(&made);
    assert!(open.iter().any(|(file, _)| file.contains("exclusion")), "{open:?}");
}

#[test]
fn a_manifest_that_leaves_out_an_edge_or_a_block_is_found_out() {
    let (program, certificate) = relation();
    let made = written(&program, &certificate).expect("there are no updates here");
    assert_eq!(covers(&made.manifest), Ok(()));
    for block in 0..made.manifest.blocks.len() {
        let mut manifest = made.manifest.clone();
        manifest.blocks.remove(block);
        assert!(covers(&manifest).is_err(), "block {block}");
        let lists: [fn(&mut BlockEntry) -> &mut Vec<u32>; 3] = [|b| &mut b.edges, |b| &mut b.enters, |b| &mut b.leaves];
        for list in lists {
            let count = list(&mut made.manifest.clone().blocks[block]).len();
            for left_out in 0..count {
                let mut manifest = made.manifest.clone();
                list(&mut manifest.blocks[block]).remove(left_out);
                assert!(covers(&manifest).is_err(), "step {left_out} of block {block}");
            }
        }
    }
    for obligation in
        (0..made.manifest.obligations.len()).filter(|&o| made.manifest.obligations[o].kind == Kind::Consecution)
    {
        let mut manifest = made.manifest.clone();
        manifest
            .obligations
            .retain(|o| o.to != made.manifest.obligations[obligation].to);
        assert!(covers(&manifest).is_err(), "obligation {obligation}");
    }
    let text = made.manifest.json();
    let read: provident::evidence::obligations::Manifest =
        serde_json::from_str(&text).expect("what is written is read");
    assert_eq!(read, made.manifest);
}

/// Programs whose scripts have assertions of all kinds but about elements, with their obligations.
fn various() -> Vec<(&'static str, Obligations)> {
    let operators = (
        "operators",
        "extern int __VERIFIER_nondet_int(void);
         int main(void) { int x = __VERIFIER_nondet_int(), y = 6, n = 0; if (x != 7) return 0;
         while (__VERIFIER_nondet_int()) { n = x * y; y = 6; if ((n ^ x) == 3) { A: return 1; } }
         if (n != 0 && n != 42) { B: return 2; } return 0; }",
    );
    let all = [PROGRAMS[0], PROGRAMS[1], PROGRAMS[2], PROGRAMS[3], operators];
    let made = all.into_iter().map(|(name, text)| {
        let program = program(name, text);
        let (verdicts, certified) = run_certified(&program, &options());
        assert_eq!(verdicts, ["TRUE", "TRUE"], "{name}");
        let certificate = certified.evidence.certificate.expect("both hold");
        let made = written(&program, &certificate).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        (name, made)
    });
    made.collect()
}

#[test]
fn an_assertion_that_says_more_than_the_manifest_is_found_out() {
    let mut seen = std::collections::BTreeSet::new();
    for (name, made) in various() {
        assert_eq!(open(&made), [], "{name}");
        for (position, entry) in made.manifest.obligations.iter().enumerate() {
            let (file, script) = &made.scripts[position];
            let lines = assertions(script);
            assert_eq!(lines.len(), entry.parts.len(), "{name}: {file}");
            for (&line, &role) in lines.iter().zip(&entry.parts) {
                // Of the meaning of steps the scripts have the only word, and nothing is more than what is impossible anyway.
                if role == Role::Paths || script.lines().nth(line) == Some("(assert false)") {
                    continue;
                }
                let found = open_with_falsehood(&made, position, line);
                assert!(
                    found.len() == 1 && found[0].0 == *file && found[0].1.contains(role.text()),
                    "{name}: {file}, {role:?}: {found:?}"
                );
                seen.insert(role);
            }
            for more in [
                "(assert false)",
                "(push 1)",
                "(check-sat)",
                "(declare-fun |x@0| () Bool)(declare-fun |x@0| () Int)",
            ] {
                let mut wrong = made.clone();
                wrong.scripts[position].1 = script.replace("(check-sat)", &format!("{more}\n(check-sat)"));
                assert_eq!(open(&wrong).len(), 1, "{name}: {file} with {more}");
                let second = [Role::Paths, Role::Paths];
                wrong.manifest.obligations[position].parts.extend(second);
                assert_eq!(open(&wrong).len(), 1, "{name}: {file} with {more}");
            }
        }
    }
    let roles = [
        Role::Claim,
        Role::Ranges,
        Role::Operators,
        Role::Contract,
        Role::Goal,
        Role::Instance,
    ];
    assert_eq!(seen, std::collections::BTreeSet::from(roles));
}

#[test]
fn a_manifest_that_says_something_else_than_its_scripts_is_found_out() {
    /// A change of a manifest; whether it is one.
    type Change = fn(&mut Manifest) -> bool;
    let changes: [(&str, Change); 9] = [
        ("a stronger claim", |manifest| {
            let point = manifest
                .points
                .iter_mut()
                .skip(1)
                .find(|point| point.cases != ["false"]);
            point.is_some_and(|point| {
                point.cases = vec!["false".to_string()];
                true
            })
        }),
        ("a claim at the start", |manifest| {
            manifest.points[0].cases = vec!["(= |x| 0)".to_string()];
            true
        }),
        ("a smaller range", |manifest| {
            let ranges = manifest
                .points
                .iter_mut()
                .skip(1)
                .flat_map(|point| point.ranges.values_mut());
            let mut ranges = ranges.filter(|range| range[1] == "2147483647");
            ranges.next().is_some_and(|range| {
                range[1] = "5".to_string();
                true
            })
        }),
        ("a range that nobody shows", |manifest| {
            let range = ["0", "1"].map(str::to_string);
            manifest
                .points
                .last_mut()
                .is_some_and(|point| point.ranges.insert("y".to_string(), range).is_none())
        }),
        ("versions forgotten", |manifest| {
            let mut blocks = manifest.blocks.iter_mut().filter(|block| !block.versions.is_empty());
            blocks.next().is_some_and(|block| {
                block.versions.clear();
                true
            })
        }),
        ("a wrong value", |manifest| {
            manifest.operators.first_mut().is_some_and(|entry| {
                entry.value = "43".to_string();
                true
            })
        }),
        ("another update", |manifest| {
            let mut updates = manifest
                .obligations
                .iter_mut()
                .flat_map(|entry| entry.updates.values_mut());
            updates.next().is_some_and(|update| {
                update.source = SourceEntry::Any;
                true
            })
        }),
        ("another address", |manifest| {
            let mut instances = manifest.obligations.iter_mut().flat_map(|entry| &mut entry.instances);
            instances.next().is_some_and(|instance| {
                instance.at = "1".to_string();
                true
            })
        }),
        ("no initiation", |manifest| {
            manifest.obligations.retain(|entry| entry.kind != Kind::Initiation);
            true
        }),
    ];
    for (what, change) in changes {
        let mut changed = 0;
        for (name, made) in various() {
            let mut wrong = made.clone();
            if change(&mut wrong.manifest) {
                changed += 1;
                assert_ne!(open(&wrong), [], "{name}: {what}");
            }
        }
        assert!(changed > 0, "{what}");
    }
}

/// The audit computes values of floating-point operations itself, and what follows from them as they are monotone.
#[test]
fn a_wrong_value_of_a_floating_point_operation_is_found_out() {
    let (name, text) = PROGRAMS[PROGRAMS.len() - 1];
    let program = program(name, text);
    let (verdicts, certified) = run_certified(&program, &options());
    assert_eq!(verdicts[0], "TRUE");
    let certificate = certified.evidence.certificate.expect("abstract states prove it");
    let made = written(&program, &certificate).expect("the claims are inductive");
    assert_eq!(open(&made), []);
    assert!(!made.manifest.operators.is_empty());
    for number in 0..made.manifest.operators.len() {
        let mut wrong = made.clone();
        let entry = &mut wrong.manifest.operators[number];
        let value: u128 = entry.value.parse().expect("a number");
        entry.value = (value - 1).to_string();
        assert_ne!(open(&wrong), [], "{:?}", made.manifest.operators[number]);
    }
}

#[test]
fn scripts_that_are_satisfiable_or_broken_are_not_discharged() {
    assert_eq!(
        discharge("(assert false)\n(check-sat)\n", &Allowed::default()),
        Discharged::Yes
    );
    for script in [
        "(assert true)\n(check-sat)\n",
        "(assert (= x 1))\n(check-sat)\n",
        "",
        "(check-sat",
        "unsat",
    ] {
        assert!(
            matches!(discharge(script, &Allowed::default()), Discharged::No(_)),
            "{script}"
        );
    }
}

#[test]
fn the_command_line_writes_obligations_for_every_true_and_discharges_them() {
    let run = |arguments: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_provident"))
            .args(arguments)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("the program runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (text, output.status.code())
    };
    let scratch = std::env::temp_dir().join(format!("provident-obligations-{}", std::process::id()));
    let call = ["--property", "tests/programs/unreach-call.prp"];
    let label = ["--property", "tests/programs/unreach-label.prp"];
    // The first two are proved by explicit values, which say nothing in formulas; of the last, one of two properties holds.
    let cases: [(&str, &[&str]); 4] = [
        ("tests/programs/lock_true.c", &label),
        ("tests/programs/locks_true.c", &call),
        ("tests/programs/loop_invariant_true.c", &call),
        ("tests/programs/goto_labels.yml", &[]),
    ];
    for (number, (program, arguments)) in cases.into_iter().enumerate() {
        for explicit in ["explicit=on", "explicit=off"] {
            let out = scratch.join(format!("{number}-{explicit}"));
            let out = out.to_str().expect("a name");
            let common = ["verify", program, "--out", out, "--set", explicit];
            let (text, _) = run(&[&common, arguments].concat());
            assert!(text.contains("TRUE"), "{program}: {text}");
            let report = std::fs::read_to_string(format!("{out}/report.json")).expect("a report");
            let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
            assert_eq!(
                report["proof"]["without"],
                serde_json::json!([]),
                "{program} {explicit}"
            );
            for folder in [out.to_string(), format!("{out}/proof")] {
                let (text, status) = run(&["discharge", &folder]);
                assert!(
                    text.starts_with("DISCHARGED: all ") && status == Some(0),
                    "{program}: {text}"
                );
            }
        }
    }
    std::fs::remove_dir_all(scratch).expect("it is ours");
}

#[test]
fn obligations_for_another_program_or_property_are_found_out() {
    let (program, certificate) = relation();
    let made = written(&program, &certificate).expect("there are no updates here");
    let edges: std::collections::BTreeSet<_> = properties(&program)
        .into_iter()
        .flat_map(|property| property.targets)
        .collect();
    assert_eq!(belongs(&made.manifest, &program, &edges), Ok(()));
    // Another place that violates something, and a program with one more step.
    let other = program
        .edge_ids()
        .find(|edge| !edges.contains(edge))
        .expect("there are other edges");
    assert!(belongs(&made.manifest, &program, &[other].into()).is_err());
    let case = CASES.iter().find(|case| case.name == "relation").expect("it is there");
    let changed = case.text.replacen("return 0;", "; return 1;", 1);
    assert_ne!(changed, case.text);
    let changed = crate::cases::program("changed", &changed);
    assert!(belongs(&made.manifest, &changed, &Default::default()).is_err());
    for position in 0..made.manifest.edges.len() {
        let mut manifest = made.manifest.clone();
        manifest.edges.remove(position);
        assert!(belongs(&manifest, &program, &edges).is_err(), "edge {position}");
        let mut manifest = made.manifest.clone();
        manifest.edges[position].operation.push(';');
        assert!(belongs(&manifest, &program, &edges).is_err(), "edge {position}");
    }
    let mut manifest = made.manifest.clone();
    manifest.points.remove(0);
    assert!(belongs(&manifest, &program, &edges).is_err());
}
