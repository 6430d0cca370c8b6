//! Orders of exploration: no order changes what holds, and none depends on threads.

use crate::cases::{CASES, program, run, text};
use provident::engine::options::{Metric, PathOrder, SearchOrder};
use provident::engine::{
    Bam, BlockMode, CounterexampleCandidate, Explicit, Options, Property, Refinement, Silent, verify,
};
use provident::evidence::replay;

const ORDERS: [SearchOrder; 5] = [
    SearchOrder::Topological,
    SearchOrder::Distance,
    SearchOrder::Depth,
    SearchOrder::Breadth,
    SearchOrder::Random,
];

const PATH_ORDERS: [PathOrder; 10] = [
    PathOrder::Auto,
    PathOrder::Depth,
    PathOrder::Novelty,
    PathOrder::Distance,
    PathOrder::NovelDistance,
    PathOrder::Bands,
    PathOrder::Shares,
    PathOrder::NovelShares,
    PathOrder::Breadth,
    PathOrder::Random,
];

/// The options of a refinement loop alone.
fn refining(preset: &str, block: BlockMode, order: SearchOrder, metric: Metric) -> Options {
    Options {
        refine: Refinement::preset(preset).expect("presets have meanings"),
        block,
        order,
        metric,
        order_seed: 7,
        explicit: Explicit {
            enabled: false,
            ..Explicit::default()
        },
        // Ideal integers find violations that only a replay refutes; here every path counts as confirmed.
        ideal_ticks: 0,
        ..Options::default()
    }
}

#[test]
fn every_order_of_states_gives_the_verdicts_for_any_number_of_threads() {
    for case in CASES {
        let program = program(case.name, case.text);
        for preset in ["single", "multi"] {
            for block in [BlockMode::Loops, BlockMode::LoopsAndCalls] {
                for order in ORDERS {
                    let mut options = refining(preset, block, order, Metric::Statements);
                    let (verdicts, outcome) = run(&program, &options);
                    assert_eq!(verdicts, case.expected, "{}: {preset} {block:?} {order:?}", case.name);
                    options.threads = 8;
                    assert_eq!(
                        text(&outcome),
                        text(&run(&program, &options).1),
                        "{}: {order:?}",
                        case.name
                    );
                }
            }
        }
    }
}

#[test]
fn every_metric_gives_the_verdicts_for_any_number_of_threads() {
    for case in CASES {
        let program = program(case.name, case.text);
        for metric in Metric::ALL {
            let with = |threads| {
                let options = Options {
                    threads,
                    ..refining("multi", BlockMode::Loops, SearchOrder::Distance, metric)
                };
                let (verdicts, outcome) = run(&program, &options);
                assert_eq!(verdicts, case.expected, "{}: {metric:?}", case.name);
                text(&outcome)
            };
            assert_eq!(with(1), with(8), "{}: {metric:?}", case.name);
        }
    }
}

/// Paths with explicit values are approximate, so that a replay judges them here.
#[test]
fn every_order_of_paths_gives_the_verdicts() {
    for case in CASES {
        let program = program(case.name, case.text);
        let properties = ["A", "B"].map(|label| Property {
            name: label.to_string(),
            targets: program.edges_labelled(label),
            ..Property::default()
        });
        for order in PATH_ORDERS {
            let explicit = Explicit {
                order,
                ..Explicit::default()
            };
            let options = Options {
                explicit,
                ..Options::default()
            };
            let mut confirm = |candidate: &CounterexampleCandidate| {
                replay(&program, &candidate.steps, &candidate.inputs).judgement.into()
            };
            let outcome = verify(&program, &properties, &options, &mut Silent, &mut confirm);
            let verdicts: Vec<String> = outcome.verdicts.iter().map(|(_, verdict)| verdict.text()).collect();
            assert_eq!(verdicts, case.expected, "{}: {order:?}", case.name);
        }
    }
}

/// Both violations are as far away; the one whose property weighs less is confirmed first.
#[test]
fn weights_say_which_property_is_sought_first() {
    let text = "extern int __VERIFIER_nondet_int(void);
        int main(void) { int way = __VERIFIER_nondet_int(), i = 0;
        if (way) { while (i < 3) i++; A: return 1; }
        while (i < 3) i++; B: return 2; }";
    let program = program("weights", text);
    let properties = ["A", "B"].map(|label| Property {
        name: label.to_string(),
        targets: program.edges_labelled(label),
        ..Property::default()
    });
    for bam in [Bam::Off, Bam::On] {
        for (light, heavy) in [("A", "B"), ("B", "A")] {
            let options = Options {
                weights: vec![(heavy.to_string(), 50)],
                bam,
                ..refining("single", BlockMode::Loops, SearchOrder::Distance, Metric::Statements)
            };
            let mut first = None;
            let mut confirm = |candidate: &CounterexampleCandidate| {
                let last = candidate.steps.last().expect("a path to a violation has steps").edge();
                let violated = properties.iter().find(|property| property.targets.contains(&last));
                first.get_or_insert(violated.expect("it ends at a violation").name.clone());
                replay(&program, &candidate.steps, &candidate.inputs).judgement.into()
            };
            let outcome = verify(&program, &properties, &options, &mut Silent, &mut confirm);
            assert_eq!(outcome.verdicts.len(), 2);
            assert_eq!(first.as_deref(), Some(light), "{bam:?} {light}");
        }
    }
}

/// A question about a hard path ends soon, and its execution is found along its edges; what no execution violates is proved all the same.
#[test]
fn an_execution_is_found_along_a_path_whose_formula_is_hard() {
    let texts = [
        (include_str!("../programs/explicit/hard_words_false.c"), "FALSE"),
        (include_str!("../programs/explicit/hard_words_true.c"), "TRUE"),
    ];
    for (text, expected) in texts {
        let program = program("hard_words", &text.replace(" reach_error();\n", " A: reach_error();\n"));
        let properties = [Property {
            name: "A".to_string(),
            targets: program.edges_labelled("A"),
            ..Property::default()
        }];
        let options = refining("single", BlockMode::Loops, SearchOrder::Distance, Metric::Statements);
        let mut confirm = |candidate: &CounterexampleCandidate| {
            replay(&program, &candidate.steps, &candidate.inputs).judgement.into()
        };
        let outcome = verify(&program, &properties, &options, &mut Silent, &mut confirm);
        assert_eq!(outcome.verdicts[0].1.text(), expected);
    }
}
