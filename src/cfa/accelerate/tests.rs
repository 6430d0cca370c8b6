//! Lanes, held against the turns that they stand for: an interpreter of the operations takes both.

use super::{accelerate, cycles};
use crate::cfa::program::expr::{binary, cast, unary};
use crate::cfa::program::*;
use crate::cfa::{LowerOptions, Printer, lower};
use crate::frontend::text::source::Source;
use crate::frontend::types::{DataModel, IntKind, TypeId, Types};
use crate::frontend::{FrontendOptions, parse};
use expect_test::{Expect, expect};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// More steps than any test needs.
const LONGEST: u64 = 80_000_000;

fn program(text: &str) -> Program {
    let text = format!("extern int __VERIFIER_nondet_int(void); extern long in(void);\n{text}");
    let data_model = DataModel::Lp64;
    let unit = parse(Source::new("test.c", text), &FrontendOptions { data_model })
        .unwrap_or_else(|e| panic!("{}", e.render(false)));
    lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

/// Any number of a test.
const WIDEST: TypeId = Types::int(IntKind::Int128);

type State = BTreeMap<VarId, Expr>;

/// The value of an expression of numbers.
fn value(types: &Types, state: &State, expr: &Expr) -> Expr {
    let of = |part: &Expr| value(types, state, part);
    match &expr.kind {
        ExprKind::Load(place) => state[&place.as_whole_var().expect("a plain variable")].clone(),
        ExprKind::Cast(a) => cast(types, of(a), expr.ty),
        ExprKind::Unary(op, a) => unary(types, *op, of(a)),
        ExprKind::Binary(op, a, b) => binary(types, *op, of(a), of(b), expr.ty),
        _ => expr.clone(),
    }
}

/// Takes operations, with inputs in their order. Returns whether all conditions hold.
fn take<'o>(
    types: &Types,
    state: &mut State,
    ops: impl Iterator<Item = &'o Op>,
    inputs: &mut impl Iterator<Item = i128>,
) -> bool {
    for op in ops {
        match op {
            Op::Assume { cond, truth } => {
                let holds = !value(types, state, cond).as_const().expect("a number").is_zero();
                if holds != *truth {
                    return false;
                }
            }
            Op::Assign { lhs, rhs } => {
                let rhs = value(types, state, rhs);
                state.insert(lhs.as_whole_var().unwrap(), rhs);
            }
            Op::Havoc { place, .. } | Op::External { ret: Some(place), .. } => {
                let number = Expr::int(inputs.next().expect("enough inputs"), WIDEST);
                state.insert(place.as_whole_var().unwrap(), cast(types, number, place.ty));
            }
            Op::Nop | Op::Label(_) => {}
            other => panic!("no operation of a lane: {other:?}"),
        }
    }
    true
}

/// The lanes of the first loop of a program: their operations.
fn lanes(program: &Program) -> Vec<Vec<Op>> {
    let Some(accelerated) = accelerate(program, &[], LONGEST) else {
        return Vec::new();
    };
    accelerated.program.validate();
    let lane = |first: usize| {
        let mut at = EdgeId::new(first);
        let mut ops = Vec::new();
        loop {
            let edge = accelerated.program.edge(at);
            ops.push(edge.op.clone());
            match accelerated.program.node(edge.to).outgoing.as_slice() {
                [next] if next.index() >= program.edges.len() => at = *next,
                _ => break ops,
            }
        }
    };
    accelerated
        .lanes
        .iter()
        .map(|lane_edges| lane(lane_edges.first))
        .collect()
}

fn check(text: &str, expected: Expect) {
    let program = program(text);
    let accelerated = accelerate(&program, &[], LONGEST);
    let printed = accelerated.map_or_else(String::new, |accelerated| {
        let printer = Printer::new(&accelerated.program);
        let lines = lanes(&program).into_iter().map(|ops| {
            let lines: Vec<String> = ops.iter().map(|op| format!("{}\n", printer.op(op))).collect();
            lines.concat()
        });
        lines.collect::<Vec<_>>().join("or\n")
    });
    expected.assert_eq(&printed);
}

#[test]
fn a_counter_and_what_follows_it() {
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(), j = 0; unsigned char c = 0;
         for (int i = 0; i < n; i += 2) { j = 3 * i + n; c++; } return j + c; }",
        expect![[r#"
            [i < n]
            j = 3 * i + n;
            c = (unsigned char)((int)c + 1);
            i = i + 2;
            turns 5 = <how many turns a loop takes>;
            [turns 5 >= 1U]
            [turns 5 <= 20000000U]
            [(long long)i + (long long)turns 5 * 2L <= 2147483647L]
            [(long long)i - 2L >= -2147483648L]
            c = (unsigned char)((long long)c + (long long)turns 5);
            i = (int)((long long)i + (long long)turns 5 * 2L);
            [i < n]
            j = 3 * i + n;
            c = (unsigned char)((int)c + 1);
            i = i + 2;
        "#]],
    );
}

#[test]
fn a_sum_of_a_counter() {
    check(
        "int main(void) { unsigned s = 0; for (unsigned short i = 9; i > 0; i--) s += i; return s; }",
        expect![[r#"
            [(int)i > 0]
            s = s + (unsigned int)i;
            i = (unsigned short)((int)i - 1);
            turns 3 = <how many turns a loop takes>;
            [turns 3 >= 1U]
            [turns 3 <= 26666666U]
            [(long long)i + -(long long)turns 3 >= 0L]
            [(long long)i - -1L <= 65535L]
            [(long long)i + -(long long)turns 3 >= -2147483648L]
            [(long long)i - -1L <= 2147483647L]
            s = (unsigned int)((long long)s + ((long long)turns 3 * (long long)i + (long long)turns 3 * ((long long)turns 3 - 1L) / 2L * -1L));
            i = (unsigned short)((long long)i + -(long long)turns 3);
            [(int)i > 0]
            s = s + (unsigned int)i;
            i = (unsigned short)((int)i - 1);
        "#]],
    );
}

#[test]
fn an_inequation_has_two_sides_and_each_path_its_lanes() {
    check(
        "int main(void) { long n = in(), x = 0, y = 0; while (x != n) { if (x < 1000) y += n; x += 5; } return y; }",
        expect![[r#"
            [x < n]
            [x < 1000L]
            y = y + n;
            x = x + 5L;
            turns 4 = <how many turns a loop takes>;
            [turns 4 >= 1U]
            [turns 4 <= 20000000U]
            [(unsigned long long)turns 4 <= (9223372036854775807UL - (unsigned long long)x) / 5UL]
            [(unsigned long long)x - 9223372036854775808UL >= 5UL]
            x = (long)((long long)x + (long long)turns 4 * 5L);
            y = (long)((long long)y + (long long)turns 4 * (long long)n);
            [x < n]
            [x < 1000L]
            y = y + n;
            x = x + 5L;
            or
            [x > n]
            [x < 1000L]
            y = y + n;
            x = x + 5L;
            turns 4 = <how many turns a loop takes>;
            [turns 4 >= 1U]
            [turns 4 <= 20000000U]
            [(unsigned long long)turns 4 <= (9223372036854775807UL - (unsigned long long)x) / 5UL]
            [(unsigned long long)x - 9223372036854775808UL >= 5UL]
            x = (long)((long long)x + (long long)turns 4 * 5L);
            y = (long)((long long)y + (long long)turns 4 * (long long)n);
            [x > n]
            [x < 1000L]
            y = y + n;
            x = x + 5L;
            or
            [x < n]
            [!(x < 1000L)]
            x = x + 5L;
            turns 5 = <how many turns a loop takes>;
            [turns 5 >= 1U]
            [turns 5 <= 26666666U]
            [(unsigned long long)turns 5 <= (9223372036854775807UL - (unsigned long long)x) / 5UL]
            [(unsigned long long)x - 9223372036854775808UL >= 5UL]
            x = (long)((long long)x + (long long)turns 5 * 5L);
            [x < n]
            [!(x < 1000L)]
            x = x + 5L;
            or
            [x > n]
            [!(x < 1000L)]
            x = x + 5L;
            turns 5 = <how many turns a loop takes>;
            [turns 5 >= 1U]
            [turns 5 <= 26666666U]
            [(unsigned long long)turns 5 <= (9223372036854775807UL - (unsigned long long)x) / 5UL]
            [(unsigned long long)x - 9223372036854775808UL >= 5UL]
            x = (long)((long long)x + (long long)turns 5 * 5L);
            [x > n]
            [!(x < 1000L)]
            x = x + 5L;
        "#]],
    );
}

#[test]
fn an_input_is_the_same_in_all_turns() {
    check(
        "int main(void) { int x = 0; while (__VERIFIER_nondet_int() > 3) x++; return x; }",
        expect![[r#"
            $1 = __VERIFIER_nondet_int();
            input 3 = $1;
            [$1 > 3]
            x = x + 1;
            turns 4 = <how many turns a loop takes>;
            [turns 4 >= 1U]
            [turns 4 <= 26666666U]
            x = (int)((long long)x + (long long)turns 4);
            $1 = __VERIFIER_nondet_int();
            [$1 > 3]
            x = x + 1;
        "#]],
    );
}

/// Loops that are left as they are: what a turn does has no closed form, a condition is not one of counters, memory is written, or nothing moves.
#[test]
fn other_loops_have_no_lanes() {
    for body in [
        "while (x < n) x = 2 * x + 1;",
        "while (x * x < n) x++;",
        "while (x < n) { t[x & 7] = x; x++; }",
        "while (__VERIFIER_nondet_int()) x = n;",
        "while (x < n) { int y = x; x = n - y; }",
    ] {
        let text = format!("int t[8]; int main(void) {{ int n = __VERIFIER_nondet_int(), x = 0; {body} return x; }}");
        assert_eq!(lanes(&program(&text)), Vec::<Vec<Op>>::new(), "{body}");
    }
}

/// Holds the lanes of a loop against the turns that they stand for. `starts` are the values of `a`, `b`, `c` and `n` at its head.
fn stands_for_its_turns(text: &str, starts: &[i128], turns: u32, input: i128) {
    let program = program(text);
    let Some(accelerated) = accelerate(&program, &[], LONGEST) else {
        return;
    };
    let types = &program.types;
    let head = program.node_ids().find(|&node| program.node(node).loop_head);
    let paths = cycles::paths(&program, head.expect("a loop"), &BTreeSet::new());
    let mut state = State::new();
    for (var, variable) in accelerated.program.var_ids().zip(&accelerated.program.vars) {
        let nth = ["a", "b", "c", "n"].iter().position(|name| *name == variable.display);
        let start = nth.map_or(0, |nth| starts[nth]);
        if types.integer(variable.ty).is_some() {
            state.insert(var, cast(types, Expr::int(start, WIDEST), variable.ty));
        }
    }
    for lane in lanes(&program) {
        let mut far = state.clone();
        let is_choice = |op: &Op| {
            matches!(
                op,
                Op::Havoc {
                    source: Input::Choice(_),
                    ..
                }
            )
        };
        let is_input = |op: &&Op| matches!(op, Op::Havoc { .. } | Op::External { ret: Some(_), .. });
        let choice = lane.iter().position(is_choice).expect("a number of turns is chosen");
        let asked = lane[..choice].iter().filter(is_input).count();
        let chosen = std::iter::repeat_n(input, asked).chain([i128::from(turns)]);
        let mut inputs = chosen.chain(std::iter::repeat(input));
        if !take(types, &mut far, lane.iter(), &mut inputs) {
            continue;
        }
        // One of the paths gives the same state after as many turns.
        let is_same = paths.iter().any(|path| {
            let mut near = state.clone();
            let mut inputs = std::iter::repeat(input);
            let turn = || path.iter().map(|&edge| &program.edge(edge).op);
            (0..turns + 2).all(|_| take(types, &mut near, turn(), &mut inputs))
                && program.var_ids().all(|var| near.get(&var) == far.get(&var))
        });
        assert!(is_same, "{text} from {starts:?}, {turns} turns with {input}: {lane:#?}");
    }
}

/// A number that is converted to more bits has wrapped around before.
#[test]
fn numbers_wrap_around_before_they_are_converted() {
    let text = "int main(void) { unsigned a = in(); long c = in(), n = in(); while (a < n) { c += 2 * a - 7; a -= 3; } return c; }";
    for turns in [1, 3, 20] {
        stands_for_its_turns(text, &[-110, 0, 0, 1 << 40], turns, 0);
        stands_for_its_turns(text, &[90, 0, 5, 1 << 40], turns, 0);
    }
}

const TYPES: [&str; 6] = ["signed char", "unsigned char", "short", "int", "unsigned", "long"];

/// Statements of a body, in which `a`, `b` and `c` are variables, `n` stays, and `u` is a value of the turn.
const STATEMENTS: [&str; 12] = [
    "a++;",
    "a -= 3;",
    "b += n;",
    "b = 2 * a + 5;",
    "c += a;",
    "c = c + b - n;",
    "c += 2 * a - 7;",
    "u = b; c = u + 1;",
    "b = n; c += b;",
    "u = in(); c += u;",
    "c ^= 1;",
    "b += 200;",
];

const CONDITIONS: [&str; 8] = [
    "a < n",
    "a != n",
    "a >= b",
    "c < 100",
    "n",
    "in() > 0",
    "a + 3 <= 2 * n",
    "!(b == n)",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]
    /// A lane whose conditions hold gives the state behind as many turns as it stands for, and the conditions hold in all of them.
    #[test]
    fn a_lane_is_the_turns_that_it_stands_for(
        types in prop::collection::vec(0..TYPES.len(), 4),
        condition in 0..CONDITIONS.len(),
        inner in prop::option::of((0..CONDITIONS.len(), 0..STATEMENTS.len(), 0..STATEMENTS.len())),
        body in prop::collection::vec(0..STATEMENTS.len(), 1..4),
        starts in prop::collection::vec(prop_oneof![-20i128..20, -300i128..300, any::<i64>().prop_map(i128::from)], 4),
        turns in prop_oneof![1u32..12, 1u32..300],
        input in -5i128..5,
    ) {
        let [a, b, c, n] = [0, 1, 2, 3].map(|at| TYPES[types[at]]);
        let inner = inner.map_or_else(String::new, |(test, then, other)| {
            format!("if ({}) {{ {} }} else {{ {} }}", CONDITIONS[test], STATEMENTS[then], STATEMENTS[other])
        });
        let body: Vec<&str> = body.iter().map(|&at| STATEMENTS[at]).collect();
        let text = format!(
            "int main(void) {{ {a} a = in(); {b} b = in(); {c} c = in(); {n} n = in(); long u = 0; while ({}) {{ {} {inner} }} return a + b + c; }}",
            CONDITIONS[condition], body.concat(),
        );
        stands_for_its_turns(&text, &starts, turns, input);
    }
}
