//! The refinement loops on small programs.

mod common;

use common::Builder;
use provident::cfa::*;
use provident::engine::*;

/// `x = 0; while (x < bound) x = x + 1; if (x != bound) error;` with an optional off-by-one that makes the error reachable.
fn counter(bound: i64, expected: i64) -> (Program, Vec<EdgeId>) {
    let mut b = Builder::new();
    let main = b.function("main", true);
    let x = b.var("x");
    let (entry, exit) = (b.entry(main), b.exit(main));
    let head = b.head(main);
    let body = b.node(main);
    let after = b.node(main);
    let bad = b.node(main);
    let zero = b.assign(x, b.const_(0));
    b.edge(entry, zero, head);
    let cond = b.bin(BinOp::Lt, b.load(x), b.const_(bound));
    b.branch(head, cond, body, after);
    let step = b.assign(x, b.bin(BinOp::Add, b.load(x), b.const_(1)));
    b.edge(body, step, head);
    let cond = b.bin(BinOp::Ne, b.load(x), b.const_(expected));
    b.branch(after, cond, bad, exit);
    let target = b.edge(bad, Op::Label("ERROR".to_string()), exit);
    (b.finish(), vec![target])
}

fn run(program: &Program, targets: &[Vec<EdgeId>], options: &Options) -> (Vec<String>, Outcome) {
    let properties: Vec<Property> = targets
        .iter()
        .enumerate()
        .map(|(i, t)| Property {
            name: format!("p{i}"),
            targets: t.clone(),
        })
        .collect();
    let mut confirm = |candidate: &CounterexampleCandidate| {
        assert_eq!(provident::cfa::path::check_path(program, &candidate.steps), Ok(()));
        assert!(targets[candidate.property].contains(&candidate.steps.last().expect("a path has steps").edge()));
        Confirmation::Confirmed
    };
    let outcome = verify(program, &properties, options, &mut Silent, &mut confirm);
    (outcome.verdicts.iter().map(|(_, v)| v.text()).collect(), outcome)
}

/// All loops and block modes that have to agree.
fn configurations() -> Vec<Options> {
    let mut all = Vec::new();
    for (name, _) in PRESETS {
        for block in [BlockMode::Loops, BlockMode::LoopsAndCalls, BlockMode::Single] {
            let refine = Refinement::preset(name).expect("presets have meanings");
            all.push(Options {
                refine,
                block,
                check: true,
                ..Options::default()
            });
        }
    }
    all
}

#[test]
fn counters() {
    for options in configurations() {
        let (program, target) = counter(5, 5);
        let (verdicts, outcome) = run(&program, &[target], &options);
        assert_eq!(
            verdicts,
            ["TRUE"],
            "{options:?}\n{}{:#?}",
            outcome.statistics,
            outcome.precision
        );
        assert!(!outcome.precision.is_empty());
        let (program, target) = counter(5, 4);
        let (verdicts, outcome) = run(&program, &[target], &options);
        assert_eq!(verdicts, ["FALSE"], "{options:?}\n{}", outcome.statistics);
    }
}
