//! The algorithms on graphs of small programs. Their invariants and chains are checked edge by edge, without the exploration that a verdict rests on.

use super::auxiliary::Auxiliary;
use super::bounded::Bounded;
use super::dar::dar;
use super::graph::{BlockGraph, ROOT};
use super::imc::imc;
use super::impact::impact;
use super::ismc::ismc;
use super::kinduction::k_induction;
use super::oracle::{Oracle, Sequence};
use super::unroll::Transition;
use super::{Found, explore};
use crate::cfa::{LowerOptions, lower};
use crate::engine::loops::session::Session;
use crate::engine::{Confirmation, CounterexampleCandidate, Explicit, Options, Property, Silent};
use crate::frontend::text::source::Source;
use crate::frontend::types::DataModel;
use crate::frontend::{FrontendOptions, parse};
use std::collections::BTreeSet;

/// Two loops one after the other, and a function that is called in the first one.
const SAFE: &str = "extern int __VERIFIER_nondet_int(void);
    int same(int x, int y) { int result = x == y; return result; }
    int main(void) { int a = 1, b = 2;
    while (__VERIFIER_nondet_int()) { int t = a; a = b; b = t; if (same(a, b)) { A: return 1; } }
    while (__VERIFIER_nondet_int()) { int t = a; a = b; b = t; if (a == b) { A2: return 1; } }
    return 0; }";

/// The violation is behind three rounds of the loop.
const UNSAFE: &str = "extern int __VERIFIER_nondet_int(void);
    int main(void) { int n = 0;
    while (__VERIFIER_nondet_int()) { if (n == 2) { A: return 1; } n++; }
    return 0; }";

/// Does something with the graph of a program, of which the labels `A` and `A2` are violations.
fn with_graph(text: &str, work: impl FnOnce(&BlockGraph, &mut Oracle<'_, '_>)) {
    let options = FrontendOptions {
        data_model: DataModel::Ilp32,
    };
    let unit = parse(Source::new("program.c", text), &options).unwrap_or_else(|e| panic!("{}", e.render(false)));
    let program = lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)));
    let targets = ["A", "A2"].map(|label| program.edges_labelled(label)).concat();
    let properties = [Property {
        name: "A".to_string(),
        targets,
        ..Property::default()
    }];
    let options = Options {
        explicit: Explicit {
            enabled: false,
            ..Explicit::default()
        },
        ..Options::default()
    };
    let mut confirm = |_: &CounterexampleCandidate| Confirmation::Confirmed;
    let mut silent = Silent;
    let mut session = Session::new(&program, &properties, &options, &mut silent, &mut confirm);
    let reached = explore(&mut session).expect("there is no limit");
    let graph = BlockGraph::new(&session.current.cpa, &reached);
    let (domain, inquiry) = session.questions();
    work(&graph, &mut Oracle::new(&program, domain, inquiry));
}

/// The algorithms, IMPACT with and without forced covering.
fn algorithms() -> [fn(&BlockGraph, &mut Oracle<'_, '_>) -> Found; 6] {
    [
        |graph, oracle| impact(graph, oracle, true),
        |graph, oracle| impact(graph, oracle, false),
        imc,
        ismc,
        dar,
        k_induction,
    ]
}

#[test]
fn invariants_are_inductive_and_exclude_violations() {
    for algorithm in algorithms() {
        with_graph(SAFE, |graph, oracle| {
            let Found::Safe(invariants) = algorithm(graph, oracle) else {
                panic!("the program is safe")
            };
            assert_eq!(invariants.len(), graph.locations.len());
            assert_eq!(
                invariants[ROOT],
                oracle.domain.pool.mk_true(),
                "nothing is known of the start"
            );
            for edge in &graph.edges {
                let outside = oracle.domain.pool.not(invariants[edge.to]);
                let leaves = oracle.chain(invariants[edge.from], &[edge.block], Some(outside));
                assert!(matches!(leaves, Sequence::Refuted(_)), "{edge:?} leaves the invariant");
            }
            assert!(!graph.targets.is_empty());
            for edge in &graph.targets {
                assert!(
                    oracle.excludes(invariants[edge.from], edge.block),
                    "{edge:?} is possible"
                );
            }
        });
    }
}

#[test]
fn chains_lead_to_violations() {
    for algorithm in algorithms() {
        with_graph(UNSAFE, |graph, oracle| {
            let Found::Unsafe(witness) = algorithm(graph, oracle) else {
                panic!("the program is unsafe")
            };
            assert_eq!(
                witness.blocks.len(),
                4,
                "the way to the loop, two whole rounds, and the part of a third one"
            );
            assert_eq!(*witness.blocks.last().unwrap(), graph.targets[witness.target].block);
            let truth = oracle.domain.pool.mk_true();
            assert_eq!(oracle.chain(truth, &witness.blocks, None), Sequence::Feasible);
        });
    }
}

#[test]
fn a_violation_is_found_at_its_depth() {
    with_graph(UNSAFE, |graph, oracle| {
        let mut bounded = Bounded::new(graph, oracle);
        for depth in 1..=3 {
            assert!(
                bounded.check(oracle, depth).is_none(),
                "no violation within {depth} steps"
            );
        }
        assert!(matches!(bounded.check(oracle, 4), Some(Found::Unsafe(_))));
        // Executions stay at a violation.
        assert!(matches!(bounded.check(oracle, 6), Some(Found::Unsafe(_))));
    });
}

#[test]
fn unrollings_have_one_version_for_each_cut() {
    with_graph(SAFE, |graph, oracle| {
        assert_eq!(graph.locations.len(), 3, "the start and two loops");
        let transition = Transition::new(graph, oracle);
        let layers = transition.layers(&BTreeSet::from([ROOT]), 3);
        let violation = transition.violation;
        let loops: Vec<usize> = (1..violation).collect();
        assert_eq!(layers[1].len(), 1, "only one loop follows the start: {layers:?}");
        assert_eq!(
            layers[2],
            loops
                .iter()
                .copied()
                .chain([violation])
                .filter(|at| layers[2].contains(at))
                .collect()
        );
        assert!(layers[3].contains(&violation) && !layers[3].contains(&ROOT));
        let pool = &mut oracle.domain.pool;
        for location in 0..=violation {
            let here = transition.at(pool, location, None);
            for other in 0..=violation {
                let expected = pool.mk_bool(location == other);
                assert_eq!(
                    transition.project(pool, here, other),
                    expected,
                    "a location is itself and no other one"
                );
            }
        }
        let refutation = transition.refutation(pool, 3);
        assert_eq!(refutation.len(), 4, "three steps and the violation");
        // Two neighbours share the symbols of the cut between them and those that never change.
        let of = |part: usize| pool.symbols(refutation[part]).into_iter().collect::<BTreeSet<_>>();
        let far: Vec<_> = of(0).intersection(&of(2)).copied().collect();
        assert!(
            far.iter().all(|symbol| of(1).contains(symbol) || symbol.index == 0),
            "{far:?}"
        );
    });
}

#[test]
fn auxiliary_invariants_are_inductive() {
    let text = "extern int __VERIFIER_nondet_int(void);
        int main(void) { int i = 0, n = 10, s = 0;
        while (i < 10) { i++; s = __VERIFIER_nondet_int(); if (s > 5) s = 5; if (i > 10) { A: return 1; } }
        return 0; }";
    with_graph(text, |graph, oracle| {
        let auxiliary = Auxiliary::new(graph, oracle);
        let all = auxiliary.invariants.clone();
        let found: Vec<String> = all
            .concat()
            .iter()
            .map(|&t| oracle.domain.encoder.display(&oracle.domain.pool, t))
            .collect();
        assert!(found.contains(&"main::i <= 10".to_string()), "{found:?}");
        for edge in &graph.edges {
            let (before, behind) = (
                oracle.domain.pool.and(&all[edge.from]),
                oracle.domain.pool.and(&all[edge.to]),
            );
            let outside = oracle.domain.pool.not(behind);
            if outside != oracle.domain.pool.mk_false() {
                let leaves = oracle.chain(before, &[edge.block], Some(outside));
                assert!(matches!(leaves, Sequence::Refuted(_)), "{edge:?} leaves {found:?}");
            }
        }
    });
}
