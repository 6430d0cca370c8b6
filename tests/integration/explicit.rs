//! The analysis of explicit values: programs with stated verdicts, and a comparison with executions.
//!
//! * Every program of `tests/programs` and `tests/programs/explicit` gets its stated verdict with the phase on; those of the first folder get it
//!   with the phase off as well (`tests/slow/examples.rs`).
//! * What the phase proves unreachable is never reached by an execution with random inputs.
//! * Random programs over one input of eight bits: the verdict is the one that all 256 executions give.

use proptest::prelude::*;
use provident::cfa::{EdgeId, LowerOptions, Program, lower};
use provident::engine::{self, Counter, CounterexampleCandidate, Outcome, Property, ReasonCode, Silent, Verdict};
use provident::evidence::replay;
use provident::evidence::replay::{Scripted, run};
use provident::explicit::{Compiled, Event, Explorer, Order};
use provident::frontend::text::preprocess;
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use provident::spec::{Forbidden, target_edges};
use std::fs;
use std::path::{Path, PathBuf};

fn verify(program: &Program, targets: &[Vec<EdgeId>], options: &engine::Options) -> Outcome {
    let property = |targets: &Vec<EdgeId>| Property {
        name: "p".to_string(),
        targets: targets.clone(),
        ..Property::default()
    };
    let properties: Vec<Property> = targets.iter().map(property).collect();
    let mut confirm =
        |candidate: &CounterexampleCandidate| replay(program, &candidate.steps, &candidate.inputs).judgement.into();
    engine::verify(program, &properties, options, &mut Silent, &mut confirm)
}

/// Properties with their verdicts from the head of a program, and the data model.
fn expectations(text: &str) -> (Vec<(Forbidden, String)>, DataModel) {
    let mut properties = Vec::new();
    let mut data_model = DataModel::Lp64;
    for line in text.lines().filter_map(|line| line.strip_prefix("//# ")) {
        match line.split_once(' ') {
            Some(("data-model", "ILP32")) => data_model = DataModel::Ilp32,
            Some((kind, rest)) => {
                let (subject, verdict) = rest.split_once(": ").unwrap();
                let forbidden = match kind {
                    "call" => Forbidden::Call(subject.to_string()),
                    _ => Forbidden::Label(subject.to_string()),
                };
                properties.push((forbidden, verdict.to_string()));
            }
            None => panic!("`{line}` is no expectation"),
        }
    }
    (properties, data_model)
}

fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut files = Vec::new();
    for folder in [root.clone(), root.join("explicit")] {
        files.extend(fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    }
    files.retain(|file| file.extension().is_some_and(|e| e == "c"));
    files.sort();
    files
}

#[test]
fn every_program_gets_its_verdict_and_no_execution_contradicts_it() {
    let mut problems = Vec::new();
    let mut alone = 0;
    for file in programs() {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let (properties, data_model) = expectations(&fs::read_to_string(&file).unwrap());
        let source =
            preprocess::read(&file.clone().into(), data_model).unwrap_or_else(|e| panic!("{}", e.render(false)));
        let unit = parse(source, &FrontendOptions { data_model }).unwrap_or_else(|e| panic!("{}", e.render(false)));
        let program = lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)));
        let targets: Vec<Vec<EdgeId>> = properties.iter().map(|(f, _)| target_edges(&program, f)).collect();
        let options = engine::Options::default();
        let outcome = verify(&program, &targets, &options);
        for ((forbidden, expected), (_, verdict)) in properties.iter().zip(&outcome.verdicts) {
            if verdict.text() != *expected {
                problems.push(format!(
                    "{name}: {forbidden} is {}, expected {expected}",
                    verdict.text()
                ));
            }
        }
        alone += usize::from(outcome.statistics.get(Counter::Iterations) == 0);
        let again = verify(&program, &targets, &options);
        assert_eq!(outcome.statistics, again.statistics, "{name} is not deterministic");
        for seed in 0..20i64 {
            let inputs = (0..64).map(|i| (seed * 7919 + i * 104_729) % (3 * seed + 2) - seed % 3);
            let executed = run(&program, &mut Scripted::new(inputs), 20_000);
            for (targets, (_, verdict)) in targets.iter().zip(&outcome.verdicts) {
                if matches!(verdict, Verdict::True) {
                    let hit = executed.edges.iter().any(|edge| targets.contains(edge));
                    assert!(!hit, "{name}: an execution violates what was proved");
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(alone >= 40, "only {alone} programs were decided without refinement");
}

fn program(text: &str) -> Program {
    let data_model = DataModel::Lp64;
    let unit = parse(Source::new("random.c", text), &FrontendOptions { data_model });
    let unit = unit.unwrap_or_else(|e| panic!("{}", e.render(false)));
    lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

const TYPES: [&str; 6] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
];

/// A statement of a random program over `x`, `y`, `z` and the array `m`.
fn statement() -> impl Strategy<Value = String> {
    let var = || prop_oneof![Just("x"), Just("y"), Just("z"), Just("m[1]"), Just("u.part")];
    let ty = || (0..TYPES.len()).prop_map(|i| TYPES[i]);
    let op = prop_oneof![Just("<"), Just("<="), Just(">"), Just(">="), Just("=="), Just("!=")];
    prop_oneof![
        (var(), ty(), var(), -300i32..300).prop_map(|(a, t, b, c)| format!("{a} = ({t})({b} + {c});")),
        (var(), var(), var()).prop_map(|(a, b, c)| format!("{a} = {b} - {c};")),
        (var(), var(), var(), var()).prop_map(|(a, b, c, d)| format!("{a} = {b} + {c} - {d};")),
        (var(), var(), op, -200i32..200, ty())
            .prop_map(|(a, b, op, c, t)| format!("if (({t}){b} {op} {c}) {a} = {a} + 1;")),
        (var(), var(), var()).prop_map(|(a, b, c)| format!("if ({b} <= {c}) {a} = {b};")),
        (var(), var()).prop_map(|(a, b)| format!("m[{b} & 3] = {a};")),
        (var(), var(), 1i32..9).prop_map(|(a, b, c)| format!("{a} = {b} % {c};")),
        (var(), var()).prop_map(|(a, b)| format!("{a} = !{b};")),
        Just("u.whole = x;".to_string()),
        Just("y = u.whole;".to_string()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn verdicts_of_random_programs_are_those_of_all_executions(
        types in prop::array::uniform3(0..TYPES.len()),
        sign in 0usize..2,
        statements in prop::collection::vec(statement(), 1..7),
        constant in -130i32..260,
    ) {
        let nondet = ["schar", "uchar"][sign];
        let input = TYPES[sign];
        let text = format!(
            "extern {input} __VERIFIER_nondet_{nondet}(void);
             int main(void) {{ {} x = __VERIFIER_nondet_{nondet}(); {} y = 3; {} z = -1; int m[4] = {{1, 2, 3, 4}};
             union {{ int whole; signed char part; }} u = {{5}};
             {}\nif (y == {constant}) {{ A: return 1; }} if (z > x) {{ B: return 2; }} return 0; }}",
            TYPES[types[0]], TYPES[types[1]], TYPES[types[2]], statements.join("\n"),
        );
        let program = program(&text);
        let targets = vec![program.edges_labelled("A"), program.edges_labelled("B")];
        let mut reached = [false; 2];
        for value in 0..256i64 {
            let value = if sign == 0 && value > 127 { value - 256 } else { value };
            let executed = run(&program, &mut Scripted::new([value]), 1000);
            for (reached, targets) in reached.iter_mut().zip(&targets) {
                *reached |= executed.edges.iter().any(|edge| targets.contains(edge));
            }
        }
        // No effort is left for the refinement loop: only the phase can answer.
        let options = engine::Options { limits: engine::Limits { ticks: Some(4000), ..Default::default() }, check: true, ..Default::default() };
        let outcome = verify(&program, &targets, &options);
        for ((_, verdict), reached) in outcome.verdicts.iter().zip(reached) {
            match verdict {
                Verdict::True => prop_assert!(!reached, "TRUE, but an execution gets there:\n{text}"),
                Verdict::False(_) => prop_assert!(reached, "FALSE, but no execution gets there:\n{text}"),
                Verdict::Unknown(_) => {}
            }
        }
    }
}

/// A reactive system with four modes. Only the last of six inputs goes on to the next mode; the others change numbers that have no end.
fn reactive() -> String {
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void); int mode = 0; int level = 17; int drift = 1;
         void react(int input) {",
    );
    for mode in 0..4 {
        text += &format!("if (mode == {mode} && input == 6 && level > {mode}) {{ mode = {mode} + 1; return; }}");
        for input in 1..6 {
            text += &format!(
                "if (mode == {mode} && input == {input} && level <= {}) {{ level = level / 3 + drift * {input}; drift = drift + {input}; return; }}",
                1000 * mode + 900
            );
        }
    }
    text + "level = level % 1000;
         if (mode == 4) { ERROR: return; }
         }
         int main(void) { while (1) { int input = __VERIFIER_nondet_int();
         if (input == 1) {} else if (input == 2) {} else if (input == 3) {} else if (input == 4) {} else if (input == 5) {} else { input = 6; }
         react(input); } }"
}

#[test]
fn novelty_leads_to_a_corner_that_depth_does_not_see() {
    let program = program(&reactive());
    let targets = program.edges_labelled("ERROR");
    let code = Compiled::new(&program);
    let explored = |seek: bool| {
        let mut explorer = Explorer::new(&code, targets.iter().copied());
        if seek {
            explorer.seek(&[Order::Novelty], 1 << 14, None);
        }
        (explorer.run(300_000), explorer.steps)
    };
    assert_eq!(explored(false).0, Event::Exhausted);
    let (event, steps) = explored(true);
    assert!(
        matches!(event, Event::Target(edge) if targets.contains(&edge)),
        "{event:?}"
    );
    assert_eq!(explored(true), (event, steps), "it is deterministic");
    // The phase itself seeks novelty with the last of its steps.
    let mut options = engine::Options::default();
    options.explicit.steps = 400_000;
    let outcome = verify(&program, &[targets], &options);
    assert!(matches!(outcome.verdicts[0].1, Verdict::False(_)));
    assert_eq!(outcome.statistics.get(Counter::ExplicitCounterexamples), 1);
}

/// The masks of three inputs leave one value in 256 each, which no input that is chosen alone has. A path that failed comes to its target again and again, and counts once.
#[test]
fn masks_say_what_inputs_are() {
    let program = program(
        "extern unsigned char __VERIFIER_nondet_uchar(void);
         int main(void) {
             unsigned char kind = __VERIFIER_nondet_uchar(), way = __VERIFIER_nondet_uchar();
             if ((kind & 3) != 2 || (kind & 0x60) != 0x40) return 0;
             if (!(way & 0x80) || (way & 0x0f) != 7) return 0;
             if ((kind >> 2 & 7) == 5) { ERROR: goto ERROR; }
             return 0;
         }",
    );
    let targets = program.edges_labelled("ERROR");
    let code = Compiled::new(&program);
    let mut explorer = Explorer::new(&code, targets.iter().copied());
    let event = explorer.run(100_000);
    assert!(
        matches!(event, Event::Target(edge) if targets.contains(&edge)),
        "{event:?}"
    );
    let (choices, length) = explorer.path();
    let path = provident::explicit::Path::follow(&code, &choices, length).expect("the path is one of the program");
    let values: Vec<i128> = path.inputs(&mut || 0).iter().map(|input| input.value).collect();
    let [kind, way] = values[..] else {
        panic!("two inputs, not {values:?}")
    };
    assert_eq!((kind & 3, kind & 0x60, kind >> 2 & 7), (2, 0x40, 5));
    assert_eq!((way & 0x80, way & 0x0f), (0x80, 7));
    let trail = explorer.trail();
    let again = explorer.run(100_000);
    assert!(matches!(again, Event::Target(_)), "{again:?}");
    assert_eq!(explorer.trail(), trail, "the path made no choice in between");
}

/// Objects of their own are where violations are looked for. That there are none proves nothing: two pointers from outside may be one.
#[test]
fn objects_from_outside_prove_nothing() {
    let program = program(
        "extern void reach_error(void);
         extern int *first(void), *second(void);
         int main(void) {
             int *p = first(), *q = second();
             if (!p || !q) return 0;
             *p = 1;
             *q = 2;
             if (*p != 1) reach_error();
             return 0;
         }",
    );
    let targets = target_edges(&program, &Forbidden::Call("reach_error".to_string()));
    let code = Compiled::new(&program);
    let mut explorer = Explorer::new(&code, targets.iter().copied());
    explorer.imagine_objects();
    assert!(matches!(explorer.run(10_000), Event::Unmodelled(_)));
    assert!(explorer.has_imagined());
    let outcome = verify(&program, &[targets], &engine::Options::default());
    assert_eq!(outcome.statistics.get(Counter::ExplicitProofs), 0);
    assert!(!matches!(outcome.verdicts[0].1, Verdict::True));
}

fn shipped(name: &str) -> (Program, Vec<EdgeId>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
    let program = program(&fs::read_to_string(file).unwrap());
    let targets = target_edges(&program, &Forbidden::Call("reach_error".to_string()));
    (program, targets)
}

/// A program with a loop of so many rounds, of which predicates know nothing.
fn hashes(rounds: u32) -> (Program, Vec<Vec<EdgeId>>) {
    let program = program(&format!(
        "extern void reach_error(void);
         extern unsigned __VERIFIER_nondet_uint(void);
         int main(void) {{
             unsigned x = __VERIFIER_nondet_uint() ? 1 : 0, h = 0;
             for (unsigned i = 0; i < {rounds}; i++) h = (h ^ (i + x)) * 16777619u;
             if (h == 12345) reach_error();
             return 0;
         }}"
    ));
    let targets = target_edges(&program, &Forbidden::Call("reach_error".to_string()));
    (program, vec![targets])
}

/// Where the steps are not enough and predicates unroll the loop, the exploration has a further turn with four times the steps; the answer and the way to it are the same for any number of threads.
#[test]
fn explicit_values_and_predicates_take_turns() {
    let (program, targets) = hashes(3000);
    let targets = targets.as_slice();
    let mut options = engine::Options::default();
    options.explicit.steps = 10_000;
    options.ideal_ticks = 0;
    options.limits.ticks = Some(2_000_000);
    let outcome = verify(&program, targets, &options);
    assert!(matches!(outcome.verdicts[0].1, Verdict::True));
    assert_eq!(outcome.statistics.get(Counter::ExplicitProofs), 1);
    assert_eq!(outcome.statistics.get(Counter::ExplicitExhausted), 0);
    assert!(
        outcome.statistics.get(Counter::Iterations) > 0,
        "the loop had its turn before"
    );
    options.threads = 4;
    let again = verify(&program, targets, &options);
    assert_eq!(outcome.statistics, again.statistics);
    options.explicit.turns = 0;
    let alone = verify(&program, targets, &options);
    assert!(matches!(&alone.verdicts[0].1, Verdict::Unknown(reason) if reason.code == ReasonCode::TickLimit));
    assert_eq!(alone.statistics.get(Counter::ExplicitExhausted), 1);
}

/// Behind an unknown pointer nothing can be proved. A search for violations that ends without one begins again in another order, in turns with the refinement loop.
#[test]
fn searches_in_several_orders_take_turns() {
    let program = program(
        "extern void reach_error(void);
         extern unsigned __VERIFIER_nondet_uint(void);
         extern struct device { int id; } *find(void);
         int main(void) {
             int id = find()->id;
             unsigned x = __VERIFIER_nondet_uint() ? 1 : 0, h = 0, seen = 0;
             for (unsigned i = 0; i < 3000; i++) {
                 h = (h ^ (i + x)) * 16777619u;
                 if ((h & 255) == 0 && __VERIFIER_nondet_uint()) seen = seen * 3 + i;
             }
             if (h != 12345) reach_error();
             return id;
         }",
    );
    let targets = [target_edges(&program, &Forbidden::Call("reach_error".to_string()))];
    let mut options = engine::Options::default();
    options.explicit.grace = 40_000;
    options.ideal_ticks = 0;
    options.limits.ticks = Some(2_000_000);
    let outcome = verify(&program, &targets, &options);
    assert!(matches!(outcome.verdicts[0].1, Verdict::False(_)));
    assert_eq!(outcome.statistics.get(Counter::ExplicitCounterexamples), 1);
    assert!(
        outcome.statistics.get(Counter::Iterations) > 0,
        "the loop had its turn before"
    );
    options.threads = 4;
    assert_eq!(verify(&program, &targets, &options).statistics, outcome.statistics);
    options.explicit.turns = 0;
    let alone = verify(&program, &targets, &options);
    assert!(matches!(alone.verdicts[0].1, Verdict::Unknown(_)));
}

/// More states than there may be end the exploration as used up steps do, and it does not begin again. Eight states without symbols count as one.
#[test]
fn the_states_of_the_exploration_are_bounded() {
    let program = program(
        "extern void reach_error(void);
         extern unsigned __VERIFIER_nondet_uint(void);
         int main(void) {
             unsigned h = 0;
             for (unsigned i = 0; i < 12; i++) {
                 if (__VERIFIER_nondet_uint()) h = (h ^ (i + 1)) * 16777619u; else h = h * 31 + i;
             }
             if (h == 12345) reach_error();
             return 0;
         }",
    );
    let targets = [target_edges(&program, &Forbidden::Call("reach_error".to_string()))];
    let mut options = engine::Options::default();
    options.limits.ticks = Some(1_000_000);
    options.ideal_ticks = 0;
    let whole = verify(&program, &targets, &options);
    assert_eq!(whole.statistics.get(Counter::ExplicitComplete), 1);
    options.explicit.states = whole.statistics.get(Counter::ExplicitStates) / 16;
    let bounded = verify(&program, &targets, &options);
    assert_eq!(bounded.statistics.get(Counter::ExplicitComplete), 0);
    assert_eq!(bounded.statistics.get(Counter::ExplicitExhausted), 1);
    assert!(bounded.statistics.get(Counter::ExplicitSteps) < whole.statistics.get(Counter::ExplicitSteps));
    assert!(matches!(bounded.verdicts[0].1, Verdict::Unknown(_)));
}

/// The loop goes on behind a turn of the exploration: nothing that it has found is lost.
#[test]
fn predicates_go_on_after_a_turn_of_explicit_values() {
    let (program, targets) = shipped("bounded_by_input_true.c");
    let mut options = engine::Options::default();
    options.explicit.steps = 300;
    options.ideal_ticks = 0;
    let outcome = verify(&program, std::slice::from_ref(&targets), &options);
    assert!(matches!(outcome.verdicts[0].1, Verdict::True));
    assert!(outcome.statistics.get(Counter::ExplicitSteps) > 1_400);
    assert_eq!(outcome.statistics.get(Counter::ExplicitProofs), 0);
    options.explicit.turns = 0;
    let alone = verify(&program, &[targets], &options);
    assert!(matches!(alone.verdicts[0].1, Verdict::True));
    let counters = [Counter::Refinements, Counter::Predicates];
    let of = |outcome: &Outcome| counters.map(|counter| outcome.statistics.get(counter));
    assert_eq!(of(&outcome), of(&alone));
}

/// A state with a remembered sum is recognised after numbers of the sum are known, so that an endless wait ends; and the bound of the sum refutes the rest.
#[test]
fn a_state_that_remembers_a_sum_is_seen_again() {
    let (program, targets) = shipped("explicit/sum_of_flags_true.c");
    let outcome = verify(&program, &[targets], &engine::Options::default());
    assert!(matches!(outcome.verdicts[0].1, Verdict::True));
    assert_eq!(outcome.statistics.get(Counter::ExplicitComplete), 1);
    assert_eq!(outcome.statistics.get(Counter::Iterations), 0);
}

/// Paths that were looked at one by one may be refuted one by one. Where paths have met, a refuted one says nothing of the others: they are kept apart then.
#[test]
fn refuted_paths_prove_only_where_no_paths_met() {
    let options = engine::Options {
        check: true,
        ..engine::Options::default()
    };
    let (program, targets) = shipped("explicit/compared_sums_true.c");
    let outcome = verify(&program, &[targets], &options);
    assert!(matches!(outcome.verdicts[0].1, Verdict::True));
    let counters = [Counter::ExplicitRefutations, Counter::ExplicitProofs];
    assert_eq!(counters.map(|counter| outcome.statistics.get(counter)), [1, 1]);

    let (program, targets) = shipped("explicit/joined_remainders_true.c");
    let outcome = verify(&program, &[targets], &options);
    assert!(matches!(outcome.verdicts[0].1, Verdict::True));
    let counts = counters.map(|counter| outcome.statistics.get(counter));
    assert_eq!(
        counts,
        [3, 1],
        "the second path has met the first one, and is refuted alone behind that"
    );

    // The endless loop at the violation joins its own path only.
    let (program, _) = shipped("explicit/digits_added_true.c");
    let targets = target_edges(&program, &Forbidden::Label("ERROR".to_string()));
    let outcome = verify(&program, &[targets], &options);
    assert!(matches!(outcome.verdicts[0].1, Verdict::True));
    assert_eq!(counters.map(|counter| outcome.statistics.get(counter)), [17, 1]);

    let (program, targets) = shipped("explicit/joined_remainders_false.c");
    let outcome = verify(&program, &[targets], &options);
    assert!(matches!(outcome.verdicts[0].1, Verdict::False(_)));
}
