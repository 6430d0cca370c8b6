//! Path formulas against direct evaluation.
//!
//! Programs are C text. A walker follows the one path that a deterministic program has by asking the solver which branch is feasible; then the
//! formula of the path must force the value that the C standard (as gcc implements it) gives. Random expressions are
//! evaluated by a little interpreter of C's conversion rules that shares nothing with the encoder.

use proptest::prelude::*;
use provident::cfa::{LowerOptions, lower};
use provident::cfa::{NodeId, Op, Program, Step, is_call};
use provident::encode::{
    Arith, Encoder, InputKind, PathFormula, encode_path, encode_path_with_inputs, evaluate_operator,
};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use provident_smt::num::Int;
use provident_smt::proof::Part;
use provident_smt::solver::{Answer, Config, Solver};
use provident_smt::term::{TermId, TermPool};

const NONDET: &str = "extern signed char nondet_0(void); extern unsigned char nondet_1(void); \
    extern short nondet_2(void); extern unsigned short nondet_3(void); extern int nondet_4(void); \
    extern unsigned nondet_5(void); extern long nondet_6(void); extern unsigned long nondet_7(void); \
    extern _Bool nondet_8(void);\n";

fn program_of(text: &str, model: DataModel) -> Program {
    let unit = parse(Source::new("test.c", text), &FrontendOptions { data_model: model })
        .unwrap_or_else(|problems| panic!("{text}\n{problems:?}"));
    lower(unit, &LowerOptions::default()).expect("the program can be lowered")
}

fn satisfiable(pool: &mut TermPool, formulas: &[TermId]) -> bool {
    let mut solver = Solver::new(Config::default());
    for &formula in formulas {
        solver.assert(pool, formula, Part(0));
    }
    match solver.check(pool, &[]) {
        Answer::Sat => true,
        Answer::Unsat => false,
        Answer::Unknown(reason) => panic!("the solver gave up: {reason:?}"),
    }
}

/// Follows the program from its start to the end of `main`, taking feasible branches. Panics if both or none is.
fn walk(program: &Program, encoder: &mut Encoder<'_>, pool: &mut TermPool) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut calls = Vec::new();
    let mut at: NodeId = program.function(program.start).entry;
    for _ in 0..2000 {
        let node = program.node(at);
        if at == program.function(node.func).exit {
            let Some(call) = calls.pop() else { return steps };
            steps.push(Step::Leave(call));
            at = program.edge(call).to;
            continue;
        }
        let feasible: Vec<_> = match node.outgoing[..] {
            [only] => vec![only],
            _ => {
                let mut found = Vec::new();
                for &edge in &node.outgoing {
                    let mut longer = steps.clone();
                    longer.push(Step::Edge(edge));
                    let path = encoder.frames(&longer);
                    let formulas = encode_path(encoder, pool, &path, &[]);
                    if satisfiable(pool, &formulas) {
                        found.push(edge);
                    }
                }
                found
            }
        };
        let [edge] = feasible[..] else {
            panic!("{} feasible branches at node {at:?}", feasible.len())
        };
        if is_call(program, edge).is_some() {
            calls.push(edge);
            steps.push(Step::Enter(edge));
        } else {
            steps.push(Step::Edge(edge));
        }
        at = steps[steps.len() - 1].target(program);
    }
    panic!("the program does not end");
}

/// The value of a variable behind a path.
fn variable(encoder: &Encoder<'_>, pool: &mut TermPool, end: &PathFormula, name: &str) -> TermId {
    let slot = encoder.slot_of(name).unwrap_or_else(|| panic!("no variable {name}"));
    let symbol = pool.symbol(name);
    pool.int_var(symbol, end.ssa.index(slot))
}

/// A deterministic program must end with this value of `main::r`.
fn check_value(text: &str, expected: i64, model: DataModel) {
    check_value_in(text, expected, model, true);
}

/// The same; `apart` also takes every step as a block of its own, in which the encoder knows nothing of the steps before.
fn check_value_in(text: &str, expected: i64, model: DataModel, apart: bool) {
    let text = format!("{NONDET}{text}");
    let program = program_of(&text, model);
    let mut pool = TermPool::new();
    let mut encoder = Encoder::new(&program, Arith::Machine);
    let steps = walk(&program, &mut encoder, &mut pool);
    let path = encoder.frames(&steps);
    // In one block, and with a block per step: facts must not leak from one block into the next, nor be needed.
    let every: Vec<usize> = (1..path.len()).collect();
    for boundaries in [&[][..], &every].into_iter().take(if apart { 2 } else { 1 }) {
        let encoded = encode_path_with_inputs(&mut encoder, &mut pool, &path, boundaries);
        let end = encoded.ends.last().expect("a path has a block");
        let r = variable(&encoder, &mut pool, end, "main::r");
        let value = pool.int(expected);
        let (is, is_not) = (pool.eq(r, value), pool.ne(r, value));
        let with = |f: TermId| encoded.parts.iter().copied().chain([f]).collect::<Vec<_>>();
        assert!(
            satisfiable(&mut pool, &with(is)),
            "{text}\nr == {expected} must be possible"
        );
        assert!(
            !satisfiable(&mut pool, &with(is_not)),
            "{text}\nr == {expected} must be forced"
        );
    }
}

#[test]
fn programs_end_with_the_value_that_gcc_computes() {
    let cases: &[(&str, i64)] = &[
        ("int main(void) { int r = 3; r = r + 4; return 0; }", 7),
        (
            "int main(void) { int x = 2147483647; int r = x + 1; return 0; }",
            -2_147_483_648,
        ),
        (
            "int main(void) { int r = 0; for (int i = 0; i < 5; i++) r += i; return 0; }",
            10,
        ),
        (
            "int f(int n) { return n <= 1 ? 1 : n + f(n - 1); } int main(void) { int r = f(5); return 0; }",
            15,
        ),
        (
            "int main(void) { int a[4]; for (int i = 0; i < 4; i++) a[i] = i + i; int r = a[3] + a[2]; return 0; }",
            10,
        ),
        (
            "int main(void) { int a[4] = {1, 2}; int r = a[0] + 10 * a[1] + 100 * a[3]; return 0; }",
            21,
        ),
        ("int main(void) { int x = 5, *p = &x; *p = 7; int r = x; return 0; }", 7),
        (
            "void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; } int main(void) { int x = 1, y = 2; swap(&x, &y); \
          int r = 10 * x + y; return 0; }",
            21,
        ),
        (
            "struct s { int a; char b; long c; }; int main(void) { struct s x = {1, 2, 3}, *p = &x; p->b = 40; p->c = p->a + 5; \
          int r = x.a + x.b + x.c; return 0; }",
            47,
        ),
        (
            "struct s { int a; struct { int b, c; } in; }; int main(void) { struct s x, y; x.a = 1; x.in.b = 2; x.in.c = 3; y = x; \
          y.in.b = 9; int r = y.a + y.in.b + y.in.c + x.in.b; return 0; }",
            15,
        ),
        (
            "union u { unsigned i; unsigned char c[4]; }; int main(void) { union u x; x.i = 0x01020304u; x.c[1] = 9; int r = x.i; \
          return 0; }",
            0x0102_0904,
        ),
        (
            "union u { int i; unsigned j; }; int main(void) { union u x; x.i = -1; int r = x.j == 4294967295u; return 0; }",
            1,
        ),
        (
            "int main(void) { unsigned x = 0x11223344u; unsigned char *p = (unsigned char *)&x; int r = p[0] + 256 * p[3]; return 0; }",
            0x44 + 256 * 0x11,
        ),
        (
            "int main(void) { int x = 0; char *p = (char *)&x; p[1] = 1; int r = x; return 0; }",
            256,
        ),
        (
            "int main(void) { int x = -2; unsigned *p = (unsigned *)&x; int r = *p == 4294967294u; *p = 4294967295u; r += x; return 0; }",
            0,
        ),
        (
            "struct b { unsigned x : 3; int y : 5; unsigned z : 24; }; int main(void) { struct b s; s.x = 13; s.y = 17; s.z = 5; \
          int r = s.x * 1000 + s.y * 10 + (int)s.z; return 0; }",
            5 * 1000 - 15 * 10 + 5,
        ),
        (
            "struct b { unsigned x : 3; int y : 5; unsigned z : 24; }; int main(void) { struct b s, *p = &s; p->x = 13; p->y = 17; p->z = 5; \
          int r = s.x * 1000 + s.y * 10 + (int)s.z; return 0; }",
            5 * 1000 - 15 * 10 + 5,
        ),
        (
            "union v { struct { unsigned a : 4; unsigned b : 12; } f; unsigned short w; }; int main(void) { union v x; x.w = 0; x.f.b = 0xabc; \
          x.f.a = 5; int r = x.w; return 0; }",
            0xabc5,
        ),
        (
            "void *memset(void *, int, unsigned long); int main(void) { int a[3]; memset(a, 0, sizeof a); a[1] = 4; \
          int r = a[0] + a[1] + a[2]; return 0; }",
            4,
        ),
        (
            "void *memset(void *, int, unsigned long); int main(void) { int a[2]; memset(a, -1, sizeof a); int r = a[1]; return 0; }",
            -1,
        ),
        (
            "void *memcpy(void *, const void *, unsigned long); struct s { int a; long b; }; int main(void) { struct s x = {3, 4}, y; \
          memcpy(&y, &x, sizeof x); int r = y.a * 10 + y.b; return 0; }",
            34,
        ),
        (
            "void *memcpy(void *, const void *, unsigned long); int main(void) { int a[3] = {1, 2, 3}, b[3]; memcpy(b, a, sizeof a); \
          a[1] = 7; int r = b[0] + 10 * b[1] + 100 * b[2]; return 0; }",
            321,
        ),
        (
            "void *malloc(unsigned long); struct n { int v; struct n *next; }; int main(void) { struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b); \
          a->v = 1; b->v = 2; a->next = b; b->next = 0; int r = 0; for (struct n *p = a; p; p = p->next) r = 10 * r + p->v; return 0; }",
            12,
        ),
        (
            "void *calloc(unsigned long, unsigned long); struct n { int v; struct n *next; }; int main(void) { struct n *a = calloc(1, sizeof *a); \
          int r = a->v + (a->next == 0); return 0; }",
            1,
        ),
        (
            "struct in { int p, q; }; struct out { long l; struct in i; }; int main(void) { struct out o; struct in *p = &o.i; o.l = 3; p->q = 4; \
          struct out *b = (struct out *)((char *)p - (unsigned long)&((struct out *)0)->i); int r = b->l * 10 + b->i.q; return 0; }",
            34,
        ),
        (
            "struct in { int p, q; }; struct out { long l; struct in i; }; int main(void) { struct out o; struct in *p = &o.i; o.l = 3; p->q = 4; \
          struct out *b = (struct out *)((unsigned long)p + 0xfffffffffffffff8UL); int r = b->l * 10 + b->i.q; return 0; }",
            34,
        ),
        (
            "int g = 5; int *q = &g; int main(void) { *q += 2; int r = g; return 0; }",
            7,
        ),
        (
            "int t[3][2] = {{1, 2}, {3, 4}, {5, 6}}; int main(void) { int r = 0; for (int i = 0; i < 3; i++) r = 10 * r + t[i][1]; return 0; }",
            246,
        ),
        (
            "int main(void) { int a[5] = {1, 2, 3, 4, 5}; int *p = a + 4; p = p - 2; int r = *p; return 0; }",
            3,
        ),
        (
            "int main(void) { int a[3] = {7, 8, 9}, *p = &a[2]; int i = -1; int r = p[i] + p[-2]; return 0; }",
            15,
        ),
        (
            "struct s { int a[3]; int n; }; struct s f(struct s x) { x.a[1] = 5; return x; } int main(void) { struct s v = {{1, 2, 3}, 4}; \
          struct s w = f(v); int r = w.a[1] * 100 + v.a[1] * 10 + w.n; return 0; }",
            524,
        ),
        (
            "struct s { int a, b; }; struct s f(struct s x) { x.a += x.b; return x; } int main(void) { struct s v = {1, 2}; v = f(v); \
          int r = v.a * 10 + v.b; return 0; }",
            32,
        ),
        (
            "int f(int n, int *out) { int here = n; if (n > 0) f(n - 1, &here); *out += here; return 0; } int main(void) { int x = 1; f(2, &x); \
          int r = x; return 0; }",
            4,
        ),
        (
            "int main(void) { char s[] = \"ab\"; const char *t = \"cd\"; int r = s[1] * 1000 + t[0]; return 0; }",
            98 * 1000 + 99,
        ),
        (
            "int main(void) { _Bool b = 256; int r = b + (_Bool)0 + !b; return 0; }",
            1,
        ),
        (
            "int main(void) { unsigned char c = 255; c++; int r = c == 0; return 0; }",
            1,
        ),
        (
            "int main(void) { unsigned long n = 3; int a[4] = {0, 1, 2, 3}; int r = a[n - 1]; return 0; }",
            2,
        ),
        (
            "int main(void) { int n = 3; int r = 1 << n; r = r << 3; r = (r ^ 5) | (n & 2); return 0; }",
            71,
        ),
        (
            "int add(int x) { return x + 1; } int dbl(int x) { return 2 * x; } int main(void) { int (*f)(int) = dbl; int r = f(4); f = add; \
          r += f(10); return 0; }",
            19,
        ),
    ];
    for &(text, expected) in cases {
        check_value(text, expected, DataModel::Lp64);
    }
}

#[test]
fn a_block_folds_what_it_determines() {
    // Operations on two variables are exact only where the block says what one of them is.
    let cases: &[(&str, i64)] = &[
        (
            "int f(int n) { return n <= 1 ? 1 : n * f(n - 1); } int main(void) { int r = f(5); return 0; }",
            120,
        ),
        (
            "int main(void) { int x = 12, y = 10; int r = (x & y) + (x | y) * 100 + (x ^ y) * 10000; return 0; }",
            61408,
        ),
        (
            "int main(void) { int x = -17, y = 5; int r = (x / y) * 10 + x % y; return 0; }",
            -32,
        ),
        (
            "int main(void) { int a[5] = {1, 2, 3, 4, 5}; int *p = a + 4; p = p - 2; int r = *p + 10 * (int)(p - a); return 0; }",
            23,
        ),
    ];
    for &(text, expected) in cases {
        check_value_in(text, expected, DataModel::Lp64, false);
    }
}

#[test]
fn results_of_calls_are_not_stale() {
    let text = "struct s { int a[2]; }; struct s f(int x) { struct s v; v.a[0] = x; v.a[1] = x; return v; } \
        int main(void) { struct s p = f(1); struct s q = f(2); int r = p.a[1] * 10 + q.a[1]; return 0; }";
    check_value(text, 12, DataModel::Lp64);
}

#[test]
fn the_data_model_matters() {
    check_value(
        "int main(void) { unsigned long x = 4294967295ul; x = x + 1; int r = x == 0; return 0; }",
        1,
        DataModel::Ilp32,
    );
    check_value(
        "int main(void) { unsigned long x = 4294967295ul; x = x + 1; int r = x == 0; return 0; }",
        0,
        DataModel::Lp64,
    );
    check_value(
        "int main(void) { int a[2] = {1, 2}; unsigned i = 1; int r = a[i] + (int)sizeof(int *); return 0; }",
        6,
        DataModel::Ilp32,
    );
}

// ---- random expressions ---------------------------------------------------------------------------------------------------

/// C name, width, signedness. The positions match the `nondet_` functions.
const TYPES: [(&str, u32, bool); 9] = [
    ("signed char", 8, true),
    ("unsigned char", 8, false),
    ("short", 16, true),
    ("unsigned short", 16, false),
    ("int", 32, true),
    ("unsigned", 32, false),
    ("long", 64, true),
    ("unsigned long", 64, false),
    ("_Bool", 1, false),
];
const INT: usize = 4;

#[derive(Clone, Debug)]
enum Tree {
    Var(usize),
    Const(i32),
    Unary(&'static str, Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
    Cast(usize, Box<Tree>),
}

fn wrap(value: i128, ty: usize) -> i128 {
    let (_, width, signed) = TYPES[ty];
    if width == 1 {
        return i128::from(value != 0);
    }
    let low = value.rem_euclid(1 << width);
    if signed && low >= 1 << (width - 1) {
        low - (1 << width)
    } else {
        low
    }
}

fn promoted(ty: usize) -> usize {
    if TYPES[ty].1 < 32 { INT } else { ty }
}

fn common(a: usize, b: usize) -> usize {
    let (a, b) = (promoted(a), promoted(b));
    // The wider one, of two equally wide ones the unsigned one: the table is in that order.
    a.max(b)
}

/// The value and type of an expression by the rules of C. `None` if it is not specified.
fn evaluate(tree: &Tree, vars: &[(usize, i128)]) -> Option<(i128, usize)> {
    Some(match tree {
        Tree::Var(i) => {
            let (ty, value) = vars[i % vars.len()];
            (value, ty)
        }
        Tree::Const(c) => (i128::from(*c), INT),
        Tree::Cast(ty, x) => (wrap(evaluate(x, vars)?.0, *ty), *ty),
        Tree::Unary(op, x) => {
            let (value, ty) = evaluate(x, vars)?;
            match *op {
                "!" => (i128::from(value == 0), INT),
                "-" => (wrap(-value, promoted(ty)), promoted(ty)),
                _ => (wrap(-value - 1, promoted(ty)), promoted(ty)),
            }
        }
        Tree::Binary(op, x, y) => {
            let ((a, s), (b, t)) = (evaluate(x, vars)?, evaluate(y, vars)?);
            if matches!(*op, "<<" | ">>") {
                let ty = promoted(s);
                if b < 0 || b >= i128::from(TYPES[ty].1) {
                    return None;
                }
                return Some((wrap(if *op == "<<" { a << b } else { a >> b }, ty), ty));
            }
            let ty = common(s, t);
            let (a, b) = (wrap(a, ty), wrap(b, ty));
            let result = match *op {
                "+" => a + b,
                "-" => a - b,
                "*" => a.wrapping_mul(b),
                "/" | "%" if b == 0 || wrap(a.checked_div(b)?, ty) != a / b => return None,
                "/" => a / b,
                "%" => a % b,
                "&" => a & b,
                "|" => a | b,
                "^" => a ^ b,
                comparison => {
                    let holds = match comparison {
                        "<" => a < b,
                        "<=" => a <= b,
                        ">" => a > b,
                        ">=" => a >= b,
                        "==" => a == b,
                        _ => a != b,
                    };
                    return Some((i128::from(holds), INT));
                }
            };
            (wrap(result, ty), ty)
        }
    })
}

fn text(tree: &Tree, count: usize) -> String {
    match tree {
        Tree::Var(i) => format!("v{}", i % count),
        Tree::Const(c) if *c == i32::MIN => "(-2147483647 - 1)".to_owned(),
        Tree::Const(c) => format!("({c})"),
        Tree::Cast(ty, x) => format!("(({}){})", TYPES[*ty].0, text(x, count)),
        Tree::Unary(op, x) => format!("({op}{})", text(x, count)),
        Tree::Binary(op, x, y) => format!("({} {op} {})", text(x, count), text(y, count)),
    }
}

fn constant() -> impl Strategy<Value = i32> {
    prop_oneof![
        -9..10i32,
        prop::sample::select(vec![i32::MIN, i32::MAX, 255, 256, 127, 128, -128, 65535, 0x0ff0, -4096]),
        any::<i32>()
    ]
}

fn tree(linear: bool) -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![3 => (0usize..4).prop_map(Tree::Var), 1 => constant().prop_map(Tree::Const)];
    leaf.prop_recursive(3, 10, 2, move |inner| {
        let any_op = prop::sample::select(vec!["+", "-", "<", "<=", ">", ">=", "==", "!="]);
        let hard_op = prop::sample::select(vec!["*", "/", "%", "&", "|", "^", "<<", ">>"]);
        let by_constant = (hard_op.clone(), inner.clone(), constant())
            .prop_map(|(op, x, c)| {
                let c = if matches!(op, "<<" | ">>") { c.rem_euclid(32) } else { c };
                Tree::Binary(op, Box::new(x), Box::new(Tree::Const(c)))
            });
        let by_anything = (hard_op, inner.clone(), inner.clone()).prop_map(move |(op, x, y)| {
            let op = if linear { "+" } else { op };
            Tree::Binary(op, Box::new(x), Box::new(y))
        });
        prop_oneof![
            2 => (any_op, inner.clone(), inner.clone()).prop_map(|(op, x, y)| Tree::Binary(op, Box::new(x), Box::new(y))),
            2 => by_constant,
            1 => by_anything,
            1 => (prop::sample::select(vec!["!", "-", "~"]), inner.clone()).prop_map(|(op, x)| Tree::Unary(op, Box::new(x))),
            1 => (0..TYPES.len(), inner).prop_map(|(ty, x)| Tree::Cast(ty, Box::new(x))),
        ]
    })
}

/// Variables with types and values, the values often at the borders.
fn variables() -> impl Strategy<Value = Vec<(usize, i128)>> {
    let one = (
        0..TYPES.len(),
        prop_oneof![
            any::<i64>().prop_map(i128::from),
            -3i128..4,
            (6u32..65).prop_map(|w| (1i128 << w) - 1)
        ],
    )
        .prop_map(|(ty, value)| (ty, wrap(value, ty)));
    prop::collection::vec(one, 3)
}

/// The formula of `T r = expression;` with fixed inputs forces the value (if `exact`) or at least allows it.
fn check_expression(tree: &Tree, vars: &[(usize, i128)], exact: bool) {
    let Some((expected, ty)) = evaluate(tree, vars) else {
        return;
    };
    let declarations: String = vars
        .iter()
        .enumerate()
        .map(|(i, (ty, _))| format!("{} v{i} = nondet_{ty}(); ", TYPES[*ty].0))
        .collect();
    let source = format!(
        "{NONDET}int main(void) {{ {declarations}{} r = {}; return 0; }}",
        TYPES[ty].0,
        text(tree, vars.len())
    );
    let program = program_of(&source, DataModel::Lp64);
    let mut pool = TermPool::new();
    let mut encoder = Encoder::new(&program, Arith::Machine);
    let steps = straight_line(&program);
    let path = encoder.frames(&steps);
    let encoded = encode_path_with_inputs(&mut encoder, &mut pool, &path, &[]);
    let mut formulas = encoded.parts.clone();
    let inputs = encoded
        .inputs
        .iter()
        .filter(|i| matches!(&i.kind, InputKind::Variable { .. }));
    // `main::r` is havocked where it is declared, after the inputs or not at all.
    let values: Vec<TermId> = inputs.map(|i| i.value).take(vars.len()).collect();
    assert_eq!(
        values.len(),
        vars.len(),
        "{source}\nevery nondeterministic call is an input"
    );
    for (&input, (_, value)) in values.iter().zip(vars) {
        let value = pool.int(*value);
        formulas.push(pool.eq(input, value));
    }
    let r = variable(&encoder, &mut pool, encoded.ends.last().expect("a block"), "main::r");
    let value = pool.int(expected);
    let is = pool.eq(r, value);
    formulas.push(is);
    assert!(
        satisfiable(&mut pool, &formulas),
        "{source}\n{vars:?}: r == {expected} must be possible"
    );
    if exact {
        *formulas.last_mut().expect("pushed") = pool.not(is);
        assert!(
            !satisfiable(&mut pool, &formulas),
            "{source}\n{vars:?}: r == {expected} must be forced"
        );
    }
}

/// The only path of a program without branches.
fn straight_line(program: &Program) -> Vec<Step> {
    let (mut steps, mut calls) = (Vec::new(), Vec::new());
    let mut at = program.function(program.start).entry;
    loop {
        if at == program.function(program.node(at).func).exit {
            let Some(call) = calls.pop() else { return steps };
            steps.push(Step::Leave(call));
        } else {
            let [edge] = program.node(at).outgoing[..] else {
                panic!("a branch")
            };
            if is_call(program, edge).is_some() {
                calls.push(edge);
                steps.push(Step::Enter(edge));
            } else {
                steps.push(Step::Edge(edge));
            }
        }
        at = steps[steps.len() - 1].target(program);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn linear_expressions_have_exactly_the_machine_value(tree in tree(true), vars in variables()) {
        check_expression(&tree, &vars, true);
    }

    #[test]
    fn every_machine_value_is_allowed(tree in tree(false), vars in variables()) {
        check_expression(&tree, &vars, false);
    }
}

#[test]
fn operations_wrap_around_at_the_borders() {
    for (ty, (_, width, signed)) in TYPES.into_iter().enumerate().take(8) {
        let top = if signed {
            (1i128 << (width - 1)) - 1
        } else {
            (1i128 << width) - 1
        };
        let bottom = if signed { -top - 1 } else { 0 };
        for x in [bottom, bottom + 1, -1, 0, 1, top - 1, top] {
            let x = wrap(x, ty);
            let var = || Box::new(Tree::Var(0));
            let constant = |c: i32| Box::new(Tree::Const(c));
            let trees = [
                Tree::Binary("+", var(), constant(1)),
                Tree::Binary("-", var(), constant(1)),
                Tree::Binary("+", var(), var()),
                Tree::Binary("*", var(), constant(3)),
                Tree::Binary("*", var(), constant(-7)),
                Tree::Unary("-", var()),
                Tree::Unary("~", var()),
                Tree::Binary("/", var(), constant(-3)),
                Tree::Binary("%", var(), constant(-3)),
                Tree::Binary("&", var(), constant(0x00f0)),
                Tree::Binary("|", var(), constant(-16)),
                Tree::Binary("^", var(), constant(0x55)),
                Tree::Binary("<<", var(), constant(5)),
                Tree::Binary(">>", var(), constant(3)),
            ];
            for tree in trees {
                // The result is cut to the operand's type too, where it wraps around though `int` does not.
                check_expression(&Tree::Cast(ty, Box::new(tree.clone())), &[(ty, x)], true);
                check_expression(&tree, &[(ty, x)], true);
            }
        }
    }
}

// ---- merging and predicates ------------------------------------------------------------------------------------------------

/// Encodes a loop-free function-free `main` by merging at every join, in an order that takes nodes after all before them.
fn merged(program: &Program, encoder: &mut Encoder<'_>, pool: &mut TermPool) -> PathFormula {
    let main = program.function_by_name("main").expect("main");
    let mut states: Vec<Option<PathFormula>> = vec![None; program.nodes.len()];
    states[program.function(main).entry.index()] = Some(encoder.empty(pool));
    let mut nodes: Vec<NodeId> = program.node_ids().filter(|&n| program.node(n).func == main).collect();
    nodes.sort_by_key(|&n| program.node(n).rpo);
    for node in nodes {
        let Some(state) = states[node.index()].clone() else {
            continue;
        };
        for &edge in &program.node(node).outgoing {
            let next = encoder.step(pool, &state, Step::Edge(edge), Default::default());
            let to = program.edge(edge).to.index();
            states[to] = Some(match states[to].take() {
                Some(other) => encoder.merge(pool, &other, &next),
                None => next,
            });
        }
    }
    states[program.function(main).exit.index()]
        .take()
        .expect("the end of main is reached")
}

#[test]
fn merged_paths_mean_one_or_the_other() {
    let text = format!(
        "{NONDET} int g; int main(void) {{ int r = 0; int a[3]; int x = nondet_4(); a[0] = 5; a[1] = 1; \
         if (x > 10) {{ r = 1; a[0] = 7; if (x > 20) r = r + 1; }} else if (x == 3) {{ a[1] = x; g = 4; }} \
         r = r * 100 + a[0] * 10 + a[1]; return 0; }}"
    );
    let program = program_of(&text, DataModel::Lp64);
    let mut pool = TermPool::new();
    let mut encoder = Encoder::new(&program, Arith::Machine);
    let end = merged(&program, &mut encoder, &mut pool);
    let (x, r) = (
        variable(&encoder, &mut pool, &end, "main::x"),
        variable(&encoder, &mut pool, &end, "main::r"),
    );
    for (input, expected) in [(25i64, 271i64), (15, 171), (3, 53), (0, 51), (-2_147_483_648, 51)] {
        let (input, expected) = (pool.int(input), pool.int(expected));
        let fixed = pool.eq(x, input);
        let (is, is_not) = (pool.eq(r, expected), pool.ne(r, expected));
        assert!(satisfiable(&mut pool, &[end.formula, fixed, is]));
        assert!(!satisfiable(&mut pool, &[end.formula, fixed, is_not]));
    }
}

#[test]
fn a_merge_keeps_the_common_beginning_outside() {
    let branches: String = (0..40).map(|i| format!("if (nondet_4() == {i}) r = r + 1; ")).collect();
    let text = format!("{NONDET} int main(void) {{ int r = 0; {branches} return 0; }}");
    let program = program_of(&text, DataModel::Lp64);
    let mut pool = TermPool::new();
    let mut encoder = Encoder::new(&program, Arith::Machine);
    let end = merged(&program, &mut encoder, &mut pool);
    // With a shared beginning the formula is linear in the number of branchings.
    assert!(
        pool.dag_size(end.formula) < 40 * 40,
        "{} terms",
        pool.dag_size(end.formula)
    );
    let r = variable(&encoder, &mut pool, &end, "main::r");
    let forty = pool.int(41i64);
    let too_big = pool.ge(r, forty);
    assert!(!satisfiable(&mut pool, &[end.formula, too_big]));
}

#[test]
fn predicates_get_and_lose_versions() {
    let text = format!(
        "{NONDET} int main(void) {{ int a[3]; int x = nondet_4(); a[x & 1] = 3; x = x + 1; int r = a[1]; return 0; }}"
    );
    let program = program_of(&text, DataModel::Lp64);
    let mut pool = TermPool::new();
    let mut encoder = Encoder::new(&program, Arith::Machine);
    let end = merged(&program, &mut encoder, &mut pool);
    let current = variable(&encoder, &mut pool, &end, "main::x");
    let region = encoder
        .slot_of("mem:main::a")
        .expect("the array has a region of its own");
    let name = pool.symbol("mem:main::a");
    let cell = pool.app(name, end.ssa.index(region), &[current]);
    let instance = pool.lt(cell, current);
    let predicate = encoder.uninstantiate(&mut pool, instance);
    assert_ne!(predicate, instance);
    assert_eq!(encoder.instantiate(&mut pool, predicate, &end.ssa), instance);
    assert_eq!(
        encoder.predicate_variables(&pool, predicate),
        ["main::x", "mem:main::a"]
    );
    let operator = pool.symbol("__mul:i32");
    let product = pool.app(operator, 0, &[current, current]);
    let instance = pool.le(product, current);
    let predicate = encoder.uninstantiate(&mut pool, instance);
    assert_eq!(
        encoder.instantiate(&mut pool, predicate, &end.ssa),
        instance,
        "operators have no versions"
    );
}

#[test]
fn simple_statements_have_simple_formulas() {
    let show = |body: &str| {
        let text = format!("{NONDET} int main(void) {{ int x = nondet_4(); int y = nondet_4(); {body} return 0; }}");
        let program = program_of(&text, DataModel::Lp64);
        let mut pool = TermPool::new();
        let mut encoder = Encoder::new(&program, Arith::Machine);
        let main = program.function_by_name("main").expect("main");
        let (mut at, mut state, mut last) = (program.function(main).entry, encoder.empty(&pool), String::new());
        // The first branch is taken where there are two.
        while let Some(&edge) = program.node(at).outgoing.first() {
            let next = encoder.step(&mut pool, &state, Step::Edge(edge), Default::default());
            let old = pool.conjuncts(state.formula);
            let new: Vec<TermId> = pool
                .conjuncts(next.formula)
                .into_iter()
                .filter(|c| !old.contains(c))
                .collect();
            let is_return = matches!(&program.edge(edge).op, Op::Assign { lhs, .. } if lhs.as_whole_var() == program.function(main).ret);
            if !new.is_empty() && !is_return {
                let conjunction = pool.and(&new);
                last = encoder.display(&pool, conjunction);
            }
            (at, state) = (program.edge(edge).to, next);
        }
        last
    };
    assert_eq!(
        show("x = x + 1;"),
        "((main::x@1 <= 2147483646) ? (main::x@1 + 1) : (main::x@1 - 4294967295)) == main::x@2"
    );
    // The comparison is the atom itself, with no case distinction between 0 and 1.
    assert_eq!(show("if (!((x < y) != 0)) { return 1; }"), "main::x@1 <= main::y@1 - 1");
    assert_eq!(show("if (x == 3) { return 1; }"), "main::x@1 == 3");
}

#[test]
fn operators_are_evaluated_exactly() {
    let cases: [(&str, i64, i64, Option<i64>); 12] = [
        ("__mul:i32", 65536, 65536, Some(0)),
        ("__mul:u8", 16, 17, Some(16)),
        ("__div:i32", -7, 2, Some(-3)),
        ("__rem:i32", -7, 2, Some(-1)),
        ("__div:i32", -2_147_483_648, -1, None),
        ("__div:u32", 7, 0, None),
        ("__and:i32", -4, 7, Some(4)),
        ("__or:i16", -4, 1, Some(-3)),
        ("__xor:u8", 255, 15, Some(240)),
        ("__shl:i32", 1, 31, Some(-2_147_483_648)),
        ("__shr:i32", -5, 1, Some(-3)),
        ("__shl:i32", 1, 32, None),
    ];
    for (name, a, b, expected) in cases {
        assert_eq!(
            evaluate_operator(name, &[Int::from(a), Int::from(b)]),
            expected.map(Int::from),
            "{name} {a} {b}"
        );
    }
    assert_eq!(evaluate_operator("main::x", &[Int::ONE]), None);
}
