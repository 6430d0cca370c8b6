//! Shortcuts of the exploration with explicit values: random reactive systems, whose reachable labels a search over their rules knows.

use proptest::prelude::*;
use provident::cfa::{EdgeId, LowerOptions, Program, lower};
use provident::explicit::{Compiled, Event, Explorer, Order, Path};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use std::collections::{BTreeSet, VecDeque};

/// The variables of a system.
const VARS: [&str; 4] = ["mode", "level", "drift", "far"];
/// Inputs have the numbers from 1 on.
const INPUTS: i32 = 4;

/// A condition of a rule: a variable, a comparison and a number.
type Test = (usize, usize, i32);

/// A rule: its input, its tests, its change (a variable, another one, and what is done), and whether it has a label.
type Rule = (i32, Vec<Test>, (usize, usize, usize, i32), bool);

const COMPARISONS: [&str; 4] = ["==", "!=", "<", ">="];

fn holds(values: &[i32; 4], (var, comparison, number): Test) -> bool {
    let value = values[var];
    match comparison {
        0 => value == number,
        1 => value != number,
        2 => value < number,
        _ => value >= number,
    }
}

/// The text of a change and its value. All of them stay within small numbers.
fn change(values: &[i32; 4], (to, from, kind, number): (usize, usize, usize, i32)) -> (String, i32) {
    let (a, b) = (VARS[to], VARS[from]);
    let (x, y) = (values[to], values[from]);
    match kind {
        0 => (format!("{a} = {number};"), number),
        1 => (format!("{a} = ({b} + {number}) % 9;"), (y + number) % 9),
        2 => (format!("{a} = ({a} * 3 - {b}) / 4;"), (x * 3 - y) / 4),
        3 => (format!("{a} = lesser({a}, {b});"), if x < y { x + 1 } else { y }),
        5 => (format!("{a} = ({b} + {number}) % 300;"), (y + number) % 300),
        _ => (format!("{a} = (unsigned char)({b} << 2) & 15;"), (y << 2) & 15),
    }
}

/// How a system reads its input, and what it does with numbers that are none of [`INPUTS`].
const STYLES: [&str; 5] = [
    "int input = __VERIFIER_nondet_int(); if (input == 1) {} else if (input == 2) {} else if (input == 3) {} else { input = 4; }",
    // None of the rules is for the others.
    "int input = __VERIFIER_nondet_int();",
    "int input = __VERIFIER_nondet_int(); if (input > 4) continue; if (input < 1) return 0;",
    "if (__VERIFIER_nondet_int()) continue; int input = __VERIFIER_nondet_int(); __VERIFIER_assume(input >= 1 && input <= 4);",
    "int is_low = 0; int input = __VERIFIER_nondet_int(); is_low = input < 3; if (is_low) { if (input != 1) input = 2; } else if (!(input == 3)) input = 4;",
];

fn text(rules: &[Rule], style: usize) -> String {
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); int mode = 0; int level = 3; int drift = 1; int far = -2; int seen;
         int lesser(int a, int b) { if (a < b) return a + 1; return b; }
         int react(int input) {",
    );
    for (at, (input, tests, done, has_label)) in rules.iter().enumerate() {
        let tests: Vec<String> = tests
            .iter()
            .map(|&(var, comparison, number)| format!("{} {} {number}", VARS[var], COMPARISONS[comparison]))
            .collect();
        let label = if *has_label {
            format!("L{at}: seen = {at};")
        } else {
            String::new()
        };
        let (done, _) = change(&[0; 4], *done);
        text += &format!(
            "if ({} && input == {input}) {{ {done} {label} return {at}; }}\n",
            tests.join(" && ")
        );
    }
    text += "return -1; } int main(void) { int output = 0; while (1) {";
    text + STYLES[style] + "output = react(input); } }"
}

/// The rules that some run takes.
fn taken(rules: &[Rule]) -> BTreeSet<usize> {
    let start = [0, 3, 1, -2];
    let (mut seen, mut open, mut taken) = (BTreeSet::from([start]), VecDeque::from([start]), BTreeSet::new());
    while let Some(values) = open.pop_front() {
        for input in 1..=INPUTS {
            let rule = rules
                .iter()
                .position(|(i, tests, ..)| *i == input && tests.iter().all(|&test| holds(&values, test)));
            let Some(at) = rule else { continue };
            taken.insert(at);
            let mut next = values;
            next[rules[at].2.0] = change(&values, rules[at].2).1;
            if seen.insert(next) {
                open.push_back(next);
            }
        }
    }
    taken
}

fn program(text: &str) -> Program {
    let unit = parse(
        Source::new("random.c", text),
        &FrontendOptions {
            data_model: DataModel::Lp64,
        },
    );
    let unit = unit.unwrap_or_else(|e| panic!("{}", e.render(false)));
    lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

/// The targets that an exploration comes to, each by a path that can be followed, with its states and its steps.
fn explored(
    program: &Program,
    targets: &BTreeSet<EdgeId>,
    shortcuts: bool,
    orders: &[Order],
) -> (BTreeSet<EdgeId>, u64, u64) {
    let code = Compiled::new(program);
    let mut explorer = Explorer::new(&code, targets.iter().copied());
    if shortcuts {
        explorer.take_shortcuts();
    }
    if !orders.is_empty() {
        explorer.seek(orders, 1 << 8, None);
    }
    let mut met = BTreeSet::new();
    loop {
        match explorer.run(20_000_000) {
            Event::Target(edge) => {
                let (choices, length) = explorer.path();
                let path = Path::follow(&code, &choices, length).expect("the path is one of the program");
                assert_eq!(
                    path.steps.last().map(|step| step.edge()),
                    Some(edge),
                    "the path ends at the target"
                );
                met.insert(edge);
            }
            Event::Complete => return (met, explorer.states, explorer.steps),
            event => panic!("{event:?}"),
        }
    }
}

fn rule() -> impl Strategy<Value = Rule> {
    let test = (0..VARS.len(), 0..COMPARISONS.len(), -3..9);
    let done = (0..VARS.len(), 0..VARS.len(), 0usize..5, -3..9);
    (1..=INPUTS, prop::collection::vec(test, 1..4), done, any::<bool>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Builds with debug assertions also compare each stretch that is taken at once with its steps.
    #[test]
    fn shortcuts_lead_where_the_steps_do(rules in prop::collection::vec(rule(), 4..24), style in 0..STYLES.len()) {
        let text = text(&rules, style);
        let program = program(&text);
        let label = |at: usize| program.edges_labelled(&format!("L{at}"));
        let targets: BTreeSet<EdgeId> = (0..rules.len()).flat_map(label).collect();
        let expected: BTreeSet<EdgeId> = taken(&rules).into_iter().flat_map(label).collect();
        for orders in [&[][..], &[Order::Novelty], &[Order::Breadth, Order::Depth]] {
            let (met, ..) = explored(&program, &targets, true, orders);
            prop_assert_eq!(&met, &expected, "{:?} of\n{}", orders, text);
        }
        let (met, ..) = explored(&program, &targets, false, &[]);
        prop_assert_eq!(&met, &expected, "without shortcuts:\n{}", text);
    }
}

/// Rounds of a hundred questions: almost all of the way is taken at once.
#[test]
fn shortcuts_save_steps() {
    let rule = |at: i32| -> Rule {
        (
            1 + at % INPUTS,
            vec![(0, 0, at % 9), (1, 3, at / 9)],
            if at % 2 == 0 {
                (0, 0, 1, at % 5)
            } else {
                (1, 1, 5, 1 + at % 7)
            },
            at == 99,
        )
    };
    let rules: Vec<Rule> = (0..100).map(rule).collect();
    let program = program(&text(&rules, 0));
    let targets: BTreeSet<EdgeId> = program.edges_labelled("L99").into_iter().collect();
    let (with, _, few) = explored(&program, &targets, true, &[]);
    let (without, _, many) = explored(&program, &targets, false, &[]);
    assert_eq!(with, without);
    assert!(few * 2 < many, "{few} steps instead of {many}");
    let code = Compiled::new(&program);
    let mut explorer = Explorer::new(&code, targets.iter().copied());
    explorer.take_shortcuts();
    assert!(!explorer.is_swift(), "nothing was taken yet");
    assert_eq!(
        explored(&program, &targets, true, &[]),
        explored(&program, &targets, true, &[]),
        "it is deterministic"
    );
}

/// In the first round through a ring no state at the join is known, so that states are not looked up there any more. At the head of the loop they have a symbol, and have to be looked up nevertheless.
#[test]
fn a_cycle_is_cut_behind_joins_where_states_never_meet() {
    let text = "extern int __VERIFIER_nondet_int(void); int mode = 0; int ring = 0; int seen;
        int main(void) {
            if (__VERIFIER_nondet_int() > 0) ring = 1;
            int next = __VERIFIER_nondet_int();
            while (1) {
                int input = next;
                if (input < 0) { if (ring) return 0; mode = (mode + 1) % 3000; }
                else { if (!ring) return 0; mode = (mode + 1) % 3000; }
                next = 0; input = 0;
                if (mode > 3000) { L0: seen = 1; }
                int raw = __VERIFIER_nondet_int(); next = raw;
            }
        }";
    let program = program(text);
    let targets: BTreeSet<EdgeId> = program.edges_labelled("L0").into_iter().collect();
    let (with, states, _) = explored(&program, &targets, true, &[]);
    let (without, ..) = explored(&program, &targets, false, &[]);
    assert_eq!((&with, &without), (&BTreeSet::new(), &BTreeSet::new()));
    assert!(states > 6000, "{states} states are those of two rings");
}

/// Inputs that are compared by order stay symbols, and frames of recursive functions come and go: shortcuts are taken between such steps.
#[test]
fn states_with_symbols_go_on_beside_shortcuts() {
    let text = "extern int __VERIFIER_nondet_int(void); int mode = 0; int kept = 0; int seen;
        int down(int n) { if (n <= 0) return 0; int part = n % 3; int rest = down(n - 1); return rest + part; }
        int main(void) {
            while (1) {
                int input = __VERIFIER_nondet_int();
                int a = mode * 2 + 1; int b = a % 5; int c = b + a; int d = c % 4; int e = d + b; a = e % 3; b = a + d; c = b % 5;
                if (input > 10 && mode < 4) { mode = mode + 1; kept = down(mode); }
                else if (input < -5) { mode = (mode + c) % 5; }
                if (kept == 4 && mode == 4) { L0: seen = 1; }
                if (kept == 5) { L1: seen = 2; }
            }
        }";
    let program = program(text);
    let targets: BTreeSet<EdgeId> = ["L0", "L1"]
        .into_iter()
        .flat_map(|label| program.edges_labelled(label))
        .collect();
    let (with, ..) = explored(&program, &targets, true, &[]);
    let (without, ..) = explored(&program, &targets, false, &[]);
    assert_eq!(with, without);
    assert_eq!(
        with,
        program.edges_labelled("L0").into_iter().collect(),
        "1 + 2 + 0 + 1 is 4"
    );
}

/// Explores with shortcuts and without: the targets and the numbers of states.
fn both(text: &str, labels: &[&str]) -> (BTreeSet<EdgeId>, u64, u64) {
    let program = program(text);
    let targets: BTreeSet<EdgeId> = labels.iter().flat_map(|label| program.edges_labelled(label)).collect();
    let (with, states, _) = explored(&program, &targets, true, &[]);
    let (without, others, _) = explored(&program, &targets, false, &[]);
    assert_eq!(with, without);
    (with, states, others)
}

/// The input of one round is kept for the next one, where a rule asks for any number: there are no ways with choices through such a round, but the paths are the same.
#[test]
fn an_input_that_is_kept_stays_a_symbol() {
    let text = "extern int __VERIFIER_nondet_int(void); int mode = 0; int last = 0; int seen;
        int main(void) {
            while (1) {
                if (last == 77 && mode == 5) { L0: seen = 1; }
                if (last > 99 && last < 99) { L1: seen = 2; }
                int input = __VERIFIER_nondet_int();
                if (input == 3) { mode = (mode + 1) % 7; last = 0; } else { last = input; }
            }
        }";
    let (met, ..) = both(text, &["L0", "L1"]);
    assert_eq!(met.len(), program(text).edges_labelled("L0").len());
}

/// A round with more ways than are taken at once, and a chain of choices that is longer than a way may be.
#[test]
fn wide_rounds_are_taken_step_by_step() {
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void); int mode = 0; int seen; int main(void) { while (1) { int input = __VERIFIER_nondet_int();",
    );
    for input in 0..90 {
        text += &format!("if (input == {input}) {{ mode = (mode + {input}) % 91; }} else ");
    }
    text += "{ mode = 0; } if (mode == 90) { L0: seen = 1; } if (mode == 91) { L1: seen = 1; } } }";
    let (met, states, _) = both(&text, &["L0", "L1"]);
    assert_eq!(met, program(&text).edges_labelled("L0").into_iter().collect());
    assert!(states >= 91, "{states} states");
}

/// Most ways through a round lead back to where it began: each state is stored once, whether ways are taken at once or step by step.
#[test]
fn all_ways_of_a_state_are_taken_at_once() {
    let text = "extern int __VERIFIER_nondet_int(void); int mode = 0; int level = 0; int seen;
        int main(void) {
            while (1) {
                int input = __VERIFIER_nondet_int();
                if (input == 1 && mode < 40) { mode = mode + 1; }
                else if (input == 2 && level < 40) { level = level + 1; }
                else if (input == 3 && mode == 40 && level == 40) { L0: seen = 1; return 0; }
            }
        }";
    let program = program(text);
    let targets: BTreeSet<EdgeId> = program.edges_labelled("L0").into_iter().collect();
    let (met, states, steps) = explored(&program, &targets, true, &[]);
    let (others, _, many) = explored(&program, &targets, false, &[]);
    assert_eq!((&met, &others), (&targets, &targets));
    assert!(
        (41 * 41..41 * 41 + 100).contains(&states),
        "{states} states, of which 1,681 are at the head of the loop"
    );
    assert!(steps * 3 < many, "{steps} steps instead of {many}");
}
