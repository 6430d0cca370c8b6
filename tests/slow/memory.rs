//! Random programs with pointers, arrays, structures and unions: the verdict against all executions.
//!
//! The inputs of a program are in a tiny range, so that the concrete machine can execute all of them. Whether one calls `reach_error` is
//! the expected verdict. The analysis may give up, but never say otherwise: with formulas alone, and with default options.
//! Programs with an execution of undefined behaviour have no expected verdict and are left out.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use provident::cfa::{LowerOptions, Program, lower};
use provident::engine::{self, CounterexampleCandidate, Explicit, Limits, Property, Silent, Verdict};
use provident::evidence::replay;
use provident::evidence::replay::{RunEnd, Scripted, run};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use std::cell::Cell;

/// Inputs are from 0 to this.
const MAX_INPUT: i64 = 2;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
struct node { int a; short b; int *link; struct node *next; };
union view { int whole; unsigned char bytes[4]; short halves[2]; };
int g = 1, m[4] = {3, 0, 2, 1};
struct node s, t;
union view u;
struct box { void *any; long number; int *array[2]; } box, copy;
int *lost;
extern void *memcpy(void *, const void *, unsigned long);
extern void *calloc(unsigned long, unsigned long);
int *first(int *a) { return a; }
int *second(int *a) { return &m[2]; }
int *(*choice[2])(int *) = { first, second };
void put(int **place, int *what) { *place = what; }
void swap(int *a, int *b) { int old = *a; *a = *b; *b = old; }
int *choose(int which, int *a, int *b) { if (which) return a; return b; }
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x < 0 || x > 2 || y < 0 || y > 2) return 0;
  short h = 5;
  int k[3] = {1, 2, 3};
  int *p = &x, *q = &m[1];
  struct node *n = &s;
  unsigned char *c = (unsigned char *)&g;
  short *w = &h;
  s.a = 4; s.b = -1; s.link = &g; s.next = &t;
  t.a = y; t.b = 2; t.link = &k[1]; t.next = &s;
  u.whole = 258;
  struct node *fresh = calloc(1, sizeof(struct node));
  fresh->link = &m[0]; fresh->next = &t;
  int **pp = &p;
  box.any = &k[1]; box.number = (long)&g; box.array[0] = &x; box.array[1] = &m[3];
  copy = box; lost = &g;
";

/// Objects of type `int`.
const INTS: &[&str] = &[
    "x",
    "y",
    "g",
    "m[1]",
    "m[x]",
    "m[y + 1]",
    "k[x]",
    "k[2]",
    "s.a",
    "t.a",
    "n->a",
    "n->next->a",
    "*p",
    "*q",
    "*n->link",
    "*s.link",
    "u.whole",
    "q[0]",
    "**pp",
    "*(int *)box.any",
    "*(int *)box.number",
    "*copy.array[x & 1]",
    "fresh->a",
    "fresh->next->a",
    "*fresh->link",
    "*lost",
];
/// Objects of narrower types.
const NARROW: &[&str] = &[
    "h",
    "*w",
    "s.b",
    "n->b",
    "u.bytes[0]",
    "u.bytes[y]",
    "u.halves[1]",
    "c[0]",
    "c[x]",
];
/// Addresses of objects of type `int`.
const ADDRESSES: &[&str] = &[
    "&x",
    "&y",
    "&g",
    "&m[2]",
    "&m[x]",
    "k",
    "&k[y]",
    "&s.a",
    "&n->a",
    "&t.a",
    "n->link",
    "p",
    "q",
    "&u.whole",
    "choose(x, p, q)",
    "choose(y == 1, &g, &t.a)",
    "*pp",
    "(int *)box.any",
    "(int *)copy.number",
    "box.array[y & 1]",
    "choice[x & 1](&s.a)",
    "fresh->link",
    "&fresh->a",
    "lost",
];

fn value() -> impl Strategy<Value = String> {
    let object = || prop_oneof![3 => select(INTS), 1 => select(NARROW)];
    prop_oneof![
        object().prop_map(str::to_string),
        (-3i32..300).prop_map(|c| c.to_string()),
        (object(), -2i32..5).prop_map(|(a, c)| format!("{a} + {c}")),
        (object(), object()).prop_map(|(a, b)| format!("{a} - {b}")),
    ]
}

fn condition() -> impl Strategy<Value = String> {
    let op = select(&["<", "==", "!=", ">="][..]);
    let pointers = select(&["p == q", "p == &x", "n == &s", "n->link == p", "q != &m[1]", "w == &h"][..]);
    prop_oneof![
        4 => (value(), op, value()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        1 => pointers.prop_map(str::to_string),
    ]
}

fn statement() -> impl Strategy<Value = String> {
    let object = prop_oneof![3 => select(INTS), 2 => select(NARROW)];
    let pointer = select(&["p", "q", "n->link", "t.link", "*pp", "lost", "fresh->link"][..]);
    let other = select(
        &[
            "n = n->next;",
            "n = &t;",
            "s = t;",
            "t = *n;",
            "w = &n->b;",
            "w = &h;",
            "c = (unsigned char *)p;",
            "c = (unsigned char *)&k[1];",
            "c = u.bytes;",
            "swap(p, q);",
            "swap(&m[x], &m[3]);",
            "(*p)++;",
            "pp = &q;",
            "pp = &lost;",
            "pp = &n->link;",
            "put(&q, p);",
            "put(pp, &t.a);",
            "put(&box.array[x & 1], q);",
            "box.any = p;",
            "box.number = (long)q + 4 - 4;",
            "copy = box;",
            "memcpy(&copy, &box, sizeof box);",
            "memcpy(&p, &q, sizeof p);",
            "memcpy(&lost, &box.number, 8);",
            "memcpy(fresh, n, sizeof s);",
            "n = fresh;",
            "*fresh = s;",
            "n = (struct node *)((char *)&t.link - __builtin_offsetof(struct node, link));",
            "lost = choice[y & 1](q);",
        ][..],
    );
    let simple = prop_oneof![
        4 => (object, value()).prop_map(|(a, v)| format!("{a} = {v};")),
        3 => (pointer, select(ADDRESSES)).prop_map(|(p, a)| format!("{p} = {a};")),
        2 => other.prop_map(str::to_string),
    ];
    simple.prop_recursive(2, 8, 3, |inner| {
        let body = || prop::collection::vec(inner.clone(), 1..3).prop_map(|list| list.join(" "));
        prop_oneof![
            (condition(), body(), body()).prop_map(|(c, a, b)| format!("if ({c}) {{ {a} }} else {{ {b} }}")),
            (1u32..4, body()).prop_map(|(rounds, body)| format!("for (int i = 0; i < {rounds}; i++) {{ {body} }}")),
        ]
    })
}

fn program(text: &str) -> Program {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(Source::new("random.c", text), &options).unwrap_or_else(|e| panic!("{}", e.render(false)));
    lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

/// Whether some execution calls `reach_error`; `None` if one has undefined behaviour or does not end.
fn is_violated(program: &Program) -> Option<bool> {
    let targets = program.edges_calling("reach_error");
    let mut violated = false;
    for x in 0..=MAX_INPUT {
        for y in 0..=MAX_INPUT {
            let executed = run(program, &mut Scripted::new([x, y]), 5000);
            if !matches!(executed.end, RunEnd::Finished | RunEnd::Stuck) {
                return None;
            }
            violated |= executed.edges.iter().any(|edge| targets.contains(edge));
        }
    }
    Some(violated)
}

fn verify(program: &Program, options: &engine::Options) -> Verdict {
    let property = Property {
        name: "p".to_string(),
        targets: program.edges_calling("reach_error"),
        ..Property::default()
    };
    let mut confirm =
        |candidate: &CounterexampleCandidate| replay(program, &candidate.steps, &candidate.inputs).judgement.into();
    let outcome = engine::verify(program, &[property], options, &mut Silent, &mut confirm);
    outcome.verdicts.into_iter().next().expect("there is one property").1
}

#[test]
fn verdicts_about_memory_are_those_of_all_executions() {
    let limits = Limits {
        ticks: Some(1_500_000),
        ..Limits::default()
    };
    let default = engine::Options {
        limits,
        check: true,
        ..engine::Options::default()
    };
    let formulas = engine::Options {
        explicit: Explicit {
            enabled: false,
            ..Explicit::default()
        },
        ideal_ticks: 0,
        ..default.clone()
    };
    let strategy = (prop::collection::vec(statement(), 2..9), condition());
    let config = ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 400,
        ..ProptestConfig::with_cases(CASES)
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let [compared, violated, unknown] = [const { Cell::new(0) }; 3];
    let count = |counter: &Cell<u32>, by: bool| counter.set(counter.get() + u32::from(by));
    let result = runner.run(&strategy, |(statements, last)| {
        let text = format!(
            "{HEAD}  {}\n  if ({last}) reach_error();\n  return 0;\n}}\n",
            statements.join("\n  ")
        );
        let program = program(&text);
        let Some(expected) = is_violated(&program) else {
            return Ok(());
        };
        count(&compared, true);
        count(&violated, expected);
        for (name, options) in [("formulas", &formulas), ("default", &default)] {
            match verify(&program, options) {
                Verdict::True => prop_assert!(!expected, "{name}: TRUE, but an execution gets there:\n{text}"),
                Verdict::False(_) => prop_assert!(expected, "{name}: FALSE, but no execution gets there:\n{text}"),
                Verdict::Unknown(_) => count(&unknown, true),
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
    let [compared, violated, unknown] = [compared, violated, unknown].map(Cell::into_inner);
    println!(
        "{compared} programs, {violated} of them violated, {unknown} answers of {} unknown",
        2 * compared
    );
    assert!(compared > CASES / 2, "only {compared} programs have defined behaviour");
    assert!(unknown < compared, "{unknown} of {} answers are unknown", 2 * compared);
}

/// Random programs per test.
const CASES: u32 = 150;
