//! Small programs, and a run of the engine with the real replay.

use provident::certify::{Certified, verify};
use provident::cfa::{LowerOptions, Program, lower};
use provident::engine::{
    Confirmation, CounterexampleCandidate, Explicit, Options, Outcome, Property, Refinement, Silent,
};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};

/// Two properties (labels `A` and `B`), with their expected verdicts, and a program.
pub struct Case {
    pub name: &'static str,
    pub expected: [&'static str; 2],
    pub text: &'static str,
}

pub const CASES: &[Case] = &[
    Case {
        name: "counter",
        expected: ["TRUE", "FALSE"],
        text: "int main(void) { int x = 0; while (x < 5) x = x + 1;
               if (x != 5) { A: return 1; }
               if (x == 5) { B: return 2; }
               return 0; }",
    },
    Case {
        name: "relation",
        expected: ["TRUE", "TRUE"],
        text: "extern unsigned __VERIFIER_nondet_uint(void);
               int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0;
               while (i < n) { i++; if (i > n) { A: return 1; } }
               if (i != n) { B: return 2; }
               return 0; }",
    },
    Case {
        name: "behind a violation",
        expected: ["FALSE", "FALSE"],
        text: "extern int __VERIFIER_nondet_int(void);
               int main(void) { int x = __VERIFIER_nondet_int();
               A: x = x & 1;
               if (x == 1) { B: return 2; }
               return 0; }",
    },
    Case {
        name: "calls and locks",
        expected: ["TRUE", "FALSE"],
        text: "extern int __VERIFIER_nondet_int(void);
               int locked; int bad;
               void lock(void) { if (locked) bad = 1; locked = 1; }
               void unlock(void) { if (!locked) bad = 1; locked = 0; }
               int main(void) { int more = 1;
               while (more) { lock(); more = __VERIFIER_nondet_int(); if (more == 7) { lock(); unlock(); return 0; } unlock();
                              if (locked) { A: return 1; } }
               if (0) return 3;
               while (__VERIFIER_nondet_int()) { unlock(); if (bad) { B: return 2; } }
               return 0; }",
    },
    Case {
        name: "recursion",
        expected: ["TRUE", "FALSE"],
        text: "int sum(int n) { if (n <= 0) return 0; return n + sum(n - 1); }
               int main(void) { int s = sum(2);
               if (s != 3) { A: return 1; }
               if (s == 3) { B: return 2; }
               return 0; }",
    },
    Case {
        name: "unreachable",
        expected: ["TRUE", "TRUE"],
        text: "int main(void) { int x = 1; if (x == 2) { A: x = 3; B: x = 4; } return 0; }",
    },
];

/// The program of a text.
pub fn program(name: &str, text: &str) -> Program {
    let options = FrontendOptions {
        data_model: DataModel::Ilp32,
    };
    let unit = parse(Source::new(name, text), &options).unwrap_or_else(|e| panic!("{name}: {}", e.render(false)));
    lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{name}: {}", e.render(false)))
}

/// Verdicts and outcome for the labels `A` and `B`. The confirmation checks that the path is one, and ends with a violation.
pub fn run(program: &Program, options: &Options) -> (Vec<String>, Outcome) {
    let (verdicts, certified) = run_certified(program, options);
    (verdicts, certified.outcome)
}

/// The same with the evidence for what holds.
pub fn run_certified(program: &Program, options: &Options) -> (Vec<String>, Certified) {
    let properties: Vec<Property> = ["A", "B"]
        .map(|label| Property {
            name: label.to_string(),
            targets: program.edges_labelled(label),
            ..Property::default()
        })
        .to_vec();
    let mut confirm = |candidate: &CounterexampleCandidate| {
        assert_eq!(
            provident::cfa::program::path::check_path(program, &candidate.steps),
            Ok(())
        );
        let last = candidate.steps.last().expect("a path has steps").edge();
        assert!(properties[candidate.property.index()].targets.contains(&last));
        Confirmation::Confirmed
    };
    // Every model, interpolant, proof and abstraction of these runs is checked.
    let options = Options {
        check: true,
        ..options.clone()
    };
    let certified = verify(program, &properties, &options, &mut Silent, &mut confirm);
    let verdicts = certified.outcome.verdicts.iter();
    (verdicts.map(|(_, v)| v.text()).collect(), certified)
}

/// The refinement loop with machine integers alone, on large blocks.
pub fn refining(refine: Refinement) -> Options {
    Options {
        refine,
        explicit: Explicit {
            enabled: false,
            ..Explicit::default()
        },
        ideal_ticks: 0,
        ..Options::default()
    }
}

/// All that has to be the same from run to run.
pub fn text(outcome: &Outcome) -> String {
    format!(
        "{:#?}\n{}\n{:#?}\n{:#?}",
        outcome.verdicts, outcome.statistics, outcome.precision, outcome.invariants
    )
}
