//! The laws of the CPA operators, for the composite of control and predicate abstraction.
//!
//! Random programs call `probe(x, y, z)` with all their variables. An execution of the concrete machine with random inputs says
//! which stores occur where; a store is *represented* by an abstract state if the region at the beginning of the state's block and the
//! block's formula allow it at the end. Random predicates make the precision. Checked are:
//!
//! * the reached set represents every store, and has a target state for every violation that was executed;
//! * `transfer`: from a state that represents a store, the steps of the execution lead to one that represents the next store;
//! * `merge`: what either state represents, the merged one does;
//! * `stop`: what the covered state represents, the covering one does;
//! * `prec`: what a state represents, the adjusted one does, under the precision of the exploration and under a finer one.

use proptest::prelude::*;
use proptest::sample::select;
use provident::cfa::{EdgeId, LowerOptions, NodeId, Op, Program, Step, is_call, lower};
use provident::cpa::algorithm::{Reached, cpa_plus_plus};
use provident::cpa::composite::{Composite, State};
use provident::cpa::predicate::precision::PredicateScope;
use provident::cpa::predicate::{BlockMode, Phase, PredState, Predicates, Settings};
use provident::cpa::tracking::Tracking;
use provident::cpa::{Adjusted, Cpa};
use provident::encode::{Arith, Encoder};
use provident::evidence::replay::{Scripted, run};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use provident::query::effort::Effort;
use provident_smt::num::Int;
use provident_smt::proof::Part;
use provident_smt::solver::{Answer, Config, Solver};
use provident_smt::term::{NO_INDEX, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

const VARIABLES: [&str; 3] = ["x", "y", "z"];
const STEPS: usize = 2000;

type Analysis<'p> = Composite<'p, Predicates<'p>>;
type AbstractState = State<PredState>;
/// The values of [`VARIABLES`].
type Store = [i64; 3];

/// A linear inequality or equation over the variables.
#[derive(Clone, Debug)]
struct Predicate {
    coefficients: [i64; 3],
    constant: i64,
    is_equation: bool,
    /// Counts at this one of the program's locations only, modulo their number; `None`: everywhere.
    location: Option<usize>,
}

impl Predicate {
    fn term(&self, pool: &mut TermPool) -> TermId {
        let variables: Vec<(Int, TermId)> = VARIABLES
            .iter()
            .zip(self.coefficients)
            .map(|(name, coefficient)| (Int::from(coefficient), variable(pool, name)))
            .collect();
        let sum = pool.linear(&variables, Int::from(self.constant));
        let zero = pool.int(0);
        if self.is_equation {
            pool.eq(sum, zero)
        } else {
            pool.le(sum, zero)
        }
    }

    fn add_to(&self, analysis: &mut Analysis<'_>) {
        let program = analysis.context.program;
        let domain = &mut analysis.domain;
        let scope = match self.location {
            None => PredicateScope::Global,
            Some(n) => {
                PredicateScope::Location(program.node_ids().nth(n % program.nodes.len()).expect("it is smaller"))
            }
        };
        let term = self.term(&mut domain.pool);
        domain.precision.add(program, &domain.pool, scope, term);
    }
}

fn variable(pool: &mut TermPool, name: &str) -> TermId {
    let symbol = pool.symbol(&format!("main::{name}"));
    pool.int_var(symbol, NO_INDEX)
}

fn predicate() -> impl Strategy<Value = Predicate> {
    let coefficients = prop_oneof![
        Just([1, 0, 0]),
        Just([0, -1, 0]),
        Just([0, 0, 1]),
        prop::array::uniform3(-2i64..3)
    ];
    let location = prop::option::weighted(0.3, 0usize..100);
    (coefficients, -6i64..7, any::<bool>(), location).prop_map(|(coefficients, constant, is_equation, location)| {
        Predicate {
            coefficients,
            constant,
            is_equation,
            location,
        }
    })
}

fn condition() -> impl Strategy<Value = String> {
    let var = || select(&VARIABLES[..]);
    let op = select(&["<", "<=", ">", ">=", "==", "!="][..]);
    (
        var(),
        op,
        prop_oneof![var().prop_map(str::to_string), (-4i32..8).prop_map(|c| c.to_string())],
    )
        .prop_map(|(a, op, b)| format!("{a} {op} {b}"))
}

/// A statement with a probe behind it; loops end after a few rounds.
fn statement() -> impl Strategy<Value = String> {
    let var = || select(&VARIABLES[..]);
    let simple = prop_oneof![
        (var(), var(), -3i32..4).prop_map(|(a, b, c)| format!("{a} = {b} + {c};")),
        (var(), var(), var()).prop_map(|(a, b, c)| format!("{a} = {b} - {c};")),
        (var(), var()).prop_map(|(a, b)| format!("{a} = 2 * {b} + 1;")),
        (var(), var(), 1i32..8).prop_map(|(a, b, c)| format!("{a} = {b} & {c};")),
        var().prop_map(|a| format!("{a} = __VERIFIER_nondet_int();")),
        (var(), var()).prop_map(|(a, b)| format!("{a} = twice({b});")),
        condition().prop_map(|c| format!("if ({c}) reach_error();")),
    ];
    let block = simple.prop_recursive(3, 12, 3, move |inner| {
        let body = prop::collection::vec(inner, 1..3).prop_map(|list| list.concat());
        prop_oneof![
            (condition(), body.clone(), body.clone())
                .prop_map(|(c, a, b)| format!("if ({c}) {{ {a} }} else {{ {b} }}")),
            (condition(), var(), body).prop_map(|(c, a, body)| format!(
                "while (1) {{ probe(x, y, z); if (!({c}) || {a} > 5) break; {body} {a} = {a} + 1; }}"
            )),
        ]
    });
    block.prop_map(|text| format!("{text}\n  probe(x, y, z);\n  "))
}

fn program(body: &str) -> Program {
    let text = format!(
        "extern void probe(int, int, int); extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int twice(int n) {{ return n + n; }}
int main(void) {{
  int x = __VERIFIER_nondet_int(); unsigned char y = 3; short z = -1;
  probe(x, y, z);
  {body}
  return 0;
}}"
    );
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit =
        parse(Source::new("random.c", text.as_str()), &options).unwrap_or_else(|e| panic!("{}", e.render(false)));
    lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

/// The edges that call a function without body.
fn external_calls(program: &Program, name: &str) -> Vec<EdgeId> {
    let calls = |edge: &EdgeId| match &program.edge(*edge).op {
        Op::External { func, .. } => program.function(*func).name == name,
        _ => false,
    };
    program.edge_ids().filter(calls).collect()
}

/// An execution: its steps, and where in them which store was seen.
struct Execution {
    steps: Vec<Step>,
    /// Positions of probes in `steps`, with the stores before those steps.
    probes: Vec<(usize, Store)>,
}

/// Runs the program. Where the run was cut the last call may have been executed or not; its probe is left out.
fn execute(program: &Program, inputs: &[i64], probes: &[EdgeId]) -> Execution {
    let executed = run(program, &mut Scripted::new(inputs.iter().copied()), STEPS);
    let mut stores = executed
        .external_calls
        .iter()
        .filter(|(function, _)| program.function(*function).name == "probe")
        .map(|(_, arguments)| {
            let value = |text: &String| text.parse().expect("an argument of `probe` is an integer");
            let values: Vec<i64> = arguments.iter().map(value).collect();
            Store::try_from(values).expect("`probe` has three parameters")
        });
    // The run reports no returns; they are where the next edge begins elsewhere.
    let (mut steps, mut seen, mut calls) = (Vec::new(), Vec::new(), Vec::new());
    let mut at = program.function(program.start).entry;
    for &edge in &executed.edges {
        while at != program.edge(edge).from {
            let leave = Step::Leave(calls.pop().expect("only a return leads elsewhere"));
            at = leave.target(program);
            steps.push(leave);
        }
        if probes.contains(&edge)
            && let Some(store) = stores.next()
        {
            seen.push((steps.len(), store));
        }
        let step = if is_call(program, edge).is_some() {
            calls.push(edge);
            Step::Enter(edge)
        } else {
            Step::Edge(edge)
        };
        steps.push(step);
        at = step.target(program);
    }
    Execution { steps, probes: seen }
}

/// Whether a store at the location of a state is among those that the state represents.
fn represents(analysis: &mut Analysis<'_>, state: &AbstractState, store: &Store) -> bool {
    let domain = &mut analysis.domain;
    let region = domain.record(state.data.abs).region;
    let region = domain.region_formula(region);
    let bounds = domain
        .blocks
        .bounds(&domain.encoder, &mut domain.pool, state.data.block);
    let block = domain.blocks.formula(state.data.block).clone();
    let pool = &mut domain.pool;
    let mut conjuncts = vec![
        domain.encoder.instantiate(pool, region, &Default::default()),
        bounds,
        block.formula,
    ];
    for (name, &value) in VARIABLES.iter().zip(store) {
        let (variable, value) = (variable(pool, name), pool.int(value));
        let is = pool.eq(variable, value);
        conjuncts.push(domain.encoder.instantiate(pool, is, &block.ssa));
    }
    let mut solver = Solver::new(Config::default());
    for formula in conjuncts {
        solver.assert(pool, formula, Part(0));
    }
    match solver.check(pool, &[]) {
        Answer::Sat => true,
        Answer::Unsat => false,
        Answer::Unknown(reason) => panic!("the solver gave up: {reason:?}"),
    }
}

/// The stores that were seen before each probe.
type Seen = BTreeMap<NodeId, BTreeSet<Store>>;

/// Everything that `small` represents of what was seen, `big` represents.
fn assert_contains(analysis: &mut Analysis<'_>, law: &str, seen: &Seen, small: &AbstractState, big: &AbstractState) {
    let Some(stores) = seen.get(&small.control.node) else {
        return;
    };
    for store in stores {
        if represents(analysis, small, store) {
            assert!(
                represents(analysis, big, store),
                "{law}: {store:?} at {:?} is lost from {small:?} to {big:?}",
                small.control.node
            );
        }
    }
}

/// The state after `prec`; `None` for bottom.
fn adjusted(analysis: &mut Analysis<'_>, state: &AbstractState) -> Option<AbstractState> {
    match analysis.prec(state).0 {
        Adjusted::Same => Some(state.clone()),
        Adjusted::Changed(new) => Some(new),
        Adjusted::Bottom => None,
    }
}

fn assert_prec_keeps(analysis: &mut Analysis<'_>, seen: &Seen, state: &AbstractState) {
    match adjusted(analysis, state) {
        Some(new) => assert_contains(analysis, "prec", seen, state, &new),
        None => {
            for store in seen.get(&state.control.node).into_iter().flatten() {
                assert!(
                    !represents(analysis, state, store),
                    "prec drops {state:?} with {store:?}"
                );
            }
        }
    }
}

/// The reached set represents what was executed.
fn assert_reached_covers(analysis: &mut Analysis<'_>, reached: &Reached<Analysis<'_>>, executions: &[Execution]) {
    let states: Vec<AbstractState> = reached.arg.iter().map(|(_, node)| node.state.clone()).collect();
    for execution in executions {
        for &(position, store) in &execution.probes {
            let node = execution.steps[position].source(analysis.context.program);
            let found = states.iter().any(|state| {
                let control = state.control;
                control.target.is_none() && control.node == node && represents(analysis, state, &store)
            });
            assert!(found, "no reached state has {store:?} at {node:?}");
        }
        for &step in &execution.steps {
            let is_violation = !matches!(step, Step::Leave(_)) && !analysis.violated(step.edge()).is_empty();
            let has_target = || states.iter().any(|state| state.control.target == Some(step));
            assert!(
                !is_violation || has_target(),
                "the violation {step:?} has no target state"
            );
        }
    }
}

/// From every state that represents the store of a probe, the steps to the next probe lead to a state that represents the next store.
fn assert_transfer_follows(analysis: &mut Analysis<'_>, states: &[AbstractState], execution: &Execution) {
    let program = analysis.context.program;
    for pair in execution.probes.windows(2) {
        let [(from, before), (to, after)] = [pair[0], pair[1]];
        let node = execution.steps[from].source(program);
        for start in states
            .iter()
            .filter(|s| s.control.target.is_none() && s.control.node == node)
        {
            if !represents(analysis, start, &before) {
                continue;
            }
            let mut state = start.clone();
            for &step in &execution.steps[from..to] {
                let mut successors = Vec::new();
                analysis.transfer(&state, &mut successors);
                let next = successors
                    .into_iter()
                    .find(|(taken, s)| *taken == step && s.control.target.is_none());
                state = next
                    .unwrap_or_else(|| panic!("no successor of {state:?} for {step:?}"))
                    .1;
            }
            assert!(
                represents(analysis, &state, &after),
                "transfer: from {before:?} in {start:?} to {after:?}, not in {state:?}"
            );
        }
    }
}

/// `merge` and `stop` on all pairs of states of one partition.
fn assert_pairs_obey(analysis: &mut Analysis<'_>, states: &[AbstractState], seen: &Seen) {
    for a in states {
        for b in states.iter().filter(|b| b.control == a.control && b.data != a.data) {
            if let Some(merged) = analysis.merge(a, b) {
                assert_contains(analysis, "merge", seen, a, &merged);
                assert_contains(analysis, "merge", seen, b, &merged);
            }
            if analysis.stop(a, b) {
                assert_contains(analysis, "stop", seen, a, b);
            }
        }
    }
}

/// Checks all laws; returns how many different stores were seen at probes.
fn check(body: &str, coarse: &[Predicate], fine: &[Predicate], inputs: &[Vec<i64>], settings: Settings) -> usize {
    let program = program(body);
    let probes = external_calls(&program, "probe");
    let targets = external_calls(&program, "reach_error");
    let executions: Vec<Execution> = inputs.iter().map(|i| execute(&program, i, &probes)).collect();
    let mut seen = Seen::new();
    for execution in &executions {
        for &(position, store) in &execution.probes {
            let node = execution.steps[position].source(&program);
            seen.entry(node).or_default().insert(store);
        }
    }

    let encoder = Encoder::new(&program, Arith::Machine);
    let domain = Predicates::new(&program, encoder, settings, Effort::default());
    let initial = domain.initial();
    let mut analysis = Composite::new(
        &program,
        domain,
        [(targets.as_slice(), &Tracking::default())].into_iter(),
    );
    for predicate in coarse {
        predicate.add_to(&mut analysis);
    }
    let start = State {
        control: analysis.start(),
        data: initial,
    };
    let mut reached = Reached::new(&analysis, start);
    let status = cpa_plus_plus(&mut analysis, &mut reached, &mut |_, _| false, &mut |expanded| {
        expanded > 3000
    });
    if !status.complete {
        return 0;
    }
    assert_reached_covers(&mut analysis, &reached, &executions);

    // The operators one by one, on reached states and on their successors before `prec`, under both precisions.
    let mut states: Vec<AbstractState> = reached.arg.iter().map(|(_, node)| node.state.clone()).collect();
    let mut raw = Vec::new();
    for state in &states {
        analysis.transfer(state, &mut raw);
    }
    let raw: Vec<AbstractState> = raw.into_iter().map(|(_, state)| state).collect();
    for round in [&[][..], fine] {
        for predicate in round {
            predicate.add_to(&mut analysis);
        }
        for state in &raw {
            assert_prec_keeps(&mut analysis, &seen, state);
            states.extend(adjusted(&mut analysis, state).filter(|s| s.data.phase == Phase::Abstracted));
        }
    }
    states.extend(raw);
    states.retain(|state| seen.contains_key(&state.control.node));
    assert_pairs_obey(&mut analysis, &states, &seen);
    for execution in &executions {
        assert_transfer_follows(&mut analysis, &states, execution);
    }
    seen.values().map(BTreeSet::len).sum()
}

#[test]
fn operators_keep_what_executions_reach() {
    let modes = select(&[BlockMode::Loops, BlockMode::LoopsAndCalls, BlockMode::Single][..]);
    let strategy = (
        prop::collection::vec(statement(), 1..5).prop_map(|list| list.concat()),
        prop::collection::vec(predicate(), 0..5),
        prop::collection::vec(predicate(), 1..4),
        prop::collection::vec(prop::collection::vec(-4i64..9, 12), 4),
        modes,
        any::<bool>(),
    );
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(40)
    };
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let stores = std::cell::Cell::new(0);
    let result = runner.run(&strategy, |(body, coarse, fine, inputs, block, cartesian)| {
        let settings = Settings { block, cartesian };
        stores.set(stores.get() + check(&body, &coarse, &fine, &inputs, settings));
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(stores.get() > 100, "only {} stores were compared", stores.get());
}
