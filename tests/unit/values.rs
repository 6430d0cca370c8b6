//! The laws of the operators of the value analysis, and its interpolants.
//!
//! Random programs with variables, members, an array and a pointer call `probe` with what they hold. Executions of the concrete machine with random inputs say which stores occur where; an assignment *represents* a
//! store if the store has all its constants. Checked are:
//!
//! * `transfer`, under random precisions and at full precision: it never loses an execution, and every state on the way represents the store there;
//! * `merge`: only equal states; `stop`: what the covered state says includes what the covering one says, and all those that cover a state are found by its keys;
//! * `refute`, on random paths of the automata: interpolants are inductive, contradict the rest, follow from path formulas by the solver, and need every cell; with their cells in the precision, the exploration does
//!   not take the path.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use provident::cfa::{LowerOptions, Op, Program, Step, VarId, is_call, lower};
use provident::cpa::Cpa;
use provident::cpa::composite::{Composite, Domain, State};
use provident::cpa::predicate::precision::PredicateScope;
use provident::cpa::tracking::Tracking;
use provident::cpa::value::assignment::{Assignment, Cell};
use provident::cpa::value::{Values, ValuesId};
use provident::encode::{Arith, Encoder, Frame};
use provident::evidence::replay::{Scripted, run};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use provident::query::effort::Effort;
use provident::refine::value::interpolation::Sequence;
use provident::refine::value::prefix::{SlicedPrefix, extract_sliced_prefixes};
use provident::refine::value::{Refutation, ValueIncrement, check, refute};
use provident_smt::num::Int;
use std::cell::Cell as Counted;

const VARIABLES: [&str; 4] = ["x", "y", "g", "m.v"];
const PLACES: [&str; 7] = ["x", "y", "g", "m.v", "a[0]", "a[1]", "a[x & 1]"];
const STEPS: usize = 1500;

type Analysis<'p> = Composite<'p, Values<'p>>;

fn condition() -> impl Strategy<Value = String> {
    let op = select(&["<", "<=", ">", ">=", "==", "!=", "==", "!="][..]);
    (select(&PLACES[..]), op, -3i32..6).prop_map(|(a, op, b)| format!("{a} {op} {b}"))
}

fn statement() -> impl Strategy<Value = String> {
    let place = || select(&PLACES[..]);
    let simple = prop_oneof![
        (place(), -3i32..300).prop_map(|(a, c)| format!("{a} = {c};")),
        (place(), place(), -3i32..4).prop_map(|(a, b, c)| format!("{a} = {b} + {c};")),
        (place(), place(), 1i32..8).prop_map(|(a, b, c)| format!("{a} = {b} * {c} ^ {c} >> 1;")),
        (place(), place(), 1i32..5).prop_map(|(a, b, c)| format!("{a} = {b} / {c} - {b} % {c};")),
        place().prop_map(|a| format!("{a} = __VERIFIER_nondet_int();")),
        (place(), place()).prop_map(|(a, b)| format!("{a} = twice({b});")),
        (0i32..2).prop_map(|i| format!("p = &a[{i}];")),
        Just("if (__VERIFIER_nondet_int() == 1) p = &g2;".to_string()),
        place().prop_map(|a| format!("*p = {a};")),
        place().prop_map(|a| format!("{a} = *p;")),
        Just("n = m;".to_string()),
        Just("m = n;".to_string()),
    ];
    let block = simple.prop_recursive(3, 12, 3, move |inner| {
        let body = prop::collection::vec(inner, 1..3).prop_map(|list| list.concat());
        prop_oneof![
            (condition(), body.clone(), body.clone())
                .prop_map(|(c, a, b)| format!("if ({c}) {{ {a} }} else {{ {b} }}")),
            (condition(), body)
                .prop_map(|(c, body)| format!("for (int i = 0; i < 3; i++) {{ {PROBE} if ({c}) break; {body} }}")),
        ]
    });
    block.prop_map(|text| format!("{text}\n  {PROBE}\n  "))
}

const PROBE: &str = "probe(x, y, g, m.v, a[0], a[1]);";

fn program(body: &str) -> Program {
    let text = format!(
        "extern void probe(int, int, int, int, int, int); extern int __VERIFIER_nondet_int(void);
struct member {{ short u, v; }};
int g, g2, a[2];
int twice(int n) {{ if (n == 2) return 4; return n + n; }}
int main(void) {{
  int x = 1, *p = &a[0]; unsigned char y = 3; struct member m, n;
  m.u = 1; m.v = 2; n = m;
  {PROBE}
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

fn var(program: &Program, name: &str) -> VarId {
    let found = program.var_ids().find(|&v| program.var(v).name == name);
    found.unwrap_or_else(|| panic!("no variable {name}"))
}

/// The cells of what `probe` gets, in its order.
fn probed(program: &Program, encoder: &Encoder<'_>) -> Vec<Cell> {
    let name = |v: &str| match v {
        "g" => v.to_string(),
        _ => format!("main::{v}"),
    };
    let plain = VARIABLES.map(|v| Cell::plain(encoder.slot_of(&name(v)).expect("it is a plain variable")));
    let array = var(program, "a");
    let region = encoder.array_name(array).expect("its elements are whole");
    let slot = encoder.slot_of(&region).expect("it is a region");
    let base = program.address_at(array, 0).expect("it is in memory");
    let element = |i: u64| Cell {
        slot,
        address: Some(base + 4 * i),
    };
    plain.into_iter().chain([element(0), element(1)]).collect()
}

/// The steps of an execution with the stores before probes.
fn execute(program: &Program, inputs: &[i64]) -> (Vec<Step>, Vec<(usize, Vec<Int>)>) {
    let executed = run(program, &mut Scripted::new(inputs.iter().copied()), STEPS);
    let mut stores = executed
        .external_calls
        .iter()
        .filter(|(function, _)| program.function(*function).name == "probe")
        .map(|(_, arguments)| {
            let value = |text: &String| Int::from(text.parse::<i64>().expect("an integer"));
            arguments.iter().map(value).collect::<Vec<Int>>()
        });
    let (mut steps, mut seen, mut calls) = (Vec::new(), Vec::new(), Vec::new());
    let mut at = program.function(program.start).entry;
    for &edge in &executed.edges {
        while at != program.edge(edge).from {
            let leave = Step::Leave(calls.pop().expect("only a return leads elsewhere"));
            at = leave.target(program);
            steps.push(leave);
        }
        let is_probe =
            matches!(&program.edge(edge).op, Op::External { func, .. } if program.function(*func).name == "probe");
        if is_probe && let Some(store) = stores.next() {
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
    (steps, seen)
}

fn analysis(program: &Program) -> Analysis<'_> {
    let values = Values::new(Encoder::new(program, Arith::Machine));
    let none: [(&[_], &Tracking); 0] = [];
    Composite::new(program, values, none.into_iter())
}

fn successor(analysis: &mut Analysis<'_>, state: &State<ValuesId>, step: Step) -> Option<State<ValuesId>> {
    let mut successors = Vec::new();
    analysis.transfer(state, &mut successors);
    successors
        .into_iter()
        .find(|(taken, _)| *taken == step)
        .map(|(_, state)| state)
}

/// How many constants a state has of what a probe got. All have to be right.
fn compared(assignment: &Assignment, cells: &[Cell], store: &[Int]) -> usize {
    let known = cells
        .iter()
        .zip(store)
        .filter_map(|(&cell, value)| Some((cell, assignment.get(cell)?, value)));
    known
        .inspect(|(cell, known, value)| assert_eq!(known, value, "{cell:?}"))
        .count()
}

/// Follows an execution. Returns the states on the way, and how many constants were compared.
fn follow(
    analysis: &mut Analysis<'_>,
    execution: &(Vec<Step>, Vec<(usize, Vec<Int>)>),
    cells: &[Cell],
) -> (Vec<State<ValuesId>>, usize) {
    let (steps, seen) = execution;
    let mut state = State {
        control: analysis.start(),
        data: ValuesId::TOP,
    };
    let mut states = vec![state.clone()];
    let mut constants = 0;
    let mut seen = seen.iter().peekable();
    for (position, &step) in steps.iter().enumerate() {
        if let Some((_, store)) = seen.next_if(|(at, _)| *at == position) {
            constants += compared(analysis.domain.assignment(state.data), cells, store);
        }
        let next = successor(analysis, &state, step);
        state = next.unwrap_or_else(|| panic!("the execution is lost at step {position}, {step:?}"));
        states.push(state.clone());
    }
    (states, constants)
}

fn assert_pairs_obey(analysis: &mut Analysis<'_>, states: &[State<ValuesId>]) {
    for a in states {
        for b in states.iter().filter(|b| b.control == a.control) {
            if let Some(merged) = analysis.domain.merge(&a.data, &b.data) {
                assert!(merged == a.data && merged == b.data, "states are not joined");
            }
            let keys = analysis.domain.covering_keys(&a.data);
            let is_searched = keys.contains(&analysis.domain.key(&b.data));
            let covers = analysis.domain.stop(&a.data, &b.data);
            assert_eq!(is_searched, covers, "covering states are searched for, and only these");
            if covers {
                let (small, big) = (analysis.domain.assignment(a.data), analysis.domain.assignment(b.data));
                let is_said = |(cell, value)| small.get(cell) == Some(value);
                assert!(big.iter().all(is_said), "{small:?} is not in {big:?}");
            }
        }
    }
}

/// A path of the automata from the start, without a look at what it computes.
fn walk(program: &Program, choices: &[usize]) -> Vec<Step> {
    let mut analysis = analysis(program);
    let mut state = State {
        control: analysis.start(),
        data: ValuesId::TOP,
    };
    let mut steps = Vec::new();
    for choice in choices.iter().cycle().take(120) {
        let mut successors = Vec::new();
        analysis.transfer(&state, &mut successors);
        if successors.is_empty() {
            break;
        }
        let (step, next) = successors.swap_remove(choice % successors.len());
        steps.push(step);
        state = next;
    }
    steps
}

/// Interpolants of a path that constants refute. Returns whether they do.
fn assert_interpolants(program: &Program, choices: &[usize]) -> bool {
    let analysis = analysis(program);
    let steps = analysis.domain.encoder().frames(&walk(program, choices));
    let mut effort = Effort::default();
    assert_prefixes(&analysis.domain, &steps);
    let Refutation::Refuted(increments) = refute(&analysis.domain, &steps, 64, &mut effort) else {
        return false;
    };
    for increment in increments {
        assert_increment(program, &steps, increment);
    }
    true
}

/// The sliced prefixes of a path are those of Algorithm 1 of the paper, done from scratch.
fn assert_prefixes(values: &Values<'_>, steps: &[(Step, Frame)]) {
    let mut effort = Effort::default();
    let found = extract_sliced_prefixes(Sequence::new(values.post(), steps), usize::MAX, &mut effort);
    let mut expected = Vec::new();
    let mut dropped = Vec::new();
    for end in 0..steps.len() {
        let mut at = Assignment::default();
        let kept = (0..=end).filter(|position| !dropped.contains(position));
        let is_feasible = kept.fold(true, |feasible, position| {
            let (step, frame) = steps[position];
            feasible && values.post().apply(&mut at, step, frame)
        });
        if !is_feasible {
            expected.push(SlicedPrefix {
                end,
                dropped: dropped.clone(),
            });
            dropped.push(end);
        }
    }
    assert_eq!(found, expected);
}

/// A refinement refutes the path in the abstraction, and its interpolants are interpolants from which nothing can be left out.
fn assert_increment(program: &Program, path: &[(Step, Frame)], increment: ValueIncrement) {
    let mut analysis = analysis(program);
    let mut effort = Effort::default();
    assert!(increment.is_inductive(analysis.domain.post()), "{increment:?}");
    check::check(&analysis.domain, &increment, &mut effort);
    let no_op = |position: usize| increment.dropped.contains(&position);
    // No cell can be left out.
    for (position, interpolant) in increment.interpolants.iter().enumerate() {
        for cell in interpolant.cells() {
            let mut at = interpolant.clone();
            at.set(cell, None);
            let post = analysis.domain.post();
            let mut rest = (position + 1..increment.steps.len()).filter(|&later| !no_op(later));
            let contradicts = rest.any(|later| {
                let (step, frame) = increment.steps[later];
                !post.apply(&mut at, step, frame)
            });
            let before = position.checked_sub(1).map(|before| &increment.interpolants[before]);
            // Where an operation changes nothing, its interpolant is that before it.
            assert!(
                !contradicts || before == Some(interpolant),
                "{cell:?} is not needed behind {position}"
            );
        }
    }
    for (node, cell) in increment.cells(program) {
        analysis.domain.precision.add(PredicateScope::Location(node), cell);
    }
    let mut state = State {
        control: analysis.start(),
        data: ValuesId::TOP,
    };
    for (step, _) in &increment.steps {
        match successor(&mut analysis, &state, *step) {
            Some(next) => state = next,
            None => return,
        }
    }
    panic!(
        "the path is found again: {} of {} steps",
        increment.steps.len(),
        path.len()
    );
}

fn runner(cases: u32) -> TestRunner {
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

fn body() -> impl Strategy<Value = String> {
    prop::collection::vec(statement(), 1..6).prop_map(|list| list.concat())
}

#[test]
fn operators_keep_what_executions_reach() {
    let inputs = prop::collection::vec(prop::collection::vec(-3i64..6, 12), 3);
    let compared = Counted::new(0);
    let result = runner(150).run(&(body(), inputs, any::<u64>()), |(body, inputs, kept)| {
        let program = program(&body);
        let executions: Vec<_> = inputs.iter().map(|inputs| execute(&program, inputs)).collect();
        for full in [true, false] {
            let mut analysis = analysis(&program);
            let cells = probed(&program, analysis.domain.encoder());
            let all = (0..).map(provident::encode::SlotId).take(provident_cells(&analysis));
            let plain = all.map(Cell::plain).chain(cells.iter().copied());
            for (bit, cell) in plain.enumerate() {
                if full || kept >> (bit % 64) & 1 == 1 {
                    analysis.domain.precision.add(PredicateScope::Global, cell);
                }
            }
            let mut states = Vec::new();
            for execution in &executions {
                let (found, constants) = follow(&mut analysis, execution, &cells);
                states.extend(found);
                compared.set(compared.get() + constants);
            }
            assert_pairs_obey(&mut analysis, &states);
        }
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(compared.get() > 1000, "only {} constants were compared", compared.get());
}

/// The number of cells that have a name.
fn provident_cells(analysis: &Analysis<'_>) -> usize {
    provident::cfa::analysis::domain_types::Cells::count(analysis.domain.encoder())
}

#[test]
fn interpolants_rule_out_their_paths() {
    let refuted = Counted::new(0);
    let choices = prop::collection::vec(0usize..6, 40);
    let result = runner(250).run(&(body(), choices), |(body, choices)| {
        refuted.set(refuted.get() + usize::from(assert_interpolants(&program(&body), &choices)));
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(refuted.get() > 80, "only {} paths were refuted", refuted.get());
}
