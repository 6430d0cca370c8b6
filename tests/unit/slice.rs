//! Slices: what they leave out, and that they reach the targets on exactly the executions on which the program does.

use crate::checks;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use provident::cfa::slice::{Slice, View, slice, thin};
use provident::cfa::{EdgeId, LowerOptions, Op, Printer, Program, Step, lower};
use provident::encode::Partition;
use provident::engine::{self, CounterexampleCandidate, Property, Silent, Verdict};
use provident::evidence::replay::{Replay, Rule, Scripted, SlicedExecution, replay_whole, run};
use provident::evidence::{Judgement, replay};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};

fn program(text: &str) -> Program {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(Source::new("test.c", text), &options).unwrap_or_else(|e| panic!("{}\n{text}", e.render(false)));
    lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

/// The slice for the calls of `reach_error`, with its targets.
fn sliced(program: Program, view: View) -> (Slice, Vec<EdgeId>) {
    let targets = program.edges_calling("reach_error");
    let memory = Partition::new(&program);
    let slice = slice(program, &targets, &memory, view);
    slice.program.validate();
    let left: Vec<EdgeId> = targets.iter().filter_map(|e| slice.edges[e.index()]).collect();
    assert_eq!(
        slice.program.edges_calling("reach_error"),
        left,
        "the way to the targets is known"
    );
    (slice, left)
}

fn check(view: View, text: &str, expected: Expect) {
    let head = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); extern void exit(int);\n";
    let (slice, _) = sliced(program(&format!("{head}{text}")), view);
    let printer = Printer::new(&slice.program);
    let defined = slice.program.function_ids();
    let printed: Vec<String> = defined
        .filter(|&f| f != slice.program.start && slice.program.function(f).defined)
        .map(|f| printer.function(f))
        .collect();
    expected.assert_eq(&printed.concat());
}

#[test]
fn what_decides_nothing_is_left_out() {
    check(
        View::Full,
        "int log, lock; int count(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i; return s; }
         int main(void) { int x = __VERIFIER_nondet_int(); log = count(x);
         if (log > 7) log = 8; else log = 9;
         if (x) lock = 1;
         if (lock) reach_error();
         return log; }",
        expect![[r#"
            main()
              0 -> 1: x = __VERIFIER_nondet_int();
              1 -> 2: [x != 0]
              1 -> 3: [x == 0]
              2 -> 3: lock = 1;
              3 -> 4: [lock != 0]
              3 -> exit: [lock == 0]
              4 -> exit: extern reach_error();
        "#]],
    );
}

/// A thin program has the locations, edges and calls of the whole one by their numbers; reads of memory draw their values behind them.
#[test]
fn a_thin_program_has_the_locations_of_the_program() {
    let text = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
         int log, lock; int *cell; int count(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i; return s; }
         int main(void) { int x = __VERIFIER_nondet_int(); int y; cell = &y; *cell = x; log = count(x);
         if (log > 7) log = 8; else log = 9;
         if (*cell) lock = 1;
         if (lock) reach_error();
         return log; }";
    let whole = program(text);
    let memory = Partition::new(&whole);
    let targets = whole.edges_calling("reach_error");
    for (view, hidden) in [(View::Full, 0), (View::NoCounters, 2)] {
        let thin = thin(&whole, &targets, &memory, view).expect("a small program");
        thin.program.validate();
        assert_eq!(thin.hidden, hidden, "{view:?}");
        assert!(thin.removed > 5, "{view:?}: {}", thin.removed);
        assert_eq!(thin.program.edges_calling("reach_error"), targets);
        assert_eq!(thin.program.nodes.len(), whole.nodes.len() + hidden);
        for node in whole.node_ids() {
            assert_eq!(
                thin.program.node(node).loop_head,
                whole.node(node).loop_head,
                "{node:?}"
            );
        }
        for edge in whole.edge_ids() {
            let (before, now) = (whole.edge(edge), thin.program.edge(edge));
            assert_eq!(before.to, now.to, "{edge:?}");
            let is_call = |op: &Op| matches!(op, Op::Call { .. });
            assert_eq!(is_call(&before.op), is_call(&now.op), "{edge:?}");
        }
        let printed = Printer::new(&thin.program).function(whole.function_by_name("count").expect("it is there"));
        // Where counters are hidden, nothing says that a loop comes to its end, so that it stays.
        assert_eq!(printed.contains("<left out>"), view == View::NoCounters, "{printed}");
        assert_eq!(
            printed.matches('=').count(),
            usize::from(view == View::NoCounters),
            "nothing is counted: {printed}"
        );
    }
}

#[test]
fn paths_that_end_elsewhere_stay() {
    check(
        View::Full,
        "int a, b; void must(int c) { if (!c) exit(1); } void wait(void) { while (b != 3) ; }
         int main(void) { a = __VERIFIER_nondet_int(); b = __VERIFIER_nondet_int();
         must(a > 5); wait();
         if (a < 4) reach_error();
         exit(b); }",
        expect![[r#"
            main()
              0 -> 1: a = __VERIFIER_nondet_int();
              1 -> 2: b = __VERIFIER_nondet_int();
              2 -> 3: must(a > 5);
              3 -> 4: wait();
              4 -> 5: [a < 4]
              4 -> 6: [!(a < 4)]
              5 -> 6: extern reach_error();
            must(c)
              0 -> exit: [c != 0]
              0 -> 2: [c == 0]
            wait()
              0 -> 1:
              1* -> 1: [b != 3]
              1* -> exit: [!(b != 3)]
        "#]],
    );
}

#[test]
fn a_program_without_targets_is_empty_whatever_its_recursion() {
    check(
        View::Full,
        "int f(int n) { return f(n + 1) + f(n + 2); } int main(void) { return f(__VERIFIER_nondet_int()); }",
        expect![""],
    );
}

#[test]
fn hidden_memory_is_any_value_and_nothing_computes_its_addresses() {
    check(
        View::NoCounters,
        "struct s { int ready; struct s *next; } o; int lock;
         int main(void) { struct s *p = &o; int i; p->ready = 1;
         for (i = 0; i < 3; i++) { p = p->next; if (p->ready == p->next->ready) lock = i; }
         if (lock == 2) reach_error();
         return 0; }",
        expect![[r#"
            main()
              0 -> 1:
              1* -> 2: $hidden0 = <left out>;
              2 -> 3: [$hidden0 < 3]
              2 -> 7: [!($hidden0 < 3)]
              3 -> 4: $hidden1 = <left out>;
              4 -> 5: $hidden2 = <left out>;
              5 -> 6: [$hidden1 == $hidden2]
              5 -> 1: [!($hidden1 == $hidden2)]
              6 -> 1: lock = <left out>;
              7 -> 8: [lock == 2]
              7 -> exit: [!(lock == 2)]
              8 -> exit: extern reach_error();
        "#]],
    );
}

#[test]
fn hidden_counters_are_any_value() {
    check(
        View::NoCounters,
        "int lock; int main(void) { int i, n = __VERIFIER_nondet_int();
         for (i = 0; i < n; i++) if (i == 3) lock = 1;
         if (lock) reach_error();
         return 0; }",
        expect![[r#"
            main()
              0 -> 1: n = __VERIFIER_nondet_int();
              1* -> 2: $hidden0 = <left out>;
              2 -> 3: [$hidden0 < n]
              2 -> 6: [!($hidden0 < n)]
              3 -> 4: $hidden1 = <left out>;
              4 -> 5: [$hidden1 == 3]
              4 -> 1: [!($hidden1 == 3)]
              5 -> 1: lock = 1;
              6 -> 7: [lock != 0]
              6 -> exit: [lock == 0]
              7 -> exit: extern reach_error();
        "#]],
    );
}

/// The variables that statements read and write: every function has these names.
const CELLS: [&str; 9] = ["g", "h", "o.a", "q.b", "arr[1]", "*p", "r->a", "r->next->b", "x"];

fn cell() -> impl Strategy<Value = &'static str> {
    (0..CELLS.len()).prop_map(|i| CELLS[i])
}

fn cond() -> impl Strategy<Value = String> {
    let op = prop_oneof![Just("<"), Just("=="), Just("!=")];
    (cell(), op, -2i32..6).prop_map(|(a, op, c)| format!("{a} {op} {c}"))
}

fn statement() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => (cell(), cell(), -3i32..4).prop_map(|(a, b, c)| format!("{a} = {b} + {c};")),
        2 => (cell(), cell()).prop_map(|(a, b)| format!("arr[{b} & 3] = {a};")),
        1 => (cell(), cell()).prop_map(|(a, b)| format!("{a} = arr[{b} & 3];")),
        1 => Just("r = r->next;".to_string()),
        1 => Just("p = &h;".to_string()),
        1 => Just("p = &r->b;".to_string()),
        1 => Just("o = q;".to_string()),
        2 => cond().prop_map(|c| format!("if ({c}) reach_error();")),
        1 => cond().prop_map(|c| format!("if ({c}) exit(1);")),
        1 => cond().prop_map(|c| format!("while ({c}) ;")),
        1 => cond().prop_map(|c| format!("__VERIFIER_assume({c});")),
        1 => cond().prop_map(|c| format!("if ({c}) return RESULT;")),
        2 => (cell(), cell()).prop_map(|(a, b)| format!("CALL({a}, {b});")),
    ];
    leaf.prop_recursive(3, 12, 3, move |inner| {
        prop_oneof![
            (cond(), inner.clone(), inner.clone()).prop_map(|(c, s, t)| format!("if ({c}) {{ {s} }} else {{ {t} }}")),
            (inner.clone(), 1u32..4).prop_map(|(s, n)| format!("{{ int i; for (i = 0; i < {n}; i++) {{ {s} }} }}")),
            (inner.clone(), inner).prop_map(|(s, t)| format!("{s} {t}")),
        ]
    })
}

fn text() -> impl Strategy<Value = String> {
    let body = || prop::collection::vec(statement(), 1..6).prop_map(|list| list.join("\n  "));
    (body(), body(), body()).prop_map(|(first, second, main)| {
        format!(
            "extern unsigned char __VERIFIER_nondet_uchar(void); extern void reach_error(void); extern void exit(int);
extern void __VERIFIER_assume(int);
struct s {{ int a, b; struct s *next; }};
extern struct s q; struct s o = {{ 1, 2, &q }}, q = {{ 3, 4, &o }}; int g, h, arr[4], *p = &g;
int first(int x) {{ struct s *r = &q;
  {}
  return g + x; }}
int second(int x) {{ struct s *r = &o;
  {}
  return h - x; }}
int main(void) {{ int x = __VERIFIER_nondet_uchar() & 15; struct s *r = &o;
  {}
  return 0; }}
",
            first.replace("RESULT", "x").replace("CALL(", "void_of("),
            second.replace("RESULT", "h").replace("CALL(", "take_first("),
            main.replace("RESULT", "0").replace("CALL(", "take_both("),
        )
        .replace("int first", "#define_calls\nint first")
    })
}

/// Calls as the functions make them: none in the first, of the first in the second, of both in `main`.
fn with_calls(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.replace("#define_calls\n", "").lines() {
        let mut line = line.to_owned();
        for (name, call) in [
            ("void_of(", "(A) = (B);"),
            ("take_first(", "A = first(B);"),
            ("take_both(", "A = second(B); first(A);"),
        ] {
            while let Some(at) = line.find(name) {
                let end = at + line[at..].find(");").expect("a call ends");
                let (a, b) = line[at + name.len()..end].split_once(", ").expect("two arguments");
                let made = call.replace('A', a).replace('B', b);
                line.replace_range(at..end + 2, &made);
            }
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// For each of the 16 inputs whether an execution comes to a target.
fn hits(program: &Program, targets: &[EdgeId]) -> Vec<bool> {
    let hit = |input: i64| {
        let executed = run(program, &mut Scripted::new([input]), 4000);
        executed.edges.iter().any(|edge| targets.contains(edge))
    };
    (0..16).map(hit).collect()
}

/// Decides a program; `seen` is told of each confirmed violation, with its path.
fn decide(program: &Program, targets: Vec<EdgeId>, seen: &mut dyn FnMut(&[Step], &Replay)) -> Verdict {
    let property = Property {
        name: "p".to_string(),
        targets,
        tracking: Default::default(),
    };
    let mut confirm = |candidate: &CounterexampleCandidate| {
        let result = replay(program, &candidate.steps, &candidate.inputs);
        if result.judgement == Judgement::Confirmed {
            seen(&candidate.steps, &result);
        }
        result.judgement.into()
    };
    let mut options = engine::Options {
        check: checks::enabled(),
        ..engine::Options::default()
    };
    options.limits.ticks = Some(300_000);
    options.explicit.steps = 20_000;
    let mut outcome = engine::verify(program, &[property], &options, &mut Silent, &mut confirm);
    outcome.verdicts.remove(0).1
}

fn proves(program: &Program, targets: Vec<EdgeId>) -> bool {
    matches!(decide(program, targets, &mut |_, _| {}), Verdict::True)
}

/// The course of the whole program under the inputs of a violation of its full slice, if one is found.
fn repeated(whole: &Program, slice: &Slice, targets: Vec<EdgeId>) -> Option<Judgement> {
    let mut judgement = None;
    decide(&slice.program, targets, &mut |steps, replay| {
        let sliced = SlicedExecution {
            program: &slice.program,
            edges: &slice.edges,
            steps,
            replay,
        };
        judgement = Some(replay_whole(whole, sliced, Rule::default()).judgement);
    });
    judgement
}

/// A slice comes to a target on exactly those inputs on which the program does, its violations are those of the program, and what holds of a slice with any values holds of the program.
#[test]
fn slices_of_random_programs_reach_what_the_programs_reach() {
    let mut runner = TestRunner::new(Config {
        cases: 400,
        failure_persistence: None,
        ..Config::default()
    });
    let checked = runner.run(&text(), |text| {
        let text = with_calls(&text);
        let whole = program(&text);
        let targets = whole.edges_calling("reach_error");
        let expected = hits(&whole, &targets);
        let (full, left) = sliced(whole.clone(), View::Full);
        prop_assert_eq!(&hits(&full.program, &left), &expected, "{}", text);
        let repeated = repeated(&whole, &full, left);
        prop_assert!(repeated.is_none_or(|j| j == Judgement::Confirmed), "{}", text);
        let (rough, left) = sliced(whole.clone(), View::NoCounters);
        let is_wrong = proves(&rough.program, left) && expected.contains(&true);
        prop_assert!(!is_wrong, "what is hidden proves what is wrong:\n{}", text);
        Ok(())
    });
    checked.unwrap_or_else(|e| panic!("{e}"));
}
